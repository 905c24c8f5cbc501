// What is known of the signs and sizes of floats. Every answer holds for numbers; a NaN may turn up anywhere.
#ifndef TKC_PASSES_SIGN_H
#define TKC_PASSES_SIGN_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

enum sign {
    SIGN_NOT_BELOW_ZERO, // -0 is allowed
    SIGN_CLEAR           // no -0 either: the reciprocal is not -inf
};

// Whether no element is a negative number: squares, absolute values, exponentials, and what keeps that.
bool value_has_sign(struct ir *ir, MlirValue value, enum sign sign);
// Whether no element is above 0.
bool value_is_never_positive(struct ir *ir, MlirValue value);
// Whether each element is at least 0 and finite, whatever the arguments are: a constant, a number up to 1.
bool value_is_tame_factor(struct ir *ir, MlirValue value);

#endif
