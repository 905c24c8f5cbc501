// Versions of the language (src/frontend/semantics/language.def). Factors of 1.0001 show a value's type: they are 1 in
// 16 bits.
#include "lang.h"

#include <math.h>
#include <string.h>

enum { N = 256 };

static bool is_old(const struct lang_run *r) {
    return r->test->language && strcmp(r->test->language, "3.6") == 0;
}

// A number beside elements of a 16-bit type: of that type, before Triton 3.9 as an f32.
static double number(const struct lang_run *r, enum element element, double value) {
    return is_old(r) ? (double)(float)value : float_round(element, value);
}

static double factor(const struct lang_run *r) {
    return is_old(r) ? (double)1.0001f : 1;
}

static double in_half(const struct lang_run *r, double value) {
    return is_old(r) ? (double)(float)value : float_round(F16, value);
}

static void kept_types(struct lang_run *r) {
    double tenth = number(r, F16, 0.1);
    for (size_t i = 0; i < N; i++) {
        double h = real(r, 0, i), w = real(r, 1, i);
        put_real(r, 2, i, fmax(h, tenth) * factor(r));
        put_real(r, 2, N + i, fmin(fmax(h, tenth), 5) * factor(r));
        put_real(r, 2, 2 * N + i, in_half(r, h * 2 + tenth) * factor(r));
        put_real(r, 3, i, fmin(w, 3) * factor(r));
        put_real(r, 3, N + i, w * factor(r));
    }
}

static void kept_in_scans(struct lang_run *r) {
    double sum = 0, product = 1, most = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < 16; i++) {
        double x = real(r, 0, i);
        sum += x;
        product *= x;
        most = fmax(most, x);
        least = fmin(least, x);
        put_real(r, 1, i, sum * factor(r));
        put_real(r, 1, 16 + i, product * factor(r));
    }
    put_real(r, 2, 0, most * factor(r));
    put_real(r, 2, 1, least * factor(r));
}

static void kept_in_loops(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double most = 0, positive = 0;
        for (size_t j = 0; j < (size_t)scalar(r, 2); j++) {
            double x = real(r, 0, 64 * j + i);
            most = fmax(most, x);
            positive = fmax(float_round(BF16, positive + x), 0);
        }
        put_real(r, 1, i, most);
        put_real(r, 1, 64 + i, positive);
    }
}

static void compare_numbers(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double h = real(r, 0, i), w = real(r, 1, i);
        put_integer(r, 2, i, h < number(r, F16, 0.1));
        put_integer(r, 2, 64 + i, w > number(r, BF16, 0.3));
        put_integer(r, 2, 128 + i, h == number(r, F16, 0.1));
    }
}

static void signs_of_zero(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double x = real(r, 0, i);
        put_real(r, 1, i, is_old(r) ? 0 - x : -x);
        put_real(r, 1, 64 + i, is_old(r) ? 0.0 : -0.0);
    }
}

static void stored_booleans(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_bits(r, 1, i, is_old(r) ? bits(r, 0, i) & 0xff : integer(r, 0, i) != 0);
    }
}

static void quotients(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double q = real(r, 0, i) / real(r, 0, 64 + i), h = real(r, 1, i);
        put_real(r, 2, i, is_old(r) ? float_round(E5M2, q) : q);
        q = h / float_round(F16, h + 3);
        put_real(r, 2, 64 + i, is_old(r) ? float_round(F16, q) : q);
    }
}

// An assigned value is a tensor.
static void returned_constants(struct lang_run *r) {
    int64_t n = scalar(r, 2), m = n > 3 ? n : n + 1;
    for (size_t i = 0; i < 64; i++) {
        double h = real(r, 0, i);
        put_real(r, 1, i, h * factor(r));
        put_real(r, 1, 64 + i, h * (double)1.0001f + (double)m);
    }
}

static void returned_one_of(struct lang_run *r) {
    put_real(r, 0, 0, scalar(r, 1) > 3 ? 2.5 : 1.5);
}

