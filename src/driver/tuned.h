// Choices between configurations, tuned on devices and written by k_save_tuned. They select the variants to
// compile, and become the launcher's table of choices.
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
// The configurations named by the choices, each once.
const struct frontend_named *tuned_configurations(const struct tuned *tuned, struct arena *arena,
                                                  size_t *count);
// Keeps the variants of each kernel that a choice names; all if no choice names any. A single remaining
// variant takes its function's name.
void tuned_filter(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                  struct frontend *frontend);
// Adds the choices for kernels of the reflection, in the order of the file. Warns about keys with a missing
// parameter.
void tuned_reflect(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                   const struct frontend *frontend, struct reflection *reflection);

#endif
