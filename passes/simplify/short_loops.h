// Loops with a small constant trip count.
#ifndef TKC_PASSES_SHORT_LOOPS_H
#define TKC_PASSES_SHORT_LOOPS_H

#include "passes/pass.h"

// In a function: replaces a loop of one iteration by its body and removes a loop of none. With `write_out`,
// also unrolls small loops of a few iterations fully.
void short_loops(struct pass_context *context, MlirOperation function, bool write_out);

// The trip count, at most 17 (17: 17 or more); -1 if it is not known.
int short_loop_steps(struct ir *ir, MlirOperation loop);

#endif
