// Loads of a loop that does not run ahead reach its dots through buffers of their own (AMD).
//
//     %x = tk.load %p                         %x = tk.load %p
//     %y = tk.load %q                         %y = tk.load %q
//     %a = tk.convert_layout %x       →       tk.smem_store %s, %x
//     %b = tk.convert_layout %y               tk.smem_store %t, %y
//     %d = tk.dot %a, %b, …                   %a = tk.smem_load %s
//                                             %b = tk.smem_load %t
//                                             %d = tk.dot %a, %b, …
//
// As conversions they share one piece of scratch, where the second operand can be written only when all of the first has been
// read: both operands of the whole dot are in registers then, which is what spills where a step is deep. Out of buffers their
// fragments are read one by one, each next to the product that wants it. Such are the loops of what is left of K (peel.c).
//
// A part of pipeline. test: tests/golden/passes/pipeline/here.mlir
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

// The first op behind the load that converts any of the loads: all of them are best stored before it.
static MlirOperation first_conversion(struct pipeline *p, MlirOperation load) {
    MlirOperation first = {NULL};
    for (size_t i = 0; i < p->load_count; i++) {
        MlirValue tile = mlirOperationGetResult(p->loads[i].load, 0);
        for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            MlirOperation convert = mlirOpOperandGetOwner(use);
            if (op_is_before(load, convert) && (mlirOperationIsNull(first) || op_is_before(convert, first))) {
                first = convert;
            }
        }
    }
    return first;
}

static void store_tiles(struct pipeline *p) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation load = p->loads[i].load;
        struct builder b = builder_before(p->ir, first_conversion(p, load));
        b.location = mlirOperationGetLocation(load);
        OP(&b, OP_SMEM_STORE, OPERANDS(p->loads[i].buffer, mlirOperationGetResult(load, 0)), NO_RESULTS,
           NO_ATTRS);
    }
}

// In place of a conversion, which goes.
static void read_tile(struct pipeline *p, MlirValue buffer, MlirOperation convert) {
    struct builder b = builder_before(p->ir, convert);
    MlirValue whole = mlirOperationGetResult(convert, 0);
    MlirValue read = VALUE(&b, OP_SMEM_LOAD, OPERANDS(buffer), RESULTS(mlirValueGetType(whole)), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(whole, read);
    mlirOperationDestroy(convert);
}

void pipeline_stage_here(struct pipeline *p) {
    store_tiles(p);
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(p->loads[i].load, 0)), next;
        for (; !mlirOpOperandIsNull(use); use = next) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            next = mlirOpOperandGetNextUse(use);
            if (op_kind(p->ir, user) == OP_CONVERT_LAYOUT) {
                read_tile(p, p->loads[i].buffer, user);
            }
        }
    }
}
