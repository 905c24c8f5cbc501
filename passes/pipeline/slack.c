// slack: a softmax's running maximum follows scores only if they exceed it by more than a slack (wgmma, for the sake of steady_rows).
//
//   %next = maxnumf %peak, %high                   %grown = maxnumf %peak, %high
//                                           →      %next = %grown - %peak > 8 ? %grown : %peak
//   %weights = exp2 (%scores - %next)              as before, of %next
//   %shrink = exp2 (%peak - %next)
//   … yield %sums · %shrink + %weights, %next
//
// Then %shrink is 1 in most steps, and steady_rows lets warps pass the exchange of maxima and the scaling by.
//
// The maximum cancels: in exact arithmetic the kernel's results do not depend on it. The pass proves that. Let
// two runs differ in their maxima alone, by d in a row. Each value's difference then follows from its op:
//
//   fixed      not at all
//   shifted    by a sum of multiples of d: the maximum itself, scores minus it, log2 of weights
//   scaled     by 2 to the power of such a sum: weights, their sums, products of weights and values
//   bits       in an unknown way: on the way to the logarithm of a scaled value, a shifted value
//
// Each loop has a d for its carried maximum and one for the next, so that sums are brought from one to the other
// by %shrink alone. Only fixed values may be stored, decide branches, or go into any op without a rule here. If a value has none of
// these forms, the kernel keeps its maxima.
//
// Rows without a finite score, and with infinite ones and NaNs, have the same results: the maximum stays behind only if it and the
// score above it are finite. Weights are up to 2^8, no trouble for f16, bf16 and sums in f32
// (src/decisions/numerics.md).
//
// A kernel with masked scores in all loops gets no slack: a window of 1,024 keys, heads of 128, took 1.04 of the time with
// a branch behind 64 masks. Where steps branch around the masks (whole_steps) it does. Nor does one with weights wider than the sums (heads of 64, 128 keys a step): 1.05.
//
// By the same proof weights may be larger, on all chips: if exponentials keep subnormal results for bf16's sake alone, the loops take
// scores for lower by a little more than 8 in base 2,
//
//   %high  →  %high - 6        (of base e)
//
// so a weight of 2^-134, zero in bf16, becomes 2^-126: no bf16 result is subnormal, and the exponentials
// flush. The slack is 4 then, and weights are up to 2^13.
//
// requires: a tile program without layouts, contracted (fuse_fma), loops split (whole_steps)
// provides: the same
// test:     tests/golden/passes/slack, tests/lang/forms.tk
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/target.h"
#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/layout/legal_dots.h"

enum { MOST_PEAKS = 4, MOST_TERMS = 2, MOST_DEPTH = 10, MOST_NARROW = 8, LEAST_ROWS = 64 };
enum { SLACK = 8, SLACK_LOWERED = 4, LOWER = 8 }; // in base 2

// How a value differs between two runs.
enum form { UNKNOWN, FIXED, SHIFTED, SCALED, BITS };

struct difference {
    enum form form;
    int count; // of terms; no factor is 0
    struct {
        int peak; // a number of the maximum: 2 · loop for the carried one, 2 · loop + 1 for the next
        double factor;
    } terms[MOST_TERMS];
    int axis; // the dimension of the tile along rows
};

// A loop with a running maximum.
struct running {
    MlirOperation loop, maximum;
    intptr_t number; // of the carried value
    bool masked;     // scores are
    bool steady;     // warpgroups multiply: steady_rows gains by a slack
};

struct walk {
    struct pass_context *context;
    struct ir *ir;
    struct map known; // value → difference; fixed values are left out
    struct running running[MOST_PEAKS];
    int count;
    bool guessing; // carried values are unknown still; nothing is refused
    bool fits;
    double steepest; // greatest factor of a maximum in an exponent
    bool multiplies; // weights are an operand of a dot
    bool wide;       // some are wider than its sums

    // Exponentials without a need of subnormal results if they were 2^8 times larger, and their least factor.
    MlirOperation narrow[MOST_NARROW];
    int narrow_count;
    double flattest;
};

static const struct difference fixed = {.form = FIXED};

static MlirValue result(MlirOperation op) {
    return mlirOperationGetResult(op, 0);
}

// ---- differences ----

