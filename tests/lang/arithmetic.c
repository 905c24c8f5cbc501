// Operators. 128-bit integers hold every exact result; stores keep the low bits.
#include "lang.h"

#include <math.h>

enum { N = 256 };

static bool is_unsigned(struct lang_run *r, unsigned a) {
    return r->test->arguments[a].element >= U8 && r->test->arguments[a].element <= U64;
}

static bool reals(struct lang_run *r, unsigned a) {
    return element_is_real(r->test->arguments[a].element);
}

static void add_sub_mul(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (reals(r, 0)) {
            double a = real(r, 0, i), b = real(r, 1, i);
            put_real(r, 2, i, a + b);
            put_real(r, 3, i, a - b);
            put_real(r, 4, i, a * b);
        } else {
            uint64_t a = (uint64_t)integer(r, 0, i), b = (uint64_t)integer(r, 1, i);
            put_bits(r, 2, i, a + b);
            put_bits(r, 3, i, a - b);
            put_bits(r, 4, i, a * b);
        }
    }
}

static void divide_integers(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (is_unsigned(r, 0)) {
            put_bits(r, 2, i, bits(r, 0, i) / bits(r, 1, i));
            put_bits(r, 3, i, bits(r, 0, i) % bits(r, 1, i));
        } else {
            put_integer(r, 2, i, integer(r, 0, i) / integer(r, 1, i));
            put_integer(r, 3, i, integer(r, 0, i) % integer(r, 1, i));
        }
    }
}

static void divide_by_constants(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        int64_t a = integer(r, 0, i);
        put_integer(r, 1, i, a / 7);
        put_integer(r, 1, 256 + i, a % 7);
        put_integer(r, 1, 512 + i, a / 8);
        put_integer(r, 1, 768 + i, a % 8);
        put_integer(r, 1, 1024 + i, (int32_t)(a + 4) / 5);
    }
}

static void divide_true(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, real(r, 0, i) / real(r, 1, i));
    }
}

static void divide_rows(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, real(r, 0, i) / real(r, 1, i / 16));
    }
}

static void remainder_float(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, fmod(real(r, 0, i), real(r, 1, i)));
    }
}

static void logic(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        int64_t a = integer(r, 0, i), b = integer(r, 1, i);
        put_integer(r, 2, i, a & b);
        put_integer(r, 3, i, a | b);
        put_integer(r, 4, i, a ^ b);
        put_integer(r, 5, i, r->test->arguments[0].element == I1 ? !a : ~a);
    }
}

static void shifts(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_bits(r, 2, i, bits(r, 0, i) << integer(r, 1, i));
        if (is_unsigned(r, 0)) {
            put_bits(r, 3, i, bits(r, 0, i) >> integer(r, 1, i));
        } else {
            put_integer(r, 3, i, integer(r, 0, i) >> integer(r, 1, i));
        }
    }
}

static void shifts_constant(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_bits(r, 1, i, bits(r, 0, i) << 3);
        if (is_unsigned(r, 0)) {
            put_bits(r, 2, i, bits(r, 0, i) >> 2);
        } else {
            put_integer(r, 2, i, integer(r, 0, i) >> 2);
        }
    }
}

static void negate(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (reals(r, 0)) {
            put_real(r, 1, i, -real(r, 0, i));
        } else {
            put_bits(r, 1, i, 0 - bits(r, 0, i));
        }
    }
}

static void negate_known(struct lang_run *r) {
    for (size_t i = 0; i < 3 * N; i++) {
        put_real(r, 0, i, -0.0);
    }
}

// By codes, infinities and NaNs too. A format with one zero and one NaN, 0 and 0x80, keeps them.
static void signs_of_f8(struct lang_run *r) {
    enum element element = r->test->arguments[0].element;
    for (size_t i = 0; i < N; i++) {
        uint64_t code = bits(r, 0, i);
        bool stays = (element == E5M2Z || element == E4M3Z) && (code & 0x7f) == 0;
        put_bits(r, 1, i, stays ? code : code ^ 0x80);
        put_bits(r, 1, N + i, stays ? code : code & 0x7f);
    }
}

