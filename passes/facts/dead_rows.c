// Dead rows: rows loaded and computed with, but never stored.
//
//   %a = tk.load (rows % M, depth)              rows from M on: copies of other rows
//   %c = tk.dot %a, %b, %sums                   their products are in the same rows of %c
//   tk.store %p, %c, rows < M                   the mask leaves them out
//
// The walk follows every use of the tile forward, together with the dimension of the rows. Each op must keep
// rows apart: an elementwise op, a reduction along another dimension, or a dot with the rows as rows or
// columns of its result. Every path must end in a store, an atomic or a select by `first + row < bound` with the
// same `first` and `bound`. Zeros, infinities and NaNs in dead rows stay in those rows.
//
// If a loop changes `first`, row i of the next iteration is another row. So the walk refuses tiles carried by
// such a loop. It also refuses addresses and branches made of dead rows: zeros instead of copies could fault
// there.
//
// test: tests/unit/test_dead_rows.c
#include "passes/facts/dead_rows.h"

#include "ir/build.h"

struct follow {
    struct affines *affines;
    struct ir *ir;
    const struct tile_dim *rows;
    struct map seen;    // value → dimension of the rows, plus 1
    MlirValue *pending; // seen and not followed
    size_t count, capacity;
};

// Notes the rows in dimension `dim` of the value. False if an earlier path noted another dimension.
static bool reach(struct follow *f, MlirValue value, int dim) {
    size_t known = (size_t)map_get(&f->seen, value.ptr);
    if (known) {
        return known == (size_t)dim + 1;
    }
    f->pending = arena_grown(f->affines->context->arena, f->pending, f->count, &f->capacity, sizeof value);
    map_put(&f->seen, value.ptr, (void *)(size_t)(dim + 1));
    f->pending[f->count++] = value;
    return true;
}

static bool reach_results(struct follow *f, MlirOperation op, int dim) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (!reach(f, mlirOperationGetResult(op, i), dim)) {
            return false;
        }
    }
    return true;
}

// ---- masks at the end of a path ----

// The mask is false in all rows from the bound on.
static bool masks_rows(struct follow *f, MlirValue mask, int dim) {
    struct tile_mask conditions;
    tile_mask_of(f->affines, mask, &conditions);
    for (int i = 0; i < conditions.count; i++) {
        if (tile_is_bounded_by(f->affines, f->rows, dim, &conditions.below_zero[i])) {
            return true;
        }
    }
    return false;
}

static bool is_masked_off(struct follow *f, MlirOperation op, intptr_t operand, int dim) {
    MlirValue mask = writer_mask(op);
    return operand != at_writer_pointer && !mlirValueIsNull(mask) && masks_rows(f, mask, dim);
}

// The select takes its other choice in all rows from the bound on.
static bool is_passed_over(struct follow *f, MlirOperation select, intptr_t operand, int dim) {
    return value_is(mlirOperationGetOperand(select, operand), select_yes(select)) &&
           !value_is(select_yes(select), select_no(select)) && masks_rows(f, select_condition(select), dim);
}

// ---- through ops ----

static bool follow_shape(struct follow *f, MlirOperation op, enum op_kind kind, int dim) {
    int axis = (int)op_int(op, ATTR_AXIS), to[LAYOUT_MAX_RANK];
    switch (kind) {
    case OP_REDUCE:
        return dim != axis && reach_results(f, op, dim < axis ? dim : dim - 1);
    case OP_SCAN:
        return dim != axis && reach_results(f, op, dim);
    case OP_SPLIT: // takes the last dimension apart
        return dim != type_rank(mlirValueGetType(unary_source(op))) - 1 && reach_results(f, op, dim);
    default:
        return affine_dims_moved(f->affines, op, to) && reach_results(f, op, to[dim]);
    }
}

// The rows must be rows or columns of the product. The summed dimension mixes them.
static bool follow_dot(struct follow *f, MlirOperation op, intptr_t operand, int dim) {
    int rank = type_rank(mlirValueGetType(mlirOperationGetResult(op, 0)));
    bool summed = (operand == at_dot_a && dim == rank - 1) || (operand == at_dot_b && dim == rank - 2);
    return !summed && reach_results(f, op, dim);
}

static bool first_varies_in(struct follow *f, MlirOperation loop) {
    for (int i = 0; i < f->rows->start.count; i++) {
        const struct affine_term *term = &f->rows->start.terms[i];
        for (int s = 0; s < term->symbol_count; s++) {
            if (affine_symbol_varies_in(f->affines, term->symbols[s], loop)) {
                return true;
            }
        }
    }
    return false;
}

