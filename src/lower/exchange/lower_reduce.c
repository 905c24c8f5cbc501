// reduce: first over the registers of a thread, then over lanes by butterfly shuffles, at last over warps
// through scratch.
//
// Registers with the same coordinates outside the axis form a group, combined to one value. Lanes and warps
// along the axis are combined bit by bit, so that every thread gets the result. The combination must be
// associative and commutative. If it is not so to the last bit (an index among equal values, a running mean),
// the left operand is that of the lane with a clear bit: all threads of the block get the same value and take
// the same branches on it. A partial reduction ends after the registers.
#include "lower/lower_internal.h"
#include "chip/scratch.h"

#include <stdlib.h>

enum { MAX_OPERANDS = 16 };

void lower_combine(struct lowering *l, MlirOperation op, unsigned count, const LLVMValueRef *left,
                   const LLVMValueRef *right, LLVMValueRef *results) {
    MlirBlock body = op_body(op, 0);
    for (unsigned i = 0; i < count; i++) {
        lower_define(l, mlirBlockGetArgument(body, i))->at[0] = left[i];
        lower_define(l, mlirBlockGetArgument(body, count + i))->at[0] = right[i];
    }
    MlirOperation yield = lower_block(l, body);
    for (unsigned i = 0; i < count; i++) {
        results[i] = lower_operand(l, yield, i)->at[0];
    }
}

struct reduce {
    MlirOperation op;
    unsigned count; // operands
    const struct layout *layout;
    unsigned axis;
    uint32_t axis_mask;
    struct reduce_plan plan;
    uint32_t *keys;        // of each group: coordinates outside the axis
    unsigned held;         // groups of a lane: all, or its part of them once lanes deal them out
    uint32_t dealt;        // these lanes' bits
    LLVMValueRef *partial; // group g of operand i: partial[g * count + i]
};

static unsigned group_of(const struct reduce *reduce, uint32_t key) {
    for (unsigned g = 0; g < reduce->plan.groups; g++) {
        if (reduce->keys[g] == key) {
            return g;
        }
    }
    bug("reduce: the result's layout is not the operand's without the axis");
}

// For a sum of products: adds the first `count` members up in chains of a few fused multiply-adds and leaves
// the chains' sums in front. Returns their number. If members are no longer products, as behind a conversion,
// they stay as they are.
static unsigned add_products(struct lowering *l, const struct reduce *reduce,
                             LLVMValueRef (*members)[MAX_OPERANDS], unsigned count) {
    enum { CHAIN = 8 };
    bool products = op_has(reduce->op, ATTR_PRODUCTS);
    for (unsigned m = 0; m < count && products; m++) {
        products = LLVMIsAInstruction(members[m][0]) && LLVMGetInstructionOpcode(members[m][0]) == LLVMFMul;
    }
    if (!products) {
        return count;
    }
    unsigned chains = (count + CHAIN - 1) / CHAIN;
    for (unsigned c = 0; c < chains; c++) {
        LLVMValueRef sum = members[c][0];
        for (unsigned m = c + chains; m < count; m += chains) {
            LLVMValueRef product = members[m][0];
            LLVMTypeRef type = LLVMTypeOf(sum);
            LLVMValueRef arguments[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), sum};
            sum = lower_intrinsic(l, "llvm.fma", &type, 1, arguments, 3);
        }
        members[c][0] = sum;
    }
    return chains;
}

// True if the region is only the maximum or the minimum of its two numbers.
static bool is_extreme(struct lowering *l, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    enum op_kind kind = op_kind(l->ir, op);
    if (kind != OP_MAXNUMF && kind != OP_MINNUMF) {
        return false;
    }
    MlirValue x = binary_left(op), y = binary_right(op);
    return mlirValueIsABlockArgument(x) && mlirValueIsABlockArgument(y) && !value_is(x, y) &&
           value_is(yield_value(mlirOperationGetNextInBlock(op), 0), mlirOperationGetResult(op, 0));
}

