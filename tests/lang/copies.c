// Loops of products with operands copied by one warp for the others, beside other statements of a program.
#include "lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of rows of `depth` elements of two arguments.
static double dot_of_rows(struct lang_run *r, unsigned x, size_t i, unsigned y, size_t j, size_t depth) {
    double sum = 0;
    for (size_t k = 0; k < depth; k++) {
        sum += real(r, x, i * depth + k) * real(r, y, j * depth + k);
    }
    return sum;
}

// Of a row of `depth` elements, and a column of rows of `width`.
static double product(struct lang_run *r, unsigned x, size_t first, size_t depth, unsigned y, size_t column,
                      size_t width) {
    double sum = 0;
    for (size_t k = 0; k < depth; k++) {
        sum += real(r, x, first + k) * real(r, y, k * width + column);
    }
    return sum;
}

static void gradients_with_bias(struct lang_run *r) {
    enum { D = 64, ROWS = 256 };
    size_t length = (size_t)scalar(r, 7);
    for (size_t i = 0; i < ROWS; i++) {
        double sums[D] = {0};
        for (size_t j = 0; j < length; j++) {
            double w = dot_of_rows(r, 0, i, 1, j, D) + real(r, 5, i * length + j);
            double z = w * (dot_of_rows(r, 3, i, 2, j, D) - real(r, 4, i));
            for (size_t d = 0; d < D; d++) {
                sums[d] += z * real(r, 1, j * D + d);
            }
        }
        for (size_t d = 0; d < D; d++) {
            put_real(r, 6, i * D + d, sums[d]);
        }
    }
}

static void corner_from_memory(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5), first = (size_t)integer(r, 2, 0);
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 64; j++) {
            int64_t total = (int64_t)dot_of_rows(r, 0, i, 1, j, depth);
            put_integer(r, 2, i * 64 + j, total);
            put_integer(r, 3, i * 64 + j, 2 * total);
            put_integer(r, 4, (first + i) * 64 + j, total);
        }
    }
}

static void corner_of_loop(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3), off = 0;
    for (size_t s = 0; s < depth; s += 64) {
        off = (off + 17) % 4;
    }
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 256; j++) {
            put_real(r, 2, i * 512 + off * 16 + j, product(r, 0, i * depth, depth, 1, j, 256));
        }
    }
}

static void read_before_stored(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < 256; i++) {
        double old = 0;
        for (size_t j = 0; j < 64; j++) {
            old += real(r, 2, i * 64 + j);
        }
        for (size_t j = 0; j < 64; j++) {
            double total = product(r, 0, i * depth, depth, 1, j, 64);
            put_real(r, 2, i * 64 + j, total);
            put_real(r, 3, i * 64 + j, 2 * total);
            put_real(r, 4, i * 64 + j, total + old);
        }
    }
}

static void hidden_columns(struct lang_run *r) {
    enum { D = 64, STEP = 32 };
    size_t length = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 128; i++) {
        double sums[D] = {0}, total = 0;
        for (size_t j = 0; j < length; j++) {
            double weight =
                j / STEP * STEP * 5 % 224 + j % STEP <= i ? exp2(dot_of_rows(r, 0, i, 1, j, D)) : 0;
            total += weight;
            for (size_t d = 0; d < D; d++) {
                sums[d] += weight * real(r, 2, j * D + d);
            }
        }
        for (size_t d = 0; d < D; d++) {
            put_real(r, 3, i * D + d, sums[d] / total);
        }
    }
}

static void rows_before(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    int64_t first = scalar(r, 4) < -3 ? -3 : scalar(r, 4);
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            size_t row = (size_t)(2048 + (first + (int64_t)i) * (int64_t)depth);
            put_real(r, 2, i * 64 + j, product(r, 0, row, depth, 1, j, 64));
        }
    }
}

static void rows_moved(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            size_t row = (size_t)(2048 + (scalar(r, 4) + (int64_t)i) * 128);
            put_real(r, 2, i * 64 + j, product(r, 0, row, (size_t)scalar(r, 3), 1, j, 64));
        }
    }
}

