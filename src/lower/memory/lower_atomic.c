// Atomics. Each element is acted on once, by its owner; the old value reaches replicas through scratch.
//
// NVIDIA: assembly rows, since LLVM 19 drops the ordering of atomicrmw there. AMD: atomicrmw and cmpxchg with
// scopes. A scalar atomic that releases is preceded by a block barrier, so that it publishes what all threads
// of the block wrote.
#include <stdio.h>
#include <string.h>

#include "lower/lower_internal.h"

enum sem { SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL };
enum scope { SCOPE_GPU, SCOPE_CTA, SCOPE_SYS };

static enum sem sem_of(MlirOperation op) {
    return op_string_is(op, "sem", "relaxed")   ? SEM_RELAXED
           : op_string_is(op, "sem", "acquire") ? SEM_ACQUIRE
           : op_string_is(op, "sem", "release") ? SEM_RELEASE
                                                : SEM_ACQ_REL;
}

static enum scope scope_of(MlirOperation op) {
    return op_string_is(op, "scope", "cta")   ? SCOPE_CTA
           : op_string_is(op, "scope", "sys") ? SCOPE_SYS
                                              : SCOPE_GPU;
}

// The op's name as MLIR text → the row for 32 bits and for 64 bits, and LLVM's name.
static const struct rmw {
    const char *name;
    enum asm_id narrow, wide;
    const char *llvm;
} rmw_table[] = {
    {"add", ASM_ATOM_ADD_U32_RELAXED_GPU, ASM_ATOM_ADD_U64_RELAXED_GPU, "add"},
    {"fadd", ASM_ATOM_ADD_F32_RELAXED_GPU, ASM_ATOM_ADD_F64_RELAXED_GPU, "fadd"},
    {"max", ASM_ATOM_MAX_S32_RELAXED_GPU, ASM_ATOM_MAX_S64_RELAXED_GPU, "max"},
    {"min", ASM_ATOM_MIN_S32_RELAXED_GPU, ASM_ATOM_MIN_S64_RELAXED_GPU, "min"},
    {"umax", ASM_ATOM_MAX_U32_RELAXED_GPU, ASM_ATOM_MAX_U64_RELAXED_GPU, "umax"},
    {"umin", ASM_ATOM_MIN_U32_RELAXED_GPU, ASM_ATOM_MIN_U64_RELAXED_GPU, "umin"},
    {"and", ASM_ATOM_AND_B32_RELAXED_GPU, ASM_ATOM_AND_B64_RELAXED_GPU, "and"},
    {"or", ASM_ATOM_OR_B32_RELAXED_GPU, ASM_ATOM_OR_B64_RELAXED_GPU, "or"},
    {"xor", ASM_ATOM_XOR_B32_RELAXED_GPU, ASM_ATOM_XOR_B64_RELAXED_GPU, "xor"},
    {"xchg", ASM_ATOM_EXCH_B32_RELAXED_GPU, ASM_ATOM_EXCH_B64_RELAXED_GPU, "xchg"},
};

static const struct rmw *find_rmw(MlirOperation op) {
    for (unsigned i = 0; i < sizeof rmw_table / sizeof *rmw_table; i++) {
        if (op_string_is(op, "op", rmw_table[i].name)) {
            return &rmw_table[i];
        }
    }
    return NULL;
}

// The rows of one operation: sem-major, scope-minor.
static enum asm_id variant(enum asm_id first, MlirOperation op) {
    return first + 3 * sem_of(op) + scope_of(op);
}