// AMD's maximum of three takes two more numbers of a chain as they are. In a tree most numbers go from the
// matrix unit to a comparison of two, for which LLVM quiets each possibly signalling NaN. Leaves the chains'
// ends in front. NVIDIA has such an instruction from sm_100 on, which ptxas makes of two links of a chain.
static unsigned chain_extremes(struct lowering *l, const struct reduce *reduce,
                               LLVMValueRef (*members)[MAX_OPERANDS], unsigned count) {
    enum { CHAIN = 16 };
    bool chains_extremes = lower_vendor(l)->chains_extremes || l->target->compute_capability >= 100;
    if (!chains_extremes || reduce->count != 1 || !is_extreme(l, reduce->op)) {
        return count;
    }
    unsigned chains = (count + CHAIN - 1) / CHAIN;
    for (unsigned c = 0; c < chains; c++) {
        for (unsigned m = c + chains; m < count; m += chains) {
            lower_combine(l, reduce->op, 1, members[c], members[m], members[c]);
        }
    }
    return chains;
}

// Each group's registers are combined as a tree: short chains, and small rounding errors in sums.
static void reduce_registers(struct lowering *l, struct reduce *reduce) {
    uint32_t free = lower_free_registers(reduce->layout);
    unsigned count = reduce->count, made = 0, registers = layout_registers(reduce->layout);
    unsigned *sizes = ARENA_ARRAY(l->arena, unsigned, reduce->plan.groups);
    LLVMValueRef(*members)[MAX_OPERANDS] =
        (void *)ARENA_ARRAY(l->arena, LLVMValueRef, registers * MAX_OPERANDS);
    unsigned capacity = registers / reduce->plan.groups;
    for (uint32_t r = 0; r < registers; r++) {
        if (r & free) {
            continue;
        }
        uint32_t key = layout_column(reduce->layout, LAYOUT_REGISTER, r) & ~reduce->axis_mask;
        unsigned g = 0;
        while (g < made && reduce->keys[g] != key) {
            g++;
        }
        if (g == made) {
            reduce->keys[made++] = key;
        }
        for (unsigned i = 0; i < count; i++) {
            members[g * capacity + sizes[g]][i] = lower_operand(l, reduce->op, i)->at[r];
        }
        sizes[g]++;
    }
    for (unsigned g = 0; g < made; g++) {
        LLVMValueRef(*group)[MAX_OPERANDS] = members + g * capacity;
        sizes[g] = add_products(l, reduce, group, sizes[g]);
        sizes[g] = chain_extremes(l, reduce, group, sizes[g]);
        for (unsigned step = 1; step < sizes[g]; step *= 2) {
            for (unsigned m = 0; m + step < sizes[g]; m += 2 * step) {
                lower_combine(l, reduce->op, count, group[m], group[m + step], group[m]);
            }
        }
        for (unsigned i = 0; i < count; i++) {
            reduce->partial[g * count + i] = group[0][i];
        }
    }
}

// The state of a comparison of two expressions of the region.
struct swap {
    struct ir *ir;
    MlirBlock body;
    intptr_t count;
    int steps; // left, before the answer is no
};

// True if `y` equals `x` with the region's left and right operands exchanged.
static bool is_swapped(struct swap *swap, MlirValue x, MlirValue y) {
    if (swap->steps-- <= 0) {
        return false;
    }
    if (mlirValueIsABlockArgument(x) || mlirValueIsABlockArgument(y)) {
        if (!mlirValueIsABlockArgument(x) || !mlirValueIsABlockArgument(y) ||
            !mlirBlockEqual(mlirBlockArgumentGetOwner(x), swap->body)) {
            return mlirValueEqual(x, y);
        }
        intptr_t of_x = mlirBlockArgumentGetArgNumber(x), of_y = mlirBlockArgumentGetArgNumber(y);
        return of_y == (of_x + swap->count) % (2 * swap->count);
    }
    MlirOperation a = mlirOpResultGetOwner(x), b = mlirOpResultGetOwner(y);
    unsigned traits = op_traits(op_kind(swap->ir, a));
    intptr_t operands = mlirOperationGetNumOperands(a);
    if (!mlirBlockEqual(mlirOperationGetBlock(a), swap->body)) {
        return mlirValueEqual(x, y);
    }
    if (!(traits & PURE) || mlirOperationGetNumRegions(a) || !ops_alike(a, b) ||
        mlirOpResultGetResultNumber(x) != mlirOpResultGetResultNumber(y)) {
        return false;
    }
    for (int way = 0; way <= ((traits & COMMUTES) != 0); way++) {
        bool same = true;
        for (intptr_t i = 0; i < operands && same; i++) {
            intptr_t other = way && i < 2 ? 1 - i : i;
            same = is_swapped(swap, mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, other));
        }
        if (same) {
            return true;
        }
    }
    return false;
}

