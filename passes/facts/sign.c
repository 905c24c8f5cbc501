// Signs of floats, by a walk from a value to its definitions.
//
// Four questions, each about all numbers among a tile's elements: is no element negative, is none
// positive, is none of x above that of y, is none below a bound. The second and third are for the rescaling factors of running sums
// of weights:
//
//   %new = maxnumf %old, %row          %old is at most %new
//   %difference = subf %old, %new      never positive
//   %factor = exp2 %difference         in 0 … 1
//
// A loop-carried value has a sign if its initial value has it, and the body preserves it: during the walk of
// the body the value is assumed to have it. The walk is bounded (MOST_VALUES): beyond the bound nothing is
// known.
//
// A rounded product is monotone: x · c is at most y · c if x is at most y and c is not negative. A fused x ·
// c - (y · c) is not: the rounding error of y · c may remain. Such a difference has no sign here.
#include "passes/facts/sign.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"
#include "dialects/tk/tk_build.h"
#include "passes/facts/parts.h"

enum { MOST_VALUES = 512, MOST_CARRIED = 8 };

struct walk {
    struct ir *ir;
    int values; // values visited
    int carried_count;
    struct {
        MlirValue value;
        enum sign sign;
    } carried[MOST_CARRIED]; // by loops with a body being walked
};

static bool has_sign(struct walk *w, MlirValue value, enum sign sign);
static bool never_positive(struct walk *w, MlirValue value);

static MlirOperation made_by(struct walk *w, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(w->ir, op) == kind ? op : (MlirOperation){NULL};
}

// The constant of a scalar or of all elements of a tile; NaN without one.
static double constant_of(struct walk *w, MlirValue value) {
    MlirAttribute constant = value_constant(w->ir, value);
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)
               ? mlirFloatAttrGetValueDouble(constant)
               : NAN;
}

static bool all_have_sign(struct walk *w, MlirOperation op, intptr_t first, enum sign sign) {
    for (intptr_t i = first; i < mlirOperationGetNumOperands(op); i++) {
        if (!has_sign(w, mlirOperationGetOperand(op, i), sign)) {
            return false;
        }
    }
    return true;
}

// x + y: +0 + -0 is +0, so one operand without -0 is enough.
static bool sum_has_sign(struct walk *w, MlirValue x, MlirValue y, enum sign sign) {
    return (has_sign(w, x, sign) && has_sign(w, y, SIGN_NOT_BELOW_ZERO)) ||
           (sign == SIGN_CLEAR && has_sign(w, y, sign) && has_sign(w, x, SIGN_NOT_BELOW_ZERO));
}

static bool product_has_sign(struct walk *w, MlirValue x, MlirValue y, enum sign sign) {
    return value_is(x, y) || (has_sign(w, x, sign) && has_sign(w, y, sign));
}

// A maximum. One constant operand with the sign is enough. Another one is not, for maxnum: it drops a NaN,
// and returns the other operand.
static bool maximum_has_sign(struct walk *w, MlirOperation op, bool drops_nans, enum sign sign) {
    MlirValue x = binary_left(op), y = binary_right(op);
    for (int i = 0; i < 2; i++) {
        double constant = constant_of(w, i ? y : x);
        if (sign == SIGN_CLEAR ? constant > 0 : constant >= 0) {
            return true;
        }
    }
    if (!drops_nans && sign == SIGN_NOT_BELOW_ZERO) {
        return has_sign(w, x, sign) || has_sign(w, y, sign);
    }
    return has_sign(w, x, sign) && has_sign(w, y, sign);
}

// A select; includes x > 0 ? x : 0.
static bool choice_has_sign(struct walk *w, MlirOperation select, enum sign sign) {
    MlirValue yes = select_yes(select);
    if (!has_sign(w, select_no(select), sign)) {
        return false;
    }
    MlirOperation compare = made_by(w, select_condition(select), OP_CMPF);
    if (!mlirOperationIsNull(compare) && value_is(binary_left(compare), yes)) {
        int64_t predicate = op_int(compare, ATTR_PREDICATE);
        double bound = constant_of(w, binary_right(compare));
        bool above = predicate == FLOAT_OGT || predicate == FLOAT_UGT,
             at_least = above || predicate == FLOAT_OGE;
        if (bound > 0 && at_least) {
            return true;
        }
        if (bound == 0 && (above || (at_least && sign == SIGN_NOT_BELOW_ZERO))) {
            return true;
        }
    }
    return has_sign(w, yes, sign);
}

