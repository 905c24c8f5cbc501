// Negations of 8- and 16-bit integers, between the module and LLVM's back end (NVIDIA).
//
//   %n = sub i16 0, %x                     →        %n = assembly: widen, neg.s32, cut off
//   %m = mul i16 %x, -256                  →        %m = the same of shl i16 %x, 8
//   %a = call i16 @llvm.abs.i16(i16 %x)    →        %a = assembly: widen, abs.s32, cut off
//
// ptxas 12.9 and 13.0 take the result of neg.s16, abs.s16 and sub.s16 from 0 as sign-extended: they leave out the cvt.s32.s16 behind it,
// and -(-32768) becomes 32768 in 32 bits. Sums, products and other differences of 16 bits are extended. A widened negation in LLVM's
// IR does not help: instruction selection makes the 16-bit one of it, and of products by -2, -4, …. 8-bit negations become 16-bit ones.
// |x| of 8 bits does not reach 32768.
//
// test: tests/unit/test_negations.c
#include "codegen/negations.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Not rows of asm.def: those are what the emulator runs, one instruction each, and it runs modules as they are before this step.
static const char negation[] = "{ .reg .b32 w; cvt.u32.u16 w, $1; neg.s32 w, w; cvt.u16.u32 $0, w; }";
static const char absolute[] = "{ .reg .b32 w; cvt.s32.s16 w, $1; abs.s32 w, w; cvt.u16.u32 $0, w; }";

static unsigned width(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_call_of_abs(LLVMValueRef value) {
    size_t length;
    LLVMValueRef called = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return called && !strcmp(LLVMGetValueName2(called, &length), "llvm.abs.i16");
}

// The factor if it is 0 - 2^shift: -1 is 0 - 2^0.
static bool is_negated_power(LLVMValueRef factor, unsigned *shift) {
    if (!LLVMIsAConstantInt(factor)) {
        return false;
    }
    uint64_t power = 0 - (uint64_t)LLVMConstIntGetSExtValue(factor);
    *shift = power ? (unsigned)__builtin_ctzll(power) : 0;
    return power && power >> *shift == 1;
}

// 0 - (operand << shift), of 8 or 16 bits.
static bool is_negation(LLVMValueRef value, LLVMValueRef *operand, unsigned *shift) {
    if (width(value) != 8 && width(value) != 16) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMSub:
        *shift = 0;
        *operand = LLVMGetOperand(value, 1);
        return LLVMIsAConstantInt(LLVMGetOperand(value, 0)) && LLVMIsNull(LLVMGetOperand(value, 0));
    case LLVMMul:
        *operand = LLVMGetOperand(value, 0);
        return is_negated_power(LLVMGetOperand(value, 1), shift);
    default:
        return false;
    }
}

static void write_as(LLVMBuilderRef b, LLVMValueRef instruction, LLVMValueRef operand, const char *text) {
    static const char constraints[] = "=h,h";
    LLVMTypeRef narrow = LLVMTypeOf(instruction), i16 = LLVMInt16TypeInContext(LLVMGetTypeContext(narrow)),
                type = LLVMFunctionType(i16, &i16, 1, 0);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), false,
                                         false, LLVMInlineAsmDialectATT, false);
    operand = LLVMBuildZExtOrBitCast(b, operand, i16, "");
    LLVMValueRef result = LLVMBuildCall2(b, type, code, &operand, 1, "");
    LLVMReplaceAllUsesWith(instruction, LLVMBuildTruncOrBitCast(b, result, narrow, ""));
    LLVMInstructionEraseFromParent(instruction);
}

static void visit(LLVMBuilderRef b, LLVMValueRef instruction) {
    LLVMValueRef operand;
    unsigned shift;
    LLVMPositionBuilderBefore(b, instruction);
    if (is_negation(instruction, &operand, &shift)) {
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(operand), shift, false);
        write_as(b, instruction, shift ? LLVMBuildShl(b, operand, by, "") : operand, negation);
    } else if (is_call_of_abs(instruction)) {
        write_as(b, instruction, LLVMGetOperand(instruction, 0), absolute);
    }
}

void negations_keep_width(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(b, i);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
