// Builders and queries of ops: thin, typed wrappers of MLIR's C API. The only user of MlirOperationState.
#include "ir/build.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirStringRef ref(const char *text) {
    return mlirStringRefCreateFromCString(text);
}

// ---- builders ----

struct builder builder_at_end(struct ir *ir, MlirBlock block, MlirLocation location) {
    return (struct builder){.ir = ir, .block = block, .location = location};
}

struct builder builder_before(struct ir *ir, MlirOperation op) {
    return (struct builder){
        .ir = ir, .block = mlirOperationGetBlock(op), .before = op, .location = mlirOperationGetLocation(op)};
}

struct builder builder_after(struct ir *ir, MlirOperation op) {
    struct builder b = builder_before(ir, op);
    b.before = mlirOperationGetNextInBlock(op);
    return b;
}

struct builder builder_after_value(struct ir *ir, MlirValue value) {
    if (mlirValueIsAOpResult(value)) {
        return builder_after(ir, mlirOpResultGetOwner(value));
    }
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation first = mlirBlockGetFirstOperation(block);
    struct builder b = builder_at_end(ir, block, mlirLocationUnknownGet(ir->context));
    if (!mlirOperationIsNull(first)) {
        b = builder_before(ir, first);
    }
    return b;
}

void build_insert(struct builder *b, MlirOperation op) {
    if (mlirOperationIsNull(b->before)) {
        mlirBlockAppendOwnedOperation(b->block, op);
    } else {
        mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
    }
}

// The cost of an op in the budget.
static size_t ops_of(const struct ir *ir, MlirOperation op) {
    size_t cost = (size_t)map_get(&ir->op_costs, mlirOperationGetName(op).ptr);
    return cost ? cost : 1;
}

MlirOperation build_named(struct builder *b, const char *name, struct operands operands,
                          struct results results, struct attrs attrs, intptr_t region_count,
                          MlirRegion *regions) {
    MlirOperationState state = mlirOperationStateGet(ref(name), b->location);
    mlirOperationStateAddOperands(&state, operands.count, operands.values);
    mlirOperationStateAddResults(&state, results.count, results.types);
    mlirOperationStateAddAttributes(&state, attrs.count, attrs.attributes);
    mlirOperationStateAddOwnedRegions(&state, region_count, regions);
    MlirOperation op = mlirOperationCreate(&state);
    if (mlirOperationIsNull(op)) {
        bug("cannot build %s", name);
    }
    b->ir->diag->budget.taken[BUDGET_OPS] += ops_of(b->ir, op); // the evaluator compares it with the limit
    build_insert(b, op);
    return op;
}

// ---- attributes ----

