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
// A fused sum is nearer to the true value, but not where the source counts on two roundings being the same:
//
//   %c = mulf (maxnumf %a, %z), %s            what a · s rounds to, for the largest a: the difference is 0, and never positive
//   %d = subf (mulf %a, %s), %c               fused it is what the rounding took off c: 2^32 for a · s of 2^57
//
//   %v = subf %m, (mulf %x, %x)               0 where all x are one; fused it may be negative
//   %r = sqrt %v                              … and this a NaN
//
// So a difference stays as it is where what is subtracted comes from a rounded product that shares a factor (shares_factor), and any
// sum which may cancel where it goes on to a root or a logarithm (reaches_edge). Both leave finite inputs finite. A sum of two that are
// never negative cannot cancel.
//
// Softmax is the first of the two, and costs an operation an element unfused. If the difference goes to exponentials alone, by rows
// (weights), it is fused with both numbers scaled down in rows where the rounding could matter:
//
//   %y = subf (mulf %x, %s), %m        →      %r = 1, or 2^27 over the power of two in |m| if that is larger
//   exp2 %y                                   exp2 (fma %x, (s · r), -(m · r))
//
// So |m · r| is below 2^28, of which the rounding takes 8 at most: no weight is beyond 256, which f16 holds, and the row's sum has the
// same factor. Where r is not 1 two products that differ do so by 16 at least, and by 8 when scaled: the smaller one's weight is
// below 2^-8 of the other's, where it was below 2^-16. s · r and m · r are exact.
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

enum { MOST_STEPS = 64 }; // of a walk: a source that takes more is fused

// ---- differences of products ----

struct walk {
    struct pass_context *context;
    MlirValue factors[2]; // of the product, as they are before they are spread
    int steps;
    bool negated;         // the walk has passed a negation
    MlirValue carried[8]; // by loops that the walk went into
    int carried_count;
};

// What a value is before it is spread over a tile, or has changed its shape or layout.
static MlirValue unspread(struct ir *ir, MlirValue value) {
    for (MlirOperation op = value_op(value); !mlirOperationIsNull(op); op = value_op(value)) {
        switch (op_kind(ir, op)) {
        case OP_SPLAT:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
        case OP_RESHAPE:
        case OP_TRANS:
        case OP_CONVERT_LAYOUT:
            value = unary_source(op);
            break;
        default:
            return value;
        }
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

// Whether the value is one of several, of which some may be rounded products with one of the factors.
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

// Whether the addend takes off what the product, of a factor that both have, may round to.
static bool shares_factor(struct pass_context *context, MlirOperation sum, MlirOperation product,
                          MlirValue addend) {
    struct walk walk = {.context = context,
                        .factors = {unspread(context->ir, binary_left(product)),
                                    unspread(context->ir, binary_right(product))}};
    return comes_from_product(&walk, addend) && (op_kind(context->ir, sum) == OP_SUBF || walk.negated);
}

// ---- functions that end at 0 ----

static bool is_guard(struct ir *ir, MlirOperation maximum) {
    return value_has_sign(ir, binary_left(maximum), SIGN_NOT_BELOW_ZERO) ||
           value_has_sign(ir, binary_right(maximum), SIGN_NOT_BELOW_ZERO);
}

// Whether the value, with what is added to it and multiplied, goes to a function that has no values below 0.
static bool reaches_edge(struct ir *ir, MlirValue value, int *steps) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        if (++*steps > MOST_STEPS) {
            return false;
        }
        switch (op_kind(ir, reader)) {
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
        case OP_SPLAT:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
        case OP_RESHAPE:
        case OP_TRANS:
            if (reaches_edge(ir, mlirOperationGetResult(reader, 0), steps)) {
                return true;
            }
            break;
        default:
            break;
        }
    }
    return false;
}

static bool may_cancel(struct ir *ir, MlirOperation sum) {
    return op_kind(ir, sum) == OP_SUBF || !value_has_sign(ir, binary_left(sum), SIGN_NOT_BELOW_ZERO) ||
           !value_has_sign(ir, binary_right(sum), SIGN_NOT_BELOW_ZERO);
}

// Whether the source may count on the product being rounded before it is added.
static bool needs_both_roundings(struct pass_context *context, MlirOperation sum, MlirOperation product,
                                 MlirValue addend) {
    int steps = 0;
    return shares_factor(context, sum, product, addend) ||
           (reaches_edge(context->ir, mlirOperationGetResult(sum, 0), &steps) &&
            may_cancel(context->ir, sum));
}

// ---- weights ----

static MlirValue negated(struct builder *b, MlirValue value) {
    return VALUE(b, OP_NEGF, OPERANDS(value), RESULTS(mlirValueGetType(value)), NO_ATTRS);
}

// Whether the tile goes to exponentials alone.
static bool is_exponent(struct ir *ir, MlirValue tile) {
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        if (op_kind(ir, mlirOpOperandGetOwner(use)) != OP_EXP2) {
            return false;
        }
    }
    return value_has_uses(tile);
}

