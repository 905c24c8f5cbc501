// Moves reads of shared memory, their addresses and the repacking of their results down to their first use
// within a block. If a block multiplies step by step (lower_warpgroup.c), all arithmetic moves down: an operand's
// words are computed while the step before is multiplied. So it does where a warp unpacks whole tiles: their numbers fill more
// registers than their words. (ptxas, 15 warps: 82 registers; without it 128 and spills.)
//
// A dot reads both of its operands before its first matrix instruction. If operands fill many registers (WMMA
// replicates them across half waves), all of them together with the accumulators exceed the register file,
// and LLVM's scheduler does not recover from such an order. From the order made here, with each operand read
// next to its use, the scheduler moves reads up again only as far as registers allow.
//
// Before: load a0, load a1, load b0, load b1, mma(a0, b0), mma(a1, b1)
// After:  load a0, load b0, mma(a0, b0), load a1, load b1, mma(a1, b1)
//
// A block is walked from its end. A movable instruction goes to the front of the group before its first user.
// A group is named by the index of the unmoved instruction (its anchor) behind it.
#include "codegen/sink.h"

#include <stdlib.h>
#include <string.h>

#include "chip/asm.h"
#include "chip/launch_bounds.h"
#include "chip/wgmma.h"
#include "codegen/wmma.h"
#include "support/map.h"
#include "support/memory.h"

enum { SPACE_SHARED = 3 };

struct block_order {
    LLVMValueRef *instructions;
    unsigned count;
    LLVMValueRef *group_first; // of each anchor's group; NULL: the anchor itself comes first
    unsigned *next_write;      // the first possible write of memory from here on
    struct map anchors;        // instruction → its anchor's index + 1
};

// Assembly to compute a value of its operands.
static bool is_assembly_value(LLVMValueRef instruction) {
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    return callee && LLVMIsAInlineAsm(callee) && !LLVMGetInlineAsmHasSideEffects(callee);
}

static bool writes_memory(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(instruction);
        unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
        LLVMAttributeRef effects =
            LLVMIsAFunction(callee) ? LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, memory)
                                    : NULL;
        // Two bits for each kind of memory: read, write.
        return !is_assembly_value(instruction) &&
               (!effects || (LLVMGetEnumAttributeValue(effects) & 0x2a) != 0);
    }
    default:
        return false;
    }
}

// True for a call of a function with such a name.
static bool is_call_of(LLVMValueRef instruction, const char *prefix) {
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_matrix_read(LLVMValueRef call) {
    return is_call_of(call, "llvm.nvvm.ldmatrix.") || is_call_of(call, "llvm.amdgcn.ds.read.tr");
}

// A call without effects and without other threads.
static bool is_function(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee)) {
        return false;
    }
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6),
             convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, memory);
    return effects && LLVMGetEnumAttributeValue(effects) == 0 &&
           !LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, convergent);
}

static bool computes(LLVMValueRef instruction) {
    return is_assembly_value(instruction) || LLVMIsABinaryOperator(instruction) ||
           LLVMIsACastInst(instruction) || LLVMIsACmpInst(instruction) || LLVMIsASelectInst(instruction) ||
           LLVMIsAFreezeInst(instruction) || LLVMIsAUnaryOperator(instruction) ||
           (LLVMIsACallInst(instruction) && is_function(instruction));
}

static bool may_move(LLVMValueRef instruction, bool *is_read) {
    *is_read = false;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        *is_read = true;
        return !LLVMGetVolatile(instruction) && LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic &&
               LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == SPACE_SHARED;
    case LLVMCall:
        *is_read = true;
        return is_matrix_read(instruction);
    case LLVMBitCast:
    case LLVMExtractValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMShl:
    case LLVMLShr:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

static void read_block(struct block_order *order, LLVMBasicBlockRef block) {
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        count++;
    }
    order->count = count;
    order->instructions = calloc(count, sizeof *order->instructions);
    order->group_first = calloc(count, sizeof *order->group_first);
    order->next_write = calloc(count + 1, sizeof *order->next_write);
    if (!order->instructions || !order->group_first || !order->next_write) {
        out_of_memory((count + 1) * sizeof *order->instructions);
    }
    count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        map_put(&order->anchors, i, (void *)(uintptr_t)(count + 1));
        order->instructions[count++] = i;
    }
    order->next_write[count] = count;
    for (unsigned i = count; i-- > 0;) {
        order->next_write[i] = writes_memory(order->instructions[i]) ? i : order->next_write[i + 1];
    }
}

// The anchor of the first user; `count` when a user is in another block or a phi.
static unsigned first_user(const struct block_order *order, LLVMValueRef instruction) {
    unsigned first = order->count;
    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uintptr_t anchor = (uintptr_t)map_get(&order->anchors, user);
        if (!anchor || LLVMGetInstructionOpcode(user) == LLVMPHI) {
            return order->count;
        }
        first = anchor - 1 < first ? (unsigned)anchor - 1 : first;
    }
    return first;
}

