// A hint holds for its operand everywhere after it, as in Triton; so tl.multiple_of(x, 16) may stand as a
// statement:
//
//   %1 = "tk.hint"(%0) {divisibility = 16}            %1 = "tk.hint"(%0) {divisibility = 16}
//   %2 = "tk.splat"(%0)                         →     %2 = "tk.splat"(%1)
//
// Runs once the function is complete: later ops in the hint's block, and ops nested in them, use the hint's
// result instead of its operand.
#include "dialects/tk/tk.h"
#include "frontend/semantics/emit.h"

static bool is_later(MlirOperation op, MlirOperation than) {
    for (MlirOperation next = mlirOperationGetNextInBlock(than); !mlirOperationIsNull(next);
         next = mlirOperationGetNextInBlock(next)) {
        if (mlirOperationEqual(next, op)) {
            return true;
        }
    }
    return false;
}

// The op itself or its ancestor in `block`; null if there is none.
static MlirOperation around_in(MlirOperation op, MlirBlock block) {
    while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
        op = mlirOperationGetParentOperation(op);
    }
    return op;
}

static void spread_hint(MlirOperation hint) {
    MlirValue known = unary_source(hint), result = mlirOperationGetResult(hint, 0);
    MlirBlock block = mlirOperationGetBlock(hint);
    for (MlirOpOperand use = mlirValueGetFirstUse(known), next; !mlirOpOperandIsNull(use); use = next) {
        MlirOperation user = mlirOpOperandGetOwner(use), outer = around_in(user, block);
        next = mlirOpOperandGetNextUse(use);
        if (!mlirOperationEqual(user, hint) && !mlirOperationIsNull(outer) && is_later(outer, hint)) {
            mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), result);
        }
    }
}

void emit_spread_hints(struct emitter *e, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(e->ir, e->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(e->ir, ops[i]) == OP_HINT) {
            spread_hint(ops[i]);
        }
    }
}
