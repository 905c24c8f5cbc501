// Dots that a schedule starts in another iteration than their own: the same dot with other operands, and its wait.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

// The view of a slot that an iteration has made, and views of it, with another slot's number. What is from outside the loop stays.
static MlirValue view_of(struct specialise *s, struct builder *b, MlirValue view, MlirBlock body,
                         MlirValue slot) {
    MlirOperation op = value_op(view);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), body)) {
        return view;
    }
    if (op_kind(s->ir, op) == OP_SMEM_SLOT) {
        return VALUE(b, "tk.smem_slot", OPERANDS(mlirOperationGetOperand(op, 0), slot),
                     RESULTS(mlirValueGetType(view)), NO_ATTRS);
    }
    MlirAttribute order = op_attribute(op, ATTR_ORDER);
    return VALUE(b, "tk.smem_trans", OPERANDS(view_of(s, b, mlirOperationGetOperand(op, 0), body, slot)),
                 RESULTS(mlirValueGetType(view)), ATTRS(attr(b, ATTR_ORDER, order)));
}

MlirValue started(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue left, MlirValue slot,
                  MlirValue sum) {
    MlirValue view = view_of(s, b, mlirOperationGetOperand(dot, 1), mlirOperationGetBlock(dot), slot);
    MlirOperation clone = mlirOperationClone(dot);
    build_insert(b, clone);
    mlirOperationSetOperand(clone, 0, left);
    mlirOperationSetOperand(clone, 1, view);
    mlirOperationSetOperand(clone, 2, sum);
    op_set_unit(s->ir, clone, ATTR_AHEAD);
    return mlirOperationGetResult(clone, 0);
}

MlirValue landed(struct builder *b, MlirValue value, int pending) {
    return VALUE(b, "tk.dot_wait", OPERANDS(value), RESULTS(mlirValueGetType(value)),
                 ATTRS(attr_i32(b, ATTR_PENDING, pending)));
}
