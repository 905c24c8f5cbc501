// handed_values: in a kernel made of steps of a chain, a step gets an earlier one's stored value in place of its load.
//
//   tk.store %p, %v, %mask {tk.edge = 1}                  (gone, if the array has no memory)
//   %w = tk.load %q, %mask, %other {tk.edge = 1}     →    %c = tk.convert_layout %v, %w = select %mask, %c, %other
//
// Layouts were chosen with the loads and stores in place, so each step's sums are over the same threads as in the
// step's own kernel, and round alike. An array without memory (tk.handed = "none") loses its stores, its addresses and its argument.
//
// requires: layouts; tk.edge from chain_edges
// provides: the same, without tk.edge and without arguments of arrays without memory
// test:     tests/golden/passes/handed_values
#include "passes/pass.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

struct handing {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirOperation *ops; // null: erased
    size_t count;
};

static void collect(struct handing *h) {
    h->ops = ops_collect(h->ir, h->context->arena, h->function, &h->count);
}

static MlirOperation store_of(const struct handing *h, int64_t edge) {
    for (size_t i = 0; i < h->count; i++) {
        bool there = !mlirOperationIsNull(h->ops[i]);
        if (there && op_kind(h->ir, h->ops[i]) == OP_STORE && op_int(h->ops[i], ATTR_EDGE) == edge) {
            return h->ops[i];
        }
    }
    bug("handed_values: no store has the edge %d", (int)edge);
}

// ---- loads

// The masked-off elements of a load without `other`; of pointers whatever the value has.
static MlirValue zero_of(struct builder *b, MlirType type, MlirValue value) {
    MlirType element = type_element(type);
    if (mlirTypeIsAInteger(element)) {
        return const_int(b, type, 0);
    }
    return mlirTypeIsAFloat(element) ? const_float(b, type, 0) : value;
}

static void replace_load(struct handing *h, MlirOperation load) {
    MlirOperation store = store_of(h, op_int(load, ATTR_EDGE));
    struct builder b = builder_before(h->ir, load);
    MlirValue value = store_value(store), result = mlirOperationGetResult(load, 0), mask = load_mask(load);
    MlirType type = mlirValueGetType(result);
    if (!mlirTypeEqual(mlirValueGetType(value), type)) {
        value = VALUE(&b, OP_CONVERT_LAYOUT, OPERANDS(value), RESULTS(type), NO_ATTRS);
    }
    if (!mlirValueIsNull(mask)) {
        MlirValue other = load_other(load);
        other = mlirValueIsNull(other) ? zero_of(&b, type, value) : other;
        value = build_select(&b, mask, value, other);
    }
    mlirValueReplaceAllUsesOfWith(result, value);
    mlirOperationDestroy(load);
}

static void replace_loads(struct handing *h) {
    collect(h);
    for (size_t i = 0; i < h->count; i++) {
        if (op_kind(h->ir, h->ops[i]) == OP_LOAD && op_int(h->ops[i], ATTR_EDGE)) {
            replace_load(h, h->ops[i]);
            h->ops[i] = (MlirOperation){NULL};
        }
    }
}

// ---- arrays without memory

static bool has_memory(const struct handing *h, intptr_t argument) {
    MlirAttribute handed = argument_attribute(h->function, argument, ATTR_HANDED);
    if (mlirAttributeIsNull(handed)) {
        return true;
    }
    MlirStringRef text = mlirStringAttrGetValue(handed);
    return text.length != 4 || strncmp(text.data, "none", text.length) != 0;
}

// Erases an op whose results nobody uses.
static bool erase_unused(const struct handing *h, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (value_has_uses(mlirOperationGetResult(op, i))) {
            return false;
        }
    }
    if (!(op_traits(op_kind(h->ir, op)) & PURE) || !mlirOperationGetNumResults(op)) {
        return false;
    }
    mlirOperationDestroy(op);
    return true;
}

