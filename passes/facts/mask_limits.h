// The iterations of a loop with a mask's condition true for every element of the tile.
#ifndef TKC_PASSES_MASK_LIMITS_H
#define TKC_PASSES_MASK_LIMITS_H

#include "passes/facts/tile_access.h"

// The condition `n · per_iteration + sum < 0`, n: the iteration's number, from 0.
struct mask_limit {
    int64_t per_iteration; // 0: the condition is the same in all iterations; below 0: it turns true
    int64_t greatest;      // the greatest sum of the terms with an index of the tile
    struct affine rest;    // scalars constant in the loop, i32 each
};

// The limit of a condition of a mask (tile_mask_of), one that turns false or true with further iterations; `mask` is the mask's type. False if
// the condition is no such sum.
bool mask_limit_of(const struct affines *affines, MlirOperation loop, const struct affine *below_zero,
                   MlirType mask, struct mask_limit *out);
// Builds the number of the first iteration with a false condition, or with a true one if it gets true, an i64. The
// scalars' sums must not leave 32 bits.
MlirValue mask_limit_build(const struct affines *affines, struct builder *b, const struct mask_limit *limit);
// The magnitudes of the terms of one side of a comparison, added up: fixed + per_iteration · n + each factor of
// `scalars` · |scalar|. While they stay below 2^31, the side is the sum of affine_of.
struct mask_magnitude {
    int64_t fixed, per_iteration;
    struct affine scalars; // i32 each
};

// False if the side is no such sum of 32 bits, or never below 2^31.
bool mask_magnitude_of(struct affines *affines, MlirOperation loop, MlirValue side,
                       struct mask_magnitude *out);
// False if it is below 2^31 in any case.
bool mask_magnitude_is_tested(const struct mask_magnitude *magnitude);
bool mask_magnitude_equal(const struct mask_magnitude *x, const struct mask_magnitude *y);
// Builds the test: lowers `steps`, an i64, to a number of iterations with a magnitude below 2^31.
MlirValue mask_magnitude_build(struct affines *affines, struct builder *b,
                               const struct mask_magnitude *magnitude, MlirValue steps);

#endif
