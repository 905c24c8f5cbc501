// Edges.
#include "lang.h"

#include <math.h>

static void tiny_matrix(struct lang_run *r) {
    size_t n = r->test->defines[2] == '1'   ? 1
               : r->test->defines[2] == '2' ? 2
                                            : 4,
           m = r->test->arguments[0].count / n;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double column = 0, row = 0;
            for (size_t k = 0; k < m; k++) {
                column += real(r, 0, k * n + j);
            }
            for (size_t k = 0; k < n; k++) {
                row += real(r, 0, i * n + k);
            }
            put_real(r, 1, i * n + j, real(r, 0, i * n + j) + column * 2 + row);
        }
    }
}

// A NaN beside numbers is passed over.
static void reduce_with_nan(struct lang_run *r) {
    for (size_t i = 0; i < 8; i++) {
        double high = NAN, low = NAN;
        for (size_t j = 0; j < 64; j++) {
            high = fmax(high, real(r, 0, i * 64 + j));
            low = fmin(low, real(r, 0, i * 64 + j));
        }
        put_real(r, 1, i, high);
        put_real(r, 1, 8 + i, low);
    }
}

static void reduce_scalar_chain(struct lang_run *r) {
    double mean = 0;
    for (size_t k = 0; k < (size_t)scalar(r, 2); k++) {
        double sum = 0;
        for (size_t i = 0; i < 128; i++) {
            sum += real(r, 0, k * 128 + i);
        }
        mean = mean * 0.5 + sum / 128;
        if (mean > 0.6) {
            mean -= 0.25;
        }
    }
    put_real(r, 1, 0, mean);
}

static void call_returns_pair(struct lang_run *r) {
    for (int64_t o = 0; o < 64; o++) {
        int64_t x = integer(r, 0, (size_t)o), k = scalar(r, 2);
        int64_t a = k == 0 ? x : k == 1 ? o : x + o, b = k == 0 ? o : k == 1 ? x : x - o;
        put_integer(r, 1, (size_t)o, a * 3 + b);
    }
}

static void loop_carries_mixed(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double best = -1e30;
        int64_t at = 0;
        bool seen = false;
        for (size_t k = 0; k < (size_t)scalar(r, 3); k++) {
            double a = real(r, 0, k * 64 + o);
            if (a > best) {
                best = a;
                at = (int64_t)k;
            }
            seen = seen || a > (double)0.9f;
        }
        put_real(r, 1, o, best);
        put_integer(r, 2, o, seen ? at : -1 - at);
    }
}

static void dynamic_branch_tile(struct lang_run *r) {
    double sum = 0, running = 0;
    for (size_t i = 0; i < 256; i++) {
        sum += real(r, 0, i);
    }
    for (size_t i = 0; i < 256; i++) {
        running += real(r, 0, i);
        put_real(r, 1, i, sum > (double)scalar(r, 2) ? real(r, 0, i % 16 * 16 + i / 16) : running);
    }
}

static void transpose_chain(struct lang_run *r) {
    for (size_t i = 0; i < 4096; i++) {
        put_real(r, 1, i, float_round(F16, real(r, 0, i) + real(r, 0, i % 64 * 64 + i / 64)) * 0.5);
    }
}

static void five_dimensions(struct lang_run *r) {
    static const size_t size[] = {2, 4, 2, 4, 4}, order[] = {4, 2, 0, 3, 1};
    for (size_t flat = 0; flat < 256; flat++) {
        size_t rest = flat, at[5], to = 0;
        for (size_t d = 5; d--; rest /= size[d]) {
            at[d] = rest % size[d];
        }
        for (size_t d = 0; d < 5; d++) {
            to = to * size[order[d]] + at[order[d]];
        }
        put_bits(r, 1, to, bits(r, 0, flat));
    }
}

static void reduce_five(struct lang_run *r) {
    int64_t sums[16] = {0};
    for (size_t i = 0; i < 256; i++) {
        sums[(i / 128) * 8 + (i / 16 % 2) * 4 + i % 4] += integer(r, 0, i);
    }
    for (size_t i = 0; i < 16; i++) {
        put_integer(r, 1, i, sums[i]);
    }
}

