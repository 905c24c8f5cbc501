// Unsigned 32-bit offsets, between the module and LLVM's back end (gfx1250).
//
//   %o = zext i32 %x to i64                →        %o = zext i32 %x to i64
//   %q = getelementptr i8, %p, i64 %o               %h = assembly without an instruction: %o
//                                                   %q = getelementptr i8, %p, i64 %h
//
// The chip extends a lane's 32-bit offset from a scalar address by its sign (LLVM, hasSignedGVSOffset). LLVM 22 gives it an offset
// extended by zeros all the same: beyond 2^31 bytes the access is 4 GiB too low. Behind an empty assembly text LLVM sees 64 bits, and
// adds them. It takes a cut to 32 bits and an upper half for the same; numbers marked as not negative (nneg) are right either way.
//
// test: tests/golden/codegen/unsigned_offsets
#include "codegen/unsigned_offsets.h"

#include <stdint.h>
#include <string.h>

#include "chip/asm.h"

static bool is_constant(LLVMValueRef value, uint64_t number) {
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

static bool is_long(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

// The value is 32 bits of any number, and zeros above them.
static bool may_be_high(LLVMValueRef value) {
    enum { HALF = 32 };
    if (!is_long(LLVMTypeOf(value))) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt:
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == HALF && !LLVMGetNNeg(value);
    case LLVMAnd:
        return is_constant(LLVMGetOperand(value, 1), UINT32_MAX);
    case LLVMLShr:
        return is_constant(LLVMGetOperand(value, 1), HALF);
    default:
        return false;
    }
}

static bool is_added(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(LLVMGetUser(use));
        if (opcode == LLVMGetElementPtr || opcode == LLVMAdd || opcode == LLVMSub) {
            return true;
        }
    }
    return false;
}

static void hide(LLVMBuilderRef builder, LLVMValueRef value) {
    const struct asm_row *row = &asm_table[ASM_AMD_UNKNOWN];
    LLVMTypeRef wide = LLVMTypeOf(value), type = LLVMFunctionType(wide, &wide, 1, 0);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, row->text, strlen(row->text), row->constraints, strlen(row->constraints),
                         false, false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(value));
    LLVMValueRef hidden = LLVMBuildCall2(builder, type, nothing, &value, 1, "");
    LLVMReplaceAllUsesWith(value, hidden);
    LLVMSetOperand(hidden, 0, value);
}

bool unsigned_offsets_hide(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (may_be_high(i) && is_added(i)) {
                    hide(builder, i);
                    any = true;
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
    return any;
}
