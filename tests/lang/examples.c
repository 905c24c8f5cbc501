// The example kernels, on sizes beside the multiples of their tiles.
#include "lang.h"

#include <math.h>
#include <stdlib.h>

static void vector_add(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
        put_real(r, 2, i, (double)((float)real(r, 0, i) + (float)real(r, 1, i)));
    }
}

static void softmax(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4), columns = (size_t)scalar(r, 5);
    for (size_t i = 0; i < rows; i++) {
        double peak = -INFINITY, sum = 0;
        for (size_t j = 0; j < columns; j++) {
            peak = fmax(peak, real(r, 0, i * columns + j));
        }
        for (size_t j = 0; j < columns; j++) {
            sum += exp(real(r, 0, i * columns + j) - peak);
        }
        for (size_t j = 0; j < columns; j++) {
            put_real(r, 1, i * columns + j, exp(real(r, 0, i * columns + j) - peak) / sum);
        }
    }
}

static void layer_norm(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 8), columns = (size_t)scalar(r, 9);
    for (size_t i = 0; i < rows; i++) {
        double mean = 0, variance = 0;
        for (size_t j = 0; j < columns; j++) {
            mean += real(r, 0, i * columns + j) / (double)columns;
        }
        for (size_t j = 0; j < columns; j++) {
            variance += pow(real(r, 0, i * columns + j) - mean, 2) / (double)columns;
        }
        double rstd = 1 / sqrt(variance + r->test->arguments[10].low);
        put_real(r, 4, i, mean);
        put_real(r, 5, i, rstd);
        for (size_t j = 0; j < columns; j++) {
            put_real(r, 1, i * columns + j,
                     (real(r, 0, i * columns + j) - mean) * rstd * real(r, 2, j) + real(r, 3, j));
        }
    }
}

// c[e] = a[e] · b[e] for dense row-major matrices.
static double product(struct lang_run *r, unsigned a, unsigned b, size_t entry, size_t i, size_t j, size_t m,
                      size_t n, size_t k) {
    double sum = 0;
    for (size_t p = 0; p < k; p++) {
        sum += real(r, a, (entry * m + i) * k + p) * real(r, b, (entry * k + p) * n + j);
    }
    return sum;
}

static void matmul(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 3), n = (size_t)scalar(r, 4), k = (size_t)scalar(r, 5);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            put_real(r, 2, i * n + j, product(r, 0, 1, 0, i, j, m, n, k));
        }
    }
}

static void matmul_activation(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 4), n = (size_t)scalar(r, 5), k = (size_t)scalar(r, 6);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double value = product(r, 0, 1, 0, i, j, m, n, k) + real(r, 2, j);
            put_real(r, 3, i * n + j, value >= 0 ? value : 0.01 * value);
        }
    }
}

static void batched_matmul(struct lang_run *r) {
    size_t batch = (size_t)scalar(r, 3), m = (size_t)scalar(r, 4), n = (size_t)scalar(r, 5),
           k = (size_t)scalar(r, 6);
    for (size_t e = 0; e < batch; e++) {
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < n; j++) {
                put_real(r, 2, (e * m + i) * n + j, product(r, 0, 1, e, i, j, m, n, k));
            }
        }
    }
}

// Scores are scaled by argument 4.
static void attention(struct lang_run *r, bool causal) {
    size_t heads = (size_t)scalar(r, 6), length = (size_t)scalar(r, 7), width = (size_t)scalar(r, 10);
    for (size_t row = 0; row < heads * length; row++) {
        size_t i = row % length, head = row - i;
        double score[512], peak = -INFINITY, sum = 0;
        size_t visible = causal ? i + 1 : length;
        for (size_t j = 0; j < visible; j++) {
            score[j] = 0;
            for (size_t d = 0; d < width; d++) {
                score[j] += real(r, 0, row * width + d) * real(r, 1, (head + j) * width + d);
            }
            score[j] *= r->test->arguments[4].low;
            peak = fmax(peak, score[j]);
        }
        for (size_t j = 0; j < visible; j++) {
            sum += score[j] = exp(score[j] - peak);
        }
        for (size_t d = 0; d < width; d++) {
            double value = 0;
            for (size_t j = 0; j < visible; j++) {
                value += score[j] / sum * real(r, 2, (head + j) * width + d);
            }
            put_real(r, 3, row * width + d, value);
        }
    }
}

