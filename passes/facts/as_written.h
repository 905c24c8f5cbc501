// Loops in the form of the source.
#ifndef TKC_PASSES_AS_WRITTEN_H
#define TKC_PASSES_AS_WRITTEN_H

#include "passes/pass.h"

// A loop's numbers in the source: those of the scf.for, unless its step may be negative at run time.
struct written_loop {
    MlirValue index; // in the body
    MlirValue first, end, step;
};

struct written_loop loop_as_written(struct ir *ir, MlirOperation loop);

#endif