static bool integer_is_not_negative(struct walk *w, MlirValue value) {
    int64_t constant;
    return !mlirOperationIsNull(made_by(w, value, OP_EXTUI)) ||
           (value_is_constant_int(w->ir, value, &constant) && constant >= 0);
}

static bool reduction_has_sign(struct walk *w, MlirOperation reduce, enum sign sign) {
    if (mlirOperationGetNumOperands(reduce) != 1) {
        return false;
    }
    switch (reduce_combines_by(w->ir, reduce)) {
    case OP_ADDF:
    case OP_MULF:
    case OP_MAXNUMF:
    case OP_MAXIMUMF:
    case OP_MINNUMF:
    case OP_MINIMUMF:
        return has_sign(w, reduce_tile(reduce, 0), sign);
    default:
        return false;
    }
}

// A loop-carried value: the argument of the body, or the loop's result.
static bool carried_has_sign(struct walk *w, MlirOperation loop, intptr_t number, enum sign sign) {
    MlirValue argument = mlirBlockGetArgument(op_body(loop, 0), 1 + number);
    for (int i = 0; i < w->carried_count; i++) {
        if (value_is(w->carried[i].value, argument) && w->carried[i].sign == sign) {
            return true;
        }
    }
    if (w->carried_count == MOST_CARRIED || !has_sign(w, for_init(loop, number), sign)) {
        return false;
    }
    w->carried[w->carried_count].value = argument;
    w->carried[w->carried_count++].sign = sign;
    bool keeps = has_sign(w, yield_value(mlirBlockGetTerminator(op_body(loop, 0)), number), sign);
    w->carried_count--;
    return keeps;
}

// A power of two made by rounding: a float from 2^23 to 2^24 has an integer as its low bits, and a shift by 23 makes the last 8 an
// exponent and the one before a sign. The integer is a constant and at most another one more (an exponential's scale).
static bool power_has_sign(struct walk *w, MlirOperation bitcast) {
    MlirOperation shift = made_by(w, unary_source(bitcast), OP_SHLI);
    int64_t by = 0;
    bool single = mlirTypeIsAF32(type_element(mlirValueGetType(mlirOperationGetResult(bitcast, 0))));
    if (!single || mlirOperationIsNull(shift) || !value_is_constant_int(w->ir, binary_right(shift), &by) ||
        by != 23) {
        return false;
    }
    MlirOperation bits = made_by(w, binary_left(shift), OP_BITCAST);
    MlirOperation sum = mlirOperationIsNull(bits) ? bits : made_by(w, unary_source(bits), OP_FMA);
    if (mlirOperationIsNull(sum) || mlirOperationIsNull(made_by(w, fma_x(sum), OP_FMA_SATURATED))) {
        return false;
    }
    double most = constant_of(w, fma_y(sum)), least = constant_of(w, fma_addend(sum));
    if (!(most >= 0 && least >= 0x1p23 && least + most < 0x1p24)) { // NaN: not known
        return false;
    }
    uint32_t low = (uint32_t)least >> 8, high = (uint32_t)(least + most) >> 8;
    return low == high && (low & 1) == 0;
}

static bool argument_has_sign(struct walk *w, MlirValue value, enum sign sign) {
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    return op_kind(w->ir, around) == OP_FOR && number > 0 && carried_has_sign(w, around, number - 1, sign);
}

