// The traffic of shared memory, in a function after all passes: copies to it, operands of products, layout changes, partial results of
// reductions, and the barriers that keep them apart.
#ifndef TKC_DRIVER_TRAFFIC_H
#define TKC_DRIVER_TRAFFIC_H

#include <mlir-c/IR.h>

#include "chip/target.h"
#include "driver/work.h"
#include "ir/context.h"
#include "support/arena.h"

// An op of a step that was peeled off its loop: counted beside the loop's steps, as launchers' rule was fitted, or with them alone.
enum traffic_peeled { TRAFFIC_PEELED_TWICE, TRAFFIC_PEELED_ONCE };

// Sets `shared`, `exchanged` and `barriers` of the survey's parts, for one program. The function's loops are known by their places in the
// source; a loop that no pass kept has its traffic in the part around it.
void traffic_add(struct work_survey *survey, struct ir *ir, struct arena *arena, const struct target *target,
                 MlirOperation function, enum traffic_peeled peeled);

// The bytes of shared memory that a product by matrix instructions reads: for operands in registers, those that its warps read before.
double traffic_of_product(struct ir *ir, MlirOperation dot);

#endif