// True if the region is symmetric in its operands, as far as its form shows.
static bool combines_symmetrically(struct lowering *l, MlirOperation op) {
    struct swap swap = {l->ir, op_body(op, 0), mlirOperationGetNumOperands(op), 1000};
    MlirOperation yield = mlirBlockGetFirstOperation(swap.body);
    while (op_kind(l->ir, yield) != OP_YIELD) {
        yield = mlirOperationGetNextInBlock(yield);
    }
    for (intptr_t i = 0; i < swap.count; i++) {
        MlirValue result = mlirOperationGetOperand(yield, i);
        if (!is_swapped(&swap, result, result)) {
            return false;
        }
    }
    return true;
}

// Every lane takes the value of the lane with all these bits clear: its own operand was always the left one.
static void agree_on_lanes(struct lowering *l, struct reduce *reduce, uint32_t lanes) {
    LLVMValueRef first = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, ~lanes), "");
    for (unsigned i = 0; i < reduce->plan.groups * reduce->count; i++) {
        reduce->partial[i] = lower_shuffle_index(l, reduce->partial[i], first);
    }
}

static void reduce_lanes(struct lowering *l, struct reduce *reduce, uint32_t lanes) {
    for (unsigned bit = l->lane_bits; bit-- > 0;) {
        if (!(lanes >> bit & 1)) {
            continue;
        }
        for (unsigned g = 0; g < reduce->held; g++) {
            LLVMValueRef *partial = &reduce->partial[g * reduce->count], other[MAX_OPERANDS];
            for (unsigned i = 0; i < reduce->count; i++) {
                other[i] = lower_shuffle_xor(l, partial[i], 1u << bit);
            }
            lower_combine(l, reduce->op, reduce->count, partial, other, partial);
        }
    }
}

// Combines group `low` in lanes with a clear bit and group `high` in the others: each lane sends the group it
// gives up. The left operand is the value of the lane with the clear bit, as in a butterfly.
static void deal_group(struct lowering *l, struct reduce *reduce, unsigned bit, LLVMValueRef is_set,
                       const LLVMValueRef *low, const LLVMValueRef *high, LLVMValueRef *result) {
    bool symmetric = combines_symmetrically(l, reduce->op);
    LLVMValueRef left[MAX_OPERANDS], right[MAX_OPERANDS];
    for (unsigned i = 0; i < reduce->count; i++) {
        LLVMValueRef sent = LLVMBuildSelect(l->b, is_set, low[i], high[i], "");
        LLVMValueRef own = LLVMBuildSelect(l->b, is_set, high[i], low[i], "");
        LLVMValueRef other = lower_shuffle_xor(l, sent, 1u << bit);
        left[i] = symmetric ? own : LLVMBuildSelect(l->b, is_set, other, own, "");
        right[i] = symmetric ? other : LLVMBuildSelect(l->b, is_set, own, other, "");
    }
    lower_combine(l, reduce->op, reduce->count, left, right, result);
}

// Pairs of value and index of several elements, exchanged by warps through scratch: a butterfly would
// combine every element in every lane. Here a lane keeps half of the elements at each step, as long as it has
// several: eight elements take 9 combinations and not 40. Returns the lanes yet to be combined over.
static uint32_t deal_groups(struct lowering *l, struct reduce *reduce) {
    uint32_t lanes = reduce->plan.axis_lanes;
    if (!lower_vendor(l)->lanes_share_reading || reduce->count == 1 || !reduce->plan.axis_warps ||
        reduce->plan.rounds > 1) {
        return lanes;
    }
    for (unsigned bit = l->lane_bits; bit-- > 0 && reduce->held > 1;) {
        if (!(lanes >> bit & 1)) {
            continue;
        }
        LLVMValueRef mine = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, 1u << bit), "");
        LLVMValueRef is_set = LLVMBuildICmp(l->b, LLVMIntNE, mine, lower_i32(l, 0), "");
        reduce->held /= 2;
        for (unsigned g = 0; g < reduce->held; g++) {
            LLVMValueRef *low = &reduce->partial[g * reduce->count];
            deal_group(l, reduce, bit, is_set, low, low + reduce->held * reduce->count, low);
        }
        lanes &= ~(1u << bit);
        reduce->dealt |= 1u << bit;
    }
    return lanes;
}

