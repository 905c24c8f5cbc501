// joined_scales: two products with constants, the first of them with a power of two, become one.
//
//   %p = mulf %x, -2
//   %q = mulf %p, 1.4427          →      %q = mulf %x, -2.8854
//
// The first product is exact, unless it overflows: with constants of at least 1 the joined product overflows there, too. So the result has
// the same bits. Base 2 exponentials of scaled arguments, exp(-2 * x), are written so.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/joined_scales
#include "passes/pass.h"

#include <float.h>
#include <math.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/tk_build.h"
#include "ir/build.h"

// A product with a constant of all elements, of f32.
struct scaling {
    MlirOperation op;
    MlirValue source;
    double constant;
};

static bool is_scaling(struct ir *ir, MlirValue value, struct scaling *scaling) {
    MlirOperation op = value_op(value);
    MlirType type = mlirValueGetType(value);
    if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_MULF ||
        !mlirTypeEqual(type_is_tensor(type) ? type_element(type) : type, type_f32(ir))) {
        return false;
    }
    for (intptr_t i = 0; i < 2; i++) {
        MlirAttribute constant = value_constant(ir, mlirOperationGetOperand(op, i));
        if (!mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)) {
            *scaling = (struct scaling){op, mlirOperationGetOperand(op, 1 - i),
                                        mlirFloatAttrGetValueDouble(constant)};
            return fabs(scaling->constant) >= 1 && isfinite(scaling->constant);
        }
    }
    return false;
}

static bool is_power_of_two(double number) {
    int exponent;
    return fabs(frexp(number, &exponent)) == 0.5;
}

static void join(struct ir *ir, MlirOperation product) {
    struct scaling outer, inner;
    MlirValue result = mlirOperationGetResult(product, 0);
    if (!is_scaling(ir, result, &outer) || !is_scaling(ir, outer.source, &inner) ||
        !is_power_of_two(inner.constant) || fabs(inner.constant * outer.constant) > FLT_MAX) {
        return;
    }
    struct builder b = builder_before(ir, product);
    b.location = mlirOperationGetLocation(product);
    MlirValue constant = const_float(&b, mlirValueGetType(result), inner.constant * outer.constant);
    mlirValueReplaceAllUsesOfWith(result, build_binary(&b, OP_MULF, inner.source, constant));
    mlirOperationDestroy(product);
    if (!value_has_uses(mlirOperationGetResult(inner.op, 0))) {
        mlirOperationDestroy(inner.op);
    }
}

void pass_joined_scales(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_MULF) {
            join(context->ir, ops[i]);
        }
    }
}
