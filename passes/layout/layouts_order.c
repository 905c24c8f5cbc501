// The order of the dimensions of a tile of addresses in registers and lanes: the contiguous
// dimension first.
//
// Mostly the axis facts decide. If they find no contiguous run along any dimension, the address expressions
// do. Along a dimension multiplied by a stride divisible by 16, neighbours are at least 16 elements apart. A
// dimension multiplied by an unknown number may be the contiguous one, and an unmultiplied one likely is.
//
//   x + (channel * 3136)[None, :] + (row * 56)[:, None] + column[:, None]     lanes run down dimension 0
//   x + (i % n)[:, None] + (row * n)[None, :]                                 here too
//
// Requires: axis facts. Test: tests/golden/passes/layouts/strided.mlir
#include "passes/layout/layouts.h"

#include "ir/build.h"
#include "passes/facts/value_work.h"

// UNKNOWN: any step; likely not 1.
enum { NO_STEP = 0, UNKNOWN = 2, FAR = 1 << 20, DEPTH = 64 };

static int64_t nearer(int64_t a, int64_t b) {
    return a == NO_STEP ? b : b == NO_STEP || a < b ? a : b;
}

// The values known already, by dimension: value → its step + 1.
struct steps {
    struct layouts *l;
    struct map known[LAYOUT_MAX_RANK];
};

static int64_t step(struct steps *s, MlirValue value, int dim, int depth);

// The factor constant along the dimension gives the distance of neighbours.
static int64_t step_of_product(struct steps *s, MlirOperation op, int dim, int depth) {
    int64_t steps[2];
    for (int i = 0; i < 2; i++) {
        steps[i] = step(s, mlirOperationGetOperand(op, i), dim, depth);
    }
    if (steps[0] != NO_STEP && steps[1] != NO_STEP) {
        return UNKNOWN;
    }
    int moves = steps[0] == NO_STEP;
    struct axis_info factor = axis_of(&s->l->axis, mlirOperationGetOperand(op, !moves));
    int64_t product = steps[moves] * (factor.divisibility[dim] > 1 ? factor.divisibility[dim] : UNKNOWN);
    return product > FAR ? FAR : product;
}

// The distance in elements of neighbours along the dimension, as far as known; NO_STEP if they are equal.
static int64_t find_step(struct steps *s, MlirValue value, int dim, int depth) {
    MlirType type = mlirValueGetType(value);
    MlirOperation op = value_op(value);
    if (!type_is_tensor(type) || type_extent(type, dim) == 1) {
        return NO_STEP;
    }
    if (mlirOperationIsNull(op)) { // a loop-carried value starts as its initial value
        MlirBlock block = mlirBlockArgumentGetOwner(value);
        MlirOperation loop = mlirBlockGetParentOperation(block);
        intptr_t at = mlirBlockArgumentGetArgNumber(value);
        bool carried = op_kind(s->l->ir, loop) == OP_FOR && at > 0 && depth < DEPTH;
        return carried ? step(s, for_init(loop, at - 1), dim, depth + 1) : UNKNOWN;
    }
    enum op_kind kind = op_kind(s->l->ir, op);
    MlirValue first = operand_or_null(op, at_leading_operand);
    if (depth >= DEPTH) {
        return UNKNOWN;
    }
    switch (kind) {
    case OP_RANGE:
        return 1;
    case OP_SPLAT:
    case OP_CONSTANT:
        return NO_STEP;
    case OP_BROADCAST:
    case OP_EXTSI:
    case OP_EXTUI:
    case OP_HINT:
        return step(s, first, dim, depth + 1);
    case OP_REMSI:
    case OP_REMUI: { // of a number the facts would have known a long run
        int64_t apart = step(s, first, dim, depth + 1);
        bool by_number = !mlirAttributeIsNull(value_constant(s->l->ir, binary_right(op)));
        return apart == 1 && by_number ? UNKNOWN : apart;
    }
    case OP_EXPAND_DIMS: {
        int axis = (int)op_int(op, ATTR_AXIS);
        return step(s, first, dim - (dim > axis), depth + 1);
    }
    case OP_ADDPTR:
    case OP_ADDI:
    case OP_SUBI: {
        int64_t left = step(s, first, dim, depth + 1);
        return nearer(left, step(s, binary_right(op), dim, depth + 1));
    }
    case OP_MULI:
        return step_of_product(s, op, dim, depth + 1);
    default:
        return UNKNOWN;
    }
}

