// The LLVM module's accesses and barriers: their numbers, and its control flow.
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "graph.h"
#include "order.h"
#include "support/map.h"

enum { SPACE_SHARED = 3 };

static bool is_shared(LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SPACE_SHARED;
}

static enum kind kind_of(LLVMValueRef instruction) {
    static const char barrier[] = "llvm.amdgcn.s.barrier";
    size_t length;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return is_shared(LLVMGetOperand(instruction, 0)) ? KIND_ACCESS : KIND_NONE;
    case LLVMStore:
        return is_shared(LLVMGetOperand(instruction, 1)) ? KIND_ACCESS : KIND_NONE;
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(instruction);
        const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
        return strcmp(name, barrier) == 0 ? KIND_BARRIER : KIND_NONE;
    }
    default:
        return KIND_NONE;
    }
}

unsigned order_number(LLVMModuleRef module) {
    unsigned next = 0;
    LLVMContextRef context = LLVMGetModuleContext(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef scope = LLVMGetSubprogram(f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                unsigned line = kind_of(i) != KIND_NONE ? ++next : ORDER_NO_LINE;
                LLVMInstructionSetDebugLoc(i,
                                           LLVMDIBuilderCreateDebugLocation(context, line, 0, scope, NULL));
            }
        }
    }
    return next;
}

void read_function(struct graph *graph, LLVMValueRef function) {
    struct map numbers = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(&numbers, b, (void *)(uintptr_t)graph->block_count);
        struct block *block = add_block(graph);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (kind_of(i) != KIND_NONE) {
                add_event(block, (struct event){kind_of(i), LLVMGetDebugLocLine(i), true, true, ""});
            }
        }
    }
    unsigned at = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), at++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
            add_successor(&graph->blocks[at],
                          (unsigned)(uintptr_t)map_get(&numbers, LLVMGetSuccessor(last, s)));
        }
    }
    map_free(&numbers);
}
