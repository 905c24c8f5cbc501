// Tiles of pointers as one scalar pointer and a tile of unsigned 32-bit byte offsets, the addressing mode of
// the instructions.
//
//   %p = tk.addptr … tk.splat %base …                       %low = 2^31 bytes below the first of %p
//   scf.for … iter_args(%q = %p) {                          %o = %p - %low, in bytes, its low half
//     tk.load %q                                  →         scf.for … iter_args(%b = %low) {
//     yield tk.addptr %q, tk.splat %by                        tk.load (tk.addptr %b, %o {narrow})
//   }                                                         yield tk.addptr %b, %by
//                                                           }
//
// No program promises offsets within 32 bits. peel tests this at run time, once a program: if the addresses
// of the block's elements differ in their high halves, or the advance of an iteration needs more than 32
// bits, peel's first loop runs no iterations and the second one, with full pointers, runs all.
//
// A part of peel, narrow_loops and pipeline. test: tests/golden/passes/narrow_loops, tests/golden/passes/pipeline/two_steps.mlir
#include "passes/pipeline/narrow.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

MlirValue value_scalar(struct builder *b, MlirValue value) {
    int64_t constant;
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return value;
    }
    if (value_is_constant_int(b->ir, value, &constant)) {
        return const_int(b, type_element(type), constant);
    }
    MlirOperation op = value_op(value);
    bool splat = !mlirOperationIsNull(op) && op_kind(b->ir, op) == OP_SPLAT;
    return splat ? unary_source(op) : (MlirValue){NULL};
}

MlirValue pointer_advance(struct builder *b, MlirOperation loop, intptr_t a) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation op = value_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), a));
    MlirValue none = {NULL};
    if (mlirOperationIsNull(op) || op_kind(b->ir, op) != OP_ADDPTR ||
        !value_is(addptr_pointer(op), mlirBlockGetArgument(body, a + 1))) {
        return none;
    }
    MlirValue added = addptr_offset(op), by = value_scalar(b, added);
    int64_t constant;
    if (mlirValueIsNull(by) || value_is_constant_int(b->ir, added, &constant)) {
        return by;
    }
    MlirBlock from = mlirValueIsABlockArgument(by) ? mlirBlockArgumentGetOwner(by)
                                                   : mlirOperationGetBlock(mlirOpResultGetOwner(by));
    return mlirBlockEqual(from, body) ? none : by;
}

bool narrow_pays(const struct target *target) {
    return target->vendor == VENDOR_AMD && !target_has(target, FEATURE(SIGNED_OFFSETS));
}

bool narrow_takes_mask(const struct target *target, MlirOperation access) {
    return narrow_pays(target) && access_kind_on_amd(access) == ACCESS_PLAIN;
}

static MlirValue first_of(struct builder *b, struct map *made, MlirValue value, int depth);

// Rows that are loaded: any number does, as distances from it are tested and used alike; 0 is known ahead of the load. Of merged steps of a chain
// none does: the load may give way to another step's value between the test and the use.
static MlirValue first_of_loaded(struct builder *b, MlirOperation load) {
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(load, 0)));
    MlirOperation function = load;
    while (op_kind(b->ir, function) != OP_FUNC) {
        function = mlirOperationGetParentOperation(function);
    }
    bool number = mlirTypeIsAInteger(element) && !op_has(function, ATTR_CHAIN);
    return number ? const_int(b, element, 0) : (MlirValue){NULL};
}

