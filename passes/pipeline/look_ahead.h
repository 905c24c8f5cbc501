// Run-time tests for the existence of a later iteration.
#ifndef TKC_PASSES_LOOK_AHEAD_H
#define TKC_PASSES_LOOK_AHEAD_H

#include "ir/build.h"

// Builds the i1 "iteration index + count · step of the scf.for exists"; `index` belongs to an existing
// iteration. Built at `at`; the parts independent of the index are built at `before`, ahead of the loop.
MlirValue look_ahead_exists(struct builder *before, struct builder *at, MlirOperation loop, MlirValue index,
                            int count);
// The same ahead of the loop, from its first iteration, which may not exist either.
MlirValue look_ahead_from_first(struct builder *b, MlirOperation loop, int count);

#endif
