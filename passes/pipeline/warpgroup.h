// What other passes ask about dots that warpgroups compute (warpgroup.c).
#ifndef TKC_PASSES_WARPGROUP_H
#define TKC_PASSES_WARPGROUP_H

#include "passes/pass.h"

// The dot's instruction is one that warpgroups run together.
bool dot_is_warpgroup(MlirOperation dot);
// The loop has one dot, of a warpgroup and of slots alone, and does nothing with its result but carry it: the dot may
// go on reading its slots while the next one starts. Slots are what `loads` of the loop are brought to; what the loop
// stores to shared memory by itself has one buffer.
bool dot_stays_in_flight(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                         size_t load_count);

#endif
