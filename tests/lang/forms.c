// One product in many forms. `maps` says how many tensor maps each has on sm_90a at the least.
#include "lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Row `i` of the first argument by column `j` of the second one, without its first `first` rows.
static double product(struct lang_run *r, size_t i, size_t depth, size_t first, size_t j, size_t width) {
    double sum = 0;
    for (size_t k = 0; k < depth; k++) {
        sum += real(r, 0, i * depth + k) * real(r, 1, (first + k) * width + j);
    }
    return sum;
}

// The product's first columns of one row, summed in the order of product().
static void row_of_product(struct lang_run *r, size_t i, size_t depth, size_t columns, size_t width,
                           double *sums) {
    memset(sums, 0, columns * sizeof *sums);
    for (size_t k = 0; k < depth; k++) {
        double factor = real(r, 0, i * depth + k);
        const double *line = numbers_from(r, 1, k * width, columns);
        for (size_t j = 0; j < columns; j++) {
            sums[j] += factor * line[j];
        }
    }
}

enum { MOST_COLUMNS = 1024 };

static void put_products(struct lang_run *r, size_t rows, size_t columns, size_t depth, size_t width) {
    double sums[MOST_COLUMNS];
    for (size_t i = 0; i < rows; i++) {
        row_of_product(r, i, depth, columns, width, sums);
        for (size_t j = 0; j < columns; j++) {
            put_real(r, 2, i * width + j, sums[j]);
        }
    }
}

static void whole(struct lang_run *r) {
    put_products(r, (size_t)scalar(r, 3), (size_t)scalar(r, 4), (size_t)scalar(r, 5), (size_t)scalar(r, 4));
}

static void runs_of_tiles(struct lang_run *r) {
    size_t width = (size_t)scalar(r, 3), depth = (size_t)scalar(r, 4), each = (size_t)scalar(r, 5);
    for (size_t i = 0; i < 2 * each * 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double before = i / 64 % each ? wanted_real(r, 2, (i - 64) * width + j) : 0;
            put_real(r, 2, i * width + j, before + product(r, i, depth, 0, j, width));
        }
    }
}

static void early_return(struct lang_run *r) {
    put_products(r, 64 * (size_t)scalar(r, 5), (size_t)scalar(r, 3), (size_t)scalar(r, 4),
                 (size_t)scalar(r, 3));
}

static void either_way(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    bool forward = scalar(r, 4) > 0;
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 1;
            for (size_t k = 0; k < (forward ? depth : depth - 64); k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
            }
            put_real(r, 2, i * 64 + j, forward ? 2 * sum : sum);
        }
    }
}

static void shifts(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t t = 0; t < (size_t)scalar(r, 4); t++) {
                sum += product(r, i + t, depth, t * depth, j, 64);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void expert(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 6);
    for (size_t i = 0; i < 128; i++) {
        size_t row = (size_t)integer(r, 4, i / 64) + i % 64,
               first = (size_t)(integer(r, 3, i / 64) * scalar(r, 5)) / 64;
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, row, depth, first, j, 64));
        }
    }
}

static void far_rows(struct lang_run *r) {
    for (size_t i = 0; i < 192; i++) {
        size_t row = (size_t)integer(r, 3, i / 64) + i % 64;
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, row, (size_t)scalar(r, 4), 0, j, 64));
        }
    }
}

