// Iterations of a loop that lie ahead of the one that runs.
//
// The plain question, index + count · step < upper, is wrong near the end of the type: the sum starts again
// from its other end and is below everything. Unless constants show that it cannot get there, what is left to
// the upper bound is compared with the steps: upper - index, which is exact as a number without a sign where the index
// is below the bound. That of an iteration that runs is; of the first one it is asked, as a loop may not run at all. Where
// the steps are not known at compile time and may be more than such a number holds, they are taken from the
// upper bound one by one: index < upper - count · step, no less than the smallest number. One step of 1 from an
// iteration that runs gets no further than the upper bound: there the plain question is right, and the loop asks it
// anyway.
//
// test: tests/unit/test_passes.c, tests/lang/integer.tk
#include "passes/pipeline/look_ahead.h"

#include <mlir-c/BuiltinAttributes.h>

#include "passes/pass.h"

static int64_t largest(MlirType type) {
    return INT64_MAX >> (64 - type_bits(type));
}

// `start` is known, and neither it nor anything less passes the end of the type in so many steps.
static bool stays_inside(struct ir *ir, MlirValue start, int64_t steps) {
    int64_t first;
    return value_is_constant_int(ir, start, &first) && first <= largest(mlirValueGetType(start)) - steps;
}

static bool runs(MlirOperation loop, MlirValue index) {
    return mlirValueEqual(index, mlirBlockGetArgument(op_body(loop, 0), 0));
}

static MlirValue less_steps(struct builder *b, MlirValue upper, MlirValue step, int count) {
    MlirType type = mlirValueGetType(step);
    MlirValue smallest = const_int(b, type, -largest(type) - 1);
    MlirValue least = build_binary(b, OP_ADDI, smallest, step);
    for (int k = 0; k < count; k++) {
        upper = build_binary(b, OP_SUBI, build_binary(b, OP_MAXSI, upper, least), step);
    }
    return upper;
}

// False: not known at compile time, or more than the type holds.
static bool constant_steps(struct ir *ir, MlirOperation loop, int count, int64_t *steps) {
    MlirValue step = for_step(loop);
    int64_t each;
    return value_is_constant_int(ir, step, &each) && !__builtin_mul_overflow(each, (int64_t)count, steps) &&
           *steps <= largest(mlirValueGetType(step));
}

MlirValue look_ahead_exists(struct builder *before, struct builder *at, MlirOperation loop, MlirValue index,
                            int count) {
    MlirValue upper = for_upper(loop), step = for_step(loop);
    MlirType type = mlirValueGetType(step);
    int64_t steps;
    if (count == 0) {
        return build_compare(at, INT_SLT, index, upper);
    }
    if (!constant_steps(at->ir, loop, count, &steps)) {
        return build_compare(at, INT_SLT, index, less_steps(before, upper, step, count));
    }
    MlirValue lead = const_int(at, type, steps);
    if (stays_inside(at->ir, index, steps) || stays_inside(at->ir, upper, steps) ||
        (steps == 1 && runs(loop, index))) {
        return build_compare(at, INT_SLT, build_binary(at, OP_ADDI, index, lead), upper);
    }
    return build_compare(at, INT_UGT, build_binary(at, OP_SUBI, upper, index), lead);
}

MlirValue look_ahead_from_first(struct builder *b, MlirOperation loop, int count) {
    MlirValue first = for_lower(loop);
    MlirValue exists = look_ahead_exists(b, b, loop, first, count);
    int64_t steps;
    bool right =
        count == 0 || !constant_steps(b->ir, loop, count, &steps) || stays_inside(b->ir, first, steps);
    if (right) {
        return exists;
    }
    MlirValue runs_at_all = look_ahead_exists(b, b, loop, first, 0);
    return VALUE(b, OP_ANDI, OPERANDS(runs_at_all, exists), RESULTS(type_i1(b->ir)), NO_ATTRS);
}
