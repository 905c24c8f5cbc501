// convert_layout: nothing, a renaming of registers, shuffles within warps, or swizzled shared memory, by the
// plan of layout_conversion.
#include "lower/lower_internal.h"
#include "chip/scratch.h"

#include <string.h>

// values[constant ^ linear(thread bits)]: a tree of selects, one level for each register bit dependent on the
// thread. basis[i] is the contribution of thread bit i.
static LLVMValueRef select_register(struct lowering *l, LLVMValueRef *values, uint32_t constant,
                                    const uint32_t *basis, unsigned from_bit) {
    unsigned thread_bits = l->lane_bits + l->warp_bits;
    for (unsigned j = from_bit; j < LAYOUT_MAX_BITS; j++) {
        uint32_t one[LAYOUT_MAX_BITS] = {0}, any = 0;
        for (unsigned i = 0; i < thread_bits; i++) {
            one[i] = basis[i] >> j & 1;
            any |= one[i];
        }
        if (!any) {
            continue;
        }
        LLVMValueRef bit = lower_thread_linear(l, one);
        LLVMValueRef set = LLVMBuildICmp(l->b, LLVMIntNE, bit, lower_i32(l, 0), "");
        LLVMValueRef flipped = select_register(l, values, constant ^ 1u << j, basis, j + 1);
        LLVMValueRef kept = select_register(l, values, constant, basis, j + 1);
        return LLVMBuildSelect(l->b, set, flipped, kept, "");
    }
    return values[constant];
}

static void thread_basis(struct lowering *l, const uint32_t *lane, const uint32_t *warp,
                         uint32_t out[LAYOUT_MAX_BITS]) {
    memset(out, 0, sizeof(uint32_t) * LAYOUT_MAX_BITS);
    for (unsigned i = 0; i < l->lane_bits; i++) {
        out[i] = lane[i];
    }
    for (unsigned i = 0; warp && i < l->warp_bits; i++) {
        out[l->lane_bits + i] = warp[i];
    }
}

static LLVMValueRef exchange(struct lowering *l, const struct layout_conversion *plan, uint32_t round,
                             LLVMValueRef offered) {
    if (plan->in_lane) {
        return offered;
    }
    uint32_t constant = layout_linear(plan->read_round, round), basis[LAYOUT_MAX_BITS];
    thread_basis(l, plan->read_lane, plan->read_warp, basis);
    bool is_xor = true;
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        is_xor &= basis[i] == (i < l->lane_bits ? 1u << i : 0);
    }
    if (is_xor) {
        return constant ? lower_shuffle_xor(l, offered, constant) : offered;
    }
    LLVMValueRef lane = lower_thread_linear(l, basis);
    lane = constant ? LLVMBuildXor(l->b, lane, lower_i32(l, constant), "") : lane;
    return lower_shuffle_index(l, offered, lane);
}

// A bit of each lane in one word, and the word shifted by the thread's part of the source lane.
struct ballot {
    LLVMValueRef offered, word;
};

// As exchange, for tiles of bits: a lane takes the bit of the lane it reads from out of all lanes' bits.
static LLVMValueRef exchange_bit(struct lowering *l, const struct layout_conversion *plan, uint32_t round,
                                 LLVMValueRef offered, struct ballot *ballot) {
    uint32_t constant = layout_linear(plan->read_round, round), basis[LAYOUT_MAX_BITS], span = 0;
    thread_basis(l, plan->read_lane, plan->read_warp, basis);
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        span |= basis[i];
    }
    if (plan->in_lane || (constant & span) || !lower_vendor(l)->ballot) {
        return exchange(l, plan, round, offered);
    }
    if (ballot->offered != offered) {
        LLVMValueRef word = lower_vendor(l)->ballot(l, offered);
        *ballot = (struct ballot){offered, LLVMBuildLShr(l->b, word, lower_thread_linear(l, basis), "")};
    }
    LLVMValueRef bit = LLVMBuildAnd(l->b, ballot->word, lower_i32(l, 1u << constant), "");
    return LLVMBuildICmp(l->b, LLVMIntNE, bit, lower_i32(l, 0), "");
}

