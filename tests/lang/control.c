// Control flow and functions.
#include "lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void loop_carried_tile(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double sum = 0;
        for (size_t k = i; (int64_t)k < scalar(r, 2); k += 128) {
            sum += real(r, 0, k);
        }
        put_real(r, 1, i, sum);
    }
}

static void loop_steps(struct lang_run *r) {
    int64_t count = 0, total = 0;
    for (int64_t i = scalar(r, 1); i < scalar(r, 2); i += scalar(r, 3)) {
        count++;
        total += i * i;
    }
    put_integer(r, 0, 0, count);
    put_integer(r, 0, 1, total);
}

static __int128 define(const struct lang_run *r, const char *name) {
    const char *found = strstr(r->test->defines, name);
    if (!found) {
        return 0;
    }
    found += strlen(name) + 1;
    return *found == '-' ? -(__int128)strtoull(found + 1, NULL, 10) : (__int128)strtoull(found, NULL, 10);
}

static void any_bounds(struct lang_run *r) {
    __int128 at = define(r, "AT"), low = at + scalar(r, 2), high = at + scalar(r, 3), step = scalar(r, 4);
    enum element type = r->test->arguments[1].element, by = r->test->arguments[4].element;
    uint64_t count = 0, total = 0, last = 0, some = 0, sum = 0;
    for (__int128 i = low; step > 0 ? i < high : i > high; i += step) {
        some = count < 3 ? some * 31 + (uint64_t)i : some;
        count++;
        total = total * 31 + (uint64_t)i;
        last = (uint64_t)i;
        sum += (uint64_t)i;
    }
    put_integer(r, 0, 0, (int64_t)count);
    put_integer(r, 0, 1, (int64_t)total);
    put_integer(r, 0, 2, (int64_t)last);
    put_integer(r, 0, 3, (int64_t)some);
    bool wide = element_bytes(type) == 8 || element_bytes(by) == 8;
    for (size_t i = 0; i < 16; i++) { // in the type of the bounds
        put_integer(r, 0, 16 + i, wide ? (int64_t)sum : type == U32 ? (int64_t)(uint32_t)sum : (int32_t)sum);
    }
}

static void constant_bounds(struct lang_run *r) {
    __int128 first = define(r, "FIRST"), stop = define(r, "STOP"), step = define(r, "STEP");
    uint64_t count = 0, total = 0, last = 0;
    for (__int128 i = first; step > 0 ? i < stop : i > stop; i += step) {
        count++;
        total = total * 31 + (uint64_t)i;
        last = (uint64_t)i;
    }
    put_integer(r, 0, 0, (int64_t)count);
    put_integer(r, 0, 1, (int64_t)total);
    put_integer(r, 0, 2, (int64_t)last);
}

static void tiles_to_unsigned(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double sum = 0;
        for (size_t k = 0; (int64_t)k < scalar(r, 3); k += (size_t)scalar(r, 4)) {
            for (size_t j = 0; j < 32; j++) {
                sum += real(r, 0, i / 16 * 256 + k + j) * real(r, 1, i % 16 * 256 + k + j);
            }
        }
        put_real(r, 2, i, sum);
    }
}

static void loop_down(struct lang_run *r) {
    int64_t value = 1;
    for (int64_t i = scalar(r, 1); i > 0; i--) {
        value = value * 3 + i;
    }
    put_integer(r, 0, 0, value);
}

static void loop_nested(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        uint32_t a = (uint32_t)integer(r, 0, o);
        for (uint32_t i = 0; i < (uint32_t)scalar(r, 2); i++) {
            for (uint32_t j = 0; j < (uint32_t)scalar(r, 3); j++) {
                a = a * 3 + i - j;
            }
            a ^= i;
        }
        put_integer(r, 1, o, a);
    }
}

static void loop_static(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double total = 2;
        for (size_t i = 0; i < 4; i++) {
            total += real(r, 0, i * 64 + o) * (double)(i + 1);
        }
        put_real(r, 1, o, total);
    }
}

static void half_sum(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double total = 0;
        for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
            total += real(r, 0, i * 64 + o) * 0.5;
        }
        put_real(r, 1, o, total);
    }
}

static void loop_carried_pointer(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double total = 0;
        for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
            total = total * 0.5 + real(r, 0, i * 64 + o);
        }
        put_real(r, 1, o, total);
    }
}

static void loop_stores(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2) * 64; i++) {
        put_integer(r, 1, i, integer(r, 0, i) * 2 + (int64_t)i / 64);
    }
}

