// steady_rows: a warp whose rows keep their running maximum neither exchanges the step's maximum nor
// rescales.
//
//   %step = reduce max %x                          %parts = partial_reduce max %x
//   %high = max(%peak, f(%step))                   %grows = tk.warp_any (max(%peak, f(%parts)) - %peak > slack)
//   %next = %high - %peak > slack ? %high : %peak  →  %next, %shrink = if %grows { as before, of %parts } else { %peak, 1 }
//   %shrink = exp2(%peak - %next)
//   tk.rescale %sums, %shrink                      if %grows { %sums · %shrink } else { %sums }
//
// For attention's softmax. The slack, a constant of the source, is the amount by which scores may exceed the
// running maximum before it is raised: rare, and so is the branch. (Without slack the test costs up
// to 2 % of attention.) A row's maximum is the partial maximum of one of its threads: if no partial maximum
// of a warp grows, no row's maximum does. Exact for infinities and NaNs too: the difference is NaN unless
// %peak is finite or below the new maximum, and "grows" holds for NaN.
//
// requires: layouts, warpgroup; hidden_rows before
// provides: nothing; keeps everything
// test:     tests/golden/passes/steady_rows
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/facts/parts.h"
#include "passes/latency/branch_first.h"

enum { MAX_SCALING = 4, MAX_OPS = MAX_SCALING + 8 };

struct maximum {
    struct pass_context *context;
    MlirOperation reduce;
    MlirOperation scaling[MAX_SCALING]; // f
    size_t scaling_count;
    MlirOperation high;
    MlirValue peak;
    MlirOperation difference, compare, select;       // with the slack
    MlirOperation negated_growth, in_base_2, shrink; // in_base_2: a product with a constant, or null
    MlirType parts;
};

static bool is_op(const struct maximum *m, MlirOperation op, enum op_kind kind) {
    return !mlirOperationIsNull(op) && op_kind(m->context->ir, op) == kind;
}

static bool is_maximum(enum op_kind kind) {
    return kind == OP_MAXNUMF || kind == OP_MAXIMUMF;
}

static MlirValue result(MlirOperation op) {
    return mlirOperationGetResult(op, 0);
}

static bool in_same_block(MlirOperation a, MlirOperation b) {
    return mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b));
}

// The only reader of the op's result, if it is in the op's block; null otherwise.
static MlirOperation only_reader(MlirOperation op) {
    if (!value_has_one_use(result(op))) {
        return (MlirOperation){NULL};
    }
    MlirOperation reader = mlirOpOperandGetOwner(mlirValueGetFirstUse(result(op)));
    return in_same_block(op, reader) ? reader : (MlirOperation){NULL};
}

// A reader of `value` with the form x - y; `value` is x or y.
static MlirOperation difference_of(const struct maximum *m, MlirValue value, MlirValue x, MlirValue y) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        if (is_op(m, reader, OP_SUBF) && value_is(binary_left(reader), x) &&
            value_is(binary_right(reader), y) && in_same_block(m->reduce, reader)) {
            return reader;
        }
    }
    return (MlirOperation){NULL};
}

// True for an f32 maximum within a warp, over computed (not constant) values.
static bool find_reduce(struct maximum *m) {
    struct ir *ir = m->context->ir;
    MlirType type = mlirValueGetType(result(m->reduce));
    if (mlirOperationGetNumOperands(m->reduce) != 1 || !type_is_tensor(type) ||
        !mlirTypeEqual(type_element(type), type_f32(ir)) || !is_maximum(reduce_combines_by(ir, m->reduce)) ||
        is_op(m, value_op(reduce_tile(m->reduce, 0)), OP_CONSTANT) ||
        scratch_bytes(ir, m->context->target, op_num_warps(m->reduce), m->reduce) > 0) {
        return false;
    }
    m->parts = parts_of(m->context, m->reduce);
    return !mlirTypeIsNull(m->parts);
}

// True for pure elementwise ops on f32 rows only.
static bool scales_rows(const struct maximum *m, MlirOperation op) {
    unsigned traits = op_traits(op_kind(m->context->ir, op));
    bool fits = (traits & PURE) && (traits & ELEMENTWISE) && mlirOperationGetNumResults(op) == 1;
    MlirType rows = mlirValueGetType(result(m->reduce));
    for (intptr_t i = 0; fits && i < mlirOperationGetNumOperands(op); i++) {
        fits = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)), rows);
    }
    return fits && mlirTypeEqual(mlirValueGetType(result(op)), rows);
}

