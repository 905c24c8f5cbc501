// late_epilogues: a tile's results are computed from its sums beside the products of the block's next tile.
//
//   scf.for %tile = … {                     scf.for %tile = … iter(%left, %place_before) {
//     %sums = scf.for %k = … {                scf.for %k = … iter(%piece) {
//       products                                products
//     }                                  →      scf.if %piece < %left { the piece of the tile before: computed, stored }
//     %x = … %sums …                          }
//     tk.store %x {beside}                    scf.for … { remaining pieces }
//   }                                         tk.park %sums
//                                           }
//                                           scf.for … { pieces of the last tile }
//
// All warps of a block end a tile together, and a multiprocessor has one block: its matrix units wait while sums become results. In 128 x
// 256 sums with GELU the exponentials and reciprocals alone take 4,096 cycles. Now each warp parks its rows of the sums in shared memory
// (tk.park: its own bytes, without barriers of the block), starts the next tile's products, and computes a piece, a row of a warp, behind
// the products of one of the first steps. Each lane then holds 16 bytes of a row of the sums, in memory's order.
//
// A piece takes long beside products: about a step. So warpgroups take turns, and while one computes the others' products are under way, if
// the loop has steps enough (epilogue_turns). The piece stands behind the release of the slot of the step before: ahead of it, the slot's next
// copies would start too late for three slots. (H200, bias, GELU and residual behind 4096 x 14336 x 4096: 1.14 of the product's time ahead of
// the release, 1.13 behind it, 1.11 with residuals by tensor copies, 1.04 in turns and with fewer instructions; not beside it 1.13 to 1.16.)
//
// Tiles added to the sums (residuals) come with the steps' slots (specialise/specialise_residuals.c). A load to registers would
// come too late: the loop moves its carried registers, or waits for them, within a step, and memory takes longer than a step. So
// would a load without a box. Vectors of columns are the same for all pieces, and loaded once a tile.
//
// A loop of two products has a buffer for the sums of each. Factors of rows, which multiply the sums ahead of their parking, are loaded ahead of
// the products (late_factors.c).
//
// The pass beside marks the stores, and roles finds the room for their sums (specialise/roles_epilogue.c). A piece is computed by the ops of
// the whole tile, each repeated for fewer rows (late_pieces.c). The loop over tiles carries the scalars of the tile's place to the next one.
//
// requires: warpgroup; stores marked {beside}
// provides: no marked stores; a reason in tk.epilogue if the loops are others than `roles` saw
// test:     tests/golden/passes/late_epilogues
#include "passes/latency/late_epilogues.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/wgmma.h"
#include "passes/facts/apart.h"

enum { CARRIED_PIECES = 1, CARRIED_TURN = 1 };
enum { TOGETHER_REST = 4, TOGETHER_LAST = 16 }; // pieces behind products

// ---- the loops and the stores found ----

static bool has_product(struct late *l, MlirOperation op) {
    size_t count;
    MlirOperation *ops = ops_collect(l->ir, l->context->arena, op, &count);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (op_kind(l->ir, ops[i]) == OP_WARPGROUP_DOT) {
            l->loop = mlirOperationGetParentOperation(ops[i]);
            found = true;
        }
    }
    return found;
}

// The loop is the branch's or the tile's own, and nothing else of the branch has regions.
static bool is_plain(struct late *l) {
    MlirOperation around = mlirOperationGetParentOperation(l->loop);
    return op_kind(l->ir, l->loop) == OP_FOR &&
           (mlirOperationEqual(l->loop, l->products) ||
            (op_kind(l->ir, l->products) == OP_IF && mlirOperationEqual(around, l->products) &&
             mlirBlockEqual(mlirOperationGetBlock(l->loop), op_body(l->products, 0)) &&
             !mlirBlockIsNull(op_body(l->products, 1))));
}