static struct difference of(struct walk *w, MlirValue value) {
    const struct difference *known = map_get(&w->known, value.ptr);
    return known ? *known : fixed;
}

static void set(struct walk *w, MlirValue value, struct difference difference) {
    struct difference *place = ARENA_ARRAY(w->context->arena, struct difference, 1);
    *place = difference;
    map_put(&w->known, value.ptr, place);
}

static struct difference refuse(struct walk *w) {
    w->fits &= w->guessing;
    return (struct difference){.form = UNKNOWN};
}

static bool same(const struct difference *x, const struct difference *y) {
    bool alike = x->form == y->form && x->count == y->count && (x->count == 0 || x->axis == y->axis);
    for (int i = 0; alike && i < x->count; i++) {
        bool found = false;
        for (int k = 0; k < y->count; k++) {
            found |= x->terms[i].peak == y->terms[k].peak && x->terms[i].factor == y->terms[k].factor;
        }
        alike = found;
    }
    return alike;
}

// Adds a term; false if there are too many.
static bool add_term(struct difference *sum, int peak, double factor) {
    for (int i = 0; i < sum->count; i++) {
        if (sum->terms[i].peak == peak) {
            sum->terms[i].factor += factor;
            if (fabs(sum->terms[i].factor) < 1e-6) { // ln(2) · log2(e) is 1 but for rounding
                sum->terms[i] = sum->terms[--sum->count];
            }
            return true;
        }
    }
    if (sum->count == MOST_TERMS) {
        return false;
    }
    sum->terms[sum->count].peak = peak;
    sum->terms[sum->count++].factor = factor;
    return true;
}

// The terms of x and `times` those of y, in the form; fixed if they cancel.
static struct difference add_terms(struct walk *w, struct difference x, struct difference y, double times,
                                   enum form form) {
    struct difference sum = x;
    if (x.count > 0 && y.count > 0 && x.axis != y.axis) {
        return refuse(w);
    }
    sum.axis = x.count > 0 ? x.axis : y.axis;
    for (int i = 0; i < y.count; i++) {
        if (!add_term(&sum, y.terms[i].peak, times * y.terms[i].factor)) {
            return refuse(w);
        }
    }
    sum.form = sum.count > 0 ? form : FIXED;
    return sum;
}

static double constant_of(struct walk *w, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) &&
           (op_kind(w->ir, op) == OP_SPLAT || op_kind(w->ir, op) == OP_BROADCAST)) {
        value = unary_source(op);
        op = value_op(value);
    }
    MlirAttribute constant = value_constant(w->ir, value);
    return !mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)
               ? mlirFloatAttrGetValueDouble(constant)
               : NAN;
}

static bool is_f32(struct walk *w, MlirValue value) {
    return mlirTypeEqual(type_element(mlirValueGetType(value)), type_f32(w->ir));
}

// ---- arithmetic ----

static struct difference sum_of(struct walk *w, MlirValue left, MlirValue right, struct difference x,
                                struct difference y, double times) {
    if (x.form == UNKNOWN || y.form == UNKNOWN) {
        return x.form == UNKNOWN ? y : x; // a guess, confirmed by the second walk
    }
    if (x.form == SCALED || y.form == SCALED) {
        if (same(&x, &y) || (x.form == SCALED && constant_of(w, right) == 0)) {
            return x;
        }
        return y.form == SCALED && constant_of(w, left) == 0 ? y : refuse(w);
    }
    return add_terms(w, x, y, times, SHIFTED);
}

static struct difference product_of(struct walk *w, MlirValue left, MlirValue right, struct difference x,
                                    struct difference y, double times) {
    if (x.form == UNKNOWN || y.form == UNKNOWN) {
        return (struct difference){.form = UNKNOWN};
    }
    if (x.form == SHIFTED || y.form == SHIFTED) {
        double factor = constant_of(w, x.form == SHIFTED ? right : left);
        if (!isfinite(factor) || factor == 0 || times < 0) {
            return refuse(w);
        }
        return add_terms(w, (struct difference){.form = FIXED}, x.form == SHIFTED ? x : y, factor, SHIFTED);
    }
    return add_terms(w, x, y, times, SCALED);
}

