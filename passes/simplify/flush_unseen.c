// flush_unseen: exponentials flush subnormal results if the flush cannot change any stored value.
//
//   %m = reduce max %x                              %m = reduce max %x
//   %w = exp2 (%x - %m) · c {tk.subnormal}     →    %w = exp2 (%x - %m) · c
//   %s = reduce add %w                              %s = reduce add %w
//   store truncf %w / %s to f16                     store truncf %w / %s to f16
//
// tl.exp keeps results below 2^-126, at a cost of three more instructions an element than the hardware's exp2
// (six on AMD). A flush to zero is invisible in
//   - a conversion to an IEEE 16-bit float or to an 8-bit one: 2^-25 and less becomes zero there;
//   - a sum with a constant of 2^-100 or more, too large to change (sigmoid, softplus);
//   - a sum of weights with the row maximum's weight, 1, among them: the flushed terms are at most 2^-100 of the
//     sum, less than the effect of the order of addition;
//   - a quotient by such a sum, if the quotient's own uses are in this list.
// Attention's running sums are at least 1 too. If an iteration raises the maximum, one of its weights is 1;
// otherwise the earlier sum remains. They start at zero or above, with a start maximum far below every finite
// score. The maximum of %x = %s · %c may be written as the maximum of %s, times %c: whatever the sign of %c, one of the
// weights is 1.
//
// bf16 has the range of f32, but 2^-134 and less becomes zero there. If weights of bf16 go into dots, and all else
// does not see the flush, the exponential is marked `subnormal_bf16`; `slack` then lets larger weights be computed.
//
// A quotient n / d may be 0 where 1 / d is below 2^-126, if it ends in floats of 16 or 8 bits: it is marked `flushes`, and needs no scaling
// (bounded_divisors). It loses size(n) · 2^-126, which products on its way multiply and sums keep; 2^-40 of a result show in no format but
// bf16. So factors must have a bound: they come from formats of few bits, or are sums of products of those (facts/largest.h).
//
// requires: cleanup
// provides: nothing; keeps everything
// test:     tests/golden/passes/flush_unseen
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/largest.h"
#include "passes/facts/parts.h"
#include "passes/facts/sign.h"

static MlirValue result(MlirOperation op) {
    return mlirOperationGetResult(op, 0);
}

static bool is_op(struct ir *ir, MlirOperation op, enum op_kind kind) {
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind;
}

// The op of the value, if it has the kind; null otherwise.
static MlirOperation made_by(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return is_op(ir, op, kind) ? op : (MlirOperation){NULL};
}

// The constant value of a float scalar, or of all elements of a tile; NaN if there is none.
static double constant_of(struct ir *ir, MlirValue value) {
    MlirAttribute constant = value_constant(ir, value);
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)
               ? mlirFloatAttrGetValueDouble(constant)
               : NAN;
}

// A reduction of one tile by the sum or the maximum of its elements.
static MlirOperation reduction(struct ir *ir, MlirValue value, bool is_sum) {
    MlirOperation op = made_by(ir, value, OP_REDUCE);
    if (mlirOperationIsNull(op) || mlirOperationGetNumOperands(op) != 1) {
        return (MlirOperation){NULL};
    }
    enum op_kind by = reduce_combines_by(ir, op);
    bool fits = is_sum ? by == OP_ADDF : by == OP_MAXNUMF || by == OP_MAXIMUMF;
    return fits ? op : (MlirOperation){NULL};
}

// The reduced tile behind a value, its repetition along the axis; null if the value has another form.
static MlirValue spread_along(struct ir *ir, MlirValue value, int64_t axis) {
    MlirOperation op = value_op(value);
    if (is_op(ir, op, OP_BROADCAST)) {
        op = value_op(unary_source(op));
    }
    bool fits = is_op(ir, op, OP_SPLAT) || (is_op(ir, op, OP_EXPAND_DIMS) && op_int(op, ATTR_AXIS) == axis);
    return fits ? unary_source(op) : (MlirValue){NULL};
}

// Weights exp2((x - m) · c): c is at least 1.
struct weights {
    MlirValue x, m; // m: the spread tile, or one value for each row
};

static bool find_weights(struct ir *ir, MlirValue value, struct weights *weights) {
    MlirOperation exponential = made_by(ir, value, OP_EXP2);
    MlirOperation product =
        mlirOperationIsNull(exponential) ? exponential : made_by(ir, unary_source(exponential), OP_MULF);
    if (mlirOperationIsNull(product) || !(constant_of(ir, binary_right(product)) >= 1)) {
        return false;
    }
    MlirOperation difference = made_by(ir, binary_left(product), OP_SUBF);
    if (mlirOperationIsNull(difference)) {
        return false;
    }
    *weights = (struct weights){binary_left(difference), binary_right(difference)};
    return true;
}