static void rows_left_out(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    for (size_t i = 0; (int64_t)i < scalar(r, 4); i++) {
        for (size_t j = 0; j < 64; j++) {
            bool counts = (int64_t)i < scalar(r, 5);
            put_real(r, 2, i * 64 + j, counts ? product(r, 0, i * depth, depth, 1, j, 64) : 0);
        }
    }
}

static size_t defined(const struct lang_run *r, const char *name) {
    return (size_t)atoi(strstr(r->test->defines, name) + strlen(name));
}

static void from_column(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3), width = (size_t)scalar(r, 4), from = defined(r, "FROM="),
           to = defined(r, "TO=");
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64 && to + j < width; j++) {
            double sum = 0;
            for (size_t k = from; k < depth; k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
            }
            put_real(r, 2, i * width + to + j, sum);
        }
    }
}

static void from_row(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    for (size_t i = 8; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, (i - 8) * 64 + j, product(r, 0, i * depth, depth, 1, j, 64));
        }
    }
}

static void rows_far(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    int64_t first = scalar(r, 5) * (int64_t)defined(r, "STEP=") + scalar(r, 6);
    for (size_t i = 0; i < 64; i++) {
        int64_t row = first + (int64_t)i;
        bool exists = row >= 0 && row < scalar(r, 4);
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j,
                     1 + (exists ? product(r, 0, (size_t)row * depth, depth, 1, j, 64) : 0));
        }
    }
}

static void most_rows(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, 0, i * depth, depth, 1, j, 64));
        }
    }
}

static void batch_without_gaps(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 3), width = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < 3 * rows; i++) {
        size_t batch = i / rows;
        for (size_t j = 0; j < width; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, (batch * depth + k) * width + j);
            }
            put_real(r, 2, i * width + j, sum);
        }
    }
}

static void rows_of_two_sizes(struct lang_run *r) {
    size_t rows = (size_t)(scalar(r, 3) * scalar(r, 4) - 1), depth = (size_t)scalar(r, 5);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_real(r, 2, i * 64 + j, product(r, 0, i * (size_t)scalar(r, 4) * depth, depth, 1, j, 64));
        }
    }
}

static void gate_and_up(struct lang_run *r) {
    int64_t first = scalar(r, 3), up = scalar(r, 4), rows = scalar(r, 5), depth = scalar(r, 6),
            width = scalar(r, 7);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < width; j++) {
            double gate = 0, value = 0;
            for (int64_t k = 0; k < depth; k++) {
                double x = real(r, 0, (size_t)(i * depth + k));
                gate += x * real(r, 1, (size_t)(first + k * width + j));
                value += x * real(r, 1, (size_t)(first + up + k * width + j));
            }
            put_real(r, 2, (size_t)(3 * width - first + i * width + j), gate * value);
        }
    }
}

static void rows_scaled(struct lang_run *r) {
    size_t rows = (size_t)scalar(r, 5), depth = (size_t)scalar(r, 6), width = (size_t)scalar(r, 7);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < width; j++) {
            double gate = product(r, 0, i * depth, depth, 1, j, width) * real(r, 3, i);
            double up = product(r, 0, i * depth, depth, 2, j, width) * real(r, 3, i);
            put_real(r, 4, i * width + j, gate / (1 + exp(-gate)) * up);
        }
    }
}

static void counting_while(struct lang_run *r) {
    int64_t rows = scalar(r, 3), depth = scalar(r, 4), end = 0;
    bool down = defined(r, "DOWN=");
    for (end = down ? depth : 0; down ? end > 0 : end < depth;) {
        end += down ? -64 : 64;
    }
    for (size_t i = 0; i < (size_t)rows; i++) {
        for (size_t j = 0; j < 64; j++) {
            double sum = depth > 0 ? product(r, 0, i * (size_t)depth, (size_t)depth, 1, j, 64) : 0;
            put_real(r, 2, i * 64 + j, sum + (double)end);
        }
    }
}

static void elements_apart(struct lang_run *r) {
    static const int64_t depths[] = {0, -3, 1, 31, 32, 33, 64, 65, 96, 160};
    size_t apart = (size_t)scalar(r, 4);
    for (size_t p = 0; p < sizeof depths / sizeof *depths; p++) {
        give_integer(r, 3, p, depths[p]);
        for (size_t at = 0; at < 4096; at++) {
            double sum = 0;
            for (int64_t k = 0; k < depths[p]; k++) {
                sum += real(r, 0, (at / 64 + (size_t)k * 64) * apart) * real(r, 1, (size_t)k * 64 + at % 64);
            }
            put_real(r, 2, p * 4096 + at, sum);
        }
    }
}

