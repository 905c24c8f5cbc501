// A chain's step, taken apart, and the product of its scaled rows (row_factors.c).
#ifndef TKC_PASSES_ROW_FACTORS_H
#define TKC_PASSES_ROW_FACTORS_H

#include "passes/facts/tile_access.h"

enum { FACTORS_MOST = 8 };

// The row, the column, or both: a value of the step depends on them.
enum factor_of {
    FACTOR_UNIFORM, // arguments and constants alone
    FACTOR_ROW,     // the program's row
    FACTOR_COLUMN,
    FACTOR_ELEMENT, // the loaded element, in any way
    FACTOR_MIXED
};

struct row_factors {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirBlock body;
    struct affines *affines;
    int64_t mark; // of the step's ops in tk.step
    // The step: one row a program.
    MlirOperation store;               // of the scaled row
    MlirOperation element;             // the load of the row to scale, or the op that makes it
    MlirOperation whole;               // that load, or the step's store of the row to scale
    struct tile_access stored, loaded; // by `store` and `whole`
    MlirValue handed;                  // the scaled array
    MlirValue factors
        [FACTORS_MOST]; // of rows: the stored value is their product with the element and the columns' values
    bool divides[FACTORS_MOST]; // by the factor
    MlirValue columns[FACTORS_MOST];
    int factor_count, column_count;
    // The product; of several, one after another.
    MlirOperation load, loop;         // of the left operand's tile, in the loop over steps
    struct tile_access operand;       // by the load
    MlirValue width;                  // the number of columns, a scalar
    MlirOperation dots[FACTORS_MOST]; // of the operand
    intptr_t results[FACTORS_MOST];   // of the loop: their sums
    int dot_count;
    // Made: values in the shape of the operand's tile, of its columns, and of its rows behind the loop.
    struct map tile, column, row;
    MlirOperation reduces[FACTORS_MOST]; // of the step; their sums over rows are carried by the loop
    MlirValue sums[FACTORS_MOST];        // of one step of the loop
    int reduce_count;
};

// ---- row_factors_memory.c: factors of rows between two kernels ----
// True if the factor of a row has a place where the step's kernel has stored the row, at its beginning; else a reason.
bool factors_may_be_stored(struct row_factors *f);
void factors_store(struct row_factors *f, struct builder *b, MlirValue factor);
// The same for the product, which reads the rows of the scaled array.
bool factors_may_be_loaded(struct row_factors *f);
// The factors of the tile's rows, as factors_store has written them; 1 for rows without columns.
MlirValue factors_load(struct row_factors *f, struct builder *b);

// ---- row_factors_values.c ----
// The number of columns of a row's tile.
struct tile_size factor_width(const struct tile_access *row);
enum factor_of factor_kind(struct row_factors *f, MlirValue value);
// The step's value in the shape of the operand's tile, of its columns, and of its rows; null, with a reason, if there is none.
MlirValue factor_tile(struct row_factors *f, struct builder *b, MlirValue value);
MlirValue factor_column(struct row_factors *f, struct builder *b, MlirValue value);
// A scalar if the value is the same for all rows. `row` has the loop's carried sums. Without a product it is the step's own scalar.
MlirValue factor_row(struct row_factors *f, struct builder *b, MlirValue value);
// The vector along a dimension of the operand's tile spread over the tile, or over `like`.
MlirValue factor_spread(struct builder *b, MlirValue vector, int axis, MlirType like);

#endif
