// Masked scores, and masked elements of rows, of all kinds of ends: a step counts as whole only without one. Results are exact.
#include "lang.h"

#include <string.h>

static double product(struct lang_run *r, size_t depth, size_t i, size_t j) {
    double sum = 0;
    for (size_t d = 0; d < depth; d++) {
        sum += real(r, 0, i * depth + d) * real(r, 1, j * depth + d);
    }
    return sum;
}

// ---- sequences ----

static const size_t lengths[] = {0, 1, 63, 64, 65, 128, 129, 200};
enum { SEQUENCES = sizeof lengths / sizeof *lengths, ROWS = 650, WIDTH = 128 };

static void put_row(struct lang_run *r, size_t begin, size_t length, size_t i) {
    bool causal = !r->test->defines;
    size_t blocks = (i / 64 + 1) * 64, end = causal && blocks < length ? blocks : length;
    double sums[WIDTH] = {0};
    for (size_t j = 0; j < end; j++) {
        double score = !causal || j <= i ? product(r, WIDTH, begin + i, begin + j) : -1;
        for (size_t d = 0; d < WIDTH; d++) {
            sums[d] += score * real(r, 2, (begin + j) * WIDTH + d);
        }
    }
    for (size_t d = 0; d < WIDTH; d++) {
        put_real(r, 3, (begin + i) * WIDTH + d, sums[d]);
    }
}

static void sequences(struct lang_run *r) {
    size_t begin = 0;
    give_integer(r, 4, 0, 0);
    for (size_t n = 0; n < SEQUENCES; n++) {
        for (size_t i = 0; i < lengths[n]; i++) {
            put_row(r, begin, lengths[n], i);
        }
        begin += lengths[n];
        give_integer(r, 4, n + 1, (int64_t)begin);
    }
}

// ---- numbers ----

enum { BIG = 1 << 25 }; // × 64 is 2^31

static const int32_t given[][4] = {
    // first, key, end, n
    {3, 0, 200, 200},                           // the last step is masked by the end
    {1, 0, 256, 256},                           // the diagonal in the second step
    {9, 0, 256, 256},                           // nothing masked
    {9, 0, 256, 193},                           // the loop does not divide
    {-1, 0, 256, 256},                          // everything masked
    {9, 0, 0, 128},                             // everything masked by the end
    {9, 0, -7, 128},                            // the same
    {9, 0, 64, 0},                              // no step
    {9, 0, 64, -5},                             // no step
    {9, 0, 1, 1},                               // one step
    {0, -1000, 256, 256},                       // keys below zero
    {BIG, 0, 256, 256},                         // rows from -2^31: everything masked
    {2 * BIG, 0, 256, 256},                     // rows from 0, by wrapping around
    {2 * BIG + 2, 0, 256, 256},                 // rows from 128
    {BIG - 1, 0, 256, 256},                     // rows up to 2^31 - 1
    {9, INT32_MAX - 100, 256, 256},             // keys wrap around in the second step: small again
    {-BIG, INT32_MIN, 256, 256},                // rows and keys from -2^31
    {9, INT32_MIN + 1, INT32_MAX, 256},         // |key| is the greatest
    {BIG - 1, INT32_MAX - 192, INT32_MAX, 256}, // both near 2^31
    {INT32_MAX, INT32_MIN, 256, 256},           // rows from -64
};
enum { PROGRAMS = sizeof given / sizeof *given };

static int32_t wrapped(int64_t number) {
    return (int32_t)(uint32_t)(uint64_t)number;
}

static bool inside(const int32_t *numbers, int window, int64_t s, int64_t i, int64_t j) {
    int32_t row = wrapped((int64_t)numbers[0] * 64 + i), key = wrapped((int64_t)numbers[1] + s + j);
    return row >= key && s + j < numbers[2] && (window == 0 || wrapped((int64_t)row - key) < window);
}

