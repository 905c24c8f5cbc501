// bounded_divisors: division by a sum apart from 0 takes three or four instructions instead of eight (NVIDIA).
//
//   %s = addf %e, 1                   %s = fma %e, 0.25, 0.25
//   %q = divf 1, %s            →      %r = tk.reciprocal %s
//                                     %q = mulf %r, 0.25
//
// The approximate quotient of f32 (div.full) compares its divisor with 2^126 and 2^-126 to scale both operands, because the reciprocal takes
// and gives only normal numbers. A divisor of at least 2^-124 can always be scaled by a quarter, and the largest then has a normal
// reciprocal. Scaling by a power of two is exact, so the result has the same bits, infinite sums and NaN included.
// Logistic functions are 1 / (1 + exp(-x)).
//
// A dividend, unless constant, is scaled, too, if the divisor's scaling is free (x / (1 + exp(-x))). Below 2^-124 it may lose two bits:
// 2^-148 of the quotient at most, 2 ulp there (src/decisions/numerics.md).
//
// Where nobody sees a quotient with a reciprocal below 2^-126 (`flushes`, flush_unseen), nothing is scaled: the reciprocal of such a divisor is 0.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/bounded_divisors
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/tk_build.h"
#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/facts/sign.h"

// A sum with a constant below HALF_LAST_PLACE, half the last place of the largest number, is infinite only if its other side is.
static const double SCALE = 0.25, LEAST = 0x1p-124, SMALLEST_NORMAL = 0x1p-126, HALF_LAST_PLACE = 0x1p103;

// The constant of all elements; NaN without one.
static double constant_of(struct ir *ir, MlirValue value) {
    MlirAttribute constant = value_constant(ir, value);
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)
               ? mlirFloatAttrGetValueDouble(constant)
               : NAN;
}

static bool can_be_scaled(double constant) {
    return fabs(constant) * SCALE >= SMALLEST_NORMAL && isfinite(constant);
}

static MlirValue scale_of(struct builder *b, MlirValue value) {
    return const_float(b, mlirValueGetType(value), SCALE);
}

// The number of the constant operand, if a fused operation scales the sum and adds at once; -1 otherwise.
static int addend_of(struct ir *ir, MlirValue divisor) {
    MlirOperation sum = value_op(divisor);
    bool adds = !mlirOperationIsNull(sum) && op_kind(ir, sum) == OP_ADDF && value_has_one_use(divisor);
    for (int i = 0; i < 2 && adds; i++) {
        double constant = constant_of(ir, mlirOperationGetOperand(sum, i));
        if (can_be_scaled(constant) && fabs(constant) < HALF_LAST_PLACE) {
            return i;
        }
    }
    return -1;
}

// The divisor, scaled: with a fused operation if it is the sum with a constant.
static MlirValue scaled(struct builder *b, MlirValue divisor) {
    int number = addend_of(b->ir, divisor);
    if (number < 0) {
        return build_binary(b, OP_MULF, divisor, scale_of(b, divisor));
    }
    MlirOperation sum = value_op(divisor);
    MlirValue other = mlirOperationGetOperand(sum, 1 - number);
    double constant = constant_of(b->ir, mlirOperationGetOperand(sum, number));
    MlirValue addend = const_float(b, mlirValueGetType(other), constant * SCALE);
    return VALUE(b, OP_FMA, OPERANDS(other, scale_of(b, other), addend), RESULTS(mlirValueGetType(divisor)),
                 NO_ATTRS);
}

// x / d is x times the reciprocal; 1 / d the reciprocal itself.
static void rewrite_flushed(struct ir *ir, MlirOperation quotient) {
    struct builder b = builder_before(ir, quotient);
    b.location = mlirOperationGetLocation(quotient);
    MlirValue result = mlirOperationGetResult(quotient, 0), dividend = binary_left(quotient);
    MlirValue reciprocal = VALUE(&b, OP_RECIPROCAL, OPERANDS(binary_right(quotient)),
                                 RESULTS(mlirValueGetType(result)), NO_ATTRS);
    bool is_one = constant_of(ir, dividend) == 1;
    mlirValueReplaceAllUsesOfWith(result,
                                  is_one ? reciprocal : build_binary(&b, OP_MULF, reciprocal, dividend));
    mlirOperationDestroy(quotient);
}

static void rewrite(struct ir *ir, MlirOperation quotient) {
    struct builder b = builder_before(ir, quotient);
    b.location = mlirOperationGetLocation(quotient);
    MlirValue result = mlirOperationGetResult(quotient, 0), divisor = binary_right(quotient);
    MlirType type = mlirValueGetType(result);
    double constant = constant_of(ir, binary_left(quotient));
    MlirValue dividend = isnan(constant)
                             ? build_binary(&b, OP_MULF, binary_left(quotient), scale_of(&b, result))
                             : const_float(&b, type, constant * SCALE);
    MlirValue small = scaled(&b, divisor);
    MlirValue reciprocal = VALUE(&b, OP_RECIPROCAL, OPERANDS(small), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(result, build_binary(&b, OP_MULF, reciprocal, dividend));
    mlirOperationDestroy(quotient);
    if (!value_has_uses(divisor)) {
        mlirOperationDestroy(value_op(divisor));
    }
}

static bool fits(struct ir *ir, MlirOperation op) {
    if (op_kind(ir, op) != OP_DIVF) {
        return false;
    }
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    MlirType element = type_is_tensor(type) ? type_element(type) : type;
    double constant = constant_of(ir, binary_left(op));
    bool scales = isnan(constant) ? addend_of(ir, binary_right(op)) >= 0 : can_be_scaled(constant);
    return mlirTypeEqual(element, type_f32(ir)) && scales && value_lower_bound(ir, binary_right(op)) >= LEAST;
}

void pass_bounded_divisors(struct pass_context *context, MlirModule module) {
    if (context->target->vendor != VENDOR_NVIDIA) {
        return;
    }
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_DIVF && op_has(ops[i], ATTR_FLUSHES)) {
            rewrite_flushed(context->ir, ops[i]);
        } else if (fits(context->ir, ops[i])) {
            rewrite(context->ir, ops[i]);
        }
    }
}
