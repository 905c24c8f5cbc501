// Axis information: what is known of the integers and addresses in a tile, dimension by dimension.
#ifndef TKC_PASSES_AXIS_H
#define TKC_PASSES_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/pass.h"

enum { AXIS_DIVISIBILITY_MAX = 1 << 20 };

// What a fact may rest on beside the program's text (src/decisions/05 says why each is taken). Accesses that are
// wide because of the first three name them in their attribute `assumes`.
enum axis_assumption {
    AXIS_ASSUMES_ARGUMENTS = 1 << 0, // integer arguments of 32 and 64 bits are not negative
    AXIS_ASSUMES_NO_WRAP = 1 << 1,   // sums and products of such, 32 and 64 bits wide, stay below the sign
    AXIS_ASSUMES_DIVISORS = 1 << 2,  // divisors at run time are not negative
    AXIS_ASSUMES_PROMISES = 1 << 3,  // divisibility of arguments and hints are what the program says
};

// Along dimension d the tile falls into aligned groups of contiguity[d] elements, the first of each a
// multiple of divisibility[d] (bytes for pointers), and into aligned groups of constancy[d] equal elements. A
// group of the first kind counts up by one (by one element for pointers) in aligned parts of as many elements
// as it is divisible by, each part from a multiple of its size; longer runs wrap if narrow arithmetic did, so
// that no more than the order of lanes may rest on them. All are powers of two. Scalars have one dimension of
// extent 1. Every element is between low and high, as a signed number.
//
// Division and remainder truncate, so what they keep of a run holds where the dividend is not negative: that
// is what the bounds are for. `assumes` (enum axis_assumption) is of the groups, `bounds_assume` of the
// bounds.
struct axis_info {
    int rank;
    int64_t contiguity[LAYOUT_MAX_RANK];
    int64_t divisibility[LAYOUT_MAX_RANK];
    int64_t constancy[LAYOUT_MAX_RANK];
    int64_t low, high;
    unsigned assumes, bounds_assume;
};

struct axis {
    struct pass_context *context;
    struct map infos; // value pointer → struct axis_info
};

// Analyses one function: forward over its ops, loops until nothing changes.
void axis_analyse(struct axis *axis, struct pass_context *context, MlirOperation function);
void axis_free(struct axis *axis);
// Of any value; the pessimistic answer for values that the analysis has not met.
struct axis_info axis_of(struct axis *axis, MlirValue value);

// How many elements along `dim` one access through these pointers can take: contiguous, aligned to their own
// size, and the mask (may be null) the same for all; at most 16 bytes.
int64_t axis_access_elements(struct axis *axis, MlirValue pointer, MlirValue mask, int dim);
// What that rests on: the names of assumptions, NULL for none but the program's own promises.
const char *axis_access_assumes(struct axis *axis, MlirValue pointer, MlirValue mask);

#endif
