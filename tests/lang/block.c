// Block pointers and tensor descriptors.
#include "lang.h"

#include <math.h>

static void copy(struct lang_run *r) {
    for (size_t i = 0; i < r->test->arguments[1].count; i++) {
        put_bits(r, 1, i, bits(r, 0, i));
    }
}

static void pad(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 2), n = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 512; i++) {
        bool inside = i / 32 < m && i % 32 < n;
        double value = inside ? real(r, 0, i / 32 * n + i % 32) : 0;
        put_real(r, 1, i, inside ? value : NAN);
        put_real(r, 1, 512 + i, value);
    }
}

static void column_major(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 2), n = (size_t)scalar(r, 3);
    for (size_t i = 0; i < m * n; i++) {
        put_bits(r, 1, i, bits(r, 0, i % n * m + i / n));
    }
}

static void advance(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 2), n = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 512; i++) {
        double sum = 0;
        for (size_t j = i % 32; i / 32 < m && j < n; j += 32) {
            sum += real(r, 0, i / 32 * n + j);
        }
        put_real(r, 1, i, sum);
    }
}

static void one_dimension(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        put_integer(r, 1, i, integer(r, 0, i) + 1);
    }
}

static void multiply(struct lang_run *r, bool transposed) {
    size_t m = (size_t)scalar(r, 3), n = (size_t)scalar(r, 4), k = (size_t)scalar(r, 5);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++) {
                sum += real(r, 0, i * k + p) * real(r, 1, transposed ? j * k + p : p * n + j);
            }
            put_real(r, 2, i * n + j, sum);
        }
    }
}

static void matmul(struct lang_run *r) {
    multiply(r, false);
}

static void matmul_transposed(struct lang_run *r) {
    multiply(r, true);
}

static void descriptor_gather(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        put_bits(r, 2, i, bits(r, 0, (size_t)integer(r, 1, i / 32) * 64 + 16 + i % 32));
    }
}

// Two blocks, one of them cut off after 60 elements, a descriptor of the same size, and rows in reverse.
static void blocks_of_booleans(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        for (size_t block = 0; block < 3; block++) {
            if (i < 60 || block == 1) {
                put_integer(r, 1, block * 64 + i, integer(r, 0, i) != 0);
            }
        }
    }
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 1, 192 + (15 - i / 16) * 16 + i % 16, integer(r, 0, i) != 0);
    }
}

static void parameter_of_booleans(struct lang_run *r) {
    for (size_t i = 0; i < 50; i++) {
        put_integer(r, 1, i, real(r, 0, i) != 0);
    }
}

static void descriptor_scatter(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        put_bits(r, 2, (size_t)integer(r, 1, i / 32) * 64 + 16 + i % 32, bits(r, 0, i));
    }
}

// Rows 8 to 19: the rest of the block lies outside.
static void descriptor_atomic(struct lang_run *r) {
    for (size_t i = 0; i < 12 * 32; i++) {
        put_real(r, 1, 8 * 32 + i, real(r, 1, 8 * 32 + i) + real(r, 0, i));
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define COPY(TYPE, WARPS)                                                                                    \
    ROW("copy_" NAME_##TYPE, copy, copy, .signature = P(TYPE) ", " P(TYPE) ", i32, i32", .grid = {3, 2},     \
        .arguments = {BITS(TYPE, 37 * 45), OUT(TYPE, 37 * 45), INT(37), INT(45)}, .warps = WARPS)
#define DESCRIPTOR(TYPE, WARPS)                                                                              \
    ROW("descriptor_copy_" NAME_##TYPE, descriptor_copy, copy,                                               \
        .signature = P(TYPE) ":16, " P(TYPE) ":16, i32, i32:16", .grid = {3, 2},                             \
        .arguments = {BITS(TYPE, 37 * 48), OUT(TYPE, 37 * 48), INT(37), INT(48)}, .warps = WARPS)

// x is 40 by 48 in rows of 56, y 48 by 40 or fewer in rows of 48: elements outside are neither read nor
// written.
static void descriptor_parameters(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 6); i++) {
        for (size_t j = 0; j < 48; j++) {
            put_real(r, 4, j * 48 + i, real(r, 0, i * 56 + j) * 2);
        }
    }
}

// Y and z are 24 by 40; the last block of y has 8 rows and columns inside.
static void descriptor_extremes(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 16; j++) {
            double v = real(r, 0, i * 16 + j), narrow = float_round(BF16, v);
            size_t at = i * 40 + j;
            put_real(r, 1, at, fmax(real(r, 1, at), v));
            put_real(r, 1, at + 16, fmin(real(r, 1, at + 16), v));
            if (i < 8 && j < 8) {
                put_real(r, 1, at + 16 * 40 + 32, fmax(real(r, 1, at + 16 * 40 + 32), v));
            }
            put_real(r, 2, at, fmin(real(r, 2, at), narrow));
        }
    }
}

enum { EXPERTS = 3, EXPERT_ROWS = 80, EXPERT_DEPTH = 96, EXPERT_COLUMNS = 48 };

static void descriptor_experts(struct lang_run *r) {
    for (size_t i = 0; i < EXPERTS * EXPERT_ROWS * EXPERT_COLUMNS; i++) {
        size_t row = i / EXPERT_COLUMNS, column = i % EXPERT_COLUMNS, expert = row / EXPERT_ROWS;
        double sum = 0;
        for (size_t k = 0; k < EXPERT_DEPTH; k++) {
            sum += real(r, 0, row * EXPERT_DEPTH + k) *
                   real(r, 1, (expert * EXPERT_DEPTH + k) * EXPERT_COLUMNS + column);
        }
        put_real(r, 2, i, sum);
    }
}

