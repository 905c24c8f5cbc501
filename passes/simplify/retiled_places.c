// Rows and columns of a stored tile, and of the elements computed by a step of another shape.
//
//   the store:     h + (m·128 + i0)·N + n·256 + i1        row m·128 + i0, column n·256 + i1, stride N
//   step's loads:  h + p·1024 + i0                        flat: element row·N + column of the array
//                  h + p·N + i0                           row p, column i0
//                  h + (p·32 + i0)·N + q·32 + i1          row p·32 + i0, column q·32 + i1
//
// An address is split by its terms: multiples of the stride make the row, all others the column. The step's coordinates are
// equal to the tile's then, because a column is below the stride: of flat elements by the array's size, of others by the step's own
// mask or tile. Sums of the step are written in its coordinates by taking out, for each coordinate, the terms with its lead.
#include "passes/simplify/retiled_steps.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/same_in_programs.h"

static bool refuse(struct retile *r, MlirOperation op, enum reason reason) {
    return decline(r->context, op, reason);
}

int place_dim(int places, int d) {
    return places == PLACES_SECOND ? 1 : d;
}

static struct affine in_places(const struct affine *sum, int places) {
    struct affine out = *sum;
    out.base = (MlirValue){NULL};
    for (int i = 0; i < out.count; i++) {
        out.terms[i].dim = out.terms[i].dim < 0 ? -1 : (int16_t)place_dim(places, out.terms[i].dim);
    }
    return out;
}

static bool has_symbol(const struct affine_term *term, int symbol) {
    for (int s = 0; s < term->symbol_count; s++) {
        if (term->symbols[s] == symbol) {
            return true;
        }
    }
    return false;
}

static struct affine_term without_symbol(struct affine_term term, int symbol) {
    int kept = 0;
    bool gone = false;
    for (int s = 0; s < term.symbol_count; s++) {
        if (gone || term.symbols[s] != symbol) {
            term.symbols[kept++] = term.symbols[s];
        } else {
            gone = true;
        }
    }
    term.symbol_count = (int16_t)kept;
    return term;
}

// Facts about ranges of 32 bits do not hold for the new terms.
static struct affine_term bare(struct affine_term term) {
    term.fits = 0;
    term.narrow = 0;
    term.whole = 0;
    term.within = 0;
    return term;
}

// ---- quotients by the stride

// term / stride, if it divides.
static bool divided(const struct affine_term *term, const struct affine_term *stride,
                    struct affine_term *out) {
    *out = bare(*term);
    for (int s = 0; s < stride->symbol_count; s++) {
        if (!has_symbol(out, stride->symbols[s])) {
            return false;
        }
        *out = without_symbol(*out, stride->symbols[s]);
    }
    if (stride->factor == 0 || term->factor % stride->factor != 0) {
        return false;
    }
    out->factor = term->factor / stride->factor;
    return true;
}

// Splits an address without its base.
static bool rows_and_columns(const struct affine *sum, const struct affine_term *stride, struct affine *row,
                             struct affine *column) {
    *row = *column = (struct affine){0};
    for (int i = 0; i < sum->count; i++) {
        struct affine_term quotient;
        bool fits = divided(&sum->terms[i], stride, &quotient) ? affine_add_term(row, quotient)
                                                               : affine_add_term(column, bare(sum->terms[i]));
        if (!fits || sum->terms[i].wrap >= 0) {
            return false;
        }
    }
    return true;
}

// The coordinate's term, with the factor 1: an index of the tile, else a scalar, but no argument.
static bool find_lead(struct retile *r, const struct affine *sum, struct affine_term *lead) {
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < sum->count; i++) {
            const struct affine_term *term = &sum->terms[i];
            bool index = term->dim >= 0 && term->symbol_count == 0;
            bool scalar = term->dim < 0 && term->symbol_count == 1 &&
                          affine_argument(&r->affines, term->symbols[0]) < 0;
            if (term->factor == 1 && (pass ? scalar : index)) {
                *lead = *term;
                return true;
            }
        }
    }
    return false;
}