// Numbers the set bits of a thread mask: the p-th set bit contributes `unit << p`.
static void number_bits(uint32_t mask, uint32_t unit, uint32_t basis[LAYOUT_MAX_BITS]) {
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++) {
        if (mask >> i & 1) {
            basis[i] = unit;
            unit <<= 1;
        }
    }
}

static int combination_ops(const struct reduce *reduce) { // without the terminator
    int ops = -1;
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce->op, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        ops++;
    }
    return ops;
}

// True if the lanes' exchanges and combinations, one a bit of the warps' number, are fewer instructions than one combination
// after another in each thread: pairs of value and index, running means. With four warps a thread waits longer for the lanes.
static bool is_long(const struct reduce *reduce, unsigned warps) {
    enum { FEWEST_WARPS = 8, WORD_BITS = 32 };
    int bits = __builtin_ctz(warps), words = 0, ops = combination_ops(reduce);
    for (unsigned i = 0; i < reduce->count; i++) {
        words += (int)(lower_type_bits(LLVMTypeOf(reduce->partial[i])) + WORD_BITS - 1) / WORD_BITS;
    }
    return warps >= FEWEST_WARPS && bits * (ops + 2 * words) + 2 * words < (int)(warps - 1) * ops;
}

// The lanes along the axis, all with the same value by now, that share the reading of the warps' partial
// results: as many lane bits as there are warps. Reading all of them in each thread takes a load for every 16
// bytes, and shared memory delivers 128 bytes a clock even for equal addresses; shuffles cost their latency.
// From 64 bytes on shuffles are faster (H200: sums of 16 warps), and for long combinations.
static uint32_t reading_lanes(struct lowering *l, const struct reduce *reduce, unsigned warps) {
    enum { MANY_BYTES = 64 };
    unsigned bytes = lower_type_bits(LLVMTypeOf(reduce->partial[0])) / 8;
    uint32_t lanes = reduce->plan.axis_lanes;
    bool share = warps * bytes >= MANY_BYTES || is_long(reduce, warps);
    if (!lower_vendor(l)->lanes_share_reading || !share) {
        return 0;
    }
    while (1u << __builtin_popcount(lanes) > warps) {
        lanes &= lanes - 1;
    }
    return lanes;
}

// A reduction's scratch: for each operand the partial results, those of one element side by side, and behind
// them the results if they are shared.
struct exchange {
    unsigned warps;                 // with partial results of one element
    uint32_t kept;                  // threads with different elements of the result
    uint32_t offsets[MAX_OPERANDS]; // bytes
};

static unsigned operand_bytes(const struct reduce *reduce, unsigned operand) {
    return lower_type_bits(LLVMTypeOf(reduce->partial[operand])) / 8;
}

static LLVMValueRef shared_at(struct lowering *l, LLVMValueRef offset, uint32_t constant) {
    return lower_shared_address(l, LLVMBuildAdd(l->b, offset, lower_i32(l, constant), ""));
}

// Each warp leaves one value per kept thread position and group of a round, from group `first` on. The highest of the lanes that dealt
// groups out has chosen between the groups' halves.
static void leave_partial(struct lowering *l, struct reduce *reduce, const struct exchange *exchange,
                          unsigned first) {
    const struct reduce_plan *plan = &reduce->plan;
    uint32_t silent = lower_free_threads(l, reduce->layout) | (plan->axis_lanes & ~reduce->dealt);
    LLVMValueRef writes = NULL;
    if (silent) {
        LLVMValueRef bits = LLVMBuildAnd(l->b, l->thread, lower_i32(l, silent), "");
        writes = LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, 0), "");
    }
    for (unsigned i = 0; i < reduce->count; i++) {
        unsigned bytes = operand_bytes(reduce, i);
        uint32_t basis[LAYOUT_MAX_BITS] = {0}, group = exchange->kept * exchange->warps * bytes;
        number_bits(plan->kept_threads, exchange->warps * bytes, basis);
        number_bits(plan->axis_warps << l->lane_bits, bytes, basis);
        number_bits(reduce->dealt, reduce->held * group, basis);
        LLVMValueRef mine = lower_thread_linear(l, basis);
        for (unsigned g = 0; g < reduce->held / plan->rounds; g++) {
            lower_shared_write(l, shared_at(l, mine, exchange->offsets[i] + g * group),
                               &reduce->partial[(first + g) * reduce->count + i], 1, writes);
        }
    }
}

