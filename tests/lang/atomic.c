// Atomic operations. Sums of reals use numbers with exact sums in any order.
#include "lang.h"

#include <math.h>

static void add(struct lang_run *r, unsigned to, size_t at, size_t from) {
    if (element_is_real(r->test->arguments[to].element)) {
        put_real(r, to, at,
                 (r->arrays[to].has_want[at] ? wanted_real(r, to, at) : real(r, to, at)) + real(r, 0, from));
    } else {
        uint64_t whole = bits(r, to, at);
        for (size_t i = at; i <= from; i += r->test->arguments[to].count) {
            whole += bits(r, 0, i);
        }
        put_bits(r, to, at, whole);
    }
}

static void add_one_place(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        add(r, 1, i % 4, i);
    }
}

static void add_tile(struct lang_run *r) {
    for (size_t i = 0; i < 384; i++) {
        add(r, 1, i % 128, i);
    }
}

static void add_to_the_end(struct lang_run *r) {
    for (size_t i = 0; i < 37; i++) {
        add(r, 1, i, i);
        put_real(r, 2, i, real(r, 1, i));
    }
}

static void add_returns(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 0, i, integer(r, 0, i) + (int64_t)i + 1);
        put_integer(r, 1, i, integer(r, 0, i));
    }
}

static void add_scalar(struct lang_run *r) {
    for (size_t i = 0; i < 5; i++) {
        add(r, 1, 0, i);
    }
}

static void add_sum(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        add(r, 1, 0, i);
    }
}

static void load_and_store(struct lang_run *r) {
    for (size_t i = 0; i < 66; i++) {
        size_t from = i < 64 ? i : i == 64 ? 5 : 3;
        if (i < (size_t)scalar(r, 3) || i == 64) {
            put_bits(r, 1, i, bits(r, 0, from));
        }
    }
    for (size_t i = 0; i < 64; i++) {
        if (i < (size_t)scalar(r, 3)) {
            put_bits(r, 2, i, bits(r, 0, i));
        }
    }
    put_bits(r, 2, 64, bits(r, 0, 3));
}

static void behind_an_epoch(struct lang_run *r) {
    put_integer(r, 0, 0, 1);
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 1, i, 3 * (int64_t)i);
        put_integer(r, 2, i, 3 * (255 - (int64_t)i));
    }
}

static void padded_turns(struct lang_run *r) {
    enum { COUNT = 700 };
    int64_t x[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = integer(r, 0, i);
    }
    for (int64_t k = 0; k < scalar(r, 1); k += 128) {
        for (int64_t i = 0; i < 128; i++) {
            x[k + i / 32 * 32 + i] += k + 1;
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        put_integer(r, 0, i, x[i]);
    }
}

static void hand_over(struct lang_run *r) {
    put_integer(r, 0, 0, 7);
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, 3 * (int64_t)i);
        put_integer(r, 2, 65 + i, 3 * (int64_t)i);
        put_integer(r, 2, 130 + i, 3 * (int64_t)i);
    }
    put_integer(r, 2, 129, 1);
    put_integer(r, 2, 194, 1);
}

static void poll_in_time(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, integer(r, 0, i) == (int64_t)i % 2);
    }
    put_integer(r, 1, 64, integer(r, 0, 2) == 5);
    put_integer(r, 1, 65, integer(r, 0, 2) == 0);
}

static bool below(struct lang_run *r, unsigned a, size_t i, unsigned b, size_t j) {
    enum element element = r->test->arguments[0].element;
    if (element_is_real(element)) {
        return real(r, a, i) < real(r, b, j);
    }
    return element >= U8 ? bits(r, a, i) < bits(r, b, j) : integer(r, a, i) < integer(r, b, j);
}

static void extremes(struct lang_run *r) {
    for (size_t place = 0; place < 8; place++) {
        unsigned low = 1, high = 2;
        size_t low_at = place, high_at = place;
        for (size_t i = place; i < (size_t)scalar(r, 3); i += 8) {
            if (below(r, 0, i, low, low_at)) {
                low = 0;
                low_at = i;
            }
            if (below(r, high, high_at, 0, i)) {
                high = 0;
                high_at = i;
            }
        }
        put_bits(r, 1, place, bits(r, low, low_at));
        put_bits(r, 2, place, bits(r, high, high_at));
    }
}

static void bitwise(struct lang_run *r) {
    for (size_t p = 0; p < 4; p++) {
        uint64_t a = bits(r, 1, p), b = bits(r, 2, p), c = bits(r, 3, p);
        for (size_t i = p; i < 128; i += 4) {
            a &= bits(r, 0, i);
            b |= bits(r, 0, i);
            c ^= bits(r, 0, i);
        }
        put_bits(r, 1, p, a);
        put_bits(r, 2, p, b);
        put_bits(r, 3, p, c);
    }
}