// ---- the tile

static const struct affine *address_of(struct retile *r, MlirValue pointer) {
    const struct affine *sum = affine_of(&r->affines, pointer);
    return sum && !mlirValueIsNull(sum->base) ? sum : NULL;
}

// The stride of rows: the factor of the tile's other dimension; for a single row, of the scalar, but no argument.
static bool find_stride(struct retile *r, const struct affine *address) {
    int rank = type_rank(r->tile);
    r->row_dim = r->column_dim = -1;
    for (int i = 0; i < address->count; i++) {
        const struct affine_term *term = &address->terms[i];
        if (term->dim >= 0 && term->factor == 1 && term->symbol_count == 0) {
            r->column_dim = term->dim;
        }
    }
    r->row_dim = rank == 2 ? 1 - r->column_dim : -1;
    if (r->column_dim < 0) {
        return false;
    }
    for (int i = 0; i < address->count; i++) {
        struct affine_term term = bare(address->terms[i]);
        if (rank == 1) { // the row's number is the program's
            int scalar = -1;
            for (int s = 0; s < term.symbol_count; s++) {
                scalar = affine_argument(&r->affines, term.symbols[s]) < 0 ? term.symbols[s] : scalar;
            }
            bool only = term.dim < 0 && scalar >= 0 && (term.symbol_count > 1 || term.factor > 1);
            term = only ? without_symbol(term, scalar) : term;
            if (only && affine_is_size(&r->affines, &term)) {
                r->stride = (struct affine){.count = 1, .terms = {term}};
                return true;
            }
        } else if (term.dim == r->row_dim) {
            term.dim = -1;
            r->stride = (struct affine){.count = 1, .terms = {term}};
            return affine_is_size(&r->affines, &term);
        }
    }
    return false;
}

static MlirOperation own_id(struct retile *r, int axis) {
    size_t count;
    MlirOperation *ops = ops_collect(r->ir, r->context->arena, r->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(r->ir, ops[i]) == OP_PROGRAM_ID && op_int(ops[i], ATTR_AXIS) == axis &&
            !op_has(ops[i], ATTR_STEP)) {
            return ops[i];
        }
    }
    return (MlirOperation){NULL};
}

static struct affine_term scalar_term(struct retile *r, MlirValue value, int64_t factor) {
    return (struct affine_term){factor, -1, 1, -1, {affine_symbol_of(&r->affines, value)}, 0, 0, 0, 0};
}

// The store's conditions, and for an argument equal to a side of the grid the bound of the program id.
static void read_conditions(struct retile *r, MlirOperation store, struct tile_mask *out) {
    const int32_t *programs;
    intptr_t axes = op_i32_array(r->function, ATTR_PROGRAMS, &programs, r->context->arena);
    *out = (struct tile_mask){.explained = true};
    if (!mlirValueIsNull(store_mask(store))) {
        tile_mask_of(&r->affines, store_mask(store), out);
    }
    for (int axis = 0; axis < axes && out->count < TILE_CONDITIONS; axis++) {
        MlirOperation id = own_id(r, axis);
        if (programs[axis] >= 0 && !mlirOperationIsNull(id)) {
            struct affine below = {.count = 1, .terms = {scalar_term(r, mlirOperationGetResult(id, 0), 1)}};
            affine_add_term(&below, scalar_term(r, mlirBlockGetArgument(r->body, programs[axis]), -1));
            out->below_zero[out->count++] = below;
        }
    }
}

bool retile_take_store(struct retile *r, MlirOperation store) {
    MlirType tile = mlirValueGetType(store_value(store));
    const struct affine *address = address_of(r, store_pointer(store));
    if (!type_is_tensor(tile) || type_rank(tile) > 2 || !address) {
        return refuse(r, store, REASON_CHAIN_TILE);
    }
    r->tile = tile;
    struct affine offset = in_places(address, PLACES_ALL);
    read_conditions(r, store, &r->mask);
    if (!r->mask.explained || !find_stride(r, &offset) ||
        !rows_and_columns(&offset, &r->stride.terms[0], &r->row, &r->column) ||
        !find_lead(r, &r->row, &r->row_lead) || !find_lead(r, &r->column, &r->column_lead)) {
        return refuse(r, store, REASON_CHAIN_TILE);
    }
    r->store = store;
    return true;
}