// Reads `share` adjacent partial results of each operand, from index `first` on, and combines them.
static void combine_share(struct lowering *l, const struct reduce *reduce, const uint32_t *offsets,
                          LLVMValueRef *firsts, unsigned share, LLVMValueRef *result) {
    LLVMValueRef(*read)[MAX_OPERANDS] = (void *)ARENA_ARRAY(l->arena, LLVMValueRef, share * MAX_OPERANDS);
    for (unsigned i = 0; i < reduce->count; i++) {
        unsigned bytes = operand_bytes(reduce, i), vector = 16 / bytes < share ? 16 / bytes : share;
        for (unsigned w = 0; w < share; w += vector) {
            LLVMValueRef elements[16];
            lower_shared_read(l, shared_at(l, firsts[i], offsets[i] + w * bytes),
                              LLVMTypeOf(reduce->partial[i]), vector, elements);
            for (unsigned e = 0; e < vector; e++) {
                read[w + e][i] = elements[e];
            }
        }
    }
    for (unsigned half = 1; half < share; half *= 2) {
        for (unsigned w = 0; w < share; w += 2 * half) {
            lower_combine(l, reduce->op, reduce->count, read[w], read[w + half], read[w]);
        }
    }
    for (unsigned i = 0; i < reduce->count; i++) {
        result[i] = read[0][i];
    }
}

// A thread reads a round's partial results of all warps, or its lane's share of them, from group `first` on.
static void combine_own(struct lowering *l, struct reduce *reduce, const struct exchange *exchange,
                        unsigned first) {
    const struct reduce_plan *plan = &reduce->plan;
    uint32_t sharing = reading_lanes(l, reduce, exchange->warps);
    unsigned share = exchange->warps >> __builtin_popcount(sharing);
    LLVMValueRef rows[MAX_OPERANDS];
    for (unsigned i = 0; i < reduce->count; i++) {
        unsigned bytes = operand_bytes(reduce, i);
        uint32_t basis[LAYOUT_MAX_BITS] = {0};
        number_bits(plan->kept_threads, exchange->warps * bytes, basis);
        number_bits(sharing, share * bytes, basis);
        rows[i] = lower_thread_linear(l, basis);
    }
    for (unsigned g = 0; g < plan->groups / plan->rounds; g++) {
        uint32_t offsets[MAX_OPERANDS];
        for (unsigned i = 0; i < reduce->count; i++) {
            offsets[i] =
                exchange->offsets[i] + g * exchange->kept * exchange->warps * operand_bytes(reduce, i);
        }
        combine_share(l, reduce, offsets, rows, share, &reduce->partial[(first + g) * reduce->count]);
    }
}

