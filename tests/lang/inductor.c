// Kernels as TorchInductor writes them.
#include "lang.h"

#include <math.h>
#include <string.h>

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static void pointwise(struct lang_run *r) {
    for (size_t i = 0; i < 1000; i++) {
        double x = real(r, 0, i);
        put_real(r, 2, i, isnan(x) ? x : fmin(fmax(x, 0.25), 0.75));
        put_integer(r, 3, i, floor_div(integer(r, 1, i), 7));
        put_integer(r, 4, i, integer(r, 1, i) - 7 * floor_div(integer(r, 1, i), 7));
    }
}

static void transposed(struct lang_run *r) {
    for (size_t i = 0; i < 1000; i++) {
        put_bits(r, 1, i / 50 + 20 * (i % 50), bits(r, 0, i));
    }
}

static void softmax(struct lang_run *r) {
    for (size_t row = 0; row < 20; row++) {
        size_t best = 0;
        double sum = 0;
        for (size_t i = 1; i < 50; i++) {
            best = real(r, 0, row * 50 + i) > real(r, 0, row * 50 + best) ? i : best;
        }
        for (size_t i = 0; i < 50; i++) {
            sum += exp(real(r, 0, row * 50 + i) - real(r, 0, row * 50 + best));
        }
        for (size_t i = 0; i < 50; i++) {
            put_real(r, 1, row * 50 + i, exp(real(r, 0, row * 50 + i) - real(r, 0, row * 50 + best)) / sum);
        }
        put_integer(r, 2, row, (int64_t)best);
    }
}

static void welford(struct lang_run *r) {
    for (size_t row = 0; row < 6; row++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < 3000; i++) {
            mean += real(r, 0, row * 3000 + i) / 3000;
        }
        for (size_t i = 0; i < 3000; i++) {
            variance += pow(real(r, 0, row * 3000 + i) - mean, 2) / 3000;
        }
        put_real(r, 1, row, mean);
        put_real(r, 2, row, variance);
    }
}

static void reciprocal_norm(struct lang_run *r) {
    for (size_t row = 0; row < 6; row++) {
        double sum = 0;
        for (size_t i = 0; i < 300; i++) {
            sum += pow(real(r, 0, row * 300 + i), 2);
        }
        put_real(r, 1, row, 1 / sqrt(sum));
    }
}

// Stable and falling, by insertion.
static void sort(struct lang_run *r) {
    for (size_t row = 0; row < 5; row++) {
        size_t order[40];
        for (size_t i = 0; i < 40; i++) {
            size_t at = i;
            for (; at > 0 && real(r, 0, row * 40 + order[at - 1]) < real(r, 0, row * 40 + i); at--) {
                order[at] = order[at - 1];
            }
            order[at] = i;
        }
        for (size_t i = 0; i < 40; i++) {
            put_real(r, 1, row * 40 + i, real(r, 0, row * 40 + order[i]));
            put_integer(r, 2, row * 40 + i, (int64_t)order[i]);
        }
    }
}

// NaN above all.
static bool stands_before(double x, double y, bool descending) {
    return descending ? x > y || (isnan(x) && !isnan(y)) : x < y || (!isnan(x) && isnan(y));
}

static void sort_keyed(struct lang_run *r, bool descending) {
    for (size_t row = 0; row < 4; row++) {
        double all[64];
        size_t order[64];
        for (size_t i = 0; i < 64; i++) {
            all[i] = i == 11 * row       ? NAN
                     : i == 5 + 9 * row  ? -INFINITY
                     : i == 60 - 9 * row ? INFINITY
                                         : (double)integer(r, 0, row * 64 + i) - 100;
            size_t at = i;
            for (; at > 0 && stands_before(all[i], all[order[at - 1]], descending); at--) {
                order[at] = order[at - 1];
            }
            order[at] = i;
        }
        for (size_t i = 0; i < 64; i++) {
            put_real(r, 1, row * 64 + i, all[order[i]]);
            put_integer(r, 2, row * 64 + i, (int64_t)order[i]);
        }
    }
}

static void sort_rising(struct lang_run *r) {
    sort_keyed(r, false);
}

static void sort_falling(struct lang_run *r) {
    sort_keyed(r, true);
}

