// Whether loads of a loop may be done before stores of iterations ahead of theirs (apart.c).
#ifndef TKC_PASSES_APART_H
#define TKC_PASSES_APART_H

#include "passes/pass.h"

// The argument of the function that every address of a pointer, or of a tile of them, is computed from; null where there are
// several, or another.
MlirValue pointer_argument(struct ir *ir, MlirValue pointer);

// Whether these loads of a loop may be done ahead of all that its earlier iterations store.
bool loads_pass_stores(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                       size_t load_count);
// The same of any ops, in program order, which may be done more than once; else it declines for the reason.
bool loads_pass_ops(struct pass_context *context, const MlirOperation *ops, size_t count,
                    const MlirOperation *loads, size_t load_count, enum reason reason);

#endif
