// The functions of isa_vector.def: one a row, over all lanes.
#include "emulator/amd/amd.h"
#include "emulator/amdgcn/vector.h"
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"

#include <limits.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))

// Any function of three bits (CDNA4 ISA, "V_BITOP3_B32"): bit 4 a + 2 b + c of `table` for each.
static inline uint32_t any_of_three(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        result |= table >> i & 1 ? (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c) : 0;
    }
    return result;
}

static inline uint64_t lanes_below(unsigned lane) {
    return ((uint64_t)1 << lane) - 1;
}

static inline uint32_t field_unsigned(uint32_t x, unsigned offset, unsigned width) {
    return x >> offset & ((1u << width) - 1);
}

static inline uint32_t field_signed(uint32_t x, unsigned offset, unsigned width) {
    uint32_t field = field_unsigned(x, offset, width);
    return width && field >> (width - 1) ? field | ~((1u << width) - 1) : field;
}

static inline uint32_t saturate(int64_t x) {
    return (uint32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

static inline int32_t low_24(uint32_t x) {
    return (int32_t)(x << 8) >> 8;
}

// ---- floats ----

// V_MAX and V_MIN return the number if one operand is a NaN, and order +0 above -0.
#define EXTREMES(type, suffix)                                                                               \
    static inline type larger_##suffix(type a, type b) {                                                     \
        return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;                  \
    }                                                                                                        \
    static inline type smaller_##suffix(type a, type b) {                                                    \
        return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;                  \
    }
EXTREMES(float, f32)
EXTREMES(double, f64)

static inline float middle_f32(float a, float b, float c) {
    if (isnan(a) || isnan(b) || isnan(c)) {
        return smaller_f32(smaller_f32(a, b), c);
    }
    return larger_f32(smaller_f32(a, b), smaller_f32(larger_f32(a, b), c));
}

static inline int64_t to_integer(double x, double low, double high) {
    return isnan(x) ? 0 : (int64_t)(x < low ? low : x > high ? high : trunc(x));
}

static inline uint16_t half_toward_zero(float value) {
    uint16_t half = half_from_float(value);
    return fabsf(half_to_float(half)) > fabsf(value) && isfinite(value) ? half - 1 : half;
}

static inline double fused_half(double a, double b, double c) {
    return (double)fused_to_odd(a, b, c);
}

static inline unsigned class_of(double x, bool subnormal) {
    if (isnan(x)) {
        return 1;
    }
    unsigned size = isinf(x) ? 0 : x == 0 ? 3 : subnormal ? 2 : 1;
    return signbit(x) ? 2 + size : 9 - size;
}

static inline int exponent_of(double x) {
    int exponent = 0;
    if (isfinite(x)) {
        frexp(x, &exponent);
    }
    return exponent;
}
static inline double fraction_f64(double x) {
    int exponent;
    return isfinite(x) ? frexp(x, &exponent) : x;
}
static inline float fraction_f32(float x) {
    return (float)fraction_f64((double)x);
}

// a × b + c, rounded to odd: the last bit is set if bits were lost.
static inline double fused_odd(double a, double b, double c) {
    double product = a * b, sum = product + c;
    if (!isfinite(sum)) {
        return sum;
    }
    double back = sum - product, lost = (product - (sum - back)) + (c - back);
    if (lost != 0 && !(double_bits(sum) & 1)) {
        uint64_t bits = double_bits(sum);
        sum = double_from_bits((lost > 0) == (sum > 0) ? bits | 1 : bits - 1);
    }
    return sum;
}

