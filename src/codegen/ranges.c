// NVIDIA: one comparison without a sign for a number of at least 0 and below a limit.
//
//   %least = icmp sgt i64 %row, -1                     %most = smax(%rows, 0), where %rows is made
//   %below = icmp slt i64 %row, %rows           →      %inside = icmp ult i64 %row, %most
//   %inside = and i1 %least, %below
//
// LLVM does so for a limit known to be 0 or more. The rows of a descriptor are its user's number, and each row of a tile loaded by pointers has
// both comparisons, of 64 bits: four instructions, and two without a sign. No number is at least 0 and below a negative limit, nor below 0: the
// maximum keeps the meaning. The limit stands in another block: in the comparisons' own the maximum would cost what it saves.
//
// Requires: nothing. Test: tests/golden/codegen/ranges
#include "codegen/ranges.h"

#include <stdbool.h>

// A comparison with this predicate; a comparison of other widths than a thread's words stays as it is.
static bool compares(LLVMValueRef value, LLVMIntPredicate predicate) {
    return LLVMIsAICmpInst(value) && LLVMGetICmpPredicate(value) == predicate &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMIntegerTypeKind;
}

static bool is_least(LLVMValueRef value) {
    return compares(value, LLVMIntSGT) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) == -1;
}

// True for a limit of the number made in another block, or by the launch.
static bool is_below(LLVMValueRef value, LLVMValueRef number) {
    if (!compares(value, LLVMIntSLT) || LLVMGetOperand(value, 0) != number) {
        return false;
    }
    LLVMValueRef limit = LLVMGetOperand(value, 1);
    return LLVMIsAArgument(limit) || (LLVMIsAInstruction(limit) && !LLVMIsATerminatorInst(limit) &&
                                      LLVMGetInstructionParent(limit) != LLVMGetInstructionParent(value));
}

// The first place behind the limit.
static LLVMValueRef place_behind(LLVMValueRef limit, LLVMValueRef function) {
    LLVMValueRef place = LLVMIsAArgument(limit) ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function))
                                                : LLVMGetNextInstruction(limit);
    while (LLVMIsAPHINode(place)) {
        place = LLVMGetNextInstruction(place);
    }
    return place;
}

// The limit, or 0 if that is more. Equal ones of several comparisons are one: the first one stays right behind the limit.
static LLVMValueRef build_most(LLVMBuilderRef b, LLVMValueRef limit, LLVMValueRef function) {
    LLVMTypeRef type = LLVMTypeOf(limit);
    LLVMValueRef place = place_behind(limit, function), zero = LLVMConstInt(type, 0, 0);
    unsigned id = LLVMLookupIntrinsicID("llvm.smax", 9);
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(function), id, &type, 1);
    if (LLVMIsACallInst(place) && LLVMGetCalledValue(place) == callee && LLVMGetOperand(place, 0) == limit &&
        LLVMGetOperand(place, 1) == zero) {
        return place;
    }
    LLVMPositionBuilderBefore(b, place);
    LLVMValueRef arguments[] = {limit, zero};
    return LLVMBuildCall2(
        b, LLVMIntrinsicGetType(LLVMGetModuleContext(LLVMGetGlobalParent(function)), id, &type, 1), callee,
        arguments, 2, "");
}

static void visit(LLVMBuilderRef b, LLVMValueRef both, LLVMValueRef function) {
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef least = LLVMGetOperand(both, i), below = LLVMGetOperand(both, 1 - i);
        if (!is_least(least) || !is_below(below, LLVMGetOperand(least, 0))) {
            continue;
        }
        LLVMValueRef most = build_most(b, LLVMGetOperand(below, 1), function);
        LLVMPositionBuilderBefore(b, both);
        LLVMValueRef inside = LLVMBuildICmp(b, LLVMIntULT, LLVMGetOperand(least, 0), most, "");
        LLVMReplaceAllUsesWith(both, inside);
        return;
    }
}

static bool is_and(LLVMValueRef value) {
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAnd;
}

// Erases unread comparisons and conjunctions.
static void erase_unread(LLVMBasicBlockRef block) {
    for (LLVMValueRef in = LLVMGetLastInstruction(block); in;) {
        LLVMValueRef ahead = LLVMGetPreviousInstruction(in);
        if (!LLVMGetFirstUse(in) && (is_and(in) || LLVMIsAICmpInst(in))) {
            LLVMInstructionEraseFromParent(in);
        }
        in = ahead;
    }
}

void ranges_compare_once(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef in = LLVMGetFirstInstruction(block); in; in = LLVMGetNextInstruction(in)) {
                if (is_and(in)) {
                    visit(b, in, function);
                }
            }
            erase_unread(block);
        }
    }
    LLVMDisposeBuilder(b);
}