// A scalar of the tile, not the kernel's.
static bool changes(struct late *l, MlirValue scalar) {
    MlirOperation op = mlirValueIsABlockArgument(scalar)
                           ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(scalar))
                           : mlirOperationGetParentOperation(value_op(scalar));
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, l->tiles)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// The loop over tiles carries numbers, and pointers with an argument in their place ahead of the first tile.
static bool find(struct late *l) {
    MlirBlock home = mlirOperationGetBlock(l->store);
    l->tiles = mlirOperationGetParentOperation(l->store);
    for (MlirOperation op = mlirBlockGetFirstOperation(home); !mlirOperationEqual(op, l->store);
         op = mlirOperationGetNextInBlock(op)) {
        l->products = mlirOperationIsNull(l->products) && has_product(l, op) ? op : l->products;
    }
    if (op_kind(l->ir, l->tiles) != OP_FOR || mlirOperationIsNull(l->products) || !is_plain(l) ||
        !epilogue_read(l->ir, l->store, &l->epilogue) ||
        !epilogue_pieces(l->ir, mlirValueGetType(l->epilogue.parked[0]), op_num_warps(l->store), &l->piece) ||
        !mlirOperationEqual(value_op(l->epilogue.sums[0]), l->products)) {
        return decline(l->context, (MlirOperation){NULL}, REASON_LATE_PLACE);
    }
    return true;
}

// ---- the sums in shared memory ----

static void build_park(struct late *l, struct builder *b) {
    for (size_t i = 0; i < l->epilogue.parked_count; i++) {
        OP(b, OP_PARK, OPERANDS(l->buffers[i], l->epilogue.parked[i]), NO_RESULTS, NO_ATTRS);
    }
}

// ---- beside the products ----

// A step's piece stands behind the release of the slot of the step before: the slot's next copies are under way while the piece is computed. A
// slot released with its own step's products is released behind the piece, as the piece stands ahead of their end. (H200, gate and up of 128 x 128
// with SwiGLU, K 1,024 to 4,096: 0.95 to 0.99 of the time of pieces behind the release, beside the other warpgroup's products alone.)
static MlirOperation ahead_of_piece(struct late *l, MlirOperation loop) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0)), found = op;
    for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(l->ir, op);
        if (kind == OP_DOT_WAIT && op_int(op, ATTR_PENDING) == 0) {
            break;
        }
        found = kind == OP_WARPGROUP_DOT || kind == OP_MBARRIER_ARRIVE ? op : found;
    }
    return found;
}

// A step's piece, from the loads before it and the copies to the step's slot.
static void build_step(struct late *l, struct builder *b, MlirValue number, MlirValue some,
                       const MlirValue *loaded, MlirValue slot) {
    MlirBlock then, otherwise;
    build_if(b, some, (struct results){0, NULL}, &then, &otherwise);
    struct builder in = builder_at_end(l->ir, then, b->location),
                   out = builder_at_end(l->ir, otherwise, b->location);
    late_piece(l, &in, number, loaded, slot);
    build_yield(&in, NO_OPERANDS);
    build_yield(&out, NO_OPERANDS);
}

// The step's slot, by the product's view of it.
static MlirValue slot_of(struct late *l, MlirOperation loop) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
    while (op_kind(l->ir, op) != OP_SMEM_SLOT) {
        op = mlirOperationGetNextInBlock(op);
    }
    return smem_slot_index(op);
}

// The op around the loop of products was built anew.
static void follow_products(struct late *l, MlirOperation products) {
    struct epilogue *e = &l->epilogue;
    l->products = products;
    for (size_t i = 0; i < e->parked_count; i++) {
        bool parked = value_is(e->parked[i], e->sums[i]);
        e->sums[i] = mlirOperationGetResult(products, l->sums_number[i]);
        e->parked[i] = parked ? e->sums[i] : e->parked[i];
    }
}

// The loop was built anew.
static void follow_loop(struct late *l, MlirOperation loop) {
    if (mlirOperationEqual(l->loop, l->products)) {
        follow_products(l, loop);
    }
    l->loop = loop;
}

