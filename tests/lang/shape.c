// Shapes.
#include "lang.h"

static void fill(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_real(r, 0, i, 2.5);
        put_integer(r, 1, i, -3);
        put_real(r, 2, i, 0.25);
    }
}

static void arange_from(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 0, i, 2 * ((int64_t)i + 32));
    }
}

static void broadcast_to(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_real(r, 1, i, float_round(F32, real(r, 0, i % 32) + real(r, 0, i / 32)) + real(r, 0, 0));
    }
}

static void reshape(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_bits(r, 1, i % 32 * 16 + i / 32, bits(r, 0, i));
    }
}

static void reshape_wide(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_real(r, 1, i, real(r, 0, i) + real(r, 0, 0));
    }
}

static void ravel(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 1, i, bits(r, 0, i % 32 * 8 + i / 32));
    }
}

static void trans(struct lang_run *r) {
    for (size_t i = 0; i < 32 * 64; i++) {
        put_bits(r, 1, i % 64 * 32 + i / 64, bits(r, 0, i));
    }
}

static void trans_property(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_bits(r, 1, i % 32 * 16 + i / 32, bits(r, 0, i));
    }
}

static void permute(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_bits(r, 1, i % 16 * 32 + i / 16, bits(r, 0, i));
    }
}

static void join(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 2, i, bits(r, i % 2, i / 2));
    }
}

static void split(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_integer(r, 1, i, integer(r, 0, 2 * i) - integer(r, 0, 2 * i + 1));
        put_integer(r, 2, i, integer(r, 0, 2 * i + 1));
    }
}

static void unpack_nibbles(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, (double)(bits(r, 0, i / 2) >> i % 2 * 4 & 15));
    }
}

static void cat(struct lang_run *r) {
    int64_t all[128];
    for (size_t i = 0; i < 128; i++) {
        int64_t value = integer(r, i / 64, i % 64);
        size_t j = i;
        for (; j && all[j - 1] > value; j--) {
            all[j] = all[j - 1];
        }
        all[j] = value;
    }
    for (size_t i = 0; i < 128; i++) {
        put_integer(r, 2, i, all[i]);
    }
}

static void flip(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_bits(r, 1, i, bits(r, 0, i / 32 * 32 + 31 - i % 32));
    }
}

static void gather_rows(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_bits(r, 2, i, bits(r, 0, (size_t)integer(r, 1, i)));
    }
}

static void gather_in_loop(struct lang_run *r) {
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < 32; j++) {
            double sum = 0;
            for (size_t k = 0; k < 16; k++) {
                sum +=
                    real(r, 0, k * 32 + j) * real(r, 0, i * 32 + k) + real(r, 0, (i + k + 1) % 16 * 32 + j);
            }
            put_real(r, 1, i * 32 + j, sum);
        }
    }
}

static void gather_behind_loop(struct lang_run *r) {
    int64_t place = 7;
    for (size_t k = 512; k < 1024; k++) {
        place += scalar(r, 2) * integer(r, 0, k);
    }
    put_integer(r, 1, 0, 64 * integer(r, 0, (size_t)(place & 63)));
}

static void gather_columns(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_bits(r, 2, i, bits(r, 0, i / 8 * 32 + (size_t)integer(r, 1, i)));
    }
}

static void colons_too_many(struct lang_run *r) {
    double most = real(r, 0, 0);
    for (size_t i = 0; i < 32; i++) {
        most = real(r, 0, i) > most ? real(r, 0, i) : most;
        put_real(r, 1, i, real(r, 0, 0) + real(r, 0, i));
    }
    put_real(r, 1, 32, most);
}

static void expand_three(struct lang_run *r) {
    for (int64_t i = 0; i < 256; i++) {
        put_integer(r, 1, (size_t)i, i / 64 * 100 + i / 8 % 8 * 10 + i % 8 + integer(r, 0, 0));
    }
}

static void shape_properties(struct lang_run *r) {
    put_integer(r, 1, 0, 16);
    put_integer(r, 1, 1, 8 + 128);
    put_integer(r, 1, 2, 32);
    for (size_t i = 0; i < 32; i++) {
        put_integer(r, 1, 3 + i, (int64_t)i);
    }
}

