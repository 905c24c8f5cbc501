// The piece of a tile whose results are computed late (late_epilogues.c): each op of the epilogue, for some rows of each warp.
//
//   %x = arith.addf %sums, %bias : tensor<128x256xf32>         %s = tk.parked %buffer, %row : tensor<8x256xf32>
//                                                         →    %y = arith.addf %s, %bias : tensor<8x256xf32>
//
// A lane has 16 bytes of a row's parked sums, and the same elements of all tiles computed with them.
#include "passes/latency/late_epilogues.h"

#include <mlir-c/BuiltinAttributes.h>

#include "passes/facts/axis.h"

enum { ROWS, COLUMNS }; // dimensions of the tile

struct piece {
    struct late *l;
    struct builder *b;
    MlirValue row;    // i32: the first one in each warp
    MlirValue wanted; // i1: the loads are done; null: they are
    MlirValue kept;   // of the load: its elements if it is not done, or null
    struct map made;  // value → value
};

static MlirValue piece_of(struct piece *p, MlirValue value, const struct late_want *want);

static MlirValue piece_scalar(struct piece *p, MlirValue value) {
    const struct epilogue *e = &p->l->epilogue;
    for (size_t i = 0; i < e->scalar_count; i++) {
        if (value_is(e->scalars[i], value)) {
            return p->l->before[i];
        }
    }
    MlirOperation constant = mlirOperationClone(value_op(value));
    build_insert(p->b, constant);
    return mlirOperationGetResult(constant, 0);
}

static int64_t piece_extent(const struct late *l, int64_t whole, int dim) {
    return whole == 1 ? 1 : dim == COLUMNS ? l->piece.columns : layout_extent(&l->piece.layout, ROWS);
}

static MlirType piece_type(const struct late *l, MlirValue value, const struct late_want *want) {
    MlirType type = mlirValueGetType(value);
    int64_t shape[2] = {1, 1};
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = piece_extent(l, type_extent(type, d), type_rank(type) == 1 ? want->dim : d);
    }
    return tensor_type(type_rank(type), shape, type_element(type), layout_attribute(l->ir, &want->layout));
}

static MlirValue splat(struct builder *b, MlirType type, MlirValue scalar) {
    return VALUE(b, OP_SPLAT, OPERANDS(scalar), RESULTS(type), NO_ATTRS);
}

// A warp's rows are next to each other, those of the next one EPILOGUE_WARP_ROWS further.
static MlirValue piece_range(struct piece *p, MlirOperation op, MlirType type, int dim) {
    struct builder *b = p->b;
    MlirValue range =
        VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(type),
              ATTRS(attr_i32(b, ATTR_START, 0), attr_i32(b, ATTR_END, (int32_t)type_extent(type, 0))));
    MlirValue first = const_i32(b, op_int(op, ATTR_START));
    if (dim == ROWS) {
        first = build_binary(b, OP_ADDI, p->row, first);
        MlirValue rows = const_int(b, type, p->l->piece.rows), apart = const_int(b, type, EPILOGUE_WARP_ROWS);
        MlirValue warp = build_binary(b, OP_DIVUI, range, rows), row = build_binary(b, OP_REMUI, range, rows);
        range = build_binary(b, OP_ADDI, build_binary(b, OP_MULI, warp, apart), row);
    }
    return build_binary(b, OP_ADDI, range, splat(b, type, first));
}

static MlirValue piece_constant(struct piece *p, MlirValue value, MlirType type) {
    MlirAttribute all = mlirDenseElementsAttrSplatGet(type, value_constant(p->l->ir, value));
    return VALUE(p->b, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(p->b, ATTR_VALUE, all)));
}

// Of an op's operands, of its result's.
static struct late_want operand_want(const struct late *l, MlirOperation op, const struct late_want *want) {
    struct late_want wanted = *want;
    enum op_kind kind = op_kind(l->ir, op);
    if (kind == OP_BROADCAST) {
        MlirType source = mlirValueGetType(unary_source(op));
        int64_t shape[2] = {piece_extent(l, type_extent(source, ROWS), ROWS),
                            piece_extent(l, type_extent(source, COLUMNS), COLUMNS)};
        struct layout spread = layout_broadcast_operand(&want->layout, shape);
        wanted.layout = layout_remove_replicas(&spread);
    } else if (kind == OP_EXPAND_DIMS) {
        int axis = (int)op_int(op, ATTR_AXIS);
        wanted.layout = layout_expand_dim_operand(&want->layout, (unsigned)axis);
        wanted.dim = axis == ROWS ? COLUMNS : ROWS;
    }
    return wanted;
}

