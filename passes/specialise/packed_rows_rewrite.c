// Rewrites a kernel of short rows (packed_rows.c): every value with differences between programs gets a first dimension,
// the programs of the tile. Common values stay in front of the loop, or are computed once a tile.
#include "passes/specialise/packed_rows.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/hidden_argument.h"

static bool varies(const struct packing *p, MlirValue value) {
    return map_has(&p->varies, value.ptr);
}

// ---- types and values of rows ----

static MlirType rows_of(const struct packing *p, MlirType type) {
    int64_t shape[LAYOUT_MAX_RANK] = {p->rows};
    for (int d = 0; d < type_rank(type); d++) {
        shape[d + 1] = type_extent(type, d);
    }
    return tensor_type(type_rank(type) + 1, shape, type_element(type), (MlirAttribute){NULL});
}

static MlirValue expand(struct builder *b, MlirValue value, int axis) {
    MlirType type = mlirValueGetType(value);
    int64_t shape[LAYOUT_MAX_RANK];
    for (int d = 0; d <= type_rank(type); d++) {
        shape[d] = d == axis ? 1 : type_extent(type, d - (d > axis));
    }
    MlirType wide = tensor_type(type_rank(type) + 1, shape, type_element(type), (MlirAttribute){NULL});
    return VALUE(b, OP_EXPAND_DIMS, OPERANDS(value), RESULTS(wide), ATTRS(attr_i32(b, ATTR_AXIS, axis)));
}

static MlirValue broadcast(struct builder *b, MlirValue value, MlirType type) {
    bool same = mlirTypeEqual(mlirValueGetType(value), type);
    return same ? value : VALUE(b, OP_BROADCAST, OPERANDS(value), RESULTS(type), NO_ATTRS);
}

// The constant of all elements, if the value is one.
static MlirValue constant_of(struct packing *p, struct builder *b, MlirValue value, MlirType type) {
    MlirOperation op = value_op(value);
    MlirType own = mlirValueGetType(value);
    if (mlirOperationIsNull(op) || op_kind(p->ir, op) != OP_CONSTANT) {
        return (MlirValue){NULL};
    }
    MlirAttribute number = op_attribute(op, ATTR_VALUE);
    if (type_is_tensor(own)) {
        if (!mlirAttributeIsADenseElements(number) || !mlirDenseElementsAttrIsSplat(number)) {
            return (MlirValue){NULL};
        }
        number = mlirDenseElementsAttrGetSplatValue(number);
    }
    MlirAttribute all = mlirDenseElementsAttrSplatGet(type, number);
    return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(b, ATTR_VALUE, all)));
}

// A value for each row, in the shape of `shaped`: a scalar is repeated along it.
static MlirValue in_rows(struct packing *p, struct builder *b, MlirValue value, MlirType shaped) {
    MlirType own = mlirValueGetType(value);
    MlirType type = rows_of(p, type_with_shape_of(shaped, type_element(own)));
    MlirValue now = value_under(&p->made, value);
    if (!varies(p, value)) {
        MlirValue constant = constant_of(p, b, value, type);
        if (!mlirValueIsNull(constant)) {
            return constant;
        }
        if (!type_is_tensor(own)) {
            return VALUE(b, OP_SPLAT, OPERANDS(now), RESULTS(type), NO_ATTRS);
        }
        now = expand(b, now, 0);
    }
    for (int rank = type_rank(mlirValueGetType(now)); rank < type_rank(type); rank++) {
        now = expand(b, now, rank);
    }
    return broadcast(b, now, type);
}

// ---- ops ----

struct row_op {
    MlirOperation op;
    MlirValue operands[PACKED_VALUES + 1]; // and a mask
    MlirType results[PACKED_VALUES];
    intptr_t operand_count, result_count;
    struct attrs attrs;
};

static void set_attribute(struct row_op *made, MlirNamedAttribute attribute) {
    for (intptr_t i = 0; i < made->attrs.count; i++) {
        if (mlirIdentifierEqual(made->attrs.attributes[i].name, attribute.name)) {
            made->attrs.attributes[i] = attribute;
        }
    }
}

