// Shared by the three parts of specialising: deciding (roles.c), reading the roles (specialise.c) and
// rewriting (specialise_rewrite.c).
#ifndef TKC_PASSES_SPECIALISE_H
#define TKC_PASSES_SPECIALISE_H

#include "passes/pass.h"
#include "chip/registers.h"
#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/epilogue.h"
#include "passes/facts/tile_access.h"
#include "passes/facts/dead_rows.h"

enum {
    SPECIALISE_MAX_LOOPS = 4,
    SPECIALISE_MAX_LOADS = 4,
    SPECIALISE_MAX_STORES = 4,
    SPECIALISE_MAX_KEPT = 4,
    SPECIALISE_MAX_RESIDUALS = 2,
    SPECIALISE_MAX_LATE = 4,
    SPECIALISE_MAX_WAITS = 4,
    SPECIALISE_MOST_IN_FLIGHT = 4, // dots of a step, beside those of the next one
    SPECIALISE_MAX_MAPS =
        16, // loads, stores and kept operands together; launchers have room for as many (reflect.c)
    SPECIALISE_GROUPS =
        2, // slots of the first of two chained dots, slots of the other; without a chain one group has all
    SPECIALISE_PRODUCER_WARPS = 4,
    SPECIALISE_PIECE = 16 * 1024,      // bytes of scratch for a conversion if slots are short
    SPECIALISE_MAX_CONSUMERS = 4,      // warpgroups
    SPECIALISE_UNDER_WAY = 144 * 1024, // bytes of copies on a multiprocessor
    SPECIALISE_LEAST_SLOTS = 4         // of loops that three hold up
};

// A load or store replaced by bulk copies.
struct copy {
    MlirOperation access;
    struct tile_access tile;
    MlirType type;    // of a slot; of a store's tile
    MlirValue value;  // of a store: the tile in the dots' layout
    int fastest;      // the tile's dimension contiguous in memory
    unsigned swizzle; // bytes; 0: a vector
    bool in_threads;  // read by threads: a value, or an operand of more than dots
    bool reduced;     // its place follows from a reduction of a tile
    bool gathered;    // copied by all threads of the producer (specialise_gather.c)
    int known_run;   // of such rows: they would be copied in runs, were these longer (boxed_copy); 0: no runs
    unsigned inner;  // elements of a swizzled row: the box's extent along `fastest`
    unsigned bytes;  // of a slot; of a store's buffer
    bool one_buffer; // of a store: pieces do not take turns in two
    MlirValue map;   // the hidden argument
    MlirValue buffer;
    bool beside; // of a store: its elements are computed beside the next tile's products (roles_epilogue.c)
    unsigned group; // slots of one group become full at one time, and free at one time
    // Of a tile computed with the results: it comes to one buffer, while the tile's last products are under way.
    bool at_end;
    // Of a load: where its boxes may lie outside, for each dimension (enum tile_side).
    int32_t outside[TILE_DIMS];
};

// A loop of dots with operands copied to slots. All stage loops of a function use the same slots, in turn.
struct stage_loop {
    MlirOperation loop, dot; // the last dot of the loop
    struct copy loads[SPECIALISE_MAX_LOADS];
    size_t load_count;
    int in_flight; // the dots, all still running when the next iteration's start; 0: they end with their own
    // The first of two dots: it reads slots alone, and the other dot's operand is computed from its result.
    // Or null.
    MlirOperation chained;
    MlirOperation late[SPECIALISE_MAX_LATE]; // dots issued one iteration late
    size_t late_count;
    bool few_products; // with late dots: exponentials take more time than the products
    bool early;        // `chained` starts an iteration early
    unsigned apart;    // registers missing for this, or for a late second dot; 0: none
    bool delayed;      // the second dot of a chain is issued at the start of the next iteration
    MlirOperation
        aside; // of the dot whose result is only added to memory, the conversion of its left operand; or null
    MlirValue
        ahead; // `chained` of the first iteration, issued by the loop before, up to this one's start; or null
    bool computes; // threads put an operand into shared memory in each step (roles.c)
};

// How trip counts differ along the axes of the grid, as far as no loaded number says (specialise_slope.c).
struct slope {
    bool known;
    unsigned axis; // they rise or fall along this one alone, by arithmetic
    bool rises;
    unsigned loaded; // bit mask: they differ along these through loaded scalars
    // Whether or not the slope is known: scalars loaded for each row of the grid give them, and programs may return early.
    bool by_row;
};

