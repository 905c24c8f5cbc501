// Negations of 16-bit integers, between the module and LLVM's back end (NVIDIA).
//
//   %n = sub i16 0, %x                     →        %n = assembly: widen, neg.s32, cut off
//   %a = call i16 @llvm.abs.i16(i16 %x)    →        %a = assembly: widen, abs.s32, cut off
//
// ptxas 12.9 and 13.0 take the result of neg.s16, abs.s16 and sub.s16 from 0 as sign-extended: they leave out the cvt.s32.s16 behind it,
// and -(-32768) becomes 32768 in 32 bits. Sums, products and other differences of 16 bits are extended. A widened negation in LLVM's
// IR does not help: instruction selection makes the 16-bit one of it.
//
// test: tests/unit/test_negations.c
#include "codegen/negations.h"

#include <stdbool.h>
#include <string.h>

// Not rows of asm.def: those are what the emulator runs, one instruction each, and it runs modules as they are before this step.
static const char negation[] = "{ .reg .b32 w; cvt.u32.u16 w, $1; neg.s32 w, w; cvt.u16.u32 $0, w; }";
static const char absolute[] = "{ .reg .b32 w; cvt.s32.s16 w, $1; abs.s32 w, w; cvt.u16.u32 $0, w; }";

static bool is_short(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 16;
}

static bool is_call_of_abs(LLVMValueRef value) {
    size_t length;
    LLVMValueRef called = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return called && !strcmp(LLVMGetValueName2(called, &length), "llvm.abs.i16");
}

static bool is_negation(LLVMValueRef value) {
    return LLVMGetInstructionOpcode(value) == LLVMSub && is_short(value) &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 0)) && LLVMIsNull(LLVMGetOperand(value, 0));
}

static void write_as(LLVMBuilderRef b, LLVMValueRef instruction, LLVMValueRef operand, const char *text) {
    static const char constraints[] = "=h,h";
    LLVMTypeRef i16 = LLVMTypeOf(instruction), type = LLVMFunctionType(i16, &i16, 1, 0);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), false,
                                         false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(b, instruction);
    LLVMReplaceAllUsesWith(instruction, LLVMBuildCall2(b, type, code, &operand, 1, ""));
    LLVMInstructionEraseFromParent(instruction);
}

void negations_keep_width(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_negation(i)) {
                    write_as(b, i, LLVMGetOperand(i, 1), negation);
                } else if (is_call_of_abs(i)) {
                    write_as(b, i, LLVMGetOperand(i, 0), absolute);
                }
            }
        }
    }
    LLVMDisposeBuilder(b);
}
