// Operands of a loop's products that the loop does not change wait in scratch memory (RDNA).
//
//   %q = fragment                                 %q = fragment
//                                                 store %q, %scratch
//   loop:                                  →      loop:
//     %s = wmma(%k, %q, 0)                          %a = load %scratch
//     %t = wmma(%l, %q, 0)                          %s = wmma(%k, %a, 0)
//                                                   %t = wmma(%l, %a, 0)
//
// The queries of attention with heads of 256 fill 128 registers of a thread, its sums 128 others. LLVM's register allocator then spills
// what it comes to, most of it in each step: 170 stores and 202 reads of 16 bytes beside 128 products. Fragments that wait cost one read a
// step, once for all products of a block that take it, and leave the registers to the rest.
//
// A loop is a run of blocks from the target of a backward branch to the branch: lowering lays blocks out in program order. The base
// of the fragments' memory is opaque, or LLVM would read them once, ahead of the loop.
//
// requires: the module as it is emitted. Scratch memory counts as spills (spills.c): the step is for kernels that spill more.
// test:     tests/unit/test_park.c
#include "codegen/park.h"

#include <stdint.h>
#include <stdlib.h>

#include <llvm-c/Analysis.h>

#include "codegen/wmma.h"
#include "support/bug.h"
#include "support/map.h"
#include "support/memory.h"

enum { BYTES_OF_REGISTER = 4 };

struct park {
    LLVMBuilderRef builder;
    struct map order;        // block → its number + 1
    struct map in_loop;      // block of a loop → the number + 1 of its innermost loop's first block
    struct map places;       // fragment → its place in bytes + 1
    LLVMValueRef *fragments; // one of those that are the same
    size_t count, capacity;
    unsigned bytes;
    LLVMValueRef base; // of the scratch memory
};

static unsigned bytes_of(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return 0;
    }
    LLVMTypeRef element = LLVMGetElementType(type);
    bool integer = LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
    unsigned bits = integer                                         ? LLVMGetIntTypeWidth(element)
                    : LLVMGetTypeKind(element) == LLVMFloatTypeKind ? 32
                                                                    : 16;
    return LLVMGetVectorSize(type) * bits / 8;
}

static uintptr_t number_of(const struct map *map, LLVMValueRef instruction) {
    return (uintptr_t)map_get(map, LLVMGetInstructionParent(instruction));
}

// Numbers the blocks, and those of loops by the loops around them.
static void number_blocks(struct park *p, LLVMValueRef function) {
    uintptr_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(&p->order, b, (void *)++count);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        uintptr_t latch = (uintptr_t)map_get(&p->order, b);
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef header = LLVMGetSuccessor(end, i);
            uintptr_t first = (uintptr_t)map_get(&p->order, header);
            for (LLVMBasicBlockRef in = header;
                 in && first <= latch && (uintptr_t)map_get(&p->order, in) <= latch;
                 in = LLVMGetNextBasicBlock(in)) {
                uintptr_t known = (uintptr_t)map_get(&p->in_loop, in);
                // Of nested loops the inner one: what the outer one changes is stored in each of its steps.
                if (!known || known < first) {
                    map_put(&p->in_loop, in, (void *)first);
                }
            }
        }
    }
}

// True if the operand is the same in all steps of the product's loop.
static bool is_kept(const struct park *p, LLVMValueRef product, LLVMValueRef operand) {
    uintptr_t loop = number_of(&p->in_loop, product);
    return loop && LLVMIsAInstruction(operand) && bytes_of(operand) >= 4 * BYTES_OF_REGISTER &&
           number_of(&p->order, operand) < loop;
}

// Instructions that put a fragment together: each loop may have its own of the same parts.
static bool joins(LLVMValueRef value) {
    return LLVMIsABitCastInst(value) || LLVMIsAShuffleVectorInst(value) || LLVMIsAInsertElementInst(value);
}

static bool is_same_mask(LLVMValueRef a, LLVMValueRef b) {
    unsigned count = LLVMGetNumMaskElements(a);
    bool same = count == LLVMGetNumMaskElements(b);
    for (unsigned i = 0; i < count && same; i++) {
        same = LLVMGetMaskValue(a, i) == LLVMGetMaskValue(b, i);
    }
    return same;
}

enum { DEEPEST = 20 };

static bool is_same(LLVMValueRef a, LLVMValueRef b, unsigned depth) {
    if (a == b) {
        return true;
    }
    if (depth == DEEPEST || LLVMTypeOf(a) != LLVMTypeOf(b) || !LLVMIsAInstruction(a) ||
        !LLVMIsAInstruction(b) || !joins(a) || LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        (LLVMIsAShuffleVectorInst(a) && !is_same_mask(a, b))) {
        return false;
    }
    bool same = true;
    for (unsigned i = (unsigned)LLVMGetNumOperands(a); i-- > 0 && same;) {
        same = is_same(LLVMGetOperand(a, i), LLVMGetOperand(b, i), depth + 1);
    }
    return same;
}

static void add_fragment(struct park *p, LLVMValueRef value) {
    unsigned place = p->bytes;
    bool known = false;
    for (size_t i = 0; i < p->count && !known; i++) {
        known = is_same(p->fragments[i], value, 0);
        place = known ? (unsigned)(uintptr_t)map_get(&p->places, p->fragments[i]) - 1 : place;
    }
    map_put(&p->places, value, (void *)(uintptr_t)(place + 1));
    if (!known) {
        p->fragments = memory_grown(p->fragments, p->count, &p->capacity, sizeof(LLVMValueRef));
        p->fragments[p->count++] = value;
        p->bytes += bytes_of(value);
    }
}

