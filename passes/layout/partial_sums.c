// partial_sums: each thread adds up its own part of a loop's sum over rows; the parts are added across
// threads after the loop.
//
//   %sum = for … iter_args(%total = 0) {                %part = for … iter_args(%total = 0, a number a thread) {
//     %row = tk.reduce %x  (over threads)                 %row = tk.partial_reduce %x  (over registers alone)
//     %next = %total · %factor + %row             →       %next = %total · %factor + %row
//     yield %next                                         yield %next
//   }                                                   }
//                                                       %sum = tk.reduce %part
//
// Examples: attention's row sums, norms along rows, losses. The pass handles sums (of floats in another
// order, as any reduction may choose), and maxima and minima. The factor is the same for all elements added
// together, so each part may be multiplied by it. An initial total other than zero is added to the first
// part; the total of an earlier rewritten loop continues in its parts.
//
// Each part must stay in the range of the total. Parts of both signs do not: 2e38 in one part and -2e38 in
// the other are infinite after two steps, although the total is 0 all the time; and their rounding errors are
// relative to the parts, not to the total. So floats are added in parts only if none of them, nor the initial
// total, is ever negative (facts/sign.h): no part then exceeds the total, and the error stays as of a sum
// in another order, n roundings of the total. The factor must never be negative, because it would turn signs,
// and never infinite: a part of 0 would become NaN, while the total is infinite. Exponentials of never
// positive values qualify, as do the rescaling factors of a sum of weights after its maximum has grown. One
// difference remains: an overflow of the total, scaled down later, stays infinite (or becomes NaN with a
// factor of 0); its parts may come out finite, like the exact sum. Integers wrap: parts of their sums, scaled
// by any factor, combine to the very same bits. Floats of 16 bits are left alone: after a few terms their
// total is far above each term.
//
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/partial_sums
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/facts/sign.h"

// One loop-carried value and its update by an iteration.
struct total {
    MlirOperation loop, reduce;
    intptr_t number;      // among the loop's results
    unsigned axis;        // of the reduction
    MlirOperation last;   // yields the next total: combines the total, scaled or not, with the reduction
    MlirOperation scaled; // %total · %factor if it is an op of its own; else null
    MlirValue factor;     // null: none
    MlirType parts;       // type of the tile of the threads' parts
    bool is_sum;
};

static bool is_null(MlirOperation op) {
    return mlirOperationIsNull(op);
}

static bool is_sum(enum op_kind kind) {
    return kind == OP_ADDF || kind == OP_ADDI;
}

static bool may_repeat(enum op_kind kind) { // f(x, x) = x
    switch (kind) {
    case OP_MAXNUMF:
    case OP_MINNUMF:
    case OP_MAXIMUMF:
    case OP_MINIMUMF:
    case OP_MAXSI:
    case OP_MINSI:
    case OP_MAXUI:
    case OP_MINUI:
        return true;
    default:
        return false;
    }
}

// The reduction of one tile with `value` as its result, if it is in the loop's body and has no other use;
// else null.
static MlirOperation reduction(struct ir *ir, MlirValue value, MlirBlock body) {
    MlirOperation op = value_op(value);
    bool fits = !is_null(op) && op_kind(ir, op) == OP_REDUCE && mlirOperationGetNumOperands(op) == 1 &&
                value_has_one_use(value) && mlirBlockEqual(mlirOperationGetBlock(op), body);
    return fits ? op : (MlirOperation){NULL};
}

// True if `value` is the total, or its product with a factor; notes the product and the factor.
static bool scales_total(struct ir *ir, struct total *total, MlirValue value, MlirValue carried) {
    if (value_is(value, carried)) {
        return true;
    }
    MlirOperation product = value_op(value);
    if (is_null(product) || (op_kind(ir, product) != OP_MULF && op_kind(ir, product) != OP_MULI) ||
        !value_has_one_use(value)) {
        return false;
    }
    for (intptr_t i = 0; i < 2; i++) {
        if (value_is(mlirOperationGetOperand(product, i), carried)) {
            total->scaled = product;
            total->factor = mlirOperationGetOperand(product, 1 - i);
            return true;
        }
    }
    return false;
}

