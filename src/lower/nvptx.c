// NVIDIA: kernel attributes, special registers, barriers and shuffles of NVPTX.
#include <stdlib.h>
#include <string.h>

#include "chip/launch_bounds.h"
#include "chip/llvm.h"
#include "lower/lower_internal.h"

enum { TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGNMENT = 64 }; // CUtensorMap of cuda.h
enum { CALL_PTX_KERNEL = 71 };                              // llvm::CallingConv::PTX_Kernel

// Kernel parameters: 4,096 bytes before PTX 8.1, 32,764 bytes since.
static void check_parameters(struct lowering *l) {
    const char *version = strstr(l->target->features, "ptx");
    size_t room = version && strtoul(version + 3, NULL, 10) >= 81 ? 32764 : 4096, bytes = 0, length;
    MlirBlock body = op_body(l->kernel, 0);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
        bool map = type_is_tensor_map(type);
        size_t size = map ? TENSOR_MAP_BYTES : (type_bits(type) + 7) / 8;
        size_t alignment = map ? TENSOR_MAP_ALIGNMENT : size;
        bytes = (bytes + alignment - 1) / alignment * alignment + size;
    }
    if (bytes > room) {
        diag_error(l->diag, ir_op_location(l->ir, l->kernel),
                   "%s takes %zu bytes of parameters, and a kernel has %zu on %s; pass some through memory",
                   LLVMGetValueName2(l->function, &length), bytes, room, l->target->name);
    }
}

static uint32_t block_threads(struct lowering *l) {
    uint32_t slices = (uint32_t)op_int(l->kernel, ATTR_SLICES);
    return (l->num_warps * slices + (uint32_t)op_int(l->kernel, ATTR_PRODUCER_WARPS)) * l->target->warp_size;
}

// Launch arguments are always defined: when LLVM asks whether a value may be undefined, it need not search
// the whole program.
static void define_parameters(struct lowering *l) {
    unsigned noundef = LLVMGetEnumAttributeKindForName("noundef", 7);
    for (unsigned i = 0; i < LLVMCountParams(l->function); i++) {
        LLVMAddAttributeAtIndex(l->function, i + 1, LLVMCreateEnumAttribute(l->context, noundef, 0));
    }
}

static void kernel(struct lowering *l) {
    check_parameters(l);
    define_parameters(l);
    LLVMSetFunctionCallConv(l->function, CALL_PTX_KERNEL);
    launch_bound_mark_kernel(l->function);
    int64_t producers = op_int(l->kernel, ATTR_PRODUCER_WARPS);
    launch_bound_set(l->function, BOUND_THREADS, block_threads(l));
    if (op_has(l->kernel, ATTR_WARP_SLICES)) {
        launch_unpacks_tiles_set(l->function);
    }
    if (producers > 0) { // else ptxas ignores setmaxnreg (C7508)
        launch_bound_set(l->function, BOUND_BLOCKS, (unsigned)op_int(l->kernel, ATTR_PERSISTENT));
    } else if (op_int(l->kernel, ATTR_BLOCKS) > 0) {
        launch_bound_set(l->function, BOUND_BLOCKS, (unsigned)op_int(l->kernel, ATTR_BLOCKS));
    }
    int64_t cluster = op_int(l->kernel, ATTR_CLUSTER);
    if (cluster > 1) {
        launch_bound_set(l->function, BOUND_CLUSTER, (unsigned)cluster);
    }
    int64_t registers = op_int(l->kernel, ATTR_MAXNREG);
    if (registers > 0) {
        launch_bound_set(l->function, BOUND_REGISTERS, (unsigned)registers);
    }
}

static void finish(struct lowering *l) {
    (void)l;
}

// Adds the range of a special register: LLVM has no other source for the block's extent.
static LLVMValueRef in_range(struct lowering *l, LLVMValueRef call, uint32_t low, uint32_t end) {
    LLVMMetadataRef bounds[] = {LLVMValueAsMetadata(lower_i32(l, low)),
                                LLVMValueAsMetadata(lower_i32(l, end))};
    LLVMSetMetadata(call, LLVMGetMDKindIDInContext(l->context, "range", 5),
                    LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, bounds, 2)));
    return call;
}

static LLVMValueRef thread(struct lowering *l) {
    return in_range(l, INTRINSIC0(l, "llvm.nvvm.read.ptx.sreg.tid.x"), 0, block_threads(l));
}

static LLVMValueRef program_id(struct lowering *l, unsigned axis) {
    static const char *const names[] = {"llvm.nvvm.read.ptx.sreg.ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.y",
                                        "llvm.nvvm.read.ptx.sreg.ctaid.z"};
    return in_range(l, INTRINSIC0(l, names[axis]), 0, axis == 0 ? INT32_MAX : UINT16_MAX);
}

static LLVMValueRef num_programs(struct lowering *l, unsigned axis) {
    static const char *const names[] = {"llvm.nvvm.read.ptx.sreg.nctaid.x",
                                        "llvm.nvvm.read.ptx.sreg.nctaid.y",
                                        "llvm.nvvm.read.ptx.sreg.nctaid.z"};
    return INTRINSIC0(l, names[axis]);
}

// Atomics have memory orders of their own.
static void no_fence(struct lowering *l, enum memory_scope scope) {
    (void)l, (void)scope;
}

static void release_by(struct lowering *l, enum memory_scope scope, LLVMValueRef predicate) {
    LLVMValueRef args[] = {predicate ? predicate : LLVMConstInt(l->i1, 1, 0)};
    asm_call(l, ASM_FENCE_GPU + (enum asm_id)scope, l->void_type, args, 1);
}