// The condition of all elements, and of each.
static MlirValue also(struct piece *p, MlirValue mask, MlirValue pointer) {
    MlirType type = type_with_shape_of(mlirValueGetType(pointer), type_i1(p->l->ir));
    MlirValue all = splat(p->b, type, p->wanted);
    return mlirValueIsNull(mask) ? all : build_binary(p->b, OP_ANDI, mask, all);
}

static MlirOperation piece_op(struct piece *p, MlirOperation op, struct results results,
                              const struct late_want *want) {
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(p->l->context->arena, MlirValue, count + 2);
    struct late_want wanted = operand_want(p->l, op, want);
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = piece_of(p, mlirOperationGetOperand(op, i), &wanted);
    }
    p->b->location = mlirOperationGetLocation(op);
    if (op_kind(p->l->ir, op) == OP_LOAD && !mlirValueIsNull(p->wanted)) {
        MlirValue mask = count > at_load_mask ? operands[at_load_mask] : (MlirValue){NULL};
        operands[at_load_mask] = also(p, mask, operands[at_load_pointer]);
        count = count > at_load_mask ? count : at_load_mask + 1;
        if (!mlirValueIsNull(p->kept)) {
            MlirValue all = splat(p->b, mlirValueGetType(operands[at_load_mask]), p->wanted);
            operands[at_load_other] =
                count > at_load_other ? build_select(p->b, all, operands[at_load_other], p->kept) : p->kept;
            count = at_load_other + 1;
        }
    }
    struct attrs attributes = op_attributes(p->l->context->arena, op);
    return build_op(p->b, op_kind(p->l->ir, op), (struct operands){count, operands}, results, attributes);
}

// As many elements at once as lie side by side in memory and in a thread.
static void set_width(struct late *l, MlirOperation made, MlirOperation access,
                      const struct late_want *want) {
    int64_t held = layout_contiguity(&want->layout, want->layout.rank - 1u);
    int64_t width = (int64_t)(uintptr_t)map_get(&l->widths, access.ptr);
    op_set_int(l->ir, made, ATTR_VECTOR, (int32_t)(width < held ? width : held));
}

static MlirValue piece_made(struct piece *p, MlirValue value, MlirType type, const struct late_want *want) {
    MlirOperation op = value_op(value), made;
    size_t number = epilogue_parked(&p->l->epilogue, value);
    if (number < p->l->epilogue.parked_count) {
        return VALUE(p->b, OP_PARKED, OPERANDS(p->l->buffers[number], p->row), RESULTS(type),
                     ATTRS(attr_i32(p->b, ATTR_END, (int32_t)p->l->piece.columns)));
    }
    switch (op_kind(p->l->ir, op)) {
    case OP_CONSTANT:
        return piece_constant(p, value, type);
    case OP_RANGE:
        return piece_range(p, op, type, want->dim);
    case OP_CONVERT_LAYOUT:
        return piece_of(p, unary_source(op), want);
    case OP_LOAD:
        made = piece_op(p, op, RESULTS(type), want);
        op_remove_attribute(made, ATTR_PIECE);
        set_width(p->l, made, op, want);
        return mlirOperationGetResult(made, 0);
    default:
        return mlirOperationGetResult(piece_op(p, op, RESULTS(type), want), 0);
    }
}

static MlirValue piece_of(struct piece *p, MlirValue value, const struct late_want *want) {
    if (!type_is_tensor(mlirValueGetType(value))) {
        return piece_scalar(p, value);
    }
    MlirType type = piece_type(p->l, value, want);
    void *known = map_get(&p->made, value.ptr);
    if (known && mlirTypeEqual(mlirValueGetType((MlirValue){known}), type)) {
        return (MlirValue){known};
    }
    MlirValue made = piece_made(p, value, type, want);
    map_value(&p->made, value, made);
    return made;
}

static struct piece piece_begin(struct late *l, struct builder *b, MlirValue number) {
    MlirValue rows = const_i32(b, l->piece.rows);
    return (struct piece){.l = l, .b = b, .row = build_binary(b, OP_MULI, number, rows)};
}

