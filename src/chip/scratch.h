// The scratch bytes in shared memory of an op with the SCRATCH trait: one formula for shared_alloc, the
// reservation, and for the lowering, the use.
#ifndef TKC_CHIP_SCRATCH_H
#define TKC_CHIP_SCRATCH_H

#include <stdbool.h>
#include <mlir-c/IR.h>

#include "dialects/tk/layout.h"
#include "ir/context.h"
#include "chip/target.h"

enum { SCRATCH_SHUFFLE_ROUNDS = 8 }; // a conversion by more shuffle rounds goes through shared memory
enum { SCRATCH_NUMBER_BYTES = 8 };   // of each number handed on by a loop of one thread

// Bytes of scratch for the op, 0 if it needs none. Layouts must be assigned. 16-byte alignment is enough for
// every op.
unsigned scratch_bytes(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op);
// True if the op has no effect, and each thread needs values of its own warp at most.
bool scratch_within_warp(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op);

// True if elements of `bits` bits get from one layout to the other by exchanges between the halves or rows of a wave.
bool scratch_swaps(const struct target *target, const struct layout *from, const struct layout *to,
                   unsigned bits, struct layout_swaps *swaps);

struct layout_banks scratch_banks(const struct target *target);
// Wavefronts of a warp, beyond the fewest, for a read or write of a whole tile of shared memory, also by matrices of 8 x 16 bytes. 0: no bank
// conflicts. element_bytes: 1, 2, 4 or 8.
unsigned scratch_conflicts(const struct target *target, const struct layout *shared,
                           const struct layout *distributed, unsigned element_bytes, bool writes);
// AMD. The cost of a warp's reads of a dot's operand from shared memory: instructions, their wavefronts, and moves to assemble fragments.
unsigned scratch_read_cost(const struct target *target, const struct layout *shared,
                           const struct layout *reader, unsigned element_bytes);
// The same of writes.
unsigned scratch_write_cost(const struct target *target, const struct layout *shared,
                            const struct layout *writer, unsigned element_bytes);
// The shared layout for a conversion's tile.
struct layout scratch_shared(const struct target *target, const struct layout *from, const struct layout *to,
                             unsigned element_bytes);
// A conversion with a tile larger than shared memory runs in pieces, one after another. Each halving splits
// the tile at the highest index bit held by a register bit alone in both layouts.
struct scratch_pieces {
    struct layout from, to; // of a piece
    unsigned count;         // halvings of the tile
    unsigned from_bit[LAYOUT_MAX_BITS],
        to_bit[LAYOUT_MAX_BITS]; // of each halving: the register bit of the half
};
// `limit`: bytes of a piece; 0: all of shared memory.
struct scratch_pieces scratch_pieces(const struct target *target, const struct layout *from,
                                     const struct layout *to, unsigned element_bytes, unsigned limit);
// True if each warp reads of a piece what its own lanes have written: then a warp meets alone.
bool scratch_pieces_stay_in_warp(const struct scratch_pieces *pieces);
// True for a conversion through shared memory whose warps meet alone.
bool scratch_meets_in_warp(struct ir *ir, const struct target *target, MlirOperation op);
// True if each warp has the same bytes of shared memory in two such conversions: its own order is enough.
bool scratch_same_in_warp(MlirOperation a, MlirOperation b);
// The shared layout of a buffer written in `writer` and read as a dot's operand in `reader`:
// conflict-free for 16-byte writes (asynchronous copies) and for the way the dot reads it.
struct layout scratch_operand(const struct target *target, const struct layout *writer,
                              const struct layout *reader, unsigned element_bytes);

// Across the warps of a block, a reduction leaves one partial result for each (register group, kept thread
// bits, axis warp bits). Each thread then combines the partial results of its own elements. If that is much
// to read, or a row of a block is better stored a little later, a few threads combine the partial results of
// one element, and write the total to scratch again.
struct reduce_plan {
    uint32_t axis_lanes;   // lane bits to combine over
    uint32_t axis_warps;   // warp bits to combine over
    uint32_t kept_threads; // thread-index bits (lanes, then warps) of the result's elements
    unsigned groups;       // registers of the result without replicas
    unsigned sharers;      // threads for the combination of one element; 0: all of its holders
    unsigned rounds;       // through scratch, each of as many groups
    bool possible;         // false: a basis mixes the axis with other dimensions
};
struct reduce_plan reduce_plan(struct ir *ir, const struct target *target, unsigned num_warps,
                               MlirOperation reduce);
unsigned reduce_plan_results(const struct reduce_plan *plan); // elements of the result
unsigned reduce_plan_slots(const struct reduce_plan *plan);   // partial results, of a round; 0: none
unsigned
reduce_plan_scratch(const struct reduce_plan *plan); // slots and shared totals: elements of each operand

// The lowest bit of the axis coordinate for a scan's need of values of another warp; -1: none. Scratch holds
// the elements with all ones in the lower coordinate bits (all zeros in a reverse scan).
int scan_first_crossing(const struct layout *operand, unsigned axis);
unsigned scan_bytes(MlirOperation scan,
                    const struct layout *operand); // scratch, if the operands have this layout

#endif