static const struct {
    const char *name;
    enum attribute_holds holds;
    int64_t absent;
} attribute_table[ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(id, name, holds) {name, HOLDS_##holds, 0},
#define NUMBER(id, name, absent) {name, HOLDS_INT, absent},
#include "ir/attributes.def"
#undef ATTRIBUTE
#undef NUMBER
};

const char *attribute_text(enum attribute_name name) {
    return attribute_table[name].name;
}

static MlirStringRef name_ref(enum attribute_name name) {
    return ref(attribute_table[name].name);
}

enum attribute_name attribute_of(struct ir *ir, MlirIdentifier identifier) {
    if (!ir->attribute_names.count) {
        for (uintptr_t name = 0; name < ATTRIBUTE_COUNT; name++) {
            MlirIdentifier known = mlirIdentifierGet(ir->context, name_ref((enum attribute_name)name));
            map_put(&ir->attribute_names, known.ptr, (void *)(name + 1));
        }
    }
    uintptr_t found = (uintptr_t)map_get(&ir->attribute_names, identifier.ptr);
    return found ? (enum attribute_name)(found - 1) : ATTRIBUTE_COUNT;
}

bool attribute_fits(enum attribute_name name, MlirAttribute value) {
    switch (attribute_table[name].holds) {
    case HOLDS_ANY:
        return true;
    case HOLDS_INT:
        return mlirAttributeIsAInteger(value);
    case HOLDS_UNIT:
        return mlirAttributeIsAUnit(value);
    case HOLDS_STRING:
        return mlirAttributeIsAString(value);
    case HOLDS_INTS:
        return mlirAttributeIsADenseI32Array(value);
    case HOLDS_LONGS:
        return mlirAttributeIsADenseI64Array(value);
    case HOLDS_TYPE:
        return mlirAttributeIsAType(value);
    case HOLDS_DICTIONARY:
        return mlirAttributeIsADictionary(value);
    case HOLDS_ARRAY:
        return mlirAttributeIsAArray(value);
    }
    return false;
}

MlirNamedAttribute attr(struct builder *b, enum attribute_name name, MlirAttribute value) {
    return mlirNamedAttributeGet(mlirIdentifierGet(b->ir->context, name_ref(name)), value);
}

MlirNamedAttribute attr_i32(struct builder *b, enum attribute_name name, int32_t value) {
    return attr(b, name, mlirIntegerAttrGet(type_i32(b->ir), value));
}

MlirNamedAttribute attr_string(struct builder *b, enum attribute_name name, const char *value) {
    return attr(b, name, mlirStringAttrGet(b->ir->context, ref(value)));
}

MlirNamedAttribute attr_unit(struct builder *b, enum attribute_name name) {
    return attr(b, name, mlirUnitAttrGet(b->ir->context));
}

MlirNamedAttribute attr_i32_array(struct builder *b, enum attribute_name name, intptr_t count,
                                  const int32_t *values) {
    return attr(b, name, mlirDenseI32ArrayGet(b->ir->context, count, values));
}

MlirAttribute op_attribute(MlirOperation op, enum attribute_name name) {
    return mlirOperationGetAttributeByName(op, name_ref(name));
}

static bool is_registered(MlirOperation op) {
    return !mlirTypeIDIsNull(mlirOperationGetTypeID(op));
}

intptr_t op_attribute_count(MlirOperation op) {
    return is_registered(op) ? mlirOperationGetNumAttributes(op)
                             : mlirOperationGetNumDiscardableAttributes(op);
}

MlirNamedAttribute op_attribute_at(MlirOperation op, intptr_t index) {
    return is_registered(op) ? mlirOperationGetAttribute(op, index)
                             : mlirOperationGetDiscardableAttribute(op, index);
}

struct attrs op_attributes(struct arena *arena, MlirOperation op) {
    struct attrs all = {.count = op_attribute_count(op)};
    all.attributes = ARENA_ARRAY(arena, MlirNamedAttribute, all.count + 1);
    for (intptr_t i = 0; i < all.count; i++) {
        all.attributes[i] = op_attribute_at(op, i);
    }
    return all;
}

int64_t op_int_or(MlirOperation op, enum attribute_name name, int64_t otherwise) {
    MlirAttribute value = op_attribute(op, name);
    if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value)) {
        return otherwise;
    }
    return mlirIntegerAttrGetValueInt(value);
}

int64_t op_int(MlirOperation op, enum attribute_name name) {
    return op_int_or(op, name, attribute_table[name].absent);
}

bool attribute_is_remark(MlirNamedAttribute attribute) {
    static const enum attribute_name remarks[] = {ATTR_PARTIAL_SUMS, ATTR_COUNTED,    ATTR_WHOLE_STEPS,
                                                  ATTR_PIPELINE,     ATTR_SPECIALISE, ATTR_WGMMA,
                                                  ATTR_TENSOR_COPY,  ATTR_ROWS};
    MlirStringRef text = mlirIdentifierStr(attribute.name);
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        if (mlirStringRefEqual(text, name_ref(remarks[i]))) {
            return true;
        }
    }
    return false;
}

// The index of the next attribute other than a remark, or `count`.
static intptr_t next_attribute(MlirOperation op, intptr_t at, intptr_t count) {
    while (at < count && attribute_is_remark(op_attribute_at(op, at))) {
        at++;
    }
    return at;
}

bool attributes_alike(MlirOperation a, MlirOperation b) {
    intptr_t count_a = op_attribute_count(a), count_b = op_attribute_count(b);
    intptr_t i = next_attribute(a, 0, count_a), j = next_attribute(b, 0, count_b);
    while (i < count_a && j < count_b) {
        MlirNamedAttribute x = op_attribute_at(a, i), y = op_attribute_at(b, j);
        if (x.name.ptr != y.name.ptr || x.attribute.ptr != y.attribute.ptr) {
            return false;
        }
        i = next_attribute(a, i + 1, count_a);
        j = next_attribute(b, j + 1, count_b);
    }
    return i == count_a && j == count_b;
}

