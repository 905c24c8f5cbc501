// Loads by another warp, ahead of program order.
#ifndef TKC_PASSES_RUN_AHEAD_H
#define TKC_PASSES_RUN_AHEAD_H

#include "passes/pass.h"

// True if another warp may execute these loads arbitrarily early, even during the block's previous program.
// All of the loads must be before the loop or in it.
bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         const MlirOperation *loads, size_t load_count);
// Notes at the function the arguments assumed not to overlap (apart.h).
void loads_assume_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                        const MlirOperation *loads, size_t load_count);

#endif
