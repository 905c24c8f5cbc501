// The order in which the dimensions of a tile of addresses go to registers and lanes: the contiguous
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

// UNKNOWN: any step; likely not 1.
enum { NO_STEP = 0, UNKNOWN = 2, FAR = 1 << 20, DEPTH = 64 };

static int64_t nearer(int64_t a, int64_t b) {
    return a == NO_STEP ? b : b == NO_STEP || a < b ? a : b;
}

static int64_t step(struct layouts *l, MlirValue value, int dim, int depth);

// The factor constant along the dimension gives the distance of neighbours.
static int64_t step_of_product(struct layouts *l, MlirOperation op, int dim, int depth) {
    int64_t steps[2];
    for (int i = 0; i < 2; i++) {
        steps[i] = step(l, mlirOperationGetOperand(op, i), dim, depth);
    }
    if (steps[0] != NO_STEP && steps[1] != NO_STEP) {
        return UNKNOWN;
    }
    int moves = steps[0] == NO_STEP;
    struct axis_info factor = axis_of(&l->axis, mlirOperationGetOperand(op, !moves));
    int64_t product = steps[moves] * (factor.divisibility[dim] > 1 ? factor.divisibility[dim] : UNKNOWN);
    return product > FAR ? FAR : product;
}

// The distance in elements of neighbours along the dimension, as far as known; NO_STEP if they are equal.
static int64_t step(struct layouts *l, MlirValue value, int dim, int depth) {
    MlirType type = mlirValueGetType(value);
    MlirOperation op = value_op(value);
    if (!type_is_tensor(type) || type_extent(type, dim) == 1) {
        return NO_STEP;
    }
    if (mlirOperationIsNull(op)) { // a loop-carried value starts as its initial value
        MlirBlock block = mlirBlockArgumentGetOwner(value);
        MlirOperation loop = mlirBlockGetParentOperation(block);
        intptr_t at = mlirBlockArgumentGetArgNumber(value);
        bool carried = op_kind(l->ir, loop) == OP_FOR && at > 0 && depth < DEPTH;
        return carried ? step(l, for_init(loop, at - 1), dim, depth + 1) : UNKNOWN;
    }
    enum op_kind kind = op_kind(l->ir, op);
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
        return step(l, first, dim, depth + 1);
    case OP_REMSI:
    case OP_REMUI: { // of a number the facts would have known a long run
        int64_t apart = step(l, first, dim, depth + 1);
        bool by_number = !mlirAttributeIsNull(value_constant(l->ir, binary_right(op)));
        return apart == 1 && by_number ? UNKNOWN : apart;
    }
    case OP_EXPAND_DIMS: {
        int axis = (int)op_int(op, ATTR_AXIS);
        return step(l, first, dim - (dim > axis), depth + 1);
    }
    case OP_ADDPTR:
    case OP_ADDI:
    case OP_SUBI: {
        int64_t left = step(l, first, dim, depth + 1);
        return nearer(left, step(l, binary_right(op), dim, depth + 1));
    }
    case OP_MULI:
        return step_of_product(l, op, dim, depth + 1);
    default:
        return UNKNOWN;
    }
}

// True if the tile, or a value computed from its elements, is reduced along this dimension and no other.
static bool is_reduced(struct layouts *l, MlirValue tile, int dim, int depth) {
    bool any = false;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(l->ir, user);
        bool passes_on = (op_traits(kind) & ELEMENTWISE) && mlirOperationGetNumResults(user) == 1;
        if (kind == OP_REDUCE && op_int(user, ATTR_AXIS) != dim) {
            return false;
        }
        any |= kind == OP_REDUCE ||
               (passes_on && depth < DEPTH && is_reduced(l, mlirOperationGetResult(user, 0), dim, depth + 1));
    }
    return any;
}

// If neighbours share no memory sector along either dimension, lanes may run along any: then along the
// dimension not reduced, so that each thread reduces its own registers without an exchange.
void layouts_order_reduced(struct layouts *l, MlirOperation load, unsigned order[]) {
    enum { SECTOR_BYTES = 32 };
    MlirValue pointer = load_pointer(load), tile = mlirOperationGetResult(load, 0);
    MlirType type = mlirValueGetType(tile);
    struct axis_info info = axis_of(&l->axis, pointer);
    int64_t apart = SECTOR_BYTES * 8 / type_bits(type_element(type));
    if (type_rank(type) == 2 && info.contiguity[0] == 1 && info.contiguity[1] == 1 &&
        type_extent(type, (int)order[1]) >= l->context->target->warp_size &&
        step(l, pointer, 0, 0) >= apart && step(l, pointer, 1, 0) >= apart &&
        is_reduced(l, tile, (int)order[0], 0)) {
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
        int64_t far = step(l, pointer, i, 0);
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
