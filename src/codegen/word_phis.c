// Phis of the two halves of a word, between the module and LLVM's back end (NVIDIA).
//
//   %l = phi half [%a0, %entry], [%b0, %loop]           %p = phi <2 x half> [%a, %entry], [%b, %loop]
//   %h = phi half [%a1, %entry], [%b1, %loop]     →     %l = extractelement <2 x half> %p, 0
//   %a0, %a1 = elements 0 and 1 of %a, and so on        %h = extractelement <2 x half> %p, 1
//
// A loop that multiplies one tile while it loads the next one carries the tile's 16-bit numbers, two in each register that was loaded. As
// phis of halves they have registers of their own: ptxas packs any two into one and permutes them in each iteration, a fifth of the
// instructions of a product of a row and a matrix.
//
// test: tests/unit/test_word_phis.c
#include "codegen/word_phis.h"

#include <stdbool.h>

#include "support/map.h"

// The pair with the 16-bit float `value` at `index`; NULL if there is none.
static LLVMValueRef pair_of(LLVMValueRef value, unsigned index) {
    if (!LLVMIsAExtractElementInst(value)) {
        return NULL;
    }
    LLVMValueRef pair = LLVMGetOperand(value, 0), at = LLVMGetOperand(value, 1);
    bool fits = LLVMGetTypeKind(LLVMTypeOf(pair)) == LLVMVectorTypeKind &&
                LLVMGetVectorSize(LLVMTypeOf(pair)) == 2 && LLVMIsAConstantInt(at) &&
                LLVMConstIntGetZExtValue(at) == index;
    return fits ? pair : NULL;
}

static bool is_short_phi(LLVMValueRef value) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return LLVMIsAPHINode(value) && (kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind);
}

// The first pair whose element at `index` comes to the phi; NULL if there is none, or it is no phi of 16-bit floats.
static LLVMValueRef first_pair(LLVMValueRef phi, unsigned index) {
    LLVMValueRef pair = NULL;
    for (unsigned i = 0; is_short_phi(phi) && i < LLVMCountIncoming(phi) && !pair; i++) {
        pair = pair_of(LLVMGetIncomingValue(phi, i), index);
    }
    return pair;
}

// What comes as a pair where `low` and `high` come; NULL if they are no pair.
static LLVMValueRef joined(LLVMValueRef low, LLVMValueRef high) {
    if (LLVMIsConstant(low) && LLVMIsConstant(high)) {
        LLVMValueRef both[] = {low, high};
        return LLVMConstVector(both, 2);
    }
    LLVMValueRef pair = pair_of(low, 0);
    return pair && pair_of(high, 1) == pair ? pair : NULL;
}

static bool go_together(LLVMValueRef low, LLVMValueRef high) {
    bool together = LLVMTypeOf(low) == LLVMTypeOf(high);
    for (unsigned i = 0; together && i < LLVMCountIncoming(low); i++) {
        together = LLVMGetIncomingBlock(low, i) == LLVMGetIncomingBlock(high, i) &&
                   joined(LLVMGetIncomingValue(low, i), LLVMGetIncomingValue(high, i));
    }
    return together;
}

static void take_element(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef pair, unsigned index) {
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(pair))), index, 0);
    LLVMReplaceAllUsesWith(phi, LLVMBuildExtractElement(b, pair, at, ""));
}

// Ahead of `body`, the block's first instruction behind its phis.
static void join(LLVMBuilderRef b, LLVMValueRef low, LLVMValueRef high, LLVMValueRef body) {
    LLVMPositionBuilderBefore(b, low);
    LLVMValueRef pair = LLVMBuildPhi(b, LLVMVectorType(LLVMTypeOf(low), 2), "");
    for (unsigned i = 0; i < LLVMCountIncoming(low); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(low, i);
        LLVMValueRef value = joined(LLVMGetIncomingValue(low, i), LLVMGetIncomingValue(high, i));
        LLVMAddIncoming(pair, &value, &from, 1);
    }
    LLVMPositionBuilderBefore(b, body);
    take_element(b, low, pair, 0);
    take_element(b, high, pair, 1);
    LLVMInstructionEraseFromParent(low);
    LLVMInstructionEraseFromParent(high);
}

static void join_in(LLVMBuilderRef b, LLVMBasicBlockRef block) {
    struct map lows = {0}; // pair → the phi of its low element
    LLVMValueRef body = LLVMGetFirstInstruction(block);
    for (; body && LLVMIsAPHINode(body); body = LLVMGetNextInstruction(body)) {
        LLVMValueRef pair = first_pair(body, 0);
        if (pair && !map_has(&lows, pair)) {
            map_put(&lows, pair, body);
        }
    }
    for (LLVMValueRef high = LLVMGetFirstInstruction(block), next; high != body; high = next) {
        next = LLVMGetNextInstruction(high);
        LLVMValueRef pair = first_pair(high, 1);
        LLVMValueRef low = pair ? map_get(&lows, pair) : NULL;
        if (low && go_together(low, high)) {
            map_put(&lows, pair, NULL);
            next = next == low ? LLVMGetNextInstruction(low) : next;
            join(b, low, high, body);
        }
    }
    map_free(&lows);
}

void word_phis_join(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            join_in(b, block);
        }
    }
    LLVMDisposeBuilder(b);
}
