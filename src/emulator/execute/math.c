// Mathematical functions. Single and smaller precisions are computed in double and rounded once (through
// round-to-odd for the 16-bit formats), so results are correctly rounded except in rare halfway cases of the
// transcendental functions. A device's approximate instructions differ by the bounds in their documents.
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"

static double minimum_nan(double x, double y) {
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    return x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}
static double maximum_nan(double x, double y) {
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    return x == y ? (signbit(x) ? y : x) : x > y ? x : y;
}

double math_unary(enum math_function function, double x) {
    switch (function) {
    case MATH_ABS:
        return fabs(x);
    case MATH_FLOOR:
        return floor(x);
    case MATH_CEIL:
        return ceil(x);
    case MATH_TRUNC:
        return trunc(x);
    case MATH_RINT:
        return rint(x);
    case MATH_ROUND:
        return round(x);
    case MATH_SQRT:
        return sqrt(x);
    case MATH_RSQRT:
        return 1 / sqrt(x);
    case MATH_RECIPROCAL:
        return 1 / x;
    case MATH_EXP:
        return exp(x);
    case MATH_EXP2:
        return exp2(x);
    case MATH_LOG:
        return log(x);
    case MATH_LOG2:
        return log2(x);
    case MATH_SIN:
        return sin(x);
    case MATH_COS:
        return cos(x);
    case MATH_TANH:
        return tanh(x);
    case MATH_FRACT:
        return fmin(x - floor(x), 0x1.fffffep-1);
    case MATH_SIN_TURNS:
        return sin(x * 6.283185307179586476925);
    case MATH_COS_TURNS:
        return cos(x * 6.283185307179586476925);
    default:
        return x;
    }
}

double math_binary(enum math_function function, double x, double y) {
    switch (function) {
    case MATH_MIN: // IEEE 754-2008 minNum: a NaN gives way to a number
        return isnan(x) ? y : isnan(y) ? x : minimum_nan(x, y);
    case MATH_MAX:
        return isnan(x) ? y : isnan(y) ? x : maximum_nan(x, y);
    case MATH_MIN_NAN:
        return minimum_nan(x, y);
    case MATH_MAX_NAN:
        return maximum_nan(x, y);
    case MATH_COPYSIGN:
        return copysign(x, y);
    case MATH_DIVIDE:
        return x / y;
    case MATH_ADD:
        return x + y;
    case MATH_MULTIPLY:
        return x * y;
    default:
        return x;
    }
}

static double flush(double x, unsigned element) {
    return element == ELEMENT_FLOAT && fabs(x) < 0x1p-126 ? copysign(0, x) : x;
}

void exec_math_unary(struct warp *warp, const struct instr *in, void *dst) {
    const void *from = source(warp, in, 0);
    enum math_function function = (enum math_function)(in->immediate & 255);
    bool flushes = in->immediate & MATH_FLUSH;
    for (uint32_t i = 0; i < in->total; i++) {
        double x = element_load(from, in->element, i);
        double y = math_unary(function, flushes ? flush(x, in->element) : x);
        element_store(dst, in->element, i, flushes ? flush(y, in->element) : y);
    }
    if (function != MATH_ABS && function != MATH_IDENTITY) {
        canonical_nans(warp, in, dst);
    }
}

// cvt.rna.tf32.f32 (PTX ISA, "cvt"): a float in, its tf32 bits out.
void exec_round_tf32(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *from = source(warp, in, 0);
    uint32_t *to = dst;
    for (uint32_t i = 0; i < in->total; i++) {
        to[i] = float_bits(tf32_round(float_from_bits(from[i])));
    }
}

void exec_math_binary(struct warp *warp, const struct instr *in, void *dst) {
    const void *left = source(warp, in, 0), *right = source(warp, in, 1);
    enum math_function function = (enum math_function)(in->immediate & 255);
    bool flushes = in->immediate & MATH_FLUSH;
    for (uint32_t i = 0; i < in->total; i++) {
        double x = element_load(left, in->element, i), y = element_load(right, in->element, i);
        if (flushes) {
            x = flush(x, in->element);
            y = flush(y, in->element);
        }
        // A double quotient, sum or product rounded to float is the float operation's result: 53 ≥ 2 × 24
        // + 2.
        double z = math_binary(function, x, y);
        element_store(dst, in->element, i, flushes ? flush((float)z, in->element) : z);
    }
    if (function != MATH_COPYSIGN) {
        canonical_nans(warp, in, dst);
    }
}

void exec_fma(struct warp *warp, const struct instr *in, void *dst) {
    const void *a = source(warp, in, 0), *b = source(warp, in, 1), *c = source(warp, in, 2);
    for (uint32_t i = 0; i < in->total; i++) {
        switch (in->element) {
        case ELEMENT_FLOAT:
            ((float *)dst)[i] = fmaf(((const float *)a)[i], ((const float *)b)[i], ((const float *)c)[i]);
            break;
        case ELEMENT_DOUBLE:
            ((double *)dst)[i] = fma(((const double *)a)[i], ((const double *)b)[i], ((const double *)c)[i]);
            break;
        default: {
            float sum = fused_to_odd(element_load(a, in->element, i), element_load(b, in->element, i),
                                     element_load(c, in->element, i));
            ((uint16_t *)dst)[i] =
                in->element == ELEMENT_HALF ? half_from_float(sum) : bfloat_from_float(sum);
        }
        }
    }
    canonical_nans(warp, in, dst);
}

// llvm.is.fpclass: the mask's bits are LLVM's FPClassTest.
void exec_float_class(struct warp *warp, const struct instr *in, void *dst) {
    unsigned test = (unsigned)in->operands[1].constant;
    for (uint32_t i = 0; i < in->total; i++) {
        double x = element_load(source(warp, in, 0), in->source_element, i);
        double smallest = in->source_element == ELEMENT_HALF     ? 0x1p-14
                          : in->source_element == ELEMENT_DOUBLE ? 0x1p-1022
                                                                 : 0x1p-126;
        bool negative = signbit(x);
        unsigned class = isnan(x)             ? 3
                         : isinf(x)           ? (negative ? 1 << 2 : 1 << 9)
                         : x == 0             ? (negative ? 1 << 5 : 1 << 6)
                         : fabs(x) < smallest ? (negative ? 1 << 4 : 1 << 7)
                                              : (negative ? 1 << 3 : 1 << 8);
        ((uint8_t *)dst)[i] = (class & test) != 0;
    }
}