static void softmax_rows(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        double sum = 0;
        for (size_t j = 0; j < 16; j++) {
            sum += exp(real(r, 0, 16 * i + j));
        }
        for (size_t j = 0; j < 16; j++) {
            put_real(r, 1, 16 * i + j, exp(real(r, 0, 16 * i + j)) / sum);
        }
    }
}

static void softmax_by_name(struct lang_run *r) {
    softmax_rows(r);
}

static void announced(struct lang_run *r) {
    int64_t n = scalar(r, 2);
    put_integer(r, 1, 0, n);
    put_integer(r, 1, 1, n + (n > 3 ? 2 : 3));
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, 2 + i, 7 * integer(r, 0, i));
    }
}

static void version(struct lang_run *r) {
    put_integer(r, 0, 0, is_old(r) ? 36 : 39);
}

static void half_dot(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            double sum = 0;
            for (size_t k = 0; k < 32; k++) {
                sum += real(r, 0, 32 * i + k) * real(r, 1, 32 * k + j);
            }
            put_real(r, 2, 32 * i + j, sum);
        }
    }
}

static void squeezed(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 1, i, real(r, 0, i));
        put_real(r, 2, i, real(r, 0, i));
    }
}

static void approximate(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double x = real(r, 0, i);
        put_real(r, 1, i, x / 3);
        put_real(r, 1, N + i, 1 / x);
        put_real(r, 1, 2 * N + i, tanh(x));
    }
}

static void clamped(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t x = integer(r, 0, i);
        put_integer(r, 1, i, x < -3 ? -3 : x > 7 ? 7 : x);
    }
}

// The numbers are 0 to 63 in some order.
static void few(struct lang_run *r) {
    put_integer(r, 1, 0, 63);
    put_integer(r, 1, 1, 0);
    for (size_t i = 0; i < 8; i++) {
        put_integer(r, 1, 2 + i, (int64_t)i);
    }
}

static void aggregates(struct lang_run *r) {
    int64_t n = scalar(r, 3);
    for (size_t i = 0; i < 32; i++) {
        int64_t sum = 0, count = 0;
        for (size_t j = 0; j < 4; j++) {
            if (j != 1) {
                sum += (int64_t)(32 * j + i) < n ? 6 * n * integer(r, 0, 32 * j + i) : 0;
                count++;
            }
        }
        if (n > 10) {
            sum -= (int64_t)i < n ? 6 * n * integer(r, 0, i) : 0;
            count++;
        }
        put_integer(r, 1, i, sum + count);
    }
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 2, i, (int64_t)i + 2 < n ? integer(r, 0, i + 2) : 0);
    }
    put_integer(r, 2, 64, 6 * n < 1000);
}

static void class_functions(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, 2 * integer(r, 0, i) + 5 * (int64_t)i - 3);
    }
}

static void early_aggregate(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, (integer(r, 0, i) + (int64_t)i) * 3 + 2);
    }
}

static void put_from(struct lang_run *r, size_t to, size_t i, size_t j) {
    put_bits(r, 1, to, bits(r, 0, 8 * i + j));
}

static void picked(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t j = 0; j < 16; j++) {
        put_from(r, 8 + j, j, n);
        if (j < 8) {
            put_from(r, j, 3, j);
            put_from(r, 37 + j, 1 + j / 2, j % 2);
        }
        if (j < 4) {
            put_from(r, 25 + j, 5, 4 + j);
            put_from(r, 29 + j, 9, 2 + j);
            put_from(r, 33 + j, n, 1 + 2 * j);
        }
    }
    put_from(r, 24, 15, 7);
    put_from(r, 45, 2, 1);
}

