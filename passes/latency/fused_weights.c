// fused_weights: weights exp2(x · s - m) take one operation an element before the exponential if m is near 0.
//
//                                                  %far = tk.warp_any (not |%m| < 4096)
//   %p = mulf %x, %s                               %d = if %far { subf (mulf %x, %s), %m } else { fma %x, %s, -%m }
//   %d = subf %p, %m             →
//   %w = exp2 %d                                   %w = exp2 %d
//
// For attention's softmax, as sources write it: m is the rounded product of the largest x and s, and fuse_fma leaves
// the difference alone, since the rounding error of a large m, up to 2^-24 of it, would be an exponent of no source
// at all. Below 4096 it changes a weight by less than 2^-12 of itself, and all weights of a row alike, so it goes
// with the division by their sum (src/decisions/numerics.md). Rows with a larger m are computed as written, and so are
// infinite ones and NaNs; a branch hardly ever taken does it. The 4 % to 10 % of attention's time for the second
// rounding are saved.
//
// The branch stands ahead of the products started in its step: these and the weights are then in one block,
// parts of the products are issued between the exponentials, and a warp does not wait for the matrix
// unit with nothing else to do (heads of 64, a branch between them: 0.87 of the time before).
//
// In another base the difference is multiplied by a constant: so are %s and %m then, a scalar and a number a row.
//
// Behind a branch of steady rows the maximum, and with it the answer, is the step before's: the loop carries the answer,
// and warps ask again when a row grows.
//
// If the maximum is taken of the products themselves, it is taken of x, and multiplied, if s is a positive number: rounding
// keeps the order, so the largest product is the product of the largest x.
//
//   %p = mulf %x, %s                               %odd = not 0 < %s < inf
//   %m = reduce max %p                       →     %y, %a = if %odd { %x · %s; 1 } else { %x; %s }
//   %d = subf %p, %m                               %m = (reduce max %y) · %a;   %d as above, of %y and %a
//
// If a tile of weights is wider than the sums (128 keys a step, heads of 64), exponentials bound the step, and late
// products of warpgroups cost more than the operation saves: 626 us for 604. Such weights stay as they are written.
//
// A warp that multiplies by mma.sync has parts of the following product between its exponentials, so these stay behind the branch
// whatever the widths. Threads with few weights (a decoding step of 16 rows) save less than the branch costs. So do steps whose tiles wait in
// registers for their products (128 keys a step, heads of 128: 707 us for 579).
//
// requires: layouts, warpgroup; hidden_rows and steady_rows before
// provides: nothing; keeps everything
// test:     tests/golden/passes/fused_weights, tests/lang/attention.tk
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/latency/branch_first.h"

enum { NEAR = 4096 };

// exp2(product - peak), with one peak a row.
struct weights {
    struct pass_context *context;
    MlirOperation product, difference;
    MlirOperation in_base_2; // the difference times a constant, or null
    double factor;           // the constant; 1
    MlirOperation maximum;   // the reduction of the product, or null
    MlirOperation positive;  // the branch on the scale, or null
    bool by_warpgroups;      // the product of the weights is warpgroups', else a warp's
    MlirValue peak;          // the rows' peaks, of rank 1
};

// The value's op, if it is of the kind and stands in the block; else null.
static MlirOperation maker(struct ir *ir, MlirValue value, enum op_kind kind, MlirBlock block) {
    MlirOperation op = value_op(value);
    bool fits = !mlirOperationIsNull(op) && op_kind(ir, op) == kind &&
                mlirBlockEqual(mlirOperationGetBlock(op), block);
    return fits ? op : (MlirOperation){NULL};
}

// True if the reduction takes the largest of each row, or of each thread's part of it (steady_rows).
static bool takes_largest(struct ir *ir, MlirOperation reduce) {
    enum op_kind reduces = op_kind(ir, reduce);
    if ((reduces != OP_REDUCE && reduces != OP_PARTIAL_REDUCE) || mlirOperationGetNumOperands(reduce) != 1) {
        return false;
    }
    enum op_kind kind = reduce_combines_by(ir, reduce);
    return op_int(reduce, ATTR_AXIS) == 1 && (kind == OP_MAXNUMF || kind == OP_MAXIMUMF);
}