static void round_trip(struct lang_run *r) {
    for (size_t i = 0; i < 1024; i++) {
        size_t flat = i % 16 * 64 + i / 16;                        // of b, from c's index
        put_bits(r, 1, i, bits(r, 0, flat % 32 * 32 + flat / 32)); // of a, from trans(a)'s
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define TRANS(TYPE, WARPS)                                                                                   \
    ROW("trans_" NAME_##TYPE, trans, trans, .signature = P(TYPE) ":16, " P(TYPE) ":16",                      \
        .arguments = {BITS(TYPE, 2048), OUT(TYPE, 2048)}, .warps = WARPS)
#define INTERLEAVE(TYPE)                                                                                     \
    ROW("interleave_" NAME_##TYPE, interleave, join, .signature = P(TYPE) ", " P(TYPE) ", " P(TYPE),         \
        .arguments = {BITS(TYPE, 128), BITS(TYPE, 128), OUT(TYPE, 256)}, .warps = "14")

static const struct lang_case shape_cases[] = {
    CASE(fill, .arguments = {OUT(F32, 64), OUT(I32, 64), OUT(F16, 64)}),
    CASE(arange_from, .arguments = {OUT(I32, 64)}),
    CASE(broadcast_to, .arguments = {IN(F32, 32, -1, 1), OUT(F32, 512)}, .relative = 1e-6, .absolute = 1e-6),
    CASE(reshape, .arguments = {BITS(F32, 512), OUT(F32, 512)}, .warps = "148"),
    CASE(reshape_wide, .arguments = {IN(F16, 512, -1, 1), OUT(F16, 512)}, .warps = "14"),
    CASE(ravel, .arguments = {BITS(I32, 256), OUT(I32, 256)}, .warps = "14"),
    TRANS(I8, "4"),
    TRANS(F16, "148"),
    TRANS(F32, "148"),
    TRANS(F64, "4"),
    TRANS(I1, "4"),
    TRANS(E5M2, "4"),
    CASE(trans_property, .arguments = {BITS(F32, 512), OUT(F32, 512)}),
    CASE(permute, .arguments = {BITS(F32, 512), OUT(F32, 512)}, .warps = "148"),
    CASE(join, .arguments = {BITS(F32, 128), BITS(F32, 128), OUT(F32, 256)}, .warps = "14"),
    CASE(split, .arguments = {BITS(I32, 256), OUT(I32, 128), OUT(I32, 128)}, .warps = "14"),
    INTERLEAVE(I8),
    INTERLEAVE(F16),
    INTERLEAVE(F32),
    INTERLEAVE(I64),
    CASE(unpack_nibbles, .arguments = {BITS(U8, 128), OUT(F16, 256)}),
    CASE(cat, .arguments = {BITS(I32, 64), BITS(I32, 64), OUT(I32, 128)}),
    CASE(flip, .arguments = {BITS(F32, 512), OUT(F32, 512)}, .warps = "14"),
    CASE(gather_rows, .arguments = {BITS(F32, 128), IN(I32, 128, 0, 127), OUT(F32, 128)}, .warps = "14"),
    CASE(gather_in_loop, .arguments = {IN(F32, 512, -3, 3), OUT(F32, 512), INT(16)}, .warps = "14",
         .relative = 1e-5, .absolute = 1e-4),
    CASE(gather_behind_loop, .arguments = {IN(I32, 1024, -1000, 1000), OUT(I32, 1), INT(3)}, .warps = "24"),
    CASE(gather_columns, .arguments = {BITS(F16, 512), IN(I32, 128, 0, 31), OUT(F16, 128)}, .warps = "14"),
    CASE(expand_three, .arguments = {IN(I32, 1, 0, 1000), OUT(I32, 256)}, .warps = "14"),
    CASE(colons_too_many, .language = "3.6", .arguments = {IN(F32, 32, -1, 1), OUT(F32, 33)}),
    CASE(shape_properties, .arguments = {BITS(F32, 128), OUT(I32, 35)}),
    CASE(round_trip, .arguments = {BITS(F32, 1024), OUT(F32, 1024)}, .warps = "148"),
};

FAMILY(shape);
