// Atomics. Each element is acted on once, by its owner; the old value reaches replicas through scratch.
//
// NVIDIA: assembly rows, because LLVM 19 drops the ordering of atomicrmw there. AMD: atomicrmw and cmpxchg
// with scopes; for tiles, relaxed ones between fences. A block barrier precedes a scalar atomic with release
// order, so that it publishes the writes of all threads of the block.
#include <stdio.h>
#include <string.h>

#include "chip/llvm.h"
#include "lower/lower_internal.h"

// The rows of asm.def for 32 bits and for 64 bits.
static const struct {
    enum asm_id narrow, wide;
} rmw_rows[RMW_COUNT] = {
    [RMW_ADD] = {ASM_ATOM_ADD_U32_RELAXED_GPU, ASM_ATOM_ADD_U64_RELAXED_GPU},
    [RMW_FADD] = {ASM_ATOM_ADD_F32_RELAXED_GPU, ASM_ATOM_ADD_F64_RELAXED_GPU},
    [RMW_MAX] = {ASM_ATOM_MAX_S32_RELAXED_GPU, ASM_ATOM_MAX_S64_RELAXED_GPU},
    [RMW_MIN] = {ASM_ATOM_MIN_S32_RELAXED_GPU, ASM_ATOM_MIN_S64_RELAXED_GPU},
    [RMW_UMAX] = {ASM_ATOM_MAX_U32_RELAXED_GPU, ASM_ATOM_MAX_U64_RELAXED_GPU},
    [RMW_UMIN] = {ASM_ATOM_MIN_U32_RELAXED_GPU, ASM_ATOM_MIN_U64_RELAXED_GPU},
    [RMW_AND] = {ASM_ATOM_AND_B32_RELAXED_GPU, ASM_ATOM_AND_B64_RELAXED_GPU},
    [RMW_OR] = {ASM_ATOM_OR_B32_RELAXED_GPU, ASM_ATOM_OR_B64_RELAXED_GPU},
    [RMW_XOR] = {ASM_ATOM_XOR_B32_RELAXED_GPU, ASM_ATOM_XOR_B64_RELAXED_GPU},
    [RMW_XCHG] = {ASM_ATOM_EXCH_B32_RELAXED_GPU, ASM_ATOM_EXCH_B64_RELAXED_GPU},
};

// The rows of one operation: order-major, scope-minor, as the words stand in words.def.
static enum asm_id variant(enum asm_id first, MlirOperation op) {
    return first + SCOPE_COUNT * (enum asm_id)op_memory_order(op) + (enum asm_id)op_memory_scope(op);
}
_Static_assert(ASM_ATOM_ADD_U32_ACQUIRE_GPU == ASM_ATOM_ADD_U32_RELAXED_GPU + SCOPE_COUNT * ORDER_ACQUIRE &&
                   ASM_ATOM_ADD_U32_RELEASE_CTA ==
                       ASM_ATOM_ADD_U32_RELAXED_GPU + SCOPE_COUNT * ORDER_RELEASE + SCOPE_CTA &&
                   ASM_ATOM_ADD_U32_ACQ_REL_SYS ==
                       ASM_ATOM_ADD_U32_RELAXED_GPU + SCOPE_COUNT * ORDER_ACQ_REL + SCOPE_SYS,
               "asm.def and words.def order their rows alike");

// AMD has one instruction for an atomic sum, maximum or minimum of floats. It flushes subnormals and is not
// atomic in fine-grained memory shared with the host or another card, so LLVM makes a compare-and-swap loop
// by default. Triton uses the instruction, and so do we. LLVM 22 reads the permission from metadata on each
// atomic, LLVM 19 from an attribute of the function ("amdgpu-unsafe-fp-atomics").
static void allow_instruction(struct lowering *l, LLVMValueRef atomic) {
    static const char *const names[] = {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory",
                                        "amdgpu.ignore.denormal.mode"};
    LLVMAtomicRMWBinOp operation =
        LLVMIsAAtomicRMWInst(atomic) ? LLVMGetAtomicRMWBinOp(atomic) : LLVMAtomicRMWBinOpXchg;
    bool is_float = operation == LLVMAtomicRMWBinOpFAdd || operation == LLVMAtomicRMWBinOpFMax ||
                    operation == LLVMAtomicRMWBinOpFMin;
    for (size_t i = 0; is_float && i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetMDKindIDInContext(l->context, names[i], (unsigned)strlen(names[i]));
        LLVMSetMetadata(atomic, kind,
                        LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0)));
    }
}

