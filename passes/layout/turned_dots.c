// turned_dots: a product with a computed right operand is turned around, with the computed operand as the left one.
//
//   %w = arith.mulf %q, %scale                     %x' = tk.trans %x,  %w' = tk.trans %w
//   %d = tk.dot %x, %w, %c                   →     %d' = tk.dot %w', %x', %c'
//   scf.yield %d                                   scf.yield %d'            (%c' carried; tk.trans behind the loop)
//
// Reason: wgmma reads its left operand from registers or shared memory, its right one from shared memory alone.
// A computed right operand (dequantised weights) is written to shared memory, the block meets, and the product
// reads it again; a computed left operand stays in its registers. The transposes are
// free: layouts turn with them, and shared memory is read as either order.
//
// In products of single warps an operand unpacked from words is turned, too: on the left its lanes take whole words (layouts_words.c).
//
// Condition: the loop computes the right operand and not the left one, the product only adds to a sum carried by the loop, and
// warpgroups have an instruction for the turned shape, or words are unpacked for an instruction of 16-bit numbers.
//
// requires: dots with types of the chip's multiplications, no layouts
// provides: the same program
// test:     tests/golden/passes/turned_dots
#include "passes/layout/legal_dots.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/packed_words.h"

// The transpose of a matrix; of a transpose its source, of a constant a constant.
static MlirValue transpose(struct builder *b, MlirValue value) {
    static const int32_t turned[] = {1, 0};
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(b->ir, op);
    if (kind == OP_TRANS) {
        return unary_source(op);
    }
    MlirType type = mlirValueGetType(value);
    int64_t shape[] = {type_extent(type, 1), type_extent(type, 0)};
    MlirType result = tensor_type(2, shape, type_element(type), (MlirAttribute){NULL});
    if (kind == OP_CONSTANT) {
        MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
        return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(result),
                     ATTRS(attr(b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(result, splat))));
    }
    return VALUE(b, OP_TRANS, OPERANDS(value), RESULTS(result),
                 ATTRS(attr_i32_array(b, ATTR_ORDER, 2, turned)));
}

// True if the dot's block computes the operand from its loads.
static bool is_computed(struct ir *ir, MlirOperation dot, MlirValue operand) {
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_TRANS) {
        op = value_op(unary_source(op));
    }
    return !mlirOperationIsNull(op) && op_kind(ir, op) != OP_LOAD &&
           mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot));
}

// The number of the carried sum if the dot adds to one and the loop does nothing else with it; -1 otherwise.
static intptr_t carried_sum(struct ir *ir, MlirOperation dot) {
    MlirOperation loop = mlirOperationGetParentOperation(dot);
    MlirValue sum = dot_c(dot), result = mlirOperationGetResult(dot, 0);
    if (op_kind(ir, loop) != OP_FOR || !mlirValueIsABlockArgument(sum) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(sum), op_body(loop, 0)) || !value_has_one_use(sum) ||
        !value_has_one_use(result)) {
        return -1;
    }
    intptr_t number = mlirBlockArgumentGetArgNumber(sum) - 1;
    MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
    return number >= 0 && value_is(yield_value(yield, number), result) ? number : -1;
}

static void turn(struct ir *ir, MlirOperation dot, intptr_t number) {
    MlirOperation loop = mlirOperationGetParentOperation(dot);
    struct builder before = builder_before(ir, loop), at = builder_before(ir, dot);
    struct builder behind = builder_after(ir, loop);
    MlirValue result = mlirOperationGetResult(loop, number), init = for_init(loop, number);
    MlirValue left = transpose(&at, dot_b(dot)), right = transpose(&at, dot_a(dot));
    MlirValue start = transpose(&before, init);
    MlirType turned = mlirValueGetType(start), plain = mlirValueGetType(result);
    mlirOperationSetOperand(dot, at_dot_a, left);
    mlirOperationSetOperand(dot, at_dot_b, right);
    mlirValueSetType(dot_c(dot), turned);
    mlirValueSetType(mlirOperationGetResult(dot, 0), turned);
    mlirOperationSetOperand(loop, at_for_init + number, start);
    MlirValue sum = VALUE(&behind, OP_TRANS, OPERANDS(result), RESULTS(plain),
                          ATTRS(attr_i32_array(&behind, ATTR_ORDER, 2, (int32_t[]){1, 0})));
    mlirValueReplaceAllUsesOfWith(result, sum);
    set_unary_source(value_op(sum), result);
    mlirValueSetType(result, turned);
}

static bool fits_warpgroups(const struct target *target, MlirOperation dot) {
    return target_has(target, FEATURE(WGMMA)) && dot_turned_instruction(target, dot, op_num_warps(dot));
}

// True if single warps multiply, the right operand is unpacked from words, each warp has columns of its own to unpack, and a thread's sums
// leave registers for whole words. (128 x 128 by four warps spilled; 16 x 32 by four took 1 to 5 % more time: two warps unpacked the same.)
static bool takes_words(struct pass_context *context, MlirOperation dot) {
    enum { MOST_SUMS = 64, ROWS = 16 };
    const struct target *target = context->target;
    unsigned warps = op_num_warps(dot);
    MlirType sums = mlirValueGetType(dot_c(dot));
    return target_has(target, FEATURE(MMA_SM80)) && !target_has(target, FEATURE(TCGEN05)) &&
           !dot_warpgroup_instruction(target, dot, warps) &&
           type_bits(type_element(mlirValueGetType(dot_b(dot)))) == 16 &&
           type_extent(sums, 1) >= ROWS * (int64_t)warps &&
           type_elements(sums) <= (int64_t)MOST_SUMS * warps * target->warp_size &&
           packed_words(context->ir, context->arena, dot, at_dot_b) > 0;
}

void pass_turned_dots(struct pass_context *context, MlirModule module) {
    struct ir *ir = context->ir;
    size_t count;
    MlirOperation *ops = ops_collect(ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) != OP_DOT || !is_computed(ir, ops[i], dot_b(ops[i])) ||
            is_computed(ir, ops[i], dot_a(ops[i])) ||
            !(fits_warpgroups(context->target, ops[i]) || takes_words(context, ops[i]))) {
            continue;
        }
        intptr_t number = carried_sum(ir, ops[i]);
        if (number >= 0) {
            turn(ir, ops[i], number);
        }
    }
}
