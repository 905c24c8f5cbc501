// CDNA's matrix instructions, between the module and LLVM's back end.
//
// Sums. A wave of a block of at most four waves has 512 registers; arithmetic reaches 256 of them. LLVM then
// keeps the accumulators of matrix instructions in the other half, the AGPRs, and all arithmetic on them
// moves them there and back: attention's main loop becomes a third longer. If the kernel asks for room for
// two waves, LLVM has only the near half. The code uses it if nothing spills.
//
// Operands. A result of more than 4 registers is written while A and B are still read, and must not overlap
// them. LLVM 19 loses this constraint for a constant C: SIFoldOperands replaces the instruction, with C in
// the result's register, by one with a constant operand but without its early clobber. So A and B get a later
// reader: an empty assembly text returns the result.
//
//   %s = mfma(%a, %b, 0)    →    %r = mfma(%a, %b, 0)
//                                %s = asm "", "=v,0,v,v"(%r, %a, %b)
//
// test: tests/unit/test_mfma_code.c
#include "codegen/mfma.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_THREADS = 256 }; // of a block: more have no far half

static bool is_mfma(LLVMValueRef function) {
    static const char start[] = "llvm.amdgcn.mfma.";
    size_t length;
    return function && strncmp(LLVMGetValueName2(function, &length), start, sizeof start - 1) == 0;
}

bool mfma_used(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (is_mfma(f)) {
            return true;
        }
    }
    return false;
}

static unsigned threads_of(LLVMValueRef kernel) {
    static const char name[] = "amdgpu-flat-work-group-size";
    unsigned length;
    LLVMAttributeRef range =
        LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    return range ? (unsigned)strtoul(LLVMGetStringAttributeValue(range, &length), NULL, 10) : 0;
}

bool mfma_has_far(LLVMModuleRef module) {
    bool far = mfma_used(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && far; f = LLVMGetNextFunction(f)) {
        far = LLVMIsDeclaration(f) || threads_of(f) <= NEAR_THREADS;
    }
    return far;
}

static bool overlaps_nothing(LLVMTypeRef result) {
    LLVMTypeRef element = LLVMGetElementType(result);
    unsigned words = LLVMGetTypeKind(element) == LLVMDoubleTypeKind ? 2 : 1;
    return LLVMGetVectorSize(result) * words > 4;
}

static void hold_operands(LLVMBuilderRef builder, LLVMValueRef product, bool near) {
    LLVMTypeRef result = LLVMTypeOf(product);
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1),
                 c = LLVMGetOperand(product, 2);
    if (!LLVMIsConstant(c) || LLVMGetTypeKind(result) != LLVMVectorTypeKind || !overlaps_nothing(result)) {
        return;
    }
    char constraints[] = "=v,0,v,v";
    constraints[1] = near ? 'v' : 'a';
    LLVMTypeRef type = LLVMFunctionType(result, (LLVMTypeRef[]){result, LLVMTypeOf(a), LLVMTypeOf(b)}, 3, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, false, false,
                                            LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(product));
    LLVMValueRef held = LLVMBuildCall2(builder, type, nothing, (LLVMValueRef[]){product, a, b}, 3, "");
    LLVMReplaceAllUsesWith(product, held);
    LLVMSetOperand(held, 0, product);
}

static const char near_name[] = "amdgpu-waves-per-eu";

void mfma_keep_near(LLVMModuleRef module) {
    LLVMAttributeRef two_waves =
        LLVMCreateStringAttribute(LLVMGetModuleContext(module), near_name, sizeof near_name - 1, "2", 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, two_waves);
        }
    }
}

static bool is_near(LLVMValueRef f) {
    return threads_of(f) > NEAR_THREADS ||
           LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, near_name, sizeof near_name - 1);
}

void mfma_hold_operands(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        bool near = is_near(f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsACallInst(i) && is_mfma(LLVMIsAFunction(LLVMGetCalledValue(i)))) {
                    hold_operands(builder, i, near);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
