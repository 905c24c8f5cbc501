// flags: numbers for other programs are written and read by plain stores and loads, and one fence releases a run of
// stores.
//
//   tk.atomic_rmw xchg %f, 1 {release}         tk.barrier {scope = sys}
//   tk.atomic_rmw xchg %g, 1 {release}    →    tk.atomic_rmw store %f, 1 {relaxed, fenced}
//   %v = tk.atomic_rmw add %h, 0 {acquire}     tk.atomic_rmw store %g, 1 {relaxed}
//                                              %v = tk.atomic_rmw load %h, 0 {acquire}
//
// An exchange whose result nobody reads writes, and a sum with zero reads; neither has to travel to the memory and back as
// an atomic does. As in LLVM's InstCombine this holds for exchanges without acquire, and for sums without release. A
// relaxed exchange within the GPU stays one on NVIDIA, since it takes less of its thread than a store for others: PyTorch's
// cumsum over columns takes 0.93 of its time.
//
// A release waits until all earlier accesses of its thread are done, the store of the flag before it among
// them, and a scalar one lets the block meet first. Between two such releases in a row nothing else is to be
// released: one meeting and one fence serve all of them. The first thread stores all of these flags.
//
// A release of a tile held by some threads only, a lane a peer, is the program's: the block meets before it too, unless it has
// just met.
//
// requires: layouts; unused results are known (finish)
// provides: nothing; keeps everything
// test:     tests/golden/passes/flags, tests/unit/test_several_gpus.c
#include "passes/pass.h"

#include "ir/build.h"
#include "dialects/tk/words.h"

static bool is_rmw(struct ir *ir, MlirOperation op, enum rmw_operation operation) {
    return op_kind(ir, op) == OP_ATOMIC_RMW && op_rmw_operation(op) == operation;
}

// True if the exchange costs its thread less than a store would: the second-level cache does it, and nobody waits for its result.
static bool is_cheap(const struct target *target, MlirOperation exchange) {
    return target->vendor == VENDOR_NVIDIA && op_memory_scope(exchange) == SCOPE_GPU &&
           op_memory_order(exchange) == ORDER_RELAXED;
}

static void make_plain(struct ir *ir, const struct target *target, MlirOperation op) {
    enum rmw_operation operation = op_rmw_operation(op);
    enum memory_order order = op_memory_order(op);
    int64_t value;
    bool adds = operation == RMW_ADD || operation == RMW_OR || operation == RMW_XOR;
    bool unread = !value_has_uses(mlirOperationGetResult(op, 0));
    if (operation == RMW_XCHG && !(order & ORDER_ACQUIRE) && unread && !is_cheap(target, op)) {
        op_set_string(ir, op, ATTR_OPERATION, word_text(WORDS_RMW, RMW_STORE));
    } else if (adds && !(order & ORDER_RELEASE) && value_is_constant_int(ir, atomic_rmw_value(op), &value) &&
               value == 0) {
        op_set_string(ir, op, ATTR_OPERATION, word_text(WORDS_RMW, RMW_LOAD));
    }
}

// A releasing store of one flag.
static bool releases(struct ir *ir, MlirOperation op) {
    return is_rmw(ir, op, RMW_STORE) && op_memory_order(op) == ORDER_RELEASE &&
           !type_is_tensor(mlirValueGetType(access_pointer(op)));
}

// True if no thread has to wait for the op's effects.
static bool is_beside(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return mlirOperationGetNumRegions(op) == 0 &&
           ((op_traits(kind) & PURE) || (kind == OP_LOAD && op_has(op, ATTR_ADDRESSES)));
}

// The next releasing store of the same scope with nothing to release in between; null if there is none.
static MlirOperation next_of_run(struct ir *ir, MlirOperation store) {
    MlirOperation next = mlirOperationGetNextInBlock(store);
    while (!mlirOperationIsNull(next) && is_beside(ir, next)) {
        next = mlirOperationGetNextInBlock(next);
    }
    bool follows =
        !mlirOperationIsNull(next) && releases(ir, next) && op_memory_scope(next) == op_memory_scope(store);
    return follows ? next : (MlirOperation){NULL};
}

static void release_together(struct ir *ir, MlirOperation first) {
    MlirOperation next = next_of_run(ir, first);
    if (mlirOperationIsNull(next)) {
        return;
    }
    const char *scope = word_text(WORDS_SCOPE, op_memory_scope(first));
    struct builder b = builder_before(ir, first);
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_string(&b, ATTR_SCOPE, scope)));
    op_set_unit(ir, first, ATTR_FENCED);
    op_set_string(ir, first, ATTR_SEM, word_text(WORDS_ORDER, ORDER_RELAXED));
    for (MlirOperation op = next; !mlirOperationIsNull(op); op = next) {
        next = next_of_run(ir, op);
        op_set_string(ir, op, ATTR_SEM, word_text(WORDS_ORDER, ORDER_RELAXED));
    }
}

static bool is_held_by_some(struct ir *ir, MlirType type) {
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    struct layout_point free = layout ? layout_free_bits(layout) : (struct layout_point){{0}};
    return free.at[LAYOUT_LANE] || free.at[LAYOUT_WARP];
}

// True if other threads have handed over at a barrier all their accesses ahead of the op.
static bool has_met(struct ir *ir, MlirOperation op) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirOperation before = {NULL};
    for (MlirOperation at = mlirBlockGetFirstOperation(block); !mlirOperationEqual(at, op);
         at = mlirOperationGetNextInBlock(at)) {
        before = is_beside(ir, at) ? before : at;
    }
    return mlirOperationIsNull(before) ? op_kind(ir, mlirOperationGetParentOperation(op)) == OP_FUNC
                                       : op_kind(ir, before) == OP_BARRIER && op_has(before, ATTR_SCOPE);
}

static void meet_before(struct ir *ir, MlirOperation op) {
    bool releases_tile =
        (op_memory_order(op) & ORDER_RELEASE) && is_held_by_some(ir, mlirValueGetType(access_pointer(op)));
    if (releases_tile && !has_met(ir, op)) {
        struct builder b = builder_before(ir, op);
        const char *scope = word_text(WORDS_SCOPE, op_memory_scope(op));
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_string(&b, ATTR_SCOPE, scope)));
    }
}

void pass_flags(struct pass_context *context, MlirModule module) {
    struct ir *ir = context->ir;
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        MlirOperation *ops = ops_collect(ir, context->arena, function, &count);
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(ir, ops[i]);
            if (kind == OP_ATOMIC_RMW) {
                make_plain(ir, context->target, ops[i]);
            }
            if (kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS) {
                meet_before(ir, ops[i]);
            }
        }
        for (size_t i = 0; i < count; i++) {
            if (releases(ir, ops[i])) {
                release_together(ir, ops[i]);
            }
        }
    }
}