// Finds the ops on the row's maximum up to its comparison with the loop-carried maximum of the earlier steps.
static bool find_high(struct maximum *m) {
    MlirOperation op = m->reduce;
    for (;;) {
        MlirOperation reader = only_reader(op);
        if (mlirOperationIsNull(reader)) {
            return false;
        }
        enum op_kind kind = op_kind(m->context->ir, reader);
        if (is_maximum(kind)) {
            m->high = reader;
            m->peak = value_is(binary_left(reader), result(op)) ? binary_right(reader) : binary_left(reader);
            return mlirValueIsABlockArgument(m->peak);
        }
        if (m->scaling_count == MAX_SCALING || !scales_rows(m, reader)) {
            return false;
        }
        op = m->scaling[m->scaling_count++] = reader;
    }
}

// The slack: the constant compared with the difference; negative if there is none.
static double slack_of(const struct maximum *m) {
    MlirAttribute constant = value_constant(m->context->ir, binary_right(m->compare));
    bool fits = op_int(m->compare, ATTR_PREDICATE) == FLOAT_OGT && !mlirAttributeIsNull(constant) &&
                mlirAttributeIsAFloat(constant);
    return fits ? mlirFloatAttrGetValueDouble(constant) : -1;
}

// Finds the next step's maximum: the old one, unless the new one exceeds it by more than the slack.
static bool find_next(struct maximum *m) {
    MlirValue high = result(m->high);
    m->difference = difference_of(m, high, high, m->peak);
    if (mlirOperationIsNull(m->difference)) {
        return false;
    }
    m->compare = only_reader(m->difference);
    m->select = is_op(m, m->compare, OP_CMPF) ? only_reader(m->compare) : (MlirOperation){NULL};
    bool fits = is_op(m, m->select, OP_SELECT) && slack_of(m) > 0 && isfinite(slack_of(m)) &&
                value_is(select_condition(m->select), result(m->compare)) &&
                value_is(select_yes(m->select), high) && value_is(select_no(m->select), m->peak);
    for (MlirOpOperand use = mlirValueGetFirstUse(high); fits && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) { // no other readers: the steady branch computes no `high`
        MlirOperation reader = mlirOpOperandGetOwner(use);
        fits = mlirOperationEqual(reader, m->difference) || mlirOperationEqual(reader, m->select);
    }
    return fits;
}

// Finds the factor for the earlier steps' sums: exp2 of a difference, or of its product with a constant.
static bool find_shrink(struct maximum *m) {
    m->negated_growth = difference_of(m, result(m->select), m->peak, result(m->select));
    m->shrink = mlirOperationIsNull(m->negated_growth) ? m->negated_growth : only_reader(m->negated_growth);
    if (is_op(m, m->shrink, OP_MULF)) {
        MlirAttribute factor = value_constant(m->context->ir, binary_right(m->shrink));
        MlirOperation constant = value_op(binary_right(m->shrink));
        bool fits = !mlirAttributeIsNull(factor) && mlirAttributeIsAFloat(factor) &&
                    isfinite(mlirFloatAttrGetValueDouble(factor)) &&
                    (!in_same_block(constant, m->select) || op_is_before(constant, m->select));
        m->in_base_2 = m->shrink;
        m->shrink = fits ? only_reader(m->in_base_2) : (MlirOperation){NULL};
    }
    return is_op(m, m->shrink, OP_EXP2);
}

// Repeats an op on rows for their parts: `of_part` replaces `of_row`, and other operands are spread from rows
// to parts.
static MlirValue for_parts(struct builder *b, const struct maximum *m, MlirOperation op, MlirValue of_row,
                           MlirValue of_part) {
    MlirOperation again = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(again); i++) {
        MlirValue value = mlirOperationGetOperand(again, i);
        unsigned axis = (unsigned)op_int(m->reduce, ATTR_AXIS);
        mlirOperationSetOperand(again, i,
                                value_is(value, of_row) ? of_part : parts_spread(b, m->parts, axis, value));
    }
    mlirValueSetType(result(again), m->parts);
    build_insert(b, again);
    return result(again);
}

// An i1 for each warp: false if no row of the warp grows by more than the slack.
static MlirValue build_grows(struct builder *b, const struct maximum *m, MlirValue parts) {
    MlirValue of_part = parts, of_row = result(m->reduce);
    for (size_t i = 0; i < m->scaling_count; i++) {
        of_part = for_parts(b, m, m->scaling[i], of_row, of_part);
        of_row = result(m->scaling[i]);
    }
    MlirValue high = for_parts(b, m, m->high, of_row, of_part);
    MlirValue peak = parts_spread(b, m->parts, (unsigned)op_int(m->reduce, ATTR_AXIS), m->peak);
    MlirValue growth = build_binary(b, OP_SUBF, high, peak);
    MlirValue slack = const_float(b, m->parts, slack_of(m));
    const struct layout *layout = type_layout(b->ir, m->parts);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < layout->rank; d++) {
        shape[d] = type_extent(m->parts, d);
    }
    MlirType bits = tensor_type(layout->rank, shape, type_i1(b->ir), layout_attribute(b->ir, layout));
    MlirAttribute predicate = mlirIntegerAttrGet(type_i64(b->ir), FLOAT_UGT);
    MlirValue grows =
        VALUE(b, OP_CMPF, OPERANDS(growth, slack), RESULTS(bits), ATTRS(attr(b, ATTR_PREDICATE, predicate)));
    return VALUE(b, OP_WARP_ANY, OPERANDS(grows), RESULTS(type_i1(b->ir)), NO_ATTRS);
}