static void buckets(struct lang_run *r) {
    for (size_t i = 0; i < 100; i++) {
        double x = real(r, 0, i);
        int exponent;
        int64_t below = 0;
        for (size_t j = 0; j < 20; j++) {
            below += real(r, 1, j) < x;
        }
        put_integer(r, 2, i, below);
        put_real(r, 3, i, frexp(x, &exponent));
        put_integer(r, 4, i, exponent);
    }
}

static void online_softmax(struct lang_run *r) {
    for (size_t row = 0; row < 6; row++) {
        double most = -INFINITY, sum = 0;
        for (size_t i = 0; i < 500; i++) {
            most = fmax(most, real(r, 0, row * 500 + i));
        }
        for (size_t i = 0; i < 500; i++) {
            sum += exp(real(r, 0, row * 500 + i) - most);
        }
        put_real(r, 1, row, most);
        put_real(r, 2, row, sum);
    }
}

// Two products of 64x96 and 96x128, halved.
static void batched_product(struct lang_run *r) {
    for (size_t i = 0; i < 2 * 64 * 128; i++) {
        size_t batch = i / 8192, row = i / 128, column = i % 128;
        double sum = 0;
        for (size_t k = 0; k < 96; k++) {
            sum += real(r, 0, row * 96 + k) * real(r, 1, batch * 12288 + k * 128 + column);
        }
        put_real(r, 2, i, sum / 2);
    }
}

static void helper_values(struct lang_run *r) {
    size_t least = 0;
    for (size_t i = 1; i < 64; i++) {
        least = real(r, 0, i) < real(r, 0, least) ? i : least;
    }
    put_real(r, 1, 0, real(r, 0, least));
    put_real(r, 1, 1, real(r, 0, least));
    put_real(r, 1, 2, real(r, 0, 17));
    put_real(r, 1, 3, real(r, 0, 5));
    put_real(r, 1, 4, real(r, 0, least));
    put_integer(r, 2, 0, (int64_t)least);
    put_integer(r, 2, 1, 64);
    put_integer(r, 2, 2, 64);
}

// One program: nothing before it. Its word has the sum in the upper half and the flag 2.
static void scan_across(struct lang_run *r) {
    double sum = 0;
    for (size_t i = 0; i < 64; i++) {
        sum += real(r, 0, i);
    }
    union {
        float value;
        uint32_t bits;
    } whole = {(float)sum};
    put_integer(r, 1, 0, (int64_t)((uint64_t)whole.bits << 32 | 2));
    put_integer(r, 2, 0, 0x80000000);
    put_real(r, 3, 0, 0);
    put_real(r, 3, 1, sum);
    put_real(r, 3, 2, 2);
    put_real(r, 3, 3, 1);
}

static double of_e4m3(unsigned byte) {
    int exponent = byte >> 3 & 15;
    double size = exponent ? ldexp(8 + (byte & 7), exponent - 10) : ldexp(byte & 7, -9);
    return (byte & 127) == 127 ? NAN : byte & 128 ? -size : size;
}

