// The work of one program of a kernel, for the cost rule of launchers with several variants.
#ifndef TKC_DRIVER_WORK_H
#define TKC_DRIVER_WORK_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "chip/target.h"
#include "ir/context.h"

// The work, and for each of its terms the elementwise operations on float tiles: of special units, and
// others.
struct work_survey {
    struct kernel_work work;
    double special[TKC_WORKS], simple[TKC_WORKS];
};

// Surveys a function as emitted by the front end. Parameters are numbered like the function's arguments.
struct work_survey work_survey(struct ir *ir, MlirOperation function);

// Weighs the survey, once the passes have chosen instructions. On chips with wgmma the products of a term
// become the number that the matrix units would do at full rate in the term's estimated time.
struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function);

#endif
