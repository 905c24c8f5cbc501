// Results of matrix instructions ahead of branches, between the module and LLVM's back end (AMD).
//
//   block:                                block:
//     %d = mfma(…)                          %d = mfma(…)
//     br %c, label %side, label %join  →    sched.barrier, s.nop, s.nop
//                                           br %c, label %side, label %join
//   side: …     br label %join            side: …     br label %join
//   join: … %d …                          join: … %d …
//
// Reason: arithmetic that reads a result of MFMA too early gets another number; up to 20 wait states have to lie between, and LLVM's hazard
// recognizer inserts what is missing. It looks for the MFMA through all blocks ahead (getWaitStatesSince, in LLVM 19 and 22), but visits
// each once: if it comes to the MFMA's block through the side first, it counts the side's instructions, and never the way past it.
// (gfx950: four wait states for seven.) A loop with one block is no such branch: its other side comes back to it.
//
// The wait is as long as the longest that a result of its size may take; on the long side it is lost. MFMA of a block ahead of the one with
// the branch is left to LLVM: where that block is so short that the count goes wrong is not known here, and waits in all such places
// would be many (18 in the gradients of attention, for none).
//
// test: tests/golden/codegen/fork_waits
#include "codegen/fork_waits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "support/map.h"

enum {
    LONGEST_NOP = 15,
    SMALL_RESULT = 4,
    BARRIER_FOR_ALL = 0
}; // s_nop n is n + 1 wait states; results in words

static bool is_call_of(LLVMValueRef instruction, const char *start) {
    LLVMValueRef function = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    size_t length;
    return function && LLVMIsAFunction(function) &&
           strncmp(LLVMGetValueName2(function, &length), start, strlen(start)) == 0;
}

// The most words that a lane has of a result in the block: 4 of 16 rows and columns, 16 of 32 (0: no MFMA), twice as many of f64. Instructions between the MFMA and
// the branch do not shorten the wait: LLVM may still move them.
static unsigned largest_result(LLVMBasicBlockRef block) {
    unsigned largest = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_call_of(i, "llvm.amdgcn.mfma.") || is_call_of(i, "llvm.amdgcn.smfmac.")) {
            LLVMTypeRef type = LLVMTypeOf(i);
            bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
            LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
            unsigned words = LLVMGetTypeKind(element) == LLVMDoubleTypeKind ? 2 : 1;
            words *= vector ? LLVMGetVectorSize(type) : 1;
            largest = words > largest ? words : largest;
        }
    }
    return largest;
}

struct marks {
    struct map sides, depths; // of blocks; depths plus one
};

// Marks blocks from `block` on, up to `end`, with the side. True if another side's mark stands at one of them. A block has an instruction at
// least, so sides of DEEPEST blocks wait long enough.
static bool meets(LLVMBasicBlockRef block, LLVMBasicBlockRef end, void *side, struct marks *marks,
                  uintptr_t depth) {
    enum { DEEPEST = 20 };
    if (block == end || depth == DEEPEST) {
        return false;
    }
    void *known = map_get(&marks->sides, block);
    if (known && known != side) {
        return true;
    }
    if (known && (uintptr_t)map_get(&marks->depths, block) <= depth + 1) {
        return false;
    }
    map_put(&marks->sides, block, side);
    map_put(&marks->depths, block, (void *)(depth + 1));
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
        if (meets(LLVMGetSuccessor(last, i), end, side, marks, depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool sides_meet(LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    struct marks marks = {0};
    bool met = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last) && !met; i++) {
        LLVMBasicBlockRef side = LLVMGetSuccessor(last, i);
        met = meets(side, block, side, &marks, 0);
    }
    map_free(&marks.sides);
    map_free(&marks.depths);
    return met;
}

static void call(LLVMBuilderRef b, LLVMModuleRef module, const char *name, LLVMTypeRef type,
                 unsigned argument) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef function =
        LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)), &type, 1, false);
    LLVMValueRef value = LLVMConstInt(type, argument, false);
    LLVMBuildCall2(b, function, LLVMGetIntrinsicDeclaration(module, id, NULL, 0), &value, 1, "");
}

static void wait_ahead(LLVMBuilderRef b, LLVMModuleRef module, LLVMBasicBlockRef block, unsigned size) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block));
    call(b, module, "llvm.amdgcn.sched.barrier", LLVMInt32TypeInContext(context), BARRIER_FOR_ALL);
    for (unsigned nops = size > SMALL_RESULT ? 2 : 1; nops > 0; nops--) {
        call(b, module, "llvm.amdgcn.s.nop", LLVMInt16TypeInContext(context), LONGEST_NOP);
    }
}

void fork_waits_add(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            bool forks = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) > 1;
            unsigned size = forks ? largest_result(block) : 0;
            if (size && sides_meet(block)) {
                wait_ahead(b, module, block, size);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
