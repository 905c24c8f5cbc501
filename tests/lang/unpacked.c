// Products with computed operands. `maps` says how many tensor maps each has on sm_90a at the least.
#include "lang.h"

#include <math.h>
#include <string.h>

enum { A, W, SCALE, BEHIND_SCALE }; // the first arguments of the unpacked products

typedef double weight(struct lang_run *r, size_t k, size_t j, size_t columns);

static void product(struct lang_run *r, unsigned out, size_t rows, size_t columns, size_t depth, weight *of) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, A, i * depth + k) * of(r, k, j, columns);
            }
            put_real(r, out, i * columns + j, sum);
        }
    }
}

static int64_t nibble(struct lang_run *r, unsigned argument, size_t word, size_t number) {
    return integer(r, argument, word) >> 4 * number & 15;
}

static double scaled(struct lang_run *r, size_t k, size_t j, size_t columns) {
    return (double)(nibble(r, W, k / 8 * columns + j, k % 8) - 8) * real(r, SCALE, k / 64 * columns + j);
}

static void words_repeated(struct lang_run *r) {
    product(r, 3, (size_t)scalar(r, 4), (size_t)scalar(r, 5), (size_t)scalar(r, 6), scaled);
}

static double above_zero(struct lang_run *r, size_t k, size_t j, size_t columns) {
    int64_t zero = nibble(r, SCALE, k / 64 * (columns / 8) + j / 8, j % 8);
    return (double)(nibble(r, W, k / 8 * columns + j, k % 8) - zero);
}

static void words_once(struct lang_run *r) {
    product(r, 3, 64, (size_t)scalar(r, 4), (size_t)scalar(r, 5), above_zero);
}

static double above_column(struct lang_run *r, size_t k, size_t j, size_t columns) {
    int64_t zero = integer(r, SCALE, k / 128 * columns + j);
    return (double)(nibble(r, W, k / 8 * columns + j, k % 8) - zero);
}

static void words_above(struct lang_run *r) {
    product(r, 3, 16, (size_t)scalar(r, 4), (size_t)scalar(r, 5), above_column);
}

static void words_left(struct lang_run *r) {
    size_t columns = (size_t)scalar(r, 3), depth = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum +=
                    (double)(nibble(r, W, i * (depth / 8) + k / 8, k % 8) - 8) * real(r, A, k * columns + j);
            }
            put_real(r, 2, i * columns + j, sum);
        }
    }
}

static double byte_in_word(struct lang_run *r, size_t k, size_t j, size_t columns) {
    return (double)((integer(r, W, k / 4 * columns + j) >> 8 * (k % 4) & 255) - 128);
}

static void bytes_of_words(struct lang_run *r) {
    product(r, 2, 16, (size_t)scalar(r, 3), (size_t)scalar(r, 4), byte_in_word);
}

static double of_column(struct lang_run *r, size_t k, size_t j, size_t columns) {
    return (double)(nibble(r, W, k * (columns / 8) + j / 8, j % 8) - 7);
}

static void words_of_columns(struct lang_run *r) {
    product(r, 2, 64, (size_t)scalar(r, 3), (size_t)scalar(r, 4), of_column);
}

static double less_of(struct lang_run *r, size_t k, size_t j, size_t columns, double less) {
    return ((double)integer(r, W, k * columns + j) - less) * real(r, SCALE, k);
}

static double of_byte(struct lang_run *r, size_t k, size_t j, size_t columns) {
    return less_of(r, k, j, columns, 0);
}

static double of_byte_less_128(struct lang_run *r, size_t k, size_t j, size_t columns) {
    return less_of(r, k, j, columns, 128);
}

static void bytes_of_rows(struct lang_run *r) {
    product(r, 3, 64, (size_t)scalar(r, 4), (size_t)scalar(r, 5), of_byte);
}

static void bytes_less_128(struct lang_run *r) {
    product(r, 3, 64, (size_t)scalar(r, 4), (size_t)scalar(r, 5), of_byte_less_128);
}

// Argument 0 by argument 2; `left`: of values above zero, by a gate; `right`: of values below it.
static void gated(struct lang_run *r, size_t rows, bool left, bool right) {
    size_t columns = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                double x = real(r, 0, i * depth + k), y = real(r, 2, k * columns + j);
                x = left ? fmax(x, 0) * real(r, 1, i * depth + k) : x;
                sum += x * (right ? fmin(y, 0) : y);
            }
            put_real(r, 3, i * columns + j, sum);
        }
    }
}

