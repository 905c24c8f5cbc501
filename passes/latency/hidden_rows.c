// hidden_rows: if a mask hides all rows of a warp, the warp computes one value a row instead of one an
// element.
//
//   %visible = columns <= rows                           %near = tk.warp_any (first column <= rows)
//   %x = select %visible, %scores, -inf                  %peak, %weights, %sum = if %near { as before } else {
//   %peak = reduce %x                             →          %peak = reduce -inf
//   %weights = exp2(%x · scale - %peak)                      %weights = exp2(-inf · scale - %peak)
//   %sum = reduce %weights                                   %sum = reduce %weights }
//
// Causal attention with more rows a program than columns a step: on the diagonal the mask hides the later
// steps from the upper warps. With a constant in place of the scores all elements of a row are equal, and
// LLVM finds it out: one exponential a row remains instead of one an element, and the other warps have the
// exponential unit to themselves. Nothing is assumed of the numbers: the other branch has the same ops.
//
// requires: layouts, warpgroup
// provides: nothing; keeps everything
// test:     tests/golden/passes/hidden_rows
#include "passes/pass.h"

#include <limits.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "ir/build.h"

enum { MAX_OPS = 64, MAX_RESULTS = 16 };

// A diagonal mask over columns first, first + 1, …: it hides the columns right of a row's own.
struct diagonal {
    MlirValue first; // i32
    int64_t columns;
    MlirValue rows; // tile of rank 1
    bool strict;    // hides the row's own, too
};

// Ops of a block moving into a branch, in order: the ops depending on a select, and the ops used by these
// alone.
struct hidden {
    struct pass_context *context;
    MlirBlock block;
    int64_t columns;
    struct diagonal mask; // the branch's condition is computed of it
    MlirOperation ops[MAX_OPS];
    size_t count;
    MlirValue results[MAX_RESULTS]; // values with readers behind the ops
    size_t result_count;
};

static enum op_kind kind_of(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    return mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(ir, op);
}

static bool is_splat_constant(struct ir *ir, MlirValue value) {
    if (kind_of(ir, value) != OP_CONSTANT) {
        return false;
    }
    MlirAttribute held =
        mlirOperationGetAttributeByName(value_op(value), mlirStringRefCreateFromCString("value"));
    return mlirAttributeIsADenseElements(held) && mlirDenseElementsAttrIsSplat(held);
}

// The vector repeated along `axis` in an operand of a comparison; null if the operand has another form.
static MlirValue vector_along(struct ir *ir, MlirValue tile, int64_t axis) {
    while (kind_of(ir, tile) == OP_BROADCAST) {
        tile = unary_source(value_op(tile));
    }
    bool vector = kind_of(ir, tile) == OP_EXPAND_DIMS && op_int(value_op(tile), ATTR_AXIS) == axis &&
                  mlirShapedTypeGetRank(mlirValueGetType(tile)) == 2;
    return vector ? unary_source(value_op(tile)) : (MlirValue){NULL};
}

// first + 0, 1, …
static bool counts_up(struct ir *ir, MlirValue vector, struct diagonal *found) {
    if (kind_of(ir, vector) != OP_ADDI) {
        return false;
    }
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue first = mlirOperationGetOperand(value_op(vector), i);
        MlirValue range = mlirOperationGetOperand(value_op(vector), 1 - i);
        if (kind_of(ir, first) == OP_SPLAT && kind_of(ir, range) == OP_RANGE &&
            op_int(value_op(range), ATTR_START) == 0) {
            found->first = unary_source(value_op(first));
            found->columns = op_int(value_op(range), ATTR_END);
            return mlirTypeEqual(mlirValueGetType(found->first), type_i32(ir));
        }
    }
    return false;
}

