// Dots issued in another iteration than their own: a clone of the dot with other operands, and its wait.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

// Clones an iteration's view of a slot, and the views built on it, for another slot's number. A view from
// outside the loop stays.
static MlirValue view_of(struct specialise *s, struct builder *b, MlirValue view, MlirBlock body,
                         MlirValue slot) {
    MlirOperation op = value_op(view);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), body)) {
        return view;
    }
    if (op_kind(s->ir, op) == OP_SMEM_SLOT) {
        return VALUE(b, OP_SMEM_SLOT, OPERANDS(smem_slot_buffer(op), slot), RESULTS(mlirValueGetType(view)),
                     NO_ATTRS);
    }
    MlirAttribute order = op_attribute(op, ATTR_ORDER);
    return VALUE(b, OP_SMEM_TRANS, OPERANDS(view_of(s, b, smem_trans_slot(op), body, slot)),
                 RESULTS(mlirValueGetType(view)), ATTRS(attr(b, ATTR_ORDER, order)));
}

MlirValue started(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue left, MlirValue slot,
                  MlirValue sum) {
    MlirValue view = view_of(s, b, dot_b(dot), mlirOperationGetBlock(dot), slot);
    MlirOperation clone = mlirOperationClone(dot);
    build_insert(b, clone);
    set_dot_a(clone, left);
    set_dot_b(clone, view);
    set_dot_c(clone, sum);
    op_set_unit(s->ir, clone, ATTR_AHEAD);
    return mlirOperationGetResult(clone, 0);
}

MlirValue landed(struct builder *b, MlirValue value, int pending) {
    return VALUE(b, OP_DOT_WAIT, OPERANDS(value), RESULTS(mlirValueGetType(value)),
                 ATTRS(attr_i32(b, ATTR_PENDING, pending)));
}
