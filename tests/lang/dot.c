// Matrix products. Inputs are exact in their types, references sum in float64.
#include "lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/number/number.h"

// c[i, j] = sum over k of a[i, k] b[k, j], with the strides of a and b.
static double product(struct lang_run *r, size_t a, size_t a_step, size_t b, size_t b_step, size_t k) {
    double sum = 0;
    for (size_t p = 0; p < k; p++) {
        sum += real(r, 0, a + p * a_step) * real(r, 1, b + p * b_step);
    }
    return sum;
}

static void put_number(struct lang_run *r, unsigned a, size_t i, double value) {
    if (element_is_real(r->test->arguments[a].element)) {
        put_real(r, a, i, value);
    } else {
        put_integer(r, a, i, (int64_t)value);
    }
}

// The sizes follow from the counts: m k, k n, m n.
static void dot_once(struct lang_run *r) {
    size_t a = r->test->arguments[0].count, b = r->test->arguments[1].count, c = r->test->arguments[2].count;
    size_t k = (size_t)(sqrt((double)a * (double)b / (double)c) + 0.5), m = a / k, n = b / k;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            put_number(r, 2, i * n + j, product(r, i * k, 1, j, n, k));
        }
    }
}

// Rows of a with rows of b.
static void dot_rows(struct lang_run *r) {
    size_t k = r->test->arguments[0].count / 64, n = r->test->arguments[1].count / k;
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < n; j++) {
            put_number(r, 2, i * n + j, product(r, i * k, 1, j * k, 1, k));
        }
    }
}

static void dot_transposed(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_number(r, 2, i * 64 + j, product(r, i, 32, j * 32, 1, 32));
        }
    }
}

static void dot_many_loads(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, i, 64, j, 64, 128));
        }
    }
}

static void matmul(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 3), n = (size_t)scalar(r, 4), k = (size_t)scalar(r, 5);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            put_real(r, 2, i * n + j,
                     product(r, i * (size_t)scalar(r, 6), (size_t)scalar(r, 7), j * (size_t)scalar(r, 9),
                             (size_t)scalar(r, 8), k));
        }
    }
}

static void matmul_integers(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 1024; i++) {
        put_integer(r, 2, i, (int64_t)product(r, i / 32 * k, 1, i % 32, 32, k));
    }
}

static void attend(struct lang_run *r, size_t n, size_t d, double scale) {
    double *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; i < n; i++) {
        double peak = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weights[j] = product(r, i * d, 1, j * d, 1, d) * scale;
            peak = fmax(peak, weights[j]);
        }
        for (size_t j = 0; j < n; j++) {
            sum += weights[j] = exp(weights[j] - peak);
        }
        for (size_t c = 0; c < d; c++) {
            double total = 0;
            for (size_t j = 0; j < n; j++) {
                total += weights[j] * real(r, 2, j * d + c);
            }
            put_real(r, 3, i * d + c, total / sum);
        }
    }
    free(weights);
}

// Three heights of 64 rows, 64 features; the third product takes the results of the first two, less a vector
// each.
static void dot_vectors(struct lang_run *r) {
    for (size_t i = 0; i < 192; i++) {
        double sums[64] = {0};
        for (size_t j = 0; j < (size_t)scalar(r, 6); j++) {
            double first = -real(r, 4, j), second = -real(r, 3, i);
            for (size_t p = 0; p < 64; p++) {
                first += real(r, 0, i * 64 + p) * real(r, 2, j * 64 + p);
                second += real(r, 1, i * 64 + p) * real(r, 2, j * 64 + p);
            }
            for (size_t p = 0; p < 64; p++) {
                sums[p] += first * second * real(r, 2, j * 64 + p);
            }
        }
        for (size_t p = 0; p < 64; p++) {
            put_real(r, 5, i * 64 + p, sums[p]);
        }
    }
}

static void dot_chained(struct lang_run *r) {
    attend(r, 32, 64, 0.125);
}

static void attention(struct lang_run *r) {
    attend(r, (size_t)scalar(r, 4), 32, 1);
}

static float as_half(double value) {
    return half_to_float(half_from_float((float)value));
}

// One row of chains_tall.
static void chains_row(struct lang_run *r, size_t i, size_t n, double total[64]) {
    for (size_t at = 0; at < 2 * n; at += 32) {
        size_t first = at % n;
        double scores[32];
        for (size_t j = 0; j < 32; j++) {
            double score = product(r, i * 64, 1, (first + j) * 64, 1, 64) * 0.25;
            scores[j] = as_half(score + (at < n ? real(r, 3, i * n + first + j) : 0));
        }
        for (size_t d = 0; d < 64; d++) {
            total[d] *= at < n && (i + at / 32) % 3 == 0 ? 0.5 : 1;
            for (size_t j = 0; j < 32; j++) {
                total[d] += scores[j] * real(r, 2, (first + j) * 64 + d);
            }
        }
    }
}

static void chains_tall(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double total[64] = {0};
        chains_row(r, i, (size_t)scalar(r, 5), total);
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 4, i * 64 + d, total[d]);
        }
    }
}

// Element (i, j) of a · (b₀ + b₁ + …).
static double sum_of_products(struct lang_run *r, size_t i, size_t j) {
    double sum = 0;
    for (size_t step = 0; step < (size_t)scalar(r, 4); step++) {
        sum += product(r, i * 64, 1, step * 4096 + j, 64, 64);
    }
    return sum;
}

