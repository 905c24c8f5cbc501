// chain_edges: in a kernel made of steps of a chain, finds stored values for the loads of later steps.
//
//   func @layer(%x, %y, %h {tk.handed = "none"})
//     tk.store %h + %offsets, %v, %mask           →     tk.store … {tk.edge = 1}
//     %w = tk.load %h + %offsets, %mask                 %w = tk.load … {tk.edge = 1}
//
// A program may take the value for the load if it has stored each loaded element itself, in this very store. The pass proves it from
// equal addresses: both are the same argument plus offsets computed alike from the program's ids, ranges, constants and
// arguments. The load's mask has every
// condition of the store's. An element with several programs' stores has one value, or the kernels
// apart race. Stores under a condition or in a loop apart from the load do not count.
//
// Steps with other effects than loads and stores, or whose arrays are not known, do not become one kernel: the function's tk.chain says
// why, and the driver keeps them apart (driver/fuse.c).
//
// requires: a tile program without layouts; tk.handed at the arguments
// provides: tk.edge, or a reason in tk.chain
// test:     tests/golden/passes/chain_edges
#include "passes/pass.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

struct edges {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirOperation *ops; // in program order
    size_t count;
    intptr_t arguments;
    int32_t edge; // the last number
};

// ---- equal values

// True if both values are the same function of arguments, ids and constants.
static bool computed_equal(struct ir *ir, MlirValue a, MlirValue b, int *steps) {
    if (value_is(a, b)) {
        return true;
    }
    if (--*steps <= 0 || mlirValueIsABlockArgument(a) || mlirValueIsABlockArgument(b)) {
        return false;
    }
    MlirOperation x = value_op(a), y = value_op(b);
    intptr_t count = mlirOperationGetNumOperands(x);
    bool equal = ops_alike(x, y) && (op_traits(op_kind(ir, x)) & PURE) && !mlirOperationGetNumRegions(x) &&
                 mlirOpResultGetResultNumber(a) == mlirOpResultGetResultNumber(b) &&
                 mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) &&
                 count == mlirOperationGetNumOperands(y);
    for (intptr_t i = 0; i < count && equal; i++) {
        equal = computed_equal(ir, mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i), steps);
    }
    return equal;
}

static bool equal_values(struct edges *e, MlirValue a, MlirValue b) {
    enum { STEPS = 256 };
    int steps = STEPS;
    return computed_equal(e->ir, a, b, &steps);
}

// ---- arguments

static bool is_handed(struct edges *e, intptr_t argument) {
    MlirAttribute handed = argument_attribute(e->function, argument, ATTR_HANDED);
    return !mlirAttributeIsNull(handed) &&
           !mlirStringRefEqual(mlirStringAttrGetValue(handed), mlirStringRefCreateFromCString("factors"));
}

// The array behind an access, as the number of an argument; -1: not known.
static intptr_t array_of(struct edges *e, MlirOperation access) {
    MlirValue argument = pointer_argument(e->ir, access_pointer(access));
    return mlirValueIsNull(argument) ? -1 : mlirBlockArgumentGetArgNumber(argument);
}

static bool check_op(struct edges *e, MlirOperation op) {
    enum op_kind kind = op_kind(e->ir, op);
    bool access = kind == OP_LOAD || kind == OP_STORE;
    if (access) {
        bool is_volatile = kind == OP_LOAD && load_is_volatile(op);
        return is_volatile ? decline(e->context, op, REASON_CHAIN_EFFECT)
                           : array_of(e, op) >= 0 || decline(e->context, op, REASON_CHAIN_ADDRESS);
    }
    bool control =
        kind == OP_FOR || kind == OP_IF || kind == OP_SCF_YIELD || kind == OP_YIELD || kind == OP_RETURN;
    bool asm_ = kind == OP_INLINE_ASM && !op_has(op, ATTR_PURE);
    return (!asm_ && (control || (op_traits(kind) & PURE))) || decline(e->context, op, REASON_CHAIN_EFFECT);
}

// ---- edges of one array

// The only store to the array. Null, with the reason, if there is none or several.
static bool find_store(struct edges *e, intptr_t argument, MlirOperation *store) {
    *store = (MlirOperation){NULL};
    for (size_t i = 0; i < e->count; i++) {
        if (op_kind(e->ir, e->ops[i]) == OP_STORE && array_of(e, e->ops[i]) == argument) {
            if (!mlirOperationIsNull(*store)) {
                return decline(e->context, e->ops[i], REASON_CHAIN_STORES);
            }
            *store = e->ops[i];
        }
    }
    return true;
}