// As first_of.
static MlirValue make_first(struct builder *b, struct map *made, MlirValue value, int depth) {
    enum { MAX_DEPTH = 32, MAX_OPERANDS = 3 };
    MlirValue none = {NULL}, scalar = value_scalar(b, value);
    MlirOperation op = value_op(value);
    if (!mlirValueIsNull(scalar) || mlirOperationIsNull(op) || depth > MAX_DEPTH) {
        return scalar;
    }
    enum op_kind kind = op_kind(b->ir, op);
    switch (kind) {
    case OP_RANGE:
        return const_int(b, type_element(mlirValueGetType(value)), op_int(op, ATTR_START));
    case OP_LOAD:
        return first_of_loaded(b, op);
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_CONVERT_LAYOUT:
    case OP_HINT:
        return first_of(b, made, unary_source(op), depth);
    default:
        break;
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    bool same = (op_traits(kind) & PURE) && (op_traits(kind) & ELEMENTWISE) && count <= MAX_OPERANDS &&
                mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0;
    MlirValue operands[MAX_OPERANDS];
    for (intptr_t i = 0; i < count && same; i++) {
        operands[i] = first_of(b, made, mlirOperationGetOperand(op, i), depth + 1);
        same = !mlirValueIsNull(operands[i]);
    }
    if (!same) {
        return none;
    }
    MlirOperation clone = mlirOperationClone(op);
    mlirOperationSetOperands(clone, count, operands);
    build_insert(b, clone);
    MlirValue result = mlirOperationGetResult(clone, 0);
    mlirValueSetType(result, type_element(mlirValueGetType(value)));
    return result;
}

// The tile's first element, by scalar arithmetic, with 0 for what is loaded; null if the tile's computation has another form. `made`: those that were made already.
static MlirValue first_of(struct builder *b, struct map *made, MlirValue value, int depth) {
    MlirValue first = {map_get(made, value.ptr)};
    if (mlirValueIsNull(first)) {
        first = make_first(b, made, value, depth);
        map_put(made, value.ptr, (void *)first.ptr);
    }
    return first;
}

static MlirValue first_element(struct builder *b, MlirValue tile) {
    struct map made = {0};
    MlirValue first = first_of(b, &made, tile, 0);
    map_free(&made);
    return first;
}

// A number of elements, or a tile of such numbers, as bytes in i64.
static MlirValue in_bytes(struct builder *b, MlirValue pointers, MlirValue elements) {
    MlirType type = mlirValueGetType(elements), wide = type_with_shape_of(type, type_i64(b->ir));
    bool extend = type_bits(type_element(type)) < 64;
    elements = extend ? VALUE(b, OP_EXTSI, OPERANDS(elements), RESULTS(wide), NO_ATTRS) : elements;
    int64_t bytes = pointee_bytes(b->ir, mlirValueGetType(pointers));
    return build_binary(b, OP_MULI, elements, const_int(b, wide, bytes));
}

// The elements of a row combined by `or`.
static MlirValue any_bit(struct builder *b, MlirValue row) {
    MlirType element = type_element(mlirValueGetType(row));
    MlirBlock block =
        mlirBlockCreate(2, (MlirType[]){element, element}, (MlirLocation[]){b->location, b->location});
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, block);
    struct builder in = builder_at_end(b->ir, block, b->location);
    MlirValue both =
        build_binary(&in, OP_ORI, mlirBlockGetArgument(block, 0), mlirBlockGetArgument(block, 1));
    OP(&in, OP_YIELD, OPERANDS(both), NO_RESULTS, NO_ATTRS);
    MlirOperation op = build_op_regions(b, OP_REDUCE, OPERANDS(row), RESULTS(element),
                                        ATTRS(attr_i32(b, ATTR_AXIS, 0)), 1, &region);
    return mlirOperationGetResult(op, 0);
}

MlirValue narrow_first(struct builder *b, MlirValue pointers) {
    MlirValue none = {NULL};
    return type_is_tensor(mlirValueGetType(pointers)) ? first_element(b, pointers) : none;
}

// ---- do 32-bit offsets reach every pointer? ----

enum { MAX_PARTS = 8 };

// The summands of a tile of pointers: tiles of element offsets, in their small shape ahead of a broadcast.
struct parts {
    MlirValue part[MAX_PARTS], first[MAX_PARTS]; // summands varying by run-time values
    int count;
    int64_t constant; // elements: the total extent of the constant ranges
};

static MlirValue before_broadcast(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op)) {
        enum op_kind kind = op_kind(ir, op);
        if (kind != OP_BROADCAST && kind != OP_EXPAND_DIMS && kind != OP_HINT) {
            break;
        }
        value = unary_source(op);
        op = value_op(value);
    }
    return value;
}

