// tensor_roles: a warp of its own issues the products into tensor memory, tile after tile, while the other
// warps read and store the tile before.
//
//   tk.specialise { copies }, {                 tk.specialise { copies }, {
//     for tiles {                                 for tiles {
//       for k {                                     %c = tk.tensor_take %done
//         tk.mbarrier_wait %full                    %d = tk.tensor_load %m + %c
//         tk.tensor_dot %a, %b, %m                  tk.tensor_pass %free
//         tk.tensor_wait                            store of %d
//         tk.mbarrier_arrive %empty     →         }
//       }                                       }, {
//       %d = tk.tensor_load %m                    for tiles {
//       store of %d                                 %c = tk.tensor_take %free {ahead}
//     }                                             for k {
//   }                                                 tk.mbarrier_wait %full
//                                                     tk.tensor_dot %a, %b, %m + %c, %empty {ahead}
//                                                   }
//                                                   tk.tensor_pass %done {ahead}
//                                                 }
//                                               }
//
// Both roles are the consumers' region, once without the products and once with them alone; the rest of the other role is
// dead, and dropped: the way through the tiles stays. The tile has two buffers of columns, taken in turns: two mbarriers
// report a full buffer to the readers, two more its return. A slot of operands is free when its product is done, as the
// product's commit says; before, each warp of the consumers said so.
//
// Only for a loop of one product whose first step overwrites the sums, with each tile read at one place.
//
// requires: tensor_memory; roles of warps
// provides: tk.specialise of three regions
// test:     tests/golden/passes/tensor_roles
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/pass.h"

struct tensor_roles {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, specialise;
    MlirOperation dot, load;   // the only ones of the consumers
    MlirOperation full, empty; // mbarrier_alloc of the slots
    MlirOperation alloc, free; // of tensor memory
    MlirOperation ring;        // the mbarriers of products
    int columns;               // of a buffer
};

enum { BUFFERS = 2, CONSUMERS = 1, MULTIPLIER = 2, MOST_COLUMNS = TENSOR_COLUMNS / BUFFERS };

// The mbarriers behind an address: an addition to a mbarrier_alloc. *more: the other addend.
static MlirOperation barriers_of(struct ir *ir, MlirValue address, MlirValue *more) {
    MlirOperation add = value_op(address), none = {NULL};
    for (int i = 0; i < 2 && !mlirOperationIsNull(add) && op_kind(ir, add) == OP_ADDI; i++) {
        MlirOperation op = value_op(mlirOperationGetOperand(add, i));
        if (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_MBARRIER_ALLOC) {
            *more = mlirOperationGetOperand(add, 1 - i);
            return op;
        }
    }
    return none;
}

// Keeps the only op of a kind: false for a second one.
static bool only(MlirOperation *known, MlirOperation op) {
    bool first = mlirOperationIsNull(*known);
    *known = op;
    return first;
}

// True if the first product of a loop may overwrite the sums.
static bool may_overwrite(struct ir *ir, MlirOperation dot) {
    int64_t keeps;
    MlirValue condition = tensor_dot_keeps(dot);
    return !mlirValueIsNull(condition) && !(value_is_constant_int(ir, condition, &keeps) && keeps);
}