static void numbers(struct lang_run *r) {
    int window = r->test->defines ? 100 : 0;
    double scores[64][256];
    for (size_t at = 0; at < 64 * 256; at++) {
        scores[at / 256][at % 256] = product(r, 64, at / 256, at % 256);
    }
    for (size_t p = 0; p < PROGRAMS; p++) {
        for (size_t n = 0; n < 4; n++) {
            give_integer(r, 3, p * 4 + n, given[p][n]);
        }
        for (int64_t at = 0; at < 4096; at++) {
            int64_t i = at / 64, j = at % 64;
            double sum = 0;
            for (int64_t s = 0; s < given[p][3]; s += 64) {
                sum += inside(given[p], window, s, i, j) ? scores[i][s + j] : -1;
            }
            put_real(r, 2, p * 4096 + (size_t)at, sum);
        }
    }
}

// ---- a window ----

static const int32_t windows[][4] = {
    // first, size, shift, n
    {192, 128, 0, 256},               // steps masked in front and behind, and whole ones between
    {192, 100, 0, 256},               // the same with another part of the first
    {192, 160, 0, 224},               // no step behind the whole ones
    {192, 95, 0, 256},                // one whole step
    {192, 40, 0, 256},                // none
    {0, 128, 0, 64},                  // nothing in front
    {64, 1000, 0, 128},               // the same
    {192, 0, 0, 256},                 // each row sees itself
    {192, -1, 0, 256},                // nothing
    {192, 128, 0, 100},               // the loop ends before the rows
    {192, 128, 0, 32},                // no step
    {192, 128, INT32_MAX - 255, 256}, // rows up to 2^31 - 1
    {192, 128, INT32_MAX - 200, 256}, // rows wrap around
    {192, INT32_MAX, 0, 256},         // the greatest window
    {192, 128, INT32_MIN, 256},       // rows below zero, whose distance wraps around
};
enum { WINDOWS = sizeof windows / sizeof *windows, WINDOW_KEYS = 256 };

static bool in_window(const int32_t *numbers, int32_t i, int32_t j) {
    int32_t row = wrapped((int64_t)wrapped((int64_t)numbers[0] + numbers[2]) + i),
            far = wrapped((int64_t)row - j);
    return far >= 0 && far <= numbers[1];
}

static void window(struct lang_run *r) {
    static double scores[64][WINDOW_KEYS];
    for (size_t at = 0; at < 64 * WINDOW_KEYS; at++) {
        scores[at / WINDOW_KEYS][at % WINDOW_KEYS] = product(r, WIDTH, at / WINDOW_KEYS, at % WINDOW_KEYS);
    }
    for (size_t p = 0; p < WINDOWS; p++) {
        int32_t away = wrapped((int64_t)windows[p][0] - windows[p][1]), from = away > 0 ? away / 32 * 32 : 0;
        for (size_t n = 0; n < 4; n++) {
            give_integer(r, 4, p * 4 + n, windows[p][n]);
        }
        for (int32_t i = 0; i < 64; i++) {
            double sums[WIDTH] = {0};
            for (int32_t j = from; j < WINDOW_KEYS && j < from + (windows[p][3] - from + 31) / 32 * 32; j++) {
                for (size_t d = 0; d < WIDTH; d++) {
                    sums[d] +=
                        (in_window(windows[p], i, j) ? scores[i][j] : -1) * real(r, 2, (size_t)j * WIDTH + d);
                }
            }
            for (size_t d = 0; d < WIDTH; d++) {
                put_real(r, 3, (p * 64 + (size_t)i) * WIDTH + d, sums[d]);
            }
        }
    }
}

// ---- two loops, one behind the other ----

static const int32_t bounds[][2] = {
    {128, 256}, {100, 190}, {100, 164}, {100, 165}, {0, 190}, {100, 50}, {64, 64},
    {0, 0},     {30, 95},   {65, 193},  {65, 194},  {1, 2},   {64, 192},
};
enum { CASES = sizeof bounds / sizeof *bounds, KEYS = 256 };

