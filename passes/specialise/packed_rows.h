// Programs of short rows become rows of one tile: packed_rows.c decides, packed_rows_rewrite.c rewrites.
#ifndef TKC_PASSES_SPECIALISE_PACKED_ROWS_H
#define TKC_PASSES_SPECIALISE_PACKED_ROWS_H

#include "passes/pass.h"

enum {
    PACKED_WARPS = 4,
    PACKED_VALUES = 16, // most operands, and most results, of an op
    PACKED_BLOCKS = 32 // a multiprocessor, twice as many as run at once: blocks take turns in long grids only
};

struct packing {
    struct pass_context *context;
    struct ir *ir;
    struct arena *arena;
    MlirOperation function;
    struct map varies;  // values different between programs along x
    struct map inside;  // other values of the loop: they follow from effects
    MlirOperation fork; // an scf.if on a common condition, with loops in one way; null: none
    int packed_way;     // the region of the other way
    int64_t row;        // elements of the longest row, words of 32 bits if they have more
    int64_t work;       // of a program: elements computed by its ops
    int64_t bytes;      // of a program: loaded of its row
    int64_t exchanges;  // reductions and scans of rows
    bool writes;
    bool masked;         // inside a branch on a program's own condition
    int64_t rows, warps; // of a tile
    // ---- packed_rows_rewrite.c ----
    struct map made;    // value of the source → value in the loop
    MlirValue programs; // the hidden argument: number of programs along x
    MlirValue places;   // rows x i32: the numbers of the tile's programs
    MlirValue there;    // rows x i1: whether there is such a program
};

void packed_rows_rewrite(struct packing *p);

#endif