static MlirOperation conjunction(struct edges *e, MlirValue mask) {
    MlirOperation op = value_op(mask);
    return !mlirOperationIsNull(op) && op_kind(e->ir, op) == OP_ANDI ? op : (MlirOperation){NULL};
}

// True if the mask implies the condition: it is the condition, or the condition and more.
static bool includes(struct edges *e, MlirValue mask, MlirValue condition) {
    MlirOperation both = conjunction(e, mask);
    return equal_values(e, mask, condition) ||
           (!mlirOperationIsNull(both) &&
            (includes(e, binary_left(both), condition) || includes(e, binary_right(both), condition)));
}

static bool includes_all(struct edges *e, MlirValue mask, MlirValue conditions) {
    MlirOperation both = conjunction(e, conditions);
    return includes(e, mask, conditions) ||
           (!mlirOperationIsNull(both) && includes_all(e, mask, binary_left(both)) &&
            includes_all(e, mask, binary_right(both)));
}

static bool covers(struct edges *e, MlirOperation store, MlirOperation load) {
    MlirValue stored = store_mask(store), loaded = load_mask(load);
    return mlirValueIsNull(stored) || (!mlirValueIsNull(loaded) && includes_all(e, loaded, stored));
}

// The op, or the op around it, in a block; null if it is elsewhere.
static MlirOperation within(MlirOperation op, MlirBlock block) {
    while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
        op = mlirOperationGetParentOperation(op);
    }
    return op;
}

static bool check_load(struct edges *e, MlirOperation store, MlirOperation load) {
    MlirOperation around = within(load, mlirOperationGetBlock(store));
    if (mlirOperationIsNull(around)) {
        return decline(e->context, store, REASON_CHAIN_STORES);
    }
    if (!op_is_before(store, around)) {
        return decline(e->context, load, REASON_CHAIN_ORDER);
    }
    if (!equal_values(e, store_pointer(store), load_pointer(load))) {
        return decline(e->context, load, REASON_CHAIN_OTHER);
    }
    return covers(e, store, load) || decline(e->context, load, REASON_CHAIN_MASK);
}

// Marks the array's store and loads. A load ahead of the store belongs to the array's own step.
static bool mark_array(struct edges *e, intptr_t argument) {
    MlirOperation store;
    bool seen = false;
    if (!find_store(e, argument, &store)) {
        return false;
    }
    e->edge++;
    for (size_t i = 0; i < e->count; i++) {
        seen = seen || (!mlirOperationIsNull(store) && mlirOperationEqual(e->ops[i], store));
        if (op_kind(e->ir, e->ops[i]) != OP_LOAD || array_of(e, e->ops[i]) != argument) {
            continue;
        }
        if (!seen || !check_load(e, store, e->ops[i])) {
            return seen ? false : decline(e->context, e->ops[i], REASON_CHAIN_ORDER);
        }
        op_set_int(e->ir, e->ops[i], ATTR_EDGE, e->edge);
    }
    if (!mlirOperationIsNull(store)) {
        op_set_int(e->ir, store, ATTR_EDGE, e->edge);
    }
    return true;
}

static bool mark_all(struct edges *e) {
    for (size_t i = 0; i < e->count; i++) {
        if (!check_op(e, e->ops[i])) {
            return false;
        }
    }
    for (intptr_t i = 0; i < e->arguments; i++) {
        if (is_handed(e, i) && !mark_array(e, i)) {
            return false;
        }
    }
    return true;
}

// False for other functions, and for those refused by an earlier pass.
static bool is_merged(MlirOperation function) {
    static const char merged[] = "merged";
    MlirStringRef text =
        op_has(function, ATTR_CHAIN) ? op_string(function, ATTR_CHAIN) : (MlirStringRef){NULL, 0};
    return text.length == strlen(merged) && strncmp(text.data, merged, text.length) == 0;
}

void pass_chain_edges(struct pass_context *context, MlirModule module) {
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(function);
         function = mlirOperationGetNextInBlock(function)) {
        if (!is_merged(function)) {
            continue;
        }
        struct edges e = {.context = context, .ir = context->ir, .function = function};
        e.arguments = mlirBlockGetNumArguments(op_body(function, 0));
        e.ops = ops_collect(e.ir, context->arena, function, &e.count);
        if (!mark_all(&e)) {
            reason_keep(context, function, ATTR_CHAIN);
        }
    }
}