static void goes_on(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3), first = (size_t)scalar(r, 4), both = first + (size_t)scalar(r, 5);
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < both * (size_t)scalar(r, 6); k++) {
                sum *= k % both == first ? 0.5 : 1;
                sum += real(r, 0, i * depth + k) * real(r, 1, k % both * 64 + j);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void pages(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t n = 0; n < (size_t)integer(r, 4, i / 64); n++) {
                size_t page = (size_t)(integer(r, 3, i / 64 * 4 + n) * scalar(r, 5));
                for (size_t k = 0; k < 64; k++) {
                    sum += real(r, 0, i * 256 + n * 64 + k) * real(r, 1, page + k * 64 + j);
                }
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void stored_before(struct lang_run *r) {
    put_integer(r, 3, 0, 5);
    put_integer(r, 3, 1, 6);
    put_products(r, 128, 64, (size_t)scalar(r, 5), (size_t)scalar(r, 4));
}

static void met_factor(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5);
    double sums[256];
    for (size_t i = 0; i < 128 * (size_t)r->test->grid[0]; i++) {
        row_of_product(r, i, depth, 256, 256, sums);
        for (size_t j = 0; j < 256; j++) {
            double sum = sums[j] * 0.5 + real(r, 4, j);
            sum = fmax(sum * real(r, 3, i / 128), 0) + fabs(sum) * 3;
            sum = (sum > 1000 ? fmin(sum, 2000) - 4 : fmax(sum + 1, 8)) * 0.25 - 2;
            put_real(r, 2, i * 256 + j, sum);
        }
    }
}

static void met_results(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 6), wide = (size_t)scalar(r, 7),
           columns = (size_t)atoi(strstr(r->test->defines, "BN=") + 3);
    double sums[MOST_COLUMNS];
    for (size_t i = 0; i < 128 * (size_t)r->test->grid[0]; i++) {
        row_of_product(r, i, depth, columns, columns, sums);
        for (size_t j = 0; j < columns; j++) {
            double sum = sums[j] * real(r, 4, i) + real(r, 3, j);
            double met = real(r, 5, i * columns + j);
            sum = (sum > 0 ? sum : 0) + met + 2 * (j < wide ? met : 0.5);
            put_real(r, 2, i * columns + j, sum);
        }
    }
}

static void added_tiles(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 6), columns = (size_t)scalar(r, 7), depth = (size_t)scalar(r, 8);
    double sums[MOST_COLUMNS];
    for (size_t i = 0; i < rows; i++) {
        row_of_product(r, i, depth, columns, columns, sums);
        for (size_t j = 0; j < columns; j++) {
            size_t at = i * columns + j;
            double sum = sums[j] + real(r, 3, j);
            put_real(r, 2, at, sum * real(r, 4, at) + real(r, 5, at));
        }
    }
}

static void shared_heads(struct lang_run *r) {
    size_t heads = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5), width = heads / 4 * 64;
    for (size_t i = 0; i < (size_t)scalar(r, 3) / 2; i++) {
        for (size_t j = 0; j < 8 * 64; j++) {
            put_real(r, 2, i * heads * 64 + j, product(r, i, depth, 0, j / 256 * 64 + j % 64, width));
        }
    }
}

static void short_rows(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4), stride = (size_t)scalar(r, 5), columns = (size_t)scalar(r, 6);
    for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * stride + k) * real(r, 1, k * columns + j);
            }
            put_real(r, 2, i * columns + j, sum);
        }
    }
}

static void short_rows_turned(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4), columns = (size_t)scalar(r, 5);
    for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
        for (size_t j = 0; j < columns; j++) {
            int64_t sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += integer(r, 0, i * depth + k) * integer(r, 1, j * depth + k);
            }
            put_integer(r, 2, i * columns + j, sum);
        }
    }
}

static void searched(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t p = 0; p < 4; p++) {
        size_t left = 0, right = (size_t)scalar(r, 4);
        while (left < right) {
            size_t middle = (left + right) / 2;
            bool later = integer(r, 3, middle) <= (int64_t)p;
            left = later ? middle + 1 : left;
            right = later ? right : middle;
        }
        for (size_t i = p * 64; left > 0 && i < p * 64 + 64; i++) {
            for (size_t j = 0; j < 64; j++) {
                put_real(r, 2, i * 64 + j, product(r, i, depth, (left - 1) * depth, j, 64));
            }
        }
    }
}

// Experts from 5 on have no weights.
static void rows_by_expert(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 5), depth = (size_t)scalar(r, 6);
    for (size_t i = 0; i < rows; i++) {
        size_t row = (size_t)integer(r, 3, i), expert = (size_t)integer(r, 4, i);
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, expert > 4 ? 0 : product(r, row, depth, expert * depth, j, 64));
        }
    }
}

static void kept_by_branch(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3), at = scalar(r, 4) > 0 ? 1 : 2;
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                double y = real(r, 1, k * 64 + j);
                sum += real(r, 0, (at * 64 + i) * 64 + k % 64) * y;
                sum += at == 1 ? real(r, 0, i * 64 + k % 64) * y : 0;
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void gathered(struct lang_run *r, size_t rows, size_t columns) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth && (int64_t)i < scalar(r, 4); k++) {
                sum += real(r, 0, (size_t)integer(r, 3, i) * depth + k) * real(r, 1, k * columns + j);
            }
            put_real(r, 2, i * columns + j, sum);
        }
    }
}

