// Polling loads: a loop repeats a load until another program changes the memory (polled_loads.c).
#ifndef TKC_PASSES_POLLED_LOADS_H
#define TKC_PASSES_POLLED_LOADS_H

#include "passes/pass.h"
#include "support/map.h"

// Makes the polling loads of the function volatile, and adds their arguments to `arguments`. True if some
// polling load's pointer leads to no argument.
bool polled_loads(struct pass_context *context, MlirOperation function, struct map *arguments);

#endif