struct specialise {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation function;
    MlirBlock body;
    struct affines affines; // for roles.c
    struct map spine;       // the loops and branches around the stage loops (specialise_spine.c)
    struct map needed;      // values computed by the producer, with those of the spine
    struct map tiles;       // addresses and masks computed by the producer, and tiles behind them
    struct map deciding;    // those of them behind trip counts and conditions
    bool reduces;           // a trip count or a condition follows from a reduction of a tile
    MlirBlock home; // the innermost block around all stage loops; operands kept for a tile are loaded there
    bool at_home;   // the producer must compute scalars at the home block's begin
    struct stage_loop loops[SPECIALISE_MAX_LOOPS];
    struct copy stores[SPECIALISE_MAX_STORES];
    struct copy kept[SPECIALISE_MAX_KEPT];           // operands of the loops' dots, constant for a tile
    struct copy residuals[SPECIALISE_MAX_RESIDUALS]; // copied in pieces beside the next tile's products
    size_t loop_count, store_count, kept_count, residual_count;
    struct epilogue_piece piece; // of a tile whose results are computed so
    MlirOperation
        waits[SPECIALISE_MAX_WAITS]; // for flags of other GPUs, ahead of the loops (specialise_waits.c)
    size_t wait_count;
    unsigned num_warps;
    unsigned uneven;    // bit mask: axes of the program id with an effect on trip counts
    struct slope slope; // without a bit of `uneven`
    bool loads_lengths; // programs load their trip counts, or whether they leave early
    bool leaves;        // program ids decide which programs leave early (programs_leave)
    size_t dots;        // the most dots in one loop
    // Dots read their operands from registers: threads read the slots.
    bool mma_sync;
    bool joins; // a block adds up the parts of a tile, along `part_axis` of the grid (specialise_parts.c)
    unsigned part_axis;
    const struct tiles *dealt; // the producer's, while its region is built
    bool produces;             // while the producer's region is built
    unsigned blocks;           // resident blocks per multiprocessor
    int slots, stages;         // stages: the slots asked for
    MlirValue grid[3], ids[3]; // programs, and program ids to deal (shared_keys)
    // The source's program_id and num_programs: they mean the grid's. Those that dealing adds mean the blocks launched.
    MlirOperation *programs;
    size_t program_count;
    MlirValue full[SPECIALISE_GROUPS], empty[SPECIALISE_GROUPS];
    int kept_slots; // for `kept`: 1 or 2
    int end_slots;  // for those of `kept` that are read at a tile's end; 2 only beside 2 of the others
    bool kept_late; // one of `kept` is loaded behind the loops
    MlirValue kept_full, kept_empty, end_full, end_empty;
    // Groups of warps with a tile's steps in turn (specialise_slices.c), and bytes of shared memory for their sums. One
    // group: all warps do all steps.
    unsigned slices, slices_bytes;
    MlirValue slice, sums;
    MlirValue places;  // of the left operand of dots aside (specialise_aside.c)
    bool turns;        // two warpgroups take turns (specialise_turns.c)
    MlirValue started; // mbarriers, one a slot: the first warpgroup has issued its dots of the slot
    MlirValue is_first;
    bool signals;    // while the region of a gathering producer is built: turns have `copied`
    MlirValue ready; // the mbarriers this warpgroup waits on before its dots: `full[AHEAD]` or `started`
};

// A slot's number, and the parity of its mbarrier's phase: it flips each time all slots have been used.
struct place {
    MlirValue slot, parity;
};

// The position of a role in its rings of slots: the loops' next slot, and the next tile's slot of kept
// operands.
struct turn {
    struct place at, kept;
    MlirValue copied; // of a gathering producer: i32, not 0 while a filled slot has no signal yet
    // Of a producer of residuals: the i32 number of pieces of the tile before, 0 ahead of the first tile, and their corners.
    MlirValue left, corners[SPECIALISE_MAX_RESIDUALS][TILE_DIMS];
};

// Of a producer of residuals: the i32 number of a loop's step, and of the steps between the warpgroups' turns with a piece.
struct residual_step {
    MlirValue number, turns;
};

