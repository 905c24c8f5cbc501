// The parts of specialising: deciding (roles.c), reading what was decided (specialise.c) and rewriting (specialise_rewrite.c).
#ifndef TKC_PASSES_SPECIALISE_H
#define TKC_PASSES_SPECIALISE_H

#include "passes/pass.h"
#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/facts/dead_rows.h"

enum {
    SPECIALISE_MAX_LOOPS = 4,
    SPECIALISE_MAX_LOADS = 4,
    SPECIALISE_MAX_STORES = 4,
    SPECIALISE_MAX_KEPT = 4,
    SPECIALISE_MAX_LATE = 4,
    SPECIALISE_MAX_MAPS = 16, // of all these: what launchers have room for (reflect.c)
    SPECIALISE_GROUPS = 2,    // what the first of two chained dots reads, and the rest; else all is one
    SPECIALISE_PRODUCER_WARPS = 4,
    SPECIALISE_MAX_CONSUMERS = 4 // warpgroups
};

// A load or store that becomes bulk copies.
struct copy {
    MlirOperation access;
    struct tile_access tile;
    MlirType type;    // of a slot; of a store's tile
    MlirValue value;  // of a store: the tile in the dots' layout
    int fastest;      // the tile's dimension that is contiguous in memory
    unsigned swizzle; // bytes; 0: a vector, which threads read and no dot
    unsigned inner;   // elements of a swizzled row: the box's extent along `fastest`
    unsigned bytes;   // of a slot; of a store's buffer
    MlirValue map;    // the hidden argument
    MlirValue buffer;
    unsigned group; // of slots that are full, and free again, at one time
};

// A loop whose dots' operands are brought to slots. All of a function's loops use the same slots, in turn.
struct stage_loop {
    MlirOperation loop, dot; // its last dot
    struct copy loads[SPECIALISE_MAX_LOADS];
    size_t load_count;
    bool in_flight; // the dot goes on while the next one starts
    // The first of two dots, of slots alone, of whose result the other's operand is made; or null.
    MlirOperation chained;
    MlirOperation late[SPECIALISE_MAX_LATE]; // dots that are done an iteration late
    size_t late_count;
    bool few_products; // with late dots: exponentials take more of the time
    bool early;        // it starts an iteration early
    bool delayed;      // the other is done at the start of the next iteration
};

struct specialise {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation function;
    MlirBlock body;
    struct affines affines; // while deciding
    struct map spine;       // the loops and branches that the stage loops lie in (specialise_spine.c)
    struct map needed;      // values that the producer computes, those of the spine among them
    MlirBlock home;         // of what is kept for a tile: the innermost block that all stage loops lie in
    struct stage_loop loops[SPECIALISE_MAX_LOOPS];
    struct copy stores[SPECIALISE_MAX_STORES];
    struct copy kept[SPECIALISE_MAX_KEPT]; // operands of the loops' dots that stay the same for a tile
    size_t loop_count, store_count, kept_count;
    unsigned num_warps;
    unsigned uneven; // how often a loop runs depends on these axes of the program's id, a bit each
    size_t dots;     // the most in a loop
    unsigned blocks; // that a multiprocessor holds at once
    int slots;
    MlirValue grid[3], full[SPECIALISE_GROUPS], empty[SPECIALISE_GROUPS];
    int kept_slots; // for `kept`: 1 or 2
    MlirValue kept_full, kept_empty;
    bool turns;        // of two warpgroups
    MlirValue started; // what the first one has started: a barrier a slot
    MlirValue is_first;
    MlirValue ready; // the barriers that a warpgroup waits for: `full[AHEAD]` or `started`
};

// A slot's number, and the parity of how often all slots have been used.
struct place {
    MlirValue slot, parity;
};

// Where a role stands: the place of what the loops bring next, and of what is kept for the next tile.
struct turn {
    struct place at, kept;
};

// The loop over the programs of a block, of either role.
struct tiles {
    MlirBlock body;
    struct turn start;
    MlirValue id[3]; // what the program ids are in it
};

// Groups of slots: of the first of two chained dots, or of all; of the other dot.
enum { AHEAD, BEHIND };

// ---- specialise.c: what deciding and rewriting both know ----
struct specialise specialise_open(struct pass_context *context, MlirOperation function);
void specialise_close(struct specialise *s);
bool specialise_is_chained(const struct specialise *s, const struct stage_loop *stage, MlirOperation first,
                           size_t dots);