static void gathered_64(struct lang_run *r) {
    gathered(r, 192, 64);
}

static void gathered_128(struct lang_run *r) {
    gathered(r, 384, 128);
}

static void biased_every(struct lang_run *r, size_t every) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < 384; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = real(r, 4, i);
            for (size_t k = 0; k < depth && i / 64 % every == 0; k++) {
                sum += real(r, 0, (size_t)integer(r, 3, i) * depth + k) * real(r, 1, k * 64 + j);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void gathered_biased(struct lang_run *r) {
    biased_every(r, 1);
}

static void biased_third(struct lang_run *r) {
    biased_every(r, 3);
}

static void shifted(struct lang_run *r) {
    int64_t part = scalar(r, 3), depth = scalar(r, 4);
    for (int64_t i = 0; i < 192; i++) {
        for (int64_t j = 0; j < 64; j++) {
            double sum = 0;
            for (int64_t s = 0; s < 3; s++) {
                bool inside = i % part + s - 1 >= 0 && i % part + s - 1 < part;
                for (int64_t k = 0; k < depth && inside; k++) {
                    sum += real(r, 0, (size_t)((i + s - 1) * depth + k)) *
                           real(r, 1, (size_t)((s * depth + k) * 64 + j));
                }
            }
            put_real(r, 2, (size_t)(i * 64 + j), sum);
        }
    }
}

// In the source's order, each step rounded to f32.
static void block_scaled(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 5), n = (size_t)scalar(r, 6), depth = (size_t)scalar(r, 7),
           blocks = depth / 128;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float total = 0;
            for (size_t block = 0; block < blocks; block++) {
                double dot = 0;
                for (size_t k = block * 128; k < block * 128 + 128; k++) {
                    dot += real(r, 0, i * depth + k) * real(r, 1, j * depth + k);
                }
                float product = (float)dot * (float)real(r, 3, i * blocks + block);
                total = fmaf(product, (float)real(r, 4, j / 128 * blocks + block), total);
            }
            put_real(r, 2, i * n + j, total);
        }
    }
}

static void met(struct lang_run *r, size_t stored, bool by_step) {
    size_t tile = (size_t)128 * 256;
    for (size_t at = 0; at < tile; at++) {
        double total = 0;
        for (size_t step = 0; step < (size_t)scalar(r, 3); step++) {
            double term = 0;
            for (size_t k = 0; k < 32; k++) {
                term += real(r, 0, (step * 128 + at / 256) * 32 + k) *
                        real(r, 1, (step * 32 + k) * 256 + at % 256) / 2;
            }
            total += by_step ? (double)step * term : term;
            if (step > 0 && step <= stored) {
                put_real(r, 2, step * tile + at, term);
            }
        }
        put_real(r, 2, at, total);
    }
}

static void met_in_memory(struct lang_run *r) {
    met(r, 0, false);
}

static void met_in_branch(struct lang_run *r) {
    met(r, 2, false);
}

static void met_in_loop(struct lang_run *r) {
    met(r, 0, true);
}

static void read_twice(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4);
    for (size_t at = 0; at < (size_t)256 * 64; at++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            double x = real(r, 0, at / 64 * depth + k);
            sum += x * real(r, 1, k * 64 + at % 64) + fmax(x, 0) * real(r, 3, k * 64 + at % 64);
        }
        put_real(r, 2, at, sum);
    }
}

static void products_beside(struct lang_run *r) {
    for (size_t row = 0; row < (size_t)3 * 64; row++) {
        double left[64];
        for (size_t m = 0; m < 64; m++) {
            left[m] = real(r, 0, row * 64 + m);
            for (size_t k = 0; k < (size_t)scalar(r, 4); k++) {
                left[m] += real(r, 0, row * 64 + k % 64) * real(r, 1, k * 64 + m);
            }
        }
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t m = 0; m < 64; m++) {
                sum += left[m] * real(r, 3, m * 64 + j);
            }
            put_real(r, 2, row * 64 + j, sum);
        }
    }
}