static int64_t step(struct steps *s, MlirValue value, int dim, int depth) {
    const void *known = map_get(&s->known[dim], value.ptr);
    if (known) {
        return (intptr_t)known - 1;
    }
    int64_t found = find_step(s, value, dim, depth);
    map_put(&s->known[dim], value.ptr, (void *)(intptr_t)(found + 1));
    return found;
}

static int64_t step_along(struct layouts *l, MlirValue value, int dim) {
    struct steps s = {.l = l};
    int64_t found = step(&s, value, dim, 0);
    for (int i = 0; i < LAYOUT_MAX_RANK; i++) {
        map_free(&s.known[i]);
    }
    return found;
}

// Notes how the value is reduced; adds the values computed from its elements, if it is not reduced along another dimension.
static bool visit_reduced(struct layouts *l, struct value_work *work, MlirValue value, int dim) {
    bool along = false;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_kind(l->ir, user) == OP_REDUCE) {
            along = true;
            if (op_int(user, ATTR_AXIS) != dim) {
                return false;
            }
        }
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if ((op_traits(op_kind(l->ir, user)) & ELEMENTWISE) && mlirOperationGetNumResults(user) == 1) {
            value_work_add(work, mlirOperationGetResult(user, 0));
        }
    }
    return along;
}

// True if the tile, or a value computed from its elements, is reduced along this dimension and no other.
static bool is_reduced(struct layouts *l, MlirValue tile, int dim) {
    struct value_work work = {.arena = l->arena};
    bool any = false;
    value_work_add(&work, tile);
    for (MlirValue value; !any && !mlirValueIsNull(value = value_work_take(&work));) {
        any = visit_reduced(l, &work, value, dim);
    }
    value_work_free(&work);
    return any;
}

// If neighbours share no memory sector along either dimension, lanes may run along any: then along the
// dimension not reduced: each thread reduces its own registers without an exchange.
void layouts_order_reduced(struct layouts *l, MlirOperation load, unsigned order[]) {
    enum { SECTOR_BYTES = 32 };
    MlirValue pointer = load_pointer(load), tile = mlirOperationGetResult(load, 0);
    MlirType type = mlirValueGetType(tile);
    struct axis_info info = axis_of(&l->axis, pointer);
    int64_t apart = SECTOR_BYTES * 8 / type_bits(type_element(type));
    if (type_rank(type) == 2 && info.contiguity[0] == 1 && info.contiguity[1] == 1 &&
        type_extent(type, (int)order[1]) >= l->context->target->warp_size &&
        step_along(l, pointer, 0) >= apart && step_along(l, pointer, 1) >= apart &&
        is_reduced(l, tile, (int)order[0])) {
        unsigned reduced = order[0];
        order[0] = order[1];
        order[1] = reduced;
    }
}

// Dimensions by falling contiguity of the addresses; then by rising steps; then the later dimension first.
void layouts_order(struct layouts *l, MlirValue pointer, unsigned order[]) {
    struct axis_info info = axis_of(&l->axis, pointer);
    int rank = type_rank(mlirValueGetType(pointer));
    int64_t steps[LAYOUT_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        order[i] = (unsigned)(rank - 1 - i);
        int64_t far = step_along(l, pointer, i);
        steps[i] = far == NO_STEP ? FAR : far;
    }
    for (int i = 1; i < rank; i++) {
        for (int j = i; j > 0; j--) {
            unsigned a = order[j], b = order[j - 1];
            if (info.contiguity[a] < info.contiguity[b] ||
                (info.contiguity[a] == info.contiguity[b] && steps[a] >= steps[b])) {
                break;
            }
            order[j] = b;
            order[j - 1] = a;
        }
    }
}
