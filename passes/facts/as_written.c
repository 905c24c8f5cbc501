// scf.for counts up. If the step of a source's loop may be negative at run time, the front end mirrors the
// loop:
//
//   range(first, end, step)                   %s = arith.shrsi %step, 31                      -1 or 0
//                                      →      scf.for %i = %first ^ %s to %end ^ %s step |%step| {
//                                               %index = arith.xori %i, %s
//
// This file finds the source's numbers again.
//
// test: tests/golden/passes/grouped_pid, tests/golden/passes/cleanup
#include "passes/facts/as_written.h"

#include "ir/build.h"

// The operand of an xor with `turn`, or null.
static MlirValue turned(struct ir *ir, MlirValue value, MlirValue turn) {
    MlirOperation op = value_op(value);
    bool is = !mlirOperationIsNull(op) && op_kind(ir, op) == OP_XORI && value_is(binary_right(op), turn);
    return is ? binary_left(op) : (MlirValue){NULL};
}

// The step with this magnitude, (step ^ turn) - turn, or null.
static MlirValue step_of_magnitude(struct ir *ir, MlirValue value, MlirValue *turn) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_SUBI) {
        return (MlirValue){NULL};
    }
    *turn = binary_right(op);
    MlirValue step = turned(ir, binary_left(op), *turn);
    MlirOperation sign = value_op(*turn);
    bool is = !mlirValueIsNull(step) && !mlirOperationIsNull(sign) && op_kind(ir, sign) == OP_SHRSI &&
              value_is(binary_left(sign), step);
    return is ? step : (MlirValue){NULL};
}

struct written_loop loop_as_written(struct ir *ir, MlirOperation loop) {
    MlirValue counter = mlirBlockGetArgument(op_body(loop, 0), 0), turn;
    struct written_loop plain = {counter, for_lower(loop), for_upper(loop), for_step(loop)};
    struct written_loop written = {.step = step_of_magnitude(ir, plain.step, &turn)};
    if (mlirValueIsNull(written.step) || !value_has_one_use(counter)) {
        return plain;
    }
    MlirOperation reader = mlirOpOperandGetOwner(mlirValueGetFirstUse(counter));
    written.first = turned(ir, plain.first, turn);
    written.end = turned(ir, plain.end, turn);
    if (mlirValueIsNull(written.first) || mlirValueIsNull(written.end) || op_kind(ir, reader) != OP_XORI ||
        !value_is(binary_right(reader), turn)) {
        return plain;
    }
    written.index = mlirOperationGetResult(reader, 0);
    return written;
}
