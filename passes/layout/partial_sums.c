// partial_sums: what a loop adds up over rows is added up by each thread for itself, and over threads behind the loop.
//
//   %sum = for … iter_args(%total = 0) {                %part = for … iter_args(%total = 0, a number a thread) {
//     %row = tk.reduce %x  (over threads)                 %row = tk.partial_reduce %x  (over registers alone)
//     %next = %total · %factor + %row             →       %next = %total · %factor + %row
//     yield %next                                         yield %next
//   }                                                   }
//                                                       %sum = tk.reduce %part
//
// Attention's row sums, norms that walk along their rows, losses. Sums (of floats in another order, as any reduction
// is free to choose), and the larger or smaller of two. The factor is the same for all elements that are added
// together, so that each part may be multiplied by it. A total that starts with something other than zero has it
// in its first part; that of a loop before, which was mended so, goes on in parts.
//
// Each part has to stay where the total does. Parts of both signs do not: 2e38 in one part and -2e38 in the other are infinite after
// two steps, where the total is 0 all the time; and what they are rounded by is a share of the parts, not of the total. So floats are
// added up in parts only if none of them, nor what the total starts with, is ever negative (facts/sign.h): no part is then above the
// total, and the error stays that of a sum in another order, n roundings of the total. The factor has to be one that is never negative,
// which would turn signs, and never infinite: a part that is 0 would make NaN of it, where the total is infinite. Exponentials of what
// is never positive are so, as is what rescales a sum of weights when their maximum has grown. What is left: a total that overflows on
// the way and is scaled down behind that stays infinite (or becomes NaN of a factor 0); its parts may come out finite, as the
// numbers that they stand for are.
// Integers wrap: parts of their sums, scaled by any factor, combine to the very same bits. Floats of 16 bits are left alone: few terms
// leave a total of theirs far above each of them.
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

// One carried value of a loop, and what an iteration makes of it.
struct total {
    MlirOperation loop, reduce;
    intptr_t number;      // of the loop's results
    unsigned axis;        // of the reduction
    MlirOperation last;   // its result is yielded: combines the total, scaled or not, with the reduction
    MlirOperation scaled; // %total · %factor if that is an op of its own; else null
    MlirValue factor;     // null: none
    MlirType parts;       // the tile of what the threads have
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

// The reduction of one tile that the value is, used once, in the loop's body; null otherwise.
static MlirOperation reduction(struct ir *ir, MlirValue value, MlirBlock body) {
    MlirOperation op = value_op(value);
    bool fits = !is_null(op) && op_kind(ir, op) == OP_REDUCE && mlirOperationGetNumOperands(op) == 1 &&
                value_has_one_use(value) && mlirBlockEqual(mlirOperationGetBlock(op), body);
    return fits ? op : (MlirOperation){NULL};
}

// Takes `value` apart as the total, or its product with a factor.
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

// Whether no part of a sum of floats leaves the range that the total stays in.
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

// What combines to the value that the total starts with, part by part; a null value where that takes more than it
// saves. `rest` is what is left to combine behind the loop, or null.
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
    double zero = -0.0; // what changes no sum
    int64_t whole;
    if (!mlirAttributeIsNull(constant) && is_float && mlirFloatAttrGetValueDouble(constant) == 0) {
        zero = mlirFloatAttrGetValueDouble(constant);
    } else if (!is_float && value_is_constant_int(b->ir, init, &whole) && whole == 0) {
        // nothing to add behind the loop
    } else if (total->factor.ptr) {
        return (MlirValue){NULL};
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

// The reduction over threads, behind the loop. `rest` is combined with its result; null: nothing.
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

static void keep_parts(struct pass_context *context, struct total *total, MlirValue first, MlirValue rest) {
    reduce_behind(context, total, rest);
    struct builder b = builder_before(context->ir, total->reduce);
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
    for (size_t i = 0; i < count; i++) { // reductions go away below
        if (op_kind(context->ir, ops[i]) == OP_FOR) {
            ops[loops++] = ops[i];
        }
    }
    for (size_t i = 0; i < loops; i++) {
        visit_loop(context, ops[i]);
    }
}
