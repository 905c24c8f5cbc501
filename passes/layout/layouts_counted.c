// Tiles that only count the steps of a loop are computed again in another layout, from the loop's own counter.
//
//   scf.for %i = 0 to %n step 1 iter_args(%k = %first) {          scf.for %i = 0 to %n step 1 iter_args(%k = %first) {
//     … tk.convert_layout %k : #a → #b …                     →      %c = arith.addi %first : #b, tk.splat (%i * 32)
//     yield arith.addi %k, 32                                       yield arith.addi %k, 32
//   }                                                             }
//
// A conversion goes through shared memory, between barriers; and what it masks (the rows of one operand by the columns of another) could not
// run ahead of its step. Masks and addresses computed of such tiles alone are computed again, too.
#include "passes/layout/layouts.h"

#include "ir/build.h"

enum { DEEPEST = 8 };

// What a step adds to the carried tile, a number; null if the tile does not count, or the loop counts by other steps than ones from 0.
static MlirValue counted_by(struct layouts *l, MlirValue argument) {
    MlirValue none = {NULL};
    MlirBlock body = mlirBlockArgumentGetOwner(argument);
    MlirOperation loop = mlirBlockGetParentOperation(body);
    intptr_t index = mlirBlockArgumentGetArgNumber(argument) - 1;
    int64_t first, step;
    if (op_kind(l->ir, loop) != OP_FOR || index < 0 ||
        !value_is_constant_int(l->ir, for_lower(loop), &first) || first != 0 ||
        !value_is_constant_int(l->ir, for_step(loop), &step) || step != 1) {
        return none;
    }
    MlirOperation sum = value_op(yield_value(mlirBlockGetTerminator(body), index));
    bool counts = !mlirOperationIsNull(sum) && op_kind(l->ir, sum) == OP_ADDI &&
                  value_is(binary_left(sum), argument) &&
                  mlirTypeEqual(type_element(mlirValueGetType(argument)), mlirValueGetType(for_lower(loop)));
    MlirOperation by = counts ? value_op(binary_right(sum)) : (MlirOperation){NULL};
    bool number = !mlirOperationIsNull(by) &&
                  (op_kind(l->ir, by) == OP_CONSTANT || op_kind(l->ir, by) == OP_SPLAT) &&
                  !mlirBlockEqual(mlirOperationGetBlock(by), body);
    return number ? binary_right(sum) : none;
}

static bool is_counted(struct layouts *l, MlirValue value, int depth, bool *counts);

// True for ops that are cheap to repeat, of counted and of floating tiles.
static bool computes_counted(struct layouts *l, MlirOperation op, int depth, bool *counts) {
    enum op_kind kind = op_kind(l->ir, op);
    bool maps = kind == OP_EXPAND_DIMS || (kind == OP_BROADCAST && !layouts_floats(l, op)) ||
                (op_traits(kind) & ELEMENTWISE);
    if (!maps || !(op_traits(kind) & PURE) || op_traits(kind) >> COST_SHIFT > 1 || depth == DEEPEST ||
        mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        if (type_is_tensor(mlirValueGetType(operand)) && !is_counted(l, operand, depth + 1, counts)) {
            return false;
        }
    }
    return true;
}

static bool is_counted(struct layouts *l, MlirValue value, int depth, bool *counts) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        bool counted = !mlirValueIsNull(counted_by(l, value));
        *counts |= counted;
        return counted;
    }
    return layouts_floats(l, op) || computes_counted(l, op, depth, counts);
}

bool layouts_counts(struct layouts *l, MlirValue value, const struct layout *layout) {
    enum { MOST_ROUNDS = 0 };
    const struct layout *home = layouts_home(l, value).layout;
    bool counts = false;
    return home && is_counted(l, value, 0, &counts) && counts &&
           layout_conversion(home, layout, MOST_ROUNDS).kind == LAYOUT_CONVERT_SHARED;
}

MlirValue layouts_recount(struct layouts *l, MlirValue argument, MlirValue first) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    struct builder b = builder_after_value(l->ir, argument);
    b.location = mlirOperationGetLocation(loop);
    MlirValue steps = mlirBlockGetArgument(mlirBlockArgumentGetOwner(argument), 0),
              by = counted_by(l, argument);
    int64_t number;
    by = value_is_constant_int(l->ir, by, &number) ? const_int(&b, mlirValueGetType(steps), number)
                                                   : unary_source(value_op(by));
    MlirValue far = build_binary(&b, OP_MULI, steps, by);
    return build_binary(&b, OP_ADDI, first,
                        VALUE(&b, OP_SPLAT, OPERANDS(far), RESULTS(mlirValueGetType(first)), NO_ATTRS));
}