// The loop over a block's programs, for either role.
struct tiles {
    MlirBlock body;
    struct turn start;
    MlirValue id[3]; // the values of the program ids inside the loop
    // If parts are joined: the program's first step and its number of steps, the steps of a part, and whether these are counted.
    // If not all are 1: the producer takes the loop as a whole, consumers the loop's own bounds.
    MlirValue first, steps, part_steps, counted;
};

// The tiles that turns with a tile for each block leave, the parts of one, and the steps of a part.
struct left {
    MlirValue block, blocks, whole, tiles, parts, steps, counted;
};

// What a block does of them: programs first, first + stride …, or the steps `from` to `to` - 1 of all steps, one part behind the other.
struct share {
    MlirValue
        joined; // the latter: a program of the consumers is a tile, else a part; one of the producer is a part
    MlirValue from, to, unit; // steps; those of a program
    MlirValue first, stride, count;
    MlirValue by;         // parts fastest, if joined: of a tile; else tiles
    MlirValue tile_steps; // of all parts
};

// A program of a share: its tile, part, first step and number of steps.
struct piece {
    MlirValue tile, part, first, steps;
};

// Groups of slots. AHEAD: of the first of two chained dots, or of all dots; BEHIND: of the second chained
// dot.
enum { AHEAD, BEHIND };

// ---- specialise.c: shared by deciding and rewriting ----
struct specialise specialise_open(struct pass_context *context, MlirOperation function);
void specialise_close(struct specialise *s);
bool specialise_is_chained(const struct specialise *s, const struct stage_loop *stage, MlirOperation first,
                           size_t dots);
bool are_few_products(MlirOperation first, MlirOperation other);

// ---- specialise_where.c: where an op stands ----
bool on_spine(const struct specialise *s, MlirOperation op);
bool in_block(MlirOperation op, MlirBlock block); // false for null
// True if the op is in the function's body or in a block of the spine: it is around all stage loops after it.
bool stands_around(const struct specialise *s, MlirOperation op);

// ---- specialise_producible.c: what the producer can compute ----
// True if the producer can compute a scalar: from arguments, program ids, loaded scalars, the loop's counter
// and values carried by the spine or by the loop. `axes` gets the program id axes it depends on, AXES_VARY if it depends on loaded scalars
// or control flow gives the value, and AXES_REDUCED if it follows from a reduction of a tile: only a producer that gathers computes it.
enum { AXES_VARY = 1 << 3, AXES_REDUCED = 1 << 4 };
bool is_producible(struct specialise *s, MlirOperation loop, MlirValue value, unsigned *axes);
// True if a producer that gathers can compute the tile, of the loop or from outside of it.
bool is_tile_producible(struct specialise *s, MlirOperation loop, MlirValue value);
bool is_producible_index(struct specialise *s, MlirOperation loop, const struct tile_index *index,
                         unsigned *axes);
// The questions above record nothing. This adds a scalar or tile, and what is behind it, to `needed` and `tiles`, to `deciding` if it `decides`
// a trip count or a condition.
void producer_needs(struct specialise *s, MlirOperation loop, MlirValue value, bool decides);

// ---- specialise_needs.c ----
// producer_needs of all decisions so far.
void producer_needs_all(struct specialise *s);
// The argument's number among the loop's carried values; -1: it is none.
intptr_t carried_number(MlirValue value, MlirOperation loop);
// The tile added to a carried tile of addresses in each iteration, the same in all; null: it does
// something else.
MlirValue carried_step(struct specialise *s, MlirOperation loop, intptr_t number);

// ---- specialise_boxes.c: loads and stores fit for bulk copies; false: declined with a reason (reason.h)
// ----
bool operand_load(struct specialise *s, MlirBlock block, MlirValue operand, MlirOperation *load,
                  MlirType *shared);