// Runs `old = f(address)` if the predicate holds; other threads get zero.
static LLVMValueRef under_predicate(struct lowering *l, LLVMValueRef predicate, const char *text,
                                    const char *parameters, LLVMValueRef *args, unsigned count,
                                    LLVMTypeRef type, bool exchange) {
    struct lower_if branch = {0};
    if (predicate) {
        branch = lower_if_begin(l, predicate);
    }
    LLVMValueRef old = lower_from_text(l, text, parameters, args, count);
    if (LLVM_AT_LEAST(22)) {
        allow_instruction(l, old);
    }
    old = exchange ? LLVMBuildExtractValue(l->b, old, 0, "") : old;
    if (!predicate) {
        return old;
    }
    lower_if_end(l, &branch);
    LLVMValueRef phi = LLVMBuildPhi(l->b, type, ""), zero = lower_zero(type);
    LLVMAddIncoming(phi, &old, &branch.then, 1);
    LLVMAddIncoming(phi, &zero, &branch.before, 1);
    return phi;
}

// A tile's atomics are relaxed between two fences: with orders of their own each would wait for the one
// before. So are the reads of a poll, of which the last alone acquires.
static const char *amd_ordering(struct lowering *l, MlirOperation op) {
    static const char *const names[] = {[ORDER_RELAXED] = "monotonic",
                                        [ORDER_ACQUIRE] = "acquire",
                                        [ORDER_RELEASE] = "release",
                                        [ORDER_ACQ_REL] = "acq_rel"};
    bool fenced = lower_layout(l, access_pointer(op)) || op_kind(l->ir, op) == OP_ATOMIC_POLL;
    return names[fenced ? ORDER_RELAXED : op_memory_order(op)];
}

static const char *amd_scope(MlirOperation op) {
    static const char *const names[] = {
        [SCOPE_GPU] = "syncscope(\"agent\")", [SCOPE_CTA] = "syncscope(\"workgroup\")", [SCOPE_SYS] = ""};
    return names[op_memory_scope(op)];
}

static const char *type_text(struct lowering *l, LLVMTypeRef type) {
    return type == l->f16    ? "half"
           : type == l->bf16 ? "bfloat"
           : type == l->f32  ? "float"
           : type == l->f64  ? "double"
           : type == l->i64  ? "i64"
           : type == l->i16  ? "i16"
           : type == l->i8   ? "i8"
                             : "i32";
}

// Atomic loads and stores of an integer.
static LLVMValueRef amd_load(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type,
                             LLVMValueRef predicate) {
    char text[256];
    snprintf(text, sizeof text, "load atomic %s, ptr addrspace(1) %%0 %s %s, align %u", type_text(l, type),
             amd_scope(op), amd_ordering(l, op), lower_type_bits(type) / 8);
    return under_predicate(l, predicate, text, "ptr addrspace(1) %0", &address, 1, type, false);
}

static void amd_store(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef bits,
                      LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(bits);
    char text[256], parameters[64];
    snprintf(parameters, sizeof parameters, "%s %%0, ptr addrspace(1) %%1", type_text(l, type));
    snprintf(text, sizeof text, "store atomic %s %%0, ptr addrspace(1) %%1 %s %s, align %u",
             type_text(l, type), amd_scope(op), amd_ordering(l, op), lower_type_bits(type) / 8);
    LLVMValueRef args[] = {bits, address};
    struct lower_if branch = {0};
    if (predicate) {
        branch = lower_if_begin(l, predicate);
    }
    lower_from_text(l, text, parameters, args, 2);
    if (predicate) {
        lower_if_end(l, &branch);
    }
}