// Groups of two rows are walked down their columns; the last group may have one.
static void swizzle(struct lang_run *r) {
    int64_t size_i = scalar(r, 1), size_j = scalar(r, 2);
    for (int64_t p = 0; p < size_i * size_j; p++) {
        int64_t group = p / (2 * size_j), first = group * 2, rows = size_i - first < 2 ? size_i - first : 2;
        int64_t within = p % (2 * size_j);
        put_integer(r, 0, (size_t)p, (first + within % rows) * 100 + within / rows);
    }
}

static void elementwise_function(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        int64_t a = integer(r, 0, i), b = integer(r, 1, i);
        put_integer(r, 2, i, a > b ? a * 2 : -b);
    }
}

static void scan_two_axes(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 32; j++) {
            int64_t sum = 0;
            for (size_t k = 0; k <= i; k++) {
                for (size_t l = j; l < 32; l++) {
                    sum += integer(r, 0, k * 32 + l);
                }
            }
            put_integer(r, 1, i * 32 + j, sum);
        }
    }
}

static void histogram_of_sum(struct lang_run *r) {
    int64_t running = 0;
    for (int64_t bin = 0; bin < 64; bin++) {
        for (size_t i = 0; i < 256; i++) {
            running += (integer(r, 0, i) + integer(r, 0, 255 - i)) % 64 == bin;
        }
        put_integer(r, 1, (size_t)bin, running);
    }
}

static double product(struct lang_run *r, size_t row, size_t column, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += real(r, 0, row * n + k) * real(r, 1, k * n + column);
    }
    return sum;
}

static void argmax_of_dot(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        size_t best = 0;
        for (size_t j = 1; j < 32; j++) {
            if (product(r, i, j, 32) > product(r, i, best, 32)) {
                best = j;
            }
        }
        put_integer(r, 2, i, (int64_t)best);
    }
}

static void dot_of_computed(struct lang_run *r) {
    double x[32][32], y[32][32];
    for (size_t i = 0; i < 32; i++) {
        double sum = 0;
        for (size_t j = 0; j < 32; j++) {
            sum += real(r, 0, i * 32 + j);
        }
        for (size_t j = 0; j < 32; j++) {
            x[i][j] = float_round(F16, real(r, 0, i * 32 + j) - sum / 32);
            y[i][j] = i > j ? float_round(F16, real(r, 1, i * 32 + j)) : 0;
        }
    }
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            double sum = 0;
            for (size_t k = 0; k < 32; k++) {
                sum += x[i][k] * y[k][j] - y[i][k] * x[k][j];
            }
            put_real(r, 2, i * 32 + j, sum);
        }
    }
}

static void dot_three(struct lang_run *r) {
    double p[16][16], q[16][16];
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 16; j++) {
            p[i][j] = float_round(BF16, product(r, i, j, 16));
        }
    }
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 16; j++) {
            q[i][j] = 0;
            for (size_t k = 0; k < 16; k++) {
                q[i][j] += p[i][k] * real(r, 0, j * 16 + k);
            }
        }
    }
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 16; j++) {
            double sum = 1;
            for (size_t k = 0; k < 16; k++) {
                sum += float_round(BF16, q[i][k]) * real(r, 1, k * 16 + j);
            }
            put_real(r, 2, i * 16 + j, sum);
        }
    }
}

static void dot_unsigned(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            int64_t sum = 0;
            for (size_t k = 0; k < 32; k++) {
                sum += (int64_t)(bits(r, 0, i * 32 + k) >> 1) * integer(r, 1, k * 32 + j);
            }
            put_integer(r, 2, i * 32 + j, sum);
        }
    }
}

static void pipelined_if(struct lang_run *r) {
    for (size_t o = 0; o < 128; o++) {
        double total = 0;
        for (int64_t k = 0; k < scalar(r, 2); k += 128) {
            if (k + (int64_t)o < scalar(r, 2)) {
                total += real(r, 0, (size_t)k + o) * (k < scalar(r, 3) ? 1 : -0.5);
            }
        }
        put_real(r, 1, o, total);
    }
}

