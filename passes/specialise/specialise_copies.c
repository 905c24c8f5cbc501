// Hidden arguments of specialised kernels, and the corners of the boxes copied by the producer.
#include "passes/specialise/specialise.h"

#include <limits.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/hidden_argument.h"

// ---- arguments ----

MlirValue specialise_argument(struct specialise *s, enum hidden_parameter hidden, MlirType type,
                              MlirAttribute map) {
    return hidden_argument(s->ir, s->arena, s->function, hidden, type, map);
}

// A dimension without a bound has no elements out of range: its extent is the largest possible index.
static struct tile_size size_of(const struct tile_dim *dim) {
    return dim->bounded ? dim->bound : (struct tile_size){0, INT32_MAX, {-1, -1}, 1};
}

MlirAttribute specialise_map(struct specialise *s, const struct copy *copy) {
    const struct tile_access *tile = &copy->tile;
    int32_t box[TILE_DIMS];
    struct tile_size sizes[TILE_DIMS], strides[TILE_DIMS];
    for (unsigned d = 0; d < tile->rank; d++) {
        sizes[d] = size_of(&tile->dim[d]);
        strides[d] = tile->dim[d].stride;
        box[d] = (int32_t)(d == 0                      ? copy->inner
                           : copy->value.ptr && d == 1 ? WGMMA_ROWS
                           : tile->dim[d].run > 0      ? tile->dim[d].run
                                                       : tile->dim[d].extent);
    }
    struct builder b = builder_before(s->ir, s->function);
    MlirContext context = s->ir->context;
    MlirNamedAttribute entries[] = {
        attr_i32_array(&b, ATTR_BOX, tile->rank, box),
        attr(&b, ATTR_ELEMENT, mlirTypeAttrGet(type_element(copy->type))),
        tensor_map_sizes(&b, ATTR_OFFSETS, tile->offset_count, tile->offsets),
        attr_i32(&b, ATTR_POINTER, (int32_t)mlirBlockArgumentGetArgNumber(tile->base)),
        tensor_map_sizes(&b, ATTR_SIZES, tile->rank, sizes),
        tensor_map_sizes(&b, ATTR_STRIDES, tile->rank - 1, strides + 1),
        attr_i32(&b, ATTR_SWIZZLE, (int32_t)copy->swizzle),
    };
    return mlirDictionaryAttrGet(context, sizeof entries / sizeof *entries, entries);
}

// ---- scalars ----

static bool stands_within(MlirValue value, MlirOperation op) {
    MlirOperation around = value_op(value);
    while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, op)) {
        around = mlirOperationGetParentOperation(around);
    }
    return !mlirOperationIsNull(around);
}

// Computes the operands of `op` from outside of `within`.
static void compute_operands(struct builder *b, MlirOperation op, MlirOperation within, struct map *map) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        if (!stands_within(operand, within)) {
            specialise_scalar(b, operand, map);
        }
    }
}