static bool has_sign(struct walk *w, MlirValue value, enum sign sign) {
    if (++w->values > MOST_VALUES) {
        return false;
    }
    double constant = constant_of(w, value);
    if (!isnan(constant)) {
        return constant >= 0 && (sign == SIGN_NOT_BELOW_ZERO || !signbit(constant));
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return argument_has_sign(w, value, sign);
    }
    enum op_kind kind = op_kind(w->ir, op);
    switch (kind) {
    case OP_EXP2:
    case OP_ABSF:
    case OP_UITOFP:
    case OP_FMA_SATURATED:
        return true;
    case OP_BITCAST:
        return power_has_sign(w, op);
    case OP_SITOFP:
        return integer_is_not_negative(w, unary_source(op));
    case OP_SQRT: // -0 for -0, NaN for negative numbers
    case OP_SQRT_RN:
        return sign == SIGN_NOT_BELOW_ZERO || has_sign(w, unary_source(op), sign);
    case OP_RSQRT:
    case OP_RECIPROCAL:
    case OP_RECIPROCAL_ROOT:
        return has_sign(w, unary_source(op), SIGN_CLEAR);
    case OP_DIVF:
    case OP_DIV_RN:
        return has_sign(w, binary_right(op), SIGN_CLEAR) && has_sign(w, binary_left(op), sign);
    case OP_MULF:
        return product_has_sign(w, binary_left(op), binary_right(op), sign);
    case OP_RESCALE:
        return product_has_sign(w, rescale_tile(op), rescale_factor(op), sign);
    case OP_ADDF:
        return sum_has_sign(w, binary_left(op), binary_right(op), sign);
    case OP_FMA: // as for a sum, with the product as one operand
        return (product_has_sign(w, fma_x(op), fma_y(op), sign) &&
                has_sign(w, fma_addend(op), SIGN_NOT_BELOW_ZERO)) ||
               (product_has_sign(w, fma_x(op), fma_y(op), SIGN_NOT_BELOW_ZERO) &&
                has_sign(w, fma_addend(op), sign));
    case OP_MAXNUMF:
    case OP_MAXIMUMF:
        return maximum_has_sign(w, op, op_kind(w->ir, op) == OP_MAXNUMF, sign);
    case OP_SELECT:
    case OP_RARELY:
        return choice_has_sign(w, op, sign);
    case OP_COPYSIGN:
        return has_sign(w, binary_right(op), sign);
    case OP_REDUCE:
    case OP_PARTIAL_REDUCE:
        return reduction_has_sign(w, op, sign);
    case OP_FOR:
        return carried_has_sign(w, op, mlirOpResultGetResultNumber(value), sign);
    case OP_IF:
        return has_sign(
                   w, yield_value(mlirBlockGetTerminator(op_body(op, 0)), mlirOpResultGetResultNumber(value)),
                   sign) &&
               has_sign(
                   w, yield_value(mlirBlockGetTerminator(op_body(op, 1)), mlirOpResultGetResultNumber(value)),
                   sign);
    case OP_GATHER:
        return has_sign(w, gather_source(op), sign);
    case OP_MINNUMF:
    case OP_MINIMUMF:
    case OP_JOIN:
    case OP_SPLIT:
    case OP_EXTF:
    case OP_TRUNCF:
    case OP_FP_TO_FP:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_TRUNC:
    case OP_ROUNDEVEN:
        return all_have_sign(w, op, 0, sign);
    default:
        return op_rearranges(kind) && has_sign(w, unary_source(op), sign);
    }
}

// ---- differences ----

// Strips a layout conversion from *x or *y, or the same change of shape from both. False if there is none.
static bool same_shape(struct walk *w, MlirValue *x, MlirValue *y) {
    MlirOperation a = made_by(w, *x, OP_CONVERT_LAYOUT), b = made_by(w, *y, OP_CONVERT_LAYOUT);
    if (!mlirOperationIsNull(a) || !mlirOperationIsNull(b)) {
        *x = mlirOperationIsNull(a) ? *x : unary_source(a);
        *y = mlirOperationIsNull(b) ? *y : unary_source(b);
        return true;
    }
    a = value_op(*x), b = value_op(*y);
    if (mlirOperationIsNull(a) || mlirOperationIsNull(b) || op_kind(w->ir, a) != op_kind(w->ir, b) ||
        !op_rearranges(op_kind(w->ir, a))) {
        return false;
    }
    MlirType from = mlirValueGetType(unary_source(a));
    if (!ops_alike(a, b) || !mlirTypeEqual(from, mlirValueGetType(unary_source(b)))) {
        return false;
    }
    *x = unary_source(a), *y = unary_source(b);
    return true;
}

