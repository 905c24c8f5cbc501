// The sign of an integer, as far as the program shows it while it is emitted: positive, or not negative.
#include "dialects/tk/tk.h"
#include "dialects/tk/words.h"
#include "frontend/semantics/emit.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// The least that an integer may be, read as a signed one: 1, 0, or -1 for unknown. Sums and products are taken to stay in
// their type.
static int least(struct ir *ir, MlirValue value, int depth) {
    enum { UNKNOWN = -1, DEPTH = 8 };
    int64_t number;
    MlirOperation op = value_op(value);
    if (value_is_constant_int(ir, value, &number)) {
        return number < 0 ? UNKNOWN : number > 0;
    }
    if (mlirOperationIsNull(op) || depth == DEPTH) {
        return UNKNOWN;
    }
    enum op_kind kind = op_kind(ir, op);
    int a = UNKNOWN, b = UNKNOWN;
    bool counted = false;
    if (mlirOperationGetNumOperands(op) == 2) {
        MlirValue right = binary_right(op);
        a = least(ir, binary_left(op), depth + 1);
        b = least(ir, right, depth + 1);
        counted = value_is_constant_int(ir, right, &number) && number > 0;
    }
    switch (kind) {
    case OP_NUM_PROGRAMS:
        return 1;
    case OP_PROGRAM_ID:
        return 0;
    case OP_HINT:
    case OP_EXTSI:
        return least(ir, unary_source(op), depth + 1);
    case OP_EXTUI:
        return least(ir, unary_source(op), depth + 1) > 0;
    case OP_SELECT:
        return smaller(least(ir, select_yes(op), depth + 1), least(ir, select_no(op), depth + 1));
    case OP_ADDI:
        return a < 0 || b < 0 ? UNKNOWN : a + b > 0;
    case OP_MULI:
    case OP_MINSI:
        return smaller(a, b);
    case OP_MAXSI:
        return a > b ? a : b;
    case OP_ANDI:
        return a < 0 && b < 0 ? UNKNOWN : 0;
    case OP_DIVSI:
        return a >= 0 && counted ? 0 : UNKNOWN;
    case OP_DIVUI:
        return counted && (number > 1 || a >= 0) ? 0 : UNKNOWN;
    case OP_REMUI:
    case OP_SHRUI:
        return counted ? 0 : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

// True if the source assumes a positive number, in an earlier tl.assume of this block or without a condition.
static bool is_assumed_positive(struct emitter *e, MlirValue value) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation compare = mlirOpOperandGetOwner(use);
        int64_t bound;
        if (op_kind(e->ir, compare) != OP_CMPI || !value_is(binary_left(compare), value) ||
            !value_is_constant_int(e->ir, binary_right(compare), &bound)) {
            continue;
        }
        int64_t predicate = op_int(compare, ATTR_PREDICATE);
        bool positive = (predicate == INT_SGT && bound >= 0) || (predicate == INT_SGE && bound >= 1);
        MlirValue condition = mlirOperationGetResult(compare, 0);
        for (MlirOpOperand told = mlirValueGetFirstUse(condition); positive && !mlirOpOperandIsNull(told);
             told = mlirOpOperandGetNextUse(told)) {
            MlirOperation assume = mlirOpOperandGetOwner(told);
            MlirBlock block = mlirOperationGetBlock(assume);
            MlirOperation parent = mlirBlockGetParentOperation(block);
            bool reaches = mlirBlockEqual(block, e->builder.block) ||
                           (!mlirOperationIsNull(parent) && op_kind(e->ir, parent) == OP_FUNC);
            if (op_kind(e->ir, assume) == OP_ASSUME && reaches) {
                return true;
            }
        }
    }
    return false;
}

bool emit_is_not_negative(struct emitter *e, struct value v) {
    return least(e->ir, v.tensor.value, 0) >= 0;
}

bool emit_is_positive(struct emitter *e, struct value v) {
    return least(e->ir, v.tensor.value, 0) > 0 || is_assumed_positive(e, v.tensor.value);
}