static void loop_places_ahead(struct lang_run *r) {
    for (size_t o = 0; o < 128; o++) {
        double sum = 0;
        for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
            sum += real(r, 0, (size_t)integer(r, 1, i * 128 + o));
        }
        put_real(r, 2, o, sum);
    }
}

static void loop_several(struct lang_run *r) {
    int64_t n = scalar(r, 3);
    for (size_t o = 0; o < 128; o++) {
        double a = 0, b = 1;
        for (int64_t k = 0; k < n; k += 128) {
            bool inside = k + (int64_t)o < n;
            double u = inside ? real(r, 0, (size_t)k + o) : 0, v = inside ? real(r, 1, (size_t)k + o) : 0;
            a += u * v;
            b = fmax(b, u - v);
        }
        put_real(r, 2, o, a);
        put_real(r, 2, 128 + o, b);
    }
    put_real(r, 2, 256, (double)((n + 127) / 128));
}

static void loop_indirect(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double total = 0;
        for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
            total += real(r, 0, (size_t)integer(r, 1, i) * 64 + o);
        }
        put_real(r, 2, o, total);
    }
}

static void loop_reduces(struct lang_run *r) {
    double best = -INFINITY, total = 0;
    size_t n = (size_t)scalar(r, 2);
    for (size_t i = 0; i < n; i++) {
        best = fmax(best, real(r, 0, i));
    }
    for (size_t i = 0; i < n; i++) {
        total += exp(real(r, 0, i) - best);
    }
    put_real(r, 1, 0, best);
    put_real(r, 1, 1, total);
}

static void while_loop(struct lang_run *r) {
    int64_t n = scalar(r, 1), steps = 0;
    for (; n != 1; steps++) {
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
    put_integer(r, 0, 0, steps);
}

static void counting_whiles(struct lang_run *r) {
    int64_t m = scalar(r, 1), n = scalar(r, 2), a = 0, i = m, k = scalar(r, 3);
    for (; i < n; i += 3) {
        a += i * 3 + 1;
    }
    put_integer(r, 0, 0, a);
    put_integer(r, 0, 1, i);
    for (i = m, a = 0; n >= i;) {
        i += 2;
        a = a * 2 + i;
    }
    put_integer(r, 0, 2, a);
    for (a = 0; k > m - 4; k -= 5) {
        int64_t j = k;
        for (; j >= 0; j -= 3) {
            a += j;
        }
        a = a % 1000 + j;
    }
    put_integer(r, 0, 3, a);
    put_integer(r, 0, 4, k);
    for (i = 7, a = n; i != -2; i--) {
        a = a * 3 % 1000 + i;
    }
    put_integer(r, 0, 5, a);
    for (i = m, a = 0; i < n && a < 20; i++) {
        a += i;
    }
    put_integer(r, 0, 6, a);
    for (i = m, a = 0; i + 4 <= n; i += 4) {
        a = a * 3 + i;
    }
    for (; n > i - 2; i++) {
        a = a * 3 - i;
    }
    put_integer(r, 0, 7, a);
}

static void while_tile(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double a = real(r, 0, o);
        for (int i = 0; i < scalar(r, 2) && i < 100; i++) {
            a = a * 0.5 + i;
        }
        put_real(r, 1, o, a);
    }
}

static void branches(struct lang_run *r) {
    int64_t k = scalar(r, 2);
    for (size_t o = 0; o < 64; o++) {
        double a = real(r, 0, o);
        put_real(r, 1, o, k > 10 ? a * 2 + 1 : k > 5 ? a + 5 + 2 : a + 3);
    }
}

static void branch_on_program(struct lang_run *r) {
    int64_t sum = 0;
    for (size_t o = 0; o < 32; o++) {
        sum += integer(r, 0, o);
    }
    for (size_t i = 0; i < 4 * 32; i++) {
        int64_t p = (int64_t)i / 32, o = (int64_t)i % 32;
        put_integer(r, 1, i, p == 0 ? integer(r, 0, i) : p % 2 ? o + p : sum + o);
    }
}

static void branch_in_loop(struct lang_run *r) {
    for (size_t o = 0; o < 64; o++) {
        double total = 0;
        for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
            total = i % 2 ? fmax(total, real(r, 0, i * 64 + o)) : total + real(r, 0, i * 64 + o);
        }
        put_real(r, 1, o, total);
    }
}

