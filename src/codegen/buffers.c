// Buffer descriptors of loads in loops, between the module and LLVM's back end (AMD).
//
//   loop:                                                     %rest = <size, flags>, by an empty assembly text
//     %p = phi [ … ], [ %next, %loop ]                      loop:
//     %r = make.buffer.rsrc(%p, 0, size, flags)               %p = phi [ … ], [ %next, %loop ]
//     %x = raw.ptr.buffer.load(%r, offset, scalar)     →      %r = <low word of %p, high word of %p, %rest>
//     %next = getelementptr %p, …                             %x = raw.buffer.load(%r, offset, scalar)
//
// The loop-carried address becomes the first two words of the descriptor and is advanced in place. LLVM 19
// would clear the stride's bits in each iteration, although an address never sets them, and would share the
// last two words among all buffers, at the cost of copies for each. An empty assembly text gives each
// descriptor words of its own.
//
// A first address that LLVM does not know to be the same in all lanes would stay in vector registers, and each load would be a loop over the
// lanes' addresses: it is read from the first lane. So is the address of a buffer that no loop counts on.
//
// Pointers of the lanes themselves (rows that are loaded) start from an empty assembly text: LLVM would take the sum of a row's address and a
// lane's column apart and add the column in each iteration, as if an address were a sum of two registers there.
//
// A scalar selected from two constants, as an offset from an address or as its advance, would be selected in
// a vector register and read from there in a loop over the lanes. So such constants come from an empty
// assembly text, too.
//
// test: tests/unit/test_buffers.c
#include "codegen/buffers.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chip/asm.h"
#include "support/map.h"

enum { RESOURCE_WORDS = 4 };

struct buffers {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef i32, i64, pair;
};

static bool is_call_of(LLVMValueRef value, const char *prefix) {
    size_t length;
    LLVMValueRef called = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return called && !strncmp(LLVMGetValueName2(called, &length), prefix, strlen(prefix));
}

// The predecessor of a single-block loop; NULL: the block is no such loop.
static LLVMBasicBlockRef entered_from(LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMIsAPHINode(LLVMGetFirstInstruction(block));
    if (!phi || LLVMCountIncoming(phi) != 2) {
        return NULL;
    }
    LLVMBasicBlockRef first = LLVMGetIncomingBlock(phi, 0), second = LLVMGetIncomingBlock(phi, 1);
    return first == block ? second : second == block ? first : NULL;
}

// The value as one that LLVM does not know, ahead of the loop.
static LLVMValueRef unknown(struct buffers *s, LLVMBasicBlockRef before, enum asm_id id, LLVMValueRef value) {
    const struct asm_row *row = &asm_table[id];
    LLVMTypeRef of = LLVMTypeOf(value), type = LLVMFunctionType(of, &of, 1, 0);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, row->text, strlen(row->text), row->constraints, strlen(row->constraints),
                         false, false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(before));
    return LLVMBuildCall2(s->b, type, nothing, &value, 1, "");
}

// The constant, in a scalar register of its own.
static LLVMValueRef in_register(struct buffers *s, LLVMBasicBlockRef before, LLVMValueRef constant) {
    return unknown(s, before, ASM_AMD_UNKNOWN_SCALAR, constant);
}

static LLVMValueRef describe(struct buffers *s, LLVMBasicBlockRef before, LLVMValueRef resource) {
    LLVMValueRef rest = LLVMGetPoison(s->pair);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef given = LLVMGetOperand(resource, 2 + i); // LLVM 22: the size has 64 bits
        LLVMValueRef word = in_register(s, before, LLVMConstInt(s->i32, LLVMConstIntGetZExtValue(given), 0));
        rest = LLVMBuildInsertElement(s->b, rest, word, LLVMConstInt(s->i32, i, 0), "");
    }
    LLVMPositionBuilderBefore(s->b, resource);
    LLVMValueRef address = LLVMBuildPtrToInt(s->b, LLVMGetOperand(resource, 0), s->i64, "");
    address = LLVMBuildBitCast(s->b, address, s->pair, "");
    LLVMValueRef places[RESOURCE_WORDS];
    for (unsigned i = 0; i < RESOURCE_WORDS; i++) {
        places[i] = LLVMConstInt(s->i32, i, 0);
    }
    return LLVMBuildShuffleVector(s->b, address, rest, LLVMConstVector(places, RESOURCE_WORDS), "");
}

