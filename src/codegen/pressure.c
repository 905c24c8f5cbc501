// NVIDIA: allows a kernel whose register pressure exceeds a thread's limit to use all registers.
//
// If values must spill anyway, ptxas may choose few registers: 32 of 255 for a block of 64 threads, so that
// more blocks fit on a multiprocessor; each then waits for memory at every step (sixteen times as slow, seen
// in CUDA 12.8 and 13.0). With at least one block a multiprocessor (.minnctapersm 1) ptxas uses all
// registers. Kernels that fit are left alone: ptxas balances registers and blocks well for them.
//
// Loops without matrix products that load many registers in each iteration also state the number of blocks
// that fit. By default ptxas may use few registers there and load into the same ones again: a row's maximum
// of 8 loads a step waited for each of them in turn. With any number it keeps the order of the loads.
//
// So do kernels whose threads scan runs of many elements by long combinations, if their registers leave room for few warps: each waits
// for its chain, so that one block more takes 0.89 of the time (three scans of 16 elements a thread, 136 registers, an H200). With 80
// registers the bound costs 1.05.
//
// A live range goes from a definition to the last use; if the value enters a loop and is used there, to the
// loop's end. A loop is a run of blocks from the target of a backward branch to the branch: lowering lays
// blocks out in program order.
#include "codegen/pressure.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chip/launch_bounds.h"
#include "chip/registers.h"
#include "support/map.h"
#include "support/memory.h"

struct loop {
    size_t begin, end; // of its instructions
};

struct function_places {
    struct map of; // block or instruction → its place, from 1; a block's is its first instruction's
    size_t count;
    struct loop *loops; // sorted by their ends
    size_t loop_count;
    int *change;        // in the number of live registers, from one place to the next
    struct map targets; // arithmetic → the one instruction in need of it (find_targets)
};

static size_t place_of(const struct function_places *places, LLVMValueRef value) {
    return (size_t)(uintptr_t)map_get(&places->of, value);
}

static unsigned bits_of(LLVMTypeRef type) {
    unsigned bits = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 1 ? 0 : (LLVMGetIntTypeWidth(type) + 31) / 32 * 32;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 64;
    case LLVMVectorTypeKind:
        return bits_of(LLVMGetElementType(type)) * LLVMGetVectorSize(type);
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            bits += bits_of(LLVMStructGetTypeAtIndex(type, i));
        }
        return bits;
    default:
        return 0;
    }
}

static void number(struct function_places *places, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(&places->of, b, (void *)(uintptr_t)(places->count + 1));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            map_put(&places->of, i, (void *)(uintptr_t)++places->count);
        }
    }
}

static void find_loops(struct function_places *places, LLVMValueRef function) {
    places->loops = memory_zeroed(LLVMCountBasicBlocks(function) * 2, sizeof *places->loops);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        size_t end = place_of(places, last);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(last) && s < 2; s++) {
            size_t begin = (size_t)(uintptr_t)map_get(&places->of, LLVMGetSuccessor(last, s));
            if (begin <= end) {
                places->loops[places->loop_count++] = (struct loop){begin, end};
            }
        }
    }
}

// Arithmetic for one load, store or call of the same block: its address, its mask. ptxas can do it right before that, whatever the
// order of the code: an iteration of 32 gathers has the addresses of all of them ahead of the first.
static LLVMValueRef target_of(const struct function_places *places, LLVMValueRef value) {
    LLVMValueRef target = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), own = (LLVMValueRef)map_get(&places->targets, user);
        bool calls = LLVMIsACallInst(user) || LLVMIsALoadInst(user) || LLVMIsAStoreInst(user);
        own = own ? own : calls ? user : NULL;
        if (!own || (target && own != target) ||
            LLVMGetInstructionParent(own) != LLVMGetInstructionParent(value)) {
            return NULL;
        }
        target = own;
    }
    return target;
}