static void attention_causal(struct lang_run *r) {
    attention(r, true);
}

static void attention_full(struct lang_run *r) {
    attention(r, false);
}

// One head of 16 features, `padded` rows of statistics: lse in base 2, and the rows' sums of o · do.
static void attention_backward_rows(struct lang_run *r) {
    size_t length = (size_t)scalar(r, 7), padded = (size_t)scalar(r, 8), width = (size_t)scalar(r, 11);
    for (size_t i = 0; i < padded; i++) {
        double sum = 0;
        for (size_t d = 0; i < length && d < width; d++) {
            sum += real(r, 0, i * width + d) * real(r, 1, i * width + d);
        }
        put_real(r, 3, i, i < length ? real(r, 2, i) / log(2) : INFINITY);
        put_real(r, 4, i, sum);
    }
}

// The common data of the backward kernels: q, k, v and do are arguments 0 to 3. base2 and delta are
// arbitrary: the gradients are sums of weights and slopes made from them, with or without a forward pass.
struct gradients {
    size_t length, width;
    double scale;
    unsigned base2, delta; // arguments
    bool causal;
};

// The weight of key j for query i, and the gradient of its score.
static double backward_weight(struct lang_run *r, const struct gradients *g, size_t i, size_t j,
                              double *slope) {
    double score = 0, change = 0;
    if (g->causal && j > i) {
        return *slope = 0;
    }
    for (size_t d = 0; d < g->width; d++) {
        score += real(r, 0, i * g->width + d) * real(r, 1, j * g->width + d);
        change += real(r, 3, i * g->width + d) * real(r, 2, j * g->width + d);
    }
    double weight = exp(score * g->scale - real(r, g->base2, i) * log(2));
    *slope = weight * (change - real(r, g->delta, i));
    return weight;
}

static void backward_keys(struct lang_run *r, bool causal) {
    struct gradients g = {
        (size_t)scalar(r, 11), (size_t)scalar(r, 15), r->test->arguments[8].low, 6, 7, causal};
    for (size_t j = 0; j < g.length; j++) {
        double dk[128] = {0}, dv[128] = {0};
        for (size_t i = 0; i < g.length; i++) {
            double slope, weight = backward_weight(r, &g, i, j, &slope);
            for (size_t d = 0; d < g.width; d++) {
                dk[d] += slope * g.scale * real(r, 0, i * g.width + d);
                dv[d] += weight * real(r, 3, i * g.width + d);
            }
        }
        for (size_t d = 0; d < g.width; d++) {
            put_real(r, 4, j * g.width + d, dk[d]);
            put_real(r, 5, j * g.width + d, dv[d]);
        }
    }
}

static void backward_queries(struct lang_run *r, bool causal) {
    struct gradients g = {
        (size_t)scalar(r, 10), (size_t)scalar(r, 14), r->test->arguments[7].low, 5, 6, causal};
    for (size_t i = 0; i < g.length; i++) {
        double dq[128] = {0};
        for (size_t j = 0; j < g.length; j++) {
            double slope;
            backward_weight(r, &g, i, j, &slope);
            for (size_t d = 0; d < g.width; d++) {
                dq[d] += slope * g.scale * real(r, 1, j * g.width + d);
            }
        }
        for (size_t d = 0; d < g.width; d++) {
            put_real(r, 4, i * g.width + d, dq[d]);
        }
    }
}

static void backward_keys_causal(struct lang_run *r) {
    backward_keys(r, true);
}

static void backward_keys_full(struct lang_run *r) {
    backward_keys(r, false);
}

static void backward_queries_causal(struct lang_run *r) {
    backward_queries(r, true);
}

static void backward_queries_full(struct lang_run *r) {
    backward_queries(r, false);
}

