// The bytes of shared memory touched by an op: for shared_alloc (offsets), barriers (hazards between ops),
// and reload and stages (does a new buffer fit?).
#ifndef TKC_PASSES_SHARED_RANGES_H
#define TKC_PASSES_SHARED_RANGES_H

#include "passes/pass.h"

// The smem_alloc behind a handle (through smem_slot and smem_trans); null if there is none.
MlirOperation shared_buffer(struct ir *ir, MlirValue handle);
// The index of the handle's slot within its buffer; null if the handle is the whole buffer.
MlirValue shared_slot(struct ir *ir, MlirValue handle);
// Bytes of all stages of a smem_alloc.
unsigned shared_buffer_bytes(struct ir *ir, MlirOperation alloc);

// A piece of shared memory: a buffer with its stages, barriers, the word for an address in tensor memory, or the scratch of one op. It
// lives from one op to another, by their numbers in program order (ops_collect of the function).
struct shared_piece {
    MlirOperation op;
    size_t first, last;
    unsigned bytes, alignment;
    unsigned offset; // once placed
    bool placed;
};
// The pieces of a function after shared_alloc, in program order; in the context's arena; of the context only ir, arena and target are read.
struct shared_piece **shared_pieces(struct pass_context *context, MlirOperation function, size_t *count);

// A planned buffer, live from one op to the end of another.
struct shared_claim {
    MlirOperation first, last;
    unsigned bytes;
};
// Bytes of shared memory used by the function with these planned buffers and without the scratch of the ops
// in `gone`.
unsigned shared_need(struct pass_context *context, MlirOperation function, const struct shared_claim *claims,
                     size_t count, const struct map *gone);

#endif