LLVMValueRef amdgpu_atomic_load(struct lowering *l, MlirOperation op, LLVMValueRef address,
                                LLVMTypeRef type) {
    return amd_load(l, op, address, type, NULL);
}

LLVMValueRef amdgpu_atomic_rmw(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                               LLVMValueRef predicate) {
    if (op_rmw_operation(op) == RMW_LOAD) {
        LLVMTypeRef bits = lower_int_type(l, lower_type_bits(LLVMTypeOf(value)));
        return lower_from_bits(l, amd_load(l, op, address, bits, predicate), LLVMTypeOf(value));
    }
    if (op_rmw_operation(op) == RMW_STORE) {
        amd_store(l, op, address, lower_to_bits(l, value), predicate);
        return value;
    }
    const char *name = word_text(WORDS_RMW, op_rmw_operation(op));
    LLVMTypeRef type = LLVMTypeOf(value);
    char text[256], parameters[64];
    snprintf(parameters, sizeof parameters, "ptr addrspace(1) %%0, %s %%1", type_text(l, type));
    snprintf(text, sizeof text, "atomicrmw %s ptr addrspace(1) %%0, %s %%1 %s %s, align %u", name,
             type_text(l, type), amd_scope(op), amd_ordering(l, op), lower_type_bits(type) / 8);
    LLVMValueRef args[] = {address, value};
    return under_predicate(l, predicate, text, parameters, args, 2, type, false);
}

static LLVMValueRef combine(struct lowering *l, enum rmw_operation operation, LLVMValueRef a,
                            LLVMValueRef b) {
    return operation == RMW_FMAX   ? INTRINSIC_OF(l, "llvm.maxnum", l->f32, a, b)
           : operation == RMW_FMIN ? INTRINSIC_OF(l, "llvm.minnum", l->f32, a, b)
                                   : LLVMBuildFAdd(l->b, a, b, "");
}

// For sums of bf16 before sm_90, and for maxima and minima of 16-bit floats: read, combine in f32,
// compare-and-swap until it succeeds. The relaxed first read may be stale.
static LLVMValueRef combine_by_cas(struct lowering *l, MlirOperation op, LLVMValueRef address,
                                   LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef half = LLVMTypeOf(value);
    MlirType f32 = mlirF32TypeGet(l->ir->context);
    MlirType type = half == l->bf16 ? mlirBF16TypeGet(l->ir->context) : mlirF16TypeGet(l->ir->context);
    struct lower_if branch = {0};
    if (predicate) {
        branch = lower_if_begin(l, predicate);
    }
    LLVMValueRef first = LLVMBuildLoad2(l->b, l->i16, address, "");
    LLVMSetAlignment(first, 2);
    LLVMSetVolatile(first, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b);
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBuildBr(l->b, loop);
    LLVMPositionBuilderAtEnd(l->b, loop);
    LLVMValueRef seen = LLVMBuildPhi(l->b, l->i16, "");
    LLVMValueRef wide = lower_float_to_float(l, lower_from_bits(l, seen, half), type, f32, false);
    LLVMValueRef sum =
        combine(l, op_rmw_operation(op), wide, lower_float_to_float(l, value, type, f32, false));
    LLVMValueRef wanted = lower_to_bits(l, lower_float_to_float(l, sum, f32, type, false));
    LLVMValueRef args[] = {address, LLVMConstInt(l->i1, 1, 0), seen, wanted, lower_zero(l->i16)};
    LLVMValueRef old = asm_call(l, variant(ASM_ATOM_CAS_B16_RELAXED_GPU, op), l->i16, args, 5);
    LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, old, seen, ""), done, loop);
    LLVMAddIncoming(seen, &first, &before, 1);
    LLVMAddIncoming(seen, &old, &loop, 1);
    LLVMPositionBuilderAtEnd(l->b, done);
    if (predicate) {
        lower_if_end(l, &branch);
        LLVMValueRef phi = LLVMBuildPhi(l->b, l->i16, ""), zero = lower_zero(l->i16);
        LLVMAddIncoming(phi, &old, &branch.then, 1);
        LLVMAddIncoming(phi, &zero, &branch.before, 1);
        old = phi;
    }
    return lower_from_bits(l, old, half);
}

