// The parts of pipelining that have a file of their own.
#ifndef TKC_PASSES_PIPELINE_H
#define TKC_PASSES_PIPELINE_H

#include "dialects/tk/words.h"
#include "passes/pass.h"

enum { MAX_LOADS = 16 };

struct staged_load {
    MlirOperation load;
    struct layout shared;
    MlirValue buffer;
};

// A tile of pointers that the loop carries ahead as one scalar pointer; all null: it does not.
struct narrow_tile {
    MlirValue low, offsets;
    MlirValue by, bytes; // of a step: what the pointer is advanced by, and that in bytes
};

// A loop whose loads run ahead.
struct pipeline {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation loop;
    MlirBlock body;
    struct staged_load loads[MAX_LOADS];
    size_t load_count;
    size_t operand_count;     // of the loads: those behind them are computed with before they reach a dot
    struct declined declined; // why nothing is staged, where nothing is
    MlirOperation *slice;     // ops of the body that the loads' operands need, in order
    size_t slice_count;
    bool *ahead;                // which iteration arguments the slice needs
    struct narrow_tile *narrow; // of each iteration argument
    intptr_t arg_count;
    unsigned num_warps;
    int slots;      // buffers of each load
    int distance;   // iterations that loads run ahead
    bool async;     // cp.async; else through registers
    bool unguarded; // behind the last iteration its own loads are repeated
    bool unrolled;  // two steps a turn
    bool here;      // no iteration ahead: one buffer each, filled and read by the same iteration
    bool proxy;     // warpgroups read the slots
    int in_flight;  // dots that are still reading their slots when the next iteration starts
    bool behind;    // copies start behind the dot, into the slot of the one before it
};

// computed_loads.c: adds the loads of a planned loop that are computed with and that its threads, of `share` registers, have none
// to load ahead.
void pipeline_find_computed(struct pipeline *p, unsigned share);

// staged.c: what cp.async moves: 4, 8 or 16 bytes a thread, or zeros.
bool pipeline_copies_itself(struct pipeline *p, MlirOperation load);
bool pipeline_is_staged(const struct pipeline *p, MlirOperation load);
struct layout pipeline_slot_layout(const struct pipeline *p, MlirOperation load, enum op_role role);
// What the staged loads need of an iteration: sets `slice` and `ahead`. False where that cannot run ahead.
bool pipeline_find_slice(struct pipeline *p);

// unroll.c: two steps a turn for a loop of an even number of steps. Its arguments `fill` and `read` number the slots;
// `guard` and `further` say whether the next step and the one after it are there.
void pipeline_unroll(struct pipeline *p, MlirValue fill, MlirValue read, MlirValue guard, MlirValue further);

// stage_here.c: the loads of a loop that does not run ahead, through buffers that are there.
void pipeline_stage_here(struct pipeline *p);

// What a loop's loads take of shared memory once they are staged.
struct loop_stages {
    MlirOperation loop;
    MlirOperation loads[MAX_LOADS];
    size_t load_count, operand_count; // conversions of the first ones, operands, read the buffers
    int slots;                        // buffers of each load; 0: the loop stays as it is
    int least;                        // that make sense
};
// stages.c: lowers `slots` until all loops, in program order, fit together into `limit` bytes.
void stages_share(struct pass_context *context, struct loop_stages *all, size_t count, unsigned limit);
// Nests of loops with several dots keep two stages of more where they then fit into `limit` bytes, a block's share of shared memory
// where a multiprocessor has registers for so many.
void stages_spare(struct pass_context *context, struct loop_stages *all, size_t count, unsigned blocks,
                  unsigned limit);

#endif
