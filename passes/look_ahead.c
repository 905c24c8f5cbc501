// Iterations of a loop that lie ahead of the one that runs.
//
// The plain question, index + count · step < upper, is wrong near the end of the type: the sum starts again
// from its other end and is below everything. Unless constants show that it cannot get there, what is left to
// the upper bound is compared with the steps: upper - index, which is exact as a number without a sign. Where
// the steps are not known at compile time and may be more than such a number holds, they are taken from the
// upper bound one by one: index < upper - count · step, no less than the smallest number. One step of 1 from an
// iteration that runs gets no further than the upper bound: there the plain question is right, and the loop asks it
// anyway.
//
// test: tests/unit/test_passes.c, tests/lang/integer.tk
#include "passes/look_ahead.h"

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
    MlirValue least = build_binary(b, "arith.addi", smallest, step);
    for (int k = 0; k < count; k++) {
        upper = build_binary(b, "arith.subi", build_binary(b, "arith.maxsi", upper, least), step);
    }
    return upper;
}

MlirValue look_ahead_exists(struct builder *before, struct builder *at, MlirOperation loop, MlirValue index,
                            int count) {
    MlirValue upper = mlirOperationGetOperand(loop, 1), step = mlirOperationGetOperand(loop, 2);
    MlirType type = mlirValueGetType(step);
    int64_t each, steps;
    bool known = value_is_constant_int(at->ir, step, &each) &&
                 !__builtin_mul_overflow(each, (int64_t)count, &steps) && steps <= largest(type);
    if (count == 0) {
        return build_compare(at, INT_SLT, index, upper);
    }
    if (!known) {
        return build_compare(at, INT_SLT, index, less_steps(before, upper, step, count));
    }
    MlirValue lead = const_int(at, type, steps);
    if (stays_inside(at->ir, index, steps) || stays_inside(at->ir, upper, steps) ||
        (steps == 1 && runs(loop, index))) {
        return build_compare(at, INT_SLT, build_binary(at, "arith.addi", index, lead), upper);
    }
    return build_compare(at, INT_UGT, build_binary(at, "arith.subi", upper, index), lead);
}