// Adds the summands of a tile of offsets. False: too many.
static bool add_parts(struct builder *b, MlirValue offsets, struct parts *parts) {
    MlirValue part = before_broadcast(b->ir, offsets);
    MlirOperation op = value_op(part);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(b->ir, op);
    if (!mlirValueIsNull(value_scalar(b, part))) {
        return true;
    }
    if (kind == OP_RANGE) {
        parts->constant += type_elements(mlirValueGetType(part));
        return true;
    }
    if (kind == OP_ADDI) {
        return add_parts(b, binary_left(op), parts) && add_parts(b, binary_right(op), parts);
    }
    if (parts->count == MAX_PARTS) {
        return false;
    }
    parts->first[parts->count] = first_element(b, part);
    parts->part[parts->count++] = part;
    return true;
}

static bool find_parts(struct builder *b, MlirValue pointers, struct parts *parts) {
    for (;;) {
        pointers = before_broadcast(b->ir, pointers);
        MlirOperation op = value_op(pointers);
        if (mlirOperationIsNull(op) || op_kind(b->ir, op) != OP_ADDPTR) {
            return !type_is_tensor(mlirValueGetType(pointers)) || !mlirValueIsNull(value_scalar(b, pointers));
        }
        if (!add_parts(b, addptr_offset(op), parts)) {
            return false;
        }
        pointers = addptr_pointer(op);
    }
}

// The tile in any order as one row of `count` elements, repeated if they are more.
static MlirValue as_row(struct builder *b, MlirValue tile, int64_t count) {
    MlirType element = type_element(mlirValueGetType(tile));
    MlirAttribute none = {NULL};
    int64_t own = type_elements(mlirValueGetType(tile));
    MlirNamedAttribute any_order = attr_unit(b, ATTR_ALLOW_REORDER);
    struct attrs reorder = {1, &any_order};
    MlirType row = mlirRankedTensorTypeGet(1, &count, element, none);
    if (own < count) {
        MlirType one = mlirRankedTensorTypeGet(2, (int64_t[]){1, own}, element, none),
                 all = mlirRankedTensorTypeGet(2, (int64_t[]){count / own, own}, element, none);
        tile = VALUE(b, OP_RESHAPE, OPERANDS(tile), RESULTS(one), reorder);
        tile = VALUE(b, OP_BROADCAST, OPERANDS(tile), RESULTS(all), NO_ATTRS);
    }
    return VALUE(b, OP_RESHAPE, OPERANDS(tile), RESULTS(row), reorder);
}

// An i32 for each element: nonzero if it is more than `limit` bytes away from the first one.
static MlirValue is_far(struct builder *b, MlirValue pointers, MlirValue part, MlirValue first,
                        MlirValue limit) {
    MlirValue distance = in_bytes(b, pointers, part);
    MlirType type = mlirValueGetType(distance);
    MlirValue both = build_binary(b, OP_ADDI, limit, limit);
    limit = build_binary(b, OP_SUBI, limit, in_bytes(b, pointers, first));
    limit = VALUE(b, OP_SPLAT, OPERANDS(limit), RESULTS(type), NO_ATTRS);
    both = VALUE(b, OP_SPLAT, OPERANDS(both), RESULTS(type), NO_ATTRS);
    MlirAttribute above = mlirIntegerAttrGet(type_i64(b->ir), INT_UGT);
    MlirType yes = type_with_shape_of(type, type_i1(b->ir)),
             number = type_with_shape_of(type, type_i32(b->ir));
    MlirValue far = VALUE(b, OP_CMPI, OPERANDS(build_binary(b, OP_ADDI, distance, limit), both), RESULTS(yes),
                          ATTRS(attr(b, ATTR_PREDICATE, above)));
    return VALUE(b, OP_EXTUI, OPERANDS(far), RESULTS(number), NO_ATTRS);
}

