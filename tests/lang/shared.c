// Shared memory used in turn by several ops, iterations and loops: each overwrites the contents of an earlier
// one.
#include "lang.h"

#include <stdlib.h>
#include <string.h>

static void transpose_16(const int64_t v[256], int64_t out[256]) {
    for (size_t i = 0; i < 256; i++) {
        out[i % 16 * 16 + i / 16] = v[i];
    }
}

static void condition_reduces(struct lang_run *r) {
    int64_t v[256], out[256], sum = 0;
    for (size_t i = 0; i < 256; i++) {
        v[i] = integer(r, 0, i);
        sum += v[i];
    }
    int64_t rounds = sum > 0 ? (sum + 255) / 256 : 0;
    transpose_16(v, out);
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 1, i, out[i] - rounds);
    }
}

static int64_t largest(const int64_t v[256]) {
    int64_t most = v[0];
    for (size_t i = 1; i < 256; i++) {
        most = v[i] > most ? v[i] : most;
    }
    return most;
}

static int64_t sum_above(const int64_t v[256], int64_t k) {
    int64_t sum = 0;
    for (size_t i = 0; i < 256; i++) {
        sum += v[i] > k ? v[i] : 0;
    }
    return sum;
}

static int64_t smallest_prefix(const int64_t v[256]) {
    int64_t sum = v[0], least = v[0];
    for (size_t i = 1; i < 256; i++) {
        sum += v[i];
        least = sum < least ? sum : least;
    }
    return least;
}

static void conditions_nested(struct lang_run *r) {
    int64_t v[256], out[256], steps = 0;
    for (size_t i = 0; i < 256; i++) {
        v[i] = integer(r, 0, i);
    }
    for (int64_t k = 0; k < scalar(r, 2); k++) {
        while (largest(v) > k) {
            for (; sum_above(v, k) > 40; steps++) {
                for (size_t i = 0; i < 256; i++) {
                    v[i] /= 2;
                }
            }
            for (size_t i = 0; i < 256; i++) {
                v[i] -= v[i] > k;
            }
            steps += smallest_prefix(v);
        }
        transpose_16(v, out);
        for (size_t i = 0; i < 256; i++) {
            v[i] = out[i] + k;
        }
    }
    transpose_16(v, out);
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 1, i, out[i]);
    }
    put_integer(r, 1, 256, steps);
}

// c [m, n] += a [m, k] · b; b is [k, n] or, transposed, [n, k].
static void product(double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                    bool transposed) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t x = 0; x < k; x++) {
                c[i * n + j] += a[i * k + x] * (transposed ? b[j * k + x] : b[x * n + j]);
            }
        }
    }
}

static double *reals(struct lang_run *r, unsigned argument) {
    size_t count = r->test->arguments[argument].count;
    double *values = calloc(count, sizeof *values);
    if (!values) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = real(r, argument, i);
    }
    return values;
}

static void operand_of_outer_loop(struct lang_run *r, size_t m, size_t n, size_t k, bool transposed) {
    double *a = reals(r, 0), *b = reals(r, 1), *c = calloc(m * n, sizeof *c);
    for (int64_t i = 0; i < scalar(r, 3); i++) {
        for (int64_t j = 0; j < scalar(r, 4); j++) {
            product(c, a + (size_t)j * m * k, b + (size_t)i * n * k, m, n, k, transposed);
        }
    }
    for (size_t i = 0; i < m * n; i++) {
        put_real(r, 2, i, c[i]);
    }
    free(a);
    free(b);
    free(c);
}

static void operand_square(struct lang_run *r) {
    operand_of_outer_loop(r, 128, 128, 128, false);
}

static void operand_transposed(struct lang_run *r) {
    operand_of_outer_loop(r, 128, 64, 128, true);
}

static void operand_small(struct lang_run *r) {
    operand_of_outer_loop(r, 32, 32, 64, true);
}

static void operand_wide(struct lang_run *r) {
    operand_of_outer_loop(r, 64, 128, 128, false);
}

enum { M = 128, D = 128, N_KEYS = 32 };

