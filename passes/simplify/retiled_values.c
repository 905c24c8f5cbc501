// Values of a step of a chain, computed in the shape of an earlier step's stored tile.
//
//   bias + (p·1024 + i0) % N, p·1024 + i0 < n        bias + column, column < N         one dimension
//   scale + p                                    →   scale + row, row < M              one dimension
//   r + p·1024 + i0                                  r + row·N + column                the tile's shape
//
// A value of rows or of columns alone has one dimension, and is spread for ops with others. An address at the tile's place in another
// array is computed like the tile's.
#include "passes/simplify/retiled_steps.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/apart.h"

static bool refuse(struct retile *r, MlirOperation op, enum reason reason) {
    return decline(r->context, op, reason);
}

// ---- shapes

static bool is_scalar_part(struct retile *r, enum parts parts) {
    return parts == PART_NONE || (parts == PART_ROW && r->row_dim < 0);
}

static MlirType type_of_parts(struct retile *r, enum parts parts, MlirType element) {
    if (is_scalar_part(r, parts)) {
        return element;
    }
    if (parts == PART_BOTH || r->row_dim < 0) {
        return type_with_shape_of(r->tile, element);
    }
    int64_t extent = type_extent(r->tile, parts == PART_ROW ? r->row_dim : r->column_dim);
    return tensor_type(1, &extent, element, mlirAttributeGetNull());
}

MlirValue retile_spread(struct retile *r, struct placed from, enum parts parts) {
    struct builder *b = &r->at;
    MlirType type = mlirValueGetType(from.value), element = type_element(type);
    MlirType wanted = type_of_parts(r, parts, element);
    if (mlirTypeEqual(type, wanted)) {
        return from.value;
    }
    MlirAttribute constant = value_constant(r->ir, from.value);
    if (!type_is_tensor(type) && !mlirAttributeIsNull(constant)) {
        MlirAttribute all = mlirDenseElementsAttrSplatGet(wanted, constant);
        return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(wanted), ATTRS(attr(b, ATTR_VALUE, all)));
    }
    if (!type_is_tensor(type)) {
        return VALUE(b, OP_SPLAT, OPERANDS(from.value), RESULTS(wanted), NO_ATTRS);
    }
    int axis = from.parts == PART_ROW ? r->column_dim : r->row_dim;
    int64_t shape[2] = {type_extent(r->tile, 0), type_extent(r->tile, 1)};
    shape[axis] = 1;
    MlirType thin = tensor_type(2, shape, element, mlirAttributeGetNull());
    MlirValue expanded =
        VALUE(b, OP_EXPAND_DIMS, OPERANDS(from.value), RESULTS(thin), ATTRS(attr_i32(b, ATTR_AXIS, axis)));
    return VALUE(b, OP_BROADCAST, OPERANDS(expanded), RESULTS(wanted), NO_ATTRS);
}

static enum parts join(enum parts a, enum parts b) {
    return (enum parts)(a | b);
}

// ---- sums as values

static MlirValue with_bits(struct retile *r, MlirValue value, unsigned bits) {
    MlirType type = mlirValueGetType(value);
    unsigned own = type_bits(type_element(type));
    MlirType element = bits == 64 ? type_i64(r->ir) : type_i32(r->ir);
    MlirType wanted = type_is_tensor(type) ? type_with_shape_of(type, element) : element;
    return own == bits
               ? value
               : VALUE(&r->at, own < bits ? OP_EXTSI : OP_TRUNCI, OPERANDS(value), RESULTS(wanted), NO_ATTRS);
}

static MlirType integer_of(struct retile *r, unsigned bits) {
    return bits == 64 ? type_i64(r->ir) : type_i32(r->ir);
}

