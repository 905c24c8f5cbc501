// Programs of heads that share keys and values become rows of one tile: shared_keys.c decides, shared_keys_rewrite.c rewrites.
#ifndef TKC_PASSES_SPECIALISE_SHARED_KEYS_H
#define TKC_PASSES_SPECIALISE_SHARED_KEYS_H

#include "passes/facts/affine.h"
#include "passes/pass.h"

enum { SHARING_HEADS = 2, SHARING_WARPS = 16 }; // programs whose rows are one tile, and the warps of the tile

struct sharing {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    struct affines affines;
    MlirOperation function;
    MlirOperation id;    // tk.program_id of the heads' axis
    int64_t rows, count; // of a program; programs of a tile
    struct map tiles;    // values with a part in each row
    MlirValue *order;    // these in the order in which they were found
    size_t tile_count, tile_capacity;
    struct map varies; // scalars different between the programs of a tile
    // ---- shared_keys_rewrite.c ----
    // Scalar that varies → its value for each row; leaf → the same with the rows of all programs.
    struct map made;
    MlirValue there; // whether a row's program exists
};

// ---- shared_keys.c ----
// True if programs of the kernel can be rows of one tile, for SHARING_WARPS warps. sharing_close is needed either way.
bool sharing_find(struct sharing *h, struct pass_context *context, MlirOperation function);
void sharing_close(struct sharing *h);

// ---- shared_keys_rewrite.c ----
// True if each user gets a value like this of its own: a range, a constant, a scalar in all elements.
bool sharing_is_leaf(const struct sharing *h, MlirValue value);
// True if the op reads or makes a value of rows that is no leaf.
bool sharing_reads_tile(const struct sharing *h, MlirOperation op);
void sharing_rewrite(struct sharing *h);
// Of a function whose blocks do a program each: programs whose heads are rows of others' tiles do nothing.
void sharing_leave_out(struct ir *ir, MlirOperation function);

#endif
