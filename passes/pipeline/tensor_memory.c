// tensor_memory: sums of dots of tcgen05 stay in tensor memory.
//
//                                                          %m = tk.tensor_alloc {columns = 128}
//   %r = scf.for … iter_args(%c = %unwritten)              scf.for … {
//     %d = tk.warpgroup_dot %a, %b, %c, %keeps               tk.tensor_dot %a, %b, %m, %bar, %keeps {column = 0}
//     %e = tk.dot_wait %d {pending = 1}              →       tk.tensor_wait %bar {pending = 1}
//     scf.yield %e                                         }
//   %s = tk.dot_wait %r {pending = 0}                      tk.tensor_wait %bar {pending = 0}
//                                                          %s = tk.tensor_load %m {column = 0}
//                                                          tk.tensor_free %m
//
// The dots and waits come from `warpgroup`: it puts operands and waits in their places for both kinds of
// instructions. Each dot, or chain of dots carried by a loop, has columns of its own. A loop's initial tile is
// stored to them, unless its first product overwrites them. A tile is read once, in the place of its wait: behind it all
// threads meet if a loop may come back to the columns, because the next product is issued by one thread.
//
// The memory is taken at the beginning of the function, or of the region of the multiplying warps, and given back at
// its end. check_tensor_memory proves the order.
//
// requires: warpgroup
// provides: no warpgroup_dot of tcgen05 is left
// test:     tests/golden/passes/tensor_memory
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/pass.h"

struct tensor_memory {
    struct pass_context *context;
    struct ir *ir;
    MlirValue memory, barrier;
    unsigned columns; // taken so far
};

static bool is_tensor_dot(struct ir *ir, MlirOperation op) {
    if (op_kind(ir, op) != OP_WARPGROUP_DOT) {
        return false;
    }
    MlirStringRef name = op_string(op, ATTR_INSTRUCTION);
    return mma_in_tensor_memory(mma_find(name.data, name.length));
}

// The first column for a tile of this type.
static int take_columns(struct tensor_memory *t, MlirType type) {
    unsigned first = t->columns;
    t->columns += (unsigned)(type_extent(type, 0) / TENSOR_ROWS * type_extent(type, 1));
    if (t->columns > TENSOR_COLUMNS) {
        bug("sums of %u columns of tensor memory", t->columns);
    }
    return (int)first;
}

static struct attrs at_column(struct builder *b, MlirNamedAttribute *room, int column) {
    *room = attr_i32(b, ATTR_COLUMN, column);
    return (struct attrs){1, room};
}

// Puts a tile into the columns, ahead of the product or the loop.
static void store_before(struct tensor_memory *t, MlirOperation op, MlirValue tile, int column) {
    struct builder b = builder_before(t->ir, op);
    MlirNamedAttribute room;
    OP(&b, OP_TENSOR_STORE, OPERANDS(t->memory, tile), NO_RESULTS, at_column(&b, &room, column));
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
}

