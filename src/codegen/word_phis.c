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
// Phis with each other as values, those of a loop and of a branch in it, become pairs together, or stay as they are.
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

// The first pair with its element at `index` coming to the phi; NULL if there is none, or it is no phi of 16-bit floats.
static LLVMValueRef first_pair(LLVMValueRef phi, unsigned index) {
    LLVMValueRef pair = NULL;
    for (unsigned i = 0; is_short_phi(phi) && i < LLVMCountIncoming(phi) && !pair; i++) {
        pair = pair_of(LLVMGetIncomingValue(phi, i), index);
    }
    return pair;
}

// The pair for `low` and `high` at the phis; NULL if they are no pair.
static LLVMValueRef joined(LLVMValueRef low, LLVMValueRef high) {
    if (LLVMIsConstant(low) && LLVMIsConstant(high)) {
        LLVMValueRef both[] = {low, high};
        return LLVMConstVector(both, 2);
    }
    LLVMValueRef pair = pair_of(low, 0);
    return pair && pair_of(high, 1) == pair ? pair : NULL;
}

enum { MOST = 16 };

struct group {
    LLVMValueRef low[MOST], high[MOST], pair[MOST];
    unsigned count;
};

// The group's number of the phis; its count if they are not in it.
static unsigned number_of(const struct group *g, LLVMValueRef low, LLVMValueRef high) {
    unsigned n = 0;
    while (n < g->count && (g->low[n] != low || g->high[n] != high)) {
        n++;
    }
    return n;
}

// Adds the phis `low` and `high` and the phis among their values. False if they do not go together.
static bool gather(struct group *g, LLVMValueRef low, LLVMValueRef high) {
    if (number_of(g, low, high) < g->count) {
        return true;
    }
    bool together = g->count < MOST && low != high && is_short_phi(low) && is_short_phi(high) &&
                    LLVMTypeOf(low) == LLVMTypeOf(high) &&
                    LLVMGetInstructionParent(low) == LLVMGetInstructionParent(high);
    if (together) {
        g->low[g->count] = low;
        g->high[g->count++] = high;
    }
    for (unsigned i = 0; together && i < LLVMCountIncoming(low); i++) {
        LLVMValueRef from_low = LLVMGetIncomingValue(low, i), from_high = LLVMGetIncomingValue(high, i);
        together = LLVMGetIncomingBlock(low, i) == LLVMGetIncomingBlock(high, i) &&
                   (joined(from_low, from_high) || gather(g, from_low, from_high));
    }
    return together;
}

// No element without uses: GVN of LLVM's back end would make phis of elements for it.
static void take_element(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef pair, unsigned index) {
    if (!LLVMGetFirstUse(phi)) {
        return;
    }
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(pair))), index, 0);
    LLVMReplaceAllUsesWith(phi, LLVMBuildExtractElement(b, pair, at, ""));
}

static LLVMValueRef behind_phis(LLVMValueRef phi) {
    while (LLVMIsAPHINode(phi)) {
        phi = LLVMGetNextInstruction(phi);
    }
    return phi;
}

// The phi is erased later: until then it uses nothing.
static void let_go(LLVMValueRef phi, struct map *dead) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMSetOperand(phi, i, LLVMGetPoison(LLVMTypeOf(phi)));
    }
    map_put(dead, phi, phi);
}

// Puts phis of pairs beside the group's phis, and elements of them behind; the group's phis have no uses then.
static void join(LLVMBuilderRef b, struct group *g, struct map *dead) {
    for (unsigned n = 0; n < g->count; n++) {
        LLVMPositionBuilderBefore(b, g->low[n]);
        g->pair[n] = LLVMBuildPhi(b, LLVMVectorType(LLVMTypeOf(g->low[n]), 2), "");
    }
    for (unsigned n = 0; n < g->count; n++) {
        for (unsigned i = 0; i < LLVMCountIncoming(g->low[n]); i++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(g->low[n], i);
            LLVMValueRef low = LLVMGetIncomingValue(g->low[n], i), high = LLVMGetIncomingValue(g->high[n], i);
            unsigned other = number_of(g, low, high);
            LLVMValueRef value = other < g->count ? g->pair[other] : joined(low, high);
            LLVMAddIncoming(g->pair[n], &value, &from, 1);
        }
    }
    for (unsigned n = 0; n < g->count; n++) {
        let_go(g->low[n], dead);
        let_go(g->high[n], dead);
    }
    for (unsigned n = 0; n < g->count; n++) {
        LLVMPositionBuilderBefore(b, behind_phis(g->low[n]));
        take_element(b, g->low[n], g->pair[n], 0);
        take_element(b, g->high[n], g->pair[n], 1);
    }
}

static void join_in(LLVMBuilderRef b, LLVMBasicBlockRef block, struct map *dead) {
    struct map lows = {0}; // pair → the phi of its low element
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef pair = map_has(dead, phi) ? NULL : first_pair(phi, 0);
        if (pair && !map_has(&lows, pair)) {
            map_put(&lows, pair, phi);
        }
    }
    phi = LLVMGetFirstInstruction(block);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef pair = map_has(dead, phi) ? NULL : first_pair(phi, 1);
        LLVMValueRef low = pair ? map_get(&lows, pair) : NULL;
        struct group group = {.count = 0};
        if (low && gather(&group, low, phi)) {
            map_put(&lows, pair, NULL);
            join(b, &group, dead);
        }
    }
    map_free(&lows);
}

static void erase(LLVMBasicBlockRef block, const struct map *dead) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block), next;
    for (; phi && LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        if (map_has(dead, phi)) {
            LLVMInstructionEraseFromParent(phi);
        }
    }
}

void word_phis_join(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct map dead = {0};
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            join_in(b, block, &dead);
        }
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block && dead.count > 0;
             block = LLVMGetNextBasicBlock(block)) {
            erase(block, &dead);
        }
        map_free(&dead);
    }
    LLVMDisposeBuilder(b);
}
