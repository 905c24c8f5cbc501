// decided_compares: comparisons of floats decided by bounds of their operands are constants.
//
//   %s = addf 1, (exp2 %x)
//   %c = cmpf olt %s, 2^-126                        →     (false)
//   %m = select %c, (mulf %s, 2^23), %s                   (%s)
//
// A logarithm's code asks for subnormal arguments and for zero, and has arithmetic for them. Softplus and logaddexp
// take the logarithm of 1 plus an exponential, a number of at least 1 or NaN (facts/sign.h). An ordered comparison with
// a number below the bound is false for NaN, too. `x > n` with such a number holds for all but NaN, and says nothing beside
// another ordered comparison of the same value.
//
// requires: cleanup
// provides: nothing; keeps everything
// test:     tests/golden/passes/decided_compares
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/tk_build.h"
#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/facts/sign.h"

// True if `value` < bound, <= bound or == bound, as the predicate asks, holds for no element.
static bool is_never(struct ir *ir, MlirOperation compare) {
    MlirAttribute constant = value_constant(ir, binary_right(compare));
    if (mlirAttributeIsNull(constant) || !mlirAttributeIsAFloat(constant)) {
        return false;
    }
    double bound = mlirFloatAttrGetValueDouble(constant);
    switch (op_int(compare, ATTR_PREDICATE)) {
    case FLOAT_OLT:
        return value_lower_bound(ir, binary_left(compare)) >= bound;
    case FLOAT_OLE:
    case FLOAT_OEQ:
        return value_lower_bound(ir, binary_left(compare)) > bound;
    default:
        return false;
    }
}

// True if all numbers are above the comparison's bound: it is false for NaN alone.
static bool is_always(struct ir *ir, MlirOperation compare) {
    if (op_kind(ir, compare) != OP_CMPF || op_int(compare, ATTR_PREDICATE) != FLOAT_OGT) {
        return false;
    }
    MlirAttribute constant = value_constant(ir, binary_right(compare));
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant) &&
           value_lower_bound(ir, binary_left(compare)) > mlirFloatAttrGetValueDouble(constant);
}

// True if the comparison is false for `value` = NaN.
static bool is_ordered_of(struct ir *ir, MlirOperation compare, MlirValue value) {
    if (op_kind(ir, compare) != OP_CMPF || !mlirValueEqual(binary_left(compare), value)) {
        return false;
    }
    int64_t predicate = op_int(compare, ATTR_PREDICATE);
    return predicate == FLOAT_OLT || predicate == FLOAT_OLE || predicate == FLOAT_OGT;
}

// Of two necessary comparisons of one value, the second one alone if the first holds for all numbers.
static void leave_the_other(struct ir *ir, MlirOperation both) {
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue result = mlirOperationGetOperand(both, 1 - i);
        MlirOperation first = value_op(mlirOperationGetOperand(both, i)), other = value_op(result);
        if (!mlirOperationIsNull(first) && !mlirOperationIsNull(other) && is_always(ir, first) &&
            is_ordered_of(ir, other, binary_left(first))) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(both, 0), result);
            return;
        }
    }
}

static void replace_by_false(struct ir *ir, MlirOperation compare) {
    MlirValue result = mlirOperationGetResult(compare, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(result), next; !mlirOpOperandIsNull(use); use = next) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        next = mlirOpOperandGetNextUse(use);
        if (op_kind(ir, reader) == OP_SELECT && mlirOpOperandGetOperandNumber(use) == 0) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(reader, 0), select_no(reader));
            mlirOperationDestroy(reader);
        }
    }
    if (value_has_uses(result)) {
        struct builder b = builder_before(ir, compare);
        mlirValueReplaceAllUsesOfWith(result, const_int(&b, mlirValueGetType(result), 0));
    }
    mlirOperationDestroy(compare);
}

void pass_decided_compares(struct pass_context *context, MlirModule module) {
    size_t count, found = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_ANDI) {
            leave_the_other(context->ir, ops[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_CMPF && is_never(context->ir, ops[i])) {
            ops[found++] = ops[i];
        }
    }
    for (size_t i = 0; i < found; i++) {
        replace_by_false(context->ir, ops[i]);
    }
}