// The ops moving into the branch, each behind its operands' ops.
static size_t ops_of(const struct maximum *m, MlirOperation ops[MAX_OPS]) {
    size_t count = 0;
    ops[count++] = m->reduce;
    for (size_t i = 0; i < m->scaling_count; i++) {
        ops[count++] = m->scaling[i];
    }
    ops[count++] = m->high;
    ops[count++] = m->difference;
    ops[count++] = m->compare;
    ops[count++] = m->select;
    ops[count++] = m->negated_growth;
    if (!mlirOperationIsNull(m->in_base_2)) {
        ops[count++] = m->in_base_2;
    }
    ops[count++] = m->shrink;
    return count;
}

// Products with the factor branch on `grows`, without a test of the factor.
static void branch_rescales(const struct maximum *m, MlirValue value, MlirBlock block, MlirValue grows) {
    MlirOperation readers[MAX_OPS];
    size_t count = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && count < MAX_OPS;
         use = mlirOpOperandGetNextUse(use)) {
        readers[count++] = mlirOpOperandGetOwner(use);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_op(m, readers[i], OP_EXPAND_DIMS) || is_op(m, readers[i], OP_BROADCAST)) {
            branch_rescales(m, result(readers[i]), block, grows);
        } else if (is_op(m, readers[i], OP_RESCALE) &&
                   mlirBlockEqual(mlirOperationGetBlock(readers[i]), block)) {
            struct builder b = builder_before(m->context->ir, readers[i]);
            MlirValue tile = rescale_tile(readers[i]), factor = rescale_factor(readers[i]);
            MlirBlock then, otherwise;
            MlirOperation either = build_if(&b, grows, RESULTS(mlirValueGetType(tile)), &then, &otherwise);
            struct builder grown = builder_at_end(b.ir, then, b.location);
            struct builder steady = builder_at_end(b.ir, otherwise, b.location);
            build_yield(&grown, OPERANDS(build_binary(&grown, OP_MULF, tile, factor)));
            build_yield(&steady, OPERANDS(tile));
            mlirValueReplaceAllUsesOfWith(result(readers[i]), result(either));
            mlirOperationDestroy(readers[i]);
        }
    }
}

static void branch(struct maximum *m) {
    struct ir *ir = m->context->ir;
    struct builder b = builder_before(ir, m->select); // behind all operands
    MlirValue next = result(m->select), shrink = result(m->shrink);
    MlirValue parts = build_parts(&b, m->reduce, m->parts);
    MlirValue grows = build_grows(&b, m, parts);
    MlirBlock then, otherwise;
    MlirOperation either =
        build_if(&b, grows, RESULTS(mlirValueGetType(next), mlirValueGetType(shrink)), &then, &otherwise);
    MlirValue next_of_either = mlirOperationGetResult(either, 0),
              shrink_of_either = mlirOperationGetResult(either, 1);
    mlirValueReplaceAllUsesOfWith(next, next_of_either);
    mlirValueReplaceAllUsesOfWith(shrink, shrink_of_either);

    MlirOperation ops[MAX_OPS];
    size_t count = ops_of(m, ops);
    for (size_t i = 0; i < count; i++) {
        mlirOperationRemoveFromParent(ops[i]);
        mlirBlockAppendOwnedOperation(then, ops[i]);
    }
    set_reduce_tile(m->reduce, 0, parts);
    set_binary_right(m->negated_growth, next);
    struct builder grown = builder_at_end(ir, then, b.location),
                   steady = builder_at_end(ir, otherwise, b.location);
    build_yield(&grown, OPERANDS(next, shrink));
    build_yield(&steady, OPERANDS(m->peak, const_float(&steady, mlirValueGetType(shrink), 1)));
    branch_rescales(m, shrink_of_either, mlirOperationGetBlock(either), grows);
    branch_first(m->context, either);
}

void pass_steady_rows(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA))) {
        return; // not measured elsewhere
    }
    size_t count, reduces = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) { // other ops may be erased below
        if (op_kind(context->ir, ops[i]) == OP_REDUCE) {
            ops[reduces++] = ops[i];
        }
    }
    for (size_t i = 0; i < reduces; i++) {
        struct maximum m = {.context = context, .reduce = ops[i]};
        if (find_reduce(&m) && find_high(&m) && find_next(&m) && find_shrink(&m)) {
            branch(&m);
        }
    }
}
