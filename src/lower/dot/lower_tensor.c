// Products into tensor memory (tcgen05): tk.tensor_alloc to tk.tensor_free.
//
// The block's first thread issues all instructions of a product: for each 128 rows, each part of at most 256 columns and
// each k step, k innermost, so only the first step of each asks whether it adds. Row blocks of a tile lie one behind
// the other, in as many columns as the tile has. A commit behind them arrives at one of the mbarriers, in turns: a
// product's barrier and parity follow from its number: every thread counts in a variable of its own.
//
// A tile comes to registers, or leaves them, in moves of 16 lanes and up to 128 columns (16x256b). A warp's lanes are
// rows 32 (w mod 4) and on, so two moves hold its rows; they are the layout's row bit 4.
//
// Fences: work waited for by mbarriers or barriers is ordered before tensor memory's instructions only behind
// fence::after_thread_sync, and those before a meeting only ahead of fence::before_thread_sync (PTX ISA 8.6, 9.7.16.6). Each product has
// the first, each row of moves both (begin_moves, end_moves), so an allocation needs the second alone and a release the first.
#include "lower/dot/lower_dot.h"

#include <string.h>

#include "chip/llvm.h"
#include "chip/tcgen05.h"

static void fence(struct lowering *l, enum asm_id id) {
    asm_call(l, id, l->void_type, NULL, 0);
}

static LLVMValueRef shared_address(struct lowering *l, LLVMValueRef offset) {
    return LLVMBuildPtrToInt(l->b, lower_shared_address(l, offset), l->i32, "");
}

// The first warp takes and frees memory.
static LLVMValueRef first_warp(struct lowering *l) {
    return LLVMBuildICmp(l->b, LLVMIntULT, l->thread, lower_i32(l, l->target->warp_size), "");
}

static LLVMValueRef plus(struct lowering *l, LLVMValueRef address, uint32_t more) {
    return more ? LLVMBuildAdd(l->b, address, lower_i32(l, more), "") : address;
}

// ---- memory ----

void lower_tensor_alloc(struct lowering *l, MlirOperation op) {
    if (!op_has(op, ATTR_OFFSET)) {
        bug("tensor memory without a word of shared memory");
    }
    LLVMValueRef offset = lower_i32(l, (uint32_t)op_int(op, ATTR_OFFSET)), warp = first_warp(l);
    LLVMValueRef args[] = {shared_address(l, offset), lower_i32(l, (uint32_t)op_int(op, ATTR_COLUMNS)), warp};
    bool pair = op_has(op, ATTR_PAIR);
    asm_call(l, pair ? ASM_TCGEN05_PAIR_ALLOC : ASM_TCGEN05_ALLOC, l->void_type, args, 3);
    asm_call(l, pair ? ASM_TCGEN05_PAIR_RELINQUISH : ASM_TCGEN05_RELINQUISH, l->void_type, &warp, 1);
    fence(l, ASM_TCGEN05_FENCE_BEFORE);
    lower_barrier(l);
    lower_shared_read(l, lower_shared_address(l, offset), l->i32, 1, &lower_result(l, op, 0)->at[0]);
    l->products_started = LLVMBuildAlloca(l->entry, l->i32, "products");
    LLVMBuildStore(l->b, lower_i32(l, 0), l->products_started);
}

void lower_tensor_free(struct lowering *l, MlirOperation op) {
    bool pair = op_has(op, ATTR_PAIR);
    if (pair) { // the threads that read the memory of both blocks; the other roles' have ended, or end
        asm_call(l, ASM_CLUSTER_MEET, l->void_type, NULL, 0);
    } else {
        lower_barrier(l);
    }
    fence(l, ASM_TCGEN05_FENCE_AFTER);
    LLVMValueRef args[] = {lower_scalar(l, tensor_free_memory(op)),
                           lower_i32(l, (uint32_t)op_int(op, ATTR_COLUMNS)), first_warp(l)};
    asm_call(l, pair ? ASM_TCGEN05_PAIR_FREE : ASM_TCGEN05_FREE, l->void_type, args, 3);
}

// ---- numbers of products ----

// Of a pair of blocks the second half is the odd block's to arrive at.
static unsigned barrier_count(MlirValue barrier) {
    return (unsigned)op_int(value_op(barrier), ATTR_COUNT) / (op_has(value_op(barrier), ATTR_PAIR) ? 2 : 1);
}