// True if the condition means `value` is -inf (with `is` false: it is not).
static bool asks_for_lowest(struct walk *w, MlirValue condition, MlirValue value, bool is) {
    MlirOperation compare = made_by(w, condition, OP_CMPF);
    if (mlirOperationIsNull(compare) || !value_is(binary_left(compare), value)) {
        return false;
    }
    double constant = constant_of(w, binary_right(compare));
    int64_t predicate = op_int(compare, ATTR_PREDICATE);
    return isinf(constant) && constant < 0 &&
           (is ? predicate == FLOAT_OEQ : predicate == FLOAT_ONE || predicate == FLOAT_UNE);
}

// True if no element of x is above that of y, NaNs aside. `strictly`: also, y is NaN only beside a NaN of x.
static bool at_most(struct walk *w, MlirValue x, MlirValue y, bool strictly) {
    if (value_is(x, y)) {
        return true;
    }
    if (++w->values > MOST_VALUES) {
        return false;
    }
    MlirOperation op = value_op(y);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(w->ir, op);
    if (kind == OP_MAXNUMF) { // drops a NaN, and facts about it
        return at_most(w, x, binary_left(op), true) || at_most(w, x, binary_right(op), true);
    }
    if (kind == OP_MAXIMUMF && !strictly) {
        return at_most(w, x, binary_left(op), false) || at_most(w, x, binary_right(op), false);
    }
    if (kind == OP_SELECT || kind == OP_RARELY) {
        MlirValue yes = select_yes(op), no = select_no(op);
        if (at_most(w, x, no, strictly) && asks_for_lowest(w, select_condition(op), no, true) &&
            !isnan(constant_of(w, yes))) { // x is -inf there, too, or NaN
            return true;
        }
        if (at_most(w, x, yes, strictly) && asks_for_lowest(w, select_condition(op), yes, false) &&
            !isnan(constant_of(w, no))) {
            return true;
        }
        return at_most(w, x, yes, strictly) && at_most(w, x, no, strictly);
    }
    MlirValue inner_x = x, inner_y = y;
    if (same_shape(w, &inner_x, &inner_y)) {
        return at_most(w, inner_x, inner_y, strictly);
    }
    MlirOperation left = made_by(w, x, OP_MULF);
    if (kind != OP_MULF || mlirOperationIsNull(left) || strictly) {
        return false;
    }
    for (intptr_t i = 0; i < 4; i++) { // the common factor
        MlirValue factor = mlirOperationGetOperand(left, i / 2);
        if (value_is(factor, mlirOperationGetOperand(op, i % 2)) &&
            has_sign(w, factor, SIGN_NOT_BELOW_ZERO) &&
            at_most(w, mlirOperationGetOperand(left, 1 - i / 2), mlirOperationGetOperand(op, 1 - i % 2),
                    false)) {
            return true;
        }
    }
    return false;
}

static bool never_positive(struct walk *w, MlirValue value) {
    if (++w->values > MOST_VALUES) {
        return false;
    }
    double constant = constant_of(w, value);
    if (!isnan(constant)) {
        return constant <= 0;
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return false;
    }
    enum op_kind kind = op_kind(w->ir, op);
    switch (kind) {
    case OP_SUBF:
        return at_most(w, binary_left(op), binary_right(op), false) ||
               (constant_of(w, binary_left(op)) <= 0 && has_sign(w, binary_right(op), SIGN_NOT_BELOW_ZERO));
    case OP_NEGF:
        return has_sign(w, unary_source(op), SIGN_NOT_BELOW_ZERO);
    case OP_MULF:
        for (intptr_t i = 0; i < 2; i++) {
            if (has_sign(w, mlirOperationGetOperand(op, i), SIGN_NOT_BELOW_ZERO)) {
                return never_positive(w, mlirOperationGetOperand(op, 1 - i));
            }
        }
        return false;
    case OP_MINNUMF: // a NaN beside a constant gives the constant
        return constant_of(w, binary_left(op)) <= 0 || constant_of(w, binary_right(op)) <= 0 ||
               (never_positive(w, binary_left(op)) && never_positive(w, binary_right(op)));
    case OP_SELECT:
    case OP_RARELY:
        return never_positive(w, select_yes(op)) && never_positive(w, select_no(op));
    case OP_EXTF:
    case OP_TRUNCF:
    case OP_FP_TO_FP:
        return never_positive(w, unary_source(op));
    default:
        return op_rearranges(kind) && never_positive(w, unary_source(op));
    }
}

