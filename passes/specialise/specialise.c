// specialise: a matrix product whose operands are boxes of tensors is divided between warps: one warp copies, the
// others multiply, and each block goes on to the next tile by itself.
//
//   %a = tk.load …                               %full, %empty = tk.mbarrier_alloc
//   scf.for %k … {                               tk.specialise ({                        one thread
//     %x = tk.load %p                              scf.for %tile … { scf.for %k … {
//     %y = tk.load %q                                tk.mbarrier_wait %empty[slot]
//     %d = tk.dot %x, %y, %c               →         tk.mbarrier_expect %full[slot], bytes
//   }                                                tk.bulk_load %slot_a, %map_a …
//   tk.store %r, %d                                }}
//                                                }, {                                    the source's warps
//                                                  scf.for %tile … {
//                                                    scf.for %k … {
//                                                      tk.mbarrier_wait %full[slot]
//                                                      %d = tk.dot %slot_a, %slot_b, %c
//                                                      tk.mbarrier_arrive %empty[slot before]
//                                                    }
//                                                    tk.bulk_store %map_r, %d
//                                                }})
//
// Why: a tensor copy is one instruction of one thread, where cp.async takes an instruction and an address for each
// 16 bytes of every thread; a producer that only waits for free slots runs ahead through the end of one tile into
// the next, so that loads go on while results are stored.
//
// What must hold, else pipelining does the loops as ever: warpgroup instructions; dots in loops of the function's body
// that bring the same to slots; every operand that comes from memory is a box of a strided tensor (tile_access.c); what
// the producer needs, bounds of the loop and corners of boxes, is computed from arguments and program ids alone; nothing
// that the program does before could be what makes the operands visible (run_ahead.c).
//
// An operand from outside the loops is brought once a tile, before its first slot (specialise_kept.c). Vectors that the loop
// loads beside its operands come with them, where they only meet rows or columns of a tile.
//
// Where the second of two dots takes what is computed from the first one's result (attention), the first starts an
// iteration early, so that the matrix units work while exponentials are computed (FlashAttention-3, arXiv 2407.08608);
// specialise_chain.c has the schedule.
// Of more dots (attention's gradients) those that add to sums are done an iteration late, where registers and slots are
// left for it (specialise_late.c); two warpgroups are kept half an iteration apart (specialise_turns.c).
//
// A multiprocessor holds one block, or a few of small tiles (specialise_room.c).
//
// Tensor maps and the grid that the program asked for become hidden arguments of the kernel (reflect.c). Program ids
// are then counted by the loop over tiles, x fastest, as the hardware deals them; where programs differ in how often
// their loops run (causal masks), a few turns of them at a time, from long to short (specialise_deal.c).
//
// requires: layouts; loads and stores as tk.load and tk.store
// provides: slots filled by bulk copies, ordered by mbarriers; hidden arguments
// test:     tests/golden/passes/specialise
#include "passes/specialise/specialise.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/run_ahead.h"
#include "passes/pipeline/warpgroup.h"

// ---- deciding ----

static bool in_block(MlirOperation op, MlirBlock block) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

// The loops of the function's body that hold all of its dots, these directly. False when a dot is elsewhere.
static bool find_loops(struct specialise *s) {
    struct pass_context *context = s->context;
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) != OP_DOT) {
            continue;
        }
        MlirOperation around = mlirOperationGetParentOperation(ops[i]);
        bool known = s->loop_count > 0 && mlirOperationEqual(s->loops[s->loop_count - 1].loop, around);
        if (!dot_is_warpgroup(ops[i])) {
            return decline(context, ops[i], REASON_NO_WARPGROUP);
        }
        if (op_kind(s->ir, around) != OP_FOR || !in_block(around, s->body)) {
            return decline(context, ops[i], REASON_DOT_PLACE);
        }
        if (!known && s->loop_count == SPECIALISE_MAX_LOOPS) {
            return decline(context, around, REASON_MANY_LOOPS);
        }
        if (!known) {
            s->loops[s->loop_count++].loop = around;
        }
        s->loops[s->loop_count - 1].dot = ops[i];
    }
    return s->loop_count > 0;
}

