// Tiles needed in several layouts at once, and programs with permutable ids.
#include "lang.h"

#include <math.h>
#include <string.h>

enum { N = 32 };

static void two_layouts(struct lang_run *r) {
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            put_real(r, 0, i * N + j, (double)(i + j * N));
            put_real(r, 1, i + j * N, (double)(i * N + j));
            put_real(r, 2, i * N + j, (double)(2 * (i * N + j)));
        }
    }
}

static void transpose(double t[N][N]) {
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < i; j++) {
            double swap = t[i][j];
            t[i][j] = t[j][i];
            t[j][i] = swap;
        }
    }
}

static void online_rows(struct lang_run *r) {
    double t[N][N], m[N], s[N] = {0};
    for (size_t i = 0; i < N * N; i++) {
        t[i / N][i % N] = real(r, 0, i);
        m[i / N] = -100;
    }
    for (int64_t round = 0; round < scalar(r, 2) * 2; round++) {
        for (size_t i = 0; i < N; i++) {
            double m2 = m[i], sum = 0;
            for (size_t j = 0; j < N; j++) {
                m2 = fmax(m2, t[i][j]);
            }
            for (size_t j = 0; j < N; j++) {
                sum += t[i][j] - m2;
            }
            s[i] = s[i] * (1 + m[i] - m2) + sum;
            m[i] = m2;
        }
        if (round % 2 == 1) {
            transpose(t);
        }
    }
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++) {
            sum += t[j][i];
        }
        put_real(r, 1, i, s[i]);
        put_real(r, 1, N + i, sum);
        put_real(r, 1, 2 * N + i, m[i]);
    }
}

static void branches(struct lang_run *r) {
    double v[N], w[N], sum = 0;
    for (size_t i = 0; i < N; i++) {
        bool large = scalar(r, 2) > 3;
        v[i] = large ? real(r, 0, i) : 0;
        w[i] = large ? (double)i : real(r, 0, 2 * i);
        for (int64_t k = 0; k < scalar(r, 2); k++) {
            v[i] += w[i];
            w[i] = (int64_t)i > k ? v[i] : w[i];
        }
        put_real(r, 1, i, v[i] + w[i]);
    }
    for (size_t i = 0; i < 8; i++) {
        put_real(r, 1, 32 + i, v[4 * i] + v[4 * i + 1] + v[4 * i + 2] + v[4 * i + 3]);
    }
    for (size_t i = 0; i < 16; i++) {
        sum += v[2 * i] + v[2 * i + 1];
        put_real(r, 1, 40 + i, sum);
    }
}

static void chained_dots(struct lang_run *r) {
    static double sums[N][N], s[N][N];
    double m[N] = {0};
    memset(sums, 0, sizeof sums);
    for (size_t round = 0; (int64_t)round < scalar(r, 4); round++) {
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++) {
                s[i][j] = 0;
                for (size_t k = 0; k < N; k++) {
                    s[i][j] += real(r, 0, i * N + k) * real(r, 1, round * N * N + j * N + k);
                }
                m[i] = fmax(m[i], s[i][j]);
            }
            for (size_t j = 0; j < N; j++) {
                sums[i][j] *= 0.5;
                for (size_t k = 0; k < N; k++) {
                    sums[i][j] +=
                        float_round(F16, (s[i][k] - m[i]) * 0.125) * real(r, 2, round * N * N + k * N + j);
                }
            }
        }
    }
    for (size_t i = 0; i < N * N; i++) {
        put_real(r, 3, i, sums[i / N][i % N]);
        put_real(r, 3, N * N + i / N, m[i / N]);
    }
}

// Whole numbers, and halves of them.
static void computed_factor(struct lang_run *r) {
    enum { SIDE = 64, TILE = SIDE * SIDE, PROGRAMS = 3 };
    for (size_t row = 0; row < PROGRAMS * SIDE; row++) {
        double m = 0, sums[SIDE] = {0};
        for (size_t round = 0; (int64_t)round < scalar(r, 4); round++) {
            double s[SIDE] = {0}, high = m;
            for (size_t j = 0; j < SIDE; j++) {
                for (size_t k = 0; k < SIDE; k++) {
                    s[j] += fmax(real(r, 0, row * SIDE + k), 0) * real(r, 1, round * TILE + j * SIDE + k);
                }
                high = fmax(high, s[j]);
            }
            for (size_t j = 0; j < SIDE; j++) {
                sums[j] *= high > m ? 0.5 : 1;
                for (size_t k = 0; k < SIDE; k++) {
                    sums[j] += (s[k] < high ? 1 : 2) * real(r, 2, round * TILE + k * SIDE + j);
                }
            }
            m = high;
        }
        for (size_t j = 0; j < SIDE; j++) {
            put_real(r, 3, row * SIDE + j, sums[j]);
        }
    }
}

