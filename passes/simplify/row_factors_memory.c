// Factors of rows that one kernel writes and the next one, a product of the unscaled rows, reads (row_factors.c).
//
//   the kernel ahead                                    the product
//     tk.store %h + %p·K + %c, %v·%r·%w           →       tk.store …, %acc · tk.load %h + %rows·K
//     tk.store %h + %p·K, %r
//
// The array between the two has memory in any case, because the launcher may choose other forms, and nobody reads its rows: the factor of a
// row, in 32 bits, stands in the row's first bytes. Rows have room for it, and begin at multiples of four bytes, if the stride between rows is
// their number of columns and a multiple of that size.
#include "passes/simplify/row_factors.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/apart.h"

enum { FACTOR_BYTES = 4 };

// ---- scalars of 64 bits

static MlirValue size_value(struct row_factors *f, struct builder *b, struct tile_size size) {
    MlirType type = type_i64(b->ir);
    MlirValue value = const_int(b, type, size.factor);
    for (int i = 0; i < AFFINE_FACTORS && size.parameters[i] >= 0; i++) {
        MlirValue parameter = tile_wide(b, tile_argument(f->affines, size.parameters[i]));
        if (i == 0 && size.over != 1) {
            parameter = build_binary(b, OP_DIVSI, parameter, const_int(b, type, size.over));
        }
        value = build_binary(b, OP_MULI, value, parameter);
    }
    return size.constant ? build_binary(b, OP_ADDI, value, const_int(b, type, size.constant)) : value;
}

static MlirValue own_symbol(struct builder *b, const struct affine_symbol *symbol, void *user) {
    (void)b;
    (void)user;
    return symbol->value;
}

static MlirValue index_value(struct builder *b, const struct tile_index *index) {
    return tile_index_value(b, index, own_symbol, NULL);
}

// ---- the place of a row's factor

static bool is_within(MlirOperation op, MlirOperation around) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// True if the index is made of scalars computed outside of the loop, which is null if there is none.
static bool is_known_outside(const struct tile_index *index, MlirOperation loop) {
    for (int t = 0; t < index->term_count; t++) {
        for (int i = 0; i < index->terms[t].symbol_count; i++) {
            MlirValue value = index->terms[t].symbols[i].value;
            if (mlirValueIsNull(value)) {
                return false;
            }
            MlirOperation made = mlirValueIsABlockArgument(value)
                                     ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                                     : value_op(value);
            if (!mlirOperationIsNull(loop) && is_within(made, loop)) {
                return false;
            }
        }
    }
    return true;
}

static bool has_place(struct row_factors *f, MlirOperation access, const struct tile_dim *rows,
                      MlirOperation loop) {
    MlirType array = tk_ptr_pointee(f->ir, mlirValueGetType(f->handed));
    int64_t bytes = type_bits(array) / 8;
    struct tile_size stride = f->stored.dim[1].stride;
    bool room = tile_same_size(stride, factor_width(&f->stored)) &&
                tile_divisibility(f->affines, stride) * bytes % FACTOR_BYTES == 0;
    return (room && !rows->tests_first && !rows->cut && rows->cut_by < 0 &&
            is_known_outside(&rows->first, loop)) ||
           decline(f->context, access, REASON_FACTOR_PLACE);
}

// The pointers to the factors of rows; `rows`: their numbers, one or a vector.
static MlirValue place_of(struct row_factors *f, struct builder *b, MlirValue rows) {
    MlirType type = mlirValueGetType(rows);
    MlirType from = mlirValueGetType(f->handed), to = tk_ptr_type(f->ir, type_f32(f->ir));
    MlirValue stride = size_value(f, b, f->stored.dim[1].stride), base = f->handed;
    if (type_is_tensor(type)) {
        stride = VALUE(b, OP_SPLAT, OPERANDS(stride), RESULTS(type), NO_ATTRS);
        base = VALUE(b, OP_SPLAT, OPERANDS(base), RESULTS(type_with_shape_of(type, from)), NO_ATTRS);
    }
    MlirValue offset = build_binary(b, OP_MULI, rows, stride);
    MlirValue pointer =
        VALUE(b, OP_ADDPTR, OPERANDS(base, offset), RESULTS(mlirValueGetType(base)), NO_ATTRS);
    return VALUE(b, OP_PTR_CAST, OPERANDS(pointer), RESULTS(type_with_shape_of(type, to)), NO_ATTRS);
}