// Reads the tile from the columns, at the builder's place.
static MlirValue load_at(struct tensor_memory *t, struct builder *b, MlirType type, int column) {
    MlirNamedAttribute room;
    MlirValue tile =
        VALUE(b, OP_TENSOR_LOAD, OPERANDS(t->memory), RESULTS(type), at_column(b, &room, column));
    if (op_is_in_loop(t->ir, value_op(tile))) {
        OP(b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    return tile;
}

static void wait_at(struct tensor_memory *t, struct builder *b, MlirOperation wait) {
    if (mlirOperationGetNumOperands(wait) != 1) {
        bug("a wait for %d tiles in tensor memory", (int)mlirOperationGetNumOperands(wait));
    }
    OP(b, OP_TENSOR_WAIT, OPERANDS(t->barrier), NO_RESULTS,
       ATTRS(attr_i32(b, ATTR_PENDING, (int32_t)op_int(wait, ATTR_PENDING))));
}

// Builds the product of a dot before it. `keeps` null: as the dot has it.
static void multiply(struct tensor_memory *t, MlirOperation dot, MlirValue keeps, int column) {
    struct builder b = builder_before(t->ir, dot);
    MlirAttribute name = op_attribute(dot, ATTR_INSTRUCTION);
    keeps = mlirValueIsNull(keeps) ? warpgroup_dot_keeps(dot) : keeps;
    MlirValue operands[] = {warpgroup_dot_a(dot), warpgroup_dot_b(dot), t->memory, t->barrier, keeps};
    OP(&b, OP_TENSOR_DOT, ((struct operands){mlirValueIsNull(keeps) ? 4 : 5, operands}), NO_RESULTS,
       ATTRS(attr(&b, ATTR_INSTRUCTION, name), attr_i32(&b, ATTR_COLUMN, column)));
}

// Replaces the wait by one for products, and its result by the tile.
static void read_behind(struct tensor_memory *t, MlirOperation wait, int column) {
    struct builder b = builder_before(t->ir, wait);
    MlirValue result = mlirOperationGetResult(wait, 0);
    wait_at(t, &b, wait);
    mlirValueReplaceAllUsesOfWith(result, load_at(t, &b, mlirValueGetType(result), column));
    mlirOperationDestroy(wait);
}

static MlirOperation only_user(MlirValue value) {
    if (!value_has_one_use(value)) {
        bug("sums in tensor memory that are used in %s places", value_has_uses(value) ? "several" : "no");
    }
    return mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
}

// The dots and waits between the argument and its yield: each gives it on as it is.
static void carry(struct tensor_memory *t, MlirValue argument, int column) {
    for (MlirOperation user; op_kind(t->ir, user = only_user(argument)) != OP_SCF_YIELD;) {
        if (is_tensor_dot(t->ir, user)) {
            multiply(t, user, (MlirValue){NULL}, column);
        } else if (op_kind(t->ir, user) == OP_DOT_WAIT) {
            struct builder b = builder_before(t->ir, user);
            wait_at(t, &b, user);
        } else {
            bug("sums in tensor memory are used by %s", op_table[op_kind(t->ir, user)].name);
        }
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(user, 0), argument);
        mlirOperationDestroy(user);
    }
}

static void rewrite_loop(struct tensor_memory *t, MlirValue argument) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    intptr_t number = mlirBlockArgumentGetArgNumber(argument) - 1;
    MlirType type = mlirValueGetType(argument);
    MlirValue start = for_init(loop, number), result = mlirOperationGetResult(loop, number);
    int column = take_columns(t, type);
    if (mlirOperationIsNull(value_op(start)) || op_kind(t->ir, value_op(start)) != OP_UNWRITTEN) {
        store_before(t, loop, start, column);
        struct builder b = builder_before(t->ir, loop);
        set_for_init(loop, number, VALUE(&b, OP_UNWRITTEN, NO_OPERANDS, RESULTS(type), NO_ATTRS));
    }
    carry(t, argument, column);
    MlirOperation user = value_has_one_use(result) ? only_user(result) : (MlirOperation){NULL};
    if (!mlirOperationIsNull(user) && op_kind(t->ir, user) == OP_DOT_WAIT) {
        read_behind(t, user, column);
    } else if (value_has_uses(result)) {
        struct builder b = builder_after_value(t->ir, result);
        MlirValue tile = load_at(t, &b, type, column);
        mlirValueReplaceAllUsesOfWith(result, tile);
    }
}

// A dot whose result is read behind its wait.
static void rewrite_dot(struct tensor_memory *t, MlirOperation dot) {
    MlirValue sum = warpgroup_dot_c(dot), result = mlirOperationGetResult(dot, 0), keeps = {NULL};
    int column = take_columns(t, mlirValueGetType(sum));
    if (fills_with_zero(t->ir, sum)) {
        struct builder b = builder_before(t->ir, dot);
        keeps = const_int(&b, type_i1(t->ir), 0);
    } else {
        store_before(t, dot, sum, column);
    }
    multiply(t, dot, keeps, column);
    MlirOperation wait = only_user(result);
    if (op_kind(t->ir, wait) != OP_DOT_WAIT) {
        bug("a product in tensor memory is used by %s", op_table[op_kind(t->ir, wait)].name);
    }
    read_behind(t, wait, column);
    mlirOperationDestroy(dot);
}

