// A tile's access while it is made a box: shared by tile_access.c, tile_bounds.c and tile_boxing.c.
#ifndef TKC_PASSES_TILE_BOXING_H
#define TKC_PASSES_TILE_BOXING_H

#include "passes/facts/tile_access.h"

struct boxing {
    struct affines *affines;
    struct tile_access *out;
    struct affine_term strides[TILE_DIMS]; // a constant, or one times arguments (affine_is_size)
    struct affine rest;                    // of the address: terms not yet taken by a dimension
    struct affine tested[TILE_DIMS][2];    // sums proved non-negative by the mask
    int tested_count[TILE_DIMS];
    bool runs;            // copies in runs of rows are welcome
    int wraps[TILE_DIMS]; // of a dimension with runs
};

// ---- tile_boxing.c ----
bool boxing_refuse(const struct boxing *x, enum reason reason);
bool boxing_same_symbols(const struct affine_term *a, const struct affine_term *b);
// Another dimension, with the stride; null if there are TILE_DIMS already.
struct tile_dim *boxing_add_dim(struct boxing *x, struct affine_term stride);

// ---- tile_bounds.c ----
// Takes the mask's conditions as bounds of dimensions; false, with a reason, for any other mask.
bool boxing_accept_mask(struct boxing *x, MlirValue mask);

#endif
