// Copies from global memory to LDS that bypass registers (gfx950). One instruction of a wave moves 16 bytes of each lane, from any address in
// global memory, to consecutive places: 1,024 bytes in a row. So the swizzle of a tile in shared memory is in the layout of the pointers:
// lanes take their elements in the order of their places.
#ifndef TKC_CHIP_LDS_COPY_H
#define TKC_CHIP_LDS_COPY_H

#include <stdbool.h>

#include "chip/target.h"
#include "dialects/tk/layout.h"

enum { LDS_COPY_BYTES = 16 }; // of a lane

// The slot filled by copies through these pointers: offsets count the elements of a lane, then lanes, warps and copies. False if a lane's registers do
// not hold 16 bytes side by side of each copy, or threads hold elements twice.
bool lds_copy_slot(const struct target *target, const struct layout *pointers, unsigned element_bytes,
                   struct layout *slot);
// Readers of a tile, as dots take it from shared memory.
struct lds_readers {
    struct layout layouts[4];
    unsigned count;
};
// The layout of pointers for copies of a tile with its dimension `fastest` contiguous in memory and in shared memory: of the swizzles for
// which a line of memory stays together the one that readers are done with first. False if the tile has less than 16 bytes for each thread.
bool lds_copy_pointers(const struct target *target, const struct layout *tile, unsigned fastest,
                       unsigned num_warps, unsigned element_bytes, const struct lds_readers *readers,
                       struct layout *pointers);

#endif