// Notes an exponential of bf16 weights: a lower maximum makes all of them larger.
static void note_narrow(struct walk *w, MlirOperation op, const struct difference *x) {
    if (!w->guessing && op_has(op, ATTR_SUBNORMAL_BF16) && x->form == SHIFTED && x->count == 1 &&
        x->terms[0].factor < 0 && w->narrow_count < MOST_NARROW) {
        w->narrow[w->narrow_count++] = op;
        w->flattest = fmin(w->flattest, -x->terms[0].factor);
    }
}

static struct difference exponential_of(struct walk *w, MlirOperation op) {
    struct difference x = of(w, unary_source(op));
    if (x.form == SCALED) {
        return refuse(w);
    }
    for (int i = 0; x.form == SHIFTED && i < x.count; i++) {
        w->steepest = fmax(w->steepest, fabs(x.terms[i].factor));
    }
    note_narrow(w, op, &x);
    x.form = x.form == SHIFTED ? SCALED : x.form;
    return x;
}

static struct difference logarithm_of(struct walk *w, struct difference x) {
    if (x.form == SHIFTED) {
        return refuse(w);
    }
    x.form = x.form == SCALED ? SHIFTED : x.form;
    return x;
}

// A maximum: of alike differences, or a loop's running one.
static struct difference maximum_of(struct walk *w, MlirOperation op, struct difference x,
                                    struct difference y) {
    for (int i = 0; i < w->count; i++) {
        if (mlirOperationEqual(w->running[i].maximum, op)) {
            bool carried = x.form == SHIFTED ? y.form == FIXED : x.form == FIXED && y.form == SHIFTED;
            struct difference next = {.form = FIXED};
            return carried
                       ? add_terms(w, next, (struct difference){SHIFTED, 1, {{2 * i + 1, 1}}, 0}, 1, SHIFTED)
                       : refuse(w);
        }
    }
    return same(&x, &y) && x.form != UNKNOWN ? x : refuse(w);
}

static struct difference choice_of(struct walk *w, MlirOperation op) {
    struct difference x = of(w, select_yes(op)), y = of(w, select_no(op));
    if (of(w, select_condition(op)).form != FIXED) {
        return refuse(w);
    }
    if (same(&x, &y)) {
        return x;
    }
    for (int i = 0; i < 2; i++) { // nothing, and minus infinity, are so in both runs
        const struct difference *one = i ? &y : &x, *other = i ? &x : &y;
        double constant = constant_of(w, i ? select_yes(op) : select_no(op));
        if (other->form == FIXED &&
            ((one->form == SCALED && constant == 0) || (one->form == SHIFTED && isinf(constant)))) {
            return *one;
        }
    }
    return refuse(w);
}

// The logarithm made by a choice, if its condition looks at the number's bits (the library's functions).
static struct difference chosen_logarithm(struct walk *w, MlirOperation op) {
    MlirOperation maker = value_op(select_condition(op));
    while (!mlirOperationIsNull(maker) && op_kind(w->ir, maker) != OP_BITCAST) {
        bool left = mlirOperationGetNumOperands(maker) > 0 && of(w, binary_left(maker)).form == BITS;
        maker = left ? value_op(binary_left(maker)) : (MlirOperation){NULL};
    }
    struct difference x = mlirOperationIsNull(maker) ? fixed : of(w, unary_source(maker));
    int64_t base = op_int(op, ATTR_LOGARITHM);
    if (x.form != SCALED) {
        return refuse(w);
    }
    return add_terms(w, fixed, logarithm_of(w, x), base == 1 ? log(2) : log(2) / log((double)base), SHIFTED);
}

// An op on bits.
static struct difference apply_to_bits(struct walk *w, MlirOperation op) {
    enum op_kind kind = op_kind(w->ir, op);
    if (kind == OP_RARELY && op_has(op, ATTR_LOGARITHM)) {
        return chosen_logarithm(w, op);
    }
    bool elementwise = (op_traits(kind) & PURE) && (op_traits(kind) & ELEMENTWISE);
    return elementwise ? (struct difference){.form = BITS} : refuse(w);
}

