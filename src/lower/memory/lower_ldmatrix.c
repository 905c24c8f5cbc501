// ldmatrix and stmatrix: shared memory to and from matrix fragments, 8 x 16 bytes at a time.
//
// A plan (layout_ldmatrix) exists whenever the offset map of a tile has the fragment's shape. Lane a of a
// warp gives the address of row a % 8 of matrix a / 8: one value for each lane, computed in the entry block.
// The rest of the address is a constant for each instruction. Bits of it within the lane part's mask (the
// swizzle) are XORed to the lane part, loop-invariant as well; all others become an immediate offset. So a
// loop over a multi-buffered slot adds once for each distinct XOR constant.
#include "lower/lower_internal.h"

struct matrix_access {
    struct layout map; // without register replicas
    struct layout_ldmatrix_plan plan;
    unsigned bytes;
    LLVMValueRef lane; // i32 bytes: this lane's row
    uint32_t span;     // mask of the possible bits of `lane`
    LLVMValueRef base; // i32 bytes: the tile
};

static bool matrix_access(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                          const struct layout *distributed, unsigned bytes, uint64_t needed,
                          struct matrix_access *access) {
    if (!target_has(l->target, needed)) {
        return false;
    }
    struct layout reduced = layout_remove_replicas(distributed);
    *access =
        (struct matrix_access){.map = layout_offset_map(shared, &reduced), .bytes = bytes, .base = base};
    if (!layout_ldmatrix(&access->map, bytes, false, &access->plan) &&
        !layout_ldmatrix(&access->map, bytes, true, &access->plan)) {
        return false;
    }
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        uint32_t offset = i < l->lane_bits ? access->plan.address_lane[i]
                                           : access->map.basis[LAYOUT_WARP][i - l->lane_bits];
        basis[i] = offset * bytes;
        access->span |= basis[i];
    }
    access->lane = lower_thread_linear(l, basis);
    return true;
}

static uint32_t spread(const uint8_t *bits, unsigned count, uint32_t index) {
    uint32_t result = 0;
    for (unsigned i = 0; i < count; i++) {
        result |= (index >> i & 1) << bits[i];
    }
    return result;
}

// The address for the instruction starting at register `first` of the reduced layout.
static LLVMValueRef matrix_address(struct lowering *l, const struct matrix_access *access, uint32_t first) {
    uint32_t offset = layout_column(&access->map, LAYOUT_REGISTER, first) * access->bytes;
    return lower_shared_offset(l, access->base, access->lane, access->span, offset);
}

static LLVMValueRef load_matrices(struct lowering *l, const struct matrix_access *access,
                                  LLVMValueRef address) {
    static const char *const names[2][3] = {{"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16",
                                             "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16",
                                             "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"},
                                            {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16",
                                             "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16",
                                             "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"}};
    const char *name = names[access->plan.transposed][access->plan.matrix_bits];
    return lower_intrinsic(l, name, (LLVMTypeRef[]){l->shared_ptr}, 1, &address, 1);
}

// ---- AMD: 8 bytes a lane, transposed within 16 lanes ----

static LLVMValueRef load_transposed(struct lowering *l, LLVMValueRef address, unsigned bytes) {
    bool halves = bytes == 2;
    LLVMTypeRef type = halves ? LLVMVectorType(l->i16, 4) : LLVMVectorType(l->i32, 2);
    const char *name = halves ? "llvm.amdgcn.ds.read.tr16.b64" : "llvm.amdgcn.ds.read.tr8.b64";
    LLVMValueRef loaded = lower_intrinsic(l, name, &type, 1, &address, 1);
    lower_mark_convergent(l, loaded);
    return halves ? LLVMBuildBitCast(l->b, loaded, LLVMVectorType(l->i32, 2), "") : loaded;
}

// As matrix_access; the map is of the elements that lanes address: 8 bytes of a row each.
static bool transposed_access(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                              const struct layout *distinct, unsigned bytes, struct matrix_access *access) {
    struct layout addresses;
    if (!target_has(l->target, FEATURE(LDS_TRANSPOSE)) ||
        !layout_transposed_addresses(distinct, bytes, &addresses)) {
        return false;
    }
    *access =
        (struct matrix_access){.map = layout_offset_map(shared, &addresses), .bytes = bytes, .base = base};
    static const enum layout_input inputs[] = {LAYOUT_REGISTER, LAYOUT_LANE, LAYOUT_WARP};
    unsigned bits = bytes == 2 ? 2 : 3;
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned i = 0; i < access->map.bits[inputs[n]]; i++) {
            uint32_t offset = access->map.basis[inputs[n]][i];
            bool inside = n == 0 && i < bits;
            if (inside ? offset != 1u << i : (offset & ((1u << bits) - 1)) != 0) {
                return false;
            }
        }
    }
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        basis[i] = access->map.basis[i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP]
                                    [i < l->lane_bits ? i : i - l->lane_bits] *
                   bytes;
        access->span |= basis[i];
    }
    access->lane = lower_thread_linear(l, basis);
    return true;
}