// The loads of a piece, if `wanted`, to the front of `values`, without those done by the producer. Returns their number.
static intptr_t build_loads(struct late *l, struct builder *b, MlirValue number, MlirValue wanted,
                            MlirValue *values, const MlirValue *kept) {
    intptr_t count = 0;
    MlirValue *made = late_loads(l, b, number, wanted, true, kept);
    for (size_t i = 0; i < l->load_count; i++) {
        values[count] = made[i];
        count += !mlirValueIsNull(made[i]);
    }
    return count;
}

// The other way: the loads' places, null for the producer's.
static void spread_loads(const struct late *l, const MlirValue *values, MlirValue *loaded) {
    for (size_t i = 0; i < l->load_count; i++) {
        loaded[i] = mlirValueIsNull(l->rings[i]) ? *values++ : (MlirValue){NULL};
    }
}

// Behind each of the first steps' products comes a piece, of one warpgroup and then the next: while one computes, the products of the others
// are under way. Behind it stand the next one's loads, in no branch: ptxas moves a branch's carried values at the branch's end, and so
// would wait there for the loads. Returns the number of finished pieces.
static MlirValue pieces_in_steps(struct late *l) {
    enum { FIRST = CARRIED_PIECES + CARRIED_TURN };
    MlirValue carried[LATE_MAX_LOADS + FIRST], loaded[LATE_MAX_LOADS];
    intptr_t known = mlirOperationGetNumResults(l->loop);
    struct builder b = builder_before(l->ir, l->products);
    carried[0] = const_i32(&b, 0);
    MlirValue turns = epilogue_turns(&b, for_lower(l->loop), for_upper(l->loop), for_step(l->loop), l->left,
                                     op_num_warps(l->store) / WGMMA_WARPS);
    MlirValue group = VALUE(&b, OP_WARPGROUP, NO_OPERANDS, RESULTS(type_i32(l->ir)), NO_ATTRS);
    carried[1] = build_binary(&b, OP_REMUI, group, turns); // steps up to its turn
    MlirValue others = build_binary(&b, OP_SUBI, turns, const_i32(&b, 1));
    intptr_t count = FIRST + build_loads(l, &b, carried[0], build_compare(&b, INT_SLT, carried[0], l->left),
                                         carried + FIRST, NULL);
    MlirOperation loop = build_more(l->ir, l->context->arena, l->loop, (struct operands){count, carried});
    follow_loop(l, loop);
    MlirBlock body = op_body(loop, 0);
    for (intptr_t i = 0; i < count; i++) {
        carried[i] = mlirBlockGetArgument(body, 1 + known + i);
    }
    struct builder at = builder_after(l->ir, ahead_of_piece(l, loop));
    MlirValue zero = const_i32(&at, 0), one = const_i32(&at, 1);
    MlirValue its_turn = build_compare(&at, INT_EQ, carried[1], zero);
    MlirValue there = build_compare(&at, INT_SLT, carried[0], l->left);
    MlirValue some = build_binary(&at, OP_ANDI, its_turn, there);
    spread_loads(l, carried + FIRST, loaded);
    build_step(l, &at, carried[0], some, loaded, slot_of(l, loop));
    MlirValue more = VALUE(&at, OP_EXTUI, OPERANDS(some), RESULTS(type_i32(l->ir)), NO_ATTRS);
    carried[0] = build_binary(&at, OP_ADDI, carried[0], more);
    carried[1] = build_select(&at, its_turn, others, build_binary(&at, OP_SUBI, carried[1], one));
    MlirValue next = build_compare(&at, INT_EQ, carried[1], zero);
    there = build_compare(&at, INT_SLT, carried[0], l->left);
    build_loads(l, &at, carried[0], build_binary(&at, OP_ANDI, next, there), carried + FIRST, loaded);
    build_yield_more(l->ir, l->context->arena, body, (struct operands){count, carried});
    return mlirOperationGetResult(loop, known);
}