bool are_few_products(MlirOperation first, MlirOperation other);

// ---- specialise_boxes.c: loads and stores that can be copies; false where one cannot (reason.h) ----
bool in_block(MlirOperation op, MlirBlock block); // false for null
bool operand_load(struct specialise *s, MlirBlock block, MlirValue operand, MlirOperation *load,
                  MlirType *shared);
// Whether the producer can compute a scalar: from arguments, program ids, scalars that are loaded, the loop's counter and what the
// spine carries. Then `needed` learns of it, and `axes` gets those of the program ids that it is computed from; of one that is loaded
// or that the spine carries, none.
bool is_producible(struct specialise *s, MlirOperation loop, MlirValue value, unsigned *axes);
bool boxed_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                struct copy *copy);
bool loads_vector(struct specialise *s, MlirOperation op);
// What stands behind the vectors of a block that are copied on behalf of the loop: its end, or what leads to the loop.
MlirOperation vectors_end(MlirOperation loop, MlirBlock block);
bool vector_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy);
bool store_copy(struct specialise *s, MlirOperation store, struct copy *copy);

// ---- specialise_rewrite.c ----
void specialise_rewrite(struct specialise *s);
// What spreads a vector: an expand_dims, or the conversion behind it.
MlirOperation vector_end(const struct specialise *s, const struct copy *copy);

// ---- specialise_deal.c: which programs a block runs ----
// Leaves the builder at the loop's body.
struct tiles tiles_begin(struct specialise *s, struct builder *b);
// Ends the body with where the next program begins.
void tiles_end(struct specialise *s, struct builder *b, struct turn end);

// ---- specialise_spine.c: the loops and branches around the stage loops ----
// Adds what leads from the function's body to the loop; false where that is something else than loops and branches.
bool spine_add(struct specialise *s, MlirOperation loop);
bool on_spine(const struct specialise *s, MlirOperation op);
struct stage_loop *stage_at(struct specialise *s, MlirOperation op); // NULL: it is none
// Whether the op stands around all of the stage loops that follow it: in the function's body, or in a block of the spine.
bool stands_around(const struct specialise *s, MlirOperation op);
// Sets `home` once all loops are known.
void spine_settle(struct specialise *s);
// Whether the producer can take the same way through loops and branches; `needed` learns of their bounds and conditions.
bool spine_is_producible(struct specialise *s);
// A loop of the spine runs over tiles of one program: what a tile stores may lie where the one before has stored.
bool spine_repeats(const struct specialise *s, MlirOperation op);

// The values of a turn as loops and branches carry them, behind all others; and the turn that a block's arguments or an op's
// results are.
struct operands turn_values(const struct specialise *s, struct turn turn);
struct turn turn_of_arguments(const struct specialise *s, MlirBlock block);
struct turn turn_of_results(const struct specialise *s, MlirOperation op);

