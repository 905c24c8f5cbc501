// Splits masks into conditions; the mask is true exactly if all of them hold.
//
//   tk.broadcast (arith.cmpi slt (tk.expand_dims (%k + tk.range)), tk.splat %K)       k + i1 - K < 0
//   arith.andi %x, %y                                                        those of %x and those of %y
//   tk.splat %inside                                                                  the guard %inside
#include "passes/facts/tile_access.h"

#include "ir/build.h"

struct walk {
    struct affines *affines;
    struct tile_mask *out;
};

static void add_guard(struct walk *w, MlirValue condition) {
    struct tile_mask *out = w->out;
    for (int i = 0; i < out->guard_count; i++) {
        if (value_is(out->guards[i], condition)) {
            return;
        }
    }
    if (out->guard_count == TILE_GUARDS) {
        out->explained = false;
        return;
    }
    out->guards[out->guard_count++] = condition;
}

static void add_comparison(struct walk *w, MlirOperation comparison) {
    struct tile_mask *out = w->out;
    for (int i = 0; i < out->comparison_count; i++) {
        if (mlirOperationEqual(out->comparisons[i], comparison)) {
            return;
        }
    }
    if (out->comparison_count == TILE_CONDITIONS) {
        out->explained = false;
        return;
    }
    out->comparisons[out->comparison_count++] = comparison;
}

// `to[d]` is the mask's dimension for dimension d of the comparison.
static void add_condition(struct walk *w, struct affine below_zero, const int *to) {
    struct tile_mask *out = w->out;
    for (int i = 0; i < below_zero.count; i++) {
        struct affine_term *term = &below_zero.terms[i];
        term->dim = term->dim < 0 ? -1 : to[term->dim];
    }
    for (int i = 0; i < out->count; i++) {
        if (affine_equal(&out->below_zero[i], &below_zero)) {
            return;
        }
    }
    if (out->count == TILE_CONDITIONS) {
        out->explained = false;
        return;
    }
    out->below_zero[out->count++] = below_zero;
}

static void walk_value(struct walk *w, MlirValue value, const int *to);

static void walk_moved(struct walk *w, MlirOperation op, const int *to) {
    int moved[LAYOUT_MAX_RANK], inner[LAYOUT_MAX_RANK] = {0};
    MlirValue operand = unary_source(op);
    if (!affine_dims_moved(w->affines, op, moved)) {
        w->out->explained = false;
        return;
    }
    for (int d = 0; d < type_rank(mlirValueGetType(operand)); d++) {
        inner[d] = to[moved[d]];
    }
    walk_value(w, operand, inner);
}

static void walk_value(struct walk *w, MlirValue value, const int *to) {
    struct ir *ir = w->affines->context->ir;
    struct affine below_zero;
    int64_t constant;
    if (value_is_constant_int(ir, value, &constant)) {
        w->out->explained &= constant != 0;
        return;
    }
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(ir, op);
    switch (kind) {
    case OP_ANDI:
        walk_value(w, binary_left(op), to);
        walk_value(w, binary_right(op), to);
        return;
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_CONVERT_LAYOUT:
    case OP_HINT:
        walk_value(w, unary_source(op), to);
        return;
    case OP_EXPAND_DIMS:
    case OP_TRANS:
    case OP_RESHAPE:
        walk_moved(w, op, to);
        return;
    default:
        if (!type_is_tensor(mlirValueGetType(value))) {
            add_guard(w, value);
        } else if (kind == OP_CMPI && affine_below_zero(w->affines, op, &below_zero)) {
            add_condition(w, below_zero, to);
            add_comparison(w, op);
        } else {
            w->out->explained = false;
        }
    }
}

void tile_mask_of(struct affines *affines, MlirValue mask, struct tile_mask *out) {
    int to[LAYOUT_MAX_RANK];
    for (int d = 0; d < LAYOUT_MAX_RANK; d++) {
        to[d] = d;
    }
    *out = (struct tile_mask){.explained = true};
    walk_value(&(struct walk){affines, out}, mask, to);
}

bool tile_is_bounded_by(struct affines *affines, const struct tile_dim *dim, int d,
                        const struct affine *below_zero) {
    struct affine size = dim->start, constant = affine_constant(dim->bound.constant);
    return dim->bounded && affine_add_term(&size, (struct affine_term){1, d, 0, -1, {0}, 0, 0, 0, 0}) &&
           affine_add(&size, below_zero, -1) && affine_add(&size, &constant, -1) && size.count == 1 &&
           affine_is_size(affines, &size.terms[0]) &&
           tile_same_size(tile_size_of(affines, &size.terms[0], dim->bound.constant), dim->bound);
}