static void dot_scaled_behind(struct lang_run *r) {
    for (size_t at = 0; at < 1536 * 64; at++) {
        put_real(r, 3, at, sum_of_products(r, at / 64, at % 64) * real(r, 2, at / 64));
    }
}

static void dot_begun_sums(struct lang_run *r) {
    for (size_t at = 0; at < 128 * 64; at++) {
        double sum = 0;
        for (size_t p = 0; p < (size_t)scalar(r, 4); p++) {
            double x = real(r, 0, at / 64 * 256 + p), y = real(r, 1, p * 64 + at % 64);
            sum += (p < 64 ? x : exp2(x) * real(r, 2, p)) * y;
        }
        put_real(r, 3, at, sum);
    }
}

static void dot_started_with(struct lang_run *r) {
    for (size_t at = 0; at < 256 * 64; at++) {
        put_real(r, 3, at, sum_of_products(r, at / 64, at % 64) + (at / 4096 % 2 ? real(r, 2, at / 64) : 0));
    }
}

static void dot_batched(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        put_real(r, 2, i, product(r, i / 16 * 16, 1, i / 256 * 256 + i % 16, 16, 16));
    }
}

static void dot_epilogue(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        double sum = 0;
        for (size_t j = 0; j < 64; j++) {
            double z = fmax(product(r, i * 32, 1, j, 64, 32) + real(r, 2, j), 0);
            put_real(r, 3, i * 64 + j, z);
            sum += z;
        }
        put_real(r, 4, i, sum);
    }
}

static void dot_dequantised(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        put_real(r, 3, i, product(r, i / 32 * 32, 1, i % 32, 32, 32) * real(r, 2, i % 32));
    }
}

static void dot_split_k(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 1024; i++) {
        put_real(r, 2, i, real(r, 2, i) + product(r, i / 32 * k, 1, i % 32, 32, k));
    }
}

static void dot_two_accumulators(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 1024; i++) {
        double other = 0;
        for (size_t p = 0; p < k; p++) {
            other += real(r, 0, i / 32 * k + p) * real(r, 2, p * 32 + i % 32);
        }
        put_real(r, 3, i, product(r, i / 32 * k, 1, i % 32, 32, k) * other);
    }
}

static void dot_gradients(struct lang_run *r) {
    static double dk[64][64], dv[64][64];
    memset(dk, 0, sizeof dk);
    memset(dv, 0, sizeof dv);
    for (size_t row = 0; row < (size_t)scalar(r, 8); row++) {
        double dq[64] = {0};
        for (size_t key = 0; key < 64; key++) {
            double weight = product(r, row * 64, 1, key * 64, 1, 64) / 8, slope = -real(r, 4, row);
            for (size_t d = 0; d < 64; d++) {
                slope += real(r, 2, key * 64 + d) * real(r, 3, row * 64 + d);
            }
            for (size_t d = 0; d < 64; d++) {
                dv[key][d] += weight * real(r, 3, row * 64 + d);
                dk[key][d] += weight * slope * real(r, 0, row * 64 + d);
                dq[d] += weight * slope * real(r, 1, key * 64 + d);
            }
        }
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 5, row * 64 + d, real(r, 5, row * 64 + d) + dq[d]);
        }
    }
    for (size_t i = 0; i < 4096; i++) {
        put_real(r, 6, i, dk[i / 64][i % 64]);
        put_real(r, 7, i, dv[i / 64][i % 64]);
    }
}

// Each layer is the one before times w, between -1 and 1.
static void dot_layers(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 3), rows = 32 * (size_t)scalar(r, 2);
    static double layers[4 * 32 * 64];
    for (size_t i = 0; i < 32 * n; i++) {
        layers[i] = real(r, 0, i);
        put_real(r, 0, i, layers[i]);
    }
    for (size_t i = 0; i < rows * n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += layers[i / n * n + k] * real(r, 1, k * n + i % n);
        }
        layers[32 * n + i] = sum < -1 ? -1 : sum > 1 ? 1 : sum;
        put_real(r, 0, 32 * n + i, layers[32 * n + i]);
    }
}

// Of two products, no element of the first one is taken.
static void dot_unread(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < (size_t)128 * 64; i++) {
        put_real(r, 3, i, product(r, i / 64 * k, 1, i % 64, 64, k));
    }
}

// Added to memory: the rows of x, of 64, times y's transpose, as halves, times y.
static void dot_added_rows(struct lang_run *r) {
    for (size_t row = 0; row < (size_t)scalar(r, 3); row++) {
        double first[64];
        for (size_t j = 0; j < 64; j++) {
            first[j] = product(r, row * 64, 1, j * 64, 1, 64);
        }
        for (size_t column = 0; column < 64; column++) {
            double sum = real(r, 2, row * 64 + column);
            for (size_t j = 0; j < 64; j++) {
                sum += first[j] * real(r, 1, j * 64 + column);
            }
            put_real(r, 2, row * 64 + column, sum);
        }
    }
}