// The ops of a moved region may read copied values.
static void remap_inside(struct packing *p, MlirOperation op) {
    size_t count;
    MlirOperation *inner = ops_collect(p->ir, p->arena, op, &count);
    for (size_t i = 0; i < count; i++) {
        for (intptr_t o = 0; o < mlirOperationGetNumOperands(inner[i]); o++) {
            mlirOperationSetOperand(inner[i], o, value_under(&p->made, mlirOperationGetOperand(inner[i], o)));
        }
    }
}

static void build(struct packing *p, struct builder *b, struct row_op *made) {
    intptr_t regions = mlirOperationGetNumRegions(made->op);
    MlirRegion region = regions ? mlirRegionCreate() : (MlirRegion){NULL};
    if (regions) {
        mlirRegionTakeBody(region, mlirOperationGetRegion(made->op, 0));
    }
    MlirOperation op =
        build_op_regions(b, op_kind(p->ir, made->op), (struct operands){made->operand_count, made->operands},
                         (struct results){made->result_count, made->results}, made->attrs, regions, &region);
    for (intptr_t i = 0; i < made->result_count; i++) {
        map_value(&p->made, mlirOperationGetResult(made->op, i), mlirOperationGetResult(op, i));
    }
    remap_inside(p, op);
}

// A row of an access is masked if its program does not exist.
static void mask_rows(struct packing *p, struct builder *b, struct row_op *made, MlirType shape) {
    intptr_t at = op_kind(p->ir, made->op) == OP_LOAD ? 1 : 2;
    MlirType flags = rows_of(p, type_with_shape_of(shape, type_i1(p->ir)));
    MlirValue there = p->there;
    for (int rank = 1; rank < type_rank(flags); rank++) {
        there = expand(b, there, rank);
    }
    there = broadcast(b, there, flags);
    bool masked = made->operand_count > at;
    made->operands[at] = masked ? build_binary(b, OP_ANDI, made->operands[at], there) : there;
    made->operand_count += !masked;
}

static void trans_rows(struct packing *p, struct builder *b, struct row_op *made) {
    const int32_t *order;
    int32_t wide[LAYOUT_MAX_RANK] = {0};
    intptr_t rank = op_i32_array(made->op, ATTR_ORDER, &order, p->arena);
    for (intptr_t d = 0; d < rank; d++) {
        wide[d + 1] = order[d] + 1;
    }
    set_attribute(made, attr_i32_array(b, ATTR_ORDER, rank + 1, wide));
}

// A scalar's promises hold for the scalar of each row; a tile's, for its dimensions, now the later ones.
static void hint_rows(struct packing *p, struct builder *b, struct row_op *made) {
    static const enum attribute_name names[] = {ATTR_DIVISIBILITY, ATTR_CONTIGUITY, ATTR_CONSTANCY};
    int first = type_is_tensor(mlirValueGetType(leading_operand(made->op)));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const int32_t *numbers;
        int32_t wide[LAYOUT_MAX_RANK] = {1};
        intptr_t count = op_i32_array(made->op, names[n], &numbers, p->arena);
        for (intptr_t d = 0; d < count && d + first < LAYOUT_MAX_RANK; d++) {
            wide[d + first] = first || names[n] == ATTR_DIVISIBILITY ? numbers[d] : 1;
        }
        if (count > 0) {
            set_attribute(made, attr_i32_array(b, names[n], count + first, wide));
        }
    }
}

// The operands' common shape: the tile's.
static MlirType shape_of(struct row_op *made) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(made->op); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(made->op, i));
        if (type_is_tensor(type)) {
            return type;
        }
    }
    return mlirValueGetType(leading_operand(made->op));
}