// Reads the consumers' op. False: the roles stay as they are.
static bool read_op(struct tensor_roles *t, MlirOperation op) {
    MlirValue more;
    MlirOperation barriers;
    switch (op_kind(t->ir, op)) {
    case OP_TENSOR_ALLOC:
        return only(&t->alloc, op);
    case OP_TENSOR_FREE:
        return only(&t->free, op);
    case OP_TENSOR_DOT:
        t->ring = value_op(tensor_dot_barrier(op));
        return only(&t->dot, op) && may_overwrite(t->ir, op);
    case OP_TENSOR_LOAD:
        return only(&t->load, op);
    case OP_MBARRIER_WAIT:
        barriers = barriers_of(t->ir, mbarrier_wait_barrier(op), &more);
        return mlirValueIsNull(mbarrier_wait_tile(op)) && !mlirOperationIsNull(barriers) &&
               only(&t->full, barriers);
    case OP_MBARRIER_ARRIVE:
        barriers = barriers_of(t->ir, mbarrier_arrive_barrier(op), &more);
        if (mlirOperationIsNull(barriers) || (t->empty.ptr && !mlirOperationEqual(t->empty, barriers))) {
            return false;
        }
        t->empty = barriers;
        return true;
    case OP_OPAQUE:
    case OP_TENSOR_WAIT:
    case OP_BARRIER:
    case OP_STORE:
    case OP_BULK_STORE:
    case OP_BULK_WAIT:
    case OP_ASSUME:
    case OP_YIELD:
    case OP_SCF_YIELD:
    case OP_FOR:
    case OP_IF:
        return true;
    case OP_LOAD:
        return !load_is_volatile(op);
    case OP_ATOMIC_RMW:
        return !value_has_uses(mlirOperationGetResult(op, 0));
    default:
        return op_traits(op_kind(t->ir, op)) & PURE;
    }
}

static MlirOperation parent_loop(struct ir *ir, MlirOperation op) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    return op_kind(ir, parent) == OP_FOR ? parent : (MlirOperation){NULL};
}

static bool is_inside(MlirOperation op, MlirOperation around) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static bool find(struct tensor_roles *t) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->context->arena, t->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_SPECIALISE && !only(&t->specialise, ops[i])) {
            return false;
        }
    }
    if (mlirOperationIsNull(t->specialise) || op_has(t->function, ATTR_GATHERS)) {
        return false;
    }
    ops = ops_collect(t->ir, t->context->arena, t->specialise, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation op = ops[i], top = op;
        while (!mlirOperationEqual(mlirOperationGetParentOperation(top), t->specialise)) {
            top = mlirOperationGetParentOperation(top);
        }
        if (mlirBlockEqual(mlirOperationGetBlock(top), op_body(t->specialise, CONSUMERS)) &&
            !read_op(t, op)) {
            return false;
        }
    }
    if (mlirOperationIsNull(t->dot) || mlirOperationIsNull(t->load) || mlirOperationIsNull(t->full) ||
        mlirOperationIsNull(t->empty) || mlirOperationIsNull(t->alloc) || mlirOperationIsNull(t->free)) {
        return false;
    }
    MlirOperation loop = parent_loop(t->ir, t->dot);
    t->columns = (int)op_int(t->alloc, ATTR_COLUMNS);
    return !mlirOperationIsNull(loop) && !is_inside(t->load, loop) && t->columns <= MOST_COLUMNS &&
           mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(t->load)) &&
           op_is_before(loop, t->load);
}

// ---- the rewrite ----

static bool is_kind(struct ir *ir, MlirOperation op, const enum op_kind *kinds) {
    for (; *kinds != OP_YIELD; kinds++) {
        if (op_kind(ir, op) == *kinds) {
            return true;
        }
    }
    return false;
}

// Destroys the block's ops of these kinds, inside of its ops too.
static void drop(struct tensor_roles *t, MlirBlock block, const enum op_kind *kinds) {
    size_t count;
    MlirOperation around = mlirBlockGetParentOperation(block);
    MlirOperation *ops = ops_collect(t->ir, t->context->arena, around, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation top = ops[i];
        while (!mlirOperationEqual(mlirOperationGetParentOperation(top), around)) {
            top = mlirOperationGetParentOperation(top);
        }
        if (mlirBlockEqual(mlirOperationGetBlock(top), block) && is_kind(t->ir, ops[i], kinds)) {
            mlirOperationDestroy(ops[i]);
        }
    }
}