// The state of each step is stored before the step: h[t + 1] = h[t] + k[t]ᵀ (g[t] v[t] - w[t] h[t]).
static void dot_recurrence(struct lang_run *r) {
    size_t steps = (size_t)scalar(r, 5), block = r->test->arguments[3].count / steps;
    static double state[64][32];
    memset(state, 0, sizeof state);
    for (size_t t = 0; t <= steps; t++) {
        double next[64][32];
        memcpy(next, state, sizeof next);
        for (size_t i = 0; i < 64 * 32; i++) {
            put_real(r, 4, t * 2048 + i, state[i / 32][i % 32]);
        }
        for (size_t row = t * block; t < steps && row < (t + 1) * block; row++) {
            for (size_t q = 0; q < 32; q++) {
                double new = real(r, 2, row * 32 + q) * real(r, 3, row);
                for (size_t p = 0; p < 64; p++) {
                    new -= real(r, 1, row * 64 + p) * state[p][q];
                }
                for (size_t p = 0; p < 64; p++) {
                    next[p][q] += real(r, 0, row * 64 + p) * new;
                }
            }
        }
        memcpy(state, next, sizeof state);
    }
}

// A is ones from column k on: such a tile is stored to shared memory by itself, and B goes to slots.
static void dot_filled(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 64 * 64; i++) {
        double sum = 0;
        for (size_t p = 0; p < 96; p++) {
            sum += (p < k ? real(r, 0, i / 64 * 96 + p) : 1) * real(r, 1, p * 64 + i % 64);
        }
        put_real(r, 2, i, sum);
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define ONCE(NAME, FROM, TO, SIZES, M, N, K, LOW, HIGH, RELATIVE, ABSOLUTE, WARPS)                           \
    ROW("dot_once_" NAME, dot_once, dot_once, .signature = P(FROM) ":16, " P(FROM) ":16, " P(TO) ":16",      \
        .defines = SIZES,                                                                                    \
        .arguments = {IN(FROM, M * K, LOW, HIGH), IN(FROM, K * N, LOW, HIGH), OUT(TO, M * N)},               \
        .relative = RELATIVE, .absolute = ABSOLUTE, .warps = WARPS)
#define TRANSPOSED(FROM, TO, LOW, HIGH, ABSOLUTE)                                                            \
    ROW("dot_transposed_" NAME_##FROM, dot_transposed, dot_transposed,                                       \
        .signature = P(FROM) ":16, " P(FROM) ":16, " P(TO) ":16",                                            \
        .arguments = {IN(FROM, 1024, LOW, HIGH), IN(FROM, 2048, LOW, HIGH), OUT(TO, 2048)},                  \
        .absolute = ABSOLUTE, .warps = "148")
// Strides tell the transposed operand.
#define MATMUL(NAME, FROM, TO, DEFINES, HINT, GM, GN, M, N, K, AM, AK, BK, BN, ABSOLUTE, WARPS, STAGES)      \
    ROW("matmul_" NAME, matmul, matmul, .signature = P(FROM) ":16, " P(FROM) ":16, " P(TO) ":16, " HINT,     \
        .defines = DEFINES, .grid = {GM, GN},                                                                \
        .arguments = {IN(FROM, M * K, -1, 1), IN(FROM, K * N, -1, 1), OUT(TO, M * N), INT(M), INT(N),        \
                      INT(K), INT(AM), INT(AK), INT(BK), INT(BN)},                                           \
        .absolute = ABSOLUTE, .relative = 1e-3, .warps = WARPS, .stages = STAGES, .every_pair = true)

#define DOT_RECURRENCE(rows, counts)                                                                         \
    ROW("dot_recurrence_" #rows, dot_recurrence, dot_recurrence, .defines = "BLOCK=" #rows,                  \
        .arguments = {IN(F16, 5 * rows * 64, -0.125, 0.125), IN(F16, 5 * rows * 64, -0.125, 0.125),          \
                      IN(F16, 5 * rows * 32, -1, 1), IN(F32, 5 * rows, 0, 1), OUT(F32, 6 * 64 * 32),         \
                      INT(5)},                                                                               \
        .absolute = 2e-3, .warps = counts, .stages = "123")

#define DOT_VECTORS(NAME, DEFINES)                                                                           \
    ROW("dot_vectors_" NAME, dot_vectors, dot_vectors, .defines = DEFINES, .grid = {3},                      \
        .arguments = {IN(F16, 192 * 64, -0.5, 0.5), IN(F16, 192 * 64, -0.5, 0.5),                            \
                      IN(F16, 100 * 64, -0.5, 0.5), IN(F32, 192, -0.5, 0.5), IN(F32, 128, -0.5, 0.5),        \
                      OUT(F32, 192 * 64), INT(100)},                                                         \
        .relative = 2e-3, .absolute = 4e-3, .warps = "48", .stages = "23")

static void matmul_far(struct lang_run *r, bool far) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++) {
                sum += real(r, far && i % 2, (far ? i / 2 : 63 - i) * k + p) * real(r, 2, p * 64 + j);
            }
            put_real(r, 3, i * 64 + j, sum);
        }
    }
}

static void matmul_far_apart(struct lang_run *r) {
    matmul_far(r, true);
}

static void matmul_backwards(struct lang_run *r) {
    matmul_far(r, false);
}

static void matmul_loaded_rows(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 5);
    bool far = strstr(r->test->defines, "True");
    for (size_t at = 0; at < 64 * 64; at++) {
        int64_t row = integer(r, 4, at / 64);
        double sum = 0;
        for (size_t p = 0; p < k && row >= 0; p++) {
            sum += real(r, far && row % 2, (size_t)(row / 2) * k + p) * real(r, 2, p * 64 + at % 64);
        }
        put_real(r, 3, at, sum);
    }
}

