// Operations of 8 and 16 bits at the ends of their types, and their results in wider types.
#include "lang.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS = 128, WAYS = 11, OPERATIONS = 45, TABLE = 98304 };

// The low bits as a number of the type.
static int64_t as(enum element type, int64_t wide) {
    switch (type) {
    case I8:
        return (int8_t)wide;
    case U8:
        return (uint8_t)wide;
    case I16:
        return (int16_t)wide;
    default:
        return (uint16_t)wide;
    }
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// Before its low bits are taken; `a` and `b` are numbers of type T.
static int64_t arithmetic(enum element T, int64_t a, int64_t b, unsigned operation) {
    int64_t divisor = b ? b : 1;
    switch (operation) {
    case 0:
    case 2:
        return -a;
    case 1:
        return llabs(a);
    case 3:
        return a + b;
    case 4:
        return a - b;
    case 5:
        return a * b;
    case 6:
        return a * b + a;
    case 7:
        return a * b - b;
    case 8:
        return smaller(a, b);
    case 9:
        return larger(a, b);
    case 10:
        return 1 - a;
    case 11:
        return -(a * b);
    case 12:
        return -a - b;
    case 13:
        return llabs(as(T, a - b));
    case 14:
        return as(T, llabs(a)) - as(T, llabs(b));
    case 15:
        return smaller(as(T, -a), b);
    case 16:
        return larger(as(T, llabs(a)), b);
    case 17:
        return as(T, a + divisor - 1) / divisor;
    case 18:
        return a / divisor;
    default:
        return a % divisor;
    }
}

static int64_t bits_and_casts(enum element T, int64_t a, int64_t b, unsigned operation) {
    switch (operation) {
    case 20:
        return a * 8;
    case 21:
        return a >> 3;
    case 22:
        return a * (1 << (b & 7));
    case 23:
        return a >> (b & 7);
    case 24:
        return ~a;
    case 25:
        return a & b;
    case 26:
        return a | b;
    case 27:
        return a ^ b;
    case 29:
        return as(T, -a) >> 1;
    case 30:
        return as(T, a - b) >> 1;
    case 31:
        return as(T, a * 16) >> 4;
    case 32:
        return larger(a, b);
    case 33:
        return a > b ? -a : b;
    case 34:
        return a < 3 ? a - b : llabs(b);
    case 35:
        return (int8_t)a;
    case 36:
        return (uint8_t)a;
    case 37:
        return (int8_t)-a;
    case 39:
        return llabs(a);
    case 40:
        return a * b;
    case 41:
        return a - b;
    case 42:
        return (uint8_t)a - 8;
    case 43:
        return a * -4;
    case 44:
        return -(int64_t)(int8_t)(a * 2);
    default: // 28, 38
        return -a;
    }
}

// `at`: the pair's place.
static int64_t widened(int64_t v, int64_t b, int64_t at, unsigned way) {
    switch (way) {
    case 1:
        return (uint32_t)v;
    case 4:
    case 10:
        return (int64_t)fmin(float_round(F16, (double)v), 65536);
    case 5:
        return 3 * (v + 32768);
    case 6:
        return v > at * 515 - 32960;
    case 7:
        return v + at * 1000;
    case 8:
        return (int32_t)(uint32_t)(uint64_t)(v * b);
    case 9:
        return v * 256 + 1;
    default:
        return v;
    }
}

static void narrow_then_wide(struct lang_run *r) {
    enum element T = r->test->arguments[0].element;
    int64_t middle = INT64_C(1) << (8 * element_bytes(T) - 1);
    const int64_t ends[] = {0, 1, -1, middle, middle + 1, middle - 1, middle - 2, 127, -128, 85, -86};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (size_t i = 0; i < TABLE; i++) {
        give_integer(r, 2, i, 3 * (int64_t)i);
    }
    for (size_t i = 0; i < WAYS * PAIRS; i++) {
        size_t pair = i % PAIRS;
        int64_t a = as(T, ends[pair / ENDS % ENDS]), b = as(T, ends[pair % ENDS]);
        give_integer(r, 0, i, a);
        give_integer(r, 1, i, b);
        for (unsigned operation = 0; operation < OPERATIONS; operation++) {
            int64_t v =
                as(T, operation < 20 ? arithmetic(T, a, b, operation) : bits_and_casts(T, a, b, operation));
            size_t way = i / PAIRS;
            put_integer(r, 3, (way * OPERATIONS + operation) * PAIRS + pair,
                        widened(v, b, (int64_t)pair, (unsigned)way));
        }
    }
}

#define NARROW(T)                                                                                            \
    CASE_OF(narrow_##T, narrow_then_wide, .signature = "*" NAME_##T ", *" NAME_##T ", *i32, *i64:16",        \
            .arguments = {BITS(T, WAYS * PAIRS), BITS(T, WAYS * PAIRS), IOTA(I32, TABLE, 0),                 \
                          OUT(I64, WAYS * OPERATIONS * PAIRS)})

static const struct lang_case narrow_cases[] = {NARROW(I8), NARROW(U8), NARROW(I16), NARROW(U16)};

FAMILY(narrow);
