// The layouts pass in three parts: choosing (layouts_choose.c), homes (layouts_home.c) and rewriting
// (layouts.c).
#ifndef TKC_PASSES_LAYOUTS_H
#define TKC_PASSES_LAYOUTS_H

#include "passes/facts/axis.h"
#include "passes/pass.h"
#include "chip/mma.h"

// The origin of a tile's home layout; a higher rank wins. A value without a home floats: its op is recomputed
// in any layout a user asks for.
enum home_rank {
    HOME_NONE,
    HOME_DEMAND, // a floating loop-carried value: its first user's layout
    HOME_ACCESS, // a coalesced memory access and the ops computed from it
    HOME_DOT,    // a matrix instruction's accumulator and the ops computed from it
};

struct home {
    const struct layout *layout; // NULL: floats
    enum home_rank rank;
};

struct layouts {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation function;
    MlirOperation *ops; // program order, as found
    size_t op_count;
    unsigned num_warps;
    struct axis axis;
    struct map homes;          // value → struct home
    struct map accesses;       // load, store or atomic op → its layout
    struct map dots;           // dot op → struct dot_choice
    struct map spread;         // loads of few elements, recomputed in each layout
    struct map once;           // maker of a dot's operand → the layout to compute it in
    struct map copies;         // value → list of its materialisations in other layouts
    unsigned tensor_columns;   // of tensor memory, taken by the dots so far; of a chain: by all of its dots
    bool tensor_chain;         // the dots of the chain are in tensor memory
    struct declined unchained; // why they are not
};

// ---- layouts_order.c ----

// Sorts the dimensions of a tile of addresses: the dimension with contiguous neighbours comes first.
void layouts_order(struct layouts *l, MlirValue pointer, unsigned order[]);
// For a load not contiguous in any order: changes the order for reductions of its tile within
// threads.
void layouts_order_reduced(struct layouts *l, MlirOperation load, unsigned order[]);

// ---- layouts_choose.c ----

struct dot_choice {
    const struct mma *mma; // NULL: fused multiply-adds
    unsigned warps_m, warps_n;
    // Bit i of the instructions' K is bit k_order[i] of the tile's, and so for the result's rows. No bits: the tile's own order.
    unsigned k_bits, row_bits;
    int32_t k_order[LAYOUT_MAX_BITS], row_order[LAYOUT_MAX_BITS];
    struct layout operand[MMA_WITH_SCALES];
};

// A plain distribution for tiles without constraints: 16 bytes a thread along the last dimension.
struct layout layouts_default(struct layouts *l, MlirType type);
// Fills l->accesses: threads run along the contiguous dimension of the addresses, each with the widest
// access.
void layouts_choose_accesses(struct layouts *l);
bool layouts_multiply(const struct layouts *l); // whether there is a dot
// Fills l->dots.
void layouts_choose_dots(struct layouts *l);
// Elements per access of this op in its layout: its `vector` attribute.
int64_t layouts_vector(struct layouts *l, MlirOperation access, const struct layout *layout);

// ---- layouts_warpgroup.c ----

// Fills `choice` if the dot can be a warpgroup's. If not, returns false and leaves `choice` unspecified.
// `chained`: a dot of the function has another dot's result as an operand.
bool layouts_choose_warpgroup(struct layouts *l, MlirOperation dot, bool chained, struct dot_choice *choice);
bool layouts_is_shared(const struct layout *layout);                 // in shared memory, not in threads
bool layouts_is_computed_left(struct layouts *l, MlirOperation dot); // A is computed in the dot's own block
// Gives tiles computed only with results of warpgroups, behind the products, the layout of these. True if there are any:
// homes must then be found again.
bool layouts_meet_results(struct layouts *l);
bool layouts_multiplies(const struct layouts *l, MlirBlock block); // whether the block has a dot

// ---- layouts_tensor.c ----

// True if the dot's sums may stay in tensor memory; takes no columns yet.
bool layouts_fits_tensor_memory(struct layouts *l, MlirOperation dot, const struct mma *mma, bool chained);
// True if the dot's left operand, a computed one, can be put into tensor memory.
bool layouts_left_in_tensor_memory(struct layouts *l, MlirOperation dot, const struct mma *mma);
unsigned layouts_tensor_columns(MlirType c); // of a result

