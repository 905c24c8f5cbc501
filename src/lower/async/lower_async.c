// Shared-memory buffers and asynchronous copies.
//
// A handle is a byte offset: alloc gives the buffer's, slot adds a stage. Copies are cp.async on NVIDIA, as
// wide as the pointer facts and the shared layout allow. Below 4 bytes, too narrow for cp.async, a copy is a
// load and a store; a later wait covers them trivially. On gfx950 a copy moves 16 bytes of each lane to LDS, in the order of the lanes, and
// waits count the instructions of a wave.
#include "chip/lds_copy.h"
#include "lower/lower_internal.h"

enum { ROUNDED_TOGETHER = 4, MOST_ELEMENTS = 4 }; // vectors of at most 16 bytes

void lower_smem_alloc(struct lowering *l, MlirOperation op) {
    if (!op_has(op, ATTR_OFFSET)) {
        bug("a shared buffer without an offset");
    }
    lower_result(l, op, 0)->at[0] = lower_i32(l, (uint32_t)op_int(op, ATTR_OFFSET));
}

static uint32_t stage_bytes(MlirValue slot) {
    MlirType type = mlirValueGetType(slot);
    return (uint32_t)type_elements(type) * lower_storage_bits(type_element(type)) / 8;
}

void lower_smem_slot(struct lowering *l, MlirOperation op) {
    LLVMValueRef buffer = lower_scalar(l, smem_slot_buffer(op)), index = lower_scalar(l, smem_slot_index(op));
    LLVMValueRef size = lower_i32(l, stage_bytes(mlirOperationGetResult(op, 0)));
    LLVMValueRef offset = LLVMBuildMul(l->b, index, size, "");
    lower_result(l, op, 0)->at[0] = LLVMBuildAdd(l->b, buffer, offset, "");
}

// The view's encoding holds the new layout; the bytes stay in place.
void lower_smem_trans(struct lowering *l, MlirOperation op) {
    lower_bind(l, mlirOperationGetResult(op, 0), lower_values(l, smem_trans_slot(op)));
}

void lower_smem_load(struct lowering *l, MlirOperation op) {
    MlirValue slot = smem_load_slot(op), result = mlirOperationGetResult(op, 0);
    struct values *out = lower_result(l, op, 0);
    lower_tile_read(l, lower_scalar(l, slot), lower_layout(l, slot), lower_layout(l, result),
                    lower_type(l, lower_element(result)), out->at);
}

// Makes this thread's writes to shared memory visible to warpgroup products and bulk copies behind the next
// barrier.
static void proxy_fence(struct lowering *l, MlirOperation op) {
    if (op_has(op, ATTR_PROXY)) {
        asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
    }
}

void lower_smem_store(struct lowering *l, MlirOperation op) {
    MlirValue slot = smem_store_slot(op), tile = smem_store_tile(op);
    lower_tile_write(l, lower_scalar(l, slot), lower_layout(l, slot), lower_layout(l, tile),
                     lower_values(l, tile)->at);
    proxy_fence(l, op);
}

struct async_copy {
    MlirOperation op;
    const struct layout *shared, *layout; // of the slot, of the pointers
    struct layout map;                    // (register, lane, warp) → element offset in the slot
    struct values *pointers, *masks;
    LLVMValueRef slot, thread;
    uint32_t span;
    unsigned bytes;  // of an element
    unsigned vector; // elements of one copy
};

// The widest vector contiguous in global memory and in the slot.
static unsigned copy_vector(struct lowering *l, const struct async_copy *copy) {
    unsigned vector = lower_vector(l, copy->op, copy->layout, copy->bytes * 8), bits = 0;
    uint32_t low = 0;
    while (1u << bits < vector && copy->map.basis[LAYOUT_REGISTER][bits] == 1u << bits) {
        bits++;
    }
    vector = 1u << bits;
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++) {
        low |= copy->map.basis[LAYOUT_LANE][i] | copy->map.basis[LAYOUT_WARP][i];
        low |= i >= bits ? copy->map.basis[LAYOUT_REGISTER][i] : 0;
    }
    while (vector > 1 && (low & (vector - 1))) {
        vector /= 2;
    }
    return vector;
}

