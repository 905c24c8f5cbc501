// Loads by another warp, ahead of program order.
#ifndef TKC_PASSES_RUN_AHEAD_H
#define TKC_PASSES_RUN_AHEAD_H

#include "passes/pass.h"

// True if another warp may execute these loads arbitrarily early, even during the block's previous program.
// None of the loads may stand behind the loop.
bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         const MlirOperation *loads, size_t load_count);
// Notes at the function what that rests on (apart.h).
void loads_assume_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                        const MlirOperation *loads, size_t load_count);

#endif
