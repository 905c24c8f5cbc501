// Cheap values of very long functions are computed in the blocks of their uses (AMD).
//
//   block 1:  %m = icmp slt i32 (%tid | 256), %n          block 1:  br i1 %m, …
//             %p = getelementptr %x, (%tid | 256)
//             br i1 %m, …                            →
//   block 2:  load %p                                     block 2:  %t = a register with %tid, by an empty text
//                                                                   load (getelementptr %x, (%t | 256))
//   block 9:  br i1 %m, …                                 block 9:  %u = a register with %tid, likewise
//                                                                   br i1 (icmp slt i32 (%u | 256), %n), …
//
// A masked load or store of a thread's element is a branch. Lowering computes the addresses and masks of a whole tile
// ahead of the branches, and a tile that is loaded and stored under one mask keeps the mask between the two. For 1,024
// elements a thread these are 4,000 registers; LLVM's lowering of masks is quadratic in masks that leave their blocks,
// and its register allocation in what is spilled.
//
// Only values that follow from the thread's index in a few cheap steps. The text hides the index: equal values would be
// merged. Functions with fewer than MANY_BLOCKS blocks stay as they are.
//
// test: tests/unit/test_near_uses.c
#include "codegen/near_uses.h"

#include <stdbool.h>
#include <string.h>

#include "chip/asm.h"
#include "support/map.h"

enum { MANY_BLOCKS = 2000, MAX_DEPTH = 6 };

struct near_uses {
    LLVMBuilderRef builder;
    LLVMBasicBlockRef block; // of the uses
    struct map copies;       // value → its copy in the block
};

static bool is_thread_index(LLVMValueRef value) {
    static const char name[] = "llvm.amdgcn.workitem.id.x";
    LLVMValueRef called = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    return called && LLVMIsAFunction(called) &&
           LLVMGetIntrinsicID(called) == LLVMLookupIntrinsicID(name, sizeof name - 1);
}

static bool is_step(LLVMValueRef value) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet) {
    case LLVMICmp:
    case LLVMAdd:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMGetElementPtr:
        return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
    default:
        return false;
    }
}

// True if the value follows from the thread's index in at most `depth` steps.
static bool follows_from_index(LLVMValueRef value, int depth) {
    bool follows = is_thread_index(value);
    for (int i = 0; !follows && depth > 0 && is_step(value) && i < LLVMGetNumOperands(value); i++) {
        follows = follows_from_index(LLVMGetOperand(value, (unsigned)i), depth - 1);
    }
    return follows;
}

static LLVMValueRef hidden(struct near_uses *n, LLVMValueRef index) {
    LLVMTypeRef of = LLVMTypeOf(index), type = LLVMFunctionType(of, &of, 1, 0);
    char constraints[64];
    const char *text = asm_table[ASM_AMD_OPAQUE].text;
    asm_constraints(ASM_AMD_OPAQUE, constraints, sizeof constraints);
    LLVMValueRef snippet = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0,
                                            LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(n->builder, type, snippet, &index, 1, "");
}

// The value again, ahead of `user`. Operands independent of the index stay.
static LLVMValueRef again(struct near_uses *n, LLVMValueRef value, LLVMValueRef user, int depth) {
    LLVMValueRef copy = map_get(&n->copies, value);
    if (copy || !follows_from_index(value, depth)) {
        return copy ? copy : value;
    }
    if (is_thread_index(value)) {
        LLVMPositionBuilderBefore(n->builder, user);
        copy = hidden(n, value);
    } else {
        copy = LLVMInstructionClone(value);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            LLVMSetOperand(copy, i, again(n, LLVMGetOperand(value, i), user, depth - 1));
        }
        LLVMPositionBuilderBefore(n->builder, user);
        LLVMInsertIntoBuilder(n->builder, copy);
    }
    map_put(&n->copies, value, copy);
    return copy;
}

static bool is_to_copy(const struct near_uses *n, LLVMValueRef value) {
    return is_step(value) && LLVMGetInstructionParent(value) != n->block &&
           follows_from_index(value, MAX_DEPTH);
}

static void in_block(struct near_uses *n) {
    for (LLVMValueRef user = LLVMGetFirstInstruction(n->block); user; user = LLVMGetNextInstruction(user)) {
        for (int i = 0; !LLVMIsAPHINode(user) && i < LLVMGetNumOperands(user); i++) {
            LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
            if (is_to_copy(n, operand)) {
                LLVMSetOperand(user, (unsigned)i, again(n, operand, user, MAX_DEPTH));
            }
        }
    }
    map_free(&n->copies);
}

void near_uses_compute(LLVMModuleRef module) {
    struct near_uses n = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        bool many = LLVMCountBasicBlocks(f) >= MANY_BLOCKS;
        for (n.block = many ? LLVMGetFirstBasicBlock(f) : NULL; n.block;
             n.block = LLVMGetNextBasicBlock(n.block)) {
            in_block(&n);
        }
    }
    LLVMDisposeBuilder(n.builder);
}