// Gradients of queries, without the scale, are added to the array's old values.
static void backward_atomic(struct lang_run *r, bool causal) {
    struct gradients g = {
        (size_t)scalar(r, 12), (size_t)scalar(r, 16), r->test->arguments[9].low, 6, 7, causal};
    double *sums = calloc(2 * g.length * g.width, sizeof *sums), *dk = sums + g.length * g.width;
    for (size_t j = 0; j < g.length; j++) {
        double dv[128] = {0};
        for (size_t i = 0; i < g.length; i++) {
            double slope, weight = backward_weight(r, &g, i, j, &slope);
            for (size_t d = 0; d < g.width; d++) {
                dk[j * g.width + d] += slope * g.scale * real(r, 0, i * g.width + d);
                dv[d] += weight * real(r, 3, i * g.width + d);
                sums[i * g.width + d] += slope * real(r, 1, j * g.width + d);
            }
        }
        for (size_t d = 0; d < g.width; d++) {
            put_real(r, 4, j * g.width + d, dk[j * g.width + d]);
            put_real(r, 5, j * g.width + d, dv[d]);
        }
    }
    for (size_t i = 0; i < g.length * g.width; i++) {
        put_real(r, 8, i, real(r, 8, i) + sums[i]);
    }
    free(sums);
}

static void backward_atomic_causal(struct lang_run *r) {
    backward_atomic(r, true);
}

static void backward_atomic_full(struct lang_run *r) {
    backward_atomic(r, false);
}

static void dropout(struct lang_run *r) {
    double p = r->test->arguments[3].low;
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        put_real(r, 1, i, lang_uniform((uint64_t)scalar(r, 4), i) > p ? real(r, 0, i) / (1 - p) : 0);
    }
}

static void column_sums(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 3), columns = (size_t)scalar(r, 4);
    for (size_t j = 0; j < columns; j++) {
        double sum = real(r, 1, j);
        for (size_t i = 0; i < rows; i++) {
            sum += real(r, 0, i * columns + j);
        }
        put_real(r, 1, j, sum);
    }
}

// fp16 results of sums of `k` products below one: half a unit in the last place, and the sum's own rounding.
#define HALF .relative = 1e-3, .absolute = 2e-4
#define SOFTMAX(ROWS, COLUMNS)                                                                               \
    {                                                                                                        \
        .name = "softmax_" #COLUMNS, .file = "examples/softmax.tk", .kernel = "softmax", .grid = {ROWS},     \
        .arguments = {IN(F16, ROWS * COLUMNS, -8, 8),                                                        \
                      OUT(F16, ROWS * COLUMNS),                                                              \
                      INT(COLUMNS),                                                                          \
                      INT(COLUMNS),                                                                          \
                      INT(ROWS),                                                                             \
                      INT(COLUMNS)},                                                                         \
        .reference = softmax, HALF, .warps = "8"                                                             \
    }
#define LAYER_NORM(ROWS, COLUMNS)                                                                            \
    {                                                                                                        \
        .name = "layer_norm_" #COLUMNS, .file = "examples/layer_norm.tk", .kernel = "layer_norm",            \
        .grid = {ROWS},                                                                                      \
        .arguments = {IN(F16, ROWS * COLUMNS, -8, 8),                                                        \
                      OUT(F16, ROWS * COLUMNS),                                                              \
                      IN(F16, COLUMNS, -1, 1),                                                               \
                      IN(F16, COLUMNS, -1, 1),                                                               \
                      OUT(F32, ROWS),                                                                        \
                      OUT(F32, ROWS),                                                                        \
                      INT(COLUMNS),                                                                          \
                      INT(COLUMNS),                                                                          \
                      INT(ROWS),                                                                             \
                      INT(COLUMNS),                                                                          \
                      REAL(F32, 1e-5)},                                                                      \
        .reference = layer_norm, HALF, .warps = "8"                                                          \
    }
#define MATMUL_TILES(M, N, K, GRID, DEFINES, WARPS, STAGES)                                                  \
    {                                                                                                        \
        .name = "matmul_" #M, .file = "examples/matmul.tk", .kernel = "matmul", .defines = DEFINES,          \
        .grid = {GRID},                                                                                      \
        .arguments = {IN(F16, M * K, -1, 1),                                                                 \
                      IN(F16, K * N, -1, 1),                                                                 \
                      OUT(F16, M * N),                                                                       \
                      INT(M),                                                                                \
                      INT(N),                                                                                \
                      INT(K),                                                                                \
                      INT(K),                                                                                \
                      INT(1),                                                                                \
                      INT(N),                                                                                \
                      INT(1),                                                                                \
                      INT(N),                                                                                \
                      INT(1)},                                                                               \
        .reference = matmul, HALF, .warps = WARPS, .stages = STAGES                                          \
    }
