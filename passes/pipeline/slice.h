// The backward slice of loads within a loop's body, so that the loads can run in an earlier iteration.
#ifndef TKC_PASSES_SLICE_H
#define TKC_PASSES_SLICE_H

#include "ir/build.h"

struct slice {
    struct ir *ir;
    MlirBlock body; // of the loop
    bool (*runs_ahead)(struct ir *ir,
                       MlirOperation op); // true: the op may be computed in an earlier iteration
    struct map ops;                       // ops of the body computing operands → themselves
    bool *carried;                        // the iteration arguments they use
    MlirOperation obstacle;               // the op not allowed in an earlier iteration
};

// Adds the slice of an op's operands. False if an op of it cannot run ahead; `obstacle` is the op.
bool slice_add_operands(struct slice *slice, MlirOperation op);

#endif
