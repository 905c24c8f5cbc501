// The backward slice of loads: the ops and iteration arguments their operands depend on. An iteration
// argument needs the value yielded for it in the previous iteration.
#include "passes/pipeline/slice.h"

static bool add(struct slice *s, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->body) || number == 0 ||
            s->carried[number - 1]) {
            return true;
        }
        s->carried[number - 1] = true;
        return add(s, mlirOperationGetOperand(mlirBlockGetTerminator(s->body), number - 1));
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), s->body) || map_has(&s->ops, op.ptr)) {
        return true;
    }
    if (!s->runs_ahead(s->ir, op)) {
        s->obstacle = op;
        return false;
    }
    map_put(&s->ops, op.ptr, (void *)op.ptr);
    return slice_add_operands(s, op);
}

bool slice_add_operands(struct slice *s, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!add(s, mlirOperationGetOperand(op, i))) {
            return false;
        }
    }
    return true;
}