static void newer_helpers(struct lang_run *r) {
    double least = INFINITY, most = -INFINITY, sum = 0;
    size_t first = 0, last = 0;
    for (size_t i = 0; i < 64; i++) {
        double x = real(r, 0, i);
        int64_t power = 1;
        for (size_t n = 0; n < i % 5; n++) {
            power *= (int64_t)i - 32;
        }
        float next = nextafterf((float)x, (float)real(r, 1, i));
        int32_t word;
        memcpy(&word, &next, sizeof word);
        put_integer(r, 5, 67 + i, word);
        put_real(r, 4, i, of_e4m3((unsigned)integer(r, 2, i)));
        put_integer(r, 5, i, power);
        first = x < least ? i : first;
        last = x > most ? i : last;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    for (size_t i = 0; i < 64; i++) {
        sum += exp(real(r, 0, i) - most);
    }
    put_real(r, 4, 64, most);
    put_real(r, 4, 65, sum);
    put_real(r, 4, 66, most - least);
    put_real(r, 4, 67, most - least);
    put_integer(r, 5, 64, (int64_t)(first * 64 + last));
    put_integer(r, 5, 65, 1);
    put_integer(r, 5, 66, 0);
    put_integer(r, 3, 0, 2);
    put_integer(r, 3, 2, 2016);
}

#define SORT_BY_KEYS(TYPE)                                                                                   \
    ROW("sort_rising_" NAME_##TYPE, sort_by_keys, sort_rising, .signature = "*i32, *" NAME_##TYPE ", *i16",  \
        .defines = "DESCENDING=0", .arguments = {PERMUTE(I32, 256), OUT(TYPE, 256), OUT(I16, 256)},          \
        .warps = "14"),                                                                                      \
        ROW("sort_falling_" NAME_##TYPE, sort_by_keys, sort_falling,                                         \
            .signature = "*i32, *" NAME_##TYPE ", *i16", .defines = "DESCENDING=1",                          \
            .arguments = {PERMUTE(I32, 256), OUT(TYPE, 256), OUT(I16, 256)}, .warps = "18")

static const struct lang_case inductor_cases[] = {
    CASE(newer_helpers,
         .arguments = {IN(F32, 64, -3, 3), IN(F32, 64, -3, 3), IN(U8, 64, 0, 255), BOTH(U64, 3, 0, 0),
                       OUT(F32, 68), OUT(I64, 131)},
         .relative = 1e-6),
    CASE(scan_across, .arguments = {{ARGUMENT_INPUT, F32, 64, GENERATE_WHOLE, -9, 9},
                                    BOTH(U64, 1, 0, 0),
                                    BOTH(U32, 1, 0, 0),
                                    OUT(F32, 4)}),
    CASE(helper_values, .arguments = {IN(F32, 64, -3, 3), OUT(F32, 5), OUT(I64, 3)}),
    ROW("pointwise", triton_poi_fused_0, pointwise, .grid = {4},
        .arguments = {SPECIAL(F32, 1000, -2, 2), IN(I32, 1000, -100, 100), OUT(F32, 1000), OUT(I32, 1000),
                      OUT(I32, 1000), INT(1000)}),
    ROW("transposed", triton_poi_fused_1, transposed, .grid = {1, 2},
        .arguments = {IN(F16, 1000, -1, 1), OUT(F16, 1000), INT(50), INT(20)}),
    ROW("softmax", triton_per_fused_2, softmax, .grid = {20},
        .arguments = {IN(F32, 1000, -5, 5), OUT(F32, 1000), OUT(I64, 20), INT(20), INT(50)}, .relative = 1e-5,
        .warps = "12"),
    ROW("welford", triton_red_fused_3, welford, .grid = {6},
        .arguments = {IN(F32, 18000, -1, 3), OUT(F32, 6), OUT(F32, 6), INT(6), INT(3000)}, .relative = 1e-5,
        .warps = "8", .stages = "1"),
    ROW("oldest_decorator", triton__8, reciprocal_norm, .grid = {6},
        .arguments = {IN(F32, 1800, -1, 3), OUT(F32, 6), INT(6), INT(300)}, .relative = 1e-5),
    ROW("sort", triton_per_fused_sort_4, sort, .grid = {5},
        .arguments = {IN(F32, 200, -3, 3), OUT(F32, 200), OUT(I16, 200), INT(5), INT(40)}, .warps = "12"),
    SORT_BY_KEYS(F16),
    SORT_BY_KEYS(BF16),
    SORT_BY_KEYS(F32),
    SORT_BY_KEYS(F64),
    ROW("buckets", triton_poi_fused_5, buckets, .grid = {1},
        .arguments = {IN(F32, 100, -2, 12), IOTA(F32, 20, -5), OUT(I64, 100), OUT(F32, 100), OUT(I32, 100),
                      INT(100)}),
    ROW("online_softmax", triton_red_fused_online_6, online_softmax, .grid = {1},
        .arguments = {IN(F32, 3000, -5, 5), OUT(F32, 6), OUT(F32, 6), INT(6), INT(500)}, .relative = 1e-5,
        .warps = "24"),
    ROW("batched_product", triton_tem_fused_bmm_mul_7, batched_product, .grid = {2, 2},
        .arguments = {IN(F16, 12288, -1, 1), IN(F16, 24576, -1, 1), OUT(F16, 16384)}, .absolute = 1e-2,
        .warps = "4", .stages = "3"),
};

FAMILY(inductor);
