// What the operands of loads need of an iteration, so that the loads can run in an earlier one.
#ifndef TKC_PASSES_SLICE_H
#define TKC_PASSES_SLICE_H

#include "ir/build.h"

struct slice {
    struct ir *ir;
    MlirBlock body; // of the loop
    bool (*runs_ahead)(struct ir *ir,
                       MlirOperation op); // whether an op may be computed in an earlier iteration
    struct map ops;                       // of the body: those that compute operands → themselves
    bool *carried;                        // which of the loop's iteration arguments they need
    MlirOperation obstacle;               // the op that may not be computed in an earlier iteration
};

// Adds what an op's operands need. False where that cannot run ahead: `obstacle` says why.
bool slice_add_operands(struct slice *slice, MlirOperation op);

#endif