// Thread t combines the t-th share of the partial results, in memory order; the first thread of an element
// writes the result. If there are fewer shares than threads, the other threads do the same work as the thread
// with the same low bits, and write nothing.
static void share_out(struct lowering *l, struct reduce *reduce, const struct exchange *exchange,
                      const uint32_t *results) {
    unsigned sharers = reduce->plan.sharers, share = exchange->warps / sharers;
    uint32_t shares = reduce_plan_results(&reduce->plan) * sharers,
             threads = 1u << (l->lane_bits + l->warp_bits);
    LLVMValueRef thread =
        shares == threads ? l->thread : LLVMBuildAnd(l->b, l->thread, lower_i32(l, shares - 1), "");
    LLVMValueRef rows[MAX_OPERANDS], mine[MAX_OPERANDS], other[MAX_OPERANDS];
    for (unsigned i = 0; i < reduce->count; i++) {
        rows[i] = LLVMBuildMul(l->b, thread, lower_i32(l, share * operand_bytes(reduce, i)), "");
    }
    combine_share(l, reduce, exchange->offsets, rows, share, mine);
    for (unsigned lane = sharers / 2; lane > 0; lane /= 2) {
        for (unsigned i = 0; i < reduce->count; i++) {
            other[i] = lower_shuffle_xor(l, mine[i], lane);
        }
        lower_combine(l, reduce->op, reduce->count, mine, other, mine);
    }
    uint32_t silent = (sharers - 1) | ((threads - 1) & ~(shares - 1));
    LLVMValueRef rest = LLVMBuildAnd(l->b, l->thread, lower_i32(l, silent), "");
    LLVMValueRef leaves = LLVMBuildICmp(l->b, LLVMIntEQ, rest, lower_i32(l, 0), "");
    LLVMValueRef element = LLVMBuildUDiv(l->b, thread, lower_i32(l, sharers), "");
    LLVMValueRef kept = LLVMBuildURem(l->b, element, lower_i32(l, exchange->kept), "");
    LLVMValueRef group = LLVMBuildUDiv(l->b, element, lower_i32(l, exchange->kept), "");
    LLVMValueRef place =
        LLVMBuildAdd(l->b, LLVMBuildMul(l->b, kept, lower_i32(l, reduce->plan.groups), ""), group, "");
    for (unsigned i = 0; i < reduce->count; i++) {
        LLVMValueRef at = LLVMBuildMul(l->b, place, lower_i32(l, operand_bytes(reduce, i)), "");
        lower_shared_write(l, shared_at(l, at, results[i]), &mine[i], 1, silent ? leaves : NULL);
    }
}

static void combine_shared(struct lowering *l, struct reduce *reduce, const struct exchange *exchange) {
    const struct reduce_plan *plan = &reduce->plan;
    uint32_t results[MAX_OPERANDS];
    for (unsigned i = 0; i < reduce->count; i++) {
        results[i] = exchange->offsets[i] + reduce_plan_slots(plan) * operand_bytes(reduce, i);
    }
    share_out(l, reduce, exchange, results);
    lower_barrier(l);
    for (unsigned i = 0; i < reduce->count; i++) {
        unsigned bytes = operand_bytes(reduce, i),
                 vector = 16 / bytes < plan->groups ? 16 / bytes : plan->groups;
        uint32_t basis[LAYOUT_MAX_BITS] = {0};
        number_bits(plan->kept_threads, plan->groups * bytes, basis);
        LLVMValueRef row = lower_thread_linear(l, basis), elements[16];
        for (unsigned g = 0; g < plan->groups; g += vector) {
            lower_shared_read(l, shared_at(l, row, results[i] + g * bytes), LLVMTypeOf(reduce->partial[i]),
                              vector, elements);
            for (unsigned e = 0; e < vector; e++) {
                reduce->partial[(g + e) * reduce->count + i] = elements[e];
            }
        }
    }
}

// Each thread combines all warps' results of the groups it holds.
static void combine_in_rounds(struct lowering *l, struct reduce *reduce, const struct exchange *exchange) {
    const struct reduce_plan *plan = &reduce->plan;
    for (unsigned round = 0; round < plan->rounds; round++) {
        unsigned first = round * (plan->groups / plan->rounds);
        if (round > 0) {
            lower_barrier(l);
        }
        leave_partial(l, reduce, exchange, first);
        lower_barrier(l);
        combine_own(l, reduce, exchange, first);
    }
    reduce->held = plan->groups;
    uint32_t sharing = reading_lanes(l, reduce, exchange->warps);
    reduce_lanes(l, reduce, sharing);
    if (sharing && !combines_symmetrically(l, reduce->op)) {
        agree_on_lanes(l, reduce, sharing);
    }
}

static void reduce_warps(struct lowering *l, struct reduce *reduce) {
    const struct reduce_plan *plan = &reduce->plan;
    unsigned elements = reduce_plan_scratch(plan);
    struct exchange exchange = {.warps = 1u << __builtin_popcount(plan->axis_warps),
                                .kept = 1u << __builtin_popcount(plan->kept_threads)};
    uint32_t base = (uint32_t)op_int(reduce->op, ATTR_SCRATCH);
    lower_scratch(l, reduce->op);
    for (unsigned i = 0; i < reduce->count; i++) {
        exchange.offsets[i] = base;
        base += (elements * operand_bytes(reduce, i) + 15) & ~15u;
    }
    if (plan->sharers) {
        leave_partial(l, reduce, &exchange, 0);
        lower_barrier(l);
        combine_shared(l, reduce, &exchange);
    } else {
        combine_in_rounds(l, reduce, &exchange);
    }
}

