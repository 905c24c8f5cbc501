// What one program of a kernel does, for the cost rule of launchers with several variants.
#ifndef TKC_DRIVER_WORK_H
#define TKC_DRIVER_WORK_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "chip/target.h"
#include "ir/context.h"

// With each term of the work, operations on elements of float tiles: those that special units do, and others.
struct work_survey {
    struct kernel_work work;
    double special[TKC_WORKS], simple[TKC_WORKS];
};

// Of a function as the front end made it. Parameters are counted as the function's arguments.
struct work_survey work_survey(struct ir *ir, MlirOperation function);

// The same when passes have chosen instructions: of a chip with warpgroup instructions, products count as what its
// matrix units would have done in the time that products and elements of the term take.
struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function);

#endif