static void convert_by_shuffles(struct lowering *l, const struct layout_conversion *plan,
                                LLVMValueRef *source, LLVMValueRef *result, unsigned result_count) {
    unsigned rounds = 1u << plan->round_bits;
    LLVMValueRef *received = ARENA_ARRAY(l->arena, LLVMValueRef, rounds);
    uint32_t basis[LAYOUT_MAX_BITS];
    struct ballot ballot = {NULL, NULL};
    thread_basis(l, plan->offer_lane, plan->offer_warp, basis);
    for (uint32_t i = 0; i < rounds; i++) {
        LLVMValueRef offered = select_register(l, source, layout_linear(plan->offer_round, i), basis, 0);
        received[i] = LLVMTypeOf(offered) == l->i1 ? exchange_bit(l, plan, i, offered, &ballot)
                                                   : exchange(l, plan, i, offered);
    }
    LLVMValueRef *distinct = ARENA_ARRAY(l->arena, LLVMValueRef, rounds);
    thread_basis(l, plan->target_lane, NULL, basis);
    for (uint32_t d = 0; d < rounds; d++) {
        distinct[d] = select_register(l, received, d, basis, 0);
    }
    for (uint32_t r = 0; r < result_count; r++) {
        result[r] = distinct[layout_convert_replica(plan, r)];
    }
}

// The register in the whole tile for register `reg` of one half; `bit` is the register bit of the halves.
static unsigned whole_register(unsigned reg, unsigned bit, unsigned half) {
    unsigned low = reg & ((1u << bit) - 1);
    return low | half << bit | reg >> bit << (bit + 1);
}

// The block meets, or each warp by itself if it reads only what its own lanes have written.
static void meet(struct lowering *l, const struct scratch_pieces *pieces) {
    if (scratch_pieces_stay_in_warp(pieces)) {
        lower_warp_barrier(l);
    } else {
        lower_barrier(l);
    }
}

// Converts through shared memory, in pieces if the tile is larger than it; `done` counts the halvings so far.
static void convert_by_memory(struct lowering *l, const struct scratch_pieces *pieces, unsigned done,
                              const LLVMValueRef *source, LLVMValueRef *result, LLVMValueRef scratch) {
    unsigned left = pieces->count - done;
    if (left == 0) {
        LLVMTypeRef type = LLVMTypeOf(source[0]);
        struct layout shared =
            scratch_shared(l->target, &pieces->from, &pieces->to, lower_type_bits(type) / 8);
        lower_tile_write(l, scratch, &shared, &pieces->from, source);
        meet(l, pieces);
        lower_tile_read(l, scratch, &shared, &pieces->to, type, result);
        return;
    }
    unsigned given = layout_registers(&pieces->from) << (left - 1), taken = layout_registers(&pieces->to)
                                                                            << (left - 1);
    LLVMValueRef *from = ARENA_ARRAY(l->arena, LLVMValueRef, given),
                 *to = ARENA_ARRAY(l->arena, LLVMValueRef, taken);
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned r = 0; r < given; r++) {
            from[r] = source[whole_register(r, pieces->from_bit[done], half)];
        }
        if (half) {
            meet(l, pieces); // after all reads of the previous piece
        }
        convert_by_memory(l, pieces, done + 1, from, to, scratch);
        for (unsigned r = 0; r < taken; r++) {
            result[whole_register(r, pieces->to_bit[done], half)] = to[r];
        }
    }
}

// ---- by exchanges between the halves, or the rows of 16 lanes, of a wave ----

static bool goes_by_swaps(struct lowering *l, const struct layout *from, const struct layout *to,
                          LLVMValueRef element, struct layout_swaps *swaps) {
    LLVMTypeRef type = LLVMTypeOf(element);
    return type != l->i1 && scratch_swaps(l->target, from, to, lower_type_bits(type), swaps);
}

// a's lanes with the bit set exchange with b's lanes without it.
static void swap_words(struct lowering *l, unsigned lane_bit, LLVMValueRef *a, LLVMValueRef *b) {
    const char *name = lane_bit == 5 ? "llvm.amdgcn.permlane32.swap" : "llvm.amdgcn.permlane16.swap";
    LLVMValueRef no = LLVMConstInt(l->i1, 0, 0), args[] = {*a, *b, no, no};
    LLVMValueRef both = lower_intrinsic(l, name, NULL, 0, args, 4);
    lower_mark_convergent(l, both);
    *a = LLVMBuildExtractValue(l->b, both, 0, "");
    *b = LLVMBuildExtractValue(l->b, both, 1, "");
}

// Registers of a word: as many as go into 32 bits below the exchanged bit.
static unsigned elements_of_word(const struct layout_swaps *swaps, unsigned bits) {
    unsigned most = 32 / bits, below = 1u << swaps->register_bit;
    return most < below ? most : below;
}