static void find_targets(struct function_places *places, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
            bool computes = LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAGetElementPtrInst(i) ||
                            LLVMIsACmpInst(i) || LLVMIsASelectInst(i);
            LLVMValueRef target = computes ? target_of(places, i) : NULL;
            if (target) {
                map_put(&places->targets, i, target);
            }
        }
    }
}

// The place of a use; for a phi, the end of the incoming block.
static size_t place_of_use(const struct function_places *places, LLVMUseRef use, LLVMValueRef value) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAPHINode(user)) {
        LLVMValueRef target = (LLVMValueRef)map_get(&places->targets, user);
        return place_of(places, target ? target : user);
    }
    size_t last = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
        if (LLVMGetIncomingValue(user, i) == value) {
            size_t at = place_of(places, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i)));
            last = at > last ? at : last;
        }
    }
    return last;
}

static void live(struct function_places *places, LLVMValueRef value) {
    int registers = map_has(&places->targets, value) ? 0 : (int)(bits_of(LLVMTypeOf(value)) / 32);
    size_t begin = place_of(places, value), end = begin;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && registers; use = LLVMGetNextUse(use)) {
        size_t at = place_of_use(places, use, value);
        end = at > end ? at : end;
    }
    for (size_t n = 0; n < places->loop_count; n++) {
        const struct loop *loop = &places->loops[n];
        end = begin < loop->begin && end >= loop->begin && end < loop->end ? loop->end : end;
    }
    places->change[begin] += end > begin ? registers : 0;
    places->change[end] -= end > begin ? registers : 0;
}

// True for an instruction no arithmetic may cross: it accesses memory, synchronises threads, or ends a
// block.
static bool stands_still(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(instruction);
        if (LLVMIsAInlineAsm(callee)) {
            return LLVMGetInlineAsmHasSideEffects(callee);
        }
        unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
        return LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, convergent) != NULL;
    }
    default:
        return LLVMIsATerminatorInst(instruction) != NULL;
    }
}

static unsigned most_live(LLVMValueRef function, bool in_any_order, bool late) {
    struct function_places places = {0};
    number(&places, function);
    find_loops(&places, function);
    if (late) {
        find_targets(&places, function);
    }
    places.change = memory_zeroed(places.count + 1, sizeof *places.change);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            live(&places, i);
        }
    }
    int taken = 0, most = 0;
    size_t at = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            taken += places.change[++at];
            most = taken > most && (!in_any_order || stands_still(i)) ? taken : most;
        }
    }
    map_free(&places.of);
    map_free(&places.targets);
    free(places.loops);
    free(places.change);
    return (unsigned)most;
}

unsigned pressure_of(LLVMValueRef function, bool in_any_order) {
    return most_live(function, in_any_order, false);
}

// ---- loads of loops ----

enum { MANY_LOADED = 24 }; // registers; with 16 as many kernels lose blocks as gain loads

static bool holds(const char *text, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++) {
        if (memcmp(text + i, word, size) == 0) {
            return true;
        }
    }
    return false;
}

// Adds the registers loaded from global memory by the instruction. False if it is a matrix product or a copy
// to shared memory.
static bool add_loaded(LLVMValueRef instruction, unsigned *registers) {
    if (LLVMGetInstructionOpcode(instruction) == LLVMLoad) {
        bool global = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == 1;
        *registers += global ? bits_of(LLVMTypeOf(instruction)) / 32 : 0;
        return true;
    }
    if (LLVMGetInstructionOpcode(instruction) != LLVMCall) {
        return true;
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    size_t length = 0;
    const char *text = LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length)
                                                : LLVMGetValueName2(callee, &length);
    *registers += holds(text, length, "ld.global") ? bits_of(LLVMTypeOf(instruction)) / 32 : 0;
    return !holds(text, length, "mma") && !holds(text, length, "cp.async");
}

