// Limits of masks. A condition is a sum below zero (tile_mask.c). A sum that grows with the iteration number n
// by a constant c > 0 is greatest at the greatest indices of the tile: it is below zero everywhere for n < (c
// - 1 - greatest - rest) / c.
//
//   %rows >= %k + tk.range 0 … 127       k = 128 · n      -rows + 128 · n + 127 - 1 < 0      n < (rows + 1) / 128
//
// A sum that falls with n, c < 0, is below zero everywhere from n = (greatest + rest) / -c + 1 on: the near end of a window.
//
// The sums are of whole numbers, and the program's are of 32 bits. Modulo 2^32 they are the same. They are the
// same numbers if the magnitudes of all terms of a side add up to less than 2^31, tested by the built code in
// 64 bits.
#include "passes/facts/mask_limits.h"

#include "ir/build.h"

bool mask_limit_of(const struct affines *a, MlirOperation loop, const struct affine *below_zero,
                   MlirType mask, struct mask_limit *out) {
    *out = (struct mask_limit){0};
    for (int i = 0; i < below_zero->count; i++) {
        const struct affine_term *term = &below_zero->terms[i];
        if (term->dim >= 0) {
            if (term->symbol_count > 0 || term->wrap >= 0) {
                return false;
            }
            int64_t last = type_extent(mask, term->dim) - 1;
            out->greatest += term->factor > 0 ? term->factor * last : 0;
            continue;
        }
        if (term->symbol_count == 1 && mlirOperationEqual(a->symbols[term->symbols[0]].loop, loop)) {
            out->per_iteration += term->factor;
            continue;
        }
        for (int s = 0; s < term->symbol_count; s++) {
            const struct affine_symbol *symbol = &a->symbols[term->symbols[s]];
            if (mlirValueIsNull(symbol->value) || !affine_is_uniform(a, symbol->value) ||
                type_bits(mlirValueGetType(symbol->value)) < 32 ||
                affine_symbol_varies_in(a, term->symbols[s], loop)) {
                return false;
            }
        }
        if (term->symbol_count > 1 || !affine_add_term(&out->rest, *term)) {
            return false;
        }
    }
    return true;
}

static MlirValue widened(struct builder *b, MlirValue scalar) {
    return type_bits(mlirValueGetType(scalar)) == 64
               ? scalar
               : VALUE(b, OP_EXTSI, OPERANDS(scalar), RESULTS(type_i64(b->ir)), NO_ATTRS);
}

// The number, 0 if some scalar of 64 bits does not fit in 32: products and sums of two fitting scalars do not wrap.
static MlirValue if_scalars_fit(const struct affines *a, struct builder *b, const struct affine *rest,
                                MlirValue number) {
    MlirType type = type_i64(b->ir);
    for (int i = 0; i < rest->count; i++) {
        const struct affine_term *term = &rest->terms[i];
        MlirValue scalar = term->symbol_count ? a->symbols[term->symbols[0]].value : (MlirValue){NULL};
        if (!mlirValueIsNull(scalar) && type_bits(mlirValueGetType(scalar)) == 64) {
            MlirValue all = const_int(b, type, INT64_C(1) << 32);
            MlirValue above = build_binary(b, OP_ADDI, scalar, const_int(b, type, INT64_C(1) << 31));
            MlirValue fits = build_compare(b, INT_ULT, above, all);
            number = build_select(b, fits, number, const_int(b, type, 0));
        }
    }
    return number;
}

MlirValue mask_limit_build(const struct affines *a, struct builder *b, const struct mask_limit *limit) {
    MlirType type = type_i64(b->ir);
    bool rises = limit->per_iteration >= 0;
    int64_t each = rises ? limit->per_iteration : -limit->per_iteration;
    MlirValue left = const_int(b, type, rises ? each - 1 - limit->greatest : each + limit->greatest);
    for (int i = 0; i < limit->rest.count; i++) {
        const struct affine_term *term = &limit->rest.terms[i];
        MlirValue product = const_int(b, type, term->factor);
        if (term->symbol_count) {
            product = build_binary(b, OP_MULI, product, widened(b, a->symbols[term->symbols[0]].value));
        }
        left = build_binary(b, rises ? OP_SUBI : OP_ADDI, left, product);
    }
    MlirValue zero;
    if (each == 0) {
        zero = const_int(b, type, 0);
        MlirValue holds = build_compare(b, INT_SGE, left, zero);
        return if_scalars_fit(a, b, &limit->rest,
                              build_select(b, holds, const_int(b, type, INT32_MAX), zero));
    }
    MlirValue count = build_binary(b, OP_DIVSI, left, const_int(b, type, each));
    zero = const_int(b, type, 0);
    return if_scalars_fit(a, b, &limit->rest, build_binary(b, OP_MAXSI, count, zero));
}

