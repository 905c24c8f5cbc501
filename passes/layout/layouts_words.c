// The order of K in products with a left operand unpacked from words by threads.
//
//   words: 64 x 16 x i32, eight numbers along K in each        each of a row's four lanes takes
//   numbers: 64 x 128 x f16, the left operand                    K as the instruction has it: two numbers of each word
//                                                                in this order: all eight of every fourth word
//
// Reason: the lanes of a fragment's row hold neighbouring pairs of K, so each of the four would read every word of the row for a quarter
// of its numbers. A product is the same in any order of K, if both operands have it. The bits of K within a word go to
// registers, bits above to lanes. The right operand's pairs of K become neighbours of one lane, 16 bytes, and two registers of an
// instruction; of a left operand's four registers two belong to other rows, so words on the right keep K as it is (turned_dots turns
// such products).
//
// wgmma reads its right operand from shared memory in its own order of K. There, rows have another order: a thread's rows are neighbours,
// and it reads their words at once.
//
// A lone warp has all rows (warp_slices.c). Its pairs of 4-bit numbers lie half a word apart, where one instruction takes both, and
// four neighbouring rows' words are one read. The right operand's pairs are then put together by permutations: of 64 rows and
// 16 columns one a word, which saves three instructions.
//
// Lanes take the bits of K one above a word's: rows of words, and 16 bytes a lane of the other operand, then lie in different
// banks of shared memory.
#include "passes/layout/layouts.h"

#include "ir/build.h"
#include "passes/facts/packed_words.h"

enum { FIRST_LANE = 1, LANES = 2 }; // mma.m16n8k16: bits 1 and 2 of K are lanes
enum { WORD_OF_NIBBLES = 3 };       // log2 of the numbers in a word of 4-bit numbers

// Bit i of the instructions' K is bit order[i] of the tile's. `far`: a pair's numbers are half a word apart.
static void order_of(unsigned word, unsigned bits, bool far, int32_t order[]) {
    unsigned above = bits > word + LANES ? word + 1 : word, next = 0;
    for (unsigned i = 0; i < bits; i++) {
        if (i >= FIRST_LANE && i < FIRST_LANE + LANES) {
            order[i] = (int32_t)(above + i - FIRST_LANE);
            continue;
        }
        next += next == above ? LANES : 0;
        order[i] = (int32_t)next++;
    }
    for (unsigned i = 0, bit = 0; far && bit < word; i++) {
        bool lane = i >= FIRST_LANE && i < FIRST_LANE + LANES;
        order[i] = lane ? order[i] : (int32_t)(bit == 0 ? word - 1 : bit - 1);
        bit += !lane;
    }
}

void layouts_order_words(struct layouts *l, MlirOperation dot, struct dot_choice *choice) {
    const struct mma *mma = choice->mma;
    bool fits =
        !mma->transposed && mma->warps == 1 && !mma->group && mma->k == 16 && mma_type_bits(mma->a) == 16;
    unsigned word = fits ? packed_words(l->ir, l->arena, dot, at_dot_a) : 0;
    unsigned bits = log2_of((uint64_t)type_extent(mlirValueGetType(dot_b(dot)), 0));
    if (word == 0 || bits < word + LANES) {
        return;
    }
    choice->k_bits = bits;
    order_of(word, bits, l->num_warps == 1 && word == WORD_OF_NIBBLES, choice->k_order);
    for (int i = MMA_A; i <= MMA_B; i++) {
        choice->operand[i] = layout_order_dim(&choice->operand[i], i == MMA_A ? 1 : 0, choice->k_order);
    }
    if (l->num_warps == 1) {
        layouts_order_rows(l, dot, choice);
    }
}

// A thread's rows come first, up to 16 bytes of words. Products of many columns keep their order: their results leave by stores of the
// instructions' tiles.
void layouts_order_rows(struct layouts *l, MlirOperation dot, struct dot_choice *choice) {
    enum { MOST_BITS = 2, FEW_COLUMNS = 32 };
    const struct layout *left = &choice->operand[MMA_A];
    MlirType b = mlirValueGetType(dot_b(dot));
    if (type_extent(b, 1) > FEW_COLUMNS || packed_words(l->ir, l->arena, dot, at_dot_a) == 0) {
        return;
    }
    unsigned first = layout_dim_shift(left, 0), bits = left->log2_shape[0], next = 0;
    uint32_t taken = 0;
    for (unsigned i = 0; i < left->bits[LAYOUT_REGISTER] && next < MOST_BITS; i++) {
        uint32_t row = left->basis[LAYOUT_REGISTER][i] >> first;
        if (row != 0) {
            choice->row_order[log2_of(row)] = (int32_t)next++;
            taken |= row;
        }
    }
    for (unsigned i = 0; i < bits; i++) {
        if (!(taken >> i & 1)) {
            choice->row_order[i] = (int32_t)next++;
        }
    }
    choice->row_bits = bits;
    choice->operand[MMA_A] = layout_order_dim(left, 0, choice->row_order);
    choice->operand[MMA_C] = layout_order_dim(&choice->operand[MMA_C], 0, choice->row_order);
}