static void known_negative_zeros(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        bool inside = i < 40;
        put_real(r, 1, i, -0.0);
        put_real(r, 1, 64 + i, inside ? real(r, 0, i) : -0.0);
        put_real(r, 1, 128 + i, i % 2 ? real(r, 0, i) : -0.0);
        put_real(r, 1, 192 + i, real(r, 0, i)); // -0.0 changes no sum, not even one of zeros
        put_real(r, 1, 256 + i, real(r, 0, i) * -0.0);
    }
}

static void absolute(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (reals(r, 0)) {
            put_real(r, 1, i, fabs(real(r, 0, i)));
        } else {
            put_bits(r, 1, i, integer(r, 0, i) < 0 && !is_unsigned(r, 0) ? 0 - bits(r, 0, i) : bits(r, 0, i));
        }
    }
}

static void put_comparisons(struct lang_run *r, size_t i, bool equal, bool less, bool greater) {
    put_integer(r, 2, i, equal);
    put_integer(r, 2, 256 + i, !equal);
    put_integer(r, 2, 512 + i, less);
    put_integer(r, 2, 768 + i, less || equal);
    put_integer(r, 2, 1024 + i, greater);
    put_integer(r, 2, 1280 + i, greater || equal);
}

static void compare(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (reals(r, 0)) {
            double a = real(r, 0, i), b = real(r, 1, i);
            put_comparisons(r, i, a == b, a<b, a> b);
        } else if (is_unsigned(r, 0)) {
            uint64_t a = bits(r, 0, i), b = bits(r, 1, i);
            put_comparisons(r, i, a == b, a<b, a> b);
        } else {
            int64_t a = integer(r, 0, i), b = integer(r, 1, i);
            put_comparisons(r, i, a == b, a<b, a> b);
        }
    }
}

// A NaN beside a number gives the number; -0 and +0 may come out either way.
static void smaller_and_larger(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        bool first;
        if (reals(r, 0)) {
            double a = real(r, 0, i), b = real(r, 1, i);
            if (a == 0 && b == 0) {
                put_any(r, 2, i);
                put_any(r, 3, i);
                continue;
            }
            put_real(r, 2, i, fmin(a, b));
            put_real(r, 3, i, fmax(a, b));
            continue;
        } else if (is_unsigned(r, 0)) {
            first = bits(r, 0, i) < bits(r, 1, i);
        } else {
            first = integer(r, 0, i) < integer(r, 1, i);
        }
        put_bits(r, 2, i, bits(r, !first, i));
        put_bits(r, 3, i, bits(r, first, i));
    }
}

static void propagate_nan(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        if (a == 0 && b == 0) {
            put_any(r, 2, i);
            put_any(r, 3, i);
        } else {
            put_real(r, 2, i, isnan(a) || isnan(b) ? NAN : fmin(a, b));
            put_real(r, 3, i, isnan(a) || isnan(b) ? NAN : fmax(a, b));
        }
        put_real(r, 4, i, isnan(a) ? NAN : fmin(fmax(a, -1.5), 2.5));
    }
}

static void numbers_have_types(struct lang_run *r) {
    double factor = (double)1.0001f;
    for (size_t i = 0; i < N; i++) {
        double h = real(r, 0, i);
        int64_t k = integer(r, 2, i), o = (int64_t)i, least = k < 3 ? k : 3;
        put_real(r, 3, i, fmax(h, 0.5) * factor);
        put_real(r, 3, N + i, real(r, 1, i) * factor);
        put_real(r, 3, 2 * N + i, h * factor);
        put_real(r, 3, 3 * N + i, fmin(fmax(h, 1), 5) * factor);
        put_real(r, 3, 4 * N + i, 0);
        put_integer(r, 4, i, (k > 3 ? k : 3) * 100);
        put_integer(r, 4, N + i, (least < o ? least : o) * 100 + o);
    }
}

static void clamp(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, fmin(fmax(real(r, 0, i), -1.5), 2.5));
    }
}

