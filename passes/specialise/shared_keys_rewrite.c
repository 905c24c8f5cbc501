// Rewrites a kernel whose programs share keys and values (shared_keys.c): values of rows get the rows of all programs of a tile.
#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/specialise/shared_keys.h"

static MlirType with_rows(const struct sharing *h, MlirType type) {
    int64_t shape[LAYOUT_MAX_RANK];
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d) * (d == 0 ? h->count : 1);
    }
    return tensor_type(type_rank(type), shape, type_element(type), (MlirAttribute){NULL});
}

bool sharing_is_leaf(const struct sharing *h, MlirValue value) {
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_FUNC : op_kind(h->ir, op);
    return kind == OP_RANGE || kind == OP_CONSTANT || kind == OP_SPLAT;
}

bool sharing_reads_tile(const struct sharing *h, MlirOperation op) {
    bool rows = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !rows; i++) {
        rows = map_has(&h->tiles, mlirOperationGetOperand(op, i).ptr);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !rows; i++) {
        rows = map_has(&h->tiles, mlirOperationGetResult(op, i).ptr);
    }
    return rows;
}

// A vector of one element a row.
static MlirType row_vector(const struct sharing *h, MlirType element) {
    int64_t rows = h->rows * h->count;
    return tensor_type(1, &rows, element, (MlirAttribute){NULL});
}

static MlirValue splat(struct builder *b, MlirValue scalar, MlirType type) {
    return VALUE(b, OP_SPLAT, OPERANDS(scalar), RESULTS(type), NO_ATTRS);
}

static MlirValue range(struct builder *b, const struct sharing *h) {
    return VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(row_vector(h, type_i32(h->ir))),
                 ATTRS(attr_i32(b, ATTR_END, (int32_t)(h->rows * h->count)), attr_i32(b, ATTR_START, 0)));
}

// The vector in the shape of a tile of rows.
static MlirValue spread(const struct sharing *h, struct builder *b, MlirValue vector, MlirType type) {
    for (int rank = 1; rank < type_rank(type); rank++) {
        int64_t shape[LAYOUT_MAX_RANK] = {h->rows * h->count, 1, 1};
        MlirType wide =
            tensor_type(rank + 1, shape, type_element(mlirValueGetType(vector)), (MlirAttribute){NULL});
        vector =
            VALUE(b, OP_EXPAND_DIMS, OPERANDS(vector), RESULTS(wide), ATTRS(attr_i32(b, ATTR_AXIS, rank)));
    }
    MlirType full = type_with_shape_of(type, type_element(mlirValueGetType(vector)));
    bool same = mlirTypeEqual(mlirValueGetType(vector), full);
    return same ? vector : VALUE(b, OP_BROADCAST, OPERANDS(vector), RESULTS(full), NO_ATTRS);
}

// ---- scalars that differ between programs ----

// The scalar's value for each row.
static MlirValue of_rows(struct sharing *h, MlirValue scalar) {
    MlirValue known = {map_get(&h->made, scalar.ptr)};
    if (known.ptr) {
        return known;
    }
    MlirOperation op = value_op(scalar);
    MlirValue operands[3];
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < count; i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        operands[i] = map_has(&h->varies, operand.ptr) ? of_rows(h, operand) : operand;
    }
    struct builder b = builder_after(h->ir, op);
    b.location = mlirOperationGetLocation(op);
    for (intptr_t i = 0; i < count; i++) {
        MlirType type = mlirValueGetType(operands[i]);
        operands[i] = type_is_tensor(type) ? operands[i] : splat(&b, operands[i], row_vector(h, type));
    }
    MlirType results = row_vector(h, mlirValueGetType(scalar));
    MlirOperation made =
        build_op_regions(&b, op_kind(h->ir, op), (struct operands){count, operands},
                         (struct results){1, &results}, op_attributes(h->arena, op), 0, NULL);
    map_value(&h->made, scalar, mlirOperationGetResult(made, 0));
    return mlirOperationGetResult(made, 0);
}

// The first program of the tile, in place of the program's own number; and the rows' numbers.
static void number_programs(struct sharing *h) {
    MlirValue id = mlirOperationGetResult(h->id, 0);
    struct builder b = builder_after(h->ir, h->id);
    b.location = mlirOperationGetLocation(h->id);
    MlirValue first = build_binary(&b, OP_MULI, id, const_i32(&b, (int32_t)h->count));
    mlirValueReplaceAllUsesOfWith(id, first);
    set_binary_left(value_op(first), id);
    map_put(&h->varies, first.ptr, (void *)first.ptr);
    MlirType numbers = row_vector(h, type_i32(h->ir));
    MlirValue rows = splat(&b, const_i32(&b, (int32_t)h->rows), numbers);
    MlirValue row = range(&b, h), own = build_binary(&b, OP_DIVUI, row, rows);
    MlirValue starts = splat(&b, first, numbers);
    own = build_binary(&b, OP_ADDI, starts, own);
    map_value(&h->made, first, own);
    MlirValue programs = VALUE(&b, OP_NUM_PROGRAMS, NO_OPERANDS, RESULTS(type_i32(h->ir)),
                               ATTRS(attr_i32(&b, ATTR_AXIS, (int32_t)op_int(h->id, ATTR_AXIS))));
    h->there = VALUE(&b, OP_CMPI, OPERANDS(own, splat(&b, programs, numbers)),
                     RESULTS(row_vector(h, type_i1(h->ir))),
                     ATTRS(attr(&b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(h->ir), INT_ULT))));
}

// ---- tiles ----