// True if the difference alone reads the product, or it and one maximum of rows; the maximum is noted.
static bool find_readers(struct weights *w) {
    MlirValue product = mlirOperationGetResult(w->product, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(product); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        if (mlirOperationEqual(reader, w->difference)) {
            continue;
        }
        bool known = mlirOperationIsNull(w->maximum) && takes_largest(w->context->ir, reader) &&
                     mlirBlockEqual(mlirOperationGetBlock(reader), mlirOperationGetBlock(w->product));
        if (!known) {
            return false;
        }
        w->maximum = reader;
    }
    MlirOperation splat = value_op(binary_right(w->product));
    return (mlirOperationIsNull(w->maximum) && mlirOperationIsNull(w->in_base_2)) ||
           (!mlirOperationIsNull(splat) && op_kind(w->context->ir, splat) == OP_SPLAT);
}

// The difference in the exponent; of another base it is multiplied by a constant; the constant is noted.
static MlirValue find_base(struct weights *w, MlirOperation exp2, MlirBlock block) {
    MlirValue exponent = unary_source(exp2);
    MlirOperation product = maker(w->context->ir, exponent, OP_MULF, block);
    MlirAttribute constant = mlirOperationIsNull(product)
                                 ? mlirAttributeGetNull()
                                 : value_constant(w->context->ir, binary_right(product));
    w->factor = 1;
    if (!mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant) && value_has_one_use(exponent)) {
        double factor = mlirFloatAttrGetValueDouble(constant);
        if (factor >= 0x1p-4 && factor <= 4) {
            w->in_base_2 = product;
            w->factor = factor;
            return binary_left(product);
        }
    }
    return exponent;
}

static bool find(struct weights *w, MlirOperation exp2) {
    struct ir *ir = w->context->ir;
    MlirBlock block = mlirOperationGetBlock(exp2);
    MlirType type = mlirValueGetType(mlirOperationGetResult(exp2, 0));
    if (!type_is_tensor(type) || type_rank(type) != 2 || !mlirTypeEqual(type_element(type), type_f32(ir))) {
        return false;
    }
    MlirValue exponent = find_base(w, exp2, block);
    w->difference = maker(ir, exponent, OP_SUBF, block);
    if (mlirOperationIsNull(w->difference) || !value_has_one_use(exponent)) {
        return false;
    }
    w->product = maker(ir, binary_left(w->difference), OP_MULF, block);
    w->peak = binary_right(w->difference);
    MlirOperation op = value_op(w->peak);
    while (!mlirOperationIsNull(op) &&
           (op_kind(ir, op) == OP_BROADCAST || op_kind(ir, op) == OP_EXPAND_DIMS)) {
        w->peak = unary_source(op);
        op = value_op(w->peak);
    }
    type = mlirValueGetType(w->peak);
    return !mlirOperationIsNull(w->product) && type_is_tensor(type) && type_rank(type) == 1 &&
           find_readers(w);
}

// ---- the maximum of products ----

static MlirValue compare(struct builder *b, MlirValue x, MlirValue y, enum float_predicate predicate) {
    return VALUE(b, OP_CMPF, OPERANDS(x, y), RESULTS(type_i1(b->ir)),
                 ATTRS(attr(b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(b->ir), predicate))));
}

// Lets the op read another value in place of one.
static void read_instead(MlirOperation op, MlirValue value, MlirValue other) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (value_is(mlirOperationGetOperand(op, i), value)) {
            mlirOperationSetOperand(op, i, other);
        }
    }
}

