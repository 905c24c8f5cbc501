// Operations on a product's sums before their store (epilogue.c).
#ifndef TKC_PASSES_EPILOGUE_H
#define TKC_PASSES_EPILOGUE_H

#include "ir/build.h"
#include "passes/pass.h"

enum {
    EPILOGUE_LANE_ELEMENTS = 8,  // of a piece
    EPILOGUE_LEAST_COLUMNS = 64, // of a tile
    EPILOGUE_WARP_ROWS = 16,     // of a warp's tile
    EPILOGUE_FETCHED_BITS = 16,  // of an element copied to shared memory ahead of its use
    // Issue slots of a warp for 32 elements to pay for the way through shared memory, 6 slots long.
    EPILOGUE_LEAST_WORK = 12,
    // A tile with no more sums loses by it, since residuals come by tensor copies either way. (H200, bias, GELU and residual: 128 x 128
    // takes 1.00 to 1.11 of the time at 20 sizes, 128 x 256 0.87 to 1.02.)
    EPILOGUE_FEW_SUMS = 128 * 128,
    EPILOGUE_LEAST_SLOTS = 3, // beside the sums: enough for the copies of products this large
    EPILOGUE_MAX_PARKED = 2,  // products of one loop: gate and up
    EPILOGUE_MAX_OPS = 96,
    EPILOGUE_MAX_SCALARS = 12,
    EPILOGUE_MAX_FACTOR_LOADS = 4
};

struct epilogue {
    MlirValue sums[EPILOGUE_MAX_PARKED]; // the products', results of one op
    // Of each product, the sums narrowed to 16 bits, or of sums times a factor of each row: the values of all elements for the rest, of one type.
    // Those of 32 bits take too much of shared memory and of its time.
    MlirValue parked[EPILOGUE_MAX_PARKED];
    size_t parked_count;
    unsigned work;                       // issue slots of a warp for 32 elements
    unsigned bytes;                      // of one value of `parked`
    MlirOperation ops[EPILOGUE_MAX_OPS]; // operands first; without the operands of `parked`
    size_t op_count;
    MlirValue scalars[EPILOGUE_MAX_SCALARS]; // read by them, no constants
    size_t scalar_count;
    // Loads that factors of rows are computed from: done with the tile's own products (late_factors.c), not with the late pieces.
    MlirOperation factor_loads[EPILOGUE_MAX_FACTOR_LOADS];
    size_t factor_load_count;
};

// A piece: the same rows of all warps, next to each other in each.
struct epilogue_piece {
    unsigned rows;    // of a warp
    unsigned columns; // of the tile
    unsigned count;   // of all pieces
    struct layout layout;
};

// The number of a value among those parked; `parked_count`: it is none of them.
size_t epilogue_parked(const struct epilogue *epilogue, MlirValue value);

// Reads the store of a tile of rank 2. True if its elements can be computed and stored in pieces of some rows, from the sums put aside,
// scalars and loads through other arguments, at any later time of the program.
bool epilogue_read(struct ir *ir, MlirOperation store, struct epilogue *epilogue);

// In how many steps the warpgroups take turns with a piece: as many as they are, if a loop with these i32 bounds has steps for `left` pieces so,
// or else one step for all. While one computes, the others' products are under way.
MlirValue epilogue_turns(struct builder *b, MlirValue lower, MlirValue upper, MlirValue step, MlirValue left,
                         unsigned groups);

// True for a load of a tile of 16-bit elements: pieces of it are copied to shared memory ahead of their use.
bool epilogue_fetches(MlirOperation load);

// The pieces of a tile of the type; false if it has other rows in a warp, or none of a piece's length.
bool epilogue_pieces(struct ir *ir, MlirType parked, unsigned warps, struct epilogue_piece *piece);

#endif