static void select(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        if (reals(r, 0)) {
            double a = real(r, 0, i), b = real(r, 1, i);
            put_real(r, 2, i, a > b ? a : b * 2);
        } else {
            int64_t a = integer(r, 0, i), b = integer(r, 1, i);
            put_integer(r, 2, i, a > b ? a : b * 2);
        }
    }
}

static void select_mixed(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 2, i, a > 0 && i % 2 == 0 ? a : real(r, 1, i));
        put_real(r, 2, 256 + i, a > 0);
    }
}

static void logical_words(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        bool a = integer(r, 0, i) > 0, b = integer(r, 1, i) > 0;
        put_integer(r, 2, i, a && !b);
        put_integer(r, 2, 256 + i, a || b);
        put_integer(r, 2, 512 + i, a != b);
        put_integer(r, 2, 768 + i, !a);
    }
}

// Of i8 and u8 the unsigned one wins, and so of i32 and u32; i64 holds both. A constant takes the tile's
// type.
static void promote(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t a = integer(r, 0, i), b = (int64_t)bits(r, 1, i), c = integer(r, 2, i),
                d = (int64_t)bits(r, 3, i);
        double f = real(r, 5, i), g = real(r, 6, i);
        put_integer(r, 7, i, (uint8_t)(a * b));
        put_integer(r, 7, 64 + i, (int32_t)(a + c));
        put_integer(r, 7, 128 + i, (uint32_t)(c + d));
        put_integer(r, 7, 192 + i, d + integer(r, 4, i));
        put_integer(r, 7, 256 + i, (int8_t)(a + 100));
        put_integer(r, 7, 320 + i, (uint8_t)(b * 3));
        put_real(r, 8, i, float_round(F16, (double)a + f));
        put_real(r, 8, 64 + i, float_round(F32, float_round(F32, (double)c) + g));
        put_real(r, 8, 128 + i, float_round(F32, f + g));
        put_real(r, 8, 192 + i, float_round(F16, f * 0.5));
        put_real(r, 8, 256 + i, float_round(F32, float_round(F32, (double)c) * 0.5));
    }
}

static void scalar_operands(struct lang_run *r) {
    double k = (double)scalar(r, 2), f = real(r, 3, 0);
    for (size_t i = 0; i < 64; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, a * k);
        put_real(r, 1, 64 + i, 2 - a);
        put_real(r, 1, 128 + i, a + f);
        put_real(r, 1, 192 + i, k + f + a * 0);
    }
}

static void scalar_arithmetic(struct lang_run *r) {
    int64_t a = scalar(r, 2), b = scalar(r, 3), c = scalar(r, 4);
    int64_t want[] = {a + b,
                      a / b,
                      a % b,
                      a * b - c,
                      a * 4 | 1,
                      a > b ? a : b,
                      a < b ? a : b,
                      (a > b ? a : b) + (b < 0 ? -b : b),
                      (a + 6) / 7,
                      a > b && b > 0,
                      a < b || !(b > 0)};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        put_integer(r, 1, i, want[i]);
    }
}

static void multiply_high(struct lang_run *r) {
    unsigned width = 8 * element_bytes(r->test->arguments[0].element);
    for (size_t i = 0; i < N; i++) {
        put_bits(r, 2, i, (uint64_t)((unsigned __int128)bits(r, 0, i) * bits(r, 1, i) >> width));
    }
}

static void fused(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i), b = real(r, 1, i), c = real(r, 2, i);
        put_real(r, 3, i,
                 r->test->arguments[0].element == F32 ? (double)fmaf((float)a, (float)b, (float)c)
                                                      : fma(a, b, c));
    }
}

static void chain(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        int32_t a = (int32_t)integer(r, 0, i);
        a = (a + 3) * 5 - (int32_t)i;
        a = ((a ^ 0x55) | 1) >> 1;
        put_integer(r, 1, i, a / 3 % 1000);
    }
}

static void broadcast_arithmetic(struct lang_run *r) {
    for (size_t i = 0; i < 16 * 32; i++) {
        double a = real(r, 0, i / 32), b = real(r, 1, i % 32);
        put_real(r, 2, i, a * b + (a - b));
    }
}

