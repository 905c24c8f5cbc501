#include "passes/latency/branch_first.h"

#include "ir/build.h"

static void need_operands(struct map *needed, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(maker)) {
            map_put(needed, maker.ptr, maker.ptr);
        }
    }
}

// The values read by the op and all ops in it.
static void need_all(struct pass_context *context, struct map *needed, MlirOperation op) {
    size_t count;
    MlirOperation *within = ops_collect(context->ir, context->arena, op, &count);
    need_operands(needed, op);
    for (size_t i = 0; i < count; i++) {
        need_operands(needed, within[i]);
    }
}

// True if the op only computes, or is a branch of such ops.
static bool computes(struct pass_context *context, MlirOperation op) {
    size_t count;
    MlirOperation *within = ops_collect(context->ir, context->arena, op, &count);
    enum op_kind kind = op_kind(context->ir, op);
    bool all = kind == OP_IF || (op_traits(kind) & PURE);
    for (size_t i = 0; i < count && all; i++) {
        all = op_traits(op_kind(context->ir, within[i])) & (PURE | TERMINATOR);
    }
    return all;
}

// Moves the branch, and its values' ops behind `start`, ahead of `start`; false: one of them is not pure.
static bool move_ahead(struct pass_context *context, MlirOperation start, MlirOperation branch) {
    size_t count = 0;
    for (MlirOperation op = start; !mlirOperationEqual(op, branch); op = mlirOperationGetNextInBlock(op)) {
        count++;
    }
    MlirOperation *ops = ARENA_ARRAY(context->arena, MlirOperation, count);
    ops[0] = start;
    for (size_t i = 1; i < count; i++) {
        ops[i] = mlirOperationGetNextInBlock(ops[i - 1]);
    }
    struct map needed = {0};
    bool moves = true;
    need_all(context, &needed, branch);
    for (size_t i = count; i-- > 0 && moves;) {
        if (map_has(&needed, ops[i].ptr)) {
            need_all(context, &needed, ops[i]);
            moves = computes(context, ops[i]);
        }
    }
    for (size_t i = 0; i < count && moves; i++) {
        if (map_has(&needed, ops[i].ptr)) {
            mlirOperationMoveBefore(ops[i], start);
        }
    }
    if (moves) {
        mlirOperationMoveBefore(branch, start);
    }
    map_free(&needed);
    return moves;
}

void branch_first(struct pass_context *context, MlirOperation branch) {
    MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(branch));
    while (!mlirOperationEqual(op, branch) &&
           (op_kind(context->ir, op) != OP_WARPGROUP_DOT || !move_ahead(context, op, branch))) {
        op = mlirOperationGetNextInBlock(op);
    }
}
