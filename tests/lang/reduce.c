// Reductions and scans.
#include "lang.h"

#include <math.h>
#include <string.h>

// Sums of integers wrap to the output; sums of reals are exact enough in float64.
static void put_sum(struct lang_run *r, unsigned to, size_t at, size_t from, size_t count, size_t step) {
    double sum = 0;
    uint64_t whole = 0;
    for (size_t i = 0; i < count; i++) {
        if (element_is_real(r->test->arguments[0].element)) {
            sum += real(r, 0, from + i * step);
        } else {
            whole += (uint64_t)integer(r, 0, from + i * step);
        }
    }
    if (element_is_real(r->test->arguments[0].element)) {
        put_real(r, to, at, sum);
    } else {
        put_bits(r, to, at, whole);
    }
}

static void sum_all(struct lang_run *r) {
    put_sum(r, 1, 0, 0, r->test->arguments[0].count, 1);
}

static void sum_masked(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t i = 0; i < 3; i++) {
        put_sum(r, 1, i, i * n, n, 1);
    }
}

static void sum_of_squares(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            double difference = real(r, 0, i * n + k) - 0.5;
            sum += difference * difference;
        }
        put_real(r, 1, i, sum);
    }
}

static void sum_axes(struct lang_run *r) {
    size_t m = r->test->arguments[1].count, n = r->test->arguments[2].count;
    for (size_t i = 0; i < m; i++) {
        put_sum(r, 1, i, i * n, n, 1);
    }
    for (size_t j = 0; j < n; j++) {
        put_sum(r, 2, j, j, m, n);
    }
}

static void sum_keep_dims(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        double sum = 0;
        for (size_t j = 0; j < 32; j++) {
            sum += real(r, 0, i * 32 + j);
        }
        for (size_t j = 0; j < 32; j++) {
            put_real(r, 1, i * 32 + j, real(r, 0, i * 32 + j) - sum / 32);
        }
    }
}

static void sum_three(struct lang_run *r) {
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 16; k++) {
            put_sum(r, 1, i * 16 + k, i * 128 + k, 8, 16);
        }
    }
    put_sum(r, 1, 64, 0, 512, 1);
}

static void sum_of_bools(struct lang_run *r) {
    int64_t count = 0;
    for (size_t i = 0; i < 256; i++) {
        count += integer(r, 0, i) > 0;
    }
    put_integer(r, 1, 0, count);
    put_integer(r, 1, 1, count);
}

// True if element a comes before b in the order of the type.
static bool below(struct lang_run *r, size_t a, size_t b) {
    enum element element = r->test->arguments[0].element;
    if (element_is_real(element)) {
        return real(r, 0, a) < real(r, 0, b);
    }
    if (element >= U8 && element <= U64) {
        return bits(r, 0, a) < bits(r, 0, b);
    }
    return integer(r, 0, a) < integer(r, 0, b);
}

// The first of the smallest, or of the largest.
static size_t find(struct lang_run *r, size_t from, size_t count, size_t step, bool largest) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (largest ? below(r, from + best * step, from + i * step)
                    : below(r, from + i * step, from + best * step)) {
            best = i;
        }
    }
    return best;
}

static void extremes(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        put_bits(r, 1, i, bits(r, 0, i * 64 + find(r, i * 64, 64, 1, false)));
    }
    for (size_t j = 0; j < 64; j++) {
        put_bits(r, 2, j, bits(r, 0, j + 64 * find(r, j, 16, 64, true)));
    }
}

static void indices(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        put_integer(r, 1, i, (int64_t)find(r, i * 64, 64, 1, false));
    }
    for (size_t j = 0; j < 64; j++) {
        put_integer(r, 2, j, (int64_t)find(r, j, 16, 64, true));
    }
}

static void with_indices(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        size_t row = i % 16 * 64, at = find(r, row, 64, 1, i < 16);
        put_bits(r, 1, i, bits(r, 0, row + at));
        put_integer(r, 2, i, (int64_t)at);
    }
}