// ---- specialise_slots.c: slots in turn ----
struct place place_next(const struct specialise *s, struct builder *b, struct place at);
struct place place_before(const struct specialise *s, struct builder *b, struct place at);
MlirValue slot_barrier(struct builder *b, MlirValue barriers, MlirValue slot);
void slot_wait(struct builder *b, MlirValue barriers, struct place at);
// Among the ops of the tile that stands before: what computes so many eighths of its elements goes on before the wait.
void slot_wait_amid(struct builder *b, MlirValue barriers, struct place at, MlirValue tile, int eighths);
// Once more where the second of three dots' result is first read, ahead of the third: ptxas keeps what is computed of the
// first ahead of this branch, beside the second, and the wait for that behind.
void slot_hold(struct specialise *s, const struct stage_loop *stage, MlirValue barriers, struct place at);
// One thread of each warp says for it that the slot is free.
void slot_free(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// The same for a slot whose vectors are read by all threads of a warp, each in its own time.
void slot_free_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// The one or the other, as the loop's loads are read.
void slot_free_as_read(struct builder *b, const struct specialise *s, const struct stage_loop *stage,
                       MlirValue slot, MlirValue condition);
bool is_among(const MlirOperation *ops, size_t count, MlirOperation op);
bool brings_vectors(const struct copy *copies, size_t count);
// A vector is read from its slot, at the builder's place, as the tile wants it that it is spread over.
void vector_read(struct specialise *s, struct builder *at, const struct copy *copy, MlirValue place);
MlirValue slot_view(struct builder *b, const struct copy *copy, MlirValue slot);
// What read the loop's loads reads their slots.
void slots_read(struct specialise *s, const struct stage_loop *stage, struct builder *b, MlirValue slot);
// The loop again, carrying `count` more values from `inits` on. They are its last arguments and results.
void loop_carry(struct specialise *s, struct stage_loop *stage, MlirValue *inits, intptr_t count);
void loop_yield(struct specialise *s, const struct stage_loop *stage, MlirValue *more, intptr_t count);

// ---- specialise_dots.c: dots that start in another iteration than their own ----
// A dot of other operands, its second one in another slot. Under way until `landed` lets its result pass.
MlirValue started(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue left, MlirValue slot,
                  MlirValue sum);
// A dot's result once it is there; `pending` later dots may go on.
MlirValue landed(struct builder *b, MlirValue value, int pending);

// ---- specialise_chain.c: loops whose first dot starts early, or whose second one ends late ----
// Returns the place of the loop's next slot.
struct place specialise_chain(struct specialise *s, struct stage_loop *stage, struct place start);

// ---- specialise_late.c: loops whose sums are added to an iteration late ----
// Whether the dot adds to a sum of the loop what the loop computes, and may do so later.
bool dot_may_be_late(struct specialise *s, const struct stage_loop *stage, MlirOperation dot);
// Returns the place of the loop's next slot.
struct place specialise_late(struct specialise *s, struct stage_loop *stage, struct place start);
// The first iteration ahead of the loop, all but its `count` late dots, and the loop from the second one on. Gives the late
// dots' first operands there; what they add to are their sums as the loop begins.
void peel_first(struct specialise *s, struct stage_loop *stage, const MlirOperation *late, size_t count,
                MlirValue *lefts);

// ---- specialise_turns.c: two warpgroups half an iteration apart ----
bool turns_pay(const struct specialise *s);
void turns_allocate(struct specialise *s, struct builder *b);
// Sets what this warpgroup waits for, with turns or without.
void turns_begin(struct specialise *s, struct builder *b);
// Behind the products of a slot: nothing without turns.
void turn_over(struct specialise *s, struct builder *b, MlirValue slot);

// ---- specialise_copies.c: hidden arguments, and corners of boxes ----
MlirValue specialise_argument(struct specialise *s, enum hidden_parameter hidden, MlirType type,
                              MlirAttribute map);
MlirAttribute specialise_map(struct specialise *s, const struct copy *copy);
// The i32 coordinate at which a box begins along a dimension, at the builder's place. `map` gives what the symbols
// are there; without one they are themselves. One that does not fit in 32 bits is `beyond`, which is a multiple of 16: no box of a load has elements below 0,
// and no store may begin there.
MlirValue specialise_corner(struct builder *b, const struct tile_access *tile, unsigned d, int32_t beyond,
                            struct map *map);
// Brings the copy's box to a slot; the barrier gets its bytes.
void specialise_bring(struct builder *b, const struct copy *copy, MlirValue slot, MlirValue full,
                      struct map *map);
// What reads the copy's load, as it is converted to shared memory, reads it in that place. Returns what followed the load.
MlirOperation specialise_read(const struct copy *copy, MlirValue place);
// What a scalar is under `map`: computed again at the builder's place from what the map knows. Null: the scalar itself.
MlirValue specialise_scalar(struct builder *b, MlirValue value, struct map *map);

// ---- specialise_room.c: sets `kept_slots`, and returns the number of slots, `wanted` at most ----
// 32-bit registers of a thread that hold a tile.
unsigned specialise_registers(const struct specialise *s, MlirType tile);
// Sets `blocks` and `kept_slots`, too.
int slots_that_fit(struct specialise *s, int wanted);

// ---- specialise_kept.c: operands that stay the same for a tile; nothing where there are none ----
struct place kept_next(struct specialise *s, struct builder *b, struct place at);
void kept_allocate(struct specialise *s, struct builder *b);
void kept_bring(struct specialise *s, struct builder *b, struct map *map, struct place at); // the producer
void kept_read(struct specialise *s, struct place at);                                      // the consumers
void kept_release(struct specialise *s, struct place at); // behind all loops

#endif
