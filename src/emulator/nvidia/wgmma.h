// Warpgroup products: an instruction's form, and the shared operand of a matrix descriptor.
#ifndef TKC_EMULATOR_NVIDIA_WGMMA_H
#define TKC_EMULATOR_NVIDIA_WGMMA_H

#include "emulator/machine/machine.h"
#include "emulator/number/matrix.h"

enum { WARP_ROWS = 16, OPERAND_ROWS = 256, MOST_DEPTH = 32, OPERAND_CHUNKS = 512 };

struct wgmma_form {
    unsigned columns, depth;   // N, K
    unsigned words;            // of the result, in a thread
    unsigned first_a, first_b; // operands of the call; those before first_a are the accumulator's words
    enum matrix_type a, b, result;
    bool accumulate, a_in_registers, a_rows_fastest, b_columns_fastest;
    bool asks;                 // the operand behind B is the accumulate predicate
    const LLVMValueRef *loads; // those whose values A's registers were computed from
    unsigned load_count;
};

// One operand in shared memory, `rows` (of A, or columns of B) by `depth`; 16-byte chunks of it in order: chunk c of
// row r is at r * 2 + c when k is contiguous, else chunk c of a k at k * rows / 8 + c.
struct shared_operand {
    unsigned rows, depth, element_bytes;
    bool rows_fastest;
    unsigned chunk_count;
    uint32_t chunks[OPERAND_CHUNKS]; // offsets in shared memory
};

// operand.c
// Locates the rows from first_row on of a descriptor's matrix. False after a report: a mode not modelled, or
// memory outside the block's.
bool operand_locate(struct warp *warp, const struct instr *in, uint64_t descriptor, unsigned first_row,
                    struct shared_operand *operand);
// The bytes' current values as numbers: element (row, k) at [k * rows + row].
void operand_numbers(const struct warp *warp, const struct shared_operand *operand, enum matrix_type type,
                     double *numbers);
// A product's A or B, located again.
bool product_operand(struct warp *warp, const struct product *product, bool is_b,
                     struct shared_operand *operand);

// wgmma.c, for loads from tensor memory, whose registers too are delivered by a wait: the instruction's results are under
// way, with values to be filled, 64 words of 64 lanes; all of the warp's are delivered; operands become results.
uint32_t *flight_begin(struct warp *warp, const struct instr *in, void *dst, unsigned words);
void flight_end_all(struct warp *warp);
void flight_pass_through(struct warp *warp, const struct instr *in, void *dst);

#endif
