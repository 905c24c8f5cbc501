// Computes cheap values again after a loop instead of keeping them in registers throughout it.
//
// A kernel that ends in storing a tile where it began by loading one shares the offsets of both: LLVM
// computes each of them once, before the main loop, and they take registers that the accumulators need.
//
// Before: %o = f(thread); loop { … }; store %o        After: loop { … }; %o = f(thread); store %o
//
// A loop is a run of blocks from the target of a backward branch to the branch: lowering lays blocks out in
// program order. A value counts as cheap when integer arithmetic, comparisons and address computations lead
// to it from arguments, constants, special registers or what the loop keeps anyway. It is computed anew, once
// a block, before its first user there. Values that the loop itself uses stay as they are. Runs last: value
// numbering would undo it.
#include "target/remat.h"

#include <stdlib.h>
#include <string.h>

#include "support/map.h"

enum { MAX_DEPTH = 24 };

struct remat {
    LLVMBuilderRef builder;
    struct map block_index; // block → its number + 1
    unsigned header, latch; // the loop at hand
    struct map copies;      // value → its copy in the block at hand
};

static unsigned index_of(const struct remat *r, LLVMBasicBlockRef block) {
    return (unsigned)(uintptr_t)map_get(&r->block_index, block) - 1;
}

static bool is_special_register(LLVMValueRef call) {
    static const char *const prefixes[] = {"llvm.nvvm.read.ptx.sreg.tid", "llvm.nvvm.read.ptx.sreg.ctaid",
                                           "llvm.amdgcn.workitem.id", "llvm.amdgcn.workgroup.id"};
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_cheap(LLVMValueRef value) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
        return true;
    case LLVMCall:
        return is_special_register(value);
    default:
        return false;
    }
}

static bool used_in_loop(const struct remat *r, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        unsigned at = index_of(r, LLVMGetInstructionParent(LLVMGetUser(use)));
        if (at >= r->header && at <= r->latch) {
            return true;
        }
    }
    return false;
}

// Whether the value lives through the loop only for what comes after it.
static bool lives_through(const struct remat *r, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && index_of(r, LLVMGetInstructionParent(value)) < r->header &&
           LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind && is_cheap(value) &&
           !used_in_loop(r, value);
}

static LLVMValueRef copy_before(struct remat *r, LLVMValueRef value, LLVMValueRef user, int depth) {
    if (depth > MAX_DEPTH || !lives_through(r, value)) {
        return value;
    }
    LLVMValueRef known = map_get(&r->copies, value);
    if (known) {
        return known;
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    bool is_call = LLVMGetInstructionOpcode(value) == LLVMCall;
    int count = is_call ? 0 : LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++) {
        LLVMSetOperand(copy, (unsigned)i,
                       copy_before(r, LLVMGetOperand(value, (unsigned)i), user, depth + 1));
    }
    LLVMPositionBuilderBefore(r->builder, user);
    LLVMInsertIntoBuilder(r->builder, copy);
    map_put(&r->copies, value, copy);
    return copy;
}

static void after_loop(struct remat *r, LLVMBasicBlockRef block) {
    r->copies = (struct map){0};
    for (LLVMValueRef user = LLVMGetFirstInstruction(block); user; user = LLVMGetNextInstruction(user)) {
        if (LLVMGetInstructionOpcode(user) == LLVMPHI) {
            continue;
        }
        for (int i = 0; i < LLVMGetNumOperands(user); i++) {
            LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
            if (LLVMIsAInstruction(operand) && lives_through(r, operand)) {
                LLVMSetOperand(user, (unsigned)i, copy_before(r, operand, user, 0));
            }
        }
    }
    map_free(&r->copies);
}

static void erase_unused(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetLastInstruction(block), previous; i; i = previous) {
        previous = LLVMGetPreviousInstruction(i);
        if (!LLVMGetFirstUse(i) && is_cheap(i)) {
            LLVMInstructionEraseFromParent(i);
        }
    }
}

static void in_function(LLVMBuilderRef builder, LLVMValueRef function) {
    struct remat r = {.builder = builder};
    unsigned count = LLVMCountBasicBlocks(function);
    LLVMBasicBlockRef *blocks = calloc(count + 1, sizeof *blocks);
    if (!blocks) {
        abort();
    }
    LLVMGetBasicBlocks(function, blocks);
    for (unsigned i = 0; i < count; i++) {
        map_put(&r.block_index, blocks[i], (void *)(uintptr_t)(i + 1));
    }
    for (unsigned latch = 0; latch < count; latch++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(blocks[latch]);
        r.header = count;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
            unsigned target = index_of(&r, LLVMGetSuccessor(branch, i));
            r.header = target <= latch && target < r.header ? target : r.header;
        }
        r.latch = latch;
        for (unsigned i = latch + 1; r.header < count && i < count; i++) {
            after_loop(&r, blocks[i]);
        }
    }
    for (unsigned i = count; i-- > 0;) {
        erase_unused(blocks[i]);
    }
    free(blocks);
    map_free(&r.block_index);
}

void rematerialise_after_loops(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function) > 1) {
            in_function(builder, function);
        }
    }
    LLVMDisposeBuilder(builder);
}
