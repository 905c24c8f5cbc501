// A random set of kernels whose header is tried: what fuzz_headers.c makes and write_program.c writes a program for.
#ifndef TKC_TESTS_FUZZ_SET_H
#define TKC_TESTS_FUZZ_SET_H

#include "artifact/artifact.h"

enum { FAMILIES = 4, VARIANTS = 6, KERNELS = FAMILIES * VARIANTS, PARAMS = 7, CONSTANTS = 5, HIDDEN = 6 };

struct set {
    unsigned number;
    struct reflection reflection;
    struct reflect_kernel kernels[KERNELS]; // variants of one function stand together
    unsigned grids[KERNELS][3];             // what the kernel's grid comes to
    size_t count;
    const char *file; // of the image that is loaded, with what stands before it; NULL: the header holds it
};

static inline bool is_integer(const struct reflect_param *param) {
    return !param->pointer && strchr("iu", param->dtype[0]) && strcmp(param->dtype, "i1") != 0;
}

// The value that the program gives to parameter i: fits every type, keeps every hint of the most special variant.
static inline unsigned value_of(const struct reflect_kernel *kernel, size_t i) {
    return kernel->params[i].equals_one ? 1 : 16 * (unsigned)(i + 1);
}

void write_program(struct strbuf *out, const struct set *set);

#endif
