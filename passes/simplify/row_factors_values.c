// Values of the step taken apart by row_factors, computed again for the product's tiles.
//
//   of an element   in the loop, in the operand's shape
//   of a column     in the loop, one dimension; spread over rows for the operand
//   of a row        behind the loop, one dimension; sums over the row are the loop's carried sums
#include "passes/simplify/row_factors.h"

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

static MlirValue refuse(struct row_factors *f, MlirOperation op, enum reason reason) {
    decline(f->context, op, reason);
    return (MlirValue){NULL};
}

// ---- the row or the column of a value

struct tile_size factor_width(const struct tile_access *row) {
    struct tile_size whole = {.factor = row->dim[0].extent, .over = 1};
    for (int i = 0; i < AFFINE_FACTORS; i++) {
        whole.parameters[i] = -1;
    }
    return row->dim[0].bounded ? row->dim[0].bound : whole;
}

// True if the load has one element a column, the first one on, of all stored columns.
static bool is_of_columns(struct row_factors *f, MlirOperation load) {
    struct tile_access access;
    if (!tile_access_of(f->affines, load, &access)) {
        return false;
    }
    const struct tile_dim *columns = &access.dim[0];
    bool all = !columns->bounded || tile_same_size(columns->bound, factor_width(&f->stored));
    return access.rank == 1 && access.offset_count == 0 && access.guard_count == 0 && all &&
           columns->tile_dimension == 0 && columns->first.term_count == 0 && columns->first.constant == 0 &&
           !columns->wrapped && !columns->cut && columns->stride.constant == 0 &&
           columns->stride.factor == 1 && columns->stride.parameters[0] < 0 &&
           !value_is(access.base, f->handed);
}

static enum factor_of load_kind(struct row_factors *f, MlirOperation load) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    if (load_is_volatile(load)) {
        return FACTOR_MIXED;
    }
    return !type_is_tensor(type) ? FACTOR_ROW : is_of_columns(f, load) ? FACTOR_COLUMN : FACTOR_MIXED;
}

static enum factor_of join(enum factor_of a, enum factor_of b) {
    return a == b || b == FACTOR_UNIFORM ? a : a == FACTOR_UNIFORM ? b : FACTOR_MIXED;
}

enum factor_of factor_kind(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return mlirBlockEqual(mlirBlockArgumentGetOwner(value), f->body) ? FACTOR_UNIFORM : FACTOR_MIXED;
    }
    enum op_kind kind = op_kind(f->ir, op);
    if (mlirOperationEqual(op, f->element)) {
        return FACTOR_ELEMENT;
    }
    if (kind == OP_LOAD) {
        return load_kind(f, op);
    }
    if (kind == OP_REDUCE || kind == OP_PROGRAM_ID || kind == OP_NUM_PROGRAMS) {
        return FACTOR_ROW;
    }
    bool known = kind == OP_CONSTANT || kind == OP_SPLAT ||
                 ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE));
    enum factor_of of = known && mlirOperationGetNumResults(op) == 1 ? FACTOR_UNIFORM : FACTOR_MIXED;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && of != FACTOR_MIXED; i++) {
        of = join(of, factor_kind(f, mlirOperationGetOperand(op, i)));
    }
    return of;
}

// ---- building

static MlirType shaped(MlirType like, MlirType element) {
    return type_with_shape_of(like, element);
}

static MlirValue constant_like(struct builder *b, MlirOperation constant, MlirType like) {
    MlirAttribute value = op_attribute(constant, ATTR_VALUE);
    MlirType type = shaped(like, type_element(mlirValueGetType(mlirOperationGetResult(constant, 0))));
    MlirAttribute one = mlirDenseElementsAttrGetSplatValue(value);
    MlirAttribute all = type_is_tensor(type) ? mlirDenseElementsAttrSplatGet(type, one) : one;
    return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(b, ATTR_VALUE, all)));
}

typedef MlirValue make(struct row_factors *f, struct builder *b, MlirValue value);

// Repeats an elementwise op with operands made anew. If one of them is a tile, all are: of `like`'s shape.
static MlirValue repeat(struct row_factors *f, struct builder *b, MlirOperation op, make *make,
                        MlirType like) {
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(f->context->arena, MlirValue, count + 1);
    bool tiles = false;
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = make(f, b, mlirOperationGetOperand(op, i));
        if (mlirValueIsNull(operands[i])) {
            return operands[i];
        }
        tiles |= type_is_tensor(mlirValueGetType(operands[i]));
    }
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(op, 0)));
    for (intptr_t i = 0; i < count && tiles; i++) {
        MlirType type = mlirValueGetType(operands[i]);
        operands[i] = type_is_tensor(type)
                          ? operands[i]
                          : VALUE(b, OP_SPLAT, OPERANDS(operands[i]), RESULTS(shaped(like, type)), NO_ATTRS);
    }
    return mlirOperationGetResult(build_op(b, op_kind(f->ir, op), (struct operands){count, operands},
                                           RESULTS(tiles ? shaped(like, element) : element),
                                           op_attributes(f->context->arena, op)),
                                  0);
}

// Constants, spread scalars and elementwise ops, as in all shapes.
static MlirValue make_common(struct row_factors *f, struct builder *b, MlirValue value, make *make,
                             MlirType like) {
    MlirOperation op = value_op(value);
    enum op_kind kind = op_kind(f->ir, op);
    if (kind == OP_CONSTANT) {
        return constant_like(b, op, like);
    }
    if (kind == OP_SPLAT) {
        MlirValue scalar = unary_source(op);
        return factor_kind(f, scalar) == FACTOR_UNIFORM
                   ? VALUE(b, OP_SPLAT, OPERANDS(scalar), RESULTS(shaped(like, mlirValueGetType(scalar))),
                           NO_ATTRS)
                   : refuse(f, op, REASON_FACTOR_PARTS);
    }
    bool plain = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                 mlirOperationGetNumResults(op) == 1 && !mlirOperationGetNumRegions(op);
    return plain ? repeat(f, b, op, make, like) : refuse(f, op, REASON_FACTOR_PARTS);
}