// A scalar of the sums: at the store as it is, of the step computed again.
static bool symbol_value(struct retile *r, int symbol, bool repeat, unsigned bits, MlirValue *out) {
    MlirValue value = r->affines.symbols[symbol].value;
    struct placed placed;
    if (mlirValueIsNull(value)) {
        return false; // a number of a loop's steps
    }
    if (repeat && !mlirValueIsABlockArgument(value)) {
        if (!retile_value(r, value, PLACES_NONE, &placed) || placed.parts != PART_NONE) {
            return false;
        }
        value = placed.value;
    }
    *out = with_bits(r, value, bits);
    return true;
}

// The sum's scalars, null for zero. Terms with an index are left out.
static bool scalar_sum(struct retile *r, const struct affine *sum, bool repeat, unsigned bits,
                       MlirValue *out) {
    *out = (MlirValue){NULL};
    for (int i = 0; i < sum->count; i++) {
        const struct affine_term *term = &sum->terms[i];
        if (term->dim >= 0) {
            continue;
        }
        MlirValue product = {NULL};
        for (int s = 0; s < term->symbol_count; s++) {
            MlirValue value;
            if (!symbol_value(r, term->symbols[s], repeat, bits, &value)) {
                return false;
            }
            product = mlirValueIsNull(product) ? value : build_binary(&r->at, OP_MULI, product, value);
        }
        if (mlirValueIsNull(product)) {
            product = const_int(&r->at, integer_of(r, bits), term->factor);
        } else if (term->factor != 1) {
            product =
                build_binary(&r->at, OP_MULI, product, const_int(&r->at, integer_of(r, bits), term->factor));
        }
        *out = mlirValueIsNull(*out) ? product : build_binary(&r->at, OP_ADDI, *out, product);
    }
    return true;
}

// The number of each element's row, or column.
static bool coordinate(struct retile *r, enum parts part, unsigned bits, MlirValue *out) {
    MlirValue *kept = &(part == PART_ROW ? r->row_value : r->column_value)[bits == 64];
    const struct affine *sum = part == PART_ROW ? &r->row : &r->column;
    if (mlirValueIsNull(*kept)) {
        MlirValue scalars;
        if (!scalar_sum(r, sum, false, 32, &scalars)) {
            return refuse(r, r->store, REASON_CHAIN_TILE);
        }
        MlirType type = type_of_parts(r, part, type_i32(r->ir));
        MlirValue sums = scalars;
        if (type_is_tensor(type)) {
            int32_t extent = (int32_t)type_extent(type, 0);
            MlirValue range =
                VALUE(&r->at, OP_RANGE, NO_OPERANDS, RESULTS(type),
                      ATTRS(attr_i32(&r->at, ATTR_START, 0), attr_i32(&r->at, ATTR_END, extent)));
            sums = range;
            if (!mlirValueIsNull(scalars)) {
                MlirValue first = VALUE(&r->at, OP_SPLAT, OPERANDS(scalars), RESULTS(type), NO_ATTRS);
                sums = build_binary(&r->at, OP_ADDI, first, range);
            }
        }
        *kept = with_bits(r, sums, bits);
    }
    *out = *kept;
    return true;
}

// factor × the coordinate; a null value for zero.
static bool coordinate_part(struct retile *r, enum parts part, const struct affine *factor, unsigned bits,
                            struct placed *out) {
    MlirValue scalars, number;
    *out = (struct placed){{NULL}, PART_NONE};
    if (factor->count == 0) {
        return true;
    }
    if (!scalar_sum(r, factor, true, bits, &scalars) || !coordinate(r, part, bits, &number)) {
        return false;
    }
    bool one = factor->count == 1 && factor->terms[0].symbol_count == 0 && factor->terms[0].factor == 1;
    out->parts = part;
    out->value = one ? number
                     : build_binary(&r->at, OP_MULI, number,
                                    retile_spread(r, (struct placed){scalars, PART_NONE}, part));
    return true;
}

static struct placed add(struct retile *r, struct placed a, struct placed b) {
    if (mlirValueIsNull(a.value) || mlirValueIsNull(b.value)) {
        return mlirValueIsNull(a.value) ? b : a;
    }
    enum parts parts = join(a.parts, b.parts);
    MlirValue x = retile_spread(r, a, parts), y = retile_spread(r, b, parts);
    enum op_kind kind = type_is_ptr(type_element(mlirValueGetType(x))) ? OP_ADDPTR : OP_ADDI;
    return (struct placed){build_binary(&r->at, kind, x, y), parts};
}