// Orders other than relaxed are the second ones of the rows of loads and stores. PTX has no registers of 8 bits.
static LLVMValueRef nvptx_load(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type,
                               LLVMValueRef predicate) {
    unsigned bits = LLVMGetIntTypeWidth(type);
    enum asm_id first = bits == 8    ? ASM_ATOM_LOAD_B8_RELAXED_GPU
                        : bits == 16 ? ASM_ATOM_LOAD_B16_RELAXED_GPU
                        : bits == 32 ? ASM_ATOM_LOAD_B32_RELAXED_GPU
                                     : ASM_ATOM_LOAD_B64_RELAXED_GPU;
    enum asm_id row =
        first + SCOPE_COUNT * (op_memory_order(op) != ORDER_RELAXED) + (enum asm_id)op_memory_scope(op);
    LLVMTypeRef passed = bits == 8 ? l->i16 : type;
    LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), lower_zero(passed)};
    LLVMValueRef loaded = asm_call(l, row, passed, args, 3);
    return bits == 8 ? LLVMBuildTrunc(l->b, loaded, type, "") : loaded;
}

static void nvptx_store(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                        LLVMValueRef predicate) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    enum asm_id first = bits == 8    ? ASM_ATOM_STORE_B8_RELAXED_GPU
                        : bits == 16 ? ASM_ATOM_STORE_B16_RELAXED_GPU
                        : bits == 32 ? ASM_ATOM_STORE_B32_RELAXED_GPU
                                     : ASM_ATOM_STORE_B64_RELAXED_GPU;
    enum asm_id row =
        first + SCOPE_COUNT * (op_memory_order(op) != ORDER_RELAXED) + (enum asm_id)op_memory_scope(op);
    value = bits == 8 ? LLVMBuildZExt(l->b, value, l->i16, "") : value;
    LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), value};
    asm_call(l, row, LLVMVoidTypeInContext(l->context), args, 3);
}

LLVMValueRef nvptx_atomic_load(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type) {
    return nvptx_load(l, op, address, type, NULL);
}

LLVMValueRef nvptx_atomic_rmw(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                              LLVMValueRef predicate) {
    enum rmw_operation operation = op_rmw_operation(op);
    LLVMTypeRef type = LLVMTypeOf(value), passed = type;
    bool is_float = operation == RMW_FADD;
    unsigned bits = lower_type_bits(type);
    if (operation == RMW_LOAD) {
        return lower_from_bits(l, nvptx_load(l, op, address, lower_int_type(l, bits), predicate), type);
    }
    if (operation == RMW_STORE) {
        nvptx_store(l, op, address, lower_to_bits(l, value), predicate);
        return value;
    }
    if (operation == RMW_FMAX || operation == RMW_FMIN) {
        return combine_by_cas(l, op, address, value, predicate);
    }
    enum asm_id first = bits == 64 ? rmw_rows[operation].wide : rmw_rows[operation].narrow;
    if (is_float && bits == 16) {
        first = type == l->f16 ? ASM_ATOM_ADD_F16_RELAXED_GPU : ASM_ATOM_ADD_BF16_RELAXED_GPU;
        passed = l->i16;
        if (type == l->bf16 && !target_has(l->target, FEATURE(SM90))) {
            return combine_by_cas(l, op, address, value, predicate);
        }
    } else if (!is_float) {
        passed = lower_int_type(l, bits);
    }
    if (!is_float && bits < 32) {
        lower_error(l, "atomic %s of %u-bit elements is not supported: use 32 or 64 bits",
                    word_text(WORDS_RMW, operation), bits);
        return value;
    }
    LLVMValueRef bits_value = passed == type ? value : lower_to_bits(l, value);
    LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), bits_value,
                           lower_zero(passed)};
    LLVMValueRef old = asm_call(l, variant(first, op), passed, args, 4);
    return passed == type ? old : lower_from_bits(l, old, type);
}

