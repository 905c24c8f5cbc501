// Attention: scores at the limits of their types, and keys and values with places of their own. `maps` says how many tensor maps each has
// on sm_90a at the least.
#include "lang.h"

#include <math.h>
#include <string.h>

static void far_weights(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4);
    double scale = (float)r->test->arguments[5].low;
    for (size_t i = 0; i < 128; i++) {
        double scores[256], largest = -INFINITY, sums = 0, total[64] = {0};
        for (size_t j = 0; j < rows; j++) {
            scores[j] = 0;
            for (size_t d = 0; d < 64; d++) {
                scores[j] += real(r, 0, i * 64 + d) * real(r, 1, j * 64 + d);
            }
            largest = fmax(largest, scores[j] * scale);
        }
        for (size_t j = 0; j < rows; j++) {
            double weight = exp2(scores[j] * scale - largest);
            sums += weight;
            for (size_t d = 0; d < 64; d++) {
                total[d] += weight * real(r, 3, j * 64 + d);
            }
        }
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 2, i * 64 + d, total[d] / sums);
        }
        if (r->test->arguments[6].kind == ARGUMENT_OUTPUT) { // far_logs
            put_real(r, 6, i, log(sums) + log(2) * largest);
        }
    }
}

// Scores of the keys in two tensors, 0 in the first and about -91 in the second, causal; values are 0 in the first.
static void far_below(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4);
    double scale = (float)r->test->arguments[5].low;
    for (size_t i = 0; i < 128; i++) {
        double sums = 0, total[64] = {0};
        for (size_t j = 0; j < 2 * rows && j <= rows + i + 64; j++) {
            bool far = j >= rows;
            double score = 0;
            for (size_t d = 0; d < 64; d++) {
                score += real(r, 0, i * 64 + d) * real(r, far ? 6 : 1, j % rows * 64 + d);
            }
            double weight = exp(score * scale);
            sums += weight;
            for (size_t d = 0; d < 64; d++) {
                total[d] += weight * real(r, far ? 7 : 3, j % rows * 64 + d);
            }
        }
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 2, i * 64 + d, total[d] / sums);
        }
    }
}

static void gathered(struct lang_run *r, size_t depth) {
    size_t rows = (size_t)scalar(r, 4), first = (size_t)scalar(r, 7);
    double scale = (float)r->test->arguments[5].low;
    for (size_t i = 0; i < 256; i++) {
        double sums = 0, total[128] = {0};
        for (size_t j = 0; j < first + rows; j++) {
            size_t key = j < first ? (size_t)integer(r, 6, j) : j - first;
            double score = 0;
            for (size_t d = 0; d < depth; d++) {
                score += real(r, 0, i * depth + d) * real(r, 1, key * depth + d);
            }
            sums += exp2(score * scale);
            for (size_t d = 0; d < depth; d++) {
                total[d] += exp2(score * scale) * real(r, 3, key * depth + d);
            }
        }
        for (size_t d = 0; d < depth; d++) {
            put_real(r, 2, i * depth + d, total[d] / sums);
        }
    }
}

static void gathered_keys(struct lang_run *r) {
    gathered(r, 128);
}

static void gathered_keys_64(struct lang_run *r) {
    gathered(r, 64);
}

static void listed_keys(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4), blocks = (size_t)scalar(r, 7);
    double scale = (float)r->test->arguments[5].low;
    for (size_t i = 0; i < 256; i++) {
        double sums = 0, total[64] = {0};
        for (size_t n = 0; n < blocks * 128; n++) {
            size_t key = (size_t)integer(r, 6, n / 128) * 128 + n % 128;
            double score = 0;
            for (size_t d = 0; key < rows && d < 64; d++) {
                score += real(r, 0, i * 64 + d) * real(r, 1, key * 64 + d);
            }
            sums += key < rows ? exp2(score * scale) : 0;
            for (size_t d = 0; key < rows && d < 64; d++) {
                total[d] += exp2(score * scale) * real(r, 3, key * 64 + d);
            }
        }
        for (size_t d = 0; d < 64; d++) {
            put_real(r, 2, i * 64 + d, total[d] / sums);
        }
    }
}

static void gathered_twice(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double total[128] = {0};
        for (size_t n = 0; n < (size_t)scalar(r, 6); n++) {
            size_t row = (size_t)integer(r, 3, n);
            double score = 0;
            for (size_t d = 0; d < 128; d++) {
                score += real(r, 0, i * 128 + d) * real(r, 1, row * 128 + d) +
                         real(r, 4, i * 128 + d) * real(r, 5, row * 128 + d);
            }
            for (size_t d = 0; d < 128; d++) {
                total[d] += fmax(score, 0) * real(r, 1, row * 128 + d);
            }
        }
        for (size_t d = 0; d < 128; d++) {
            put_real(r, 2, i * 128 + d, total[d]);
        }
    }
}

