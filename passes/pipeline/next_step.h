// Loads into registers, one iteration ahead (next_step.c).
#ifndef TKC_PASSES_NEXT_STEP_H
#define TKC_PASSES_NEXT_STEP_H

#include "passes/pass.h"

// Gives loads of loops with dots or a recurrence the role load_ahead, before any loop is rewritten. Loads in
// `staged` go through buffers and are skipped.
void next_step_plan(struct pass_context *context, MlirModule module, const struct map *staged);
// True if the loop's threads, with `share` registers each, have `own` registers left for a load one iteration
// ahead, beside `more` for other such loads. Sets *dots if the loop has a dot.
bool next_step_fits(struct ir *ir, MlirOperation loop, unsigned share, unsigned more, unsigned own,
                    bool *dots);
// The number of blocks per multiprocessor, by registers, if the loop loads nothing ahead; *share: a thread's
// registers then, as next_step_fits takes them.
unsigned next_step_blocks(struct pass_context *context, MlirOperation loop, unsigned num_warps,
                          unsigned *share);

// True if masks of loads, more than a thread has predicates, choose between values of the state that a loop's body carries: its loads run
// a step ahead.
bool next_step_for_masks(struct ir *ir, MlirBlock body);

#endif
