// Run-time tests for the existence of a later iteration.
//
// The plain test, index + count · step < upper, fails near the end of the type's range: the sum wraps around
// and becomes smaller than every bound. Unless constants rule this out, the distance to the upper bound is
// compared with the steps: upper - index is exact as an unsigned number if the index is below the bound. In a
// running iteration it is; before the first one the test asks for it, because the loop may not run at all. If
// the steps are not known at compile time and may exceed an unsigned number's range, they are subtracted from
// the upper bound one by one, saturating at the smallest number: index < upper - count · step. One step of 1
// from a running iteration cannot pass the upper bound: the plain test, part of the loop anyway, is right.
//
// test: tests/unit/test_passes.c, tests/lang/integer.tk
#include "passes/pipeline/look_ahead.h"

#include <mlir-c/BuiltinAttributes.h>

#include "passes/pass.h"

static int64_t largest(MlirType type) {
    return INT64_MAX >> (64 - type_bits(type));
}

// `start` is a constant, and neither it nor a smaller number passes the end of the type in so many steps.
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

// False: not known at compile time, or outside the type's range.
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
