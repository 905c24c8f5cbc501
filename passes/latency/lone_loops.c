// lone_loops: one thread runs a loop of numbers watching memory, and hands its results to the others.
//
//   %at, %sum = scf.while {                          %at, %sum = scf.while {
//     %v = tk.atomic_rmw load %flags + %at             %v = tk.atomic_rmw load %flags + %at {one_thread}
//     …                                         →      …
//   } do { … }                                       } do { … } {one_thread}
//
// A load of changing memory, and an atomic of one element, are done by one thread for all, at two meetings
// of the block in each turn of the loop. If a loop holds nothing but such accesses and arithmetic on numbers, the other
// threads have no part in it: they meet the first thread behind the loop, once. A tile lies in all threads: a loop with one
// stays the block's.
//
// The loop may release other threads' writes: they meet the first thread ahead of it, once (barriers).
//
// requires: layouts; flags are read by loads (flags), loops of warps are known (waits)
// provides: `one_thread` on these loops and on the accesses in them
// test:     tests/golden/passes/lone_loops, tests/lang/atomic.tk
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

static bool is_number(MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) || mlirTypeIsAIndex(type);
}

static bool is_scalar(MlirValue value) {
    return is_number(value) || type_is_ptr(mlirValueGetType(value));
}

static bool has_scalars_alone(MlirOperation op) {
    bool all = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && all; i++) {
        all = is_scalar(mlirOperationGetOperand(op, i));
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && all; i++) {
        all = is_scalar(mlirOperationGetResult(op, i));
    }
    return all;
}

// An access done by one thread for all.
static bool is_shared_access(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS || (kind == OP_LOAD && load_is_volatile(op));
}

// True if one thread can do the op, with or without ops inside.
static bool is_done_by_one(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    bool control = kind == OP_WHILE || kind == OP_FOR || kind == OP_IF || kind == OP_YIELD ||
                   kind == OP_SCF_YIELD || kind == OP_CONDITION;
    bool accesses = is_shared_access(ir, op) || kind == OP_LOAD || kind == OP_STORE;
    bool computes = (op_traits(kind) & PURE) && mlirOperationGetNumRegions(op) == 0;
    return (control || accesses || computes) && !op_has(op, ATTR_EACH_WARP) && has_scalars_alone(op);
}

// Results are handed on as numbers.
static bool hands_on_numbers(MlirOperation loop) {
    bool all = true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop) && all; i++) {
        MlirValue result = mlirOperationGetResult(loop, i);
        all = is_number(result) || !value_has_uses(result);
    }
    return all;
}

static bool is_lone(struct pass_context *context, MlirOperation loop) {
    size_t count;
    bool shares = false, all = is_done_by_one(context->ir, loop) && hands_on_numbers(loop);
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count && all; i++) {
        all = is_done_by_one(context->ir, ops[i]);
        shares |= is_shared_access(context->ir, ops[i]) && value_has_uses(mlirOperationGetResult(ops[i], 0));
    }
    return all && shares;
}

static void mark(struct pass_context *context, MlirOperation loop) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    op_set_unit(context->ir, loop, ATTR_ONE_THREAD);
    for (size_t i = 0; i < count; i++) {
        if (is_shared_access(context->ir, ops[i])) {
            op_set_unit(context->ir, ops[i], ATTR_ONE_THREAD);
        }
    }
}

static bool is_within_marked(MlirOperation op) {
    do {
        op = mlirOperationGetParentOperation(op);
    } while (!mlirOperationIsNull(op) && !op_has(op, ATTR_ONE_THREAD));
    return !mlirOperationIsNull(op);
}

void pass_lone_loops(struct pass_context *context, MlirModule module) {
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        bool roles = op_has(function, ATTR_PRODUCER_WARPS); // threads have other parts there
        for (size_t i = 0; i < count && !roles; i++) {      // outer loops come first
            if (op_kind(context->ir, ops[i]) == OP_WHILE && !is_within_marked(ops[i]) &&
                is_lone(context, ops[i])) {
                mark(context, ops[i]);
            }
        }
    }
}
