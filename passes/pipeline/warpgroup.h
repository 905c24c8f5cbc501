// Questions of other passes about warpgroup dots (warpgroup.c).
#ifndef TKC_PASSES_WARPGROUP_H
#define TKC_PASSES_WARPGROUP_H

#include "passes/pass.h"

// True if the dot has a warpgroup instruction.
bool dot_is_warpgroup(MlirOperation dot);
// The number of the loop's dots, if all are warpgroups', with operands in slots only, and the loop only carries their results: dots may then
// go on reading their slots while the next step's start. Else 0. Slots hold the tiles of the loop's `loads`; a tile stored to shared memory by
// the loop itself has only one buffer.
size_t dots_in_flight(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                      size_t load_count);
// ---- warpgroup_sums.c ----
// True if the tile is computed from slots, and from no product.
bool computed_from_slots(struct pass_context *context, MlirValue tile);
// Moves the beginnings of the dots' sums ahead of the dots under way. The dots are warpgroups', in program order.
void begin_sums_early(struct pass_context *context, const MlirOperation *dots, size_t count);

#endif
