// Warpgroup matrix instructions (PTX ISA 8.4, section 9.7.15.5, "wgmma.mma_async"): composes the text and
// constraints of a product from its row of mma.def, and parses them again for tools that read a module.
//
// Four warps multiply together, M = 64. B is read from shared memory, and A from there or from registers; D
// stays in registers. The instruction is asynchronous: the `wgmma_fence`, `wgmma_commit` and `wgmma_wait`
// rows of asm.def order it.
#ifndef TKC_CHIP_WGMMA_H
#define TKC_CHIP_WGMMA_H

#include <stdbool.h>
#include <stddef.h>

#include "chip/mma.h"
#include "chip/target.h"
#include "dialects/tk/layout.h"
#include "support/strbuf.h"

enum { WGMMA_ROWS = 64, WGMMA_MAX_COLUMNS = 256, WGMMA_A_WORDS = 4 };

struct wgmma {
    const struct mma *mma;
    unsigned columns;       // N: 8 to 256, a multiple of 8
    bool a_in_registers;    // else a descriptor
    bool a_rows_fastest;    // A in shared memory is M-major (16-bit types only)
    bool b_columns_fastest; // B is N-major (16-bit types only)
    bool accumulate;        // D += A·B, D tied to inputs; else D = A·B, D only an output
};

// Elements of D in a register: 16-bit elements are pairs.
static inline unsigned wgmma_per_word(const struct mma *mma) {
    return 32 / mma_type_bits(mma->acc);
}
// 32-bit registers of D in a thread.
static inline unsigned wgmma_results(const struct wgmma *w) {
    return w->columns / 2 / wgmma_per_word(w->mma);
}

// The instructions of one product: for each k step, each block of 64 rows and each part of the columns, one
// instruction. All are one inline assembly call, in this order: the accumulators are operands once, not once
// a step. Operands dominate LLVM's time for a kernel.
struct wgmma_group {
    struct wgmma form; // of the first step; later steps always accumulate
    unsigned rows, parts, steps;
    // The last argument tells at run time if the first step accumulates (its form does): if 0, D is not read.
    bool asks;
};

// Words of all results; those of block (row, part) begin at (row * parts + part) * wgmma_results.
static inline unsigned wgmma_group_results(const struct wgmma_group *g) {
    return g->rows * g->parts * wgmma_results(&g->form);
}
// The first argument of the call for A of a step and a block of rows, and for B of a step and a part.
unsigned wgmma_group_a(const struct wgmma_group *g, unsigned step, unsigned row);
unsigned wgmma_group_b(const struct wgmma_group *g, unsigned step, unsigned part);
unsigned wgmma_group_asked(const struct wgmma_group *g); // if it `asks`
unsigned wgmma_group_arguments(const struct wgmma_group *g);

// Operands in order: results (outputs), the same as inputs if `accumulate`, A of each step and block (one i64 descriptor or
// four i32), B of each step and part (i64), an i32 if it `asks`. Constraints lack the memory clobber.
void wgmma_compose(const struct wgmma_group *group, struct strbuf *text, struct strbuf *constraints);
// True for a composed text, judged by its beginning.
bool wgmma_is_product(const char *text, size_t length);
// Parses a composed text; false for other texts.
bool wgmma_parse(const char *text, size_t length, struct wgmma_group *out);

// The ordering instructions: a fence before the product (pending < 0), or a wait until at most `pending`
// committed groups are in flight. Registers pass through as outputs tied to inputs, so their values are
// computed before the fence, or read after the wait. `accumulators` of constraint class 'f' or 'r' come
// first, then `words` of 'r'.
void wgmma_order_compose(int pending, unsigned accumulators, char class, unsigned words, struct strbuf *text,
                         struct strbuf *constraints);
bool wgmma_order_parse(const char *text, size_t length, int *pending);

// ---- the result ----

// True if a tile of rank 2 has the layout of an instruction's results (mma_layout of MMA_C), of wgmma or of tcgen05.
bool wgmma_is_result(const struct layout *layout);
// The neighbouring rows of such a tile in one warp: 16 of wgmma's 64, 32 of tcgen05's 128.
unsigned wgmma_result_rows(const struct layout *layout);
// The register of such a tile in lane 0 of a warpgroup's first warp, for a row and column of the warpgroup's
// part.
unsigned wgmma_result_register(const struct layout *layout, uint32_t row, uint32_t column);
// The extent of one warpgroup's part.
uint32_t wgmma_result_extent(const struct layout *layout, unsigned dim);

// The most columns of one instruction in a block of `num_warps` warps with at most `limit` registers a thread
// (0: no limit). The accumulators take registers of each thread (half as many as columns), and ptxas rejects
// an instruction with more of them than fit (C7602).
enum { WGMMA_LEAST_REGISTERS = 30 }; // of a thread, required by ptxas
unsigned wgmma_most_columns(const struct target *target, unsigned num_warps, unsigned limit);

// The plan for bulk stores of a warpgroup's part of a 16- or 32-bit result: pieces of 128 bytes of each row,
// in blocks of 64 rows, through a buffer for one or two pieces. A transposed result may have fewer rows.
enum { BULK_STORE_ROW_BYTES = 128, BULK_STORE_LIMIT = 32768 };
struct bulk_store_plan {
    unsigned columns; // of a piece; 0: the result is too narrow
    unsigned pieces, blocks, block_rows, buffers;
    unsigned piece_bytes, warpgroup_bytes, bytes; // of a piece's buffer, of a warpgroup's, of the block's
};
struct bulk_store_plan bulk_store_plan(const struct layout *layout, unsigned element_bytes);

// The layout of a shared operand, in terms of its matrix descriptor. Units are bytes.
struct wgmma_operand {
    unsigned swizzle;  // 32, 64 or 128
    bool rows_fastest; // dimension 0 of the tile is contiguous in memory (a transposing view of dimension 1)
    unsigned leading, stride;
};
// The descriptor's canonical layout for a tile of rank 2 with `fastest` as its contiguous dimension; false
// without one (rows below 32 bytes).
bool wgmma_shared_layout(const int64_t shape[2], unsigned fastest, unsigned element_bytes,
                         struct layout *layout);
// The descriptor terms of a shared tile's layout; false if it is not canonical.
bool wgmma_operand_of(const struct layout *shared, unsigned element_bytes, struct wgmma_operand *operand);
// The constant upper part of a descriptor: everything but the address (bits 0–13, address / 16).
uint64_t wgmma_descriptor(const struct wgmma_operand *operand);

#endif