static void add_step(struct lang_run *r, double sums[WIDTH], const double scores[KEYS], int32_t s,
                     int32_t end) {
    for (int32_t j = s; j < s + 64 && j < KEYS; j++) {
        for (size_t d = 0; d < WIDTH; d++) {
            sums[d] += (j < end ? scores[j] : -1) * real(r, 2, (size_t)j * WIDTH + d);
        }
    }
}

static void one_behind_the_other(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double scores[KEYS];
        for (size_t j = 0; j < KEYS; j++) {
            scores[j] = product(r, WIDTH, i, j);
        }
        for (size_t n = 0; n < CASES; n++) {
            double sums[WIDTH] = {0};
            for (int32_t s = 0; s < bounds[n][0]; s += 64) {
                add_step(r, sums, scores, s, KEYS);
            }
            for (int32_t s = bounds[n][0]; s < bounds[n][1]; s += 64) {
                add_step(r, sums, scores, s, bounds[n][1]);
            }
            for (size_t d = 0; d < WIDTH; d++) {
                put_real(r, 3, (n * 128 + i) * WIDTH + d, sums[d]);
            }
        }
    }
    for (size_t n = 0; n < CASES; n++) {
        give_integer(r, 4, 2 * n, bounds[n][0]);
        give_integer(r, 4, 2 * n + 1, bounds[n][1]);
    }
}

// ---- rows ----

enum { STEP = 1024, MOST_COLUMNS = 6 * STEP };

static const int32_t row[][4] = {
    // shift, end, n, on
    {0, 4096, 4096, 1},                         // all steps whole
    {0, 4095, 4096, 1},                         // but for one element
    {0, 3000, 3000, 1},                         // two whole steps, then a part
    {0, 3000, 4096, 1},                         // and one without any
    {0, 1024, 1024, 1},                         // one step
    {0, 1023, 1023, 1},                         // a part of one
    {0, 1025, 1025, 1},                         // an element more
    {0, 0, 2048, 1},                            // everything masked
    {0, -7, 2048, 1},                           // the same
    {0, 2048, 0, 1},                            // no step
    {0, 2048, -5, 1},                           // no step
    {0, 3000, 3000, 0},                         // off
    {-1024, 1024, 3000, 1},                     // columns below zero
    {INT32_MAX - 1500, INT32_MAX, 4096, 1},     // wraps around in the second step: small again
    {INT32_MAX - 1500, 0, 4096, 1},             // masked until it wraps
    {INT32_MIN, INT32_MIN + 2048, 4096, 1},     // |shift| is the greatest; columns below zero wrap around
    {INT32_MIN + 512, 0, 2048, 1},              // the first half of these
    {INT32_MAX - 4095, INT32_MAX, 4096, 1},     // the last one is 2^31 - 1
    {INT32_MAX - 3071, INT32_MIN + 9, 4096, 1}, // masked, but for nine behind 2^31
};
enum { ROWS_GIVEN = sizeof row / sizeof *row };

static void rows(struct lang_run *r) {
    const char *defined = r->test->defines;
    int32_t from = !defined ? 0 : strcmp(defined, "FIRST=512") == 0 ? 512 : -STEP;
    for (size_t p = 0; p < ROWS_GIVEN; p++) {
        for (size_t n = 0; n < 4; n++) {
            give_integer(r, 3, p * 4 + n, row[p][n]);
        }
        for (int32_t i = 0; i < STEP; i++) {
            double total = 0, most = 0;
            for (int32_t first = from; first < row[p][2]; first += STEP) {
                int32_t column = first + i;
                bool mask = wrapped((int64_t)column + row[p][0]) < row[p][1] && row[p][3] > 0;
                double value = mask ? real(r, 0, (size_t)(column - from)) : 0;
                total += mask ? value : -1;
                most = mask && value > 0 ? column : most;
                if (mask) {
                    put_real(r, 2, p * MOST_COLUMNS + (size_t)(column - from), total);
                }
            }
            put_real(r, 1, p * 2 * STEP + (size_t)i, total);
            put_real(r, 1, p * 2 * STEP + STEP + (size_t)i, most);
        }
    }
}

