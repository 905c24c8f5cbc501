// Matrix products at the ends of their types: a chip's instruction may saturate, round or flush there; the result is the same for any
// number of warps and stages, and on any chip, unless the type says otherwise.
#include "lang.h"

#include <math.h>
#include <string.h>

// c[i, j] = sum over k of a[i, k] b[k, j], with the strides of a and b.
static double product(struct lang_run *r, size_t a, size_t a_step, size_t b, size_t b_step, size_t k) {
    double sum = 0;
    for (size_t p = 0; p < k; p++) {
        sum += real(r, 0, a + p * a_step) * real(r, 1, b + p * b_step);
    }
    return sum;
}

static void dot_extremes(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4) * 64;
    bool is_integer = !element_is_real(r->test->arguments[3].element);
    for (size_t i = 0; i < 64 * 64; i++) {
        double sum = product(r, i / 64 * k, 1, i % 64, 64, k);
        if (is_integer) { // wraps
            put_bits(r, 3, i, (uint64_t)((int64_t)sum + integer(r, 2, i)));
        } else {
            put_real(r, 3, i, sum + real(r, 2, i));
        }
    }
}

// The float as tf32: to nearest, ties to even, and from sm_80 to sm_89 and on gfx942 away from zero. Chips without tf32 keep it.
static double as_tf32(const struct lang_run *r, double value) {
    bool away = !strncmp(r->chip, "sm_8", 4) || !strcmp(r->chip, "gfx942"),
         nvidia = !strncmp(r->chip, "sm_", 3);
    if ((nvidia ? !strcmp(r->chip, "sm_75") : strcmp(r->chip, "gfx942") != 0) || isnan(value)) {
        return value;
    }
    float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    word = (word + (away ? 0x1000 : 0xfff + (word >> 13 & 1))) & ~0x1fffu;
    memcpy(&single, &word, sizeof single);
    return single;
}

static void dot_rounded(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 3), n = r->test->arguments[1].count / k;
    for (size_t at = 0; at < 64 * n; at++) {
        double sum = 0;
        bool hole = r->test->defines && strstr(r->test->defines, "HOLES") && at / n % 8 == 3;
        for (size_t p = 0; p < k && !hole; p++) {
            sum += as_tf32(r, real(r, 0, at / n * k + p)) * as_tf32(r, real(r, 1, at % n * k + p));
        }
        put_real(r, 2, at, sum);
    }
}

#define ROUNDED(NAME, SIGNATURE, DEFINES, N, A, B, K, RELATIVE)                                              \
    ROW("dot_rounded_" #NAME, dot_rounded, dot_rounded, .signature = SIGNATURE, .defines = DEFINES,          \
        .arguments = {A, B, OUT(F32, 64 * (N)), K}, .warps = "148", .stages = "3", .relative = RELATIVE,     \
        .absolute = 1e-5)

#define CODES(LEAST, MOST)                                                                                   \
    { ARGUMENT_INPUT, F32, 64 * 96, GENERATE_CODES, LEAST, MOST }

// Every number of warps, and every number of stages.
#define EXTREMES(NAME, FROM, TO, A, B, FIRST, PRECISION, RELATIVE)                                           \
    ROW("dot_extremes_" #NAME, dot_extremes, dot_extremes,                                                   \
        .signature = "*" NAME_##FROM ":16, *" NAME_##FROM ":16, *" NAME_##TO ":16, *" NAME_##TO ":16, i32",  \
        .defines = "PRECISION='" PRECISION "'", .arguments = {A, B, FIRST, OUT(TO, 4096), INT(2)},           \
        .warps = "18", .stages = "13", .relative = RELATIVE)

static bool defines(const struct lang_run *r, const char *name) {
    return r->test->defines && strstr(r->test->defines, name);
}