static void xor_all(struct lang_run *r) {
    uint64_t all = 0;
    for (size_t i = 0; i < 256; i++) {
        all ^= bits(r, 0, i);
    }
    put_bits(r, 1, 0, all);
}

static void reduce_product(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        double product = 1;
        for (size_t j = 0; j < 16; j++) {
            product *= real(r, 0, i * 16 + j);
        }
        put_real(r, 1, i, product);
    }
}

static void reduce_welford(struct lang_run *r) {
    for (size_t i = 0; i < 8; i++) {
        double mean = 0, squares = 0;
        for (size_t j = 0; j < 128; j++) {
            mean += real(r, 0, i * 128 + j) / 128;
        }
        for (size_t j = 0; j < 128; j++) {
            squares += (real(r, 0, i * 128 + j) - mean) * (real(r, 0, i * 128 + j) - mean);
        }
        put_real(r, 1, i, mean);
        put_real(r, 2, i, squares / 128);
    }
}

static void cumulative(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 64; j++) {
            put_sum(r, 1, i * 64 + j, i * 64, j + 1, 1);
            put_sum(r, 2, i * 64 + j, j, i + 1, 64);
        }
    }
}

static void cumulative_reverse(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_sum(r, 1, i, i, 512 - i, 1);
    }
}

static void cumulative_product(struct lang_run *r) {
    double product = 1;
    for (size_t i = 0; i < 32; i++) {
        put_real(r, 1, i, product *= real(r, 0, i));
    }
}

static void scan_recurrence(struct lang_run *r) {
    double state = 0;
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 2, i, state = real(r, 0, i) * state + real(r, 1, i));
    }
}

static void scan_maximum(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, i % 32 ? fmax(real(r, 0, i), wanted_real(r, 1, i - 1)) : real(r, 0, i));
    }
}

static void scan_places(struct lang_run *r) {
    for (size_t i = 0, best = 0; i < 1024; i++) {
        best = i % 512 == 0 || real(r, 0, i) >= real(r, 0, best) ? i : best;
        put_real(r, 1, i, real(r, 0, best));
        put_integer(r, 2, i, (int64_t)(best % 512));
    }
}

static void scan_columns(struct lang_run *r) {
    enum { ROWS = 256, COLUMNS = 128 };
    for (size_t j = 0; j < COLUMNS; j++) {
        for (size_t i = 0, best = 0; i < ROWS; i++) {
            best = real(r, 0, i * COLUMNS + j) >= real(r, 0, best * COLUMNS + j) ? i : best;
            put_real(r, 1, i * COLUMNS + j, real(r, 0, best * COLUMNS + j));
            put_integer(r, 2, i * COLUMNS + j, (int64_t)best);
        }
    }
}

static void flip_large(struct lang_run *r) {
    enum { ROWS = 128, COLUMNS = 256 };
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        put_bits(r, 1, i, bits(r, 0, (ROWS - 1 - i / COLUMNS) * COLUMNS + i % COLUMNS));
    }
}

static void scan_bytes(struct lang_run *r) {
    int64_t sum = 0, begun = 0;
    for (size_t i = 0; i < 1024; i++) {
        int64_t starts = (integer(r, 0, i) & 3) == 0;
        put_integer(r, 1, i, sum = starts ? integer(r, 0, i) : (int8_t)(sum + integer(r, 0, i)));
        put_integer(r, 2, i, begun |= starts);
    }
}

static void histogram(struct lang_run *r) {
    size_t bins = r->test->arguments[1].count, n = r->count > 2 ? (size_t)scalar(r, 2) : 512;
    for (size_t b = 0; b < bins; b++) {
        int64_t count = 0;
        for (size_t i = 0; i < n; i++) {
            count += integer(r, 0, i) == (int64_t)b;
        }
        put_integer(r, 1, b, count);
    }
}