// A comparison with the same outcome in both runs: of values with the same difference, or of a weight's sum with 0. Others tell bits.
static struct difference comparison_of(struct walk *w, MlirOperation op) {
    struct difference x = of(w, binary_left(op)), y = of(w, binary_right(op));
    bool alike = same(&x, &y) || (x.form == SCALED && constant_of(w, binary_right(op)) == 0);
    if (!alike && x.form == SCALED && y.form == FIXED) {
        return (struct difference){.form = BITS};
    }
    return alike && x.form != UNKNOWN ? fixed : refuse(w);
}

// Weights become 16-bit floats as a dot's left or right operand.
static struct difference narrowed(struct walk *w, MlirOperation op) {
    struct difference x = of(w, unary_source(op));
    if (x.form == FIXED) {
        return x;
    }
    MlirOperation source = value_op(unary_source(op));
    bool is_weight = !mlirOperationIsNull(source) && op_kind(w->ir, source) == OP_EXP2;
    bool fits = x.form == SCALED && is_weight && type_bits(type_element(mlirValueGetType(result(op)))) == 16;
    for (MlirOpOperand use = mlirValueGetFirstUse(result(op)); fits && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        fits = op_kind(w->ir, mlirOpOperandGetOwner(use)) == OP_DOT;
    }
    return fits ? x : refuse(w);
}

// ---- shapes, sums, products of matrices ----

static struct difference expanded(MlirOperation op, struct difference x) {
    x.axis += x.count > 0 && op_int(op, ATTR_AXIS) <= x.axis;
    return x;
}

static struct difference reduced(struct walk *w, MlirOperation op) {
    struct difference x = mlirOperationGetNumOperands(op) == 1 ? of(w, reduce_tile(op, 0)) : fixed;
    int axis = (int)op_int(op, ATTR_AXIS);
    enum op_kind by = mlirOperationGetNumOperands(op) == 1 ? reduce_combines_by(w->ir, op) : OP_UNKNOWN;
    bool fits =
        (x.form == SCALED && by == OP_ADDF) || (x.form == SHIFTED && (by == OP_MAXNUMF || by == OP_MAXIMUMF));
    if (x.form == FIXED) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            fits = of(w, mlirOperationGetOperand(op, i)).form == FIXED;
            x = fits ? x : refuse(w);
        }
        return x;
    }
    if (!fits || axis == x.axis || !is_f32(w, result(op))) {
        return refuse(w);
    }
    x.axis -= axis < x.axis;
    return x;
}

static struct difference multiplied(struct walk *w, MlirOperation op) {
    struct difference a = of(w, dot_a(op)), b = of(w, dot_b(op)), c = of(w, dot_c(op));
    if (a.form == FIXED && b.form == FIXED && c.form == FIXED) {
        return fixed;
    }
    struct difference product = a.form == SCALED ? a : b;
    bool fits = product.form == SCALED && (a.form == FIXED || b.form == FIXED) &&
                product.axis == (a.form == SCALED ? 0 : 1) && is_f32(w, result(op)) &&
                type_rank(mlirValueGetType(result(op))) == 2;
    if (!fits || !(c.form == UNKNOWN || same(&product, &c) || constant_of(w, dot_c(op)) == 0)) {
        return refuse(w);
    }
    MlirType weights = mlirValueGetType(a.form == SCALED ? dot_a(op) : dot_b(op));
    unsigned along = a.form == SCALED ? 1 : 0;
    w->wide |= type_extent(weights, along) > type_extent(mlirValueGetType(result(op)), along);
    w->multiplies = true;
    return product;
}

// ---- ops ----

static struct difference negated(struct difference x) {
    for (int i = 0; x.form == SHIFTED && i < x.count; i++) {
        x.terms[i].factor = -x.terms[i].factor;
    }
    return x;
}

