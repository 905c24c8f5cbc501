// Loads that a loop repeats until memory is another one (polled_loads.c).
#ifndef TKC_PASSES_POLLED_LOADS_H
#define TKC_PASSES_POLLED_LOADS_H

#include "passes/pass.h"
#include "support/map.h"

// Makes such loads of the function volatile, and adds the arguments that they read through. True if one of them is followed to
// no argument.
bool polled_loads(struct pass_context *context, MlirOperation function, struct map *arguments);

#endif
