// Loops that go once through a row, a tile of columns a step: for k in range(0, K, BK), or for i in range(0, cdiv(K, BK)).
#include "passes/facts/column_steps.h"

#include "dialects/tk/tk_build.h"
#include "ir/build.h"

MlirValue column_steps_width(struct ir *ir, MlirOperation loop, int64_t extent) {
    int64_t lower = -1, step = 0, over = 0, more = 0;
    MlirValue upper = for_upper(loop);
    if (!value_is_constant_int(ir, for_lower(loop), &lower) || lower != 0 ||
        !value_is_constant_int(ir, for_step(loop), &step)) {
        return (MlirValue){NULL};
    }
    if (step == extent) {
        return upper;
    }
    MlirOperation quotient = value_op(upper);
    if (step != 1 || mlirOperationIsNull(quotient) || op_kind(ir, quotient) != OP_DIVSI ||
        !value_is_constant_int(ir, binary_right(quotient), &over) || over != extent) {
        return (MlirValue){NULL};
    }
    MlirOperation sum = value_op(binary_left(quotient));
    bool up = !mlirOperationIsNull(sum) && op_kind(ir, sum) == OP_ADDI &&
              value_is_constant_int(ir, binary_right(sum), &more) && more == extent - 1;
    return up ? binary_left(sum) : (MlirValue){NULL};
}

bool is_step_of_columns(struct ir *ir, MlirOperation loop, const struct affine_symbol *symbol, int64_t factor,
                        int64_t extent) {
    int64_t step = 0;
    if (mlirValueIsNull(symbol->value)) {
        return mlirOperationEqual(symbol->loop, loop) && factor == extent;
    }
    return value_is(symbol->value, mlirBlockGetArgument(op_body(loop, 0), 0)) &&
           value_is_constant_int(ir, for_step(loop), &step) && factor * step == extent;
}
