// A random set of kernels for one header: made by fuzz_headers.c, with a program by write_program.c.
#ifndef TKC_TESTS_FUZZ_SET_H
#define TKC_TESTS_FUZZ_SET_H

#include "artifact/artifact.h"

enum { FAMILIES = 4, VARIANTS = 6, KERNELS = FAMILIES * VARIANTS, PARAMS = 7, CONSTANTS = 5, HIDDEN = 6 };

struct set {
    unsigned number;
    struct reflection reflection;
    struct reflect_kernel kernels[KERNELS]; // variants of one function stand together
    unsigned grids[KERNELS][3];             // values of the kernels' grids
    size_t count;
    const char *file; // of the loaded image, with its path; NULL: the header has the bytes
};

static inline bool is_integer(const struct reflect_param *param) {
    return !param->pointer && strchr("iu", param->dtype[0]) && strcmp(param->dtype, "i1") != 0;
}

// The program's value of parameter i: fits every type, keeps every hint of the most special variant.
static inline unsigned value_of(const struct reflect_kernel *kernel, size_t i) {
    return kernel->params[i].equals_one ? 1 : 16 * (unsigned)(i + 1);
}

void write_program(struct strbuf *out, const struct set *set);

#endif