static void negative_zeros(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double a = floor(real(r, 0, i));
        put_real(r, 2, i, 1 / (0 - a));
        put_real(r, 2, 64 + i, 1 / (-a * 2));
        put_real(r, 2, 128 + i, -INFINITY);
        put_real(r, 2, 192 + i, exp2(-a * 2));
        put_real(r, 2, 256 + i, 1 / (0 - a));
        put_real(r, 2, 320 + i, 1 / (a * -3));
    }
}

static void wrap_around(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 0, i, ((int64_t)i + scalar(r, 1)) * scalar(r, 1));
        put_integer(r, 0, 64 + i, (uint8_t)(scalar(r, 2) + (int64_t)i));
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define ADD(TYPE, INPUT)                                                                                     \
    ROW("add_sub_mul_" NAME_##TYPE, add_sub_mul, add_sub_mul,                                                \
        .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE),                            \
        .arguments = {INPUT, INPUT, OUT(TYPE, N), OUT(TYPE, N), OUT(TYPE, N)})
#define DIVIDE(TYPE, LOW, HIGH)                                                                              \
    ROW("divide_" NAME_##TYPE, divide_integers, divide_integers,                                             \
        .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE),                                         \
        .arguments = {IN(TYPE, N, LOW, HIGH), NONZERO(TYPE), OUT(TYPE, N), OUT(TYPE, N)})
// Never zero.
#define NONZERO(TYPE) IN(TYPE, N, 1, 17)
#define DIVIDE_TRUE(FROM, TO, RELATIVE)                                                                      \
    ROW("divide_true_" NAME_##FROM, divide_true, divide_true, .signature = P(FROM) ", " P(FROM) ", " P(TO),  \
        .arguments = {IN(FROM, N, -90, 90), IN(FROM, N, 1, 50), OUT(TO, N)}, .relative = RELATIVE)
// Rows with zeros, infinities, NaN, subnormal, largest and smallest numbers as divisors.
#define DIVIDE_ROWS(FROM, TO, RELATIVE)                                                                      \
    ROW("divide_rows_" NAME_##FROM, divide_rows, divide_rows, .signature = P(FROM) ", " P(FROM) ", " P(TO),  \
        .arguments = {IN(FROM, N, -90, 90), SPECIAL(FROM, 16, 1, 50), OUT(TO, N)}, .relative = RELATIVE,     \
        .absolute = 1e-37)
#define LOGIC(TYPE)                                                                                          \
    ROW("logic_" NAME_##TYPE, logic, logic,                                                                  \
        .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE),               \
        .arguments = {BITS(TYPE, N), BITS(TYPE, N), OUT(TYPE, N), OUT(TYPE, N), OUT(TYPE, N), OUT(TYPE, N)})
#define SHIFTS(TYPE, HIGH)                                                                                   \
    ROW("shifts_" NAME_##TYPE, shifts, shifts, .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE),  \
        .arguments = {BITS(TYPE, N), IN(TYPE, N, 0, HIGH), OUT(TYPE, N), OUT(TYPE, N)})
#define SHIFTS_CONSTANT(TYPE)                                                                                \
    ROW("shifts_constant_" NAME_##TYPE, shifts_constant, shifts_constant,                                    \
        .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE),                                                      \
        .arguments = {BITS(TYPE, N), OUT(TYPE, N), OUT(TYPE, N)})
#define UNARY(FUNCTION, TYPE, INPUT)                                                                         \
    ROW(#FUNCTION "_" NAME_##TYPE, FUNCTION, FUNCTION, .signature = P(TYPE) ", " P(TYPE),                    \
        .arguments = {INPUT, OUT(TYPE, N)})
#define NEGATE_KNOWN(TYPE)                                                                                   \
    ROW("negate_known_" NAME_##TYPE, negate_known, negate_known, .signature = P(TYPE) ", fp32",              \
        .arguments = {OUT(TYPE, 3 * N), REAL(F32, 0)})
