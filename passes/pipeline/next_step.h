// Loads that a loop keeps in registers, done a step ahead (next_step.c).
#ifndef TKC_PASSES_NEXT_STEP_H
#define TKC_PASSES_NEXT_STEP_H

#include "passes/pass.h"

// Gives loads of loops with dots or a recurrence the role load_ahead, before any is rewritten; `staged` holds the loads that go another way.
void next_step_plan(struct pass_context *context, MlirModule module, const struct map *staged);
// Whether a loop's threads, which have `share` registers, have `own` left for a load that runs a step ahead, beside `more` that other
// such loads take. `*dots` is set.
bool next_step_fits(struct ir *ir, MlirOperation loop, unsigned share, unsigned more, unsigned own,
                    bool *dots);
// How many blocks a multiprocessor has registers for if a loop loads nothing ahead, and what a thread's share of them is as above.
unsigned next_step_blocks(struct pass_context *context, MlirOperation loop, unsigned num_warps,
                          unsigned *share);

#endif
