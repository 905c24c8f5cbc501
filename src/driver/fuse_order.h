// If ops of a merged kernel combine elements in the order of a step's own kernel.
#ifndef TKC_DRIVER_FUSE_ORDER_H
#define TKC_DRIVER_FUSE_ORDER_H

#include "ir/build.h"

bool is_warpgroup_dot(MlirOperation dot); // by its matrix instruction
// True if two reductions, scans or dots give the same bits for the same elements. `operand`: one kernel may compute the left operand.
bool sums_add_alike(struct ir *ir, MlirOperation together, MlirOperation apart, bool operand);
// True if a dot has half of the columns of another one (passes/simplify/column_pairs.c), and else adds alike.
bool sums_are_half(struct ir *ir, MlirOperation half, MlirOperation whole);

#endif
