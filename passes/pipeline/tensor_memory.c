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
// instructions. Each dot, or row of dots carried by a loop, has columns, which others may have before or behind
// (tensor_columns.c). A loop's initial tile is
// stored to them, unless its first product overwrites them. A tile is read once, in the place of its wait: behind it all
// threads meet if a loop or another tile may come back to the columns, because the next product is issued by one thread.
//
// In a chain of dots (attention) the computed left operand is put into columns, and a carried sum is scaled in its place:
//
//   %f = tk.rescale %sum, %factor                          tk.tensor_rescale %m, %factor {column = 0}
//   %d = tk.warpgroup_dot %weights, %b, %f                 tk.tensor_store %m, %weights {column = 192}
//   %e = tk.dot_wait %d {pending = 0}               →      tk.barrier
//                                                          tk.tensor_dot %m, %b, %m, %bar {column = 0, left_column = 192}
//
// The memory is taken at the beginning of the function, or of the region of the multiplying warps, and given back at
// its end. check_tensor_memory proves the order.
//
// requires: warpgroup
// provides: no warpgroup_dot of tcgen05 is left
// test:     tests/golden/passes/tensor_memory
#include <mlir-c/BuiltinTypes.h>

#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/pass.h"
#include "passes/pipeline/tensor_columns.h"

struct tensor_memory {
    struct pass_context *context;
    struct ir *ir;
    MlirValue memory, barrier;
    struct tensor_columns columns;
};

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
    if (op_is_in_loop(t->ir, value_op(tile)) || t->columns.count > 1) {
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

enum { FEW_STEPS = 5 };

// Lets a part of the exponentials that make a left operand be polynomials: of f32, with no subnormal results that anybody sees. sm_103's unit
// for exponentials is said to be faster; FlashAttention-4 has no polynomials there.
static void spread_exponentials(struct tensor_memory *t, MlirValue value, unsigned depth) {
    MlirOperation op = value_op(value);
    bool looks = !mlirOperationIsNull(op) && depth < FEW_STEPS;
    enum op_kind kind = looks ? op_kind(t->ir, op) : OP_KIND_COUNT;
    if (kind == OP_EXP2) {
        bool fits = mlirTypeIsAF32(type_element(mlirValueGetType(value))) && !op_has(op, ATTR_SUBNORMAL);
        if (fits) {
            op_set_unit(t->ir, op, ATTR_POLYNOMIAL);
        }
    } else if (looks && (kind == OP_CONVERT_LAYOUT || (op_traits(kind) & ELEMENTWISE))) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            spread_exponentials(t, mlirOperationGetOperand(op, i), depth + 1);
        }
    }
}

// Puts a left operand that threads have into its columns, before the dot; returns whether it has.
static bool store_left(struct tensor_memory *t, MlirOperation dot, int column) {
    MlirValue a = warpgroup_dot_a(dot);
    if (type_is_shared(t->ir, mlirValueGetType(a))) {
        return false;
    }
    if (target_has(t->context->target, FEATURE(SLOW_EXP2))) {
        spread_exponentials(t, a, 0);
    }
    struct builder b = builder_before(t->ir, dot);
    MlirNamedAttribute room;
    OP(&b, OP_TENSOR_STORE, OPERANDS(t->memory, a), NO_RESULTS, at_column(&b, &room, column));
    return true;
}

