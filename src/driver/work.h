// The work of one program of a kernel, for the cost rule of launchers with several variants.
#ifndef TKC_DRIVER_WORK_H
#define TKC_DRIVER_WORK_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "chip/target.h"
#include "ir/context.h"

// A branch of an `if` outside loops: a launch takes one of the two. With a condition that compares an argument with a constant, this
// comparison holds in the branch.
struct work_branch {
    MlirLocation at;
    unsigned within; // number of the branch around the `if`, from 1; 0: none
    int parameter;   // -1: another condition
    int predicate;   // enum int_predicate
    int64_t bound;
};

// Work by trip count, as in struct tkc_work, and by branch. `special` and `simple`: elementwise operations on float tiles, of special units
// and of others.
struct work_part {
    int parameter;
    int64_t divisor;
    unsigned branch; // number from 1; 0: none
    double products, bytes, special, simple;
};
enum { WORK_PARTS = 24, WORK_BRANCHES = 16 };

// Branches 1 and 2 are those of the first `if`, 3 and 4 of the second.
struct work_survey {
    struct work_part parts[WORK_PARTS];
    size_t count;
    struct work_branch branches[WORK_BRANCHES];
    size_t branch_count;
    unsigned sums; // bytes of the largest dot's result
};

// Surveys a function as emitted by the front end. Parameters are numbered like the function's arguments.
struct work_survey work_survey(struct ir *ir, MlirOperation function);

// Weighs the survey, once the passes have chosen instructions. On chips with wgmma the products of a term
// become the number that the matrix units would do at full rate in the term's estimated time.
struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function);

#endif