static void exchange(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_bits(r, 1, i, bits(r, 0, i));
        put_bits(r, 2, i, bits(r, 1, i));
    }
}

static void compare_and_swap(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 0, i, i % 2 ? integer(r, 0, i) : 77);
        put_integer(r, 1, i, integer(r, 0, i));
    }
}

static void ticket(struct lang_run *r) {
    put_integer(r, 0, 0, integer(r, 0, 0) + 6);
    for (size_t i = 0; i < 6; i++) {
        put_integer(r, 1, i, (int64_t)i * 3);
    }
}

static void lock(struct lang_run *r) {
    put_integer(r, 0, 0, 0);
    put_integer(r, 1, 0, integer(r, 1, 0) + 1 + 2 + 3 + 4);
}

static void orders(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        int64_t sum = integer(r, 0, i) + 3;
        put_integer(r, 0, i, sum > (int64_t)i ? sum : (int64_t)i);
    }
}

static void counted_from_zero(struct lang_run *r) {
    for (int64_t bin = 0; bin < 16; bin++) {
        int64_t count = 0;
        for (size_t i = 0; i < 512; i++) {
            count += integer(r, 0, i) == bin;
        }
        put_integer(r, 1, (size_t)bin, count);
    }
}

static void left_by_others(struct lang_run *r) {
    int64_t total = 0, last = integer(r, 2, 0) + 5;
    for (size_t i = 0; i < 16; i++) {
        put_integer(r, 0, i, integer(r, 0, i) + (int64_t)i);
        put_integer(r, 1, i, integer(r, 1, i) + 16);
        total += integer(r, 0, i) + (int64_t)i;
    }
    put_integer(r, 2, 0, last);
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 3, i, total + integer(r, 1, (255 - i) % 16) + 16);
        put_integer(r, 3, 256 + i, last + (int64_t)i);
    }
}

static void last_of_all(struct lang_run *r) {
    int64_t sum = 0, own = 0;
    for (size_t i = 0; i < 1280; i++) {
        own = (i % 256 ? own : 0) + integer(r, 0, i);
        sum += integer(r, 0, i);
        put_integer(r, 2, i, own);
    }
    put_integer(r, 1, 0, sum);
    put_integer(r, 1, 1, 5);
    put_integer(r, 1, 2, sum);
}

static void split_scan(struct lang_run *r) {
    int64_t sum = 0;
    for (size_t i = 0; i < 1536; i++) {
        if (i % 256 == 0 && i > 0) {
            put_integer(r, 3, i / 256, sum);
        }
        sum += integer(r, 1, i);
        put_integer(r, 2, i, sum);
        if (i % 256 == 255) {
            put_integer(r, 0, i / 256, (int64_t)((uint64_t)sum << 32 | 2));
        }
    }
}

// The last of three rounds of four turns begins at 20.
static void turns_of_one(struct lang_run *r) {
    put_integer(r, 0, 0, 12);
    put_integer(r, 1, 0, 30);
    for (size_t i = 0; i < 512; i++) {
        put_integer(r, 2, i, (int64_t)(i / 128 * 1000 + i % 128));
        put_integer(r, 3, i, (int64_t)((i / 128 + 3) % 4 * 1000 + 127 - i % 128));
    }
    for (size_t p = 0; p < 4; p++) {
        put_integer(r, 4, p, (int64_t)(20 + p * (p + 1) / 2));
    }
}

static void flags_of_tile(struct lang_run *r) {
    for (size_t i = 0; i < 6; i++) {
        put_integer(r, 0, i, (int64_t)i + 1);
    }
    for (size_t i = 0; i < 768; i++) {
        int64_t at = (int64_t)i % 256, back = 255 - at;
        put_integer(r, 1, i, i < 256 ? at + 5 : i < 512 ? at * 3 : at - 9);
        int64_t read = i < 256 ? back + 5 : i < 512 ? back * 3 : back - 9;
        put_integer(r, 2, i, read);
        put_integer(r, 2, i + 768, read);
    }
}

static void assembly_effect(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_integer(r, 0, i, integer(r, 0, i) + 1);
    }
}

#define P(TYPE) "*" NAME_##TYPE
// Whole numbers: every partial sum is exact.
#define ADD(TYPE, LOW, HIGH, WARPS)                                                                          \
    ROW("add_one_place_" NAME_##TYPE, add_one_place, add_one_place,                                          \
        .signature = P(TYPE) ", " P(TYPE) ", i32", .grid = {2},                                              \
        .arguments = {COUNTED(TYPE, 200), COUNTED_BOTH(TYPE, 4), INT(200)}, .warps = WARPS)
