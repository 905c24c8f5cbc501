// tk.dot with a matrix instruction: the registers of each fragment, and the order of the instructions.
//
// Layouts decide everything. The elements held by the thread with lane 0 in warp 0 are looked up by their
// flat index. Lane and warp parts are the same for every fragment and are checked once: lanes must carry the
// coordinates given in the row of mma.def, and warps must agree between A, B and C. A fragment of C at (m0,
// n0) is then the set of registers holding (m0, n0) plus each coordinate of the row, and so for A at (m0, k0)
// and B at (k0, n0).
//
// Order: k outermost, then the fragments of C, columns before rows: consecutive instructions are independent,
// and the scheduler finds each k step's operand loads next to their use.
//
// K may be in another order than the tile's, the same for A and B (`k_order`): places are looked up as the instructions have it.
//
// f32 operands are rounded to tf32 here, to nearest (lower_vendor's tf32). tf32x3 splits each into a rounded
// part and the rounded remainder, and adds the three significant products, small ones first. With an infinity
// some small products are NaNs, like its product with a remainder of 0: if the small products add up to a
// NaN, only the large one counts, as in Triton.
#include "lower/dot/lower_dot.h"

#include <stdlib.h>
#include <string.h>

struct placed {
    uint32_t flat, reg;
};

// One operand of one dot.
struct dot_operand {
    const struct layout *layout;
    struct placed *placed; // registers by flat index
    unsigned fragment_count;
    uint32_t fragment
        [MMA_MOST_REGISTERS]; // flat index of each fragment register, relative to the fragment's corner
    LLVMValueRef *elements;
    struct mma_arguments **packed; // by the register of a fragment's corner
};

static int compare_placed(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return x->flat != y->flat ? (x->flat < y->flat ? -1 : 1) : x->reg < y->reg ? -1 : x->reg > y->reg;
}

static uint32_t flat_of(const struct layout *layout, unsigned row, unsigned column) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    at[layout->rank - 2] = row & (uint32_t)(layout_extent(layout, layout->rank - 2) - 1);
    at[layout->rank - 1] = column & (uint32_t)(layout_extent(layout, layout->rank - 1) - 1);
    return layout_join_coordinates(layout, at);
}

const struct layout *lower_undo_order(struct lowering *l, MlirOperation op, enum attribute_name name,
                                      const struct layout *layout, unsigned dim) {
    const int32_t *order;
    int32_t inverse[LAYOUT_MAX_BITS];
    intptr_t bits = op_i32_array(op, name, &order, l->arena);
    for (intptr_t i = 0; i < bits; i++) {
        inverse[order[i]] = (int32_t)i;
    }
    struct layout *undone = ARENA_NEW(l->arena, struct layout);
    *undone = layout_order_dim(layout, dim, inverse);
    return undone;
}

// The operand's layout as the instructions have K and the result's rows.
static const struct layout *in_order(struct lowering *l, MlirOperation op, enum mma_operand which,
                                     const struct layout *layout) {
    if (op_has(op, ATTR_K_ORDER) && which <= MMA_B) {
        layout = lower_undo_order(l, op, ATTR_K_ORDER, layout, layout->rank - (which == MMA_A ? 1 : 2));
    }
    bool rows = op_has(op, ATTR_ROW_ORDER) && (which == MMA_A || which == MMA_C);
    return rows ? lower_undo_order(l, op, ATTR_ROW_ORDER, layout, layout->rank - 2) : layout;
}