static void four_bits(struct lang_run *r) {
    static const double codes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    size_t depth = (size_t)scalar(r, 4);
    for (size_t at = 0; at < (size_t)128 * 64; at++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            int64_t code = integer(r, 1, (at % 64 * depth + k) / 2) >> (k % 2 * 4) & 15;
            double scale = exp2((double)integer(r, 3, (at % 64 * depth + k) / 32) - 127);
            sum += real(r, 0, at / 64 * depth + k) * scale * (code & 8 ? -codes[code & 7] : codes[code & 7]);
        }
        put_real(r, 2, at, sum);
    }
}

static void split_sums(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 3), n = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = real(r, 2, i * n + j);
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, k * n + j);
            }
            put_real(r, 2, i * n + j, sum);
        }
    }
}

static void half_sums(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 4), n = (size_t)scalar(r, 5), depth = (size_t)scalar(r, 6);
    for (size_t at = 0; at < m * n; at++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            sum += real(r, 0, at / n * depth + k) * real(r, 1, k * n + at % n);
        }
        put_real(r, 2, at, real(r, 2, at) + sum);
        put_real(r, 3, at, real(r, 3, at) + sum);
    }
}

static void cut_runs(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 3), depth = (size_t)scalar(r, 4),
           rows = (size_t)scalar(r, 5) / ((n + 63) / 64) * 64;
    for (size_t at = 0; at < rows * n; at++) {
        double sum = real(r, 2, at);
        for (size_t k = 0; k < depth; k++) {
            sum += real(r, 0, at / n * depth + k) * real(r, 1, k * n + at % n);
        }
        put_real(r, 2, at, sum);
    }
}

static void tiles_of_groups(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 6), depth = (size_t)scalar(r, 7);
    for (size_t g = 0; g < (size_t)scalar(r, 5); g++) {
        for (size_t at = 0; at < 2 * (60 + g) * n; at++) {
            size_t row = g * 128 + at / n;
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, row * depth + k) * real(r, 1, (g * depth + k) * n + at % n);
            }
            put_real(r, 2, row * n + at % n, sum);
        }
    }
}

static void halved_rounds(struct lang_run *r) {
    size_t rounds = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5), programs = 2;
    for (size_t program = 0; program < programs; program++) {
        size_t steps = depth, row = program;
        for (; row<rounds; row += programs, steps = steps> 64 ? steps / 2 : 0) {
            for (size_t at = 0; at < 4096; at++) {
                double sum = 0;
                for (size_t k = 0; k < steps; k++) {
                    sum += real(r, 0, (row * 64 + at / 64) * depth + k) * real(r, 1, k * 64 + at % 64);
                }
                put_real(r, 2, row * 4096 + at, sum);
            }
        }
        put_integer(r, 3, program, (int64_t)(row * 1000 + steps));
    }
}

#define SCALED(NAME, GRID, WARPS, A_LOW, A_HIGH, B_LOW, B_HIGH, LOW, HIGH, RELATIVE, ABSOLUTE, ...)          \
    ROW("block_scaled." NAME, block_scaled, block_scaled, .grid = {GRID},                                    \
        .arguments = {WHOLE(E4M3, 36864, A_LOW, A_HIGH), WHOLE(E4M3, 40960, B_LOW, B_HIGH), OUT(F32, 23040), \
                      IN(F32, 288, LOW, HIGH), IN(F32, 4, LOW, HIGH), INT(144), INT(160), INT(256)},         \
        .relative = RELATIVE, .absolute = ABSOLUTE, .warps = WARPS, __VA_ARGS__)

#define MET(NAME, BY, DEFINES)                                                                               \
    ROW("met_terms." NAME, met_terms, BY, .defines = DEFINES, .warps = "8",                                  \
        .arguments = {WHOLE(F16, 12288, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 98304), INT(3)})