// True if the load, a dot's operand of the type `shared`, has other readers than dots.
bool read_by_threads(struct specialise *s, MlirOperation load, MlirType shared);
// True if a dot reads the tile as it was loaded.
bool is_operand(struct specialise *s, MlirOperation load);
// True if the copy rounds f32 to tf32, as warpgroups' dots would cut it off: threads must not read such a slot, nor such a map's boxes.
bool is_rounded(struct specialise *s, const struct copy *copy);
enum { MOST_RUNS = 16 }; // of a tile, a box each
// True if rows that are shifted within pieces could be copied in runs, were these long enough and few; sets the tile.
bool shifted_rows(struct specialise *s, MlirOperation load, struct tile_access *tile);
bool boxed_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                struct copy *copy);
// True if the load is only widened to another type of floats.
bool is_widened(const struct specialise *s, MlirOperation load);
// The expand_dims spreading the vector, or the vector widened, over another tile; the load itself if there is none.
MlirOperation spread_of(const struct specialise *s, MlirOperation load);
// True if the tile is only spread over rows or columns of another tile.
bool is_spread(const struct specialise *s, MlirOperation load);
// True for the load of a value for threads: a vector, or in a loop's own block a tile read by no dot as it is.
bool loads_value(struct specialise *s, MlirOperation loop, MlirOperation op);
// The end of the range for copied values of a block: the loop body's terminator, or the op of the block
// around the loop.
MlirOperation values_end(MlirOperation loop, MlirBlock block);
bool value_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy);
bool may_store_box(struct specialise *s, MlirOperation op);
// True if the stores take turns in one buffer: there are additions within the loops.
bool stores_share(const struct specialise *s);
// True if the store writes columns beside those of the store before it: it goes on with the same buffers, in turn, and need not wait
// until the other has been written.
bool store_continues(const struct specialise *s, size_t i);
bool store_copy(struct specialise *s, MlirOperation store, struct copy *copy);
// Lets the store's pieces go through one buffer. False if they do.
bool store_takes_one_buffer(struct copy *store, struct ir *ir);

// ---- specialise_steps.c ----
// Repeats the stage loop for the producer, with its copies alone. `known` stays unchanged: the values mapped inside
// the loop are invalid in the next one. Returns the turn behind it.
struct turn specialise_steps(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                             const struct map *known, struct turn start);

// ---- specialise_rewrite.c ----
void specialise_rewrite(struct specialise *s);
// The last op of a value's spreading over a larger tile: its expand_dims, or the conversion after it. The load
// itself if it is not spread.
MlirOperation value_end(const struct specialise *s, const struct copy *copy);

// ---- specialise_deal.c: assigns programs to blocks ----
// True if programs take times that differ by loaded numbers, or some leave by their ids, in no known order, and one thread copies: blocks take
// them from a counter, if launch_control follows, else in turn.
bool programs_are_unlike(const struct specialise *s);
// True if each block runs one program, and the grid is launched as it is: of unlike programs whose producer gathers.
bool one_program_a_block(const struct specialise *s);
// Leaves the builder at the loop's body.
struct tiles tiles_begin(struct specialise *s, struct builder *b);
// Ends the body; `end` is the turn at the start of the next program.
void tiles_end(struct specialise *s, struct builder *b, struct turn end);

// ---- specialise_parts.c: programs adding to the same elements ----
// True if those along `axis` do, and their sum may be added in their place.
bool parts_find(struct specialise *s, unsigned *axis);
struct share share_of(const struct specialise *s, struct builder *b, const struct left *left);
// The share's program of this index, counted from 0.
struct piece piece_of(struct builder *b, const struct share *share, MlirValue index);
// The bounds of the producer's loop become those of the program's steps; without parts it does nothing.
void parts_cut(const struct specialise *s, struct builder *b, MlirValue bounds[3]);
// Makes the consumers' loop take the steps of all parts of the tile; without parts it does nothing.
void parts_join(struct specialise *s, struct stage_loop *stage, const struct tiles *tiles);

// ---- specialise_slope.c: the axes of different trip counts ----
struct slope slope_find(struct specialise *s);
// True if programs take their trip counts, or leave early, by numbers that they load from places of their own.
bool lengths_are_loaded(struct specialise *s);
// True if programs leave early where their ids compare (tiles of a triangle): in fixed turns the same block can have all that stay.
bool programs_leave(struct specialise *s);

// ---- specialise_spine.c: the loops and branches around the stage loops ----
// Adds the ops between the function's body and the loop; false if one is neither a loop nor a branch.
bool spine_add(struct specialise *s, MlirOperation loop);
struct stage_loop *stage_at(struct specialise *s, MlirOperation op); // NULL: not a stage loop
// Sets `home` once all loops are known.
void spine_settle(struct specialise *s);
// True if the producer can follow the spine itself. Sets `reduces` if it needs a reduction for it.
bool spine_is_producible(struct specialise *s);
void spine_needs(struct specialise *s); // producer_needs of bounds and conditions
// The axes for dealing programs by length, a bit each: none if loops are inside of others or of branches, or if a
// trip count depends on values beyond some program's reach.
unsigned spine_axes(const struct specialise *s, unsigned axes);
// True if a loop of the spine repeats the op, once for each tile of a program: a store may then write to the place
// of an earlier tile's store.
bool spine_repeats(const struct specialise *s, MlirOperation op);

