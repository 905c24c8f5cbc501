// The tk dialect's table and types.
#include "dialects/tk/tk.h"

#include <stdio.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "support/strbuf.h"

#define MOST(id) ((int)MOST_##id < (int)ANY_NUMBER ? (int)MOST_##id : -1)
#define HAS(id) [ATTR_##id] = true,
const struct op_info op_table[OP_KIND_COUNT] = {
#define TK_OP(id, mnemonic, operands, min_out, max_out, traits, attributes, lowered, doc)                    \
    [OP_##id] = {"tk." mnemonic, LEAST_##id, MOST(id), min_out, max_out, traits, {attributes}, doc},
#include "dialects/tk/tk_ops.def"
#undef TK_OP
#define UPSTREAM_OP(id, name, operands, traits, attributes, lowered)                                         \
    [OP_##id] = {name, LEAST_##id, MOST(id), 0, -1, traits, {attributes}, ""},
#include "dialects/tk/upstream_ops.def"
#undef UPSTREAM_OP
};

void tk_register_ops(struct ir *ir) {
    for (int kind = OP_UNKNOWN + 1; kind < OP_KIND_COUNT; kind++) {
        MlirIdentifier name =
            mlirIdentifierGet(ir->context, mlirStringRefCreateFromCString(op_table[kind].name));
        map_put(&ir->op_kinds, name.ptr, (void *)(intptr_t)kind);
        if (op_traits(kind) >> COST_SHIFT) {
            map_put(&ir->op_costs, name.ptr, (void *)(uintptr_t)(op_traits(kind) >> COST_SHIFT));
        }
    }
}

enum op_kind op_kind(struct ir *ir, MlirOperation op) {
    if (!ir->op_kinds.count) {
        tk_register_ops(ir);
    }
    return (enum op_kind)(intptr_t)map_get(&ir->op_kinds, mlirOperationGetName(op).ptr);
}

MlirAttribute value_constant(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return mlirAttributeGetNull();
    }
    enum op_kind kind = op_kind(ir, op);
    if (kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_RESHAPE) {
        return value_constant(ir, unary_source(op));
    }
    if (kind != OP_CONSTANT) {
        return mlirAttributeGetNull();
    }
    MlirAttribute attribute = op_attribute(op, ATTR_VALUE);
    if (!mlirAttributeIsADenseElements(attribute)) {
        return attribute;
    }
    return mlirDenseElementsAttrIsSplat(attribute) ? mlirDenseElementsAttrGetSplatValue(attribute)
                                                   : mlirAttributeGetNull();
}

bool value_is_constant_int(struct ir *ir, MlirValue value, int64_t *out) {
    MlirAttribute attribute = value_constant(ir, value);
    if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)) {
        return false;
    }
    *out = mlirIntegerAttrGetValueInt(attribute);
    return true;
}

MlirValue access_mask(struct ir *ir, MlirOperation access) {
    switch (op_kind(ir, access)) {
    case OP_LOAD:
        return load_mask(access);
    case OP_STORE:
        return store_mask(access);
    case OP_ATOMIC_RMW:
        return atomic_rmw_mask(access);
    default:
        return (MlirValue){NULL};
    }
}

bool load_is_volatile(MlirOperation load) {
    return op_has(load, ATTR_VOLATILE) || op_cache_modifier(load) == CACHE_CV;
}

enum access_kind access_kind_on_amd(MlirOperation access) {
    enum cache_modifier cache = op_cache_modifier(access);
    if (op_has(access, ATTR_VOLATILE) || cache == CACHE_CV || cache == CACHE_WT) {
        return ACCESS_VOLATILE;
    }
    bool is_load = mlirOperationGetNumResults(access) > 0;
    return cache == CACHE_CS || (cache == CACHE_CG && is_load) ? ACCESS_NONTEMPORAL : ACCESS_PLAIN;
}

