// Rows of a loaded tile that nobody sees.
#ifndef TKC_PASSES_DEAD_ROWS_H
#define TKC_PASSES_DEAD_ROWS_H

#include "passes/facts/tile_access.h"

// True when whatever is loaded where the index along dimension n of the access reaches its bound changes
// nothing that the kernel writes: zeros do as well as what a wrapped access would load.
bool rows_beyond_are_dead(struct affines *affines, MlirOperation load, const struct tile_dim *dim);

#endif
