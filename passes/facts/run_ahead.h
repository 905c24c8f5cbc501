// Loads by another warp, ahead of program order.
#ifndef TKC_PASSES_RUN_AHEAD_H
#define TKC_PASSES_RUN_AHEAD_H

#include "passes/pass.h"

// True if the while loop only waits for flags of other GPUs: it reads by nothing but atomic loads of the system's scope through
// arrays of addresses, and nothing else ends it.
bool waits_for_ranks(struct pass_context *context, MlirOperation loop);
// True if a program runs one of the two ops at most: they stand in different ways of a branch met once.
bool ops_exclude(struct pass_context *context, MlirOperation function, MlirOperation op, MlirOperation other);
// True if another warp may execute these loads arbitrarily early, even during the block's previous program.
// All of the loads must be before the loop or in it. `waits`: the warp runs these waits itself, ahead of the loads behind them.
bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         const MlirOperation *loads, size_t load_count, const MlirOperation *waits,
                         size_t wait_count);
// Notes at the function the arguments assumed not to overlap (apart.h).
void loads_assume_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                        const MlirOperation *loads, size_t load_count, const MlirOperation *waits,
                        size_t wait_count);

#endif