#define KNOWN_ZEROS(TYPE)                                                                                    \
    ROW("known_negative_zeros_" NAME_##TYPE, known_negative_zeros, known_negative_zeros,                     \
        .signature = P(TYPE) ", " P(TYPE), .arguments = {SPECIAL(TYPE, 64, -9, 9), OUT(TYPE, 320)})
#define SIGNS_OF_F8(TYPE)                                                                                    \
    ROW("signs_of_" NAME_##TYPE, signs_of_f8, signs_of_f8, .signature = P(TYPE) ", " P(TYPE),                \
        .arguments = {BITS(TYPE, N), OUT(TYPE, 2 * N)})
#define COMPARE(TYPE, INPUT)                                                                                 \
    ROW("compare_" NAME_##TYPE, compare, compare, .signature = P(TYPE) ", " P(TYPE) ", *i1",                 \
        .arguments = {INPUT, INPUT, OUT(I1, 1536)})
#define EXTREMES(TYPE, INPUT)                                                                                \
    ROW("smaller_and_larger_" NAME_##TYPE, smaller_and_larger, smaller_and_larger,                           \
        .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", " P(TYPE),                                         \
        .arguments = {INPUT, INPUT, OUT(TYPE, N), OUT(TYPE, N)})
#define SELECT(TYPE, LOW, HIGH)                                                                              \
    ROW("select_" NAME_##TYPE, select, select, .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE),               \
        .arguments = {IN(TYPE, N, LOW, HIGH), IN(TYPE, N, LOW, HIGH), OUT(TYPE, N)})