bool op_is_in_loop(struct ir *ir, MlirOperation op) {
    for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op);
         op = mlirOperationGetParentOperation(op)) {
        if (op_kind(ir, op) == OP_FOR || op_kind(ir, op) == OP_WHILE) {
            return true;
        }
    }
    return false;
}

MlirOperation only_dot_in_loop(struct ir *ir, struct arena *arena, MlirOperation function) {
    size_t count;
    MlirOperation dot = {NULL};
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_DOT) {
            if (!mlirOperationIsNull(dot)) {
                return (MlirOperation){NULL};
            }
            dot = ops[i];
        }
    }
    bool loops = !mlirOperationIsNull(dot) && op_kind(ir, mlirOperationGetParentOperation(dot)) == OP_FOR;
    return loops ? dot : (MlirOperation){NULL};
}

bool op_orders_memory(struct ir *ir, MlirOperation op) {
    switch (op_kind(ir, op)) {
    case OP_ASSUME:
    case OP_ASSERT:
    case OP_PRINT:
    case OP_MBARRIER_WAIT: // specialise puts these around slots in shared memory
    case OP_MBARRIER_EXPECT:
    case OP_MBARRIER_ARRIVE:
    case OP_LAUNCH_ASK:
    case OP_LAUNCH_READ:
    case OP_WATCH:
        return false;
    case OP_LOAD:
        return load_is_volatile(op);
    case OP_INLINE_ASM:
        return !op_has(op, ATTR_PURE);
    default:
        return op_traits(op_kind(ir, op)) & (WRITE | SYNC);
    }
}

