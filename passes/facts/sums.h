// Checks if the accumulators of a loop fit in the registers of a thread (NVIDIA).
#ifndef TKC_PASSES_SUMS_H
#define TKC_PASSES_SUMS_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/build.h"
#include "support/diag.h"

// For a module after all passes: warns of each function with a loop whose accumulators do not fit. True if
// there are any.
bool sums_warn(struct ir *ir, struct arena *arena, const struct target *target, MlirModule module,
               struct diag *diag);

#endif
