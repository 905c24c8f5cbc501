// Facts about the signs and sizes of floats. All are about numbers; a NaN is always possible.
#ifndef TKC_PASSES_SIGN_H
#define TKC_PASSES_SIGN_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

enum sign {
    SIGN_NOT_BELOW_ZERO, // -0 is allowed
    SIGN_CLEAR           // no -0 either: the reciprocal is not -inf
};

// True if no element is a negative number: squares, absolute values, exponentials, and ops preserving this.
bool value_has_sign(struct ir *ir, MlirValue value, enum sign sign);
// True if no element is above 0.
bool value_is_never_positive(struct ir *ir, MlirValue value);
// True if each element is at least 0 and finite for any arguments: a constant, or a number up to 1.
bool value_is_tame_factor(struct ir *ir, MlirValue value);
// A lower bound of all elements; -inf if none is known.
double value_lower_bound(struct ir *ir, MlirValue value);

#endif