static const struct lang_case block_cases[] = {
    COPY(F32, "148"),
    COPY(F16, "4"),
    COPY(I8, "4"),
    COPY(F64, "4"),
    CASE(pad, .arguments = {IN(F32, 13 * 27, -9, 9), OUT(F32, 1024), INT(13), INT(27)}),
    ROW("check_rows_only", check_rows_only, copy, .grid = {2},
        .arguments = {BITS(F16, 27 * 32), OUT(F16, 27 * 32), INT(27)}, .warps = "14"),
    CASE(column_major, .arguments = {BITS(F32, 29 * 31), OUT(F32, 29 * 31), INT(29), INT(31)}, .warps = "14"),
    CASE(advance, .arguments = {IN(F32, 13 * 100, 0, 1), OUT(F32, 512), INT(13), INT(100)}, .relative = 1e-6,
         .stages = "134"),
    CASE(one_dimension, .grid = {3}, .arguments = {BITS(I32, 150), OUT(I32, 150), INT(150)}),
    CASE(matmul, .grid = {2, 2},
         .arguments = {IN(F16, 50 * 70, -1, 1), IN(F16, 70 * 45, -1, 1), OUT(F32, 50 * 45), INT(50), INT(45),
                       INT(70)},
         .absolute = 2e-5, .warps = "14", .stages = "1234"),
    DESCRIPTOR(F32, "148"),
    DESCRIPTOR(F16, "4"),
    DESCRIPTOR(BF16, "4"),
    DESCRIPTOR(I8, "4"),
    ROW("descriptor_of_floats", descriptor_copy, copy, .signature = "*fp32:16, *fp32:16, fp32, fp16",
        .grid = {3, 2},
        .arguments = {BITS(F32, 37 * 48), OUT(F32, 37 * 48), REAL(F32, 37.75), REAL(F16, 48.5)}),
    CASE(descriptor_gather, .arguments = {BITS(F16, 40 * 64), IN(I32, 32, 0, 39), OUT(F16, 1024), INT(40)}),
    CASE(blocks_of_booleans, .arguments = {IN(I32, 256, -2, 2), OUT(I1, 448)}),
    CASE(parameter_of_booleans, .arguments = {SPECIAL(F32, 64, -2, 2), OUT(I1, 64), INT(50)}),
    CASE(descriptor_scatter, .arguments = {BITS(F16, 1024), PERMUTE(I32, 32), OUT(F16, 32 * 64), INT(32)}),
    CASE(descriptor_atomic, .arguments = {IN(F32, 512, 0, 1), BOTH(F32, 20 * 32, 0, 1), INT(20)},
         .relative = 1e-6),
    ROW("descriptor_matmul", descriptor_matmul, matmul_transposed, .grid = {2, 2},
        .arguments = {IN(F16, 50 * 80, -1, 1), IN(F16, 48 * 80, -1, 1), OUT(F32, 50 * 48), INT(50), INT(48),
                      INT(80)},
        .absolute = 2e-5, .warps = "14", .stages = "134"),
    CASE(descriptor_experts, .grid = {2, EXPERTS + 2},
         .arguments = {WHOLE(F16, EXPERTS *EXPERT_ROWS *EXPERT_DEPTH, -2, 2),
                       WHOLE(F16, EXPERTS *EXPERT_DEPTH *EXPERT_COLUMNS, -2, 2),
                       OUT(F16, EXPERTS *EXPERT_ROWS *EXPERT_COLUMNS), INT(EXPERTS), INT(EXPERT_ROWS),
                       INT(EXPERT_COLUMNS), INT(EXPERT_DEPTH)},
         .warps = "4", .stages = "34", .maps = 2),
    ROW("descriptor_experts.128", descriptor_experts, descriptor_experts, .defines = "BM=128",
        .grid = {1, EXPERTS + 2},
        .arguments = {WHOLE(F16, EXPERTS *EXPERT_ROWS *EXPERT_DEPTH, -2, 2),
                      WHOLE(F16, EXPERTS *EXPERT_DEPTH *EXPERT_COLUMNS, -2, 2),
                      OUT(F16, EXPERTS *EXPERT_ROWS *EXPERT_COLUMNS), INT(EXPERTS), INT(EXPERT_ROWS),
                      INT(EXPERT_COLUMNS), INT(EXPERT_DEPTH)},
        .warps = "48", .stages = "3", .maps = 3),
    CASE(descriptor_parameters, .grid = {3},
         .arguments = {IN(F16, 40 * 56, -4, 4), INT(40), INT(48), INT(56), OUT(F16, 48 * 48), INT(48),
                       INT(40), INT(48)},
         .warps = "14"),
    CASE_OF(descriptor_parameters_in_part, descriptor_parameters, .grid = {3},
            .arguments = {IN(F16, 40 * 56, -4, 4), INT(40), INT(48), INT(56), OUT(F16, 48 * 48), INT(48),
                          INT(37), INT(48)},
            .warps = "14"),
    {.name = "descriptor_extremes",
     .kernel = "descriptor_extremes",
     .arguments = {IN(F16, 256, -4, 4), BOTH(F16, 960, -4, 4), BOTH(BF16, 960, -4, 4)},
     .reference = descriptor_extremes,
     .warps = "14",
     .refusals = {{"sm_75", "needs a chip with tensor copies"},
                  {"sm_80", "needs a chip with tensor copies"},
                  {"sm_89", "needs a chip with tensor copies"},
                  {"gfx90a", "needs a chip with tensor copies"},
                  {"gfx942", "needs a chip with tensor copies"},
                  {"gfx950", "needs a chip with tensor copies"},
                  {"gfx1100", "needs a chip with tensor copies"},
                  {"gfx1200", "needs a chip with tensor copies"},
                  {"gfx1250", "needs a chip with tensor copies"}}},
};

FAMILY(block);