static void find_fragments(struct park *p, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            for (unsigned o = 0; is_wmma(i) && o < LLVMGetNumArgOperands(i); o++) {
                LLVMValueRef operand = LLVMGetArgOperand(i, o);
                if (!is_wmma(operand) && is_kept(p, i, operand) && !map_has(&p->places, operand)) {
                    add_fragment(p, operand);
                }
            }
        }
    }
}

// The address of scratch memory for all fragments, at the function's start.
static void make_base(struct park *p, LLVMValueRef function) {
    static const char constraints[] = "=s,0";
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef memory = LLVMBuildAlloca(p->builder, LLVMArrayType2(word, p->bytes / BYTES_OF_REGISTER), "");
    LLVMSetAlignment(memory, 16);
    LLVMTypeRef pointer = LLVMTypeOf(memory), type = LLVMFunctionType(pointer, &pointer, 1, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, false, false,
                                            LLVMInlineAsmDialectATT, false);
    p->base = LLVMBuildCall2(p->builder, type, nothing, &memory, 1, "");
}

static LLVMValueRef address_of(struct park *p, LLVMValueRef fragment) {
    uintptr_t place = (uintptr_t)map_get(&p->places, fragment) - 1;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(fragment));
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(context), place, 0);
    return LLVMBuildGEP2(p->builder, LLVMInt8TypeInContext(context), p->base, &at, 1, "");
}

// The later one of two instructions, of which one dominates the other.
static LLVMValueRef later(const struct park *p, LLVMValueRef a, LLVMValueRef b) {
    uintptr_t of_a = a ? number_of(&p->order, a) : 0, of_b = number_of(&p->order, b);
    if (of_a != of_b) {
        return of_a > of_b ? a : b;
    }
    for (LLVMValueRef i = a; i; i = LLVMGetNextInstruction(i)) {
        if (i == b) {
            return b;
        }
    }
    return a;
}

// The last one of the parts that a fragment is put together from.
static LLVMValueRef last_part(const struct park *p, LLVMValueRef value, unsigned depth) {
    if (depth == DEEPEST || !joins(value)) {
        return value;
    }
    LLVMValueRef last = NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        last = LLVMIsAInstruction(operand) ? later(p, last, last_part(p, operand, depth + 1)) : last;
    }
    return last ? last : value;
}

// The instruction behind another one, and behind its block's phis.
static LLVMValueRef next_of(LLVMValueRef instruction) {
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    while (LLVMIsAPHINode(next)) {
        next = LLVMGetNextInstruction(next);
    }
    return next;
}

// Moves up what puts the fragment together, behind an instruction; what stands ahead of that may have other readers there. Returns the last one moved.
static LLVMValueRef move_behind(struct park *p, LLVMValueRef value, LLVMValueRef last, unsigned depth) {
    if (depth == DEEPEST || !joins(value) || later(p, last, value) == last) {
        return last;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        last = move_behind(p, LLVMGetOperand(value, i), last, depth + 1);
    }
    LLVMInstructionRemoveFromParent(value);
    LLVMPositionBuilderBefore(p->builder, next_of(last));
    LLVMInsertIntoBuilder(p->builder, value);
    return value;
}

// Right behind the last of its parts, which then do not live on for the loops.
static void store(struct park *p, LLVMValueRef fragment) {
    LLVMValueRef last = move_behind(p, fragment, last_part(p, fragment, 0), 0);
    LLVMPositionBuilderBefore(p->builder, next_of(last));
    LLVMSetAlignment(LLVMBuildStore(p->builder, fragment, address_of(p, fragment)), 16);
}

static void read_in_block(struct park *p, LLVMBasicBlockRef block) {
    struct map copies = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        for (unsigned o = 0; is_wmma(i) && o < LLVMGetNumArgOperands(i); o++) {
            LLVMValueRef operand = LLVMGetArgOperand(i, o), copy = map_get(&copies, operand);
            if (!map_has(&p->places, operand) || LLVMGetInstructionParent(operand) == block) {
                continue;
            }
            if (!copy) {
                LLVMPositionBuilderBefore(p->builder, i);
                copy = LLVMBuildLoad2(p->builder, LLVMTypeOf(operand), address_of(p, operand), "");
                LLVMSetAlignment(copy, 16);
                map_put(&copies, operand, copy);
            }
            LLVMSetOperand(i, o, copy);
        }
    }
    map_free(&copies);
}

static void park_in_function(struct park *p, LLVMValueRef function) {
    make_base(p, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        read_in_block(p, b);
    }
    for (size_t i = 0; i < p->count; i++) {
        store(p, p->fragments[i]);
    }
    if (LLVMVerifyFunction(function, LLVMReturnStatusAction)) {
        bug("a parked fragment is put together ahead of its parts");
    }
}

// The bytes of the function's fragments. With `parks` they are parked.
static unsigned walk(LLVMValueRef function, bool parks) {
    struct park p = {.builder =
                         LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)))};
    number_blocks(&p, function);
    find_fragments(&p, function);
    if (p.bytes && parks) {
        park_in_function(&p, function);
    }
    LLVMDisposeBuilder(p.builder);
    map_free(&p.order);
    map_free(&p.in_loop);
    map_free(&p.places);
    free(p.fragments);
    return p.bytes;
}

bool park_fragments(LLVMModuleRef module) {
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        any |= walk(f, true) > 0;
    }
    return any;
}

unsigned park_registers(LLVMValueRef function) {
    return walk(function, false) / BYTES_OF_REGISTER;
}
