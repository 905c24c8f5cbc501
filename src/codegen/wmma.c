// RDNA's matrix instructions, between the module and LLVM's back end.
//
// All lanes of a wave take part in one. LLVM 19 marks the intrinsic and CDNA's instructions as convergent,
// but not RDNA's V_WMMA…: MachineSink moves one, with the packing of its operands, to the only use of its
// result, behind a branch to the lanes that store it, and the other lanes' parts of A and B are missing. So a
// result without a further product in its block passes through an assembly text without an instruction: it is
// convergent and stays, and with it the products before it.
//
//   %s = wmma(%a, %b, %c)    →    %r = wmma(%a, %b, %c)
//                                 %s = asm convergent "", "=v,0"(%r)
//
// test: tests/unit/test_wmma_code.c
#include "codegen/wmma.h"

#include <string.h>

bool is_wmma(LLVMValueRef value) {
    static const char start[] = "llvm.amdgcn.wmma.";
    size_t length;
    LLVMValueRef function = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return function && strncmp(LLVMGetValueName2(function, &length), start, sizeof start - 1) == 0;
}

static bool product_follows(LLVMValueRef product) {
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_wmma(user) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(product)) {
            return true;
        }
    }
    return false;
}

static void keep(LLVMBuilderRef builder, LLVMValueRef product) {
    static const char constraints[] = "=v,0", name[] = "convergent";
    LLVMTypeRef result = LLVMTypeOf(product), type = LLVMFunctionType(result, &result, 1, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, false, false,
                                            LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(product));
    LLVMValueRef kept = LLVMBuildCall2(builder, type, nothing, &product, 1, "");
    LLVMAttributeRef convergent = LLVMCreateEnumAttribute(
        LLVMGetTypeContext(result), LLVMGetEnumAttributeKindForName(name, sizeof name - 1), 0);
    LLVMAddCallSiteAttribute(kept, LLVMAttributeFunctionIndex, convergent);
    LLVMReplaceAllUsesWith(product, kept);
    LLVMSetOperand(kept, 0, product);
}

void wmma_keep_in_place(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_wmma(i) && !product_follows(i)) {
                    keep(builder, i);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