static LLVMValueRef word_of(struct lowering *l, const LLVMValueRef *elements, unsigned count) {
    LLVMValueRef words[4];
    lower_pack(l, elements, count, words);
    return LLVMTypeOf(words[0]) == l->i32 ? words[0] : LLVMBuildZExt(l->b, words[0], l->i32, "");
}

static void elements_of(struct lowering *l, LLVMValueRef word, LLVMTypeRef type, unsigned count,
                        LLVMValueRef *elements) {
    unsigned bits = count * lower_type_bits(type);
    word = bits == 32 ? word : LLVMBuildTrunc(l->b, word, lower_int_type(l, bits), "");
    lower_unpack(l, &word, type, count, elements);
}

static void convert_by_swaps(struct lowering *l, const struct layout *from, const struct layout_swaps *swaps,
                             const LLVMValueRef *source, LLVMValueRef *result) {
    LLVMTypeRef type = LLVMTypeOf(source[0]);
    unsigned count = layout_registers(from), bits = lower_type_bits(type),
             per = elements_of_word(swaps, bits), words = count / per, bit = 1u << swaps->register_bit;
    LLVMValueRef *word = ARENA_ARRAY(l->arena, LLVMValueRef, words),
                 *moved = ARENA_ARRAY(l->arena, LLVMValueRef, count);
    for (unsigned w = 0; w < words; w++) {
        word[w] = word_of(l, source + w * per, per);
    }
    for (unsigned n = 0; n < swaps->count; n++) {
        for (unsigned w = 0; w < words; w++) {
            if (!(w * per & bit)) {
                swap_words(l, swaps->lane_bit[n], &word[w], &word[w + bit / per]);
            }
        }
    }
    for (unsigned w = 0; w < words; w++) {
        elements_of(l, word[w], type, per, moved + w * per);
    }
    for (uint32_t r = 0; r < count; r++) {
        result[r] = moved[layout_linear(swaps->order, r)];
    }
}

static void convert_registers(struct lowering *l, const struct layout *from, const struct layout *to,
                              const LLVMValueRef *source, LLVMValueRef *result, LLVMValueRef scratch,
                              unsigned piece) {
    struct layout_conversion plan = layout_conversion(from, to, SCRATCH_SHUFFLE_ROUNDS);
    unsigned count = layout_registers(to);
    struct layout_swaps swaps;
    if (plan.kind >= LAYOUT_CONVERT_SHUFFLE && goes_by_swaps(l, from, to, source[0], &swaps)) {
        convert_by_swaps(l, from, &swaps, source, result);
        return;
    }
    switch (plan.kind) {
    case LAYOUT_CONVERT_NOTHING:
        memcpy(result, source, sizeof(LLVMValueRef) * count);
        return;
    case LAYOUT_CONVERT_REGISTERS:
        for (uint32_t r = 0; r < count; r++) {
            result[r] = source[layout_convert_source(&plan, r)];
        }
        return;
    case LAYOUT_CONVERT_SHUFFLE:
        convert_by_shuffles(l, &plan, (LLVMValueRef *)source, result, count);
        return;
    case LAYOUT_CONVERT_SHARED:
        break;
    }
    struct scratch_pieces pieces =
        scratch_pieces(l->target, from, to, lower_type_bits(LLVMTypeOf(source[0])) / 8, piece);
    convert_by_memory(l, &pieces, 0, source, result, scratch);
}

void lower_convert_layout(struct lowering *l, MlirOperation op) {
    const struct layout *from = lower_layout(l, unary_source(op));
    const struct layout *to = lower_layout(l, mlirOperationGetResult(op, 0));
    struct values *source = lower_values(l, unary_source(op)), *out = lower_result(l, op, 0);
    LLVMValueRef scratch = op_has(op, ATTR_SCRATCH) ? lower_scratch(l, op) : lower_i32(l, 0);
    struct layout_swaps swaps;
    if (!op_has(op, ATTR_SCRATCH) && !goes_by_swaps(l, from, to, source->at[0], &swaps) &&
        layout_conversion(from, to, SCRATCH_SHUFFLE_ROUNDS).kind == LAYOUT_CONVERT_SHARED) {
        bug("convert_layout goes through shared memory and has no scratch");
    }
    convert_registers(l, from, to, source->at, out->at, scratch, (unsigned)op_int(op, ATTR_PIECE));
}