static struct dot_operand operand_of(struct lowering *l, MlirOperation op, const struct mma *mma,
                                     enum mma_operand which) {
    MlirValue value = mlirOperationGetOperand(op, which);
    struct dot_operand operand = {.layout = in_order(l, op, which, lower_layout(l, value)),
                                  .elements = lower_values(l, value)->at};
    const struct layout *layout = operand.layout;
    unsigned registers = layout_registers(layout);
    operand.placed = ARENA_ARRAY(l->arena, struct placed, registers);
    operand.packed = ARENA_ARRAY(l->arena, struct mma_arguments *, registers);
    for (unsigned r = 0; r < registers; r++) {
        operand.placed[r] = (struct placed){layout_column(layout, LAYOUT_REGISTER, r), r};
    }
    qsort(operand.placed, registers, sizeof *operand.placed, compare_placed);
    operand.fragment_count = mma_registers(mma, mma_slot(mma, which));
    if (operand.fragment_count > MMA_MOST_REGISTERS) {
        bug("%s: %u elements of operand %d in a lane", mma->name, operand.fragment_count, (int)which);
    }
    for (unsigned reg = 0; reg < operand.fragment_count; reg++) {
        unsigned at[2];
        mma_tile_element(mma, which, reg, 0, at);
        operand.fragment[reg] = flat_of(layout, at[0], at[1]);
    }
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_LANE]; bit++) {
        unsigned at[2];
        mma_tile_element(mma, which, 0, 1u << bit, at);
        if (layout->basis[LAYOUT_LANE][bit] != flat_of(layout, at[0], at[1])) {
            bug("dot: lane bit %u of operand %d is not where %s has it", bit, (int)which, mma->name);
        }
    }
    return operand;
}

static unsigned register_at(const struct dot_operand *operand, uint32_t flat) {
    unsigned low = 0, high = layout_registers(operand->layout);
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (operand->placed[middle].flat < flat) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == layout_registers(operand->layout) || operand->placed[low].flat != flat) {
        bug("dot: a fragment's element is not in its thread");
    }
    return operand->placed[low].reg;
}

// The part of a flat index along one of the last two dimensions, or of the batch (side < 0).
static uint32_t part(const struct layout *layout, uint32_t flat, int side) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(layout, flat, at);
    return side < 0 ? (layout->rank > 2 ? at[0] : 0) : at[layout->rank - 2 + (unsigned)side];
}

// Warps must hold the same rows of A as of C, the same columns of B as of C, and all of K.
static void check_warps(const struct dot_operand operands[MMA_OPERANDS]) {
    const struct layout *a = operands[MMA_A].layout, *b = operands[MMA_B].layout, *c = operands[MMA_C].layout;
    for (unsigned bit = 0; bit < c->bits[LAYOUT_WARP]; bit++) {
        uint32_t fa = a->basis[LAYOUT_WARP][bit], fb = b->basis[LAYOUT_WARP][bit],
                 fc = c->basis[LAYOUT_WARP][bit];
        if (part(a, fa, 0) != part(c, fc, 0) || part(b, fb, 1) != part(c, fc, 1) || part(a, fa, 1) != 0 ||
            part(b, fb, 0) != 0 || part(a, fa, -1) != part(c, fc, -1) || part(b, fb, -1) != part(c, fc, -1)) {
            bug("dot: the operands are distributed differently over the warps");
        }
    }
}

// The packed fragment with this corner; each is packed once.
static const struct mma_arguments *fragment_at(struct lowering *l, const struct mma_call *call,
                                               struct dot_operand *operand, enum mma_operand which,
                                               uint32_t corner) {
    unsigned first = register_at(operand, corner);
    if (!operand->packed[first]) {
        LLVMValueRef elements[MMA_MOST_REGISTERS];
        for (unsigned i = 0; i < operand->fragment_count; i++) {
            elements[i] = operand->elements[register_at(operand, corner ^ operand->fragment[i])];
        }
        operand->packed[first] = ARENA_NEW(l->arena, struct mma_arguments);
        *operand->packed[first] = mma_pack(l, call, mma_slot(call->mma, which), elements);
    }
    return operand->packed[first];
}

