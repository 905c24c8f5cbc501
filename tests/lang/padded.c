// Tiles with other extents than powers of two (--pad-shapes).
#include "lang.h"

enum { ROWS = 5, COLUMNS = 48 };

static void doubled(struct lang_run *r) {
    for (size_t i = 0; i < 96; i++) {
        put_real(r, 1, i, 2 * real(r, 0, i));
    }
}

static void of_row(struct lang_run *r, size_t row, int64_t *total, int64_t *most, int64_t *behind) {
    size_t first = 0, least = 0;
    int64_t sum = 0;
    for (size_t i = COLUMNS; i-- > 0;) {
        int64_t v = integer(r, 0, row * COLUMNS + i);
        first = v >= integer(r, 0, row * COLUMNS + first) ? i : first;
        least = v <= integer(r, 0, row * COLUMNS + least) ? i : least;
        sum += v;
        behind[i] += sum;
    }
    int64_t best = integer(r, 0, row * COLUMNS + first);
    put_integer(r, 1, row, best);
    put_integer(r, 1, ROWS + row, integer(r, 0, row * COLUMNS + least));
    put_integer(r, 1, 2 * ROWS + row, sum);
    put_integer(r, 1, 3 * ROWS + row, (int64_t)first);
    put_integer(r, 1, 4 * ROWS + row, (int64_t)least);
    *total += sum;
    *most = best > *most ? best : *most;
}

static void of_rows(struct lang_run *r) {
    int64_t total = 0, most = INT32_MIN, behind[COLUMNS] = {0};
    for (size_t row = 0; row < ROWS; row++) {
        of_row(r, row, &total, &most, behind);
    }
    put_integer(r, 1, 5 * ROWS, total);
    put_integer(r, 1, 5 * ROWS + 1, most);
    for (size_t i = 0; i < COLUMNS; i++) {
        put_integer(r, 1, 5 * ROWS + 2 + i, behind[i]);
    }
}

static void lowest(struct lang_run *r) {
    put_integer(r, 1, 0, 0);
    put_integer(r, 1, 1, 1);
}

static void product(struct lang_run *r) {
    for (size_t i = 0; i < 48 * 40; i++) {
        double sum = 0;
        for (size_t k = 0; k < 72; k++) {
            sum += real(r, 0, i / 40 * 72 + k) * real(r, 1, k * 40 + i % 40);
        }
        put_real(r, 2, i, sum);
    }
}

static void regrouped(struct lang_run *r) {
    for (size_t i = 0; i < 3; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < 32; k++) {
            sum += integer(r, 0, 32 * i + k);
        }
        put_integer(r, 1, i, sum);
    }
    for (size_t i = 0; i < 12; i++) {
        put_integer(r, 1, 3 + i, integer(r, 0, 5 + i));
    }
    put_integer(r, 1, 15, integer(r, 0, 95));
    for (size_t i = 0; i < 96; i++) {
        put_integer(r, 1, 16 + i, integer(r, 0, 95 - i));
    }
}

static void sliced(struct lang_run *r) {
    for (size_t i = 0; i < 36; i++) {
        put_integer(r, 1, i, integer(r, 0, i));
    }
    for (size_t i = 0; i < 30; i++) {
        put_integer(r, 1, 36 + i, integer(r, 0, i / 6 * 12 + 6 + i % 6));
    }
    for (size_t i = 0; i < 4; i++) {
        put_integer(r, 1, 66 + i, integer(r, 0, 2 * 12 + 4 + i));
        put_integer(r, 1, 70 + i, integer(r, 0, 4 * 12 + 3 * i));
    }
    for (size_t i = 0; i < 3; i++) {
        put_integer(r, 1, 74 + i, integer(r, 0, 3 + i));
    }
    for (size_t i = 0; i < 6; i++) {
        put_integer(r, 1, 77 + i, integer(r, 0, i));
    }
}

// How many of the row's elements stand before element i when equal ones keep their order.
static size_t rank_in_row(struct lang_run *r, size_t row, size_t i) {
    size_t before = 0;
    for (size_t k = 0; k < 16; k++) {
        int64_t a = integer(r, 0, row * 16 + k), b = integer(r, 0, row * 16 + i);
        before += a < b || (a == b && k < i);
    }
    return before;
}

static void sorted_rows(struct lang_run *r) {
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < 16; i++) {
            int64_t value = integer(r, 0, row * 16 + i);
            size_t rank = rank_in_row(r, row, i);
            put_integer(r, 1, row * 16 + rank, value);
            if (rank < 4) {
                put_integer(r, 1, 48 + row * 4 + rank, value);
            }
            put_integer(r, 1, 60 + row * 16 + 15 - i, value);
            put_integer(r, 1, 108 + row * 16 + rank, (int64_t)i);
        }
    }
}

static void counted(struct lang_run *r) {
    int64_t counts[8] = {0};
    for (size_t i = 0; i < 100; i++) {
        counts[integer(r, 0, i)]++;
    }
    for (size_t i = 0; i < 8; i++) {
        put_integer(r, 1, i, counts[i]);
        put_integer(r, 1, 8 + i, integer(r, 1, 8 + i) + counts[i]);
    }
}

#define PADDED(NAME, ...) ROW(#NAME, NAME, NAME, .pads = true, __VA_ARGS__)
#define REFUSED(NAME, TEXT)                                                                                  \
    ROW(#NAME, NAME, NULL, .pads = true, .arguments = {IN(F32, 64, 0, 1)}, .refusals = {{"*", TEXT}})

static const struct lang_case padded_cases[] = {
    PADDED(doubled, .arguments = {BITS(F32, 96), OUT(F32, 96)}, .warps = "14"),
    PADDED(of_rows, .arguments = {IN(I32, ROWS *COLUMNS, -90, -2), OUT(I32, 5 * ROWS + 2 + COLUMNS)},
           .warps = "148"),
    PADDED(lowest, .arguments = {IN(F32, 7, -1, 1), OUT(I32, 2)}),
    PADDED(product, .arguments = {WHOLE(F16, 48 * 72, -3, 3), WHOLE(F16, 72 * 40, -3, 3), OUT(F32, 48 * 40)},
           .warps = "48"),
    PADDED(regrouped, .arguments = {IN(I32, 96, -90, 90), OUT(I32, 112)}, .warps = "14"),
    PADDED(sliced, .arguments = {IN(I32, 60, -90, 90), OUT(I32, 83)}, .warps = "14"),
    PADDED(sorted_rows, .arguments = {IN(I32, 48, -9, 9), OUT(I32, 156)}, .warps = "14"),
    PADDED(counted, .arguments = {IN(I32, 100, 0, 7), BOTH(I32, 16, 0, 9)}),
    REFUSED(sorted_tile, "tl.sort of 48 elements: the number must be a power of two"),
    REFUSED(places_of_sorted, "tl.sort of 48 elements: the number must be a power of two"),
    REFUSED(best_of_padded, "tl.topk of 48 elements: the number must be a power of two"),
    REFUSED(turned_tile, "tl.flip of 48 elements: the number must be a power of two"),
    REFUSED(any_combination, "tl.reduce does not take tiles whose extents are no powers of two in this way"),
    REFUSED(mixed_reshape, "of both shapes the first extent alone may be no power of two"),
};

FAMILY(padded);
