// AMD: kernel attributes, workgroup ids, LDS barriers and cross-lane moves of AMDGCN.
#include <stdio.h>
#include <string.h>

#include "chip/llvm.h"
#include "lower/lower_internal.h"

enum {
    CALL_AMDGPU_KERNEL = 91, // llvm::CallingConv::AMDGPU_KERNEL
    // DPP controls (AMD ISA documents, "Data Parallel Processing"): permutations within rows of 16 lanes.
    DPP_QUAD_XOR1 = 0xB1,
    DPP_QUAD_XOR2 = 0x4E,
    DPP_QUAD_XOR3 = 0x1B,
    DPP_ROW_ROTATE_8 = 0x128,
    DPP_ROW_MIRROR = 0x140,
    DPP_ROW_HALF_MIRROR = 0x141,
};

static void attribute(struct lowering *l, const char *name, const char *value) {
    LLVMAttributeRef made =
        LLVMCreateStringAttribute(l->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(l->function, LLVMAttributeFunctionIndex, made);
}

static void kernel(struct lowering *l) {
    LLVMSetFunctionCallConv(l->function, CALL_AMDGPU_KERNEL);
    char range[32];
    unsigned threads = l->num_warps * l->target->warp_size;
    snprintf(range, sizeof range, "%u,%u", threads, threads);
    attribute(l, "amdgpu-flat-work-group-size", range);
    attribute(l, "uniform-work-group-size", "true");
    attribute(l, "amdgpu-unsafe-fp-atomics", "true"); // for LLVM 19; LLVM 22: lower_atomic.c
    attribute(l, "amdgpu-no-workitem-id-y", "");
    attribute(l, "amdgpu-no-workitem-id-z", "");
    attribute(l, "amdgpu-no-dispatch-ptr", "");
    attribute(l, "amdgpu-no-queue-ptr", "");
    attribute(l, "amdgpu-no-dispatch-id", "");
    attribute(l, "amdgpu-no-hostcall-ptr", "");
    attribute(l, "amdgpu-no-heap-ptr", "");
    attribute(l, "amdgpu-no-multigrid-sync-arg", "");
    attribute(l, "amdgpu-no-default-queue", "");
    attribute(l, "amdgpu-no-completion-action", "");
    attribute(l, "amdgpu-no-lds-kernel-id", "");
    if (LLVM_AT_LEAST(22)) { // LLVM 19 infers it
        attribute(l, "amdgpu-no-flat-scratch-init", "");
    }
    // On gfx908 MFMA accumulators exist only in AGPRs.
    if (!target_has(l->target, FEATURE(MFMA_BF16_GFX908))) {
        if (LLVM_AT_LEAST(22)) {
            attribute(l, "amdgpu-agpr-alloc", "0");
        } else {
            attribute(l, "amdgpu-no-agpr", "");
        }
    }
    if (target_has(l->target,
                   FEATURE(WMMA_GFX1250))) { // LLVM would use 1,024, by a mode that the emulator lacks
        char most[16];
        snprintf(most, sizeof most, "%u", l->target->registers_per_thread);
        attribute(l, "amdgpu-num-vgpr", most);
        attribute(l, "amdgpu-cluster-dims", "0,0,0"); // launched without clusters
    }
    attribute(l, "target-cpu", l->target->cpu);
}

// ---- gfx950: LLVM's waits for copies to LDS ----

static bool is_shared_pointer(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == SPACE_SHARED;
}

static bool is_copy(LLVMValueRef instruction) {
    size_t length;
    LLVMValueRef called =
        LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
    const char *name = called ? LLVMGetValueName2(called, &length) : "";
    return !strncmp(name, "llvm.amdgcn.raw.ptr.buffer.load.lds", 35) ||
           !strncmp(name, "llvm.amdgcn.global.load.lds", 27);
}

static bool touches_shared(LLVMValueRef instruction) {
    bool touches = false;
    if (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction) || LLVMIsACallInst(instruction) ||
        LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction)) {
        for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
            touches |= is_shared_pointer(LLVMGetOperand(instruction, (unsigned)i));
        }
    }
    return touches;
}

