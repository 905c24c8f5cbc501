// Axis information: facts about the integers and addresses in a tile, dimension by dimension.
#ifndef TKC_PASSES_AXIS_H
#define TKC_PASSES_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/pass.h"

enum { AXIS_DIVISIBILITY_MAX = 1 << 20 };

// The assumptions of a fact beside the program's text (src/decisions/05 gives the reason for each). An access
// made wide under one of the first three names it in its attribute `assumes`.
enum axis_assumption {
    AXIS_ASSUMES_ARGUMENTS = 1 << 0, // integer arguments of 32 and 64 bits are not negative
    AXIS_ASSUMES_NO_WRAP = 1 << 1,   // sums and products of those, in 32 and 64 bits, do not overflow
    AXIS_ASSUMES_DIVISORS = 1 << 2,  // run-time divisors are not negative
    AXIS_ASSUMES_PROMISES = 1 << 3,  // divisibilities of arguments and hints are true
};

// Along dimension d the tile divides into aligned groups of contiguity[d] elements, with first elements
// divisible by divisibility[d] (bytes for pointers), and into aligned groups of constancy[d] equal elements.
// A contiguous group consists of aligned parts, each as long as the divisibility. A part counts up by one (by
// one element for pointers) from a multiple of its length. Longer runs wrap if narrow arithmetic did, so only
// the order of lanes may depend on them. All three are powers of two. Scalars have one dimension of extent 1.
// Every element is between low and high, as a signed number.
//
// Division and remainder truncate, so they preserve runs only for non-negative dividends: the bounds prove
// these. `assumes` (enum axis_assumption) belongs to the groups, `bounds_assume` to the bounds.
struct axis_info {
    int rank;
    int64_t contiguity[LAYOUT_MAX_RANK];
    int64_t divisibility[LAYOUT_MAX_RANK];
    int64_t constancy[LAYOUT_MAX_RANK];
    int64_t low, high;
    unsigned assumes, bounds_assume;
};

// A possible, missing hint of an argument of the function: a multiple of `multiple`, or 1; 0: none.
struct axis_supposition {
    int64_t multiple;
    bool is_one;
};

struct axis {
    struct pass_context *context;
    struct map infos;  // value pointer → struct axis_info
    int whiles_around; // while loops around the analysed one
};

// Analyses one function: forward over its ops, loops to a fixpoint.
void axis_analyse(struct axis *axis, struct pass_context *context, MlirOperation function);
// The same as if the arguments had more hints (missing_hints.c).
void axis_analyse_supposing(struct axis *axis, struct pass_context *context, MlirOperation function,
                            const struct axis_supposition *supposed);
void axis_free(struct axis *axis);
// The facts about a value; those of an unknown value if the analysis has not met it.
struct axis_info axis_of(struct axis *axis, MlirValue value);

// True for x - x / y * y, a remainder written so.
bool axis_is_remainder(struct ir *ir, MlirOperation subtraction);

// The facts about a load's address, with the groups in which its result is constant: neighbours load the same
// element if their addresses and masks are equal, and masked elements get one constant.
struct axis_info axis_of_load(struct axis *axis, MlirOperation load);

// The number of elements along `dim` for one access through these pointers: contiguous, aligned to their
// total size, with one value of the mask (may be null); at most `most` bytes.
int64_t axis_access_elements(struct axis *axis, MlirValue pointer, MlirValue mask, int dim, int64_t most);
// The assumptions behind it, by name; NULL for none but the program's own promises.
const char *axis_access_assumes(struct axis *axis, MlirValue pointer, MlirValue mask);

#endif
