// check_tensor_memory: a proof of the order of tensor memory, and of its return on every path.
//
// The walk follows all paths, loops until nothing changes, and keeps for each column:
//
//   written     each path has put something into it
//   started     products started since its last writer or reader, itself the first; DONE: it has been waited for
//   read        threads have read it since all met: the issuing thread may be ahead of them
//   stored      threads have put something into it since all met: the issuing thread may be ahead of them
//
//   op              needs                                             leaves
//   tensor_dot      not read, not stored; written if it adds          written, started = 0, the others one more
//     its left      written, not stored                               started = 0
//   tensor_wait     -                                                 started < pending stay, the others are done
//   tensor_load     written, done                                     read
//   tensor_store    done, not read                                    written, stored
//   tensor_rescale  written, done                                     stored
//   barrier         -                                                 not read, not stored
//
// Memory is taken and freed once, in one block run by all warps of the products from its beginning to its end: the
// free is on each path behind the allocation, and no access is ahead of the one or behind the other.
//
// requires: barriers
// provides: nothing; keeps everything
// test:     tests/unit/test_check_tensor.c
#include <string.h>

#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "support/map.h"

enum { DONE = 255 };

struct column {
    bool written, read, stored;
    unsigned started;
};

struct state {
    struct column columns[TENSOR_COLUMNS];
};

// Columns from one up to another.
struct range {
    unsigned first, end;
};

struct check {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirOperation alloc, free; // null: none met yet
    bool failed;
};

static void fault(struct check *c, MlirOperation op, const char *text) {
    if (c->failed) {
        return;
    }
    c->failed = true;
    MlirStringRef name = op_string(c->function, ATTR_SYM_NAME);
    diag_error(c->context->diag, ir_op_location(c->ir, op), "tensor memory of %.*s: %s: %s", (int)name.length,
               name.data, op_table[op_kind(c->ir, op)].name, text);
}

// True if `into` has changed.
static bool join(struct state *into, const struct state *from) {
    bool changed = false;
    for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
        struct column *a = &into->columns[i], before = *a;
        const struct column *b = &from->columns[i];
        a->written &= b->written;
        a->read |= b->read;
        a->stored |= b->stored;
        a->started = b->started < a->started ? b->started : a->started;
        changed |= a->written != before.written || a->read != before.read || a->stored != before.stored ||
                   a->started != before.started;
    }
    return changed;
}

static void walk_block(struct check *c, MlirBlock block, struct state *state);
static void walk_roles(struct check *c, MlirOperation op, struct state *state);

// True if the loop runs once at least: by constant bounds, or because it is in the branch of their comparison.
static bool runs_once(struct check *c, MlirOperation loop) {
    int64_t lower, upper;
    if (op_kind(c->ir, loop) != OP_FOR) {
        return false;
    }
    if (value_is_constant_int(c->ir, for_lower(loop), &lower) &&
        value_is_constant_int(c->ir, for_upper(loop), &upper)) {
        return lower < upper;
    }
    MlirOperation guard = mlirOperationGetParentOperation(loop);
    if (op_kind(c->ir, guard) != OP_IF || !mlirBlockEqual(mlirOperationGetBlock(loop), op_body(guard, 0))) {
        return false;
    }
    MlirOperation compare = value_op(if_condition(guard));
    return !mlirOperationIsNull(compare) && op_kind(c->ir, compare) == OP_CMPI &&
           op_int(compare, ATTR_PREDICATE) == INT_SLT && value_is(binary_left(compare), for_lower(loop)) &&
           value_is(binary_right(compare), for_upper(loop));
}

static void walk_loop(struct check *c, MlirOperation op, struct state *state) {
    struct state end = *state;
    for (bool again = true; again;) {
        end = *state;
        for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
            walk_block(c, op_body(op, (int)r), &end);
        }
        again = join(state, &end);
    }
    *state = runs_once(c, op) ? end : *state;
}

static void walk_branches(struct check *c, MlirOperation op, struct state *state) {
    struct state out = *state, start = *state;
    bool first = true;
    for (intptr_t r = 0; r < 2; r++) {
        struct state end = start;
        MlirBlock block = r < mlirOperationGetNumRegions(op) ? op_body(op, (int)r) : (MlirBlock){NULL};
        if (!mlirBlockIsNull(block)) {
            walk_block(c, block, &end);
        }
        if (first) {
            out = end;
        } else {
            join(&out, &end);
        }
        first = false;
    }
    *state = out;
}

// ---- ops ----

