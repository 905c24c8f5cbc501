// Loads that a loop keeps in registers, done a step ahead (next_step.c).
#ifndef TKC_PASSES_NEXT_STEP_H
#define TKC_PASSES_NEXT_STEP_H

#include "passes/pass.h"

enum { NEXT_STEP_MOST = 16 };

// Loads of one loop; the loop is what they stand in.
struct next_step {
    MlirOperation loads[NEXT_STEP_MOST];
    size_t count;
};

// Of each loop with dots, before any is rewritten; `staged` holds the loads that go another way.
struct next_step *next_step_plan(struct pass_context *context, MlirModule module, const struct map *staged,
                                 size_t *count);
void next_step_rewrite(struct pass_context *context, const struct next_step *step);

#endif