static void loop_in_branch(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 2);
    for (size_t o = 0; o < 64; o++) {
        double total = real(r, 0, o);
        for (size_t i = 1; n > 2 && i < n; i++) {
            total += real(r, 0, i * 64 + o);
        }
        put_real(r, 1, o, total);
    }
}

static void early_return(struct lang_run *r) {
    for (size_t p = 0; p < (size_t)scalar(r, 2); p++) {
        put_integer(r, 1, p, integer(r, 0, p) * 10);
    }
}

static void conditional_expression(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        put_integer(r, 1, o, (integer(r, 0, o) + (scalar(r, 2) > 0 ? 1 : -1)) * 2);
    }
}

static void mode_double(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        put_integer(r, 1, o, integer(r, 0, o) * 2 * 3 + 4);
    }
}

static void mode_square(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        put_integer(r, 1, o, (integer(r, 0, o) * integer(r, 0, o) + 11) * 3 + 4);
    }
}

static void calls(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        int64_t a = integer(r, 0, o);
        put_integer(r, 1, o, a * a);
        put_integer(r, 1, 32 + o, (a + 2) * (a - 5));
        put_integer(r, 1, 64 + o, scalar(r, 2) > 3 ? a * 2 : a + 100);
        put_integer(r, 1, 96 + o, (a + 1) * (a + 1));
        put_integer(r, 1, 128 + o, (int64_t)o + a);
    }
}

static void tuples(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        put_integer(r, 1, o, (int64_t)o * 20 + integer(r, 0, o));
        put_integer(r, 1, 32 + o, (int64_t)o + 3);
    }
}

static void program_ids(struct lang_run *r) {
    for (int64_t i = 0; i < 3 * 4 * 2; i++) {
        put_integer(r, 0, (size_t)i, i % 3 * 100 + i / 3 % 4 * 10 + i / 12 + 2000);
    }
}

static void grid_stride(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        put_real(r, 1, i, real(r, 0, i) + 1);
    }
}

static void assumptions(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        put_bits(r, 1, i * (size_t)scalar(r, 3), bits(r, 0, i * (size_t)scalar(r, 3)));
    }
}

static void zero_trips(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 1, i, 4);
    }
}

static void returns_on_one_path(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        put_integer(r, 1, i, integer(r, 0, i) + scalar(r, 2));
    }
}

static void shadowed(struct lang_run *r) {
    for (size_t o = 0; o < 32; o++) {
        int64_t a = integer(r, 0, o), b;
        for (int64_t i = 0; i < scalar(r, 2); i++) {
            a += i;
        }
        b = a;
        for (int64_t j = 0; j < scalar(r, 2); j++) {
            int64_t old = b;
            b = a;
            a = old + j;
        }
        put_integer(r, 1, o, a * 2 + b);
    }
}

#define ANY_BOUNDS(NAME, TYPE, STEP, AT, LOW, HIGH, BY)                                                      \
    ROW("loop_" #NAME, loop_any_bounds, any_bounds,                                                          \
        .signature = "*i64, *" NAME_##TYPE ", i32, i32, " NAME_##STEP, .defines = "AT=" #AT,                 \
        .arguments = {OUT(I64, 32),                                                                          \
                      IN(TYPE, 1, 0, 0),                                                                     \
                      INT(LOW),                                                                              \
                      INT(HIGH),                                                                             \
                      {ARGUMENT_INTEGER, STEP, 0, GENERATE_UNIFORM, BY, 0}})
