// Halves of tiles, for halved_columns and column_pairs: values are computed again on half of the columns.
#include "passes/simplify/halves.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/dimensions.h"

// ---- asking ----

// The number of a loop's carried value, by its argument or its result; -1: it is none.
static intptr_t carried_number(struct ir *ir, MlirValue value, MlirBlock *body) {
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op)) {
        bool loop = op_kind(ir, op) == OP_FOR;
        *body = loop ? op_body(op, 0) : (MlirBlock){NULL};
        return loop ? mlirOpResultGetResultNumber(value) : -1;
    }
    *body = mlirBlockArgumentGetOwner(value);
    bool loop = op_kind(ir, mlirBlockGetParentOperation(*body)) == OP_FOR;
    return loop ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

static bool can_halve_carried(struct halving *h, MlirValue value, int dim) {
    MlirBlock body;
    intptr_t number = carried_number(h->ir, value, &body);
    return number >= 0 && can_halve(h, for_init(mlirBlockGetParentOperation(body), number), dim) &&
           can_halve(h, yield_value(mlirBlockGetTerminator(body), number), dim) &&
           can_halve(h, mlirBlockGetArgument(body, number + 1), dim);
}

// True if the known facts of the op's values along the columns hold within a half.
static bool facts_hold(struct halving *h, MlirOperation op, int dim, int64_t half) {
    const int32_t *numbers;
    static const enum attribute_name facts[] = {ATTR_CONSTANCY, ATTR_CONTIGUITY};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        size_t count = op_has(op, facts[i]) ? op_i32_array(op, facts[i], &numbers, h->arena) : 0;
        if ((size_t)dim < count && numbers[dim] > half) {
            return false;
        }
    }
    return true;
}

// True for the blocks of loops around the store, but not for the function's.
static bool is_around(struct halving *h, MlirBlock block) {
    MlirOperation loop = mlirBlockGetParentOperation(block);
    return op_kind(h->ir, loop) != OP_FUNC && !mlirOperationIsNull(op_in_block(h->store, block));
}

// True if a scalar is computed from a program's id, or the number of a tile: it may be the columns'.
static bool reaches_program(struct halving *h, struct map *seen, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return is_around(h, mlirBlockArgumentGetOwner(value));
    }
    if (map_has(seen, op.ptr)) {
        return false;
    }
    map_put(seen, op.ptr, op.ptr);
    bool reaches = op_kind(h->ir, op) == OP_PROGRAM_ID || mlirOperationGetNumRegions(op) > 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !reaches; i++) {
        reaches = reaches_program(h, seen, mlirOperationGetOperand(op, i));
    }
    return reaches;
}

static bool depends_on_program(struct halving *h, MlirValue value) {
    struct map seen = {0};
    bool depends = reaches_program(h, &seen, value);
    map_free(&seen);
    return depends;
}

static bool can_halve_op(struct halving *h, MlirOperation op, int dim) {
    enum op_kind kind = op_kind(h->ir, op);
    MlirValue result = mlirOperationGetResult(op, 0);
    if (kind == OP_CONSTANT) {
        return !mlirAttributeIsNull(value_constant(h->ir, result));
    }
    if (kind == OP_RANGE || kind == OP_SPLAT) {
        return !h->other_columns || (kind == OP_SPLAT && !depends_on_program(h, unary_source(op)));
    }
    bool passes = kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_TRANS ||
                  (kind == OP_LOAD && !load_is_volatile(op)) ||
                  (kind == OP_DOT && dim == 1 && mlirValueIsNull(dot_a_scale(op))) ||
                  ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE));
    // Columns wrapped around at the array's end would have no tensor map: F + … may be negative.
    bool wraps = h->other_columns && (kind == OP_REMSI || kind == OP_REMUI) &&
                 mlirAttributeIsNull(value_constant(h->ir, binary_right(op)));
    bool dropped = h->other_columns && kind == OP_HINT; // it is of the tile's own columns
    passes = passes && !wraps && mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0 &&
             (dropped || facts_hold(h, op, dim, type_extent(mlirValueGetType(result), dim) / 2));
    for (intptr_t i = 0; passes && i < mlirOperationGetNumOperands(op); i++) {
        passes =
            can_halve(h, mlirOperationGetOperand(op, i), dimension_of_operand(h->ir, h->arena, op, i, dim));
    }
    return passes;
}

