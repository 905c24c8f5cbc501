// Moves values used only in an unlikely block into it.
//
// tk.rarely is lowered to branches behind both of its values (lower_rarely.c):
//
//   %a = … long …                                           br i1 %c, %rare, %join, !prof unlikely
//   br i1 %c, %rare, %join, !prof unlikely        →       rare:
// rare:                                                     %a = … long …
//   br %join                                                br %join
// join:                                                   join:
//   phi [%a, %rare], [%b, %head]                            phi [%a, %rare], [%b, %head]
//
// If several such blocks use a value, as the sine and the cosine of one argument do, each computes its own
// copy. LLVM's own passes sink little, and late: this step runs first, so that they see only the likely path.
// Blocks are walked from the last to the first, each from its end, so that users move before their operands.
// A value may move if it has no effects and does not depend on the set of active lanes.
//
// test: tests/unit/test_rare.c
#include "codegen/rare.h"

#include <stddef.h>

bool rare_moves(LLVMValueRef instruction) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMCall) {
        return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
               LLVMIsAUnaryOperator(instruction) || opcode == LLVMICmp || opcode == LLVMFCmp ||
               opcode == LLVMSelect || opcode == LLVMFreeze || opcode == LLVMExtractValue ||
               opcode == LLVMExtractElement || opcode == LLVMInsertElement;
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAttributeIndex function = LLVMAttributeFunctionIndex;
    LLVMAttributeRef effects = LLVMIsAFunction(callee)
                                   ? LLVMGetEnumAttributeAtIndex(callee, function, memory)
                                   : LLVMGetCallSiteEnumAttribute(instruction, function, memory);
    bool together = LLVMGetCallSiteEnumAttribute(instruction, function, convergent) ||
                    (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, function, convergent));
    return effects && LLVMGetEnumAttributeValue(effects) == 0 && !together;
}

LLVMBasicBlockRef rare_place_of_operand(LLVMValueRef user, unsigned operand) {
    return LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, operand) : LLVMGetInstructionParent(user);
}

// True if the block is the unlikely side of a branch, and so has no other predecessor.
static bool is_rare(LLVMBasicBlockRef block, unsigned weights) {
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        if (LLVMIsABranchInst(branch) && LLVMIsConditional(branch) && LLVMGetSuccessor(branch, 0) == block &&
            LLVMGetMetadata(branch, weights)) {
            return true;
        }
    }
    return false;
}

enum { MOST_PLACES = 64 };

struct places {
    unsigned count;
    LLVMBasicBlockRef at[MOST_PLACES];
};

static bool add_place(struct places *places, LLVMBasicBlockRef block) {
    for (unsigned i = 0; i < places->count; i++) {
        if (places->at[i] == block) {
            return true;
        }
    }
    if (places->count == MOST_PLACES) {
        return false;
    }
    places->at[places->count++] = block;
    return true;
}

// The blocks with uses of the value. False if one of them is its own block or not rare, or if there are too
// many.
static bool places_of(LLVMValueRef value, unsigned weights, struct places *places) {
    places->count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, i) != value) {
                continue;
            }
            LLVMBasicBlockRef place = rare_place_of_operand(user, i);
            if (place == LLVMGetInstructionParent(value) || !is_rare(place, weights) ||
                !add_place(places, place)) {
                return false;
            }
        }
    }
    return places->count > 0;
}

// Replaces one operand in `place` by `copy`. False: there is none left.
static bool use_copy_once(LLVMValueRef value, LLVMValueRef copy, LLVMBasicBlockRef place) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, i) == value && rare_place_of_operand(user, i) == place) {
                LLVMSetOperand(user, i, copy); // removes the use from the list
                return true;
            }
        }
    }
    return false;
}

static void put_first(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(block));
    LLVMInsertIntoBuilder(builder, instruction);
}

static void sink(LLVMValueRef instruction, const struct places *places, LLVMBuilderRef builder) {
    for (unsigned i = 1; i < places->count; i++) {
        LLVMValueRef copy = LLVMInstructionClone(instruction);
        put_first(builder, places->at[i], copy);
        while (use_copy_once(instruction, copy, places->at[i])) {
        }
    }
    LLVMInstructionRemoveFromParent(instruction);
    put_first(builder, places->at[0], instruction);
}

static void sink_in_function(LLVMValueRef function, LLVMBuilderRef builder, unsigned weights) {
    struct places places;
    for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block;
         block = LLVMGetPreviousBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetLastInstruction(block), before; i; i = before) {
            before = LLVMGetPreviousInstruction(i);
            if (rare_moves(i) && places_of(i, weights, &places)) {
                sink(i, &places, builder);
            }
        }
    }
}

static bool has_rare(LLVMValueRef function, unsigned weights) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (end && LLVMGetMetadata(end, weights)) {
            return true;
        }
    }
    return false;
}

void rare_sink(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned weights = LLVMGetMDKindIDInContext(context, "prof", 4);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (has_rare(function, weights)) {
            sink_in_function(function, builder, weights);
        }
    }
    LLVMDisposeBuilder(builder);
}
