// Leaving run-time loops.
#include "lang.h"

static void breaks(struct lang_run *r) {
    int64_t total = 0;
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        int64_t v = integer(r, 0, i);
        if (v < 0) {
            break;
        }
        if (v == 7) {
            continue;
        }
        total += v + (v > 50);
    }
    put_integer(r, 1, 0, total);
}

static void steps(struct lang_run *r) {
    int64_t first = scalar(r, 2), last = scalar(r, 3), count = 0, where = first, down = -1;
    for (int64_t i = first; i < last; i += scalar(r, 4)) {
        where = i;
        if (integer(r, 0, (size_t)i) == 0) {
            break;
        }
        count++;
    }
    for (int64_t i = last; i > first && down < 0; i -= 3) {
        down = i % 7 == 0 ? i : -1;
    }
    put_integer(r, 1, 0, count);
    put_integer(r, 1, 1, where);
    put_integer(r, 1, 2, down);
}

static int64_t find(struct lang_run *r, int64_t n, int64_t wanted) {
    for (int64_t i = 0; i < n; i++) {
        if (integer(r, 0, (size_t)i) == wanted) {
            return i;
        }
    }
    return -1;
}

static int64_t find_pair(struct lang_run *r, int64_t n, int64_t sum) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) {
            if (integer(r, 0, (size_t)i) + integer(r, 0, (size_t)j) == sum) {
                return i * 1000 + j;
            }
            if (j > 40) {
                break;
            }
        }
        if (i == 60) {
            break;
        }
    }
    return -1;
}

static void returns(struct lang_run *r) {
    int64_t n = scalar(r, 2), wanted = scalar(r, 3), at = find(r, n, wanted);
    put_integer(r, 1, 0, at);
    put_integer(r, 1, 1, at < 0 ? 0 : at * at);
    put_integer(r, 1, 2, find_pair(r, n, wanted));
    put_integer(r, 1, 3, at < 0 ? -5 : at);
}

static void tiles(struct lang_run *r) {
    double total[64] = {0};
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        double most = -1, least = 2;
        for (size_t o = 0; o < 64; o++) {
            double v = real(r, 0, i * 64 + o);
            most = v > most ? v : most;
            least = v < least ? v : least;
        }
        if (most > r->test->arguments[3].low) {
            break;
        }
        for (size_t o = 0; o < 64 && least >= 0.01; o++) {
            total[o] = float_round(F32, total[o] + real(r, 0, i * 64 + o));
        }
    }
    for (size_t o = 0; o < 64; o++) {
        put_real(r, 1, o, total[o]);
    }
}

static void else_behind(struct lang_run *r) {
    int64_t n = scalar(r, 2), at = find(r, n, scalar(r, 3));
    put_integer(r, 1, 0, at);
    put_integer(r, 1, 1, at < 0 ? 2 : 1);
    put_integer(r, 1, 2, ((at < 0 ? 2 : 1) + n) * 2);
}

static void names_of_loops(struct lang_run *r) {
    int64_t n = scalar(r, 1), total = 0, c = 0, j;
    for (int64_t i = 0; i < n; i++) {
        total += c++ + 2;
    }
    put_integer(r, 0, 0, total);
    put_integer(r, 0, 1, n * (n + 1) * 100 + 2 * n);
    total = 0;
    j = 100;
    for (int64_t i = 0; i < n; i++) {
        total += j;
        for (int64_t k = 0; k < i; k++) {
            total += j = k;
        }
    }
    put_integer(r, 0, 2, total);
    put_integer(r, 0, 3, j);
    for (int64_t k = n; k > 0; k -= 2) {
        j = k;
        if (j < 4) {
            break;
        }
    }
    put_integer(r, 0, 4, j);
}

static void returns_behind(struct lang_run *r) {
    put_integer(r, 0, 0, scalar(r, 1) > 1 ? 4 : 2);
}

static void around_unrolled(struct lang_run *r) {
    int64_t total = 0;
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        int64_t v = integer(r, 0, i);
        for (int64_t k = 0; k < 4; k++) {
            if (v > 80 + k) {
                continue;
            }
            if (v < -80) {
                break;
            }
            total += k;
        }
        if (v == 0) {
            break;
        }
        total += 10;
    }
    put_integer(r, 1, 0, total);
}

