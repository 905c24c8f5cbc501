// Whether the loads of a loop may run ahead of everything.
//
//   tl.store(scratch …)                                    done by the warps that compute
//   tl.debug_barrier()
//   for …: t = tl.load(scratch …); u = tl.dot(t, …)        loads done by one that does not wait for them
//
// A warp that only loads meets no barrier of the others. What it reads must therefore be there when the kernel
// starts, and that is all that can be known of memory: pointers may alias. So nothing may be written, no atomic,
// volatile load, barrier or assembly with effects may stand before the loop or in it, since each of them could be
// what makes something visible. After the loop they may: whatever the program writes there, other programs could
// see only if they waited, and these wait nowhere. That is asked, too: a block that takes one program after the
// other would wait for ever for one that it has not begun.
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

// No loop without a number of iterations, which memory may end.
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