// What a dot's operand is brought from: a load of the block that nothing but dots of warpgroups read, as they want it.
static bool operand_load(struct specialise *s, MlirBlock block, MlirValue operand, MlirOperation *load,
                         MlirType *shared) {
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(s->ir, op) == OP_SMEM_TRANS) {
        op = value_op(smem_trans_slot(op));
    }
    if (mlirOperationIsNull(op) || op_kind(s->ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    *shared = mlirValueGetType(mlirOperationGetResult(op, 0));
    *load = value_op(unary_source(op));
    if (!type_is_shared(s->ir, *shared) || !in_block(*load, block) || op_kind(s->ir, *load) != OP_LOAD) {
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(*load, 0));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_kind(s->ir, user) != OP_CONVERT_LAYOUT ||
            !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(user, 0)), *shared)) {
            return false;
        }
    }
    return true;
}

// What a scalar is computed from, looked at once each.
struct scalar {
    struct map seen;
    unsigned axes; // of program ids that are read: it differs from program to program along them
};

static bool producible(struct specialise *s, MlirOperation loop, MlirValue value, struct scalar *scalar) {
    if (mlirValueIsABlockArgument(value)) {
        MlirBlock owner = mlirBlockArgumentGetOwner(value);
        return mlirBlockEqual(owner, s->body) ||
               (mlirBlockEqual(owner, op_body(loop, 0)) && mlirBlockArgumentGetArgNumber(value) == 0);
    }
    if (map_has(&scalar->seen, value.ptr)) {
        return true;
    }
    map_put(&scalar->seen, value.ptr, (void *)value.ptr);
    MlirOperation op = mlirOpResultGetOwner(value);
    if (type_is_tensor(mlirValueGetType(value)) || !(op_traits(op_kind(s->ir, op)) & PURE) ||
        mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    if (op_kind(s->ir, op) == OP_PROGRAM_ID) {
        scalar->axes |= 1u << op_int(op, ATTR_AXIS);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!producible(s, loop, mlirOperationGetOperand(op, i), scalar)) {
            return false;
        }
    }
    return true;
}

// Whether a scalar can be computed by the producer: from arguments, program ids and the loop's own counter.
static bool is_producible(struct specialise *s, MlirOperation loop, MlirValue value, unsigned *axes) {
    struct scalar scalar = {0};
    bool is = producible(s, loop, value, &scalar);
    *axes |= scalar.axes;
    map_free(&scalar.seen);
    return is;
}

static bool is_producible_index(struct specialise *s, MlirOperation loop, const struct tile_index *index) {
    unsigned any = 0;
    for (int t = 0; t < index->term_count; t++) {
        for (int i = 0; i < index->terms[t].symbol_count; i++) {
            const struct affine_symbol *symbol = &index->terms[t].symbols[i];
            bool counts = mlirValueIsNull(symbol->value);
            if (counts ? !mlirOperationEqual(symbol->loop, loop)
                       : !is_producible(s, loop, symbol->value, &any)) {
                return false;
            }
        }
    }
    return true;
}

// A box that a tensor map of `inner` elements a row moves in pieces of at most 256 rows, one behind the other.
static bool is_box(struct specialise *s, const struct copy *copy) {
    const struct tile_access *tile = &copy->tile;
    if (tile->guard_count > 0) {
        return decline(s->context, tile->op, REASON_GUARD);
    }
    if (!tile_access_fits_tma(&s->affines, tile)) {
        return false;
    }
    bool fits = tile->rank >= 2 && tile->dim[0].tile_dimension == copy->fastest &&
                tile->dim[1].tile_dimension == 1 - copy->fastest && tile->dim[1].extent <= 256;
    for (unsigned d = 2; fits && d < tile->rank; d++) {
        fits = tile->dim[d].tile_dimension < 0;
    }
    return fits || decline(s->context, tile->op, REASON_BOX);
}

// The load as a copy to a slot of that type, on behalf of dots in the loop.
static bool boxed_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                       struct copy *copy) {
    struct wgmma_operand operand;
    unsigned bytes = type_bits(type_element(shared)) / 8;
    *copy = (struct copy){.access = load, .type = shared};
    if (!tile_access_of(&s->affines, load, &copy->tile)) {
        return false;
    }
    if (!wgmma_operand_of(type_layout(s->ir, shared), bytes, &operand)) {
        return decline(s->context, load, REASON_DESCRIPTOR);
    }
    copy->fastest = operand.rows_fastest ? 0 : 1;
    copy->swizzle = operand.swizzle;
    copy->inner = operand.swizzle / bytes;
    copy->bytes = (unsigned)type_elements(shared) * bytes;
    if (!is_box(s, copy)) {
        return false;
    }
    for (unsigned d = 0; d < copy->tile.rank; d++) {
        const struct tile_dim *dim = &copy->tile.dim[d];
        if (!is_producible_index(s, loop, &dim->first)) {
            return decline(s->context, load, REASON_CORNER);
        }
        if (dim->wrapped && !rows_beyond_are_dead(&s->affines, load, dim)) {
            return false;
        }
    }
    return true;
}

