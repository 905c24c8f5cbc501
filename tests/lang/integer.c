// Integers at the limits of their types.
#include "lang.h"

#include <math.h>

// x[16 + index % 16] with C's remainder; the index is o + base after a cast.
static void put_modulo(struct lang_run *r, int64_t index, size_t at) {
    put_bits(r, 1, at, bits(r, 0, (size_t)(16 + index % 16)));
}

static void narrow_modulo(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_modulo(r, (int8_t)i, i);
    }
}

static void narrow_division(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        if ((int8_t)i / 16 != 0) {
            put_bits(r, 1, i, bits(r, 0, (size_t)(16 + (int8_t)i / 16)));
        }
    }
}

static void narrow_sum(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_modulo(r, (int8_t)(i + 96), i);
    }
}

static void narrow_product(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_modulo(r, (int16_t)(scalar(r, 2) * 16 + (int64_t)i), i);
    }
}

static void narrow_bytes_unsigned(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 1, i, bits(r, 0, i % 32 + i / 64 * 32));
    }
}

static void narrowed_index(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_modulo(r, (int32_t)(scalar(r, 2) + (int64_t)i), i);
    }
}

static void narrowed_shift(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        int32_t wide = (int32_t)(scalar(r, 2) + (int64_t)i);
        put_bits(r, 1, i, bits(r, 0, (size_t)(32 + (wide >> 28) + wide % 16)));
    }
}

static bool is_unsigned(const struct lang_run *r) {
    return r->test->arguments[0].element >= U8 && r->test->arguments[0].element <= U64;
}

static uint64_t lowest_bits(const struct lang_run *r) {
    return UINT64_C(1) << (8 * element_bytes(r->test->arguments[0].element) - 1);
}

// Of two numbers as the type has them: with a sign, or bits without.
static uint64_t quotient_of(struct lang_run *r, uint64_t u, uint64_t v, bool remainder) {
    if (is_unsigned(r)) {
        v = v ? v : lowest_bits(r);
        return remainder ? u % v : u / v;
    }
    int64_t x = (int64_t)u, y = (int64_t)v;
    if (y == -1) {
        return remainder ? 0 : 0 - (uint64_t)x;
    }
    y = y ? y : (int64_t)(0 - lowest_bits(r));
    return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t quotient(struct lang_run *r, size_t i, bool remainder) {
    uint64_t u = is_unsigned(r) ? bits(r, 0, i) : (uint64_t)integer(r, 0, i);
    uint64_t v = is_unsigned(r) ? bits(r, 1, i) : (uint64_t)integer(r, 1, i);
    return quotient_of(r, u, v, remainder);
}

static void divide_where(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 2, i, integer(r, 1, i) ? quotient(r, i, false) : 1);
        put_bits(r, 2, 256 + i, integer(r, 1, i) ? quotient(r, i, true) : 2);
    }
}

static void divide_edges(struct lang_run *r) {
    uint64_t lowest = is_unsigned(r) ? lowest_bits(r) : 0 - lowest_bits(r), all = 2 * lowest_bits(r) - 1;
    for (size_t i = 0; i < 64; i++) {
        uint64_t x = is_unsigned(r) ? bits(r, 0, i) : (uint64_t)integer(r, 0, i), y = bits(r, 1, i);
        y = i % 2 == 0 ? y : is_unsigned(r) ? (0 - y) & all : 0 - y;
        put_bits(r, 2, i, quotient_of(r, i % 3 == 0 ? lowest : x, y, false));
        put_bits(r, 2, 64 + i, quotient_of(r, i % 3 == 0 ? lowest : x, y, true));
    }
}

static void saturated_sums(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        int64_t x = integer(r, 0, i % 256), y = integer(r, 1, i % 256), sum = i < 256 ? x + y : x - y;
        put_bits(r, 2, i, (uint64_t)(sum < INT16_MIN ? INT16_MIN : sum > INT16_MAX ? INT16_MAX : sum));
    }
}

static void divide_masked(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 3); i++) {
        put_bits(r, 2, i, quotient(r, i, false) + quotient(r, i, true));
    }
}