static bool same_conditions(const struct tile_mask *a, const struct tile_mask *b) {
    bool same = a->explained && b->explained && a->count == b->count && a->guard_count == b->guard_count;
    for (int i = 0; i < a->count && same; i++) {
        bool found = false;
        for (int k = 0; k < b->count; k++) {
            found |= affine_equal(&a->below_zero[i], &b->below_zero[k]);
        }
        same = found;
    }
    for (int i = 0; i < a->guard_count && same; i++) {
        same = value_is(a->guards[i], b->guards[i]);
    }
    return same;
}

bool retile_same_store(struct retile *r, MlirOperation store) {
    const struct affine *own = address_of(r, store_pointer(r->store)),
                        *other = address_of(r, store_pointer(store));
    struct tile_mask mask;
    read_conditions(r, store, &mask);
    struct affine a = own ? in_places(own, PLACES_ALL) : (struct affine){0};
    struct affine b = other ? in_places(other, PLACES_ALL) : (struct affine){0};
    return own && other && mlirBlockEqual(mlirOperationGetBlock(r->store), mlirOperationGetBlock(store)) &&
           type_same_shape(r->tile, mlirValueGetType(store_value(store))) && affine_equal(&a, &b) &&
           same_conditions(&r->mask, &mask);
}

// ---- the step

// True if the sums differ by nothing, or the second one is more by a part of the stride.
static bool is_part_behind(const struct affine *sum, const struct affine *from,
                           const struct affine_term *stride) {
    struct affine behind = *sum;
    if (!affine_add(&behind, from, -1) || behind.count > 1) {
        return false;
    }
    const struct affine_term *part = &behind.terms[0];
    bool alike =
        behind.count == 0 || (part->dim < 0 && part->wrap < 0 && part->symbol_count == stride->symbol_count &&
                              part->factor > 0 && part->factor < stride->factor);
    for (int s = 0; behind.count == 1 && alike && s < stride->symbol_count; s++) {
        alike = part->symbols[s] == stride->symbols[s];
    }
    return alike;
}

// True if a column of the step is below the stride: by its mask, of the stride or of a part of it, or since its tile is no wider.
static bool columns_fit(struct retile *r, MlirOperation load) {
    const struct affine_term *stride = &r->stride.terms[0];
    struct affine end = r->own[1].sum;
    MlirType tile = mlirValueGetType(mlirOperationGetResult(load, 0));
    bool whole = end.count == 1 && r->own[1].lead.dim >= 0;
    if (whole && stride->symbol_count == 0 && type_extent(tile, r->own[1].lead.dim) <= stride->factor) {
        return true;
    }
    struct tile_mask mask = {0};
    if (!affine_add(&end, &r->stride, -1) || mlirValueIsNull(load_mask(load))) {
        return false;
    }
    tile_mask_of(&r->affines, load_mask(load), &mask);
    for (int i = 0; i < mask.count; i++) {
        if (is_part_behind(&mask.below_zero[i], &end, stride)) {
            return true;
        }
    }
    return false;
}

bool retile_take_load(struct retile *r, MlirOperation load) {
    const struct affine *address = address_of(r, load_pointer(load));
    MlirType tile = mlirValueGetType(mlirOperationGetResult(load, 0));
    struct affine row, column;
    if (!address || !type_is_tensor(tile) || type_rank(tile) > 2) {
        return refuse(r, load, REASON_CHAIN_ELEMENTS);
    }
    struct affine offset = in_places(address, PLACES_ALL);
    if (!rows_and_columns(&offset, &r->stride.terms[0], &row, &column)) {
        return refuse(r, load, REASON_CHAIN_ELEMENTS);
    }
    r->flat = row.count == 0;
    r->own[0] = (struct own_coordinate){.sum = r->flat ? column : row};
    r->own[1] = (struct own_coordinate){.sum = column};
    bool found = find_lead(r, &r->own[0].sum, &r->own[0].lead) &&
                 (r->flat || (find_lead(r, &r->own[1].sum, &r->own[1].lead) && columns_fit(r, load)));
    return found || refuse(r, load, REASON_CHAIN_ELEMENTS);
}

