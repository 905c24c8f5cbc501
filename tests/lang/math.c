// Mathematical functions, against the C library in float64.
#include "lang.h"

#include <math.h>

enum { N = 256 };

static void exponentials(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, exp(a));
        put_real(r, 1, N + i, exp2(a));
        put_real(r, 1, 2 * N + i, 1 / (1 + exp(-a)));
        put_real(r, 1, 3 * N + i, exp(-a));
    }
}

static void scaled_exponent(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, exp(a * (double)1.702F));
        put_real(r, 1, N + i, exp(a * (double)-0.3F));
        put_real(r, 1, 2 * N + i, 1 / (1 + exp(a * (double)-1.1F)));
    }
}

static void far_quotients(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, a / (1 + exp(-a)) + a);
        put_real(r, 1, N + i, a / (2 + exp(a * -1.5)));
        put_real(r, 1, 2 * N + i, 1 / (1 + exp(-a)));
    }
}

static void contracted_edges(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 1, i, 0);
        put_real(r, 1, 64 + i, 0);
        put_real(r, 1, 128 + i, 128);
    }
}

static void subnormal_exponentials(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, exp(a));
        put_real(r, 1, N + i, exp(float_round(F32, a * (double)0.96F)));
    }
}

static void subnormal_sums(struct lang_run *r) {
    for (size_t i = 0; i < 4; i++) {
        double total = 0;
        for (size_t j = 0; j < 64; j++) {
            total += exp(real(r, 0, j / 16 * 64 + i * 16 + j % 16));
        }
        put_real(r, 1, i, total);
    }
}

static void logarithms(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, log(a));
        put_real(r, 1, N + i, log2(a));
        put_real(r, 1, 2 * N + i, log1p(a));
        put_real(r, 1, 3 * N + i, log10(a));
    }
}

static void roots(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, sqrt(real(r, 0, i)));
        put_real(r, 1, N + i, 1 / sqrt(real(r, 0, i)));
        double small = (double)((float)real(r, 0, i) * 1e-40F);
        put_real(r, 1, 2 * N + i, sqrt(small));
        put_real(r, 1, 3 * N + i, 1 / sqrt(small));
    }
}

static void roots_exact(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, sqrt(real(r, 0, i)));
        put_real(r, 2, N + i, real(r, 0, i) / real(r, 1, i));
    }
}

static void divide_fast(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, real(r, 0, i) / real(r, 1, i));
    }
}

static void circular(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, sin(a));
        put_real(r, 1, N + i, cos(a));
        put_real(r, 1, 2 * N + i, tan(float_round(F32, a * (double)0.03f)));
    }
}

static void all_sizes(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        double want[] = {sin(a),   cos(a),   tan(a),   log(a),     log2(a),  log1p(a),
                         asinh(a), acosh(a), atanh(a), fmod(a, b), pow(a, b)};
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            put_real(r, 2, k * N + i, want[k]);
        }
    }
}

static void many_sizes(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, 2 * sin((double)((float)a * 0.5F)));
        put_real(r, 2, 512 + i, -log(a));
        put_real(r, 2, 1024 + i, b > 0 ? pow(a, b) : fmod(b, a));
    }
}

static void inverse_circular(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, asin(a));
        put_real(r, 1, N + i, acos(a));
        put_real(r, 1, 2 * N + i, atan(float_round(F32, a * 5)));
        put_real(r, 1, 3 * N + i, atan2(a, a * a - 0.5));
    }
}

static void hyperbolic(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, tanh(a));
        put_real(r, 1, N + i, sinh(a));
        put_real(r, 1, 2 * N + i, cosh(a));
        put_real(r, 1, 3 * N + i, expm1(a));
    }
}

static void error_functions(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, erf(real(r, 0, i)));
        put_real(r, 1, N + i, erf(real(r, 0, i)));
    }
}

static void powers(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 2, i, pow(real(r, 0, i), real(r, 1, i)));
    }
}

static void roundings(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, floor(real(r, 0, i)));
        put_real(r, 1, N + i, ceil(real(r, 0, i)));
    }
}

static void roundings_device(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i);
        put_real(r, 1, i, rint(a));
        put_real(r, 1, N + i, trunc(a));
        put_real(r, 1, 2 * N + i, round(a));
        put_real(r, 1, 3 * N + i, rint(a));
    }
}

static void classes(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_integer(r, 1, i, isnan(real(r, 0, i)));
        put_integer(r, 1, N + i, isinf(real(r, 0, i)) != 0);
        put_integer(r, 1, 2 * N + i, isnan(real(r, 0, i)));
    }
}

static void double_precision(struct lang_run *r) {
    double (*const functions[])(double) = {exp, log, sqrt, sin, cos, erf, tanh};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t i = 0; i < 128; i++) {
            put_real(r, 1, f * 128 + i, functions[f](real(r, 0, i)));
        }
    }
}

static void softmax(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        double sum = 0;
        for (size_t j = 0; j < 32; j++) {
            sum += exp(real(r, 0, i / 32 * 32 + j) - real(r, 0, i));
        }
        put_real(r, 1, i, 1 / sum);
    }
}

static void gelu(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, 0.5 * real(r, 0, i) * (1 + erf(real(r, 0, i) * sqrt(0.5))));
    }
}

static void minima_maxima(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, fmod(a, b));
        put_real(r, 2, N + i, hypot(a, b));
        put_real(r, 2, 2 * N + i, copysign(a, -b));
        put_real(r, 2, 3 * N + i, a / b);
    }
}