// V_DIV_SCALE: scales `value` (the denominator or the numerator) out of the range in which the iteration
// would lose bits. *scaled: V_DIV_FMAS scales the quotient back, up if it is large and down if it is small.
// (The documents print 64 for a large denominator that must be scaled down.)
#define DIVIDE_SCALE(type, suffix, SCALE, FAR, TINY, LEAST, SUBNORMAL, LDEXP)                                \
    static inline type divide_scale_##suffix(type value, type denominator, type numerator, bool *scaled) {   \
        bool below = value == denominator;                                                                   \
        type quotient = numerator / denominator;                                                             \
        *scaled = false;                                                                                     \
        if (numerator == 0 || denominator == 0)                                                              \
            return (type)NAN;                                                                                \
        if (!isfinite(numerator) || !isfinite(denominator))                                                  \
            return value;                                                                                    \
        if (exponent_of(numerator) - exponent_of(denominator) >= (FAR)) {                                    \
            *scaled = true;                                                                                  \
            return below ? LDEXP(value, SCALE) : value;                                                      \
        }                                                                                                    \
        if (SUBNORMAL(denominator))                                                                          \
            return LDEXP(value, SCALE);                                                                      \
        if (SUBNORMAL(1 / denominator)) {                                                                    \
            *scaled = SUBNORMAL(quotient) || quotient == 0;                                                  \
            return !*scaled || below ? LDEXP(value, -(SCALE)) : value;                                       \
        }                                                                                                    \
        if (SUBNORMAL(quotient) || quotient == 0) {                                                          \
            *scaled = true;                                                                                  \
            return value == numerator && !below ? LDEXP(value, SCALE) : value;                               \
        }                                                                                                    \
        return exponent_of(numerator) <= (TINY) - (LEAST) ? LDEXP(value, SCALE) : value;                     \
    }
#define SUBNORMAL_F32(x) (fabsf(x) < 0x1p-126f && (x) != 0)
#define SUBNORMAL_F64(x) (fabs(x) < 0x1p-1022 && (x) != 0)
DIVIDE_SCALE(float, f32, 64, 96, 23, 126, SUBNORMAL_F32, ldexpf)
DIVIDE_SCALE(double, f64, 128, 768, 53, 1022, SUBNORMAL_F64, ldexp)

static inline float divide_fused_f32(float a, float b, float c, bool scaled) {
    if (!scaled) {
        return fmaf(a, b, c);
    }
    double exact = fused_odd((double)a, (double)b, (double)c);
    double value = ldexp(exact, fabsf(c) >= 1 ? 64 : -64);
    return (float)value;
}
static inline double divide_fused_f64(double a, double b, double c, bool scaled) {
    return scaled ? ldexp(fma(a, b, c), fabs(c) >= 1 ? 128 : -128) : fma(a, b, c);
}

#define DIVIDE_FIXUP(type, suffix, ABS, COPYSIGN)                                                            \
    static inline type divide_fixup_##suffix(type quotient, type denominator, type numerator) {              \
        type sign = COPYSIGN(1, denominator) * COPYSIGN(1, numerator);                                       \
        if (isnan(numerator) || isnan(denominator))                                                          \
            return isnan(numerator) ? numerator : denominator;                                               \
        if ((numerator == 0 && denominator == 0) || (isinf(numerator) && isinf(denominator)))                \
            return (type)NAN;                                                                                \
        if (denominator == 0 || isinf(numerator))                                                            \
            return sign * (type)INFINITY;                                                                    \
        if (numerator == 0 || isinf(denominator))                                                            \
            return sign * 0;                                                                                 \
        return isnan(quotient) ? sign * (type)INFINITY : sign * ABS(quotient);                               \
    }
DIVIDE_FIXUP(float, f32, fabsf, copysignf)
DIVIDE_FIXUP(double, f64, fabs, copysign)

// ---- sums of products ----

// One half of a pair, with its sign: op_sel chooses the half for the first product, op_sel_hi for the second.
static inline float chosen_half(const struct gcn *gcn, unsigned operand, uint32_t pair, bool second) {
    bool high = (second ? gcn->op_sel_hi : gcn->op_sel) >> operand & 1;
    bool negate = (second ? gcn->neg_hi : gcn->neg_lo) >> operand & 1;
    float value = half_to_float((uint16_t)(high ? pair >> 16 : pair));
    return negate ? -value : value;
}

static inline float dot_halves(const struct gcn *gcn, uint32_t a, uint32_t b, float sum) {
    return amd_dot_halves(chosen_half(gcn, 0, a, false), chosen_half(gcn, 1, b, false),
                          chosen_half(gcn, 0, a, true), chosen_half(gcn, 1, b, true),
                          gcn->neg_lo & 4 ? -sum : sum);
}

static inline int64_t dot_unsigned(uint32_t a, uint32_t b, unsigned width) {
    return amd_dot_integers(a, b, width, false, false);
}
static inline int64_t dot_signed(uint32_t a, uint32_t b, unsigned width) {
    return amd_dot_integers(a, b, width, true, true);
}
// On RDNA 3 and 4 neg_lo marks the signed operands.
static inline int64_t dot_mixed(const struct gcn *gcn, uint32_t a, uint32_t b, unsigned width) {
    return amd_dot_integers(a, b, width, gcn->neg_lo & 1, gcn->neg_lo & 2);
}