static void rewrite_op(struct packing *p, struct builder *b, MlirOperation op) {
    enum op_kind kind = op_kind(p->ir, op);
    struct row_op made = {op, .operand_count = mlirOperationGetNumOperands(op),
                          .result_count = mlirOperationGetNumResults(op),
                          .attrs = op_attributes(p->arena, op)};
    bool alike = op_traits(kind) & ELEMENTWISE;
    MlirType shape = shape_of(&made);
    for (intptr_t i = 0; i < made.operand_count; i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        MlirType own =
            kind == OP_SPLAT ? mlirValueGetType(mlirOperationGetResult(op, 0)) : mlirValueGetType(operand);
        made.operands[i] = in_rows(p, b, operand, alike ? shape : own);
    }
    for (intptr_t i = 0; i < made.result_count; i++) {
        made.results[i] = rows_of(p, mlirValueGetType(mlirOperationGetResult(op, i)));
    }
    switch (kind) {
    case OP_SPLAT:
        map_value(&p->made, mlirOperationGetResult(op, 0), made.operands[0]);
        return;
    case OP_ASSUME:
        return;
    case OP_EXPAND_DIMS:
    case OP_REDUCE:
    case OP_SCAN:
    case OP_GATHER:
        set_attribute(&made, attr_i32(b, ATTR_AXIS, (int32_t)op_int(op, ATTR_AXIS) + 1));
        break;
    case OP_RESHAPE: // any order would mix the rows
        made.attrs.count = 0;
        break;
    case OP_TRANS:
        trans_rows(p, b, &made);
        break;
    case OP_HINT:
        hint_rows(p, b, &made);
        break;
    case OP_LOAD:
    case OP_STORE:
        mask_rows(p, b, &made, shape);
        break;
    default:
        break;
    }
    build(p, b, &made);
}

// ---- blocks ----

struct op_list {
    MlirOperation *ops;
    size_t count;
};

// The ops of a block ahead of its terminator.
static struct op_list ops_of(struct packing *p, MlirBlock block) {
    MlirOperation end = mlirBlockGetTerminator(block);
    struct op_list list = {0};
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, end);
         op = mlirOperationGetNextInBlock(op)) {
        list.count++;
    }
    list.ops = ARENA_ARRAY(p->arena, MlirOperation, list.count + 1);
    MlirOperation op = mlirBlockGetFirstOperation(block);
    for (size_t i = 0; i < list.count; i++, op = mlirOperationGetNextInBlock(op)) {
        list.ops[i] = op;
    }
    return list;
}

static void rewrite_ops(struct packing *p, struct builder *b, struct op_list list, bool stays);

static struct op_list ops_of_way(struct packing *p, MlirOperation branch, int way) {
    MlirBlock block = way < mlirOperationGetNumRegions(branch) ? op_body(branch, way) : (MlirBlock){NULL};
    return mlirBlockIsNull(block) ? (struct op_list){0} : ops_of(p, block);
}

// Programs decide on their own: both ways are done, each for its rows.
static void rewrite_masked(struct packing *p, struct builder *b, MlirOperation op) {
    MlirValue around = p->there, taken = value_under(&p->made, if_condition(op));
    MlirValue all = const_int(b, mlirValueGetType(taken), 1);
    p->there = build_binary(b, OP_ANDI, around, taken);
    rewrite_ops(p, b, ops_of_way(p, op, 0), false);
    p->there = build_binary(b, OP_ANDI, around, build_binary(b, OP_XORI, taken, all));
    rewrite_ops(p, b, ops_of_way(p, op, 1), false);
    p->there = around;
}

static void rewrite_branch(struct packing *p, struct builder *b, MlirOperation op) {
    MlirBlock blocks[2];
    build_if(b, value_under(&p->made, if_condition(op)), NO_RESULTS, &blocks[0], &blocks[1]);
    for (int way = 0; way < 2; way++) {
        struct builder inner = builder_at_end(p->ir, blocks[way], b->location);
        rewrite_ops(p, &inner, ops_of_way(p, op, way), false);
        build_yield(&inner, (struct operands){0, NULL});
    }
}

