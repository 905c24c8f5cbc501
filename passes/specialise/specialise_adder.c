// A warp of its own starts the additions to memory within loops (specialise_aside.c), and the stores of a tile's results behind them.
//
//   consumers: scf.for … {                           consumers: scf.for … {
//                bulk_store %d {adds, shares}   →                 bulk_store %d {adds, shares, fills}
//              }                                                }
//              bulk_store %r {shares}                           bulk_store %r {shares, fills}
//                                                  adder:     scf.for … {
//                                                               bulk_store {adds, shares, issues}
//                                                             }
//                                                             bulk_store {shares, issues}
//
// Consumers write to the buffer, and go on. The adder waits for each warpgroup's part at an mbarrier, starts the adding copy,
// and hands the part back, at another mbarrier, once it has been read. A consumer with the copies of its own would hold up its
// warpgroup's next product: ptxas builds a loop around each of them, and a copy takes long to start. So do results: a store waits until
// the one before it is in memory, and the buffer's last part has been read.
//
// The adder's region is a copy of the consumers' without their tiles; one thread runs it.
//
// test: tests/golden/passes/specialise/aside.mlir and results.mlir, tests/lang/examples.c
#include "passes/specialise/specialise.h"

#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/pipeline/warpgroup.h"

enum { CONSUMERS = 1, ADDER = 2, REGIONS };

static bool adds_in_loop(struct specialise *s, MlirOperation op) {
    return op_kind(s->ir, op) == OP_BULK_STORE && op_has(op, ATTR_ADDS) && op_has(op, ATTR_SHARES) &&
           op_kind(s->ir, mlirOperationGetParentOperation(op)) == OP_FOR;
}

// True for the adder's stores: additions in loops, with `results` all others, too.
static bool is_handed(struct specialise *s, MlirOperation op, bool results) {
    return adds_in_loop(s, op) || (results && op_kind(s->ir, op) == OP_BULK_STORE && op_has(op, ATTR_SHARES));
}

// The ops of the consumers' region, those within others too.
static MlirOperation *consumers_ops(struct specialise *s, MlirOperation roles, size_t *count) {
    size_t all;
    MlirOperation *ops = ops_collect(s->ir, s->arena, roles, &all);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        MlirOperation top = ops[i];
        while (!mlirOperationEqual(mlirOperationGetParentOperation(top), roles)) {
            top = mlirOperationGetParentOperation(top);
        }
        if (mlirBlockEqual(mlirOperationGetBlock(top), op_body(roles, CONSUMERS))) {
            ops[(*count)++] = ops[i];
        }
    }
    return ops;
}

// ---- the adder ----

static bool is_consumers_alone(enum op_kind kind) {
    return kind == OP_BULK_STORE || kind == OP_MBARRIER_WAIT || kind == OP_MBARRIER_ARRIVE ||
           kind == OP_BARRIER || kind == OP_SMEM_STORE;
}

static bool is_within(struct specialise *s, MlirOperation op) {
    return op_kind(s->ir, mlirOperationGetParentOperation(op)) != OP_SPECIALISE;
}

static MlirValue unwritten(struct specialise *s, MlirOperation before, MlirType type) {
    struct builder b = builder_before(s->ir, before);
    return VALUE(&b, OP_UNWRITTEN, NO_OPERANDS, RESULTS(type), NO_ATTRS);
}

// Drops the operands of the loop's tiles.
static void carry_no_tiles(struct specialise *s, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
        if (type_is_tensor(type)) {
            mlirOperationSetOperand(mlirBlockGetTerminator(body), i, mlirBlockGetArgument(body, i + 1));
            set_for_init(loop, i, unwritten(s, loop, type));
        }
    }
}

static void drop_unused(struct specialise *s, MlirOperation copy) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, copy, &count);
    for (size_t i = count; i-- > 0;) { // users first
        enum op_kind kind = op_kind(s->ir, ops[i]);
        bool computes = (op_traits(kind) & PURE) || kind == OP_SMEM_LOAD;
        if (computes && mlirOperationGetNumResults(ops[i]) == 1 &&
            !value_has_uses(mlirOperationGetResult(ops[i], 0))) {
            mlirOperationDestroy(ops[i]);
        }
    }
}

// Leaves the additions, and the operands of their places.
static void leave_additions(struct specialise *s, MlirOperation copy, bool results) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, copy, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        if (is_handed(s, ops[i], results)) {
            MlirType type = mlirValueGetType(bulk_store_tile(ops[i]));
            set_bulk_store_tile(ops[i], unwritten(s, ops[i], type));
            op_set_unit(s->ir, ops[i], ATTR_ISSUES);
        } else if (kind == OP_FOR) {
            carry_no_tiles(s, ops[i]);
        } else if (is_consumers_alone(kind) || (kind == OP_BULK_WAIT && is_within(s, ops[i]))) {
            mlirOperationDestroy(ops[i]);
        }
    }
    drop_unused(s, copy);
}

// True if one thread can run the rest: it computes no tile and reads no memory.
static bool is_for_one_thread(struct specialise *s, MlirOperation copy) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, copy, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        bool flow = kind == OP_FOR || kind == OP_IF || kind == OP_SCF_YIELD || kind == OP_YIELD;
        bool known = (op_traits(kind) & PURE) || flow || kind == OP_BULK_STORE || kind == OP_BULK_WAIT ||
                     kind == OP_ASSUME;
        for (intptr_t r = 0; r < mlirOperationGetNumResults(ops[i]) && kind != OP_FOR && kind != OP_UNWRITTEN;
             r++) {
            known &= !type_is_tensor(mlirValueGetType(mlirOperationGetResult(ops[i], r)));
        }
        if (!known) {
            return false;
        }
    }
    return true;
}

