// Columns of tensor memory for the tiles of a function (tensor_columns.c).
#ifndef TKC_PASSES_TENSOR_COLUMNS_H
#define TKC_PASSES_TENSOR_COLUMNS_H

#include "passes/pass.h"
#include "support/map.h"

// The sums of a dot, its left operand, or its scales.
enum tensor_part { TENSOR_SUMS, TENSOR_LEFT, TENSOR_SCALES };

// A tile has columns from its first op to its last one, both inclusive, in the order of ops_collect.
struct tensor_tile {
    const void *key;  // the loop's argument that carries it, or its dot
    const void *also; // the argument of a second loop that it goes on to; NULL: none
    enum tensor_part part;
    size_t first, last;
    unsigned columns, column;
};

struct tensor_columns {
    struct tensor_tile *tiles;
    size_t count;
    unsigned taken; // the end of the last tile
};

// True for a warpgroup_dot whose instruction writes tensor memory.
bool tensor_dot_is_pending(struct ir *ir, MlirOperation op);
// The argument of the loop around the dot that is the dot's sum, scaled or not, and gets its result, with nothing but dots,
// waits and scaling between; null: there is none.
MlirValue tensor_dot_carried(struct ir *ir, MlirOperation dot);

// Destroys the ops whose results nobody uses: they would count as users of others'.
void tensor_columns_drop_dead(struct ir *ir, MlirOperation *ops, size_t count);
// Two loops that carry the same tile, from the one to the other (tensor_between.c).
struct tensor_link {
    MlirValue from, to;          // arguments of the loops
    MlirOperation first, second; // the branches around them
    MlirValue otherwise; // the tile where the first is not taken: to be stored at the end of its other block
    MlirValue result;    // of the second branch: to be loaded behind it
};
// Finds the links, and lets the branches yield unwritten tiles. Ops: all of the function. Returns their number.
size_t tensor_links(struct pass_context *context, MlirOperation *ops, size_t count,
                    struct tensor_link **links);

// Gives each tile its columns; tiles that are never there together may have the same. Ops: all of the function.
struct tensor_columns tensor_columns_plan(struct pass_context *context, MlirOperation *ops, size_t count,
                                          const struct tensor_link *links, size_t link_count);
int tensor_columns_of(const struct tensor_columns *columns, const void *key);
// Of the dot's left operand; 0 if it is in shared memory.
int tensor_columns_left(const struct tensor_columns *columns, MlirOperation dot);
// Of the dot's scales: first those of its left operand.
int tensor_columns_scales(const struct tensor_columns *columns, MlirOperation dot);

// tensor_late.c: products of chains run beside the next step of their loop. Ops: all of the function; some are destroyed.
void tensor_late(struct pass_context *context, MlirOperation *ops, size_t count);

#endif
