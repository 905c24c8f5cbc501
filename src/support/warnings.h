// The table of warnings, and the choices of -W between them.
#ifndef TKC_SUPPORT_WARNINGS_H
#define TKC_SUPPORT_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

enum warning {
#define WARNING(id, name, doc) WARNING_##id,
#include "support/warnings.def"
#undef WARNING
    WARNING_COUNT
};

struct warning_row {
    const char *name, *doc;
};
extern const struct warning_row warning_table[WARNING_COUNT];

// A bit a warning. Zeroed: all on, none an error.
struct warnings {
    unsigned off, errors;
};

// Applies an argument of -W: "slow", "no-slow", "error", "error=slow", "no-error=slow". False if there is no such warning.
bool warnings_choose(struct warnings *warnings, const char *text);

#endif