bool ops_alike(MlirOperation a, MlirOperation b) {
    if (mlirOperationGetName(a).ptr != mlirOperationGetName(b).ptr ||
        mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b) ||
        mlirOperationGetNumResults(a) != mlirOperationGetNumResults(b)) {
        return false;
    }
    if (!attributes_alike(a, b)) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(a); i++) {
        if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, i)),
                           mlirValueGetType(mlirOperationGetResult(b, i)))) {
            return false;
        }
    }
    return true;
}

bool op_has(MlirOperation op, enum attribute_name name) {
    return !mlirAttributeIsNull(op_attribute(op, name));
}

MlirStringRef op_string(MlirOperation op, enum attribute_name name) {
    MlirAttribute value = op_attribute(op, name);
    if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value)) {
        return (MlirStringRef){0};
    }
    return mlirStringAttrGetValue(value);
}

intptr_t op_i32_array(MlirOperation op, enum attribute_name name, const int32_t **values,
                      struct arena *arena) {
    MlirAttribute array = op_attribute(op, name);
    if (mlirAttributeIsNull(array) || !mlirAttributeIsADenseI32Array(array)) {
        return -1;
    }
    intptr_t count = mlirDenseArrayGetNumElements(array);
    int32_t *copy = ARENA_ARRAY(arena, int32_t, count ? count : 1);
    for (intptr_t i = 0; i < count; i++) {
        copy[i] = mlirDenseI32ArrayGetElement(array, i);
    }
    *values = copy;
    return count;
}

void op_set_attribute(MlirOperation op, enum attribute_name name, MlirAttribute value) {
    mlirOperationSetAttributeByName(op, name_ref(name), value);
}

void op_remove_attribute(MlirOperation op, enum attribute_name name) {
    mlirOperationRemoveAttributeByName(op, name_ref(name));
}

void op_set_int(struct ir *ir, MlirOperation op, enum attribute_name name, int32_t value) {
    op_set_attribute(op, name, mlirIntegerAttrGet(type_i32(ir), value));
}

void op_set_string(struct ir *ir, MlirOperation op, enum attribute_name name, const char *value) {
    op_set_attribute(op, name, mlirStringAttrGet(ir->context, ref(value)));
}

void op_set_unit(struct ir *ir, MlirOperation op, enum attribute_name name) {
    op_set_attribute(op, name, mlirUnitAttrGet(ir->context));
}

MlirAttribute argument_attribute(MlirOperation function, intptr_t number, enum attribute_name name) {
    MlirAttribute all = op_attribute(function, ATTR_ARG_ATTRS);
    bool said = !mlirAttributeIsNull(all) && number < mlirArrayAttrGetNumElements(all);
    return said ? dictionary_attribute(mlirArrayAttrGetElement(all, number), name) : mlirAttributeGetNull();
}

void set_argument_attribute(struct ir *ir, struct arena *arena, MlirOperation function, intptr_t number,
                            enum attribute_name name, MlirAttribute value) {
    MlirAttribute all = op_attribute(function, ATTR_ARG_ATTRS);
    intptr_t count = mlirArrayAttrGetNumElements(all);
    MlirAttribute *arguments = ARENA_ARRAY(arena, MlirAttribute, (size_t)count);
    for (intptr_t i = 0; i < count; i++) {
        arguments[i] = mlirArrayAttrGetElement(all, i);
    }
    intptr_t known = mlirDictionaryAttrGetNumElements(arguments[number]), kept = 0;
    MlirNamedAttribute *named = ARENA_ARRAY(arena, MlirNamedAttribute, (size_t)known + 1);
    MlirIdentifier identifier = mlirIdentifierGet(ir->context, name_ref(name));
    for (intptr_t i = 0; i < known; i++) {
        MlirNamedAttribute one = mlirDictionaryAttrGetElement(arguments[number], i);
        if (!mlirIdentifierEqual(one.name, identifier)) {
            named[kept++] = one;
        }
    }
    named[kept++] = mlirNamedAttributeGet(identifier, value);
    arguments[number] = mlirDictionaryAttrGet(ir->context, kept, named);
    op_set_attribute(function, ATTR_ARG_ATTRS, mlirArrayAttrGet(ir->context, count, arguments));
}

MlirAttribute dictionary_attribute(MlirAttribute dictionary, enum attribute_name name) {
    return mlirDictionaryAttrGetElementByName(dictionary, name_ref(name));
}

