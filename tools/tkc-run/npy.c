// NumPy's .npy files: a magic string, a version, a Python dictionary as header, the data. NumPy has no bf16 and no 8-bit
// floats: the package ml_dtypes has, and saves their codes as "<V2" and "<V1" (e5m2 as "<f1", loaded by nothing).
#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"

static const char *field(const char *header, const char *name) {
    const char *at = strstr(header, name);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool read_shape(const char *at, size_t *dimensions, unsigned *rank) {
    if (!at || *at++ != '(') {
        return false;
    }
    for (*rank = 0; *rank < RUN_DIMENSIONS;) {
        at += strspn(at, " ,");
        if (*at == ')') {
            return true;
        }
        char *end;
        dimensions[(*rank)++] = strtoull(at, &end, 10);
        if (end == at) {
            return false;
        }
        at = end;
    }
    return false;
}

static bool is_code(const struct element_type *type) {
    return type->npy[1] == 'V';
}

// Whether elements of the file may be taken as those of a type of their size.
static bool may_be(const struct element_type *dtype, const struct element_type *as) {
    if (!is_code(as)) {
        return dtype->kind != ELEMENT_TYPE_FLOAT || !is_code(dtype);
    }
    bool integers = dtype->kind == ELEMENT_TYPE_SIGNED || dtype->kind == ELEMENT_TYPE_UNSIGNED;
    return integers || dtype == as || dtype == &element_type_of_byte;
}

char *npy_read(const char *path, const struct element_type *as, struct array *array) {
    size_t length, dimensions[RUN_DIMENSIONS];
    unsigned rank = 0;
    char *bytes = file_read(path, &length), *error = NULL;
    if (!bytes) {
        return message("cannot read %s: %s", path, file_read_error());
    }
    const unsigned char *head = (const unsigned char *)bytes;
    size_t wide = length > 8 && head[6] >= 2 ? 4 : 2;
    size_t header = length < 12 ? 0
                    : wide == 2 ? head[8] | (size_t)head[9] << 8
                                : head[8] | (size_t)head[9] << 8 | (size_t)head[10] << 16;
    if (length < 12 || memcmp(bytes, "\x93NUMPY", 6) || 8 + wide + header > length) {
        error = message("%s is not an .npy file", path);
        goto done;
    }
    char *text = strndup(bytes + 8 + wide, header);
    const char *descr = field(text, "'descr'"), *order = field(text, "'fortran_order'");
    const char *quote = descr && *descr == '\'' ? strchr(descr + 1, '\'') : NULL;
    const struct element_type *dtype =
        quote ? element_type_of_npy(descr + 1, (size_t)(quote - descr - 1)) : NULL;
    if (!quote || !order || !read_shape(field(text, "'shape'"), dimensions, &rank)) {
        error = message("%s: the header is not understood", path);
    } else if (!dtype) {
        error = message("%s: element type %.*s is not supported", path, (int)(quote - descr + 1), descr);
    } else if (*order == 'T' && rank > 1) {
        error = message("%s is in Fortran order; save it with numpy.ascontiguousarray", path);
    } else if (as && (as->bits != dtype->bits || !may_be(dtype, as))) {
        error = message("%s holds %s, not %s", path, dtype->name, as->name);
    }
    free(text);
    if (error) {
        goto done;
    }
    const struct element_type *type = as && is_code(as) ? as : dtype;
    size_t data = 8 + wide + header, wanted = type->bits / 8;
    for (unsigned i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(wanted, dimensions[i], &wanted)) {
            wanted = SIZE_MAX;
        }
    }
    if (wanted > length - data) {
        error = message("%s is shorter than its header says", path);
    } else if (!array_create(array, type, dimensions, rank)) {
        error = message("%s: out of memory", path);
    } else {
        memcpy(array->data, bytes + data, array_bytes(array));
    }
done:
    free(bytes);
    return error;
}

char *npy_write(const char *path, const struct array *array) {
    struct strbuf header = {0}, file = {0};
    strbuf_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': (", array->dtype->npy);
    for (unsigned i = 0; i < array->rank; i++) {
        strbuf_printf(&header, "%zu%s", array->dimensions[i],
                      i + 1 < array->rank ? ", "
                      : array->rank == 1  ? ","
                                          : "");
    }
    strbuf_add(&header, "), }");
    while ((10 + header.length + 1) % 64) {
        strbuf_add_char(&header, ' ');
    }
    strbuf_add_char(&header, '\n');
    const char head[] = {
        '\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(header.length & 255), (char)(header.length >> 8)};
    strbuf_add_bytes(&file, head, sizeof head);
    strbuf_add_bytes(&file, header.data, header.length);
    strbuf_add_bytes(&file, array->data, array_bytes(array));
    char *error = file_write_atomic(path, file.data, file.length)
                      ? NULL
                      : message("cannot write %s: %s", path, strerror(errno));
    strbuf_free(&header);
    strbuf_free(&file);
    return error;
}
