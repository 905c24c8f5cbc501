// Casts.
#include "lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIDPOINTS = 4096 };

// Outputs from argument 1 on are integers of every kind; integer sources wrap.
static void to_integers(struct lang_run *r) {
    enum element from = r->test->arguments[0].element;
    for (unsigned a = 1; a < r->count; a++) {
        for (size_t i = 0; i < 128; i++) {
            bool is_bool = r->test->arguments[a].element == I1;
            if (element_is_real(from)) {
                put_integer(r, a, i, is_bool ? real(r, 0, i) != 0 : (int64_t)real(r, 0, i));
            } else {
                put_integer(r, a, i, is_bool ? integer(r, 0, i) != 0 : integer(r, 0, i));
            }
        }
    }
}

static double widened(struct lang_run *r, size_t i) {
    return real(r, 0, i);
}

// A 64-bit integer is rounded once, to the type of the cast; through long double, exactly.
static double rounded(long double exact, enum element to) {
    if (to == F64) {
        return (double)exact;
    }
    if (to == F32) {
        return (double)(float)exact;
    }
    double near = (double)exact; // narrower formats: keep the discarded bits sticky
    if ((long double)near != exact) {
        double toward = (long double)near < exact ? nextafter(near, INFINITY) : nextafter(near, -INFINITY);
        uint64_t code = float_encode(F64, near, false), other = float_encode(F64, toward, false);
        near = float_decode(F64, code & 1 ? code : other);
    }
    return near;
}

static double rounded_integer(struct lang_run *r, size_t i, enum element to) {
    bool is_unsigned = r->test->arguments[0].element == U64;
    return rounded(is_unsigned ? (long double)bits(r, 0, i) : (long double)integer(r, 0, i), to);
}

static int64_t define(const struct lang_run *r, const char *name) {
    const char *found = strstr(r->test->defines, name);
    return found ? strtoll(found + strlen(name) + 1, NULL, 10) : 0;
}

static void near_midpoints(struct lang_run *r) {
    uint64_t digits = (uint64_t)define(r, "DIGITS"), width = (uint64_t)define(r, "WIDTH");
    enum element to = r->test->arguments[2].element;
    for (size_t i = 0; i < MIDPOINTS; i++) {
        uint64_t x = bits(r, 0, i), middle = x >> (63 - digits) | 1ull << digits | 1;
        uint64_t shift = x % 64 % (width - digits), kind = (x >> 6) % 7;
        uint64_t beside = kind < 3 ? 1 : 1ull << (kind < 5 ? shift / 2 : shift ? shift - 1 : 0);
        uint64_t v = middle << shift;
        v = kind == 0 ? v : kind % 2 == 1 ? v + beside : v - beside;
        bool negative = define(r, "SIGNED") && (x >> 9) % 2 == 1;
        put_real(r, 2, i, rounded(negative ? -(long double)v : (long double)v, to));
    }
}

static void cast_beyond_half(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t a = integer(r, 0, i);
        double wide[] = {(double)(a & 0x7f000000), (double)(int64_t)((uint64_t)a << 58),
                         (double)((a >> 20) - 3), (double)((a & 0xffc0) + (a >> 16 & 0xffc0)),
                         (double)(a & 0x7f000000)};
        for (size_t n = 0; n < 5; n++) {
            put_real(r, 1, 64 * n + i, float_round(F16, wide[n]));
        }
    }
}

static void to_floats(struct lang_run *r) {
    enum element from = r->test->arguments[0].element;
    for (unsigned a = 1; a < 5; a++) {
        for (size_t i = 0; i < 256; i++) {
            put_real(r, a, i,
                     from == I64 || from == U64 ? rounded_integer(r, i, r->test->arguments[a].element)
                                                : widened(r, i));
        }
    }
}

static void to_one(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, real(r, 0, i));
    }
}

static void toward_zero(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 1, i, float_encode(r->test->arguments[1].element, real(r, 0, i), true));
    }
}