// ---- sums without wrapping ----

// True for one scalar alone, or one loop's iteration number: nothing is computed, so nothing wraps.
static bool is_single(const struct affine *side) {
    const struct affine_term *only = &side->terms[0];
    return side->count == 1 && only->dim < 0 && only->symbol_count == 1 && only->factor == 1;
}

static bool add_magnitude(const struct affines *a, MlirOperation loop, struct affine_term term, MlirType type,
                          struct mask_magnitude *out) {
    enum { MOST = 1 << 26 }; // × 2^31 × AFFINE_TERMS is less than 2^63
    bool is_constant = term.symbol_count == 0 && term.dim < 0;
    int64_t most = is_constant ? INT32_MAX : MOST;
    if (term.wrap >= 0 || term.symbol_count > 1 || (term.dim >= 0 && term.symbol_count > 0) ||
        term.factor > most || term.factor < -most) {
        return false;
    }
    term.factor = term.factor < 0 ? -term.factor : term.factor;
    if (term.symbol_count == 0) {
        out->fixed += term.factor * (is_constant ? 1 : type_extent(type, term.dim) - 1);
        return out->fixed <= INT32_MAX;
    }
    const struct affine_symbol *symbol = &a->symbols[term.symbols[0]];
    if (mlirValueIsNull(symbol->value)) {
        out->per_iteration += term.factor;
        return mlirOperationEqual(symbol->loop, loop);
    }
    return mlirTypeEqual(mlirValueGetType(symbol->value), type_i32(a->context->ir)) &&
           affine_add_term(&out->scalars, term);
}

bool mask_magnitude_of(struct affines *a, MlirOperation loop, MlirValue value, struct mask_magnitude *out) {
    MlirType type = mlirValueGetType(value);
    const struct affine *side = affine_of(a, value);
    *out = (struct mask_magnitude){0};
    if (!side || type_bits(type_element(type)) != 32) {
        return false;
    }
    for (int i = 0; i < side->count && !is_single(side); i++) {
        if (!add_magnitude(a, loop, side->terms[i], type, out)) {
            return false;
        }
    }
    return true;
}

bool mask_magnitude_is_tested(const struct mask_magnitude *m) {
    return m->per_iteration > 0 || m->scalars.count > 0;
}

bool mask_magnitude_equal(const struct mask_magnitude *x, const struct mask_magnitude *y) {
    return x->fixed == y->fixed && x->per_iteration == y->per_iteration &&
           affine_equal(&x->scalars, &y->scalars);
}

// 2^31 - 1 less the magnitudes of the terms without the iteration.
static MlirValue build_room(struct affines *a, struct builder *b, const struct mask_magnitude *m) {
    MlirType type = type_i64(b->ir);
    MlirValue room = const_int(b, type, INT32_MAX - m->fixed);
    for (int i = 0; i < m->scalars.count; i++) {
        MlirValue scalar = a->symbols[m->scalars.terms[i].symbols[0]].value;
        struct axis_info info = axis_of(&a->axis, scalar);
        MlirValue size = widened(b, scalar);
        if (info.low < 0 || info.bounds_assume & ~(unsigned)AXIS_ASSUMES_PROMISES) {
            MlirValue zero = const_int(b, type, 0);
            size = build_binary(b, OP_MAXSI, size, build_binary(b, OP_SUBI, zero, size));
        }
        size = build_binary(b, OP_MULI, const_int(b, type, m->scalars.terms[i].factor), size);
        room = build_binary(b, OP_SUBI, room, size);
    }
    return room;
}

MlirValue mask_magnitude_build(struct affines *a, struct builder *b, const struct mask_magnitude *m,
                               MlirValue steps) {
    MlirType type = type_i64(b->ir);
    if (m->scalars.count == 0) {
        int64_t most = m->per_iteration ? (INT32_MAX - m->fixed) / m->per_iteration : INT32_MAX;
        return build_binary(b, OP_MINSI, steps, const_int(b, type, most));
    }
    MlirValue room = build_room(a, b, m), zero = const_int(b, type, 0);
    if (m->per_iteration == 0) {
        MlirValue fits = build_compare(b, INT_SGE, room, zero);
        return build_select(b, fits, steps, zero);
    }
    MlirValue most = build_binary(b, OP_DIVSI, room, const_int(b, type, m->per_iteration));
    return build_binary(b, OP_MINSI, steps, build_binary(b, OP_MAXSI, most, zero));
}