// The adder's copy of the roles; null if one thread cannot run it.
static MlirOperation copy_for_one_thread(struct specialise *s, MlirOperation roles, bool results) {
    MlirOperation copy = mlirOperationClone(roles);
    leave_additions(s, copy, results);
    if (!is_for_one_thread(s, copy)) {
        mlirOperationDestroy(copy);
        return (MlirOperation){NULL};
    }
    return copy;
}

// ---- the consumers ----

// They announce a filled part behind the start of the next dot: its fence would hold up the dot.
static void say_filled(struct specialise *s, MlirOperation store, MlirValue filled) {
    MlirOperation dot = mlirOperationGetNextInBlock(store), behind = store;
    while (op_kind(s->ir, dot) != OP_DOT && (op_traits(op_kind(s->ir, dot)) & PURE)) {
        dot = mlirOperationGetNextInBlock(dot);
    }
    behind = op_kind(s->ir, dot) == OP_DOT ? dot : behind;
    struct builder b = builder_after(s->ir, behind);
    b.location = mlirOperationGetLocation(store);
    MlirValue group = VALUE(&b, OP_WARPGROUP, NO_OPERANDS, RESULTS(type_i32(s->ir)), NO_ATTRS);
    MlirValue barrier = slot_barrier(&b, filled, group), always = const_int(&b, type_i1(s->ir), 1);
    OP(&b, OP_MBARRIER_ARRIVE, OPERANDS(barrier, always), NO_RESULTS,
       ATTRS(attr_unit(&b, ATTR_TOGETHER), attr_unit(&b, ATTR_BESIDE), attr_unit(&b, ATTR_PROXY)));
}

static void fill_only(struct specialise *s, MlirOperation roles, MlirValue filled, bool results) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, roles, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_handed(s, ops[i], results)) {
            op_set_unit(s->ir, ops[i], ATTR_FILLS);
            say_filled(s, ops[i], filled);
        } else if (results && op_kind(s->ir, ops[i]) == OP_BULK_WAIT) {
            mlirOperationDestroy(ops[i]); // the consumers start no copies
        }
    }
}

// True if consumers have such stores, and the buffer has room for all of each tile.
static bool hand_whole_tiles(struct specialise *s, MlirOperation roles, bool results) {
    size_t count;
    bool any = false;
    MlirOperation *ops = consumers_ops(s, roles, &count);
    for (size_t i = 0; i < count; i++) {
        if (!is_handed(s, ops[i], results)) {
            continue;
        }
        MlirType tile = mlirValueGetType(bulk_store_tile(ops[i]));
        struct bulk_store_plan plan =
            bulk_store_plan(type_layout(s->ir, tile), type_bits(type_element(tile)) / 8);
        if (plan.pieces > plan.buffers || (results && op_has(ops[i], ATTR_EPILOGUE))) {
            return false;
        }
        any = true;
    }
    return any;
}

// Results go by the adder if a sum of the loop begins at a computed tile. (H200, heads of 128, 4,096 and 16,384 queries, causal and full:
// slopes begun at -delta 1.019 to 1.027 and 1.015 to 1.016 of stores by the consumers, others 0.967 to 0.981 and 0.988 to 0.994. The
// loop's ops are the same; ptxas has 16 registers more and orders exponentials ahead of the slopes' wait.)
static bool hand_results(struct specialise *s, MlirOperation roles) {
    size_t count;
    bool begins = false;
    MlirOperation *ops = consumers_ops(s, roles, &count);
    for (size_t i = 0; i < count; i++) {
        begins |= op_kind(s->ir, ops[i]) == OP_DOT && computed_from_slots(s->context, dot_c(ops[i]));
    }
    return begins && hand_whole_tiles(s, roles, true);
}

static MlirValue mbarriers(struct specialise *s, struct builder *b, enum attribute_name role, int arrivals) {
    return VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                 ATTRS(attr_i32(b, ATTR_COUNT, (int32_t)(s->num_warps / WGMMA_WARPS)),
                       attr_i32(b, ATTR_ARRIVALS, arrivals), attr_unit(b, role)));
}

void adder_split(struct specialise *s, MlirOperation roles) {
    if (!stores_share(s) || s->slices > 1 || !hand_whole_tiles(s, roles, false)) {
        return;
    }
    bool results = hand_results(s, roles);
    MlirOperation copy = copy_for_one_thread(s, roles, results);
    if (results && mlirOperationIsNull(copy)) {
        results = false;
        copy = copy_for_one_thread(s, roles, false);
    }
    if (mlirOperationIsNull(copy)) {
        return;
    }
    struct builder b = builder_before(s->ir, roles);
    MlirValue filled = mbarriers(s, &b, ATTR_FILLS, WGMMA_WARPS);
    mbarriers(s, &b, ATTR_ISSUES, 1);
    fill_only(s, roles, filled, results);
    MlirRegion regions[REGIONS];
    for (int i = 0; i < REGIONS; i++) {
        regions[i] = mlirRegionCreate();
        mlirRegionTakeBody(regions[i],
                           mlirOperationGetRegion(i == ADDER ? copy : roles, i == ADDER ? CONSUMERS : i));
    }
    build_op_regions(&b, OP_SPECIALISE, NO_OPERANDS, NO_RESULTS, ATTRS(attr_unit(&b, ATTR_ADDS)), REGIONS,
                     regions);
    mlirOperationDestroy(copy);
    mlirOperationDestroy(roles);
}
