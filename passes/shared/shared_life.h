// Shared memory over a kernel's life, as shared_alloc placed it: for drawings.
#ifndef TKC_PASSES_SHARED_LIFE_H
#define TKC_PASSES_SHARED_LIFE_H

#include "chip/target.h"
#include "ir/build.h"

// A buffer, or the scratch of one op. It lives from ops[first] to ops[last].
struct shared_life {
    MlirOperation op;
    bool is_buffer;
    unsigned offset, bytes; // of all stages
    size_t first, last;
};
// The pieces of a function (or a module with one) whose ops are `ops`, in program order; arena-allocated.
struct shared_life *shared_lives(struct ir *ir, struct arena *arena, const struct target *target,
                                 MlirOperation *ops, size_t op_count, size_t *count);

#endif
