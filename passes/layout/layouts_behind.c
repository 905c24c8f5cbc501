// What a value comes from: the load behind its views, the dot behind elementwise ops.
#include "passes/layout/layouts.h"

#include "ir/build.h"

MlirOperation layouts_load_behind(struct layouts *l, MlirValue value, bool *transposed) {
    *transposed = false;
    MlirOperation op = value_op(value);
    for (; !mlirOperationIsNull(op); op = value_op(unary_source(op))) {
        enum op_kind kind = op_kind(l->ir, op);
        if (kind == OP_LOAD) {
            return op;
        }
        if (kind != OP_TRANS || type_rank(mlirValueGetType(mlirOperationGetResult(op, 0))) != 2) {
            break;
        }
        const int32_t *order;
        op_i32_array(op, ATTR_ORDER, &order, l->arena);
        *transposed ^= order[0] == 1;
    }
    return (MlirOperation){NULL};
}

MlirOperation layouts_dot_behind(struct layouts *l, struct map *seen, MlirValue value, int depth) {
    enum { DEEPEST = 1000 };
    MlirOperation op = value_op(value), found = {NULL};
    if (mlirOperationIsNull(op) || depth > DEEPEST || map_has(seen, value.ptr)) {
        return found;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    enum op_kind kind = op_kind(l->ir, op);
    if (kind == OP_DOT) {
        return op;
    }
    bool passes_on = (op_traits(kind) & ELEMENTWISE) && kind != OP_LOAD;
    for (intptr_t i = 0; passes_on && mlirOperationIsNull(found) && i < mlirOperationGetNumOperands(op);
         i++) {
        found = layouts_dot_behind(l, seen, mlirOperationGetOperand(op, i), depth + 1);
    }
    return found;
}
