// How much scratch in shared memory an op with the SCRATCH trait needs: one formula for shared_alloc, which
// reserves it, and for the lowering, which uses it.
#ifndef TKC_CHIP_SCRATCH_H
#define TKC_CHIP_SCRATCH_H

#include <stdbool.h>
#include <mlir-c/IR.h>

#include "dialects/tk/layout.h"
#include "ir/context.h"
#include "chip/target.h"

enum { SCRATCH_SHUFFLE_ROUNDS = 8 }; // a conversion by more shuffle rounds goes through shared memory

// Bytes of scratch for the op, 0 when it needs none. Layouts must be assigned. 16-byte alignment serves every
// op.
unsigned scratch_bytes(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op);
// Whether threads do the op for themselves or with their warp, and it has no effect.
bool scratch_within_warp(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op);

struct layout_banks scratch_banks(const struct target *target);
// The shared layout through which a conversion hands its tile over.
struct layout scratch_shared(const struct target *target, const struct layout *from, const struct layout *to,
                             unsigned element_bytes);
// A conversion whose tile is larger than shared memory goes in pieces, one after another: halves of halves, the highest bit
// of the index that registers alone tell apart in both layouts.
struct scratch_pieces {
    struct layout from, to; // of a piece
    unsigned count;         // how often the tile is halved
    unsigned from_bit[LAYOUT_MAX_BITS],
        to_bit[LAYOUT_MAX_BITS]; // each time: the register bit that tells the halves apart
};
// `limit`: bytes of a piece; 0: all of shared memory.
struct scratch_pieces scratch_pieces(const struct target *target, const struct layout *from,
                                     const struct layout *to, unsigned element_bytes, unsigned limit);
// The shared layout of a buffer that is written in `writer` and read as a dot's operand in `reader`:
// conflict-free for 16-byte writes (asynchronous copies) and for the way the dot reads it.
struct layout scratch_operand(const struct target *target, const struct layout *writer,
                              const struct layout *reader, unsigned element_bytes);

// Across the warps of a block, a reduction leaves one partial result per (register group, kept thread bits,
// axis warp bits). Each thread then combines those of its elements of the result; where that is much to read, or a row of a block
// is better stored a little later, a few threads combine those of one element, and leave it in scratch once more.
struct reduce_plan {
    uint32_t axis_lanes;   // lane bits to combine over
    uint32_t axis_warps;   // warp bits to combine over
    uint32_t kept_threads; // thread-index bits (lanes, then warps) that tell apart elements of the result
    unsigned groups;       // registers of the result without replicas
    unsigned sharers;      // threads that combine an element of the result; 0: all that hold it
    bool possible;         // false: a basis mixes the axis with other dimensions
};
struct reduce_plan reduce_plan(struct ir *ir, const struct target *target, unsigned num_warps,
                               MlirOperation reduce);
unsigned reduce_plan_results(const struct reduce_plan *plan); // elements of the result
unsigned reduce_plan_slots(const struct reduce_plan *plan);   // partial results; 0: no scratch is needed
unsigned reduce_plan_scratch(
    const struct reduce_plan *plan); // both, as far as they go through scratch: elements of each operand

// The lowest bit of the axis coordinate at which a scan needs values of another warp; -1: none. Scratch holds
// the elements whose lower coordinate bits are all ones (all zeros in a reverse scan).
int scan_first_crossing(const struct layout *operand, unsigned axis);

#endif