// The first op of the kind in the block, inside of its ops too.
static MlirOperation first_of(struct tensor_roles *t, MlirBlock block, enum op_kind kind) {
    size_t count;
    MlirOperation around = mlirBlockGetParentOperation(block);
    MlirOperation *ops = ops_collect(t->ir, t->context->arena, around, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation top = ops[i];
        while (!mlirOperationEqual(mlirOperationGetParentOperation(top), around)) {
            top = mlirOperationGetParentOperation(top);
        }
        if (mlirBlockEqual(mlirOperationGetBlock(top), block) && op_kind(t->ir, ops[i]) == kind) {
            return ops[i];
        }
    }
    bug("no %s in a role", op_table[kind].name);
}

static MlirValue take(struct tensor_roles *t, struct builder *b, MlirValue barriers, bool ahead) {
    MlirNamedAttribute attributes[] = {attr_i32(b, ATTR_COLUMNS, t->columns), attr_unit(b, ATTR_AHEAD)};
    MlirValue first = VALUE(b, OP_TENSOR_TAKE, OPERANDS(barriers), RESULTS(type_i32(t->ir)),
                            ((struct attrs){ahead ? 2 : 1, attributes}));
    return build_binary(b, OP_ADDI, mlirOperationGetResult(t->alloc, 0), first);
}

static void pass(struct builder *b, MlirValue barriers, bool ahead) {
    MlirNamedAttribute attribute = attr_unit(b, ATTR_AHEAD);
    OP(b, OP_TENSOR_PASS, OPERANDS(barriers), NO_RESULTS, ((struct attrs){ahead ? 1 : 0, &attribute}));
}

// The consumers' role without products.
static void consume(struct tensor_roles *t, MlirBlock block, MlirValue done, MlirValue is_free) {
    static const enum op_kind gone[] = {OP_TENSOR_DOT, OP_TENSOR_WAIT, OP_MBARRIER_WAIT, OP_MBARRIER_ARRIVE,
                                        OP_YIELD};
    drop(t, block, gone);
    struct builder b = builder_before(t->ir, t->load);
    set_tensor_load_memory(t->load, take(t, &b, done, false));
    MlirOperation next = mlirOperationGetNextInBlock(t->load);
    struct builder behind = builder_before(t->ir, next);
    pass(&behind, is_free, false);
    if (op_kind(t->ir, next) == OP_BARRIER) {
        mlirOperationDestroy(next);
    }
}

// The multiplier's role, in a copy of the consumers' region from before.
static void multiply(struct tensor_roles *t, MlirBlock block, MlirValue done, MlirValue is_free) {
    static const enum op_kind gone[] = {
        OP_TENSOR_WAIT, OP_MBARRIER_ARRIVE, OP_STORE,      OP_BARRIER,   OP_ASSUME,
        OP_ATOMIC_RMW,  OP_TENSOR_FREE,     OP_BULK_STORE, OP_BULK_WAIT, OP_YIELD};
    drop(t, block, gone);
    MlirOperation dot = first_of(t, block, OP_TENSOR_DOT), load = first_of(t, block, OP_TENSOR_LOAD);
    MlirOperation wait = first_of(t, block, OP_MBARRIER_WAIT), loop = mlirOperationGetParentOperation(dot);
    MlirValue slot;
    barriers_of(t->ir, mbarrier_wait_barrier(wait), &slot);
    struct builder before = builder_before(t->ir, loop), at = builder_before(t->ir, dot),
                   behind = builder_before(t->ir, load);
    MlirValue memory = take(t, &before, is_free, true);
    MlirValue empty = build_binary(&at, OP_ADDI, mlirOperationGetResult(t->empty, 0), slot);
    set_tensor_dot_memory(dot, memory);
    set_tensor_dot_barrier(dot, empty);
    op_set_unit(t->ir, dot, ATTR_AHEAD);
    pass(&behind, done, true);
    MlirValue tile = mlirOperationGetResult(load, 0);
    mlirValueReplaceAllUsesOfWith(
        tile, VALUE(&behind, OP_UNWRITTEN, NO_OPERANDS, RESULTS(mlirValueGetType(tile)), NO_ATTRS));
    mlirOperationDestroy(load);
}