// Erases the stores to an array, and the addresses without further users.
static void erase_stores(struct handing *h, MlirValue array) {
    struct map *behind = ARENA_NEW(h->context->arena, struct map);
    *behind = (struct map){0};
    collect(h);
    map_put(behind, array.ptr, (void *)array.ptr);
    for (size_t i = 0; i < h->count; i++) {
        enum op_kind kind = op_kind(h->ir, h->ops[i]);
        bool reached = false;
        for (intptr_t k = 0; k < mlirOperationGetNumOperands(h->ops[i]); k++) {
            reached |= map_has(behind, mlirOperationGetOperand(h->ops[i], k).ptr);
        }
        for (intptr_t r = 0; r < mlirOperationGetNumResults(h->ops[i]) && reached && (op_traits(kind) & PURE);
             r++) {
            MlirValue result = mlirOperationGetResult(h->ops[i], r);
            map_put(behind, result.ptr, (void *)result.ptr);
        }
        if (kind == OP_STORE && map_has(behind, store_pointer(h->ops[i]).ptr)) {
            mlirOperationDestroy(h->ops[i]);
            h->ops[i] = (MlirOperation){NULL};
        }
    }
    for (size_t i = h->count; i-- > 0;) {
        if (!mlirOperationIsNull(h->ops[i]) && erase_unused(h, h->ops[i])) {
            h->ops[i] = (MlirOperation){NULL};
        }
    }
    map_free(behind);
}

static void erase_argument(struct handing *h, intptr_t number) {
    struct ir *ir = h->ir;
    MlirBlock body = op_body(h->function, 0);
    mlirBlockEraseArgument(body, (unsigned)number);
    intptr_t count = mlirBlockGetNumArguments(body), kept = 0;
    MlirType *types = ARENA_ARRAY(h->context->arena, MlirType, count + 1);
    MlirAttribute *attributes = ARENA_ARRAY(h->context->arena, MlirAttribute, count + 1);
    MlirAttribute all = op_attribute(h->function, ATTR_ARG_ATTRS);
    for (intptr_t i = 0; i <= count; i++) {
        if (i != number) {
            types[kept] = mlirValueGetType(mlirBlockGetArgument(body, kept));
            attributes[kept++] = mlirArrayAttrGetElement(all, i);
        }
    }
    MlirType type = mlirFunctionTypeGet(ir->context, count, types, 0, NULL);
    op_set_attribute(h->function, ATTR_FUNCTION_TYPE, mlirTypeAttrGet(type));
    op_set_attribute(h->function, ATTR_ARG_ATTRS, mlirArrayAttrGet(ir->context, count, attributes));
}

static void drop_arrays(struct handing *h) {
    for (intptr_t i = mlirBlockGetNumArguments(op_body(h->function, 0)); i-- > 0;) {
        if (has_memory(h, i)) {
            continue;
        }
        MlirValue array = mlirBlockGetArgument(op_body(h->function, 0), i);
        erase_stores(h, array);
        if (value_has_uses(array)) {
            bug("handed_values: an array without memory is used");
        }
        erase_argument(h, i);
    }
}

static void remove_edges(struct handing *h) {
    collect(h);
    for (size_t i = 0; i < h->count; i++) {
        if (op_has(h->ops[i], ATTR_EDGE)) {
            op_remove_attribute(h->ops[i], ATTR_EDGE);
        }
    }
}

static bool is_merged(MlirOperation function) {
    MlirStringRef text =
        op_has(function, ATTR_CHAIN) ? op_string(function, ATTR_CHAIN) : (MlirStringRef){NULL, 0};
    return text.length == strlen("merged") && strncmp(text.data, "merged", text.length) == 0;
}

void pass_handed_values(struct pass_context *context, MlirModule module) {
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(function);
         function = mlirOperationGetNextInBlock(function)) {
        struct handing h = {.context = context, .ir = context->ir, .function = function};
        if (is_merged(function)) {
            replace_loads(&h);
            drop_arrays(&h);
            remove_edges(&h);
        }
    }
}