static const struct lang_case whole_steps_cases[] = {
    CASE(sequences, .grid = {4, SEQUENCES},
         .arguments = {WHOLE(F16, ROWS *WIDTH, -1, 1), WHOLE(F16, ROWS *WIDTH, -1, 1),
                       WHOLE(F16, ROWS *WIDTH, -1, 1), OUT(F32, ROWS *WIDTH), IN(I32, SEQUENCES + 1, 0, 0)},
         .maps = 3),
    ROW("sequences.full", sequences, sequences, .defines = "CAUSAL=False", .grid = {4, SEQUENCES},
        .arguments = {WHOLE(F16, ROWS *WIDTH, -1, 1), WHOLE(F16, ROWS *WIDTH, -1, 1),
                      WHOLE(F16, ROWS *WIDTH, -1, 1), OUT(F32, ROWS *WIDTH), IN(I32, SEQUENCES + 1, 0, 0)},
        .maps = 3),
    CASE(numbers, .grid = {PROGRAMS},
         .arguments = {WHOLE(F16, 4096, -1, 1), WHOLE(F16, 4 * 4096, -1, 1), OUT(F32, PROGRAMS * 4096),
                       IN(I32, PROGRAMS * 4, 0, 0)}),
    ROW("numbers.window", numbers, numbers, .defines = "WINDOW=100", .grid = {PROGRAMS},
        .arguments = {WHOLE(F16, 4096, -1, 1), WHOLE(F16, 4 * 4096, -1, 1), OUT(F32, PROGRAMS * 4096),
                      IN(I32, PROGRAMS * 4, 0, 0)}),
    CASE(window, .defines = "KEYS=256", .grid = {WINDOWS},
         .arguments = {WHOLE(F16, 64 * WIDTH, -1, 1), WHOLE(F16, WINDOW_KEYS *WIDTH, -1, 1),
                       WHOLE(F16, WINDOW_KEYS *WIDTH, -1, 1), OUT(F32, WINDOWS * 64 * WIDTH),
                       IN(I32, WINDOWS * 4, 0, 0)},
         .maps = 2),
    CASE(one_behind_the_other, .defines = "CASES=13 KEYS=256", .warps = "8",
         .arguments = {WHOLE(F16, 128 * WIDTH, -1, 1), WHOLE(F16, KEYS *WIDTH, -1, 1),
                       WHOLE(F16, KEYS *WIDTH, -1, 1), OUT(F32, CASES * 128 * WIDTH),
                       IN(I32, CASES * 2, 0, 0)},
         .maps = 3),
    CASE(rows, .grid = {ROWS_GIVEN},
         .arguments = {WHOLE(F16, MOST_COLUMNS, -3, 3), OUT(F32, ROWS_GIVEN * 2 * STEP),
                       OUT(F32, ROWS_GIVEN *MOST_COLUMNS), IN(I32, ROWS_GIVEN * 4, 0, 0)}),
    ROW("rows.from_512", rows, rows, .defines = "FIRST=512", .grid = {ROWS_GIVEN},
        .arguments = {WHOLE(F16, MOST_COLUMNS, -3, 3), OUT(F32, ROWS_GIVEN * 2 * STEP),
                      OUT(F32, ROWS_GIVEN *MOST_COLUMNS), IN(I32, ROWS_GIVEN * 4, 0, 0)}),
    ROW("rows.below_0", rows, rows, .defines = "FIRST=-1024", .grid = {ROWS_GIVEN},
        .arguments = {WHOLE(F16, MOST_COLUMNS, -3, 3), OUT(F32, ROWS_GIVEN * 2 * STEP),
                      OUT(F32, ROWS_GIVEN *MOST_COLUMNS), IN(I32, ROWS_GIVEN * 4, 0, 0)}),
};

FAMILY(whole_steps);
