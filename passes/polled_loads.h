// Loads that a loop repeats until memory is another one (polled_loads.c).
#ifndef TKC_PASSES_POLLED_LOADS_H
#define TKC_PASSES_POLLED_LOADS_H

#include "passes/pass.h"

// Makes such loads of the function volatile.
void polled_loads(struct pass_context *context, MlirOperation function);

#endif
