// Whether loads of a loop may be done before stores of iterations ahead of theirs (apart.c).
#ifndef TKC_PASSES_APART_H
#define TKC_PASSES_APART_H

#include "passes/pass.h"

// The argument of the function that every address of a pointer, or of a tile of them, is computed from; null where there are
// several, or another.
MlirValue pointer_argument(struct ir *ir, MlirValue pointer);

// Whether an op orders memory in ways that a load of these arguments has to respect.
bool orders_loads_of(struct ir *ir, MlirOperation op, const MlirValue *arguments, size_t count);

#endif