static void dot_seen(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 5);
    double first = defines(r, "DOUBLED") ? 2 : 1, second = defines(r, "AGAIN") ? 0 : 1;
    for (size_t at = 0; at < 64 * 64; at++) {
        double sum = 0;
        for (size_t p = 0; p < k; p++) {
            double x = as_tf32(r, real(r, 0, at / 64 * k + p)), e = as_tf32(r, real(r, 2, at / 64 * k + p));
            sum += (first * x + second * e) * as_tf32(r, real(r, 1, at % 64 * k + p));
        }
        put_real(r, 3, at, sum);
    }
    for (size_t at = 0; at < 64 * 32; at++) {
        double sum = 0;
        for (size_t p = at % 32; p < k && first == 1; p += 32) {
            sum += real(r, 0, at / 32 * k + p) + second * real(r, 2, at / 32 * k + p);
        }
        put_real(r, 4, at, sum);
    }
}

#define SEEN(NAME, DEFINES)                                                                                  \
    ROW("dot_seen_" #NAME, dot_seen, dot_seen,                                                               \
        .signature = "*fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, i32:16", .defines = DEFINES,         \
        .arguments = {IN(F32, 64 * 96, 1, 2), IN(F32, 64 * 96, -2, 4), IN(F32, 64 * 96, 1, 2),               \
                      OUT(F32, 4096), OUT(F32, 2048), INT(96)},                                              \
        .warps = "48", .stages = "3", .relative = 1e-5, .absolute = 1e-5)

// Codes 0 to 2047: all positive subnormal numbers, and as many normal ones.
#define SUBNORMAL_HALVES(count)                                                                              \
    { ARGUMENT_INPUT, F16, count, GENERATE_CODES, 0, 2047 }

// The matrix units of gfx90a take subnormal halves for 0 (ROCm's documents); products in fp32 keep them.
static void dot_of_subnormals(struct lang_run *r) {
    bool flushes = strcmp(r->chip, "gfx90a") == 0;
    for (size_t i = 0; i < 1024; i++) {
        double kept = 0, flushed = 0;
        for (size_t k = 0; k < 32; k++) {
            double x = real(r, 0, i / 32 * 32 + k), y = real(r, 1, k * 32 + i % 32);
            kept += x * y;
            flushed += (fabs(x) < 0x1p-14 ? 0 : x) * y;
        }
        put_real(r, 2, i, flushes ? flushed : kept);
        put_real(r, 2, 1024 + i, kept);
    }
}

static void dot_of_constants(struct lang_run *r) {
    for (size_t at = 0; at < 2 * 4096; at++) {
        put_real(r, 1, at, at < 4096 ? INFINITY : NAN);
    }
}

