// Tiles of pointers computed from the induction variable, turned into loop-carried pointers (carry.c).
#ifndef TKC_PASSES_CARRY_H
#define TKC_PASSES_CARRY_H

#include "passes/facts/affine.h"
#include "passes/pass.h"

// Returns the loop, an scf.for of the function, or its replacement.
MlirOperation carry_pointers(struct pass_context *context, MlirOperation function, MlirOperation loop);

#endif