static LLVMValueRef slot_address(struct lowering *l, const struct async_copy *copy, uint32_t r) {
    uint32_t constant = layout_column(&copy->map, LAYOUT_REGISTER, r) * copy->bytes;
    LLVMValueRef offset = lower_xor_constant(l, copy->thread, copy->span, constant & copy->span);
    LLVMValueRef at = lower_shared_address(l, LLVMBuildAdd(l->b, copy->slot, offset, ""));
    LLVMValueRef rest = lower_i32(l, constant & ~copy->span);
    return constant & ~copy->span ? LLVMBuildGEP2(l->b, l->i8, at, &rest, 1, "") : at;
}

static void copy_async(struct lowering *l, const struct async_copy *copy, uint32_t r, LLVMValueRef owner) {
    unsigned bytes = copy->bytes * copy->vector;
    bool cached = op_cache_modifier(copy->op) == CACHE_CA;
    enum asm_id id = bytes == 4   ? ASM_CP_ASYNC_4
                     : bytes == 8 ? ASM_CP_ASYNC_8
                     : cached     ? ASM_CP_ASYNC_CA_16
                                  : ASM_CP_ASYNC_16;
    LLVMValueRef size = lower_i32(l, bytes);
    if (copy->masks) {
        size = LLVMBuildSelect(l->b, copy->masks->at[r], size, lower_i32(l, 0), "");
    }
    LLVMValueRef address = LLVMBuildPtrToInt(l->b, slot_address(l, copy, r), l->i32, "");
    LLVMValueRef args[] = {address, copy->pointers->at[r], size, owner};
    asm_call(l, owner ? id + (ASM_CP_ASYNC_4_IF - ASM_CP_ASYNC_4) : id, l->void_type, args, owner ? 4 : 3);
}

// The fallback: element by element through registers.
static void copy_now(struct lowering *l, const struct async_copy *copy, uint32_t r, LLVMValueRef owner) {
    LLVMTypeRef word = lower_int_type(l, copy->bytes * 8);
    LLVMValueRef other = lower_zero(word), value;
    if (copy->masks) {
        struct lower_if branch = lower_if_begin(l, copy->masks->at[r]);
        LLVMValueRef read = LLVMBuildLoad2(l->b, word, copy->pointers->at[r], "");
        LLVMSetAlignment(read, copy->bytes);
        lower_if_end(l, &branch);
        value = LLVMBuildPhi(l->b, word, "");
        LLVMAddIncoming(value, &read, &branch.then, 1);
        LLVMAddIncoming(value, &other, &branch.before, 1);
    } else {
        value = LLVMBuildLoad2(l->b, word, copy->pointers->at[r], "");
        LLVMSetAlignment(value, copy->bytes);
    }
    lower_shared_write(l, slot_address(l, copy, r), &value, 1, owner);
}

// ---- gfx950: copies of 16 bytes a lane to LDS ----

// The part of the address that differs between warps, in a scalar register. The lanes' part is the instruction's own.
static LLVMValueRef wave_offset(struct lowering *l, const struct async_copy *copy) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < copy->map.bits[LAYOUT_LANE]; i++) {
        if (copy->map.basis[LAYOUT_LANE][i] * copy->bytes != (unsigned)LDS_COPY_BYTES << i) {
            bug("lanes of a copy to LDS do not follow each other in the slot");
        }
    }
    for (unsigned i = 0; i < l->warp_bits; i++) {
        basis[l->lane_bits + i] = copy->map.basis[LAYOUT_WARP][i] * copy->bytes;
    }
    return lower_warp_linear(l, basis);
}