bool can_halve(struct halving *h, MlirValue value, int dim) {
    if (dimension_is_whole(value, dim)) {
        return true;
    }
    uintptr_t known = (uintptr_t)map_get(&h->seen, value.ptr);
    if (known) {
        return known == (uintptr_t)dim + 1;
    }
    map_put(&h->seen, value.ptr, (void *)((uintptr_t)dim + 1)); // NOLINT(performance-no-int-to-ptr): a number
    MlirOperation op = value_op(value);
    bool carried = mlirOperationIsNull(op) || op_kind(h->ir, op) == OP_FOR;
    return carried ? can_halve_carried(h, value, dim) : can_halve_op(h, op, dim);
}

// ---- building ----

// A half of a carried value is carried, too.
static MlirValue halve_carried(struct halving *h, MlirValue value, int dim, int half) {
    MlirBlock body;
    intptr_t number = carried_number(h->ir, value, &body);
    bool inside = mlirValueIsABlockArgument(value); // a result goes with its loop, built anew below
    MlirValue argument = mlirBlockGetArgument(body, number + 1);
    const void *known = map_get(&h->made[half], argument.ptr);
    if (!known) {
        MlirValue init = halve(h, for_init(mlirBlockGetParentOperation(body), number), dim, half);
        build_more(h->ir, h->arena, mlirBlockGetParentOperation(body), OPERANDS(init));
        MlirValue made = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
        map_value(&h->made[half], argument, made);
        intptr_t place = mlirOperationGetNumOperands(mlirBlockGetTerminator(body));
        build_yield_more(h->ir, h->arena, body, OPERANDS(made)); // its place: the next value may need others
        MlirValue next = halve(h, yield_value(mlirBlockGetTerminator(body), number), dim, half);
        mlirOperationSetOperand(mlirBlockGetTerminator(body), place, next);
        known = made.ptr;
    }
    intptr_t carried = mlirBlockArgumentGetArgNumber((MlirValue){known}) - 1;
    return inside ? (MlirValue){known} : mlirOperationGetResult(mlirBlockGetParentOperation(body), carried);
}

MlirOperation halve_op(struct halving *h, MlirOperation op, int dim, int half) {
    intptr_t count = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
    MlirValue *operands = ARENA_ARRAY(h->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        operands[i] =
            halve(h, mlirOperationGetOperand(op, i), dimension_of_operand(h->ir, h->arena, op, i, dim), half);
    }
    MlirType type = results > 0 ? dimension_cut(mlirValueGetType(mlirOperationGetResult(op, 0)), dim, 2)
                                : (MlirType){NULL};
    struct builder b = builder_after(h->ir, op);
    b.location = mlirOperationGetLocation(op);
    MlirOperation made = build_op(&b, op_kind(h->ir, op), (struct operands){count, operands},
                                  (struct results){results, &type}, op_attributes(h->arena, op));
    if (op_kind(h->ir, op) == OP_RANGE) {
        int start = (int)op_int(op, ATTR_START), extent = (int)type_extent(type, 0);
        op_set_int(h->ir, made, ATTR_START, start + half * extent);
        op_set_int(h->ir, made, ATTR_END, start + (half + 1) * extent);
    }
    return made;
}

static MlirValue halve_constant(struct halving *h, MlirOperation op, int dim) {
    struct builder b = builder_after(h->ir, op);
    MlirType type = dimension_cut(mlirValueGetType(mlirOperationGetResult(op, 0)), dim, 2);
    MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
    return VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(type),
                 ATTRS(attr(&b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(type, splat))));
}

MlirValue halve(struct halving *h, MlirValue value, int dim, int half) {
    if (dimension_is_whole(value, dim)) {
        return value;
    }
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(h->ir, op);
    if (mlirOperationIsNull(op) || kind == OP_FOR) {
        return halve_carried(h, value, dim, half);
    }
    const void *known = map_get(&h->made[half], value.ptr);
    if (known) {
        return (MlirValue){known};
    }
    MlirValue made = kind == OP_CONSTANT ? halve_constant(h, op, dim)
                     : kind == OP_HINT   ? halve(h, unary_source(op), dim, half)
                                         : mlirOperationGetResult(halve_op(h, op, dim, half), 0);
    map_value(&h->made[half], value, made);
    return made;
}

void halving_close(struct halving *h) {
    map_free(&h->seen);
    map_free(&h->made[0]);
    map_free(&h->made[1]);
}