// For a scalar `value` selected from two constants in the loop: puts both constants into registers ahead of
// the loop. A selection ahead of the loop is in a register already.
static void keep_scalar(struct buffers *s, LLVMBasicBlockRef block, LLVMBasicBlockRef before,
                        LLVMValueRef value) {
    LLVMValueRef select = LLVMIsASelectInst(value);
    bool inside = select && LLVMGetInstructionParent(select) == block;
    for (unsigned i = 1; inside && i <= 2; i++) {
        LLVMValueRef chosen = LLVMGetOperand(select, i);
        uint64_t number = LLVMIsAConstantInt(chosen) ? LLVMConstIntGetZExtValue(chosen) : 0;
        if (number && number <= UINT32_MAX) {
            LLVMValueRef word = in_register(s, before, LLVMConstInt(s->i32, number, 0));
            word = LLVMTypeOf(chosen) == s->i64 ? LLVMBuildZExt(s->b, word, s->i64, "") : word;
            LLVMSetOperand(select, i, word);
        }
    }
}

// The advance of the address in each iteration.
static LLVMValueRef step_of(LLVMBasicBlockRef block, LLVMValueRef phi) {
    unsigned last = LLVMGetIncomingBlock(phi, 0) == block ? 0 : 1;
    LLVMValueRef next = LLVMIsAGetElementPtrInst(LLVMGetIncomingValue(phi, last));
    return next ? LLVMGetOperand(next, 1) : phi;
}

// A pointer that is equal in all lanes, in scalar registers, whatever LLVM knows of it. (Where LLVM knows it, no instruction is left of this.)
static LLVMValueRef of_first_lane(struct buffers *s, LLVMValueRef ahead_of, LLVMValueRef pointer) {
    if (!LLVMIsAInstruction(pointer)) {
        return pointer;
    }
    static const char name[] = "llvm.amdgcn.readfirstlane";
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef first = LLVMGetIntrinsicDeclaration(s->module, id, &s->i32, 1);
    LLVMTypeRef call = LLVMIntrinsicGetType(s->context, id, &s->i32, 1);
    LLVMPositionBuilderBefore(s->b, ahead_of);
    LLVMValueRef words = LLVMBuildBitCast(s->b, LLVMBuildPtrToInt(s->b, pointer, s->i64, ""), s->pair, "");
    LLVMValueRef read = LLVMGetPoison(s->pair);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef at = LLVMConstInt(s->i32, i, 0), word = LLVMBuildExtractElement(s->b, words, at, "");
        read = LLVMBuildInsertElement(s->b, read, LLVMBuildCall2(s->b, call, first, &word, 1, ""), at, "");
    }
    return LLVMBuildIntToPtr(s->b, LLVMBuildBitCast(s->b, read, s->i64, ""), LLVMTypeOf(pointer), "");
}

static bool is_copy(LLVMValueRef load) {
    return is_call_of(load, "llvm.amdgcn.raw.ptr.buffer.load.lds");
}

// The access's statement on memory it does not touch stays true.
static void keep_metadata(struct buffers *s, LLVMValueRef from, LLVMValueRef to) {
    size_t count;
    LLVMValueMetadataEntry *all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);
        LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(all, i), LLVMMetadataAsValue(s->context, node));
    }
    LLVMDisposeValueMetadataEntries(all);
}

static void load_from(struct buffers *s, LLVMValueRef load, LLVMValueRef description) {
    enum { MOST_ARGUMENTS = 7 };
    LLVMTypeRef type = LLVMTypeOf(load);
    const char *name = is_copy(load) ? "llvm.amdgcn.raw.buffer.load.lds" : "llvm.amdgcn.raw.buffer.load";
    unsigned overloads = is_copy(load) ? 0 : 1, id = LLVMLookupIntrinsicID(name, strlen(name));
    unsigned count = LLVMGetNumArgOperands(load);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, &type, overloads);
    LLVMValueRef arguments[MOST_ARGUMENTS] = {description};
    for (unsigned i = 1; i < count; i++) {
        arguments[i] = LLVMGetArgOperand(load, i);
    }
    LLVMPositionBuilderBefore(s->b, load);
    LLVMValueRef made = LLVMBuildCall2(s->b, LLVMIntrinsicGetType(s->context, id, &type, overloads), function,
                                       arguments, count, "");
    keep_metadata(s, load, made);
    LLVMReplaceAllUsesWith(load, made);
    LLVMInstructionEraseFromParent(load);
}