// A list with one scope of one domain, each named by itself.
static LLVMValueRef scope_of_copies(struct lowering *l) {
    static const char name[] = "copies to LDS";
    LLVMMetadataRef text = LLVMMDStringInContext2(l->context, name, sizeof name - 1);
    LLVMMetadataRef domain = LLVMMDNodeInContext2(l->context, &text, 1);
    LLVMMetadataRef members[] = {text, domain}, scope = LLVMMDNodeInContext2(l->context, members, 2);
    return LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, &scope, 1));
}

// LLVM would wait for all copies ahead of any access to LDS unless metadata says that they are apart. Between two barriers they are: a slot
// is read behind the wait for its copies and a barrier, and no fence lets an access pass.
static void tell_copies_apart(struct lowering *l) {
    bool any = false;
    for (int round = 0; round < 2 && (round == 0 || any); round++) {
        LLVMValueRef scope = round ? scope_of_copies(l) : NULL;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                any |= is_copy(i);
                if (round && touches_shared(i)) {
                    const char *kind = is_copy(i) ? "alias.scope" : "noalias";
                    LLVMSetMetadata(i, LLVMGetMDKindIDInContext(l->context, kind, (unsigned)strlen(kind)),
                                    scope);
                }
            }
        }
    }
}

// Without this attribute 256 unread bytes follow the kernel's arguments.
static void finish(struct lowering *l) {
    if (!l->reads_grid_size) {
        attribute(l, "amdgpu-no-implicitarg-ptr", "");
    }
    if (target_has(l->target, FEATURE(LDS_COPY))) {
        tell_copies_apart(l);
    }
}

static LLVMValueRef thread(struct lowering *l) {
    return INTRINSIC0(l, "llvm.amdgcn.workitem.id.x");
}

static LLVMValueRef program_id(struct lowering *l, unsigned axis) {
    static const char *const names[] = {"llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y",
                                        "llvm.amdgcn.workgroup.id.z"};
    return INTRINSIC0(l, names[axis]);
}

// hidden_block_count_{x,y,z} of code object v5: the first three words of the implicit arguments.
static LLVMValueRef num_programs(struct lowering *l, unsigned axis) {
    l->reads_grid_size = true;
    LLVMValueRef base = INTRINSIC0(l, "llvm.amdgcn.implicitarg.ptr");
    LLVMValueRef index = lower_i32(l, axis);
    LLVMValueRef address = LLVMBuildInBoundsGEP2(l->b, l->i32, base, &index, 1, "");
    LLVMValueRef load = LLVMBuildLoad2(l->b, l->i32, address, "");
    LLVMSetAlignment(load, 4);
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(l->context, "invariant.load", 14),
                    LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0)));
    return load;
}

static void fence(struct lowering *l, enum memory_scope scope, const char *order) {
    static const char *const scopes[SCOPE_COUNT] = {
        [SCOPE_GPU] = "syncscope(\"agent\")", [SCOPE_CTA] = "syncscope(\"workgroup\")", [SCOPE_SYS] = ""};
    char text[64];
    snprintf(text, sizeof text, "fence %s %s", scopes[scope], order);
    lower_from_text(l, text, NULL, NULL, 0);
}

// A release beyond the block writes caches back. LLVM 19 waits for the write-back only if it knows of a store
// in flight: after a wait for another reason it would let the following atomic overtake the write-back.
static void release(struct lowering *l, enum memory_scope scope) {
    fence(l, scope, "release");
    if (scope != SCOPE_CTA && target_has(l->target, FEATURE(MFMA_GFX90A))) {
        asm_call(l, ASM_AMD_WAIT_VECTOR_MEMORY, l->void_type, NULL, 0);
    } else if (scope != SCOPE_CTA && target_has(l->target, FEATURE(WAITS_GFX12))) {
        asm_call(l, ASM_AMD_WAIT_STORES, l->void_type, NULL, 0);
    }
}