// The block run by the warps of the products from its beginning to its end.
static MlirBlock block_of_products(struct ir *ir, MlirOperation function, MlirOperation dot) {
    MlirOperation parent = mlirOperationGetParentOperation(dot);
    for (; !mlirOperationEqual(parent, function); parent = mlirOperationGetParentOperation(parent)) {
        if (op_kind(ir, parent) == OP_SPECIALISE) {
            return op_body(parent, 1);
        }
    }
    return op_body(function, 0);
}

static unsigned power_of_two(unsigned least, unsigned count) {
    while (least < count) {
        least *= 2;
    }
    return least;
}

// mbarriers for the ends of products, in turns: a wait looks for the end of one product while `pending` later ones of its
// own thread may have started, and further ones of the issuing thread while this one is behind. If all threads meet for
// the operands of each turn of a loop, these are each dot once, at most. If a warp of its own fills slots, the issuing
// thread is ahead by as many turns as there are slots, at most: each slot waits until all warps have left it.
static unsigned barriers_for(struct ir *ir, MlirOperation *ops, size_t count) {
    unsigned most = 0, dots = 0, slots = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        unsigned pending = kind == OP_DOT_WAIT ? (unsigned)op_int(ops[i], ATTR_PENDING) : 0;
        unsigned filled = kind == OP_MBARRIER_ALLOC ? (unsigned)op_int(ops[i], ATTR_COUNT) : 0;
        most = pending > most ? pending : most;
        slots = filled > slots ? filled : slots;
        dots += is_tensor_dot(ir, ops[i]);
    }
    return power_of_two(1, most + dots * (slots + 1) + 1);
}

static void take_memory(struct tensor_memory *t, MlirOperation function, MlirBlock block, unsigned barriers) {
    struct builder top = builder_before(t->ir, mlirBlockGetFirstOperation(op_body(function, 0)));
    t->barrier =
        VALUE(&top, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(t->ir)),
              ATTRS(attr_i32(&top, ATTR_COUNT, (int32_t)barriers), attr_i32(&top, ATTR_ARRIVALS, 1)));
    bool whole = mlirBlockEqual(block, op_body(function, 0));
    struct builder own = builder_before(t->ir, mlirBlockGetFirstOperation(block));
    t->memory = VALUE(whole ? &top : &own, OP_TENSOR_ALLOC, NO_OPERANDS, RESULTS(type_i32(t->ir)),
                      ATTRS(attr_i32(&top, ATTR_COLUMNS, 0)));
}

static void give_back(struct tensor_memory *t, MlirBlock block) {
    unsigned columns = power_of_two(TENSOR_LEAST_COLUMNS, t->columns);
    MlirOperation last = mlirBlockGetFirstOperation(block), next = last; // a role ends in tk.yield
    for (; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next)) {
        last = next;
    }
    struct builder end = builder_before(t->ir, last);
    OP(&end, OP_TENSOR_FREE, OPERANDS(t->memory), NO_RESULTS,
       ATTRS(attr_i32(&end, ATTR_COLUMNS, (int32_t)columns)));
    op_set_int(t->ir, value_op(t->memory), ATTR_COLUMNS, (int)columns);
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct tensor_memory t = {.context = context, .ir = context->ir};
    size_t count, dots = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    unsigned barriers = barriers_for(context->ir, ops, count);
    for (size_t i = 0; i < count; i++) {
        if (is_tensor_dot(context->ir, ops[i])) {
            ops[dots++] = ops[i];
        }
    }
    if (dots == 0) {
        return;
    }
    MlirBlock block = block_of_products(context->ir, function, ops[0]);
    take_memory(&t, function, block, barriers);
    // A loop's dots go together, with the first one.
    for (bool more = true; more;) {
        more = false;
        MlirOperation *now = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count && !more; i++) {
            if (!is_tensor_dot(context->ir, now[i])) {
                continue;
            }
            MlirValue sum = warpgroup_dot_c(now[i]);
            more = true;
            if (mlirValueIsABlockArgument(sum)) {
                rewrite_loop(&t, sum);
            } else {
                rewrite_dot(&t, now[i]);
            }
        }
    }
    give_back(&t, block);
}

void pass_tensor_memory(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (target_has(context->target, FEATURE_TCGEN05)) {
            rewrite_function(context, op);
        }
    }
}
