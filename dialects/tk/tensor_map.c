// The layout of tk.tensor_map: its only reader and writer.
#include "dialects/tk/tensor_map.h"

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/tk.h"

enum { CONSTANT, FACTOR, FIRST, SECOND, OVER, NUMBERS }; // of a size

static MlirOperation function_of(MlirValue map) {
    return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(map));
}

MlirAttribute tensor_map_of(MlirValue map) {
    return argument_attribute(function_of(map), mlirBlockArgumentGetArgNumber(map), ATTR_TENSOR_MAP);
}

unsigned tensor_map_rank(MlirAttribute map) {
    return (unsigned)mlirDenseArrayGetNumElements(dictionary_attribute(map, ATTR_BOX));
}

int32_t tensor_map_box(MlirAttribute map, unsigned d) {
    return mlirDenseI32ArrayGetElement(dictionary_attribute(map, ATTR_BOX), d);
}

intptr_t tensor_map_count(MlirAttribute map, enum attribute_name name) {
    intptr_t numbers = mlirDenseArrayGetNumElements(dictionary_attribute(map, name));
    return numbers % NUMBERS == 0 ? numbers / NUMBERS : -1;
}

struct tile_size tensor_map_size(MlirAttribute map, enum attribute_name name, intptr_t at) {
    MlirAttribute all = dictionary_attribute(map, name);
    int64_t n[NUMBERS];
    for (intptr_t i = 0; i < NUMBERS; i++) {
        n[i] = mlirDenseI64ArrayGetElement(all, NUMBERS * at + i);
    }
    return (struct tile_size){n[CONSTANT], n[FACTOR], {(int)n[FIRST], (int)n[SECOND]}, n[OVER]};
}

bool tensor_map_begins_ahead(MlirAttribute map) {
    bool ahead = false;
    for (intptr_t i = 0; i < tensor_map_count(map, ATTR_OFFSETS); i++) {
        struct tile_size offset = tensor_map_size(map, ATTR_OFFSETS, i);
        ahead |= offset.parameters[0] >= 0 || offset.constant < 0 || offset.factor < 0;
    }
    return ahead;
}

const int32_t *bulk_load_outside(MlirOperation load, struct arena *arena) {
    static const int32_t anywhere[] = {TILE_ANYWHERE, TILE_ANYWHERE, TILE_ANYWHERE, TILE_ANYWHERE,
                                       TILE_ANYWHERE};
    MlirAttribute map = tensor_map_of(bulk_load_map(load));
    const int32_t *sides = anywhere;
    bool some = op_i32_array(load, ATTR_OUTSIDE, &sides, arena) < 0;
    for (unsigned d = 0; d < tensor_map_rank(map) && !some; d++) {
        some = sides[d] != TILE_NOWHERE;
    }
    return some && tensor_map_begins_ahead(map) ? sides : NULL;
}

MlirNamedAttribute tensor_map_sizes(struct builder *b, enum attribute_name name, intptr_t count,
                                    const struct tile_size *sizes) {
    int64_t *numbers = ARENA_ARRAY(b->ir->arena, int64_t, (size_t)count * NUMBERS + 1);
    for (intptr_t i = 0; i < count; i++) {
        int64_t *n = numbers + i * NUMBERS;
        n[CONSTANT] = sizes[i].constant;
        n[FACTOR] = sizes[i].factor;
        n[FIRST] = sizes[i].parameters[0];
        n[SECOND] = sizes[i].parameters[1];
        n[OVER] = sizes[i].over;
    }
    return attr(b, name, mlirDenseI64ArrayGet(b->ir->context, count * NUMBERS, numbers));
}

void tensor_map_replace(struct ir *ir, struct arena *arena, MlirValue map, MlirNamedAttribute entry) {
    MlirAttribute known = tensor_map_of(map);
    intptr_t count = mlirDictionaryAttrGetNumElements(known);
    MlirNamedAttribute *entries = ARENA_ARRAY(arena, MlirNamedAttribute, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++) {
        entries[i] = mlirDictionaryAttrGetElement(known, i);
        entries[i] = mlirIdentifierEqual(entries[i].name, entry.name) ? entry : entries[i];
    }
    set_argument_attribute(ir, arena, function_of(map), mlirBlockArgumentGetArgNumber(map), ATTR_TENSOR_MAP,
                           mlirDictionaryAttrGet(ir->context, count, entries));
}

void tensor_map_set_box(struct ir *ir, struct arena *arena, MlirValue map, unsigned d, int32_t extent) {
    MlirAttribute known = tensor_map_of(map);
    unsigned rank = tensor_map_rank(known);
    int32_t *box = ARENA_ARRAY(arena, int32_t, rank + 1);
    for (unsigned i = 0; i < rank; i++) {
        box[i] = i == d ? extent : tensor_map_box(known, i);
    }
    struct builder b = {.ir = ir};
    tensor_map_replace(ir, arena, map, attr_i32_array(&b, ATTR_BOX, rank, box));
}
