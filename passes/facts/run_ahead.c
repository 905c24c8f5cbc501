// Checks if the loads of a loop may run ahead of everything else in the program.
//
//   tl.store(scratch …)                                    by the computing warps
//   tl.debug_barrier()
//   for …: t = tl.load(scratch …); u = tl.dot(t, …)        loads by a copying warp, without a wait for the others
//
// A warp with nothing but loads meets no barrier of the other warps. So its data must be in memory when the
// kernel starts, and pointers may alias. Therefore no store, atomic, volatile load, barrier or assembly with
// effects may stand before the loop or in it: each could make data visible. After the loop they are allowed:
// another program could see those stores only if it waited for them, and the pass also checks that no program
// waits on memory: a block running programs one after another would wait for ever for a program it has not
// begun.
//
// test: tests/unit/test_run_ahead.c
#include "passes/facts/run_ahead.h"

#include "ir/build.h"

static bool leaves_memory_alone(struct pass_context *context, MlirOperation root) {
    if (op_orders_memory(context->ir, root)) {
        return decline(context, root, REASON_ORDERS_MEMORY);
    }
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, root, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_orders_memory(context->ir, ops[i])) {
            return decline(context, ops[i], REASON_ORDERS_MEMORY);
        }
    }
    return true;
}

static bool reads_memory(struct pass_context *context, MlirOperation root) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, root, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_traits(op_kind(context->ir, ops[i])) & READ) {
            return true;
        }
    }
    return false;
}

// No `while` loop may read memory: its end could depend on another program's stores.
static bool waits_for_no_memory(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE && reads_memory(context, ops[i])) {
            return decline(context, ops[i], REASON_WAITS_FOR_MEMORY);
        }
    }
    return true;
}

bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop) {
    MlirBlock body = op_body(function, 0);
    MlirOperation last = op_in_block(loop, body);
    bool may = leaves_memory_alone(context, last);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); may && !mlirOperationEqual(op, last);
         op = mlirOperationGetNextInBlock(op)) {
        may = leaves_memory_alone(context, op);
    }
    return may && waits_for_no_memory(context, function);
}