static int64_t first_above(struct lang_run *r, int64_t n, int64_t limit) {
    int64_t at = -1;
    if (n <= 0) {
        return -100;
    }
    for (int64_t k = 0; k < 5; k++) {
        if (integer(r, 0, (size_t)k) > limit) {
            if (at < 0) {
                return k;
            }
            continue;
        }
        at--;
    }
    return at;
}

static void inside_branches(struct lang_run *r) {
    int64_t n = scalar(r, 2), total = 0, sum = 0;
    put_integer(r, 1, 0, first_above(r, n, scalar(r, 3)));
    for (int64_t i = 0; i < n; i++) {
        int64_t v = integer(r, 0, (size_t)i);
        if (v < -90) {
            break;
        }
        for (int64_t k = 0; k < 3 && v >= 10; k++) {
            total += v > 50 + k ? 0 : k + 1;
        }
        total += (v > 0 ? 1000 : 0) + 100000;
    }
    put_integer(r, 1, 1, total);
    for (int64_t i = 0; i < n; i++) {
        int64_t v = integer(r, 0, (size_t)i);
        sum += v;
        for (int64_t k = 0; k < 3 && i % 3 == 1 && v != k; k++) {
            total += k;
        }
        total += i % 3 == 1 ? 7 : 0;
    }
    put_integer(r, 1, 2, total);
    put_integer(r, 1, 3, sum);
}

static void ends(struct lang_run *r) {
    int64_t count = 0;
    for (int64_t i = scalar(r, 1); i < scalar(r, 2); i += 1 << 30) {
        count++;
        if (i == 5) {
            break;
        }
    }
    put_integer(r, 0, 0, count);
}

static void matches_sum(struct lang_run *r) {
    put_integer(r, 0, 0, 21);
}
static void matches_max(struct lang_run *r) {
    put_integer(r, 0, 0, 22);
}
static void matches_other(struct lang_run *r) {
    put_integer(r, 0, 0, 3);
}

static const struct lang_case jumps_cases[] = {
    CASE(breaks, .arguments = {IN(I32, 100, -1, 90), OUT(I32, 1), INT(100)}),
    CASE_OF(no_break, breaks, .arguments = {IN(I32, 100, 5, 60), OUT(I32, 1), INT(100)}),
    CASE_OF(no_trip, breaks, .arguments = {IN(I32, 4, 5, 60), OUT(I32, 1), INT(0)}),
    CASE(steps, .arguments = {IN(I32, 100, 0, 30), OUT(I32, 3), INT(3), INT(97), INT(5)}),
    CASE(returns, .arguments = {IN(I32, 100, 0, 60), OUT(I32, 4), INT(100), INT(31)}),
    CASE_OF(returns_none, returns, .arguments = {IN(I32, 100, 0, 60), OUT(I32, 4), INT(100), INT(999)}),
    CASE(tiles, .arguments = {IN(F32, 40 * 64, 0, 1), OUT(F32, 64), INT(40), REAL(F32, 0.9995)},
         .warps = "14", .stages = "13"),
    CASE(else_behind, .arguments = {IN(I32, 50, 0, 60), OUT(I32, 3), INT(50), INT(17)}),
    CASE(names_of_loops, .arguments = {OUT(I32, 5), INT(7)}),
    CASE_OF(names_of_loops_once, names_of_loops, .arguments = {OUT(I32, 5), INT(1)}),
    CASE(returns_behind, .arguments = {OUT(I32, 1), INT(5)}),
    CASE(around_unrolled, .arguments = {IN(I32, 60, -99, 99), OUT(I32, 1), INT(60)}),
    CASE(inside_branches, .arguments = {IN(I32, 60, -92, 60), OUT(I32, 4), INT(60), INT(30)}),
    CASE_OF(inside_branches_small, inside_branches,
            .arguments = {IN(I32, 9, 0, 4), OUT(I32, 4), INT(9), INT(9)}),
    CASE(ends, .arguments = {OUT(I32, 1), INT(-2147483647), INT(2147483647)}),
    ROW("matches_sum", matches, matches_sum, .defines = "MODE=\"mean\"", .arguments = {OUT(I32, 1)}),
    ROW("matches_max", matches, matches_max, .defines = "MODE=\"max\"", .arguments = {OUT(I32, 1)}),
    ROW("matches_other", matches, matches_other, .defines = "MODE=5 PAIR=(0,2)", .arguments = {OUT(I32, 1)}),
};

FAMILY(jumps);
