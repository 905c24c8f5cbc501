// Slots of the right operand of products of two blocks: each block has half of the columns.
#ifndef TKC_PASSES_PAIR_SLOTS_H
#define TKC_PASSES_PAIR_SLOTS_H

#include "passes/pass.h"

// The slots of a right operand.
struct right {
    MlirOperation slots;
    MlirType half;    // of a slot of half of its columns
    int64_t columns;  // of the half
    unsigned corner;  // number of the copy's index along columns
    unsigned swizzle; // of the half: bytes
    unsigned inner;   // of the half: elements of a swizzled row
};

// The smem_alloc behind a slot, or behind its transposed view; null: it is none.
MlirOperation pair_slots(struct ir *ir, MlirValue slot);
// True for a transposed view.
bool pair_is_turned(struct ir *ir, MlirValue slot);
// True if products alone read the slots, as their right operand, and copies alone fill them.
bool pair_right_alone(struct ir *ir, MlirOperation slots);
// Describes the half; false if no instruction reads it. `slot`: the operand of a product.
bool pair_halve(struct ir *ir, struct right *right, MlirValue slot);
// Gives the slots, their views and the boxes of their copies half of the columns.
void pair_halve_slots(struct ir *ir, const struct right *right);
void pair_halve_box(struct ir *ir, struct arena *arena, MlirOperation copy, const struct right *right);

#endif
