// Threads: linear functions of the thread index, owners of replicated elements, branches, barriers, shuffles,
// shared addresses.
//
// The thread index has lane bits first and warp bits above. A layout's thread part is a linear map over GF(2)
// of those bits, computed once in the entry block: bits with equal shifts are moved together, so the usual
// layouts cost one or two AND/shift pairs. Register parts are constants and end up as immediate offsets of
// the accesses.
#include "lower/lower_internal.h"

#include <string.h>

void lower_thread_setup(struct lowering *l) {
    LLVMBuilderRef at = l->b;
    l->b = l->entry;
    l->thread = lower_vendor(l)->thread(l);
    l->b = at;
}

LLVMValueRef lower_lane(struct lowering *l) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->lane_bits; i++) {
        basis[i] = 1u << i;
    }
    return lower_thread_linear(l, basis);
}

LLVMValueRef lower_warp(struct lowering *l) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->warp_bits; i++) {
        basis[l->lane_bits + i] = 1u << i;
    }
    return lower_thread_linear(l, basis);
}

// One term: the thread bits with the same shift.
static LLVMValueRef shifted_bits(struct lowering *l, uint32_t mask, int shift) {
    LLVMValueRef value = l->thread;
    uint32_t all = (1u << (l->lane_bits + l->warp_bits)) - 1;
    if (mask != all) {
        value = LLVMBuildAnd(l->entry, value, lower_i32(l, mask), "");
    }
    if (shift > 0) {
        value = LLVMBuildShl(l->entry, value, lower_i32(l, (uint32_t)shift), "");
        LLVMSetNUW(value, 1);
    } else if (shift < 0) {
        value = LLVMBuildLShr(l->entry, value, lower_i32(l, (uint32_t)-shift), "");
    }
    return value;
}

static LLVMValueRef build_linear(struct lowering *l, const uint32_t *basis) {
    unsigned bits = l->lane_bits + l->warp_bits;
    LLVMValueRef sum = NULL;
    uint32_t covered = 0;
    for (int shift = -31; shift <= 31; shift++) {
        uint32_t mask = 0, reached = 0;
        for (unsigned i = 0; i < bits; i++) {
            int target = (int)i + shift;
            if (target >= 0 && target < 32 && (basis[i] >> target & 1)) {
                mask |= 1u << i;
                reached |= 1u << target;
            }
        }
        if (!mask) {
            continue;
        }
        LLVMValueRef term = shifted_bits(l, mask, shift);
        if (!sum) {
            sum = term;
        } else if (covered & reached) {
            sum = LLVMBuildXor(l->entry, sum, term, "");
        } else {
            sum = LLVMBuildOr(l->entry, sum, term, "");
            if (LLVMGetValueKind(sum) == LLVMInstructionValueKind) {
                LLVMSetIsDisjoint(sum, 1);
            }
        }
        covered |= reached;
    }
    return sum ? sum : lower_i32(l, 0);
}

static LLVMValueRef linear_value(struct lowering *l, const uint32_t basis[LAYOUT_MAX_BITS], bool uniform) {
    for (struct linear_value *known = l->linear; known; known = known->next) {
        if (known->uniform == uniform && memcmp(known->basis, basis, sizeof known->basis) == 0) {
            return known->value;
        }
    }
    struct linear_value *made = ARENA_NEW(l->arena, struct linear_value);
    memcpy(made->basis, basis, sizeof made->basis);
    made->value = build_linear(l, basis);
    made->uniform = uniform;
    if (uniform && !LLVMIsConstant(made->value)) {
        LLVMBuilderRef here = l->b;
        l->b = l->entry;
        made->value = l->target->vendor == VENDOR_AMD
                          ? lower_vendor(l)->uniform(l, made->value)
                          : INTRINSIC(l, "llvm.nvvm.redux.sync.or", made->value, lower_i32(l, ~0u));
        l->b = here;
    }
    made->next = l->linear;
    l->linear = made;
    return made->value;
}

LLVMValueRef lower_thread_linear(struct lowering *l, const uint32_t basis[LAYOUT_MAX_BITS]) {
    return linear_value(l, basis, false);
}

LLVMValueRef lower_warp_linear(struct lowering *l, const uint32_t basis[LAYOUT_MAX_BITS]) {
    return linear_value(l, basis, true);
}

LLVMValueRef lower_layout_base(struct lowering *l, const struct layout *layout, uint32_t scale,
                               uint32_t *span) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    *span = 0;
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        bool lane = i < l->lane_bits;
        unsigned bit = lane ? i : i - l->lane_bits;
        basis[i] = scale * layout->basis[lane ? LAYOUT_LANE : LAYOUT_WARP][bit];
        *span |= basis[i];
    }
    return lower_thread_linear(l, basis);
}

LLVMValueRef lower_xor_constant(struct lowering *l, LLVMValueRef base, uint32_t span, uint32_t constant) {
    if (constant & span) {
        base = LLVMBuildXor(l->b, base, lower_i32(l, constant & span), "");
    }
    if (constant & ~span) {
        base = LLVMBuildAdd(l->b, base, lower_i32(l, constant & ~span), "");
        if (LLVMGetValueKind(base) == LLVMInstructionValueKind) {
            LLVMSetNUW(base, 1);
            LLVMSetNSW(base, 1);
        }
    }
    return base;
}

uint32_t lower_free_registers(const struct layout *layout) {
    return layout ? layout_free_bits(layout).at[LAYOUT_REGISTER] : 0;
}