// A divisor of 0 divides like 2^31.
static void dot_counted_places(struct lang_run *r) {
    int64_t n = (int64_t)scalar(r, 4), d = (int64_t)scalar(r, 5),
            step = strstr(r->test->defines, "STEP=5") ? 5 : 1;
    for (size_t at = 0; at < 64 * 64; at++) {
        double sum = 0;
        for (int64_t s = 0; s < n; s++) {
            int64_t row = integer(r, 3, at / 64 * (size_t)n + (size_t)s), k = s * step;
            int64_t place = d ? (k / d & 7) * 4 + (k % d & 3) : (k & 3);
            for (size_t p = 0; p < 32 && row >= 0; p++) {
                sum += real(r, 0, (size_t)row * 32 + p) * real(r, 1, (size_t)place * 2048 + p * 64 + at % 64);
            }
        }
        put_real(r, 2, at, sum);
    }
}

static void matmul_anew(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, i * k, 1, j, 64, k));
        }
    }
}

static void matmul_one_row(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++) {
                sum += real(r, 0, i * k + p) * real(r, 1, p / 32 * 32 * 64 + (size_t)scalar(r, 3) * 64 + j);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void dot_infinite(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            put_real(r, 2, i * 32 + j,
                     i == 3 && j == 5 ? NAN
                     : i == 3         ? INFINITY
                     : j == 5         ? -INFINITY
                                      : real(r, 2, i * 32 + j) + product(r, i * 32, 1, j, 32, 32));
        }
    }
}

static void dot_from(struct lang_run *r) {
    int64_t steps = scalar(r, 3) < scalar(r, 4) ? (scalar(r, 4) - scalar(r, 3)) / 32 : 0;
    for (size_t i = 0; i < 1024; i++) {
        double sum = 0;
        for (size_t s = 0; s < (size_t)steps; s++) {
            sum += product(r, s * 1024 + i / 32 * 32, 1, s * 1024 + i % 32, 32, 32);
        }
        put_real(r, 2, i, sum);
    }
}

static void dot_late_kept(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double sums[64] = {0};
        for (size_t s = 0; s < (size_t)scalar(r, 4); s += 64) {
            for (size_t j = 0; j < 64; j++) {
                double u = 0;
                for (size_t p = 0; p < 64; p++) {
                    u += real(r, 0, i * 64 + p) * real(r, 1, (s + j) * 64 + p) +
                         real(r, 2, i * 64 + p) * real(r, 1, (s + p) * 64 + j);
                }
                for (size_t p = 0; p < 64; p++) {
                    sums[p] += u * real(r, 2, j * 64 + p);
                }
            }
        }
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 3, i * 64 + j, sums[j]);
        }
    }
}

static void dot_of_nine_bits(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < 32; k++) {
            uint64_t word = (uint64_t)integer(r, 0, i / 32 * 8 + k / 4) & UINT32_MAX;
            sum += (int8_t)(word >> 9 * (k % 4)) * integer(r, 1, k * 32 + i % 32);
        }
        put_integer(r, 2, i, sum);
    }
}

static void dot_indices(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 4096; i++) {
        put_real(r, 2, i, product(r, i / 64 * k, 1, i % 64, 64, k));
    }
    for (size_t j = 0; j < 64; j++) {
        int64_t seen = 0;
        for (size_t p = 0; p < k; p++) {
            seen += (int64_t)(p * 64 + j + (p / 64 * 64 + j) * 64 + p % 64);
        }
        put_integer(r, 3, j, seen);
    }
}

static void dot_over_old(struct lang_run *r) {
    for (size_t i = 0; i < 4096; i++) {
        put_real(r, 2, i, product(r, i / 64 * 64, 1, i % 64, 64, 64));
        put_real(r, 3, i, real(r, 2, i));
    }
}

static void dot_swapped(struct lang_run *r) {
    size_t k = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 4096; i++) {
        double sums[2] = {0};
        for (int round = 0; round < 2; round++) {
            for (size_t s = 0; s < k; s += 64) {
                for (size_t p = s; p < s + 64; p++) {
                    double x = real(r, 0, i / 64 * k + p), y = real(r, 1, p * 64 + i % 64);
                    sums[0] += x * y;
                    sums[1] += round ? 0 : float_round(F16, x * x) * y;
                }
                double first = sums[0];
                sums[0] = sums[1];
                sums[1] = first;
            }
        }
        put_real(r, 2, i, sums[0]);
        put_real(r, 3, i, sums[1]);
    }
}

#define DOT_INFINITE(PRECISION, TOLERANCE)                                                                   \
    ROW("dot_infinite_" PRECISION, dot_infinite, dot_infinite, .defines = "PRECISION='" PRECISION "'",       \
        .arguments = {IN(F32, 1024, 0.5, 1), IN(F32, 1024, 0.5, 1), BOTH(F32, 1024, -1, 1)},                 \
        .relative = TOLERANCE, .warps = "14")

#define DOT_FROM(FIRST, LAST)                                                                                \
    ROW("dot_from_" #FIRST "_to_" #LAST, dot_from, dot_from,                                                 \
        .arguments = {IN(F16, 2048, -1, 1), IN(F16, 2048, -1, 1), OUT(F32, 1024), INT(FIRST), INT(LAST)},    \
        .absolute = 1e-4, .stages = "12345")