// 1 + i/128 + 1/256 and a little: rounds up, unless a first rounding loses the little.
static void near_ties(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 0, i, 1 + (double)(i + 1) / 128);
    }
}

static void near_ties_f8(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 0, i, (double)i * 0.125 + 1.0625 + 0x1p-40);
        put_real(r, 1, i, (double)i * 0.25 + 1.125 + 0x1p-40);
    }
}

static void same_bits(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_bits(r, 1, i, bits(r, 0, i));
    }
}

static void scalars(struct lang_run *r) {
    put_integer(r, 1, 0, (int64_t)real(r, 0, 0) + scalar(r, 3));
    put_real(r, 2, 0, real(r, 0, 0));
}

static void constants(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 0, i, 1);
        put_integer(r, 1, i, 0);
        put_integer(r, 1, 64 + i, 0);
        put_integer(r, 2, i, INT32_MAX);
        put_integer(r, 2, 64 + i, INT32_MAX);
        put_real(r, 3, i, 1); // an f32 first: the rest is lost, and the tie goes to even
        put_real(r, 4, i, NAN);
    }
}

#define INTEGERS                                                                                             \
    OUT(I1, 128), OUT(I8, 128), OUT(I16, 128), OUT(I32, 128), OUT(I64, 128), OUT(U8, 128), OUT(U16, 128),    \
        OUT(U32, 128), OUT(U64, 128)
