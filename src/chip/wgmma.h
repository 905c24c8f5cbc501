// Warpgroup matrix instructions (PTX ISA 8.4, section 9.7.15.5, "wgmma.mma_async"): the text and constraints of
// a product's instructions, composed from their row of mma.def, and the way back for tools that meet the text in a module.
//
// Four warps multiply together, M = 64. B is read from shared memory, and A from there or from registers; D
// stays in registers. The instruction runs beside the program: `wgmma_fence`, `wgmma_commit` and `wgmma_wait`
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
    bool accumulate;        // D += A·B with D tied to inputs; else D = A·B and D is output alone
};

// Elements of D in a register: halves are pairs.
static inline unsigned wgmma_per_word(const struct mma *mma) {
    return 32 / mma_type_bits(mma->acc);
}
// 32-bit registers of D in a thread.
static inline unsigned wgmma_results(const struct wgmma *w) {
    return w->columns / 2 / wgmma_per_word(w->mma);
}

// The instructions of one product: for each k step, for each block of 64 rows, for each part of the columns one. They are
// one piece of assembly, in that order: its accumulators are operands once, not once a step, which is most of what LLVM has
// to do for a kernel.
struct wgmma_group {
    struct wgmma form; // of the first step; in those behind it every instruction accumulates
    unsigned rows, parts, steps;
    // Whether the first step accumulates (its form does) is for the last argument to say: where that is 0, D is not read.
    bool asks;
};

// Words of all results; block (row, part) has those from (row * parts + part) * wgmma_results on.
static inline unsigned wgmma_group_results(const struct wgmma_group *g) {
    return g->rows * g->parts * wgmma_results(&g->form);
}
// Where A of a step and a block of rows begins among the call's arguments, and B of a step and a part.
unsigned wgmma_group_a(const struct wgmma_group *g, unsigned step, unsigned row);
unsigned wgmma_group_b(const struct wgmma_group *g, unsigned step, unsigned part);
unsigned wgmma_group_asked(const struct wgmma_group *g); // if it `asks`
unsigned wgmma_group_arguments(const struct wgmma_group *g);

// Operands in order: results (outputs), the same as inputs if `accumulate`, A of each step and block (one i64 descriptor or
// four i32), B of each step and part (i64), an i32 if it `asks`. Constraints lack the memory clobber.
void wgmma_compose(const struct wgmma_group *group, struct strbuf *text, struct strbuf *constraints);
// Whether a text is a composed one, by how it begins.
bool wgmma_is_product(const char *text, size_t length);
// Reads a composed text back; false when it is none.
bool wgmma_parse(const char *text, size_t length, struct wgmma_group *out);

// What orders the instructions: a fence ahead of them (pending < 0), or the wait until at most `pending` committed
// groups are under way. Registers pass through it, outputs tied to inputs: what they hold is computed before the
// fence, or read behind the wait. `accumulators` of constraint class 'f' or 'r' come first, then `words` of 'r'.
void wgmma_order_compose(int pending, unsigned accumulators, char class, unsigned words, struct strbuf *text,
                         struct strbuf *constraints);
bool wgmma_order_parse(const char *text, size_t length, int *pending);

// ---- the result ----

// Whether a tile of rank 2 is spread over threads as an instruction's results are (mma_layout of MMA_C).
bool wgmma_is_result(const struct layout *layout);
// The register of such a tile that lane 0 of a warpgroup's first warp has at this row and column of the warpgroup's
// part.
unsigned wgmma_result_register(const struct layout *layout, uint32_t row, uint32_t column);
// The extent of one warpgroup's part.
uint32_t wgmma_result_extent(const struct layout *layout, unsigned dim);

// The most columns of one instruction in a block of so many warps whose threads have at most `limit` registers (0: no limit):
// its accumulators are registers of each thread (half as many as it has columns), and ptxas compiles no instruction that they do
// not all fit (C7602).
enum { WGMMA_LEAST_REGISTERS = 30 }; // of a thread, by what ptxas says
unsigned wgmma_most_columns(const struct target *target, unsigned num_warps, unsigned limit);

// How a warpgroup stores its part of a 16- or 32-bit result by bulk copies: pieces of 128 bytes of each row, in blocks
// of 64 rows, through a buffer for one or two pieces.
enum {
    BULK_STORE_ROW_BYTES = 128,
    BULK_STORE_BLOCK_BYTES = 64 * BULK_STORE_ROW_BYTES,
    BULK_STORE_LIMIT = 32768
};
struct bulk_store_plan {
    unsigned columns; // of a piece; 0: the result is too narrow
    unsigned pieces, blocks, buffers;
    unsigned piece_bytes, warpgroup_bytes, bytes; // of a piece's buffer, of a warpgroup's, of the block's
};
struct bulk_store_plan bulk_store_plan(const struct layout *layout, unsigned element_bytes);

// How a shared operand lies, as its matrix descriptor says it. Units are bytes.
struct wgmma_operand {
    unsigned swizzle;  // 32, 64 or 128
    bool rows_fastest; // dimension 0 of the tile is contiguous in memory (a transposing view of dimension 1)
    unsigned leading, stride;
};
// The canonical layout of the descriptor for a tile of rank 2, `fastest` its contiguous dimension; false when the
// tile has none (rows below 32 bytes).
bool wgmma_shared_layout(const int64_t shape[2], unsigned fastest, unsigned element_bytes,
                         struct layout *layout);
// What a shared tile's layout is, if it is one of those.
bool wgmma_operand_of(const struct layout *shared, unsigned element_bytes, struct wgmma_operand *operand);
// The constant upper part of a descriptor: everything but the address (bits 0–13, address / 16).
uint64_t wgmma_descriptor(const struct wgmma_operand *operand);

#endif