static bool reduces_to_maximum(struct ir *ir, MlirValue value, MlirValue x, int64_t axis) {
    MlirOperation op = reduction(ir, value, false);
    return !mlirOperationIsNull(op) && value_is(reduce_tile(op, 0), x) && op_int(op, ATTR_AXIS) == axis;
}

// The scalar of all elements of the value; the value itself if it is a scalar; null if they may differ.
static MlirValue repeated(struct ir *ir, MlirValue value) {
    MlirOperation splat = made_by(ir, value, OP_SPLAT);
    if (!mlirOperationIsNull(splat)) {
        return unary_source(splat);
    }
    return type_is_tensor(mlirValueGetType(value)) ? (MlirValue){NULL} : value;
}

// True if both are products with one scalar. `s`, `high`: the other factors.
static bool scaled_alike(struct ir *ir, MlirValue x, MlirValue largest, MlirValue *s, MlirValue *high) {
    MlirOperation product = made_by(ir, x, OP_MULF), of_largest = made_by(ir, largest, OP_MULF);
    if (mlirOperationIsNull(product) || mlirOperationIsNull(of_largest)) {
        return false;
    }
    for (intptr_t i = 0; i < 4; i++) {
        MlirValue factor = repeated(ir, mlirOperationGetOperand(product, i & 1));
        MlirValue other = repeated(ir, mlirOperationGetOperand(of_largest, i >> 1));
        if (factor.ptr && other.ptr && value_is(factor, other)) {
            *s = mlirOperationGetOperand(product, 1 - (i & 1));
            *high = mlirOperationGetOperand(of_largest, 1 - (i >> 1));
            return true;
        }
    }
    return false;
}

// True if the value is x's maximum along the axis; with a negative scale it may be another of x's elements there.
static bool is_maximum_of(struct ir *ir, MlirValue value, MlirValue x, int64_t axis) {
    MlirValue s, high;
    return reduces_to_maximum(ir, value, x, axis) ||
           (scaled_alike(ir, x, value, &s, &high) && reduces_to_maximum(ir, high, s, axis));
}

// For value = max(other, x's maximum along the axis): `other`. Null for any other value.
static MlirValue maximum_until_then(struct ir *ir, MlirValue value, MlirValue x, int64_t axis) {
    MlirOperation op = value_op(value);
    if (is_op(ir, op, OP_MAXNUMF) || is_op(ir, op, OP_MAXIMUMF)) {
        for (intptr_t i = 0; i < 2; i++) {
            if (is_maximum_of(ir, mlirOperationGetOperand(op, i), x, axis)) {
                return mlirOperationGetOperand(op, 1 - i);
            }
        }
    }
    return (MlirValue){NULL};
}

// ---- running sums ----

static MlirValue carried(MlirOperation loop, intptr_t number) {
    return mlirBlockGetArgument(op_body(loop, 0), 1 + number);
}

static MlirValue yielded(MlirOperation loop, intptr_t number) {
    return yield_value(mlirBlockGetTerminator(op_body(loop, 0)), number);
}

static MlirValue initial(MlirOperation loop, intptr_t number) {
    return for_init(loop, number);
}

// True if `next` is total · exp2((peak - m) · c) + Σ exp2((x - m) · c), with m = max(peak, x's maximum).
static bool adds_weights(struct ir *ir, MlirValue next, MlirValue total, MlirValue peak, MlirValue m) {
    MlirOperation sum = made_by(ir, next, OP_ADDF);
    for (intptr_t i = 0; !mlirOperationIsNull(sum) && i < 2; i++) {
        MlirOperation scaled = made_by(ir, mlirOperationGetOperand(sum, i), OP_MULF);
        MlirOperation added = reduction(ir, mlirOperationGetOperand(sum, 1 - i), true);
        struct weights kept, new;
        if (mlirOperationIsNull(scaled) || mlirOperationIsNull(added) ||
            !find_weights(ir, reduce_tile(added, 0), &new)) {
            continue;
        }
        int64_t axis = op_int(added, ATTR_AXIS);
        intptr_t factor = value_is(binary_left(scaled), total) ? 1 : 0;
        MlirValue row = spread_along(ir, new.m, axis);
        if (value_is(mlirOperationGetOperand(scaled, 1 - factor), total) && row.ptr && value_is(row, m) &&
            find_weights(ir, mlirOperationGetOperand(scaled, factor), &kept) && value_is(kept.x, peak) &&
            value_is(kept.m, m)) {
            MlirValue before = maximum_until_then(ir, m, new.x, axis);
            return before.ptr && value_is(before, peak);
        }
    }
    return false;
}

