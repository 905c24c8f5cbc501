// Which columns of tensor memory the tiles of a function have.
//
// A tile that a loop carries is there from its first store, before the loop, to its load behind it; the result of another dot
// from the dot to the load at its wait, in the same block; a left operand from its store, before the dot, to the wait for the
// dot, or as long as the loop in which the dot runs on (tensor_late.c). Between two ops of one block everything runs that stands
// between them, so tiles whose ranges of ops do not meet are never there together. The largest tiles choose first, each the
// first free columns.
#include "passes/pipeline/tensor_columns.h"

#include "chip/tcgen05.h"
#include "ir/build.h"

bool tensor_dot_is_pending(struct ir *ir, MlirOperation op) {
    if (op_kind(ir, op) != OP_WARPGROUP_DOT) {
        return false;
    }
    MlirStringRef name = op_string(op, ATTR_INSTRUCTION);
    return mma_in_tensor_memory(mma_find(name.data, name.length));
}

static bool is_dead(struct ir *ir, MlirOperation op) {
    bool dead = (op_traits(op_kind(ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        dead &= !value_has_uses(mlirOperationGetResult(op, i));
    }
    return dead;
}

void tensor_columns_drop_dead(struct ir *ir, MlirOperation *ops, size_t count) {
    for (size_t i = count; i-- > 0;) {
        if (is_dead(ir, ops[i])) {
            mlirOperationDestroy(ops[i]);
        }
    }
}

// True if each op from the argument on to the loop's yield is one that tensor memory can do where the tile lies.
static bool comes_back(struct ir *ir, MlirValue argument) {
    MlirBlock body = mlirBlockArgumentGetOwner(argument);
    MlirValue tile = argument;
    for (;;) {
        MlirOperation user = value_has_one_use(tile) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(tile))
                                                     : (MlirOperation){NULL};
        if (mlirOperationIsNull(user) || !mlirBlockEqual(mlirOperationGetBlock(user), body)) {
            return false;
        }
        switch (op_kind(ir, user)) {
        case OP_SCF_YIELD:
            return value_is(mlirOperationGetOperand(user, mlirBlockArgumentGetArgNumber(argument) - 1), tile);
        case OP_WARPGROUP_DOT:
            if (!tensor_dot_is_pending(ir, user) || !value_is(warpgroup_dot_c(user), tile)) {
                return false;
            }
            break;
        case OP_DOT_WAIT:
            if (mlirOperationGetNumOperands(user) != 1) {
                return false;
            }
            break;
        case OP_RESCALE:
        case OP_MULF:
            break;
        default:
            return false;
        }
        tile = mlirOperationGetResult(user, 0);
    }
}

MlirValue tensor_dot_carried(struct ir *ir, MlirOperation dot) {
    MlirValue none = {NULL}, sum = warpgroup_dot_c(dot);
    MlirBlock body = mlirOperationGetBlock(dot);
    while (!mlirValueIsABlockArgument(sum)) {
        MlirOperation op = value_op(sum);
        enum op_kind kind = op_kind(ir, op);
        if (!mlirBlockEqual(mlirOperationGetBlock(op), body)) {
            return none;
        }
        if (kind == OP_DOT_WAIT) {
            sum = dot_wait_tile(op, 0);
        } else if (tensor_dot_is_pending(ir, op)) {
            sum = warpgroup_dot_c(op);
        } else if (kind == OP_RESCALE) {
            sum = rescale_tile(op);
        } else if (kind == OP_MULF) {
            sum = mlirValueIsABlockArgument(binary_left(op)) ? binary_left(op) : binary_right(op);
        } else {
            return none;
        }
    }
    bool loop = mlirBlockEqual(mlirBlockArgumentGetOwner(sum), body) &&
                op_kind(ir, mlirBlockGetParentOperation(body)) == OP_FOR &&
                mlirBlockArgumentGetArgNumber(sum) > 0;
    return loop && comes_back(ir, sum) ? sum : none;
}

// ---- ranges ----

struct plan {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation *ops;
    size_t count;
    struct map numbers; // op → its number, plus 1
    struct tensor_columns *out;
};

static size_t number_of(const struct plan *p, MlirOperation op) {
    return (size_t)(uintptr_t)map_get(&p->numbers, op.ptr) - 1;
}

static bool is_inside(MlirOperation op, MlirOperation around) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// The number of the last op inside of the op, or its own.
static size_t end_of(const struct plan *p, MlirOperation op) {
    size_t last = number_of(p, op);
    while (last + 1 < p->count && is_inside(p->ops[last + 1], op)) {
        last++;
    }
    return last;
}

// The wait behind a dot: its result's only user.
static MlirOperation wait_of(MlirOperation dot) {
    MlirValue result = mlirOperationGetResult(dot, 0);
    return value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : dot;
}

static void add_tile(struct plan *p, const void *key, enum tensor_part part, MlirOperation first,
                     MlirOperation last, unsigned columns) {
    for (size_t i = 0; i < p->out->count; i++) {
        if (p->out->tiles[i].key == key && p->out->tiles[i].part == part) {
            return;
        }
    }
    p->out->tiles[p->out->count++] = (struct tensor_tile){
        .key = key, .part = part, .first = number_of(p, first), .last = end_of(p, last), .columns = columns};
}

static unsigned columns_of(MlirType type) {
    return (unsigned)(type_extent(type, 0) / TENSOR_ROWS * type_extent(type, 1));
}

static unsigned scale_columns(MlirValue scales) {
    MlirType type = mlirValueGetType(scales);
    return tcgen05_scale_columns(type_extent(type, 0), type_extent(type, 1));
}

static void add_dot(struct plan *p, MlirOperation dot) {
    MlirValue carried = tensor_dot_carried(p->ir, dot);
    MlirType type = mlirValueGetType(mlirOperationGetResult(dot, 0));
    MlirType left = mlirValueGetType(warpgroup_dot_a(dot));
    if (!mlirValueIsNull(carried)) {
        MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(carried));
        MlirValue result = mlirOperationGetResult(loop, mlirBlockArgumentGetArgNumber(carried) - 1);
        MlirOperation user =
            value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : loop;
        add_tile(p, carried.ptr, TENSOR_SUMS, loop, op_kind(p->ir, user) == OP_DOT_WAIT ? user : loop,
                 columns_of(type));
    } else {
        add_tile(p, dot.ptr, TENSOR_SUMS, dot, wait_of(dot), columns_of(type));
    }
    MlirOperation last = wait_of(dot), loop = mlirOperationGetParentOperation(dot);
    bool goes_on = op_kind(p->ir, last) == OP_SCF_YIELD; // beside the next step of the loop
    if (!type_is_shared(p->ir, left)) {
        add_tile(p, dot.ptr, TENSOR_LEFT, goes_on ? loop : dot, goes_on ? loop : last,
                 columns_of(left) * TENSOR_LEFT_BITS / 32);
    }
    // Whoever starts the next product writes over them behind this one; no other tile may.
    if (!mlirValueIsNull(warpgroup_dot_a_scale(dot))) {
        add_tile(p, dot.ptr, TENSOR_SCALES, p->ops[0], p->ops[p->count - 1],
                 scale_columns(warpgroup_dot_a_scale(dot)) + scale_columns(warpgroup_dot_b_scale(dot)));
    }
}

