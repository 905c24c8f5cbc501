// Loops that are known to take few steps.
#ifndef TKC_PASSES_SHORT_LOOPS_H
#define TKC_PASSES_SHORT_LOOPS_H

#include "passes/pass.h"

// Of a function: a loop of one step becomes its body, one of none goes; with `write_out`, small ones of a few steps become as
// many bodies.
void short_loops(struct pass_context *context, MlirOperation function, bool write_out);

// How often a loop runs, 17 standing for more, too; -1 where that is not known.
int short_loop_steps(struct ir *ir, MlirOperation loop);

#endif
