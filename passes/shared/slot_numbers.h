// The integers numbering slots of shared buffers, followed by value: for check_barriers.
#ifndef TKC_PASSES_SLOT_NUMBERS_H
#define TKC_PASSES_SLOT_NUMBERS_H

#include "passes/pass.h"

struct number {
    bool known;
    int64_t value;
};

// The followed values of a function: the indices of its smem_slots and the values they are computed from.
struct slot_numbers {
    struct ir *ir;
    struct arena *arena;
    MlirValue *values;
    size_t count, capacity;
    struct map index;  // value → its place in `values`, plus 1
    struct map inside; // op with regions → those of its regions (struct slot_numbers_inside), the last first
};

void slot_numbers_find(struct slot_numbers *n, const MlirOperation *ops, size_t count);
void slot_numbers_free(struct slot_numbers *n);

// A path holds one number for each followed value. Other values are unknown.
struct number slot_number(const struct slot_numbers *n, const struct number *path, MlirValue value);
void slot_number_set(const struct slot_numbers *n, struct number *path, MlirValue value,
                     struct number number);
// Computes the results of an op without regions.
void slot_number_compute(const struct slot_numbers *n, struct number *path, MlirOperation op);
// Forgets the numbers defined in the op's regions.
void slot_numbers_leave(const struct slot_numbers *n, struct number *path, MlirOperation op);

#endif
