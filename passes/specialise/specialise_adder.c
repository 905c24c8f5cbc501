// A warp of its own starts the additions to memory within loops (specialise_aside.c).
//
//   consumers: scf.for … {                           consumers: scf.for … {
//                bulk_store %d {adds, shares}   →                 bulk_store %d {adds, shares, fills}
//              }                                                }
//                                                  adder:     scf.for … {
//                                                               bulk_store {adds, shares, issues}
//                                                             }
//
// Consumers write to the buffer, and go on. The adder waits for each warpgroup's part at an mbarrier, starts the copy that adds,
// and hands the part back, at another mbarrier, once it has been read. A consumer that starts the copies itself holds up its
// warpgroup's next product: ptxas builds a loop around each of them, and a copy takes long to start.
//
// The adder's region is a copy of the consumers' without their tiles; one thread runs it.
//
// test: tests/golden/passes/specialise/aside.mlir, tests/lang/examples.c
#include "passes/specialise/specialise.h"

#include "chip/wgmma.h"
#include "ir/build.h"

enum { CONSUMERS = 1, ADDER = 2, REGIONS };

static bool adds_in_loop(struct specialise *s, MlirOperation op) {
    return op_kind(s->ir, op) == OP_BULK_STORE && op_has(op, ATTR_ADDS) && op_has(op, ATTR_SHARES) &&
           op_kind(s->ir, mlirOperationGetParentOperation(op)) == OP_FOR;
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

// Drops what the loop's tiles are computed from.
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

// Leaves the additions, and what their places are computed from.
static void leave_additions(struct specialise *s, MlirOperation copy) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, copy, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        if (adds_in_loop(s, ops[i])) {
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

// True if one thread can run what is left: it computes no tile and reads no memory.
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

// ---- the consumers ----

// They say that a part is filled behind the start of the dot that follows: its fence would hold up the dot.
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

static void fill_only(struct specialise *s, MlirOperation roles, MlirValue filled) {
    size_t count;
    MlirOperation *ops = consumers_ops(s, roles, &count);
    for (size_t i = 0; i < count; i++) {
        if (adds_in_loop(s, ops[i])) {
            op_set_unit(s->ir, ops[i], ATTR_FILLS);
            say_filled(s, ops[i], filled);
        }
    }
}

// True if consumers add within loops, and the buffer has room for all of a tile.
static bool add_whole_tiles(struct specialise *s, MlirOperation roles) {
    size_t count;
    bool adds = false;
    MlirOperation *ops = consumers_ops(s, roles, &count);
    for (size_t i = 0; i < count; i++) {
        if (adds_in_loop(s, ops[i])) {
            MlirType tile = mlirValueGetType(bulk_store_tile(ops[i]));
            struct bulk_store_plan plan =
                bulk_store_plan(type_layout(s->ir, tile), type_bits(type_element(tile)) / 8);
            if (plan.pieces > plan.buffers) {
                return false;
            }
            adds = true;
        }
    }
    return adds;
}

static MlirValue mbarriers(struct specialise *s, struct builder *b, enum attribute_name role, int arrivals) {
    return VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                 ATTRS(attr_i32(b, ATTR_COUNT, (int32_t)(s->num_warps / WGMMA_WARPS)),
                       attr_i32(b, ATTR_ARRIVALS, arrivals), attr_unit(b, role)));
}

void adder_split(struct specialise *s, MlirOperation roles) {
    if (!stores_share(s) || s->slices > 1 || !add_whole_tiles(s, roles)) {
        return;
    }
    MlirOperation copy = mlirOperationClone(roles);
    leave_additions(s, copy);
    if (!is_for_one_thread(s, copy)) {
        mlirOperationDestroy(copy);
        return;
    }
    struct builder b = builder_before(s->ir, roles);
    MlirValue filled = mbarriers(s, &b, ATTR_FILLS, WGMMA_WARPS);
    mbarriers(s, &b, ATTR_ISSUES, 1);
    fill_only(s, roles, filled);
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