// True if rows have columns: a scalar.
static MlirValue any_columns(struct row_factors *f, struct builder *b) {
    MlirValue width = size_value(f, b, factor_width(&f->stored));
    return build_compare(b, INT_SGT, width, const_int(b, type_i64(f->ir), 0));
}

// ---- the kernel ahead

bool factors_may_be_stored(struct row_factors *f) {
    const struct tile_dim *row = &f->stored.dim[1];
    if (row->bounded) {
        return decline(f->context, f->store, REASON_FACTOR_ROW);
    }
    return (f->factor_count > 0 || decline(f->context, f->store, REASON_FACTOR_PARTS)) &&
           has_place(f, f->store, row, (MlirOperation){NULL});
}

void factors_store(struct row_factors *f, struct builder *b, MlirValue factor) {
    MlirValue pointer = place_of(f, b, index_value(b, &f->stored.dim[1].first));
    build_op(b, OP_STORE, OPERANDS(pointer, factor, any_columns(f, b)), NO_RESULTS, NO_ATTRS);
}

// ---- the product

bool factors_may_be_loaded(struct row_factors *f) {
    return (f->factor_count > 0 || decline(f->context, f->store, REASON_FACTOR_PARTS)) &&
           has_place(f, f->load, &f->operand.dim[1], f->loop);
}

MlirValue factors_load(struct row_factors *f, struct builder *b) {
    const struct tile_dim *dim = &f->operand.dim[1];
    int64_t extent = type_extent(mlirValueGetType(mlirOperationGetResult(f->load, 0)), 0);
    MlirType type = tensor_type(1, &extent, type_i64(f->ir), mlirAttributeGetNull());
    MlirType narrow = type_with_shape_of(type, type_i32(f->ir)),
             flags = type_with_shape_of(type, type_i1(f->ir));
    MlirType floats = type_with_shape_of(type, type_f32(f->ir));
    MlirValue range = VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(narrow),
                            ATTRS(attr_i32(b, ATTR_START, 0), attr_i32(b, ATTR_END, (int32_t)extent)));
    range = VALUE(b, OP_EXTSI, OPERANDS(range), RESULTS(type), NO_ATTRS);
    MlirValue first = VALUE(b, OP_SPLAT, OPERANDS(index_value(b, &dim->first)), RESULTS(type), NO_ATTRS);
    MlirValue rows = build_binary(b, OP_ADDI, first, range);
    MlirValue mask = VALUE(b, OP_SPLAT, OPERANDS(any_columns(f, b)), RESULTS(flags), NO_ATTRS);
    if (dim->bounded) {
        MlirValue bound = size_value(f, b, dim->bound);
        bound = VALUE(b, OP_SPLAT, OPERANDS(bound), RESULTS(type), NO_ATTRS);
        MlirAttribute below = mlirIntegerAttrGet(type_i64(f->ir), INT_SLT);
        MlirValue inside =
            VALUE(b, OP_CMPI, OPERANDS(rows, bound), RESULTS(flags), ATTRS(attr(b, ATTR_PREDICATE, below)));
        rows = dim->wrapped ? build_binary(b, OP_REMSI, rows, bound) : rows;
        mask = dim->wrapped ? mask : build_binary(b, OP_ANDI, mask, inside);
    }
    MlirValue one = const_float(b, floats, 1);
    return VALUE(b, OP_LOAD, OPERANDS(place_of(f, b, rows), mask, one), RESULTS(floats), NO_ATTRS);
}