static void sort(struct lang_run *r) {
    for (size_t row = 0; row < 4; row++) {
        for (size_t i = 0; i < 64; i++) {
            size_t rank = 0; // number of elements before this one
            for (size_t j = 0; j < 64; j++) {
                rank += below(r, row * 64 + j, row * 64 + i) ||
                        (j < i && real(r, 0, row * 64 + j) == real(r, 0, row * 64 + i));
            }
            put_bits(r, 1, row * 64 + rank, bits(r, 0, row * 64 + i));
            put_bits(r, 2, row * 64 + 63 - rank, bits(r, 0, row * 64 + i));
        }
    }
}

static void top_four(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        size_t rank = 0;
        for (size_t j = 0; j < 64; j++) {
            rank +=
                below(r, i, j) || (j < i && integer(r, 0, j) == integer(r, 0, i)); // the largest comes first
        }
        if (rank < 4) {
            put_integer(r, 1, rank, integer(r, 0, i));
        }
    }
}

static void cumulative_integers(struct lang_run *r) {
    enum element type = r->test->arguments[0].element;
    bool is_unsigned = type == U8 || type == U16 || type == U32 || type == I1,
         wide = element_bytes(type) == 8;
    uint64_t product = 1, sum = 0, reverse = 1;
    for (size_t i = 0; i < 32; i++) {
        product *= (uint64_t)integer(r, 0, i);
        sum += (uint64_t)integer(r, 0, i);
        reverse *= (uint64_t)integer(r, 0, 31 - i);
        uint64_t all[] = {product, reverse, sum};
        size_t at[] = {i, 32 + 31 - i, 64 + i};
        for (size_t n = 0; n < 3; n++) {
            int64_t narrow = is_unsigned ? (int64_t)(uint32_t)all[n] : (int64_t)(int32_t)all[n];
            put_integer(r, 1, at[n], wide ? (int64_t)all[n] : narrow);
        }
        put_integer(r, 2, i, (int64_t)product);
    }
}

static void top_of_rows(struct lang_run *r) {
    size_t k = strstr(r->test->defines, "K=1 ") ? 1 : strstr(r->test->defines, "K=8 ") ? 8 : 16;
    bool falls = strstr(r->test->defines, "DESCENDING=True") != NULL;
    for (size_t i = 0; i < 64; i++) {
        size_t rank = 0, row = i / 16 * 16;
        for (size_t j = row; j < row + 16; j++) {
            int64_t a = integer(r, 0, j), b = integer(r, 0, i);
            rank += (falls ? a > b : a < b) || (a == b && j < i);
        }
        if (rank < k) {
            put_integer(r, 1, i / 16 * k + rank, integer(r, 0, i));
        }
    }
}

static void softmax_rows(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t i = 0; i < 8; i++) {
        double peak = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            peak = fmax(peak, real(r, 0, i * n + j));
        }
        for (size_t j = 0; j < n; j++) {
            sum += exp(real(r, 0, i * n + j) - peak);
        }
        for (size_t j = 0; j < n; j++) {
            put_real(r, 1, i * n + j, exp(real(r, 0, i * n + j) - peak) / sum);
        }
    }
}

// A row's running maximum changes only for values higher by more than 4.
static void slow_peaks(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 3);
    for (size_t i = 0; i < 32; i++) {
        float peak = -INFINITY;
        double total = 0;
        for (size_t start = 0; start < n; start += 32) {
            float values[32], most = NAN;
            for (size_t j = 0; j < 32; j++) {
                values[j] = (float)real(r, 0, i * n + start + j) * (float)(start + 32);
                most = fmaxf(most, values[j]);
            }
            float higher = fmaxf(peak, most * 0.125f);
            higher = higher - peak > 4 ? higher : peak;
            total *= exp2((double)peak - higher);
            for (size_t j = 0; j < 32; j++) {
                total += exp2((double)values[j] * 0.125 - higher);
            }
            peak = higher;
        }
        put_real(r, 1, i, peak);
        put_real(r, 2, i, total);
    }
}

static void reduce_twice(struct lang_run *r) {
    double most = -INFINITY, total = 0;
    for (size_t i = 0; i < 32; i++) {
        double sum = 0, peak = -INFINITY;
        for (size_t j = 0; j < 32; j++) {
            sum += real(r, 0, i * 32 + j);
            peak = fmax(peak, real(r, 0, j * 32 + i));
        }
        most = fmax(most, sum);
        total += peak;
    }
    put_real(r, 1, 0, most);
    put_real(r, 1, 1, total);
}

