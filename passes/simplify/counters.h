// Loop-carried values counting like their loop's counter.
#ifndef TKC_PASSES_COUNTERS_H
#define TKC_PASSES_COUNTERS_H

#include "passes/pass.h"

// Replaces such values in a function with merged equal ops. The carried values are then dead.
void counters_replace(struct pass_context *context, MlirOperation function);

#endif