// True if two products of warpgroups in the block have no commit between them.
static bool multiplies_by_steps(LLVMBasicBlockRef block) {
    bool open = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        size_t length = 0;
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        const char *text =
            callee && LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length) : "";
        const char *commit = asm_table[ASM_WGMMA_COMMIT].text;
        if (wgmma_is_product(text, length)) {
            if (open) {
                return true;
            }
            open = true;
        }
        open &= length != strlen(commit) || memcmp(text, commit, length) != 0;
    }
    return false;
}

static bool is_float(LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind;
}

// True if the block stores results by bulk copies in more than one piece.
static bool stores_by_pieces(LLVMBasicBlockRef block) {
    unsigned pieces = 0;
    const char *commit = asm_table[ASM_BULK_COMMIT].text;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        size_t length = 0;
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        const char *text =
            callee && LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length) : "";
        pieces += length == strlen(commit) && memcmp(text, commit, length) == 0;
    }
    return pieces > 1;
}

// True if the block's warps unpack whole tiles for their products.
static bool unpacks_tiles(LLVMBasicBlockRef block) {
    static const char prefix[] = "llvm.nvvm.mma.";
    bool multiplies = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !multiplies; i = LLVMGetNextInstruction(i)) {
        multiplies = is_call_of(i, prefix);
    }
    return multiplies && launch_unpacks_tiles(LLVMGetBasicBlockParent(block));
}

static void sink_in_block(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
    struct block_order order = {0};
    bool all = multiplies_by_steps(block) || unpacks_tiles(block), pieces = !all && stores_by_pieces(block);
    read_block(&order, block);
    for (unsigned i = order.count; i-- > 0;) {
        LLVMValueRef instruction = order.instructions[i];
        bool is_read;
        bool result = pieces && is_float(instruction) && computes(instruction);
        if (!may_move(instruction, &is_read) && !(all && computes(instruction)) && !result) {
            continue;
        }
        is_read &= !result;
        unsigned anchor = first_user(&order, instruction);
        if (anchor >= order.count || (is_read && order.next_write[i] < anchor)) {
            continue;
        }
        LLVMValueRef before =
            order.group_first[anchor] ? order.group_first[anchor] : order.instructions[anchor];
        if (LLVMGetNextInstruction(instruction) != before) {
            LLVMInstructionRemoveFromParent(instruction);
            LLVMPositionBuilderBefore(builder, before);
            LLVMInsertIntoBuilder(builder, instruction);
        }
        order.group_first[anchor] = instruction;
        map_put(&order.anchors, instruction, (void *)(uintptr_t)(anchor + 1));
    }
    free(order.instructions);
    free(order.group_first);
    free(order.next_write);
    map_free(&order.anchors);
}

// The number of accumulators in the block: matrix instructions without another's result as an operand.
static unsigned accumulators(LLVMBasicBlockRef block) {
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool starts = is_wmma(i);
        for (unsigned o = 0; starts && o < LLVMGetNumArgOperands(i); o++) {
            LLVMValueRef operand = LLVMGetArgOperand(i, o);
            starts = !is_wmma(operand);
        }
        count += starts;
    }
    return count;
}

// True if a read of shared memory follows ahead of the next write to memory.
static bool read_follows(LLVMValueRef instruction) {
    for (LLVMValueRef i = instruction; i && !writes_memory(i); i = LLVMGetNextInstruction(i)) {
        bool is_read;
        if (may_move(i, &is_read) && is_read) {
            return true;
        }
    }
    return false;
}

// If accumulators alone take half of the registers, LLVM's scheduler moves the reads of later steps up until
// registers run out, and beyond. After every 16 matrix instructions a fence lets only vector arithmetic pass:
// the reads of one step in flight hide their latency as well.
//
// Scalar instructions must not pass: for LLVM s_barrier is one, and passing the fence would free it from its
// order with the reads before it, which protects their slot.
static void separate_wmma_steps(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
    enum { STEP = 16, VECTOR_ARITHMETIC_MAY_PASS = 2 };
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    static const char name[] = "llvm.amdgcn.sched.barrier";
    unsigned count = 0;
    if (accumulators(block) < STEP) {
        return;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        count += is_wmma(i);
        if (!is_wmma(i) || count % STEP != 0 || !read_follows(LLVMGetNextInstruction(i))) {
            continue;
        }
        unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
        LLVMValueRef fence = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
        LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, NULL, 0);
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(i));
        LLVMBuildCall2(builder, type, fence,
                       (LLVMValueRef[]){LLVMConstInt(i32, VECTOR_ARITHMETIC_MAY_PASS, 0)}, 1, "");
    }
}

void sink_shared_reads(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block)) {
            sink_in_block(builder, block);
            separate_wmma_steps(builder, block);
        }
    }
    LLVMDisposeBuilder(builder);
}
