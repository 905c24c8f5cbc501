// fuse_fma: a product that is only added to something becomes a fused multiply-add.
//
//   %p = arith.mulf %a, %b                    %r = math.fma %a, %b, %c
//   %r = arith.addf %p, %c             →
//   %s = arith.subf %p, %c                    %s = math.fma %a, %b, (arith.negf %c)
//   %t = arith.subf %c, %p                    %t = math.fma (arith.negf %a), %b, %c
//
// Done here, by one rule, and not in the back end: the LLVM module carries no contraction flag, so nothing
// after it changes a value, and the emulator computes what the card computes. The rule is the one that LLVM's
// back ends follow for CUDA and Triton code: the product has this one use and stands in the same block, and
// where both operands are such products the first is fused and the second stays (visitFADDForFMACombine and
// visitFSUBForFMACombine prefer the product with fewer uses, then the left one). Regions of reduce and scan
// included. A reduction that adds up such products gets {products}: lowering adds each to what its thread has so far. f64,
// f32 and f16 everywhere; bf16 where the chip has the instruction.
// --fp-contract=off switches the pass off.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/fuse_fma
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

static bool chip_fuses(const struct pass_context *context, MlirType element) {
    if (mlirTypeIsABF16(element)) {
        return target_has(context->target, FEATURE_BF16);
    }
    return mlirTypeIsAF64(element) || mlirTypeIsAF32(element) || mlirTypeIsAF16(element);
}

// The product that operand `index` of `sum` is, if nothing else uses it; null otherwise.
static MlirOperation product_at(struct pass_context *context, MlirOperation sum, intptr_t index) {
    MlirValue value = mlirOperationGetOperand(sum, index);
    MlirOperation product = value_op(value);
    if (mlirOperationIsNull(product) || op_kind(context->ir, product) != OP_MULF ||
        !value_has_one_use(value) ||
        !mlirBlockEqual(mlirOperationGetBlock(product), mlirOperationGetBlock(sum))) {
        return (MlirOperation){NULL};
    }
    return product;
}

static MlirValue negated(struct builder *b, MlirValue value) {
    return VALUE(b, "arith.negf", OPERANDS(value), RESULTS(mlirValueGetType(value)), NO_ATTRS);
}

static void fuse(struct pass_context *context, MlirOperation sum, MlirOperation product, intptr_t index) {
    struct builder b = builder_before(context->ir, sum);
    MlirType type = mlirValueGetType(mlirOperationGetResult(sum, 0));
    MlirValue x = mlirOperationGetOperand(product, 0), y = mlirOperationGetOperand(product, 1);
    MlirValue addend = mlirOperationGetOperand(sum, 1 - index);
    if (op_kind(context->ir, sum) == OP_SUBF) {
        if (index == 0) {
            addend = negated(&b, addend);
        } else {
            x = negated(&b, x);
        }
    }
    MlirValue fused = VALUE(&b, "math.fma", OPERANDS(x, y, addend), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sum, 0), fused);
    mlirOperationDestroy(sum);
    mlirOperationDestroy(product);
}

// A reduction of one tile whose region is the sum of its arguments and nothing else.
static bool adds_up(struct pass_context *context, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool sum = mlirOperationGetNumOperands(reduce) == 1 && op_kind(context->ir, op) == OP_ADDF;
    for (intptr_t i = 0; sum && i < 2; i++) {
        sum = mlirValueIsABlockArgument(mlirOperationGetOperand(op, i));
    }
    return sum && !value_is(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)) &&
           value_is(mlirOperationGetOperand(mlirOperationGetNextInBlock(op), 0),
                    mlirOperationGetResult(op, 0));
}

void pass_fuse_fma(struct pass_context *context, MlirModule module) {
    if (!context->fp_contract) {
        return;
    }
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    // Forward: a fused product stands before its sum, so no op still to be visited is destroyed.
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_REDUCE && adds_up(context, ops[i]) &&
            chip_fuses(context, type_element(mlirValueGetType(mlirOperationGetOperand(ops[i], 0)))) &&
            !mlirOperationIsNull(product_at(context, ops[i], 0))) {
            op_set_unit(context->ir, ops[i], ATTR_PRODUCTS);
        }
        if ((kind != OP_ADDF && kind != OP_SUBF) ||
            !chip_fuses(context, type_element(mlirValueGetType(mlirOperationGetResult(ops[i], 0))))) {
            continue;
        }
        for (intptr_t index = 0; index < 2; index++) {
            MlirOperation product = product_at(context, ops[i], index);
            if (!mlirOperationIsNull(product)) {
                fuse(context, ops[i], product, index);
                break;
            }
        }
    }
}
