// The state of shared memory along one path through a kernel, by the memory model alone: for check_barriers.
#ifndef TKC_PASSES_PATH_H
#define TKC_PASSES_PATH_H

#include "passes/shared/slot_numbers.h"

enum effect { EFFECT_READ, EFFECT_WRITE, EFFECT_COPY };

struct access {
    unsigned begin, end;
    enum effect effect;
    bool under_way;  // a copy or a dot not yet waited for
    unsigned groups; // groups closed since it started, while it is in flight
    bool dot;        // its groups are dots, itself the first
    bool in_warp;    // of a conversion whose elements stay in their warps
    bool met;        // then: the lanes of each warp have met behind it
    MlirOperation op;
};

// One slot of one buffer.
struct byte_range {
    unsigned begin, end; // bytes
};

struct path {
    struct access *accesses;
    size_t count, capacity;
    MlirOperation
        *spoilers; // by place: the overwriting op, or the smem_alloc; null: its last store is intact
    struct number *numbers;
    bool new; // a loop's head: its body is still to be followed with this path
};

struct paths {
    struct path *at;
    size_t count, capacity;
};

struct check {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirStringRef name;
    unsigned num_warps, shared_bytes;
    struct byte_range *places;
    size_t place_count;
    struct map first_place; // smem_alloc → the place of its slot 0, plus 1
    struct slot_numbers numbers;
    struct map told; // ops with a recorded fault
};

struct path path_copy(struct check *c, const struct path *path);
// Adds the path, or joins it to the one with the same slot numbers. Returns its index; *more: the path is new
// or has changed.
size_t paths_add(struct check *c, struct paths *paths, const struct path *path, bool *more);

// Records an error at `op` once.
void path_fault(struct check *c, MlirOperation op, const char *text, MlirOperation other);
void path_meet(struct path *path); // a barrier
void path_meet_in_warp(struct path *path);
void path_close_group(struct path *path, bool dots);
void path_wait(struct path *path, int64_t groups, bool dots); // the last `groups` groups may stay in flight
// As path_wait, of dots: each thread waits for them in the name of all: behind it nothing of them is to be ordered.
void path_wait_for_all(struct path *path, int64_t dots);
void path_make_buffer(struct check *c, struct path *path, MlirOperation alloc);
void path_touch_slot(struct check *c, struct path *path, MlirOperation op, intptr_t operand,
                     enum effect effect);
void path_touch_scratch(struct check *c, struct path *path, MlirOperation op);

#endif
