// Values that loops count beside their own counters.
#ifndef TKC_PASSES_COUNTERS_H
#define TKC_PASSES_COUNTERS_H

#include "passes/pass.h"

// Replaces, in a function whose equal ops are merged, what a loop carries and counts as its own counter does. What carried it is dead
// then.
void counters_replace(struct pass_context *context, MlirOperation function);

#endif