static void copy_to_lds(struct lowering *l, const struct async_copy *copy, const struct lower_buffer *buffer,
                        uint32_t r, LLVMValueRef at) {
    uint32_t constant = layout_column(&copy->map, LAYOUT_REGISTER, r) * copy->bytes;
    LLVMValueRef target = lower_shared_address(l, at), rest = lower_i32(l, constant);
    LLVMValueRef zero = lower_i32(l, 0), bytes = lower_i32(l, LDS_COPY_BYTES),
                 cache = lower_i32(l, lower_copy_cache(l, copy->op));
    target = constant ? LLVMBuildGEP2(l->b, l->i8, target, &rest, 1, "") : target;
    if (buffer->resource) {
        INTRINSIC(l, "llvm.amdgcn.raw.ptr.buffer.load.lds", buffer->resource, target, bytes,
                  buffer->offsets->at[r], buffer->added, zero, cache);
    } else {
        INTRINSIC(l, "llvm.amdgcn.global.load.lds", copy->pointers->at[r], target, bytes, zero, cache);
    }
}

// LLVM counts copies by the lanes' own pointers as accesses to LDS, too; whether the chip does is not known (the emulator does not). With no
// access to LDS under way before them, and none let up past them, waits for accesses are right in either case. To LLVM the wait ahead of them is
// a scalar instruction: were these to pass, an exchange of lanes might stand between the wait and the copies.
static void apart_from_reads(struct lowering *l) {
    enum { VECTOR_ARITHMETIC_MAY_PASS = 0x40a };
    INTRINSIC(l, "llvm.amdgcn.sched.barrier", lower_i32(l, VECTOR_ARITHMETIC_MAY_PASS));
}

static void copy_all_to_lds(struct lowering *l, const struct async_copy *copy) {
    struct lower_buffer buffer = lower_buffer_of(l, copy->op, async_copy_pointer(copy->op));
    LLVMValueRef at = LLVMBuildAdd(l->b, copy->slot, wave_offset(l, copy), "");
    if (copy->masks) {
        bug("a copy to LDS with a mask");
    }
    if (!buffer.resource) {
        apart_from_reads(l);
        lower_wait_for_shared(l);
    }
    for (uint32_t r = 0; r < copy->pointers->count; r += LDS_COPY_BYTES / copy->bytes) {
        copy_to_lds(l, copy, &buffer, r, at);
    }
    if (!buffer.resource) {
        apart_from_reads(l);
    }
}

void lower_async_copy(struct lowering *l, MlirOperation op) {
    MlirValue slot = async_copy_slot(op), pointers = async_copy_pointer(op);
    struct async_copy copy = {.op = op, .shared = lower_layout(l, slot), .layout = lower_layout(l, pointers)};
    copy.pointers = lower_values(l, pointers);
    copy.masks = lower_optional(l, async_copy_mask(op));
    copy.slot = lower_scalar(l, slot);
    copy.bytes = lower_storage_bits(lower_element(slot)) / 8;
    copy.map = layout_offset_map(copy.shared, copy.layout);
    if (target_has(l->target, FEATURE(LDS_COPY))) {
        copy_all_to_lds(l, &copy);
        return;
    }
    copy.thread = lower_layout_base(l, &copy.map, copy.bytes, &copy.span);
    copy.vector = copy_vector(l, &copy);
    bool async = target_has(l->target, FEATURE(CP_ASYNC)) && copy.bytes * copy.vector >= 4;
    uint32_t free = lower_free_registers(copy.layout);
    LLVMValueRef owner = lower_owner(l, copy.layout);
    for (uint32_t r = 0; r < copy.pointers->count; r += async ? copy.vector : 1) {
        if (r & free) {
            continue;
        }
        if (async) {
            copy_async(l, &copy, r, owner);
        } else {
            copy_now(l, &copy, r, owner);
        }
    }
}

