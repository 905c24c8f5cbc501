// Execution of AMD's operations.
#ifndef TKC_EMULATOR_AMD_AMD_H
#define TKC_EMULATOR_AMD_AMD_H

#include "chip/target.h"
#include "emulator/machine/machine.h"
#include "support/strbuf.h"

// chip.c: the rules that the code runs by. False with a message for a chip that no row of targets.def has.
bool amd_find_chip(struct emulator *emulator, const char *name, struct strbuf *error);

// lanes.c
exec_fn exec_amd_implicit, exec_amd_mbcnt, exec_amd_read_first, exec_amd_read_lane, exec_amd_bpermute,
    exec_amd_permute, exec_amd_dpp, exec_amd_swizzle, exec_amd_ballot, exec_amd_permlane, exec_amd_write_lane;

// The source lane of `lane` under a DPP control; -1: none; -2: the chip does not have this control.
int amd_dpp_source(unsigned control, unsigned lane, unsigned lanes, bool gfx9);

// convert.c: `immediate` is one of these
enum amd_conversion {
    CVT_PKRTZ,
    CVT_PK_FP8,
    CVT_PK_BF8,
    CVT_FROM_FP8,
    CVT_FROM_BF8,
    CVT_PK_FROM_FP8,
    CVT_PK_FROM_BF8,
    CVT_SR_FP8,
    CVT_SR_BF8,
};
exec_fn exec_amd_cvt;

// matrix.c; NULL when the name is not understood
exec_fn exec_mfma, exec_wmma, exec_dot_halves, exec_dot_bytes;
// Two products of halves and a sum, rounded once; products of the parts of two words, `width` bits each.
float amd_dot_halves(float low_a, float low_b, float high_a, float high_b, float sum);
int64_t amd_dot_integers(uint32_t a, uint32_t b, unsigned width, bool signed_a, bool signed_b);
const void *mfma_parse(struct arena *arena, const struct emulator *emulator, const char *name,
                       const unsigned formats[2]);
const void *wmma_parse(struct arena *arena, const struct emulator *emulator, const char *name, bool machine);

// lanes.c: of 16 lanes with 8 bytes each, as rows of elements of `bits` bits, each lane gets a column.
void amd_transpose(uint64_t words[], unsigned lanes, unsigned bits);
exec_fn exec_read_transposed, exec_permlane_swap;
// Lanes of a with this bit of their number set exchange with the lanes of b without it.
void amd_swap_rows(uint32_t *a, uint32_t *b, unsigned lanes, unsigned bit);

// buffer.c
exec_fn exec_make_resource, exec_buffer_load, exec_buffer_store, exec_buffer_copy, exec_global_copy;
// A copy to LDS is under way: of each lane's bytes at its address to `target` and on, lane by lane. Zeros arrive from lanes that are
// outside the buffer. CDNA4 ISA, "Memory Buffer Load to LDS".
void amd_copy_to_lds(struct warp *warp, const struct instr *in, const uint64_t addresses[], lane_mask outside,
                     uint32_t target, unsigned bytes);

#endif