static void late_values(struct lang_run *r) {
    double scale = (float)r->test->arguments[6].low;
    for (size_t i = 0; i < 64; i++) {
        double sums = 0, total[128] = {0};
        for (size_t j = 0; j < (size_t)scalar(r, 5); j++) {
            double score = 0;
            for (size_t d = 0; d < 128; d++) {
                score += real(r, 0, i * 128 + d) * real(r, 1, j * 128 + d);
            }
            sums += exp2(score * scale);
            for (size_t d = 0; d < 128; d++) {
                total[d] += exp2(score * scale) * real(r, 3, (size_t)integer(r, 4, j) * 128 + d);
            }
        }
        for (size_t d = 0; d < 128; d++) {
            put_real(r, 2, i * 128 + d, total[d] / sums);
        }
    }
}

#define LATE_VALUES(name, keys)                                                                              \
    ROW("late_values." name, late_values, late_values, .grid = {1},                                          \
        .arguments = {IN(F16, 8192, -1, 1), IN(F16, 49152, -1, 1), OUT(F32, 8192), IN(F16, 49152, -3, 3),    \
                      IN(I32, 384, 0, 383), INT(keys), REAL(F32, 0.25)},                                     \
        .warps = "4", .stages = "2", .relative = 1e-2, .absolute = 1e-2)

static void sequences(struct lang_run *r) {
    size_t heads = (size_t)scalar(r, 5);
    for (size_t of = 0; of < 3 * heads; of++) {
        size_t b = of / heads, from = b * 256, head = of % heads * 64, rows = (size_t)integer(r, 4, b);
        for (size_t i = 0; i < rows; i++) {
            double sums = 0, total[64] = {0};
            for (size_t j = 0; j < rows && (strcmp(r->test->defines, "CAUSAL=1") || j <= i); j++) {
                double score = 0;
                for (size_t d = 0; d < 64; d++) {
                    size_t query = (from + i) * 64 * heads + head + d,
                           key = (from + j) * 64 * heads + head + d;
                    score += real(r, 0, query) * real(r, 1, key);
                }
                sums += exp2(score * 0.125);
                for (size_t d = 0; d < 64; d++) {
                    total[d] += exp2(score * 0.125) * real(r, 3, (from + j) * 64 * heads + head + d);
                }
            }
            for (size_t d = 0; d < 64; d++) {
                put_real(r, 2, (from + i) * 64 * heads + head + d, total[d] / sums);
            }
        }
    }
}

#define FAR(KERNEL, NAME, Q_LOW, Q_HIGH, K_LOW, K_HIGH, SCALE)                                               \
    ROW(#KERNEL "." NAME, KERNEL, far_weights, .grid = {2},                                                  \
        .arguments = {IN(F16, 8192, Q_LOW, Q_HIGH), IN(F16, 12288, K_LOW, K_HIGH), OUT(F16, 8192),           \
                      IN(F16, 12288, -1, 1), INT(192), REAL(F32, SCALE)},                                    \
        .relative = 1e-2, .absolute = 1e-2, .maps = 3)

#define GATHERED_KEYS(name, keys, first)                                                                     \
    ROW("gathered_keys." name, gathered_keys, gathered_keys, .defines = "BM=128", .grid = {2},               \
        .arguments = {WHOLE(F16, 32768, -1, 1), WHOLE(F16, 32768, -1, 1), OUT(F32, 32768),                   \
                      WHOLE(F16, 32768, -3, 3), INT(keys), REAL(F32, 0.25), IN(I32, 256, 0, 255),            \
                      INT(first)},                                                                           \
        .warps = "8", .stages = "34", .maps = 1, .relative = 1e-2, .absolute = 1e-2)

#define GATHERED_64(name, keys, first)                                                                       \
    ROW("gathered_keys." name, gathered_keys, gathered_keys_64, .defines = "BM=128 D=64", .grid = {2},       \
        .arguments = {WHOLE(F16, 16384, -1, 1), WHOLE(F16, 16384, -1, 1), OUT(F32, 16384),                   \
                      WHOLE(F16, 16384, -3, 3), INT(keys), REAL(F32, 0.25), IN(I32, 256, 0, 255),            \
                      INT(first)},                                                                           \
        .warps = "48", .stages = "34", .maps = 1, .relative = 1e-2, .absolute = 1e-2)

static void added_heads(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4), heads = r->test->arguments[3].count / 128;
    for (size_t at = 0; at < rows * 64; at++) {
        double sums = 0;
        for (size_t h = 0; h < heads; h++) {
            double score = 0;
            for (size_t d = 0; d < 64; d++) {
                score += real(r, 0, (at / 64 * heads + h) * 64 + d) * real(r, 1, at % 64 * 64 + d);
            }
            sums += fmax(score, 0) * real(r, 3, at / 64 * heads + h);
        }
        put_real(r, 2, at, sums);
    }
}