// Builds the product of a dot before it. `keeps` null: as the dot has it. `meets`: threads have put something into its
// columns.
static void multiply(struct tensor_memory *t, MlirOperation dot, MlirValue keeps, int column, bool meets) {
    int left_column = tensor_columns_left(&t->columns, dot);
    bool left = store_left(t, dot, left_column);
    struct builder b = builder_before(t->ir, dot);
    MlirAttribute name = op_attribute(dot, ATTR_INSTRUCTION);
    MlirValue a = warpgroup_dot_a(dot);
    keeps = mlirValueIsNull(keeps) ? warpgroup_dot_keeps(dot) : keeps;
    if (left || meets) {
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    bool scaled = !mlirValueIsNull(warpgroup_dot_a_scale(dot));
    MlirValue operands[] = {
        left ? t->memory : a,       warpgroup_dot_b(dot),      t->memory, t->barrier, keeps,
        warpgroup_dot_a_scale(dot), warpgroup_dot_b_scale(dot)};
    MlirNamedAttribute attributes[] = {
        attr(&b, ATTR_INSTRUCTION, name), attr_i32(&b, ATTR_COLUMN, column),
        attr_i32(&b, ATTR_LEFT_COLUMN, left_column),
        attr_i32(&b, ATTR_LEFT_ROWS, (int32_t)type_extent(mlirValueGetType(a), 0))};
    MlirOperation made = OP(&b, OP_TENSOR_DOT,
                            ((struct operands){scaled                   ? 7
                                               : mlirValueIsNull(keeps) ? 4
                                                                        : 5,
                                               operands}),
                            NO_RESULTS, ((struct attrs){left ? 4 : 2, attributes}));
    if (scaled) {
        op_set_int(t->ir, made, ATTR_SCALE_COLUMN, tensor_columns_scales(&t->columns, dot));
    }
}

// Replaces the wait by one for products, and its result by the tile.
static void read_behind(struct tensor_memory *t, MlirOperation wait, int column) {
    struct builder b = builder_before(t->ir, wait);
    MlirValue result = mlirOperationGetResult(wait, 0);
    wait_at(t, &b, wait);
    if (value_has_uses(result)) {
        mlirValueReplaceAllUsesOfWith(result, load_at(t, &b, mlirValueGetType(result), column));
    }
    mlirOperationDestroy(wait);
}

static MlirOperation only_user(MlirValue value) {
    if (!value_has_one_use(value)) {
        bug("sums in tensor memory that are used in %s places", value_has_uses(value) ? "several" : "no");
    }
    return mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
}

// Scales the tile where it lies.
static void scale(struct tensor_memory *t, MlirOperation op, MlirValue tile, int column) {
    struct builder b = builder_before(t->ir, op);
    MlirNamedAttribute room;
    MlirValue factor = value_is(binary_left(op), tile) ? binary_right(op) : binary_left(op);
    OP(&b, OP_TENSOR_RESCALE, OPERANDS(t->memory, factor), NO_RESULTS, at_column(&b, &room, column));
}

// The ops between the argument and its yield: each gives it on as it is.
static void carry(struct tensor_memory *t, MlirValue argument, int column) {
    bool scaled = false;
    for (MlirOperation user; op_kind(t->ir, user = only_user(argument)) != OP_SCF_YIELD;) {
        if (tensor_dot_is_pending(t->ir, user)) {
            multiply(t, user, (MlirValue){NULL}, column, scaled);
            scaled = false;
        } else if (op_kind(t->ir, user) == OP_DOT_WAIT) {
            struct builder b = builder_before(t->ir, user);
            wait_at(t, &b, user);
        } else {
            scale(t, user, argument, column);
            scaled = true;
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
    int column = tensor_columns_of(&t->columns, argument.ptr);
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

// The tile of two loops: stored where the first is not run, loaded behind the second.
static void rewrite_link(struct tensor_memory *t, const struct tensor_link *link) {
    int column = tensor_columns_of(&t->columns, link->from.ptr);
    store_before(t, mlirBlockGetTerminator(op_body(link->first, 1)), link->otherwise, column);
    struct builder b = builder_after(t->ir, link->second);
    MlirValue tile = load_at(t, &b, mlirValueGetType(link->result), column);
    mlirValueReplaceAllUsesOfWith(link->result, tile);
}

// A dot whose result is read behind its wait.
static void rewrite_dot(struct tensor_memory *t, MlirOperation dot) {
    MlirValue sum = warpgroup_dot_c(dot), result = mlirOperationGetResult(dot, 0), keeps = {NULL};
    int column = tensor_columns_of(&t->columns, dot.ptr);
    if (fills_with_zero(t->ir, sum)) {
        struct builder b = builder_before(t->ir, dot);
        keeps = const_int(&b, type_i1(t->ir), 0);
    } else {
        store_before(t, dot, sum, column);
    }
    multiply(t, dot, keeps, column, false);
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
        dots += tensor_dot_is_pending(ir, ops[i]);
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
    unsigned columns = power_of_two(TENSOR_LEAST_COLUMNS, t->columns.taken);
    MlirOperation last = mlirBlockGetFirstOperation(block), next = last; // a role ends in tk.yield
    for (; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next)) {
        last = next;
    }
    struct builder end = builder_before(t->ir, last);
    OP(&end, OP_TENSOR_FREE, OPERANDS(t->memory), NO_RESULTS,
       ATTRS(attr_i32(&end, ATTR_COLUMNS, (int32_t)columns)));
    op_set_int(t->ir, value_op(t->memory), ATTR_COLUMNS, (int)columns);
}

static bool has_dots(struct ir *ir, MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (tensor_dot_is_pending(ir, ops[i])) {
            return true;
        }
    }
    return false;
}

static MlirOperation first_dot(struct ir *ir, MlirOperation *ops) {
    while (!tensor_dot_is_pending(ir, *ops)) {
        ops++;
    }
    return *ops;
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct tensor_memory t = {.context = context, .ir = context->ir};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    if (!has_dots(t.ir, ops, count)) {
        return;
    }
    tensor_columns_drop_dead(t.ir, ops, count);
    ops = ops_collect(context->ir, context->arena, function, &count);
    tensor_late(context, ops, count);
    ops = ops_collect(context->ir, context->arena, function, &count);
    struct tensor_link *links;
    size_t link_count = tensor_links(context, ops, count, &links);
    ops = ops_collect(context->ir, context->arena, function, &count);
    unsigned barriers = barriers_for(context->ir, ops, count);
    t.columns = tensor_columns_plan(context, ops, count, links, link_count);
    MlirBlock block = block_of_products(context->ir, function, first_dot(t.ir, ops));
    take_memory(&t, function, block, barriers);
    for (size_t i = 0; i < link_count; i++) {
        rewrite_link(&t, &links[i]);
    }
    // A loop's dots go together, with the first one.
    for (bool more = true; more;) {
        more = false;
        MlirOperation *now = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count && !more; i++) {
            if (!tensor_dot_is_pending(context->ir, now[i])) {
                continue;
            }
            MlirValue sum = tensor_dot_carried(context->ir, now[i]);
            more = true;
            if (!mlirValueIsNull(sum)) {
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
        if (target_has(context->target, FEATURE(TCGEN05))) {
            rewrite_function(context, op);
        }
    }
}