// The tiles' way of the fork stands in the loop without its condition: the test is outside.
static void rewrite_fork(struct packing *p, struct builder *b) {
    rewrite_ops(p, b, ops_of_way(p, p->fork, p->packed_way), false);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->fork); i++) {
        MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(p->fork, p->packed_way)), i);
        map_value(&p->made, mlirOperationGetResult(p->fork, i),
                  in_rows(p, b, value, mlirValueGetType(value)));
    }
}

static bool is_inside(struct packing *p, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (map_has(&p->inside, mlirOperationGetOperand(op, i).ptr)) {
            return true;
        }
    }
    return !(op_traits(op_kind(p->ir, op)) & PURE);
}

static bool is_of_rows(struct packing *p, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (varies(p, mlirOperationGetOperand(op, i))) {
            return true;
        }
    }
    return mlirOperationGetNumResults(op) && varies(p, mlirOperationGetResult(op, 0));
}

// `stays`: ops without effects and equal for all programs keep their places.
static void rewrite_ops(struct packing *p, struct builder *b, struct op_list list, bool stays) {
    for (size_t i = 0; i < list.count; i++) {
        MlirOperation op = list.ops[i];
        enum op_kind kind = op_kind(p->ir, op);
        b->location = mlirOperationGetLocation(op);
        if (kind == OP_PROGRAM_ID) {
            map_value(&p->made, mlirOperationGetResult(op, 0), p->places);
        } else if (mlirOperationEqual(op, p->fork)) {
            rewrite_fork(p, b);
        } else if (kind == OP_IF && varies(p, if_condition(op))) {
            rewrite_masked(p, b, op);
        } else if (kind == OP_IF) {
            rewrite_branch(p, b, op);
        } else if (is_of_rows(p, op)) {
            rewrite_op(p, b, op);
        } else if (!stays || is_inside(p, op)) {
            op_repeat(b, p->arena, &p->made, op);
        }
    }
}

static bool stays_in_front(struct packing *p, MlirOperation op) {
    enum op_kind kind = op_kind(p->ir, op);
    return kind != OP_PROGRAM_ID && kind != OP_IF && !is_of_rows(p, op) && !is_inside(p, op);
}

// Drops the source's ops with a copy in the loop, users first.
static void drop(struct packing *p, struct op_list list) {
    for (size_t i = list.count; i-- > 0;) {
        if (!stays_in_front(p, list.ops[i])) {
            mlirOperationDestroy(list.ops[i]);
        }
    }
}

// ---- the loop ----

static MlirValue axis_x(struct builder *b, enum op_kind kind) {
    return VALUE(b, kind, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
}

static void ask_for_programs(struct packing *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->arena, p->function, &count);
    p->programs =
        hidden_argument(p->ir, p->arena, p->function, HIDDEN_GRID_X, type_i32(p->ir), (MlirAttribute){NULL});
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_NUM_PROGRAMS) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(ops[i], 0), p->programs);
        }
    }
}

static void number_rows(struct packing *p, struct builder *b, MlirValue tile) {
    MlirType numbers = rows_of(p, type_i32(p->ir));
    MlirValue start = build_binary(b, OP_MULI, tile, const_i32(b, p->rows));
    MlirValue first = VALUE(b, OP_SPLAT, OPERANDS(start), RESULTS(numbers), NO_ATTRS);
    MlirValue range = VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(numbers),
                            ATTRS(attr_i32(b, ATTR_END, (int32_t)p->rows), attr_i32(b, ATTR_START, 0)));
    p->places = build_binary(b, OP_ADDI, first, range);
    MlirValue programs = VALUE(b, OP_SPLAT, OPERANDS(p->programs), RESULTS(numbers), NO_ATTRS);
    p->there = VALUE(b, OP_CMPI, OPERANDS(p->places, programs), RESULTS(rows_of(p, type_i1(p->ir))),
                     ATTRS(attr(b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(p->ir), INT_ULT))));
}

static MlirOperation build_turns(struct builder *b, MlirValue end, MlirBlock *body) {
    MlirValue block = axis_x(b, OP_PROGRAM_ID), blocks = axis_x(b, OP_NUM_PROGRAMS);
    return build_for(b, block, end, blocks, (struct operands){0, NULL}, body);
}

