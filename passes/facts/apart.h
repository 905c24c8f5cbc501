// Checks if loads of a loop may move ahead of the stores of earlier iterations (apart.c).
#ifndef TKC_PASSES_APART_H
#define TKC_PASSES_APART_H

#include "passes/pass.h"

// The kernel argument behind every address of a pointer, or of a tile of pointers. Null if there are several,
// or if the base is not an argument.
MlirValue pointer_argument(struct ir *ir, MlirValue pointer);

// The kernel argument with the array of the pointers' common address (pass address_arrays). Null if there is none.
MlirValue pointer_array(struct ir *ir, MlirValue pointer);
// A name of the memory behind the pointers, to compare: the argument's, or the one behind the addresses of an
// argument's array. NULL if it is not known.
const void *pointer_memory(struct ir *ir, MlirValue pointer);

// True if two pointers through two arguments point to the same elements if both arguments are one tensor: they have one shape
// and type, and add offsets computed alike.
bool pointers_may_meet(struct ir *ir, MlirValue a, MlirValue b);

// Pairs of integer arguments of the kernel, by their numbers, to be compared at run time.
enum { EQUAL_ARGUMENTS = 4 };
struct equal_arguments {
    int32_t pairs[EQUAL_ARGUMENTS][2];
    unsigned count;
};

// The same if the arguments of some pairs are equal; *equal receives these pairs.
bool pointers_may_meet_if(struct ir *ir, MlirValue a, MlirValue b, struct equal_arguments *equal);

// True if these loads of a loop may run before all stores of its earlier iterations.
bool loads_pass_stores(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                       size_t load_count);
// The same for any ops, in program order, possibly run more than once; else it declines for the reason.
bool loads_pass_ops(struct pass_context *context, const MlirOperation *ops, size_t count,
                    const MlirOperation *loads, size_t load_count, enum reason reason);

// Records the assumption behind early loads at the function, in {tk.apart}: pairs of a loaded argument and an
// argument the loop stores through.
void loads_assume_apart(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                        size_t load_count);
// The same for any ops of the function.
void loads_assume_apart_of(struct pass_context *context, MlirOperation function, const MlirOperation *ops,
                           size_t count, const MlirOperation *loads, size_t load_count);
// The same for one load and one store, by pointers_may_meet_if: unless the pairs are equal.
void load_assumes_apart_unless(struct pass_context *context, MlirOperation function, MlirOperation load,
                               MlirOperation store, const struct equal_arguments *equal);

#endif
