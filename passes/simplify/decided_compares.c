// decided_compares: comparisons of floats that bounds of their operands decide are constants.
//
//   %s = addf 1, (exp2 %x)
//   %c = cmpf olt %s, 2^-126                        →     (false)
//   %m = select %c, (mulf %s, 2^23), %s                   (%s)
//
// A logarithm's code asks for subnormal arguments and for zero, and has arithmetic for them. Softplus and logaddexp
// take the logarithm of 1 plus an exponential, which is at least 1 or NaN (facts/sign.h). An ordered comparison with
// a number below the bound is false for NaN, too.
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
        if (op_kind(context->ir, ops[i]) == OP_CMPF && is_never(context->ir, ops[i])) {
            ops[found++] = ops[i];
        }
    }
    for (size_t i = 0; i < found; i++) {
        replace_by_false(context->ir, ops[i]);
    }
}