static bool text_has(MlirStringRef text, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++) {
        if (memcmp(text.data + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

bool op_names_block(struct ir *ir, MlirOperation op) {
    static const char *const registers[] = {"%ctaid", "%nctaid", "%tid", "%ntid", "%warpid", "%nwarpid"};
    enum op_kind kind = op_kind(ir, op);
    bool names = kind == OP_PRINT || kind == OP_WATCH || kind == OP_STEP;
    MlirStringRef text = kind == OP_INLINE_ASM ? op_string(op, ATTR_ASM) : (MlirStringRef){NULL, 0};
    for (size_t i = 0; i < sizeof registers / sizeof *registers && text.length > 0; i++) {
        names |= text_has(text, registers[i]);
    }
    return names;
}

// ---- types ----

static void append_text(MlirStringRef text, void *buffer) {
    strbuf_add_bytes(buffer, text.data, text.length);
}

MlirType tk_ptr_type(struct ir *ir, MlirType pointee) {
    struct strbuf data = {0};
    strbuf_add(&data, "ptr<");
    mlirTypePrint(pointee, append_text, &data);
    strbuf_add(&data, ">");
    MlirType type = mlirOpaqueTypeGet(ir->context, mlirStringRefCreateFromCString("tk"),
                                      mlirStringRefCreate(data.data, data.length));
    strbuf_free(&data);
    map_put(&ir->pointees, type.ptr, (void *)pointee.ptr);
    return type;
}

MlirType tk_tensor_map_type(struct ir *ir) {
    return mlirOpaqueTypeGet(ir->context, mlirStringRefCreateFromCString("tk"),
                             mlirStringRefCreateFromCString("tensor_map"));
}

bool type_is_tensor_map(MlirType type) {
    return mlirTypeIsAOpaque(type) &&
           mlirStringRefEqual(mlirOpaqueTypeGetData(type), mlirStringRefCreateFromCString("tensor_map"));
}

bool type_is_ptr(MlirType type) {
    if (!mlirTypeIsAOpaque(type)) {
        return false;
    }
    MlirStringRef data = mlirOpaqueTypeGetData(type);
    return data.length > 4 && memcmp(data.data, "ptr<", 4) == 0;
}

MlirType tk_ptr_pointee(struct ir *ir, MlirType type) {
    const void *known = map_get(&ir->pointees, type.ptr);
    if (known) {
        return (MlirType){known};
    }
    if (!type_is_ptr(type)) {
        bug("not a pointer type");
    }
    MlirStringRef data = mlirOpaqueTypeGetData(type);
    MlirType pointee = mlirTypeParseGet(ir->context, mlirStringRefCreate(data.data + 4, data.length - 5));
    if (mlirTypeIsNull(pointee)) {
        bug("cannot read pointer type %.*s", (int)data.length, data.data);
    }
    map_put(&ir->pointees, type.ptr, (void *)pointee.ptr);
    return pointee;
}

int64_t pointee_bytes(struct ir *ir, MlirType pointers) {
    return (type_bits(tk_ptr_pointee(ir, type_element(pointers))) + 7) / 8;
}

bool type_is_tensor(MlirType type) {
    return mlirTypeIsARankedTensor(type);
}

MlirType type_element(MlirType type) {
    return type_is_tensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

int type_rank(MlirType type) {
    return type_is_tensor(type) ? (int)mlirShapedTypeGetRank(type) : 0;
}

int64_t type_extent(MlirType type, int dim) {
    return mlirShapedTypeGetDimSize(type, dim);
}

int64_t dot_depth(MlirOperation dot) {
    MlirType a = mlirValueGetType(dot_a(dot));
    return op_int_or(dot, ATTR_END, type_extent(a, type_rank(a) - 1)) - op_int(dot, ATTR_START);
}

int64_t type_elements(MlirType type) {
    int64_t count = 1;
    for (int dim = 0; dim < type_rank(type); dim++) {
        count *= type_extent(type, dim);
    }
    return count;
}

bool type_same_shape(MlirType a, MlirType b) {
    if (type_rank(a) != type_rank(b)) {
        return false;
    }
    for (int dim = 0; dim < type_rank(a); dim++) {
        if (type_extent(a, dim) != type_extent(b, dim)) {
            return false;
        }
    }
    return true;
}

unsigned type_bits(MlirType scalar) {
    if (mlirTypeIsAInteger(scalar)) {
        return mlirIntegerTypeGetWidth(scalar);
    }
    if (mlirTypeIsAFloat(scalar)) {
        return mlirFloatTypeGetWidth(scalar);
    }
    if (type_is_ptr(scalar) || mlirTypeIsAIndex(scalar)) {
        return 64;
    }
    bug("a type without a size");
}

bool type_is_f8(MlirType element) {
    return mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) == 8;
}

MlirType tensor_type(int rank, const int64_t *shape, MlirType element, MlirAttribute encoding) {
    if (rank == 0) {
        return element;
    }
    return mlirRankedTensorTypeGet(rank, shape, element, encoding);
}

static int shape_of(MlirType type, int64_t shape[LAYOUT_MAX_RANK]) {
    int rank = type_rank(type);
    for (int dim = 0; dim < rank; dim++) {
        shape[dim] = type_extent(type, dim);
    }
    return rank;
}

static MlirAttribute encoding_of(MlirType type) {
    return type_is_tensor(type) ? mlirRankedTensorTypeGetEncoding(type) : mlirAttributeGetNull();
}

MlirType type_with_shape_of(MlirType shaped, MlirType element) {
    int64_t shape[LAYOUT_MAX_RANK];
    int rank = shape_of(shaped, shape);
    return tensor_type(rank, shape, element, encoding_of(shaped));
}

// ---- layouts ----

// The inputs a layout attribute may name, in the attribute's own (alphabetic) order.
static const struct {
    enum attribute_name name;
    enum layout_input input;
} layout_keys[] = {{ATTR_LANE, LAYOUT_LANE},
                   {ATTR_REGISTER, LAYOUT_REGISTER},
                   {ATTR_SHARED, LAYOUT_OFFSET},
                   {ATTR_WARP, LAYOUT_WARP}};

bool type_layout_fits(MlirType type, char *why, size_t room) {
    MlirAttribute encoding = encoding_of(type);
    unsigned bits = 0;
    for (int dim = 0; dim < type_rank(type); dim++) {
        bits += (unsigned)__builtin_ctzll((unsigned long long)type_extent(type, dim));
    }
    if (mlirAttributeIsNull(encoding) || !mlirAttributeIsADictionary(encoding)) {
        return true;
    }
    if (bits > LAYOUT_MAX_BITS) {
        snprintf(why, room, "of 2^%u elements; the limit is 2^%d", bits, LAYOUT_MAX_BITS);
        return false;
    }
    for (size_t k = 0; k < sizeof layout_keys / sizeof *layout_keys; k++) {
        MlirAttribute bases = dictionary_attribute(encoding, layout_keys[k].name);
        bool given = !mlirAttributeIsNull(bases) && mlirAttributeIsADenseI32Array(bases);
        intptr_t count = given ? mlirDenseArrayGetNumElements(bases) : 0;
        if (count > LAYOUT_MAX_BITS) {
            snprintf(why, room, "with %d bits of \"%s\"; the limit is %d", (int)count,
                     attribute_text(layout_keys[k].name), LAYOUT_MAX_BITS);
            return false;
        }
        for (intptr_t i = 0; i < count; i++) {
            int32_t basis = mlirDenseI32ArrayGetElement(bases, i);
            if (basis < 0 || basis >> bits) {
                snprintf(why, room, "whose basis %d lies outside its tile", basis);
                return false;
            }
        }
    }
    return true;
}

const struct layout *type_layout(struct ir *ir, MlirType type) {
    MlirAttribute encoding = encoding_of(type);
    if (mlirAttributeIsNull(encoding) || !mlirAttributeIsADictionary(encoding)) {
        return NULL;
    }
    const struct layout *known = map_get(&ir->layouts, type.ptr);
    if (known) {
        return known;
    }
    int64_t shape[LAYOUT_MAX_RANK];
    int rank = shape_of(type, shape);
    struct layout *layout = ARENA_NEW(ir->arena, struct layout);
    *layout = layout_empty((unsigned)rank, shape);
    for (size_t k = 0; k < sizeof layout_keys / sizeof *layout_keys; k++) {
        MlirAttribute bases = dictionary_attribute(encoding, layout_keys[k].name);
        if (mlirAttributeIsNull(bases) || !mlirAttributeIsADenseI32Array(bases)) {
            continue;
        }
        for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(bases); i++) {
            layout_push(layout, layout_keys[k].input, (uint32_t)mlirDenseI32ArrayGetElement(bases, i));
        }
    }
    map_put(&ir->layouts, type.ptr, layout);
    return layout;
}

MlirAttribute layout_attribute(struct ir *ir, const struct layout *layout) {
    MlirNamedAttribute entries[4];
    struct builder b = {.ir = ir};
    intptr_t count = 0;
    bool shared = layout->bits[LAYOUT_OFFSET] > 0;
    for (size_t k = 0; k < sizeof layout_keys / sizeof *layout_keys; k++) {
        if ((layout_keys[k].input == LAYOUT_OFFSET) != shared) {
            continue;
        }
        int32_t bases[LAYOUT_MAX_BITS];
        unsigned bits = layout->bits[layout_keys[k].input];
        for (unsigned i = 0; i < bits; i++) {
            bases[i] = (int32_t)layout->basis[layout_keys[k].input][i];
        }
        entries[count++] = attr_i32_array(&b, layout_keys[k].name, bits, bases);
    }
    return mlirDictionaryAttrGet(ir->context, count, entries);
}

MlirType type_with_layout(struct ir *ir, MlirType type, const struct layout *layout) {
    if (!type_is_tensor(type)) {
        return type;
    }
    int64_t shape[LAYOUT_MAX_RANK];
    int rank = shape_of(type, shape);
    return tensor_type(rank, shape, type_element(type),
                       layout ? layout_attribute(ir, layout) : mlirAttributeGetNull());
}

bool type_is_shared(struct ir *ir, MlirType type) {
    const struct layout *layout = type_layout(ir, type);
    return layout && layout->bits[LAYOUT_OFFSET] > 0;
}