// ---- rows shifted within pieces ----

enum { SHIFTED_ROWS = 384, SHIFTS = 5 };

static int64_t defined_or(const struct lang_run *r, const char *name, int64_t otherwise) {
    const char *at = r->test->defines ? strstr(r->test->defines, name) : NULL;
    return at ? atoi(at + strlen(name)) : otherwise;
}

static void shifted_runs(struct lang_run *r) {
    int64_t part = scalar(r, 3), depth = scalar(r, 4), from = defined_or(r, "FIRST=", -1),
            step = defined_or(r, "STEP=", 1);
    for (int64_t i = 0; i < SHIFTED_ROWS; i++) {
        for (int64_t j = 0; j < 64; j++) {
            double sum = 0;
            for (int64_t s = 0; s < SHIFTS; s++) {
                int64_t move = from + s * step, at = i % part + move;
                for (int64_t k = 0; k < depth && at >= 0 && at < part; k++) {
                    sum += real(r, 0, (size_t)((i + move) * depth + k)) *
                           real(r, 1, (size_t)((s * depth + k) * 64 + j));
                }
            }
            put_real(r, 2, (size_t)(i * 64 + j), sum);
        }
    }
}

static void shifted_depth(struct lang_run *r) {
    int64_t part = scalar(r, 3), depth = scalar(r, 4), move = scalar(r, 5);
    for (int64_t i = 0; i < 128; i++) {
        for (int64_t j = 0; j < 64; j++) {
            double sum = 0;
            for (int64_t k = 0; k < depth; k++) {
                bool inside = k % part + move >= 0 && k % part + move < part;
                sum += inside
                           ? real(r, 0, (size_t)(i * depth + k)) * real(r, 1, (size_t)((k + move) * 64 + j))
                           : 0;
            }
            put_real(r, 2, (size_t)(i * 64 + j), sum);
        }
    }
}

