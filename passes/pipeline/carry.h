// Values computed from a loop's induction variable become carried values: tiles of pointers (carry.c), quotients (carry_quotients.c).
#ifndef TKC_PASSES_CARRY_H
#define TKC_PASSES_CARRY_H

#include "passes/facts/affine.h"
#include "passes/pass.h"

// Returns the loop, an scf.for of the function, or its replacement.
MlirOperation carry_pointers(struct pass_context *context, MlirOperation function, MlirOperation loop);

// The same for quotients and remainders.
MlirOperation carry_quotients(struct pass_context *context, MlirOperation loop);

#endif