// The rows' numbers that are spread over a tile as broadcast(expand_dims(rows)); null for another tile.
static MlirValue rows_of(struct ir *ir, MlirValue tile) {
    MlirOperation broadcast = value_op(tile);
    if (mlirOperationIsNull(broadcast) || op_kind(ir, broadcast) != OP_BROADCAST) {
        return (MlirValue){NULL};
    }
    MlirOperation expand = value_op(unary_source(broadcast));
    bool is = !mlirOperationIsNull(expand) && op_kind(ir, expand) == OP_EXPAND_DIMS &&
              type_rank(mlirValueGetType(unary_source(expand))) == 1;
    return is ? unary_source(expand) : (MlirValue){NULL};
}

// `rows` in place of the rows that `tile` is spread from.
static MlirValue spread_as(struct builder *b, MlirValue rows, MlirValue tile) {
    MlirOperation broadcast = value_op(tile), expand = value_op(unary_source(broadcast));
    MlirType expanded = mlirValueGetType(unary_source(broadcast));
    MlirValue column = VALUE(b, OP_EXPAND_DIMS, OPERANDS(rows), RESULTS(expanded),
                             ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)op_int(expand, ATTR_AXIS))));
    return VALUE(b, OP_BROADCAST, OPERANDS(column), RESULTS(mlirValueGetType(tile)), NO_ATTRS);
}

// 2^27 / 2^e where |m| is from 2^e on and e is above 27, else 1; of infinities and NaNs a number that keeps them.
static MlirValue scale_of_rows(struct builder *b, MlirValue rows) {
    enum { EXPONENT = 0x7f800000, BIAS = 127, LARGEST = 27, FIRST = 23 };
    MlirType type = mlirValueGetType(rows);
    int64_t extent = type_extent(type, 0);
    MlirType numbers = tensor_type(1, &extent, type_i32(b->ir), mlirAttributeGetNull());
    MlirValue bits = VALUE(b, OP_BITCAST, OPERANDS(rows), RESULTS(numbers), NO_ATTRS);
    MlirValue exponent = const_int(b, numbers, EXPONENT);
    MlirValue least = const_int(b, numbers, (int64_t)(BIAS + LARGEST) << FIRST);
    MlirValue twice = const_int(b, numbers, (int32_t)((uint32_t)(2 * BIAS + LARGEST) << FIRST));
    MlirValue own = build_binary(b, OP_ANDI, bits, exponent);
    MlirValue larger = build_binary(b, OP_MAXSI, own, least);
    MlirValue scale = build_binary(b, OP_SUBI, twice, larger);
    return VALUE(b, OP_BITCAST, OPERANDS(scale), RESULTS(type), NO_ATTRS);
}

// Fuses x · s - m with a scalar s and a number m of each row, if exponentials alone read it.
static void fuse_weights(struct pass_context *context, MlirOperation sum, MlirOperation product,
                         intptr_t index) {
    struct ir *ir = context->ir;
    MlirValue difference = mlirOperationGetResult(sum, 0), tile = binary_right(sum);
    MlirValue x = binary_left(product), factor = binary_right(product);
    MlirOperation splat = value_op(factor);
    if (mlirOperationIsNull(splat) || op_kind(ir, splat) != OP_SPLAT) {
        factor = binary_left(product), x = binary_right(product);
        splat = value_op(factor);
    }
    MlirValue rows = rows_of(ir, tile);
    bool are = op_kind(ir, sum) == OP_SUBF && index == 0 && !mlirOperationIsNull(splat) &&
               op_kind(ir, splat) == OP_SPLAT && !mlirValueIsNull(rows) &&
               mlirTypeIsAF32(type_element(mlirValueGetType(difference))) && is_exponent(ir, difference);
    if (!are) {
        return;
    }
    struct builder b = builder_before(ir, sum);
    MlirType type = mlirValueGetType(rows);
    MlirValue scale = scale_of_rows(&b, rows);
    MlirValue factors = VALUE(&b, OP_SPLAT, OPERANDS(unary_source(splat)), RESULTS(type), NO_ATTRS);
    MlirValue scaled_factor = build_binary(&b, OP_MULF, factors, scale);
    MlirValue scaled_rows = build_binary(&b, OP_MULF, rows, scale);
    MlirValue minus = negated(&b, scaled_rows);
    MlirValue factor_tile = spread_as(&b, scaled_factor, tile), addend = spread_as(&b, minus, tile);
    MlirValue fused =
        VALUE(&b, OP_FMA, OPERANDS(x, factor_tile, addend), RESULTS(mlirValueGetType(difference)), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(difference, fused);
    mlirOperationDestroy(sum);
    mlirOperationDestroy(product);
}

// ---- the rewrite ----

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

// A reduction of one tile whose region is the sum of its arguments and nothing else.
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
    // Forward: a fused product stands before its sum, so no op still to be visited is destroyed.
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
                } else {
                    fuse_weights(context, ops[i], product, index);
                }
                break;
            }
        }
    }
}