// True if a chain of loops carries a running sum of weights, and beside it the maximum they are relative to.
static bool carries_total(struct ir *ir, MlirOperation loop, intptr_t total, intptr_t peak) {
    enum { MOST_LOOPS = 8 };
    // Floats this low are 2^76 apart: any score but the maximum is too far from it to have a weight.
    const double NEAR_NOTHING = -1e30;
    for (int depth = 0; depth < MOST_LOOPS; depth++) {
        if (!adds_weights(ir, yielded(loop, total), carried(loop, total), carried(loop, peak),
                          yielded(loop, peak))) {
            return false;
        }
        MlirValue first_total = initial(loop, total), first_peak = initial(loop, peak);
        double constant = constant_of(ir, first_total);
        if (!isnan(constant)) {
            return constant >= 0 && constant_of(ir, first_peak) <= NEAR_NOTHING;
        }
        loop = made_by(ir, first_total, OP_FOR);
        if (mlirOperationIsNull(loop) || !value_op(first_peak).ptr ||
            !mlirOperationEqual(value_op(first_peak), loop)) {
            return false;
        }
        total = mlirOpResultGetResultNumber(first_total);
        peak = mlirOpResultGetResultNumber(first_peak);
    }
    return false;
}

// True if a loop's running sum of weights is the only use of this sum.
static bool joins_total(struct ir *ir, MlirOperation sum, MlirValue m) {
    MlirOperation next = value_has_one_use(result(sum))
                             ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result(sum)))
                             : (MlirOperation){NULL};
    MlirOperation loop = mlirOperationIsNull(next) ? next : mlirOperationGetParentOperation(next);
    if (!is_op(ir, loop, OP_FOR)) {
        return false;
    }
    intptr_t total = -1, peak = -1, count = mlirOperationGetNumResults(loop);
    for (intptr_t i = 0; i < count; i++) {
        total = value_is(yielded(loop, i), result(next)) ? i : total;
        peak = value_is(yielded(loop, i), m) ? i : peak;
    }
    return total >= 0 && peak >= 0 && carries_total(ir, loop, total, peak);
}

// ---- uses of a result ----

// True if the sum contains a weight of 1, or is only added to a running sum with an earlier one.
static bool outweighs(struct ir *ir, MlirOperation sum) {
    struct weights weights;
    int64_t axis = op_int(sum, ATTR_AXIS);
    if (!find_weights(ir, reduce_tile(sum, 0), &weights)) {
        return false;
    }
    MlirValue m = spread_along(ir, weights.m, axis);
    return m.ptr && (is_maximum_of(ir, m, weights.x, axis) || joins_total(ir, sum, m));
}

// True if each element of the divisor is a sum of weights whose largest is 1.
static bool is_whole(struct ir *ir, MlirValue divisor) {
    MlirOperation op = value_op(divisor);
    while (is_op(ir, op, OP_BROADCAST) || is_op(ir, op, OP_EXPAND_DIMS) || is_op(ir, op, OP_SPLAT)) {
        op = value_op(unary_source(op));
    }
    MlirOperation sum = mlirOperationIsNull(op) ? op : reduction(ir, result(op), true);
    struct weights weights;
    if (mlirOperationIsNull(sum) || !find_weights(ir, reduce_tile(sum, 0), &weights)) {
        return false;
    }
    int64_t axis = op_int(sum, ATTR_AXIS);
    MlirValue m = spread_along(ir, weights.m, axis);
    return m.ptr && is_maximum_of(ir, m, weights.x, axis);
}

// True if all readers of the value are dots.
static bool only_multiplied(struct ir *ir, MlirValue value) {
    bool all = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); all && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        all = op_kind(ir, mlirOpOperandGetOwner(use)) == OP_DOT;
    }
    return all;
}