static struct range range_of(struct check *c, MlirOperation op, unsigned first, int64_t rows,
                             int64_t columns) {
    struct range range = {first, first + (unsigned)(rows * columns / TENSOR_ROWS)};
    if (range.end > TENSOR_COLUMNS) {
        fault(c, op, "it reaches beyond the last column");
        range.end = TENSOR_COLUMNS;
    }
    return range;
}

// Of a load, a store, a scaling.
static struct range range_of_tile(struct check *c, MlirOperation op, MlirValue tile) {
    MlirType type = mlirValueGetType(tile);
    return range_of(c, op, (unsigned)op_int(op, ATTR_COLUMN), type_extent(type, 0),
                    type_extent(type, 1) * type_bits(type_element(type)) / 32);
}

static int64_t rows_of(MlirOperation dot) {
    int64_t rows = op_int(dot, ATTR_LEFT_ROWS);
    return rows ? rows : type_extent(mlirValueGetType(tensor_dot_a(dot)), 0);
}

static void multiply_left(struct check *c, MlirOperation op, struct state *state) {
    int64_t depth = type_extent(mlirValueGetType(tensor_dot_b(op)), 0);
    struct range range =
        range_of(c, op, (unsigned)op_int(op, ATTR_LEFT_COLUMN), rows_of(op), depth * TENSOR_LEFT_BITS / 32);
    for (unsigned i = range.first; i < range.end; i++) {
        if (!state->columns[i].written || state->columns[i].stored) {
            fault(c, op,
                  state->columns[i].written ? "threads may still store its left operand"
                                            : "nothing has written its left operand");
        }
        state->columns[i].started = 0;
    }
}

// A dot with a condition overwrites the columns if the condition is false: in its loop's first step.
static bool always_adds(struct check *c, MlirOperation dot) {
    int64_t keeps;
    MlirValue condition = tensor_dot_keeps(dot);
    return mlirValueIsNull(condition) || (value_is_constant_int(c->ir, condition, &keeps) && keeps);
}

static unsigned scale_columns(MlirValue scales) {
    MlirType type = mlirValueGetType(scales);
    return tcgen05_scale_columns(type_extent(type, 0), type_extent(type, 1));
}

// The thread copies them ahead of its product, in its own order: nobody else may have the columns.
static void multiply_scales(struct check *c, MlirOperation op, struct state *state) {
    unsigned first = (unsigned)op_int(op, ATTR_SCALE_COLUMN);
    unsigned end = first + scale_columns(tensor_dot_a_scale(op)) + scale_columns(tensor_dot_b_scale(op));
    if (end > TENSOR_COLUMNS) {
        fault(c, op, "its scales reach beyond the last column");
        end = TENSOR_COLUMNS;
    }
    for (unsigned i = first; i < end; i++) {
        if (state->columns[i].written || state->columns[i].read || state->columns[i].stored) {
            fault(c, op, "its scales overwrite a tile");
        }
    }
}

static void multiply(struct check *c, MlirOperation op, struct state *state) {
    MlirType b = mlirValueGetType(tensor_dot_b(op));
    int64_t columns = type_extent(b, 1) * (op_has(op, ATTR_PAIR) ? 2 : 1); // a slot has half of a pair's
    struct range range = range_of(c, op, (unsigned)op_int(op, ATTR_COLUMN), rows_of(op), columns);
    for (unsigned i = range.first; i < range.end; i++) {
        const struct column *column = &state->columns[i];
        if (column->read || column->stored) {
            fault(c, op,
                  column->read ? "threads may still read what it overwrites"
                               : "threads may still store what it adds to");
        }
        if (!column->written && always_adds(c, op)) {
            fault(c, op, "it adds to what nothing has written");
        }
    }
    for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
        state->columns[i].started += state->columns[i].started < DONE - 1;
    }
    for (unsigned i = range.first; i < range.end; i++) {
        state->columns[i].written = true;
        state->columns[i].started = 0;
    }
    if (!mlirValueIsNull(tensor_dot_a_scale(op))) {
        multiply_scales(c, op, state);
    }
    if (op_int(op, ATTR_LEFT_ROWS)) {
        multiply_left(c, op, state);
    }
}

static void wait(const MlirOperation op, struct state *state) {
    unsigned pending = (unsigned)op_int(op, ATTR_PENDING);
    for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
        if (state->columns[i].started >= pending) {
            state->columns[i].started = DONE;
        }
    }
}

static void meet(struct state *state) {
    for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
        state->columns[i].read = state->columns[i].stored = false;
    }
}