#define CONSTANT_BOUNDS(NAME, FROM, TO, BY)                                                                  \
    ROW("loop_constant_" #NAME, loop_constant_bounds, constant_bounds, .signature = "*i64",                  \
        .defines = "FIRST=" #FROM " STOP=" #TO " STEP=" #BY, .arguments = {OUT(I64, 3)})
#define TILES_TO(N, STEP, NAME)                                                                              \
    ROW("loop_tiles_to_" #NAME, loop_tiles_to_unsigned, tiles_to_unsigned,                                   \
        .signature = "*fp16:16, *fp16:16, *fp32, " N ", " STEP,                                              \
        .arguments = {IN(F16, 4096, -1, 1), IN(F16, 4096, -1, 1), OUT(F32, 256), INT(200), INT(48)},         \
        .absolute = 1e-4, .warps = "14", .stages = "134")

static const struct lang_case control_cases[] = {
    CASE(loop_carried_tile, .arguments = {IN(F32, 1000, 0, 1), OUT(F32, 128), INT(1000)}, .relative = 1e-6,
         .warps = "1248", .stages = "1234"),
    CASE(loop_steps, .arguments = {OUT(I32, 2), INT(3), INT(40), INT(7)}, .warps = "14"),
    CASE_OF(loop_steps_none, loop_steps, .arguments = {OUT(I32, 2), INT(5), INT(5), INT(1)}),
    CASE_OF(loop_steps_negative, loop_steps, .arguments = {OUT(I32, 2), INT(-9), INT(4), INT(2)}),
    ANY_BOUNDS(unsigned_across, U32, I32, 2147483648, -8, 12, 2),
    ANY_BOUNDS(unsigned_high, U32, I32, 4294967200, 0, 90, 7),
    ANY_BOUNDS(unsigned_none, U32, I32, 2147483648, 12, -8, 2),
    ANY_BOUNDS(unsigned_to_the_end, U32, U32, 4294967295, -9, 0, 4),
    ANY_BOUNDS(unsigned_by_far, U32, U32, 2147483648, -2147483648, 2147483647, 1431655765),
    ANY_BOUNDS(unsigned_down, U32, I32, 2147483648, 12, -8, -3),
    ANY_BOUNDS(unsigned_wide_step, U32, I64, 2147483648, 12, -8, -3),
    ANY_BOUNDS(unsigned_wide, U64, I32, 9223372036854775808, -8, 12, 2),
    ANY_BOUNDS(unsigned_wide_down, U64, I64, 9223372036854775808, 12, -8, -2),
    ANY_BOUNDS(unsigned_wide_to_the_end, U64, U64, 18446744073709551615, -100, 0, 33),
    ANY_BOUNDS(unsigned_low, U32, U32, 0, 3, 40, 6),
    ANY_BOUNDS(falling, I32, I32, 0, 88, -1, -8),
    ANY_BOUNDS(falling_none, I32, I32, 0, -1, 88, -8),
    ANY_BOUNDS(up_none, I32, I32, 0, 88, -1, 8),
    ANY_BOUNDS(falling_to_the_end, I32, I32, -2147483648, 20, 0, -6),
    ANY_BOUNDS(falling_from_the_end, I32, I32, 2147483647, 0, -20, -6),
    ANY_BOUNDS(up_to_the_end, I32, I32, 2147483647, -20, 0, 6),
    ANY_BOUNDS(falling_by_far, I32, I32, 0, 2147483647, -2147483648, -2147483648),
    ANY_BOUNDS(falling_wide, I64, I32, 5000000000, 20, -20, -7),
    ANY_BOUNDS(falling_by_wide, I32, I64, 0, 20, -20, -7),
    ANY_BOUNDS(falling_by_bytes, I32, I8, 0, 20, -300, -128),
    ROW("loop_assumed", loop_any_bounds, any_bounds, .signature = "*i64, *i32, i32, i32, i32",
        .defines = "AT=0 RISES=1", .arguments = {OUT(I64, 32), IN(I32, 1, 0, 0), INT(-9), INT(40), INT(7)}),
    CONSTANT_BOUNDS(high, 2147483640, 2147483660, 2),
    CONSTANT_BOUNDS(high_down, 4294967295, 4294967200, -9),
    CONSTANT_BOUNDS(wide, 9223372036854775800, 9223372036854775822, 5),
    CONSTANT_BOUNDS(by_far, 0, 4294967295, 2147483648),
    TILES_TO("u32", "i32", unsigned),
    TILES_TO("u32", "u32:16", unsigned_by),
    TILES_TO("i32", "i32:16", by),
    TILES_TO("i64", "i64", wide),
    CASE(loop_down, .arguments = {OUT(I32, 1), INT(9)}),
    CASE(loop_nested, .arguments = {BITS(I32, 32), OUT(I32, 32), INT(5), INT(3)}),
    CASE(loop_static, .arguments = {IN(F32, 256, 0, 1), OUT(F32, 64)}, .relative = 1e-6),
    ROW("loop_range_options", loop_range_options, half_sum,
        .arguments = {IN(F32, 5 * 64, 1, 2), OUT(F32, 64), INT(5)}, .relative = 2e-6, .stages = "13"),
    CASE(loop_carried_pointer, .arguments = {IN(F32, 7 * 64, 0, 1), OUT(F32, 64), INT(7)}, .relative = 1e-6,
         .stages = "1234"),
    CASE(loop_stores, .arguments = {BITS(I32, 6 * 64), OUT(I32, 6 * 64), INT(6)}, .stages = "1234"),
    CASE(loop_places_ahead,
         .arguments = {IN(F32, 256, 0, 1), IN(I32, 6 * 128, 0, 255), OUT(F32, 128), INT(5)}, .relative = 2e-6,
         .stages = "13"),
    CASE(loop_several, .arguments = {IN(F32, 900, 0, 3), IN(F32, 900, 0, 1), OUT(F32, 257), INT(900)},
         .relative = 2e-6, .stages = "1234", .warps = "14"),
    CASE(loop_indirect, .arguments = {IN(F32, 9 * 64, 0, 1), IN(I32, 6, 0, 8), OUT(F32, 64), INT(6)},
         .relative = 1e-6, .stages = "1234"),
    CASE(loop_reduces, .arguments = {IN(F32, 1000, -5, 5), OUT(F32, 2), INT(1000)}, .relative = 1e-5,
         .warps = "148", .stages = "13"),
    CASE(while_loop, .arguments = {OUT(I32, 1), INT(27)}, .warps = "14"),
    CASE(counting_whiles, .grid = {2}, .arguments = {OUT(I32, 8), INT(-3), INT(20), INT(14)}),
    ROW("counting_whiles.once", counting_whiles, counting_whiles, .grid = {2},
        .arguments = {OUT(I32, 8), INT(4), INT(5), INT(1)}),
    ROW("counting_whiles.none", counting_whiles, counting_whiles, .grid = {2},
        .arguments = {OUT(I32, 8), INT(9), INT(-9), INT(5)}),
    CASE(while_tile, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 64), INT(5)}, .relative = 1e-6),
    CASE_OF(branch_first, branches, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 64), INT(11)},
            .relative = 1e-6),
    CASE_OF(branch_second, branches, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 64), INT(8)},
            .relative = 1e-6),
    CASE_OF(branch_last, branches, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 64), INT(0)}, .relative = 1e-6),
    CASE(branch_on_program, .grid = {4}, .arguments = {IN(I32, 32, 0, 1000), OUT(I32, 128)}, .warps = "148"),
    CASE(branch_in_loop, .arguments = {IN(F32, 320, 0, 1), OUT(F32, 64), INT(5)}, .relative = 1e-6,
         .stages = "13"),
    CASE(loop_in_branch, .arguments = {IN(F32, 320, 0, 1), OUT(F32, 64), INT(5)}, .relative = 1e-6,
         .stages = "13"),
    CASE_OF(loop_not_taken, loop_in_branch, .arguments = {IN(F32, 320, 0, 1), OUT(F32, 64), INT(2)},
            .relative = 1e-6),
    CASE(early_return, .grid = {8}, .arguments = {IN(I32, 5, 0, 99), OUT(I32, 8), INT(5)}, .warps = "14"),
    CASE(conditional_expression, .arguments = {IN(I32, 32, -9, 9), OUT(I32, 32), INT(1)}),
    ROW("constexpr_double", constexpr_branches, mode_double, .defines = "MODE='double'",
        .arguments = {IN(I32, 32, -9, 9), OUT(I32, 32)}),
    ROW("constexpr_square", constexpr_branches, mode_square, .defines = "MODE='square' EXTRA=11",
        .arguments = {IN(I32, 32, -9, 9), OUT(I32, 32)}),
    CASE(calls, .arguments = {IN(I32, 32, -99, 99), OUT(I32, 160), INT(4)}),
    CASE_OF(calls_other_way, calls, .arguments = {IN(I32, 32, -99, 99), OUT(I32, 160), INT(3)}),
    CASE(tuples, .arguments = {IN(I32, 32, -9, 9), OUT(I32, 64)}),
    CASE(program_ids, .grid = {3, 4, 2}, .arguments = {OUT(I32, 24)}),
    CASE(grid_stride, .grid = {3}, .arguments = {IN(F32, 777, 0, 1), OUT(F32, 777), INT(777)},
         .stages = "13"),
    CASE(assumptions, .arguments = {BITS(F32, 200), OUT(F32, 200), INT(100), INT(2)}),
    CASE(zero_trips, .arguments = {IN(F32, 64, 0, 1), OUT(F32, 64), INT(0)}, .stages = "1234"),
    CASE(shadowed, .arguments = {IN(I32, 32, -99, 99), OUT(I32, 32), INT(5)}),
    CASE(returns_on_one_path, .arguments = {IN(I32, 32, -99, 99), OUT(I32, 32), INT(5)}),
};

FAMILY(control);
