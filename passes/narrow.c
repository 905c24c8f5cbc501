// Tiles of pointers as one scalar pointer and a tile of byte offsets, 32 bits without sign: what an instruction adds by itself.
//
//   %p = tk.addptr … tk.splat %base …                       %o = %p - %base, in bytes, its low half
//   scf.for … iter_args(%q = %p) {                          scf.for … iter_args(%b = %base) {
//     tk.load %q                                  →           tk.load (tk.addptr %b, %o {narrow})
//     yield tk.addptr %q, tk.splat %by                        yield tk.addptr %b, %by
//   }                                                       }
//
// No program promises that an offset has 32 bits. peel asks at run time, once a program: where an element of the block has
// another high half its first loop runs no steps and the second one, which has the pointers as they were, all of them.
#include "passes/narrow.h"

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
    return splat ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

MlirValue pointer_advance(struct builder *b, MlirOperation loop, intptr_t a) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation op = value_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), a));
    MlirValue none = {NULL};
    if (mlirOperationIsNull(op) || op_kind(b->ir, op) != OP_ADDPTR ||
        !value_is(mlirOperationGetOperand(op, 0), mlirBlockGetArgument(body, a + 1))) {
        return none;
    }
    MlirValue added = mlirOperationGetOperand(op, 1), by = value_scalar(b, added);
    int64_t constant;
    if (mlirValueIsNull(by) || value_is_constant_int(b->ir, added, &constant)) {
        return by;
    }
    MlirBlock from = mlirValueIsABlockArgument(by) ? mlirBlockArgumentGetOwner(by)
                                                   : mlirOperationGetBlock(mlirOpResultGetOwner(by));
    return mlirBlockEqual(from, body) ? none : by;
}

bool narrow_pays(const struct target *target) {
    return target->vendor == VENDOR_AMD && target->warp_size == 32;
}

MlirValue narrow_base(struct ir *ir, MlirValue pointers) {
    MlirValue none = {NULL};
    bool tile = type_is_tensor(mlirValueGetType(pointers));
    for (int depth = 0; tile && depth < 16; depth++) {
        MlirOperation op = value_op(pointers);
        enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(ir, op);
        switch (kind) {
        case OP_ADDPTR:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
        case OP_CONVERT_LAYOUT:
        case OP_HINT:
            pointers = mlirOperationGetOperand(op, 0);
            break;
        case OP_SPLAT:
            return mlirOperationGetOperand(op, 0);
        default:
            return none;
        }
    }
    return none;
}

static MlirValue byte_distance(struct builder *b, MlirValue pointers, MlirValue base) {
    MlirType scalar = type_i64(b->ir), type = type_with_shape_of(mlirValueGetType(pointers), scalar);
    MlirValue from = VALUE(b, "tk.ptr_to_int", OPERANDS(base), RESULTS(scalar), NO_ATTRS);
    MlirValue at = VALUE(b, "tk.ptr_to_int", OPERANDS(pointers), RESULTS(type), NO_ATTRS);
    from = VALUE(b, "tk.splat", OPERANDS(from), RESULTS(type), NO_ATTRS);
    return build_binary(b, "arith.subi", at, from);
}

// All elements combined by `or`.
static MlirValue any_bit(struct builder *b, MlirValue tile) {
    while (type_is_tensor(mlirValueGetType(tile))) {
        MlirType type = mlirValueGetType(tile), element = type_element(type), result = element;
        int64_t shape[LAYOUT_MAX_RANK];
        int rank = type_rank(type);
        for (int d = 1; d < rank; d++) {
            shape[d - 1] = type_extent(type, d);
        }
        if (rank > 1) {
            result = mlirRankedTensorTypeGet(rank - 1, shape, element, (MlirAttribute){NULL});
        }
        MlirBlock block =
            mlirBlockCreate(2, (MlirType[]){element, element}, (MlirLocation[]){b->location, b->location});
        MlirRegion region = mlirRegionCreate();
        mlirRegionAppendOwnedBlock(region, block);
        struct builder in = builder_at_end(b->ir, block, b->location);
        MlirValue both =
            build_binary(&in, "arith.ori", mlirBlockGetArgument(block, 0), mlirBlockGetArgument(block, 1));
        OP(&in, "tk.yield", OPERANDS(both), NO_RESULTS, NO_ATTRS);
        MlirOperation op = build_op_regions(b, "tk.reduce", OPERANDS(tile), RESULTS(result),
                                            ATTRS(attr_i32(b, ATTR_AXIS, 0)), 1, &region);
        tile = mlirOperationGetResult(op, 0);
    }
    return tile;
}

MlirValue narrow_fits(struct builder *b, MlirValue pointers, MlirValue base) {
    enum { OFFSET_BITS = 32, ACCESS_BYTES = 32 };
    MlirValue distance = byte_distance(b, pointers, base);
    MlirType type = mlirValueGetType(distance);
    MlirType half = type_with_shape_of(type, type_i32(b->ir));
    MlirValue end = build_binary(b, "arith.addi", distance, const_int(b, type, ACCESS_BYTES));
    distance = build_binary(b, "arith.ori", distance, end); // a distance below zero has high bits itself
    distance = build_binary(b, "arith.shrui", distance, const_int(b, type, OFFSET_BITS));
    MlirValue high = VALUE(b, "arith.trunci", OPERANDS(distance), RESULTS(half), NO_ATTRS);
    return build_compare(b, INT_EQ, any_bit(b, high), const_i32(b, 0));
}

MlirValue narrow_offsets(struct builder *b, MlirValue pointers, MlirValue base) {
    MlirType half = type_with_shape_of(mlirValueGetType(pointers), type_i32(b->ir));
    return VALUE(b, "arith.trunci", OPERANDS(byte_distance(b, pointers, base)), RESULTS(half), NO_ATTRS);
}

MlirValue narrow_pointers(struct builder *b, MlirValue base, MlirValue offsets) {
    MlirType type = type_with_shape_of(mlirValueGetType(offsets), mlirValueGetType(base));
    MlirValue tile = VALUE(b, "tk.splat", OPERANDS(base), RESULTS(type), NO_ATTRS);
    return VALUE(b, "tk.addptr", OPERANDS(tile, offsets), RESULTS(type), ATTRS(attr_unit(b, ATTR_NARROW)));
}