// The values of a turn, as loops and branches carry them after all others; and back: the turn in a block's
// arguments or in an op's results.
struct operands turn_values(const struct specialise *s, struct turn turn);
struct turn turn_of_arguments(const struct specialise *s, MlirBlock block);
struct turn turn_of_results(const struct specialise *s, MlirOperation op);

// ---- roles_loop.c: the tiles of one stage loop ----
// Decides the loop's copies and late dots; false: it may not be specialised.
bool loop_decide(struct specialise *s, struct stage_loop *stage);
// Adds values loaded by a block of the loop, or around it, as copies where possible.
void values_add(struct specialise *s, MlirOperation loop, MlirBlock block, struct copy *copies, size_t *count,
                size_t limit);

// ---- roles_stores.c: stores that become copies from shared memory ----
// Adds them to `stores`; without any if one may not. A store that stays as it is keeps the reason.
void find_stores(struct specialise *s);
// Tensor maps of the copies found so far.
size_t map_count(const struct specialise *s);

// ---- roles_write.c: the decisions, as attributes ----

// Marks loops, dots and copies, with a remark for each loop.
void roles_write(const struct specialise *s);

// ---- roles_epilogue.c: results computed beside the next tile's products ----

// Finds the marked store, takes the room for its sums and decides the slots anew.
void find_epilogue(struct specialise *s, int wanted);
// Takes all other marks away.
void forget_epilogues(struct specialise *s, bool specialised);

// ---- specialise_residuals.c: tiles computed with the results, in pieces; no-ops without them ----
// Finds them among the epilogue's loads; if `marked`, among those marked by `roles`.
void residuals_find(struct specialise *s, const struct epilogue *epilogue, bool marked);
void residuals_write(const struct specialise *s);
void residuals_allocate(struct specialise *s, struct builder *b);
// The first step of a loop with these bounds; null values without residuals.
struct residual_step residuals_begin(const struct specialise *s, struct builder *b, const MlirValue bounds[3],
                                     MlirValue left);
// Announces the bytes of the step's slot, and of the copies beside it.
void residuals_expect(const struct specialise *s, struct builder *b, MlirValue full, unsigned bytes,
                      const struct residual_step *step, MlirValue left);
// Copies the step's pieces to the turn's slot.
void residuals_bring(const struct specialise *s, struct builder *b, MlirValue full, const struct turn *turn,
                     const struct residual_step *step);
// At a tile's end: its pieces and corners are the next one's.
void residuals_next(struct specialise *s, struct builder *b, struct map *map, struct turn *turn);

// ---- specialise_waits.c: waits for other GPUs ----
// Finds the waits ahead of the loops in the home block, as far as the producer can run them.
void waits_find(struct specialise *s);
void waits_need(struct specialise *s); // producer_needs of the compared values
bool is_wait(const struct specialise *s, MlirOperation op);
bool stands_in_wait(const struct specialise *s, MlirOperation op);
// True if the function waits for other GPUs anywhere: a block then takes its programs in the order of their numbers.
bool waits_in_order(struct specialise *s);
// Repeats a wait at the producer's place.
void waits_produce(struct specialise *s, struct builder *b, struct map *map, MlirOperation wait);
// The consumers do not repeat the waits of the loop's copies.
void waits_consume(struct specialise *s, MlirOperation loop);

