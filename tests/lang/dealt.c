// Products of loaded lengths.
#include "lang.h"

static void counts(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 256; i++) {
        size_t n = (size_t)integer(r, 3, i / 64) + 63;
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < n / 64 * 64; k++) {
                sum += real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
        put_integer(r, 3, i / 64, 128 - integer(r, 3, i / 64));
    }
}

static void some_counts(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4);
    for (size_t i = 0; i < 256; i++) {
        size_t n = i / 64 < 2 ? (size_t)(integer(r, 3, i / 64) * scalar(r, 5) + 63) / 64 * 64 : 0;
        for (size_t j = 0; j < 64; j++) {
            double sum = 0;
            for (size_t k = 0; k < i / 64 * 64 || k < n; k++) {
                double once = real(r, 0, i * depth + k) * real(r, 1, k * 64 + j);
                sum += (k < i / 64 * 64 ? once : 0) + (k < n ? once : 0);
            }
            put_real(r, 2, i * 64 + j, sum);
        }
    }
}

static void groups_of_rows(struct lang_run *r) {
    for (size_t group = 0; group < (size_t)r->test->grid[0]; group++) {
        size_t first = group ? (size_t)integer(r, 3, group - 1) : 0, stop = (size_t)integer(r, 3, group);
        for (size_t at = 0; at < (size_t)64 * 64; at++) {
            double sum = 0;
            for (size_t k = first; k < stop; k++) {
                sum += real(r, 0, k * 64 + at / 64) * real(r, 1, k * 64 + at % 64);
            }
            put_real(r, 2, group * 64 * 64 + at, sum);
        }
    }
}

static void few_rows(struct lang_run *r) {
    size_t depth = (size_t)scalar(r, 4), most = (size_t)scalar(r, 5);
    for (size_t expert = 0; expert < (size_t)r->test->grid[1]; expert++) {
        for (size_t at = 0; at < (size_t)integer(r, 3, expert) * 64; at++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, (expert * most + at / 64) * depth + k) *
                       real(r, 1, (expert * depth + k) * 64 + at % 64);
            }
            put_real(r, 2, expert * most * 64 + at, sum);
        }
    }
}

static const struct lang_case dealt_cases[] = {
    CASE(counts, .grid = {4},
         .arguments = {WHOLE(F16, 32768, -3, 3), WHOLE(F16, 8192, -3, 3), OUT(F32, 16384),
                       BOTH(I32, 4, 0, 128), INT(128)}),
    CASE(some_counts, .grid = {4},
         .arguments = {WHOLE(F16, 65536, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 16384), IN(I32, 2, 0, 64),
                       INT(256), INT(3)}),
    CASE(
        groups_of_rows, .grid = {2},
        .arguments = {WHOLE(F16, 16384, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 8192), IN(I32, 2, 0, 256)},
        .maps = 3),
    ROW("groups_of_rows.many", groups_of_rows, groups_of_rows, .grid = {67},
        .arguments = {WHOLE(F16, 16384, -3, 3), WHOLE(F16, 16384, -3, 3), OUT(F32, 274432),
                      IN(I32, 67, 0, 256)},
        .maps = 3),
    // Of 60 x 20 programs at most 40 do something; of 1 x 20, and of 3 x 7, each may.
    ROW("few_rows.many", few_rows, few_rows, .grid = {60, 20},
        .arguments = {WHOLE(F16, 163840, -3, 3), WHOLE(F16, 81920, -3, 3), OUT(F32, 163840),
                      IN(I32, 20, 0, 128), INT(64), INT(128)},
        .maps = 2),
    ROW("few_rows.one", few_rows, few_rows, .grid = {1, 20},
        .arguments = {WHOLE(F16, 81920, -3, 3), WHOLE(F16, 81920, -3, 3), OUT(F32, 81920), IN(I32, 20, 0, 64),
                      INT(64), INT(64)},
        .maps = 2),
    ROW("few_rows.none", few_rows, few_rows, .grid = {3, 7},
        .arguments = {WHOLE(F16, 86016, -3, 3), WHOLE(F16, 28672, -3, 3), OUT(F32, 86016), IN(I32, 7, 0, 0),
                      INT(64), INT(192)},
        .maps = 2),
};

FAMILY(dealt);