static void assigned_elements(struct lang_run *r) {
    int64_t n = scalar(r, 2), sum = n, second = integer(r, 0, 0);
    for (int64_t i = 0; i < n; i++) {
        sum += integer(r, 0, (size_t)i);
        second *= i > 2 ? 2 : 1;
    }
    put_integer(r, 1, 0, sum);
    put_integer(r, 1, 1, second);
    put_integer(r, 1, 2, n + 5);
    put_integer(r, 1, 3, n + integer(r, 0, 0) + 3);
}

// The places of a row's values; some values are alike.
static void sorted_places(struct lang_run *r) {
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 16; j++) {
            double x = real(r, 0, 16 * i + j);
            size_t above = 0, below = 0;
            for (size_t k = 0; k < 16; k++) {
                double y = real(r, 0, 16 * i + k);
                above += y > x || (y == x && k < j);
                below += y < x || (y == x && k < j);
            }
            put_real(r, 1, 16 * i + above, x);
            put_integer(r, 2, 16 * i + above, (int64_t)j);
            put_integer(r, 2, 64 + 16 * i + below, (int64_t)j);
        }
    }
}

static double with_nan(struct lang_run *r, size_t i, size_t j) {
    return j % 4 == 0 ? 0 : j % 5 == 1 ? INFINITY : real(r, 0, 16 * i + j);
}

static void sorted_places_of_nan(struct lang_run *r) {
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 16; j++) {
            double x = with_nan(r, i, j);
            size_t above = 0, below = 0;
            for (size_t k = 0; k < 16; k++) {
                double y = with_nan(r, i, k);
                above += y > x || (y == x && k < j);
                below += y < x || (y == x && k < j);
            }
            put_integer(r, 1, 16 * i + below, (int64_t)j);
            put_integer(r, 1, 64 + 16 * i + above, (int64_t)j);
        }
    }
}

static void no_configurations(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 1, i, i < (size_t)scalar(r, 2) ? real(r, 0, i) : 0);
    }
}

// As Triton 3.9 has it, and as 3.6 has.
#define BOTH_VERSIONS(NAME, ...)                                                                             \
    {.name = #NAME, .kernel = #NAME, __VA_ARGS__, .reference = NAME}, {                                      \
        .name = #NAME "_3.6", .kernel = #NAME, .language = "3.6", __VA_ARGS__, .reference = NAME             \
    }
#define REFUSED_BEFORE(NAME, VERSION, TEXT, ...)                                                             \
    {.name = #NAME, .kernel = #NAME, __VA_ARGS__, .reference = NAME}, {                                      \
        .name = #NAME "_" VERSION, .kernel = #NAME, .language = VERSION, __VA_ARGS__, .reference = NAME,     \
        .refusals = {                                                                                        \
            {"*", TEXT}                                                                                      \
        }                                                                                                    \
    }

#define PICKED(TYPE)                                                                                         \
    ROW("picked_" NAME_##TYPE, picked, picked, .signature = "*" NAME_##TYPE ", *" NAME_##TYPE ", i32",       \
        .arguments = {BITS(TYPE, 128), OUT(TYPE, 46), INT(6)})