// ---- sums of the step

static bool has_lead(const struct affine_term *term, const struct affine_term *lead) {
    return lead->dim >= 0 ? term->dim == lead->dim : has_symbol(term, lead->symbols[0]);
}

static struct affine_term without_lead(const struct affine_term *term, const struct affine_term *lead) {
    struct affine_term out = bare(*term);
    if (lead->dim >= 0) {
        out.dim = -1;
        return out;
    }
    return without_symbol(out, lead->symbols[0]);
}

// Takes `of` out of the sum: sum = factor · of + rest.
static bool take_out(struct retile *r, struct affine *sum, const struct affine *of,
                     const struct affine_term *lead, struct affine *factor) {
    *factor = (struct affine){0};
    for (int turn = 0; turn < AFFINE_TERMS; turn++) {
        int at = 0;
        while (at < sum->count && !has_lead(&sum->terms[at], lead)) {
            at++;
        }
        if (at == sum->count) {
            return true;
        }
        struct affine quotient = {.count = 1, .terms = {without_lead(&sum->terms[at], lead)}}, product;
        if (sum->terms[at].wrap >= 0 || has_lead(&quotient.terms[0], lead) ||
            !affine_multiply(&r->affines, &quotient, of, &product) || !affine_add(sum, &product, -1) ||
            !affine_add_term(factor, quotient.terms[0])) {
            return false;
        }
    }
    return false;
}

// True if all programs have the same sum.
static bool is_same_sum(struct retile *r, const struct affine *sum) {
    for (int i = 0; i < sum->count; i++) {
        const struct affine_term *term = &sum->terms[i];
        if (term->dim >= 0 || term->wrap >= 0) {
            return false;
        }
        for (int s = 0; s < term->symbol_count; s++) {
            MlirValue value = r->affines.symbols[term->symbols[s]].value;
            if (mlirValueIsNull(value) ||
                !value_same_in_programs(r->ir, r->context->arena, r->body, value, NULL)) {
                return false;
            }
        }
    }
    return true;
}

bool retile_split(struct retile *r, const struct affine *sum, int places, struct placed_sum *out) {
    struct affine left = in_places(sum, places);
    *out = (struct placed_sum){0};
    if (!take_out(r, &left, &r->own[0].sum, &r->own[0].lead, &out->row) ||
        (!r->flat && !take_out(r, &left, &r->own[1].sum, &r->own[1].lead, &out->column))) {
        return false;
    }
    out->rest = left;
    if (r->flat) {
        out->column = out->row;
        if (!affine_multiply(&r->affines, &out->column, &r->stride, &out->row)) {
            return false;
        }
    }
    return is_same_sum(r, &out->row) && is_same_sum(r, &out->column) && is_same_sum(r, &out->rest);
}

static bool is_one(const struct affine *sum) {
    return sum->count == 1 && sum->terms[0].symbol_count == 0 && sum->terms[0].factor == 1 &&
           sum->terms[0].dim < 0;
}

bool retile_is_home(struct retile *r, const struct placed_sum *sum) {
    return affine_equal(&sum->row, &r->stride) && is_one(&sum->column) && sum->rest.count == 0;
}

bool retile_is_flat(struct retile *r, const struct placed_sum *sum) {
    return r->flat && retile_is_home(r, sum);
}

bool retile_is_stride(struct retile *r, const struct affine *sum) {
    return sum && affine_equal(sum, &r->stride);
}

// ---- masks