static void take(struct check *c, MlirOperation op) {
    unsigned columns = (unsigned)op_int(op, ATTR_COLUMNS);
    if (!mlirOperationIsNull(c->alloc) || op_is_in_loop(c->ir, op)) {
        fault(c, op, "memory is taken twice");
    }
    if (columns < TENSOR_LEAST_COLUMNS || columns > TENSOR_COLUMNS || (columns & (columns - 1))) {
        fault(c, op, "its number of columns is no power of two from 32 to 512");
    }
    c->alloc = op;
}

static void give_back(struct check *c, MlirOperation op, const struct state *state) {
    if (mlirOperationIsNull(c->alloc) || !mlirOperationIsNull(c->free) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(c->alloc)) ||
        op_int(op, ATTR_COLUMNS) != op_int(c->alloc, ATTR_COLUMNS)) {
        fault(c, op, "it does not free what one allocation of its block took");
    }
    for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
        if (state->columns[i].written && state->columns[i].started != DONE) {
            fault(c, op, "a product may still be under way");
        }
    }
    c->free = op;
}

static void load(struct check *c, MlirOperation op, struct state *state) {
    struct range range = range_of_tile(c, op, mlirOperationGetResult(op, 0));
    for (unsigned i = range.first; i < range.end; i++) {
        struct column *column = &state->columns[i];
        if (!column->written || column->started != DONE) {
            fault(c, op,
                  column->written ? "a product into it may still be under way" : "nothing has written it");
        }
        column->read = true;
    }
}

static void store(struct check *c, MlirOperation op, struct state *state) {
    bool scales = op_kind(c->ir, op) == OP_TENSOR_RESCALE;
    struct range range = range_of_tile(c, op, scales ? tensor_rescale_factor(op) : tensor_store_tile(op));
    for (unsigned i = range.first; i < range.end; i++) {
        struct column *column = &state->columns[i];
        if (column->started != DONE || column->read) {
            fault(c, op, "a product may still be under way there, or threads may still read it");
        }
        if (scales && !column->written) {
            fault(c, op, "nothing has written it");
        }
        column->written = column->stored = true;
    }
}

// Of a cluster all ops are the pair's: an instruction of one block may not stand beside them.
static void same_blocks(struct check *c, MlirOperation op) {
    bool pairs = op_int(c->function, ATTR_CLUSTER) > 1;
    switch (op_kind(c->ir, op)) {
    case OP_TENSOR_DOT:
    case OP_TENSOR_TAKE:
    case OP_TENSOR_PASS:
    case OP_TENSOR_FREE:
    case OP_TENSOR_RELEASE:
    case OP_BULK_LOAD:
    case OP_MBARRIER_EXPECT:
        if (op_has(op, ATTR_PAIR) != pairs) {
            fault(c, op,
                  pairs ? "it is one block's, in a cluster of two"
                        : "it is a pair's, and the block is alone");
        }
        return;
    default:
        return;
    }
}

static void walk_op(struct check *c, MlirOperation op, struct state *state) {
    enum op_kind kind = op_kind(c->ir, op);
    same_blocks(c, op);
    switch (kind) {
    case OP_TENSOR_DOT:
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
    case OP_TENSOR_RESCALE:
        if (mlirOperationIsNull(c->alloc) || !mlirOperationIsNull(c->free)) {
            fault(c, op, "the memory is not there");
        }
        break;
    default:
        break;
    }
    switch (kind) {
    case OP_FOR:
    case OP_WHILE:
        walk_loop(c, op, state);
        return;
    case OP_IF:
        walk_branches(c, op, state);
        return;
    case OP_SPECIALISE:
        walk_roles(c, op, state);
        return;
    case OP_TENSOR_ALLOC:
        take(c, op);
        meet(state);
        return;
    case OP_TENSOR_FREE:
        meet(state);
        give_back(c, op, state);
        return;
    case OP_TENSOR_DOT:
        multiply(c, op, state);
        return;
    case OP_TENSOR_WAIT:
        wait(op, state);
        return;
    case OP_TENSOR_LOAD:
        load(c, op, state);
        return;
    case OP_TENSOR_STORE:
    case OP_TENSOR_RESCALE:
        store(c, op, state);
        return;
    case OP_BARRIER:
        if (!op_has(op, ATTR_EACH_WARP)) {
            meet(state);
        }
        return;
    default:
        return;
    }
}

static void walk_block(struct check *c, MlirBlock block, struct state *state) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        walk_op(c, op, state);
    }
}

// ---- two roles ----