// Makes the branch around the loop, if there is one, give the number of finished pieces.
static MlirValue leave_branch(struct late *l, MlirValue done) {
    if (mlirOperationEqual(l->loop, l->products)) {
        return done;
    }
    struct builder skipped = builder_before(l->ir, mlirBlockGetTerminator(op_body(l->products, 1)));
    build_yield_more(l->ir, l->context->arena, op_body(l->products, 0), OPERANDS(done));
    build_yield_more(l->ir, l->context->arena, op_body(l->products, 1), OPERANDS(const_i32(&skipped, 0)));
    intptr_t number = mlirOperationGetNumResults(l->products);
    follow_products(l, build_more(l->ir, l->context->arena, l->products, OPERANDS(done)));
    return mlirOperationGetResult(l->products, number);
}

// ---- the tile's end ----

// The pieces from `first` on, several at once: no products hide their loads. If `all`, there are so many; else they are looked at one
// by one.
static void build_together(struct late *l, struct builder *b, MlirValue first, unsigned together, bool all) {
    MlirValue numbers[TOGETHER_LAST], *loads[TOGETHER_LAST], some[TOGETHER_LAST];
    for (unsigned i = 0; i < together; i++) {
        MlirValue more = const_i32(b, i);
        numbers[i] = build_binary(b, OP_ADDI, first, more);
        some[i] = all ? (MlirValue){NULL} : build_compare(b, INT_SLT, numbers[i], l->left);
        loads[i] = late_loads(l, b, numbers[i], some[i], false, NULL);
    }
    for (unsigned i = 0; i < together; i++) {
        if (!all) {
            build_step(l, b, numbers[i], some[i], loads[i], (MlirValue){NULL});
            continue;
        }
        late_piece(l, b, numbers[i], loads[i], (MlirValue){NULL});
    }
}

// Builds the pieces left over by the first steps: the tile before had more pieces than this one steps.
static void build_rest(struct late *l, MlirValue done) {
    struct builder b = builder_after(l->ir, l->products);
    MlirBlock body;
    build_for(&b, done, l->left, const_i32(&b, TOGETHER_REST), NO_OPERANDS, &body);
    struct builder in = builder_at_end(l->ir, body, b.location);
    build_together(l, &in, mlirBlockGetArgument(body, 0), TOGETHER_REST, false);
    build_yield(&in, NO_OPERANDS);
}

// ---- behind the last tile ----

static void read_last(struct late *l) {
    intptr_t at = mlirOperationGetNumResults(l->tiles) - l->carried_count;
    l->left = mlirOperationGetResult(l->tiles, at++);
    for (size_t i = 0; i < l->epilogue.scalar_count; i++) {
        l->before[i] = l->carried[i] ? mlirOperationGetResult(l->tiles, at++) : l->before[i];
    }
}

static void build_last(struct late *l) {
    MlirBlock body;
    struct builder b = builder_after(l->ir, l->tiles);
    unsigned together = l->piece.count < TOGETHER_LAST ? l->piece.count : TOGETHER_LAST;
    read_last(l);
    MlirValue first = const_i32(&b, 0), step = const_i32(&b, together);
    build_for(&b, first, l->left, step, NO_OPERANDS, &body);
    struct builder in = builder_at_end(l->ir, body, b.location);
    build_together(l, &in, mlirBlockGetArgument(body, 0), together, true);
    build_yield(&in, NO_OPERANDS);
}

// ---- the loop over tiles ----

// The carried values of the first tile, found and not read.
static MlirValue nothing_before(struct late *l, struct builder *b, MlirValue scalar) {
    MlirType type = mlirValueGetType(scalar);
    if (type_is_ptr(type)) {
        MlirValue base = pointer_argument(l->ir, scalar);
        return mlirTypeEqual(mlirValueGetType(base), type)
                   ? base
                   : VALUE(b, OP_PTR_CAST, OPERANDS(base), RESULTS(type), NO_ATTRS);
    }
    return mlirTypeIsAFloat(type) ? const_float(b, type, 0) : const_int(b, type, 0);
}

