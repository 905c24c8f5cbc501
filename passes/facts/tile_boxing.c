// What tile_access.c and tile_bounds.c both do to a box in the making.
#include "passes/facts/tile_boxing.h"

bool boxing_refuse(const struct boxing *x, enum reason reason) {
    return decline(x->affines->context, x->out->op, reason);
}

bool boxing_same_symbols(const struct affine_term *a, const struct affine_term *b) {
    bool same = a->symbol_count == b->symbol_count;
    for (int s = 0; s < a->symbol_count && same; s++) {
        same = a->symbols[s] == b->symbols[s];
    }
    return same;
}

struct tile_dim *boxing_add_dim(struct boxing *x, struct affine_term stride) {
    if (x->out->rank == TILE_DIMS) {
        return NULL;
    }
    struct tile_dim *dim = &x->out->dim[x->out->rank];
    x->strides[x->out->rank++] = stride;
    *dim = (struct tile_dim){.tile_dimension = -1, .extent = 1, .cut_by = -1, .run_of = -1};
    return dim;
}