MlirValue *late_loads(struct late *l, struct builder *b, MlirValue number, MlirValue wanted, bool brought,
                      const MlirValue *kept) {
    struct piece p = piece_begin(l, b, number);
    MlirValue *loaded = ARENA_ARRAY(l->context->arena, MlirValue, LATE_MAX_LOADS), first = wanted;
    if (kept) {
        MlirValue starts = build_compare(b, INT_EQ, number, const_i32(b, 0));
        first = build_binary(b, OP_ANDI, wanted, starts);
    }
    for (size_t i = 0; i < l->load_count; i++) {
        MlirValue load = mlirOperationGetResult(l->loads[i], 0);
        bool there = brought && !mlirValueIsNull(l->rings[i]);
        bool keeps = kept && !there && type_rank(mlirValueGetType(load)) == 1 && l->wants[i].dim == COLUMNS;
        p.kept = keeps ? kept[i] : (MlirValue){NULL};
        p.wanted = keeps ? first : wanted;
        loaded[i] = there ? (MlirValue){NULL} : piece_of(&p, load, &l->wants[i]);
    }
    map_free(&p.made);
    return loaded;
}

void late_piece(struct late *l, struct builder *b, MlirValue number, const MlirValue *loaded,
                MlirValue slot) {
    struct piece p = piece_begin(l, b, number);
    for (size_t i = 0; i < l->load_count; i++) {
        MlirValue load = mlirOperationGetResult(l->loads[i], 0), value = loaded[i];
        if (mlirValueIsNull(value)) {
            value = VALUE(b, OP_FETCHED, OPERANDS(l->rings[i], slot),
                          RESULTS(piece_type(l, load, &l->wants[i])), NO_ATTRS);
        }
        map_value(&p.made, load, value);
    }
    struct late_want whole = {l->piece.layout, COLUMNS};
    MlirOperation store = piece_op(&p, l->store, NO_RESULTS, &whole);
    op_remove_attribute(store, ATTR_BESIDE);
    set_width(l, store, l->store, &whole);
    map_free(&p.made);
}

// ---- loads ----

// The loads of the epilogue, but for those read for another load's address.
static void find_loads(struct late *l, struct map *seen, MlirValue value, const struct late_want *want) {
    if (!type_is_tensor(mlirValueGetType(value)) ||
        epilogue_parked(&l->epilogue, value) < l->epilogue.parked_count || map_has(seen, value.ptr)) {
        return;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    if (op_kind(l->ir, op) == OP_LOAD) {
        if (l->load_count < LATE_MAX_LOADS) { // others stand beside their readers
            l->wants[l->load_count] = *want;
            l->loads[l->load_count++] = op;
        }
        return;
    }
    struct late_want wanted = operand_want(l, op, want);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        find_loads(l, seen, mlirOperationGetOperand(op, i), &wanted);
    }
}

// Elements of one access to memory, by the facts of the whole tile's addresses and masks.
static void find_widths(struct late *l) {
    enum { WIDEST = 16 };
    struct axis axis;
    MlirOperation function = l->store;
    while (op_kind(l->ir, function) != OP_FUNC) {
        function = mlirOperationGetParentOperation(function);
    }
    axis_analyse(&axis, l->context, function);
    for (size_t i = 0; i <= l->epilogue.op_count; i++) {
        MlirOperation op = i < l->epilogue.op_count ? l->epilogue.ops[i] : l->store;
        bool load = op_kind(l->ir, op) == OP_LOAD;
        if (load || op_kind(l->ir, op) == OP_STORE) {
            MlirValue pointer = access_pointer(op), mask = load ? load_mask(op) : store_mask(op);
            int64_t width =
                axis_access_elements(&axis, pointer, mask, type_rank(mlirValueGetType(pointer)) - 1, WIDEST);
            map_put(&l->widths, op.ptr, (void *)(uintptr_t)width);
        }
    }
    axis_free(&axis);
}

void late_find_loads(struct late *l) {
    struct map seen = {0};
    struct late_want whole = {l->piece.layout, COLUMNS};
    find_widths(l);
    find_loads(l, &seen, store_value(l->store), &whole);
    map_free(&seen);
}
