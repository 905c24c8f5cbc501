// Signs of zeros, between the module and LLVM's back end (AMD).
//
//   %d = fsub float 0.0, %x                →        %zero = a register with 0, by an empty assembly text
//   %r = fmul float %d, %y                          %d = fsub float %zero, %x
//                                                   %r = fmul float %d, %y
//
//   %p = fmul float %x, %y                 →        %p = fma(%x, %y, -0.0)
//   %h = fptrunc float %p to half                   %h = fptrunc float %p to half
//
// 64-bit encodings negate operands at no cost, and LLVM 19's selection uses this for 0 - x (SelectVOP3Mods).
// For x = 0 it gives -0, but the difference is 0, and 1 / (0 - x) becomes the other infinity. If no use sees
// the sign of a zero, as in exponents and comparisons, the selection is fine. x · -1 + 0 is such a
// difference, too. And a product converted to f16 is selected as an instruction that adds 0
// (v_fma_mixlo_f16), so -0 becomes 0.
//
// test: tests/unit/test_zeros.c, tests/lang/arithmetic.tk
#include "codegen/zeros.h"

#include <stdbool.h>
#include <string.h>

#include "chip/asm.h"

static bool is_call_of(LLVMValueRef value, const char *prefix) {
    size_t length;
    LLVMValueRef called = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return called && !strncmp(LLVMGetValueName2(called, &length), prefix, strlen(prefix));
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
            seen = !is_call_of(user, "llvm.amdgcn.exp2.") && !is_call_of(user, "llvm.exp2.");
            break;
        default:
            seen = true;
        }
    }
    return seen;
}

static bool is_constant(LLVMValueRef value, double number) {
    LLVMBool inexact;
    return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &inexact) == number;
}

static bool is_zero(LLVMValueRef value) { // not -0
    return LLVMIsAConstantFP(value) && LLVMIsNull(value);
}

// The index of the operand 0 in a difference from 0; -1: the value is no such difference.
static int zero_of(LLVMValueRef value) {
    if (LLVMGetInstructionOpcode(value) == LLVMFSub) {
        return is_zero(LLVMGetOperand(value, 0)) ? 0 : -1;
    }
    bool negates = is_call_of(value, "llvm.fma.") &&
                   (is_constant(LLVMGetOperand(value, 0), -1) || is_constant(LLVMGetOperand(value, 1), -1));
    return negates && is_zero(LLVMGetOperand(value, 2)) ? 2 : -1;
}

// Builds 0 in a scalar register, behind the allocas at the function's start.
static LLVMValueRef register_of_zero(LLVMBuilderRef b, LLVMValueRef function) {
    const struct asm_row *row = &asm_table[ASM_AMD_UNKNOWN_SCALAR];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMTypeRef type = LLVMFunctionType(i32, &i32, 1, 0);
    LLVMValueRef zero = LLVMConstNull(i32), start = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, row->text, strlen(row->text), row->constraints, strlen(row->constraints),
                         false, false, LLVMInlineAsmDialectATT, false);
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

// Rewrites a product rounded to f16 as a multiply-add of -0: this keeps the sign of its zeros.
static void keep_product(LLVMBuilderRef b, LLVMValueRef rounding) {
    static const char name[] = "llvm.fma";
    LLVMValueRef product = LLVMGetOperand(rounding, 0);
    LLVMTypeRef type = LLVMTypeOf(product);
    if (!LLVMIsAInstruction(product) || LLVMGetInstructionOpcode(product) != LLVMFMul ||
        LLVMGetTypeKind(type) != LLVMFloatTypeKind) {
        return;
    }
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(rounding)));
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef arguments[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1),
                                LLVMConstReal(type, -0.0)};
    LLVMPositionBuilderBefore(b, rounding);
    LLVMTypeRef function = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, &type, 1);
    LLVMValueRef sum =
        LLVMBuildCall2(b, function, LLVMGetIntrinsicDeclaration(module, id, &type, 1), arguments, 3, "");
    LLVMSetOperand(rounding, 0, sum);
    if (!LLVMGetFirstUse(product)) {
        LLVMInstructionEraseFromParent(product);
    }
}

void zeros_keep_signs(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef zero = NULL;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                int at = zero_of(i);
                if (at >= 0 && sign_is_seen(i, 0)) {
                    zero = zero ? zero : register_of_zero(b, f);
                    LLVMPositionBuilderBefore(b, i);
                    LLVMSetOperand(i, (unsigned)at, as_float(b, zero, LLVMTypeOf(i)));
                } else if (LLVMGetInstructionOpcode(i) == LLVMFPTrunc) {
                    keep_product(b, i);
                }
            }
        }
    }
    LLVMDisposeBuilder(b);
}
