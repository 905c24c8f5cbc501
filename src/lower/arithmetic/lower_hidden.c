// Values hidden from LLVM's optimiser, because it would change results by what it knows of them.
#include "lower/lower_internal.h"

LLVMValueRef lower_hidden(struct lowering *l, LLVMValueRef value) {
    enum asm_id same = lower_vendor(l)->same_word;
    LLVMValueRef zero = lower_i32(l, 0), bits = lower_to_bits(l, value);
    if (LLVMTypeOf(bits) == l->i32) {
        bits = asm_call(l, same, l->i32, &bits, 1);
    } else {
        zero = asm_call(l, same, l->i32, &zero, 1);
        bits = LLVMBuildOr(l->b, bits, LLVMBuildIntCast2(l->b, zero, LLVMTypeOf(bits), 0, ""), "");
    }
    return lower_from_bits(l, bits, LLVMTypeOf(value));
}

void lower_opaque(struct lowering *l, MlirOperation op) {
    struct values *source = lower_operand(l, op, at_unary_source), *result = lower_result(l, op, 0);
    bool tile = type_is_tensor(mlirValueGetType(unary_source(op)));
    for (unsigned i = 0; i < source->count; i++) {
        result->at[i] =
            tile ? asm_call(l, ASM_HOLD_F32, l->f32, &source->at[i], 1) : lower_hidden(l, source->at[i]);
    }
}

static bool may_be_known(LLVMValueRef value, unsigned *most) {
    if (LLVMIsConstant(value)) {
        return true;
    }
    bool starts = !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || LLVMIsALoadInst(value) ||
                  (LLVMIsACallInst(value) && LLVMGetNumArgOperands(value) == 0);
    if (starts) {
        return false;
    }
    if (*most == 0) {
        return true;
    }
    --*most;
    bool known = true;
    for (unsigned i = 0; known && i < (unsigned)LLVMGetNumOperands(value); i++) {
        known = may_be_known(LLVMGetOperand(value, i), most);
    }
    return known;
}

bool lower_may_be_known(LLVMValueRef value) {
    unsigned most = 32;
    return !LLVMIsConstant(value) && may_be_known(value, &most);
}

// Of a number without sign what may be negative is no short one.
bool lower_is_short(LLVMValueRef value, unsigned bits, bool is_signed) {
    enum { FEWEST = 12 };
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (width <= bits || bits < FEWEST || !LLVMIsAInstruction(value)) {
        return width <= bits;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (!is_signed && (opcode == LLVMAShr || opcode == LLVMSub || opcode == LLVMSExt)) {
        return false;
    }
    LLVMValueRef second =
        LLVMGetNumOperands(value) == 2 ? LLVMIsAConstantInt(LLVMGetOperand(value, 1)) : NULL;
    int64_t number = second ? LLVMConstIntGetSExtValue(second) : 0;
    switch (opcode) {
    case LLVMAnd:
        return second && number >= 0 && number >> bits == 0;
    case LLVMLShr:
    case LLVMAShr:
        return second && width <= number + bits;
    case LLVMAdd:
    case LLVMSub:
        return lower_is_short(LLVMGetOperand(value, 0), bits - 1, is_signed) &&
               (second ? number >> (bits - 1) == -(number < 0) && (is_signed || number >= 0)
                       : lower_is_short(LLVMGetOperand(value, 1), bits - 1, is_signed));
    case LLVMZExt:
    case LLVMSExt:
        return lower_is_short(LLVMGetOperand(value, 0), bits, is_signed);
    default:
        return false;
    }
}

// For an integer of few significant bits LLVM 19 treats the conversion through f16 to f32 as exact, and drops
// it. But an integer too large for f16 becomes an infinity there.
LLVMValueRef lower_before_half(struct lowering *l, LLVMValueRef value) {
    bool converted = LLVMIsASIToFPInst(value) || LLVMIsAUIToFPInst(value);
    LLVMValueRef integer = converted ? LLVMGetOperand(value, 0) : value;
    bool known = LLVMIsConstant(value) || LLVMGetTypeKind(LLVMTypeOf(integer)) != LLVMIntegerTypeKind ||
                 lower_is_short(integer, 16, true);
    return known ? value : lower_hidden(l, value);
}
