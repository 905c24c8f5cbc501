// Conditions of a mask as bounds of the dimensions of a box (tile_access.c). Each is a sum below zero (tile_mask.c).
//
//   m0 + i0 - M < 0        dimension of i0: from m0 on, below M
//   -i0 - m0 - 1 < 0       nothing below index 0 of it
//   i0 - length < 0        a length that is loaded: the box is cut at run time
//   (m0 + i0) % P + d - P < 0, -((m0 + i0) % P) - d - 1 < 0        rows shifted by d, within pieces of P rows: a convolution's
//
// test: tests/unit/test_tile_access.c
#include "passes/facts/tile_boxing.h"

#include "ir/build.h"

// rest - start × the stride of dimension n.
static bool without(const struct boxing *x, int n, const struct affine *start, struct affine *out) {
    struct affine stride = {.count = 1, .terms = {x->strides[n]}}, moved;
    *out = x->rest;
    return affine_multiply(x->affines, start, &stride, &moved) && affine_add(out, &moved, -1);
}

static int64_t constant_part(const struct affine *sum) {
    for (int i = 0; i < sum->count; i++) {
        if (sum->terms[i].symbol_count == 0 && sum->terms[i].dim < 0) {
            return sum->terms[i].factor;
        }
    }
    return 0;
}

// The constant part of the rest, as an index along dimension n.
static int64_t constant_index(const struct boxing *x, int n) {
    const struct affine_term *stride = &x->strides[n];
    for (int i = 0; i < x->rest.count; i++) {
        const struct affine_term *term = &x->rest.terms[i];
        if (term->dim < 0 && boxing_same_symbols(term, stride) && term->factor % stride->factor == 0) {
            return term->factor / stride->factor;
        }
    }
    return 0;
}

// Reads the bound from index + scalars < 0: term i of the scalars is minus the size; for i = count the size
// is a constant. With `splits` the condition's constant is split: the address's constant is the box's first
// index, and the difference is part of the size. A negative constant of the address is not split, because the
// box would begin below zero: it moves the tensor instead.
static bool size_in(const struct boxing *x, int n, const struct affine *scalars, int i, bool splits,
                    struct affine_term *size, int64_t *constant) {
    *constant = splits ? constant_index(x, n) - constant_part(scalars) : 0;
    if (i < scalars->count) {
        *size = scalars->terms[i];
        return size->factor < 0 && size->symbol_count > 0 && affine_is_size(x->affines, size) &&
               (!splits || (*constant != 0 && constant_index(x, n) >= 0));
    }
    *size = affine_constant(1).terms[0];
    size->factor = -*constant;
    *constant = 0;
    return splits && size->factor < 0;
}

// The cost of a bound. Terms left in the address as indices count most, then the terms of the box's first
// index, then terms left to move the tensor.
static int cost_of_bound(const struct boxing *x, const struct affine *start, const struct affine *rest) {
    enum { REST = 1, START = REST * (AFFINE_TERMS + 1), INDEX = START * (AFFINE_TERMS + 1) };
    int cost = START * start->count + REST * rest->count;
    for (int i = 0; i < rest->count; i++) {
        cost += affine_is_size(x->affines, &rest->terms[i]) ? 0 : INDEX;
    }
    return cost;
}

// Splits index + scalars < 0 into a size and the first index: some scalars are minus the size, the others
// give the box's first index. The cheapest candidate wins; a constant size only if there is no other.
static bool bound_dimension(struct boxing *x, int n, const struct affine *scalars) {
    struct tile_dim *dim = &x->out->dim[n];
    struct affine best_rest = {0};
    bool found = false;
    int best_cost = 0;
    for (int try = 0; try < 2 * (scalars->count + 1); try++) {
        int i = try % (scalars->count + 1);
        struct affine start = *scalars, rest;
        struct affine_term size;
        int64_t constant;
        if ((i == scalars->count && found) ||
            !size_in(x, n, scalars, i, try > scalars->count, &size, &constant)) {
            continue;
        }
        struct affine more = affine_constant(constant);
        size.factor = -size.factor;
        if (!affine_add_term(&start, size) || !affine_add(&start, &more, 1) ||
            !without(x, n, &start, &rest) || (found && cost_of_bound(x, &start, &rest) >= best_cost)) {
            continue;
        }
        found = true;
        best_cost = cost_of_bound(x, &start, &rest);
        best_rest = rest;
        dim->start = start;
        dim->bound = tile_size_of(x->affines, &size, constant);
    }
    dim->bounded = found;
    x->rest = best_rest;
    return found;
}

