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
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/partial_sums
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "ir/build.h"

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

// The kind of the one op that combines two elements; OP_UNKNOWN when there are more.
static enum op_kind combines_by(struct ir *ir, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool both = mlirOperationGetNumOperands(op) == 2 &&
                mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) &&
                mlirValueIsABlockArgument(mlirOperationGetOperand(op, 1)) &&
                !value_is(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1));
    MlirOperation yield = mlirOperationGetNextInBlock(op);
    bool whole = both && !is_null(yield) && op_kind(ir, yield) == OP_YIELD &&
                 value_is(mlirOperationGetOperand(yield, 0), mlirOperationGetResult(op, 0));
    return whole ? op_kind(ir, op) : OP_UNKNOWN;
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
        return !is_null(total->reduce) && total->factor.ptr && combines_by(ir, total->reduce) == OP_ADDF;
    }
    for (intptr_t i = 0; (is_sum(kind) || may_repeat(kind)) && i < 2; i++) {
        total->reduce = reduction(ir, mlirOperationGetOperand(total->last, i), body);
        if (!is_null(total->reduce) && combines_by(ir, total->reduce) == kind) {
            total->is_sum = is_sum(kind);
            return scales_total(ir, total, mlirOperationGetOperand(total->last, 1 - i), carried) &&
                   (kind == OP_ADDF || !total->factor.ptr);
        }
    }
    return false;
}

static int warps_log2(MlirOperation op) {
    while (op_int(op, ATTR_NUM_WARPS, 0) == 0) {
        op = mlirOperationGetParentOperation(op);
    }
    return __builtin_ctz((unsigned)op_int(op, ATTR_NUM_WARPS, 1));
}

// The tile of what the threads have of the reduction; a null type where there is nothing to gain, or a thread's
// registers mix the axis with other dimensions.
static MlirType parts_of(struct pass_context *context, MlirOperation reduce) {
    MlirType from = mlirValueGetType(mlirOperationGetOperand(reduce, 0));
    const struct layout *layout = type_layout(context->ir, from);
    unsigned axis = (unsigned)op_int(reduce, ATTR_AXIS, 0);
    struct layout parts;
    if (!layout || !layout_partial_reduce(layout, axis, &parts)) {
        return (MlirType){NULL};
    }
    struct reduce_plan plan =
        reduce_plan(layout, axis, (unsigned)__builtin_ctz((unsigned)context->target->warp_size),
                    (unsigned)warps_log2(reduce));
    if (!plan.possible || layout_extent(&parts, axis) == 1) {
        return (MlirType){NULL};
    }
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < parts.rank; d++) {
        shape[d] = layout_extent(&parts, d);
    }
    return tensor_type(parts.rank, shape, type_element(from), layout_attribute(context->ir, &parts));
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
    total->axis = (unsigned)op_int(total->reduce, ATTR_AXIS, 0);
    total->parts = parts_of(context, total->reduce);
    return !mlirTypeIsNull(total->parts);
}

// A number for each reduced row, or the one number of a tile of rank 1, for each part of it.
static MlirValue for_each_part(struct builder *b, const struct total *total, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return VALUE(b, "tk.splat", OPERANDS(value), RESULTS(total->parts), NO_ATTRS);
    }
    struct layout wide = layout_expand_dim(type_layout(b->ir, type), total->axis);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < wide.rank; d++) {
        shape[d] = layout_extent(&wide, d);
    }
    MlirType column = tensor_type(wide.rank, shape, type_element(type), layout_attribute(b->ir, &wide));
    MlirValue expanded = VALUE(b, "tk.expand_dims", OPERANDS(value), RESULTS(column),
                               ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)total->axis)));
    return VALUE(b, "tk.broadcast", OPERANDS(expanded), RESULTS(total->parts), NO_ATTRS);
}

// What combines to the value that the total starts with, part by part; a null value where that takes more than it
// saves. `rest` is what is left to combine behind the loop, or null.
static MlirValue first_parts(struct builder *b, const struct total *total, MlirValue *rest) {
    MlirValue init = mlirOperationGetOperand(total->loop, 3 + total->number);
    MlirOperation before = value_op(init);
    *rest = (MlirValue){NULL};
    if (!is_null(before) && op_kind(b->ir, before) == OP_REDUCE && mlirOperationGetNumOperands(before) == 1 &&
        ops_alike(before, total->reduce) && combines_by(b->ir, before) == combines_by(b->ir, total->reduce) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(before, 0)), total->parts)) {
        return mlirOperationGetOperand(before, 0);
    }
    if (!total->is_sum) {
        return for_each_part(b, total, init);
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
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(total->reduce, 0));
    MlirOperation part = build_op_regions(
        &b, "tk.partial_reduce", OPERANDS(mlirOperationGetOperand(total->reduce, 0)), RESULTS(total->parts),
        ATTRS(attr_i32(&b, ATTR_AXIS, (int32_t)total->axis)), 1, &region);
    if (total->factor.ptr) {
        MlirOperation product = is_null(total->scaled) ? total->last : total->scaled;
        b = builder_before(context->ir, product);
        replace_operand(product, total->factor, for_each_part(&b, total, total->factor));
    }
    replace_operand(total->last, mlirOperationGetResult(total->reduce, 0), mlirOperationGetResult(part, 0));
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

void pass_partial_sums(struct pass_context *context, MlirModule module);

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