// The sum, added to `start` (null: to nothing).
static bool sum_value(struct retile *r, const struct placed_sum *sum, unsigned bits, struct placed start,
                      struct placed *out) {
    struct placed row, column, rest = {{NULL}, PART_NONE};
    if (!coordinate_part(r, PART_ROW, &sum->row, bits, &row) ||
        !coordinate_part(r, PART_COLUMN, &sum->column, bits, &column) ||
        !scalar_sum(r, &sum->rest, true, bits, &rest.value)) {
        return false;
    }
    *out = add(r, add(r, add(r, start, rest), row), column);
    if (mlirValueIsNull(out->value)) {
        *out = (struct placed){const_int(&r->at, integer_of(r, bits), 0), PART_NONE};
    }
    return true;
}

// ---- addresses

// The store's addresses in another array: its computation once more, from there. False if it is none of these ops.
static bool rebased(struct retile *r, MlirValue pointer, MlirValue base, MlirValue *out) {
    struct builder *b = &r->at;
    MlirOperation op = value_op(pointer);
    if (mlirOperationIsNull(op)) {
        *out = base;
        return type_is_ptr(mlirValueGetType(pointer)) && affine_visible_argument(&r->affines, pointer) >= 0;
    }
    enum op_kind kind = op_kind(r->ir, op);
    MlirValue source;
    if ((kind != OP_ADDPTR && kind != OP_SPLAT && kind != OP_BROADCAST && kind != OP_EXPAND_DIMS) ||
        !rebased(r, leading_operand(op), base, &source)) {
        return false;
    }
    MlirType type = type_with_shape_of(mlirValueGetType(pointer), type_element(mlirValueGetType(source)));
    type = type_is_tensor(mlirValueGetType(pointer)) ? type : mlirValueGetType(source);
    struct operands operands = kind == OP_ADDPTR ? OPERANDS(source, addptr_offset(op)) : OPERANDS(source);
    *out = mlirOperationGetResult(
        build_op(b, kind, operands, RESULTS(type), op_attributes(r->context->arena, op)), 0);
    return true;
}

// The widest offset added to the pointer in the source.
static unsigned offset_bits(struct retile *r, MlirValue pointer) {
    unsigned bits = 32;
    MlirOperation op = value_op(pointer);
    while (!mlirOperationIsNull(op) && mlirOperationGetNumOperands(op) > 0) {
        if (op_kind(r->ir, op) == OP_ADDPTR) {
            unsigned own = type_bits(type_element(mlirValueGetType(addptr_offset(op))));
            bits = own > bits ? own : bits;
        }
        op = value_op(leading_operand(op));
    }
    return bits;
}

static bool clone_address(struct retile *r, MlirValue pointer, const struct affine *address, int places,
                          struct placed *out) {
    struct placed_sum sum;
    struct affine offset = *address;
    offset.base = (MlirValue){NULL};
    if (!retile_split(r, &offset, places, &sum)) {
        return false;
    }
    MlirValue home;
    if (retile_is_home(r, &sum) && rebased(r, store_pointer(r->store), address->base, &home)) {
        *out = (struct placed){home, PART_BOTH};
        return true;
    }
    return sum_value(r, &sum, offset_bits(r, pointer), (struct placed){address->base, PART_NONE}, out);
}

// ---- masks

struct placed retile_both(struct retile *r, struct placed a, struct placed b) {
    if (mlirValueIsNull(a.value) || mlirValueIsNull(b.value)) {
        return mlirValueIsNull(a.value) ? b : a;
    }
    enum parts parts = join(a.parts, b.parts);
    MlirValue x = retile_spread(r, a, parts), y = retile_spread(r, b, parts);
    return (struct placed){value_is(x, y) ? x : build_binary(&r->at, OP_ANDI, x, y), parts};
}