static void nested_pipelined(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 3) * 1024; i++) {
        double sum = 0;
        for (size_t k = 0; k < 64; k++) {
            sum += real(r, 0, i / 32 * 64 + k) * real(r, 1, k * 32 + i % 32);
        }
        put_real(r, 2, i, sum);
    }
}

static void double_loop_accumulates(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t i = 0; i < 1024; i++) {
        double sum = 0;
        for (size_t t = 0; t < n; t++) {
            for (size_t u = t; u < n; u++) {
                for (size_t k = 0; k < 32; k++) {
                    sum += real(r, 0, t * 1024 + i / 32 * 32 + k) * real(r, 0, u * 1024 + i % 32 * 32 + k);
                }
            }
        }
        put_real(r, 1, i, sum);
    }
}

static void in_place(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 1); i++) {
        put_real(r, 0, i, real(r, 0, i) * 2 + 1);
    }
}

static void casts_there_and_back(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, integer(r, 0, i) + 5);
    }
}

static void uneven_masks(struct lang_run *r) {
    for (int64_t i = scalar(r, 2) - 3; i < 256; i++) {
        put_real(r, 1, (size_t)i, i >= scalar(r, 2) && i < scalar(r, 3) ? real(r, 0, (size_t)i) : -1);
    }
}

static void boolean_algebra(struct lang_run *r) {
    bool any = false;
    for (size_t i = 0; i < 128; i++) {
        any = any || integer(r, 0, i);
    }
    for (size_t i = 0; i < 128; i++) {
        bool a = integer(r, 0, i), b = integer(r, 1, i);
        put_integer(r, 2, i, a == b);
        put_integer(r, 2, 128 + i, a ? b : i % 2 == 0);
        put_integer(r, 2, 256 + i, any);
    }
}

static void integer_minmax_64(struct lang_run *r) {
    uint64_t high = 0, low = ~UINT64_C(0), sum = 0;
    for (size_t i = 0; i < 128; i++) {
        uint64_t a = bits(r, 0, i);
        high = a > high ? a : high;
        low = a < low ? a : low;
        sum += a;
    }
    put_bits(r, 1, 0, high);
    put_bits(r, 1, 1, low);
    put_bits(r, 1, 2, sum);
}

static void dequantise(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 64; j++) {
            uint64_t nibble = bits(r, 0, i * 8 + j / 8) >> j % 8 * 4 & 15;
            put_real(r, 2, i * 64 + j, ((double)nibble - 8) * real(r, 1, j / 32));
        }
    }
}

static void rotary(struct lang_run *r) {
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 32; j++) {
            double a = real(r, 0, i * 64 + j), b = real(r, 0, i * 64 + 32 + j),
                   angle = (double)i * exp2(-0.25 * (double)j);
            put_real(r, 1, i * 64 + j, a * cos(angle) - b * sin(angle));
            put_real(r, 1, i * 64 + 32 + j, a * sin(angle) + b * cos(angle));
        }
    }
}

#define TINY(M, N)                                                                                           \
    ROW("tiny_" #M "_" #N, tiny_matrix, tiny_matrix, .defines = "N=" #N " M=" #M,                            \
        .arguments = {IN(F32, M * N, 0, 1), OUT(F32, M * N)}, .relative = 1e-6, .warps = "148")