// The barrier's address for the product of a number, whose parity is *parity.
static LLVMValueRef barrier_of(struct lowering *l, MlirValue barrier, LLVMValueRef number,
                               LLVMValueRef *parity) {
    unsigned count = barrier_count(barrier), bits = (unsigned)__builtin_ctz(count);
    LLVMValueRef slot = LLVMBuildAnd(l->b, number, lower_i32(l, count - 1), "");
    LLVMValueRef round = LLVMBuildLShr(l->b, number, lower_i32(l, bits), "");
    *parity = LLVMBuildAnd(l->b, round, lower_i32(l, 1), "");
    LLVMValueRef bytes = LLVMBuildMul(l->b, slot, lower_i32(l, MBARRIER_BYTES), "");
    return shared_address(l, LLVMBuildAdd(l->b, lower_scalar(l, barrier), bytes, ""));
}

// Before the first products the number is below zero: its parity is the parity of the phase before the first, already over.
void lower_tensor_wait(struct lowering *l, MlirOperation op) {
    LLVMValueRef started = LLVMBuildLoad2(l->b, l->i32, l->products_started, ""), parity;
    LLVMValueRef number = plus(l, started, -(uint32_t)op_int(op, ATTR_PENDING) - 1);
    LLVMValueRef args[2] = {barrier_of(l, tensor_wait_barrier(op), number, &parity)};
    args[1] = parity;
    asm_call(l, ASM_MBARRIER_WAIT, l->void_type, args, 2);
}

// ---- products ----

struct tensor_operand {
    const struct layout *layout;
    struct layout_inverse offsets; // element → offset in the slot
    struct wgmma_operand arrangement;
    unsigned bytes;          // of an element
    LLVMValueRef descriptor; // i64, of the slot's first row and column
};

static struct tensor_operand operand_of(struct lowering *l, MlirValue value, const struct mma *mma,
                                        bool is_b) {
    struct tensor_operand operand = {.layout = lower_layout(l, value), .bytes = mma_type_bits(mma->a) / 8};
    if (!layout_invert(operand.layout, &operand.offsets) ||
        !wgmma_operand_of(operand.layout, operand.bytes, &operand.arrangement)) {
        bug("tensor_dot: an operand is arranged in shared memory as no descriptor can say");
    }
    LLVMValueRef address = shared_address(l, lower_scalar(l, value));
    LLVMValueRef field =
        LLVMBuildLShr(l->b, LLVMBuildAnd(l->b, address, lower_i32(l, 0x3ffff), ""), lower_i32(l, 4), "");
    operand.descriptor = LLVMBuildOr(
        l->b, LLVMBuildZExt(l->b, field, l->i64, ""),
        lower_i64(l, tcgen05_descriptor(&operand.arrangement, operand.arrangement.rows_fastest == is_b)), "");
    return operand;
}

static LLVMValueRef descriptor_at(struct lowering *l, const struct tensor_operand *operand, uint32_t row,
                                  uint32_t column) {
    uint32_t flat = layout_join_coordinates(operand->layout, (uint32_t[LAYOUT_MAX_RANK]){row, column});
    uint32_t offset = layout_locate(&operand->offsets, flat).at[LAYOUT_OFFSET] * operand->bytes;
    return LLVMBuildAdd(l->b, operand->descriptor, lower_i64(l, offset / 16), "");
}

// The row of asm.def for each kind: of PTX 8.8 and before it, of one block and of a pair.
#define SCALED_KIND(kind, id)                                                                                \
    {                                                                                                        \
        kind, {                                                                                              \
            {ASM_TCGEN05_MMA_##id, ASM_TCGEN05_PAIR_##id}, {                                                 \
                ASM_TCGEN05_MMA_##id##_OLD, ASM_TCGEN05_PAIR_##id##_OLD                                      \
            }                                                                                                \
        }                                                                                                    \
    }
#define PLAIN_KIND(kind, id)                                                                                 \
    {                                                                                                        \
        kind, {                                                                                              \
            {ASM_TCGEN05_MMA_##id, ASM_TCGEN05_PAIR_##id}, {                                                 \
                ASM_TCGEN05_MMA_##id, ASM_TCGEN05_PAIR_##id                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
static enum asm_id instruction_of(struct lowering *l, const struct mma *mma, bool pair) {
    static const struct {
        const char *kind;
        enum asm_id id[2][2]; // [old][pair]
    } rows[] = {PLAIN_KIND("f16", F16),
                PLAIN_KIND("tf32", TF32),
                PLAIN_KIND("f8f6f4", F8F6F4),
                PLAIN_KIND("i8", I8),
                SCALED_KIND("mxf8f6f4", MXF8F6F4),
                SCALED_KIND("mxf4", MXF4),
                SCALED_KIND("mxf4nvf4", MXF4NVF4)};
    bool is_old = strcmp(l->target->ptx, "8.8") < 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].kind, mma->types) == 0) {
            return rows[i].id[is_old][pair];
        }
    }
    bug("no tcgen05.mma of kind %s", mma->types);
}
#undef SCALED_KIND
#undef PLAIN_KIND