static void warp_barrier(struct lowering *l) {
    INTRINSIC(l, "llvm.nvvm.bar.warp.sync", lower_i32(l, ~0u));
}

// Releases of one thread are cumulative: they include other threads' writes before a barrier with it.
static void barrier(struct lowering *l, enum memory_scope scope) {
    (void)scope;
    if (l->specialised) {
        LLVMValueRef args[] = {lower_i32(l, CONSUMER_BARRIER),
                               lower_i32(l, l->num_warps * l->target->warp_size)};
        asm_call(l, ASM_BARRIER_SYNC, l->void_type, args, 2);
    } else if (block_threads(l) == l->target->warp_size) {
        warp_barrier(l);
    } else if (LLVM_AT_LEAST(22)) {
        INTRINSIC(l, "llvm.nvvm.barrier.cta.sync.aligned.all", lower_i32(l, 0));
    } else {
        INTRINSIC0(l, "llvm.nvvm.barrier0");
    }
}

static LLVMValueRef shuffle_xor(struct lowering *l, LLVMValueRef value, uint32_t mask) {
    return INTRINSIC(l, "llvm.nvvm.shfl.sync.bfly.i32", lower_i32(l, ~0u), value, lower_i32(l, mask),
                     lower_i32(l, 31));
}

static LLVMValueRef shuffle_index(struct lowering *l, LLVMValueRef value, LLVMValueRef lane) {
    return INTRINSIC(l, "llvm.nvvm.shfl.sync.idx.i32", lower_i32(l, ~0u), value, lane, lower_i32(l, 31));
}

static LLVMValueRef vote_all(struct lowering *l, LLVMValueRef condition) {
    return INTRINSIC(l, "llvm.nvvm.vote.all.sync", lower_i32(l, ~0u), condition);
}

static LLVMValueRef ballot(struct lowering *l, LLVMValueRef condition) {
    return INTRINSIC(l, "llvm.nvvm.vote.ballot.sync", lower_i32(l, ~0u), condition);
}

// Dynamic shared memory: the launch sets its size, so more than 48 KB are possible. Kernels of one module share the name.
static LLVMValueRef shared(struct lowering *l) {
    enum { USUAL = 128, SWIZZLED = 1024 }; // swizzle patterns start at multiples
    bool swizzled = l->target->has & FEATURES_SHARED_PRODUCTS || op_int(l->kernel, ATTR_PRODUCER_WARPS) > 0;
    LLVMValueRef global = LLVMGetNamedGlobal(l->module, "tkc_shared");
    if (!global) {
        global = LLVMAddGlobalInAddressSpace(l->module, LLVMArrayType2(l->i8, 0), "tkc_shared", SPACE_SHARED);
        LLVMSetLinkage(global, LLVMExternalLinkage);
        LLVMSetAlignment(global, USUAL);
    }
    if (swizzled) {
        LLVMSetAlignment(global, SWIZZLED);
    }
    return global;
}

// A tensor map is a kernel parameter of 128 bytes, read in place (__grid_constant__).
static void tensor_maps(struct lowering *l, const unsigned *parameters, unsigned count) {
    LLVMTypeRef bytes = LLVMArrayType2(l->i8, TENSOR_MAP_BYTES);
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    for (unsigned i = 0; i < count; i++) {
        LLVMAttributeRef attributes[] = {LLVMCreateTypeAttribute(l->context, by_value, bytes),
                                         LLVMCreateEnumAttribute(l->context, align, TENSOR_MAP_ALIGNMENT)};
        LLVMAddAttributeAtIndex(l->function, parameters[i] + 1, attributes[0]);
        LLVMAddAttributeAtIndex(l->function, parameters[i] + 1, attributes[1]);
    }
    launch_bound_keep_parameters(l->function, parameters, count);
}

static void module(struct lowering *l) {
    (void)l;
}

// ptxas infers uniform values itself.
static LLVMValueRef uniform(struct lowering *l, LLVMValueRef value) {
    (void)l;
    return value;
}

enum { DIRECTIVES_ONLY = 3 }; // llvm::DICompileUnit::DebugDirectivesOnly, without a name in the C interface

// Lines are .loc directives alone: line tables would mark the PTX as made for debugging, and ptxas would not
// optimise it (setmaxnreg is ignored, products of warpgroups are serialised).
const struct lower_vendor lower_nvptx = {
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
    .lines = (LLVMDWARFEmissionKind)DIRECTIVES_ONLY,
    .marks_lines = true,
    .lanes_exchange_fast = true,
    .shuffle_xor = shuffle_xor,
    .shuffle_index = shuffle_index,
    .vote_all = vote_all,
    .ballot = ballot,
    .uniform = uniform,
    .lanes_share_reading = true,
    .predicated = true,
    .atomic_rmw = nvptx_atomic_rmw,
    .atomic_cas = nvptx_atomic_cas,
    .atomic_load = nvptx_atomic_load,
    .clock = "llvm.nvvm.read.ptx.sreg.globaltimer",
    .tick = 1,
    .release = no_fence,
    .release_by = release_by,
    .acquire = no_fence,
    .prints = true,
    .transcendental = nvptx_transcendental,
    .quotient = nvptx_quotient,
    .fma_saturated = nvptx_fma_saturated,
    .copy_sign = nvptx_copy_sign,
    .half_toward_zero = nvptx_half_toward_zero,
    .takes_f16_apart = true,
    .same_word = ASM_MOVE_B32,
    .tf32 = nvptx_tf32,
    .tf32_operand = nvptx_tf32_operand,
};