// Zeros, infinities, NaN and numbers beyond the range of exp; the sine of an infinity is NaN.
static void edges(struct lang_run *r) {
    double (*const functions[])(double) = {exp, log, sqrt, sin, erf, tanh};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t i = 0; i < 16; i++) {
            if ((f == 3 && fabs(real(r, 0, i)) > 1e30) || fabs(real(r, 0, i)) < 0x1p-126) {
                put_any(r, 1, f * 16 + i);
            } else {
                put_real(r, 1, f * 16 + i, functions[f](real(r, 0, i)));
            }
        }
    }
}

#define MATH(NAME, LOW, HIGH, OUTPUTS, RELATIVE, ABSOLUTE)                                                   \
    ROW(#NAME, NAME, NAME, .arguments = {IN(F32, N, LOW, HIGH), OUT(F32, OUTPUTS * N)},                      \
        .relative = RELATIVE, .absolute = ABSOLUTE)
#define MATH2(NAME, LOW, HIGH, LOW2, HIGH2, OUTPUTS, RELATIVE)                                               \
    ROW(#NAME, NAME, NAME,                                                                                   \
        .arguments = {IN(F32, N, LOW, HIGH), IN(F32, N, LOW2, HIGH2), OUT(F32, OUTPUTS * N)},                \
        .relative = RELATIVE)

static const struct lang_case math_cases[] = {
    MATH(exponentials, -20, 20, 4, 4e-6, 0),
    MATH(scaled_exponent, -20, 20, 3, 8e-6, 0),
    CASE_OF(far_quotients_near, far_quotients, .arguments = {IN(F16, N, -9, 9), OUT(F16, 3 * N)},
            .relative = 1e-3, .absolute = 6e-8),
    CASE_OF(far_quotients_far, far_quotients, .arguments = {IN(F16, N, -95, -80), OUT(F16, 3 * N)},
            .relative = 1e-3, .absolute = 6e-8),
    CASE_OF(far_quotients_special, far_quotients, .arguments = {SPECIAL(F16, N, -90, 90), OUT(F16, 3 * N)},
            .relative = 1e-3, .absolute = 6e-8),
    CASE_OF(scaled_exponent_special, scaled_exponent,
            .arguments = {SPECIAL(F32, N, -40, 40), OUT(F32, 3 * N)}, .relative = 2e-5, .absolute = 3e-38),
    CASE(contracted_edges, .arguments = {IN(F32, 64, 0.1, 7), OUT(F32, 192), REAL(F32, 0.1274)},
         .absolute = 1e-3),
    MATH(subnormal_exponentials, -103, -87, 2, 1e-5, 3e-45),
    CASE(subnormal_sums, .arguments = {IN(F32, N, -103, -93), OUT(F32, 4)}, .relative = 1e-5,
         .absolute = 1e-43),
    MATH(logarithms, 0.001, 50, 4, 1e-6, 4e-7),
    MATH(roots, 0.01, 100, 4, 4e-7, 0),
    MATH2(roots_exact, 0.01, 100, 1, 9, 2, 0),
    MATH2(divide_fast, -9, 9, 1, 9, 1, 4e-7),
    MATH(circular, -40, 40, 3, 2e-6, 1e-6),
    MATH(inverse_circular, -0.99, 0.99, 4, 2e-6, 1e-6),
    CASE_OF(all_sizes_bits, all_sizes, .arguments = {BITS(F32, N), BITS(F32, N), OUT(F32, 11 * N)},
            .relative = 6e-7, .absolute = 3e-45),
    CASE(many_sizes, .arguments = {SPECIAL(F32, 512, -3e5, 3e5), SPECIAL(F32, 512, -9, 9), OUT(F32, 1536)},
         .warps = "1", .relative = 6e-7, .absolute = 3e-45),
    CASE_OF(all_sizes_special, all_sizes,
            .arguments = {SPECIAL(F32, N, -3e5, 3e5), SPECIAL(F32, N, -9, 9), OUT(F32, 11 * N)},
            .relative = 6e-7, .absolute = 3e-45),
    MATH(hyperbolic, -4, 4, 4, 2e-6, 1e-7),
    MATH(error_functions, -4, 4, 2, 1e-6, 1e-7),
    MATH2(powers, 0.1, 9, -5, 5, 1, 4e-6),
    CASE_OF(roundings_f32, roundings, .signature = "*fp32, *fp32",
            .arguments = {IN(F32, N, -9, 9), OUT(F32, 2 * N)}),
    CASE_OF(roundings_f64, roundings, .signature = "*fp64, *fp64",
            .arguments = {IN(F64, N, -9, 9), OUT(F64, 2 * N)}),
    MATH(roundings_device, -9, 9, 4, 0, 0),
    CASE(classes, .arguments = {SPECIAL(F32, N, -9, 9), OUT(I32, 3 * N)}),
    CASE(double_precision, .arguments = {IN(F64, 128, 0.01, 20), OUT(F64, 896)}, .relative = 4e-15,
         .absolute = 1e-15),
    CASE(softmax, .arguments = {IN(F32, 512, -9, 9), OUT(F32, 512)}, .relative = 4e-6, .warps = "14"),
    CASE(gelu, .arguments = {IN(F16, N, -4, 4), OUT(F16, N)}, .relative = 1e-3, .absolute = 1e-6),
    MATH2(minima_maxima, 0.5, 9, 1, 4, 4, 4e-7),
    CASE(edges, .arguments = {SPECIAL(F32, 16, -100, 100), OUT(F32, 96)}, .relative = 2e-5, .absolute = 2e-6),
};

FAMILY(math);
