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
    struct affines affines;
    // The step: one row a program.
    MlirOperation store, element;      // of the scaled row, and the load of the row to scale
    struct tile_access stored, loaded; // by these two
    MlirValue handed;                  // the scaled array
    MlirValue factors
        [FACTORS_MOST]; // of rows: the stored value is their product with the element and the columns' values
    bool divides[FACTORS_MOST]; // by the factor
    MlirValue columns[FACTORS_MOST];
    int factor_count, column_count;
    // The product.
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

// ---- row_factors_values.c ----
// The number of columns of a row's tile.
struct tile_size factor_width(const struct tile_access *row);
enum factor_of factor_kind(struct row_factors *f, MlirValue value);
// The step's value in the shape of the operand's tile, of its columns, and of its rows; null, with a reason, if there is none.
MlirValue factor_tile(struct row_factors *f, struct builder *b, MlirValue value);
MlirValue factor_column(struct row_factors *f, struct builder *b, MlirValue value);
// A scalar if the value is the same for all rows. `row` has the loop's carried sums.
MlirValue factor_row(struct row_factors *f, struct builder *b, MlirValue value);
// The vector along a dimension of the operand's tile spread over the tile, or over `like`.
MlirValue factor_spread(struct builder *b, MlirValue vector, int axis, MlirType like);

#endif
