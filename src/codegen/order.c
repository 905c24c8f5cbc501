// Orders long runs of arithmetic value by value, and cuts them into pieces.
//
// Lowering writes an op for all registers of a tile before the next op. If a thread has 128 elements and a
// function is as long as tl.sin, thousands of values are live at once; AMD's scheduler and register allocator
// then take seconds and spill (12 s and 160 spilled registers for tl.sin of 128 elements on gfx942; 1.4 s and
// none in this order).
//
// Before: a0, a1, …, b0 = f(a0), b1 = f(a1), …, c0 = g(b0), c1 = g(b1), …
// After:  a0, b0 = f(a0), c0 = g(b0), a1, b1 = f(a1), c1 = g(b1), …
//
// A run lies between two instructions that access memory, synchronise threads or end the block, so nothing
// moves across those. The run's last values, unused within it, come in their original order, each behind the
// values it is computed from. Shorter runs stay as they are: LLVM handles them well.
// Requires: nothing. Changes the order of instructions alone. Test: tests/unit/test_order.c
#include "codegen/order.h"

#include <stdlib.h>

#include "support/map.h"
#include "support/memory.h"

enum { LONG_RUN = 2048, PIECE = 1024 };

struct run {
    LLVMBuilderRef builder;
    LLVMValueRef *values; // in their order
    size_t count, capacity;
    struct map waiting;  // value of the run not placed yet → itself
    LLVMValueRef *stack; // operands of the current value, not placed yet
    size_t depth, stack_capacity;
    size_t placed; // since the last cut
};

static bool is_apart(LLVMValueRef callee) {
    static const struct {
        const char *name;
        size_t length;
    } kinds[] = {{"convergent", 10}, {"memory", 6}};
    LLVMAttributeRef of[2];
    for (size_t i = 0; i < 2; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(kinds[i].name, kinds[i].length);
        of[i] = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
    }
    return !of[0] && of[1] && LLVMGetEnumAttributeValue(of[1]) == 0;
}

static bool is_arithmetic(LLVMValueRef value) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall:
        return LLVMIsAFunction(LLVMGetCalledValue(value)) && is_apart(LLVMGetCalledValue(value));
    case LLVMPHI:
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
    case LLVMVAArg:
        return false;
    default:
        return !LLVMIsATerminatorInst(value);
    }
}

static void push(LLVMValueRef **list, size_t *count, size_t *capacity, LLVMValueRef value) {
    *list = memory_grown(*list, *count, capacity, sizeof **list);
    (*list)[(*count)++] = value;
}

static bool is_last(const struct run *run, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        if (map_get(&run->waiting, LLVMGetUser(use))) {
            return false;
        }
    }
    return true;
}

// The value if it is in the run and not placed yet; else NULL.
static LLVMValueRef waiting(const struct run *run, LLVMValueRef value) {
    return map_get(&run->waiting, value);
}

// Places the operands of `last`, then `last` itself, ahead of `before`.
static void place(struct run *run, LLVMValueRef last, LLVMValueRef before) {
    push(&run->stack, &run->depth, &run->stack_capacity, last);
    while (run->depth > 0) {
        LLVMValueRef value = run->stack[run->depth - 1], first = NULL;
        for (int i = 0; i < LLVMGetNumOperands(value) && waiting(run, value) && !first; i++) {
            first = waiting(run, LLVMGetOperand(value, (unsigned)i));
        }
        if (first) {
            push(&run->stack, &run->depth, &run->stack_capacity, first);
            continue;
        }
        run->depth--;
        if (waiting(run, value)) {
            LLVMInstructionRemoveFromParent(value);
            LLVMPositionBuilderBefore(run->builder, before);
            LLVMInsertIntoBuilder(run->builder, value);
            map_put(&run->waiting, value, NULL);
            run->placed++;
        }
    }
}

// Puts a fence ahead of `before`: scheduling and its register pressure concern the instructions between two
// fences.
static void cut(struct run *run, LLVMValueRef before) {
    static const char name[] = "llvm.amdgcn.sched.barrier";
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before)));
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef nothing_passes = LLVMConstInt(LLVMInt32TypeInContext(context), 0, 0);
    LLVMPositionBuilderBefore(run->builder, before);
    LLVMBuildCall2(run->builder, LLVMIntrinsicGetType(context, id, NULL, 0),
                   LLVMGetIntrinsicDeclaration(module, id, NULL, 0), &nothing_passes, 1, "");
    run->placed = 0;
}

// `before` follows the run.
static void order_run(struct run *run, LLVMValueRef before) {
    if (run->count >= LONG_RUN) {
        map_clear(&run->waiting);
        for (size_t i = 0; i < run->count; i++) {
            map_put(&run->waiting, run->values[i], run->values[i]);
        }
        size_t last = 0;
        for (size_t i = 0; i < run->count; i++) { // before any value moves: in original order
            if (is_last(run, run->values[i])) {
                run->values[last++] = run->values[i];
            }
        }
        run->placed = 0;
        for (size_t i = 0; i < last; i++) {
            place(run, run->values[i], before);
            if (run->placed >= PIECE) {
                cut(run, before);
            }
        }
    }
    run->count = 0;
}

void order_long_runs(LLVMModuleRef module) {
    struct run run = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                if (is_arithmetic(i)) {
                    push(&run.values, &run.count, &run.capacity, i);
                } else if (LLVMGetInstructionOpcode(i) != LLVMPHI) {
                    order_run(&run, i);
                }
            }
        }
    }
    LLVMDisposeBuilder(run.builder);
    free(run.values);
    free(run.stack);
    map_free(&run.waiting);
}
