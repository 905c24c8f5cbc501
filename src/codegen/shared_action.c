// The effect of an LLVM instruction on shared memory and on the order of accesses: loads and stores,
// intrinsics by name, inline assembly by its text.
#include "codegen/shared_action.h"

#include <stdlib.h>
#include <string.h>

#include "chip/sync_scope.h"

enum { SPACE_SHARED = 3 };

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_shared(LLVMValueRef pointer) {
    LLVMTypeRef type = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == SPACE_SHARED;
}

// "… [$0], [$1], 16, $2": the number after the last bracket.
static unsigned copied_bytes(const char *text) {
    const char *bracket = strrchr(text, ']');
    return bracket ? (unsigned)strtoul(bracket + 1 + strspn(bracket + 1, ", "), NULL, 10) : 0;
}

static unsigned stored_bytes(const char *text) {
    unsigned vector = strstr(text, ".v4") ? 4 : strstr(text, ".v2") ? 2 : 1;
    return vector * (strstr(text, ".b8") ? 1 : strstr(text, ".b16") ? 2 : 4);
}

static struct shared_action assembly(LLVMValueRef call, const char *text) {
    static const char *const foreign[] = {"mbarrier", "wgmma",  "bulk",      "bar.",
                                          "barrier",  "shared", "setmaxnreg"};
    struct shared_action action = {0};
    unsigned arguments = LLVMGetNumArgOperands(call), predicate = 0;
    if (text[0] == '@') { // "@$3 …"
        predicate = (unsigned)strtoul(text + 2, NULL, 10);
        text += strcspn(text, " ") + 1;
    }
    if (predicate && predicate < arguments) {
        action.predicate = LLVMGetArgOperand(call, predicate);
    }
    if (starts(text, "cp.async.c") && strstr(text, ".shared.global") && arguments > 0) {
        action.effect = TOUCH_COPY;
        action.bytes = copied_bytes(text);
    } else if (starts(text, "cp.async.commit_group")) {
        action.commits = true;
    } else if (starts(text, "cp.async.wait_group")) {
        action.waits = true;
        action.groups = (unsigned)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 0));
    } else if (starts(text, "st.shared")) {
        action.effect = TOUCH_WRITE;
        action.bytes = stored_bytes(text);
    } else if (starts(text, "red.shared.add.u32")) {
        action.effect = TOUCH_ATOMIC;
        action.bytes = 4;
    } else if (starts(text, "stmatrix")) {
        action.effect = TOUCH_WRITE;
        action.bytes = 16;
    } else {
        for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
            action.unknown = strstr(text, foreign[i]) ? foreign[i] : action.unknown;
        }
    }
    action.address = action.effect ? LLVMGetArgOperand(call, 0) : NULL;
    return action;
}

// llvm.amdgcn.raw[.ptr].buffer.load.lds(resource, target, bytes, …), global.load.lds(source, target, bytes, …): each instruction is a group.
static struct shared_action copy_to_lds(LLVMValueRef call) {
    return (struct shared_action){.effect = TOUCH_COPY,
                                  .commits = true,
                                  .lane_by_lane = true,
                                  .address = LLVMGetArgOperand(call, 1),
                                  .bytes = (unsigned)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 2))};
}

// llvm.amdgcn.s.waitcnt, of gfx9: vmcnt is bits 0 to 3, 14 and 15. Its other counts let it end later.
static struct shared_action wait_count(LLVMValueRef call) {
    unsigned bits = (unsigned)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 0));
    return (struct shared_action){.waits = true, .groups = (bits & 15) | (bits >> 14 & 3) << 4};
}

static struct shared_action called(LLVMValueRef call, bool one_warp) {
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    struct shared_action action = {0};
    if (LLVMIsAInlineAsm(callee)) {
        return assembly(call, LLVMGetInlineAsmAsmString(callee, &length));
    }
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    if (starts(name, "llvm.nvvm.barrier0") || starts(name, "llvm.nvvm.barrier.cta.sync.aligned.all") ||
        starts(name, "llvm.amdgcn.s.barrier") || (one_warp && starts(name, "llvm.nvvm.bar.warp.sync"))) {
        action.meets = true;
    } else if (starts(name, "llvm.nvvm.bar.warp.sync")) {
        action.fences_warp = action.meets_in_warp = true;
    } else if (starts(name, "llvm.amdgcn.wave.barrier")) {
        action.meets_in_warp = true;
    } else if (starts(name, "llvm.nvvm.ldmatrix.")) {
        action.effect = TOUCH_READ;
        action.address = LLVMGetArgOperand(call, 0);
        action.bytes = 16;
    } else if (starts(name, "llvm.amdgcn.ds.read.tr")) { // lanes read at their own addresses, then exchange
        action.effect = TOUCH_READ;
        action.address = LLVMGetArgOperand(call, 0);
        action.bytes = 8;
    } else if (starts(name, "llvm.amdgcn.global.load.lds") ||
               starts(name, "llvm.amdgcn.raw.ptr.buffer.load.lds") ||
               starts(name, "llvm.amdgcn.raw.buffer.load.lds")) {
        return copy_to_lds(call);
    } else if (starts(name, "llvm.amdgcn.s.waitcnt")) {
        return wait_count(call);
    } else {
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
            action.unknown = is_shared(LLVMGetArgOperand(call, i)) ? "a call" : action.unknown;
        }
    }
    return action;
}

static struct shared_action fence(LLVMValueRef instruction) {
    LLVMAtomicOrdering ordering = LLVMGetOrdering(instruction);
    char scope[SYNC_SCOPE_NAME];
    sync_scope_name(instruction, scope);
    bool of_warp = !strcmp(scope, "wavefront");
    return (struct shared_action){.fences_warp = true,
                                  .releases = !of_warp && ordering != LLVMAtomicOrderingAcquire,
                                  .acquires = !of_warp && ordering != LLVMAtomicOrderingRelease};
}

struct shared_action shared_action_of(LLVMValueRef instruction, LLVMTargetDataRef layout, bool one_warp) {
    struct shared_action action = {0};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMCall) {
        return called(instruction, one_warp);
    }
    if (opcode == LLVMFence) {
        return fence(instruction);
    }
    bool stores = opcode == LLVMStore;
    bool atomic = opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg;
    if (opcode != LLVMLoad && !stores && !atomic) {
        return action;
    }
    LLVMValueRef address = LLVMGetOperand(instruction, stores ? 1 : 0);
    if (is_shared(address)) {
        action.effect = stores ? TOUCH_WRITE : atomic ? TOUCH_ATOMIC : TOUCH_READ;
        action.address = address;
        action.bytes = (unsigned)LLVMStoreSizeOfType(
            layout, opcode == LLVMLoad ? LLVMTypeOf(instruction)
                                       : LLVMTypeOf(LLVMGetOperand(instruction, stores ? 0 : 1)));
    }
    return action;
}