static const struct lang_case language_cases[] = {
    BOTH_VERSIONS(kept_types, .signature = "*fp16, *bf16, *fp32, *fp32",
                  .arguments = {IN(F16, N, -2, 9), IN(BF16, N, -9, 9), OUT(F32, 3 * N), OUT(F32, 2 * N)},
                  .relative = 1e-6),
    BOTH_VERSIONS(kept_in_scans,
                  .arguments = {{ARGUMENT_INPUT, BF16, 16, GENERATE_WHOLE, 1, 2}, OUT(F32, 32), OUT(F32, 2)},
                  .relative = 1e-6),
    REFUSED_BEFORE(kept_in_loops, "3.6", "must keep its type",
                   .arguments = {IN(BF16, 320, -9, 9), OUT(BF16, 128), INT(5)}),
    BOTH_VERSIONS(compare_numbers, .arguments = {{ARGUMENT_INPUT, F16, 64, GENERATE_CODES, 0x2e50, 0x2e80},
                                                 {ARGUMENT_INPUT, BF16, 64, GENERATE_CODES, 0x3e90, 0x3ea0},
                                                 OUT(I1, 192)}),
    BOTH_VERSIONS(signs_of_zero, .arguments = {SPECIAL(F32, 64, -9, 9), OUT(F32, 128)}),
    BOTH_VERSIONS(stored_booleans, .signature = "*i32, *i1", .arguments = {IN(I32, 64, 0, 3), OUT(I1, 64)}),
    BOTH_VERSIONS(quotients, .arguments = {IN(E5M2, 128, 1, 9), IN(F16, 64, 1, 9), OUT(F32, 128)},
                  .relative = 1e-6),
    BOTH_VERSIONS(returned_constants, .arguments = {IN(F16, 64, -9, 9), OUT(F32, 128), INT(5)},
                  .absolute = 1e-5),
    BOTH_VERSIONS(returned_one_of, .arguments = {OUT(F32, 1), INT(3)}),
    CASE(softmax_rows, .arguments = {IN(F32, 256, -3, 3), OUT(F32, 256)}, .relative = 1e-5),
    BOTH_VERSIONS(softmax_by_name, .arguments = {IN(F32, 256, -3, 3), OUT(F32, 256)}, .relative = 1e-5),
    REFUSED_BEFORE(announced, "3.7",
                   "an annotation without a value: of Triton 3.8 and later, and the language here is 3.7",
                   .arguments = {IN(I32, 64, -99, 99), OUT(I32, 66), INT(5)}),
    BOTH_VERSIONS(version, .arguments = {OUT(I32, 1)}),
    REFUSED_BEFORE(
        half_dot, "3.7", "the accumulator of tl.dot is tensor<32x32xfloat16>, and out_dtype is float32",
        .arguments = {IN(F16, 1024, -1, 1), IN(F16, 1024, -1, 1), OUT(F16, 1024)}, .absolute = 2e-2),
    REFUSED_BEFORE(squeezed, "3.6", "tl.unsqueeze: of Triton 3.7 and later",
                   .arguments = {IN(F32, 64, -9, 9), OUT(F32, 64), OUT(F32, 64)}),
    REFUSED_BEFORE(approximate, "3.8", "the parameter approx of tl.fdiv: of Triton 3.9 and later",
                   .arguments = {IN(F32, N, 0.1, 9), OUT(F32, 3 * N)}, .relative = 1e-5),
    REFUSED_BEFORE(clamped, "3.8", "tl.clamp of integers: of Triton 3.9 and later",
                   .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64)}),
    REFUSED_BEFORE(few, "3.8", "topk of one element: of Triton 3.9 and later",
                   .arguments = {PERMUTE(I32, 64), OUT(I32, 10)}),
    REFUSED_BEFORE(aggregates, "3.7", "@triton.aggregate: of Triton 3.8 and later",
                   .arguments = {IN(I32, 128, -99, 99), OUT(I32, 32), OUT(I32, 65), INT(100)}),
    CASE(class_functions, .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64)}),
    BOTH_VERSIONS(early_aggregate, .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64)}),
    PICKED(I8),
    PICKED(I1),
    PICKED(BF16),
    PICKED(F32),
    PICKED(F64),
    CASE(assigned_elements, .arguments = {IN(I32, 8, -99, 99), OUT(I32, 4), INT(6)}),
    CASE(sorted_places,
         .arguments = {{ARGUMENT_INPUT, F32, 64, GENERATE_WHOLE, 0, 9}, OUT(F32, 64), OUT(I32, 128)}),
    CASE(sorted_places_of_nan, .arguments = {{ARGUMENT_INPUT, F32, 64, GENERATE_WHOLE, 0, 9}, OUT(I32, 128)}),
    CASE(no_configurations, .arguments = {IN(F32, 64, -9, 9), OUT(F32, 64), INT(41)}),
};

FAMILY(language);