// True if values below 2^-126 in this f32 value may become zero without a visible change; `in_bf16`: but for the change by
// dots of the value in bf16 show.
static bool is_unseen(struct ir *ir, MlirValue value, int depth, bool in_bf16) {
    enum { DEEPEST = 8 };
    const double LEAST_SUMMAND = 0x1p-100;
    if (depth == DEEPEST) {
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        unsigned number = mlirOpOperandGetOperandNumber(use);
        bool unseen = false;
        MlirType to;
        switch (op_kind(ir, reader)) {
        case OP_TRUNCF:
        case OP_FP_TO_FP:
            to = type_element(mlirValueGetType(result(reader)));
            unseen = mlirTypeIsAF16(to) || type_bits(to) == 8 ||
                     (in_bf16 && mlirTypeIsABF16(to) && only_multiplied(ir, result(reader)));
            break;
        case OP_ADDF:
        case OP_SUBF:
            unseen = fabs(constant_of(ir, mlirOperationGetOperand(reader, 1 - number))) >= LEAST_SUMMAND;
            break;
        case OP_REDUCE:
            unseen = !mlirOperationIsNull(reduction(ir, result(reader), true)) && outweighs(ir, reader);
            break;
        case OP_DIVF:
            unseen = number == 0 && is_whole(ir, binary_right(reader)) &&
                     is_unseen(ir, result(reader), depth + 1, false);
            break;
        case OP_SELECT:
            unseen = number > 0 && is_unseen(ir, result(reader), depth + 1, false);
            break;
        case OP_SPLAT:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
        case OP_RESHAPE:
        case OP_TRANS:
            unseen = is_unseen(ir, result(reader), depth + 1, false);
            break;
        default:
            break;
        }
        if (!unseen) {
            return false;
        }
    }
    return true;
}

// ---- quotients ----

// True if an error of this size in this f32 value shows in nothing that is stored.
static bool error_is_unseen(struct ir *ir, MlirValue value, double error, int depth) {
    enum { DEEPEST = 8 };
    const double NOTHING = 0x1p-40;
    bool unseen = depth < DEEPEST && error <= NOTHING && value_has_uses(value);
    for (MlirOpOperand use = mlirValueGetFirstUse(value); unseen && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        unsigned number = mlirOpOperandGetOperandNumber(use);
        enum op_kind kind = op_kind(ir, reader);
        double more = error;
        MlirType to;
        switch (kind) {
        case OP_TRUNCF:
        case OP_FP_TO_FP:
            to = type_element(mlirValueGetType(result(reader)));
            unseen = mlirTypeIsAF16(to) || type_bits(to) == 8;
            break;
        case OP_MULF:
            more *= fmax(1, value_largest(ir, mlirOperationGetOperand(reader, 1 - number)));
            unseen = !value_is(binary_left(reader), binary_right(reader)) &&
                     error_is_unseen(ir, result(reader), more, depth + 1);
            break;
        case OP_ADDF:
        case OP_SUBF:
        case OP_NEGF:
            unseen = error_is_unseen(ir, result(reader), 2 * error, depth + 1);
            break;
        case OP_SELECT:
            unseen = number > 0 && error_is_unseen(ir, result(reader), error, depth + 1);
            break;
        default:
            unseen = op_rearranges(kind) && error_is_unseen(ir, result(reader), error, depth + 1);
            break;
        }
    }
    return unseen;
}

static void mark_quotient(struct ir *ir, MlirOperation quotient) {
    const double LEAST_DIVISOR = 0x1p-124, FLUSHED = 0x1p-126;
    MlirType type = mlirValueGetType(result(quotient));
    if (mlirTypeEqual(type_is_tensor(type) ? type_element(type) : type, type_f32(ir)) &&
        error_is_unseen(ir, result(quotient), FLUSHED * value_largest(ir, binary_left(quotient)), 0) &&
        value_lower_bound(ir, binary_right(quotient)) >= LEAST_DIVISOR) {
        op_set_unit(ir, quotient, ATTR_FLUSHES);
    }
}

void pass_flush_unseen(struct pass_context *context, MlirModule module) {
    struct ir *ir = context->ir;
    size_t count;
    MlirOperation *ops = ops_collect(ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_DIVF && context->target->vendor == VENDOR_NVIDIA) {
            mark_quotient(ir, ops[i]);
        }
        if (op_kind(ir, ops[i]) != OP_EXP2 || !op_has(ops[i], ATTR_SUBNORMAL)) {
            continue;
        }
        if (is_unseen(ir, result(ops[i]), 0, false)) {
            op_remove_attribute(ops[i], ATTR_SUBNORMAL);
        } else if (is_unseen(ir, result(ops[i]), 0, true)) {
            op_set_unit(ir, ops[i], ATTR_SUBNORMAL_BF16);
        }
    }
}