// ---- one function a row ----

#define LET_NONE(n, i)
#define LET_U32(n, i) uint32_t n = x->narrow[i][l];
#define LET_I32(n, i) int32_t n = (int32_t)x->narrow[i][l];
#define LET_F32(n, i) float n = float_from_bits(x->narrow[i][l]);
#define LET_U16(n, i) uint16_t n = (uint16_t)x->narrow[i][l];
#define LET_I16(n, i) int16_t n = (int16_t)x->narrow[i][l];
#define LET_F16(n, i) double n = (double)half_to_float((uint16_t)x->narrow[i][l]);
#define LET_PAIR(n, i) uint32_t n = x->narrow[i][l];
#define LET_U64(n, i) uint64_t n = x->wide[i][l];
#define LET_I64(n, i) int64_t n = (int64_t)x->wide[i][l];
#define LET_F64(n, i) double n = double_from_bits(x->wide[i][l]);
#define LET_MASK(n, i) bool n = x->mask[i] >> l & 1;
#define LET_COMPARED_i16(n, i) LET_I16(n, i)
#define LET_COMPARED_u16(n, i) LET_U16(n, i)
#define LET_COMPARED_i32(n, i) LET_I32(n, i)
#define LET_COMPARED_u32(n, i) LET_U32(n, i)
#define LET_COMPARED_i64(n, i) LET_I64(n, i)
#define LET_COMPARED_u64(n, i) LET_U64(n, i)
#define LET_COMPARED_f16(n, i) LET_F16(n, i)
#define LET_COMPARED_f32(n, i) LET_F32(n, i)
#define LET_COMPARED_f64(n, i) LET_F64(n, i)
#define PUT_U32(value) x->result[l] = (value);
#define PUT_F32(value) x->result[l] = float_bits(value);
#define PUT_U16(value) x->result[l] = (uint16_t)(value);
#define PUT_F16(value) x->result[l] = half_from_float(float_to_odd(value));
#define PUT_U64(value) x->wide_result[l] = (value);
#define PUT_F64(value) x->wide_result[l] = double_bits(value);
#define PUT_MASK(value) x->carry |= (lane_mask)((value) != 0) << l;

#define VECTOR(name, D, A, B, C, value)                                                                      \
    static void run_##name(struct lanes *x) {                                                                \
        for (unsigned l = 0; l < x->count; l++) {                                                            \
            LET_##A(a, 0) LET_##B(b, 1) LET_##C(c, 2) PUT_##D(value)                                         \
        }                                                                                                    \
    }
#define VECTOR_CARRY(name, D, A, B, C, value, bit)                                                           \
    static void run_##name(struct lanes *x) {                                                                \
        for (unsigned l = 0; l < x->count; l++) {                                                            \
            bool carry = false;                                                                              \
            LET_##A(a, 0) LET_##B(b, 1) LET_##C(c, 2) PUT_##D(value);                                        \
            carry = (bit) != 0;                                                                              \
            x->carry |= (lane_mask)carry << l;                                                               \
        }                                                                                                    \
    }
#include "emulator/amdgcn/isa_vector.def"
#undef VECTOR
#undef VECTOR_CARRY

enum {
    TYPE_COMPARED_i16 = TYPE_I16,
    TYPE_COMPARED_u16 = TYPE_U16,
    TYPE_COMPARED_i32 = TYPE_I32,
    TYPE_COMPARED_u32 = TYPE_U32,
    TYPE_COMPARED_i64 = TYPE_I64,
    TYPE_COMPARED_u64 = TYPE_U64,
    TYPE_COMPARED_f16 = TYPE_F16,
    TYPE_COMPARED_f32 = TYPE_F32,
    TYPE_COMPARED_f64 = TYPE_F64,
};

static const struct vector_row rows[] = {
#define VECTOR(name, D, A, B, C, value) {#name, run_##name, TYPE_##D, {TYPE_##A, TYPE_##B, TYPE_##C}, false},
#define VECTOR_CARRY(name, D, A, B, C, value, bit)                                                           \
    {#name, run_##name, TYPE_##D, {TYPE_##A, TYPE_##B, TYPE_##C}, true},
#include "emulator/amdgcn/isa_vector.def"
#undef VECTOR
#undef VECTOR_CARRY
};

const struct vector_row *vector_find(const char *name) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(rows[i].name, name)) {
            return &rows[i];
        }
    }
    return NULL;
}
