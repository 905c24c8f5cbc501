// Which bytes of shared memory an op touches: shared by shared_alloc, which gives offsets, and barriers,
// which looks for hazards between them.
#ifndef TKC_PASSES_SHARED_RANGES_H
#define TKC_PASSES_SHARED_RANGES_H

#include "passes/pass.h"

// The smem_alloc behind a handle (through smem_slot and smem_trans); null if there is none.
MlirOperation shared_buffer(struct ir *ir, MlirValue handle);
// The index of the handle's slot within its buffer; null where the handle is the whole buffer.
MlirValue shared_slot(struct ir *ir, MlirValue handle);
// Bytes of all stages of a smem_alloc.
unsigned shared_buffer_bytes(struct ir *ir, MlirOperation alloc);
// Shared memory that a loop needs before its loads are staged: buffers read in it (*has_buffers) and the
// largest scratch of an op other than the conversion of a load, which staging replaces.
size_t shared_in_loop(struct pass_context *context, MlirOperation loop, bool *has_buffers);

#endif
