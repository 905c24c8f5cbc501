// All families, in the order in which they are run.
#include "lang.h"

const struct lang_family *const lang_families[] = {
    &lang_memory,  &lang_cast, &lang_arithmetic, &lang_math,  &lang_shape,  &lang_reduce,
    &lang_control, &lang_dot,  &lang_atomic,     &lang_block, &lang_random, &lang_tangled,
    &lang_shared,  &lang_edge, &lang_examples,   NULL,
};
