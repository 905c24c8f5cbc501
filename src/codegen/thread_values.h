// The 32-bit integers and shared addresses of a kernel, for every thread of a block at once.
#ifndef TKC_CODEGEN_THREAD_VALUES_H
#define TKC_CODEGEN_THREAD_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "support/arena.h"
#include "support/map.h"

enum { MAX_FOLLOWED = 32 };

// From low to high, both included; an exact number if they are equal. `ones`: the bits that may be set.
struct thread_range {
    uint32_t low, high, ones;
};

struct thread_values {
    bool uniform; // at[0] for every thread, else one a thread
    struct thread_range *at;
};

// A phi followed by value: on a path it has one value for all threads, or is not known.
struct phi_number {
    bool known;
    uint32_t number;
};

struct thread_evaluator {
    struct arena *arena;
    LLVMTargetDataRef layout;
    unsigned threads, warp_size;
    LLVMValueRef phis[MAX_FOLLOWED];
    unsigned phi_count;
    const struct phi_number *path; // by followed phi
    struct map depends;            // value → mask of the followed phis it is computed from, plus 1
    struct map fixed, on_path;     // value → struct thread_values *: the same on all paths, or of `path`
    struct map on_any;             // … of values different by path: bounds for all paths
    bool any_path;                 // bounds are asked for
};

// For an integer of at most 32 bits, or an address in shared memory relative to tkc_shared.
const struct thread_values *thread_values_of(struct thread_evaluator *e, LLVMValueRef value);
static inline struct thread_range thread_value(const struct thread_values *values, unsigned thread) {
    return values->at[values->uniform ? 0 : thread];
}
uint64_t thread_values_depend(struct thread_evaluator *e, LLVMValueRef value);
// Follows the phis the value is computed from, directly or indirectly. False: there are too many.
bool thread_values_follow(struct thread_evaluator *e, LLVMValueRef value);
void thread_values_set_path(struct thread_evaluator *e, const struct phi_number *path);
void thread_values_free(struct thread_evaluator *e);

#endif
