// Programs of a short row each. Grids are no multiples of the rows of a tile: 4, 8, 16 or 32 on Hopper.
#include "lang.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static size_t programs(const struct lang_run *r) {
    return r->test->grid[0];
}

static void sum_of_row(struct lang_run *r) {
    size_t n = r->test->arguments[0].count / programs(r);
    for (size_t row = 0; row < programs(r); row++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            sum += real(r, 0, row * n + j);
        }
        put_real(r, 1, row, sum * real(r, 2, row) + (double)programs(r));
    }
}

// The order of floats with -0 before +0, and a NaN at its sign's end.
static int before(const struct lang_run *r, size_t a, size_t b) {
    enum element element = r->test->arguments[0].element;
    unsigned width = 8 * element_bytes(element);
    if (element >= U8 && element <= U64) {
        return bits(r, 0, a) < bits(r, 0, b);
    }
    int64_t key[2] = {(int64_t)bits(r, 0, a), (int64_t)bits(r, 0, b)};
    for (int i = 0; i < 2; i++) {
        key[i] = (int64_t)((uint64_t)key[i] << (64 - width)) >> (64 - width);
        if (element_is_real(element) && key[i] < 0) {
            key[i] ^= ((int64_t)1 << (width - 1)) - 1;
        }
    }
    return key[0] < key[1];
}

// Each element goes to its rank; of the `kept` first ones.
static void rank_rows(struct lang_run *r, size_t kept, bool descending) {
    size_t n = r->test->arguments[0].count / programs(r);
    for (size_t row = 0; row < programs(r); row++) {
        for (size_t i = 0; i < n; i++) {
            size_t rank = 0, own = row * n + i;
            for (size_t j = 0; j < n; j++) {
                size_t other = row * n + j;
                bool first = descending ? before(r, own, other) : before(r, other, own);
                rank += first || (j < i && !before(r, own, other) && !before(r, other, own));
            }
            if (rank < kept) {
                put_bits(r, 1, row * kept + rank, bits(r, 0, own));
            }
        }
    }
}

static void top_of_row(struct lang_run *r) {
    rank_rows(r, r->test->arguments[1].count / programs(r), true);
}

static void least_of_row(struct lang_run *r) {
    rank_rows(r, r->test->arguments[1].count / programs(r), false);
}

static void two_paths(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 3);
    for (size_t row = 0; row < programs(r); row++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            sum += exp(real(r, 0, row * n + j));
        }
        for (size_t j = 0; j < n; j++) {
            put_real(r, 1, row * n + j, exp(real(r, 0, row * n + j)) / sum * real(r, 2, j) + real(r, 2, 0));
        }
    }
}

static void moved(struct lang_run *r) {
    enum { N = 64 };
    for (int64_t row = 0; row < (int64_t)programs(r); row++) {
        int64_t sums[N], v[N], sum = 0, largest = 0;
        for (int j = 0; j < N; j++) {
            sums[j] = sum += integer(r, 0, (size_t)(row * N + j));
        }
        for (int j = 0; j < N / 2; j++) {
            int from = j % 4 * (N / 8) + j / 4; // c[j] is a's element of the transposed place
            v[2 * j] = sums[integer(r, 1, (size_t)(2 * j + 1))];
            v[2 * j + 1] = sums[integer(r, 1, (size_t)(2 * from))] - row;
        }
        for (int j = 0; j < N; j++) {
            put_integer(r, 2, (size_t)(row * N + j), v[j] > row ? v[j] : j);
            largest = v[j] > v[largest] ? j : largest;
        }
        put_integer(r, 3, (size_t)(2 * row), v[largest]);
        put_integer(r, 3, (size_t)(2 * row + 1), largest);
    }
}

static void own_ways(struct lang_run *r) {
    enum { N = 64 };
    for (size_t row = 0; row < (size_t)scalar(r, 3); row++) {
        int64_t limit = integer(r, 1, row);
        double sum = 0, most = -1;
        for (size_t j = 0; j < N; j++) {
            double x = real(r, 0, row * N + j);
            sum += (int64_t)j < limit ? x : 0;
            most = x > most ? x : most;
        }
        if (limit > 10) {
            put_real(r, 2, row, limit > 20 ? sum : most);
        }
    }
}