// Insertion sort by column, then row; the corners come sorted by row.
static void sort_by_column(const struct layout *layout, uint32_t *corners, unsigned count) {
    for (unsigned n = 1; n < count; n++) {
        uint32_t corner = corners[n], at = n;
        for (; at > 0 && part(layout, corners[at - 1], 1) > part(layout, corner, 1); at--) {
            corners[at] = corners[at - 1];
        }
        corners[at] = corner;
    }
}

static bool comes_from_shared(struct lowering *l, MlirOperation dot, enum mma_operand which) {
    MlirOperation made = value_op(mlirOperationGetOperand(dot, which));
    return !mlirOperationIsNull(made) && op_kind(l->ir, made) == OP_SMEM_LOAD;
}

// AMD waits for reads by the number of reads that may stay in flight. If the fragments of the larger operand
// are read first and then the smaller one's one by one, each wait covers only one small fragment. This takes
// registers for all of the larger operand's fragments of a k step; they are free if accumulators leave half
// of the registers.
static bool larger_is_read_first(struct lowering *l, MlirOperation dot, const struct dot_operand *c,
                                 enum mma_operand larger) {
    unsigned sums = layout_registers(c->layout) * lower_type_bits(LLVMTypeOf(c->elements[0])) / 32;
    return lower_vendor(l)->counts_reads && comes_from_shared(l, dot, larger) &&
           2 * sums < l->target->registers_per_thread;
}

// The corners of C's fragments in order: column by column if the columns' operand is the larger one. Then the
// smaller operand's fragments stay in registers during a k step, and each of the larger one's serves all its
// uses at once. Otherwise row by row.
static uint32_t *corners_of(struct lowering *l, MlirOperation dot, const struct mma *mma,
                            const struct dot_operand *c, unsigned *count) {
    unsigned registers = layout_registers(c->layout), rank = c->layout->rank;
    uint32_t *corners = ARENA_ARRAY(l->arena, uint32_t, registers);
    bool *covered = ARENA_ARRAY(l->arena, bool, registers);
    *count = 0;
    for (unsigned r = 0; r < registers; r++) {
        uint32_t corner = layout_column(c->layout, LAYOUT_REGISTER, r);
        if (covered[register_at(c, corner)]) {
            continue;
        }
        corners[(*count)++] = corner;
        for (unsigned i = 0; i < c->fragment_count; i++) {
            covered[register_at(c, corner ^ c->fragment[i])] = true;
        }
    }
    unsigned rows = 0, columns = 0;
    for (unsigned n = 0; n < *count; n++) {
        rows += part(c->layout, corners[n], 1) == part(c->layout, corners[0], 1);
        columns += part(c->layout, corners[n], 0) == part(c->layout, corners[0], 0);
    }
    unsigned left = rows * mma_registers(mma, mma_slot(mma, MMA_A)) * mma_type_bits(mma->a);
    unsigned right = columns * mma_registers(mma, mma_slot(mma, MMA_B)) * mma_type_bits(mma->b);
    bool by_column = right > left;
    if (right != left && larger_is_read_first(l, dot, c, right > left ? MMA_B : MMA_A)) {
        by_column = !by_column;
    }
    if (rank == 2 && by_column) {
        sort_by_column(c->layout, corners, *count);
    }
    return corners;
}

// The scales of a fragment of A from row `row` on (of B from column `row` on) at k, packed from the low byte up.
static LLVMValueRef scale_word(struct lowering *l, const struct mma *mma, const struct dot_operand *scales,
                               uint32_t row, uint32_t k) {
    uint32_t corner =
        layout_join_coordinates(scales->layout, (uint32_t[LAYOUT_MAX_RANK]){row, k / mma->group});
    LLVMValueRef word = NULL;
    for (unsigned i = 0; i < scales->fragment_count; i++) {
        LLVMValueRef byte = scales->elements[register_at(scales, corner ^ scales->fragment[i])];
        byte = LLVMBuildShl(l->b, LLVMBuildZExt(l->b, byte, l->i32, ""), lower_i32(l, 8 * i), "");
        word = word ? LLVMBuildOr(l->b, word, byte, "") : byte;
    }
    return word;
}

