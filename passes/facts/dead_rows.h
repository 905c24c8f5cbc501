// Dead rows of a loaded tile: rows without any effect on memory.
#ifndef TKC_PASSES_DEAD_ROWS_H
#define TKC_PASSES_DEAD_ROWS_H

#include "passes/facts/tile_access.h"

// True if the elements loaded at or beyond the bound of dimension `dim` do not change any value the kernel
// writes. Zeros may then replace the elements a wrapped access would load.
bool rows_beyond_are_dead(struct affines *affines, MlirOperation load, const struct tile_dim *dim);

#endif