// Finds the diagonal comparison among the conjuncts of the mask.
static bool find_diagonal(struct ir *ir, MlirValue mask, struct diagonal *found) {
    static const enum int_predicate turned[] = {[INT_SLE] = INT_SGE, [INT_SLT] = INT_SGT};
    MlirOperation op = value_op(mask);
    switch (kind_of(ir, mask)) {
    case OP_ANDI:
        return find_diagonal(ir, binary_left(op), found) || find_diagonal(ir, binary_right(op), found);
    case OP_BROADCAST:
        return find_diagonal(ir, unary_source(op), found);
    case OP_CMPI:
        for (enum int_predicate predicate = INT_SLT; predicate <= INT_SLE; predicate++) {
            int64_t is = op_int(op, ATTR_PREDICATE);
            intptr_t left = is == predicate ? 0 : 1;
            MlirValue columns = vector_along(ir, mlirOperationGetOperand(op, left), 0);
            found->rows = vector_along(ir, mlirOperationGetOperand(op, 1 - left), 1);
            found->strict = predicate == INT_SLT;
            if ((is == predicate || is == turned[predicate]) && columns.ptr && found->rows.ptr &&
                counts_up(ir, columns, found)) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

static bool within_warp(const struct hidden *h, MlirOperation op) {
    struct pass_context *context = h->context;
    return scratch_within_warp(context->ir, context->target, op_num_warps(op), op);
}

static bool is_among(const struct hidden *h, MlirOperation op) {
    for (size_t i = 0; i < h->count; i++) {
        if (mlirOperationEqual(h->ops[i], op)) {
            return true;
        }
    }
    return false;
}

static bool is_read_behind(const struct hidden *h, MlirValue value) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        if (!is_among(h, op_in_block(mlirOpOperandGetOwner(use), h->block))) {
            return true;
        }
    }
    return false;
}

static bool has_reader_behind(const struct hidden *h, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (is_read_behind(h, mlirOperationGetResult(op, i))) {
            return true;
        }
    }
    return false;
}

static void read_instead(const struct hidden *h, MlirValue value, MlirValue other) {
    for (bool again = true; again;) {
        again = false;
        for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && !again;
             use = mlirOpOperandGetNextUse(use)) {
            MlirOperation owner = mlirOpOperandGetOwner(use);
            if (!is_among(h, op_in_block(owner, h->block))) {
                mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use), other);
                again = true; // the list of uses has changed
            }
        }
    }
}

static bool is_copy(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_SPLAT;
}

static bool depends(const struct hidden *h, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(maker) && is_among(h, maker)) {
            return true;
        }
    }
    return false;
}

// Copies of a row's value (broadcasts) with readers behind the ops are repeated behind the branch: the branch
// returns the value alone.
static void copy_behind(struct hidden *h, MlirOperation behind) {
    for (size_t i = h->count; i-- > 0;) {
        MlirValue copy = mlirOperationGetResult(h->ops[i], 0);
        if (is_copy(h->context->ir, h->ops[i]) && is_read_behind(h, copy)) {
            struct builder b = builder_before(h->context->ir, behind);
            behind = mlirOperationClone(h->ops[i]);
            build_insert(&b, behind);
            read_instead(h, copy, mlirOperationGetResult(behind, 0));
        }
    }
}

// A tile of as many columns as the select's.
static bool is_wide(const struct hidden *h, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return type_is_tensor(type) && mlirShapedTypeGetRank(type) == 2 && type_extent(type, 1) == h->columns;
}

// True if all elements of a row are equal, provided the select's are.
static bool is_alike_in_rows(const struct hidden *h, MlirValue value) {
    struct ir *ir = h->context->ir;
    MlirOperation op = value_op(value);
    if (!is_wide(h, value)) {
        return true;
    }
    if (mlirOperationIsNull(op)) {
        return false;
    }
    enum op_kind kind = op_kind(ir, op);
    bool alike = is_among(h, op) || is_splat_constant(ir, value) || kind == OP_SPLAT ||
                 (kind == OP_BROADCAST && !is_wide(h, unary_source(op)));
    bool derived = !alike && (op_traits(kind) & ELEMENTWISE) && mlirOperationGetNumOperands(op) > 0;
    for (intptr_t i = 0; derived && i < mlirOperationGetNumOperands(op); i++) {
        derived = is_alike_in_rows(h, mlirOperationGetOperand(op, i));
    }
    return alike || derived;
}