// ---- specialise_slots.c: slots in turn ----
struct place place_next(const struct specialise *s, struct builder *b, struct place at);
struct place place_before(const struct specialise *s, struct builder *b, struct place at);
MlirValue slot_barrier(struct builder *b, MlirValue barriers, MlirValue slot);
MlirOperation slot_wait(struct builder *b, MlirValue barriers, struct place at);
// Waits in the middle of the op of `tile`: after so many eighths of its elements.
void slot_wait_amid(struct builder *b, MlirValue barriers, struct place at, MlirValue tile, int eighths);
// Waits again for the slot, before the first reader of the second of three dots' result and ahead of the
// third dot, unless the second one is shallow in a loop with a dot aside. The wait is a branch for ptxas:
// arithmetic on the first dot's result stays before it, beside the second dot, and the wait for the second dot
// stays after it.
void slot_hold(struct specialise *s, const struct stage_loop *stage, MlirValue barriers, struct place at);
// One thread of each warp arrives at the slot's "empty" mbarrier, if the condition holds.
void slot_free(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// The same for a slot with values: all threads of a warp read them, each in its own time, so they wait for their reads and
// meet first.
void slot_free_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// The same behind an op with a fence of its own.
void slot_free_behind_fence(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// One thread of each warp arrives at the slot's "full" mbarrier, behind the copies of all its threads.
void slot_fill_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition);
// Picks slot_free or slot_free_together: values need the second.
void slot_free_as_read(struct builder *b, const struct specialise *s, const struct stage_loop *stage,
                       MlirValue slot, MlirValue condition);
bool is_among(const MlirOperation *ops, size_t count, MlirOperation op);
bool brings_values(const struct copy *copies, size_t count);
// True if all that threads read from shared memory in a step is multiplied by its dots, as left operands from registers: once they are
// waited for, the reads are over, without a fence.
bool products_end_reads(struct specialise *s, const struct stage_loop *stage);
// True if threads read the loop's slots, beside the dots.
bool threads_read(const struct specialise *s, const struct stage_loop *stage);
// Reads a value from its slot, at the builder's place: in the layout of the tile it is spread over, or in the
// layouts of its users' conversions.
void value_read(struct specialise *s, struct builder *at, const struct copy *copy, MlirValue place);
MlirValue slot_view(struct builder *b, const struct copy *copy, MlirValue slot);
// Redirects the readers of the loop's loads to the slots.
void slots_read(struct specialise *s, const struct stage_loop *stage, struct builder *b, MlirValue slot);
// Rebuilds the loop with `count` more carried values, starting with `inits`. They are its last arguments and
// results.
void loop_carry(struct specialise *s, struct stage_loop *stage, MlirValue *inits, intptr_t count);
void loop_yield(struct specialise *s, const struct stage_loop *stage, MlirValue *more, intptr_t count);

// ---- specialise_direct.c ----
// True if threads would load more bytes of the operands that they compute than the loop's copies bring.
bool loads_more_than_copies(const struct specialise *s, const struct stage_loop *stage);
// True if what they would load for the operands computed from another dot's result is as much as the copies bring.
bool loads_tiles_for_scores(const struct specialise *s, const struct stage_loop *stage);
// True if some of what they would load has more than one row and one column.
bool loads_tiles_directly(const struct specialise *s, const struct stage_loop *stage);
// True if an operand is computed in registers from copied tiles, and the loop loads nothing else (8-bit weights).
bool computes_of_tiles(const struct specialise *s, const struct stage_loop *stage);

// ---- specialise_dots.c: dots issued in another iteration than their own ----
// Issues a clone of the dot with other operands; its second operand is read from `slot`. Use the result only
// through `landed`.
MlirValue started(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue left, MlirValue slot,
                  MlirValue sum);
// A wgmma wait: the dot's result, complete; `pending` later dots may still run.
MlirValue landed(struct builder *b, MlirValue value, int pending);

// ---- specialise_chain.c: loops with an early first dot, or a late second one ----
// Returns the place of the slot after the loop's last one.
struct place specialise_chain(struct specialise *s, struct stage_loop *stage, struct place start);

// ---- specialise_late.c: loops with late additions to their sums ----
// True if the dot adds a product of a computed operand to an accumulator of the loop, and may do so an
// iteration late.
bool dot_may_be_late(struct specialise *s, const struct stage_loop *stage, MlirOperation dot);
// Returns the place of the slot after the loop's last one.
struct place specialise_late(struct specialise *s, struct stage_loop *stage, struct place start);
// Peels the first iteration, without its `count` late dots; the loop then starts with the second. `lefts`
// gets the late dots' first operands of the peeled iteration; these dots still have to be added to the
// initial sums.
void peel_first(struct specialise *s, struct stage_loop *stage, const MlirOperation *late, size_t count,
                MlirValue *lefts);

// ---- specialise_aside.c: products only added to memory; no-ops without one ----
// The conversion of the dot's left operand to shared memory, if the loop computes and transposes it; null otherwise.
MlirOperation aside_operand(struct specialise *s, MlirOperation dot);
// Bytes of shared memory for the operand.
unsigned aside_bytes(const struct specialise *s);
void aside_allocate(struct specialise *s, struct builder *b);
// Makes the loop put the operand into two places in turn.
void aside_take_turns(struct specialise *s, struct stage_loop *stage);

// ---- specialise_adder.c: a warp of its own starts additions within loops ----
// Adds its region to the roles if consumers add within loops.
void adder_split(struct specialise *s, MlirOperation roles);

// ---- specialise_slices.c: groups of warps with the steps of a tile in turn; no-ops with one group ----
// The number of slices worth their warps.
unsigned slices_that_pay(const struct specialise *s);
// Bytes of shared memory for their sums.
unsigned slices_bytes(const struct specialise *s);
void slices_allocate(struct specialise *s, struct builder *b);
// Sets `slice`.
void slices_begin(struct specialise *s, struct builder *b);
// The place of this slice's next step.
struct place slices_next(const struct specialise *s, struct builder *b, struct place at);
// Makes the loop count this slice's steps. Returns the place of the first one; `left` gets the place behind all steps of the tile.
struct place slices_loop(struct specialise *s, struct stage_loop *stage, struct place start,
                         struct place *left);
// Adds up the sums behind the loop; the ops there become the first slice's.
void slices_end(struct specialise *s, const struct stage_loop *stage);

// ---- specialise_turns.c: two warpgroups half an iteration apart ----
bool turns_pay(const struct specialise *s);
void turns_allocate(struct specialise *s, struct builder *b);
// Sets `ready`, the mbarriers for this warpgroup, with turns or without.
void turns_begin(struct specialise *s, struct builder *b);
// Goes after the dots of a slot: the first warpgroup arrives at `started`. Without turns it does nothing.
void turn_over(struct specialise *s, struct builder *b, MlirValue slot);

// ---- specialise_copies.c: hidden arguments, and corners of boxes ----
MlirValue specialise_argument(struct specialise *s, enum hidden_parameter hidden, MlirType type,
                              MlirAttribute map);
MlirAttribute specialise_map(struct specialise *s, const struct copy *copy);
// The i32 coordinate of a box's first element along a dimension, at the builder's place. `map` gives the
// symbols' values there; without a map the symbols themselves are used. If the coordinate exceeds 32 bits it
// is `beyond`, a multiple of 16: no box of a load has elements below 0, and no store may begin there.
// `at`: the first of the tile's rows in the box, where rows are copied in runs; else 0.
MlirValue specialise_corner(struct builder *b, const struct tile_access *tile, unsigned d, int64_t at,
                            int32_t beyond, struct map *map);
// Starts the bulk copy of the box, or of a box for each run of rows, to a slot; `full` counts their bytes.
void specialise_bring(struct builder *b, const struct copy *copy, MlirValue slot, MlirValue full,
                      struct map *map);
// Replaces the conversions of the copy's load to shared memory by the slot. Returns the op after the load.
MlirOperation specialise_read(const struct copy *copy, MlirValue place);
// Computes a scalar again at the builder's place, from the values in `map`. Without a map: the scalar itself.
MlirValue specialise_scalar(struct builder *b, MlirValue value, struct map *map);

// The number of iterations of the loop so far; `map` as of specialise_corner.
MlirValue specialise_iteration(struct builder *b, struct map *map, MlirOperation loop);

// ---- specialise_gather.c: tiles copied from addresses of their own ----
// Makes the load a copy by the producer's threads, to a slot of the type `shared`.
bool gathered_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                   struct copy *copy);
// Makes a layout of fewer warps one of all of the kernel's: the further warps hold the first warps' elements again.
void gather_all_warps(const struct specialise *s, struct layout *layout);
// The tile in this layout, computed at the builder's place outside the loops.
MlirValue gather_tile(struct specialise *s, struct builder *b, struct map *map, MlirValue value,
                      const struct layout *layout);