// True if dimension n has the same wrap. Beyond its size an index with another wrap is any number, and a
// condition on it could reveal the number.
static bool is_wrap_of(const struct boxing *x, int n, const struct affine_wrap *wrap) {
    const struct tile_dim *dim = &x->out->dim[n];
    struct tile_size size = tile_size_of(x->affines, &wrap->size.terms[0], 0);
    return affine_equal(&wrap->first, &dim->start) && tile_same_size(size, dim->bound);
}

// Accepts two conditions on a wrapped index: the row exists, true for every wrapped index, or the
// index was not wrapped.
static bool accept_wrapped(struct boxing *x, int n, const struct affine *below_zero,
                           const struct affine_term *index) {
    struct tile_dim *dim = &x->out->dim[n];
    if (index->wrap >= 0) { // (rows % size) + scalars < 0, or -(rows % size) - 1 < 0
        const struct affine_wrap *wrap = &x->affines->wraps[index->wrap];
        struct affine limit = *below_zero;
        struct affine_term term = *index;
        term.factor = -term.factor;
        affine_add_term(&limit, term);
        if (!is_wrap_of(x, n, wrap)) {
            return false;
        }
        if (index->factor == -1) {
            return limit.count == 1 && constant_part(&limit) == -1;
        }
        return index->factor == 1 && affine_add(&limit, &wrap->size, 1) && limit.count == 0;
    }
    dim->wrapped = false;
    return tile_is_bounded_by(x->affines, dim, dim->tile_dimension, below_zero);
}

// Notes a test -index - scalars - 1 < 0: it proves -scalars - 1 not negative.
static bool add_test(struct boxing *x, int n, const struct affine *scalars) {
    struct affine one = affine_constant(1), tested = {0};
    if (x->tested_count[n] == 2 || !affine_add(&tested, scalars, -1) || !affine_add(&tested, &one, -1)) {
        return false;
    }
    x->tested[n][x->tested_count[n]++] = tested;
    return true;
}

// Handles index + scalars < 0 for scalars unknown to the host: -scalars elements are accessed.
static bool cut_dimension(struct boxing *x, int n, const struct affine *scalars) {
    struct tile_dim *dim = &x->out->dim[n];
    struct affine_term shift = x->strides[n];
    struct affine count = {0};
    if (n == 0 || dim->extent > INT16_MAX || x->out->offset_count == TILE_OFFSETS ||
        __builtin_mul_overflow(shift.factor, -dim->extent, &shift.factor) ||
        !affine_add(&count, scalars, -1)) {
        return false;
    }
    struct tile_dim *place = boxing_add_dim(x, x->strides[n]);
    if (!place) {
        return false;
    }
    place->cut_by = n;
    x->out->offsets[x->out->offset_count++] = tile_size_of(x->affines, &shift, 0);
    dim->cut = dim->bounded = true;
    dim->bound = (struct tile_size){0, dim->extent, {-1, -1}, 1};
    dim->start = count;
    return true;
}