#define MATMUL_ANEW(K)                                                                                       \
    ROW("matmul_anew_" #K, matmul_anew, matmul_anew,                                                         \
        .arguments = {IN(F16, 64 * K, -1, 1), IN(F16, 64 * K, -1, 1), OUT(F32, 64 * 64), INT(K)},            \
        .absolute = 1e-4, .warps = "4", .stages = "23")

#define MATMUL_ONE_ROW(K)                                                                                    \
    ROW("matmul_one_row_" #K, matmul_one_row, matmul_one_row,                                                \
        .arguments = {IN(F16, 64 * K, -1, 1), IN(F16, 64 * (K + 32), -1, 1), OUT(F32, 64 * 64), INT(3),      \
                      INT(K)},                                                                               \
        .absolute = 1e-4, .warps = "48", .stages = "234")

#define MATMUL_FAR(NAME, FAR, K)                                                                             \
    ROW(#NAME "_" #K, matmul_far, NAME, .defines = "FAR=" FAR,                                               \
        .arguments = {IN(F16, 64 * K, -1, 1), IN(F16, 32 * K, -1, 1), IN(F16, 64 * K, -1, 1),                \
                      OUT(F32, 64 * 64), INT(K)},                                                            \
        .absolute = 1e-4, .warps = "4", .stages = "23")

#define LOADED_ROWS(NAME, FAR, K)                                                                            \
    ROW("matmul_loaded_rows_" #NAME, matmul_loaded_rows, matmul_loaded_rows, .defines = "FAR=" FAR,          \
        .arguments = {IN(F16, 64 * K, -1, 1), IN(F16, 64 * K, -1, 1), IN(F16, 64 * K, -1, 1),                \
                      OUT(F32, 64 * 64), IN(I32, 64, -9, 63), INT(K)},                                       \
        .absolute = 1e-4, .warps = "48", .stages = "23")

#define COUNTED_PLACES(NAME, N, D, STEP)                                                                     \
    ROW("dot_counted_places_" #NAME, dot_counted_places, dot_counted_places, .defines = "STEP=" #STEP,       \
        .arguments = {IN(F16, 64 * 32, -1, 1), IN(F16, 32 * 2048, -1, 1), OUT(F32, 64 * 64),                 \
                      IN(I32, 64 * N, -9, 63), INT(N), INT(D)},                                              \
        .absolute = 1e-4, .warps = "48", .stages = "23")

