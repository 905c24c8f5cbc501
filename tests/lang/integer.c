// Integers where they end.
#include "lang.h"

// x[16 + index % 16] with C's remainder, the index being what a cast of o + base left.
static void put_modulo(struct lang_run *r, int64_t index, size_t at) {
    put_bits(r, 1, at, bits(r, 0, (size_t)(16 + index % 16)));
}

static void narrow_modulo(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++)
        put_modulo(r, (int8_t)i, i);
}

static void narrow_division(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++)
        if ((int8_t)i / 16 != 0)
            put_bits(r, 1, i, bits(r, 0, (size_t)(16 + (int8_t)i / 16)));
}

static void narrow_sum(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++)
        put_modulo(r, (int8_t)(i + 96), i);
}

static void narrow_product(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++)
        put_modulo(r, (int16_t)(scalar(r, 2) * 16 + (int64_t)i), i);
}

static void narrow_bytes_unsigned(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++)
        put_bits(r, 1, i, bits(r, 0, i % 32 + i / 64 * 32));
}

static void narrowed_index(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++)
        put_modulo(r, (int32_t)(scalar(r, 2) + (int64_t)i), i);
}

static void narrowed_shift(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        int32_t wide = (int32_t)(scalar(r, 2) + (int64_t)i);
        put_bits(r, 1, i, bits(r, 0, (size_t)(32 + (wide >> 28) + wide % 16)));
    }
}

#define NARROW(kernel_name, from, elements)                                                                  \
    {                                                                                                        \
        .name = #kernel_name, .kernel = #kernel_name, .arguments = {BITS(I32, from), OUT(I32, elements)},    \
        .reference = kernel_name, .warps = "14"                                                              \
    }
#define NARROWED(case_name, kernel_name, base)                                                               \
    {                                                                                                        \
        .name = case_name, .kernel = #kernel_name, .arguments = {BITS(I32, 64), OUT(I32, 256), INT(base)},   \
        .reference = kernel_name, .warps = "14"                                                              \
    }

static const struct lang_case integer_cases[] = {
    NARROW(narrow_modulo, 32, 256),
    NARROW(narrow_division, 32, 256),
    NARROW(narrow_sum, 32, 64),
    NARROW(narrow_bytes_unsigned, 128, 256),
    {.name = "narrow_product",
     .kernel = "narrow_product",
     .arguments = {BITS(I32, 32), OUT(I32, 64), INT(3000)},
     .reference = narrow_product,
     .warps = "14"},
    NARROWED("narrowed_index_negative", narrowed_index, 2147483648.0),
    NARROWED("narrowed_index_middle", narrowed_index, 2147483520.0),
    NARROWED("narrowed_index_whole", narrowed_index, 4294967296.0),
    NARROWED("narrowed_shift_negative", narrowed_shift, 3221225472.0),
    NARROWED("narrowed_shift_positive", narrowed_shift, 1073741824.0),
};

FAMILY(integer);
