// specialise: splits a matrix product on boxes of tensors between warps: a producer warp copies, the consumer
// warps multiply, and each block goes on to its next tile by itself.
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
// Reason: a tensor copy is one instruction of one thread; cp.async takes an instruction and an address for
// each 16 bytes of every thread. The producer waits only for free slots, so it runs ahead from the end of one
// tile into the next, and loads go on while results are stored.
//
// An operand from outside the loops is copied once a tile, before the tile's first slot (specialise_kept.c).
// Vectors loaded by the loop are copied with its operands, if their only use is to be spread over rows or
// columns of a tile; so are tiles for the threads' arithmetic, dequantised weights among them. Threads read them
// from the slots.
//
// Dots of single warps (mma.sync) read their operands from registers: for them both operands are tiles that threads read. Where threads have
// enough registers beside it the producer is one warp, which costs as many registers as another consumer; else a warpgroup that gives its own
// away.
//
// In a loop of two dots, the second with an operand computed from the first one's result (attention), the
// first starts an iteration early: then the matrix units work during the exponentials (FlashAttention-3,
// arXiv 2407.08608); specialise_chain.c has the schedule. In loops of more dots (attention's gradients),
// those added to sums are issued an iteration late, if registers and slots allow (specialise_late.c); two
// warpgroups stay half an iteration apart (specialise_turns.c).
//
// A multiprocessor holds one block, or a few if tiles are small (specialise_room.c).
//
// Tensor maps and the program's own grid become hidden arguments of the kernel (reflect.c). The loop over
// tiles counts the program ids, x fastest, like the hardware. If trip counts differ between programs (causal
// masks), it deals them a few turns at a time, from long to short (specialise_deal.c).
//
// requires: layouts, roles
// provides: no roles; slots filled by bulk copies, ordered by mbarriers; hidden arguments
// test:     tests/golden/passes/specialise
#include "passes/specialise/specialise.h"

#include "chip/target.h"
#include "ir/build.h"
#include "passes/pipeline/warpgroup.h"
#include "passes/specialise/shared_keys.h"

// True if `first` is the first of two dots, the second one reads a value computed from its result
// (attention), and from one iteration to the next only its slot changes: then it can start before the second
// dot of the iteration before.
bool specialise_is_chained(const struct specialise *s, const struct stage_loop *stage, MlirOperation first,
                           size_t dots) {
    MlirOperation sum = value_op(dot_c(first));
    MlirOperation left = value_op(dot_a(first));
    return dots == 2 && !mlirOperationIsNull(sum) && op_kind(s->ir, sum) == OP_CONSTANT &&
           !mlirOperationIsNull(left) && stands_around(s, left) && stage->load_count == 2 &&
           type_is_shared(s->ir, mlirValueGetType(dot_a(first))) &&
           !type_is_shared(s->ir, mlirValueGetType(dot_a(stage->dot)));
}

// True if exponentials take more time than products. Each element of the first product costs one exponential;
// its multiply-adds are the first dot's depth plus the other dot's columns.
bool are_few_products(MlirOperation first, MlirOperation other) {
    enum { FEW_PRODUCTS = 128 };
    MlirType left = mlirValueGetType(dot_a(first));
    MlirType sum = mlirValueGetType(mlirOperationGetResult(other, 0));
    return type_extent(left, 1) + type_extent(sum, 1) <= FEW_PRODUCTS;
}

struct specialise specialise_open(struct pass_context *context, MlirOperation function) {
    return (struct specialise){.context = context,
                               .ir = context->ir,
                               .arena = context->arena,
                               .function = function,
                               .body = op_body(function, 0),
                               .slices = 1};
}

void specialise_close(struct specialise *s) {
    map_free(&s->spine);
    map_free(&s->needed);
    map_free(&s->tiles);
    map_free(&s->deciding);
}

// ---- the roles, read from the IR ----

static bool is_known(const struct copy *copies, size_t count, MlirOperation access) {
    for (size_t i = 0; i < count; i++) {
        if (mlirOperationEqual(copies[i].access, access)) {
            return true;
        }
    }
    return false;
}

// Reads a copied dot operand: into the loop's slots, or into the operands kept for a tile.
static void read_operand(struct specialise *s, struct stage_loop *stage, MlirValue operand) {
    MlirBlock blocks[] = {op_body(stage->loop, 0), s->home};
    struct copy *copies[] = {stage->loads, s->kept};
    size_t *counts[] = {&stage->load_count, &s->kept_count};
    const size_t limits[] = {SPECIALISE_MAX_LOADS, SPECIALISE_MAX_KEPT};
    for (int i = 0; i < 2; i++) {
        MlirOperation load;
        MlirType shared;
        if (operand_load(s, blocks[i], operand, &load, &shared) && op_op_role(load) == ROLE_COPY &&
            *counts[i] < limits[i] && !is_known(copies[i], *counts[i], load)) {
            operand_copy(s, stage->loop, load, shared, &copies[i][(*counts[i])++]);
        }
    }
}