static const struct lang_case forms_cases[] = {
    SCALED("plain", 4, "48", -3, 3, -3, 3, 0.5, 2, 1e-5, 1e-3, .maps = 3),
    SCALED("products_overflow", 4, "8", 0, 0, -3, 3, 1e25, 2e25, 0, 0, .maps = 3),
    SCALED("products_vanish", 4, "8", 448, 448, 448, 448, 2e-20, 3e-20, 1e-6, 0, .maps = 3),
    SCALED("halves", 2, "8", -3, 3, -3, 3, 0.5, 2, 1e-5, 1e-3, .maps = 5, .defines = "BN=256"),
    SCALED("halves_vanish", 2, "8", 448, 448, 448, 448, 2e-20, 3e-20, 1e-6, 0, .maps = 5,
           .defines = "BN=256"),
    MET("memory", met_in_memory, "BY=0"),
    MET("branch", met_in_branch, "BY=1"),
    MET("loop", met_in_loop, "BY=2"),
    CASE(split_sums, .grid = {2, 3, 2},
         .arguments = {WHOLE(F16, 28672, -3, 3),
                       WHOLE(F16, 36864, -3, 3),
                       {ARGUMENT_BOTH, F32, 16128, GENERATE_WHOLE, -9, 9},
                       INT(112),
                       INT(144),
                       INT(256),
                       INT(128)},
         .maps = 3),
    ROW("split_sums.left", split_sums, split_sums, .grid = {3, 3, 2},
        .arguments = {WHOLE(F16, 24576, -3, 3),
                      WHOLE(F16, 18432, -3, 3),
                      {ARGUMENT_BOTH, F32, 27648, GENERATE_WHOLE, -9, 9},
                      INT(192),
                      INT(144),
                      INT(128),
                      INT(64)},
        .maps = 3),
    // Six blocks: a tile each, then six shares of the seventh.
    ROW("split_sums.cut", split_sums, split_sums, .grid = {7, 1, 2},
        .arguments = {WHOLE(F16, 1437696, -3, 3),
                      WHOLE(F16, 106496, -3, 3),
                      {ARGUMENT_BOTH, F32, 13824, GENERATE_WHOLE, -9, 9},
                      INT(432),
                      INT(32),
                      INT(3328),
                      INT(1664)},
        .maps = 3, .defines = "BN=32"),
    // Six blocks for one program: shares of its steps.
    ROW("split_sums.few", split_sums, split_sums, .grid = {1, 1, 1},
        .arguments = {WHOLE(F16, 159744, -3, 3),
                      WHOLE(F16, 106496, -3, 3),
                      {ARGUMENT_BOTH, F32, 1536, GENERATE_WHOLE, -9, 9},
                      INT(48),
                      INT(32),
                      INT(3328),
                      INT(3328)},
        .maps = 3, .defines = "BN=32"),
    ROW("split_sums.empty", split_sums, split_sums, .grid = {3, 1, 2},
        .arguments = {WHOLE(F16, 64, -3, 3),
                      WHOLE(F16, 64, -3, 3),
                      {ARGUMENT_BOTH, F32, 12288, GENERATE_WHOLE, -9, 9},
                      INT(192),
                      INT(64),
                      INT(0),
                      INT(0)},
        .maps = 3),
    CASE(half_sums, .grid = {2, 3},
         .arguments = {WHOLE(F16, 14336, -1, 1),
                       WHOLE(F16, 18432, -1, 1),
                       {ARGUMENT_BOTH, F16, 16128, GENERATE_WHOLE, -9, 9},
                       {ARGUMENT_BOTH, BF16, 16128, GENERATE_WHOLE, -9, 9},
                       INT(112),
                       INT(144),
                       INT(128)},
         .maps = 4),
    CASE(cut_runs, .grid = {5},
         .arguments = {WHOLE(F16, 30720, -3, 3),
                       WHOLE(F16, 34560, -3, 3),
                       {ARGUMENT_BOTH, F32, 18432, GENERATE_WHOLE, -9, 9},
                       INT(144),
                       INT(240),
                       INT(6),
                       INT(5)},
         .maps = 3),
    CASE(halved_rounds, .grid = {2},
         .arguments = {WHOLE(F16, 143360, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 28672), OUT(I32, 2),
                       INT(7), INT(256)},
         .maps = 2),
    ROW("persistent", persistent, whole, .grid = {5},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 49152), INT(256), INT(192),
                      INT(128)},
        .maps = 3),
    ROW("persistent_behind", persistent_behind, whole, .grid = {5},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 49152), INT(256), INT(192),
                      INT(128), INT(5)},
        .maps = 3),
    CASE(tiles_of_groups, .grid = {5},
         .arguments = {WHOLE(F16, 49152, -3, 3), WHOLE(F16, 49152, -3, 3), OUT(F32, 49152), IOTA(I32, 16, 0),
                       IOTA(I32, 16, 60), INT(3), INT(128), INT(128)},
         .maps = 3),
    ROW("persistent_joined", persistent_joined, whole, .grid = {5},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 49152), INT(256), INT(192),
                      INT(128)},
        .maps = 3),
    ROW("persistent_behind.edges", persistent_behind, whole, .grid = {4},
        .arguments = {WHOLE(F16, 19200, -3, 3), WHOLE(F16, 13440, -3, 3), OUT(F32, 26880), INT(240), INT(112),
                      INT(80), INT(4)},
        .maps = 3),
    CASE(runs_of_tiles, .grid = {2},
         .arguments = {WHOLE(F16, 49152, -1, 1), WHOLE(F16, 8192, -1, 1), OUT(F32, 24576), INT(64), INT(128),
                       INT(3)},
         .maps = 2),
    CASE(early_return, .grid = {4, 2},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 32768), INT(128),
                       INT(128), INT(3)},
         .maps = 3),
    ROW("either_way.forward", either_way, either_way, .grid = {2},
        .arguments = {WHOLE(F16, 24576, -3, 3), WHOLE(F16, 12288, -3, 3), OUT(F32, 8192), INT(192), INT(1)},
        .maps = 2),
    ROW("either_way.behind", either_way, either_way, .grid = {2},
        .arguments = {WHOLE(F16, 24576, -3, 3), WHOLE(F16, 12288, -3, 3), OUT(F32, 8192), INT(192), INT(0)},
        .maps = 2),
    CASE(shifts, .grid = {2},
         .arguments = {WHOLE(F16, 17408, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 8192), INT(128), INT(3)},
         .maps = 2),
    ROW("shifts.none", shifts, shifts, .grid = {2},
        .arguments = {WHOLE(F16, 17408, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 8192), INT(128), INT(0)},
        .maps = 2),
    CASE(expert, .grid = {2},
         .arguments = {WHOLE(F16, 24576, -3, 3), WHOLE(F16, 32768, -3, 3), OUT(F32, 8192), IN(I32, 2, 0, 3),
                       IN(I64, 2, 0, 128), INT(8192), INT(128)},
         .maps = 3),
    CASE(far_rows, .grid = {3},
         .arguments = {WHOLE(F16, 2102272, -3, 3), WHOLE(F16, 2048, -3, 3), OUT(F32, 12288),
                       IN(I64, 3, 65440, 65632), INT(32)},
         .maps = 3),
    CASE(goes_on, .grid = {2},
         .arguments = {WHOLE(F16, 49152, -3, 3), WHOLE(F16, 12288, -3, 3), OUT(F32, 8192), INT(384), INT(64),
                       INT(128), INT(2)},
         .maps = 2),
    ROW("goes_on.none", goes_on, goes_on, .grid = {2},
        .arguments = {WHOLE(F16, 49152, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 8192), INT(384), INT(0),
                      INT(128), INT(3)},
        .maps = 2),
    CASE(pages, .grid = {2},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 32768, -3, 3), OUT(F32, 8192), IN(I32, 8, 0, 7),
                       IN(I32, 2, 0, 4), INT(4096)},
         .maps = 3),
    CASE(stored_before, .grid = {2},
         .arguments = {WHOLE(F16, 16384, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 8192), OUT(I32, 2),
                       INT(64), INT(128)},
         .maps = 2),
    // Blocks have several tiles, whose results are computed beside the next one's products if the sums are narrowed. The loop has
    // fewer steps than a tile has pieces, as many, or one for each warpgroup's.
    CASE(met_results, .defines = "BN=256", .grid = {5},
         .arguments = {WHOLE(F16, 81920, -3, 3), WHOLE(F16, 32768, -3, 3), OUT(F16, 163840),
                       WHOLE(F32, 256, -9, 9), WHOLE(F32, 640, -2, 2), WHOLE(F16, 163840, -9, 9), INT(128),
                       INT(176)},
         .warps = "8", .maps = 3),
    CASE(met_factor, .grid = {5},
         .arguments = {WHOLE(F16, 61440, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 163840),
                       WHOLE(F32, 5, -3, 3), WHOLE(F32, 256, -9, 9), INT(96)},
         .warps = "8", .maps = 2),
    ROW("met_results.narrowed", met_results, met_results, .defines = "BN=256 BK=32 NARROW=1", .grid = {5},
        .arguments = {WHOLE(F16, 163840, -3, 3), WHOLE(F16, 65536, -3, 3), OUT(F16, 163840),
                      WHOLE(F32, 256, -9, 9), WHOLE(F32, 640, -2, 2), WHOLE(F16, 163840, -9, 9), INT(256),
                      INT(176)},
        .warps = "8", .maps = 3),
    ROW("met_results.even", met_results, met_results, .defines = "BN=256 BK=32 NARROW=1", .grid = {5},
        .arguments = {WHOLE(F16, 327680, -1, 1), WHOLE(F16, 131072, -3, 3), OUT(F16, 163840),
                      WHOLE(F32, 256, -9, 9), WHOLE(F32, 640, -2, 2), WHOLE(F16, 163840, -9, 9), INT(512),
                      INT(176)},
        .warps = "8", .maps = 3),
    ROW("met_results.turns", met_results, met_results, .defines = "BN=256 BK=32 NARROW=1", .grid = {5},
        .arguments = {WHOLE(F16, 655360, -1, 1), WHOLE(F16, 262144, -3, 3), OUT(F16, 163840),
                      WHOLE(F32, 256, -9, 9), WHOLE(F32, 640, -2, 2), WHOLE(F16, 163840, -9, 9), INT(1024),
                      INT(176)},
        .warps = "8", .maps = 3),
    ROW("met_results.small", met_results, met_results, .defines = "BN=128 BK=32 NARROW=1", .grid = {5},
        .arguments = {WHOLE(F16, 163840, -3, 3), WHOLE(F16, 32768, -3, 3), OUT(F16, 81920),
                      WHOLE(F32, 128, -9, 9), WHOLE(F32, 640, -2, 2), WHOLE(F16, 81920, -9, 9), INT(256),
                      INT(48)},
        .warps = "8", .maps = 3),
    ROW("met_results.narrow", met_results, met_results, .defines = "BN=64", .grid = {2},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F16, 16384),
                      WHOLE(F32, 64, -9, 9), WHOLE(F32, 256, -2, 2), WHOLE(F16, 16384, -9, 9), INT(128),
                      INT(32)},
        .warps = "48", .maps = 3),
    // Blocks have several tiles; their loops have steps, one step or none.
    CASE(added_tiles, .defines = "BN=128", .grid = {6},
         .arguments = {WHOLE(F16, 14800, -1, 1), WHOLE(F16, 26880, -1, 1), OUT(F16, 62160),
                       WHOLE(F16, 336, -9, 9), WHOLE(F16, 62160, -2, 2), WHOLE(BF16, 62160, -9, 9), INT(185),
                       INT(336), INT(80)},
         .warps = "48", .maps = 5),
    CASE_OF(added_tiles_wide, added_tiles, .defines = "BN=256", .grid = {6},
            .arguments = {WHOLE(F16, 21120, -1, 1), WHOLE(F16, 25600, -1, 1), OUT(F16, 132000),
                          WHOLE(F16, 400, -9, 9), WHOLE(F16, 132000, -2, 2), WHOLE(BF16, 132000, -9, 9),
                          INT(330), INT(400), INT(64)},
            .warps = "8", .maps = 5),
    CASE_OF(added_tiles_alone, added_tiles, .defines = "BN=128", .grid = {6},
            .arguments = {WHOLE(F16, 16, -1, 1), WHOLE(F16, 16, -1, 1), OUT(F16, 62400),
                          WHOLE(F16, 208, -9, 9), WHOLE(F16, 62400, -2, 2), WHOLE(BF16, 62400, -9, 9),
                          INT(300), INT(208), INT(0)},
            .warps = "8", .maps = 6),
    CASE(shared_heads, .grid = {2, 8},
         .arguments = {WHOLE(F16, 12800, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 51200), INT(200), INT(8),
                       INT(128)},
         .maps = 3),
    ROW("shared_heads.odd", shared_heads, shared_heads, .grid = {2, 8},
        .arguments = {WHOLE(F16, 12672, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 63360), INT(199), INT(10),
                      INT(128)},
        .maps = 3),
    CASE(short_rows, .grid = {2, 2},
         .arguments = {WHOLE(F16, 9600, -3, 3), WHOLE(F16, 12288, -3, 3), OUT(F32, 12800), INT(100), INT(80),
                       INT(96), INT(128)},
         .stages = "24", .maps = 2),
    CASE(short_rows_turned, .grid = {2, 2},
         .arguments = {IN(I8, 14400, -9, 9), IN(I8, 16128, -9, 9), OUT(I32, 11200), INT(100), INT(144),
                       INT(112)},
         .stages = "34", .maps = 2),
    ROW("gathered", gathered, gathered_64, .defines = "BM=64 BN=64", .grid = {3},
        .arguments = {WHOLE(F16, 49152, -3, 3), WHOLE(F16, 12288, -3, 3), OUT(F32, 12288),
                      IN(I32, 192, 0, 255), INT(150), INT(192)},
        .stages = "34", .maps = 1),
    ROW("gathered.wide", gathered, gathered_128, .defines = "BM=128 BN=128", .grid = {3},
        .arguments = {WHOLE(F16, 49152, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 49152),
                      IN(I32, 384, 0, 255), INT(384), INT(192)},
        .warps = "48", .maps = 1),
    CASE(searched, .grid = {4},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 40960, -3, 3), OUT(F32, 16384), IN(I32, 5, -2, 4),
                       INT(5), INT(128)},
         .maps = 2),
    CASE(rows_by_expert, .grid = {3},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 40960, -3, 3), OUT(F32, 12288),
                       IN(I32, 192, 0, 255), IN(I32, 192, 0, 5), INT(150), INT(128)},
         .warps = "48", .maps = 1),
    CASE(gathered_biased, .grid = {3},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 24576),
                       IN(I32, 384, 0, 255), WHOLE(F32, 384, -9, 9), INT(128)},
         .maps = 1),
    // Tiles without a step: a copying warp may not miss that the vector's slot was released twice.
    ROW("gathered_biased.empty", gathered_biased, gathered_biased, .defines = "TILES=6 BEHIND=1", .grid = {1},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 24576),
                      IN(I32, 384, 0, 255), WHOLE(F32, 384, -9, 9), INT(0)},
        .maps = 2),
    // The vector's slots are released by tiles whose last step has been signalled, without a step behind it.
    ROW("gathered_biased.third", gathered_biased, biased_third, .defines = "TILES=6 BEHIND=1 EVERY=3",
        .grid = {1},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 24576),
                      IN(I32, 384, 0, 255), WHOLE(F32, 384, -9, 9), INT(128)},
        .maps = 2),
    CASE(
        shifted, .grid = {3},
        .arguments = {WHOLE(F16, 24576, -3, 3), WHOLE(F16, 24576, -3, 3), OUT(F32, 12288), INT(24), INT(128)},
        .maps = 1),
    ROW("kept_by_branch.first", kept_by_branch, kept_by_branch,
        .arguments = {WHOLE(F16, 12288, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 4096), INT(128), INT(1)},
        .maps = 2),
    ROW("kept_by_branch.second", kept_by_branch, kept_by_branch,
        .arguments = {WHOLE(F16, 12288, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 4096), INT(128), INT(0)},
        .maps = 2),
    CASE(read_twice, .defines = "BM=64", .grid = {4},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 16384),
                       WHOLE(F16, 8192, -3, 3), INT(128)},
         .maps = 3),
    ROW("read_twice.wide", read_twice, read_twice, .defines = "BM=128", .grid = {2},
        .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 16384),
                      WHOLE(F16, 8192, -3, 3), INT(128)},
        .warps = "8", .maps = 3),
    CASE(products_beside, .grid = {3},
         .arguments = {WHOLE(F16, 12288, -1, 1), WHOLE(F16, 8192, -1, 1), OUT(F32, 12288),
                       WHOLE(F16, 4096, -1, 1), INT(128)},
         .maps = 2),
    CASE(four_bits, .grid = {2},
         .arguments = {WHOLE(BF16, 16384, -3, 3), IN(U8, 4096, 0, 255), OUT(F32, 8192), IN(U8, 256, 126, 128),
                       INT(128)},
         .maps = 1),
};

FAMILY(forms);
