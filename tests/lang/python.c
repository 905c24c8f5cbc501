// Tuples, scalar functions over tiles, parameters of all kinds.
#include "lang.h"

#include <stdlib.h>

static void named_tuples(struct lang_run *r) {
    int64_t n = scalar(r, 2);
    for (size_t i = 0; i < 32; i++) {
        int64_t v = integer(r, 0, i + (size_t)n), step = 3;
        for (int64_t k = 0; k < n; k++) {
            v += k;
        }
        if (n > 2) {
            v *= 2;
            step++;
        }
        put_integer(r, 1, i, v + step * 10 + step);
    }
    put_integer(r, 1, 32, 2 + 2 + 1);
}

static void tuple_parameters(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        int64_t total = integer(r, 0, i) + integer(r, 1, i) + integer(r, 2, i);
        put_integer(r, 3, i, total * scalar(r, 4) + scalar(r, 5) * 7);
    }
}

static int64_t collatz(int64_t x, int64_t limit) {
    if (x < 0) {
        return -1;
    }
    int64_t half = x % 2 == 0 ? x / 2 : 3 * x + 1;
    return half > limit ? (x > 10 ? limit : 0) : half;
}

static void map_elementwise(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t x = integer(r, 0, i), o = (int64_t)i;
        put_integer(r, 1, i, collatz(x, 100));
        put_integer(r, 1, 64 + i, (x < o ? x : o) * 1000 + (x < o ? o : x));
        put_integer(r, 1, 128 + i, 3 * x + 3);
    }
    for (size_t i = 0; i < 64; i += 2) {
        int64_t a0 = integer(r, 0, i), a1 = integer(r, 0, i + 1), b0 = (int64_t)i, b1 = (int64_t)i + 1;
        put_integer(r, 2, i, (a0 > a1 ? a1 : a0) + b0);
        put_integer(r, 2, i + 1, (a0 > a1 ? a0 : a1) - b1);
    }
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t steps_to_one(int64_t x) {
    int64_t n = 0;
    for (; x > 1; n++) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    }
    return x > 0 ? n : -1;
}

static void map_elementwise_loops(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t x = integer(r, 0, i), total = 0, pairs = 0;
        for (int64_t j = (int64_t)i; j < x; j += (int64_t)i % 3 + 1) {
            total += j;
        }
        for (int64_t j = 0; j < x % 7; j++) {
            pairs += (x - j + 1) / 2;
        }
        put_integer(r, 1, i, __builtin_popcountll((unsigned long long)x));
        put_integer(r, 1, 64 + i, common_divisor(x, (int64_t)i + 1));
        put_integer(r, 1, 128 + i, total);
        put_integer(r, 1, 192 + i, steps_to_one(x - 10));
        put_integer(r, 1, 256 + i, pairs);
        put_integer(r, 1, 320 + i, 4 + x + 8);
    }
}

static int64_t sum_of_some(int64_t x) {
    int64_t total = 0;
    for (int64_t i = 1; i <= x; i++) {
        if (i > 20 && i % 3 != 0) {
            return total;
        }
        total += i % 3 == 0 ? 0 : i;
    }
    return total + 1000;
}

static int64_t factors(int64_t x) {
    for (int64_t i = 2; i < 9; i++) {
        for (int64_t j = 2; j < x && j < 14; j++) {
            if (i * j == x) {
                return i * 1000 + j;
            }
        }
    }
    return -x;
}

static void map_elementwise_jumps(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        int64_t x = integer(r, 0, i), n = 0, y = x;
        put_integer(r, 1, i, sum_of_some(x));
        put_integer(r, 1, 64 + i, factors(x));
        for (; y <= 40; n++) {
            y += n;
        }
        put_integer(r, 1, 128 + i, y * 100 + n);
        for (int64_t j = 0; j < 4 && (x > j + 30 || x != 7 * j); j++) {
            x += x <= j + 30;
        }
        put_integer(r, 1, 192 + i, x);
    }
}

static void conditions(struct lang_run *r) {
    int64_t i = 0;
    while (i * i < scalar(r, 1)) {
        i++;
    }
    put_integer(r, 0, 0, i);
}

