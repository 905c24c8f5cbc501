// Hidden parameters for the emulator: the counterpart of hidden.h.
#ifndef TKC_RUN_EMULATE_H
#define TKC_RUN_EMULATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "artifact/dealing.h"
#include "artifact/launcher/tensor.h"
#include "emulator/emulator.h"

// So few for each block of a persistent kernel has several programs. Other numbers find other mistakes: a kernel computes with
// the number of its blocks (tkc-run --multiprocessors, lang_test).
enum { EMULATED_MULTIPROCESSORS = 2, EMULATED_HIDDEN = TKC_TENSOR_MAPS + 3 };

// How the programs of a grid become blocks.
struct emulated_blocks {
    struct dealing dealing;   // of the kernel
    unsigned multiprocessors; // of the emulated chip; 0: EMULATED_MULTIPROCESSORS
};

struct emulated_hidden {
    struct emulator_tensor_map maps[TKC_TENSOR_MAPS];
    struct emulator_buffer zeros; // in place of empty tensors
    _Alignas(16) uint8_t zero_bytes[TKC_EMPTY_BYTES];
};

// Adds an argument for each hidden parameter behind the launch's arguments; their array must have room.
// `numbers` has a value for each parameter of the source, for a pointer the offset in its buffer. Replaces
// the grid of a persistent kernel by the one of its blocks. NULL, or an error text.
const char *emulate_hidden(const struct tkc_hidden *hidden, size_t count, struct emulated_blocks blocks,
                           const int64_t *numbers, struct emulator_argument *arguments,
                           struct emulator_launch *launch, struct emulated_hidden *out);

#endif