static const struct lang_case extremes_cases[] = {
    EXTREMES(bytes, I8, I32, IN(I8, 8192, 127, 127), IN(I8, 8192, 126, 127),
             IN(I32, 4096, 2147483000, 2147483647), "ieee", 0),
    EXTREMES(bytes_below, I8, I32, IN(I8, 8192, -128, -128), IN(I8, 8192, 126, 127),
             IN(I32, 4096, -2147483648.0, -2147483000), "ieee", 0),
    EXTREMES(any_bytes, I8, I32, BITS(I8, 8192), BITS(I8, 8192), BITS(I32, 4096), "ieee", 0),
    EXTREMES(f16, F16, F32, IN(F16, 8192, 65504, 65504), IN(F16, 8192, -65504, 65504),
             IN(F32, 4096, 3e38, 3.4e38), "ieee", 2e-6),
    EXTREMES(f16_to_infinity, F16, F16, IN(F16, 8192, 65504, 65504), IN(F16, 8192, 1, 2),
             IN(F16, 4096, -1, 1), "ieee", 0),
    EXTREMES(bf16_to_infinity, BF16, F32, IN(BF16, 8192, 3e38, 3.3e38), IN(BF16, 8192, 1, 2),
             IN(F32, 4096, -1, 1), "ieee", 0),
    EXTREMES(bf16, BF16, F32, IN(BF16, 8192, 1e38, 3e38), IN(BF16, 8192, 0.001, 0.002), IN(F32, 4096, -1, 1),
             "ieee", 2e-6),
    EXTREMES(e4m3, E4M3, F32, IN(E4M3, 8192, 448, 448), IN(E4M3, 8192, 448, 448), IN(F32, 4096, 3e38, 3.4e38),
             "ieee", 2e-6),
    EXTREMES(e5m2, E5M2, F32, IN(E5M2, 8192, 57344, 57344), IN(E5M2, 8192, -57344, -57344),
             IN(F32, 4096, 0, 0), "ieee", 0),
    EXTREMES(f32, F32, F32, IN(F32, 8192, 1e38, 3e38), IN(F32, 8192, 0.001, 0.002), IN(F32, 4096, -1, 1),
             "ieee", 2e-6),
    EXTREMES(f32_to_infinity, F32, F32, IN(F32, 8192, -3.4e38, -3.3e38), IN(F32, 8192, 1, 2),
             IN(F32, 4096, -1, 1), "tf32", 0),
    EXTREMES(f64, F64, F64, IN(F64, 8192, 1e308, 1.5e308), IN(F64, 8192, 0.001, 0.002), IN(F64, 4096, -1, 1),
             "ieee", 1e-14),
    EXTREMES(f64_to_infinity, F64, F64, IN(F64, 8192, 1e308, 1.5e308), IN(F64, 8192, 1, 2),
             IN(F64, 4096, -1, 1), "ieee", 0),
    ROUNDED(tensor_copies, "*fp32:16, *fp32:16, *fp32:16, i32:16", "", 64, IN(F32, 64 * 96, 1, 2),
            IN(F32, 64 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(wide_copies, "*fp32:16, *fp32:16, *fp32, i32:16", "N=128", 128, IN(F32, 64 * 96, 1, 2),
            IN(F32, 128 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(async_copies, "*fp32:16, *fp32:16, *fp32:16, i32:16", "HOLES=True", 64, IN(F32, 64 * 96, 1, 2),
            IN(F32, 64 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(few_columns, "*fp32:16, *fp32:16, *fp32:16, i32:16", "HOLES=True N=16", 16,
            IN(F32, 64 * 96, 1, 2), IN(F32, 16 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(narrow_copies, "*fp32, *fp32, *fp32, i32", "", 64, IN(F32, 64 * 96, 1, 2),
            IN(F32, 64 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(registers, "*fp32:16, *fp32:16, *fp32:16, i32:16", "DOUBLED=True", 64, IN(F32, 64 * 96, 1, 2),
            IN(F32, 64 * 96, -2, 4), INT(96), 1e-6),
    ROUNDED(one_step, "*fp32:16, *fp32:16, *fp32:16, i32:16", "ONE=True", 64, IN(F32, 64 * 32, 1, 2),
            IN(F32, 64 * 32, -2, 4), INT(32), 1e-6),
    ROUNDED(special, "*fp32:16, *fp32:16, *fp32:16, i32:16", "", 64,
            IN(F32, 64 * 96, 3.402823e38, 3.40282346638528859e38), IN(F32, 64 * 96, 1e-20, 1e-20), INT(96),
            1e-6),
    // Every bit of a NaN may be set: a half more would make a zero of it.
    ROUNDED(nans, "*fp32:16, *fp32:16, *fp32:16, i32:16", "", 64, CODES(0x7ffffff0, 0x7fffffff),
            IN(F32, 64 * 96, 1, 2), INT(96), 1e-6),
    ROUNDED(nans_with_signs, "*fp32:16, *fp32:16, *fp32:16, i32:16", "", 64, CODES(0xfffffff0, 0xffffffff),
            IN(F32, 64 * 96, 1, 2), INT(96), 1e-6),
    SEEN(again, "AGAIN=True"),
    SEEN(by_one_map, ""),
    SEEN(in_one_slot, "DOUBLED=True"),
    CASE(dot_of_subnormals, .signature = "*fp16, *fp32, *fp32",
         .arguments = {SUBNORMAL_HALVES(1024),
                       {ARGUMENT_INPUT, F32, 1024, GENERATE_WHOLE, -4, 4},
                       OUT(F32, 2048)},
         .warps = "14"),
    CASE(dot_of_constants, .signature = "*fp32, *fp32",
         .arguments = {{ARGUMENT_INPUT, F32, 2048, GENERATE_WHOLE, 1, 2}, OUT(F32, 8192)}),
};

FAMILY(extremes);
