// Differences from 0, between the module and LLVM's back end (AMD).
//
//   %d = fsub float 0.0, %x            →            %zero = a register with 0, by an empty assembly text
//   %r = fmul float %d, %y                          %d = fsub float %zero, %x
//                                                   %r = fmul float %d, %y
//
// Instructions of 64 bits negate their operands for nothing, and LLVM 19's selection gives them x for 0 - x (SelectVOP3Mods). Of
// x = 0 that is -0 where the difference is 0, and 1 / (0 - x) is the other infinity. Where no zero's sign is seen, as in
// exponents and comparisons, it may do so.
//
// test: tests/unit/test_zeros.c, tests/lang/arithmetic.tk
#include "codegen/zeros.h"

#include <stdbool.h>
#include <string.h>

static bool is_exponential(LLVMValueRef call) {
    static const char *const names[] = {"llvm.amdgcn.exp2.", "llvm.exp2."};
    size_t length;
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    return !strncmp(name, names[0], strlen(names[0])) || !strncmp(name, names[1], strlen(names[1]));
}

static bool sign_is_seen(LLVMValueRef value, int depth) {
    enum { DEEPEST = 4 };
    bool seen = depth == DEEPEST;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && !seen; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMFCmp:
            break;
        case LLVMFMul:
            seen = sign_is_seen(user, depth + 1);
            break;
        case LLVMCall:
            seen = !is_exponential(user);
            break;
        default:
            seen = true;
        }
    }
    return seen;
}

static bool is_difference_from_zero(LLVMValueRef value) {
    if (LLVMGetInstructionOpcode(value) != LLVMFSub) {
        return false;
    }
    LLVMValueRef first = LLVMGetOperand(value, 0);
    return LLVMIsConstant(first) && LLVMIsNull(first) &&
           LLVMGetTypeKind(LLVMTypeOf(first)) != LLVMVectorTypeKind;
}

// 0 in a scalar register, behind what begins the function.
static LLVMValueRef register_of_zero(LLVMBuilderRef b, LLVMValueRef function) {
    static const char same[] = "=s,0";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMTypeRef type = LLVMFunctionType(i32, &i32, 1, 0);
    LLVMValueRef zero = LLVMConstNull(i32), start = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, same, sizeof same - 1, false, false, LLVMInlineAsmDialectATT, false);
    while (LLVMIsAAllocaInst(start)) {
        start = LLVMGetNextInstruction(start);
    }
    LLVMPositionBuilderBefore(b, start);
    return LLVMBuildCall2(b, type, nothing, &zero, 1, "");
}

static LLVMValueRef as_float(LLVMBuilderRef b, LLVMValueRef zero, LLVMTypeRef type) {
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMTypeRef bits = kind == LLVMDoubleTypeKind  ? LLVMInt64TypeInContext(context)
                       : kind == LLVMFloatTypeKind ? LLVMInt32TypeInContext(context)
                                                   : LLVMInt16TypeInContext(context);
    return LLVMBuildBitCast(b, LLVMBuildIntCast2(b, zero, bits, false, ""), type, "");
}

void zeros_keep_signs(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef zero = NULL;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                if (is_difference_from_zero(i) && sign_is_seen(i, 0)) {
                    zero = zero ? zero : register_of_zero(b, f);
                    LLVMPositionBuilderBefore(b, i);
                    LLVMSetOperand(i, 0, as_float(b, zero, LLVMTypeOf(i)));
                }
            }
        }
    }
    LLVMDisposeBuilder(b);
}