static bool add_load(struct specialise *s, struct stage_loop *stage, MlirOperation load, MlirType shared) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, load)) {
            return true;
        }
    }
    if (stage->load_count == SPECIALISE_MAX_LOADS) {
        return decline(s->context, load, REASON_MANY_LOADS);
    }
    return boxed_copy(s, stage->loop, load, shared, &stage->loads[stage->load_count++]);
}

// An operand from outside the loops stays the same for a tile. The producer brings it too, if it can: while the consumers
// store the results of the tile before.
static void add_kept(struct specialise *s, const struct stage_loop *stage, MlirValue operand) {
    MlirOperation load;
    MlirType shared;
    struct copy copy;
    if (!operand_load(s, s->body, operand, &load, &shared)) {
        return;
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        if (mlirOperationEqual(s->kept[i].access, load)) {
            return;
        }
    }
    if (s->kept_count < SPECIALISE_MAX_KEPT) {
        if (boxed_copy(s, stage->loop, load, shared, &copy)) {
            s->kept[s->kept_count++] = copy;
        } else {
            reason_keep(s->context, load, ATTR_TENSOR_COPY);
        }
    }
}

// Where a tile of rank 1 goes that only rows or columns of another tile are made of: expand_dims, and the conversion to the
// other's layout, if there is one.
static bool is_spread(struct specialise *s, MlirOperation load) {
    MlirValue tile = mlirOperationGetResult(load, 0);
    MlirOperation expand = value_has_one_use(tile) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(tile)) : load;
    if (op_kind(s->ir, expand) != OP_EXPAND_DIMS || !value_has_uses(mlirOperationGetResult(expand, 0))) {
        return false;
    }
    MlirValue spread = mlirOperationGetResult(expand, 0);
    MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(spread));
    return op_kind(s->ir, user) != OP_CONVERT_LAYOUT ||
           (value_has_one_use(spread) &&
            !type_is_shared(s->ir, mlirValueGetType(mlirOperationGetResult(user, 0))));
}

static bool loads_vector(struct specialise *s, MlirOperation op) {
    MlirType tile =
        op_kind(s->ir, op) == OP_LOAD ? mlirValueGetType(mlirOperationGetResult(op, 0)) : (MlirType){NULL};
    return !mlirTypeIsNull(tile) && type_is_tensor(tile) && type_rank(tile) == 1;
}

// The load of a vector as a copy, on behalf of the loop.
static bool vector_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy) {
    enum { SLOT_ALIGNMENT = 128, MAX_BOX = 256 };
    *copy = (struct copy){.access = load};
    MlirType tile = mlirValueGetType(mlirOperationGetResult(load, 0));
    if (!is_spread(s, load)) {
        return decline(s->context, load, REASON_SPREAD);
    }
    if (!tile_access_of(&s->affines, load, &copy->tile)) {
        return false;
    }
    unsigned bits = type_bits(type_element(tile));
    int64_t extent = type_extent(tile, 0);
    copy->inner = (unsigned)extent;
    copy->bytes = copy->inner * bits / 8;
    bool fits = bits >= 16 && copy->bytes % SLOT_ALIGNMENT == 0 && extent <= MAX_BOX &&
                copy->tile.guard_count == 0 && tile_access_fits_tma(&s->affines, &copy->tile);
    for (unsigned d = 0; d < copy->tile.rank && fits; d++) {
        const struct tile_dim *dim = &copy->tile.dim[d];
        fits = dim->tile_dimension == (d == 0 ? 0 : -1) && !dim->wrapped &&
               is_producible_index(s, loop, &dim->first);
    }
    struct layout plain = layout_row_major_shared(1, &extent);
    copy->type = tensor_type(1, &extent, type_element(tile), layout_attribute(s->ir, &plain));
    return fits || decline(s->context, load, REASON_VECTOR);
}

