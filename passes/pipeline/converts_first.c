// converts_first: a loaded tile gets the layout of its reader before it is spread.
//
//   %q = tk.load %p                  [16 x 32]             %q = tk.load %p
//   %e = tk.expand_dims %q           [16 x 1 x 32]    →    %c = tk.convert_layout %q         [16 x 32]
//   %c = tk.convert_layout %e                              %e = tk.expand_dims %c            [16 x 1 x 32]
//   %b = tk.broadcast %c             [16 x 8 x 32]         %b = tk.broadcast %e
//
// The same elements move either way, since layouts count elements row by row and a dimension of 1 adds none. `plan`
// looks for conversions right behind loads: such a tile can be copied asynchronously, several steps ahead, and threads
// read it from shared memory in the layout of the conversion. Packed words of dequantised products are spread so. So are rows of one dimension
// before sm_90 (factors of a product's columns or keys): each conversion is two barriers of a step, and a copy needs the step's own alone.
//
// requires: layouts; loops of specialised warps have been rewritten
// provides: the same program
// test:     tests/golden/passes/converts_first, tests/lang/unpacked.tk
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

static bool has_one_use(MlirValue value) {
    MlirOpOperand use = mlirValueGetFirstUse(value);
    return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

// The op that makes the value, if it is of the kind, stands in the block and nothing else reads it; else null.
static MlirOperation maker(struct ir *ir, MlirValue value, enum op_kind kind, MlirBlock block) {
    MlirOperation op = value_op(value);
    bool fits = !mlirOperationIsNull(op) && op_kind(ir, op) == kind && has_one_use(value) &&
                mlirBlockEqual(mlirOperationGetBlock(op), block);
    return fits ? op : (MlirOperation){NULL};
}

static void convert_first(struct pass_context *context, MlirOperation convert) {
    struct ir *ir = context->ir;
    MlirBlock block = mlirOperationGetBlock(convert);
    MlirOperation expand = maker(ir, unary_source(convert), OP_EXPAND_DIMS, block);
    if (mlirOperationIsNull(expand)) {
        return;
    }
    MlirValue tile = unary_source(expand);
    MlirOperation load = maker(ir, tile, OP_LOAD, block);
    MlirType result = mlirValueGetType(mlirOperationGetResult(convert, 0));
    if (mlirOperationIsNull(load) ||
        type_rank(mlirValueGetType(tile)) < pipeline_least_rank(context->target) ||
        type_is_shared(ir, result)) {
        return;
    }
    struct builder b = builder_before(ir, expand);
    MlirType type = type_with_layout(ir, mlirValueGetType(tile), type_layout(ir, result));
    MlirValue moved = VALUE(&b, OP_CONVERT_LAYOUT, OPERANDS(tile), RESULTS(type), NO_ATTRS);
    MlirValue spread =
        VALUE(&b, OP_EXPAND_DIMS, OPERANDS(moved), RESULTS(result), op_attributes(context->arena, expand));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), spread);
    mlirOperationDestroy(convert);
    mlirOperationDestroy(expand);
}

void pass_converts_first(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count && target_has(context->target, FEATURE(CP_ASYNC)); i++) {
        bool in_loop = op_kind(context->ir, ops[i]) == OP_CONVERT_LAYOUT &&
                       op_kind(context->ir, mlirOperationGetParentOperation(ops[i])) == OP_FOR;
        if (in_loop) {
            convert_first(context, ops[i]);
        }
    }
}