// The row for an atomic sum of so many neighbours.
static enum asm_id vector_row(struct lowering *l, LLVMTypeRef type, unsigned vector) {
    bool is_f16 = type == l->f16;
    return type == l->f32 ? vector == 2 ? ASM_ATOM_ADD_V2_F32_RELAXED_GPU : ASM_ATOM_ADD_V4_F32_RELAXED_GPU
           : vector == 2  ? is_f16 ? ASM_ATOM_ADD_V2_F16_RELAXED_GPU : ASM_ATOM_ADD_V2_BF16_RELAXED_GPU
           : vector == 4  ? is_f16 ? ASM_ATOM_ADD_V4_F16_RELAXED_GPU : ASM_ATOM_ADD_V4_BF16_RELAXED_GPU
           : is_f16       ? ASM_ATOM_ADD_V8_F16_RELAXED_GPU
                          : ASM_ATOM_ADD_V8_BF16_RELAXED_GPU;
}

enum { MOST_AT_ONCE = 8 };

static void add_vector(struct lowering *l, MlirOperation op, LLVMValueRef address, const LLVMValueRef *values,
                       unsigned vector, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(values[0]), passed = type == l->f32 ? l->f32 : l->i16,
                members[MOST_AT_ONCE];
    LLVMValueRef args[2 + MOST_AT_ONCE] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0)};
    for (unsigned i = 0; i < vector; i++) {
        members[i] = passed;
        args[2 + i] = passed == type ? values[i] : lower_to_bits(l, values[i]);
    }
    asm_call(l, variant(vector_row(l, type, vector), op),
             LLVMStructTypeInContext(l->context, members, vector, 0), args, 2 + vector);
}

// The row for a relaxed load or store of so many neighbours: loads and stores alternate in the table.
static enum asm_id neighbours_row(MlirOperation op, unsigned bits, unsigned vector) {
    enum asm_id first = bits == 64    ? ASM_ATOM_LOAD_V2_B64_RELAXED_GPU
                        : vector == 4 ? ASM_ATOM_LOAD_V4_B32_RELAXED_GPU
                                      : ASM_ATOM_LOAD_V2_B32_RELAXED_GPU;
    return first + 2 * (enum asm_id)op_memory_scope(op) + (op_rmw_operation(op) == RMW_STORE);
}

static void load_neighbours(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef *out,
                            LLVMTypeRef type, unsigned vector, LLVMValueRef predicate) {
    LLVMTypeRef bits = lower_int_type(l, lower_type_bits(type)), members[MOST_AT_ONCE];
    LLVMValueRef args[2 + MOST_AT_ONCE] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0)};
    for (unsigned i = 0; i < vector; i++) {
        members[i] = bits;
        args[2 + i] = lower_zero(bits);
    }
    LLVMValueRef all = asm_call(l, neighbours_row(op, lower_type_bits(type), vector),
                                LLVMStructTypeInContext(l->context, members, vector, 0), args, 2 + vector);
    for (unsigned i = 0; i < vector; i++) {
        out[i] = lower_from_bits(l, LLVMBuildExtractValue(l->b, all, i, ""), type);
    }
}

static void store_neighbours(struct lowering *l, MlirOperation op, LLVMValueRef address,
                             const LLVMValueRef *values, unsigned vector, LLVMValueRef predicate) {
    LLVMValueRef args[2 + MOST_AT_ONCE] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0)};
    for (unsigned i = 0; i < vector; i++) {
        args[2 + i] = lower_to_bits(l, values[i]);
    }
    asm_call(l, neighbours_row(op, lower_type_bits(LLVMTypeOf(values[0])), vector), l->void_type, args,
             2 + vector);
}

