// Iterations of a loop that lie ahead of the one that runs: whether they exist.
#ifndef TKC_PASSES_LOOK_AHEAD_H
#define TKC_PASSES_LOOK_AHEAD_H

#include "ir/build.h"

// The i1 that iteration index + count · step of an scf.for exists, `index` being one that does. Built at `at`; what does not
// depend on the index at `before`, ahead of the loop.
MlirValue look_ahead_exists(struct builder *before, struct builder *at, MlirOperation loop, MlirValue index,
                            int count);
// The same of the loop's first iteration, which need not exist itself.
MlirValue look_ahead_from_first(struct builder *b, MlirOperation loop, int count);

#endif