// The operand's flat index, axis coordinate 0, of a result's flat index.
static uint32_t with_axis(const struct reduce *reduce, const struct layout *result, uint32_t flat) {
    uint32_t at[LAYOUT_MAX_RANK] = {0}, wide[LAYOUT_MAX_RANK] = {0};
    if (!result) {
        return 0;
    }
    layout_split_coordinates(result, flat, at);
    bool keeps_axis = result->rank == reduce->layout->rank;
    for (unsigned dim = 0; dim < result->rank; dim++) {
        wide[dim < reduce->axis || keeps_axis ? dim : dim + 1] = at[dim];
    }
    wide[reduce->axis] = 0;
    return layout_join_coordinates(reduce->layout, wide);
}

static void check_result(struct lowering *l, const struct reduce *reduce, const struct layout *result) {
    for (unsigned i = 0; result && i < l->lane_bits + l->warp_bits; i++) {
        enum layout_input input = i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        unsigned bit = i < l->lane_bits ? i : i - l->lane_bits;
        uint32_t expected = reduce->layout->basis[input][bit] & ~reduce->axis_mask;
        if (with_axis(reduce, result, result->basis[input][bit]) != expected) {
            bug("reduce: the result's layout is not the operand's without the axis");
        }
    }
}

static struct reduce reduce_of(struct lowering *l, MlirOperation op) {
    struct reduce reduce = {.op = op, .count = (unsigned)mlirOperationGetNumOperands(op)};
    reduce.layout = lower_layout(l, reduce_tile(op, 0));
    reduce.axis = (unsigned)op_int(op, ATTR_AXIS);
    reduce.axis_mask = layout_dim_mask(reduce.layout, reduce.axis);
    reduce.plan = reduce_plan(l->ir, l->target, 1u << l->warp_bits, op);
    if (!reduce.plan.possible || reduce.count > MAX_OPERANDS) {
        bug("reduce: an unsuitable operand layout, or more than %d operands", MAX_OPERANDS);
    }
    reduce.held = reduce.plan.groups;
    reduce.keys = ARENA_ARRAY(l->arena, uint32_t, reduce.plan.groups);
    reduce.partial = ARENA_ARRAY(l->arena, LLVMValueRef, reduce.plan.groups * reduce.count);
    return reduce;
}

static void give_results(struct lowering *l, const struct reduce *reduce) {
    const struct layout *result = lower_layout(l, mlirOperationGetResult(reduce->op, 0));
    check_result(l, reduce, result);
    for (unsigned i = 0; i < reduce->count; i++) {
        struct values *out = lower_result(l, reduce->op, i);
        for (unsigned r = 0; r < out->count; r++) {
            uint32_t flat = result ? layout_column(result, LAYOUT_REGISTER, r) : 0;
            unsigned g = group_of(reduce, with_axis(reduce, result, flat));
            out->at[r] = reduce->partial[g * reduce->count + i];
            if (!result && LLVMTypeOf(out->at[r]) == l->i32) { // loops may end by it
                out->at[r] = lower_vendor(l)->uniform(l, out->at[r]);
            }
        }
    }
}

void lower_reduce(struct lowering *l, MlirOperation op) {
    struct reduce reduce = reduce_of(l, op);
    reduce_registers(l, &reduce);
    reduce_lanes(l, &reduce, deal_groups(l, &reduce));
    if (reduce.plan.axis_warps) { // leave_partial writes the values of the lanes agree_on_lanes would read
        reduce_warps(l, &reduce);
    } else if (reduce.plan.axis_lanes && !combines_symmetrically(l, op)) {
        agree_on_lanes(l, &reduce, reduce.plan.axis_lanes);
    }
    give_results(l, &reduce);
}

void lower_partial_reduce(struct lowering *l, MlirOperation op) {
    struct reduce reduce = reduce_of(l, op);
    reduce_registers(l, &reduce);
    give_results(l, &reduce);
}
