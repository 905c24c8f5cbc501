// Choices between configurations that were tuned on devices (k_save_tuned writes them): which variants are compiled, and the
// table that launchers pick by.
#ifndef TKC_DRIVER_TUNED_H
#define TKC_DRIVER_TUNED_H

#include "artifact/artifact.h"
#include "frontend/frontend.h"

struct json;

struct tuned {
    const char *path;
    const struct json *choices; // an array
};

// Reads {"tkc_tuned": 1, "choices": [{"kernel": …, "device": …, "key": {"M": 512}, "config": …, "microseconds": …}]}.
// False after an error.
bool tuned_read(struct arena *arena, struct diag *diag, const char *path, struct tuned *tuned);
// What each choice names, once.
const struct frontend_named *tuned_configurations(const struct tuned *tuned, struct arena *arena,
                                                  size_t *count);
// Leaves those variants of each kernel that a choice names; all where none does. A lone one is named after its function.
void tuned_filter(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                  struct frontend *frontend);
// The choices for kernels of the reflection, in the order of the file. Those whose key lacks a parameter are named.
void tuned_reflect(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                   const struct frontend *frontend, struct reflection *reflection);

#endif