static bool combines_total(struct ir *ir, struct total *total, MlirValue carried) {
    MlirBlock body = op_body(total->loop, 0);
    enum op_kind kind = op_kind(ir, total->last);
    if (kind == OP_FMA) {
        total->reduce = reduction(ir, fma_addend(total->last), body);
        for (intptr_t i = 0; i < 2; i++) {
            if (value_is(mlirOperationGetOperand(total->last, i), carried)) {
                total->factor = mlirOperationGetOperand(total->last, 1 - i);
            }
        }
        total->is_sum = true;
        return !is_null(total->reduce) && total->factor.ptr &&
               reduce_combines_by(ir, total->reduce) == OP_ADDF;
    }
    for (intptr_t i = 0; (is_sum(kind) || may_repeat(kind)) && i < 2; i++) {
        total->reduce = reduction(ir, mlirOperationGetOperand(total->last, i), body);
        if (!is_null(total->reduce) && reduce_combines_by(ir, total->reduce) == kind) {
            total->is_sum = is_sum(kind);
            return scales_total(ir, total, mlirOperationGetOperand(total->last, 1 - i), carried) &&
                   (total->is_sum || !total->factor.ptr);
        }
    }
    return false;
}

// True if no part of a sum of floats leaves the range of the total.
static bool bounds_parts(struct pass_context *context, const struct total *total) {
    struct ir *ir = context->ir;
    if (!value_has_sign(ir, reduce_tile(total->reduce, 0), SIGN_NOT_BELOW_ZERO)) {
        return decline(context, total->reduce, REASON_SUM_SIGN);
    }
    if (!value_has_sign(ir, for_init(total->loop, total->number), SIGN_NOT_BELOW_ZERO)) {
        return decline(context, total->reduce, REASON_SUM_START);
    }
    if (total->factor.ptr && !value_is_tame_factor(ir, total->factor)) {
        return decline(context, total->reduce, REASON_SUM_FACTOR);
    }
    return true;
}

static bool find_total(struct pass_context *context, MlirOperation loop, intptr_t number,
                       struct total *total) {
    struct ir *ir = context->ir;
    *total = (struct total){.loop = loop, .number = number};
    MlirBlock body = op_body(loop, 0);
    MlirValue carried = mlirBlockGetArgument(body, number + 1);
    MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), number);
    total->last = value_op(next);
    if (is_null(total->last) || !mlirBlockEqual(mlirOperationGetBlock(total->last), body) ||
        !value_has_one_use(carried) || !value_has_one_use(next) || !combines_total(ir, total, carried)) {
        return false;
    }
    total->axis = (unsigned)op_int(total->reduce, ATTR_AXIS);
    total->parts = parts_of(context, total->reduce);
    MlirType element = type_element(mlirValueGetType(carried));
    if (mlirTypeIsNull(total->parts) ||
        (total->is_sum && mlirTypeIsAFloat(element) && type_bits(element) < 32)) {
        return false;
    }
    if (total->is_sum && mlirTypeIsAFloat(element) && !bounds_parts(context, total)) {
        reason_keep(context, total->reduce, ATTR_PARTIAL_SUMS);
        return false;
    }
    return true;
}

// Equal shares of a constant total, scaled alike by the factors: exact, as a row has 2^n parts. Null if the total is no
// constant or the shares are subnormal.
static MlirValue shares(struct builder *b, const struct total *total, MlirAttribute constant) {
    double count = (double)type_extent(total->parts, (int)total->axis);
    double whole = !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)
                       ? mlirFloatAttrGetValueDouble(constant)
                       : 0;
    return whole / count > 0x1p-100 ? const_float(b, total->parts, whole / count) : (MlirValue){NULL};
}

// The initial parts: combined they give the initial total. A null value if they would cost more than they
// save. `rest` is left to combine after the loop, or null.
static MlirValue first_parts(struct builder *b, const struct total *total, MlirValue *rest) {
    MlirValue init = for_init(total->loop, total->number);
    MlirOperation before = value_op(init);
    *rest = (MlirValue){NULL};
    if (!is_null(before) && op_kind(b->ir, before) == OP_REDUCE && mlirOperationGetNumOperands(before) == 1 &&
        ops_alike(before, total->reduce) &&
        reduce_combines_by(b->ir, before) == reduce_combines_by(b->ir, total->reduce) &&
        mlirTypeEqual(mlirValueGetType(reduce_tile(before, 0)), total->parts)) {
        return reduce_tile(before, 0);
    }
    if (!total->is_sum) {
        return parts_spread(b, total->parts, total->axis, init);
    }
    MlirAttribute constant = value_constant(b->ir, init);
    bool is_float = mlirTypeIsAFloat(type_element(total->parts));
    double zero = -0.0; // the neutral element of a sum
    int64_t whole;
    if (!mlirAttributeIsNull(constant) && is_float && mlirFloatAttrGetValueDouble(constant) == 0) {
        zero = mlirFloatAttrGetValueDouble(constant);
    } else if (!is_float && value_is_constant_int(b->ir, init, &whole) && whole == 0) {
        // nothing to add after the loop
    } else if (total->factor.ptr) {
        return shares(b, total, constant);
    } else {
        *rest = init;
    }
    return is_float ? const_float(b, total->parts, zero) : const_int(b, total->parts, 0);
}