// With a role for products, buffers go from one role to the other. In each role every path takes a buffer, uses it, and hands
// it over, in this order; the two use the same barriers, crosswise.
struct role {
    bool has, ahead;         // a buffer; this role starts products
    MlirValue takes, passes; // its barriers; null: none met yet
};

static void same_barriers(struct check *c, MlirOperation op, MlirValue *known, MlirValue barriers) {
    if (!mlirValueIsNull(*known) && !mlirValueEqual(*known, barriers)) {
        fault(c, op, "its role has other barriers for the same");
    }
    *known = barriers;
}

static void follow_role(struct check *c, MlirBlock block, struct role *role);

// Each region begins and ends with as much as the op around it.
static void follow_regions(struct check *c, MlirOperation op, struct role *role) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        bool before = role->has;
        if (!mlirBlockIsNull(op_body(op, (int)r))) {
            follow_role(c, op_body(op, (int)r), role);
        }
        if (role->has != before) {
            fault(c, op, "a path through it takes a buffer, or hands one over, alone");
            role->has = before;
        }
    }
}

// The role of the products is one warp's: it has no tile but slots, and meets nobody.
static bool needs_warps(struct check *c, MlirOperation op) {
    enum op_kind kind = op_kind(c->ir, op);
    bool meets =
        kind == OP_BARRIER || kind == OP_STORE || kind == OP_BULK_STORE || kind == OP_MBARRIER_ARRIVE;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
        meets |= type_is_tensor(type) && !type_is_shared(c->ir, type);
    }
    return meets;
}

static void follow_role_op(struct check *c, MlirOperation op, struct role *role) {
    same_blocks(c, op);
    if (role->ahead && needs_warps(c, op)) {
        fault(c, op, "one warp starts products, and it needs more");
    }
    switch (op_kind(c->ir, op)) {
    case OP_TENSOR_TAKE:
        if (role->has || op_has(op, ATTR_AHEAD) != role->ahead) {
            fault(c, op, "its role has the buffer of this turn, or is the other one");
        }
        same_barriers(c, op, &role->takes, tensor_take_barriers(op));
        role->has = true;
        return;
    case OP_TENSOR_PASS:
        if (!role->has || op_has(op, ATTR_AHEAD) != role->ahead) {
            fault(c, op, "its role has no buffer to hand over, or is the other one");
        }
        same_barriers(c, op, &role->passes, tensor_pass_barriers(op));
        role->has = false;
        return;
    case OP_TENSOR_DOT:
    case OP_TENSOR_LOAD:
        if (!role->has || (op_kind(c->ir, op) == OP_TENSOR_DOT) != role->ahead) {
            fault(c, op, "its role has no buffer, or is the other one");
        }
        return;
    case OP_TENSOR_STORE:
    case OP_TENSOR_RESCALE:
    case OP_TENSOR_RELEASE:
    case OP_TENSOR_WAIT:
        fault(c, op, "a role that takes turns does not do that");
        return;
    case OP_TENSOR_FREE:
        c->free = op;
        if (role->ahead || role->has || op_int(op, ATTR_COLUMNS) != op_int(c->alloc, ATTR_COLUMNS)) {
            fault(c, op, "it does not free what was taken, behind the last turn of the role that reads");
        }
        return;
    default:
        follow_regions(c, op, role);
    }
}

static void follow_role(struct check *c, MlirBlock block, struct role *role) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (!mlirOperationIsNull(c->free)) {
            bool accesses = op_kind(c->ir, op) == OP_TENSOR_LOAD || op_kind(c->ir, op) == OP_TENSOR_TAKE;
            if (accesses && !role->ahead) {
                fault(c, op, "the memory is not there");
            }
        }
        follow_role_op(c, op, role);
    }
}

static bool arrivals_are(MlirValue barriers, int64_t arrivals) {
    return !mlirValueIsNull(barriers) && op_int(value_op(barriers), ATTR_ARRIVALS) == arrivals &&
           op_int(value_op(barriers), ATTR_COUNT) == 2;
}

// The mbarriers, or answers, behind an address: the first value of a sum.
static MlirValue ring_of(struct check *c, MlirValue address) {
    MlirOperation op = value_op(address);
    bool sum = !mlirOperationIsNull(op) && op_kind(c->ir, op) == OP_ADDI;
    return sum ? binary_left(op) : address;
}