// acc += a·b over the whole tile for one k step.
static void one_step(struct lowering *l, const struct mma_call *call, struct dot_operand *a,
                     struct dot_operand *b, const struct dot_operand *c, struct dot_operand *scales,
                     const uint32_t *corners, unsigned count, uint32_t k, LLVMValueRef *acc) {
    for (unsigned n = 0; n < count; n++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0}, at_a[LAYOUT_MAX_RANK], at_b[LAYOUT_MAX_RANK];
        unsigned rank = c->layout->rank;
        layout_split_coordinates(c->layout, corners[n], at);
        memcpy(at_a, at, sizeof at);
        memcpy(at_b, at, sizeof at);
        at_a[rank - 1] = at_b[rank - 2] = k;
        const struct mma_arguments *left =
            fragment_at(l, call, a, MMA_A, layout_join_coordinates(a->layout, at_a));
        const struct mma_arguments *right =
            fragment_at(l, call, b, MMA_B, layout_join_coordinates(b->layout, at_b));
        LLVMValueRef elements[MMA_MOST_REGISTERS];
        unsigned where[MMA_MOST_REGISTERS];
        for (unsigned i = 0; i < c->fragment_count; i++) {
            where[i] = register_at(c, corners[n] ^ c->fragment[i]);
            elements[i] = acc[where[i]];
        }
        bool swapped = mma_slot(call->mma, MMA_A) == MMA_B;
        LLVMValueRef words[2];
        for (unsigned i = 0; i < 2 && scales; i++) {
            words[swapped ? !i : i] = scale_word(l, call->mma, &scales[i], at[rank - 2 + i], k);
        }
        mma_emit(l, call, swapped ? right : left, swapped ? left : right, words, elements);
        for (unsigned i = 0; i < c->fragment_count; i++) {
            acc[where[i]] = elements[i];
        }
    }
}

// ---- f32 operands as tf32 ----

enum part { ROUNDED, HIGH, REST }; // for the product alone; to subtract; what is left

// The operand again, with a part of its elements.
static struct dot_operand part_of_operand(struct lowering *l, const struct dot_operand *operand,
                                          enum part part) {
    struct dot_operand split = *operand;
    unsigned registers = layout_registers(operand->layout);
    split.elements = ARENA_ARRAY(l->arena, LLVMValueRef, registers);
    split.packed = ARENA_ARRAY(l->arena, struct mma_arguments *, registers);
    for (unsigned r = 0; r < registers; r++) {
        unsigned home = register_at(operand, layout_column(operand->layout, LAYOUT_REGISTER, r));
        if (home != r && home < r) {
            split.elements[r] = split.elements[home];
            continue;
        }
        LLVMValueRef value = operand->elements[r];
        if (part == ROUNDED) {
            split.elements[r] = lower_vendor(l)->tf32_operand(l, value);
            continue;
        }
        LLVMValueRef high = lower_vendor(l)->tf32(l, value);
        split.elements[r] =
            part == REST ? lower_vendor(l)->tf32(l, LLVMBuildFSub(l->b, value, high, "")) : high;
    }
    return split;
}