static void any_positive(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        int64_t any = 0;
        for (size_t j = 0; j < 16; j++) {
            any |= integer(r, 0, i * 16 + j) & 4;
        }
        put_integer(r, 1, i, any);
    }
}

// Elements that differ between threads are 0; the number of finite elements is exact.
static void one_index(struct lang_run *r) {
    int64_t finite = 0;
    for (size_t i = 0; i < 128; i++) {
        finite += isfinite(real(r, 0, i)) != 0;
    }
    for (size_t i = 0; i < 3; i++) {
        put_integer(r, 1, i, 0);
    }
    put_integer(r, 1, 3, finite);
}

static void zeros(struct lang_run *r) {
    for (size_t i = 0; i < r->test->arguments[1].count; i++) {
        put_integer(r, 1, i, 0);
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define SUM(FROM, TO, INPUT, WARPS, RELATIVE)                                                                \
    ROW("sum_all_" NAME_##FROM, sum_all, sum_all, .signature = P(FROM) ", " P(TO),                           \
        .arguments = {INPUT, OUT(TO, 1)}, .warps = WARPS, .relative = RELATIVE)
#define SUM_AXES(FROM, TO, INPUT, WARPS, RELATIVE)                                                           \
    ROW("sum_axes_" NAME_##FROM, sum_axes, sum_axes, .signature = P(FROM) ", " P(TO) ", " P(TO),             \
        .arguments = {INPUT, OUT(TO, 32), OUT(TO, 64)}, .warps = WARPS, .relative = RELATIVE)
#define EXTREMES(TYPE, INPUT, WARPS)                                                                         \
    ROW("extremes_" NAME_##TYPE, extremes, extremes, .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE),         \
        .arguments = {INPUT, OUT(TYPE, 16), OUT(TYPE, 64)}, .warps = WARPS)
#define INDICES(TYPE, INPUT, WARPS)                                                                          \
    ROW("indices_" NAME_##TYPE, indices, indices, .signature = P(TYPE) ", *i32, *i32",                       \
        .arguments = {INPUT, OUT(I32, 16), OUT(I32, 64)}, .warps = WARPS)
#define CUMULATIVE(FROM, TO, INPUT, RELATIVE)                                                                \
    ROW("cumulative_" NAME_##FROM, cumulative, cumulative, .signature = P(FROM) ", " P(TO) ", " P(TO),       \
        .arguments = {INPUT, OUT(TO, 1024), OUT(TO, 1024)}, .warps = "14", .relative = RELATIVE)

static void totals(struct lang_run *r) {
    int64_t n = scalar(r, 6), negatives = 7;
    double one = 3;
    for (int64_t row = 0; row < 16; row++) {
        double sum = 0, peak = real(r, 0, (size_t)(row * n)), decay = 0, block = 0;
        for (int64_t j = 0; j < n; j++) {
            double value = real(r, 0, (size_t)(row * n + j));
            sum += value;
            block += value;
            peak = j < n / 32 * 32 && value > peak ? value : peak;
            one += j < n / 32 * 32 ? value : 0;
            negatives += j < n / 32 * 32 && value < 0;
            if (j % 32 == 31 || j == n - 1) {
                decay = decay * (j % 32 == 31 ? 0.5 : 0.25) + block;
                block = 0;
            }
        }
        put_real(r, 1, (size_t)row, sum);
        put_real(r, 2, (size_t)row, peak);
        put_real(r, 3, (size_t)row, decay);
    }
    put_real(r, 4, 0, one);
    put_integer(r, 5, 0, negatives);
}

static void unbounded_parts(struct lang_run *r) {
    uint32_t wrapped = 0;
    for (size_t i = 0; i < 4; i++) {
        wrapped *= (uint32_t)-7;
        for (size_t j = 0; j < 128; j++) {
            wrapped += (uint32_t)integer(r, 1, i * 128 + j);
        }
    }
    put_real(r, 2, 0, 0);
    put_real(r, 2, 1, 3);
    put_real(r, 2, 2, INFINITY);
    put_real(r, 2, 3, 2e38);
    put_bits(r, 3, 0, wrapped);
}

// A promise lets neighbours share an answer of the mask.
#define SQUARES(NAME, SIGNATURE, N)                                                                          \
    ROW("sum_of_squares_" NAME, sum_of_squares, sum_of_squares, .signature = SIGNATURE, .grid = {3},         \
        .arguments = {IN(F32, 3 * N, 0, 1), OUT(F32, 3), INT(N)}, .warps = "148g", .relative = 1e-6)

static void columns_of_warps(struct lang_run *r) {
    size_t columns = r->test->arguments[2].count, rows = r->test->arguments[0].count / columns;
    for (size_t c = 0; c < columns; c++) {
        double sum = 0, again = 0;
        size_t place = 0;
        for (size_t i = 0; i < rows; i++) {
            sum += real(r, 0, i * columns + c);
            place = real(r, 0, i * columns + c) > real(r, 0, place * columns + c) ? i : place;
        }
        for (size_t i = 0; i < rows; i++) {
            again += real(r, 0, i * columns + c) * sum;
        }
        put_real(r, 1, c, sum);
        put_real(r, 1, columns + c, again);
        put_real(r, 2, c, real(r, 0, place * columns + c));
        put_integer(r, 3, c, (int64_t)place);
    }
}

static void rows_of_warps(struct lang_run *r) {
    size_t rows = r->test->arguments[1].count, n = r->test->arguments[0].count / rows;
    for (size_t i = 0; i < rows; i++) {
        size_t place = find(r, i * n, n, 1, true);
        double mean = 0, squares = 0;
        for (size_t j = 0; j < n; j++) {
            mean += real(r, 0, i * n + j) / (double)n;
        }
        for (size_t j = 0; j < n; j++) {
            squares += (real(r, 0, i * n + j) - mean) * (real(r, 0, i * n + j) - mean);
        }
        put_bits(r, 1, i, bits(r, 0, i * n + place));
        put_integer(r, 2, i, (int64_t)place);
        put_real(r, 3, i, mean);
        put_real(r, 3, rows + i, squares / (double)n);
        put_real(r, 3, 2 * rows + i, 0);
    }
}

static void row_of_warps(struct lang_run *r) {
    enum { N = 4096 };
    double sum = 0, squares = 0;
    size_t place = 0;
    for (size_t i = 0; i < N; i++) {
        sum += real(r, 0, i);
        squares += real(r, 0, i) * real(r, 0, i);
        place = real(r, 0, i) > real(r, 0, place) ? i : place;
    }
    for (size_t i = 0; i < N; i++) {
        put_real(r, 1, i, real(r, 0, i) - sum * 0.001);
        put_real(r, 1, N + i, real(r, 0, i) * squares);
    }
    put_real(r, 2, 0, real(r, 0, place));
    put_integer(r, 3, 0, (int64_t)place);
}

static void one_of_equals(struct lang_run *r) {
    double value = real(r, 0, 0);
    put_real(r, 1, 0, value);
    put_real(r, 1, 1, value > 3 ? value : 3);
}

#define COLUMNS_OF_WARPS(columns, rows, warps_)                                                              \
    ROW("columns_of_warps_" #columns, columns_of_warps, columns_of_warps,                                    \
        .defines = "COLUMNS=" #columns " ROWS=" #rows,                                                       \
        .arguments = {IN(F32, (columns) * (rows), -1, 2), OUT(F32, 2 * (columns)), OUT(F32, columns),        \
                      OUT(I32, columns)},                                                                    \
        .warps = warps_, .relative = 2e-6, .absolute = 2e-5)

#define ROWS_OF_WARPS(rows, n, warps_)                                                                       \
    ROW("rows_of_warps_" #rows, rows_of_warps, rows_of_warps, .defines = "ROWS=" #rows " N=" #n,             \
        .arguments = {WHOLE(F32, (rows) * (n), -99, 99), OUT(F32, rows), OUT(I32, rows),                     \
                      OUT(F32, 3 * (rows))},                                                                 \
        .warps = warps_, .relative = 4e-6, .absolute = 2e-5)

#define CUMULATIVE_INTEGERS(TYPE, INPUT)                                                                     \
    ROW("cumulative_integers_" NAME_##TYPE, cumulative_integers, cumulative_integers,                        \
        .signature = "*" NAME_##TYPE ", *i64, *i64", .arguments = {INPUT, OUT(I64, 96), OUT(I64, 32)})
#define TOP_OF_ROWS(K, DESCENDING)                                                                           \
    ROW("top_of_rows_" #K "_" #DESCENDING, top_of_rows, top_of_rows,                                         \
        .defines = "K=" #K " DESCENDING=" #DESCENDING, .arguments = {BITS(I32, 64), OUT(I32, 4 * K)})

static const struct lang_case reduce_cases[] = {
    SUM(I8, I32, BITS(I8, 512), "14", 0),
    SUM(I16, I32, BITS(I16, 512), "4", 0),
    SUM(I32, I32, BITS(I32, 512), "1248g", 0),
    SUM(I64, I64, BITS(I64, 512), "4", 0),
    SUM(U8, U32, BITS(U8, 512), "4", 0),
    SUM(U64, U64, BITS(U64, 512), "4", 0),
    SUM(F16, F16, IN(F16, 512, 0, 1), "4", 4e-3),
    SUM(BF16, F32, IN(BF16, 512, 0, 1), "4", 2e-2),
    SUM(F32, F32, IN(F32, 512, 0, 1), "1248g", 1e-6),
    SUM(F64, F64, IN(F64, 512, 0, 1), "48g", 1e-14),
    CASE(sum_masked, .grid = {3}, .arguments = {IN(F32, 3 * 777, 0, 1), OUT(F32, 3), INT(777)},
         .warps = "1248", .relative = 1e-6),
    SQUARES("any", "*fp32, *fp32, i32", 777),
    SQUARES("hinted", "*fp32:16, *fp32:16, i32:16", 784),
    SUM_AXES(F32, F32, IN(F32, 2048, 0, 1), "1248", 1e-6),
    SUM_AXES(I32, I32, BITS(I32, 2048), "14", 0),
    SUM_AXES(I8, I32, BITS(I8, 2048), "4", 0),
    SUM_AXES(F16, F16, IN(F16, 2048, 0, 1), "4", 4e-3),
    SUM_AXES(F64, F64, IN(F64, 2048, 0, 1), "4", 1e-14),
    SUM_AXES(I64, I64, BITS(I64, 2048), "4", 0),
    CASE_OF(sum_one_warp_column, sum_axes, .signature = "*fp32, *fp32, *fp32", .defines = "M=2 N=256",
            .arguments = {IN(F32, 512, 0, 1), OUT(F32, 2), OUT(F32, 256)}, .warps = "148", .relative = 1e-6),
    CASE_OF(sum_tall, sum_axes, .signature = "*fp32, *fp32, *fp32", .defines = "M=256 N=2",
            .arguments = {IN(F32, 512, 0, 1), OUT(F32, 256), OUT(F32, 2)}, .warps = "148", .relative = 1e-6),
    CASE(sum_keep_dims, .arguments = {IN(F32, 512, 0, 1), OUT(F32, 512)}, .warps = "14", .absolute = 1e-6),
    CASE(sum_three, .arguments = {IN(F32, 512, 0, 1), OUT(F32, 65)}, .warps = "148", .relative = 1e-6),
    CASE(sum_of_bools, .arguments = {BITS(I32, 256), OUT(I32, 2)}),
    ROW("sum_dtype", sum_dtype, sum_all, .arguments = {IN(F16, 512, 0, 1), OUT(F32, 1)}, .relative = 1e-6),
    EXTREMES(I8, BITS(I8, 1024), "4"),
    EXTREMES(I32, BITS(I32, 1024), "148"),
    EXTREMES(I64, BITS(I64, 1024), "4"),
    EXTREMES(U8, BITS(U8, 1024), "4"),
    EXTREMES(U32, BITS(U32, 1024), "4"),
    EXTREMES(F16, IN(F16, 1024, -9, 9), "4"),
    EXTREMES(BF16, IN(BF16, 1024, -9, 9), "4"),
    EXTREMES(F32, IN(F32, 1024, -9, 9), "148"),
    EXTREMES(F64, IN(F64, 1024, -9, 9), "4"),
    INDICES(F32, IN(F32, 1024, -9, 9), "148"),
    INDICES(I32, IN(I32, 1024, -2, 2), "148"), // ties: the first wins
    INDICES(F16, IN(F16, 1024, -9, 9), "4"),
    INDICES(I64, BITS(I64, 1024), "4"),
    CASE(with_indices, .arguments = {IN(F32, 1024, -9, 9), OUT(F32, 32), OUT(I32, 32)}, .warps = "14"),
    CASE_OF(xor_all_i32, xor_all, .signature = "*i32, *i32", .arguments = {BITS(I32, 256), OUT(I32, 1)},
            .warps = "14"),
    CASE_OF(xor_all_i64, xor_all, .signature = "*i64, *i64", .arguments = {BITS(I64, 256), OUT(I64, 1)}),
    CASE(reduce_product, .arguments = {IN(F32, 256, 0.8, 1.2), OUT(F32, 16)}, .relative = 4e-6),
    CASE(reduce_welford, .arguments = {IN(F32, 1024, -1, 3), OUT(F32, 8), OUT(F32, 8)}, .warps = "18",
         .relative = 4e-6),
    CUMULATIVE(F32, F32, IN(F32, 1024, 0, 1), 4e-6),
    CUMULATIVE(I32, I32, BITS(I32, 1024), 0),
    CUMULATIVE(I64, I64, BITS(I64, 1024), 0),
    CUMULATIVE(F64, F64, IN(F64, 1024, 0, 1), 1e-13),
    CASE(cumulative_reverse, .arguments = {BITS(I32, 512), OUT(I32, 512)}, .warps = "148"),
    CASE(cumulative_product, .arguments = {IN(F32, 32, 0.7, 1.4), OUT(F32, 32)}, .relative = 8e-6),
    CUMULATIVE_INTEGERS(I1, BITS(I1, 32)),
    CUMULATIVE_INTEGERS(I8, IN(I8, 32, -7, -1)),
    CUMULATIVE_INTEGERS(U8, IN(U8, 32, 1, 255)),
    CUMULATIVE_INTEGERS(I16, IN(I16, 32, -700, 700)),
    CUMULATIVE_INTEGERS(U16, IN(U16, 32, 1, 65535)),
    CUMULATIVE_INTEGERS(I32, BITS(I32, 32)),
    CUMULATIVE_INTEGERS(U32, BITS(U32, 32)),
    CUMULATIVE_INTEGERS(I64, BITS(I64, 32)),
    CASE(scan_recurrence, .arguments = {IN(F32, 256, 0.1, 0.9), IN(F32, 256, 0, 1), OUT(F32, 256)},
         .warps = "18", .relative = 4e-6),
    CASE(scan_maximum, .arguments = {IN(F32, 256, -9, 9), OUT(F32, 256)}),
    CASE(scan_places,
         .arguments = {{ARGUMENT_INPUT, F32, 1024, GENERATE_WHOLE, 0, 99}, OUT(F32, 1024), OUT(I64, 1024)},
         .warps = "48"),
    CASE(scan_columns,
         .arguments = {{ARGUMENT_INPUT, F32, 32768, GENERATE_WHOLE, 0, 99}, OUT(F32, 32768), OUT(I64, 32768)},
         .warps = "8g"),
    CASE(flip_large, .arguments = {BITS(F64, 32768), OUT(F64, 32768)}, .warps = "8"),
    CASE(scan_bytes, .arguments = {BITS(I8, 1024), OUT(I8, 1024), OUT(I32, 1024)}, .warps = "14"),
    CASE(histogram, .arguments = {IN(I32, 512, 0, 31), OUT(I32, 32)}, .warps = "148"),
    ROW("histogram_masked", histogram_masked, histogram,
        .arguments = {IN(I32, 200, 0, 15), OUT(I32, 16), INT(200)}),
    CASE(sort, .arguments = {IN(F32, 256, -9, 9), OUT(F32, 256), OUT(F32, 256)}, .warps = "14"),
    CASE(top_four, .arguments = {BITS(I32, 64), OUT(I32, 4)}),
    TOP_OF_ROWS(1, True),
    TOP_OF_ROWS(1, False),
    TOP_OF_ROWS(8, True),
    TOP_OF_ROWS(8, False),
    TOP_OF_ROWS(16, False),
    CASE(softmax_rows, .arguments = {IN(F32, 8 * 100, -9, 9), OUT(F32, 8 * 100), INT(100)}, .warps = "148",
         .relative = 4e-6, .absolute = 1e-30),
    CASE(slow_peaks, .arguments = {IN(F32, 32 * 640, -1, 1), OUT(F32, 32), OUT(F32, 32), INT(640)},
         .warps = "124", .relative = 4e-5),
    CASE_OF(slow_peaks_special, slow_peaks,
            .arguments = {SPECIAL(F32, 32 * 96, -1, 1), OUT(F32, 32), OUT(F32, 32), INT(96)}, .warps = "124",
            .relative = 4e-5),
    CASE(reduce_twice, .arguments = {IN(F32, 1024, 0, 1), OUT(F32, 2)}, .warps = "14", .relative = 2e-6),
    CASE(any_positive, .arguments = {IN(I32, 256, 0, 4), OUT(I32, 16)}),
    CASE_OF(one_index_of_equals, one_index, .arguments = {IN(F32, 128, 1, 1), OUT(I32, 4)}, .warps = "124"),
    CASE_OF(one_index_of_nans, one_index, .arguments = {SPECIAL(F32, 128, -2, 2), OUT(I32, 4)},
            .warps = "124"),
    ROW("one_mean", one_mean, zeros, .arguments = {IN(F32, 256, -1, 3), OUT(I32, 3)}, .warps = "124"),
    ROW("one_of_rows", one_of_rows, zeros, .arguments = {IN(I32, 512, -1, 1), OUT(I32, 48)}, .warps = "1248"),
    COLUMNS_OF_WARPS(128, 16, "148g"),
    COLUMNS_OF_WARPS(256, 32, "8g"),
    COLUMNS_OF_WARPS(512, 16, "g"),
    ROWS_OF_WARPS(2, 1024, "48"),
    ROWS_OF_WARPS(8, 1024, "148g"),
    ROWS_OF_WARPS(32, 256, "8g"),
    CASE(row_of_warps, .arguments = {IN(F32, 4096, -1, 2), OUT(F32, 8192), OUT(F32, 1), OUT(I32, 1)},
         .warps = "1248g", .relative = 2e-6, .absolute = 2e-6),
    CASE(one_of_equals, .arguments = {IN(F32, 1, 1, 5), OUT(F32, 2)}, .warps = "14"),
    ROW("doubled_totals", doubled_totals, zeros, .arguments = {IN(F32, 64, 1, 2), OUT(I32, 1), INT(200)},
        .warps = "148"),
    CASE(unbounded_parts, .arguments = {IN(F32, 1, 1, 1), BITS(I32, 512), OUT(F32, 4), OUT(I32, 1), INT(4)},
         .warps = "148", .relative = 1e-6),
    CASE(totals,
         .arguments = {IN(F32, 16 * 200, -1, 2), OUT(F32, 16), OUT(F32, 16), OUT(F32, 16), OUT(F32, 1),
                       OUT(I32, 1), INT(200)},
         .warps = "1248", .relative = 2e-6, .absolute = 2e-5),
};

FAMILY(reduce);