static int operand_places(struct retile *r, MlirOperation op, int places) {
    if (op_kind(r->ir, op) == OP_EXPAND_DIMS) {
        return op_int(op, ATTR_AXIS) == 0 ? PLACES_SECOND : PLACES_FIRST;
    }
    return op_kind(r->ir, op) == OP_SPLAT ? PLACES_NONE : places;
}

bool retile_mask(struct retile *r, MlirValue mask, int places, struct placed *out) {
    struct placed left, right;
    struct affine below_zero;
    MlirOperation op = mlirValueIsNull(mask) ? (MlirOperation){NULL} : value_op(mask);
    *out = (struct placed){{NULL}, PART_NONE};
    if (mlirOperationIsNull(op)) {
        return mlirValueIsNull(mask) || retile_value(r, mask, places, out);
    }
    switch (op_kind(r->ir, op)) {
    case OP_ANDI:
        if (!retile_mask(r, binary_left(op), places, &left) ||
            !retile_mask(r, binary_right(op), places, &right)) {
            return false;
        }
        *out = retile_both(r, left, right);
        return true;
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_HINT:
        return retile_mask(r, unary_source(op), operand_places(r, op, places), out);
    case OP_CMPI:
        if (affine_below_zero(&r->affines, op, &below_zero) && retile_is_implied(r, &below_zero, places)) {
            return true;
        }
        return retile_value(r, mask, places, out);
    default:
        return retile_value(r, mask, places, out);
    }
}

bool retile_home_mask(struct retile *r, MlirOperation op, enum parts parts, struct placed *out) {
    struct affine bound;
    *out = (struct placed){{NULL}, PART_NONE};
    if (parts == PART_NONE || mlirValueIsNull(store_mask(r->store))) {
        return true;
    }
    if (parts == PART_BOTH || (parts == PART_COLUMN && r->row_dim < 0)) {
        *out = (struct placed){store_mask(r->store), PART_BOTH};
        return true;
    }
    int bounds = r->row_dim < 0 && r->mask.guard_count ? -1 : retile_own_bound(r, parts, &bound);
    if (bounds <= 0) {
        return bounds == 0 || refuse(r, op, REASON_CHAIN_TILE);
    }
    MlirValue number, limit;
    struct affine zero = {0};
    affine_add(&zero, &bound, -1);
    if (!coordinate(r, parts, 32, &number) || !scalar_sum(r, &zero, true, 32, &limit)) {
        return refuse(r, op, REASON_CHAIN_TILE);
    }
    limit = mlirValueIsNull(limit) ? const_i32(&r->at, 0) : limit;
    MlirValue end = retile_spread(r, (struct placed){limit, PART_NONE}, parts);
    MlirType type = type_with_shape_of(mlirValueGetType(number), type_i1(r->ir));
    *out = (struct placed){
        VALUE(&r->at, OP_CMPI, OPERANDS(number, end), RESULTS(type),
              ATTRS(attr(&r->at, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(r->ir), INT_SLT)))),
        parts};
    return true;
}

// ---- values

struct attrs retile_attributes(struct retile *r, MlirOperation op) {
    struct attrs all = op_attributes(r->context->arena, op);
    intptr_t kept = 0;
    for (intptr_t i = 0; i < all.count; i++) {
        if (attribute_of(r->ir, all.attributes[i].name) != ATTR_STEP) {
            all.attributes[kept++] = all.attributes[i];
        }
    }
    all.count = kept;
    return all;
}

static bool clone_constant(struct retile *r, MlirOperation op, struct placed *out) {
    MlirAttribute value = value_constant(r->ir, mlirOperationGetResult(op, 0));
    if (mlirAttributeIsNull(value)) {
        return refuse(r, op, REASON_CHAIN_ELEMENTS);
    }
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(op, 0)));
    MlirValue made =
        VALUE(&r->at, OP_CONSTANT, NO_OPERANDS, RESULTS(element), ATTRS(attr(&r->at, ATTR_VALUE, value)));
    *out = (struct placed){made, PART_NONE};
    return true;
}