// acc += a·b by three products: all small ones first, from zero.
static void add_in_three(struct lowering *l, const struct mma_call *call,
                         struct dot_operand operands[MMA_OPERANDS], struct dot_operand rests[2],
                         const uint32_t *corners, unsigned count, LLVMValueRef *acc) {
    const struct dot_operand *c = &operands[MMA_C];
    const struct layout *left = operands[MMA_A].layout;
    uint32_t depth = (uint32_t)layout_extent(left, left->rank - 1);
    unsigned registers = layout_registers(c->layout);
    LLVMValueRef *sums = ARENA_ARRAY(l->arena, LLVMValueRef, registers), zero = LLVMConstReal(l->f32, 0);
    for (unsigned r = 0; r < registers; r++) {
        sums[r] = zero;
    }
    for (uint32_t k = 0; k < depth; k += call->mma->k) {
        one_step(l, call, &rests[MMA_A], &operands[MMA_B], c, NULL, corners, count, k, sums);
        one_step(l, call, &operands[MMA_A], &rests[MMA_B], c, NULL, corners, count, k, sums);
    }
    for (unsigned r = 0; r < registers; r++) {
        LLVMValueRef is_nan = LLVMBuildFCmp(l->b, LLVMRealUNO, sums[r], sums[r], "");
        sums[r] = LLVMBuildSelect(l->b, is_nan, zero, sums[r], "");
    }
    for (uint32_t k = 0; k < depth; k += call->mma->k) {
        one_step(l, call, &operands[MMA_A], &operands[MMA_B], c, NULL, corners, count, k, sums);
    }
    for (unsigned r = 0; r < registers; r++) {
        acc[r] = LLVMIsNull(acc[r]) ? sums[r] : LLVMBuildFAdd(l->b, acc[r], sums[r], "");
    }
}

// What an instruction takes of the budget of values, for LLVM's time with its fragments.
enum { VALUES_OF_PRODUCT = 8 };

void lower_dot(struct lowering *l, MlirOperation op) {
    MlirStringRef name = op_string(op, ATTR_INSTRUCTION);
    if (!name.data) {
        lower_dot_fma(l, op);
        return;
    }
    const struct mma *mma = mma_find(name.data, name.length);
    if (!mma) {
        bug("dot: mma.def has no row %.*s", (int)name.length, name.data);
    }
    struct mma_call call = mma_call_prepare(l, mma);
    struct dot_operand operands[MMA_WITH_SCALES], rests[2],
        *scales = mma->group ? operands + MMA_OPERANDS : NULL;
    for (int i = 0; i < (scales ? MMA_WITH_SCALES : MMA_OPERANDS); i++) {
        operands[i] = operand_of(l, op, mma, (enum mma_operand)i);
    }
    check_warps(operands);
    bool three = mma->a == MMA_TF32 && op_dot_precision(op) == PRECISION_TF32X3;
    for (int i = 0; mma->a == MMA_TF32 && i < 2; i++) {
        struct dot_operand original = operands[i];
        if (three) {
            rests[i] = part_of_operand(l, &original, REST);
        }
        bool rounded = op_int(op, ATTR_ROUNDED) >> i & 1;
        operands[i] = rounded ? original : part_of_operand(l, &original, three ? HIGH : ROUNDED);
    }
    unsigned count;
    const uint32_t *corners = corners_of(l, op, mma, &operands[MMA_C], &count);
    struct values *out = lower_result(l, op, 0);
    unsigned registers = layout_registers(operands[MMA_C].layout);
    memcpy(out->at, operands[MMA_C].elements, registers * sizeof(LLVMValueRef));
    uint32_t depth = (uint32_t)layout_extent(operands[MMA_A].layout, operands[MMA_A].layout->rank - 1);
    if (!lower_take(l, (size_t)count * (depth / mma->k) * (three ? 3 : 1) * VALUES_OF_PRODUCT)) {
        return;
    }
    if (three) {
        add_in_three(l, &call, operands, rests, corners, count, out->at);
    }
    for (uint32_t k = 0; k < depth && !three; k += mma->k) {
        one_step(l, &call, &operands[MMA_A], &operands[MMA_B], &operands[MMA_C], scales, corners, count, k,
                 out->at);
    }
    // Registers with the same element get the result of its first register.
    for (unsigned r = 0; r < registers; r++) {
        out->at[r] =
            out->at[register_at(&operands[MMA_C], layout_column(operands[MMA_C].layout, LAYOUT_REGISTER, r))];
    }
}