static void scaled_in_place(struct lang_run *r) {
    int64_t n = scalar(r, 2), first = 0, step = 0, block = 0;
    sscanf(r->test->defines, "FIRST=%" SCNd64 " STEP=%" SCNd64 " BLOCK=%" SCNd64, &first, &step, &block);
    for (int64_t row = 0; row < (int64_t)programs(r); row++) {
        double *now = calloc((size_t)n, sizeof *now), total = 0;
        for (int64_t j = 0; j < n; j++) {
            now[j] = real(r, 0, (size_t)(row * n + j));
        }
        for (int turn = 0; turn < 3; turn++) {
            for (int64_t k = first; k < n; k += step) {
                for (int64_t j = k; j < k + block && j < n; j++) {
                    total += turn == 0 ? now[j] : 0;
                    now[j] = turn == 0 ? now[j] : turn == 1 ? now[j] * total + (double)k : now[j] + (double)k;
                }
            }
        }
        for (int64_t j = 0; j < n; j++) {
            put_real(r, 0, (size_t)(row * n + j), now[j]);
        }
        put_real(r, 1, (size_t)row, total);
        free(now);
    }
}

// ---- heads that share keys and values ----

static void put_head(struct lang_run *r, size_t rows, size_t heads, size_t shared, size_t head) {
    enum { WIDTH = 64, TILE = 128 };
    size_t of = head / 2;
    for (size_t i = 0; i < rows; i++) {
        size_t end = (i / TILE + 1) * TILE;
        double sums[WIDTH] = {0}, all = 0;
        for (size_t j = 0; j < (end < rows ? end : rows); j++) {
            double score = 0;
            for (size_t d = 0; d < WIDTH; d++) {
                score +=
                    real(r, 0, (i * heads + head) * WIDTH + d) * real(r, 1, (j * shared + of) * WIDTH + d);
            }
            for (size_t d = 0; d < WIDTH; d++) {
                sums[d] +=
                    (j <= i ? 2 * score + (double)head : -1) * real(r, 2, (j * shared + of) * WIDTH + d);
            }
        }
        for (size_t d = 0; d < WIDTH; d++) {
            put_real(r, 3, (i * heads + head) * WIDTH + d, sums[d] + (double)heads);
            all += sums[d];
        }
        put_real(r, 4, head * rows + i, all);
    }
}

static void heads(struct lang_run *r) {
    size_t count = r->test->grid[1], shared = (count + 1) / 2,
           rows = r->test->arguments[3].count / count / 64;
    for (size_t head = 0; head < count; head++) {
        put_head(r, rows, count, shared, head);
    }
}

static void softmax_heads(struct lang_run *r) {
    enum { WIDTH = 64 };
    size_t count = r->test->grid[1], shared = (count + 1) / 2, rows = (size_t)scalar(r, 4);
    for (size_t i = 0; i < rows * count; i++) {
        size_t row = i / count, of = i % count / 2;
        double weight = 0, sums[WIDTH] = {0};
        for (size_t j = 0; j <= row; j++) {
            double score = 0;
            for (size_t d = 0; d < WIDTH; d++) {
                score += real(r, 0, i * WIDTH + d) * real(r, 1, (j * shared + of) * WIDTH + d);
            }
            double p = exp2(score * 0.18);
            weight += p;
            for (size_t d = 0; d < WIDTH; d++) {
                sums[d] += p * real(r, 2, (j * shared + of) * WIDTH + d);
            }
        }
        for (size_t d = 0; d < WIDTH; d++) {
            put_real(r, 3, i * WIDTH + d, sums[d] / weight);
        }
    }
}