static const struct lang_case edge_cases[] = {
    CASE(reduce_with_nan, .arguments = {SPECIAL(F32, 512, -9, 9), OUT(F32, 16)}, .warps = "148"),
    CASE(reduce_scalar_chain, .arguments = {IN(F32, 5 * 128, 0, 1), OUT(F32, 1), INT(5)}, .relative = 2e-6,
         .warps = "14", .stages = "13"),
    CASE_OF(call_returns_pair_0, call_returns_pair,
            .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64), INT(0)}),
    CASE_OF(call_returns_pair_1, call_returns_pair,
            .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64), INT(1)}),
    CASE_OF(call_returns_pair_2, call_returns_pair,
            .arguments = {IN(I32, 64, -99, 99), OUT(I32, 64), INT(2)}),
    CASE(loop_carries_mixed, .arguments = {IN(F32, 7 * 64, -1, 1), OUT(F32, 64), OUT(I32, 64), INT(7)},
         .warps = "14", .stages = "134"),
    CASE_OF(dynamic_branch_then, dynamic_branch_tile,
            .arguments = {IN(F32, 256, 0, 1), OUT(F32, 256), INT(10)}, .relative = 4e-6, .warps = "148"),
    CASE_OF(dynamic_branch_else, dynamic_branch_tile,
            .arguments = {IN(F32, 256, 0, 1), OUT(F32, 256), INT(1000)}, .relative = 4e-6, .warps = "148"),
    CASE(transpose_chain, .arguments = {IN(F16, 4096, -1, 1), OUT(F16, 4096)}, .warps = "148"),
    CASE(five_dimensions, .arguments = {BITS(I32, 256), OUT(I32, 256)}, .warps = "148"),
    CASE(reduce_five, .arguments = {BITS(I32, 256), OUT(I32, 16)}, .warps = "148"),
    CASE(swizzle, .grid = {35}, .arguments = {OUT(I32, 35), INT(5), INT(7)}),
    CASE(elementwise_function, .arguments = {IN(I32, 128, -99, 99), IN(I32, 128, -99, 99), OUT(I32, 128)}),
    CASE(scan_two_axes, .arguments = {BITS(I32, 512), OUT(I32, 512)}, .warps = "148"),
    CASE(histogram_of_sum, .arguments = {IN(I32, 256, 0, 999), OUT(I32, 64)}, .warps = "148"),
    CASE(argmax_of_dot, .arguments = {IN(F16, 1024, -1, 1), IN(F16, 1024, -1, 1), OUT(I32, 32)},
         .warps = "148"),
    CASE(dot_of_computed, .arguments = {IN(F32, 1024, -1, 1), IN(F32, 1024, -1, 1), OUT(F32, 1024)},
         .absolute = 8e-3, .warps = "148"),
    CASE(dot_three, .arguments = {IN(BF16, 256, -1, 1), IN(BF16, 256, -1, 1), OUT(F32, 256)},
         .absolute = 0.12, .warps = "14"),
    CASE(dot_unsigned, .arguments = {BITS(U8, 1024), BITS(I8, 1024), OUT(I32, 1024)}, .warps = "148"),
    CASE(pipelined_if, .arguments = {IN(F32, 700, 1, 2), OUT(F32, 128), INT(700), INT(300)}, .absolute = 4e-6,
         .stages = "1234"),
    CASE(nested_pipelined,
         .arguments = {IN(F16, 3 * 2048, -1, 1), IN(F16, 2048, -1, 1), OUT(F32, 3 * 1024), INT(3)},
         .absolute = 2e-5, .warps = "14", .stages = "1234"),
    CASE(double_loop_accumulates, .arguments = {IN(F16, 3 * 1024, -1, 1), OUT(F32, 1024), INT(3)},
         .absolute = 4e-5, .warps = "14", .stages = "1234"),
    CASE(in_place, .grid = {2}, .arguments = {BOTH(F32, 200, 0, 1), INT(200)}, .relative = 1e-6),
    CASE(casts_there_and_back, .arguments = {BITS(I32, 64), OUT(I32, 64)}),
    CASE(uneven_masks, .arguments = {BITS(F16, 256), OUT(F16, 256), INT(37), INT(201)}, .warps = "14"),
    CASE(boolean_algebra, .arguments = {BITS(I1, 128), BITS(I1, 128), OUT(I1, 384)}, .warps = "14"),
    CASE(integer_minmax_64, .arguments = {BITS(U64, 128), OUT(U64, 3)}, .warps = "148"),
    CASE(dequantise, .arguments = {BITS(I32, 128), IN(F16, 2, 0, 1), OUT(F16, 1024)}, .warps = "14"),
    CASE(rotary, .arguments = {IN(F32, 512, -1, 1), OUT(F32, 512)}, .absolute = 2e-6),
    TINY(1, 1),
    TINY(2, 1),
    TINY(1, 2),
    TINY(2, 2),
    TINY(16, 1),
    TINY(4, 4),
    TINY(128, 1),
    TINY(64, 2),
};

FAMILY(edge);