static void gated_left(struct lang_run *r) {
    gated(r, 128, true, false);
}

static void gated_right(struct lang_run *r) {
    gated(r, 128, false, true);
}

static void gated_both(struct lang_run *r) {
    gated(r, 128, true, true);
}

static void also_stored(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < 64; i++) {
        double row = 0;
        for (size_t k = 0; k < depth; k++) {
            row += real(r, 0, i * depth + k);
            put_real(r, 3, i * depth + k, real(r, 0, i * depth + k) / 2);
        }
        put_real(r, 4, i, row);
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * depth + k) / 2 * real(r, 1, k * 64 + j);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void store_ahead(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t k = 0; k < depth; k++) {
        put_integer(r, 4, k, (int64_t)(k % 64));
    }
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
                sum *= k % 64 == 63 ? real(r, 2, k - 63 + j) : 1;
            }
            put_real(r, 3, i * 64 + j, sum);
        }
    }
}

// Whole numbers, and halves of them: f16 holds each of them.
static void stored_between(struct lang_run *r) {
    enum { D = 32 };
    size_t depth = (size_t)scalar(r, 6);
    double state[D][D] = {0};
    for (size_t step = 0; step < depth; step += 64) {
        const size_t first = (depth - 64 - step) * D;
        double sums[D][D];
        for (size_t a = 0; a < D; a++) {
            for (size_t b = 0; b < D; b++) {
                put_real(r, 5, step / 64 * D * D + a * D + b, state[a][b]);
                sums[a][b] = state[a][b] * 0.5;
                for (size_t i = 0; i < 64; i++) {
                    sums[a][b] += real(r, 2, first + i * D + a) * real(r, 3, first + i * D + b);
                }
            }
        }
        for (size_t i = 0; i < 64; i++) {
            for (size_t b = 0; b < D; b++) {
                double x = real(r, 1, first + i * D + b);
                for (size_t a = 0; a < D; a++) {
                    x -= real(r, 0, first + i * D + a) * state[a][b];
                }
                put_real(r, 4, first + i * D + b, x);
            }
        }
        memcpy(state, sums, sizeof state);
    }
}

static void state(struct lang_run *r) {
    size_t steps = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 2 * steps; i++) {
        size_t first = i / steps * steps, step = i % steps / 64;
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t n = first; n <= i; n++) {
                double score = 0;
                for (size_t d = 0; d < 64; d++) {
                    score += real(r, 0, i * 64 + d) * real(r, 1, n * 64 + d);
                }
                size_t before = step - (n - first) / 64;
                sum += ldexp(score * real(r, 2, n * 64 + j), before > 0 ? 1 - (int)before : 0);
            }
            put_real(r, 3, i * 64 + j, sum);
        }
    }
}

static void narrow_keys(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double total[64] = {0};
        for (size_t n = 0; n < (size_t)scalar(r, 5); n++) {
            double score = 0;
            for (size_t d = 0; d < 64; d++) {
                score += real(r, 0, i * 64 + d) * real(r, 1, n * 64 + d);
            }
            for (size_t d = 0; d < 64; d++) {
                total[d] += fmax(score * real(r, 3, n), 0) * real(r, 2, n * 64 + d);
            }
        }
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 4, i * 64 + d, total[d]);
        }
    }
}

static void tiles_and_vector(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            double first = 0, second = 0;
            for (size_t k = 0; k < depth; k++) {
                first += real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
                first *= k % 64 == 63 ? real(r, 2, k - 63 + j) : 1;
                second += real(r, 0, (64 + i) * depth + k) * real(r, 1, (depth + k) * 64 + j);
            }
            put_real(r, 3, i * 64 + j, first - second);
        }
    }
}

#define REPEATED(label, least, shape, width, ...)                                                            \
    ROW("words_repeated." label, words_repeated, words_repeated, .defines = shape, .grid = {__VA_ARGS__},    \
        .arguments = {WHOLE(F16, 19200, -3, 3), BITS(I32, 24 * (width)), WHOLE(F16, 3 * (width), -2, 2),     \
                      OUT(F32, 100 * (width)), INT(100), INT(width), INT(192)},                              \
        .stages = "23", .maps = least)

