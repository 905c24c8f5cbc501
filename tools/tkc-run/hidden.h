// Hidden parameters without a generated header: for programs opening CUDA's driver at run time.
#ifndef TKC_RUN_HIDDEN_H
#define TKC_RUN_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "artifact/dealing.h"
#include "artifact/launcher/tensor.h"

enum { HIDDEN_MAP_BYTES = 128 };

// cuTensorMapEncodeTiled
typedef int hidden_encoder(void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion, int fill);

struct hidden_launch {
    const struct tkc_hidden *hidden;
    size_t hidden_count;
    struct dealing dealing;
    unsigned grid[3]; // programs
    unsigned multiprocessors;
    const int64_t *numbers; // a value for each parameter of the source: an integer, or a device address
    uint64_t zeros;         // device address of TKC_EMPTY_BYTES zeros; needed if a map may be empty
    hidden_encoder *encode; // NULL: the driver lacks it

    // Set by hidden_fill.
    unsigned blocks[3]; // to launch
    _Alignas(64) unsigned char maps[TKC_TENSOR_MAPS][HIDDEN_MAP_BYTES];
};

// Sets a pointer in `values` for each hidden parameter, to data in the launch itself. NULL, or an error text,
// with the number of the hidden parameter in *which.
const char *hidden_fill(struct hidden_launch *launch, void **values, size_t *which);

#endif
