// Element types and arrays of them.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/number/number.h"

static const struct element_type dtypes[] = {
    {"fp64", "float64", ELEMENT_TYPE_FLOAT, 64, "<f8"},
    {"fp32", "float32", ELEMENT_TYPE_FLOAT, 32, "<f4"},
    {"fp16", "float16", ELEMENT_TYPE_FLOAT, 16, "<f2"},
    {"bf16", "bfloat16", ELEMENT_TYPE_FLOAT, 16, "<V2"},
    {"fp8e4nv", "e4m3", ELEMENT_TYPE_FLOAT, 8, "<V1"},
    {"fp8e5", "e5m2", ELEMENT_TYPE_FLOAT, 8, "<V1"},
    {"fp8e4b8", "e4m3fnuz", ELEMENT_TYPE_FLOAT, 8, "<V1"},
    {"fp8e5b16", "e5m2fnuz", ELEMENT_TYPE_FLOAT, 8, "<V1"},
    {"i1", "bool", ELEMENT_TYPE_BOOL, 8, "|b1"},
    {"i8", "int8", ELEMENT_TYPE_SIGNED, 8, "|i1"},
    {"i16", "int16", ELEMENT_TYPE_SIGNED, 16, "<i2"},
    {"i32", "int32", ELEMENT_TYPE_SIGNED, 32, "<i4"},
    {"i64", "int64", ELEMENT_TYPE_SIGNED, 64, "<i8"},
    {"u8", "uint8", ELEMENT_TYPE_UNSIGNED, 8, "|u1"},
    {"u16", "uint16", ELEMENT_TYPE_UNSIGNED, 16, "<u2"},
    {"u32", "uint32", ELEMENT_TYPE_UNSIGNED, 32, "<u4"},
    {"u64", "uint64", ELEMENT_TYPE_UNSIGNED, 64, "<u8"},
};

const struct element_type *element_type_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        const char *names[] = {dtypes[i].name, dtypes[i].alias};
        for (unsigned j = 0; j < 2; j++) {
            if (strlen(names[j]) == length && !strncmp(names[j], name, length)) {
                return &dtypes[i];
            }
        }
    }
    return NULL;
}

const struct element_type element_type_of_byte = {"8-bit floats", "V1", ELEMENT_TYPE_FLOAT, 8, "<V1"};

const struct element_type *element_type_of_npy(const char *descr, size_t length) {
    if (length == 3 && !strncmp(descr, "<f1", 3)) { // ml_dtypes' float8_e5m2
        return element_type_find("fp8e5", 5);
    }
    if (length == 3 && !strncmp(descr + 1, "V1", 2)) {
        return &element_type_of_byte;
    }
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        bool whole = length == 3 && !strncmp(dtypes[i].npy + 1, descr + 1, 2);
        if (whole && (*descr == *dtypes[i].npy || *descr == '=' || (*descr == '|' && descr[1] == 'V'))) {
            return &dtypes[i];
        }
    }
    return element_type_find(descr, length);
}

bool array_create(struct array *array, const struct element_type *dtype, const size_t *dimensions,
                  unsigned rank) {
    *array = (struct array){.dtype = dtype, .rank = rank, .count = 1};
    for (unsigned i = 0; i < rank; i++) {
        array->dimensions[i] = dimensions[i];
        if (__builtin_mul_overflow(array->count, dimensions[i], &array->count) || array->count > (size_t)1
                                                                                                     << 40) {
            return false;
        }
    }
    size_t bytes = (array_bytes(array) + 127) / 64 * 64;
    array->data = aligned_alloc(64, bytes);
    if (array->data) {
        memset(array->data, 0, bytes);
    }
    return array->data != NULL;
}

void array_free(struct array *array) {
    free(array->data);
    array->data = NULL;
}

size_t array_bytes(const struct array *array) {
    return array->count * (array->dtype->bits / 8);
}

static enum float8_format float8_of(const struct element_type *dtype) {
    return dtype->name[4] == '4' ? (dtype->name[5] == 'b' ? FLOAT8_E4M3_FNUZ : FLOAT8_E4M3)
                                 : (dtype->name[5] == 'b' ? FLOAT8_E5M2_FNUZ : FLOAT8_E5M2);
}

static double decode_float(const struct element_type *dtype, uint64_t bits) {
    switch (dtype->bits) {
    case 64:
        return double_from_bits(bits);
    case 32:
        return float_from_bits((uint32_t)bits);
    case 16:
        return dtype->name[0] == 'b' ? bfloat_to_float((uint16_t)bits) : half_to_float((uint16_t)bits);
    default:
        return float8_to_float((uint8_t)bits, float8_of(dtype));
    }
}

static uint64_t encode_float(const struct element_type *dtype, double value) {
    float odd = float_to_odd(value);
    switch (dtype->bits) {
    case 64:
        return double_bits(value);
    case 32:
        return float_bits((float)value);
    case 16:
        return dtype->name[0] == 'b' ? bfloat_from_float(odd) : half_from_float(odd);
    default:
        return float8_from_float(odd, float8_of(dtype), true);
    }
}

static uint64_t load(const struct array *array, size_t index) {
    uint64_t bits = 0;
    unsigned bytes = array->dtype->bits / 8;
    memcpy(&bits, (const uint8_t *)array->data + index * bytes, bytes);
    return bits;
}

int64_t array_get_integer(const struct array *array, size_t index) {
    uint64_t bits = load(array, index);
    if (array->dtype->kind == ELEMENT_TYPE_FLOAT) {
        return (int64_t)decode_float(array->dtype, bits);
    }
    unsigned extend = 64 - array->dtype->bits;
    return array->dtype->kind == ELEMENT_TYPE_SIGNED ? (int64_t)(bits << extend) >> extend : (int64_t)bits;
}

double array_get(const struct array *array, size_t index) {
    if (array->dtype->kind == ELEMENT_TYPE_FLOAT) {
        return decode_float(array->dtype, load(array, index));
    }
    if (array->dtype->kind == ELEMENT_TYPE_UNSIGNED) {
        return (double)load(array, index);
    }
    return (double)array_get_integer(array, index);
}

void array_print(struct strbuf *out, const struct array *array, size_t index) {
    if (array->dtype->kind == ELEMENT_TYPE_FLOAT) {
        strbuf_printf(out, "%.9g", array_get(array, index));
    } else if (array->dtype->kind == ELEMENT_TYPE_UNSIGNED) {
        strbuf_printf(out, "%llu", (unsigned long long)array_get_integer(array, index));
    } else {
        strbuf_printf(out, "%lld", (long long)array_get_integer(array, index));
    }
}

static void store(struct array *array, size_t index, uint64_t bits) {
    unsigned bytes = array->dtype->bits / 8;
    memcpy((uint8_t *)array->data + index * bytes, &bits, bytes);
}

void array_set(struct array *array, size_t index, double value) {
    store(array, index, scalar_bits(array->dtype, value, (int64_t)value));
}

void array_set_integer(struct array *array, size_t index, int64_t value) {
    store(array, index, scalar_bits(array->dtype, (double)value, value));
}

uint64_t scalar_bits(const struct element_type *dtype, double value, int64_t integer) {
    if (dtype->kind == ELEMENT_TYPE_FLOAT) {
        return encode_float(dtype, value);
    }
    if (dtype->kind == ELEMENT_TYPE_BOOL) {
        return integer != 0;
    }
    return dtype->bits == 64 ? (uint64_t)integer : (uint64_t)integer & (((uint64_t)1 << dtype->bits) - 1);
}