// A in shared memory, or, without a layout, at `address` in tensor memory.
struct left {
    struct tensor_operand shared;
    LLVMValueRef address;
    uint32_t rows, depth;
};

static struct left left_of(struct lowering *l, MlirOperation op, const struct mma *mma, uint32_t depth) {
    struct left left = {.rows = (uint32_t)op_int(op, ATTR_LEFT_ROWS), .depth = depth};
    if (left.rows) {
        left.address = plus(l, lower_scalar(l, tensor_dot_a(op)), (uint32_t)op_int(op, ATTR_LEFT_COLUMN));
        return left;
    }
    left.shared = operand_of(l, tensor_dot_a(op), mma, false);
    left.rows = (uint32_t)layout_extent(left.shared.layout, 0);
    return left;
}

// The place of an instruction's part of A: a descriptor, or an address. Row blocks of a tile lie one behind the other.
static LLVMValueRef left_at(struct lowering *l, const struct left *a, uint32_t row, uint32_t k) {
    return a->address ? plus(l, a->address, (row / TENSOR_ROWS * a->depth + k) * TENSOR_LEFT_BITS / 32)
                      : descriptor_at(l, &a->shared, row, k);
}

// ---- scales ----

// Scales of A or B in tensor memory, from `address` on: for each 4 blocks of K the columns of all rows.
struct scales {
    LLVMValueRef address; // NULL: there are none
    uint32_t rows;
};

static unsigned scale_group(const struct scales *s, uint32_t row, uint32_t group) {
    return group / TENSOR_SCALE_GROUPS * tcgen05_scale_columns(s->rows, TENSOR_SCALE_GROUPS) +
           row / TENSOR_WARP_LANES;
}

// Copies a slot of scales to tensor memory, on the issuing thread: ahead of its products, and behind all that it has issued. Of a pair
// in both blocks: each has the scales of its own rows of A, and those of all columns of B.
static struct scales copy_scales(struct lowering *l, MlirValue slot, LLVMValueRef address, bool pair) {
    const struct layout *layout = lower_layout(l, slot);
    struct scales scales = {address, (uint32_t)layout_extent(layout, 0)};
    uint32_t groups = (uint32_t)layout_extent(layout, 1);
    struct layout_inverse offsets;
    struct layout expected;
    int64_t shape[] = {scales.rows, groups};
    if (!tcgen05_scale_layout(shape, &expected) || !layout_equal(layout, &expected) ||
        !layout_invert(layout, &offsets)) {
        bug("tensor_dot: scales lie in shared memory as no copy takes them");
    }
    LLVMValueRef at = LLVMBuildLShr(
        l->b, LLVMBuildAnd(l->b, shared_address(l, lower_scalar(l, slot)), lower_i32(l, 0x3ffff), ""),
        lower_i32(l, 4), "");
    LLVMValueRef descriptor =
        LLVMBuildOr(l->b, LLVMBuildZExt(l->b, at, l->i64, ""), lower_i64(l, tcgen05_scale_descriptor()), "");
    for (uint32_t group = 0; group < groups; group += TENSOR_SCALE_GROUPS) {
        for (uint32_t row = 0; row < scales.rows; row += TENSOR_SCALE_ROWS) {
            uint32_t flat = layout_join_coordinates(layout, (uint32_t[LAYOUT_MAX_RANK]){row, group});
            uint32_t offset = layout_locate(&offsets, flat).at[LAYOUT_OFFSET];
            LLVMValueRef args[] = {plus(l, address, scale_group(&scales, row, group)),
                                   LLVMBuildAdd(l->b, descriptor, lower_i64(l, offset / 16), "")};
            asm_call(l, pair ? ASM_TCGEN05_PAIR_COPY_SCALES : ASM_TCGEN05_COPY_SCALES, l->void_type, args, 2);
        }
    }
    return scales;
}

// A product of one thread, as parts of its tile: `sums` is where the first one is.
struct product {
    const struct mma *mma;
    struct left a;
    struct tensor_operand b;
    struct scales a_scales, b_scales;
    LLVMValueRef keeps; // of the first step; NULL: it adds
    bool pair;          // with as many rows of the cluster's other block, and the other half of B's columns
};

