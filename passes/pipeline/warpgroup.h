// Questions of other passes about warpgroup dots (warpgroup.c).
#ifndef TKC_PASSES_WARPGROUP_H
#define TKC_PASSES_WARPGROUP_H

#include "passes/pass.h"

// True if the dot has a warpgroup instruction.
bool dot_is_warpgroup(MlirOperation dot);
// True if the loop has one dot, a warpgroup's, with operands in slots only, and only carries its result: the
// dot may then go on reading its slots while the next dot starts. Slots hold the tiles of the loop's `loads`;
// a tile stored to shared memory by the loop itself has only one buffer.
bool dot_stays_in_flight(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                         size_t load_count);

#endif