static void queries(struct lang_run *r) {
    double *q = reals(r, 0), *k = reals(r, 1), *v = reals(r, 2), *o = calloc(M * D, sizeof *o);
    static double p[M * N_KEYS];
    for (int64_t i = 0; i < scalar(r, 4); i++) {
        for (int64_t j = 0; j < scalar(r, 5); j++) {
            memset(p, 0, sizeof p);
            product(p, q + i * M * D, k + j * N_KEYS * D, M, N_KEYS, D, true);
            for (size_t x = 0; x < M * N_KEYS; x++) {
                p[x] = float_round(F16, p[x] * 0.125);
            }
            product(o, p, v + j * N_KEYS * D, M, D, N_KEYS, false);
        }
    }
    for (size_t i = 0; i < M * D; i++) {
        put_real(r, 3, i, o[i]);
    }
    free(q);
    free(k);
    free(v);
    free(o);
}

static void copies_left_behind(struct lang_run *r) {
    double *a = reals(r, 0), *b = reals(r, 1), total[64] = {0};
    static double c[4096], flipped[4096];
    memset(c, 0, sizeof c);
    for (int64_t j = 0; j < scalar(r, 5); j++) {
        for (int64_t i = 0; i < scalar(r, 4); i++) {
            product(c, a + i * 4096, b + i * 4096, 64, 64, 64, false);
            for (size_t x = 0; x < 4096; x++) {
                total[x / 64] += c[x];
            }
        }
        for (size_t x = 0; x < 4096; x++) {
            flipped[x % 64 * 64 + x / 64] = c[x];
        }
        memcpy(c, flipped, sizeof c);
    }
    for (size_t x = 0; x < 4096; x++) {
        put_real(r, 2, x, c[x]);
    }
    for (size_t x = 0; x < 64; x++) {
        put_real(r, 3, x, total[x]);
    }
    free(a);
    free(b);
}

static void kept_beside_results(struct lang_run *r) {
    enum { ROWS = 128, COLUMNS = 128, DEPTH = 64 };
    double *a = reals(r, 0), *b = reals(r, 1), *c = calloc(ROWS * COLUMNS, sizeof *c);
    for (int64_t i = 0; i < scalar(r, 3); i++) {
        memset(c, 0, ROWS * COLUMNS * sizeof *c);
        for (int64_t j = 0; j < scalar(r, 4); j++) {
            product(c, a + (i * scalar(r, 4) + j) * ROWS * DEPTH, b, ROWS, COLUMNS, DEPTH, false);
        }
        for (size_t x = 0; x < ROWS * COLUMNS; x++) {
            put_real(r, 2, (size_t)i * ROWS * COLUMNS + x, c[x]);
        }
    }
    free(a);
    free(b);
    free(c);
}

// Both branches do the same: only the barriers of a warp depend on the flags, changed by another program.
static void flags_watched(struct lang_run *r) {
    int64_t v[256];
    for (size_t i = 0; i < 256; i++) {
        v[i] = (int64_t)i;
    }
    for (int64_t round = 0; round < scalar(r, 2); round++) {
        int64_t sum = 0;
        for (size_t i = 0; i < 256; i++) {
            sum += v[i];
            v[i] = (v[i] + sum) % 7;
        }
    }
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 1, i, v[i]);
    }
    for (size_t i = 0; i < r->test->arguments[0].count; i++) {
        put_integer(r, 0, i, scalar(r, 2) - 1);
    }
}

// The product with a matrix written transposed before the loop: only the barrier in the loop orders the two.
static void barrier_in_loop(struct lang_run *r) {
    double *a = reals(r, 0), *c = calloc(4096, sizeof *c);
    for (int64_t i = 0; i < scalar(r, 3); i++) {
        product(c, a, a, 64, 64, 64, true);
    }
    for (size_t x = 0; x < 4096; x++) {
        put_real(r, 1, x % 64 * 64 + x / 64, a[x]);
        put_real(r, 2, x, c[x]);
    }
    free(a);
    free(c);
}

#define EVERY_WAY .warps = "1248g", .stages = "1234", .every_pair = true
// For tiles of hundreds of registers in each thread of one or two warps.
#define MANY_WARPS .warps = "48g", .stages = "1234", .every_pair = true

