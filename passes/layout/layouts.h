// The layouts pass in three parts: choosing (layouts_choose.c), homes (layouts_home.c) and rewriting
// (layouts.c).
#ifndef TKC_PASSES_LAYOUTS_H
#define TKC_PASSES_LAYOUTS_H

#include "passes/facts/axis.h"
#include "passes/pass.h"
#include "chip/mma.h"

// Where a tile lives and how much that choice matters. A value without a home floats: its op is recomputed in
// whatever layout a user asks for.
enum home_rank {
    HOME_NONE,
    HOME_DEMAND, // a loop-carried value that floats: the layout of its first user
    HOME_ACCESS, // a coalesced memory access and what is computed from it
    HOME_DOT,    // a matrix instruction's accumulator and what is computed from it
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
    struct map homes;    // value → struct home
    struct map accesses; // load, store or atomic op → its layout
    struct map dots;     // dot op → struct dot_choice
    struct map spread;   // loads of few elements that float
    struct map copies;   // value → list of its materialisations in other layouts
};

// ---- layouts_order.c ----

// Dimensions of a tile of addresses, the one first along which neighbours lie side by side.
void layouts_order(struct layouts *l, MlirValue pointer, unsigned order[]);
// Changes the order for a load that no order serves, for the sake of reductions of its tile.
void layouts_order_reduced(struct layouts *l, MlirOperation load, unsigned order[]);

// ---- layouts_choose.c ----

struct dot_choice {
    const struct mma *mma; // NULL: fused multiply-adds
    unsigned warps_m, warps_n;
    struct layout operand[MMA_OPERANDS];
};

// A plain distribution for a tile that nothing else decides: 16 bytes a thread along the last dimension.
struct layout layouts_default(struct layouts *l, MlirType type);
// Fills l->accesses: threads run along the dimension in which addresses are contiguous, each taking the
// widest access.
void layouts_choose_accesses(struct layouts *l);
bool layouts_multiply(const struct layouts *l); // whether there is a dot
// Fills l->dots.
void layouts_choose_dots(struct layouts *l);
// Elements that one access of this op takes with its layout: its `vector` attribute.
int64_t layouts_vector(struct layouts *l, MlirOperation access, const struct layout *layout);
// Of a load, store or atomic; null without one.
MlirValue layouts_mask_of(struct layouts *l, MlirOperation access);

// ---- layouts_warpgroup.c ----

// Fills `choice` if the dot can be a warpgroup's; false, with nothing said in it, if not.
bool layouts_choose_warpgroup(struct layouts *l, MlirOperation dot, struct dot_choice *choice);
bool layouts_is_shared(const struct layout *layout); // places in shared memory, not threads
// The tk.load of which `value` is a view (through tk.trans of rank 2); null when it is none.
MlirOperation layouts_load_behind(struct layouts *l, MlirValue value, bool *transposed);

// ---- layouts_spread.c ----

// Fills l->spread.
void layouts_find_spread(struct layouts *l);
// Takes those out again that homes make dear; true if there are any: then what was decided does not hold.
bool layouts_drop_spread(struct layouts *l);

// ---- layouts_home.c ----

// Fills l->homes until nothing changes.
void layouts_find_homes(struct layouts *l);
struct home layouts_home(struct layouts *l, MlirValue value);
// Where a tile that nothing decides and that a reduction or its like needs somewhere lives.
struct layout layouts_likely(struct layouts *l, MlirType type);
// True for ops whose results float while their operands do.
bool layouts_floats(struct layouts *l, MlirOperation op);
// The layout in which `op` needs tensor operand `index` so that its result is in `result`; the op is
// elementwise or changes the shape. False when that layout cannot be derived.
bool layouts_operand_layout(struct layouts *l, MlirOperation op, intptr_t index, const struct layout *result,
                            struct layout *operand);

const struct layout *layouts_keep(struct layouts *l, const struct layout *layout); // a copy in the arena

#endif