// One instruction: 128 rows of each block, `width` columns.
static void multiply_step(struct lowering *l, const struct product *p, uint32_t row, uint32_t column,
                          uint32_t width, uint32_t k, LLVMValueRef memory) {
    LLVMValueRef adds = k == 0 && p->keeps ? p->keeps : LLVMConstInt(l->i1, 1, 0);
    LLVMValueRef left = left_at(l, &p->a, row, k), right = descriptor_at(l, &p->b, k, column);
    if (p->a_scales.address) {
        uint32_t group = k / p->mma->group, byte = group % TENSOR_SCALE_GROUPS;
        LLVMValueRef args[] = {
            memory,
            left,
            right,
            lower_i32(l, tcgen05_scaled_instruction(p->mma, p->pair ? 2 : 1, width, byte, byte)),
            plus(l, p->a_scales.address, scale_group(&p->a_scales, row, group)),
            plus(l, p->b_scales.address, scale_group(&p->b_scales, column, group)),
            adds};
        asm_call(l, instruction_of(l, p->mma, p->pair), l->void_type, args, 7);
        return;
    }
    uint32_t instruction = tcgen05_instruction(
        p->mma, p->pair ? 2 : 1, width, p->a.shared.arrangement.rows_fastest, !p->b.arrangement.rows_fastest);
    LLVMValueRef args[] = {memory, left, right, lower_i32(l, instruction), adds};
    asm_call(l,
             !p->a.address ? instruction_of(l, p->mma, p->pair)
             : p->pair     ? ASM_TCGEN05_PAIR_LEFT_F16
                           : ASM_TCGEN05_MMA_LEFT_F16,
             l->void_type, args, 5);
}

static void read_scales(struct lowering *l, MlirOperation op, struct product *p) {
    if (mlirValueIsNull(tensor_dot_a_scale(op))) {
        return;
    }
    LLVMValueRef memory =
        plus(l, lower_scalar(l, tensor_dot_memory(op)), (uint32_t)op_int(op, ATTR_SCALE_COLUMN));
    MlirType type = mlirValueGetType(tensor_dot_a_scale(op));
    p->a_scales = copy_scales(l, tensor_dot_a_scale(op), memory, p->pair);
    memory = plus(l, memory, tcgen05_scale_columns(type_extent(type, 0), type_extent(type, 1)));
    p->b_scales = copy_scales(l, tensor_dot_b_scale(op), memory, p->pair);
}

// All instructions of the product, on the issuing thread.
static void issue(struct lowering *l, MlirOperation op) {
    MlirStringRef name = op_string(op, ATTR_INSTRUCTION);
    struct product p = {.mma = mma_find(name.data, name.length), .pair = op_has(op, ATTR_PAIR)};
    p.keeps = mlirValueIsNull(tensor_dot_keeps(op)) ? NULL : lower_scalar(l, tensor_dot_keeps(op));
    LLVMValueRef memory = plus(l, lower_scalar(l, tensor_dot_memory(op)), (uint32_t)op_int(op, ATTR_COLUMN));
    fence(l, ASM_TCGEN05_FENCE_AFTER);
    p.b = operand_of(l, tensor_dot_b(op), p.mma, true);
    p.a = left_of(l, op, p.mma, (uint32_t)layout_extent(p.b.layout, 0));
    read_scales(l, op, &p);
    uint32_t rows = p.a.rows, columns = (uint32_t)layout_extent(p.b.layout, 1) * (p.pair ? 2 : 1);
    uint32_t width = columns < TENSOR_MOST_COLUMNS ? columns : TENSOR_MOST_COLUMNS;
    for (uint32_t row = 0; row < rows; row += TENSOR_ROWS) {
        for (uint32_t column = 0; column < columns; column += width) {
            LLVMValueRef at = plus(l, memory, row / TENSOR_ROWS * columns + column);
            for (uint32_t k = 0; k < p.a.depth; k += p.mma->k) {
                multiply_step(l, &p, row, column, width, k, at);
            }
        }
    }
}

// `pair`: also at the other block's barrier.
static void commit(struct lowering *l, LLVMValueRef barrier, bool pair) {
    enum { BOTH = 3 };
    LLVMValueRef args[] = {barrier, LLVMConstInt(LLVMInt16TypeInContext(l->context), BOTH, 0)};
    asm_call(l, pair ? ASM_TCGEN05_PAIR_COMMIT : ASM_TCGEN05_COMMIT, l->void_type, args, pair ? 2 : 1);
}