// Takes the maximum before the multiplication: the product then is one of the difference alone.
static void scale_maximum(struct weights *w) {
    struct ir *ir = w->context->ir;
    struct builder b = builder_before(ir, w->product);
    MlirValue product = mlirOperationGetResult(w->product, 0), x = binary_left(w->product);
    MlirValue scale = unary_source(value_op(binary_right(w->product)));
    MlirType type = mlirValueGetType(product), number = mlirValueGetType(scale);
    MlirValue below = compare(&b, scale, const_float(&b, number, 0), FLOAT_ULE);
    MlirValue beyond = compare(&b, scale, const_float(&b, number, INFINITY), FLOAT_UGE);
    MlirValue odd = build_binary(&b, OP_ORI, below, beyond);
    MlirBlock then, otherwise;
    w->positive = build_if(&b, odd, RESULTS(type), &then, &otherwise);
    MlirValue y = mlirOperationGetResult(w->positive, 0);
    MlirValue factor =
        VALUE(&b, OP_SELECT, OPERANDS(odd, const_float(&b, number, 1), scale), RESULTS(number), NO_ATTRS);
    MlirValue again =
        build_binary(&b, OP_MULF, y, VALUE(&b, OP_SPLAT, OPERANDS(factor), RESULTS(type), NO_ATTRS));
    read_instead(w->difference, product, again);
    read_instead(w->maximum, product, y);
    mlirOperationRemoveFromParent(w->product);
    mlirBlockAppendOwnedOperation(then, w->product);
    struct builder written = builder_at_end(ir, then, b.location),
                   plain = builder_at_end(ir, otherwise, b.location);
    build_yield(&written, OPERANDS(product));
    build_yield(&plain, OPERANDS(x));
    w->product = value_op(again);

    MlirValue largest = mlirOperationGetResult(w->maximum, 0);
    MlirType rows = mlirValueGetType(largest);
    struct builder behind = builder_before(ir, mlirOperationGetNextInBlock(w->maximum));
    MlirValue factors = VALUE(&behind, OP_SPLAT, OPERANDS(factor), RESULTS(rows), NO_ATTRS);
    MlirValue scaled = build_binary(&behind, OP_MULF, largest, factors);
    mlirValueReplaceAllUsesOfWith(largest, scaled);
    read_instead(value_op(scaled), scaled, largest);
    w->peak = value_is(w->peak, largest) ? scaled : w->peak;
}

// ---- the branch on the peaks ----

// An i1 of each warp: one of its rows' peaks is not near 0.
static MlirValue build_far(struct builder *b, const struct weights *w, MlirValue peak) {
    MlirType type = mlirValueGetType(peak);
    MlirType bits =
        type_with_layout(b->ir, type_with_shape_of(type, type_i1(b->ir)), type_layout(b->ir, type));
    MlirValue size = VALUE(b, OP_ABSF, OPERANDS(peak), RESULTS(type), NO_ATTRS);
    MlirValue beyond =
        VALUE(b, OP_CMPF, OPERANDS(size, const_float(b, type, NEAR / fmax(w->factor, 1))), RESULTS(bits),
              ATTRS(attr(b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(b->ir), FLOAT_UGE))));
    return VALUE(b, OP_WARP_ANY, OPERANDS(beyond), RESULTS(type_i1(b->ir)), NO_ATTRS);
}

// The loop carrying the peak, if the peak is the result of a branch of steady rows whose other arm is the carried one;
// else null. `result`: its number.
static MlirOperation steady_loop(const struct weights *w, MlirOperation either, intptr_t *result,
                                 intptr_t *carried) {
    struct ir *ir = w->context->ir;
    MlirOperation loop = mlirOperationIsNull(either) ? either : mlirOperationGetParentOperation(either),
                  none = {NULL};
    if (mlirOperationIsNull(either) || op_kind(ir, either) != OP_IF || op_kind(ir, loop) != OP_FOR) {
        return none;
    }
    *result = mlirOpResultGetResultNumber(w->peak);
    MlirValue kept = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(either, 1)), *result);
    MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
    for (*carried = 0; *carried < for_init_count(loop); ++*carried) {
        if (value_is(mlirBlockGetArgument(op_body(loop, 0), 1 + *carried), kept)) {
            return value_is(mlirOperationGetOperand(yield, *carried), w->peak) ? loop : none;
        }
    }
    return none;
}