#define GATED(label, sides, width, how, ...)                                                                 \
    {                                                                                                        \
        .name = "gated." label, .kernel = "gated", .defines = "SIDE=" sides " BN=" #width, .grid = {2},      \
        .arguments = {WHOLE(F16, 24576, -3, 3),                                                              \
                      WHOLE(F16, 24576, -2, 2),                                                              \
                      WHOLE(F16, 192 * (width), -3, 3),                                                      \
                      OUT(F32, 128 * (width)),                                                               \
                      INT(width),                                                                            \
                      INT(192)},                                                                             \
        .reference = how, __VA_ARGS__                                                                        \
    }

static void spread(struct lang_run *r, size_t parts, size_t rows) {
    size_t columns = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5);
    for (size_t at = 0; at < parts * rows * columns; at++) {
        size_t part = at / columns / rows, i = at / columns % rows, j = at % columns;
        double sum = 0;
        for (size_t k = 0; k < depth && i < 15; k++) {
            double weight = (double)(nibble(r, W, k * (columns / 8) + j / 8, j % 8) -
                                     nibble(r, W, k / 64 * (columns / 8) + j / 8, j % 8));
            sum += k / 32 % parts == part
                       ? real(r, A, i * depth + k) * weight * real(r, SCALE, k / 64 * columns + j)
                       : 0;
        }
        put_real(r, 3, at, sum);
    }
}

static void words_spread_16(struct lang_run *r) {
    spread(r, 2, 16);
}

static void words_spread_64(struct lang_run *r) {
    spread(r, 1, 64);
}

static void adapter(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 4); i++) {
        size_t row = (size_t)integer(r, 3, i);
        for (size_t j = 0; j < 256; j++) {
            double sum = 0;
            for (size_t k = 0; k < 16; k++) {
                sum += real(r, 0, row * 16 + k) * real(r, 1, j * 16 + k);
            }
            put_real(r, 2, row * 256 + j, real(r, 2, row * 256 + j) + sum);
        }
    }
}

static void scaled_rows(struct lang_run *r) {
    for (size_t at = 0; at < 64 * 64; at++) {
        double sum = 0;
        for (size_t k = 0; k < 256; k++) {
            double factor = (real(r, 2, 255) - real(r, 2, k)) * real(r, 3, k);
            sum += real(r, 0, k * 64 + at / 64) * real(r, 1, k * 64 + at % 64) * factor;
        }
        put_real(r, 4, at, sum);
    }
}

static void nibbles_of_groups(struct lang_run *r) {
    size_t columns = (size_t)scalar(r, 5), depth = (size_t)scalar(r, 6), groups = depth / 64;
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                int64_t zero = nibble(r, 3, j / 2 * groups + k / 64, j % 2);
                int64_t number = nibble(r, 1, j * (depth / 2) + k / 2, k % 2) - zero;
                sum += real(r, 0, i * depth + k) * (double)number * real(r, 2, j * groups + k / 64);
            }
            put_real(r, 4, i * columns + j, sum);
        }
    }
}