bool any_gathered(const struct copy *copies, size_t count);
bool gathers(const struct stage_loop *stage);
bool gathers_group(const struct stage_loop *stage, unsigned group);
// A box if it is one, else gathered; in a loop alone.
bool operand_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                  struct copy *copy);
// Gathers in all loops what one of them has to gather to their slots.
void gather_alike(struct specialise *s);
// The producer's tiles in one loop.
struct gather;
// Computes the tiles' sources from outside the loop, at the builder's place before it.
struct gather *gather_begin(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                            struct map *map);
// Starts the group's copies to the turn's slot, and signals what was copied before them.
void gather_bring(struct specialise *s, const struct stage_loop *stage, struct gather *gather, unsigned group,
                  struct builder *b, struct turn turn);
// Signals the last slot, if it has no signal yet: ahead of a wait by a possible reader.
void gather_settle(struct specialise *s, struct builder *b, struct turn *turn);
// A tile without a step, of a function with kept operands, signals the last slot of the tile before.
void gather_tile_begins(struct specialise *s, struct builder *b, struct turn *turn);
void gather_tile_ends(struct specialise *s, struct builder *b, struct turn *turn);
// Signals the last slot, behind all programs of the block.
void gather_end(struct specialise *s, struct builder *b, struct turn end);

// ---- specialise_reduce.c: bounds and conditions that are reductions of tiles ----
// Computes it at the builder's place.
void reduction_produce(struct specialise *s, struct builder *b, struct map *map, MlirOperation op);