// The answer of build_far for the peak at `b`. Steady rows do not ask again: the loop carries the answer.
static MlirValue find_far(struct weights *w, struct builder *b) {
    struct ir *ir = w->context->ir;
    struct arena *arena = w->context->arena;
    intptr_t result, carried;
    MlirOperation either = value_op(w->peak), loop = steady_loop(w, either, &result, &carried);
    if (mlirOperationIsNull(loop)) {
        return build_far(b, w, w->peak);
    }
    struct builder before = builder_before(ir, loop);
    MlirValue first = build_far(&before, w, for_init(loop, carried));
    loop = build_more(ir, arena, loop, OPERANDS(first));
    either = build_more(ir, arena, either, OPERANDS(first));
    w->peak = mlirOperationGetResult(either, result);
    MlirBlock body = op_body(loop, 0), then = op_body(either, 0);
    MlirOperation grown = mlirBlockGetTerminator(then);
    struct builder again = builder_before(ir, grown);
    MlirValue far = mlirOperationGetResult(either, mlirOperationGetNumResults(either) - 1);
    build_yield_more(ir, arena, then, OPERANDS(build_far(&again, w, mlirOperationGetOperand(grown, result))));
    build_yield_more(ir, arena, op_body(either, 1),
                     OPERANDS(mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1)));
    build_yield_more(ir, arena, body, OPERANDS(far));
    return far;
}

// ---- the exponentials ----

// A sum of each thread's weights, or null.
static MlirOperation sum_of_parts(struct ir *ir, MlirOperation exp2) {
    MlirValue weights = mlirOperationGetResult(exp2, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(weights); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        if (op_kind(ir, reader) == OP_PARTIAL_REDUCE &&
            mlirBlockEqual(mlirOperationGetBlock(reader), mlirOperationGetBlock(exp2))) {
            return reader;
        }
    }
    return (MlirOperation){NULL};
}

// Repeats an op of one operand at the end of each arm, on the arm's first yielded value; the arm yields the result, too.
static void repeat_in_arms(struct ir *ir, struct arena *arena, MlirOperation branch, MlirOperation op,
                           bool more) {
    for (int arm = 0; arm < 2; arm++) {
        MlirOperation yield = mlirBlockGetTerminator(op_body(branch, arm)), again = mlirOperationClone(op);
        struct builder b = builder_before(ir, yield);
        set_unary_source(again, yield_value(yield, 0));
        build_insert(&b, again);
        if (more) {
            build_yield_more(ir, arena, op_body(branch, arm), OPERANDS(mlirOperationGetResult(again, 0)));
        } else {
            set_yield_value(yield, 0, mlirOperationGetResult(again, 0));
        }
    }
}

// Takes the exponentials and their sums into the branch if no product starts between them: of one block, they run beside
// the differences.
static void take_exponentials(struct weights *w, MlirOperation branch, MlirOperation exp2) {
    struct ir *ir = w->context->ir;
    struct arena *arena = w->context->arena;
    MlirOperation sum = sum_of_parts(ir, exp2);
    for (MlirOperation op = branch; !mlirOperationEqual(op, exp2); op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_WARPGROUP_DOT || mlirOperationIsNull(sum)) {
            return;
        }
    }
    MlirValue total = mlirOperationGetResult(sum, 0);
    branch = build_more(ir, arena, branch, OPERANDS(total));
    repeat_in_arms(ir, arena, branch, exp2, false);
    repeat_in_arms(ir, arena, branch, sum, true);
    mlirValueReplaceAllUsesOfWith(total, mlirOperationGetResult(branch, 1));
    mlirOperationDestroy(sum);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(exp2, 0), mlirOperationGetResult(branch, 0));
    mlirOperationDestroy(exp2);
}

// The fused operation: x · s - m, times the constant: it multiplies the scale and the rows' maxima.
static MlirValue build_fused(struct builder *b, const struct weights *w, MlirType type) {
    MlirValue x = binary_left(w->product), scale = binary_right(w->product),
              peak = binary_right(w->difference);
    if (!mlirOperationIsNull(w->in_base_2)) {
        MlirValue number = unary_source(value_op(scale));
        MlirValue factor = const_float(b, mlirValueGetType(number), w->factor);
        number = build_binary(b, OP_MULF, number, factor);
        scale = VALUE(b, OP_SPLAT, OPERANDS(number), RESULTS(type), NO_ATTRS);
        peak = build_binary(b, OP_MULF, peak, const_float(b, type, w->factor));
    }
    MlirValue less = VALUE(b, OP_NEGF, OPERANDS(peak), RESULTS(type), NO_ATTRS);
    return VALUE(b, OP_FMA, OPERANDS(x, scale, less), RESULTS(type), NO_ATTRS);
}