MlirValue retile_handed(struct retile *r, MlirOperation load) {
    MlirValue array = pointer_argument(r->ir, load_pointer(load));
    return mlirValueIsNull(array) ? array : (MlirValue){map_get(&r->arrays, array.ptr)};
}

static bool clone_handed(struct retile *r, MlirOperation load, MlirValue stored, int places,
                         struct placed *out) {
    struct placed mask, other;
    struct placed_sum sum;
    const struct affine *address = affine_of(&r->affines, load_pointer(load));
    struct affine offset = address ? *address : (struct affine){0};
    offset.base = (MlirValue){NULL};
    if (!address || !retile_split(r, &offset, places, &sum) || !retile_is_home(r, &sum)) {
        return refuse(r, load, REASON_CHAIN_OTHER);
    }
    if (!retile_mask(r, load_mask(load), places, &mask)) {
        return false;
    }
    *out = (struct placed){stored, PART_BOTH};
    if (!mlirValueIsNull(mask.value)) {
        MlirType type = mlirValueGetType(stored);
        other.value =
            mlirTypeIsAFloat(type_element(type)) ? const_float(&r->at, type, 0) : const_int(&r->at, type, 0);
        other.parts = PART_BOTH;
        if (!mlirValueIsNull(load_other(load)) && !retile_value(r, load_other(load), places, &other)) {
            return false;
        }
        out->value = build_select(&r->at, retile_spread(r, mask, PART_BOTH), stored,
                                  retile_spread(r, other, PART_BOTH));
    }
    return true;
}

static bool clone_load(struct retile *r, MlirOperation load, int places, struct placed *out) {
    MlirValue stored = retile_handed(r, load);
    if (!mlirValueIsNull(stored)) {
        return clone_handed(r, load, stored, places, out);
    }
    struct placed pointer, mask, bound, other = {{NULL}, PART_NONE};
    MlirValue given = load_other(load);
    if (load_is_volatile(load) || !retile_value(r, load_pointer(load), places, &pointer) ||
        !retile_mask(r, load_mask(load), places, &mask) ||
        (!mlirValueIsNull(given) && !retile_value(r, given, places, &other))) {
        return load_is_volatile(load) ? refuse(r, load, REASON_CHAIN_EFFECT) : false;
    }
    enum parts parts = join(pointer.parts, mask.parts);
    if (!retile_home_mask(r, load, parts, &bound)) {
        return false;
    }
    mask = retile_both(r, bound, mask);
    parts = join(parts, join(mask.parts, mlirValueIsNull(mask.value) ? PART_NONE : other.parts));
    MlirValue operands[3] = {retile_spread(r, pointer, parts)};
    int count = 1;
    if (!mlirValueIsNull(mask.value)) {
        operands[count++] = retile_spread(r, mask, parts);
        if (!mlirValueIsNull(other.value)) {
            operands[count++] = retile_spread(r, other, parts);
        }
    }
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(load, 0)));
    MlirOperation made = build_op(&r->at, OP_LOAD, (struct operands){count, operands},
                                  RESULTS(type_of_parts(r, parts, element)), retile_attributes(r, load));
    *out = (struct placed){mlirOperationGetResult(made, 0), parts};
    return true;
}

// An elementwise op.
static bool clone_elementwise(struct retile *r, MlirOperation op, int places, intptr_t number,
                              struct placed *out) {
    intptr_t count = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
    struct placed *operands = ARENA_ARRAY(r->context->arena, struct placed, count + 1);
    MlirValue *values = ARENA_ARRAY(r->context->arena, MlirValue, count + 1);
    MlirType *types = ARENA_ARRAY(r->context->arena, MlirType, results + 1);
    enum parts parts = PART_NONE;
    for (intptr_t i = 0; i < count; i++) {
        if (!retile_value(r, mlirOperationGetOperand(op, i), places, &operands[i])) {
            return false;
        }
        parts = join(parts, operands[i].parts);
    }
    for (intptr_t i = 0; i < count; i++) {
        values[i] = retile_spread(r, operands[i], parts);
    }
    for (intptr_t i = 0; i < results; i++) {
        types[i] = type_of_parts(r, parts, type_element(mlirValueGetType(mlirOperationGetResult(op, i))));
    }
    r->at.location = mlirOperationGetLocation(op);
    MlirOperation made = build_op(&r->at, op_kind(r->ir, op), (struct operands){count, values},
                                  (struct results){results, types}, retile_attributes(r, op));
    *out = (struct placed){mlirOperationGetResult(made, number), parts};
    return true;
}