static void parameters(struct lang_run *r) {
    int64_t n = scalar(r, 1);
    put_integer(r, 0, 0, (n + 2 + 3 + 4) * 2 + 4);
    put_integer(r, 0, 1, (n + 2) * 5 + 1);
    put_integer(r, 0, 2, (3 * n + 3) * 2);
    put_integer(r, 0, 3, 720);
}

static void whole_tile(struct lang_run *r) {
    size_t best = 0;
    int64_t large = 0;
    for (size_t i = 0; i < 256; i++) {
        best = real(r, 0, i) > real(r, 0, best) ? i : best;
        large += real(r, 0, i) > 0.5;
    }
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, real(r, 0, i) - real(r, 0, best));
    }
    put_integer(r, 2, 0, (int64_t)best);
    put_integer(r, 2, 1, large);
}

static void booleans(struct lang_run *r) {
    size_t zeros = 0;
    for (size_t i = 0; i < 64; i++) {
        zeros += !integer(r, 0, i);
    }
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, integer(r, 0, 63 - i));
        put_integer(r, 2, i, i >= zeros);
    }
}

static void none_paths(struct lang_run *r) {
    int64_t n = scalar(r, 1);
    put_integer(r, 0, 0, n > 5 ? 1 : 2);
    if (n <= 5 && n > 3) {
        put_integer(r, 0, 1, 3);
    }
    put_integer(r, 0, 2, 1);
}

static void dtype_questions(struct lang_run *r) {
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = 0; column < 8; column++) {
            size_t value = 8 * row + column;
            put_integer(r, 0, 4 * column + row, (int64_t)value + (value > 3 && value < 9 ? 100 : 0));
        }
    }
    put_integer(r, 0, 32, 321);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void merge(struct lang_run *r) {
    double all[128];
    for (size_t i = 0; i < 128; i++) {
        all[i] = real(r, 0, i);
    }
    qsort(all, 128, sizeof *all, by_value);
    for (size_t i = 0; i < 128; i++) {
        put_real(r, 1, i, all[i]);
    }
}

static void names_and_blocks(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_real(r, 0, i, 2);
    }
    put_integer(r, 1, 0, 0);
    put_integer(r, 1, 1, 1);
}

static const struct lang_case python_cases[] = {
    CASE(merge, .arguments = {IN(F32, 128, -3, 3), OUT(F32, 128)}),
    CASE(names_and_blocks, .arguments = {OUT(F32, 128), OUT(I32, 2)}),
    CASE(dtype_questions, .arguments = {OUT(I32, 33)}),
    CASE(named_tuples, .arguments = {IN(I32, 64, -99, 99), OUT(I32, 33), INT(5)}),
    CASE_OF(named_tuples_short, named_tuples, .arguments = {IN(I32, 64, -99, 99), OUT(I32, 33), INT(1)}),
    CASE(tuple_parameters, .arguments = {IN(I32, 32, -99, 99), IN(I32, 32, -99, 99), IN(I32, 32, -99, 99),
                                         OUT(I32, 32), INT(3), INT(-5)}),
    CASE(map_elementwise, .arguments = {IN(I32, 64, -20, 80), OUT(I32, 192), OUT(I32, 64)}, .warps = "124"),
    CASE(map_elementwise_loops, .arguments = {IN(I32, 64, 0, 80), OUT(I32, 384)}, .warps = "124"),
    CASE(map_elementwise_jumps, .arguments = {IN(I32, 64, 0, 80), OUT(I32, 256)}, .warps = "124"),
    CASE(conditions, .arguments = {OUT(I32, 1), INT(50)}),
    CASE(parameters, .arguments = {OUT(I32, 4), INT(9)}),
    CASE(whole_tile, .arguments = {IN(F32, 256, 0, 1), OUT(F32, 256), OUT(I32, 2)}),
    CASE(booleans, .arguments = {IN(I1, 64, 0, 1), OUT(I1, 64), OUT(I1, 64)}, .warps = "14"),
    CASE(none_paths, .arguments = {OUT(I32, 3), INT(6)}),
    CASE_OF(none_paths_through, none_paths, .arguments = {OUT(I32, 3), INT(4)}),
};

FAMILY(python);
