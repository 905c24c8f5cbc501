// Types and shapes of random kernels, and copies of kernels.
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

const enum element input_elements[INPUTS] = {I8, I16, I32, I64, F16, F32};
const char *const input_names[INPUTS] = {"in_i8", "in_i16", "in_i32", "in_i64", "in_f16", "in_f32"};

int64_t shape_elements(const struct shape *shape) {
    int64_t elements = 1;
    for (int d = 0; d < shape->rank; d++) {
        elements *= shape->extent[d];
    }
    return elements;
}

bool shape_equal(const struct shape *a, const struct shape *b) {
    bool equal = a->rank == b->rank;
    for (int d = 0; equal && d < a->rank; d++) {
        equal = a->extent[d] == b->extent[d];
    }
    return equal;
}

unsigned element_width(enum element element) {
    return element == I1 ? 1 : 8 * element_bytes(element);
}

bool element_is_unsigned(enum element element) {
    return element >= U8 && element <= U64;
}

// For reals: the largest number up to which all whole numbers are exact.
int64_t element_high(enum element element) {
    switch (element) {
    case I1:
        return 1;
    case F16:
        return 2048;
    case BF16:
        return 256;
    case F32:
        return 1 << 24;
    default:
        return element_is_unsigned(element) ? INT64_MAX >> (63 - element_width(element))
                                            : INT64_MAX >> (64 - element_width(element));
    }
}

int64_t element_low(enum element element) {
    if (element == I1 || element_is_unsigned(element)) {
        return 0;
    }
    return element_is_real(element) ? -element_high(element) : -element_high(element) - 1;
}

const char *element_name(enum element element) {
    static const char *const names[] = {"int1",     "int8",    "int16",  "int32",  "int64",
                                        "uint8",    "uint16",  "uint32", "uint64", "float16",
                                        "bfloat16", "float32", "float64"};
    return names[element];
}

void block_free(struct block *block) {
    for (int i = 0; i < block->count; i++) {
        block_free(&block->items[i].body);
        block_free(&block->items[i].other);
    }
    free(block->items);
    *block = (struct block){0};
}

static struct block copy_block(const struct block *block) {
    struct block copy = {calloc(MAX_STATEMENTS, sizeof *copy.items), block->count};
    for (int i = 0; i < block->count; i++) {
        copy.items[i] = block->items[i];
        if (block->items[i].body.items) {
            copy.items[i].body = copy_block(&block->items[i].body);
        }
        if (block->items[i].other.items) {
            copy.items[i].other = copy_block(&block->items[i].other);
        }
    }
    return copy;
}

struct kernel *kernel_copy(const struct kernel *kernel) {
    struct kernel *copy = malloc(sizeof *copy);
    *copy = *kernel;
    copy->body = copy_block(&kernel->body);
    return copy;
}

void kernel_free(struct kernel *kernel) {
    block_free(&kernel->body);
    free(kernel);
}
