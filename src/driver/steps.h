// Numbers of a program's steps, and of the elements inside its masks, as texts that the page computes for each program.
#ifndef TKC_DRIVER_STEPS_H
#define TKC_DRIVER_STEPS_H

#include <mlir-c/IR.h>

#include "ir/context.h"
#include "support/arena.h"

// The arguments of a function's block `entry` have these names in C, by number.
struct steps_names {
    struct ir *ir;
    struct arena *arena;
    MlirBlock entry;
    const char *const *names;
    size_t count;
};

// A range of a loop, or of loops that go on where the one before ends. `counter`: the loop's own.
struct steps_range {
    MlirValue counter, low, high;
    int64_t step;
};

// "tkc_max(0, tkc_cdiv(tkc_min(tkc_add(tkc_mul(tkc_id_0, 128), 128), length_), 64))": the steps of a program (condition_program_text).
// NULL: they depend on more than arguments and ids.
const char *steps_of_range(const struct steps_names *names, const struct steps_range *range);

// True if a text names an id of the program.
bool steps_differ(const char *text);

// The elements inside the mask of a load, store or atomic, in a whole program; `per`: the elements of one tile along the dimensions with
// a limit. `loop`: the only loop around it; NULL: none. NULL: there is no mask, or none of comparisons with values that the host knows.
const char *steps_inside_mask(const struct steps_names *names, MlirOperation access,
                              const struct steps_range *loop, double *per);

#endif