// A fence is the wave's.
static void release_by(struct lowering *l, enum memory_scope scope, LLVMValueRef predicate) {
    (void)predicate;
    release(l, scope);
}

static void acquire(struct lowering *l, enum memory_scope scope) {
    fence(l, scope, "acquire");
}

// Waits for the completion of LDS accesses. The fence implies it, but LLVM 19 deletes the fence's wait at the
// head of a loop entered with no access in flight, before it has seen the accesses of the loop's body
// (SIInsertWaitcnts); an explicit wait stays. The largest load count, 63, means no wait for loads, but LLVM
// then assumes at most 63 loads in flight; a count of 62 makes its assumption true.
void lower_wait_for_shared(struct lowering *l) {
    enum { LGKMCNT_0_GFX9_GFX10 = 0xc07e, LGKMCNT_0_GFX11 = 0xf807 };
    if (target_has(l->target, FEATURE(WAITS_GFX12))) {
        INTRINSIC(l, "llvm.amdgcn.s.wait.dscnt", LLVMConstInt(l->i16, 0, 0));
    } else {
        bool gfx11 = target_has(l->target, FEATURE(WMMA_GFX11));
        INTRINSIC(l, "llvm.amdgcn.s.waitcnt", lower_i32(l, gfx11 ? LGKMCNT_0_GFX11 : LGKMCNT_0_GFX9_GFX10));
    }
}

// An s_barrier orders accesses to LDS and to the compute unit's own cache. If a wave's stores must be visible
// further away, the wave itself has to release them, before the barrier: a release after it waits only for
// the wave's own stores.
//
// gfx950: a release of the block would wait for all copies to LDS. Waits of their own tell which ones have to be there; so the release is of
// global memory alone, and the accesses to LDS are waited for as everywhere.
static void barrier(struct lowering *l, enum memory_scope scope) {
    if (scope == SCOPE_CTA && target_has(l->target, FEATURE(LDS_COPY))) {
        lower_from_text(
            l, "fence syncscope(\"workgroup\") release, !mmra !{!\"amdgpu-synchronize-as\", !\"global\"}",
            NULL, NULL, 0);
    } else {
        release(l, scope);
    }
    lower_wait_for_shared(l);
    INTRINSIC0(l, "llvm.amdgcn.s.barrier");
    acquire(l, SCOPE_CTA);
}

// LDS serves a wave's accesses in order (LLVM, "User Guide for AMDGPU Backend", memory model: accesses of one wave need no wait), so a
// fence that no access passes in the compiler is enough, and makes no instruction.
static void warp_barrier(struct lowering *l) {
    lower_from_text(l, "fence syncscope(\"wavefront\") acq_rel", NULL, NULL, 0);
    INTRINSIC0(l, "llvm.amdgcn.wave.barrier");
}

static LLVMValueRef dpp(struct lowering *l, LLVMValueRef value, uint32_t control) {
    return INTRINSIC_OF(l, "llvm.amdgcn.update.dpp", l->i32, LLVMGetPoison(l->i32), value,
                        lower_i32(l, control), lower_i32(l, 0xf), lower_i32(l, 0xf),
                        LLVMConstInt(l->i1, 1, 0));
}

static LLVMValueRef shuffle_index(struct lowering *l, LLVMValueRef value, LLVMValueRef lane) {
    LLVMValueRef address = LLVMBuildShl(l->b, lane, lower_i32(l, 2), "");
    return INTRINSIC(l, "llvm.amdgcn.ds.bpermute", address, value);
}