// Vectors that are loaded beside the operands, by the loop or for a tile: statistics of the rows and columns that scores
// are made of. Brought with the operands they are read from shared memory where they are used, and nobody waits for memory.
static void add_vectors(struct specialise *s, MlirOperation loop, MlirBlock block, struct copy *copies,
                        size_t *count, size_t limit) {
    MlirOperation last = mlirBlockGetTerminator(block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         *count > 0 && *count < limit && !mlirOperationEqual(op, last) && !mlirOperationEqual(op, loop);
         op = mlirOperationGetNextInBlock(op)) {
        if (!loads_vector(s, op)) {
            continue;
        }
        if (vector_copy(s, loop, op, &copies[*count])) {
            ++*count;
        } else {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
}

static bool is_store_of(const struct specialise *s, MlirOperation op) {
    for (size_t i = 0; i < s->store_count; i++) {
        if (mlirOperationEqual(s->stores[i].access, op)) {
            return true;
        }
    }
    return false;
}

// Bulk stores take another way to memory than the program's other accesses, in their own time: they may stand for stores
// that are all that the function writes, with nothing behind them that reads or that lets others see.
static bool stores_end_program(struct specialise *s) {
    size_t count;
    bool behind = false;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        unsigned traits = op_traits(kind);
        if (is_store_of(s, ops[i])) {
            behind = true;
        } else if (kind != OP_ASSUME && kind != OP_ASSERT &&
                   ((traits & WRITE) || (behind && (traits & (READ | SYNC))))) {
            return decline(s->context, ops[i], REASON_LAST_ACCESS);
        }
    }
    return true;
}

// Kernels that count on registers or on barriers of all warps by themselves stay as they are, and those that tell which
// block or thread they are.
static bool allows_other_warps(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        bool effects = op_kind(s->ir, ops[i]) == OP_INLINE_ASM && !op_has(ops[i], ATTR_PURE);
        if (effects || op_names_block(s->ir, ops[i])) {
            return decline(s->context, ops[i], REASON_ALL_WARPS);
        }
    }
    return op_int(s->function, ATTR_MAXNREG) == 0 ||
           decline(s->context, (MlirOperation){NULL}, REASON_MAXNREG);
}

static size_t map_count(const struct specialise *s) {
    size_t count = s->kept_count + s->store_count;
    for (size_t n = 0; n < s->loop_count; n++) {
        count += s->loops[n].load_count;
    }
    return count;
}

// A store of a dot's result that each warpgroup can hand over by itself.
static bool store_copy(struct specialise *s, MlirOperation store, struct copy *copy) {
    MlirValue value = store_value(store);
    MlirOperation convert = value_op(value);
    bool converted = !mlirOperationIsNull(convert) && op_kind(s->ir, convert) == OP_CONVERT_LAYOUT;
    value = converted ? unary_source(convert) : value;
    MlirType type = mlirValueGetType(value);
    *copy = (struct copy){.access = store, .type = type, .value = value, .fastest = 1, .swizzle = 128};
    unsigned bits = type_bits(type_element(type));
    if (!type_is_tensor(type) || type_rank(type) != 2 || (bits != 16 && bits != 32) ||
        !wgmma_is_result(type_layout(s->ir, type))) {
        return decline(s->context, store, REASON_RESULT);
    }
    struct bulk_store_plan plan = bulk_store_plan(type_layout(s->ir, type), bits / 8);
    copy->inner = plan.columns;
    copy->bytes = plan.bytes;
    if (plan.columns == 0) {
        return decline(s->context, store, REASON_RESULT);
    }
    return tile_access_of(&s->affines, store, &copy->tile) && is_box(s, copy) &&
           tile_store_fits_tma(&s->affines, &copy->tile);
}