// c / (c + x) with a positive constant c: sigmoid.
static bool is_share(struct walk *w, MlirOperation quotient) {
    double whole = constant_of(w, binary_left(quotient));
    MlirOperation sum = made_by(w, binary_right(quotient), OP_ADDF);
    for (intptr_t i = 0; whole > 0 && !isinf(whole) && !mlirOperationIsNull(sum) && i < 2; i++) {
        if (constant_of(w, mlirOperationGetOperand(sum, i)) >= whole) {
            return has_sign(w, mlirOperationGetOperand(sum, 1 - i), SIGN_NOT_BELOW_ZERO);
        }
    }
    return false;
}

static bool is_tame_factor(struct walk *w, MlirValue value) {
    if (++w->values > MOST_VALUES) {
        return false;
    }
    double constant = constant_of(w, value);
    if (!isnan(constant)) {
        return constant >= 0 && !isinf(constant);
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return false;
    }
    enum op_kind kind = op_kind(w->ir, op);
    switch (kind) {
    case OP_EXP2:
        return never_positive(w, unary_source(op));
    case OP_DIVF:
    case OP_DIV_RN:
        return is_share(w, op);
    case OP_SELECT:
    case OP_RARELY:
        return is_tame_factor(w, select_yes(op)) && is_tame_factor(w, select_no(op));
    case OP_EXTF:
        return is_tame_factor(w, unary_source(op));
    default:
        return op_rearranges(kind) && is_tame_factor(w, unary_source(op));
    }
}

// ---- lower bounds ----

static double lower_bound(struct walk *w, MlirValue value);

// x + y with y never negative: rounding is monotone, so the sum is not below x's bound.
static double sum_bound(struct walk *w, MlirOperation sum) {
    double bound = -INFINITY;
    for (intptr_t i = 0; i < 2; i++) {
        if (has_sign(w, mlirOperationGetOperand(sum, i), SIGN_NOT_BELOW_ZERO)) {
            bound = fmax(bound, lower_bound(w, mlirOperationGetOperand(sum, 1 - i)));
        }
    }
    return bound;
}

static double lower_bound(struct walk *w, MlirValue value) {
    if (++w->values > MOST_VALUES) {
        return -INFINITY;
    }
    double constant = constant_of(w, value);
    if (!isnan(constant)) {
        return constant;
    }
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(w->ir, op);
    switch (kind) {
    case OP_ADDF:
        return sum_bound(w, op);
    case OP_MAXIMUMF:
        return fmax(lower_bound(w, binary_left(op)), lower_bound(w, binary_right(op)));
    case OP_SELECT:
    case OP_RARELY:
        return fmin(lower_bound(w, select_yes(op)), lower_bound(w, select_no(op)));
    case OP_EXTF:
        return lower_bound(w, unary_source(op));
    default:
        if (op_rearranges(kind)) {
            return lower_bound(w, unary_source(op));
        }
        return has_sign(w, value, SIGN_NOT_BELOW_ZERO) ? 0 : -INFINITY;
    }
}

double value_lower_bound(struct ir *ir, MlirValue value) {
    return lower_bound(&(struct walk){.ir = ir}, value);
}

bool value_has_sign(struct ir *ir, MlirValue value, enum sign sign) {
    return has_sign(&(struct walk){.ir = ir}, value, sign);
}

bool value_is_never_positive(struct ir *ir, MlirValue value) {
    return never_positive(&(struct walk){.ir = ir}, value);
}

bool value_is_tame_factor(struct ir *ir, MlirValue value) {
    return is_tame_factor(&(struct walk){.ir = ir}, value);
}