static const struct lang_case copies_cases[] = {
    CASE(gradients_with_bias, .grid = {2},
         .arguments = {IN(F16, 16384, -0.5, 0.5), IN(F16, 12288, -0.5, 0.5), IN(F16, 12288, -0.5, 0.5),
                       IN(F16, 16384, -0.5, 0.5), IN(F32, 256, -1, 1), IN(F32, 49152, -1, 1), OUT(F32, 16384),
                       INT(192)},
         .relative = 1e-2, .absolute = 1e-1, .warps = "8"),
    CASE(corner_from_memory, .arguments = {IN(I8, 8192, -3, 3), IN(I8, 8192, -3, 3), BOTH(I32, 4096, 7, 7),
                                           OUT(I32, 4096), OUT(I32, 16384), INT(128)}),
    CASE(corner_of_loop,
         .arguments = {WHOLE(F16, 16384, -2, 2), WHOLE(F16, 32768, -2, 2), OUT(F16, 65536), INT(128)},
         .warps = "8", .stages = "4"),
    CASE(read_before_stored, .grid = {2},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), BOTH(F32, 16384, 5, 5),
                       OUT(F32, 16384), OUT(F32, 16384), INT(128)},
         .warps = "8"),
    CASE(hidden_columns,
         .arguments = {IN(F16, 8192, -0.5, 0.5), IN(F16, 8192, -0.5, 0.5), IN(F16, 8192, -0.5, 0.5),
                       OUT(F32, 8192), INT(128)},
         .relative = 1e-2, .absolute = 1e-2),
    CASE(rows_before, .grid = {2},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 8192), INT(128), INT(-8)}),
    CASE(rows_moved, .grid = {2},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 8192), INT(128), INT(-8)}),
    CASE(rows_left_out, .grid = {2},
         .arguments = {WHOLE(F16, 12800, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 8192), INT(128), INT(100),
                       INT(75)}),
    CASE(from_column, .defines = "FROM=0 TO=0", .grid = {2},
         .arguments = {WHOLE(F16, 10240, -3, 3), WHOLE(F16, 5120, -3, 3), OUT(F16, 10240), INT(80), INT(80)}),
    ROW("from_column.loaded", from_column, from_column, .defines = "FROM=3 TO=0", .grid = {2},
        .arguments = {WHOLE(F16, 10240, -3, 3), WHOLE(F16, 5120, -3, 3), OUT(F16, 10240), INT(80), INT(80)}),
    ROW("from_column.stored", from_column, from_column, .defines = "FROM=0 TO=19", .grid = {2},
        .arguments = {WHOLE(F16, 10240, -3, 3), WHOLE(F16, 5120, -3, 3), OUT(F16, 10240), INT(80), INT(80)}),
    CASE(from_row, .grid = {2},
         .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 7680), INT(64)}),
    CASE(rows_far, .defines = "STEP=1",
         .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 4096), INT(64), INT(128),
                       INT(100), INT(-30)}),
    ROW("rows_far.sum", rows_far, rows_far, .defines = "STEP=1",
        .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 4096), INT(64), INT(128),
                      INT(INT32_MAX), INT(INT32_MAX)}),
    ROW("rows_far.end", rows_far, rows_far, .defines = "STEP=64",
        .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 4096), INT(64),
                      INT(INT32_MAX), INT(1 << 25), INT(0)}),
    CASE(most_rows, .defines = "TIMES=1", .grid = {2},
         .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 8192), INT(64),
                       INT(INT64_C(1) << 31)}),
    ROW("most_rows.times", most_rows, most_rows, .defines = "TIMES=16", .grid = {2},
        .arguments = {WHOLE(F16, 8192, -3, 3), WHOLE(F16, 4096, -3, 3), OUT(F32, 8192), INT(64),
                      INT(1 << 27)}),
    CASE(batch_without_gaps, .grid = {2, 3, 2},
         .arguments = {WHOLE(F16, 3 * 100 * 144, -3, 3), WHOLE(F16, 3 * 144 * 80, -3, 3),
                       OUT(F32, 3 * 100 * 80), INT(100), INT(80), INT(144)}),
    CASE(rows_of_two_sizes, .grid = {2},
         .arguments = {WHOLE(F16, 91 * 7 * 80, -3, 3), WHOLE(F16, 80 * 64, -3, 3), OUT(F32, 90 * 64), INT(13),
                       INT(7), INT(80)}),
    ROW("rows_of_two_sizes.none", rows_of_two_sizes, rows_of_two_sizes, .grid = {1},
        .arguments = {WHOLE(F16, 91 * 7 * 80, -3, 3), WHOLE(F16, 80 * 64, -3, 3), OUT(F32, 90 * 64), INT(1),
                      INT(1), INT(80)}),
    CASE(gate_and_up, .grid = {2, 2},
         .arguments = {WHOLE(F16, 100 * 144, -2, 2), WHOLE(F16, 2 * 144 * 80 + 32, -2, 2), OUT(F32, 103 * 80),
                       INT(16), INT(144 * 80 + 16), INT(100), INT(144), INT(80)}),
    ROW("gate_and_up.before", gate_and_up, gate_and_up, .grid = {2, 2},
        .arguments = {WHOLE(F16, 100 * 32, -2, 2), WHOLE(F16, 4 * 32 * 80, -2, 2), OUT(F32, 100 * 80),
                      INT(240), INT(-240), INT(100), INT(32), INT(80)}),
    CASE(rows_scaled, .grid = {2, 2},
         .arguments = {WHOLE(F16, 150 * 80, -2, 2), WHOLE(F16, 80 * 144, -2, 2), WHOLE(F16, 80 * 144, -2, 2),
                       IN(F32, 150, 0.01, 0.1), OUT(F16, 150 * 144), INT(150), INT(80), INT(144)},
         .relative = 4e-3, .absolute = 1e-3, .warps = "8"),
    CASE(counting_while, .defines = "DOWN=0", .grid = {2},
         .arguments = {WHOLE(F16, 100 * 208, -3, 3), WHOLE(F16, 208 * 64, -3, 3), OUT(F32, 100 * 64),
                       INT(100), INT(208)},
         .stages = "134"),
    ROW("counting_while.down", counting_while, counting_while, .defines = "DOWN=1", .grid = {2},
        .arguments = {WHOLE(F16, 100 * 208, -3, 3), WHOLE(F16, 208 * 64, -3, 3), OUT(F32, 100 * 64), INT(100),
                      INT(208)},
        .stages = "134"),
    ROW("counting_while.none", counting_while, counting_while, .defines = "DOWN=0", .grid = {2},
        .arguments = {WHOLE(F16, 100 * 208, -3, 3), WHOLE(F16, 208 * 64, -3, 3), OUT(F32, 100 * 64), INT(100),
                      INT(-16)}),
    CASE(elements_apart, .grid = {10},
         .arguments = {WHOLE(F16, 160 * 64 * 3, -3, 3), WHOLE(F16, 192 * 64, -3, 3), OUT(F32, 10 * 4096),
                       IN(I32, 10, 0, 0), INT(3)},
         .stages = "134"),
    CASE(shifted_runs, .grid = {6},
         .arguments = {WHOLE(F16, 26112, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(24), INT(64)},
         .maps = 3),
    ROW("shifted_runs.small", shifted_runs, shifted_runs, .grid = {6},
        .arguments = {WHOLE(F16, 25088, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(8), INT(64)},
        .maps = 3),
    ROW("shifted_runs.far", shifted_runs, shifted_runs, .defines = "FIRST=-48 STEP=24", .grid = {6},
        .arguments = {WHOLE(F16, 27136, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(40), INT(64)},
        .maps = 3),
    ROW("shifted_runs.wide", shifted_runs, shifted_runs, .defines = "BM=128 SIZE=48", .grid = {3},
        .arguments = {WHOLE(F16, 27648, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(48), INT(64)},
        .warps = "48", .maps = 3),
    ROW("shifted_runs.longer", shifted_runs, shifted_runs, .defines = "BM=128 SIZE=256 FIRST=-200 STEP=100",
        .grid = {3},
        .arguments = {WHOLE(F16, 40960, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(256), INT(64)},
        .warps = "8", .maps = 3),
    ROW("shifted_runs.many", shifted_runs, shifted_runs, .defines = "BM=128", .grid = {3},
        .arguments = {WHOLE(F16, 26112, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(24), INT(64)},
        .warps = "48", .maps = 3),
    ROW("shifted_runs.chunks", shifted_runs, shifted_runs, .defines = "BK=128", .grid = {6},
        .arguments = {WHOLE(F16, 52224, -2, 2), WHOLE(F16, 40960, -2, 2), OUT(F32, 24576), INT(24), INT(128)},
        .maps = 3),
    ROW("shifted_runs.below", shifted_runs, shifted_runs, .defines = "FIRST=0 BELOW=1", .grid = {6},
        .arguments = {WHOLE(F16, 28160, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(56), INT(64)},
        .maps = 3),
    ROW("shifted_runs.narrow", shifted_runs, shifted_runs, .defines = "BK=32 STEP=-7 FIRST=14", .grid = {6},
        .arguments = {WHOLE(F16, 25600, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(16), INT(64)},
        .maps = 3),
    ROW("shifted_runs.most", shifted_runs, shifted_runs, .defines = "FIRST=-2", .grid = {6},
        .arguments = {WHOLE(F16, 286720, -2, 2), WHOLE(F16, 20480, -2, 2), OUT(F32, 24576), INT(4096),
                      INT(64)},
        .maps = 3),
    CASE(shifted_depth, .grid = {2},
         .arguments = {WHOLE(F16, 24576, -2, 2), WHOLE(F16, 16384, -2, 2), OUT(F32, 8192), INT(48), INT(192),
                       INT(3)},
         .maps = 3),
    ROW("shifted_depth.ahead", shifted_depth, shifted_depth, .grid = {2},
        .arguments = {WHOLE(F16, 24576, -2, 2), WHOLE(F16, 16384, -2, 2), OUT(F32, 8192), INT(48), INT(192),
                      INT(-20)},
        .maps = 3),
    ROW("shifted_depth.far", shifted_depth, shifted_depth, .grid = {2},
        .arguments = {WHOLE(F16, 24576, -2, 2), WHOLE(F16, 16384, -2, 2), OUT(F32, 8192), INT(48), INT(192),
                      INT(64)},
        .maps = 3),
};

FAMILY(copies);