static void dots_of_many_shapes(struct lang_run *r) {
    static double c[N][N], next[N][N], e[N][16];
    memset(c, 0, sizeof c);
    memset(e, 0, sizeof e);
    for (int64_t round = 0; round < scalar(r, 2); round++) {
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++) {
                for (size_t k = 0; k < N; k++) {
                    c[i][j] += real(r, 0, i * N + k) * real(r, 0, k * N + j);
                }
            }
            for (size_t j = 0; j < 16; j++) {
                for (size_t k = 0; k < N; k++) {
                    e[i][j] += float_round(F16, c[i][k]) * real(r, 0, k * N + j);
                }
            }
            for (size_t j = 0; j < N; j++) {
                next[i][j] = c[i][j];
                for (size_t k = 0; k < 16; k++) {
                    next[i][j] += float_round(F16, e[i][k]) * real(r, 0, j * N + k);
                }
                next[i][j] *= 0.03125;
            }
            for (size_t j = 0; j < 16; j++) {
                e[i][j] *= 0.0625;
            }
        }
        if (round % 2 == 1) {
            transpose(next);
        }
        memcpy(c, next, sizeof c);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            put_real(r, 1, i * N + j, c[i][j]);
        }
        for (size_t j = 0; j < 16; j++) {
            put_real(r, 1, N * N + i * 16 + j, e[i][j]);
        }
    }
}

static void reduced_before_and_after(struct lang_run *r) {
    static double t[N][N], d[N][N];
    double s[N] = {0};
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            t[i][j] = (double)(i * N + j);
            s[i] += t[i][j];
            d[i][j] = 0;
            for (size_t k = 0; k < N; k++) {
                d[i][j] += real(r, 0, i * N + k) * real(r, 0, k * N + j);
            }
        }
    }
    for (int64_t round = 0; round < scalar(r, 2); round++) {
        for (size_t i = 0; i < N * N; i++) {
            s[i % N] += t[i / N][i % N];
        }
        for (size_t i = 0; i < N * N; i++) {
            t[i / N][i % N] = t[i / N][i % N] * 0.5 + d[i / N][i % N];
        }
    }
    for (size_t i = 0; i < N * N; i++) {
        put_real(r, 1, i, 2 * t[i / N][i % N]);
        put_real(r, 1, N * N + i / N, s[i / N]);
    }
}

static void four_dimensions(struct lang_run *r) {
    static double t[1024], next[1024];
    for (size_t i = 0; i < 1024; i++) {
        t[i] = real(r, 0, i);
    }
    // permute (1, 0, 3, 2) twice is the identity
    for (int64_t round = 0; round < scalar(r, 2); round++) {
        for (size_t i = 0; i < 1024; i++) {
            next[i] = t[i] * 2 + 1;
        }
        memcpy(t, next, sizeof t);
    }
    for (size_t i = 0; i < 512; i++) {
        put_real(r, 1, i, t[i / 16 * 32 + i % 16] + t[i / 16 * 32 + 16 + i % 16]);
    }
    for (size_t i = 0; i < 1024; i++) {
        put_real(r, 1, 512 + i, t[i]);
    }
}

// ---- programs ----

static void product(struct lang_run *r, size_t rows, size_t columns) {
    for (size_t i = 0; i < rows * 16; i++) {
        for (size_t j = 0; j < columns * 16; j++) {
            double sum = 0;
            for (size_t k = 0; k < 16; k++) {
                sum += real(r, 0, i * 16 + k) * real(r, 1, k * columns * 16 + j);
            }
            put_real(r, 2, i * columns * 16 + j, sum);
        }
    }
}

static void programs_by_row(struct lang_run *r) {
    size_t programs = r->test->grid[0], columns = (size_t)scalar(r, 4);
    for (size_t pid = 0; pid < programs; pid++) {
        put_integer(r, 3, pid, (int64_t)(pid / columns * 100 + pid % columns));
    }
    for (size_t i = 0; i < (programs + columns - 1) / columns * 16; i++) {
        for (size_t j = 0; j < columns * 16; j++) {
            double sum = 0;
            for (size_t k = 0; k < 16; k++) {
                sum += real(r, 0, i * 16 + k) * real(r, 1, k * columns * 16 + j);
            }
            if (i / 16 * columns + j / 16 < programs) {
                put_real(r, 2, i * columns * 16 + j, sum);
            }
        }
    }
}

static void programs_by_column(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 4), columns = (size_t)scalar(r, 5);
    for (size_t pid = 0; pid < rows * columns; pid++) {
        put_integer(r, 3, pid, (int64_t)(pid % rows * 100 + pid / rows));
    }
    product(r, rows, columns);
}

static void programs_of_a_grid(struct lang_run *r) {
    size_t rows = r->test->grid[1], columns = r->test->grid[0];
    for (size_t i = 0; i < rows * columns; i++) {
        put_integer(r, 3, i, (int64_t)(i / columns * 100 + i % columns));
    }
    product(r, rows, columns);
}