// Acts on neighbours in one instruction. What an addition or a store gives is not used.
static void act_on_neighbours(struct lowering *l, MlirOperation op, LLVMValueRef address,
                              const LLVMValueRef *values, LLVMValueRef *out, unsigned vector,
                              LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(values[0]);
    if (op_rmw_operation(op) == RMW_LOAD) {
        load_neighbours(l, op, address, out, type, vector, predicate);
        return;
    }
    if (op_rmw_operation(op) == RMW_STORE) {
        store_neighbours(l, op, address, values, vector, predicate);
    } else {
        add_vector(l, op, address, values, vector, predicate);
    }
    for (unsigned i = 0; i < vector; i++) {
        out[i] = LLVMGetPoison(type);
    }
}

// The number of elements per instruction.
static unsigned at_once(struct lowering *l, MlirOperation op, const struct layout *layout, LLVMTypeRef type) {
    if (!layout || !atomic_takes_vectors(l->ir, l->target, op)) {
        return 1;
    }
    return lower_vector(l, op, layout, lower_type_bits(type));
}

LLVMValueRef nvptx_atomic_cas(struct lowering *l, MlirOperation op, LLVMValueRef address,
                              LLVMValueRef compare, LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bits = lower_type_bits(type);
    if (bits < 16) {
        lower_error(l, "compare-and-swap of %u-bit elements is not supported: use 16, 32 or 64 bits", bits);
        return value;
    }
    LLVMTypeRef passed = lower_int_type(l, bits);
    enum asm_id first = bits == 16   ? ASM_ATOM_CAS_B16_RELAXED_GPU
                        : bits == 32 ? ASM_ATOM_CAS_B32_RELAXED_GPU
                                     : ASM_ATOM_CAS_B64_RELAXED_GPU;
    compare = lower_to_bits(l, compare);
    value = lower_to_bits(l, value);
    LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), compare, value,
                           lower_zero(passed)};
    return lower_from_bits(l, asm_call(l, variant(first, op), passed, args, 5), type);
}

LLVMValueRef amdgpu_atomic_cas(struct lowering *l, MlirOperation op, LLVMValueRef address,
                               LLVMValueRef compare, LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bits = lower_type_bits(type);
    LLVMTypeRef passed = lower_int_type(l, bits);
    char text[256], parameters[64];
    const char *name = type_text(l, passed), *order = amd_ordering(l, op),
               *failure = order[0] == 'a' ? "acquire" : "monotonic";
    snprintf(parameters, sizeof parameters, "ptr addrspace(1) %%0, %s %%1, %s %%2", name, name);
    snprintf(text, sizeof text, "cmpxchg ptr addrspace(1) %%0, %s %%1, %s %%2 %s %s %s, align %u", name, name,
             amd_scope(op), order, failure, bits / 8);
    compare = lower_to_bits(l, compare);
    value = lower_to_bits(l, value);
    LLVMValueRef args[] = {address, compare, value};
    return lower_from_bits(l, under_predicate(l, predicate, text, parameters, args, 3, passed, true), type);
}

static void lower_atomic(struct lowering *l, MlirOperation op, bool is_cas) {
    const struct lower_vendor *vendor = lower_vendor(l);
    const struct layout *layout = lower_layout(l, access_pointer(op));
    struct values *pointers = lower_values(l, access_pointer(op)),
                  *values = lower_values(l, is_cas ? atomic_cas_value(op) : atomic_rmw_value(op));
    struct values *masks = is_cas ? NULL : lower_optional(l, atomic_rmw_mask(op));
    struct values *compares = is_cas ? lower_values(l, atomic_cas_compare(op)) : NULL,
                  *out = lower_result(l, op, 0);
    bool releases = op_memory_order(op) & ORDER_RELEASE, acquires = op_memory_order(op) & ORDER_ACQUIRE;
    if (releases && layout) {
        vendor->release(l, op_memory_scope(op));
    } else if (releases && !l->alone) {
        lower_release_barrier(l, op_memory_scope(op));
    }
    uint32_t free = lower_free_registers(layout);
    LLVMValueRef owner = op_has(op, ATTR_EACH_WARP) ? lower_owner_in_warp(l, layout) : lower_owner(l, layout);
    if (op_has(op, ATTR_FENCED)) {
        vendor->release_by(l, op_memory_scope(op), owner);
    }
    unsigned vector = is_cas ? 1 : at_once(l, op, layout, LLVMTypeOf(values->at[0]));
    for (unsigned r = 0; r < pointers->count; r += vector) {
        if (r & free) {
            memcpy(&out->at[r], &out->at[r & ~free], vector * sizeof *out->at);
            continue;
        }
        LLVMValueRef predicate = lower_and(l, owner, masks ? masks->at[r] : NULL);
        if (vector > 1) {
            act_on_neighbours(l, op, pointers->at[r], &values->at[r], &out->at[r], vector, predicate);
        } else if (is_cas) {
            out->at[r] =
                vendor->atomic_cas(l, op, pointers->at[r], compares->at[r], values->at[r], predicate);
        } else {
            out->at[r] = vendor->atomic_rmw(l, op, pointers->at[r], values->at[r], predicate);
        }
    }
    if (acquires && layout) {
        vendor->acquire(l, op_memory_scope(op));
    }
    lower_share_result(l, op, out);
}