// The sum in scalars and dimensions of the store.
static bool at_home(struct retile *r, const struct placed_sum *sum, struct affine *out) {
    struct affine row, column;
    *out = sum->rest;
    return affine_multiply(&r->affines, &sum->row, &r->row, &row) &&
           affine_multiply(&r->affines, &sum->column, &r->column, &column) && affine_add(out, &row, 1) &&
           affine_add(out, &column, 1);
}

// Replaces arguments declared by the chain as products of others by their factors.
static bool with_products(struct retile *r, struct affine *sum) {
    for (int i = 0; i < sum->count; i++) {
        for (int s = 0; s < sum->terms[i].symbol_count; s++) {
            int argument = affine_argument(&r->affines, sum->terms[i].symbols[s]);
            MlirAttribute factors = argument < 0 ? (MlirAttribute){NULL}
                                                 : argument_attribute(r->function, argument, ATTR_FACTORS);
            if (mlirAttributeIsNull(factors)) {
                continue;
            }
            struct affine term = {.count = 1, .terms = {bare(sum->terms[i])}};
            affine_add(sum, &term, -1);
            term.terms[0] = without_symbol(term.terms[0], term.terms[0].symbols[s]);
            for (intptr_t f = 0; f < mlirDenseArrayGetNumElements(factors); f++) {
                int32_t number = mlirDenseI32ArrayGetElement(factors, f);
                struct affine factor = affine_constant(-1 - (int64_t)number), product;
                if (number >= 0) {
                    factor = (struct affine){
                        .count = 1, .terms = {scalar_term(r, mlirBlockGetArgument(r->body, number), 1)}};
                }
                if (!affine_multiply(&r->affines, &term, &factor, &product)) {
                    return false;
                }
                term = product;
            }
            return affine_add(sum, &term, 1) && with_products(r, sum);
        }
    }
    return true;
}

static bool is_condition(struct retile *r, const struct affine *sum) {
    for (int i = 0; i < r->mask.count; i++) {
        if (affine_equal(&r->mask.below_zero[i], sum)) {
            return true;
        }
    }
    return false;
}

// True if the sum is stride · a + b + stride, of conditions a < 0 and b < 0: at most -1 then.
static bool follows(struct retile *r, const struct affine *sum) {
    for (int i = 0; i < r->mask.count; i++) {
        struct affine left = *sum, rows;
        if (affine_multiply(&r->affines, &r->mask.below_zero[i], &r->stride, &rows) &&
            affine_add(&left, &rows, -1) && affine_add(&left, &r->stride, -1) && is_condition(r, &left)) {
            return true;
        }
    }
    return false;
}

bool retile_is_implied(struct retile *r, const struct affine *below_zero, int places) {
    struct placed_sum split;
    struct affine sum;
    if (!retile_split(r, below_zero, places, &split) || !at_home(r, &split, &sum)) {
        return false;
    }
    if (is_condition(r, &sum)) {
        return true;
    }
    return with_products(r, &sum) && follows(r, &sum);
}

int retile_own_bound(struct retile *r, enum parts part, struct affine *out) {
    int found = 0, dim = part == PART_ROW ? r->row_dim : r->column_dim;
    const struct affine *of = part == PART_ROW ? &r->row : &r->column;
    const struct affine_term *lead = part == PART_ROW ? &r->row_lead : &r->column_lead;
    for (int i = 0; i < r->mask.count; i++) {
        bool own = false, other = false;
        for (int t = 0; t < r->mask.below_zero[i].count; t++) {
            int d = r->mask.below_zero[i].terms[t].dim;
            own |= d >= 0 && d == dim;
            other |= d >= 0 && d != dim;
        }
        if (!own) {
            continue;
        }
        struct affine factor;
        *out = r->mask.below_zero[i];
        if (other || found++ || !take_out(r, out, of, lead, &factor) || !is_one(&factor)) {
            return -1;
        }
    }
    return found == 0 || is_same_sum(r, out) ? found : -1;
}