// ---- specialise_room.c: the number of slots ----
// 32-bit registers per thread for a tile.
unsigned specialise_registers(const struct specialise *s, MlirType tile);
// Bytes of so many slots of the loops, with their mbarriers.
unsigned slot_bytes(const struct specialise *s, int slots);
// Registers of a thread for an iteration of the loops, of dots that read operands from registers.
unsigned mma_sync_registers(const struct specialise *s);
// True if threads have that many registers, or nearly so, where `blocks` blocks share a multiprocessor.
bool mma_sync_fits(const struct specialise *s, unsigned blocks);
// Blocks on a multiprocessor, of dots that read operands from registers, if all warps copied.
unsigned blocks_without_roles(const struct specialise *s);
// Registers of a thread for one iteration of a chain of dots, none of which runs early or late.
unsigned chain_registers(const struct specialise *s, const struct stage_loop *stage);

// What the producer does with its registers, and its number of warps.
enum producer specialise_producer(const struct specialise *s);
int specialise_producer_warps(const struct specialise *s);

// Registers that a thread of the function's consumers has, of a multiprocessor with `blocks` blocks.
unsigned consumer_registers(const struct specialise *s);
// Warps that multiply, those of all slices of single warps; of slices of more warps one slice's.
unsigned consumer_warps(const struct specialise *s);

// The most blocks on a multiprocessor worth a trial.
unsigned blocks_that_pay(const struct specialise *s);

// Returns the number of slots and sets `blocks`, `kept_slots` and `end_slots`.
int slots_that_fit(struct specialise *s, int wanted);

// ---- roles_room.c: room for the slots beside conversions and stores ----
// Lets conversions around the loops run in pieces: their scratch shares memory with the slots, and small
// pieces leave room for more slots. False if no conversion is large enough. UINT_MAX: all are whole again.
bool convert_in_pieces(struct specialise *s, unsigned piece);
// Where shared memory is short for the slots of mma.sync: stores by tensor copies through one buffer, none where two slots would not fit beside
// it, and conversions in the largest pieces with as many slots as small pieces leave.
void make_room(struct specialise *s, int wanted);
// Lets threads store the results if another block then fits.
void spare_store_tile(struct specialise *s, int wanted);

// ---- specialise_kept.c: operands constant for a tile; no-ops if there are none ----
struct place kept_next(struct specialise *s, struct builder *b, struct place at);
void kept_allocate(struct specialise *s, struct builder *b);
void kept_bring(struct specialise *s, struct builder *b, struct map *map, struct place at); // the producer
// The same of tiles for the results, behind the copies of the tile's last step.
void kept_bring_end(struct specialise *s, struct builder *b, struct map *map, struct place at);
void kept_read(struct specialise *s, struct place at);    // the consumers
void kept_release(struct specialise *s, struct place at); // after all loops
// The next vector behind `op` (null: behind the loops) with a spread over a tile, or tile of 16-bit elements, if nothing is written ahead of it:
// null if none.
MlirOperation kept_behind(const struct specialise *s, MlirOperation op);
bool kept_is_tile(MlirOperation load);

#endif
