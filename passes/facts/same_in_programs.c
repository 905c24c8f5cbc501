// Scalars equal in all programs of a launch: arguments, and scalars computed from arguments.
#include "passes/facts/same_in_programs.h"

#include "ir/build.h"
#include "passes/facts/value_work.h"

bool value_same_in_programs(struct ir *ir, struct arena *arena, MlirBlock body, MlirValue scalar,
                            bool (*reads)(MlirOperation load)) {
    struct value_work work = {.arena = arena};
    bool same = true;
    value_work_add(&work, scalar);
    for (MlirValue value; same && !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOperation op = value_op(value);
        if (mlirOperationIsNull(op)) {
            same = mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
            continue;
        }
        enum op_kind kind = op_kind(ir, op);
        bool pure = (op_traits(kind) & PURE) && kind != OP_PROGRAM_ID && kind != OP_NUM_PROGRAMS &&
                    mlirOperationGetNumRegions(op) == 0;
        bool load = kind == OP_LOAD && reads && !load_is_volatile(op) && reads(op);
        same = (pure || load) && !type_is_tensor(mlirValueGetType(value));
        for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(op); i++) {
            value_work_add(&work, mlirOperationGetOperand(op, i));
        }
    }
    value_work_free(&work);
    return same;
}