// From the end of a loop's body or of a branch.
static bool follow_yield(struct follow *f, MlirOperation yield, intptr_t operand, int dim) {
    MlirOperation parent = mlirOperationGetParentOperation(yield);
    switch (op_kind(f->ir, parent)) {
    case OP_IF:
        return reach(f, mlirOperationGetResult(parent, operand), dim);
    case OP_FOR:
        return !first_varies_in(f, parent) && reach(f, mlirOperationGetResult(parent, operand), dim) &&
               reach(f, mlirBlockGetArgument(op_body(parent, 0), operand + 1), dim);
    default:
        return false;
    }
}

// Into a shared buffer, and on to every reader of it. The buffer outlives the iteration of its filling, so no
// loop between the store and the allocation may change `first`.
static bool follow_to_buffer(struct follow *f, MlirOperation store, int dim) {
    MlirValue buffer = slot_user_slot(store);
    MlirOperation alloc = value_op(buffer);
    while (!mlirOperationIsNull(alloc) && op_kind(f->ir, alloc) == OP_SMEM_SLOT) {
        buffer = smem_slot_buffer(alloc);
        alloc = value_op(buffer);
    }
    if (mlirOperationIsNull(alloc) || op_kind(f->ir, alloc) != OP_SMEM_ALLOC) {
        return false;
    }
    MlirBlock home = mlirOperationGetBlock(alloc);
    MlirOperation op = store;
    while (!mlirBlockEqual(mlirOperationGetBlock(op), home)) {
        op = mlirOperationGetParentOperation(op);
        if (first_varies_in(f, op)) {
            return false;
        }
    }
    return reach(f, buffer, dim);
}

static bool follow_use(struct follow *f, MlirOperation op, intptr_t operand, int dim) {
    enum op_kind kind = op_kind(f->ir, op);
    unsigned traits = op_traits(kind);
    switch (kind) {
    case OP_STORE:
    case OP_ATOMIC_RMW: // its result in masked-off elements is unspecified anyway
        return is_masked_off(f, op, operand, dim);
    case OP_SELECT:
        return is_passed_over(f, op, operand, dim) || reach_results(f, op, dim);
    case OP_CONVERT_LAYOUT:
    case OP_BROADCAST:
    case OP_JOIN:
    case OP_SMEM_SLOT:
    case OP_SMEM_LOAD:
        return reach_results(f, op, dim);
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_TRANS:
    case OP_SMEM_TRANS:
    case OP_SPLIT:
    case OP_REDUCE:
    case OP_SCAN:
        return follow_shape(f, op, kind, dim);
    case OP_DOT:
        return follow_dot(f, op, operand, dim);
    case OP_FOR:
        return operand >= 3 && reach(f, mlirOperationGetResult(op, operand - 3), dim) &&
               reach(f, mlirBlockGetArgument(op_body(op, 0), operand - 2), dim);
    case OP_SCF_YIELD:
        return follow_yield(f, op, operand, dim);
    case OP_SMEM_STORE:
        return operand == 0 || follow_to_buffer(f, op, dim);
    case OP_ADDPTR:
    case OP_INT_TO_PTR:
    case OP_INLINE_ASM: // may work on several elements at a time
        return false;
    default:
        return (traits & ELEMENTWISE) && (traits & PURE) && reach_results(f, op, dim);
    }
}

bool rows_beyond_are_dead(struct affines *affines, MlirOperation load, const struct tile_dim *dim) {
    struct follow f = {.affines = affines, .ir = affines->context->ir, .rows = dim};
    bool dead = (dim->bounded && dim->tile_dimension >= 0 &&
                 reach(&f, mlirOperationGetResult(load, 0), dim->tile_dimension)) ||
                decline(affines->context, load, REASON_ROWS_READ);
    while (dead && f.count > 0) {
        MlirValue value = f.pending[--f.count];
        int rows = (int)(size_t)map_get(&f.seen, value.ptr) - 1;
        for (MlirOpOperand use = mlirValueGetFirstUse(value); dead && !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            dead = follow_use(&f, user, mlirOpOperandGetOperandNumber(use), rows) ||
                   decline(affines->context, user, REASON_ROWS_READ);
        }
    }
    map_free(&f.seen);
    return dead;
}
