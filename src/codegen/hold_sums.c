// Sums over many blocks are computed at their place (AMD).
//
//   block 1:  %s = fma(%x, %w, %r)                block 1:  %s = fma(%x, %w, %r) convergent
//   block 2:  %t = fma(%y, %v, %s)         →      block 2:  %t = fma(%y, %v, %s) convergent
//   block 3:  store %t                            block 3:  store %t
//
// LLVM's back end sinks a value into the block of its only use. A chain of sums then sinks as a whole into the block
// of the last one, and the products of all blocks wait for it in registers. The steps of tl.static_range are such
// blocks if each has a masked load: 32 steps of 16 sums took 664 registers instead of 197, and the register allocator
// 40 s. LLVM leaves convergent calls in their blocks; instruction selection ignores the attribute of llvm.fma.
//
// Functions with few such sums stay as they are: LLVM's places cost them nothing.
//
// test: tests/unit/test_hold_sums.c
#include "codegen/hold_sums.h"

#include <stdbool.h>
#include <stddef.h>

// True if all uses of the value are in other blocks. A phi uses it at the end of a block before its own.
static bool leaves_its_block(LLVMValueRef value) {
    bool leaves = LLVMGetFirstUse(value) != NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && leaves; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        leaves = !LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value);
    }
    return leaves;
}

static bool is_sum(LLVMValueRef instruction) {
    static const char name[] = "llvm.fma";
    LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    return called && LLVMIsAFunction(called) &&
           LLVMGetIntrinsicID(called) == LLVMLookupIntrinsicID(name, sizeof name - 1);
}

// Holds the function's sums with uses in other blocks, or counts them only.
static unsigned hold(LLVMValueRef function, bool counts_only) {
    static const char name[] = "convergent";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1), count = 0;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAttributeRef convergent = LLVMCreateEnumAttribute(context, kind, 0);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!is_sum(i) || !leaves_its_block(i)) {
                continue;
            }
            count++;
            if (!counts_only) {
                LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, convergent);
            }
        }
    }
    return count;
}

void hold_sums(LLVMModuleRef module) {
    enum { MANY = 128 };
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (hold(f, true) >= MANY) {
            hold(f, false);
        }
    }
}