// The tiles of both loops of a link become the first one's.
static void join_tiles(struct plan *p, const struct tensor_link *link) {
    struct tensor_columns *out = p->out;
    for (size_t i = 0; i < out->count; i++) {
        if (out->tiles[i].key == link->from.ptr) {
            out->tiles[i].also = link->to.ptr;
            out->tiles[i].first = number_of(p, link->first);
            out->tiles[i].last = end_of(p, link->second);
        } else if (out->tiles[i].key == link->to.ptr) {
            out->tiles[i--] = out->tiles[--out->count];
        }
    }
}

// ---- columns ----

static bool meet(const struct tensor_tile *a, const struct tensor_tile *b) {
    return a->first <= b->last && b->first <= a->last;
}

// The first columns that no tile before it has at the same time.
static void place(struct tensor_columns *out, size_t number) {
    struct tensor_tile *tile = &out->tiles[number];
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < number; i++) {
            const struct tensor_tile *other = &out->tiles[i];
            if (meet(tile, other) && tile->column < other->column + other->columns &&
                other->column < tile->column + tile->columns) {
                tile->column = other->column + other->columns;
                moved = true;
            }
        }
    }
    unsigned end = tile->column + tile->columns;
    out->taken = end > out->taken ? end : out->taken;
}

// The largest first, those of a size in the order of the program.
static void sort(struct tensor_columns *out) {
    for (size_t i = 1; i < out->count; i++) {
        struct tensor_tile tile = out->tiles[i];
        size_t at = i;
        for (; at > 0 && out->tiles[at - 1].columns < tile.columns; at--) {
            out->tiles[at] = out->tiles[at - 1];
        }
        out->tiles[at] = tile;
    }
}

struct tensor_columns tensor_columns_plan(struct pass_context *context, MlirOperation *ops, size_t count,
                                          const struct tensor_link *links, size_t link_count) {
    struct tensor_columns out = {0};
    struct plan p = {.context = context, .ir = context->ir, .ops = ops, .count = count, .out = &out};
    size_t dots = 0;
    for (size_t i = 0; i < count; i++) {
        map_put(&p.numbers, ops[i].ptr, (void *)(uintptr_t)(i + 1));
        dots += tensor_dot_is_pending(context->ir, ops[i]);
    }
    out.tiles = ARENA_ARRAY(context->arena, struct tensor_tile, 3 * dots + 1);
    for (size_t i = 0; i < count && dots > 0; i++) {
        if (tensor_dot_is_pending(context->ir, ops[i])) {
            add_dot(&p, ops[i]);
        }
    }
    for (size_t i = 0; i < link_count; i++) {
        join_tiles(&p, &links[i]);
    }
    sort(&out);
    for (size_t i = 0; i < out.count; i++) {
        place(&out, i);
    }
    if (out.taken > TENSOR_COLUMNS) {
        bug("sums of %u columns of tensor memory", out.taken);
    }
    map_free(&p.numbers);
    return out;
}

static int column_of(const struct tensor_columns *columns, const void *key, enum tensor_part part) {
    for (size_t i = 0; i < columns->count; i++) {
        bool same = columns->tiles[i].key == key || (key && columns->tiles[i].also == key);
        if (same && columns->tiles[i].part == part) {
            return (int)columns->tiles[i].column;
        }
    }
    return -1;
}

int tensor_columns_of(const struct tensor_columns *columns, const void *key) {
    int column = column_of(columns, key, TENSOR_SUMS);
    if (column < 0) {
        bug("a tile without columns of tensor memory");
    }
    return column;
}

int tensor_columns_left(const struct tensor_columns *columns, MlirOperation dot) {
    int column = column_of(columns, dot.ptr, TENSOR_LEFT);
    return column < 0 ? 0 : column;
}

int tensor_columns_scales(const struct tensor_columns *columns, MlirOperation dot) {
    int column = column_of(columns, dot.ptr, TENSOR_SCALES);
    if (column < 0) {
        bug("scales without columns of tensor memory");
    }
    return column;
}
