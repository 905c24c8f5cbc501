// joined_scales: two products with constants become one, if the first is with a power of two, or only exponentials read the second.
//
//   %p = mulf %x, -2
//   %q = mulf %p, 1.4427          →      %q = mulf %x, -2.8854
//
// The first product is exact, unless it overflows: with constants of at least 1 the joined product overflows there, too. So the result has
// the same bits. Base 2 exponentials of scaled arguments, exp(-2 * x), are written so.
//
//   %p = mulf %x, -1.702
//   %q = mulf %p, 1.4427          →      %q = mulf %x, -2.4555
//   %e = exp2 %q                         %e = exp2 %q
//
// Here the joined constant is rounded, not the first product: two roundings either way (src/decisions/numerics.md). Both constants are from
// 2^-32 to 2^32 in size, so that the exponential of a first product that overflows is infinite or 0 in both forms, and that of a subnormal one 1.
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
            return true;
        }
    }
    return false;
}

static bool is_power_of_two(double number) {
    int exponent;
    return fabs(frexp(number, &exponent)) == 0.5;
}

// True if the joined product has the same bits.
static bool is_exact(const struct scaling *inner, const struct scaling *outer) {
    return fabs(inner->constant) >= 1 && fabs(outer->constant) >= 1 && is_power_of_two(inner->constant) &&
           fabs(inner->constant * outer->constant) <= FLT_MAX;
}

static bool is_moderate(double constant) {
    return fabs(constant) >= 0x1p-32 && fabs(constant) <= 0x1p32;
}

// True if only exponentials read the outer product, and only this one reads the inner product or its negation.
static bool is_exponent(struct ir *ir, const struct scaling *inner, const struct scaling *outer) {
    if (!is_moderate(inner->constant) || !is_moderate(outer->constant) || !value_has_one_use(outer->source) ||
        !value_has_one_use(mlirOperationGetResult(inner->op, 0))) {
        return false;
    }
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(outer->op, 0));
    while (!mlirOpOperandIsNull(use) && op_kind(ir, mlirOpOperandGetOwner(use)) == OP_EXP2) {
        use = mlirOpOperandGetNextUse(use);
    }
    return mlirOpOperandIsNull(use);
}

static void join(const struct pass_context *context, MlirOperation product) {
    struct ir *ir = context->ir;
    struct scaling outer, inner;
    MlirValue result = mlirOperationGetResult(product, 0);
    if (!is_scaling(ir, result, &outer)) {
        return;
    }
    MlirOperation negation = value_op(outer.source);
    bool negates = !mlirOperationIsNull(negation) && op_kind(ir, negation) == OP_NEGF;
    MlirValue source = negates ? unary_source(negation) : outer.source;
    if (!is_scaling(ir, source, &inner) || !((!negates && is_exact(&inner, &outer)) ||
                                             (context->fp_contract && is_exponent(ir, &inner, &outer)))) {
        return;
    }
    outer.constant = negates ? -outer.constant : outer.constant;
    struct builder b = builder_before(ir, product);
    b.location = mlirOperationGetLocation(product);
    MlirValue constant = const_float(&b, mlirValueGetType(result), inner.constant * outer.constant);
    mlirValueReplaceAllUsesOfWith(result, build_binary(&b, OP_MULF, inner.source, constant));
    mlirOperationDestroy(product);
    if (negates && !value_has_uses(mlirOperationGetResult(negation, 0))) {
        mlirOperationDestroy(negation);
    }
    if (!value_has_uses(mlirOperationGetResult(inner.op, 0))) {
        mlirOperationDestroy(inner.op);
    }
}

void pass_joined_scales(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_MULF) {
            join(context, ops[i]);
        }
    }
}