// True in one lane of the warp, always the same one. All lanes take part.
static LLVMValueRef leads_warp(struct lowering *l) {
    LLVMValueRef all = lower_i32(l, ~0u);
    if (LLVM_AT_LEAST(20)) {
        LLVMValueRef elected = INTRINSIC(l, "llvm.nvvm.elect.sync", all);
        return LLVMBuildExtractValue(l->b, elected, 1, "");
    }
    return asm_call(l, ASM_ELECT, l->i1, &all, 1);
}

// Of a pair without a role for products: the odd block's first thread says that its part is there, and the even block's waits for it.
// What the odd block's threads did to tensor memory has passed their fences, and a meeting of theirs.
static void issue_for_both(struct lowering *l, MlirOperation op, LLVMValueRef barrier, LLVMValueRef parity) {
    unsigned bytes = barrier_count(tensor_dot_barrier(op)) * MBARRIER_BYTES;
    LLVMValueRef there = plus(l, barrier, bytes), yes = LLVMConstInt(l->i1, 1, 0);
    LLVMValueRef odd = LLVMBuildAnd(l->b, lower_vendor(l)->program_id(l, 0), lower_i32(l, 1), "");
    LLVMValueRef is_odd = LLVMBuildICmp(l->b, LLVMIntNE, odd, lower_i32(l, 0), "");
    struct lower_if says = lower_if_begin(l, is_odd);
    LLVMValueRef mapped[] = {there, lower_i32(l, 0)};
    LLVMValueRef arrival[] = {asm_call(l, ASM_MAP_ADDRESS, l->i32, mapped, 2), yes};
    asm_call(l, ASM_MBARRIER_ARRIVE_CLUSTER, l->void_type, arrival, 2);
    lower_if_end(l, &says);
    struct lower_if issues = lower_if_begin(l, LLVMBuildNot(l->b, is_odd, ""));
    LLVMValueRef wait[] = {there, parity};
    asm_call(l, ASM_MBARRIER_WAIT_CLUSTER, l->void_type, wait, 2);
    issue(l, op);
    commit(l, barrier, true);
    lower_if_end(l, &issues);
}

void lower_tensor_dot(struct lowering *l, MlirOperation op) {
    if (op_has(op, ATTR_AHEAD)) {
        LLVMValueRef barrier = shared_address(l, lower_scalar(l, tensor_dot_barrier(op)));
        struct lower_if leader = lower_if_begin(l, leads_warp(l));
        issue(l, op);
        commit(l, barrier, op_has(op, ATTR_PAIR));
        lower_if_end(l, &leader);
        return;
    }
    LLVMValueRef started = LLVMBuildLoad2(l->b, l->i32, l->products_started, ""), parity;
    LLVMBuildStore(l->b, plus(l, started, 1), l->products_started);
    struct lower_if branch =
        lower_if_begin(l, LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, lower_i32(l, 0), ""));
    LLVMValueRef barrier = barrier_of(l, tensor_dot_barrier(op), started, &parity);
    if (op_has(op, ATTR_PAIR)) {
        issue_for_both(l, op, barrier, parity);
    } else {
        issue(l, op);
        commit(l, barrier, false);
    }
    lower_if_end(l, &branch);
}

void lower_tensor_release(struct lowering *l, MlirOperation op) {
    LLVMValueRef barrier = shared_address(l, lower_scalar(l, tensor_release_barrier(op)));
    struct lower_if branch =
        lower_if_begin(l, LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, lower_i32(l, 0), ""));
    if (op_has(op, ATTR_PAIR)) {
        LLVMValueRef odd = LLVMBuildAnd(l->b, lower_vendor(l)->program_id(l, 0), lower_i32(l, 1), "");
        struct lower_if even = lower_if_begin(l, LLVMBuildICmp(l->b, LLVMIntEQ, odd, lower_i32(l, 0), ""));
        commit(l, barrier, true);
        lower_if_end(l, &even);
    } else {
        commit(l, barrier, false);
    }
    lower_if_end(l, &branch);
}

// ---- turns of two buffers ----

static LLVMValueRef turn_of(struct lowering *l) {
    if (!l->tensor_turn) {
        l->tensor_turn = LLVMBuildAlloca(l->entry, l->i32, "turn");
        LLVMBuildStore(l->entry, lower_i32(l, 0), l->tensor_turn);
    }
    return LLVMBuildLoad2(l->b, l->i32, l->tensor_turn, "");
}

