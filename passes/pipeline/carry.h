// Tiles of pointers that a loop computes from its induction variable, as ones that it counts on (carry.c).
#ifndef TKC_PASSES_CARRY_H
#define TKC_PASSES_CARRY_H

#include "passes/facts/affine.h"
#include "passes/pass.h"

// The loop, an scf.for of the function, or one that stands for it.
MlirOperation carry_pointers(struct pass_context *context, MlirOperation function, MlirOperation loop);

#endif
