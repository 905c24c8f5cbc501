// Loads done by another warp, earlier than the program says.
#ifndef TKC_PASSES_RUN_AHEAD_H
#define TKC_PASSES_RUN_AHEAD_H

#include "passes/pass.h"

// True if another warp may do the loop's loads at any earlier time, even while its block is still busy with
// the program before this one.
bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop);

#endif
