// Loads of a loop without loads ahead reach its dots through buffers of their own (AMD).
//
//     %x = tk.load %p                         %x = tk.load %p
//     %y = tk.load %q                         %y = tk.load %q
//     %a = tk.convert_layout %x       →       tk.smem_store %s, %x
//     %b = tk.convert_layout %y               tk.smem_store %t, %y
//     %d = tk.dot %a, %b, …                   %a = tk.smem_load %s
//                                             %b = tk.smem_load %t
//                                             %d = tk.dot %a, %b, …
//
// As conversions the operands share one piece of scratch, and the second operand can be written only after
// all of the first has been read: both whole operands are then in registers, and a deep step spills. From
// buffers their fragments are read one by one, each next to its product. These are the loops over the
// remainder of K (peel.c).
//
// A part of pipeline. test: tests/golden/passes/pipeline/here.mlir
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

// The first conversion of any staged load behind this load: the best place to store all of them.
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

// Replaces the conversion by a read of the buffer.
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