// The role ahead finds both buffers free at first: it waits for the phase before.
void lower_tensor_take(struct lowering *l, MlirOperation op) {
    LLVMValueRef turn = turn_of(l), parity;
    LLVMValueRef args[2] = {barrier_of(l, tensor_take_barriers(op), turn, &parity)};
    bool ahead = op_has(op, ATTR_AHEAD);
    args[1] = ahead ? LLVMBuildXor(l->b, parity, lower_i32(l, 1), "") : parity;
    asm_call(l, ahead && op_has(op, ATTR_PAIR) ? ASM_MBARRIER_WAIT_CLUSTER : ASM_MBARRIER_WAIT, l->void_type,
             args, 2);
    LLVMValueRef second = LLVMBuildAnd(l->b, turn, lower_i32(l, 1), "");
    lower_result(l, op, 0)->at[0] =
        LLVMBuildMul(l->b, second, lower_i32(l, (uint32_t)op_int(op, ATTR_COLUMNS)), "");
}

void lower_tensor_pass(struct lowering *l, MlirOperation op) {
    LLVMValueRef turn = turn_of(l), parity, barrier = barrier_of(l, tensor_pass_barriers(op), turn, &parity);
    if (op_has(op, ATTR_AHEAD)) {
        struct lower_if leader = lower_if_begin(l, leads_warp(l));
        commit(l, barrier, op_has(op, ATTR_PAIR));
        lower_if_end(l, &leader);
    } else {
        INTRINSIC(l, "llvm.nvvm.bar.warp.sync", lower_i32(l, ~0u));
        LLVMValueRef args[] = {barrier, LLVMBuildICmp(l->b, LLVMIntEQ, lower_lane(l), lower_i32(l, 0), "")};
        if (op_has(op, ATTR_PAIR)) { // at the even block's
            LLVMValueRef mapped[] = {barrier, lower_i32(l, 0)};
            args[0] = asm_call(l, ASM_MAP_ADDRESS, l->i32, mapped, 2);
        }
        asm_call(l, op_has(op, ATTR_PAIR) ? ASM_MBARRIER_ARRIVE_CLUSTER : ASM_MBARRIER_ARRIVE, l->void_type,
                 args, 2);
    }
    LLVMBuildStore(l->b, plus(l, turn, 1), l->tensor_turn);
}

// ---- fences of a row of moves ----

static bool moves_tile(struct lowering *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->ir, op);
    return kind == OP_TENSOR_LOAD || kind == OP_TENSOR_STORE || kind == OP_TENSOR_RESCALE;
}

// True for an op behind or ahead of which a row of moves ends: others may have waited for something there, or wait. Slots of shared
// memory are waited for by mbarriers that say nothing of tensor memory.
static bool ends_moves(struct lowering *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->ir, op);
    return ((op_traits(kind) & (SYNC | SHARED_WRITE)) || mlirOperationGetNumRegions(op) > 0) &&
           kind != OP_MBARRIER_WAIT;
}

// True if the next op that could let others go on is a move: that one waits for all stores so far, and has the fence.
static bool moves_on(struct lowering *l, MlirOperation op) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    while (!mlirOperationIsNull(next) && !moves_tile(l, next) && !ends_moves(l, next)) {
        next = mlirOperationGetNextInBlock(next);
    }
    return !mlirOperationIsNull(next) && moves_tile(l, next) && op_kind(l->ir, next) != OP_TENSOR_LOAD;
}

// Ops between two moves of a row need no fence for the second.
static bool begins_moves(struct lowering *l, MlirOperation op) {
    bool begins = true;
    for (MlirOperation other = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
         !mlirOperationEqual(other, op); other = mlirOperationGetNextInBlock(other)) {
        begins = moves_tile(l, other) ? false : ends_moves(l, other) ? true : begins;
    }
    return begins;
}

static void begin_moves(struct lowering *l, MlirOperation op) {
    if (begins_moves(l, op)) {
        fence(l, ASM_TCGEN05_FENCE_AFTER);
    }
}

static void end_moves(struct lowering *l, MlirOperation op) {
    if (!moves_on(l, op)) {
        fence(l, ASM_TCGEN05_FENCE_BEFORE);
    }
}

// ---- tiles ----

// A thread's part of a tile, in moves: each has `words` of it, at `offset` from the thread's address.
struct part {
    const struct layout *layout;
    LLVMValueRef address;                 // of this warp's first lane and column
    uint32_t rows, columns, tile_columns; // in elements
    uint32_t width;                       // elements of a row in a move
    unsigned per_word;                    // elements in a word, neighbours of a row
};