#define MATMUL(M, N, K, GRID, STAGES) MATMUL_TILES(M, N, K, GRID, NULL, "48", STAGES)
#define ATTENTION(HEADS, LENGTH, WIDTH, CAUSAL, ROWS, BLOCK, WARPS, STAGES, REFERENCE)                       \
    ROW(#REFERENCE "_" #LENGTH "_" #WIDTH "_" #ROWS "_" #BLOCK, attention, REFERENCE,                        \
        .file = "examples/attention.tk",                                                                     \
        .defines = "HEAD_DIM=" #WIDTH " BLOCK_M=" #ROWS " BLOCK_N=" #BLOCK " CAUSAL=" CAUSAL,                \
        .grid = {(LENGTH + ROWS - 1) / ROWS, HEADS},                                                         \
        .arguments = {IN(F16, HEADS * LENGTH * WIDTH, -1, 1), IN(F16, HEADS * LENGTH * WIDTH, -1, 1),        \
                      IN(F16, HEADS * LENGTH * WIDTH, -1, 1), OUT(F16, HEADS * LENGTH * WIDTH),              \
                      REAL(F32, 0.125), INT(1), INT(HEADS), INT(LENGTH), INT(LENGTH * WIDTH * HEADS),        \
                      INT(LENGTH * WIDTH), INT(WIDTH)},                                                      \
        .relative = 2e-3, .absolute = 1e-3, .warps = WARPS, .stages = STAGES)

// All scores alike, as large as fp16 makes them: the weights are, too.
#define ATTENTION_FAR(NAME, Q, K)                                                                            \
    ROW("attention_far_" #NAME, attention, attention_causal, .file = "examples/attention.tk",                \
        .defines = "HEAD_DIM=64 BLOCK_M=128 BLOCK_N=64 CAUSAL=True", .grid = {2, 1},                         \
        .arguments = {IN(F16, 200 * 64, Q, Q), IN(F16, 200 * 64, K, K), IN(F16, 200 * 64, -1, 1),            \
                      OUT(F16, 200 * 64), REAL(F32, 0.125), INT(1), INT(1), INT(200), INT(200 * 64),         \
                      INT(200 * 64), INT(64)},                                                               \
        .relative = 2e-3, .absolute = 1e-3, .warps = "8", .stages = "3")

#define WRITTEN_keys(SIZE) OUT(F16, SIZE), OUT(F16, SIZE)
#define WRITTEN_queries(SIZE) OUT(F16, SIZE)
// The weights are up to 2^(width · 0.125 · 1.4 - base2) and a gradient sums `length` of them. BLOCKS: keys, or queries.
#define BACKWARD(KERNEL, LENGTH, WIDTH, CAUSAL, SIZES, BLOCKS, WARPS, SCRATCH, REFERENCE)                    \
    {                                                                                                        \
        .name = #REFERENCE "_" #WIDTH "_" WARPS, .file = "examples/attention_backward.tk",                   \
        .scratch = SCRATCH, .kernel = "attention_backward_" #KERNEL,                                         \
        .defines = "HEAD_DIM=" #WIDTH " CAUSAL=" CAUSAL SIZES, .grid = {BLOCKS, 1},                          \
        .arguments = {IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      WRITTEN_##KERNEL(LENGTH * WIDTH),                                                      \
                      IN(F32, (LENGTH + 127) / 128 * 128, 4, 8),                                             \
                      IN(F32, (LENGTH + 127) / 128 * 128, -1, 1),                                            \
                      REAL(F32, 0.125),                                                                      \
                      INT(1),                                                                                \
                      INT(1),                                                                                \
                      INT(LENGTH),                                                                           \
                      INT((LENGTH + 127) / 128 * 128),                                                       \
                      INT(LENGTH * WIDTH),                                                                   \
                      INT(LENGTH * WIDTH),                                                                   \
                      INT(WIDTH)},                                                                           \
        .reference = REFERENCE, .relative = 2e-3, .absolute = 2e-3, .warps = WARPS, .stages = "23"           \
    }

