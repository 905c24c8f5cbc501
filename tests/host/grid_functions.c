// The arithmetic of launch grids as generated headers have it, for grids.py to call.
#include <stdint.h>
#include <string.h>

#include "artifact/launcher/grid.h"
#include "artifact/launcher/tensor.h"

#define GRID_FUNCTION_1(name, shown)                                                                         \
    int64_t grid_##name(int64_t a);                                                                          \
    int64_t grid_##name(int64_t a) {                                                                         \
        return tkc_##name(a);                                                                                \
    }
#define GRID_FUNCTION_2(name, shown)                                                                         \
    int64_t grid_##name(int64_t a, int64_t b);                                                               \
    int64_t grid_##name(int64_t a, int64_t b) {                                                              \
        return tkc_##name(a, b);                                                                             \
    }
#define GRID_FUNCTION_3(name, shown)                                                                         \
    int64_t grid_##name(int64_t a, int64_t b, int64_t c);                                                    \
    int64_t grid_##name(int64_t a, int64_t b, int64_t c) {                                                   \
        return tkc_##name(a, b, c);                                                                          \
    }
#include "artifact/launcher/grid_functions.def"

int grid_fits(int64_t x, int64_t y, int64_t z);
int grid_fits(int64_t x, int64_t y, int64_t z) {
    return tkc_grid_fits((int64_t[3]){x, y, z});
}

unsigned grid_blocks(unsigned x, unsigned y, unsigned z, unsigned at_once, unsigned cluster, unsigned fills);
unsigned grid_blocks(unsigned x, unsigned y, unsigned z, unsigned at_once, unsigned cluster, unsigned fills) {
    return tkc_persistent_blocks((unsigned[3]){x, y, z}, at_once, at_once > 0, cluster, fills);
}