// ---- types ----

MlirType type_i1(struct ir *ir) {
    return mlirIntegerTypeGet(ir->context, 1);
}
MlirType type_i8(struct ir *ir) {
    return mlirIntegerTypeGet(ir->context, 8);
}
MlirType type_i16(struct ir *ir) {
    return mlirIntegerTypeGet(ir->context, 16);
}
MlirType type_i32(struct ir *ir) {
    return mlirIntegerTypeGet(ir->context, 32);
}
MlirType type_i64(struct ir *ir) {
    return mlirIntegerTypeGet(ir->context, 64);
}
MlirType type_f16(struct ir *ir) {
    return mlirF16TypeGet(ir->context);
}
MlirType type_bf16(struct ir *ir) {
    return mlirBF16TypeGet(ir->context);
}
MlirType type_f32(struct ir *ir) {
    return mlirF32TypeGet(ir->context);
}
MlirType type_f64(struct ir *ir) {
    return mlirF64TypeGet(ir->context);
}

// ---- queries of the IR ----

MlirOperation value_op(MlirValue value) {
    return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

bool value_is(MlirValue a, MlirValue b) {
    return mlirValueEqual(a, b);
}

bool value_has_uses(MlirValue value) {
    return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

bool op_is_before(MlirOperation a, MlirOperation b) {
    do {
        a = mlirOperationGetNextInBlock(a);
    } while (!mlirOperationIsNull(a) && !mlirOperationEqual(a, b));
    return !mlirOperationIsNull(a);
}

MlirOperation op_in_block(MlirOperation op, MlirBlock block) {
    while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
        op = mlirOperationGetParentOperation(op);
    }
    return op;
}

bool value_has_one_use(MlirValue value) {
    MlirOpOperand use = mlirValueGetFirstUse(value);
    return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

MlirBlock op_body(MlirOperation op, int region) {
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

unsigned op_num_warps(MlirOperation op) {
    while (!op_has(op, ATTR_NUM_WARPS)) {
        op = mlirOperationGetParentOperation(op);
    }
    return (unsigned)op_int(op, ATTR_NUM_WARPS);
}

struct collect {
    MlirOperation *ops;
    size_t count, capacity;
    struct arena *arena;
};

static void collect_under(struct collect *c, MlirOperation root) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(root); r++) {
        MlirRegion region = mlirOperationGetRegion(root, r);
        for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
             block = mlirBlockGetNextInRegion(block)) {
            for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
                 op = mlirOperationGetNextInBlock(op)) {
                c->ops = arena_grown(c->arena, c->ops, c->count, &c->capacity, sizeof *c->ops);
                c->ops[c->count++] = op;
                collect_under(c, op);
            }
        }
    }
}

MlirOperation value_reader(MlirValue value, MlirBlock block, enum reader which) {
    MlirOperation found = {NULL};
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), block);
        if (mlirOperationIsNull(found) || op_is_before(found, user) == (which == READER_LAST)) {
            found = user;
        }
    }
    return found;
}

MlirOperation *ops_collect(struct ir *ir, struct arena *arena, MlirOperation root, size_t *count) {
    (void)ir;
    struct collect c = {.arena = arena};
    collect_under(&c, root);
    *count = c.count;
    return c.ops;
}

MlirValue value_under(const struct map *map, MlirValue value) {
    const void *other = map_get(map, value.ptr);
    return other ? (MlirValue){other} : value;
}

void map_value(struct map *map, MlirValue from, MlirValue to) {
    map_put(map, from.ptr, (void *)to.ptr);
}

static void remap(const struct map *map, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        const void *other = map_get(map, mlirOperationGetOperand(op, i).ptr);
        if (other) {
            mlirOperationSetOperand(op, i, (MlirValue){other});
        }
    }
}

MlirOperation op_repeat(struct builder *b, struct arena *arena, struct map *map, MlirOperation op) {
    size_t count;
    MlirOperation clone = mlirOperationClone(op);
    MlirOperation *inner = ops_collect(b->ir, arena, clone, &count);
    remap(map, clone);
    for (size_t i = 0; i < count; i++) {
        remap(map, inner[i]);
    }
    build_insert(b, clone);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
        map_value(map, mlirOperationGetResult(op, r), mlirOperationGetResult(clone, r));
    }
    return clone;
}