static void long_softmax(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t first = 0; first < programs(r) * n; first += n) {
        double peak = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            peak = fmax(peak, real(r, 0, first + j));
        }
        for (size_t j = 0; j < n; j++) {
            sum += exp(real(r, 0, first + j) - peak);
        }
        for (size_t j = 0; j < n; j++) {
            put_real(r, 1, first + j, exp(real(r, 0, first + j) - peak) / sum);
        }
    }
}

#define IN_PLACE(NAME, N, DEFINES)                                                                           \
    ROW("scaled_in_place_" NAME, scaled_in_place, scaled_in_place, .defines = DEFINES, .grid = {2},          \
        .arguments = {BOTH(F32, 2 * (N), 0, 1), OUT(F32, 2), INT(N)}, .relative = 1e-5)

#define TOP(TYPE, ROWS, EXTENT, K, VALUES)                                                                   \
    ROW("top_of_row_" NAME_##TYPE "_" #EXTENT "_" #K, top_of_row, top_of_row,                                \
        .signature = "*" NAME_##TYPE ", *" NAME_##TYPE, .defines = "N=" #EXTENT " K=" #K " DESCENDING=True", \
        .grid = {ROWS}, .arguments = {VALUES, OUT(TYPE, (ROWS) * (K))}, .warps = "14")