static MlirType tile_type(struct row_factors *f) {
    return mlirValueGetType(mlirOperationGetResult(f->load, 0));
}

static MlirType vector_type(struct row_factors *f, int dim, MlirType element) {
    int64_t extent = type_extent(tile_type(f), dim);
    return tensor_type(1, &extent, element, mlirAttributeGetNull());
}

MlirValue factor_tile(struct row_factors *f, struct builder *b, MlirValue value) {
    MlirValue made = value_under(&f->tile, value);
    if (!value_is(made, value)) {
        return made;
    }
    MlirOperation op = value_op(value);
    made = !mlirOperationIsNull(op) && mlirOperationEqual(op, f->element)
               ? mlirOperationGetResult(f->load, 0)
               : make_common(f, b, value, factor_tile, tile_type(f));
    map_value(&f->tile, value, made);
    return made;
}

// ---- columns

// The columns' numbers in the loop's step.
static MlirValue column_numbers(struct row_factors *f, struct builder *b) {
    int64_t extent = type_extent(tile_type(f), 1), step = 1;
    MlirType type = vector_type(f, 1, type_i32(f->ir));
    value_is_constant_int(f->ir, for_step(f->loop), &step);
    MlirValue first = mlirBlockGetArgument(op_body(f->loop, 0), 0);
    if (step != extent) {
        first = build_binary(b, OP_MULI, first, const_i32(b, extent / step));
    }
    first = VALUE(b, OP_SPLAT, OPERANDS(first), RESULTS(type), NO_ATTRS);
    MlirValue range = VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(type),
                            ATTRS(attr_i32(b, ATTR_START, 0), attr_i32(b, ATTR_END, (int32_t)extent)));
    return build_binary(b, OP_ADDI, first, range);
}

static MlirValue load_columns(struct row_factors *f, struct builder *b, MlirOperation load) {
    MlirValue base = pointer_argument(f->ir, load_pointer(load));
    MlirType pointers = vector_type(f, 1, mlirValueGetType(base));
    MlirType type = vector_type(f, 1, type_element(mlirValueGetType(mlirOperationGetResult(load, 0))));
    MlirType flags = vector_type(f, 1, type_i1(f->ir));
    MlirValue numbers = column_numbers(f, b);
    MlirValue end = VALUE(b, OP_SPLAT, OPERANDS(f->width), RESULTS(mlirValueGetType(numbers)), NO_ATTRS);
    MlirAttribute below = mlirIntegerAttrGet(type_i64(f->ir), INT_SLT);
    MlirValue mask =
        VALUE(b, OP_CMPI, OPERANDS(numbers, end), RESULTS(flags), ATTRS(attr(b, ATTR_PREDICATE, below)));
    MlirValue pointer = VALUE(b, OP_SPLAT, OPERANDS(base), RESULTS(pointers), NO_ATTRS);
    pointer = VALUE(b, OP_ADDPTR, OPERANDS(pointer, numbers), RESULTS(pointers), NO_ATTRS);
    return VALUE(b, OP_LOAD, OPERANDS(pointer, mask, const_float(b, type, 0)), RESULTS(type), NO_ATTRS);
}

MlirValue factor_column(struct row_factors *f, struct builder *b, MlirValue value) {
    MlirValue made = value_under(&f->column, value);
    if (!value_is(made, value)) {
        return made;
    }
    MlirOperation op = value_op(value);
    made = !mlirOperationIsNull(op) && op_kind(f->ir, op) == OP_LOAD
               ? load_columns(f, b, op)
               : make_common(f, b, value, factor_column, vector_type(f, 1, type_i32(f->ir)));
    map_value(&f->column, value, made);
    return made;
}

// ---- rows

MlirValue factor_row(struct row_factors *f, struct builder *b, MlirValue value) {
    MlirValue made = value_under(&f->row, value);
    bool alone = f->mark == STEP_MAKES_FACTORS, scalar = !type_is_tensor(mlirValueGetType(value));
    if (!value_is(made, value) || (scalar && (alone || factor_kind(f, value) == FACTOR_UNIFORM))) {
        return made;
    }
    MlirOperation op = value_op(value);
    MlirType like = alone ? type_f32(f->ir) : vector_type(f, 0, type_f32(f->ir));
    enum op_kind kind = op_kind(f->ir, op);
    if (kind == OP_SPLAT) {
        made = factor_row(f, b, unary_source(op));
    } else if (kind == OP_LOAD || kind == OP_PROGRAM_ID || kind == OP_NUM_PROGRAMS) {
        made = refuse(f, op, REASON_FACTOR_PARTS);
    } else {
        made = make_common(f, b, value, factor_row, like);
    }
    map_value(&f->row, value, made);
    return made;
}

MlirValue factor_spread(struct builder *b, MlirValue vector, int axis, MlirType like) {
    MlirType element = type_element(mlirValueGetType(vector));
    int64_t shape[2] = {type_extent(like, 0), type_extent(like, 1)};
    shape[axis] = 1;
    MlirType thin = tensor_type(2, shape, element, mlirAttributeGetNull());
    MlirType wide = type_with_shape_of(like, element);
    MlirValue expanded =
        VALUE(b, OP_EXPAND_DIMS, OPERANDS(vector), RESULTS(thin), ATTRS(attr_i32(b, ATTR_AXIS, axis)));
    return VALUE(b, OP_BROADCAST, OPERANDS(expanded), RESULTS(wide), NO_ATTRS);
}