static const struct lang_case dot_cases[] = {
    ONCE("fp16", F16, F32, NULL, 32, 32, 32, -1, 1, 0, 1e-5, "1248"),
    ONCE("fp16_16", F16, F32, "M=16 N=16 K=16", 16, 16, 16, -1, 1, 0, 1e-5, "1248"),
    ONCE("fp16_64", F16, F32, "M=64 N=128 K=64", 64, 128, 64, -1, 1, 0, 2e-5, "148"),
    ONCE("fp16_wide", F16, F32, "M=16 N=128 K=16", 16, 128, 16, -1, 1, 0, 1e-5, "48"),
    ONCE("fp16_deep", F16, F32, "M=16 N=16 K=128", 16, 16, 128, -1, 1, 0, 2e-5, "14"),
    ONCE("bf16", BF16, F32, NULL, 32, 32, 32, -1, 1, 0, 1e-5, "148"),
    ONCE("fp32_ieee", F32, F32, NULL, 32, 32, 32, -1, 1, 0, 1e-5, "148"),
    ONCE("fp32_tf32", F32, F32, "PRECISION='tf32'", 32, 32, 32, -1, 1, 0, 2e-2, "148"),
    ONCE("fp32_tf32x3", F32, F32, "PRECISION='tf32x3'", 32, 32, 32, -1, 1, 0, 2e-5, "4"),
    ONCE("fp64", F64, F64, NULL, 32, 32, 32, -1, 1, 0, 1e-13,
         "24"), // one warp of 32 spills 1305 registers: 5 s of LLVM
    ONCE("fp64_16", F64, F64, "M=16 N=16 K=16", 16, 16, 16, -1, 1, 0, 1e-13, "1"),
    ONCE("fp32_thin", F32, F32, "M=32 N=32 K=8", 32, 32, 8, -1, 1, 0, 1e-5, "148"),
    ONCE("fp32_tf32_thin", F32, F32, "M=64 N=32 K=8 PRECISION='tf32'", 64, 32, 8, -1, 1, 0, 1e-2, "148"),
    ONCE("fp64_thin", F64, F64, "M=32 N=16 K=4", 32, 16, 4, -1, 1, 0, 1e-13, "14"),
    ONCE("i8", I8, I32, NULL, 32, 32, 32, -128, 127, 0, 0, "148"),
    ONCE("fp8e5", E5M2, F32, NULL, 32, 32, 32, -1, 1, 0, 2e-2, "14"),
    ONCE("fp32_ieee_64", F32, F32, "M=64 N=64 K=64", 64, 64, 64, -1, 1, 0, 1e-4, "24"),
    CASE_OF(dot_once_fp8e4nv, dot_once, .signature = "*fp8e4nv:16, *fp8e4nv:16, *fp32:16",
            .arguments = {IN(E4M3, 1024, -1, 1), IN(E4M3, 1024, -1, 1), OUT(F32, 1024)}, .absolute = 2e-2,
            .warps = "14"),
    ONCE("fp8e4b8", E4M3Z, F32, NULL, 32, 32, 32, -1, 1, 0, 2e-2, "14"),
    TRANSPOSED(F16, F32, -1, 1, 1e-5),
    TRANSPOSED(BF16, F32, -1, 1, 1e-5),
    TRANSPOSED(F32, F32, -1, 1, 2e-2),
    TRANSPOSED(I8, I32, -128, 127, 0),
    TRANSPOSED(E5M2, F32, -1, 1, 2e-2),
    MATMUL("fp16", F16, F32, NULL, "i32, i32, i32, i32, i32:1, i32, i32:1", 2, 2, 50, 45, 70, 70, 1, 45, 1,
           2e-5, "1248", "1234"),
    MATMUL("fp16_hinted", F16, F32, "BM=64 BN=64", "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 2,
           1, 80, 64, 96, 96, 1, 64, 1, 3e-5, "148", "1234"),
    MATMUL("fp16_nt", F16, F16, NULL, "i32:16, i32:16, i32:16, i32:16, i32:1, i32:1, i32:16", 2, 2, 48, 64,
           80, 80, 1, 1, 80, 4e-3, "4", "1234"),
    MATMUL("fp16_tn", F16, F32, NULL, "i32:16, i32:16, i32:16, i32:1, i32:16, i32:16, i32:1", 2, 2, 48, 64,
           80, 1, 48, 64, 1, 2e-5, "4", "13"),
    MATMUL("fp16_tt", F16, F32, NULL, "i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16", 2, 2, 48, 64,
           80, 1, 48, 1, 80, 2e-5, "48", "13"),
    MATMUL("bf16", BF16, BF16, NULL, "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 2, 2, 48, 64, 80,
           80, 1, 64, 1, 4e-2, "14", "13"),
    MATMUL("fp32_ieee", F32, F32, "BK=16", "i32, i32, i32, i32, i32:1, i32, i32:1", 2, 2, 37, 41, 43, 43, 1,
           41, 1, 2e-5, "14", "13"),
    MATMUL("fp32_tf32", F32, F32, "PRECISION='tf32'", "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1",
           2, 2, 48, 64, 80, 80, 1, 64, 1, 2e-2, "14", "134"),
    MATMUL("fp8e5", E5M2, F32, "BK=64", "i32:16, i32:16, i32:16, i32:16, i32:1, i32:1, i32:16", 2, 2, 48, 64,
           128, 128, 1, 1, 128, 4e-2, "4", "13"),
    MATMUL("fp16_128", F16, F16, "BM=128 BN=128", "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 1,
           1, 128, 128, 96, 96, 1, 128, 1, 8e-3, "48", "13"),
    // 128 rows: products into tensor memory on Blackwell.
    ONCE("fp16_tall", F16, F32, "M=128 N=32 K=32", 128, 32, 32, -1, 1, 0, 1e-5, "4"),
    ONCE("bf16_tall", BF16, F32, "M=128 N=16 K=32", 128, 16, 32, -1, 1, 0, 1e-5, "8"),
    ONCE("fp32_tf32_tall", F32, F32, "M=128 N=32 K=16 PRECISION='tf32'", 128, 32, 16, -1, 1, 0, 2e-2, "4"),
    ONCE("i8_tall", I8, I32, "M=128 N=32 K=64", 128, 32, 64, -128, 127, 0, 0, "4"),
    ONCE("fp8e5_tall", E5M2, F32, "M=256 N=32 K=64", 256, 32, 64, -1, 1, 0, 2e-2, "8"),
    MATMUL("fp16_tall", F16, F32, "BM=128 BN=32", "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 2,
           2, 200, 48, 80, 80, 1, 48, 1, 2e-5, "48", "13"),
    MATMUL("fp16_tall_nt", F16, F32, "BM=128 BN=64", "i32, i32:16, i32:16, i32:16, i32:1, i32:1, i32:16", 2,
           2, 150, 80, 112, 112, 1, 1, 112, 2e-5, "8", "3"),
    MATMUL("fp16_tall_tt", F16, F16, "BM=256 BN=32", "i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16",
           2, 1, 272, 32, 80, 1, 272, 1, 80, 4e-3, "4", "3"),
    MATMUL("fp8e5_tall", E5M2, F32, "BM=128 BN=32 BK=64",
           "i32:16, i32:16, i32:16, i32:16, i32:1, i32:1, i32:16", 1, 2, 112, 64, 128, 128, 1, 1, 128, 4e-2,
           "4", "3"),
    // Results larger than the shared memory of AMD's chips.
    MATMUL("fp16_256", F16, F16, "BM=256 BN=256 BK=16",
           "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 1, 1, 240, 256, 48, 48, 1, 256, 1, 8e-3,
           "g", "2"),
    MATMUL("fp16_to_fp32_128", F16, F32, "BM=128 BN=256 BK=16",
           "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 1, 1, 112, 240, 48, 48, 1, 240, 1, 3e-5,
           "8", "2"),
    MATMUL("fp16_to_fp32_256", F16, F32, "BM=256 BN=256 BK=16",
           "i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 1, 1, 240, 256, 48, 48, 1, 256, 1, 3e-5,
           "g", "2"),
    MATMUL_FAR(matmul_far_apart, "True", 112),
    MATMUL_FAR(matmul_far_apart, "True", 32),
    MATMUL_FAR(matmul_backwards, "False", 112),
    MATMUL_FAR(matmul_backwards, "False", 20),
    MATMUL_ANEW(32),
    MATMUL_ANEW(96),
    MATMUL_ANEW(128),
    MATMUL_ONE_ROW(112),
    MATMUL("fp16_odd_rows", F16, F16, "BM=64 BN=32 BK=16", "i32, i32, i32, i32, i32:1, i32, i32:1", 2, 2, 70,
           45, 71, 71, 1, 45, 1, 2e-2, "48", "235"),
    MATMUL("fp16_any_extents", F16, F32, "BM=64 BN=64 BK=64", "i32, i32, i32, i32:16, i32:1, i32:16, i32:1",
           2, 2, 100, 112, 80, 80, 1, 112, 1, 3e-5, "48", "134"),
    CASE(matmul_integers, .arguments = {BITS(I8, 32 * 96), BITS(I8, 96 * 32), OUT(I32, 1024), INT(96)},
         .warps = "148", .stages = "1234"),
    ROW("dot_accumulate_half", dot_accumulate_half, dot_once,
        .arguments = {IN(F16, 1024, -1, 1), IN(F16, 1024, -1, 1), OUT(F16, 1024)}, .absolute = 2e-2),
    ROW("dot_loop_half", dot_loop_half, dot_once,
        .arguments = {IN(F16, 64 * 96, -1, 1), IN(F16, 96 * 64, -1, 1), OUT(F16, 64 * 64), INT(3)},
        .absolute = 4e-2, .warps = "148", .stages = "13"),
    // Hopper's matrix units truncate the addends of a part's products to 14 bits: an error of 2.4e-4 was seen
    // on an H200.
    ROW("dot_in_parts", dot_in_parts, dot_rows,
        .arguments = {IN(E5M2, 64 * 192, -1, 1), IN(E5M2, 64 * 192, -1, 1), OUT(F32, 64 * 64), INT(3)},
        .relative = 1e-5, .absolute = 2e-3, .warps = "48"),
    // Sums of so many columns leave no room for products as wide.
    ROW("dot_in_parts_of_columns", dot_in_parts, dot_rows, .defines = "N=256",
        .arguments = {IN(E5M2, 64 * 192, -1, 1), IN(E5M2, 256 * 192, -1, 1), OUT(F32, 64 * 256), INT(3)},
        .relative = 1e-5, .absolute = 2e-3, .warps = "48"),
    ROW("dot_in_parts_of_steps", dot_in_parts, dot_rows, .defines = "MOST=64",
        .arguments = {IN(E5M2, 64 * 192, -1, 1), IN(E5M2, 64 * 192, -1, 1), OUT(F32, 64 * 64), INT(3)},
        .relative = 1e-5, .absolute = 2e-3, .warps = "4", .stages = "13"),
    DOT_VECTORS("64", "BLOCK=64"),
    DOT_VECTORS("begun", "BLOCK=64 BEGUN=True"),
    DOT_VECTORS("16", "BLOCK=16"),
    CASE(dot_chained,
         .arguments = {IN(F16, 2048, -1, 1), IN(F16, 2048, -1, 1), IN(F16, 2048, -1, 1), OUT(F32, 2048)},
         .absolute = 2e-3, .warps = "148"),
    CASE(attention, .grid = {3},
         .arguments = {IN(F16, 75 * 32, -1, 1), IN(F16, 75 * 32, -1, 1), IN(F16, 75 * 32, -1, 1),
                       OUT(F16, 75 * 32), INT(75)},
         .absolute = 2e-3, .warps = "14", .stages = "1234"),
    CASE(chains_tall, .grid = {2},
         .arguments = {IN(F16, 256 * 64, -1, 1), IN(F16, 288 * 64, -1, 1), IN(F16, 288 * 64, -1, 1),
                       IN(F16, 256 * 288, -1, 1), OUT(F32, 256 * 64), INT(288)},
         .absolute = 3e-2, .warps = "4", .stages = "13"),
    {.name = "dot_scaled_behind", // data copied for a tile is read after its loop
     .kernel = "dot_scaled_behind",
     .grid = {24},
     .arguments = {IN(F16, 1536 * 64, -1, 1), IN(F16, 128 * 64, -1, 1), IN(F32, 1536, -1, 1),
                   OUT(F32, 1536 * 64), INT(2)},
     .reference = dot_scaled_behind,
     .relative = 1e-5,
     .absolute = 1e-4,
     .warps = "48"},
    CASE(dot_begun_sums, .absolute = 2e-2, .warps = "148", .stages = "134",
         .arguments = {IN(F16, 32768, -1, 1), IN(F16, 16384, -1, 1), IN(F32, 256, -1, 1), OUT(F32, 8192),
                       INT(200)}),
    {.name = "dot_started_with", // … and waited for at its first read, even in a branch
     .kernel = "dot_started_with",
     .grid = {4},
     .arguments = {IN(F16, 256 * 64, -1, 1), IN(F16, 128 * 64, -1, 1), IN(F32, 256, -1, 1),
                   OUT(F32, 256 * 64), INT(2)},
     .reference = dot_started_with,
     .relative = 1e-5,
     .absolute = 1e-4,
     .warps = "48"},
    CASE(dot_batched, .arguments = {IN(F16, 1024, -1, 1), IN(F16, 1024, -1, 1), OUT(F32, 1024)},
         .absolute = 1e-5, .warps = "148"),
    CASE(dot_epilogue,
         .arguments = {IN(F16, 1024, -1, 1), IN(F16, 2048, -1, 1), IN(F32, 64, -1, 1), OUT(F16, 2048),
                       OUT(F32, 32)},
         .absolute = 4e-3, .relative = 1e-5, .warps = "148"),
    CASE(dot_dequantised,
         .arguments = {IN(F16, 1024, -1, 1), IN(I8, 1024, -8, 7), IN(F32, 32, 0, 1), OUT(F32, 1024)},
         .absolute = 1e-4, .warps = "14"),
    CASE(dot_split_k, .grid = {3},
         .arguments = {IN(F16, 32 * 96, -1, 1), IN(F16, 96 * 32, -1, 1), BOTH(F32, 1024, -1, 1), INT(96)},
         .absolute = 2e-5),
    CASE(dot_two_accumulators,
         .arguments = {IN(BF16, 32 * 96, -1, 1), IN(BF16, 96 * 32, -1, 1), IN(BF16, 96 * 32, -1, 1),
                       OUT(F32, 1024), INT(96)},
         .absolute = 4e-4, .warps = "14", .stages = "13"),
    DOT_RECURRENCE(16, "124"),
    DOT_RECURRENCE(64, "148"),
    CASE(dot_filled,
         .arguments = {IN(F16, 64 * 96, -1, 1), IN(F16, 96 * 64, -1, 1), OUT(F32, 64 * 64), INT(70)},
         .absolute = 2e-4, .warps = "48", .stages = "1234"),
    DOT_INFINITE("ieee", 1e-5),
    DOT_INFINITE("tf32", 1e-2),
    DOT_INFINITE("tf32x3", 1e-5),
    DOT_INFINITE("bf16x3", 1e-4),
    DOT_INFINITE("bf16x6", 1e-5),
    DOT_FROM(32, 96),
    DOT_FROM(96, 32),
    CASE(dot_over_old,
         .arguments = {IN(F16, 4096, -1, 1), IN(F16, 4096, -1, 1), BOTH(F32, 4096, -1, 1), OUT(F32, 4096)},
         .absolute = 1e-4, .warps = "148"),
    CASE(dot_swapped,
         .arguments = {IN(F16, 64 * 192, -1, 1), IN(F16, 192 * 64, -1, 1), OUT(F32, 4096), OUT(F32, 4096),
                       INT(192)},
         .absolute = 4e-4, .warps = "48", .stages = "123"),
    CASE(dot_indices,
         .arguments = {IN(F16, 64 * 192, -1, 1), IN(F16, 192 * 64, -1, 1), OUT(F32, 4096), OUT(I32, 64),
                       INT(192)},
         .absolute = 4e-4, .warps = "148", .stages = "13"),
    CASE(dot_late_kept,
         .arguments = {IN(F16, 4096, -1, 1), IN(F16, 3 * 4096, -1, 1), IN(F16, 4096, -1, 1), OUT(F32, 4096),
                       INT(192)},
         .absolute = 0.1, .stages = "34"),
    CASE(dot_gradients,
         .arguments = {IN(F16, 192 * 64, -1, 1), IN(F16, 4096, -1, 1), IN(F16, 4096, -1, 1),
                       IN(F16, 192 * 64, -1, 1), IN(F32, 192, -1, 1), BOTH(F32, 192 * 64, -1, 1),
                       OUT(F32, 4096), OUT(F32, 4096), INT(192)},
         .absolute = 0.1, .warps = "48", .stages = "23"),
    CASE(dot_layers, .arguments = {BOTH(F16, 4 * 32 * 64, -1, 1), IN(F16, 4096, -1, 1), INT(3), INT(64)},
         .absolute = 0.1, .warps = "4"),
    CASE(dot_unread,
         .arguments = {IN(F16, 128 * 512, -1, 1), IN(F16, 512 * 64, -1, 1), IN(F16, 128 * 512, -1, 1),
                       OUT(F32, 128 * 64), INT(512)},
         .absolute = 1e-3, .warps = "48", .stages = "34"),
    CASE(dot_added_rows,
         .arguments = {IN(F16, 300 * 64, -1, 1), IN(F16, 4096, -1, 1), BOTH(F32, 300 * 64, -1, 1), INT(300)},
         .absolute = 0.1, .warps = "48", .stages = "3"),
    CASE(dot_many_loads, .arguments = {IN(F16, 8192, -1, 1), IN(F16, 8192, -1, 1), OUT(F32, 4096)},
         .absolute = 2e-4, .warps = "1"),
    LOADED_ROWS(near, "False", 160),
    LOADED_ROWS(far, "True", 136),
    COUNTED_PLACES(one, 7, 1, 1),
    COUNTED_PLACES(four, 12, 4, 1),
    COUNTED_PLACES(below_zero, 9, -3, 1),
    COUNTED_PLACES(zero, 6, 0, 1),
    COUNTED_PLACES(least, 5, -2147483648, 1),
    COUNTED_PLACES(steps, 9, 7, 5),
    COUNTED_PLACES(large_steps, 8, -2, 5),
    COUNTED_PLACES(one_step, 1, 3, 1),
    CASE(dot_of_nine_bits, .arguments = {BITS(U32, 256), BITS(I8, 1024), OUT(I32, 1024)}, .warps = "14"),
};

FAMILY(dot);