#define BACKWARD_ATOMIC(NAME, LENGTH, WIDTH, CAUSAL, SIZES, BLOCKS, REFERENCE)                               \
    {                                                                                                        \
        .name = #REFERENCE "_" NAME, .file = "tests/bench/attention_backward_atomic.tk",                     \
        .scratch = "gfx11 gfx12", .kernel = "attention_atomic_keys",                                         \
        .defines = "HEAD_DIM=" #WIDTH " CAUSAL=" CAUSAL SIZES, .grid = {BLOCKS, 1},                          \
        .arguments = {IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      IN(F16, LENGTH * WIDTH, -1, 1),                                                        \
                      OUT(F16, LENGTH * WIDTH),                                                              \
                      OUT(F16, LENGTH * WIDTH),                                                              \
                      IN(F32, (LENGTH + 127) / 128 * 128, 4, 8),                                             \
                      IN(F32, (LENGTH + 127) / 128 * 128, -1, 1),                                            \
                      BOTH(F32, LENGTH * WIDTH, -1, 1),                                                      \
                      REAL(F32, 0.125),                                                                      \
                      INT(1),                                                                                \
                      INT(1),                                                                                \
                      INT(LENGTH),                                                                           \
                      INT((LENGTH + 127) / 128 * 128),                                                       \
                      INT(LENGTH * WIDTH),                                                                   \
                      INT(LENGTH * WIDTH),                                                                   \
                      INT(WIDTH)},                                                                           \
        .reference = REFERENCE, .relative = 2e-3, .absolute = 3e-3, .warps = "8", .stages = "2"              \
    }

