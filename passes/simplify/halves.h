// Halves of a tile's columns: the ops behind a value, on half as many columns.
#ifndef TKC_PASSES_HALVES_H
#define TKC_PASSES_HALVES_H

#include "passes/pass.h"

struct halving {
    struct ir *ir;
    struct arena *arena;
    struct map seen;    // values with a way to halve them → the dimension of the columns, from 1
    struct map made[2]; // value → its first and its second half
    // The first half's columns are not those of the tile's first half: `made` has them, and no other value may tell them.
    bool other_columns;
};

// True if all behind the value is ranges, loads, dots, elementwise ops and sums of loops along the dimension of the columns.
bool can_halve(struct halving *h, MlirValue value, int dim);
// The value's half, built behind the value. A store is no value: its op.
MlirValue halve(struct halving *h, MlirValue value, int dim, int half);
MlirOperation halve_op(struct halving *h, MlirOperation op, int dim, int half);
void halving_close(struct halving *h);

#endif