#define COUNTED(TYPE, COUNT) IOTA(TYPE, COUNT, 1)
#define COUNTED_BOTH(TYPE, COUNT)                                                                            \
    { ARGUMENT_BOTH, TYPE, COUNT, GENERATE_IOTA, 3, 0 }
#define ADD_TILE(TYPE)                                                                                       \
    ROW("add_tile_" NAME_##TYPE, add_tile, add_tile, .signature = P(TYPE) ":16, " P(TYPE) ":16",             \
        .grid = {3}, .arguments = {COUNTED(TYPE, 384), COUNTED_BOTH(TYPE, 128)}, .warps = "14")
#define EXTREMES(TYPE, LOW, HIGH)                                                                            \
    ROW("extremes_" NAME_##TYPE, extremes, extremes, .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE) ", i32", \
        .grid = {2},                                                                                         \
        .arguments = {IN(TYPE, 100, LOW, HIGH), BOTH(TYPE, 8, LOW, HIGH), BOTH(TYPE, 8, LOW, HIGH),          \
                      INT(100)})

// An odd number of halves: the last one's word is not the buffer's to its end.
#define ADD_TO_THE_END(type, TYPE)                                                                           \
    ROW("add_to_the_end_" type, add_to_the_end, add_to_the_end, .defines = "N=37",                           \
        .signature = "*" type ", *" type ", *" type,                                                         \
        .arguments = {COUNTED(TYPE, 37), COUNTED_BOTH(TYPE, 37), OUT(TYPE, 37)})

#define LOAD_AND_STORE(TYPE, LOW, HIGH)                                                                      \
    ROW("load_and_store_" NAME_##TYPE, load_and_store, load_and_store,                                       \
        .signature = "*" NAME_##TYPE ", *" NAME_##TYPE ", *" NAME_##TYPE ", i32",                            \
        .arguments = {IN(TYPE, 64, LOW, HIGH), OUT(TYPE, 65), OUT(TYPE, 65), INT(41)}, .warps = "14")
#define POLL_IN_TIME(TYPE)                                                                                   \
    ROW("poll_in_time_" NAME_##TYPE, poll_in_time, poll_in_time, .signature = "*" NAME_##TYPE ", *i32, i32", \
        .arguments = {IN(TYPE, 64, 0, 1), OUT(I32, 66), INT(100)}, .warps = "14")