static const struct lang_case examples_cases[] = {
    CASE(vector_add, .file = "examples/vector_add.tk", .grid = {3},
         .arguments = {IN(F32, 2500, -9, 9), IN(F32, 2500, -9, 9), OUT(F32, 2500), INT(2500)},
         .warps = "1248"),
    SOFTMAX(3, 1000),
    SOFTMAX(1, 9000),
    LAYER_NORM(3, 1000),
    LAYER_NORM(1, 9000),
    MATMUL(200, 144, 80, 4, "1234"),
    // 128 accumulators a thread are so many on gfx1100 that it runs 8 warps. 16 warps have 128, too, and at
    // most 192 registers.
    MATMUL_TILES(190, 144, 208, 4, "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64", "4", "2"),
    MATMUL_TILES(300, 272, 208, 4, "BLOCK_M=256 BLOCK_N=256 BLOCK_K=64", "g", "2"),
    CASE(matmul_activation, .file = "examples/matmul_activation.tk", .grid = {4},
         .arguments = {IN(F16, 150 * 48, -1, 1), IN(F16, 48 * 80, -1, 1), IN(F16, 80, -1, 1),
                       OUT(F16, 150 * 80), INT(150), INT(80), INT(48), INT(48), INT(80), INT(80)},
         HALF, .stages = "14"),
    CASE(batched_matmul, .file = "examples/batched_matmul.tk", .grid = {2, 2, 3},
         .arguments = {IN(F16, 3 * 70 * 48, -1, 1), IN(F16, 3 * 48 * 144, -1, 1), OUT(F16, 3 * 70 * 144),
                       INT(3), INT(70), INT(144), INT(48), INT(70 * 48), INT(48), INT(48 * 144), INT(144),
                       INT(70 * 144), INT(144)},
         HALF, .stages = "14"),
    ATTENTION(1, 200, 64, "True", 128, 64, "8", "23", attention_causal),
    ATTENTION(1, 200, 64, "False", 128, 64, "8", "23", attention_full),
    ATTENTION(1, 200, 128, "True", 128, 64, "8", "23", attention_causal),
    ATTENTION(2, 450, 64, "True", 64, 64, "4", "3", attention_causal), // programs of 1 to 8 blocks of keys
    ATTENTION(4, 300, 64, "True", 128, 64, "8", "3",
              attention_causal), // two groups of heads, dealt to two blocks
    ATTENTION(1, 450, 64, "False", 256, 64, "g", "4", attention_full),
    ATTENTION(1, 450, 64, "True", 256, 64, "g", "4",
              attention_causal), // warps with all rows hidden in a step
    ATTENTION(1, 200, 64, "True", 128, 32, "8", "3", attention_causal),
    ATTENTION(3, 150, 128, "True", 64, 32, "4", "2", attention_causal),
    ATTENTION(1, 330, 64, "True", 128, 64, "4", "2", attention_causal), // two loops on warps with whole rows
    // Pairs of blocks (sm_100a): rows in whole pairs of tiles, on warps with whole rows or halves of them.
    ROW("attention_pairs", attention, attention_full, .file = "examples/attention.tk",
        .signature =
            "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32, i32, i32:256, i64:16, i64:16, i32:16",
        .defines = "HEAD_DIM=128 BLOCK_M=128 BLOCK_N=64 CAUSAL=False", .grid = {2, 1},
        .arguments = {IN(F16, 256 * 128, -1, 1), IN(F16, 256 * 128, -1, 1), IN(F16, 256 * 128, -1, 1),
                      OUT(F16, 256 * 128), REAL(F32, 0.125), INT(1), INT(1), INT(256), INT(256 * 128),
                      INT(256 * 128), INT(128)},
        .relative = 2e-3, .absolute = 1e-3, .warps = "48", .stages = "3"),
    ATTENTION_FAR(above, 8000, 8000),
    ATTENTION_FAR(at_the_end, 65504, 65504),
    ATTENTION_FAR(below, 60000, -60000),
    CASE(attention_backward_rows, .file = "examples/attention_backward.tk", .defines = "HEAD_DIM=64",
         .grid = {4},
         .arguments = {IN(F16, 100 * 64, -1, 1), IN(F16, 100 * 64, -1, 1), IN(F32, 100, -9, 9), OUT(F32, 128),
                       OUT(F32, 128), INT(1), INT(1), INT(100), INT(128), INT(6400), INT(6400), INT(64)},
         .relative = 1e-6, .absolute = 1e-5),
    BACKWARD(keys, 200, 64, "False", " BLOCK_M=64 BLOCK_N=64", 4, "4", "gfx11", backward_keys_full),
    BACKWARD(keys, 200, 128, "True", " BLOCK_M=64 BLOCK_N=128", 2, "8", "gfx11 gfx12", backward_keys_causal),
    BACKWARD(keys, 300, 64, "True", " BLOCK_M=64 BLOCK_N=128", 3, "8", "gfx11", backward_keys_causal),
    // Two warpgroups, running in turns on Hopper.
    BACKWARD(keys, 300, 64, "False", " BLOCK_M=64 BLOCK_N=128", 3, "8", "gfx11", backward_keys_full),
    BACKWARD(queries, 300, 64, "False", " BLOCK_M=128 BLOCK_N=64", 3, "8", NULL, backward_queries_full),
    BACKWARD(queries, 200, 64, "False", " BLOCK_M=64 BLOCK_N=64", 4, "4", NULL, backward_queries_full),
    BACKWARD(queries, 200, 128, "True", " BLOCK_M=128 BLOCK_N=64", 2, "8", "gfx11", backward_queries_causal),
    // The queries' gradients are added to memory by tensor copies, in two loops and in one.
    // Several tiles a block.
    BACKWARD_ATOMIC("64", 420, 64, "True", " BLOCK_M=64", 4, backward_atomic_causal),
    BACKWARD_ATOMIC("64", 330, 64, "False", " BLOCK_M=64", 3, backward_atomic_full),
    BACKWARD_ATOMIC("128", 330, 128, "False", " BLOCK_M=64", 3, backward_atomic_full),
    BACKWARD_ATOMIC("128", 420, 128, "True", " BLOCK_M=64", 4, backward_atomic_causal),
    BACKWARD_ATOMIC("late_128", 330, 128, "False", " BLOCK_M=64 EARLY_DIM=0", 3, backward_atomic_full),
    BACKWARD_ATOMIC("early_64", 420, 64, "True", " BLOCK_M=64 EARLY_DIM=64", 4, backward_atomic_causal),
    BACKWARD_ATOMIC("early_narrow", 300, 64, "True", " BLOCK_M=64 BLOCK_N=64 EARLY_DIM=64", 5,
                    backward_atomic_causal),
    CASE(dropout, .file = "examples/dropout.tk", .grid = {3},
         .arguments = {IN(F32, 2500, -9, 9), OUT(F32, 2500), INT(2500), REAL(F32, 0.25), INT(77)},
         .relative = 1e-6),
    CASE(column_sums, .file = "examples/reduce_atomic.tk", .grid = {2, 2},
         .arguments = {IN(F32, 100 * 90, -1, 1), BOTH(F32, 90, -1, 1), INT(90), INT(100), INT(90)},
         .absolute = 2e-5),
};

FAMILY(examples);
