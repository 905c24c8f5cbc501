// fuse_fma: a product with an addition as its only use becomes a fused multiply-add.
//
//   %p = arith.mulf %a, %b                    %r = math.fma %a, %b, %c
//   %r = arith.addf %p, %c             →
//   %s = arith.subf %p, %c                    %s = math.fma %a, %b, (arith.negf %c)
//   %t = arith.subf %c, %p                    %t = math.fma (arith.negf %a), %b, %c
//
// Done here, by one rule, and not in the back end: the LLVM module carries no contraction flag, so no later
// stage changes a value, and the emulator computes the card's results. LLVM's back ends follow the same rule
// for CUDA and Triton code: the product has this one use and is in the same block; if both operands are such
// products, the first is fused and the second stays (visitFADDForFMACombine and visitFSUBForFMACombine prefer
// the product with fewer uses, then the left one). Regions of reduce and scan are included. A reduction
// adding up such products gets {products}: lowering adds each product to its thread's sum so far. f64, f32
// and f16 everywhere; bf16 if the chip has the instruction. --fp-contract=off switches the pass off.
//
// A fused sum is nearer to the true value. It breaks sources built on two equal roundings:
//
//   %c = mulf (maxnumf %a, %z), %s            rounded a · s of the largest a: the difference is 0, and never positive
//   %d = subf (mulf %a, %s), %c               fused it is the rounding error of c: 2^32 for a · s of 2^57
//
//   %v = subf %m, (mulf %x, %x)               0 if all x are one; fused it may be negative
//   %r = sqrt %v                              … and this a NaN
//
// So a difference stays if the subtrahend comes from a rounded product with a common factor (shares_factor);
// and so does any sum that may cancel, if a root or a logarithm follows (reaches_edge). Finite inputs then
// give finite results. A sum of two never negative values cannot cancel.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/fuse_fma
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/facts/sign.h"

enum { MOST_STEPS = 64 }; // of a walk; beyond them the product is fused

// ---- differences of products ----

struct walk {
    struct pass_context *context;
    MlirValue factors[2]; // of the product, before they are spread over a tile
    int steps;
    bool negated;         // the walk has passed a negation
    MlirValue carried[8]; // loop-carried values visited by the walk
    int carried_count;
};

// The value before it was spread over a tile, or changed its shape or layout.
static MlirValue unspread(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && op_rearranges(op_kind(ir, op))) {
        value = unary_source(op);
        op = value_op(value);
    }
    return value;
}

static bool is_zero(struct ir *ir, MlirValue value) {
    MlirAttribute constant = value_constant(ir, value);
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant) &&
           mlirFloatAttrGetValueDouble(constant) == 0;
}

static bool comes_from_product(struct walk *w, MlirValue value);

static bool carried_from_product(struct walk *w, MlirOperation loop, intptr_t number) {
    MlirValue argument = mlirBlockGetArgument(op_body(loop, 0), 1 + number);
    for (int i = 0; i < w->carried_count; i++) {
        if (value_is(w->carried[i], argument)) {
            return false;
        }
    }
    if (w->carried_count == sizeof w->carried / sizeof *w->carried) {
        return false;
    }
    w->carried[w->carried_count++] = argument;
    return comes_from_product(w, yield_value(mlirBlockGetTerminator(op_body(loop, 0)), number)) ||
           comes_from_product(w, for_init(loop, number));
}

// True if the value may be a rounded product with one of the factors. Selections, maxima and loops are walked
// for all their candidates.
static bool comes_from_product(struct walk *w, MlirValue value) {
    struct ir *ir = w->context->ir;
    value = unspread(ir, value);
    if (++w->steps > MOST_STEPS) {
        return false;
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        return op_kind(ir, around) == OP_FOR && number > 0 && carried_from_product(w, around, number - 1);
    }
    switch (op_kind(ir, op)) {
    case OP_MULF:
        for (intptr_t i = 0; i < 4; i++) {
            if (value_is(unspread(ir, mlirOperationGetOperand(op, i / 2)), w->factors[i % 2])) {
                return true;
            }
        }
        return false;
    case OP_NEGF:
        w->negated = true;
        return comes_from_product(w, unary_source(op));
    case OP_SUBF:
        w->negated |= is_zero(ir, binary_left(op));
        return is_zero(ir, binary_left(op)) && comes_from_product(w, binary_right(op));
    case OP_MAXNUMF:
    case OP_MAXIMUMF:
    case OP_MINNUMF:
    case OP_MINIMUMF:
        return comes_from_product(w, binary_left(op)) || comes_from_product(w, binary_right(op));
    case OP_SELECT:
    case OP_RARELY:
        return comes_from_product(w, select_yes(op)) || comes_from_product(w, select_no(op));
    case OP_REDUCE:
        switch (mlirOperationGetNumOperands(op) == 1 ? reduce_combines_by(ir, op) : OP_UNKNOWN) {
        case OP_MAXNUMF:
        case OP_MAXIMUMF:
        case OP_MINNUMF:
        case OP_MINIMUMF:
            return comes_from_product(w, reduce_tile(op, 0));
        default:
            return false;
        }
    case OP_FOR:
        return carried_from_product(w, op, mlirOpResultGetResultNumber(value));
    default:
        return false;
    }
}

