#include "passes/facts/parts.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"

enum op_kind reduce_combines_by(struct ir *ir, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool both = mlirOperationGetNumOperands(op) == 2 && mlirValueIsABlockArgument(binary_left(op)) &&
                mlirValueIsABlockArgument(binary_right(op)) && !value_is(binary_left(op), binary_right(op));
    MlirOperation yield = mlirOperationGetNextInBlock(op);
    bool whole = both && !mlirOperationIsNull(yield) && op_kind(ir, yield) == OP_YIELD &&
                 value_is(yield_value(yield, 0), mlirOperationGetResult(op, 0));
    return whole ? op_kind(ir, op) : OP_UNKNOWN;
}

MlirType parts_of(struct pass_context *context, MlirOperation reduce) {
    MlirType from = mlirValueGetType(reduce_tile(reduce, 0));
    const struct layout *layout = type_layout(context->ir, from);
    unsigned axis = (unsigned)op_int(reduce, ATTR_AXIS);
    struct layout parts;
    if (!layout || !layout_partial_reduce(layout, axis, &parts)) {
        return (MlirType){NULL};
    }
    struct reduce_plan plan = reduce_plan(context->ir, context->target, op_num_warps(reduce), reduce);
    if (!plan.possible || layout_extent(&parts, axis) == 1) {
        return (MlirType){NULL};
    }
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < parts.rank; d++) {
        shape[d] = layout_extent(&parts, d);
    }
    return tensor_type(parts.rank, shape, type_element(from), layout_attribute(context->ir, &parts));
}

MlirValue build_parts(struct builder *b, MlirOperation reduce, MlirType parts) {
    MlirOperation copy = mlirOperationClone(reduce); // for its region
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
    mlirOperationDestroy(copy);
    struct attrs attrs =
        ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)op_int(reduce, ATTR_AXIS)), attr_unit(b, ATTR_PRODUCTS));
    attrs.count -= op_has(reduce, ATTR_PRODUCTS) ? 0 : 1;
    MlirOperation made = build_op_regions(b, OP_PARTIAL_REDUCE, OPERANDS(reduce_tile(reduce, 0)),
                                          RESULTS(parts), attrs, 1, &region);
    return mlirOperationGetResult(made, 0);
}

MlirValue parts_spread(struct builder *b, MlirType parts, unsigned axis, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return VALUE(b, OP_SPLAT, OPERANDS(value), RESULTS(parts), NO_ATTRS);
    }
    struct layout wide = layout_expand_dim(type_layout(b->ir, type), axis);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < wide.rank; d++) {
        shape[d] = layout_extent(&wide, d);
    }
    MlirType column = tensor_type(wide.rank, shape, type_element(type), layout_attribute(b->ir, &wide));
    MlirValue expanded = VALUE(b, OP_EXPAND_DIMS, OPERANDS(value), RESULTS(column),
                               ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)axis)));
    return VALUE(b, OP_BROADCAST, OPERANDS(expanded), RESULTS(parts), NO_ATTRS);
}