static void carry(struct late *l) {
    MlirValue inits[EPILOGUE_MAX_SCALARS + CARRIED_PIECES];
    struct builder b = builder_before(l->ir, l->tiles);
    intptr_t known = mlirOperationGetNumResults(l->tiles);
    inits[0] = const_i32(&b, 0);
    l->carried_count = CARRIED_PIECES;
    for (size_t i = 0; i < l->epilogue.scalar_count; i++) {
        l->carried[i] = changes(l, l->epilogue.scalars[i]);
        l->before[i] = l->epilogue.scalars[i];
        if (l->carried[i]) {
            inits[l->carried_count++] = nothing_before(l, &b, l->epilogue.scalars[i]);
        }
    }
    l->tiles = build_more(l->ir, l->context->arena, l->tiles, (struct operands){l->carried_count, inits});
    MlirBlock body = op_body(l->tiles, 0);
    l->left = mlirBlockGetArgument(body, ++known);
    for (size_t i = 0; i < l->epilogue.scalar_count; i++) {
        l->before[i] = l->carried[i] ? mlirBlockGetArgument(body, ++known) : l->before[i];
    }
}

static void hand_on(struct late *l) {
    MlirValue values[EPILOGUE_MAX_SCALARS + CARRIED_PIECES];
    MlirBlock body = op_body(l->tiles, 0);
    struct builder b = builder_before(l->ir, mlirBlockGetTerminator(body));
    intptr_t count = CARRIED_PIECES;
    values[0] = const_i32(&b, l->piece.count);
    for (size_t i = 0; i < l->epilogue.scalar_count; i++) {
        if (l->carried[i]) {
            values[count++] = l->epilogue.scalars[i];
        }
    }
    build_yield_more(l->ir, l->context->arena, body, (struct operands){count, values});
}

// Finds the buffer for the pieces of each load done by the producer.
static void find_rings(struct late *l, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        for (size_t i = 0; i < l->load_count; i++) {
            if (op_kind(l->ir, op) == OP_SMEM_ALLOC && op_has(op, ATTR_PIECE) &&
                op_has(l->loads[i], ATTR_PIECE) &&
                op_int(op, ATTR_PIECE) == op_int(l->loads[i], ATTR_PIECE)) {
                l->rings[i] = mlirOperationGetResult(op, 0);
            }
        }
    }
}

static void allocate(struct late *l) {
    MlirOperation roles = l->tiles;
    while (op_kind(l->ir, roles) != OP_SPECIALISE) {
        roles = mlirOperationGetParentOperation(roles);
    }
    struct builder b = builder_before(l->ir, roles);
    int64_t bytes = l->epilogue.bytes;
    struct layout plain = layout_row_major_shared(1, &bytes);
    MlirType type = tensor_type(1, &bytes, type_i8(l->ir), layout_attribute(l->ir, &plain));
    for (size_t i = 0; i < l->epilogue.parked_count; i++) {
        l->buffers[i] =
            VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    }
    find_rings(l, mlirOperationGetBlock(roles));
}

static void rewrite(struct late *l) {
    for (size_t i = 0; i < l->epilogue.parked_count; i++) {
        l->sums_number[i] = mlirOpResultGetResultNumber(l->epilogue.sums[i]);
    }
    late_find_loads(l);
    late_factors(l);
    allocate(l);
    carry(l);
    MlirValue done = leave_branch(l, pieces_in_steps(l));
    build_rest(l, done);
    struct builder b = builder_before(l->ir, l->store);
    build_park(l, &b);
    hand_on(l);
    build_last(l);
    map_free(&l->widths);
    mlirOperationDestroy(l->store);
}

void pass_late_epilogues(struct pass_context *context, MlirModule module) {
    size_t count, marked = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_STORE && op_has(ops[i], ATTR_BESIDE)) {
            ops[marked++] = ops[i];
        }
    }
    for (size_t i = 0; i < marked; i++) {
        struct late l = {.context = context, .ir = context->ir, .store = ops[i]};
        if (find(&l)) {
            rewrite(&l);
        } else {
            op_remove_attribute(l.store, ATTR_BESIDE);
            reason_keep(context, l.store, ATTR_EPILOGUE);
        }
    }
}
