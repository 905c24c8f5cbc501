// Slots of tensor copies that threads read, in place of a matrix unit.
#ifndef TKC_PASSES_PIPELINE_SLOTS_READ_H
#define TKC_PASSES_PIPELINE_SLOTS_READ_H

#include "ir/build.h"

// Arrivals from the op on, in its block, give back a slot that threads read: each warp's arrival waits for the reads of all its threads.
void slots_free_together(struct ir *ir, MlirOperation from);

#endif
