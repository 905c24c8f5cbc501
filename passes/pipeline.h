// The part of pipelining that has a file of its own.
#ifndef TKC_PASSES_PIPELINE_H
#define TKC_PASSES_PIPELINE_H

#include "passes/pass.h"

// Moves the reads and conversions that make up a dot's operands to right before the dot.
void operands_late(struct pass_context *context, MlirModule module);

#endif