static const struct lang_case unpacked_cases[] = {
    REPEATED("tall", 3, "BM=64 BN=128 BK=64", 128, 2, 1),
    REPEATED("two_blocks", 3, "BM=32 BN=64 BK=64", 128, 4, 2),
    REPEATED("half_groups", 0, "BM=128 BN=128 BK=32", 128, 1, 1),
    REPEATED("few_deep", 2, "BM=32 BN=64 BK=32", 64, 4, 1),
    // Groups of warps take turns in 18 steps of several tiles a block: more than there are slots.
    ROW("words_repeated.slices", words_repeated, words_repeated, .defines = "BM=16 BN=64 BK=64",
        .grid = {1, 5},
        .arguments = {WHOLE(F16, 18432, -3, 3), BITS(I32, 46080), WHOLE(F16, 5760, -2, 2), OUT(F32, 5120),
                      INT(16), INT(320), INT(1152)},
        .stages = "34", .maps = 3),
    // Single warps take turns in 40 steps, more than twice their slots, of tiles with rows behind the last one.
    ROW("words_repeated.warps", words_repeated, words_repeated, .defines = "BM=16 BN=64 BK=64",
        .grid = {1, 3},
        .arguments = {WHOLE(F16, 12800, -3, 3), BITS(I32, 61440), WHOLE(F16, 7680, -2, 2), OUT(F32, 960),
                      INT(5), INT(192), INT(2560)},
        .maps = 3),
    ROW("words_repeated.warps_bf16", words_repeated, words_repeated,
        .signature = "*bf16:16, *i32:16, *bf16:16, *fp32:16, i32, i32:16, i32:16",
        .defines = "BM=16 BN=64 BK=64", .grid = {1, 2},
        .arguments = {WHOLE(BF16, 9216, -3, 3), BITS(I32, 9216), WHOLE(BF16, 1152, -2, 2), OUT(F32, 2048),
                      INT(16), INT(128), INT(576)},
        .maps = 3),
    // Tiles of 128 columns: a thread has twice as many sums.
    ROW("words_repeated.wide", words_repeated, words_repeated, .defines = "BM=16 BN=128 BK=64",
        .grid = {1, 2},
        .arguments = {WHOLE(F16, 9216, -3, 3), BITS(I32, 18432), WHOLE(F16, 2304, -2, 2), OUT(F32, 4096),
                      INT(16), INT(256), INT(576)},
        .maps = 3),
    // Room for 14 slots; 12 are used: each slot is always the same group's.
    ROW("words_repeated.slots", words_repeated, words_repeated, .defines = "BM=64 BN=64 BK=64",
        .grid = {1, 4},
        .arguments = {WHOLE(F16, 143360, -3, 3), BITS(I32, 71680), WHOLE(F16, 8960, -2, 2), OUT(F32, 16384),
                      INT(64), INT(256), INT(2240)},
        .maps = 3),
    // Ten steps, more than there are slots.
    CASE(words_above,
         .arguments = {WHOLE(F16, 20480, -3, 3), BITS(I32, 20480), WHOLE(I32, 1280, 0, 15), OUT(F32, 2048),
                       INT(128), INT(1280)},
         .maps = 3),
    ROW("words_once.fp16", words_once, words_once,
        .signature = "*fp16:16, *i32:16, *i32:16, *fp32:16, i32:16, i32:16",
        .arguments = {WHOLE(F16, 12288, -3, 3), BITS(I32, 3072), BITS(I32, 48), OUT(F32, 8192), INT(128),
                      INT(192)},
        .warps = "48", .maps = 2),
    ROW("words_once.bf16", words_once, words_once,
        .signature = "*bf16:16, *i32:16, *i32:16, *fp32:16, i32:16, i32:16",
        .arguments = {WHOLE(BF16, 12288, -3, 3), BITS(I32, 3072), BITS(I32, 48), OUT(F32, 8192), INT(128),
                      INT(192)},
        .maps = 2),
    ROW("words_left.fp32", words_left, words_left, .signature = "*fp16:16, *i32:16, *fp32:16, i32:16, i32:64",
        .arguments = {WHOLE(F16, 12288, -3, 3), BITS(I32, 1536), OUT(F32, 4096), INT(64), INT(192)},
        .warps = "48"),
    ROW("words_left.fp16", words_left, words_left, .signature = "*fp16:16, *i32:16, *fp16:16, i32:16, i32:64",
        .arguments = {WHOLE(F16, 4096, 0, 1), BITS(I32, 512), OUT(F16, 4096), INT(64), INT(64)}),
    CASE(bytes_of_words,
         .arguments = {WHOLE(F16, 3072, -3, 3), BITS(I32, 3072), OUT(F32, 1024), INT(64), INT(192)},
         .warps = "48", .maps = 2),
    CASE(words_of_columns,
         .arguments = {WHOLE(F16, 12288, -3, 3), BITS(I32, 3072), OUT(F32, 8192), INT(128), INT(192)},
         .warps = "48", .maps = 2),
    ROW("bytes.signed", bytes_of_rows, bytes_of_rows,
        .signature = "*fp16:16, *i8:16, *fp16:16, *fp32:16, i32:16, i32:16", .defines = "LESS=0",
        .arguments = {WHOLE(F16, 12288, -3, 3), BITS(I8, 12288), WHOLE(F16, 192, -1, 1), OUT(F32, 4096),
                      INT(64), INT(192)},
        .maps = 2),
    ROW("bytes.unsigned", bytes_of_rows, bytes_less_128,
        .signature = "*bf16:16, *u8:16, *bf16:16, *fp32:16, i32:16, i32:16", .defines = "LESS=128",
        .arguments = {WHOLE(BF16, 12288, -3, 3), BITS(U8, 12288), WHOLE(BF16, 192, -1, 1), OUT(F32, 4096),
                      INT(64), INT(192)},
        .maps = 2),
    GATED("left", "0", 128, gated_left, .warps = "48", .maps = 3),
    GATED("left.narrow", "0", 32, gated_left, .maps = 3),
    GATED("right", "1", 128, gated_right, .warps = "4", .maps = 2),
    GATED("both", "2", 64, gated_both),
    CASE(also_stored, .arguments = {WHOLE(F16, 12288, -6, 6), WHOLE(F16, 12288, -3, 3), OUT(F32, 4096),
                                    OUT(F16, 12288), OUT(F32, 64), INT(192)}),
    CASE(store_ahead, .arguments = {WHOLE(F16, 12288, -3, 3), WHOLE(F16, 12288, -2, 2),
                                    WHOLE(F32, 192, -1, 1), OUT(F32, 4096), OUT(I8, 192), INT(192)}),
    CASE(stored_between,
         .arguments = {WHOLE(F16, 6144, -1, 1), WHOLE(F16, 6144, -3, 3), WHOLE(F16, 6144, -1, 1),
                       WHOLE(F16, 6144, -1, 1), OUT(F16, 6144), OUT(F16, 3072), INT(192)},
         .defines = "D=32", .stages = "3"),
    CASE(tiles_and_vector, .arguments = {WHOLE(F16, 16384, -3, 3), WHOLE(F16, 16384, -2, 2),
                                         WHOLE(F32, 128, -1, 1), OUT(F32, 4096), INT(128)}),
    CASE(state, .grid = {2},
         .arguments = {WHOLE(F16, 24576, -1, 1), WHOLE(F16, 24576, -1, 1), WHOLE(F16, 24576, -1, 1),
                       OUT(F32, 24576), INT(192)},
         .stages = "23", .maps = 3),
    CASE(narrow_keys, .grid = {2},
         .arguments = {WHOLE(F16, 8192, -1, 1), WHOLE(I8, 12288, -2, 2), WHOLE(I8, 12288, -9, 9),
                       WHOLE(F32, 192, -2, 2), OUT(F32, 8192), INT(192)},
         .maps = 2),
    ROW("words_spread.few", words_spread, words_spread_16, .defines = "PARTS=2 BM=16", .grid = {2, 2},
        .arguments = {WHOLE(F16, 16 * 448, -2, 2), BITS(I32, 448 * 16), WHOLE(F16, 7 * 128, -1, 1),
                      OUT(F32, 2 * 16 * 128), INT(128), INT(448)},
        .stages = "134"),
    ROW("words_spread.rows", words_spread, words_spread_64, .defines = "PARTS=1 BM=64", .grid = {1, 2},
        .arguments = {WHOLE(F16, 64 * 448, -2, 2), BITS(I32, 448 * 16), WHOLE(F16, 7 * 128, -1, 1),
                      OUT(F32, 64 * 128), INT(128), INT(448)},
        .stages = "13"),
    ROW("words_spread.narrow", words_spread, words_spread_16, .defines = "PARTS=2 BM=16 BN=32",
        .grid = {2, 4},
        .arguments = {WHOLE(F16, 16 * 448, -2, 2), BITS(I32, 448 * 16), WHOLE(F16, 7 * 128, -1, 1),
                      OUT(F32, 2 * 16 * 128), INT(128), INT(448)},
        .stages = "14"),
    ROW("words_spread.narrow_rows", words_spread, words_spread_64, .defines = "PARTS=1 BM=64 BN=32",
        .grid = {1, 4},
        .arguments = {WHOLE(F16, 64 * 448, -2, 2), BITS(I32, 448 * 16), WHOLE(F16, 7 * 128, -1, 1),
                      OUT(F32, 64 * 128), INT(128), INT(448)},
        .stages = "13"),
    CASE(adapter, .grid = {2},
         .arguments = {WHOLE(F32, 70 * 16, -3, 3),
                       WHOLE(F16, 256 * 16, -3, 3),
                       {ARGUMENT_BOTH, F16, 70 * 256, GENERATE_WHOLE, -9, 9},
                       PERMUTE(I32, 70),
                       INT(59)},
         .warps = "148"),
    CASE(nibbles_of_groups, .grid = {2},
         .arguments = {WHOLE(F16, 12288, -2, 2), BITS(U8, 12288), WHOLE(F16, 384, -1, 1), BITS(U8, 192),
                       OUT(F32, 8192), INT(128), INT(192)},
         .warps = "48", .maps = 1),
    CASE(scaled_rows,
         .arguments = {WHOLE(F16, 256 * 64, -2, 2), WHOLE(F16, 256 * 64, -2, 2), WHOLE(F32, 256, -2, 2),
                       WHOLE(F32, 256, -1, 1), OUT(F32, 64 * 64)},
         .stages = "13"),
};

FAMILY(unpacked);