// Columns of a dot's scales; 0 without scales.
unsigned layouts_scale_columns(MlirOperation dot);

// ---- scaled_dots.c ----

// Dots with scales but without a choice become dots of bf16. True if there are any: all must be chosen again.
bool layouts_widen_scaled(struct layouts *l);

// ---- layouts_chain.c ----

// True if all dots of a function, some of them chained, can be in tensor memory. Sets l's facts of the chain.
bool layouts_chain_fits(struct layouts *l);

// ---- layouts_words.c ----

// Orders the rows of a product of warpgroups for threads to take neighbouring words, if its left operand is unpacked from words.
void layouts_order_rows(struct layouts *l, MlirOperation dot, struct dot_choice *choice);
// Orders K for lanes to take whole words, if an operand is unpacked from words.
void layouts_order_words(struct layouts *l, MlirOperation dot, struct dot_choice *choice);

// ---- layouts_behind.c ----

// The tk.load behind a view (tk.trans of rank 2); null if `value` is no view of a load.
MlirOperation layouts_load_behind(struct layouts *l, MlirValue value, bool *transposed);
// The dot whose result, changed element by element in registers, is the value; null if there is none. `seen`: values already known not to come
// from a dot; `depth`: 0.
MlirOperation layouts_dot_behind(struct layouts *l, struct map *seen, MlirValue value, int depth);

// ---- layouts_chained.c ----

// Orders K for a left operand computed from another dot's result to stay in its lanes.
void layouts_order_chained(struct layouts *l, MlirOperation dot, struct dot_choice *choice);

// ---- layouts_work.c ----

// Operations of an elementwise op for each element.
unsigned layouts_work_of(enum op_kind kind);
// True if the dot's block computes much for each element of the operand: an exponential, or as much as one.
bool layouts_is_dear(struct layouts *l, MlirOperation dot, MlirValue operand);

// ---- layouts_computed.c ----

// True if a dot's operand, or part of it, is computed in the operand's layout from loads converted to it.
bool layouts_follows_load(struct layouts *l, MlirOperation op, const struct layout *layout);

// ---- layouts_once.c ----

// Fills l->once. Needs l->accesses and l->dots.
void layouts_choose_once(struct layouts *l);

// ---- layouts_lds_copy.c ----

// Changes l->accesses of loads for copies to LDS past the registers. Needs l->dots.
void layouts_choose_copies(struct layouts *l);

// ---- layouts_spread.c ----

// Fills l->spread.
void layouts_find_spread(struct layouts *l);
// Removes loads from l->spread if the homes make their repetition expensive. True if any was removed: homes
// must then be found again.
bool layouts_drop_spread(struct layouts *l);

// ---- layouts_gathers.c ----

// Gives loads whose addresses come from memory the layout of these. True if there are any: homes must then be found again.
bool layouts_follow_addresses(struct layouts *l);

// ---- layouts_counted.c ----

// True if the tile has a home, is computed of a loop's steps alone, and threads would exchange it for the layout.
bool layouts_counts(struct layouts *l, MlirValue value, const struct layout *layout);
// A carried tile for which that is true, in the layout of `first`: of its first value.
MlirValue layouts_recount(struct layouts *l, MlirValue argument, MlirValue first);

// ---- layouts_home.c ----

// Fills l->homes until nothing changes.
void layouts_find_homes(struct layouts *l);
struct home layouts_home(struct layouts *l, MlirValue value);
// The home of an unconstrained tile used by a reduction or a similar op.
struct layout layouts_likely(struct layouts *l, MlirType type);
// The homes of operand tiles of reduce, scan, join, split, gather and histogram: the first operand's home, or a likely layout.
struct home layouts_operands_home(struct layouts *l, MlirOperation op);
// True for ops with floating results if their operands float.
bool layouts_floats(struct layouts *l, MlirOperation op);
const struct layout *layouts_keep(struct layouts *l, const struct layout *layout); // a copy in the arena

#endif