// A difference by the op's rule; of any other op all operands and results are fixed.
static struct difference apply(struct walk *w, MlirOperation op) {
    MlirValue x = operand_or_null(op, 0), y = operand_or_null(op, 1), z = operand_or_null(op, 2);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (of(w, mlirOperationGetOperand(op, i)).form == BITS) {
            return apply_to_bits(w, op);
        }
    }
    switch (op_kind(w->ir, op)) {
    case OP_ADDF:
        return sum_of(w, x, y, of(w, x), of(w, y), 1);
    case OP_SUBF:
        return sum_of(w, x, y, of(w, x), of(w, y), -1);
    case OP_MULF:
        return product_of(w, x, y, of(w, x), of(w, y), 1);
    case OP_DIVF:
        return product_of(w, x, y, of(w, x), of(w, y), -1);
    case OP_FMA:
        return sum_of(w, x, z, product_of(w, x, y, of(w, x), of(w, y), 1), of(w, z), 1);
    case OP_NEGF:
        return negated(of(w, x));
    case OP_EXP2:
        return exponential_of(w, op);
    case OP_LOG2:
        return logarithm_of(w, of(w, x));
    case OP_BITCAST:
        return of(w, x).form == SCALED  ? (struct difference){.form = BITS}
               : of(w, x).form == FIXED ? fixed
                                        : refuse(w);
    case OP_MAXNUMF:
    case OP_MAXIMUMF:
        return maximum_of(w, op, of(w, x), of(w, y));
    case OP_SELECT:
        return choice_of(w, op);
    case OP_CMPF:
        return comparison_of(w, op);
    case OP_TRUNCF:
        return narrowed(w, op);
    case OP_BROADCAST:
        return of(w, x);
    case OP_EXPAND_DIMS:
        return expanded(op, of(w, x));
    case OP_REDUCE:
        return reduced(w, op);
    case OP_DOT:
        return multiplied(w, op);
    default:
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            if (of(w, mlirOperationGetOperand(op, i)).form != FIXED) {
                return refuse(w);
            }
        }
        return fixed;
    }
}

static void walk_block(struct walk *w, MlirBlock block);

static void walk_regions(struct walk *w, MlirOperation op) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
             !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            walk_block(w, block);
        }
    }
}

static int number_of(const struct walk *w, MlirOperation loop) {
    for (int i = 0; i < w->count; i++) {
        if (mlirOperationEqual(w->running[i].loop, loop)) {
            return i;
        }
    }
    return -1;
}

// The difference with one maximum's terms taken as another's.
static struct difference moved(struct difference x, int from, int to) {
    for (int i = 0; i < x.count; i++) {
        x.terms[i].peak = x.terms[i].peak == from ? to : x.terms[i].peak;
    }
    return x;
}

// The form of the carried value in terms of the carried maximum is the form of the yielded value in terms of the next one.
static void assume(struct walk *w, const struct running *r, int number) {
    MlirBlock body = op_body(r->loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    set(w, mlirBlockGetArgument(body, 1 + r->number), (struct difference){SHIFTED, 1, {{2 * number, 1}}, 0});
    for (intptr_t i = 0; i < for_init_count(r->loop); i++) {
        if (i != r->number) {
            struct difference next = of(w, mlirOperationGetOperand(yield, i));
            next = next.form == UNKNOWN ? fixed : moved(next, 2 * number + 1, 2 * number);
            set(w, mlirBlockGetArgument(body, 1 + i), next);
        }
    }
}

// The initial value is fixed, if maxima do not differ yet, or it differs like the carried value, in terms of the initial maximum.
static bool starts_alike(struct walk *w, const struct running *r, int number, intptr_t i) {
    struct difference peak = of(w, for_init(r->loop, r->number)), init = of(w, for_init(r->loop, i));
    if (peak.form == FIXED) {
        return init.form == FIXED;
    }
    struct difference carried = of(w, mlirBlockGetArgument(op_body(r->loop, 0), 1 + i));
    init = moved(init, peak.terms[0].peak, 2 * number);
    return peak.form == SHIFTED && peak.count == 1 && peak.terms[0].factor == 1 && same(&init, &carried);
}

static void walk_running(struct walk *w, int number) {
    const struct running *r = &w->running[number];
    MlirBlock body = op_body(r->loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    bool guessing = w->guessing;
    w->guessing = true;
    for (intptr_t i = 0; i < for_init_count(r->loop); i++) {
        MlirValue carried = mlirBlockGetArgument(body, 1 + i);
        if (mlirTypeIsAF32(type_element(
                mlirValueGetType(carried)))) { // pointers and counters are fixed, or nothing is proved
            set(w, carried, (struct difference){.form = UNKNOWN});
        }
    }
    set(w, mlirBlockGetArgument(body, 1 + r->number), (struct difference){SHIFTED, 1, {{2 * number, 1}}, 0});
    walk_block(w, body);
    assume(w, r, number);
    w->guessing = guessing;
    walk_block(w, body);
    for (intptr_t i = 0; i < for_init_count(r->loop); i++) {
        struct difference next = of(w, mlirOperationGetOperand(yield, i));
        struct difference carried = of(w, mlirBlockGetArgument(body, 1 + i));
        next = moved(next, 2 * number + 1, 2 * number);
        bool fits = next.form != UNKNOWN && same(&next, &carried) && starts_alike(w, r, number, i);
        set(w, mlirOperationGetResult(r->loop, i), fits ? carried : refuse(w));
    }
}

// A branch's results differ as both of its blocks say.
static void walk_if(struct walk *w, MlirOperation op) {
    walk_regions(w, op);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        struct difference x = of(w, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, 0)), i));
        struct difference y = of(w, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, 1)), i));
        set(w, mlirOperationGetResult(op, i), same(&x, &y) ? x : refuse(w));
    }
}

