// late_scalars: what only the end of a tile needs is computed there, not ahead of its products.
//
//   scf.for %tile = … {                         scf.for %tile = … {
//     %head = arith.divui %tile, %width           %sum = scf.for … { products }
//     %sum = scf.for … { products }        →      %head = arith.divui %tile, %width
//     tk.bulk_store … %head …                     tk.bulk_store … %head …
//   }                                           }
//
// Warps that go from tile to tile have nothing under way when one begins: three divisions of integers, for a tile's place in
// the grid, stood ahead of its first product (118 instructions, most waiting for the one before). Behind the products they
// run beside what is computed there, and no register holds their results through the loop.
//
// requires: specialise
// provides: nothing; keeps everything
// test:     tests/golden/passes/late_scalars
#include "passes/pass.h"

#include "ir/build.h"

static bool is_scalar(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return (op_traits(kind) & PURE) && kind != OP_CONSTANT && mlirOperationGetNumRegions(op) == 0 &&
           mlirOperationGetNumResults(op) == 1 &&
           !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool loop_between(MlirOperation op, MlirOperation reader) {
    for (op = mlirOperationGetNextInBlock(op); !mlirOperationEqual(op, reader);
         op = mlirOperationGetNextInBlock(op)) {
        if (mlirOperationGetNumRegions(op) > 0) {
            return true;
        }
    }
    return false;
}

static bool is_tile_loop(struct ir *ir, MlirOperation loop) {
    return op_kind(ir, loop) == OP_FOR && op_kind(ir, mlirOperationGetParentOperation(loop)) == OP_SPECIALISE;
}

void pass_late_scalars(struct pass_context *context, MlirModule module) {
    struct ir *ir = context->ir;
    size_t count;
    MlirOperation *ops = ops_collect(ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = count; i-- > 0;) { // readers first: what they alone read follows them
        MlirOperation op = ops[i];
        if (!is_scalar(ir, op) || !is_tile_loop(ir, mlirOperationGetParentOperation(op))) {
            continue;
        }
        MlirOperation reader =
            value_reader(mlirOperationGetResult(op, 0), mlirOperationGetBlock(op), READER_FIRST);
        if (!mlirOperationIsNull(reader) && loop_between(op, reader)) {
            mlirOperationMoveBefore(op, reader);
        }
    }
}
