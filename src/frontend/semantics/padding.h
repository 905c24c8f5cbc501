// Tiles with other extents than powers of two.
#ifndef TKC_FRONTEND_SEMANTICS_PADDING_H
#define TKC_FRONTEND_SEMANTICS_PADDING_H

#include "frontend/semantics/emit.h"

// Arguments of a builtin, one a parameter.
struct padding_call {
    const struct builtin *builtin;
    const char *const *parameters;
    struct value *args;
    size_t count;
};
// Changes the arguments so that no padding reaches a result or memory. False after an error: the builtin cannot take such tiles.
bool padding_settle(struct emitter *e, const struct padding_call *call, struct location location);

#endif