// True if the sum has products missing in the other one.
static bool has_new_terms(const struct affine *sum, const struct affine *other) {
    for (int i = 0; i < sum->count; i++) {
        bool found = false;
        for (int j = 0; j < other->count && !found; j++) {
            found = boxing_same_symbols(&sum->terms[i], &other->terms[j]) &&
                    sum->terms[i].dim == other->terms[j].dim;
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

// Bounds the dimension by a size, or cuts it. A bound with further terms for the address is not taken: the first
// index it gives is unrelated to the address.
static bool limit_dimension(struct boxing *x, int n, const struct affine *scalars) {
    struct boxing before = *x;
    struct tile_access out = *x->out;
    unsigned assumes = 0;
    bool bounded = bound_dimension(x, n, scalars);
    if (bounded && (!has_new_terms(&x->rest, &before.rest) ||
                    affine_is_non_negative(x->affines, &x->out->dim[n].start, &assumes))) {
        return true;
    }
    struct boxing bound = *x;
    struct tile_access bound_out = *x->out;
    *x = before;
    *x->out = out;
    if (!cut_dimension(x, n, scalars)) {
        *x = bound;
        *x->out = bound_out;
        return bounded;
    }
    return true;
}

// The largest power of two, up to `most`, that surely divides the sum of scalars.
static int64_t power_in(const struct boxing *x, const struct affine *sum, int64_t most) {
    for (int i = 0; i < sum->count; i++) {
        const struct affine_term *term = &sum->terms[i];
        int64_t power = term->factor & -term->factor;
        for (int s = 0; s < term->symbol_count && power < most; s++) {
            MlirValue value = x->affines->symbols[term->symbols[s]].value;
            int64_t known = mlirValueIsNull(value) ? 1 : axis_of(&x->affines->axis, value).divisibility[0];
            power *= known > 0 ? known & -known : most;
        }
        most = power < most ? power : most;
    }
    return most;
}

// Begins runs of rows along dimension n.
static bool begin_runs(struct boxing *x, int n, int number) {
    struct tile_dim *dim = &x->out->dim[n];
    const struct affine_wrap *wrap = &x->affines->wraps[number];
    int64_t run = power_in(x, &wrap->size, power_in(x, &wrap->first, dim->extent & -dim->extent));
    if (!x->runs || n == 0 || dim->bounded || x->tested_count[n] > 0) {
        return false;
    }
    dim->run = run;
    x->wraps[n] = number;
    x->out->assumes |= wrap->assumes;
    return true;
}

// Accepts a condition on the row modulo a size, in a dimension whose rows are not: they are copied in runs.
static bool accept_run(struct boxing *x, int n, const struct affine *scalars,
                       const struct affine_term *index) {
    struct tile_dim *dim = &x->out->dim[n], *place;
    const struct affine_wrap *wrap = &x->affines->wraps[index->wrap];
    if (dim->run == 0 ? !begin_runs(x, n, index->wrap) : x->wraps[n] != index->wrap) {
        return false;
    }
    if (index->factor == -1) {
        return add_test(x, n, scalars);
    }
    struct affine first = *scalars, row, rest;
    if (index->factor != 1 || dim->bounded || !affine_add(&first, &wrap->size, 1)) {
        return false;
    }
    row = first;
    if (!affine_add(&row, &wrap->first, 1) || !without(x, n, &row, &rest) ||
        !(place = boxing_add_dim(x, x->strides[n]))) {
        return false;
    }
    x->rest = rest;
    place->run_of = n;
    dim->bounded = true;
    dim->bound = tile_size_of(x->affines, &wrap->size.terms[0], 0);
    dim->start = first;
    return true;
}

static bool accept_condition(struct boxing *x, const struct affine *below_zero) {
    struct affine scalars = {0};
    const struct affine_term *index = NULL;
    int n = -1;
    for (int i = 0; i < below_zero->count; i++) {
        if (below_zero->terms[i].dim < 0) {
            affine_add_term(&scalars, below_zero->terms[i]);
        } else if (index) {
            return false;
        } else {
            index = &below_zero->terms[i];
        }
    }
    for (unsigned i = 0; index && i < x->out->rank; i++) {
        n = x->out->dim[i].tile_dimension == index->dim ? (int)i : n;
    }
    if (!index && scalars.count == 1 && constant_part(&scalars) < 0) {
        return true;
    }
    if (n < 0 || index->symbol_count > 0) {
        return false;
    }
    if (x->out->dim[n].wrapped) {
        return accept_wrapped(x, n, below_zero, index);
    }
    if (index->wrap >= 0 || x->out->dim[n].run > 0) {
        return index->wrap >= 0 && accept_run(x, n, &scalars, index);
    }
    if (index->factor == -1) {
        return add_test(x, n, &scalars);
    }
    return index->factor == 1 && !x->out->dim[n].bounded && limit_dimension(x, n, &scalars);
}

bool boxing_accept_mask(struct boxing *x, MlirValue mask) {
    struct tile_mask conditions;
    tile_mask_of(x->affines, mask, &conditions);
    if (!conditions.explained) {
        return boxing_refuse(x, REASON_MASK);
    }
    x->out->guard_count = conditions.guard_count;
    for (int i = 0; i < conditions.guard_count; i++) {
        x->out->guards[i] = conditions.guards[i];
        if (!affine_is_uniform(x->affines, conditions.guards[i])) {
            return boxing_refuse(x, REASON_MASK_GUARD);
        }
    }
    for (int i = 0; i < conditions.count; i++) {
        if (!accept_condition(x, &conditions.below_zero[i])) {
            return boxing_refuse(x, REASON_MASK_CONDITION);
        }
    }
    for (unsigned n = 0; n < x->out->rank; n++) {
        if (x->out->dim[n].run > 0 && !x->out->dim[n].bounded) {
            return boxing_refuse(x, REASON_MASK_CONDITION);
        }
    }
    return true;
}