uint32_t lower_free_threads(struct lowering *l, const struct layout *layout) {
    uint32_t all = (1u << (l->lane_bits + l->warp_bits)) - 1;
    if (!layout) {
        return all;
    }
    struct layout_point free = layout_free_bits(layout);
    uint32_t lanes = free.at[LAYOUT_LANE], warps = free.at[LAYOUT_WARP];
    // Bits missing in the layout are replicas too.
    lanes |= ~0u << layout->bits[LAYOUT_LANE];
    warps |= ~0u << layout->bits[LAYOUT_WARP];
    lanes &= (1u << l->lane_bits) - 1;
    return (lanes | warps << l->lane_bits) & all;
}

LLVMValueRef lower_owner(struct lowering *l, const struct layout *layout) {
    uint32_t free = lower_free_threads(l, layout);
    if (!free || l->alone) {
        return NULL;
    }
    LLVMValueRef bits = LLVMBuildAnd(l->b, l->thread, lower_i32(l, free), "");
    return LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, 0), "");
}

LLVMValueRef lower_owner_in_warp(struct lowering *l, const struct layout *layout) {
    uint32_t free = lower_free_threads(l, layout) & ((1u << l->lane_bits) - 1);
    if (!free || l->alone) {
        return NULL;
    }
    LLVMValueRef bits = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, free), "");
    return LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, 0), "");
}

LLVMValueRef lower_and(struct lowering *l, LLVMValueRef a, LLVMValueRef b) {
    return !a ? b : !b ? a : LLVMBuildAnd(l->b, a, b, "");
}

struct lower_if lower_if_begin(struct lowering *l, LLVMValueRef condition) {
    struct lower_if branch = {.before = LLVMGetInsertBlock(l->b),
                              .then = LLVMAppendBasicBlockInContext(l->context, l->function, ""),
                              .end = LLVMAppendBasicBlockInContext(l->context, l->function, "")};
    LLVMBuildCondBr(l->b, condition, branch.then, branch.end);
    LLVMPositionBuilderAtEnd(l->b, branch.then);
    return branch;
}

void lower_if_end(struct lowering *l, struct lower_if *branch) {
    LLVMBuildBr(l->b, branch->end);
    branch->then = LLVMGetInsertBlock(l->b);
    LLVMPositionBuilderAtEnd(l->b, branch->end);
}

void lower_barrier(struct lowering *l) {
    lower_vendor(l)->barrier(l, SCOPE_CTA);
}

void lower_warp_barrier(struct lowering *l) {
    lower_vendor(l)->warp_barrier(l);
}

void lower_release_barrier(struct lowering *l, enum memory_scope scope) {
    lower_vendor(l)->barrier(l, scope);
}

// Shuffles move 32-bit words: narrower values are widened, 64-bit ones go in two halves.
static LLVMValueRef shuffle(struct lowering *l, LLVMValueRef value, uint32_t mask, LLVMValueRef lane) {
    const struct lower_vendor *vendor = lower_vendor(l);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef bits = lower_to_bits(l, value);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(bits));
    LLVMValueRef halves[2] = {bits, NULL};
    if (width < 32) {
        halves[0] = LLVMBuildZExt(l->b, bits, l->i32, "");
    } else if (width == 64) {
        halves[0] = LLVMBuildTrunc(l->b, bits, l->i32, "");
        halves[1] = LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, bits, lower_i64(l, 32), ""), l->i32, "");
    }
    for (unsigned i = 0; i < 2 && halves[i]; i++) {
        halves[i] =
            lane ? vendor->shuffle_index(l, halves[i], lane) : vendor->shuffle_xor(l, halves[i], mask);
    }
    if (width < 32) {
        bits = LLVMBuildTrunc(l->b, halves[0], lower_int_type(l, width), "");
    } else if (width == 64) {
        LLVMValueRef high =
            LLVMBuildShl(l->b, LLVMBuildZExt(l->b, halves[1], l->i64, ""), lower_i64(l, 32), "");
        bits = LLVMBuildOr(l->b, LLVMBuildZExt(l->b, halves[0], l->i64, ""), high, "");
    } else {
        bits = halves[0];
    }
    return lower_from_bits(l, bits, type);
}

LLVMValueRef lower_shuffle_xor(struct lowering *l, LLVMValueRef value, uint32_t mask) {
    return shuffle(l, value, mask, NULL);
}

LLVMValueRef lower_shuffle_index(struct lowering *l, LLVMValueRef value, LLVMValueRef lane) {
    return shuffle(l, value, 0, lane);
}

LLVMValueRef lower_shared_address(struct lowering *l, LLVMValueRef offset) {
    if (!l->shared) {
        l->shared = lower_vendor(l)->shared(l);
    }
    return LLVMBuildGEP2(l->b, l->i8, l->shared, &offset, 1, "");
}

LLVMValueRef lower_shared_offset(struct lowering *l, LLVMValueRef base, LLVMValueRef thread, uint32_t span,
                                 uint32_t constant) {
    LLVMValueRef offset = lower_xor_constant(l, thread, span, constant & span);
    uint32_t immediate = constant & ~span;
    if (LLVMIsAConstantInt(base)) {
        immediate += (uint32_t)LLVMConstIntGetZExtValue(base);
    } else {
        offset = LLVMBuildAdd(l->b, base, offset, "");
    }
    LLVMValueRef address = lower_shared_address(l, offset), last = lower_i32(l, immediate);
    return immediate ? LLVMBuildGEP2(l->b, l->i8, address, &last, 1, "") : address;
}

LLVMValueRef lower_scratch(struct lowering *l, MlirOperation op) {
    if (!op_has(op, ATTR_SCRATCH)) {
        bug("an op needs scratch in shared memory and has none");
    }
    return lower_i32(l, (uint32_t)op_int(op, ATTR_SCRATCH));
}