#define INTEGER_NAMES "*i1, *i8, *i16, *i32, *i64, *u8, *u16, *u32, *u64"
#define TO_INTEGERS(TYPE, INPUT)                                                                             \
    ROW("integers_from_" NAME_##TYPE, cast_to_integers, to_integers,                                         \
        .signature = "*" NAME_##TYPE ", " INTEGER_NAMES, .arguments = {INPUT, INTEGERS})
#define TO_SIGNED(TYPE)                                                                                      \
    ROW("signed_from_" NAME_##TYPE, cast_to_signed, to_integers,                                             \
        .signature = "*" NAME_##TYPE ", *i8, *i16, *i32, *i64",                                              \
        .arguments = {IN(TYPE, 128, -127.2, 127.2), OUT(I8, 128), OUT(I16, 128), OUT(I32, 128),              \
                      OUT(I64, 128)})
#define TO_FLOATS(TYPE, INPUT)                                                                               \
    ROW("floats_from_" NAME_##TYPE, cast_to_floats, to_floats,                                               \
        .signature = "*" NAME_##TYPE ", *fp16, *bf16, *fp32, *fp64",                                         \
        .arguments = {INPUT, OUT(F16, 256), OUT(BF16, 256), OUT(F32, 256), OUT(F64, 256)})
#define NEAR_MIDPOINTS(FROM, TO, DIGITS, WIDTH, SIGNED)                                                      \
    ROW("near_midpoints_" NAME_##TO "_from_" NAME_##FROM, cast_near_midpoints, near_midpoints,               \
        .signature = "*u64, *" NAME_##FROM ", *" NAME_##TO,                                                  \
        .defines = "DIGITS=" #DIGITS " WIDTH=" #WIDTH " SIGNED=" #SIGNED, .grid = {MIDPOINTS / 1024},        \
        .arguments = {BITS(U64, MIDPOINTS), IN(FROM, 1, 0, 1), OUT(TO, MIDPOINTS)})
#define TO_ONE(FROM, TO, INPUT)                                                                              \
    ROW(NAME_##TO "_from_" NAME_##FROM, cast_to, to_one, .signature = "*" NAME_##FROM ", *" NAME_##TO,       \
        .arguments = {INPUT, OUT(TO, 256)})
#define TOWARD_ZERO(FROM, TO, LOW, HIGH)                                                                     \
    ROW(NAME_##TO "_toward_zero_from_" NAME_##FROM, cast_toward_zero, toward_zero,                           \
        .signature = "*" NAME_##FROM ", *" NAME_##TO, .arguments = {IN(FROM, 256, LOW, HIGH), OUT(TO, 256)})
#define BITCAST(FROM, TO)                                                                                    \
    ROW("bits_" NAME_##FROM "_as_" NAME_##TO, cast_bits, same_bits,                                          \
        .signature = "*" NAME_##FROM ", *" NAME_##TO, .arguments = {BITS(FROM, 128), OUT(TO, 128)})

static const struct lang_case cast_cases[] = {
    TO_INTEGERS(I1, BITS(I1, 128)),
    TO_INTEGERS(I8, BITS(I8, 128)),
    TO_INTEGERS(I16, BITS(I16, 128)),
    TO_INTEGERS(I32, BITS(I32, 128)),
    TO_INTEGERS(I64, BITS(I64, 128)),
    TO_INTEGERS(U8, BITS(U8, 128)),
    TO_INTEGERS(U16, BITS(U16, 128)),
    TO_INTEGERS(U32, BITS(U32, 128)),
    TO_INTEGERS(U64, BITS(U64, 128)),
    TO_INTEGERS(F16, IN(F16, 128, 0, 127.9)),
    TO_INTEGERS(BF16, IN(BF16, 128, 0, 127.4)),
    TO_INTEGERS(F32, IN(F32, 128, 0, 127.9)),
    TO_INTEGERS(F64, IN(F64, 128, 0, 127.9)),
    TO_SIGNED(F16),
    TO_SIGNED(BF16),
    TO_SIGNED(F32),
    TO_SIGNED(F64),
    TO_FLOATS(I1, BITS(I1, 256)),
    TO_FLOATS(I8, BITS(I8, 256)),
    TO_FLOATS(I16, BITS(I16, 256)),
    TO_FLOATS(I32, BITS(I32, 256)),
    TO_FLOATS(I64, BITS(I64, 256)),
    TO_FLOATS(U8, BITS(U8, 256)),
    TO_FLOATS(U16, BITS(U16, 256)),
    TO_FLOATS(U32, BITS(U32, 256)),
    TO_FLOATS(U64, BITS(U64, 256)),
    TO_FLOATS(F16, BITS(F16, 256)),
    TO_FLOATS(BF16, BITS(BF16, 256)),
    TO_FLOATS(F32, BITS(F32, 256)),
    TO_FLOATS(F64, SPECIAL(F64, 256, -1000, 1000)),
    NEAR_MIDPOINTS(I32, BF16, 8, 31, 1),
    NEAR_MIDPOINTS(U32, BF16, 8, 32, 0),
    NEAR_MIDPOINTS(I64, BF16, 8, 63, 1),
    NEAR_MIDPOINTS(U64, BF16, 8, 64, 0),
    NEAR_MIDPOINTS(I32, F16, 11, 17, 1),
    NEAR_MIDPOINTS(U32, F16, 11, 17, 0),
    NEAR_MIDPOINTS(I64, F16, 11, 17, 1),
    NEAR_MIDPOINTS(U64, F16, 11, 17, 0),
    NEAR_MIDPOINTS(I32, F32, 24, 31, 1),
    NEAR_MIDPOINTS(U32, F32, 24, 32, 0),
    NEAR_MIDPOINTS(I64, F32, 24, 63, 1),
    NEAR_MIDPOINTS(U64, F32, 24, 64, 0),
    NEAR_MIDPOINTS(I64, F64, 53, 63, 1),
    NEAR_MIDPOINTS(U64, F64, 53, 64, 0),
    NEAR_MIDPOINTS(I16, BF16, 8, 15, 1),
    NEAR_MIDPOINTS(U16, F16, 11, 16, 0),
    NEAR_MIDPOINTS(I16, E5M2, 3, 15, 1),
    NEAR_MIDPOINTS(I32, E5M2, 3, 15, 1),
    NEAR_MIDPOINTS(U64, E5M2, 3, 15, 0),
    NEAR_MIDPOINTS(I16, E4M3, 4, 8, 1),
    NEAR_MIDPOINTS(I32, E4M3, 4, 8, 1),
    NEAR_MIDPOINTS(U64, E4M3, 4, 8, 0),
    NEAR_MIDPOINTS(I64, E5M2Z, 3, 15, 1),
    NEAR_MIDPOINTS(I64, E4M3Z, 4, 7, 1),
    TO_ONE(F32, F16, SPECIAL(F32, 256, -70000, 70000)),
    TO_ONE(F32, BF16, SPECIAL(F32, 256, -2, 2)),
    TO_ONE(F64, F32, SPECIAL(F64, 256, -2, 2)),
    TO_ONE(E5M2, F16, BITS(E5M2, 256)),
    TO_ONE(E5M2, F32, BITS(E5M2, 256)),
    TO_ONE(E5M2, BF16, BITS(E5M2, 256)),
    TO_ONE(E4M3, F16, BITS(E4M3, 256)),
    TO_ONE(E4M3, F32, BITS(E4M3, 256)),
    TO_ONE(E4M3, BF16, BITS(E4M3, 256)),
    TO_ONE(E5M2Z, F32, BITS(E5M2Z, 256)),
    TO_ONE(E4M3Z, F32, BITS(E4M3Z, 256)),
    TO_ONE(E4B15, F16, BITS(E4B15, 256)),
    TO_ONE(F16, E5M2, IN(F16, 256, -300, 300)),
    TO_ONE(F32, E5M2, IN(F32, 256, -3, 3)),
    TO_ONE(BF16, E5M2, IN(BF16, 256, -3, 3)),
    TO_ONE(F16, E4M3, IN(F16, 256, -440, 440)),
    TO_ONE(F32, E4M3, IN(F32, 256, -3, 3)),
    TO_ONE(BF16, E4M3, IN(BF16, 256, -3, 3)),
    TO_ONE(F32, E5M2Z, IN(F32, 256, -3, 3)),
    TO_ONE(F32, E4M3Z, IN(F32, 256, -3, 3)),
    TO_ONE(F16, E4B15, IN(F16, 256, -1.7, 1.7)),
    ROW("fp8e4nv_small", cast_to, to_one, .signature = "*fp32, *fp8e4nv",
        .arguments = {IN(F32, 256, -0.02, 0.02), OUT(E4M3, 256)}),
    ROW("fp8e5_small", cast_to, to_one, .signature = "*fp32, *fp8e5",
        .arguments = {IN(F32, 256, -0.0001, 0.0001), OUT(E5M2, 256)}),
    ROW("fp8_to_other_fp8", cast_through_float, to_one, .signature = "*fp8e4nv, *fp8e5",
        .arguments = {FINITE(E4M3, 256), OUT(E5M2, 256)}),
    TOWARD_ZERO(F32, F16, -60000, 60000),
    TOWARD_ZERO(F32, BF16, -3, 3),
    ROW("bf16_near_ties", cast_near_ties, near_ties, .arguments = {OUT(BF16, 64)}),
    ROW("cast_near_ties_f8", cast_near_ties_f8, near_ties_f8, .arguments = {OUT(E4M3, 64), OUT(E5M2, 64)}),
    BITCAST(F32, I32),
    BITCAST(I32, F32),
    BITCAST(F16, I16),
    BITCAST(U16, BF16),
    BITCAST(F64, I64),
    BITCAST(I8, U8),
    BITCAST(U8, E4M3),
    BITCAST(E5M2, I8),
    BITCAST(F16, BF16),
    ROW("scalar", cast_scalar, scalars,
        .arguments = {IN(F32, 1, -99, 99), OUT(I32, 1), OUT(F16, 1), INT(1000)}),
    CASE_OF(beyond_half, cast_beyond_half, .arguments = {BITS(I32, 64), OUT(F32, 320)}),
    ROW("constants", cast_constants, constants,
        .arguments = {OUT(I1, 64), OUT(U32, 128), OUT(I32, 128), OUT(F16, 64), OUT(F64, 64)}),
};

FAMILY(cast);