MlirValue narrow_fits(struct builder *b, const MlirValue pointers[], const MlirValue by[], size_t count) {
    enum { REACH_LOG2 = 31, ACCESS_BYTES = 32 };
    const int64_t reach = INT64_C(1) << REACH_LOG2;
    MlirValue far[NARROW_TILES * MAX_PARTS], steps = const_int(b, type_i1(b->ir), 1);
    size_t far_count = 0;
    int64_t longest = 1;
    for (size_t t = 0; t < count; t++) {
        struct parts parts = {.count = 0};
        if (!find_parts(b, pointers[t], &parts)) {
            return const_int(b, type_i1(b->ir), 0);
        }
        MlirValue step = in_bytes(b, pointers[t], by[t]);
        MlirType wide = mlirValueGetType(step);
        int64_t bytes = pointee_bytes(b->ir, mlirValueGetType(pointers[t]));
        int64_t constant = parts.constant * bytes + ACCESS_BYTES;
        MlirValue small = build_compare(b, INT_ULT, step, const_int(b, wide, reach / 2));
        steps = build_binary(b, OP_ANDI, steps, small);
        MlirValue limit = build_binary(b, OP_SUBI, const_int(b, wide, reach - constant), step);
        limit = build_binary(b, OP_DIVSI, limit, const_int(b, wide, parts.count > 1 ? parts.count : 1));
        for (int i = 0; i < parts.count; i++) {
            int64_t elements = type_elements(mlirValueGetType(parts.part[i]));
            longest = elements > longest ? elements : longest;
            far[far_count++] = is_far(b, pointers[t], parts.part[i], parts.first[i], limit);
        }
    }
    if (far_count == 0) {
        return steps;
    }
    MlirValue any = as_row(b, far[0], longest);
    for (size_t i = 1; i < far_count; i++) {
        any = build_binary(b, OP_ORI, any, as_row(b, far[i], longest));
    }
    MlirValue none = const_i32(b, 0), bit = any_bit(b, any);
    return build_binary(b, OP_ANDI, steps, build_compare(b, INT_EQ, bit, none));
}

// ---- the offsets ----

static MlirValue byte_distance(struct builder *b, MlirValue pointers, MlirValue base) {
    MlirType scalar = type_i64(b->ir), type = type_with_shape_of(mlirValueGetType(pointers), scalar);
    MlirValue from = VALUE(b, OP_PTR_TO_INT, OPERANDS(base), RESULTS(scalar), NO_ATTRS);
    MlirValue at = VALUE(b, OP_PTR_TO_INT, OPERANDS(pointers), RESULTS(type), NO_ATTRS);
    from = VALUE(b, OP_SPLAT, OPERANDS(from), RESULTS(type), NO_ATTRS);
    return build_binary(b, OP_SUBI, at, from);
}

MlirValue narrow_below(struct builder *b, MlirValue first) {
    enum { HALF_LOG2 = 31 }; // half of an offset's reach: as far below the first element as above it
    MlirType wide = type_i64(b->ir), type = mlirValueGetType(first);
    MlirValue at = VALUE(b, OP_PTR_TO_INT, OPERANDS(first), RESULTS(wide), NO_ATTRS);
    MlirValue below = build_binary(b, OP_MINUI, at, const_int(b, wide, INT64_C(1) << HALF_LOG2));
    below = build_binary(b, OP_DIVSI, below, const_int(b, wide, -pointee_bytes(b->ir, type)));
    return VALUE(b, OP_ADDPTR, OPERANDS(first, below), RESULTS(type), NO_ATTRS);
}

MlirValue narrow_step(struct builder *b, MlirValue pointers, MlirValue by) {
    return VALUE(b, OP_TRUNCI, OPERANDS(in_bytes(b, pointers, by)), RESULTS(type_i32(b->ir)), NO_ATTRS);
}

MlirValue narrow_offsets(struct builder *b, MlirValue pointers, MlirValue low) {
    MlirType half = type_with_shape_of(mlirValueGetType(pointers), type_i32(b->ir));
    return VALUE(b, OP_TRUNCI, OPERANDS(byte_distance(b, pointers, low)), RESULTS(half), NO_ATTRS);
}

MlirValue narrow_pointers(struct builder *b, MlirValue base, MlirValue offsets) {
    MlirType type = type_with_shape_of(mlirValueGetType(offsets), mlirValueGetType(base));
    MlirValue tile = VALUE(b, OP_SPLAT, OPERANDS(base), RESULTS(type), NO_ATTRS);
    return VALUE(b, OP_ADDPTR, OPERANDS(tile, offsets), RESULTS(type), ATTRS(attr_unit(b, ATTR_NARROW)));
}