// By zero: 0, and the dividend.
static void divide_scalar(struct lang_run *r) {
    int64_t n = scalar(r, 2), d = scalar(r, 3);
    for (size_t i = 0; i < 128; i++) {
        int64_t sum = 0;
        for (int64_t k = 0; k < n; k++) {
            sum += d ? integer(r, 0, i) / d + k % d : k;
        }
        put_integer(r, 1, i, sum);
    }
}

static void divide_ahead(struct lang_run *r) {
    size_t depth = 32 * (size_t)scalar(r, 3);
    for (size_t i = 0; i < 1024; i++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            sum += real(r, 0, i / 32 * depth + k) * real(r, 1, k * 32 + i % 32);
        }
        put_real(r, 2, i, sum);
    }
}

// Python's range; `start` is the first of three numbers.
static void put_rounds(struct lang_run *r, int64_t start, int64_t stop, int64_t step) {
    uint64_t rounds = 0, last = 0;
    for (__int128 k = start; step > 0 ? k < stop : k > stop; k += step) {
        rounds++;
        last = last * 3 + (uint64_t)k;
    }
    put_bits(r, 0, 0, rounds);
    put_bits(r, 0, 1, last);
}

static void count_rounds(struct lang_run *r) {
    put_rounds(r, scalar(r, 1), scalar(r, 2), scalar(r, 3));
}

static void count_to_the_end(struct lang_run *r) {
    put_rounds(r, 2147483000, INT32_MAX, 1000);
}

// LLVM wrongly selected sums of products of bytes for these.
static void byte_products(struct lang_run *r) {
    int64_t total = 0, n = scalar(r, 3);
    for (size_t o = 0; o < 128; o++) {
        int64_t a = integer(r, 0, 4 * o), b = integer(r, 0, 4 * o + 1), c = integer(r, 0, 4 * o + 2),
                d = integer(r, 0, 4 * o + 3), e = integer(r, 1, o), f = integer(r, 1, o + 128);
        put_integer(r, 2, o, a * b + (c * d ^ n));
        put_integer(r, 2, 128 + o, a * b + (c * d - n));
        put_integer(r, 2, 256 + o, e * f + (a > 100 ? b * c : d));
        put_integer(r, 2, 384 + o, 9 * e * f);
        total += a * b + e * f;
    }
    put_integer(r, 2, 512, total);
}

static void distances(struct lang_run *r) {
    for (size_t o = 0; o < 512; o++) {
        int64_t a = integer(r, 0, o), b = integer(r, 0, 512 + o) & 32767;
        put_integer(r, 2, o, a > b ? a - b : b - a);
        put_real(r, 3, o, fabs(real(r, 1, o) - real(r, 1, 512 + o)));
    }
}

static void products_of_24_bits(struct lang_run *r) {
    for (size_t o = 0; o < 128; o++) {
        int64_t a = integer(r, 0, o) & 0xffffff, b = integer(r, 1, o) & 0xffffff, c = integer(r, 2, o);
        put_integer(r, 3, o, a * a + c);
        put_integer(r, 3, 128 + o, a * b + c);
        put_integer(r, 3, 256 + o, b * b + c);
    }
}

static void divide_extended(struct lang_run *r) {
    uint64_t first = (uint64_t)integer(r, 0, 0), largest = 0;
    for (size_t o = 0; o < 128; o++) {
        int64_t divisor = integer(r, 0, 128 + o);
        uint64_t a = (uint64_t)integer(r, 0, o), half = (uint32_t)a;
        put_bits(r, 2, o, a % 65537);
        put_bits(r, 2, 128 + o, a / 1000);
        put_bits(r, 2, 256 + o, half / 65537 + half);
        put_bits(r, 2, 384 + o, (uint64_t)integer(r, 1, o) % 1000003);
        put_bits(r, 2, 512 + o, 0); // twice the number divided by itself: 0 or the largest
        put_bits(r, 3, o, half / (uint64_t)(divisor > 1 ? divisor : 1));
        put_bits(r, 3, 128 + o, half % 65537);
        largest = a + 200 > largest ? a + 200 : largest;
    }
    put_bits(r, 2, 640, first / 1000);
    put_bits(r, 2, 641, first % (uint32_t)integer(r, 1, 0));
    put_bits(r, 2, 642, largest);
}

