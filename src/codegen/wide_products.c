// Products of 32 bits with both halves needed, between the module and LLVM's back end (NVIDIA).
//
//   %a = zext i32 %x to i64                          %w = assembly: mul.wide.u32 of %x and 3528531795
//   %w = mul nuw i64 %a, 3528531795           →      %high = trunc (lshr i64 %w, 32)
//   %high = trunc (lshr i64 %w, 32)                  %low = trunc i64 %w
//   %low = mul i32 %x, -766435501
//
// Random numbers (tl.rand: Philox) are ten rounds of two such products. NVPTX makes mul.hi.u32 and mul.lo.s32 of them, and ptxas an instruction
// of each: IMAD.HI and IMAD, although IMAD.WIDE gives both. In LLVM's IR the product cannot stand once: its low half becomes a product of 32 bits
// again. (H200, dropout behind a softmax or ahead of a norm, rows of 8,192: 0.89 to 0.91 of the time.)
//
// test: tests/unit/test_wide_products.c
#include "codegen/wide_products.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HALF = 32, WHOLE = 64, MOST_USES = 64 };

static bool is_product(LLVMValueRef value, unsigned bits) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMMul &&
           LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

// The number of 32 bits extended by zeros in a product; NULL: the product extends none.
static LLVMValueRef number_of(LLVMValueRef whole) {
    LLVMValueRef factor = LLVMGetOperand(whole, 0);
    bool extended = LLVMIsAInstruction(factor) && LLVMGetInstructionOpcode(factor) == LLVMZExt &&
                    LLVMConstIntGetZExtValue(LLVMGetOperand(whole, 1)) >> HALF == 0;
    LLVMValueRef number = extended ? LLVMGetOperand(factor, 0) : NULL;
    return number && LLVMGetIntTypeWidth(LLVMTypeOf(number)) == HALF ? number : NULL;
}

// The product of 32 bits of that number and the same constant, in the block of `whole`; NULL: there is none among the first uses.
static LLVMValueRef low_of(LLVMValueRef whole, LLVMValueRef number) {
    uint64_t constant = LLVMConstIntGetZExtValue(LLVMGetOperand(whole, 1));
    LLVMUseRef use = LLVMGetFirstUse(number);
    for (int i = 0; use && i < MOST_USES; use = LLVMGetNextUse(use), i++) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_product(user, HALF) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(whole) &&
            LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) == constant) {
            return user;
        }
    }
    return NULL;
}

// Ahead of all possible readers of the number in the block.
static void place_behind(LLVMBuilderRef b, LLVMValueRef number, LLVMBasicBlockRef block) {
    bool here = LLVMIsAInstruction(number) && LLVMGetInstructionParent(number) == block;
    LLVMValueRef place = here ? LLVMGetNextInstruction(number) : LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(place)) {
        place = LLVMGetNextInstruction(place);
    }
    LLVMPositionBuilderBefore(b, place);
}

static void write_wide(LLVMBuilderRef b, LLVMValueRef whole, LLVMValueRef number, LLVMValueRef low) {
    // Not a row of asm.def: the emulator runs modules as they are before this step.
    static const char text[] = "mul.wide.u32 $0, $1, $2;", constraints[] = "=l,r,r";
    LLVMTypeRef half = LLVMTypeOf(low), halves[] = {half, half},
                type = LLVMFunctionType(LLVMTypeOf(whole), halves, 2, 0);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), false,
                                         false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef factors[] = {number, LLVMGetOperand(low, 1)};
    place_behind(b, number, LLVMGetInstructionParent(whole));
    LLVMValueRef wide = LLVMBuildCall2(b, type, code, factors, 2, "");
    LLVMReplaceAllUsesWith(low, LLVMBuildTrunc(b, wide, half, ""));
    LLVMReplaceAllUsesWith(whole, wide);
    LLVMInstructionEraseFromParent(low);
    LLVMInstructionEraseFromParent(whole);
}

// Returns the instruction to go on with.
static LLVMValueRef visit(LLVMBuilderRef b, LLVMValueRef instruction) {
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    LLVMValueRef number = is_product(instruction, WHOLE) ? number_of(instruction) : NULL;
    LLVMValueRef low = number ? low_of(instruction, number) : NULL;
    if (low) {
        next = next == low ? LLVMGetNextInstruction(next) : next;
        write_wide(b, instruction, number, low);
    }
    return next;
}

void wide_products(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;) {
                i = visit(b, i);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