static bool is_inside(const struct function_places *places, size_t loop, LLVMBasicBlockRef block) {
    size_t at = (size_t)(uintptr_t)map_get(&places->of, block);
    return at >= places->loops[loop].begin && at <= places->loops[loop].end;
}

static bool is_in_loop(const struct function_places *places, LLVMBasicBlockRef block) {
    bool inside = false;
    for (size_t n = 0; n < places->loop_count && !inside; n++) {
        inside = is_inside(places, n, block);
    }
    return inside;
}

// The most registers loaded by the blocks of one loop in an iteration. 0 for a kernel with other demands:
// matrix products, or many loads outside of loops, for which more blocks may be better.
static unsigned loaded_in_a_step(LLVMValueRef function) {
    enum { MOST_LOOPS = 16 }; // each is walked
    struct function_places places = {0};
    number(&places, function);
    find_loops(&places, function);
    unsigned outside = 0, most = 0, loaded[MOST_LOOPS] = {0};
    bool plain = places.loop_count <= MOST_LOOPS;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && plain; b = LLVMGetNextBasicBlock(b)) {
        unsigned registers = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && plain; i = LLVMGetNextInstruction(i)) {
            bool loads = add_loaded(i, &registers);
            plain = loads || !is_in_loop(&places, b);
        }
        for (size_t n = 0; n < places.loop_count; n++) {
            loaded[n] += is_inside(&places, n, b) ? registers : 0;
            most = loaded[n] > most ? loaded[n] : most;
        }
        outside += is_in_loop(&places, b) ? 0 : registers;
    }
    map_free(&places.of);
    free(places.loops);
    return plain && outside < MANY_LOADED ? most : 0;
}

static bool multiplies(LLVMValueRef function) {
    unsigned registers = 0;
    bool found = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !found; i = LLVMGetNextInstruction(i)) {
            found = !add_loaded(i, &registers);
        }
    }
    return found;
}

// True if no order of its arithmetic leaves the function registers to spare, or if its loads would be
// serialised.
static bool fills(const struct target *target, LLVMValueRef function, unsigned pressure) {
    unsigned most = target->registers_per_thread, room = registers_reserved(RESERVE_ANY_ORDER);
    return pressure > most && (most_live(function, true, multiplies(function)) + room > most ||
                               loaded_in_a_step(function) >= MANY_LOADED);
}

// The number of blocks a multiprocessor has registers for, with some to spare; 0: no bound is worth stating.
static unsigned blocks_of(const struct target *target, LLVMValueRef function, unsigned pressure,
                          unsigned threads) {
    enum { MOST = 160, FEWEST = 64, FEWEST_OF_SCANS = 96 };
    if (threads == 0 || pressure > MOST) {
        return 0;
    }
    if (launch_scans_runs(function)) { // a few spilled registers cost less than a block
        unsigned blocks =
            registers_blocks(target, threads / target->warp_size, registers_rounded_up(pressure));
        return pressure > FEWEST_OF_SCANS ? blocks + 1 : 0;
    }
    if (loaded_in_a_step(function) < MANY_LOADED) {
        return 0;
    }
    unsigned each =
        registers_rounded_up(pressure_of(function, true) + registers_reserved(RESERVE_BLOCKS_OF_LOADS));
    return registers_blocks(target, threads / target->warp_size, each > FEWEST ? each : FEWEST);
}

// True if the source, or a pass, has bounded the kernel's registers.
static bool is_limited(LLVMValueRef function) {
    return launch_bound(function, BOUND_REGISTERS) || launch_bound(function, BOUND_BLOCKS);
}

void pressure_claim_registers(LLVMModuleRef module, const struct target *target) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || is_limited(f)) {
            continue;
        }
        unsigned pressure = pressure_of(f, false), threads = launch_bound(f, BOUND_THREADS);
        unsigned blocks = fills(target, f, pressure) ? 1 : blocks_of(target, f, pressure, threads);
        if (blocks) {
            launch_bound_set(f, BOUND_BLOCKS, blocks);
        }
    }
}
