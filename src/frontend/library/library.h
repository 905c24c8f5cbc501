// Kernel-language library files (src/frontend/library/*.tk), embedded in the binary at build time.
#ifndef TKC_FRONTEND_LIBRARY_LIBRARY_H
#define TKC_FRONTEND_LIBRARY_LIBRARY_H

#include <stddef.h>

struct library_file {
    const char *name; // without folder and without ".tk": "random"
    const char *text; // NUL-terminated
    size_t length;
};

// Sorted by name; the last row has a NULL name. Defined in the generated library_data.c.
extern const struct library_file library_files[];

// The files of mathematical functions, most used first.
#define LIBRARY_MATH_FILES "exponential", "circular", "hyperbolic", "error"

const struct library_file *library_find(const char *name); // NULL if there is none

#endif
