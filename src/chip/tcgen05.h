// Products into tensor memory, Blackwell's tcgen05 (PTX ISA 8.6, section 9.7.16): descriptors, and the texts of
// moves between tensor memory and registers, composed and parsed again.
//
// Tensor memory has 128 lanes of 512 columns of 32 bits, for all blocks on a multiprocessor. An address has the lane
// in bits 16–31 and the column in bits 0–15. A product's row i of 128 lies in lane i, its column j in column j. Warp w
// reaches the lanes 32 (w mod 4) to 32 (w mod 4) + 31 alone. One thread issues products; they run in order.
#ifndef TKC_CHIP_TCGEN05_H
#define TKC_CHIP_TCGEN05_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/mma.h"
#include "chip/wgmma.h"
#include "support/strbuf.h"

enum {
    TENSOR_LANES = 128,
    TENSOR_COLUMNS = 512,
    TENSOR_LEAST_COLUMNS = 32, // of an allocation, a power of two
    TENSOR_WARP_LANES = 32,
    TENSOR_ROWS = 128,         // of one product
    TENSOR_MOST_COLUMNS = 256, // of one product; a multiple of 16
    TENSOR_LEFT_BITS = 16,     // of an element of A in tensor memory: two to a column, row i in lane i
    TENSOR_LEFT_DEPTH = 16     // the fewest columns of A in a move
};

// Scales of a product: those of 128 rows of A (columns of B) and of 4 blocks of K are 512 bytes of shared memory, 4 columns of tensor
// memory. Byte 16 r + 4 q + g is row r + 32 q's of block g (CUTLASS, "Scale Factor Layouts"); a copy puts it to byte g of column q, lanes r,
// r + 32, r + 64 and r + 96.
enum {
    TENSOR_SCALE_ROWS = 128,
    TENSOR_SCALE_GROUPS = 4,
    TENSOR_SCALE_BYTES = TENSOR_SCALE_ROWS * TENSOR_SCALE_GROUPS,
    TENSOR_SCALE_COLUMNS = TENSOR_SCALE_ROWS / TENSOR_WARP_LANES
};

// True for a row of mma.def with products in tensor memory.
static inline bool mma_in_tensor_memory(const struct mma *mma) {
    return (mma->features & FEATURE(TCGEN05)) != 0;
}

// The instruction descriptor of a product of 128 rows in each of `blocks` blocks, one or two (CUTLASS, mma_sm100_desc.hpp,
// InstrDescriptor): operands' types and orders, the number of columns.
uint32_t tcgen05_instruction(const struct mma *mma, unsigned blocks, unsigned columns, bool a_rows_fastest,
                             bool b_columns_fastest);
// The same with scales, `a_byte` and `b_byte` of their columns first: bits 4–5 and 29–30, for scales of 8 exponent bits bit 23
// (InstrDescriptorBlockScaled).
uint32_t tcgen05_scaled_instruction(const struct mma *mma, unsigned blocks, unsigned columns, unsigned a_byte,
                                    unsigned b_byte);
// The layout of a tile of scales, rows by blocks of K, in shared memory; false: too few rows or blocks.
bool tcgen05_scale_layout(const int64_t shape[2], struct layout *layout);
// Columns of tensor memory for such a tile.
unsigned tcgen05_scale_columns(int64_t rows, int64_t groups);
// The constant part of the descriptor for their copies: no swizzle, 8 rows of 16 bytes behind 8 others.
uint64_t tcgen05_scale_descriptor(void);
// The constant upper part of a matrix descriptor: wgmma's, with the version in bits 46–48 and the swizzle in bits
// 61–63, whose upper two are wgmma's. Of an operand that is contiguous along k, the leading offset is 0: an instruction's
// part of it lies in one swizzled row.
uint64_t tcgen05_descriptor(const struct wgmma_operand *operand, bool k_contiguous);

// Moves of 16 lanes and 8 `repeat` columns, shape 16x256b: register r of lane l is lane l / 4 + 8 (r / 2 mod 2),
// column 2 (l mod 4) + r mod 2 + 8 (r / 4). A load's registers are valid behind the wait, through which they pass.
//
// A store of halves has 4 `repeat` columns of two elements of 16 bits, shape 16x128b: register r is lane l / 4 + 8 (r mod 2),
// column l mod 4 + 4 (r / 2). So a pair is what a thread has of two columns of the other shape.
enum {
    TENSOR_MOST_REPEAT = 16,
    TENSOR_WORDS = 4,
    TENSOR_HALF_WORDS = 2
}; // words of a thread for 8 elements of a row
enum tensor_move { TENSOR_LOAD, TENSOR_LOAD_WAIT, TENSOR_STORE, TENSOR_STORE_HALVES };
struct tcgen05_move {
    enum tensor_move move;
    unsigned words; // in registers: 4 or 2 repeat; of a wait: any number
};
// Operands. Load: results, address. Wait: results tied to as many arguments. Store: address, words.
void tcgen05_compose(const struct tcgen05_move *move, char class, struct strbuf *text,
                     struct strbuf *constraints);
bool tcgen05_parse(const char *text, size_t length, const char *constraints, struct tcgen05_move *out);

#endif