static MlirValue barriers(struct tensor_roles *t, struct builder *b, int arrivals) {
    return VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(t->ir)),
                 ATTRS(attr_i32(b, ATTR_COUNT, BUFFERS), attr_i32(b, ATTR_ARRIVALS, arrivals)));
}

static void rewrite(struct tensor_roles *t) {
    struct builder b = builder_before(t->ir, t->specialise);
    MlirValue done = barriers(t, &b, 1), is_free = barriers(t, &b, (int)op_int(t->function, ATTR_NUM_WARPS));
    mlirOperationMoveBefore(t->alloc, t->specialise);
    op_set_int(t->ir, t->alloc, ATTR_COLUMNS, BUFFERS * t->columns);
    op_set_int(t->ir, t->free, ATTR_COLUMNS, BUFFERS * t->columns);
    op_set_int(t->ir, t->empty, ATTR_ARRIVALS, 1);
    MlirOperation copy = mlirOperationClone(t->specialise);
    MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate(), mlirRegionCreate()};
    mlirRegionTakeBody(regions[0], mlirOperationGetRegion(t->specialise, 0));
    mlirRegionTakeBody(regions[CONSUMERS], mlirOperationGetRegion(t->specialise, CONSUMERS));
    mlirRegionTakeBody(regions[MULTIPLIER], mlirOperationGetRegion(copy, CONSUMERS));
    MlirOperation made = build_op_regions(&b, OP_SPECIALISE, NO_OPERANDS, NO_RESULTS, NO_ATTRS, 3, regions);
    mlirOperationDestroy(copy);
    mlirOperationDestroy(t->specialise);
    consume(t, op_body(made, CONSUMERS), done, is_free);
    multiply(t, op_body(made, MULTIPLIER), done, is_free);
    mlirOperationDestroy(t->ring);
}

// True if one warp can do the multiplier's role: it has no tile but slots of shared memory.
static bool is_for_one_warp(struct ir *ir, struct arena *arena, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation top = ops[i], parent = mlirOperationGetParentOperation(top);
        while (!mlirOperationEqual(parent, function) && op_kind(ir, parent) != OP_SPECIALISE) {
            top = parent;
            parent = mlirOperationGetParentOperation(top);
        }
        bool own = op_kind(ir, parent) == OP_SPECIALISE && mlirOperationGetNumRegions(parent) > MULTIPLIER &&
                   mlirBlockEqual(mlirOperationGetBlock(top), op_body(parent, MULTIPLIER));
        for (intptr_t r = 0; own && r < mlirOperationGetNumResults(ops[i]); r++) {
            MlirType type = mlirValueGetType(mlirOperationGetResult(ops[i], r));
            if (type_is_tensor(type) && !type_is_shared(ir, type)) {
                return false;
            }
        }
    }
    return true;
}

// Rewrites the function, and drops the rest of the other role in each. A function whose multiplier would need more than one
// warp stays as it was.
static void rewrite_function(struct pass_context *context, MlirModule module, MlirOperation function) {
    struct tensor_roles t = {.context = context, .ir = context->ir, .function = function};
    if (!find(&t)) {
        return;
    }
    MlirOperation before = mlirOperationClone(function);
    rewrite(&t);
    pass_finish(context, module);
    if (is_for_one_warp(context->ir, context->arena, function)) {
        mlirOperationDestroy(before);
    } else {
        mlirBlockInsertOwnedOperationAfter(mlirModuleGetBody(module), function, before);
        mlirOperationDestroy(function);
    }
}

void pass_tensor_roles(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)), next;
         !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (target_has(context->target, FEATURE(TCGEN05))) {
            rewrite_function(context, module, op);
        }
    }
}