static void count_down(struct lang_run *r) {
    put_rounds(r, scalar(r, 1), scalar(r, 2), -1000);
}

static void dot_in_steps(struct lang_run *r, int64_t step) {
    size_t depth = (size_t)((scalar(r, 4) - scalar(r, 3) + step - 1) / step) * 32;
    for (size_t i = 0; i < 1024; i++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++) {
            sum += real(r, 0, i / 32 * 96 + k) * real(r, 1, k * 32 + i % 32);
        }
        put_real(r, 2, i, sum);
    }
}

static void dot_at_the_end(struct lang_run *r) {
    dot_in_steps(r, r->count > 5 ? scalar(r, 5) : 1000);
}

static void dot_one_by_one(struct lang_run *r) {
    dot_in_steps(r, 1);
}

#define COUNT(case_name, kernel_name, start, stop, step)                                                     \
    ROW(case_name, kernel_name, count_rounds, .arguments = {OUT(I64, 2), INT(start), INT(stop), INT(step)})
#define DOT_AT(case_name, start, stop, ...)                                                                  \
    ROW(case_name, dot_at_the_end, dot_at_the_end,                                                           \
        .arguments = {IN(F16, 3072, -1, 1), IN(F16, 3072, -1, 1), OUT(F32, 1024), INT(start), INT(stop),     \
                      __VA_ARGS__},                                                                          \
        .relative = 1e-5, .absolute = 1e-5, .stages = "1234")