static void find_stores(struct specialise *s) {
    for (MlirOperation op = s->loops[s->loop_count - 1].loop; !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_STORE || s->store_count == SPECIALISE_MAX_STORES ||
            map_count(s) == SPECIALISE_MAX_MAPS) {
            continue;
        }
        if (store_copy(s, op, &s->stores[s->store_count])) {
            s->store_count++;
        } else {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
    if (!stores_end_program(s)) {
        struct declined declined = s->context->declined;
        for (size_t i = 0; i < s->store_count; i++) {
            s->context->declined = declined;
            reason_keep(s->context, s->stores[i].access, ATTR_TENSOR_COPY);
        }
        s->store_count = 0;
    }
}

// The first of two dots, the second of which takes what is computed from its result (attention): it can start before
// the other if nothing but a slot changes from one iteration to the next.
static bool is_chained(struct specialise *s, const struct stage_loop *stage, MlirOperation first,
                       size_t dots) {
    MlirOperation sum = value_op(dot_c(first));
    MlirOperation left = value_op(dot_a(first));
    return dots == 2 && !mlirOperationIsNull(sum) && op_kind(s->ir, sum) == OP_CONSTANT &&
           !mlirOperationIsNull(left) && in_block(left, s->body) && stage->load_count == 2 &&
           type_is_shared(s->ir, mlirValueGetType(dot_a(first))) &&
           !type_is_shared(s->ir, mlirValueGetType(dot_a(stage->dot)));
}

// Whether exponentials take more of the time than products do: of each of the first product's elements its own depth and the
// other one's columns.
static bool are_few_products(MlirOperation first, MlirOperation other) {
    enum { FEW_PRODUCTS = 128 };
    MlirType left = mlirValueGetType(dot_a(first));
    MlirType sum = mlirValueGetType(mlirOperationGetResult(other, 0));
    return type_extent(left, 1) + type_extent(sum, 1) <= FEW_PRODUCTS;
}

// When a chain's dots are done. Measured on an H200, fp16:
//   * the first starts an iteration early where registers hold its result twice, beside the other's operand and sum;
//   * the other is done an iteration late, beside the next exponentials, where products are few (heads of 64 gain 5 %, heads
//     of 128 lose 8 %).
static void schedule_chain(const struct specialise *s, struct stage_loop *stage) {
    MlirType first = mlirValueGetType(mlirOperationGetResult(stage->chained, 0));
    MlirType weights = mlirValueGetType(dot_a(stage->dot));
    MlirType sum = mlirValueGetType(mlirOperationGetResult(stage->dot, 0));
    unsigned need =
        2 * specialise_registers(s, first) + specialise_registers(s, weights) + specialise_registers(s, sum);
    stage->early = need + registers_reserved(RESERVE_CHAINED_DOTS) <=
                   registers_specialised(s->context->target, s->num_warps, false, 1).consumer;
    stage->delayed = are_few_products(stage->chained, stage->dot);
}

// The dots of more than two (attention's gradients) that are done an iteration late, where registers hold all results and
// what the late dots read.
static void find_late(struct specialise *s, struct stage_loop *stage, MlirOperation first, size_t dots) {
    unsigned registers = registers_reserved(RESERVE_LATE_DOTS);
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_DOT) {
            continue;
        }
        registers += specialise_registers(s, mlirValueGetType(mlirOperationGetResult(op, 0)));
        if (stage->late_count < SPECIALISE_MAX_LATE && dot_may_be_late(s, stage, op)) {
            registers += specialise_registers(s, mlirValueGetType(dot_a(op)));
            stage->late[stage->late_count++] = op;
        }
    }
    if (dots <= 2 || stage->late_count == dots || registers > REGISTERS_MOST_CONSUMER) {
        stage->late_count = 0;
    }
    stage->few_products = stage->late_count > 0 && are_few_products(first, stage->late[0]);
}

static unsigned consumers_of(const struct specialise *s) {
    return s->num_warps / WGMMA_WARPS;
}

// What the loops bring: whether all bring the same to the same slots.
static bool slots_agree(const struct specialise *s) {
    for (size_t n = 0; n < s->loop_count; n++) {
        const struct stage_loop *stage = &s->loops[n], *first = &s->loops[0];
        for (size_t i = 0; i < stage->load_count; i++) {
            if (i >= first->load_count || !mlirTypeEqual(stage->loads[i].type, first->loads[i].type) ||
                stage->loads[i].group != first->loads[i].group) {
                return decline(s->context, stage->loop, REASON_SLOTS_DIFFER);
            }
        }
        if (stage->load_count != first->load_count) {
            return decline(s->context, stage->loop, REASON_SLOTS_DIFFER);
        }
    }
    return s->loops[0].load_count > 0 || decline(s->context, s->loops[0].loop, REASON_NO_LOADS);
}