// Where boxes of the loads may lie outside. `block`: of their copies.
static void find_outside(struct specialise *s, struct copy *copies, size_t count, MlirBlock block) {
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = 0; d < copies[i].tile.rank && !copies[i].gathered; d++) {
            const struct tile_access *tile = &copies[i].tile;
            int64_t part = d == 0 ? copies[i].inner : tile->dim[d].extent;
            copies[i].outside[d] = (int32_t)tile_outside(&s->affines, tile, d, part, block);
        }
    }
}

static void find_all_outside(struct specialise *s) {
    for (size_t n = 0; n < s->loop_count; n++) {
        find_outside(s, s->loops[n].loads, s->loops[n].load_count, op_body(s->loops[n].loop, 0));
    }
    find_outside(s, s->kept, s->kept_count, s->home);
}

// Reads the copied values of the block; in a block around the loop only those ahead of it.
static void read_values(struct specialise *s, MlirOperation loop, MlirBlock block, struct copy *copies,
                        size_t *count, size_t limit) {
    MlirOperation end = values_end(loop, block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); *count < limit && !mlirOperationEqual(op, end);
         op = mlirOperationGetNextInBlock(op)) {
        if (loads_value(s, loop, op) && op_op_role(op) == ROLE_COPY) {
            value_copy(s, loop, op, &copies[(*count)++]);
        }
    }
}

static void read_behind(struct specialise *s) {
    for (MlirOperation op = {NULL};
         s->kept_count < SPECIALISE_MAX_KEPT && !mlirOperationIsNull(op = kept_behind(s, op));) {
        if (op_op_role(op) == ROLE_COPY) {
            struct copy *copy = &s->kept[s->kept_count++];
            value_copy(s, s->loops[0].loop, op, copy);
            copy->at_end = kept_is_tile(op);
        }
    }
}

static int stage_of(MlirOperation op) {
    return (int)op_int(op, ATTR_STAGE);
}

static void read_loop(struct specialise *s, struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation first = {NULL};
    size_t dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            first = dots++ == 0 ? op : first;
            stage->dot = op;
            read_operand(s, stage, dot_a(op));
            read_operand(s, stage, dot_b(op));
            stage->aside = mlirOperationIsNull(stage->aside) ? aside_operand(s, op) : stage->aside;
        }
    }
    s->dots = dots > s->dots ? dots : s->dots;
    s->mma_sync |= !dot_is_warpgroup(stage->dot);
    stage->in_flight = (int)op_int(stage->dot, ATTR_IN_FLIGHT);
    for (intptr_t i = 0; i < 3; i++) {
        is_producible(s, stage->loop, mlirOperationGetOperand(stage->loop, i), &s->uneven);
    }
    if (specialise_is_chained(s, stage, first, dots)) {
        stage->chained = first;
        stage->early = stage_of(first) == 0;
        stage->delayed = stage_of(stage->dot) == 2;
        stage->loads[1].group = 1; // each dot waits for its own operand
        return;
    }
    for (MlirOperation op = first; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT && stage_of(op) == 2 && stage->late_count < SPECIALISE_MAX_LATE) {
            stage->late[stage->late_count++] = op;
        }
    }
    stage->few_products = stage->late_count > 0 && are_few_products(first, stage->late[0]);
    read_values(s, stage->loop, body, stage->loads, &stage->load_count, SPECIALISE_MAX_LOADS);
}

static bool is_marked(struct ir *ir, MlirOperation op) {
    return op_kind(ir, op) == OP_FOR && op_has(op, ATTR_COPIES) && op_copy_way(op) == COPIES_WARP;
}

// Reads the residuals of a tile whose results are computed beside the next one's products.
static void read_residuals(struct specialise *s, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct epilogue epilogue;
        if (op_kind(s->ir, ops[i]) == OP_STORE && op_has(ops[i], ATTR_BESIDE) &&
            epilogue_read(s->ir, ops[i], &epilogue) &&
            epilogue_pieces(s->ir, mlirValueGetType(epilogue.parked[0]), s->num_warps, &s->piece)) {
            residuals_find(s, &epilogue, true);
        }
    }
}