static bool read_transposed(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                            const struct layout *distributed, LLVMTypeRef type, LLVMValueRef *registers) {
    struct matrix_access access;
    struct layout distinct = layout_remove_replicas(distributed);
    unsigned bytes = lower_type_bits(type) / 8, count = 8 / (bytes ? bytes : 8);
    if (!transposed_access(l, base, shared, &distinct, bytes, &access)) {
        return false;
    }
    LLVMValueRef *reduced = ARENA_ARRAY(l->arena, LLVMValueRef, layout_registers(&distinct));
    for (uint32_t first = 0; first < layout_registers(&distinct); first += count) {
        LLVMValueRef loaded = load_transposed(l, matrix_address(l, &access, first), bytes), words[2];
        for (unsigned i = 0; i < 2; i++) {
            words[i] = LLVMBuildExtractElement(l->b, loaded, lower_i32(l, i), "");
        }
        lower_unpack(l, words, type, count, reduced + first);
    }
    uint32_t *replica = ARENA_ARRAY(l->arena, uint32_t, layout_registers(distributed));
    layout_replica_registers(distributed, replica);
    for (uint32_t r = 0; r < layout_registers(distributed); r++) {
        registers[r] = reduced[replica[r]];
    }
    return true;
}

bool lower_tile_read_matrices(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                              const struct layout *distributed, LLVMTypeRef type, LLVMValueRef *registers) {
    struct matrix_access access;
    if (!matrix_access(l, base, shared, distributed, lower_type_bits(type) / 8, FEATURE(MMA_SM75), &access)) {
        return read_transposed(l, base, shared, distributed, type, registers);
    }
    const struct layout_ldmatrix_plan *plan = &access.plan;
    unsigned matrices = 1u << plan->matrix_bits, per_word = 1u << plan->word_bits;
    LLVMValueRef *reduced = ARENA_ARRAY(l->arena, LLVMValueRef, layout_registers(&access.map));
    for (uint32_t rest = 0; rest < 1u << plan->rest_bits; rest++) {
        uint32_t first = spread(plan->rest_bit, plan->rest_bits, rest);
        LLVMValueRef loaded = load_matrices(l, &access, matrix_address(l, &access, first));
        lower_mark_convergent(l, loaded);
        for (uint32_t matrix = 0; matrix < matrices; matrix++) {
            LLVMValueRef elements[4],
                word = matrices == 1 ? loaded : LLVMBuildExtractValue(l->b, loaded, matrix, "");
            lower_unpack(l, &word, type, per_word, elements);
            uint32_t at = first | spread(plan->matrix_bit, plan->matrix_bits, matrix);
            for (uint32_t i = 0; i < per_word; i++) {
                reduced[at | spread(plan->word_bit, plan->word_bits, i)] = elements[i];
            }
        }
    }
    uint32_t *replica = ARENA_ARRAY(l->arena, uint32_t, layout_registers(distributed));
    layout_replica_registers(distributed, replica);
    for (uint32_t r = 0; r < layout_registers(distributed); r++) {
        registers[r] = reduced[replica[r]];
    }
    return true;
}

// Works if all lanes have distinct rows, or if lanes beyond the instruction's matrices repeat them.
bool lower_tile_write_matrices(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                               const struct layout *distributed, const LLVMValueRef *registers) {
    unsigned bytes = lower_type_bits(LLVMTypeOf(registers[0])) / 8;
    struct matrix_access access;
    if (lower_owner(l, distributed) ||
        !matrix_access(l, base, shared, distributed, bytes, FEATURE(SM90), &access)) {
        return false;
    }
    const struct layout_ldmatrix_plan *plan = &access.plan;
    struct layout reduced = layout_remove_replicas(distributed);
    LLVMValueRef *distinct = ARENA_ARRAY(l->arena, LLVMValueRef, layout_registers(&reduced));
    uint32_t *replica = ARENA_ARRAY(l->arena, uint32_t, layout_registers(distributed));
    layout_replica_registers(distributed, replica);
    for (uint32_t r = 0; r < layout_registers(distributed); r++) {
        distinct[replica[r]] = registers[r];
    }
    unsigned matrices = 1u << plan->matrix_bits, per_word = 1u << plan->word_bits;
    enum asm_id row = ASM_STMATRIX_X1 + 2 * plan->matrix_bits + plan->transposed;
    for (uint32_t rest = 0; rest < 1u << plan->rest_bits; rest++) {
        uint32_t first = spread(plan->rest_bit, plan->rest_bits, rest);
        LLVMValueRef address = matrix_address(l, &access, first);
        LLVMValueRef args[5] = {LLVMBuildPtrToInt(l->b, address, l->i32, "")};
        for (uint32_t matrix = 0; matrix < matrices; matrix++) {
            LLVMValueRef elements[4], words[4];
            uint32_t at = first | spread(plan->matrix_bit, plan->matrix_bits, matrix);
            for (uint32_t i = 0; i < per_word; i++) {
                elements[i] = distinct[at | spread(plan->word_bit, plan->word_bits, i)];
            }
            lower_pack(l, elements, per_word, words);
            args[1 + matrix] = words[0];
        }
        asm_call(l, row, l->void_type, args, 1 + matrices);
    }
    return true;
}