static bool decide_loop(struct specialise *s, struct stage_loop *stage) {
    if (!loads_may_run_ahead(s->context, s->function, stage->loop)) {
        return false;
    }
    for (intptr_t i = 0; i < 3; i++) {
        MlirValue bound = mlirOperationGetOperand(stage->loop, i);
        if (!is_producible(s, stage->loop, bound, &s->uneven)) {
            return decline(s->context, stage->loop, REASON_BOUNDS);
        }
    }
    size_t dots = 0;
    MlirOperation first = {NULL};
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_DOT) {
            continue;
        }
        first = dots++ == 0 ? op : first;
        for (intptr_t i = 0; i < 2; i++) {
            MlirOperation load;
            MlirType shared;
            MlirValue operand = mlirOperationGetOperand(op, i);
            MlirOperation maker = value_op(operand);
            bool in_threads = i == 0 && !type_is_shared(s->ir, mlirValueGetType(operand));
            bool outside = !mlirOperationIsNull(maker) && in_block(maker, s->body);
            if (!in_threads && outside) {
                add_kept(s, stage, operand);
            }
            if (in_threads || outside) {
                continue;
            }
            if (!operand_load(s, op_body(stage->loop, 0), operand, &load, &shared)) {
                return decline(s->context, op, REASON_OPERAND);
            }
            if (!add_load(s, stage, load, shared)) {
                return false;
            }
        }
    }
    MlirOperation loads[SPECIALISE_MAX_LOADS];
    for (size_t i = 0; i < stage->load_count; i++) {
        loads[i] = stage->loads[i].access;
    }
    s->dots = dots > s->dots ? dots : s->dots;
    stage->in_flight = dot_stays_in_flight(s->context, stage->loop, loads, stage->load_count);
    stage->chained = is_chained(s, stage, first, dots) ? first : (MlirOperation){NULL};
    if (!mlirOperationIsNull(stage->chained)) {
        schedule_chain(s, stage);
        stage->loads[1].group = 1; // operands are found dot by dot
    }
    if (mlirOperationIsNull(stage->chained)) {
        find_late(s, stage, first, dots);
        add_vectors(s, stage->loop, op_body(stage->loop, 0), stage->loads, &stage->load_count,
                    SPECIALISE_MAX_LOADS);
    }
    return stage->load_count > 0 || decline(s->context, stage->loop, REASON_NO_LOADS);
}

static bool decide(struct specialise *s) {
    s->num_warps = (unsigned)op_int(s->function, ATTR_NUM_WARPS);
    if (s->num_warps % WGMMA_WARPS != 0 || consumers_of(s) > SPECIALISE_MAX_CONSUMERS) {
        return decline(s->context, (MlirOperation){NULL}, REASON_WARPS);
    }
    if (!allows_other_warps(s) || !find_loops(s)) {
        return false;
    }
    int wanted = (int)op_int(s->function, ATTR_NUM_STAGES);
    for (size_t i = 0; i < s->loop_count; i++) {
        if (!decide_loop(s, &s->loops[i])) {
            return false;
        }
    }
    if (wanted < 2) {
        return decline(s->context, (MlirOperation){NULL}, REASON_ONE_STAGE);
    }
    if (!slots_agree(s)) {
        return false;
    }
    add_vectors(s, s->loops[0].loop, s->body, s->kept, &s->kept_count, SPECIALISE_MAX_KEPT);
    if (map_count(s) > SPECIALISE_MAX_MAPS) {
        return decline(s->context, (MlirOperation){NULL}, REASON_MANY_MAPS);
    }
    wanted = (int)op_int_or(s->loops[0].loop, ATTR_NUM_STAGES, wanted);
    find_stores(s);
    s->slots = slots_that_fit(s, wanted);
    // Late dots hold the slot before, beside this iteration's: a third one is for the producer.
    for (size_t i = 0; i < s->loop_count && s->slots < 3; i++) {
        s->loops[i].late_count = 0;
    }
    s->turns = turns_pay(s);
    return s->slots >= 2 || decline(s->context, (MlirOperation){NULL}, REASON_SLOT_ROOM);
}

// Of each loop that has dots: what became of it.
static void keep_reasons(struct specialise *s) {
    size_t count;
    struct declined declined = s->context->declined;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation around = mlirOperationGetParentOperation(ops[i]);
        if (op_kind(s->ir, ops[i]) == OP_DOT && op_kind(s->ir, around) == OP_FOR &&
            !op_has(around, ATTR_SPECIALISE)) {
            s->context->declined = declined;
            reason_keep(s->context, around, ATTR_SPECIALISE);
        }
    }
    s->context->declined = (struct declined){0};
}

static void specialise_function(struct pass_context *context, MlirOperation function) {
    struct specialise s = {.context = context,
                           .ir = context->ir,
                           .arena = context->arena,
                           .function = function,
                           .body = op_body(function, 0)};
    affines_open(&s.affines, context, function);
    bool specialised = decide(&s);
    affines_close(&s.affines);
    if (specialised) {
        specialise_rewrite(&s);
    } else {
        keep_reasons(&s);
    }
}

void pass_specialise(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE_WGMMA) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        specialise_function(context, op);
    }
}
