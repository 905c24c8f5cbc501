// A case's launch as a line of JSON, for tests/differential: the kernel, its arguments and their generators.
#include "lang.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_text(FILE *file, const char *key, const char *text) {
    fprintf(file, "\"%s\": \"", key);
    for (; *text; text++) {
        fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fprintf(file, "\", ");
}

// Infinities and NaNs are written as text.
static void add_number(FILE *file, double number) {
    bool finite = number - number == 0;
    fprintf(file, finite ? "%.17g" : "\"%g\"", number);
}

// CRC-32 as zlib computes it.
static uint32_t checksum(const void *data, size_t bytes) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= ((const uint8_t *)data)[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
    }
    return ~crc;
}

// `expected`: the argument's contents after the reference, or NULL.
static void add_argument(FILE *file, const struct lang_argument *a, const struct lang_array *expected) {
    static const char *const names[] = {NAME_I1,  NAME_I8,   NAME_I16,  NAME_I32,   NAME_I64,   NAME_U8,
                                        NAME_U16, NAME_U32,  NAME_U64,  NAME_F16,   NAME_BF16,  NAME_F32,
                                        NAME_F64, NAME_E5M2, NAME_E4M3, NAME_E5M2Z, NAME_E4M3Z, NAME_E4B15};
    static const char *const generators[] = {"uniform", "bits", "finite", "special",
                                             "whole",   "iota", "permute"};
    if (a->kind == ARGUMENT_INTEGER || a->kind == ARGUMENT_REAL) {
        add_number(file, a->low);
        return;
    }
    fprintf(file, "{\"element\": \"%s\", \"count\": %zu, \"fill\": \"%s\"", names[a->element], a->count,
            a->kind == ARGUMENT_OUTPUT ? "poison" : generators[a->generator]);
    if (a->kind != ARGUMENT_OUTPUT) {
        fprintf(file, ", \"low\": ");
        add_number(file, a->low);
        fprintf(file, ", \"high\": ");
        add_number(file, a->high);
    }
    if (expected) {
        fprintf(file, ", \"crc\": %" PRIu32, checksum(expected->want, expected->bytes));
    }
    fputc('}', file);
}

void lang_launch_json(const struct lang_case *test, const char *source, unsigned warps, unsigned stages,
                      uint64_t seed, const struct lang_run *expected, FILE *file) {
    fputc('{', file);
    add_text(file, "source", source);
    add_text(file, "name", test->name);
    add_text(file, "kernel", test->kernel);
    if (test->signature) {
        add_text(file, "signature", test->signature);
    }
    if (test->defines) {
        add_text(file, "defines", test->defines);
    }
    fprintf(file, "\"grid\": [%u, %u, %u], \"num_warps\": %u, \"num_stages\": %u, \"seed\": %" PRIu64,
            test->grid[0] ? test->grid[0] : 1, test->grid[1] ? test->grid[1] : 1,
            test->grid[2] ? test->grid[2] : 1, warps, stages, lang_seed(test, seed));
    fprintf(file, ", \"exact\": %s, \"arguments\": [", test->relative == 0 ? "true" : "false");
    for (unsigned i = 0; i < LANG_ARGUMENTS && test->arguments[i].kind; i++) {
        fputs(i ? ", " : "", file);
        add_argument(file, &test->arguments[i], expected ? &expected->arrays[i] : NULL);
    }
    fprintf(file, "]}\n");
}