void lower_atomic_rmw(struct lowering *l, MlirOperation op) {
    lower_atomic(l, op, false);
}

void lower_atomic_cas(struct lowering *l, MlirOperation op) {
    lower_atomic(l, op, true);
}

// Reads the element until it is as expected, or until the time since `start` is `timeout` (NULL: no limit). Gives the
// last value read, and zero to threads without the predicate.
static LLVMValueRef poll(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef expected,
                         LLVMValueRef start, LLVMValueRef timeout, LLVMValueRef predicate) {
    const struct lower_vendor *vendor = lower_vendor(l);
    LLVMTypeRef type = LLVMTypeOf(expected);
    struct lower_if branch = {0};
    if (predicate) {
        branch = lower_if_begin(l, predicate);
    }
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBuildBr(l->b, loop);
    LLVMPositionBuilderAtEnd(l->b, loop);
    LLVMValueRef seen = vendor->atomic_load(l, op, address, type);
    LLVMValueRef ends = LLVMBuildICmp(l->b, LLVMIntEQ, seen, expected, "");
    if (timeout) {
        LLVMValueRef ticks = LLVMBuildSub(l->b, INTRINSIC0(l, vendor->clock), start, "");
        LLVMValueRef over = LLVMBuildICmp(
            l->b, LLVMIntUGE, LLVMBuildMul(l->b, ticks, lower_i64(l, vendor->tick), ""), timeout, "");
        ends = LLVMBuildOr(l->b, ends, over, "");
    }
    LLVMBuildCondBr(l->b, ends, done, loop);
    LLVMPositionBuilderAtEnd(l->b, done);
    if (!predicate) {
        return seen;
    }
    lower_if_end(l, &branch);
    LLVMValueRef phi = LLVMBuildPhi(l->b, type, ""), zero = lower_zero(type);
    LLVMAddIncoming(phi, &seen, &branch.then, 1);
    LLVMAddIncoming(phi, &zero, &branch.before, 1);
    return phi;
}

void lower_atomic_poll(struct lowering *l, MlirOperation op) {
    const struct lower_vendor *vendor = lower_vendor(l);
    const struct layout *layout = lower_layout(l, access_pointer(op));
    struct values *pointers = lower_values(l, access_pointer(op)),
                  *expected = lower_values(l, atomic_poll_expected(op)), *out = lower_result(l, op, 0);
    struct values *timeouts = lower_optional(l, atomic_poll_timeout(op));
    LLVMValueRef start = timeouts ? INTRINSIC0(l, vendor->clock) : NULL, owner = lower_owner(l, layout);
    uint32_t free = lower_free_registers(layout);
    for (unsigned r = 0; r < pointers->count; r++) {
        out->at[r] = r & free ? out->at[r & ~free]
                              : poll(l, op, pointers->at[r], expected->at[r], start,
                                     timeouts ? timeouts->at[0] : NULL, owner);
    }
    if (op_memory_order(op) & ORDER_ACQUIRE) {
        vendor->acquire(l, op_memory_scope(op));
    }
    lower_share_result(l, op, out);
}
