// Elements of a step of a chain by rows and columns of the tile stored by another step (retiled_steps.c).
#ifndef TKC_PASSES_RETILED_STEPS_H
#define TKC_PASSES_RETILED_STEPS_H

#include "passes/facts/tile_access.h"
#include "passes/pass.h"

// The coordinates of a value: the row of an element, its column, both or neither. It says the value's shape, too.
enum parts { PART_NONE, PART_ROW, PART_COLUMN, PART_BOTH };

// A value in the shape of its parts; null: no condition.
struct placed {
    MlirValue value;
    enum parts parts;
};

// row × the element's row + column × its column + rest; all three are sums of scalars.
struct placed_sum {
    struct affine row, column, rest;
};

// A coordinate of the step's elements, in the step's own program ids and indices of its tile.
struct own_coordinate {
    struct affine sum;
    struct affine_term lead; // a term with the factor 1, in no other coordinate
};

// A tile in an array: element (i, j) of the tile is at row · stride + column.
struct retile {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    struct affines affines;
    MlirBlock body;

    // The tile: of a store, in scalars and dimensions at the store.
    MlirOperation store; // null: no tile yet
    MlirType tile;       // rank 1 (a row, whose number is a scalar) or 2
    int row_dim, column_dim;
    struct affine stride, row, column;
    struct affine_term row_lead, column_lead; // of `row` and `column`
    struct tile_mask mask;
    struct builder at;                       // behind the store: the retiled steps
    MlirValue row_value[2], column_value[2]; // in 32 and 64 bits, made when needed

    // The step: `flat` elements are counted through all rows, by first_own alone.
    int step;
    bool flat;
    struct own_coordinate own[2]; // row and column; of flat elements one
    struct map done[4];           // value → struct placed *, by the places of its dimensions
    struct map arrays;            // argument → the value stored by a step at the tile's elements
};

// ---- retiled_places.c ----
// Places of the dimensions of a value: dimension d of a value is dimension place_dim(places, d) of the step's tile.
enum { PLACES_NONE, PLACES_FIRST, PLACES_SECOND, PLACES_ALL };
int place_dim(int places, int d);
// Reads the store's tile. False, with a reason, if its elements have no row and column.
bool retile_take_store(struct retile *r, MlirOperation store);
// True if the store is to the same elements, by equal addresses and masks, of another array.
bool retile_same_store(struct retile *r, MlirOperation store);
// Finds the step's coordinates from a load of the tile's array.
bool retile_take_load(struct retile *r, MlirOperation load);
// The sum by rows and columns. False if it is none, or has other scalars than arguments.
bool retile_split(struct retile *r, const struct affine *sum, int places, struct placed_sum *out);
// True if the sum is the place of each element in the stored array.
bool retile_is_home(struct retile *r, const struct placed_sum *sum);
// True if the sum counts the step's elements through all rows, or is one row's or column's number.
bool retile_is_flat(struct retile *r, const struct placed_sum *sum);
// True if the condition, a sum below zero, holds for all elements with a true mask of the store.
bool retile_is_implied(struct retile *r, const struct affine *below_zero, int places);
// True if the sum is one argument, or a constant, and the tile's stride is the same.
bool retile_is_stride(struct retile *r, const struct affine *sum);
// The number of bounds of the store's mask on rows alone, or on columns alone: 0; 1: the row (column) plus *out is below
// zero; -1: another bound.
int retile_own_bound(struct retile *r, enum parts part, struct affine *out);

// ---- retiled_values.c ----
// The value of the step in the tile's shape, built behind the store once. False, with a reason, if it is no function of an element.
bool retile_value(struct retile *r, MlirValue value, int places, struct placed *out);
// The conditions of the step's mask beyond the store's.
bool retile_mask(struct retile *r, MlirValue mask, int places, struct placed *out);
// The store's mask, for accesses of these parts.
bool retile_home_mask(struct retile *r, MlirOperation op, enum parts parts, struct placed *out);
// Both conditions, and the value in the shape of more parts.
struct placed retile_both(struct retile *r, struct placed a, struct placed b);
MlirValue retile_spread(struct retile *r, struct placed from, enum parts parts);
// The value of the step's load of an array, if an earlier step of the kernel has stored it; null: it is no such load.
MlirValue retile_handed(struct retile *r, MlirOperation load);
// The op's attributes without tk.step.
struct attrs retile_attributes(struct retile *r, MlirOperation op);

#endif
