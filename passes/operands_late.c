// Operands of dots are put together right before their dot: first what this iteration computed (its
// conversion may exchange through scratch, with a barrier), then what is read from shared memory or converted
// from a load. Registers hold an operand no longer than needed, and no barrier in between keeps the back end
// from moving the reads to the matrix instructions.
//
//   %v = tk.smem_load %slot                        %p = tk.convert_layout %weights
//   %p = tk.convert_layout %weights        →       %v = tk.smem_load %slot
//   %d = tk.dot %p, %v, %c                         %d = tk.dot %p, %v, %c
#include "passes/pipeline.h"

#include "ir/build.h"

// The only user if it is in the same block, else the op itself.
static MlirOperation only_user(MlirOperation convert) {
    MlirValue result = mlirOperationGetResult(convert, 0);
    MlirOperation user =
        value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : convert;
    return mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(convert)) ? user : convert;
}

void operands_late(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (int streamed = 0; streamed < 2; streamed++) {
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            if (kind != OP_CONVERT_LAYOUT && kind != OP_SMEM_LOAD) {
                continue;
            }
            MlirOperation source = value_op(mlirOperationGetOperand(ops[i], 0)), place = only_user(ops[i]);
            bool from_load = !mlirOperationIsNull(source) && op_kind(context->ir, source) == OP_LOAD;
            if (op_kind(context->ir, place) == OP_DOT && (kind == OP_SMEM_LOAD || from_load) == streamed) {
                mlirOperationMoveBefore(ops[i], place);
            }
        }
    }
}