static void replace_operand(MlirOperation op, MlirValue old, MlirValue new) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (value_is(mlirOperationGetOperand(op, i), old)) {
            mlirOperationSetOperand(op, i, new);
        }
    }
}

// Builds the reduction over threads after the loop. `rest` is combined with its result; null: nothing.
static void reduce_behind(struct pass_context *context, const struct total *total, MlirValue rest) {
    struct builder b = builder_after(context->ir, total->loop);
    MlirOperation whole = mlirOperationClone(total->reduce);
    build_insert(&b, whole);
    MlirValue parts = mlirOperationGetResult(total->loop, total->number);
    MlirValue result = mlirOperationGetResult(whole, 0);
    if (rest.ptr) {
        b.location = mlirOperationGetLocation(total->last);
        bool is_float = mlirTypeIsAFloat(type_element(total->parts));
        result = build_binary(&b, is_float ? OP_ADDF : OP_ADDI, rest, result);
    }
    mlirValueReplaceAllUsesOfWith(parts, result);
    set_reduce_tile(whole, 0, parts);
}

// The op ahead of which parts are added up: the reduction, or what follows the tile if a product stands between (wgmma). A product behind
// which a tile is added up often reads it, rounded: the tile would stay in registers beside its rounded form while the product starts.
static MlirOperation place_of_parts(struct pass_context *context, MlirOperation reduce) {
    MlirOperation tile = value_op(reduce_tile(reduce, 0));
    if (!target_has(context->target, FEATURE(WGMMA)) || is_null(tile) ||
        !mlirBlockEqual(mlirOperationGetBlock(tile), mlirOperationGetBlock(reduce))) {
        return reduce;
    }
    MlirOperation first = mlirOperationGetNextInBlock(tile);
    for (MlirOperation at = first; !mlirOperationEqual(at, reduce); at = mlirOperationGetNextInBlock(at)) {
        if (op_kind(context->ir, at) == OP_DOT) {
            return first;
        }
    }
    return reduce;
}

static void keep_parts(struct pass_context *context, struct total *total, MlirValue first, MlirValue rest) {
    reduce_behind(context, total, rest);
    struct builder b = builder_before(context->ir, place_of_parts(context, total->reduce));
    b.location = mlirOperationGetLocation(total->reduce);
    MlirValue part = build_parts(&b, total->reduce, total->parts);
    if (total->factor.ptr) {
        MlirOperation product = is_null(total->scaled) ? total->last : total->scaled;
        b = builder_before(context->ir, product);
        replace_operand(product, total->factor, parts_spread(&b, total->parts, total->axis, total->factor));
    }
    replace_operand(total->last, mlirOperationGetResult(total->reduce, 0), part);
    mlirOperationDestroy(total->reduce);
    set_for_init(total->loop, total->number, first);
    mlirValueSetType(mlirBlockGetArgument(op_body(total->loop, 0), 1 + total->number), total->parts);
    mlirValueSetType(mlirOperationGetResult(total->loop, total->number), total->parts);
    mlirValueSetType(mlirOperationGetResult(total->last, 0), total->parts);
    if (!is_null(total->scaled)) {
        mlirValueSetType(mlirOperationGetResult(total->scaled, 0), total->parts);
    }
}

static void visit_loop(struct pass_context *context, MlirOperation loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        struct total total;
        MlirValue rest;
        if (!find_total(context, loop, i, &total)) {
            continue;
        }
        struct builder b = builder_before(context->ir, loop);
        MlirValue first = first_parts(&b, &total, &rest);
        if (first.ptr) {
            keep_parts(context, &total, first, rest);
        }
    }
}

void pass_partial_sums(struct pass_context *context, MlirModule module) {
    size_t count, loops = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) { // the rewrite below deletes reductions
        if (op_kind(context->ir, ops[i]) == OP_FOR) {
            ops[loops++] = ops[i];
        }
    }
    for (size_t i = 0; i < loops; i++) {
        visit_loop(context, ops[i]);
    }
}
