#include "passes/facts/operand_layout.h"

#include "ir/build.h"

struct layout operand_layout(struct ir *ir, struct arena *arena, MlirOperation op, intptr_t index,
                             const struct layout *result) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, index));
    int64_t shape[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK];
    const int32_t *values;
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d);
    }
    switch (op_kind(ir, op)) {
    case OP_BROADCAST: {
        struct layout all = layout_broadcast_operand(result, shape);
        return layout_remove_replicas(&all);
    }
    case OP_EXPAND_DIMS:
        return layout_expand_dim_operand(result, (unsigned)op_int(op, ATTR_AXIS));
    case OP_RESHAPE:
        return layout_reshape(result, (unsigned)type_rank(type), shape);
    case OP_TRANS: {
        intptr_t count = op_i32_array(op, ATTR_ORDER, &values, arena);
        for (intptr_t i = 0; i < count; i++) {
            order[i] = (unsigned)values[i];
        }
        return layout_trans_operand(result, order);
    }
    case OP_JOIN: {
        struct layout half;
        unsigned bit;
        return layout_split(result, &half, &bit) ? half : *result;
    }
    default:
        return *result;
    }
}
