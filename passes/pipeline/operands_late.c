// operands_late: the operands of each dot are built right before it: first the operands computed in this
// iteration (their conversion may exchange through scratch, with a barrier), then the operands read from
// shared memory or converted from a load. Each operand's live range is as short as possible, and no barrier
// in between stops the back end from moving the reads to the matrix instructions.
//
// Without matrix instructions each thread needs whole rows and columns, far more than its registers hold.
// Then the tiles stay in shared memory until the dot is done, instead of a conversion, and the dot reads them
// step by step.
//
//   %v = tk.smem_load %slot                        %p = tk.convert_layout %weights
//   %p = tk.convert_layout %weights        →       %v = tk.smem_load %slot
//   %d = tk.dot %p, %v, %c                         %d = tk.dot %p, %v, %c
//
// requires: layouts, no plan
// provides: each dot's operands right before it
// test:     tests/golden/passes/operands_late
#include "passes/pass.h"

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

// The only user if it is in the same block, else the op itself.
static MlirOperation only_user(MlirOperation convert) {
    MlirValue result = mlirOperationGetResult(convert, 0);
    MlirOperation user =
        value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : convert;
    return mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(convert)) ? user : convert;
}

static bool changes_hands(struct ir *ir, MlirOperation op) {
    if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    MlirType from = mlirValueGetType(unary_source(op)), to = mlirValueGetType(mlirOperationGetResult(op, 0));
    return layout_conversion(type_layout(ir, from), type_layout(ir, to), SCRATCH_SHUFFLE_ROUNDS).kind ==
           LAYOUT_CONVERT_SHARED;
}

static unsigned bytes_of(MlirType type) {
    return (type_bits(type_element(type)) + 7) / 8;
}

static void keep_shared(struct pass_context *context, MlirOperation function, MlirOperation dot) {
    struct ir *ir = context->ir;
    unsigned registers = registers_filled(ir, mlirOperationGetResult(dot, 0));
    struct shared_claim claims[2];
    intptr_t kept[2];
    size_t count = 0;
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue operand = mlirOperationGetOperand(dot, i);
        MlirType type = mlirValueGetType(operand);
        registers += registers_filled(ir, operand);
        if (changes_hands(ir, value_op(operand))) {
            claims[count] = (struct shared_claim){dot, dot, (unsigned)type_elements(type) * bytes_of(type)};
            kept[count++] = i;
        }
    }
    if (registers <= context->target->registers_per_thread ||
        shared_need(context, function, claims, count, NULL) > context->target->shared_limit) {
        return;
    }
    struct builder b = builder_before(ir, dot);
    b.location = mlirOperationGetLocation(dot);
    MlirValue buffers[2];
    for (size_t k = 0; k < count; k++) {
        MlirValue operand = mlirOperationGetOperand(dot, kept[k]);
        MlirValue source = unary_source(value_op(operand));
        MlirType type = mlirValueGetType(source);
        struct layout shared = scratch_shared(context->target, type_layout(ir, type),
                                              type_layout(ir, mlirValueGetType(operand)), bytes_of(type));
        buffers[k] = VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(ir, type, &shared)),
                           ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
        OP(&b, OP_SMEM_STORE, OPERANDS(buffers[k], source), NO_RESULTS, NO_ATTRS);
    }
    if (count > 0) {
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    for (size_t k = 0; k < count; k++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(dot, kept[k]));
        MlirValue loaded = VALUE(&b, OP_SMEM_LOAD, OPERANDS(buffers[k]), RESULTS(type), NO_ATTRS);
        mlirOperationSetOperand(dot, kept[k], loaded);
    }
}

static void keep_all_shared(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation function = {NULL};
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count && context->target->vendor == VENDOR_NVIDIA; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        function = kind == OP_FUNC ? ops[i] : function;
        if (kind == OP_DOT && !op_has(ops[i], ATTR_INSTRUCTION)) {
            keep_shared(context, function, ops[i]);
        }
    }
}

void pass_operands_late(struct pass_context *context, MlirModule module) {
    keep_all_shared(context, module);
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (int streamed = 0; streamed < 2; streamed++) {
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            if (kind != OP_CONVERT_LAYOUT && kind != OP_SMEM_LOAD) {
                continue;
            }
            MlirOperation source = value_op(unary_source(ops[i])), place = only_user(ops[i]);
            bool from_load = !mlirOperationIsNull(source) && op_kind(context->ir, source) == OP_LOAD;
            if (op_kind(context->ir, place) == OP_DOT && (kind == OP_SMEM_LOAD || from_load) == streamed) {
                mlirOperationMoveBefore(ops[i], place);
            }
        }
    }
}
