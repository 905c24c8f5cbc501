// Checks if the accumulators of a loop fit in the registers of a thread (NVIDIA).
#ifndef TKC_PASSES_SUMS_H
#define TKC_PASSES_SUMS_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/build.h"
#include "support/diag.h"

// The accumulators of one function's loop with the most of them, and their room.
struct sums {
    unsigned registers;     // of a thread, for accumulators alive at one time; 0: no loop of products
    unsigned reserve;       // of a thread, for other values
    unsigned limit;         // registers of a thread
    unsigned warps;         // sharing the accumulators
    unsigned rows, columns; // of the loop's only accumulator; 0: it has several
};
// Of a function after all passes.
struct sums sums_of(struct ir *ir, struct arena *arena, const struct target *target, MlirOperation function);
bool sums_fit(const struct sums *sums);
// For sums too large, a change to make them fit: "give it num_warps=8". In the arena, or static.
const char *sums_advice(struct arena *arena, const struct sums *sums, const struct target *target);
// The fewest warps, not below `warps`, whose threads hold `registers` of a block beside the sums' reserve; 0: no number does.
unsigned sums_warps(unsigned registers, unsigned warps, const struct target *target);

// For a module after all passes: warns of each function with a loop whose accumulators do not fit. True if
// there are any.
bool sums_warn(struct ir *ir, struct arena *arena, const struct target *target, MlirModule module,
               struct diag *diag);

#endif
