// Computes quotients and remainders of program ids in 32 bits.
//
//   %p = arith.extsi %pid : i32 to i64           %q = arith.divsi %pid, %n : i32
//   %m = arith.extsi %n : i32 to i64      →      %d = arith.extsi %q : i32 to i64
//   %d = arith.divsi %p, %m : i64
//
// Sources extend the id to keep offsets from wrapping (`tl.program_id(0).to(tl.int64)`). A 64-bit division
// takes ten times the instructions of a 32-bit one, and grouped_pid recognises 32-bit ids only. One quotient
// does not fit in 32 bits, -2^31 / -1; ids are not negative, so neither an id nor a quotient of one is -2^31.
//
// test: tests/golden/passes/cleanup
#include "passes/simplify/quotients.h"

#include "ir/build.h"

// The i32 operand of the value's extension, or null.
static MlirValue extended(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    bool is = !mlirOperationIsNull(op) && op_kind(ir, op) == OP_EXTSI &&
              mlirTypeEqual(mlirValueGetType(unary_source(op)), type_i32(ir));
    return is ? unary_source(op) : (MlirValue){NULL};
}

static bool is_quotient(enum op_kind kind) {
    return kind == OP_DIVSI || kind == OP_REMSI;
}

// True for a program id, and for quotients and remainders of one.
static bool is_made_of_id(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && is_quotient(op_kind(ir, op))) {
        op = value_op(binary_left(op));
    }
    return !mlirOperationIsNull(op) && op_kind(ir, op) == OP_PROGRAM_ID;
}

void quotients_narrow(struct pass_context *context, MlirOperation function) {
    struct ir *ir = context->ir;
    size_t count;
    MlirOperation *ops = ops_collect(ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        if (!is_quotient(kind)) {
            continue;
        }
        MlirValue left = extended(ir, binary_left(ops[i])), right = extended(ir, binary_right(ops[i]));
        int64_t constant;
        struct builder b = builder_before(ir, ops[i]);
        if (mlirValueIsNull(right) && value_is_constant_int(ir, binary_right(ops[i]), &constant) &&
            constant == (int32_t)constant && !type_is_tensor(mlirValueGetType(binary_right(ops[i])))) {
            right = const_int(&b, type_i32(ir), constant);
        }
        if (mlirValueIsNull(left) || mlirValueIsNull(right) || !is_made_of_id(ir, left)) {
            continue;
        }
        MlirValue old = mlirOperationGetResult(ops[i], 0);
        MlirValue narrow = build_binary(&b, kind, left, right);
        MlirValue wide = VALUE(&b, OP_EXTSI, OPERANDS(narrow), RESULTS(mlirValueGetType(old)), NO_ATTRS);
        mlirValueReplaceAllUsesOfWith(old, wide);
    }
}
