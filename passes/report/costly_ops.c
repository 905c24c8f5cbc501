// costly_ops: says which dots have no matrix instruction, and which tiles change their layout through shared memory in each step of a
// loop. It changes nothing.
//
//   %d = tk.dot %a, %b, %c                         remark: the dot is done by multiply-adds: …
//   %y = tk.convert_layout %x : #one → #other      remark: a tile of 64x64 changes its layout through 8192 B of shared memory
//
// requires: layouts; the loops as they are lowered
// provides: nothing; keeps everything
// test:     tests/cli/check_remarks.py
#include "passes/pass.h"

#include "chip/scratch.h"
#include "ir/build.h"

static bool is_in_loop(struct ir *ir, MlirOperation op) {
    while (op_kind(ir, op) != OP_FUNC && op_kind(ir, op) != OP_FOR && op_kind(ir, op) != OP_WHILE) {
        op = mlirOperationGetParentOperation(op);
    }
    return op_kind(ir, op) != OP_FUNC;
}

static MlirType operand_type(MlirOperation op, intptr_t index) {
    return mlirValueGetType(mlirOperationGetOperand(op, index));
}

static void say_dot(struct pass_context *context, MlirOperation dot) {
    MlirType a = operand_type(dot, 0), c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    int rank = type_rank(c);
    const struct target *target = context->target;
    bool none = target->vendor == VENDOR_AMD && !target_has_matrices(target);
    remark(context, REMARK_MATRIX, dot,
           "the dot is done by multiply-adds: %s has no matrix instruction%s (%lld x %lld x %lld, operands "
           "of %u bits); %s",
           target->name, none ? "" : " for its types and shape", (long long)type_extent(c, rank - 2),
           (long long)type_extent(c, rank - 1), (long long)type_extent(a, rank - 1),
           type_bits(type_element(a)),
           none ? "no form of the source changes that"
                : "use 16 rows, columns and products at least, of types in the language reference's table of "
                  "chips");
}

static void say_conversion(struct pass_context *context, MlirOperation convert, unsigned num_warps) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(convert, 0));
    unsigned bytes =
        type_is_shared(context->ir, type) || type_is_shared(context->ir, operand_type(convert, 0))
            ? 0
            : scratch_bytes(context->ir, context->target, num_warps, convert);
    if (bytes && is_in_loop(context->ir, convert)) {
        remark(context, REMARK_CONVERSION, convert,
               "the value changes its layout through %u B of shared memory in each step of a loop: what "
               "makes it and what reads it hold it in other threads",
               bytes);
    }
}

void pass_costly_ops(struct pass_context *context, MlirModule module) {
    if (!context->remarks || context->remarks->slow_only) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        unsigned num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            if (kind == OP_SHARED_DOT || (kind == OP_DOT && !op_has(ops[i], ATTR_INSTRUCTION))) {
                say_dot(context, ops[i]);
            } else if (kind == OP_CONVERT_LAYOUT) {
                say_conversion(context, ops[i], num_warps);
            }
        }
    }
}