// An even number of steps is done in pairs, an odd one is not.
#define ADDED_HEADS(heads)                                                                                   \
    ROW("added_heads." #heads, added_heads, added_heads, .defines = "HEADS=" #heads, .grid = {2},            \
        .arguments = {WHOLE(F16, 8192 * heads, -1, 1), WHOLE(F16, 4096, -1, 1), OUT(F32, 8192),              \
                      WHOLE(F32, 128 * heads, -1, 1), INT(100)},                                             \
        .relative = 1e-3, .absolute = 1e-3, .warps = "48", .stages = "345", .maps = 2)

#define SEQUENCES(name, causal)                                                                              \
    ROW("sequences." name, sequences, sequences, .defines = causal, .grid = {4, 6},                          \
        .arguments = {IN(F16, 98304, -1, 1), IN(F16, 98304, -1, 1), OUT(F32, 98304), IN(F16, 98304, -1, 1),  \
                      IN(I32, 3, 0, 256), INT(2)},                                                           \
        .relative = 1e-2, .absolute = 1e-2, .maps = 3)

static const struct lang_case attention_cases[] = {
    FAR(far_weights, "near", -1, 1, -1, 1, 0.18),
    FAR(far_weights, "rising", -4, 4, -4, 4, 0.25),
    FAR(far_weights, "large", 8000, 8000, 8000, 8000, 0.18),
    FAR(far_weights, "largest", 60000, 60000, 60000, 60000, 0.18),
    FAR(far_weights, "least", -60000, -60000, 60000, 60000, 0.18),
    FAR(far_weights, "other", 4096, 4096, 4096, 4096, -1.44),
    ROW("far_logs", far_logs, far_weights, .grid = {2},
        .arguments = {IN(F16, 8192, -4, 4), IN(F16, 12288, -4, 4), OUT(F16, 8192), IN(F16, 12288, -1, 1),
                      INT(192), REAL(F32, 0.25), OUT(F32, 128)},
        .relative = 1e-2, .absolute = 1e-2, .maps = 3),
    FAR(far_natural, "rising", -4, 4, -4, 4, 0.25),
    FAR(far_natural, "large", 8000, 8000, 8000, 8000, 0.18),
    FAR(far_natural, "negative", -4, 4, -4, 4, -0.5),
    CASE(far_below, .grid = {2},
         .arguments = {IN(BF16, 8192, -1, -1), IN(BF16, 8192, -0.001, 0.001), OUT(F32, 8192),
                       IN(BF16, 8192, 0, 0), INT(128), REAL(F32, 1), IN(BF16, 8192, 1.2, 1.65),
                       IN(BF16, 8192, 0x1p125, 0x1p126)},
         .relative = 0.1, .maps = 5),
    FAR(far_scores, "near", -1, 1, -1, 1, 0.18),
    FAR(far_scores, "rising", -4, 4, -4, 4, 0.25),
    FAR(far_scores, "large", 8000, 8000, 8000, 8000, 0.18),
    FAR(far_scores, "negative", -4, 4, -4, 4, -0.5),
    FAR(far_scores, "zero", -4, 4, -4, 4, 0.0),
    GATHERED_KEYS("both", 192, 230),
    GATHERED_KEYS("first", 0, 100),
    GATHERED_KEYS("second", 64, 0),
    GATHERED_64("narrow", 192, 230),
    GATHERED_64("narrow.second", 64, 0),
    ROW("listed_keys", listed_keys, listed_keys, .grid = {2},
        .arguments = {WHOLE(F16, 16384, -1, 1), WHOLE(F16, 32768, -1, 1), OUT(F32, 16384),
                      WHOLE(F16, 32768, -3, 3), INT(400), REAL(F32, 0.25), IN(I32, 8, 0, 3), INT(5)},
        .warps = "8", .maps = 1, .relative = 1e-2, .absolute = 1e-2),
    CASE(gathered_twice, .grid = {2},
         .arguments = {WHOLE(F16, 16384, -1, 1), WHOLE(F16, 32768, -1, 1), OUT(F32, 16384),
                       IN(I32, 256, 0, 255), WHOLE(F16, 16384, -1, 1), WHOLE(F16, 32768, -1, 1), INT(230)},
         .maps = 1),
    LATE_VALUES("some", 300),
    LATE_VALUES("one", 77),
    SEQUENCES("whole", "CAUSAL=0"),
    SEQUENCES("causal", "CAUSAL=1"),
    ADDED_HEADS(4),
    ADDED_HEADS(6),
    ADDED_HEADS(7),
};

FAMILY(attention);