// Rounds the vectors of registers at[0 … count - 1]: all are under way before the first is needed.
static void round_vectors(struct lowering *l, const struct async_copy *own, const uint32_t *at,
                          unsigned count) {
    LLVMValueRef elements[ROUNDED_TOGETHER][MOST_ELEMENTS], address[ROUNDED_TOGETHER];
    for (unsigned v = 0; v < count; v++) {
        address[v] = slot_address(l, own, at[v]);
        lower_shared_read(l, address[v], l->f32, own->vector, elements[v]);
    }
    for (unsigned v = 0; v < count; v++) {
        for (unsigned i = 0; i < own->vector; i++) {
            elements[v][i] = lower_vendor(l)->tf32(l, elements[v][i]);
        }
        lower_shared_write(l, address[v], elements[v], own->vector, NULL);
    }
}

// A thread takes its own elements as the copy took them: vectors that meet no others of the warp in a bank.
void lower_smem_round(struct lowering *l, MlirOperation op) {
    MlirValue slot = smem_round_slot(op), result = mlirOperationGetResult(op, 0);
    struct async_copy own = {.op = op, .shared = lower_layout(l, slot), .layout = lower_layout(l, result)};
    own.slot = lower_scalar(l, slot);
    own.bytes = lower_storage_bits(lower_element(slot)) / 8;
    own.map = layout_offset_map(own.shared, own.layout);
    own.thread = lower_layout_base(l, &own.map, own.bytes, &own.span);
    own.vector = copy_vector(l, &own);
    struct values *out = lower_result(l, op, 0);
    uint32_t free = lower_free_registers(own.layout), at[ROUNDED_TOGETHER];
    LLVMValueRef owner = lower_owner(l, own.layout);
    struct lower_if branch = {0};
    if (owner) {
        branch = lower_if_begin(l, owner);
    }
    unsigned count = 0;
    for (uint32_t r = 0; r < out->count; r++) {
        out->at[r] = LLVMGetPoison(l->f32);
        if (r % own.vector == 0 && !(r & free)) {
            at[count++] = r;
        }
        if (count == ROUNDED_TOGETHER || (count > 0 && r + 1 == out->count)) {
            round_vectors(l, &own, at, count);
            count = 0;
        }
    }
    if (owner) {
        lower_if_end(l, &branch);
    }
    proxy_fence(l, op);
}

void lower_async_commit(struct lowering *l, MlirOperation op) {
    (void)op;
    if (target_has(l->target, FEATURE(CP_ASYNC))) {
        asm_call(l, ASM_CP_ASYNC_COMMIT, l->void_type, NULL, 0);
    }
}

// Loads that the wave has issued since let the wait end later than it could, not earlier. The largest count of LDS accesses, 15, means no wait
// for them, but LLVM then assumes at most 15 in flight; a count of 14 makes its assumption true (a barrier follows that waits for all).
static void wait_for_copies(struct lowering *l, MlirOperation op) {
    enum { OTHER_COUNTERS = 0x0e70, MOST = 63 }; // of S_WAITCNT
    unsigned count = (unsigned)(op_int(op, ATTR_PENDING) * op_int(op, ATTR_GROUP));
    count = count < MOST ? count : MOST;
    INTRINSIC(l, "llvm.amdgcn.s.waitcnt", lower_i32(l, OTHER_COUNTERS | (count & 15) | count >> 4 << 14));
}

void lower_async_wait(struct lowering *l, MlirOperation op) {
    if (target_has(l->target, FEATURE(LDS_COPY))) {
        wait_for_copies(l, op);
    }
    if (target_has(l->target, FEATURE(CP_ASYNC))) {
        LLVMValueRef pending = lower_i32(l, (uint32_t)op_int(op, ATTR_PENDING));
        asm_call(l, ASM_CP_ASYNC_WAIT, l->void_type, &pending, 1);
        proxy_fence(l, op);
    }
}