// Runs `old = f(address)` where the predicate holds; other threads get zero.
static LLVMValueRef under_predicate(struct lowering *l, LLVMValueRef predicate, const char *text,
                                    const char *parameters, LLVMValueRef *args, unsigned count,
                                    LLVMTypeRef type, bool exchange) {
    struct lower_if branch = {0};
    if (predicate) {
        branch = lower_if_begin(l, predicate);
    }
    LLVMValueRef old = lower_from_text(l, text, parameters, args, count);
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

static const char *amd_ordering(MlirOperation op) {
    static const char *const names[] = {"monotonic", "acquire", "release", "acq_rel"};
    return names[sem_of(op)];
}

static const char *amd_scope(MlirOperation op) {
    static const char *const names[] = {"syncscope(\"agent\")", "syncscope(\"workgroup\")", ""};
    return names[scope_of(op)];
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

static LLVMValueRef amd_rmw(struct lowering *l, MlirOperation op, const struct rmw *row, LLVMValueRef address,
                            LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(value);
    char text[256], parameters[64];
    snprintf(parameters, sizeof parameters, "ptr addrspace(1) %%0, %s %%1", type_text(l, type));
    snprintf(text, sizeof text, "atomicrmw %s ptr addrspace(1) %%0, %s %%1 %s %s, align %u", row->llvm,
             type_text(l, type), amd_scope(op), amd_ordering(op), lower_type_bits(type) / 8);
    LLVMValueRef args[] = {address, value};
    return under_predicate(l, predicate, text, parameters, args, 2, type, false);
}

// bf16 before sm_90: read, add in f32, compare-and-swap until nobody came between. The relaxed first read may
// be stale.
static LLVMValueRef add_by_cas(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                               LLVMValueRef predicate) {
    MlirType bf16 = mlirBF16TypeGet(l->ir->context), f32 = mlirF32TypeGet(l->ir->context);
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
    LLVMValueRef wide = lower_float_to_float(l, lower_from_bits(l, seen, l->bf16), bf16, f32, false);
    LLVMValueRef sum = LLVMBuildFAdd(l->b, wide, lower_float_to_float(l, value, bf16, f32, false), "");
    LLVMValueRef wanted = lower_to_bits(l, lower_float_to_float(l, sum, f32, bf16, false));
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
    return lower_from_bits(l, old, l->bf16);
}

static LLVMValueRef nvidia_rmw(struct lowering *l, MlirOperation op, const struct rmw *row,
                               LLVMValueRef address, LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(value), passed = type;
    bool is_float = strcmp(row->name, "fadd") == 0;
    unsigned bits = lower_type_bits(type);
    enum asm_id first = bits == 64 ? row->wide : row->narrow;
    if (is_float && bits == 16) {
        first = type == l->f16 ? ASM_ATOM_ADD_F16_RELAXED_GPU : ASM_ATOM_ADD_BF16_RELAXED_GPU;
        passed = l->i16;
        if (type == l->bf16 && l->target->compute_capability < 90) {
            return add_by_cas(l, op, address, value, predicate);
        }
    } else if (!is_float) {
        passed = lower_int_type(l, bits);
    }
    if (!is_float && bits < 32) {
        lower_error(l, "atomic %s of %u-bit elements is not supported: use 32 or 64 bits", row->name, bits);
        return value;
    }
    LLVMValueRef bits_value = passed == type ? value : lower_to_bits(l, value);
    LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), bits_value,
                           lower_zero(passed)};
    LLVMValueRef old = asm_call(l, variant(first, op), passed, args, 4);
    return passed == type ? old : lower_from_bits(l, old, type);
}

static LLVMValueRef cas(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef compare,
                        LLVMValueRef value, LLVMValueRef predicate) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bits = lower_type_bits(type);
    LLVMTypeRef passed = lower_int_type(l, bits);
    compare = lower_to_bits(l, compare);
    value = lower_to_bits(l, value);
    LLVMValueRef old;
    if (l->target->vendor == VENDOR_NVIDIA) {
        if (bits < 16) {
            lower_error(l, "compare-and-swap of %u-bit elements is not supported: use 16, 32 or 64 bits",
                        bits);
            return value;
        }
        enum asm_id first = bits == 16   ? ASM_ATOM_CAS_B16_RELAXED_GPU
                            : bits == 32 ? ASM_ATOM_CAS_B32_RELAXED_GPU
                                         : ASM_ATOM_CAS_B64_RELAXED_GPU;
        LLVMValueRef args[] = {address, predicate ? predicate : LLVMConstInt(l->i1, 1, 0), compare, value,
                               lower_zero(passed)};
        old = asm_call(l, variant(first, op), passed, args, 5);
    } else {
        char text[256], parameters[64];
        const char *name = type_text(l, passed),
                   *failure = sem_of(op) & SEM_ACQUIRE ? "acquire" : "monotonic";
        snprintf(parameters, sizeof parameters, "ptr addrspace(1) %%0, %s %%1, %s %%2", name, name);
        snprintf(text, sizeof text, "cmpxchg ptr addrspace(1) %%0, %s %%1, %s %%2 %s %s %s, align %u", name,
                 name, amd_scope(op), amd_ordering(op), failure, bits / 8);
        LLVMValueRef args[] = {address, compare, value};
        old = under_predicate(l, predicate, text, parameters, args, 3, passed, true);
    }
    return lower_from_bits(l, old, type);
}

