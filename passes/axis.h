// Axis information: what is known of the integers and addresses in a tile, dimension by dimension.
#ifndef TKC_PASSES_AXIS_H
#define TKC_PASSES_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/pass.h"

enum { AXIS_DIVISIBILITY_MAX = 1 << 20 };

// Along dimension d, the tile falls into aligned groups of contiguity[d] elements that count up by one (by
// one element for pointers), and into aligned groups of constancy[d] equal elements; the first element of
// each contiguous group is a multiple of divisibility[d] (bytes for pointers). All are powers of two. Scalars
// have one dimension of extent 1. Division and remainder truncate, so what they keep of a run holds where the
// dividend is not negative: ids, ranges, their sums and products, and integer arguments of the kernel (an
// assumption) are not; differences, negative constants and loaded values may be.
struct axis_info {
    int rank;
    int64_t contiguity[LAYOUT_MAX_RANK];
    int64_t divisibility[LAYOUT_MAX_RANK];
    int64_t constancy[LAYOUT_MAX_RANK];
    bool non_negative;
    bool is_constant;
    int64_t constant;
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

#endif
