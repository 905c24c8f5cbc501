// The parts of pipelining that have a file of their own.
#ifndef TKC_PASSES_PIPELINE_H
#define TKC_PASSES_PIPELINE_H

#include "passes/pass.h"

enum { MAX_LOADS = 16 };

// What a loop's loads take of shared memory once they are staged.
struct loop_stages {
    MlirOperation loop;
    MlirOperation loads[MAX_LOADS];
    size_t load_count;
    int slots; // buffers of each load; 0: the loop stays as it is
    int least; // that make sense
};
// stages.c: lowers `slots` until all loops, in program order, fit together.
void stages_share(struct pass_context *context, struct loop_stages *all, size_t count);

// operands_late.c: moves the reads and conversions that make up a dot's operands to right before the dot.
void operands_late(struct pass_context *context, MlirModule module);

#endif
