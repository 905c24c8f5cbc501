// Upper halves of words that are chosen (AMD): rounding to bf16, most of all.
//
//   %h = trunc (lshr %word, 16) to i16     →        %w = select %nan, 0x7fc00000, %word
//   %r = select %nan, 0x7fc0, %h                    %r = trunc (lshr %w, 16) to i16
//
// Two results side by side are one v_perm_b32 of the words' upper halves, and a store takes an upper half as it is; an upper half that is
// chosen needs its shift. LLVM's clean-up makes the form on the left of the form on the right, so this runs behind it.
//
// Vectors, which the vectoriser of packed f32 leaves, become their elements, and so do the integers that the words are computed from: the
// chip computes words one by one, and only of scalars does LLVM make v_bfe_u32.
//
// test: tests/golden/codegen/high_halves
#include "codegen/high_halves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HALF = 16, MOST_ELEMENTS = 16 };

static bool is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static unsigned elements_of(LLVMValueRef value) {
    return is_vector(value) ? LLVMGetVectorSize(LLVMTypeOf(value)) : 1;
}

static LLVMTypeRef element_type(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_integer(LLVMValueRef value, unsigned bits) {
    LLVMTypeRef type = element_type(LLVMTypeOf(value));
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

// A constant integer's element, or NULL.
static LLVMValueRef constant_element(LLVMValueRef value, unsigned element) {
    LLVMValueRef constant = !LLVMIsConstant(value) ? NULL
                            : is_vector(value)     ? LLVMGetAggregateElement(value, element)
                                                   : value;
    return constant && LLVMIsAConstantInt(constant) ? constant : NULL;
}

// The word whose upper half the value is, or NULL.
static LLVMValueRef word_of_half(LLVMValueRef value) {
    if (!LLVMIsATruncInst(value)) {
        return NULL;
    }
    LLVMValueRef shift = LLVMGetOperand(value, 0);
    if (LLVMGetInstructionOpcode(shift) != LLVMLShr || !is_integer(shift, 2 * HALF)) {
        return NULL;
    }
    for (unsigned i = 0; i < elements_of(shift); i++) {
        LLVMValueRef amount = constant_element(LLVMGetOperand(shift, 1), i);
        if (!amount || LLVMConstIntGetZExtValue(amount) != HALF) {
            return NULL;
        }
    }
    return LLVMGetOperand(shift, 0);
}

// A choice of 16 bits, first a constant, then a word's upper half.
struct choice {
    LLVMValueRef select, word;
    unsigned elements;
};

static bool find_choice(LLVMValueRef select, struct choice *choice) {
    if (!LLVMIsASelectInst(select) || !is_integer(select, HALF)) {
        return false;
    }
    *choice = (struct choice){select, word_of_half(LLVMGetOperand(select, 2)), elements_of(select)};
    bool fits = choice->word && choice->elements <= MOST_ELEMENTS;
    for (unsigned i = 0; fits && i < choice->elements; i++) {
        fits = constant_element(LLVMGetOperand(select, 1), i);
    }
    return fits;
}

// Computes one element of a vector with scalars. Instructions of `block` behind it are repeated; what other blocks compute is extracted.
struct splitter {
    LLVMBuilderRef b;
    LLVMBasicBlockRef block;
    LLVMTypeRef word;
};

static LLVMValueRef element_of(const struct splitter *s, LLVMValueRef value, unsigned element, int depth) {
    if (!is_vector(value)) {
        return value;
    }
    LLVMValueRef constant = constant_element(value, element);
    if (constant) {
        return constant;
    }
    bool here = depth > 0 && LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == s->block;
    LLVMOpcode opcode = here ? LLVMGetInstructionOpcode(value) : LLVMExtractElement;
    LLVMValueRef operands[2] = {0};
    bool unary = opcode == LLVMBitCast;
    bool known = opcode == LLVMAdd || opcode == LLVMAnd || opcode == LLVMLShr || opcode == LLVMFCmp ||
                 (unary && elements_of(LLVMGetOperand(value, 0)) == elements_of(value));
    if (!known) {
        return LLVMBuildExtractElement(s->b, value, LLVMConstInt(s->word, element, false), "");
    }
    for (int i = 0; i < (unary ? 1 : 2); i++) {
        operands[i] = element_of(s, LLVMGetOperand(value, (unsigned)i), element, depth - 1);
    }
    return unary ? LLVMBuildBitCast(s->b, operands[0], LLVMGetElementType(LLVMTypeOf(value)), "")
           : opcode == LLVMFCmp
               ? LLVMBuildFCmp(s->b, LLVMGetFCmpPredicate(value), operands[0], operands[1], "")
               : LLVMBuildBinOp(s->b, opcode, operands[0], operands[1], "");
}

static void choose_words(LLVMBuilderRef b, const struct choice *choice) {
    enum { DEPTH = 6 };
    LLVMTypeRef type = LLVMTypeOf(choice->select), word = element_type(LLVMTypeOf(choice->word));
    LLVMPositionBuilderBefore(b, choice->select);
    struct splitter s = {b, LLVMGetInstructionParent(choice->select), word};
    LLVMValueRef result = LLVMGetPoison(type);
    for (unsigned i = 0; i < choice->elements; i++) {
        LLVMValueRef condition = element_of(&s, LLVMGetOperand(choice->select, 0), i, DEPTH);
        uint64_t half = LLVMConstIntGetZExtValue(constant_element(LLVMGetOperand(choice->select, 1), i));
        LLVMValueRef chosen = LLVMBuildSelect(b, condition, LLVMConstInt(word, half << HALF, false),
                                              element_of(&s, choice->word, i, DEPTH), "");
        LLVMValueRef upper = LLVMBuildLShr(b, chosen, LLVMConstInt(word, HALF, false), "");
        upper = LLVMBuildTrunc(b, upper, element_type(type), "");
        result = !is_vector(choice->select)
                     ? upper
                     : LLVMBuildInsertElement(b, result, upper, LLVMConstInt(word, i, false), "");
    }
    LLVMReplaceAllUsesWith(choice->select, result);
}

static bool is_erasable(LLVMValueRef value) {
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsAFCmpInst(value) ||
           LLVMIsASelectInst(value);
}

// Erases unread instructions, from the end: operands stand ahead of their users.
static void erase_dead(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetLastInstruction(block), before; i; i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (is_erasable(i) && !LLVMGetFirstUse(i)) {
            LLVMInstructionEraseFromParent(i);
        }
    }
}

void high_halves_choose_words(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            bool chosen = false;
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                struct choice choice;
                if (find_choice(i, &choice)) {
                    choose_words(b, &choice);
                    chosen = true;
                }
            }
            if (chosen) {
                erase_dead(block);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
