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

// Notes at the function, in {tk.apart}, what that rests on for loads that are done ahead: their arguments, each with those that the
// loop stores through.
void loads_assume_apart(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                        size_t load_count);

#endif