MlirValue specialise_scalar(struct builder *b, MlirValue value, struct map *map) {
    const void *known = map ? map_get(map, value.ptr) : value.ptr;
    if (known) {
        return (MlirValue){known};
    }
    if (mlirValueIsABlockArgument(value)) {
        return value; // an argument of the kernel
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    compute_operands(b, op, op, map);
    if (mlirOperationGetNumRegions(op) > 0) { // a branch: its operands from around it
        size_t count;
        MlirOperation *inner = ops_collect(b->ir, b->ir->arena, op, &count);
        for (size_t i = 0; i < count; i++) {
            compute_operands(b, inner[i], op, map);
        }
    }
    op_repeat(b, b->ir->arena, map, op);
    return value_under(map, value);
}

// (counter - lower bound) / step. A map gives the counter and the bounds.
MlirValue specialise_iteration(struct builder *b, struct map *map, MlirOperation loop) {
    const void *known = map ? map_get(map, loop.ptr) : NULL;
    if (known) {
        return (MlirValue){known};
    }
    MlirValue counter = specialise_scalar(b, mlirBlockGetArgument(op_body(loop, 0), 0), map);
    MlirValue lower = specialise_scalar(b, for_lower(loop), map);
    MlirValue step = specialise_scalar(b, for_step(loop), map);
    MlirValue passed = build_binary(b, OP_SUBI, counter, lower);
    MlirValue count = build_binary(b, OP_DIVUI, passed, step);
    if (map) {
        map_put(map, loop.ptr, (void *)count.ptr);
    }
    return count;
}

// The producer's value of a symbol; the map has its copies.
static MlirValue copied_symbol(struct builder *b, const struct affine_symbol *symbol, void *map) {
    return mlirValueIsNull(symbol->value) ? specialise_iteration(b, map, symbol->loop)
                                          : specialise_scalar(b, symbol->value, map);
}

// The number of accessed elements of a cut box.
static MlirValue number_left(struct builder *b, const struct tile_dim *cut, struct map *map) {
    MlirType type = type_i64(b->ir);
    MlirValue number = tile_index_value(b, &cut->first, copied_symbol, map);
    MlirValue zero = const_int(b, type, 0), extent = const_int(b, type, cut->extent);
    number = build_binary(b, OP_MAXSI, number, zero);
    return build_binary(b, OP_MINSI, number, extent);
}

// Of the run that begins at row `at` of the tile, the row in its piece of `period` rows; with `place`, the first row of the piece. A size that is
// not positive has an empty tensor, which is zero anywhere.
static MlirValue run_begins(struct builder *b, const struct tile_dim *dim, int64_t at, bool place,
                            struct map *map) {
    MlirType wide = type_i64(b->ir), narrow = type_i32(b->ir);
    MlirValue row = tile_index_value(b, &dim->counted, copied_symbol, map);
    row = build_binary(b, OP_ADDI, row, const_int(b, wide, at));
    MlirValue period = tile_index_value(b, &dim->period, copied_symbol, map);
    period = build_binary(b, OP_MINSI, period, const_int(b, wide, INT32_MAX));
    period = build_binary(b, OP_MAXSI, period, const_int(b, wide, 1));
    row = VALUE(b, OP_TRUNCI, OPERANDS(row), RESULTS(narrow), NO_ATTRS);
    period = VALUE(b, OP_TRUNCI, OPERANDS(period), RESULTS(narrow), NO_ATTRS);
    MlirValue within = build_binary(b, OP_REMUI, row, period);
    return place ? build_binary(b, OP_SUBI, row, within) : within;
}

// Under a false guard a box begins outside of its first two dimensions; every box has two. Its parts begin up to MOST_INSIDE
// elements further on. No tensor is so long in both dimensions.
enum { GUARDED_DIMS = 2, MOST_INSIDE = 4096 };

MlirValue specialise_corner(struct builder *b, const struct tile_access *tile, unsigned d, int64_t at,
                            int32_t beyond, struct map *map) {
    const struct tile_dim *dim = &tile->dim[d];
    const struct tile_index *index = &dim->first;
    MlirType type = type_i64(b->ir);
    MlirValue sum;
    if (dim->cut) {
        MlirValue extent = const_int(b, type, dim->extent), number = number_left(b, dim, map);
        sum = build_binary(b, OP_SUBI, extent, number);
    } else {
        sum = tile_index_value(b, index, copied_symbol, map);
    }
    if (dim->cut_by >= 0) {
        sum = build_binary(b, OP_ADDI, sum, number_left(b, &tile->dim[dim->cut_by], map));
    }
    MlirValue begin = {NULL};
    if (dim->run > 0 || dim->run_of >= 0) {
        const struct tile_dim *rows = dim->run > 0 ? dim : &tile->dim[dim->run_of];
        begin = run_begins(b, rows, at, dim->run_of >= 0, map);
        sum = index->wide ? build_binary(b, OP_ADDI, sum, tile_wide(b, begin)) : sum;
    }
    if (dim->part != TILE_WHOLE) {
        MlirValue bits = const_int(b, type, TILE_LOW_BITS),
                  mask = const_int(b, type, (1 << TILE_LOW_BITS) - 1);
        sum = dim->part == TILE_LOW ? build_binary(b, OP_ANDI, sum, mask)
                                    : build_binary(b, OP_SHRSI, sum, bits);
    }
    MlirValue low = VALUE(b, OP_TRUNCI, OPERANDS(sum), RESULTS(type_i32(b->ir)), NO_ATTRS);
    if (index->wide && !dim->cut) {
        MlirValue fits = build_compare(b, INT_EQ, tile_wide(b, low), sum);
        low = build_select(b, fits, low, const_int(b, type_i32(b->ir), beyond));
    }
    if (!mlirValueIsNull(begin) && !index->wide) { // wraps where the source's row does
        low = build_binary(b, OP_ADDI, low, begin);
    }
    int32_t outside = beyond > 0 ? beyond - MOST_INSIDE : beyond;
    for (int i = 0; i < tile->guard_count && d < GUARDED_DIMS; i++) {
        MlirValue guard = specialise_scalar(b, tile->guards[i], map);
        low = build_select(b, guard, low, const_int(b, type_i32(b->ir), outside));
    }
    return low;
}

// ---- copies ----

// Copies rows `at` and up of the tile to the slot, one box.
static void bring_box(struct builder *b, const struct copy *copy, MlirValue slot, MlirValue full, int64_t at,
                      struct map *map) {
    MlirValue operands[at_bulk_load_corner + TILE_DIMS] = {slot, copy->map, full};
    for (unsigned d = 0; d < copy->tile.rank; d++) {
        operands[at_bulk_load_corner + d] = specialise_corner(b, &copy->tile, d, at, INT32_MIN, map);
    }
    MlirOperation load =
        build_op(b, OP_BULK_LOAD, (struct operands){at_bulk_load_corner + copy->tile.rank, operands},
                 NO_RESULTS, ATTRS(attr_i32(b, ATTR_INNER, (int32_t)copy->inner)));
    if (tensor_map_begins_ahead(tensor_map_of(copy->map))) {
        MlirNamedAttribute outside = attr_i32_array(b, ATTR_OUTSIDE, copy->tile.rank, copy->outside);
        op_set_attribute(load, ATTR_OUTSIDE, outside.attribute);
    }
    int64_t run = copy->tile.rank > 1 ? copy->tile.dim[1].run : 0;
    if (run > 0) {
        op_set_int(b->ir, load, ATTR_START, at);
        op_set_int(b->ir, load, ATTR_END, at + run);
    }
}

void specialise_bring(struct builder *b, const struct copy *copy, MlirValue slot, MlirValue full,
                      struct map *map) {
    const struct tile_dim *rows = &copy->tile.dim[1];
    bool runs = copy->tile.rank > 1 && rows->run > 0;
    int64_t extent = runs ? rows->extent : 1, run = runs ? rows->run : 1;
    for (int64_t at = 0; at < extent; at += run) {
        bring_box(b, copy, slot, full, at, map);
    }
}

MlirOperation specialise_read(const struct copy *copy, MlirValue place) {
    MlirValue tile = mlirOperationGetResult(copy->access, 0);
    while (value_has_uses(tile)) {
        MlirOperation convert = mlirOpOperandGetOwner(mlirValueGetFirstUse(tile));
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), place);
        mlirOperationDestroy(convert);
    }
    MlirOperation next = mlirOperationGetNextInBlock(copy->access);
    mlirOperationDestroy(copy->access);
    return next;
}