static struct part part_of(struct lowering *l, MlirValue tile, LLVMValueRef memory, MlirOperation op) {
    unsigned bits = type_bits(type_element(mlirValueGetType(tile)));
    struct part part = {.layout = lower_layout(l, tile), .per_word = 32 / bits};
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    part.tile_columns = (uint32_t)layout_extent(part.layout, 1);
    for (unsigned bit = 0; bit < part.layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(part.layout, part.layout->basis[LAYOUT_WARP][bit], at);
        basis[l->lane_bits + bit] =
            (at[0] % TENSOR_ROWS) << 16 | (at[0] / TENSOR_ROWS * part.tile_columns + at[1]) / part.per_word;
    }
    part.rows = wgmma_result_extent(part.layout, 0);
    part.columns = wgmma_result_extent(part.layout, 1);
    part.width = part.columns < 8 * TENSOR_MOST_REPEAT ? part.columns : 8 * TENSOR_MOST_REPEAT;
    LLVMValueRef tile_at = plus(l, memory, (uint32_t)op_int(op, ATTR_COLUMN)),
                 own = lower_warp_linear(l, basis);
    part.address = LLVMBuildAdd(l->b, tile_at, own, "");
    return part;
}

static unsigned move_words(const struct part *part) {
    return part->width / 8 * TENSOR_WORDS / part->per_word;
}

// Moves of a part: for each 128 rows both halves of the warp's 32 lanes, each in `width` columns at a time.
static unsigned move_count(const struct part *part) {
    return part->rows / TENSOR_ROWS * 2 * (part->columns / part->width);
}

// The address of move `number`; the thread's register of each of its words, of two elements the first one's, is in `where`.
static LLVMValueRef move_at(struct lowering *l, const struct part *part, unsigned number, unsigned *where) {
    unsigned pieces = part->columns / part->width, piece = number % pieces, half = number / pieces % 2,
             block = number / pieces / 2;
    for (unsigned i = 0; i < move_words(part); i++) {
        unsigned element = i * part->per_word; // of 8 columns: two of a row, two of 8 rows below
        uint32_t row = block * TENSOR_ROWS + half * 16 + element / 2 % 2 * 8,
                 column = piece * part->width + element % 2 + element / 4 * 8;
        where[i] = wgmma_result_register(part->layout, row, column);
    }
    uint32_t columns = (block * part->tile_columns + piece * part->width) / part->per_word;
    return plus(l, part->address, half * 16 << 16 | columns);
}

static LLVMValueRef compose(struct lowering *l, const struct tcgen05_move *move, LLVMValueRef *args,
                            unsigned count) {
    struct strbuf text = {0}, constraints = {0};
    tcgen05_compose(move, 'r', &text, &constraints);
    LLVMTypeRef result = move->move == TENSOR_STORE || move->move == TENSOR_STORE_HALVES
                             ? l->void_type
                             : lower_registers_type(l, l->i32, move->words);
    LLVMValueRef made = lower_composed_call(l, &text, &constraints, result, args, count);
    strbuf_free(&text);
    strbuf_free(&constraints);
    return made;
}

// Some moves are under way together, and their words pass through one wait: the next ones come when these may have been
// converted to fewer registers. `where`: the register of each word.
static void load_some(struct lowering *l, const struct part *part, unsigned first, unsigned count,
                      LLVMValueRef *loaded, unsigned *where) {
    unsigned each = move_words(part), words = each * count;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef address = move_at(l, part, first + i, where + i * each);
        LLVMValueRef made = compose(l, &(struct tcgen05_move){TENSOR_LOAD, each}, &address, 1);
        for (unsigned w = 0; w < each; w++) {
            loaded[i * each + w] = LLVMBuildExtractValue(l->b, made, w, "");
        }
    }
    LLVMValueRef passed = compose(l, &(struct tcgen05_move){TENSOR_LOAD_WAIT, words}, loaded, words);
    for (unsigned i = 0; i < words; i++) {
        loaded[i] = LLVMBuildExtractValue(l->b, passed, i, "");
    }
}

enum { TOGETHER = 128, RESCALED_COLUMNS = 64 }; // words of moves under way; columns of a rescaled move

void lower_tensor_load(struct lowering *l, MlirOperation op) {
    MlirValue tile = mlirOperationGetResult(op, 0);
    begin_moves(l, op);
    struct part part = part_of(l, tile, lower_scalar(l, tensor_load_memory(op)), op);
    unsigned moves = move_count(&part), together = TOGETHER / move_words(&part), where[TOGETHER];
    struct values *out = lower_result(l, op, 0);
    LLVMTypeRef element = lower_type(l, lower_element(tile));
    LLVMValueRef loaded[TOGETHER];
    for (unsigned i = 0; i < moves; i += together) {
        unsigned count = moves - i < together ? moves - i : together;
        load_some(l, &part, i, count, loaded, where);
        for (unsigned w = 0; w < count * move_words(&part); w++) {
            out->at[where[w]] = LLVMBuildBitCast(l->b, loaded[w], element, "");
        }
    }
    end_moves(l, op);
}