static void build_tiles(struct packing *p, struct builder *b, struct op_list list) {
    MlirValue more = build_binary(b, OP_ADDI, p->programs, const_i32(b, p->rows - 1));
    MlirValue tiles = build_binary(b, OP_DIVUI, more, const_i32(b, p->rows));
    MlirBlock body;
    build_turns(b, tiles, &body);
    struct builder inner = builder_at_end(p->ir, body, b->location);
    number_rows(p, &inner, mlirBlockGetArgument(body, 0));
    rewrite_ops(p, &inner, list, true);
    build_yield(&inner, (struct operands){0, NULL});
}

// ---- the unpacked way ----

static void repeat_ops(struct packing *p, struct builder *b, struct map *made, struct op_list list) {
    for (size_t i = 0; i < list.count; i++) {
        op_repeat(b, p->arena, made, list.ops[i]);
    }
}

// Program ids inside the loop over rows are its counter.
static void set_program_ids(struct packing *p, MlirOperation rows) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->arena, rows, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_PROGRAM_ID) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(ops[i], 0),
                                          mlirBlockGetArgument(op_body(rows, 0), 0));
            mlirOperationDestroy(ops[i]);
        }
    }
}

// A block a row: the source's ops, with the other way of the fork.
static void build_rows(struct packing *p, struct builder *b, struct op_list list) {
    MlirBlock body;
    MlirOperation rows = build_turns(b, p->programs, &body);
    struct builder inner = builder_at_end(p->ir, body, b->location);
    struct map made = {0};
    int way = !p->packed_way;
    for (size_t i = 0; i < list.count; i++) {
        if (mlirOperationEqual(list.ops[i], p->fork)) {
            repeat_ops(p, &inner, &made, ops_of_way(p, p->fork, way));
            for (intptr_t r = 0; r < mlirOperationGetNumResults(p->fork); r++) {
                MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(p->fork, way)), r);
                map_value(&made, mlirOperationGetResult(p->fork, r), value_under(&made, value));
            }
        } else if (!stays_in_front(p, list.ops[i])) {
            op_repeat(&inner, p->arena, &made, list.ops[i]);
        }
    }
    build_yield(&inner, (struct operands){0, NULL});
    map_free(&made);
    set_program_ids(p, rows);
}

static void build_both(struct packing *p, struct builder *b, struct op_list list) {
    MlirBlock blocks[2];
    struct builder outer = *b;
    outer.location = mlirOperationGetLocation(p->fork);
    build_if(&outer, if_condition(p->fork), NO_RESULTS, &blocks[0], &blocks[1]);
    for (int way = 0; way < 2; way++) {
        struct builder inner = builder_at_end(p->ir, blocks[way], b->location);
        if (way != p->packed_way) {
            build_rows(p, &inner, list);
        }
    }
    struct builder packed = builder_at_end(p->ir, blocks[p->packed_way], b->location);
    build_tiles(p, &packed, list);
    for (int way = 0; way < 2; way++) {
        struct builder end = builder_at_end(p->ir, blocks[way], b->location);
        build_yield(&end, (struct operands){0, NULL});
    }
}

void packed_rows_rewrite(struct packing *p) {
    struct op_list list = ops_of(p, op_body(p->function, 0));
    ask_for_programs(p);
    struct builder b = builder_before(p->ir, mlirBlockGetTerminator(op_body(p->function, 0)));
    if (mlirOperationIsNull(p->fork)) {
        build_tiles(p, &b, list);
    } else {
        build_both(p, &b, list); // the rows first: tiles take the regions of reductions
    }
    drop(p, list);
    op_set_int(p->ir, p->function, ATTR_PACKED, (int32_t)p->rows);
    op_set_int(p->ir, p->function, ATTR_PERSISTENT, PACKED_BLOCKS);
    op_set_int(p->ir, p->function, ATTR_NUM_WARPS, (int32_t)p->warps);
}
