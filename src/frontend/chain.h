// Chains: kernels of a file launched one after another, declared by `NAME.chain` (chain_read.c).
#ifndef TKC_FRONTEND_CHAIN_H
#define TKC_FRONTEND_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/value/value.h"
#include "support/diag.h"

struct kernel_param; // frontend.h
struct kernel_instance;

// What a chain passes to a parameter of one of its kernels.
enum chain_value_kind {
    CHAIN_PARAMETER, // a parameter of the chain
    CHAIN_TEMPORARY, // the address of a temporary
    CHAIN_NUMBER,    // a number of the source
    CHAIN_PRODUCT    // the product of sizes: a dense stride, or the number of elements
};
struct chain_value {
    enum chain_value_kind kind;
    size_t index;                // of the parameter or the temporary
    struct value number;         // an integer or a float
    struct chain_value *factors; // of the product: parameters and numbers
    size_t factor_count;
};

struct chain_step {
    const char *function;          // of its kernel
    struct chain_value *arguments; // of the kernel's run-time parameters, in order
    size_t argument_count;
};

// An array that the chain's kernels hand on; nobody sees it from outside. Dense.
struct chain_temporary {
    const char *name;
    struct dtype element;
    struct chain_value *sizes; // elements
    size_t rank;
    size_t writer; // the step that makes it
};

// A kernel made of several steps (chain_merge.c). Its parameters stand for the arguments of all of them; arrays that stay in
// registers follow as parameters that the passes take away.
struct merge_place {
    bool is_number; // `number`, of the source
    struct value number;
    size_t parameter; // else the parameter, or, from their count on, an array without memory
};
struct merge_step {
    const struct kernel_instance *kernel;
    struct merge_place *places; // of its run-time parameters
    const char *grid[3];
    // Its grid is not the kernel's: its elements are computed on the tile of an earlier one.
    bool retiled;
};
// How the steps of a merged kernel are done.
enum merge_kind {
    MERGE_IN_TURN, // each program does all of them
    MERGE_BESIDE,  // each program does one of them (chain_beside.c)
    // As MERGE_IN_TURN, in programs of the second step, a product: the first one scales the rows of the product's operand. The product
    // reads the first step's array, and its sums are scaled (pass row_factors).
    MERGE_FACTORED,
    // As MERGE_IN_TURN, in programs of the second step, a product: the first one is done on the tiles of the product's operand (pass
    // operand_steps).
    MERGE_OPERAND,
    // As MERGE_IN_TURN, but the last step, which scales rows for the product behind it, writes the factors of rows in place of the rows.
    MERGE_FACTORS,
    // As MERGE_FACTORED, but the launch ahead, a MERGE_FACTORS kernel, has the first step, and has written the factors.
    MERGE_SCALED
};
// The loop of the product that has taken in a step on its operand.
struct merge_loop {
    // Its steps: ceil(the kernel's parameter / divisor); of parameter -1: `divisor`; of divisor 0 they are not known.
    int parameter;
    int64_t divisor;
    // Costs, each as the number of elements that a kernel of its own computes in that time; 0: not counted (chain_launches.c has the rule).
    int64_t worth;  // what a step of the loop takes more
    int64_t tile;   // what a tile takes more, once
    int64_t launch; // a launch
};
struct kernel_merge {
    const char *chain;
    size_t first, count; // of the chain's steps
    enum merge_kind kind;
    struct merge_step *steps;
    struct kernel_param *dropped; // arrays without memory
    size_t dropped_count;
    int pack_rows; // as packed_rows has the steps' own kernels: programs of a block at once, 0 for one; below 0: not known
    // Of each parameter, and of each array without memory: a step makes it, and a later one reads it.
    bool *handed;
    size_t factors;             // of MERGE_FACTORS and MERGE_SCALED: the parameter for the factors of rows
    struct chain_value *values; // of the parameters
    const char **names;         // of the parameters, in grids
    int programs[3];            // the parameter that is the grid along an axis; -1: another number
    struct merge_loop loop;     // of MERGE_OPERAND, MERGE_FACTORED and MERGE_SCALED
};

// How a kernel of a chain runs beside the launches ahead of it and behind it (chain_order.c).
struct kernel_order {
    bool waits, triggers; // for the one ahead; lets the one behind begin
    bool *late;           // of each run-time parameter: an array that an earlier launch may write
};

// One launch: a kernel of the source, or several steps that became one kernel. Where sizes decide between one kernel and several, both forms
// are in the list: the kernel, launched where the rule `when` gives 1, and behind it the others, launched where it gives another number.
// A step that scales rows is in two launches, of MERGE_FACTORS and of MERGE_SCALED.
struct chain_launch {
    size_t first_step, step_count;
    enum merge_kind kind;          // of the kernel for several steps, or for one of MERGE_FACTORS
    const char *when;              // over the chain's numbers, in the language of grids; NULL: always
    bool otherwise;                // launched where the rule does not hold
    const char *function;          // of the launched kernel
    struct chain_value *arguments; // of the launched kernel's run-time parameters
    size_t argument_count;
};

struct kernel_chain {
    const char *name;
    struct chain_step *steps;
    size_t step_count;
    struct kernel_param *params; // the chain's own: arrays first, then numbers
    size_t param_count;
    struct chain_temporary *temporaries;
    size_t temporary_count;
    bool *kept; // of each temporary: it has memory; without it, its elements stay in registers
    struct chain_launch *launches;
    size_t launch_count;
    struct location location;
};

#endif
