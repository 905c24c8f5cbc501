// Whether the loads of a loop may run ahead of everything.
//
//   tl.store(scratch …)                                    done by the warps that compute
//   tl.debug_barrier()
//   for …: t = tl.load(scratch …); u = tl.dot(t, …)        loads done by one that does not wait for them
//
// A warp that only loads meets no barrier of the others. What it reads must therefore be there when the kernel
// starts, and that is all that can be known of memory: pointers may alias. So nothing may be written, no atomic,
// volatile load, barrier or assembly with effects may stand before the loop or in it, since each of them could be
// what makes something visible. A relaxed atomic may, where nobody reads the old value and no load goes through its argument
// (apart.c): it orders nothing. After the loop they may: whatever the program writes there, other programs could
// see only if they waited, and these wait nowhere. That is asked, too: a block that takes one program after the
// other would wait for ever for one that it has not begun.
//
// test: tests/unit/test_run_ahead.c
#include "passes/run_ahead.h"

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/apart.h"

// Arguments of the function that its loads read; a null among them is one that is not known.
struct read_arguments {
    MlirValue *list;
    size_t count;
};

static struct read_arguments read_arguments(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    struct read_arguments read = {ARENA_ARRAY(context->arena, MlirValue, count + 1), 0};
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_LOAD) {
            read.list[read.count++] = pointer_argument(context->ir, mlirOperationGetOperand(ops[i], 0));
        }
    }
    return read;
}

bool only_adds_up(struct ir *ir, MlirOperation op) {
    return op_kind(ir, op) == OP_ATOMIC_RMW && op_memory_order(op) == ORDER_RELAXED &&
           !value_has_uses(mlirOperationGetResult(op, 0));
}

static bool orders(struct pass_context *context, MlirOperation op, const struct read_arguments *read) {
    return only_adds_up(context->ir, op) ? orders_loads_of(context->ir, op, read->list, read->count)
                                         : op_orders_memory(context->ir, op);
}

static bool any_orders_memory(struct pass_context *context, MlirOperation root,
                              const struct read_arguments *read) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, root, &count);
    bool any = orders(context, root, read);
    for (size_t i = 0; i < count && !any; i++) {
        any = orders(context, ops[i], read);
    }
    return any;
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

// A loop without a number of iterations, which memory may end.
static bool waits_for_memory(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE && reads_memory(context, ops[i])) {
            return true;
        }
    }
    return false;
}

bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop) {
    MlirBlock body = op_body(function, 0);
    MlirOperation last = op_in_block(loop, body);
    struct read_arguments read = read_arguments(context, function);
    bool ordered = any_orders_memory(context, last, &read);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !ordered && !mlirOperationEqual(op, last);
         op = mlirOperationGetNextInBlock(op)) {
        ordered = any_orders_memory(context, op, &read);
    }
    return !ordered && !waits_for_memory(context, function);
}