static const struct lang_case rows_cases[] = {
    CASE(sum_of_row, .defines = "N=256", .grid = {37},
         .arguments = {IN(F32, 37 * 256, 0, 1), OUT(F32, 37), IN(F32, 37, 0, 1)}, .warps = "14",
         .relative = 1e-6),
    {.name = "sum_of_row_in_turns", // more tiles than blocks
     .kernel = "sum_of_row",
     .defines = "N=256",
     .grid = {601},
     .arguments = {IN(F32, 601 * 256, 0, 1), OUT(F32, 601), IN(F32, 601, 0, 1)},
     .reference = sum_of_row,
     .relative = 1e-6},
    CASE_OF(sum_of_short_row, sum_of_row, .defines = "N=16", .grid = {41},
            .arguments = {IN(F32, 41 * 16, 0, 1), OUT(F32, 41), IN(F32, 41, 0, 1)}, .relative = 1e-6),
    TOP(F32, 21, 128, 8, FINITE(F32, 21 * 128)),
    TOP(F32, 3, 64, 1, BITS(F32, 3 * 64)),
    TOP(F16, 35, 32, 4, FINITE(F16, 35 * 32)),
    TOP(I8, 9, 128, 4, BITS(I8, 9 * 128)),
    TOP(U32, 9, 64, 16, BITS(U32, 9 * 64)),
    ROW("least_of_row", top_of_row, least_of_row, .signature = "*bf16, *bf16",
        .defines = "N=256 K=2 DESCENDING=False", .grid = {7},
        .arguments = {FINITE(BF16, 7 * 256), OUT(BF16, 14)}, .warps = "18"),
    ROW("sort_row", sort_row, least_of_row, .signature = "*fp32, *fp32", .defines = "N=64", .grid = {11},
        .arguments = {BITS(F32, 11 * 64), OUT(F32, 11 * 64)}, .warps = "14"),
    ROW("sort_row_fp64", sort_row, least_of_row, .signature = "*fp64, *fp64", .defines = "N=32", .grid = {5},
        .arguments = {BITS(F64, 5 * 32), OUT(F64, 5 * 32)}),
    CASE_OF(two_paths_short, two_paths, .defines = "BLOCK=256", .grid = {13},
            .arguments = {IN(F16, 13 * 200, -4, 4), OUT(F16, 13 * 200), IN(F32, 200, 0, 1), INT(200)},
            .warps = "148", .relative = 2e-3),
    CASE_OF(two_paths_long, two_paths, .defines = "BLOCK=256", .grid = {13},
            .arguments = {IN(F16, 13 * 300, -4, 4), OUT(F16, 13 * 300), IN(F32, 300, 0, 1), INT(300)},
            .warps = "148", .relative = 2e-3),
    CASE(moved, .defines = "N=64", .grid = {35},
         .arguments = {IN(I32, 35 * 64, -9, 9), IN(I32, 64, 0, 63), OUT(I32, 35 * 64), OUT(I32, 70)},
         .warps = "14"),
    CASE(own_ways, .defines = "N=64", .grid = {70},
         .arguments = {IN(F32, 61 * 64, 0, 1), IN(I32, 61, 0, 63), OUT(F32, 61), INT(61)}, .warps = "14",
         .relative = 1e-6),
    CASE(long_softmax, .defines = "BLOCK=32768", .grid = {2}, // on NVIDIA's chips in shared memory
         .arguments = {IN(F16, 2 * 32752, -8, 8), OUT(F16, 2 * 32752), INT(32752)}, .warps = "8",
         .relative = 1e-3, .absolute = 1e-6),
    IN_PLACE("whole", 384, "FIRST=0 STEP=128 BLOCK=128"),
    IN_PLACE("rest", 333, "FIRST=0 STEP=128 BLOCK=128"),
    IN_PLACE("later", 333, "FIRST=5 STEP=128 BLOCK=128"),
    IN_PLACE("gaps", 333, "FIRST=3 STEP=100 BLOCK=64"),
    IN_PLACE("overlapping", 333, "FIRST=0 STEP=64 BLOCK=128"), // in order
    IN_PLACE("one", 60, "FIRST=0 STEP=128 BLOCK=128"),
    ROW("heads.odd", heads, heads, .defines = "HEADS=3 GROUP=2", .grid = {2, 3},
        .arguments = {WHOLE(F16, 200 * 3 * 64, -1, 1), WHOLE(F16, 200 * 2 * 64, -1, 1),
                      WHOLE(F16, 200 * 2 * 64, -1, 1), OUT(F32, 200 * 3 * 64), OUT(F32, 3 * 200), INT(200)},
        .warps = "g", .maps = 2),
    ROW("heads.early", heads, heads, .defines = "HEADS=2 GROUP=2 EARLY=True", .grid = {3, 2},
        .arguments = {WHOLE(F16, 130 * 2 * 64, -1, 1), WHOLE(F16, 130 * 64, -1, 1),
                      WHOLE(F16, 130 * 64, -1, 1), OUT(F32, 130 * 2 * 64), OUT(F32, 2 * 130), INT(130)},
        .warps = "g8", .maps = 2),
    // As many tiles of two heads as blocks run in the emulator: the heads are dealt one by one.
    ROW("heads.dealt", heads, heads, .defines = "HEADS=2 GROUP=2 EARLY=True", .grid = {2, 2},
        .arguments = {WHOLE(F16, 130 * 2 * 64, -1, 1), WHOLE(F16, 130 * 64, -1, 1),
                      WHOLE(F16, 130 * 64, -1, 1), OUT(F32, 130 * 2 * 64), OUT(F32, 2 * 130), INT(130)},
        .warps = "8", .maps = 2),
    // An eighth head is missing for pairs.
    ROW("heads.seven", heads, heads, .defines = "HEADS=7 GROUP=2", .grid = {3, 7},
        .arguments = {WHOLE(F16, 300 * 7 * 64, -1, 1), WHOLE(F16, 300 * 4 * 64, -1, 1),
                      WHOLE(F16, 300 * 4 * 64, -1, 1), OUT(F32, 300 * 7 * 64), OUT(F32, 7 * 300), INT(300)},
        .warps = "8", .maps = 2),
    CASE(softmax_heads, .defines = "HEADS=3 GROUP=2", .grid = {3, 3},
         .arguments = {IN(BF16, 333 * 3 * 64, -2, 2), IN(BF16, 333 * 2 * 64, -2, 2),
                       IN(BF16, 333 * 2 * 64, -2, 2), OUT(F32, 333 * 3 * 64), INT(333)},
         .warps = "8g", .relative = 1e-2, .absolute = 4e-3, .maps = 2),
    IN_PLACE("none", 3, "FIRST=5 STEP=128 BLOCK=128"),
};

FAMILY(rows);
