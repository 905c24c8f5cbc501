// Slots of tensor copies that threads read, in place of a matrix unit.
#include "passes/pipeline/slots_read.h"

#include "dialects/tk/tk.h"

void slots_free_together(struct ir *ir, MlirOperation from) {
    for (MlirOperation op = from; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_MBARRIER_ARRIVE) {
            op_set_unit(ir, op, ATTR_TOGETHER);
        }
    }
}