static bool add(struct hidden *h, MlirOperation op) {
    if (h->count == MAX_OPS) {
        return false;
    }
    h->ops[h->count++] = op;
    return true;
}

// Collects the ops depending on the select, up to the first op not `within_warp`, and returns that op. Null
// if they are too many, if none is an elementwise exponential, or if another tile is mixed with the select's.
static MlirOperation collect_dependents(struct hidden *h, MlirOperation select) {
    MlirType tile = mlirValueGetType(mlirOperationGetResult(select, 0));
    MlirOperation op = select;
    bool exponentials = false, fits = true;
    for (; within_warp(h, op) && fits; op = mlirOperationGetNextInBlock(op)) {
        bool is_select = mlirOperationEqual(op, select);
        if (is_select || depends(h, op)) {
            for (intptr_t i = 0; !is_select && fits && i < mlirOperationGetNumOperands(op); i++) {
                fits = is_alike_in_rows(h, mlirOperationGetOperand(op, i));
            }
            fits = fits && add(h, op);
            exponentials |= op_kind(h->context->ir, op) == OP_EXP2 &&
                            mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), tile);
        }
    }
    return fits && exponentials ? op : (MlirOperation){NULL};
}

static bool is_condition(const struct hidden *h, MlirOperation op) {
    MlirOperation first = value_op(h->mask.first), rows = value_op(h->mask.rows);
    return (!mlirOperationIsNull(first) && mlirOperationEqual(first, op)) ||
           (!mlirOperationIsNull(rows) && mlirOperationEqual(rows, op));
}

// Adds ops ahead of the select whose only uses are the collected ops, back to the last op not `within_warp`,
// and sorts all.
static bool collect_needed(struct hidden *h, MlirOperation behind) {
    MlirOperation run[2 * MAX_OPS];
    size_t length = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(h->block); !mlirOperationEqual(op, behind);
         op = mlirOperationGetNextInBlock(op)) {
        length = within_warp(h, op) ? length : 0;
        if (length == 2 * MAX_OPS) {
            return false;
        }
        run[length] = op;
        length += within_warp(h, op);
    }
    for (size_t i = length; i-- > 0;) {
        bool needed = !is_among(h, run[i]) && !is_condition(h, run[i]) && !has_reader_behind(h, run[i]);
        if (needed && !add(h, run[i])) {
            return false;
        }
    }
    struct hidden in_order = *h;
    in_order.count = 0;
    for (size_t i = 0; i < length; i++) {
        if (is_among(h, run[i])) {
            in_order.ops[in_order.count++] = run[i];
        }
    }
    *h = in_order;
    return true;
}

// Adds the op's results with readers behind the collected ops. False if they are too many.
static bool add_results(struct hidden *h, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (is_read_behind(h, result)) {
            if (h->result_count == MAX_RESULTS) {
                return false;
            }
            h->results[h->result_count++] = result;
        }
    }
    return true;
}

// False if there is nothing to gain, or too much to move.
static bool collect(struct hidden *h, MlirOperation select) {
    MlirOperation behind = collect_dependents(h, select);
    if (mlirOperationIsNull(behind)) {
        return false;
    }
    copy_behind(h, behind);
    if (has_reader_behind(h, select) || !collect_needed(h, behind)) {
        return false;
    }
    for (size_t i = 0; i < h->count; i++) {
        if (!add_results(h, h->ops[i])) {
            return false;
        }
    }
    return h->result_count > 0;
}

