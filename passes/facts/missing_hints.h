// The missing hints of a kernel's arguments, to make an access wider.
#ifndef TKC_PASSES_MISSING_HINTS_H
#define TKC_PASSES_MISSING_HINTS_H

#include "passes/facts/axis.h"

enum { MISSING_HINTS_MAX = 16 };

struct missing_hint {
    unsigned argument;
    unsigned multiple; // bytes for a pointer; 1: the argument is 1
    bool bounds;       // the mask depends on it
};

struct missing_hints {
    int64_t bytes; // of an access of one thread
    int64_t could; // the same with the hints; without any, the widest for the tile
    struct missing_hint hints[MISSING_HINTS_MAX];
    size_t count; // 0: no hint helps
};

// The widest access to a tile is of 16 bytes, or of a thread's part of it. False if the load or store is as wide, for scalars, and
// when no trials are left. `axis`: the facts about the function; `trials`: how often it may be analysed again.
bool missing_hints_find(struct pass_context *context, MlirOperation function, struct axis *axis,
                        MlirOperation access, size_t *trials, struct missing_hints *out);

#endif