// A word of the tile: the element of a register, or two neighbours.
static LLVMValueRef word_of(struct lowering *l, const struct part *part, const struct values *tile,
                            unsigned where) {
    if (part->per_word == 1) {
        return LLVMBuildBitCast(l->b, tile->at[where], l->i32, "");
    }
    LLVMTypeRef pair = LLVMVectorType(LLVMTypeOf(tile->at[where]), 2);
    LLVMValueRef both = LLVMGetUndef(pair);
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(part->layout, layout_column(part->layout, LAYOUT_REGISTER, where), at);
    for (unsigned i = 0; i < 2; i++) {
        unsigned reg = wgmma_result_register(part->layout, at[0], at[1] + i);
        both = LLVMBuildInsertElement(l->b, both, tile->at[reg], lower_i32(l, i), "");
    }
    return LLVMBuildBitCast(l->b, both, l->i32, "");
}

void lower_tensor_store(struct lowering *l, MlirOperation op) {
    MlirValue tile = tensor_store_tile(op);
    begin_moves(l, op);
    struct part part = part_of(l, tile, lower_scalar(l, tensor_store_memory(op)), op);
    unsigned each = move_words(&part), moves = move_count(&part);
    struct values *in = lower_values(l, tile);
    unsigned *where = ARENA_ARRAY(l->arena, unsigned, each);
    LLVMValueRef *args = ARENA_ARRAY(l->arena, LLVMValueRef, each + 1);
    for (unsigned i = 0; i < moves; i++) {
        args[0] = move_at(l, &part, i, where);
        for (unsigned w = 0; w < each; w++) {
            args[1 + w] = word_of(l, &part, in, where[w]);
        }
        enum tensor_move move = part.per_word > 1 ? TENSOR_STORE_HALVES : TENSOR_STORE;
        compose(l, &(struct tcgen05_move){move, each}, args, each + 1);
    }
    if (!moves_on(l, op)) {
        fence(l, ASM_TCGEN05_WAIT_STORE);
    }
    end_moves(l, op);
}

// True if a lane of the warp has a factor other than 1.
static LLVMValueRef scales(struct lowering *l, const struct values *factor) {
    LLVMValueRef ones = NULL, one = LLVMConstReal(LLVMTypeOf(factor->at[0]), 1.0);
    for (unsigned r = 0; r < factor->count; r++) {
        bool known = false;
        for (unsigned i = 0; i < r && !known; i++) {
            known = factor->at[i] == factor->at[r];
        }
        ones = known ? ones : lower_and(l, ones, LLVMBuildFCmp(l->b, LLVMRealOEQ, factor->at[r], one, ""));
    }
    return LLVMBuildNot(l->b, lower_vendor(l)->vote_all(l, ones), "");
}

// A move at a time: few registers hold it. The wait is on the rare side of the branch, also where a store that follows waits for all.
void lower_tensor_rescale(struct lowering *l, MlirOperation op) {
    const struct values *factor = lower_values(l, tensor_rescale_factor(op));
    struct part part = part_of(l, tensor_rescale_factor(op), lower_scalar(l, tensor_rescale_memory(op)), op);
    part.width = part.width < RESCALED_COLUMNS ? part.width : RESCALED_COLUMNS;
    unsigned each = move_words(&part), moves = move_count(&part), where[TOGETHER];
    LLVMValueRef words[1 + TOGETHER];
    begin_moves(l, op);
    struct lower_if branch = lower_if_begin(l, scales(l, factor));
    for (unsigned i = 0; i < moves; i++) {
        load_some(l, &part, i, 1, words + 1, where);
        words[0] = move_at(l, &part, i, where);
        for (unsigned w = 0; w < each; w++) {
            LLVMValueRef by = factor->at[where[w]];
            LLVMValueRef value = LLVMBuildBitCast(l->b, words[1 + w], LLVMTypeOf(by), "");
            words[1 + w] = LLVMBuildBitCast(l->b, LLVMBuildFMul(l->b, value, by, ""), l->i32, "");
        }
        compose(l, &(struct tcgen05_move){TENSOR_STORE, each}, words, each + 1);
    }
    fence(l, ASM_TCGEN05_WAIT_STORE);
    lower_if_end(l, &branch);
    end_moves(l, op);
}
