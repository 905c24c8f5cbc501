// The work of one program of a kernel, for the cost rule of launchers with several variants.
#ifndef TKC_DRIVER_WORK_H
#define TKC_DRIVER_WORK_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "chip/target.h"
#include "ir/context.h"

// A branch of an `if`; a program takes one: outside loops, or with a condition over arguments alone. With a condition that compares an
// argument with a constant, this comparison holds in the branch.
struct work_branch {
    MlirLocation at;
    unsigned within; // number of the branch around the `if`, from 1; 0: none
    int parameter;   // -1: another condition
    int predicate;   // enum int_predicate
    int64_t bound;
    // The condition by condition_text, without those of branches around; NULL: the host does not know it.
    const char *when;
    bool less; // the other branch of the `if` has more work
};

// Work by trip count, as in struct tkc_work, and by branch, in a step. Where `steps` is not NULL, a program does the amounts steps / per times
// (steps.h): its loop ends at a computed step, or a mask leaves elements out. Launchers count whole tiles. `again`: of the bytes, those loaded before by another loop with these trips. `special` and `simple`: elementwise operations on float tiles, of special units
// and of others. Known after the passes alone (traffic.h): `shared`, bytes read from and written to shared memory; `exchanged`, the part of
// them that changes of layouts and partial results take; `barriers` of a block's threads; `accesses` of global memory
// by threads. `quotients`: of the special ones, divisions by one number of many elements, by one reciprocal in the code; for the
// page alone.
struct work_part {
    int parameter;
    int64_t divisor;
    unsigned branch; // number from 1; 0: none
    const char *steps;
    double per;
    const char *loop_steps; // the steps alone, of a part with a mask; NULL: as the trips say
    double products, bytes, again, special, quotients, simple, shared, exchanged, barriers, accesses;
    double largest_exchange; // bytes of one op; 0: there is none
    MlirLocation exchange_at;
};

// A loop of the source. Its body runs `times` in a step of the part with this parameter, divisor and branch.
struct work_loop {
    MlirLocation at;
    int parameter;
    int64_t divisor, step; // step: of the index, 0: not constant
    unsigned branch;
    const char *steps; // as of struct work_part, per 1
    double times;
    int continues; // number of the loop whose steps it shares, as it goes on at the other's end; -1: none
};
enum { WORK_PARTS = 24, WORK_BRANCHES = 16, WORK_LOOPS = 32, WORK_LOADS = 32 };

// Branches 1 and 2 are those of the first `if`, 3 and 4 of the second.
struct work_survey {
    struct work_part parts[WORK_PARTS];
    size_t count;
    struct work_branch branches[WORK_BRANCHES];
    size_t branch_count;
    struct work_loop loops[WORK_LOOPS]; // in the order of the program
    size_t loop_count;
    unsigned sums; // bytes of the largest dot's result
    // The arguments of loops' loads: numbers, without repetition.
    unsigned looped[WORK_LOADS];
    size_t looped_count;
};

// Surveys a function as emitted by the front end. Parameters are numbered like the function's arguments; `names` are their C names.
struct work_survey work_survey(struct ir *ir, struct arena *arena, MlirOperation function,
                               const char *const *names, size_t count);

// The part of the survey with the trips, branch and steps of `like`, added if it is new; of a full survey the one without steps, or the last.
struct work_part *work_part(struct work_survey *survey, const struct work_part *like);

// The multiply-adds of a dot.
double work_products(MlirOperation dot);

// Weighs the survey, once the passes have chosen instructions. On chips with wgmma the products of a term
// become the number that the matrix units would do at full rate in the term's estimated time.
struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function);

#endif