static const struct lang_case shared_cases[] = {
    CASE(condition_reduces, .arguments = {IN(I32, 256, 0, 3), OUT(I32, 256)}, .warps = "1248g"),
    CASE_OF(condition_false_at_once, condition_reduces, .arguments = {IN(I32, 256, -3, 0), OUT(I32, 256)},
            .warps = "1248g"),
    CASE(conditions_nested, .arguments = {IN(I32, 256, 0, 9), OUT(I32, 257), INT(3)}, .warps = "1248g"),
    ROW("operand_square", operand_of_outer_loop, operand_square,
        .defines = "M=128 N=128 K=128 TRANSPOSED=False",
        .arguments = {IN(F16, 16384, -1, 1), IN(F16, 49152, -1, 1), OUT(F32, 16384), INT(3), INT(1)},
        .relative = 1e-3, .absolute = 1e-2, .warps = "48", .stages = "1234", .every_pair = true),
    ROW("operand_transposed", operand_of_outer_loop, operand_transposed,
        .defines = "M=128 N=64 K=128 TRANSPOSED=True",
        .arguments = {IN(F16, 32768, -1, 1), IN(F16, 16384, -1, 1), OUT(F32, 8192), INT(2), INT(2)},
        .relative = 1e-3, .absolute = 1e-2, MANY_WARPS),
    ROW("operand_wide", operand_of_outer_loop, operand_wide, .defines = "M=64 N=128 K=128 TRANSPOSED=False",
        .arguments = {IN(F16, 16384, -1, 1), IN(F16, 32768, -1, 1), OUT(F32, 8192), INT(2), INT(2)},
        .relative = 1e-3, .absolute = 1e-2, MANY_WARPS),
    ROW("operand_small", operand_of_outer_loop, operand_small, .defines = "M=32 N=32 K=64 TRANSPOSED=True",
        .arguments = {IN(F16, 4096, -1, 1), IN(F16, 4096, -1, 1), OUT(F32, 1024), INT(2), INT(2)},
        .relative = 1e-3, .absolute = 1e-2, .warps = "12", .stages = "1234", .every_pair = true),
    CASE(queries, .defines = "M=128 D=128 N=32",
         .arguments = {IN(F16, 32768, -1, 1), IN(F16, 8192, -1, 1), IN(F16, 8192, -1, 1), OUT(F32, 16384),
                       INT(2), INT(2)},
         .relative = 1e-2, .absolute = 1e-1, .warps = "48", .stages = "1234", .every_pair = true),
    {.name = "kept_beside_results", // both together do not fit on chips with 64 KB
     .kernel = "kept_beside_results",
     .defines = "M=128 N=128 K=64",
     .arguments = {IN(F16, 32768, -1, 1), IN(F16, 8192, -1, 1), OUT(F32, 32768), INT(2), INT(2)},
     .reference = kept_beside_results,
     .relative = 1e-3,
     .absolute = 1e-2,
     .warps = "48",
     .stages = "13",
     .every_pair = true},
    ROW("flag_watched", flag_watched, flags_watched, .grid = {2},
        .arguments = {BOTH(I32, 1, 0, 0), OUT(I32, 256), INT(100)}, .warps = "148g"),
    CASE(flags_watched, .grid = {2}, .arguments = {BOTH(I32, 4, 0, 0), OUT(I32, 256), INT(100)},
         .warps = "148g"),
    CASE(copies_left_behind,
         .arguments = {IN(F16, 12288, -1, 1), IN(F16, 12288, -1, 1), OUT(F32, 4096), OUT(F32, 64), INT(3),
                       INT(2)},
         .relative = 1e-3, .absolute = 1e-1, EVERY_WAY),
    CASE_OF(copies_of_no_iteration, copies_left_behind,
            .arguments = {IN(F16, 12288, -1, 1), IN(F16, 12288, -1, 1), OUT(F32, 4096), OUT(F32, 64), INT(0),
                          INT(2)},
            .relative = 1e-3, EVERY_WAY),
    CASE(barrier_in_loop, .arguments = {IN(F16, 4096, -1, 1), OUT(F16, 4096), OUT(F32, 4096), INT(3)},
         .relative = 1e-3, .absolute = 1e-2, .warps = "48", .stages = "13", .every_pair = true),
};

FAMILY(shared);
