// Loads that decide where a program goes on, of memory that it changes by atomics (deciding_loads.c).
#ifndef TKC_PASSES_DECIDING_LOADS_H
#define TKC_PASSES_DECIDING_LOADS_H

#include "passes/pass.h"

// Makes such loads of the function volatile.
void deciding_loads(struct pass_context *context, MlirOperation function);

#endif
