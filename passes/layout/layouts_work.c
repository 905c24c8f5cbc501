// The cost of computing an operand of a dot.
//
// Test: tests/golden/passes/layouts/dear_rows.mlir
#include "passes/layout/layouts.h"

#include "ir/build.h"

unsigned layouts_work_of(enum op_kind kind) {
    enum { CHEAP = 1, DEAR = 16 }; // operations
    switch (kind) {
    case OP_DIVF:
    case OP_REMF:
    case OP_DIV_RN:
    case OP_EXP2:
    case OP_LOG2:
    case OP_SQRT:
    case OP_SQRT_RN:
    case OP_RSQRT:
    case OP_RECIPROCAL:
    case OP_RECIPROCAL_ROOT:
        return DEAR;
    default:
        return op_traits(kind) >> COST_SHIFT > 1 ? DEAR : CHEAP;
    }
}

// The op's block's operations for each element of the tile: other tiles (of a row's or a column's numbers) have few elements.
static unsigned work_behind(struct layouts *l, struct map *seen, MlirBlock block, int64_t elements,
                            MlirValue value, int depth) {
    enum { DEEPEST = 24 };
    MlirOperation op = value_op(value);
    MlirType type = mlirValueGetType(value);
    if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block) ||
        op_kind(l->ir, op) == OP_LOAD || !type_is_tensor(type) || type_elements(type) != elements ||
        depth == DEEPEST || map_has(seen, value.ptr)) {
        return 0;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    enum op_kind kind = op_kind(l->ir, op);
    unsigned work = (op_traits(kind) & ELEMENTWISE) ? layouts_work_of(kind) : 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        work += work_behind(l, seen, block, elements, mlirOperationGetOperand(op, i), depth + 1);
    }
    return work;
}

bool layouts_is_dear(struct layouts *l, MlirOperation dot, MlirValue operand) {
    enum { DEAR = 16 };
    struct map seen = {0};
    unsigned work = work_behind(l, &seen, mlirOperationGetBlock(dot),
                                type_elements(mlirValueGetType(operand)), operand, 0);
    map_free(&seen);
    return work >= DEAR;
}