// Owners write their old values to scratch, every replica reads.
static void share_old_values(struct lowering *l, MlirOperation op, const struct layout *layout,
                             struct values *out) {
    if (!value_has_uses(mlirOperationGetResult(op, 0))) {
        return;
    }
    if (layout) {
        if (lower_free_threads(l, layout)) {
            int64_t shape[LAYOUT_MAX_RANK];
            for (unsigned dim = 0; dim < layout->rank; dim++) {
                shape[dim] = layout_extent(layout, dim);
            }
            struct layout shared = layout_row_major_shared(layout->rank, shape);
            LLVMTypeRef type = LLVMTypeOf(out->at[0]);
            lower_tile_write(l, lower_scratch(l, op), &shared, layout, out->at);
            lower_barrier(l);
            lower_tile_read(l, lower_scratch(l, op), &shared, layout, type, out->at);
        }
        return;
    }
    LLVMValueRef address = lower_shared_address(l, lower_scratch(l, op));
    lower_shared_write(l, address, out->at, 1, lower_owner(l, NULL));
    lower_barrier(l);
    lower_shared_read(l, address, LLVMTypeOf(out->at[0]), 1, out->at);
}

static void lower_atomic(struct lowering *l, MlirOperation op, bool is_cas) {
    const struct layout *layout = lower_layout(l, mlirOperationGetOperand(op, 0));
    struct values *pointers = lower_operand(l, op, 0), *values = lower_operand(l, op, is_cas ? 2 : 1);
    struct values *masks = !is_cas && mlirOperationGetNumOperands(op) > 2 ? lower_operand(l, op, 2) : NULL;
    struct values *compares = is_cas ? lower_operand(l, op, 1) : NULL, *out = lower_result(l, op, 0);
    const struct rmw *row = is_cas ? NULL : find_rmw(op);
    if (!is_cas && !row) {
        MlirStringRef name = op_string(op, "op");
        lower_error(l, "atomic operation %.*s is not supported", (int)name.length, name.data);
        return;
    }
    if (!layout && (sem_of(op) & SEM_RELEASE)) {
        lower_barrier(l);
    }
    uint32_t free = lower_free_registers(layout);
    LLVMValueRef owner = lower_owner(l, layout);
    for (unsigned r = 0; r < pointers->count; r++) {
        if (r & free) {
            out->at[r] = out->at[r & ~free];
            continue;
        }
        LLVMValueRef predicate = lower_and(l, owner, masks ? masks->at[r] : NULL);
        if (is_cas) {
            out->at[r] = cas(l, op, pointers->at[r], compares->at[r], values->at[r], predicate);
        } else if (l->target->vendor == VENDOR_NVIDIA) {
            out->at[r] = nvidia_rmw(l, op, row, pointers->at[r], values->at[r], predicate);
        } else {
            out->at[r] = amd_rmw(l, op, row, pointers->at[r], values->at[r], predicate);
        }
    }
    share_old_values(l, op, layout, out);
}

void lower_atomic_rmw(struct lowering *l, MlirOperation op) {
    lower_atomic(l, op, false);
}

void lower_atomic_cas(struct lowering *l, MlirOperation op) {
    lower_atomic(l, op, true);
}