static const struct lang_case arithmetic_cases[] = {
    ADD(I8, BITS(I8, N)),
    ADD(I16, BITS(I16, N)),
    ADD(I32, BITS(I32, N)),
    ADD(I64, BITS(I64, N)),
    ADD(U8, BITS(U8, N)),
    ADD(U16, BITS(U16, N)),
    ADD(U32, BITS(U32, N)),
    ADD(U64, BITS(U64, N)),
    ADD(F16, IN(F16, N, -9, 9)),
    ADD(BF16, IN(BF16, N, -9, 9)),
    ADD(F32, SPECIAL(F32, N, -9, 9)),
    ADD(F64, SPECIAL(F64, N, -9, 9)),
    DIVIDE(I8, -128, 127),
    DIVIDE(I16, -32768, 32767),
    DIVIDE(I32, -1e9, 1e9),
    DIVIDE(I64, -1e15, 1e15),
    DIVIDE(U8, 0, 255),
    DIVIDE(U16, 0, 65535),
    DIVIDE(U32, 0, 4294967295.0),
    DIVIDE(U64, 0, 1e15),
    CASE_OF(divide_negative, divide_integers, .signature = "*i32, *i32, *i32, *i32",
            .arguments = {IN(I32, N, -1000, 1000), IN(I32, N, -17, -1), OUT(I32, N), OUT(I32, N)}),
    CASE_OF(divide_large_i64, divide_integers, .signature = "*i64, *i64, *i64, *i64",
            .arguments = {BITS(I64, N), IN(I64, N, 3e9, 9e12), OUT(I64, N), OUT(I64, N)}),
    CASE_OF(divide_large_u64, divide_integers, .signature = "*u64, *u64, *u64, *u64",
            .arguments = {BITS(U64, N), IN(U64, N, 3e9, 9e12), OUT(U64, N), OUT(U64, N)}),
    CASE(divide_by_constants, .arguments = {IN(I32, N, -1e9, 1e9), OUT(I32, 5 * N)}),
    DIVIDE_TRUE(F16, F32, 3e-7),
    DIVIDE_TRUE(BF16, F32, 3e-7),
    DIVIDE_TRUE(F32, F32, 3e-7),
    DIVIDE_TRUE(F64, F64, 1e-15),
    DIVIDE_TRUE(I32, F32, 3e-7),
    DIVIDE_ROWS(F16, F32, 3e-7),
    DIVIDE_ROWS(BF16, F32, 3e-7),
    DIVIDE_ROWS(F32, F32, 3e-7),
    CASE_OF(divide_rows_finite, divide_rows, .signature = P(F32) ", " P(F32) ", " P(F32),
            .arguments = {FINITE(F32, N), FINITE(F32, 16), OUT(F32, N)}, .relative = 3e-7, .absolute = 1e-37),
    CASE(remainder_float, .arguments = {IN(F32, N, -50, 50), IN(F32, N, 1, 7), OUT(F32, N)}),
    LOGIC(I1),
    LOGIC(I8),
    LOGIC(I32),
    LOGIC(U16),
    LOGIC(I64),
    LOGIC(U64),
    SHIFTS(I8, 7),
    SHIFTS(I16, 15),
    SHIFTS(I32, 31),
    SHIFTS(I64, 63),
    SHIFTS(U8, 7),
    SHIFTS(U16, 15),
    SHIFTS(U32, 31),
    SHIFTS(U64, 63),
    SHIFTS_CONSTANT(I8),
    SHIFTS_CONSTANT(U32),
    SHIFTS_CONSTANT(I64),
    NEGATE_KNOWN(F16),
    NEGATE_KNOWN(BF16),
    NEGATE_KNOWN(F32),
    NEGATE_KNOWN(F64),
    SIGNS_OF_F8(E5M2),
    SIGNS_OF_F8(E4M3),
    SIGNS_OF_F8(E5M2Z),
    SIGNS_OF_F8(E4M3Z),
    SIGNS_OF_F8(E4B15),
    KNOWN_ZEROS(F16),
    KNOWN_ZEROS(BF16),
    KNOWN_ZEROS(F32),
    KNOWN_ZEROS(F64),
    UNARY(negate, I8, BITS(I8, N)),
    UNARY(negate, I32, BITS(I32, N)),
    UNARY(negate, I64, BITS(I64, N)),
    UNARY(negate, F16, SPECIAL(F16, N, -9, 9)),
    UNARY(negate, BF16, SPECIAL(BF16, N, -9, 9)),
    UNARY(negate, F32, SPECIAL(F32, N, -9, 9)),
    UNARY(negate, F64, SPECIAL(F64, N, 1, 9)),
    UNARY(absolute, I8, BITS(I8, N)),
    UNARY(absolute, I32, BITS(I32, N)),
    UNARY(absolute, I64, BITS(I64, N)),
    UNARY(absolute, U32, BITS(U32, N)),
    UNARY(absolute, F16, SPECIAL(F16, N, -9, 9)),
    UNARY(absolute, BF16, SPECIAL(BF16, N, -9, 9)),
    UNARY(absolute, F32, SPECIAL(F32, N, -9, 9)),
    UNARY(absolute, F64, SPECIAL(F64, N, -9, 9)),
    COMPARE(I1, BITS(I1, N)),
    COMPARE(I8, IN(I8, N, -3, 3)),
    COMPARE(I16, IN(I16, N, -3, 3)),
    COMPARE(I32, IN(I32, N, -3, 3)),
    COMPARE(I64, BITS(I64, N)),
    COMPARE(U8, IN(U8, N, 126, 130)),
    COMPARE(U16, BITS(U16, N)),
    COMPARE(U32, BITS(U32, N)),
    COMPARE(U64, BITS(U64, N)),
    COMPARE(F16, SPECIAL(F16, N, -1, 1)),
    COMPARE(BF16, SPECIAL(BF16, N, -1, 1)),
    COMPARE(F32, SPECIAL(F32, N, -1, 1)),
    COMPARE(F64, SPECIAL(F64, N, -1, 1)),
    EXTREMES(I8, BITS(I8, N)),
    EXTREMES(I32, BITS(I32, N)),
    EXTREMES(I64, BITS(I64, N)),
    EXTREMES(U8, BITS(U8, N)),
    EXTREMES(U32, BITS(U32, N)),
    EXTREMES(U64, BITS(U64, N)),
    EXTREMES(F16, SPECIAL(F16, N, -9, 9)),
    EXTREMES(BF16, SPECIAL(BF16, N, -9, 9)),
    EXTREMES(F32, SPECIAL(F32, N, -9, 9)),
    EXTREMES(F64, SPECIAL(F64, N, -9, 9)),
    CASE(propagate_nan, .arguments = {SPECIAL(F32, N, -9, 9), SPECIAL(F32, N, -9, 9), OUT(F32, N),
                                      OUT(F32, N), OUT(F32, N)}),
    CASE(numbers_have_types, .language = "3.6",
         .arguments = {IN(F16, N, 0.25, 9), IN(BF16, N, -9, 9), IN(I8, N, -100, 100), OUT(F32, 5 * N),
                       OUT(I32, 2 * N)}),
    UNARY(clamp, F32, IN(F32, N, -9, 9)),
    UNARY(clamp, F16, IN(F16, N, -9, 9)),
    SELECT(I8, -50, 50),
    SELECT(I32, -9, 9),
    SELECT(I64, -1e12, 1e12),
    SELECT(F16, -9, 9),
    SELECT(BF16, -9, 9),
    SELECT(F32, -9, 9),
    SELECT(F64, -9, 9),
    CASE(select_mixed, .arguments = {IN(F16, N, -9, 9), IN(F32, N, -9, 9), OUT(F32, 2 * N)}),
    CASE(logical_words, .arguments = {IN(I32, N, -3, 3), IN(I32, N, -3, 3), OUT(I1, 4 * N)}),
    CASE(promote, .arguments = {BITS(I8, 64), BITS(U8, 64), BITS(I32, 64), BITS(U32, 64), BITS(I64, 64),
                                IN(F16, 64, -9, 9), IN(F32, 64, -9, 9), OUT(I64, 384), OUT(F64, 320)}),
    CASE(scalar_operands, .arguments = {IN(F32, 64, -9, 9), OUT(F32, 256), INT(5), REAL(F32, 0.75)}),
    CASE(scalar_arithmetic, .arguments = {BITS(I32, 1), OUT(I32, 11), INT(-100), INT(7), INT(12345)}),
    CASE_OF(scalar_arithmetic_positive, scalar_arithmetic,
            .arguments = {BITS(I32, 1), OUT(I32, 11), INT(23), INT(9), INT(-1)}),
    CASE_OF(multiply_high_i32, multiply_high, .signature = "*u32, *u32, *u32",
            .arguments = {BITS(U32, N), BITS(U32, N), OUT(U32, N)}),
    CASE_OF(multiply_high_u64, multiply_high, .signature = "*u64, *u64, *u64",
            .arguments = {BITS(U64, N), BITS(U64, N), OUT(U64, N)}),
    CASE_OF(fused_f32, fused, .signature = "*fp32, *fp32, *fp32, *fp32",
            .arguments = {IN(F32, N, -9, 9), IN(F32, N, -9, 9), IN(F32, N, -9, 9), OUT(F32, N)}),
    CASE_OF(fused_f64, fused, .signature = "*fp64, *fp64, *fp64, *fp64",
            .arguments = {IN(F64, N, -9, 9), IN(F64, N, -9, 9), IN(F64, N, -9, 9), OUT(F64, N)}),
    CASE_OF(fused_f16, fused, .signature = "*fp16, *fp16, *fp16, *fp16",
            .arguments = {IN(F16, N, -9, 9), IN(F16, N, -9, 9), IN(F16, N, -9, 9), OUT(F16, N)}),
    ROW("multiply_then_add", multiply_then_add, fused,
        .arguments = {IN(F32, N, 1, 9), IN(F32, N, 1, 9), IN(F32, N, 1, 9), OUT(F32, N)}, .relative = 2e-7),
    CASE(chain, .arguments = {IN(I32, N, -1e6, 1e6), OUT(I32, N)}),
    CASE(broadcast_arithmetic, .arguments = {IN(F32, 16, 1, 2), IN(F32, 32, 3, 4), OUT(F32, 512)},
         .relative = 4e-7, .warps = "148"),
    CASE(negative_zeros, .arguments = {IN(F32, 64, -1, 2), IN(F16, 64, 1, 2), OUT(F32, 384)},
         .relative = 2e-7),
    CASE(wrap_around, .arguments = {OUT(I32, 128), INT(1000000), INT(250)}),
};

FAMILY(arithmetic);
