// How large the numbers of a float value can be.
#ifndef TKC_PASSES_LARGEST_H
#define TKC_PASSES_LARGEST_H

#include <mlir-c/IR.h>

#include "ir/build.h"

// An upper bound of the sizes of all finite numbers among the elements, rounding left out; +inf if none is known.
double value_largest(struct ir *ir, MlirValue value);

#endif