#define DIVIDE(type, width)                                                                                  \
    ROW("divide_where_" NAME_##type, divide_where, divide_where,                                             \
        .signature = "*" NAME_##type ", *" NAME_##type ", *" NAME_##type,                                    \
        .arguments = {BITS(type, 256), IN(type, 256, 0, 3), OUT(type, 512)}),                                \
        ROW("divide_edges_" NAME_##type, divide_edges, divide_edges,                                         \
            .signature = "*" NAME_##type ", *" NAME_##type ", *" NAME_##type,                                \
            .arguments = {BITS(type, 64), IN(type, 64, 0, 2), OUT(type, 128)}, .defines = "BITS=" #width)
#define NARROW(kernel_name, from, elements)                                                                  \
    ROW(#kernel_name, kernel_name, kernel_name, .arguments = {BITS(I32, from), OUT(I32, elements)},          \
        .warps = "14")
#define NARROWED(case_name, kernel_name, base)                                                               \
    ROW(case_name, kernel_name, kernel_name, .arguments = {BITS(I32, 64), OUT(I32, 256), INT(base)},         \
        .warps = "14")

static const struct lang_case integer_cases[] = {
    CASE(saturated_sums, .arguments = {BITS(I16, 256), BITS(I16, 256), OUT(I16, 512)}, .warps = "14"),
    NARROW(narrow_modulo, 32, 256),
    NARROW(narrow_division, 32, 256),
    NARROW(narrow_sum, 32, 64),
    NARROW(narrow_bytes_unsigned, 128, 256),
    CASE(narrow_product, .arguments = {BITS(I32, 32), OUT(I32, 64), INT(3000)}, .warps = "14"),
    NARROWED("narrowed_index_negative", narrowed_index, 2147483648.0),
    NARROWED("narrowed_index_middle", narrowed_index, 2147483520.0),
    NARROWED("narrowed_index_whole", narrowed_index, 4294967296.0),
    NARROWED("narrowed_shift_negative", narrowed_shift, 3221225472.0),
    NARROWED("narrowed_shift_positive", narrowed_shift, 1073741824.0),
    DIVIDE(I8, 8),
    DIVIDE(U8, 8),
    DIVIDE(I16, 16),
    DIVIDE(I32, 32),
    DIVIDE(U32, 32),
    DIVIDE(I64, 64),
    DIVIDE(U64, 64),
    CASE(divide_masked, .arguments = {BITS(I32, 128), IN(I32, 128, 1, 9), OUT(I32, 128), INT(77)}),
    CASE(divide_scalar, .arguments = {IN(I32, 128, -1000, 1000), OUT(I32, 128), INT(3), INT(7)}),
    CASE_OF(divide_scalar_zero, divide_scalar,
            .arguments = {IN(I32, 128, 0, 1000), OUT(I32, 128), INT(3), INT(0)}),
    CASE_OF(divide_scalar_never, divide_scalar,
            .arguments = {IN(I32, 128, 0, 1000), OUT(I32, 128), INT(0), INT(0)}),
    CASE_OF(divide_ahead_once, divide_ahead,
            .arguments = {IN(F16, 1024, -1, 1), IN(F16, 1024, -1, 1), OUT(F32, 1024), INT(1)},
            .relative = 1e-5, .absolute = 1e-5, .stages = "1234"),
    CASE(divide_ahead, .arguments = {IN(F16, 3072, -1, 1), IN(F16, 3072, -1, 1), OUT(F32, 1024), INT(3)},
         .relative = 1e-5, .absolute = 1e-5, .stages = "1234"),
    COUNT("count", count_rounds, 3, 20, 5),
    COUNT("count_end", count_rounds, 2147483000.0, 2147483647.0, 1000),
    COUNT("count_end_three", count_rounds, 2147480900.0, 2147483647.0, 1000),
    COUNT("count_huge_step", count_rounds, -2147483648.0, 2147483647.0, 2147483647.0),
    COUNT("count_low", count_rounds, -2147483648.0, -2147483640.0, 1000),
    COUNT("count_never", count_rounds, 2147483647.0, -2147483648.0, 1000),
    COUNT("count_wide", count_rounds_wide, -4611686018427387904.0, 4611686018427387904.0,
          9007199254740992000.0),
    COUNT("count_wide_more", count_rounds_wide, 2147483000.0, 2147489647.0, 1000),
    ROW("count_constant", count_constant, count_to_the_end, .defines = "START=2147483000 STEP=1000",
        .arguments = {OUT(I64, 2), INT(2147483647.0)}),
    ROW("count_constants", count_constants, count_to_the_end,
        .defines = "START=2147483000 STOP=2147483647 STEP=1000", .arguments = {OUT(I64, 2)}),
    CASE(count_down, .arguments = {OUT(I64, 2), INT(-2147480000.0), INT(-2147483648.0)}),
    DOT_AT("dot_at_the_end_once", 2147483000.0, 2147483647.0, INT(1000)),
    DOT_AT("dot_at_the_end", 2147481000.0, 2147483647.0, INT(1000)),
    DOT_AT("dot_with_huge_steps", 0, 2147483647.0, INT(1073741824.0)),
    DOT_AT("dot_near_nothing", 0, 3, INT(1)),
    ROW("dot_with_step", dot_with_step, dot_at_the_end, .defines = "STEP=1000",
        .arguments = {IN(F16, 3072, -1, 1), IN(F16, 3072, -1, 1), OUT(F32, 1024), INT(2147481000.0),
                      INT(2147483647.0)},
        .relative = 1e-5, .absolute = 1e-5, .stages = "1234"),
    CASE(byte_products,
         .arguments = {IN(U8, 512, 0, 255), IN(I8, 256, -128, 127), OUT(I32, 513), INT(12345)}),
    CASE(distances, .arguments = {BITS(U16, 1024), IN(F16, 1024, -9, 9), OUT(I32, 512), OUT(F16, 512)}),
    CASE(products_of_24_bits,
         .arguments = {BITS(I32, 128), BITS(I16, 128), IN(I64, 128, -1e12, 1e12), OUT(I64, 384)}),
    CASE(divide_extended, .arguments = {BITS(I8, 256), IN(I32, 128, 1, 2e9), OUT(U64, 643), OUT(U32, 256)}),
    ROW("dot_one_by_one", dot_with_step, dot_one_by_one, .defines = "STEP=1",
        .arguments = {IN(F16, 3072, -1, 1), IN(F16, 3072, -1, 1), OUT(F32, 1024), INT(2147483644.0),
                      INT(2147483647.0)},
        .relative = 1e-5, .absolute = 1e-5, .stages = "1234"),
};

FAMILY(integer);