static bool is_terminator_of_known(struct walk *w, MlirOperation op) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    return (op_traits(op_kind(w->ir, op)) & TERMINATOR) &&
           (op_kind(w->ir, parent) == OP_IF || number_of(w, parent) >= 0);
}

static void walk_block(struct walk *w, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_terminator_of_known(w, op)) {
            continue; // the op around it reads the values
        }
        int number = number_of(w, op);
        enum op_kind kind = op_kind(w->ir, op);
        struct difference difference = number < 0 ? apply(w, op) : fixed;
        for (intptr_t i = 0; i < 3 && number >= 0; i++) {
            difference = of(w, mlirOperationGetOperand(op, i)).form == FIXED ? difference : refuse(w);
        }
        if (number >= 0) {
            walk_running(w, number);
        } else if (kind == OP_IF) {
            walk_if(w, op);
        } else {
            if (kind != OP_REDUCE) {
                walk_regions(w, op);
            }
            for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
                set(w, mlirOperationGetResult(op, i), difference);
            }
        }
    }
}

// ---- loops with a running maximum ----

// True if the loop's body has two dots or more. `steady`: warpgroups do all of them, with at least a tile's rows.
static bool has_dots(struct walk *w, MlirOperation function, MlirOperation loop, bool *steady) {
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    int dots = 0;
    MlirBlock body = op_body(loop, 0);
    *steady = warps >= 4 && target_has(w->context->target, FEATURE(WGMMA));
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(w->ir, op) == OP_DOT) {
            *steady = *steady && dot_instruction(w->context->target, op, warps, false) &&
                      type_extent(mlirValueGetType(result(op)), 0) >= LEAST_ROWS;
            dots++;
        }
    }
    return dots >= 2;
}

// True if a select is on the way from dots of the block to the value.
static bool is_masked(struct walk *w, MlirValue value, MlirBlock block, int depth) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block) ||
        op_kind(w->ir, op) == OP_DOT) {
        return false;
    }
    bool masked = op_kind(w->ir, op) == OP_SELECT || depth == MOST_DEPTH;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !masked; i++) {
        masked = is_masked(w, mlirOperationGetOperand(op, i), block, depth + 1);
    }
    return masked;
}

// Finds a carried f32 value of rank 1 with a yielded value that is its maximum with something.
static void find_running(struct walk *w, MlirOperation loop, bool steady) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    for (intptr_t i = 0; i < for_init_count(loop) && w->count < MOST_PEAKS; i++) {
        MlirValue next = mlirOperationGetOperand(yield, i), carried = mlirBlockGetArgument(body, 1 + i);
        MlirOperation op = value_op(next);
        enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(w->ir, op);
        MlirType type = mlirValueGetType(next);
        if ((kind == OP_MAXNUMF || kind == OP_MAXIMUMF) && type_is_tensor(type) && type_rank(type) == 1 &&
            is_f32(w, next) && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
            (value_is(binary_left(op), carried) || value_is(binary_right(op), carried))) {
            MlirValue high = value_is(binary_left(op), carried) ? binary_right(op) : binary_left(op);
            w->running[w->count++] = (struct running){loop, op, i, is_masked(w, high, body, 0), steady};
            return;
        }
    }
}

