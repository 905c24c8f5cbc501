// Keeps loads from global memory ahead of the matrix instructions between them and their first use (AMD).
//
// The pipeliner loads the next step's tiles before this step's products and stores them to shared memory
// behind those. LLVM's scheduler sees registers with long live ranges: it moves the loads down to their use,
// and every step waits for memory. A scheduling fence behind the loads keeps them in place.
//
//     %next = load …                      %next = load …
//     %a = load (shared)             →    llvm.amdgcn.sched.barrier(arithmetic may pass)
//     %sum = mfma(%a, …)                  %a = load (shared)
//     store %next (shared)                %sum = mfma(%a, …)
//                                         store %next (shared)
//
// Only arithmetic may pass. The order between two accesses to memory, or between one and an s_barrier (for
// LLVM a scalar instruction), depends on the fence: an instruction allowed to pass would lose it.
//
// Loads ahead take registers. If they spill, the caller emits the code without fences (llvmgen.c).
//
// test: tests/unit/test_ahead.c
#include "codegen/ahead.h"

#include <stdint.h>
#include <string.h>

#include "support/map.h"

enum { SPACE_GLOBAL = 1, VECTOR_MAY_PASS = 0x2, TRANSCENDENTAL_MAY_PASS = 0x400 };

static bool is_call_of(LLVMValueRef instruction, const char *prefix) {
    size_t length;
    if (LLVMGetInstructionOpcode(instruction) != LLVMCall ||
        !LLVMIsAFunction(LLVMGetCalledValue(instruction))) {
        return false;
    }
    return !strncmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &length), prefix, strlen(prefix));
}

static bool is_matrix(LLVMValueRef instruction) {
    return is_call_of(instruction, "llvm.amdgcn.wmma.") || is_call_of(instruction, "llvm.amdgcn.mfma.");
}

static bool is_global_load(LLVMValueRef instruction) {
    return LLVMGetInstructionOpcode(instruction) == LLVMLoad
               ? LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == SPACE_GLOBAL
               : is_call_of(instruction, "llvm.amdgcn.raw.ptr.buffer.load");
}

// Maps each instruction of the block to the number of matrix instructions before it, plus 1.
static void count_matrices(LLVMBasicBlockRef block, struct map *before) {
    uintptr_t count = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        map_put(before, i, (void *)count);
        count += is_matrix(i);
    }
}

// True if a matrix instruction stands between the load and its first use, or the use is in a later iteration.
static bool is_ahead(const struct map *before, LLVMValueRef load) {
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        void *place = LLVMIsAPHINode(user) ? NULL : map_get(before, user);
        if (place && place == map_get(before, load)) {
            return false;
        }
    }
    return true;
}

static void fence_before(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef next, unsigned mask) {
    static const char name[] = "llvm.amdgcn.sched.barrier";
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef fence = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    LLVMValueRef passes = LLVMConstInt(LLVMInt32TypeInContext(context), mask, 0);
    LLVMPositionBuilderBefore(builder, next);
    LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, NULL, 0), fence, &passes, 1, "");
}

static bool uses_any(LLVMValueRef instruction, const struct map *loads) {
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        if (map_has(loads, LLVMGetOperand(instruction, (unsigned)i))) {
            return true;
        }
    }
    return false;
}

static bool keep_in_block(LLVMBuilderRef builder, LLVMModuleRef module, LLVMBasicBlockRef block) {
    struct map before = {0}, loads = {0};
    LLVMValueRef last = NULL;
    bool any = false;
    count_matrices(block, &before);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (loads.count && uses_any(i, &loads)) {
            fence_before(builder, module, i, TRANSCENDENTAL_MAY_PASS);
            map_clear(&loads);
        }
        if (is_global_load(i) && is_ahead(&before, i)) {
            last = i;
            map_put(&loads, i, i);
        } else if (is_matrix(i) && last) {
            fence_before(builder, module, LLVMGetNextInstruction(last),
                         VECTOR_MAY_PASS | TRANSCENDENTAL_MAY_PASS);
            last = NULL;
            any = true;
        }
    }
    map_free(&before);
    map_free(&loads);
    return any;
}

bool ahead_keep(LLVMModuleRef module) {
    bool any = false;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            any |= keep_in_block(builder, module, b);
        }
    }
    LLVMDisposeBuilder(builder);
    return any;
}

void ahead_fence_products(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_matrix(i)) {
                    fence_before(builder, module, LLVMGetNextInstruction(i), 0);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