static const struct lang_case atomic_cases[] = {
    ADD(I32, 0, 99, "148"),
    ADD(U32, 0, 99, "4"),
    ADD(I64, 0, 99, "4"),
    ADD(U64, 0, 99, "4"),
    ADD(F32, 0, 99, "148"),
    ADD(F64, 0, 99, "4"),
    ADD_TILE(F16),
    ADD_TILE(F32),
    ADD_TILE(I32),
    CASE_OF(add_tile_bf16, add_tile, .signature = "*bf16:16, *bf16:16", .grid = {3},
            .arguments = {IN(BF16, 384, 1, 1), COUNTED_BOTH(BF16, 128)}, .warps = "14"),
    ADD_TO_THE_END("fp16", F16),
    ADD_TO_THE_END("bf16", BF16),
    LOAD_AND_STORE(I1, 0, 1),
    LOAD_AND_STORE(I8, -9, 9),
    LOAD_AND_STORE(U16, 0, 9),
    LOAD_AND_STORE(I32, -9, 9),
    LOAD_AND_STORE(I64, -9, 9),
    LOAD_AND_STORE(F16, -9, 9),
    LOAD_AND_STORE(F32, -9, 9),
    LOAD_AND_STORE(F64, -9, 9),
    LOAD_AND_STORE(E5M2, -9, 9),
    CASE(behind_an_epoch, .grid = {2}, .arguments = {BOTH(I32, 2, 0, 0), OUT(I32, 256), OUT(I32, 256)}),
    CASE(padded_turns, .grid = {1}, .arguments = {BOTH(I32, 700, -9, 9), INT(512)}),
    CASE(hand_over, .grid = {3}, .arguments = {BOTH(I32, 1, 0, 0), OUT(I32, 64), OUT(I32, 195)},
         .warps = "48"),
    POLL_IN_TIME(I16),
    POLL_IN_TIME(I32),
    POLL_IN_TIME(U64),
    CASE(add_returns, .arguments = {BOTH(I32, 64, -99, 99), OUT(I32, 64)}, .warps = "148"),
    CASE_OF(add_scalar_i32, add_scalar, .signature = "*i32, *i32", .grid = {5},
            .arguments = {BITS(I32, 5), BOTH(I32, 1, 0, 9)}, .warps = "14"),
    CASE_OF(add_scalar_f32, add_scalar, .signature = "*fp32, *fp32", .grid = {5},
            .arguments = {COUNTED(F32, 5), COUNTED_BOTH(F32, 1)}),
    CASE(add_sum, .grid = {3}, .arguments = {COUNTED(F32, 600), COUNTED_BOTH(F32, 1), INT(600)},
         .warps = "14"),
    EXTREMES(I32, -1e6, 1e6),
    EXTREMES(U32, 0, 4e9),
    EXTREMES(I64, -1e12, 1e12),
    EXTREMES(U64, 0, 1e15),
    EXTREMES(F32, -9, 9),
    CASE(
        bitwise,
        .arguments = {BITS(I32, 128), BOTH(I32, 4, -9e8, 9e8), BOTH(I32, 4, 0, 255), BOTH(I32, 4, -9e8, 9e8)},
        .warps = "14"),
    CASE_OF(exchange_i32, exchange, .signature = "*i32, *i32, *i32",
            .arguments = {BITS(I32, 64), BOTH(I32, 64, -9, 9), OUT(I32, 64)}),
    CASE_OF(exchange_f32, exchange, .signature = "*fp32, *fp32, *fp32",
            .arguments = {IN(F32, 64, -9, 9), BOTH(F32, 64, -9, 9), OUT(F32, 64)}),
    CASE_OF(exchange_i64, exchange, .signature = "*i64, *i64, *i64",
            .arguments = {BITS(I64, 64), BOTH(I64, 64, -9, 9), OUT(I64, 64)}),
    CASE_OF(compare_and_swap_i32, compare_and_swap, .signature = "*i32, *i32",
            .arguments = {BOTH(I32, 64, -99, 76), OUT(I32, 64)}, .warps = "148"),
    CASE_OF(compare_and_swap_i64, compare_and_swap, .signature = "*i64, *i64",
            .arguments = {BOTH(I64, 64, -99, 76), OUT(I64, 64)}),
    CASE(ticket, .grid = {6}, .arguments = {BOTH(I32, 1, 0, 0), OUT(I32, 6)}, .warps = "14"),
    CASE(lock, .grid = {4}, .arguments = {BOTH(I32, 1, 0, 0), BOTH(I32, 1, 5, 50)}, .warps = "14"),
    CASE(orders, .arguments = {BOTH(I32, 32, 0, 30)}),
    CASE(counted_from_zero, .arguments = {IN(I32, 512, 0, 15), OUT(I32, 16)}, .warps = "148"),
    CASE(left_by_others,
         .arguments = {BOTH(I32, 16, 0, 9), BOTH(I32, 16, 0, 9), BOTH(I32, 1, 0, 9), OUT(I32, 512)},
         .warps = "148"),
    CASE(last_of_all, .grid = {5}, .arguments = {IN(I32, 1280, -9, 9), BOTH(I32, 3, 0, 0), OUT(I32, 1280)},
         .warps = "148"),
    CASE(split_scan, .grid = {6},
         .arguments = {BOTH(I64, 6, 0, 0), IN(I32, 1536, -9, 9), OUT(I32, 1536), BOTH(I32, 6, 0, 0)},
         .warps = "148"),
    CASE(turns_of_one, .grid = {4},
         .arguments = {BOTH(I32, 1, 0, 0), BOTH(I32, 1, 0, 0), OUT(I32, 512), OUT(I32, 512), OUT(I32, 4)},
         .warps = "14"),
    CASE(flags_of_tile, .grid = {3}, .arguments = {BOTH(I32, 6, 0, 0), OUT(I32, 768), OUT(I32, 1536)},
         .warps = "148"),
    {.name = "assembly_effect",
     .kernel = "assembly_effect",
     .arguments = {BOTH(I32, 512, -9, 9)},
     .reference = assembly_effect,
     .warps = "148",
     .refusals = {{"gfx90a", "inline assembly that gfx90a cannot run"},
                  {"gfx942", "inline assembly that gfx942 cannot run"},
                  {"gfx950", "inline assembly that gfx950 cannot run"},
                  {"gfx1100", "inline assembly that gfx1100 cannot run"},
                  {"gfx1200", "inline assembly that gfx1200 cannot run"},
                  {"gfx1250", "inline assembly that gfx1250 cannot run"}}},
};

FAMILY(atomic);
