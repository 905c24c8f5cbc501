// Dimensions of operands, for passes computing a tile in parts along one of its dimensions.
//
// test: tests/golden/passes/halved_columns, tests/golden/passes/repeated_rows
#include "passes/facts/dimensions.h"

#include "ir/build.h"

int dimension_of_operand(struct ir *ir, struct arena *arena, MlirOperation op, intptr_t operand, int dim) {
    const int32_t *order;
    switch (op_kind(ir, op)) {
    case OP_EXPAND_DIMS: {
        int axis = (int)op_int(op, ATTR_AXIS);
        return dim == axis ? -1 : dim - (dim > axis);
    }
    case OP_TRANS:
        op_i32_array(op, ATTR_ORDER, &order, arena);
        return order[dim];
    case OP_DOT: // a has the result's rows, b its columns
        return operand == (dim == type_rank(mlirValueGetType(dot_c(op))) - 1 ? at_dot_a : at_dot_b) ? -1
                                                                                                    : dim;
    default:
        return dim;
    }
}

bool dimension_is_whole(MlirValue value, int dim) {
    MlirType type = mlirValueGetType(value);
    return !type_is_tensor(type) || dim < 0 || type_extent(type, dim) == 1;
}

MlirType dimension_cut(MlirType type, int dim, int64_t by) {
    int64_t shape[LAYOUT_MAX_RANK];
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d) / (d == dim ? by : 1);
    }
    return tensor_type(type_rank(type), shape, type_element(type), (MlirAttribute){NULL});
}