// True if a loop's maximum starts below all scores, or at another loop's end.
static bool starts_below(struct walk *w, const struct running *r) {
    const double NEAR_NOTHING = -1e30; // floats this low are 2^76 apart
    MlirValue init = for_init(r->loop, r->number);
    int before = mlirValueIsAOpResult(init) ? number_of(w, value_op(init)) : -1;
    return constant_of(w, init) <= NEAR_NOTHING ||
           (before >= 0 && mlirOpResultGetResultNumber(init) == w->running[before].number);
}

// The distance of maxima below scores, in their own base; 0 if no weight needs it. A whole number, for exact differences from maxima
// up to 2^25.
static double lowering(struct walk *w) {
    bool needed = w->narrow_count > 0 && w->flattest >= 1;
    for (int i = 0; i < w->count; i++) {
        needed = needed && starts_below(w, &w->running[i]);
    }
    return needed ? ceil(LOWER / w->flattest) : 0;
}

// Lets the running maximum take scores for lower than they are: weights are 2^8 times larger, and none of bf16's is subnormal.
static void lower_maximum(struct walk *w, const struct running *r, double by) {
    MlirValue peak = mlirBlockGetArgument(op_body(r->loop, 0), 1 + r->number);
    intptr_t other = value_is(binary_left(r->maximum), peak) ? 1 : 0;
    MlirValue high = mlirOperationGetOperand(r->maximum, other);
    struct builder b = builder_before(w->ir, r->maximum);
    MlirValue lower = build_binary(&b, OP_SUBF, high, const_float(&b, mlirValueGetType(high), by));
    mlirOperationSetOperand(r->maximum, other, lower);
}

static void add_slack(struct walk *w, const struct running *r, double slack) {
    MlirValue next = result(r->maximum), peak = mlirBlockGetArgument(op_body(r->loop, 0), 1 + r->number);
    MlirType type = mlirValueGetType(next);
    struct builder b = builder_after(w->ir, r->maximum);
    MlirValue growth = build_binary(&b, OP_SUBF, next, peak);
    MlirAttribute predicate = mlirIntegerAttrGet(type_i64(w->ir), FLOAT_OGT);
    MlirValue grows =
        VALUE(&b, OP_CMPF, OPERANDS(growth, const_float(&b, type, slack / w->steepest)),
              RESULTS(type_with_shape_of(type, type_i1(w->ir))), ATTRS(attr(&b, ATTR_PREDICATE, predicate)));
    MlirValue either = VALUE(&b, OP_SELECT, OPERANDS(grows, next, peak), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(next, either);
    set_binary_left(value_op(growth), next);
    set_select_yes(value_op(either), next);
}

// Changes the maxima of a function if its results do not depend on them.
static void loosen_proved(struct walk *w, bool slack_pays) {
    double by = lowering(w);
    for (int i = 0; i < w->count; i++) {
        if (by > 0) {
            lower_maximum(w, &w->running[i], by);
        }
        if (slack_pays && w->running[i].steady) {
            add_slack(w, &w->running[i], by > 0 ? SLACK_LOWERED : SLACK);
        }
    }
    for (int i = 0; i < w->narrow_count && by > 0; i++) {
        op_remove_attribute(w->narrow[i], ATTR_SUBNORMAL);
        op_remove_attribute(w->narrow[i], ATTR_SUBNORMAL_BF16);
    }
}

static void loosen(struct pass_context *context, MlirOperation function) {
    struct walk w = {.context = context, .ir = context->ir, .fits = true, .flattest = INFINITY};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        bool steady;
        if (op_kind(context->ir, ops[i]) == OP_FOR && has_dots(&w, function, ops[i], &steady)) {
            find_running(&w, ops[i], steady);
        }
    }
    bool plain = false;
    for (int i = 0; i < w.count; i++) {
        plain |= !w.running[i].masked && w.running[i].steady;
    }
    if (w.count > 0) {
        walk_regions(&w, function);
    }
    if (w.count > 0 && w.fits && w.multiplies && w.steepest > 0x1p-10 && w.steepest < 0x1p10) {
        loosen_proved(&w, plain && !w.wide);
    }
    map_free(&w.known);
}

void pass_slack(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        loosen(context, op);
    }
}
