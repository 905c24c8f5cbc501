// The elements of an op's operands behind a part of its result; the part is a range along one dimension.
#ifndef TKC_PASSES_DIMENSIONS_H
#define TKC_PASSES_DIMENSIONS_H

#include <stdbool.h>

#include "dialects/tk/tk.h"

// The dimension of the op's operand (by number) behind dimension `dim` of its result, for elementwise ops, shape ops but
// reshape, and dots; -1: the operand has no such dimension, and each part of the result needs all of it.
int dimension_of_operand(struct ir *ir, struct arena *arena, MlirOperation op, intptr_t operand, int dim);

// True if every part along the dimension (-1: none) is the value itself: it is a scalar, or has one element along it.
bool dimension_is_whole(MlirValue value, int dim);

// The tile type without a layout, with one `by`-th of its extent along the dimension.
MlirType dimension_cut(MlirType type, int dim, int64_t by);

#endif