static void move_into(MlirBlock block, MlirOperation op) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
}

static void fuse(struct weights *w, MlirOperation exp2) {
    struct ir *ir = w->context->ir;
    if (!mlirOperationIsNull(w->maximum)) {
        scale_maximum(w);
    }
    bool in_base_2 = !mlirOperationIsNull(w->in_base_2);
    struct builder b = builder_before(ir, w->difference);
    MlirValue far = find_far(w, &b), exponent = unary_source(exp2);
    MlirType type = mlirValueGetType(exponent);
    MlirBlock then, otherwise;
    MlirOperation either = build_if(&b, far, RESULTS(type), &then, &otherwise);
    mlirValueReplaceAllUsesOfWith(exponent, mlirOperationGetResult(either, 0));
    struct builder near = builder_at_end(ir, otherwise, b.location);
    build_yield(&near, OPERANDS(build_fused(&near, w, type)));
    move_into(then, w->product);
    move_into(then, w->difference);
    struct builder written = builder_at_end(ir, then, b.location);
    if (in_base_2) {
        set_binary_right(w->in_base_2, const_float(&written, type, w->factor));
        move_into(then, w->in_base_2);
    }
    build_yield(&written, OPERANDS(exponent));
    branch_first(w->context, either);
    if (w->by_warpgroups) {
        take_exponentials(w, either, exp2);
    }
}

// A product of warpgroups, or one by mma.sync.
static bool is_product(struct pass_context *context, MlirOperation op) {
    enum op_kind kind = op_kind(context->ir, op);
    return kind == OP_WARPGROUP_DOT ||
           (kind == OP_DOT && context->target->vendor == VENDOR_NVIDIA && op_has(op, ATTR_INSTRUCTION));
}

// True if the block loads a tile into registers, where it waits for its product.
static bool loads_tiles(struct ir *ir, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirType type =
            op_kind(ir, op) == OP_LOAD ? mlirValueGetType(mlirOperationGetResult(op, 0)) : type_i32(ir);
        if (type_is_tensor(type) && type_rank(type) == 2) {
            return true;
        }
    }
    return false;
}

// True if weights of this type are the left operand of a product: of one of warpgroups at least as wide, or of one by mma.sync
// for which a thread has enough of them.
static bool multiply(struct weights *w, MlirOperation products[], size_t count, MlirType weights) {
    enum { ENOUGH = 32 };
    struct ir *ir = w->context->ir;
    for (size_t i = 0; i < count; i++) {
        w->by_warpgroups = op_kind(ir, products[i]) == OP_WARPGROUP_DOT;
        MlirType left =
            mlirValueGetType(w->by_warpgroups ? warpgroup_dot_a(products[i]) : dot_a(products[i]));
        MlirType sums = mlirValueGetType(mlirOperationGetResult(products[i], 0));
        if (type_is_shared(ir, left) || type_extent(left, 0) != type_extent(weights, 0) ||
            type_extent(left, 1) != type_extent(weights, 1)) {
            continue;
        }
        if (w->by_warpgroups ? type_extent(sums, 1) >= type_extent(left, 1)
                             : layout_registers(type_layout(ir, weights)) >= ENOUGH &&
                                   !loads_tiles(ir, mlirOperationGetBlock(products[i]))) {
            return true;
        }
    }
    return false;
}

void pass_fused_weights(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    MlirOperation *products = ARENA_ARRAY(context->arena, MlirOperation, count + 1);
    size_t dots = 0, exponentials = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_product(context, ops[i])) {
            products[dots++] = ops[i];
        } else if (op_kind(context->ir, ops[i]) == OP_EXP2) {
            ops[exponentials++] = ops[i];
        }
    }
    for (size_t i = 0; i < exponentials && context->fp_contract; i++) {
        struct weights w = {.context = context};
        if (find(&w, ops[i]) &&
            multiply(&w, products, dots, mlirValueGetType(mlirOperationGetResult(ops[i], 0)))) {
            fuse(&w, ops[i]);
        }
    }
}
