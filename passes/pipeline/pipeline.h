// The parts of pipelining with a file of their own.
#ifndef TKC_PASSES_PIPELINE_H
#define TKC_PASSES_PIPELINE_H

#include "dialects/tk/words.h"
#include "passes/pass.h"

enum { MAX_LOADS = 16 };

struct staged_load {
    MlirOperation load;
    struct layout shared;
    MlirValue buffer;
    bool late; // one slot, copied and read in the same iteration
};

// A tile of pointers carried ahead as one scalar pointer; all null if it is not.
struct narrow_tile {
    MlirValue low, offsets;
    MlirValue by, bytes; // the advance per iteration, and the same in bytes
};

// A loop with loads ahead of their use.
struct pipeline {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation loop;
    MlirBlock body;
    struct staged_load loads[MAX_LOADS];
    size_t load_count;
    size_t operand_count;     // of the loads; the later ones feed arithmetic before a dot
    struct declined declined; // if nothing is staged, the reason
    MlirOperation *slice;     // ops of the body computing the loads' operands, in order
    size_t slice_count;
    bool *ahead;                // the iteration arguments used by the slice
    struct narrow_tile *narrow; // of each iteration argument
    intptr_t arg_count;
    unsigned num_warps;
    int slots;                // buffers of each load that is not late
    int wanted;               // stages asked for
    enum reason fewer;        // for fewer slots than stages; REASON_NONE: as many
    int distance;             // in iterations, from a load to its use
    bool async;               // cp.async, or copies to LDS past the registers; else through registers
    struct declined uncopied; // the reason against copies to LDS past the registers
    bool unguarded;           // the last iteration repeats its own loads
    bool unrolled;            // two iterations in each of the loop
    bool here;                // no iteration ahead: one buffer each, filled and read by the same iteration
    bool proxy;               // warpgroups read the slots
    int in_flight;            // dots still reading their slots when the next iteration starts
    bool behind;              // copies start behind the dot, into the slot of the one before it
};

// computed_loads.c: adds the loads of a planned loop whose tiles feed arithmetic and for which its threads,
// of `share` registers, have no registers to load ahead; `operands`: also those that a dot's operand is computed from, whatever the registers.
void pipeline_find_computed(struct pipeline *p, unsigned share, bool operands);
// Adds the loads of a loop without dots that has its own number of stages.
void pipeline_find_streams(struct pipeline *p);

// staged.c: true if cp.async can move it: 4, 8 or 16 bytes a thread, zeros elsewhere.
bool pipeline_copies_itself(struct pipeline *p, MlirOperation load);
// The least number of dimensions of a tile that waits in shared memory for its conversion.
int pipeline_least_rank(const struct target *target);
bool pipeline_is_staged(const struct pipeline *p, MlirOperation load);
// True for ops whose results are computed from their operand's elements, or are these.
bool pipeline_passes_on(enum op_kind kind);
// True if a dot's operand is computed from the tile; the number of dots in the loop's own body.
bool pipeline_feeds_dot(const struct pipeline *p, MlirValue tile);
unsigned pipeline_dots(const struct pipeline *p);
struct layout pipeline_slot_layout(const struct pipeline *p, MlirOperation load, enum op_role role);
// Finds the ops and iteration arguments needed by the staged loads: sets `slice` and `ahead`. False if some
// op cannot run ahead.
bool pipeline_find_slice(struct pipeline *p);

// lds_copies.c (gfx950): true if all loads can be copied to LDS past the registers. Needs the slice.
bool pipeline_copies_to_lds(struct pipeline *p);
unsigned
pipeline_group_of_copies(const struct pipeline *p); // instructions of a wave for an iteration's copies

// unroll.c: two iterations per iteration for a loop with an even trip count. Its arguments `fill` and `read`
// number the slots; `guard` and `further`: the next iteration and the one after it exist.
void pipeline_unroll(struct pipeline *p, MlirValue fill, MlirValue read, MlirValue guard, MlirValue further);

// last_step.c: true if the last iteration gets a copy of the body without loads.
bool pipeline_peels_last(const struct pipeline *p);
// Splits a loop that pipelining has not changed yet: the result is a copy of it for the last iteration alone, its loads in the same order.
struct pipeline pipeline_split_last(struct pipeline *p, struct builder *b);
// Puts the body of the copy in the copy's place, in a branch.
void pipeline_inline_last(struct pipeline *last);

// late_tiles.c: marks the loads whose tiles are read behind the loop's first product: true if there are some, and others that are read by it.
bool pipeline_find_late(struct pipeline *p);
size_t pipeline_late_count(const struct pipeline *p);
// True if nobody reads the other tiles behind the first reader of late ones: one slot is enough for each of them, too.
bool pipeline_may_refill(const struct pipeline *p);
// Orders the late tiles' copies ahead of their readers in a rewritten loop whose loads are still there. The place behind the barrier.
struct builder pipeline_wait_for_late(struct pipeline *p);

// stage_here.c: the loads of a loop without loads ahead, through allocated buffers.
void pipeline_stage_here(struct pipeline *p);

// The shared memory of a loop's loads once they are staged.
struct loop_stages {
    MlirOperation loop;
    MlirOperation loads[MAX_LOADS];
    size_t load_count, operand_count; // operands first: their conversions read the buffers
    int slots;                        // buffers of each load; 0: the loop stays as it is
    int least;                        // the smallest useful number of slots
    bool may_be_late[MAX_LOADS];      // one buffer is enough for the load, if the loop has `least` slots
    bool may_have_late, late;         // there are such loads; they have one buffer
    bool may_refill;                  // then all loads may have one
};
// stages.c: lowers `slots`, and lets loads be late, until all loops, in program order, fit together into `limit` bytes.
void stages_share(struct pass_context *context, struct loop_stages *all, size_t count, unsigned limit);
// True if all loops keep their stages when they share `limit` bytes.
bool stages_kept(struct pass_context *context, const struct loop_stages *stages, size_t count,
                 unsigned limit);
// lds_copies.c: two or three slots for loops with copies to LDS past the registers; none of them, if two have no room.
void lds_copies_stages(struct pass_context *context, struct pipeline *plans, struct loop_stages *stages,
                       size_t count);
// For nests of loops with several dots: uses two stages instead of more if two blocks' buffers then fit into
// `limit` bytes, a block's share of shared memory if a multiprocessor has registers for `blocks` blocks.
void stages_spare(struct pass_context *context, struct loop_stages *all, size_t count, unsigned blocks,
                  unsigned limit);

#endif