static void programs_grouped_by_hand(struct lang_run *r) {
    int64_t rows = scalar(r, 4), columns = scalar(r, 5);
    for (int64_t pid = 0; pid < rows * columns; pid++) {
        int64_t first = pid / (3 * columns) * 3, size = rows - first < 3 ? rows - first : 3;
        int64_t inside = pid % (3 * columns);
        put_integer(r, 3, (size_t)pid, (first + inside % size) * 100 + inside / size);
    }
    product(r, (size_t)rows, (size_t)columns);
}

static void one_of_two_steps(struct lang_run *r) {
    size_t by = scalar(r, 4) > 0 ? 64 : 32;
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            double sum = 0;
            for (size_t s = 0; s < (size_t)scalar(r, 3); s++) {
                for (size_t k = 0; k < 32; k++) {
                    sum += real(r, 0, i * 320 + s * by + k) * real(r, 1, (s * 32 + k) * 32 + j);
                }
            }
            put_real(r, 2, i * 32 + j, sum);
        }
    }
}

#define ONE_OF_TWO_STEPS(text, is_wide)                                                                      \
    ROW("one_of_two_steps_" text, one_of_two_steps, one_of_two_steps,                                        \
        .arguments = {IN(F16, 32 * 320, -1, 1), IN(F16, 5 * 1024, -1, 1), OUT(F32, 1024), INT(5),            \
                      INT(is_wide)},                                                                         \
        .absolute = 2e-4, .stages = "123")

#define PRODUCT(rows, columns)                                                                               \
    IN(F16, (rows)*256, -1, 1), IN(F16, (columns)*256, -1, 1), OUT(F32, (rows) * (columns)*256)

#define SMALL(count) WHOLE(F16, count, -2, 2)

static const struct lang_case tangled_cases[] = {
    CASE(two_layouts, .arguments = {OUT(F32, 1024), OUT(F16, 1024), OUT(F32, 1024), INT(3)}, .warps = "1248"),
    CASE(online_rows, .arguments = {IN(F32, 1024, 0, 1), OUT(F32, 96), INT(2)}, .relative = 1e-4,
         .absolute = 1e-3, .warps = "1248"),
    CASE_OF(branches_small, branches, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 56), INT(2)},
            .relative = 1e-5, .warps = "1248"),
    CASE_OF(branches_large, branches, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 56), INT(5)},
            .relative = 1e-5, .warps = "14"),
    CASE(chained_dots,
         .arguments = {IN(F16, 1024, -1, 1), IN(F16, 3072, -1, 1), IN(F16, 3072, -1, 1), OUT(F32, 1056),
                       INT(3)},
         .relative = 1e-2, .absolute = 1e-2, .warps = "148", .stages = "13"),
    CASE(computed_factor, .grid = {3},
         .arguments = {SMALL(3 * 4096), SMALL(2 * 4096), SMALL(2 * 4096), OUT(F32, 3 * 4096), INT(2)},
         .warps = "48", .stages = "23"),
    CASE(dots_of_many_shapes, .arguments = {IN(F16, 1024, -0.5, 0.5), OUT(F32, 1536), INT(3)},
         .relative = 1e-2, .absolute = 1e-2, .warps = "148"),
    CASE(reduced_before_and_after, .arguments = {IN(F16, 1024, 0, 1), OUT(F32, 1056), INT(2)},
         .relative = 1e-4, .absolute = 1e-2, .warps = "148"),
    CASE(four_dimensions, .arguments = {IN(F32, 1024, 0, 1), OUT(F32, 1536), INT(2)}, .relative = 1e-5,
         .warps = "148"),
    CASE(programs_by_row, .grid = {33}, .arguments = {PRODUCT(11, 3), OUT(I32, 33), INT(3)}, .relative = 1e-3,
         .absolute = 1e-3),
    {.name = "programs_by_row_uneven", // the grid is no multiple of the columns: ids stay
     .kernel = "programs_by_row",
     .grid = {31},
     .arguments = {PRODUCT(11, 3), OUT(I32, 31), INT(3)},
     .reference = programs_by_row,
     .relative = 1e-3,
     .absolute = 1e-3},
    CASE(programs_by_column, .grid = {36}, .arguments = {PRODUCT(4, 9), OUT(I32, 36), INT(4), INT(9)},
         .relative = 1e-3, .absolute = 1e-3),
    CASE(programs_of_a_grid, .grid = {3, 10}, .arguments = {PRODUCT(10, 3), OUT(I32, 30), INT(3)},
         .relative = 1e-3, .absolute = 1e-3),
    CASE(programs_grouped_by_hand, .grid = {32}, .arguments = {PRODUCT(8, 4), OUT(I32, 32), INT(8), INT(4)},
         .relative = 1e-3, .absolute = 1e-3),
    ONE_OF_TWO_STEPS("narrow", 0),
    ONE_OF_TWO_STEPS("wide", 1),
};

FAMILY(tangled);
