// Whether the sums of a loop's products fit in the registers of a thread (NVIDIA).
#ifndef TKC_PASSES_SUMS_H
#define TKC_PASSES_SUMS_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/build.h"
#include "support/diag.h"

// Of a module behind all passes: warns of functions where they do not. True if there are any.
bool sums_warn(struct ir *ir, struct arena *arena, const struct target *target, MlirModule module,
               struct diag *diag);

#endif