// An i1 for each warp: false if every element of the warp is hidden. Column numbers about to wrap hide
// nothing.
static MlirValue build_near(struct builder *b, const struct diagonal *d) {
    MlirType type = mlirValueGetType(d->rows);
    MlirValue first = VALUE(b, OP_SPLAT, OPERANDS(d->first), RESULTS(type), NO_ATTRS);
    int64_t extent = type_extent(type, 0);
    MlirType bits =
        tensor_type(1, &extent, type_i1(b->ir), layout_attribute(b->ir, type_layout(b->ir, type)));
    MlirAttribute predicate = mlirIntegerAttrGet(type_i64(b->ir), d->strict ? INT_SLT : INT_SLE);
    MlirValue near =
        VALUE(b, OP_CMPI, OPERANDS(first, d->rows), RESULTS(bits), ATTRS(attr(b, ATTR_PREDICATE, predicate)));
    MlirValue any = VALUE(b, OP_WARP_ANY, OPERANDS(near), RESULTS(type_i1(b->ir)), NO_ATTRS);
    MlirValue wraps = build_compare(b, INT_SGT, d->first, const_i32(b, (int64_t)INT_MAX - d->columns + 1));
    return build_binary(b, OP_ORI, any, wraps);
}

static void branch(struct hidden *h, MlirOperation select) {
    struct builder b = builder_after(h->context->ir, h->ops[h->count - 1]);
    MlirType types[MAX_RESULTS];
    for (size_t i = 0; i < h->result_count; i++) {
        types[i] = mlirValueGetType(h->results[i]);
    }
    MlirBlock near, far;
    MlirOperation either = build_if(&b, build_near(&b, &h->mask),
                                    (struct results){(intptr_t)h->result_count, types}, &near, &far);
    for (size_t i = 0; i < h->result_count; i++) {
        read_instead(h, h->results[i], mlirOperationGetResult(either, (intptr_t)i));
    }
    struct builder then = builder_at_end(b.ir, near, b.location),
                   otherwise = builder_at_end(b.ir, far, b.location);
    struct map map = {0};
    MlirValue others[MAX_RESULTS];
    for (size_t i = 0; i < h->count; i++) {
        if (mlirOperationEqual(h->ops[i], select)) {
            map_value(&map, mlirOperationGetResult(select, 0), select_no(select));
        } else {
            op_repeat(&otherwise, h->context->arena, &map, h->ops[i]);
        }
    }
    for (size_t i = 0; i < h->result_count; i++) {
        others[i] = (MlirValue){map_get(&map, h->results[i].ptr)};
    }
    map_free(&map);
    for (size_t i = 0; i < h->count; i++) {
        mlirOperationRemoveFromParent(h->ops[i]);
        mlirBlockAppendOwnedOperation(near, h->ops[i]);
    }
    build_yield(&then, (struct operands){(intptr_t)h->result_count, h->results});
    build_yield(&otherwise, (struct operands){(intptr_t)h->result_count, others});
}

static void try_select(struct pass_context *context, MlirOperation select) {
    struct ir *ir = context->ir;
    MlirType type = mlirValueGetType(mlirOperationGetResult(select, 0));
    struct hidden h = {.context = context, .block = mlirOperationGetBlock(select)};
    if (!type_is_tensor(type) || mlirShapedTypeGetRank(type) != 2 ||
        type_extent(type, 0) <= type_extent(type, 1) || // no warp's rows end before a later step begins
        !is_splat_constant(ir, select_no(select)) || !find_diagonal(ir, select_condition(select), &h.mask)) {
        return;
    }
    h.columns = type_extent(type, 1);
    if (collect(&h, select)) {
        branch(&h, select);
    }
}

void pass_hidden_rows(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA))) {
        return; // not measured elsewhere
    }
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        bool in_loop = op_kind(context->ir, ops[i]) == OP_SELECT &&
                       op_kind(context->ir, mlirOperationGetParentOperation(ops[i])) == OP_FOR;
        if (in_loop) {
            try_select(context, ops[i]);
        }
    }
}