// The number of readers of an answer: warps, or single threads.
static int64_t readers_of(struct check *c, unsigned regions) {
    enum { WITH_PRODUCTS = 3 }; // regions: the last one is a warp's, or a thread's
    int64_t warps = op_int(c->function, ATTR_NUM_WARPS), further = regions == WITH_PRODUCTS;
    if (op_has(c->function, ATTR_COUNTS_PROGRAMS)) {
        return warps * op_int(c->function, ATTR_SLICES) + further;
    }
    return (warps + 1) * op_int(c->function, ATTR_CLUSTER) + further;
}

// With launch control, or a launch's counter, each role reads every answer once, at the end of the loop over programs, and all give it back
// to one ring of barriers, which count them all; the first role alone asks. A counter's answers are its own: the others read them.
static void walk_answers(struct check *c, MlirOperation roles) {
    MlirValue answers = {NULL}, back = {NULL};
    bool counts = op_has(c->function, ATTR_COUNTS_PROGRAMS);
    unsigned reads = counts ? 1 : 0; // roles seen
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, c->context->arena, roles, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(c->ir, ops[i]);
        MlirOperation loop = mlirOperationGetParentOperation(ops[i]);
        if (kind == OP_LAUNCH_READ) {
            same_barriers(c, ops[i], &answers, ring_of(c, launch_read_answer(ops[i])));
            same_barriers(c, ops[i], &back, ring_of(c, launch_read_barrier(ops[i])));
            bool in_turn = op_kind(c->ir, loop) == OP_WHILE &&
                           mlirOperationEqual(mlirOperationGetParentOperation(loop), roles);
            if (!in_turn || !mlirBlockEqual(mlirOperationGetBlock(loop), op_body(roles, (int)reads++))) {
                fault(c, ops[i], "a role reads an answer twice, or not at the end of each program");
            }
        }
    }
    unsigned regions = (unsigned)mlirOperationGetNumRegions(roles);
    int64_t bytes = counts ? LAUNCH_TAKEN_BYTES : LAUNCH_ANSWER_BYTES;
    if (reads != regions || op_int(value_op(back), ATTR_ARRIVALS) != readers_of(c, regions) ||
        op_int(value_op(back), ATTR_COUNT) * bytes !=
            op_int(value_op(answers), ATTR_COUNT) * LAUNCH_ANSWER_BYTES) {
        fault(c, roles, "not all of its roles give answers back");
    }
}

static void walk_roles(struct check *c, MlirOperation op, struct state *state) {
    if (mlirOperationGetNumRegions(op) == 2) {
        walk_block(c, op_body(op, 1), state);
        return;
    }
    if (op_has(c->function, ATTR_TAKES_BLOCKS)) {
        walk_answers(c, op);
    }
    struct role reads = {0}, multiplies = {.ahead = true};
    if (mlirOperationIsNull(c->alloc)) {
        fault(c, op, "the memory is not there");
        return;
    }
    struct role copies = {0};
    follow_role(c, op_body(op, 0), &copies);
    follow_role(c, op_body(op, 1), &reads);
    follow_role(c, op_body(op, 2), &multiplies);
    if (!value_is(reads.takes, multiplies.passes) || !value_is(reads.passes, multiplies.takes) ||
        !arrivals_are(reads.takes, 1) ||
        !arrivals_are(reads.passes,
                      op_int(c->function, ATTR_NUM_WARPS) * op_int(c->function, ATTR_CLUSTER))) {
        fault(c, op, "its roles do not hand the same two buffers to each other");
    }
    if (mlirOperationIsNull(c->free) || !mlirBlockEqual(mlirOperationGetBlock(c->free), op_body(op, 1))) {
        fault(c, op, "it is not given back on every path");
    }
}

static bool takes_memory(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_TENSOR_ALLOC) {
            return true;
        }
    }
    return false;
}

// Roles of a function without tensor memory: their answers alone.
static void check_answers(struct check *c) {
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, c->context->arena, c->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(c->ir, ops[i]) == OP_SPECIALISE) {
            walk_answers(c, ops[i]);
        }
    }
}

void pass_check_tensor_memory(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct check c = {.context = context, .ir = context->ir, .function = op};
        if (!takes_memory(context, op)) {
            if (op_has(op, ATTR_TAKES_BLOCKS) || op_has(op, ATTR_COUNTS_PROGRAMS)) {
                check_answers(&c);
            }
            continue;
        }
        struct state *state = ARENA_NEW(context->arena, struct state);
        for (unsigned i = 0; i < TENSOR_COLUMNS; i++) {
            state->columns[i] = (struct column){.started = DONE};
        }
        walk_block(&c, op_body(op, 0), state);
        if (mlirOperationIsNull(c.free)) {
            fault(&c, c.alloc, "it is not given back");
        }
    }
}
