// Replaces a loop-carried value, if it counts like the loop's own counter, by the counter.
//
//   %behind = arith.subi %first, %step
//   scf.for %tile = %first to %tiles step %step iter_args(%c = %behind) {      scf.for %tile = … {
//     %d = arith.addi %c, %step                                            →     … %tile …
//     … %d …                                                                     …
//     scf.yield %d
//   }
//
// Persistent kernels count the tile of their results apart from the tile of their loads (Triton's tutorial 09),
// for a compiler to overlap the two. Nothing is known about the bounds of the second counter, but the
// loop's own counter has bounds.
//
// test: tests/golden/passes/cleanup
#include "passes/simplify/counters.h"

#include "ir/build.h"
#include "passes/facts/as_written.h"

// True if the value is `x` op `y`.
static bool is_binary_of(struct ir *ir, MlirValue value, enum op_kind kind, MlirValue x, MlirValue y) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || op_kind(ir, op) != kind) {
        return false;
    }
    MlirValue left = binary_left(op), right = binary_right(op);
    return (value_is(left, x) && value_is(right, y)) ||
           (kind == OP_ADDI && value_is(left, y) && value_is(right, x));
}

// The argument is a step behind the counter: replaces its sums with the step by the counter.
static void replace_sums(struct ir *ir, MlirValue argument, MlirValue step, MlirValue counter) {
    MlirOpOperand next, use = mlirValueGetFirstUse(argument);
    for (; !mlirOpOperandIsNull(use); use = next) {
        next = mlirOpOperandGetNextUse(use);
        MlirOperation user = mlirOpOperandGetOwner(use);
        MlirValue sum = mlirOperationGetNumResults(user) == 1 ? mlirOperationGetResult(user, 0) : argument;
        if (is_binary_of(ir, sum, OP_ADDI, argument, step)) {
            mlirValueReplaceAllUsesOfWith(sum, counter);
        }
    }
}

static void simplify(struct ir *ir, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    struct written_loop written = loop_as_written(ir, loop);
    MlirValue counter = written.index, first = written.first, step = written.step;
    if (!mlirValueIsABlockArgument(counter)) { // readers of the replaced values may stand before it
        mlirOperationMoveBefore(value_op(counter), mlirBlockGetFirstOperation(body));
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i + 1), init = for_init(loop, i);
        if (!mlirTypeEqual(mlirValueGetType(argument), mlirValueGetType(counter)) ||
            !is_binary_of(ir, yield_value(yield, i), OP_ADDI, argument, step)) {
            continue;
        }
        MlirValue next = yield_value(yield, i);
        if (value_is(init, first)) {
            mlirValueReplaceAllUsesOfWith(argument, counter);
            mlirOperationSetOperand(value_op(next), value_is(binary_left(value_op(next)), counter) ? 0 : 1,
                                    argument);
        } else if (is_binary_of(ir, init, OP_SUBI, first, step)) {
            replace_sums(ir, argument, step, counter);
        }
    }
}

void counters_replace(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_FOR) {
            simplify(context->ir, ops[i]);
        }
    }
}