enum { MOST_FOLLOWED = 256 };

// True if the value is found to be computed from the lane's number.
static bool is_of_lane(struct map *seen, size_t *followed, LLVMValueRef value) {
    if (is_call_of(value, "llvm.amdgcn.workitem.id.")) {
        return true;
    }
    if (!LLVMIsAInstruction(value) || map_has(seen, value) || ++*followed > MOST_FOLLOWED) {
        return false;
    }
    map_put(seen, value, value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (is_of_lane(seen, followed, LLVMGetOperand(value, (unsigned)i))) {
            return true;
        }
    }
    return false;
}

static bool is_loaded_from(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        if (LLVMIsALoadInst(LLVMGetUser(use))) {
            return true;
        }
    }
    return false;
}

// Hides from LLVM how the lanes' own pointers, which the loop counts on, are computed ahead of it.
static void count_on_lanes(struct buffers *s, LLVMBasicBlockRef block, LLVMBasicBlockRef before) {
    enum { SPACE_GLOBAL = 1 };
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMTypeRef type = LLVMTypeOf(phi);
        if (LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
            LLVMGetPointerAddressSpace(type) != SPACE_GLOBAL || !is_loaded_from(phi)) {
            continue;
        }
        unsigned first = LLVMGetIncomingBlock(phi, 0) == block ? 1 : 0;
        LLVMValueRef from = LLVMGetIncomingValue(phi, first);
        struct map seen = {0};
        size_t followed = 0;
        if (is_of_lane(&seen, &followed, from)) {
            LLVMSetOperand(phi, first, unknown(s, before, ASM_AMD_UNKNOWN, from));
        }
        map_free(&seen);
    }
}

static bool is_counted_on(LLVMBasicBlockRef block, LLVMValueRef resource) {
    LLVMValueRef phi = LLVMIsAPHINode(LLVMGetOperand(resource, 0));
    bool plain = phi && LLVMGetInstructionParent(phi) == block;
    for (LLVMUseRef use = LLVMGetFirstUse(resource); use && plain; use = LLVMGetNextUse(use)) {
        plain = is_call_of(LLVMGetUser(use), "llvm.amdgcn.raw.ptr.buffer.load.");
    }
    return plain;
}

static void count_on(struct buffers *s, LLVMBasicBlockRef block, LLVMBasicBlockRef before) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_call_of(i, "llvm.amdgcn.make.buffer.rsrc.") || !is_counted_on(block, i)) {
            continue;
        }
        LLVMValueRef phi = LLVMGetOperand(i, 0);
        unsigned first = LLVMGetIncomingBlock(phi, 0) == block ? 1 : 0;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(before);
        LLVMSetOperand(phi, first, of_first_lane(s, end, LLVMGetIncomingValue(phi, first)));
        keep_scalar(s, block, before, step_of(block, phi));
        LLVMValueRef description = describe(s, before, i);
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetFirstUse(i)) {
            LLVMValueRef load = LLVMGetUser(use);
            keep_scalar(s, block, before, LLVMGetOperand(load, is_copy(load) ? 4 : 2));
            next = next == load ? LLVMGetNextInstruction(load) : next;
            load_from(s, load, description);
        }
        LLVMInstructionEraseFromParent(i);
    }
}

// Reads the addresses of the block's buffers that no loop counts on from the first lane.
static void keep_others_scalar(struct buffers *s, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_call_of(i, "llvm.amdgcn.make.buffer.rsrc.")) {
            LLVMSetOperand(i, 0, of_first_lane(s, i, LLVMGetOperand(i, 0)));
        }
    }
}

void buffers_count_on(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct buffers s = {.module = module,
                        .context = context,
                        .b = LLVMCreateBuilderInContext(context),
                        .i32 = LLVMInt32TypeInContext(context),
                        .i64 = LLVMInt64TypeInContext(context)};
    s.pair = LLVMVectorType(s.i32, 2);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMBasicBlockRef before = entered_from(b);
            if (before) {
                count_on(&s, b, before);
                count_on_lanes(&s, b, before);
            }
            keep_others_scalar(&s, b);
        }
    }
    LLVMDisposeBuilder(s.b);
}
