// Results of a tile, computed beside the next tile's products: shared by the loops (late_epilogues.c), a piece
// (late_pieces.c) and the factors of rows (late_factors.c).
#ifndef TKC_PASSES_LATE_EPILOGUES_H
#define TKC_PASSES_LATE_EPILOGUES_H

#include "ir/build.h"
#include "passes/facts/epilogue.h"
#include "passes/pass.h"

enum { LATE_MAX_LOADS = 8 };

// How a value's piece lies in threads. A vector is of the tile's dimension `dim`.
struct late_want {
    struct layout layout;
    int dim;
};

struct late {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation store; // the marked one
    MlirOperation tiles, products,
        loop; // the loop over tiles, the op in it around the loop of products, the loop of products
    struct epilogue epilogue;
    intptr_t sums_number[EPILOGUE_MAX_PARKED]; // of the sums among the results of `products`
    struct epilogue_piece piece;
    MlirValue buffers[EPILOGUE_MAX_PARKED]; // for the sums
    MlirOperation loads[LATE_MAX_LOADS];    // the epilogue's, and how their pieces lie in threads
    struct late_want wants[LATE_MAX_LOADS];
    MlirValue rings[LATE_MAX_LOADS]; // slots for the producer's pieces; null: the load is the threads' own
    size_t load_count;
    struct map widths;                      // access → elements at once
    MlirValue before[EPILOGUE_MAX_SCALARS]; // the epilogue's scalars of the tile before
    bool carried[EPILOGUE_MAX_SCALARS];     // by the loop over tiles
    intptr_t carried_count;                 // values, with the pieces
    MlirValue left;                         // i32: pieces of the tile before, at the head of this one
};

// Moves loads of factors of rows ahead of the products (late_factors.c).
void late_factors(const struct late *l);

// Finds the epilogue's loads, and how wide they may be.
void late_find_loads(struct late *l);
// Builds the loads of the piece with the i32 number at the builder's place, if `wanted`, an i1, holds (null: always). Returns their
// results; if `brought`, null for the producer's loads. With the loads of the piece before, `kept`, vectors of columns are loaded for the
// first piece alone.
MlirValue *late_loads(struct late *l, struct builder *b, MlirValue number, MlirValue wanted, bool brought,
                      const MlirValue *kept);
// Computes the piece from the loads and the slot, and stores it.
void late_piece(struct late *l, struct builder *b, MlirValue number, const MlirValue *loaded, MlirValue slot);

#endif