// The leaf with the rows of all programs.
static MlirValue leaf_of_rows(struct sharing *h, MlirValue leaf) {
    MlirValue known = {map_get(&h->made, leaf.ptr)};
    if (known.ptr) {
        return known;
    }
    MlirOperation op = value_op(leaf);
    MlirType type = with_rows(h, mlirValueGetType(leaf));
    enum op_kind kind = op_kind(h->ir, op);
    bool varies = kind == OP_SPLAT && map_has(&h->varies, unary_source(op).ptr);
    MlirValue vector = varies ? of_rows(h, unary_source(op)) : (MlirValue){NULL};
    struct builder b = builder_after(h->ir, op);
    b.location = mlirOperationGetLocation(op);
    MlirValue made;
    if (kind == OP_RANGE) {
        MlirValue last = splat(&b, const_i32(&b, (int32_t)h->rows - 1), type);
        made = build_binary(&b, OP_ANDI, range(&b, h), last);
    } else if (kind == OP_CONSTANT) {
        MlirAttribute number = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
        made = VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(type),
                     ATTRS(attr(&b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(type, number))));
    } else {
        made = varies ? spread(h, &b, vector, type) : splat(&b, unary_source(op), type);
    }
    map_value(&h->made, leaf, made);
    return made;
}

// Masks the rows whose program does not exist.
static void mask_rows(struct sharing *h, MlirOperation access) {
    bool loads = op_kind(h->ir, access) == OP_LOAD;
    struct builder b = builder_before(h->ir, access);
    b.location = mlirOperationGetLocation(access);
    intptr_t at = loads ? 1 : 2, count = mlirOperationGetNumOperands(access);
    MlirValue operands[3];
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = mlirOperationGetOperand(access, i);
    }
    MlirType type = mlirValueGetType(operands[0]);
    MlirValue there = spread(h, &b, h->there, type_with_shape_of(type, type_i1(h->ir)));
    operands[at] = count > at ? build_binary(&b, OP_ANDI, operands[at], there) : there;
    mlirOperationSetOperands(access, count > at ? count : at + 1, operands);
}

// True if the operand is a leaf that the op reads as a tile of rows.
static bool reads_rows(const struct sharing *h, MlirOperation op, intptr_t number) {
    MlirValue operand = mlirOperationGetOperand(op, number);
    enum op_kind kind = op_kind(h->ir, op);
    if (!type_is_tensor(mlirValueGetType(operand)) || !sharing_is_leaf(h, operand) ||
        (kind == OP_DOT && number == 1) || type_extent(mlirValueGetType(operand), 0) != h->rows) {
        return false;
    }
    if (kind == OP_FOR) {
        return map_has(&h->tiles, mlirOperationGetResult(op, number - at_for_init).ptr);
    }
    if (kind == OP_SCF_YIELD) {
        return map_has(&h->tiles, mlirOperationGetResult(mlirOperationGetParentOperation(op), number).ptr);
    }
    return sharing_reads_tile(h, op);
}

void sharing_rewrite(struct sharing *h) {
    size_t count;
    MlirOperation *ops = ops_collect(h->ir, h->arena, h->function, &count);
    bool *of_rows_now = ARENA_ARRAY(h->arena, bool, count + 1);
    number_programs(h);
    for (size_t i = 0; i < count; i++) {
        of_rows_now[i] = sharing_reads_tile(h, ops[i]);
        for (intptr_t o = 0; o < mlirOperationGetNumOperands(ops[i]); o++) {
            if (reads_rows(h, ops[i], o)) {
                mlirOperationSetOperand(ops[i], o, leaf_of_rows(h, mlirOperationGetOperand(ops[i], o)));
            }
        }
    }
    for (size_t i = 0; i < h->tile_count; i++) {
        mlirValueSetType(h->order[i], with_rows(h, mlirValueGetType(h->order[i])));
    }
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(h->ir, ops[i]);
        if (of_rows_now[i] && (kind == OP_LOAD || kind == OP_STORE)) {
            mask_rows(h, ops[i]);
        }
    }
    op_set_int(h->ir, h->function, ATTR_SHARING, (int32_t)h->count);
    op_set_int(h->ir, h->function, ATTR_SHARING_AXIS, (int32_t)op_int(h->id, ATTR_AXIS));
}

static MlirValue of_axis(struct builder *b, enum op_kind kind, MlirOperation function) {
    return VALUE(b, kind, NO_OPERANDS, RESULTS(type_i32(b->ir)),
                 ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)op_int(function, ATTR_SHARING_AXIS))));
}

void sharing_leave_out(struct ir *ir, MlirOperation function) {
    int32_t count = (int32_t)op_int(function, ATTR_SHARING);
    MlirBlock body = op_body(function, 0), blocks[2];
    MlirOperation first = mlirBlockGetFirstOperation(body), last = mlirBlockGetTerminator(body);
    struct builder b = builder_before(ir, first);
    b.location = mlirOperationGetLocation(function);
    MlirValue id = of_axis(&b, OP_PROGRAM_ID, function), programs = of_axis(&b, OP_NUM_PROGRAMS, function);
    MlirValue up = build_binary(&b, OP_ADDI, programs, const_i32(&b, count - 1));
    MlirValue places = build_binary(&b, OP_DIVUI, up, const_i32(&b, count));
    build_if(&b, build_compare(&b, INT_ULT, id, places), NO_RESULTS, &blocks[0], &blocks[1]);
    for (MlirOperation op = first, next; !mlirOperationEqual(op, last); op = next) {
        next = mlirOperationGetNextInBlock(op);
        mlirOperationRemoveFromParent(op);
        mlirBlockAppendOwnedOperation(blocks[0], op);
    }
    for (int way = 0; way < 2; way++) {
        struct builder end = builder_at_end(ir, blocks[way], b.location);
        build_yield(&end, NO_OPERANDS);
    }
}