// The row or column of an element with a number through all rows: the number's quotient and remainder by the stride.
static bool clone_quotient(struct retile *r, MlirOperation op, int places, struct placed *out) {
    struct placed_sum sum;
    const struct affine *left = affine_of(&r->affines, binary_left(op));
    if (!left || !retile_split(r, left, places, &sum) || !retile_is_flat(r, &sum) ||
        !retile_is_stride(r, affine_of(&r->affines, binary_right(op)))) {
        return false;
    }
    enum op_kind kind = op_kind(r->ir, op);
    out->parts = kind == OP_REMSI || kind == OP_REMUI ? PART_COLUMN : PART_ROW;
    return coordinate(r, out->parts, type_bits(type_element(mlirValueGetType(binary_left(op)))), &out->value);
}

static bool is_address(MlirValue value) {
    return type_is_ptr(type_element(mlirValueGetType(value)));
}

// An integer or address as a sum of rows and columns.
static bool clone_sum(struct retile *r, MlirValue value, int places, struct placed *out) {
    MlirType element = type_element(mlirValueGetType(value));
    bool integer = mlirTypeIsAInteger(element) && (type_bits(element) == 32 || type_bits(element) == 64);
    if (!integer && !is_address(value)) {
        return false;
    }
    const struct affine *sum = affine_of(&r->affines, value);
    struct placed_sum split;
    if (!sum || is_address(value) == mlirValueIsNull(sum->base)) {
        return false;
    }
    if (is_address(value)) {
        return clone_address(r, value, sum, places, out);
    }
    return retile_split(r, sum, places, &split) && (split.row.count || split.column.count) &&
           sum_value(r, &split, type_bits(element), (struct placed){{NULL}, PART_NONE}, out);
}

static bool clone_new(struct retile *r, MlirValue value, int places, struct placed *out) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        *out = (struct placed){value, PART_NONE};
        return mlirBlockEqual(mlirBlockArgumentGetOwner(value), r->body) ||
               refuse(r, r->store, REASON_CHAIN_ELEMENTS);
    }
    if (clone_sum(r, value, places, out)) {
        return true;
    }
    enum op_kind kind = op_kind(r->ir, op);
    switch (kind) {
    case OP_CONSTANT:
        return clone_constant(r, op, out);
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_HINT:
        return retile_value(r, unary_source(op), operand_places(r, op, places), out);
    case OP_LOAD:
        return clone_load(r, op, places, out);
    case OP_REMSI:
    case OP_REMUI:
    case OP_DIVSI:
    case OP_DIVUI:
        if (clone_quotient(r, op, places, out)) {
            return true;
        }
        break;
    default:
        break;
    }
    bool alike = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE);
    return alike ? clone_elementwise(r, op, places, mlirOpResultGetResultNumber(value), out)
                 : refuse(r, op, REASON_CHAIN_ELEMENTS);
}

bool retile_value(struct retile *r, MlirValue value, int places, struct placed *out) {
    struct map *done = &r->done[type_is_tensor(mlirValueGetType(value)) ? places : PLACES_NONE];
    const struct placed *known = map_get(done, value.ptr);
    if (known) {
        *out = *known;
        return true;
    }
    if (!clone_new(r, value, places, out)) {
        return false;
    }
    struct placed *kept = ARENA_NEW(r->context->arena, struct placed);
    *kept = *out;
    map_put(done, value.ptr, kept);
    return true;
}