// False: the function has no roles.
static bool read_roles(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    s->num_warps = (unsigned)op_int(s->function, ATTR_NUM_WARPS);
    for (size_t i = 0; i < count && s->loop_count < SPECIALISE_MAX_LOOPS; i++) {
        if (is_marked(s->ir, ops[i])) {
            s->loops[s->loop_count++].loop = ops[i];
            spine_add(s, ops[i]);
        }
    }
    if (s->loop_count == 0) {
        return false;
    }
    spine_settle(s);
    for (size_t n = 0; n < s->loop_count; n++) {
        read_loop(s, &s->loops[n]);
    }
    gather_alike(s);
    if (s->loops[0].load_count == 0) {
        return false;
    }
    waits_find(s);
    bool in_order = waits_in_order(s);
    s->loads_lengths = !in_order && target_has(s->context->target, FEATURE(WGMMA)) && lengths_are_loaded(s);
    s->leaves = !in_order && target_has(s->context->target, FEATURE(WGMMA)) && programs_leave(s);
    s->uneven = in_order ? 0 : spine_axes(s, s->uneven);
    s->slope = in_order ? (struct slope){0} : slope_find(s);
    read_values(s, s->loops[0].loop, s->home, s->kept, &s->kept_count, SPECIALISE_MAX_KEPT);
    read_behind(s);
    for (size_t i = 0; i < count; i++) {
        bool writes = op_kind(s->ir, ops[i]) == OP_STORE || op_kind(s->ir, ops[i]) == OP_ATOMIC_RMW;
        if (writes && op_op_role(ops[i]) == ROLE_COPY && s->store_count < SPECIALISE_MAX_STORES) {
            struct copy *store = &s->stores[s->store_count++];
            store_copy(s, ops[i], store);
            if (op_has(ops[i], ATTR_SLOTS)) {
                store_takes_one_buffer(store, s->ir);
            }
        }
    }
    read_residuals(s, ops, count);
    s->slots = (int)op_int(s->loops[0].loads[0].access, ATTR_SLOTS);
    s->kept_slots = s->end_slots = 2;
    for (size_t i = 0; i < s->kept_count; i++) {
        *(s->kept[i].at_end ? &s->end_slots : &s->kept_slots) = (int)op_int(s->kept[i].access, ATTR_SLOTS);
    }
    s->blocks = (unsigned)op_int(s->function, ATTR_PERSISTENT);
    s->turns = op_has(s->function, ATTR_TURNS);
    s->slices = (unsigned)op_int(s->function, ATTR_SLICES);
    s->joins = parts_find(s, &s->part_axis);
    producer_needs_all(s);
    find_all_outside(s);
    return true;
}

static void forget_copies(const struct copy *copies, size_t count) {
    for (size_t i = 0; i < count; i++) {
        op_remove_attribute(copies[i].access, ATTR_ROLE);
        op_remove_attribute(copies[i].access, ATTR_SLOTS);
    }
}

static void forget_roles(const struct specialise *s) {
    for (size_t i = 0; i < s->loop_count; i++) {
        const struct stage_loop *stage = &s->loops[i];
        op_remove_attribute(stage->loop, ATTR_COPIES);
        forget_copies(stage->loads, stage->load_count);
        for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            op_remove_attribute(op, ATTR_STAGE);
        }
    }
    forget_copies(s->kept, s->kept_count);
    forget_copies(s->stores, s->store_count);
    op_remove_attribute(s->function, ATTR_TURNS);
}

void pass_specialise(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)), next;
         !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (!op_has(op, ATTR_PERSISTENT)) {
            if (op_has(op, ATTR_FORM_OF)) {
                mlirOperationDestroy(op);
            } else if (op_has(op, ATTR_SHARING)) {
                sharing_leave_out(context->ir, op);
            }
            continue;
        }
        struct specialise s = specialise_open(context, op);
        affines_open(&s.affines, context, op);
        bool specialised = read_roles(&s);
        affines_close(&s.affines);
        if (specialised) {
            if (s.joins) {
                op_set_unit(context->ir, op, ATTR_FILLS_CHIP);
                remark(context, REMARK_SPECIALISE, s.stores[0].access,
                       "programs along axis %u add to the same elements: a block adds up its parts of a tile "
                       "first",
                       s.part_axis);
            }
            forget_roles(&s);
            specialise_rewrite(&s);
        }
        specialise_close(&s);
        if (!specialised && op_has(op, ATTR_FORM_OF)) {
            mlirOperationDestroy(op);
        }
    }
}
