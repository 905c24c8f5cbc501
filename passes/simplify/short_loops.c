// short_loops: full unrolling of loops with a small constant trip count.
//
//   scf.for %k = 0 to 4096 step 2048 iter_args(%x = %a) {        … %a … 0 …       step 0
//     … %x … %k …                                          →     … %b … 2048 …    step 1, of step 0's %b
//     yield %b
//   }
//
// The loads of all iterations can then be in flight together, and conditions on %k become constants. Not
// unrolled: loops with products, because pipelining gains more; loops with reductions, because partial_sums
// adds their sums up over threads behind the loop; loops with histograms, whose barriers keep the steps apart
// anyway; outer loops; and large loops.
//
// `finish` runs it again for loops of one iteration or none, left by the rewrites.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/short_loops
#include "passes/simplify/short_loops.h"

#include <string.h>

#include "ir/build.h"

enum { MOST_STEPS = 16, MOST_WORK = 1920 };

int short_loop_steps(struct ir *ir, MlirOperation loop) {
    int64_t lower, upper, step;
    if (!value_is_constant_int(ir, for_lower(loop), &lower) ||
        !value_is_constant_int(ir, for_upper(loop), &upper) ||
        !value_is_constant_int(ir, for_step(loop), &step) || step <= 0) {
        return -1;
    }
    int steps = 0;
    for (uint64_t left = lower < upper ? (uint64_t)upper - (uint64_t)lower : 0;
         left > 0 && steps <= MOST_STEPS; steps++) {
        left -= left < (uint64_t)step ? left : (uint64_t)step;
    }
    return steps;
}

// The approximate number of a thread's instructions for an op: one for each of its elements in the thread.
static int64_t work_of(struct pass_context *context, MlirOperation op, int64_t threads) {
    enum op_kind kind = op_kind(context->ir, op);
    bool made = mlirOperationGetNumResults(op) > 0;
    MlirType type = made                                  ? mlirValueGetType(mlirOperationGetResult(op, 0))
                    : mlirOperationGetNumOperands(op) > 0 ? mlirValueGetType(leading_operand(op))
                                                          : (MlirType){NULL};
    bool moves = kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_CONSTANT || kind == OP_EXPAND_DIMS;
    int64_t elements = !mlirTypeIsNull(type) && type_is_tensor(type) ? type_elements(type) : 1;
    return moves ? 0 : (elements + threads - 1) / threads;
}

static bool may_be_written_out(struct pass_context *context, MlirOperation function, MlirOperation loop,
                               int steps) {
    size_t count;
    int64_t work = 0, threads = op_int(function, ATTR_NUM_WARPS) * (int64_t)context->target->warp_size;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count; i++) {
        switch (op_kind(context->ir, ops[i])) {
        case OP_FOR:
        case OP_WHILE:
        case OP_DOT:
        case OP_REDUCE:
        case OP_SCAN:
        case OP_HISTOGRAM:
            return false;
        default:
            work += work_of(context, ops[i], threads);
        }
    }
    return work * steps <= MOST_WORK;
}

static void write_out(struct pass_context *context, MlirOperation loop, int steps) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    MlirValue index = mlirBlockGetArgument(body, 0);
    intptr_t carried = mlirOperationGetNumResults(loop);
    struct builder b = builder_before(context->ir, loop);
    MlirValue *now = ARENA_ARRAY(context->arena, MlirValue, carried + 1);
    MlirValue *next = ARENA_ARRAY(context->arena, MlirValue, carried + 1);
    int64_t lower = 0, step = 0;
    value_is_constant_int(context->ir, for_lower(loop), &lower);
    value_is_constant_int(context->ir, for_step(loop), &step);
    for (intptr_t i = 0; i < carried; i++) {
        now[i] = for_init(loop, i);
    }
    for (int k = 0; k < steps; k++) {
        struct map map = {0};
        MlirValue at = const_int(&b, mlirValueGetType(index), lower + k * step);
        map_value(&map, index, at);
        for (intptr_t i = 0; i < carried; i++) {
            map_value(&map, mlirBlockGetArgument(body, i + 1), now[i]);
        }
        for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
             op = mlirOperationGetNextInBlock(op)) {
            op_repeat(&b, context->arena, &map, op);
        }
        for (intptr_t i = 0; i < carried; i++) {
            next[i] = value_under(&map, mlirOperationGetOperand(yield, i));
        }
        memcpy(now, next, (size_t)carried * sizeof *now);
        map_free(&map);
    }
    for (intptr_t i = 0; i < carried; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), now[i]);
    }
    mlirOperationDestroy(loop);
}

void short_loops(struct pass_context *context, MlirOperation function, bool few_too) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = count; i-- > 0;) { // inner loops first
        int steps = op_kind(context->ir, ops[i]) == OP_FOR ? short_loop_steps(context->ir, ops[i]) : -1;
        bool few = steps > 1 && steps <= MOST_STEPS && few_too &&
                   may_be_written_out(context, function, ops[i], steps);
        if (steps == 0 || steps == 1 || few) {
            write_out(context, ops[i], steps);
        }
    }
}

void pass_short_loops(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        short_loops(context, op, true);
    }
}