static LLVMValueRef vote_all(struct lowering *l, LLVMValueRef condition) {
    LLVMTypeRef lanes = LLVMIntTypeInContext(l->context, l->target->warp_size);
    LLVMValueRef against = INTRINSIC_OF(l, "llvm.amdgcn.ballot", lanes, LLVMBuildNot(l->b, condition, ""));
    return LLVMBuildICmp(l->b, LLVMIntEQ, against, LLVMConstNull(lanes), "");
}

static LLVMValueRef shuffle_xor(struct lowering *l, LLVMValueRef value, uint32_t mask) {
    switch (mask) {
    case 1:
        return dpp(l, value, DPP_QUAD_XOR1);
    case 2:
        return dpp(l, value, DPP_QUAD_XOR2);
    case 3:
        return dpp(l, value, DPP_QUAD_XOR3);
    case 4: // as lane ^ 7, then ^ 3
        return dpp(l, dpp(l, value, DPP_ROW_HALF_MIRROR), DPP_QUAD_XOR3);
    case 7:
        return dpp(l, value, DPP_ROW_HALF_MIRROR);
    case 8: // a rotation by half a row of 16
        return dpp(l, value, DPP_ROW_ROTATE_8);
    case 15:
        return dpp(l, value, DPP_ROW_MIRROR);
    default:
        break;
    }
    if (mask < 32) { // ds_swizzle's bit mode: and 0x1f, or 0, xor mask, within 32 lanes
        return INTRINSIC(l, "llvm.amdgcn.ds.swizzle", value, lower_i32(l, mask << 10 | 0x1f));
    }
    return shuffle_index(l, value, LLVMBuildXor(l->b, lower_lane(l), lower_i32(l, mask), ""));
}

static LLVMValueRef shared(struct lowering *l) {
    LLVMTypeRef type = LLVMArrayType2(l->i8, l->shared_bytes);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(l->module, type, "tkc_shared", SPACE_SHARED);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetInitializer(global, LLVMGetPoison(type));
    LLVMSetAlignment(global, 16);
    return global;
}

static void tensor_maps(struct lowering *l, const unsigned *parameters, unsigned count) {
    (void)parameters;
    (void)count;
    bug("%s has no tensor maps", l->target->name);
}

static void module(struct lowering *l) {
    LLVMAddModuleFlag(l->module, LLVMModuleFlagBehaviorError, "amdhsa_code_object_version", 26,
                      LLVMValueAsMetadata(lower_i32(l, target_family(l->target) ? 600 : 500)));
}

static LLVMValueRef uniform(struct lowering *l, LLVMValueRef value) {
    return INTRINSIC_OF(l, "llvm.amdgcn.readfirstlane", l->i32, value);
}

const struct lower_vendor lower_amdgpu = {
    .module = module,
    .kernel = kernel,
    .finish = finish,
    .thread = thread,
    .program_id = program_id,
    .num_programs = num_programs,
    .barrier = barrier,
    .warp_barrier = warp_barrier,
    .shared = shared,
    .tensor_maps = tensor_maps,
    .lines = LLVMDWARFEmissionLineTablesOnly,
    .shuffle_xor = shuffle_xor,
    .shuffle_index = shuffle_index,
    .vote_all = vote_all,
    .uniform = uniform,
    .has_buffers = true,
    .atomic_rmw = amdgpu_atomic_rmw,
    .atomic_cas = amdgpu_atomic_cas,
    .atomic_load = amdgpu_atomic_load,
    .clock = "llvm.readsteadycounter", // 100 MHz
    .tick = 10,
    .release = release,
    .release_by = release_by,
    .acquire = acquire,
    .transcendental = amdgpu_transcendental,
    .fma_saturated = amdgpu_fma_saturated,
    .copy_sign = amdgpu_copy_sign,
    .half_toward_zero = amdgpu_half_toward_zero,
    .chains_extremes = true,
    .miscounts_dividends = true,
    .same_word = ASM_AMD_UNKNOWN,
    .tf32 = amdgpu_tf32,
    .tf32_operand = amdgpu_tf32,
    .sums_are_vectors = true,
    .counts_reads = true,
};
