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
// Each part has to stay where the total does: a part that is 0 makes NaN of a factor that is infinite, where the total would be
// infinite; and parts that cancel each other grow by a factor above 1, where the total stays, until they are infinite. So a factor
// is an exponential, as all that rescale a sum of weights are, or a constant of at most 1. Floats of 16 bits are left alone: their
// range ends where the parts of a total that cancel each other may well be.
//
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/partial_sums
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/parts.h"

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
    if (is_null(product) || op_kind(ir, product) != OP_MULF || !value_has_one_use(value)) {
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
        total->reduce = reduction(ir, mlirOperationGetOperand(total->last, 2), body);
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
                   (kind == OP_ADDF || !total->factor.ptr);
        }
    }
    return false;
}

// Whether the factor leaves parts finite in any total that is.
static bool is_tame(struct ir *ir, MlirValue factor, int depth) {
    enum { DEEPEST = 16 };
    MlirOperation op = value_op(factor);
    MlirAttribute constant = value_constant(ir, factor);
    if (!mlirAttributeIsNull(constant)) {
        return fabs(mlirFloatAttrGetValueDouble(constant)) <= 1;
    }
    if (is_null(op) || depth == DEEPEST) {
        return false;
    }
    switch (op_kind(ir, op)) {
    case OP_EXP2:
        return true;
    case OP_SELECT:
        return is_tame(ir, mlirOperationGetOperand(op, 1), depth + 1) &&
               is_tame(ir, mlirOperationGetOperand(op, 2), depth + 1);
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_CONVERT_LAYOUT:
        return is_tame(ir, mlirOperationGetOperand(op, 0), depth + 1);
    default:
        return false;
    }
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
        !value_has_one_use(carried) || !value_has_one_use(next) || !combines_total(ir, total, carried) ||
        (total->factor.ptr && !is_tame(ir, total->factor, 0))) {
        return false;
    }
    MlirType element = type_element(mlirValueGetType(carried));
    if (total->is_sum && mlirTypeIsAFloat(element) && type_bits(element) < 32) {
        return false;
    }
    total->axis = (unsigned)op_int(total->reduce, ATTR_AXIS, 0);
    total->parts = parts_of(context, total->reduce);
    return !mlirTypeIsNull(total->parts);
}

// What combines to the value that the total starts with, part by part; a null value where that takes more than it
// saves. `rest` is what is left to combine behind the loop, or null.
static MlirValue first_parts(struct builder *b, const struct total *total, MlirValue *rest) {
    MlirValue init = mlirOperationGetOperand(total->loop, 3 + total->number);
    MlirOperation before = value_op(init);
    *rest = (MlirValue){NULL};
    if (!is_null(before) && op_kind(b->ir, before) == OP_REDUCE && mlirOperationGetNumOperands(before) == 1 &&
        ops_alike(before, total->reduce) &&
        reduce_combines_by(b->ir, before) == reduce_combines_by(b->ir, total->reduce) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(before, 0)), total->parts)) {
        return mlirOperationGetOperand(before, 0);
    }
    if (!total->is_sum) {
        return parts_spread(b, total->parts, total->axis, init);
    }
    MlirAttribute constant = value_constant(b->ir, init);
    bool is_float = mlirTypeIsAFloat(type_element(total->parts));
    double zero = -0.0; // what changes no sum
    if (!mlirAttributeIsNull(constant) && is_float && mlirFloatAttrGetValueDouble(constant) == 0) {
        zero = mlirFloatAttrGetValueDouble(constant);
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
        result = build_binary(&b, is_float ? "arith.addf" : "arith.addi", rest, result);
    }
    mlirValueReplaceAllUsesOfWith(parts, result);
    mlirOperationSetOperand(whole, 0, parts);
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
    mlirOperationSetOperand(total->loop, 3 + total->number, first);
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