// True if the sum subtracts a rounded product from the product, both with a common factor.
static bool shares_factor(struct pass_context *context, MlirOperation sum, MlirOperation product,
                          MlirValue addend) {
    struct walk walk = {.context = context,
                        .factors = {unspread(context->ir, binary_left(product)),
                                    unspread(context->ir, binary_right(product))}};
    return comes_from_product(&walk, addend) && (op_kind(context->ir, sum) == OP_SUBF || walk.negated);
}

// ---- functions with an edge at 0 ----

static bool is_guard(struct ir *ir, MlirOperation maximum) {
    return value_has_sign(ir, binary_left(maximum), SIGN_NOT_BELOW_ZERO) ||
           value_has_sign(ir, binary_right(maximum), SIGN_NOT_BELOW_ZERO);
}

// True if the value, perhaps after additions and multiplications, reaches a function undefined below 0.
static bool reaches_edge(struct ir *ir, MlirValue value, int *steps) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        if (++*steps > MOST_STEPS) {
            return false;
        }
        enum op_kind kind = op_kind(ir, reader);
        bool carries = false;
        switch (kind) {
        case OP_SQRT:
        case OP_SQRT_RN:
        case OP_RSQRT:
        case OP_RECIPROCAL_ROOT:
        case OP_LOG2:
            return true;
        case OP_MAXNUMF:
        case OP_MAXIMUMF:
            if (is_guard(ir, reader)) {
                break;
            }
            // fall through
        case OP_ADDF:
        case OP_SUBF:
        case OP_MULF:
        case OP_DIVF:
        case OP_DIV_RN:
        case OP_NEGF:
        case OP_FMA:
        case OP_MINNUMF:
        case OP_MINIMUMF:
        case OP_SELECT:
        case OP_EXTF:
        case OP_TRUNCF:
        case OP_FP_TO_FP:
            carries = true;
            break;
        default:
            carries = op_rearranges(kind);
            break;
        }
        if (carries && reaches_edge(ir, mlirOperationGetResult(reader, 0), steps)) {
            return true;
        }
    }
    return false;
}

static bool may_cancel(struct ir *ir, MlirOperation sum) {
    return op_kind(ir, sum) == OP_SUBF || !value_has_sign(ir, binary_left(sum), SIGN_NOT_BELOW_ZERO) ||
           !value_has_sign(ir, binary_right(sum), SIGN_NOT_BELOW_ZERO);
}

// True if the source may count on the product being rounded before the addition.
static bool needs_both_roundings(struct pass_context *context, MlirOperation sum, MlirOperation product,
                                 MlirValue addend) {
    int steps = 0;
    return shares_factor(context, sum, product, addend) ||
           (reaches_edge(context->ir, mlirOperationGetResult(sum, 0), &steps) &&
            may_cancel(context->ir, sum));
}

// ---- the rewrite ----

static bool chip_fuses(const struct pass_context *context, MlirType element) {
    if (mlirTypeIsABF16(element)) {
        return target_has(context->target, FEATURE(BF16));
    }
    return mlirTypeIsAF64(element) || mlirTypeIsAF32(element) || mlirTypeIsAF16(element);
}

// The product in operand `index` of `sum`, if it has no other use; else null.
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
    return VALUE(b, OP_NEGF, OPERANDS(value), RESULTS(mlirValueGetType(value)), NO_ATTRS);
}

static void fuse(struct pass_context *context, MlirOperation sum, MlirOperation product, intptr_t index) {
    struct builder b = builder_before(context->ir, sum);
    MlirType type = mlirValueGetType(mlirOperationGetResult(sum, 0));
    MlirValue x = binary_left(product), y = binary_right(product);
    MlirValue addend = mlirOperationGetOperand(sum, 1 - index);
    if (op_kind(context->ir, sum) == OP_SUBF) {
        if (index == 0) {
            addend = negated(&b, addend);
        } else {
            x = negated(&b, x);
        }
    }
    MlirValue fused = VALUE(&b, OP_FMA, OPERANDS(x, y, addend), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sum, 0), fused);
    mlirOperationDestroy(sum);
    mlirOperationDestroy(product);
}

// True for a reduction of one tile with a plain sum of its arguments as its region.
static bool adds_up(struct pass_context *context, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool sum = mlirOperationGetNumOperands(reduce) == 1 && op_kind(context->ir, op) == OP_ADDF;
    for (intptr_t i = 0; sum && i < 2; i++) {
        sum = mlirValueIsABlockArgument(mlirOperationGetOperand(op, i));
    }
    return sum && !value_is(binary_left(op), binary_right(op)) &&
           value_is(yield_value(mlirOperationGetNextInBlock(op), 0), mlirOperationGetResult(op, 0));
}

void pass_fuse_fma(struct pass_context *context, MlirModule module) {
    if (!context->fp_contract) {
        return;
    }
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    // Forward: a product is before its sum, so no op still to be visited is destroyed.
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_REDUCE && adds_up(context, ops[i]) &&
            chip_fuses(context, type_element(mlirValueGetType(reduce_tile(ops[i], 0)))) &&
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
                MlirValue addend = mlirOperationGetOperand(ops[i], 1 - index);
                if (!needs_both_roundings(context, ops[i], product, addend)) {
                    fuse(context, ops[i], product, index);
                }
                break;
            }
        }
    }
}
