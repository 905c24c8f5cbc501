// NVIDIA: two neighbouring 4-bit numbers of a word become a pair of 16-bit numbers in three instructions.
//
//   %a = lshr i32 %q, %s                  %s: 0, 8, 16 or 24        %y = prmt %q, 0, 0x4440 + %s / 8     the byte
//   %b = lshr i32 %q, %s + 4                                   →    %z = mul i32 %y, 0x1001              y | y << 12
//   %p = and <2 x i16> <trunc %a, trunc %b>, 15                     %p = bitcast (and i32 %z, 0x000f000f)
//
// Dequantised products unpack their weights so, and the unpacking takes most of their instructions: two shifts,
// a permutation of bytes and a mask a pair before, all of them in the pipe that does one such instruction every
// other cycle; the multiplication has a pipe of its own.
//
// Requires: nothing. Test: tests/golden/codegen/nibbles
#include "codegen/nibbles.h"

#include <stdbool.h>
#include <stddef.h>

enum { BYTE = 8, NIBBLE = 4, LAST_BYTE = 24, NIBBLE_MASK = 15 };

static bool is_op(LLVMValueRef value, LLVMOpcode opcode) {
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_number(LLVMValueRef value, unsigned long long number) {
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

// The element of an insertion into a pair at `index`; NULL if it is something else.
static LLVMValueRef element_at(LLVMValueRef insert, unsigned index) {
    return LLVMIsAInsertElementInst(insert) && is_number(LLVMGetOperand(insert, 2), index)
               ? LLVMGetOperand(insert, 1)
               : NULL;
}

// The shift of a word to the right whose low half the element is; NULL if it is something else.
static LLVMValueRef shift_of(LLVMValueRef element) {
    LLVMValueRef shift = element && LLVMIsATruncInst(element) ? LLVMGetOperand(element, 0) : NULL;
    bool is = shift && (is_op(shift, LLVMLShr) || is_op(shift, LLVMAShr)) &&
              LLVMGetIntTypeWidth(LLVMTypeOf(shift)) == 32;
    return is ? shift : NULL;
}

// True if the number is 0, 8, 16 or 24.
static bool is_byte_place(LLVMValueRef value) {
    LLVMValueRef mask = is_op(value, LLVMAnd) ? LLVMGetOperand(value, 1) : value;
    if (!LLVMIsAConstantInt(mask)) {
        return false;
    }
    unsigned long long number = LLVMConstIntGetZExtValue(mask);
    return number % BYTE == 0 && number <= LAST_BYTE;
}

static bool is_nibble_above(LLVMValueRef high, LLVMValueRef low) {
    if (LLVMIsAConstantInt(high) && LLVMIsAConstantInt(low)) {
        return LLVMConstIntGetZExtValue(high) == LLVMConstIntGetZExtValue(low) + NIBBLE;
    }
    return (is_op(high, LLVMOr) || is_op(high, LLVMAdd)) && LLVMGetOperand(high, 0) == low &&
           is_number(LLVMGetOperand(high, 1), NIBBLE);
}

// True if both elements of the mask are 15.
static bool is_mask(LLVMValueRef mask) {
    for (unsigned i = 0; LLVMIsConstant(mask) && i < 2; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(mask, i);
        if (!element || !is_number(element, NIBBLE_MASK)) {
            return false;
        }
    }
    return LLVMIsConstant(mask);
}

// The shift of the pair's first element, if the pair is two neighbouring 4-bit numbers of a byte; else NULL.
static LLVMValueRef first_shift(LLVMValueRef pair) {
    LLVMTypeRef type = LLVMTypeOf(pair);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) != 2 ||
        !is_mask(LLVMGetOperand(pair, 1))) {
        return NULL;
    }
    LLVMValueRef second = LLVMGetOperand(pair, 0), high = shift_of(element_at(second, 1));
    LLVMValueRef low = high ? shift_of(element_at(LLVMGetOperand(second, 0), 0)) : NULL;
    bool is = low && LLVMGetOperand(low, 0) == LLVMGetOperand(high, 0) &&
              is_byte_place(LLVMGetOperand(low, 1)) &&
              is_nibble_above(LLVMGetOperand(high, 1), LLVMGetOperand(low, 1));
    return is ? low : NULL;
}

static LLVMValueRef permute(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef word, LLVMValueRef bytes) {
    static const char name[] = "llvm.nvvm.prmt";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, NULL, 0);
    LLVMValueRef arguments[] = {word, LLVMConstInt(LLVMTypeOf(word), 0, 0), bytes};
    return LLVMBuildCall2(b, type, LLVMGetIntrinsicDeclaration(module, id, NULL, 0), arguments, 3, "");
}

static void take_byte(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair, LLVMValueRef shift) {
    enum { FIRST_BYTE_ALONE = 0x4440, NIBBLES_APART = 0x1001, NIBBLES = 0x000f000f };
    LLVMValueRef word = LLVMGetOperand(shift, 0), place = LLVMGetOperand(shift, 1);
    LLVMTypeRef i32 = LLVMTypeOf(word);
    if (LLVMIsAInstruction(place)) { // beside the place: once for all words
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(place));
    } else {
        LLVMPositionBuilderBefore(b, pair);
    }
    LLVMValueRef byte = LLVMBuildLShr(b, place, LLVMConstInt(i32, 3, 0), "");
    byte = LLVMBuildOr(b, byte, LLVMConstInt(i32, FIRST_BYTE_ALONE, 0), "");
    LLVMPositionBuilderBefore(b, pair);
    LLVMValueRef both = permute(module, b, word, byte);
    both = LLVMBuildMul(b, both, LLVMConstInt(i32, NIBBLES_APART, 0), "");
    both = LLVMBuildAnd(b, both, LLVMConstInt(i32, NIBBLES, 0), "");
    LLVMReplaceAllUsesWith(pair, LLVMBuildBitCast(b, both, LLVMTypeOf(pair), ""));
}

// Erases an instruction without users, and its operands that lose their last one.
static void erase_dead(LLVMValueRef instruction) {
    LLVMValueRef operands[3];
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count && i < 3; i++) {
        operands[i] = LLVMGetOperand(instruction, i);
    }
    LLVMInstructionEraseFromParent(instruction);
    for (unsigned i = 0; i < count && i < 3; i++) {
        bool dead = (LLVMIsAInsertElementInst(operands[i]) || LLVMIsATruncInst(operands[i]) ||
                     is_op(operands[i], LLVMLShr) || is_op(operands[i], LLVMAShr)) &&
                    !LLVMGetFirstUse(operands[i]);
        if (dead) {
            erase_dead(operands[i]);
        }
    }
}

void nibbles_take_bytes(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMValueRef shift = is_op(i, LLVMAnd) ? first_shift(i) : NULL;
                if (shift) {
                    take_byte(module, builder, i, shift);
                    erase_dead(i);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
