// Immediates of inline assembly.
#ifndef TKC_FRONTEND_BUILTIN_IMMEDIATE_H
#define TKC_FRONTEND_BUILTIN_IMMEDIATE_H

#include "frontend/semantics/emit.h"

// Puts the constant operands under the constraint "n" or "i" into the text, and takes them out of the constraints and
// the operands. False after an error.
bool asm_immediates(struct emitter *e, const char **text, const char **constraints, int64_t pack,
                    struct value *operands, size_t *count, struct location at);

#endif
