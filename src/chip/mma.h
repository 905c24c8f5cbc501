// Matrix instructions, NVIDIA's and AMD's: one row of mma.def each, with the fragment layouts of A, B and the
// accumulator as lists of coordinate bits. Everything else (layouts of whole tiles, which row a dot uses) is
// computed from the rows.
#ifndef TKC_CHIP_MMA_H
#define TKC_CHIP_MMA_H

#include <stdbool.h>
#include <stdint.h>

#include "dialects/tk/layout.h"
#include "chip/asm.h"
#include "chip/target.h"

enum mma_type {
    MMA_F16,
    MMA_BF16,
    MMA_TF32,
    MMA_F32,
    MMA_F64,
    MMA_I8,
    MMA_I32,
    MMA_E4M3,
    MMA_E5M2,
    MMA_E4M3_FNUZ,
    MMA_E5M2_FNUZ
};

// A is M×K, B is K×N, C and D are M×N.
enum mma_operand { MMA_A, MMA_B, MMA_C, MMA_OPERANDS };

enum { MMA_END = 0, MMA_FRAGMENT_BITS = 8 };

// Which coordinate bit each register bit and each lane bit of a fragment carries: MMA_END-terminated lists of
// M(i), N(i), K(i), or REPLICA for a lane bit that does not matter.
struct mma_fragment {
    uint8_t reg[MMA_FRAGMENT_BITS];
    uint8_t lane[MMA_FRAGMENT_BITS];
    uint8_t warp[MMA_FRAGMENT_BITS]; // of instructions that several warps issue together
};

struct mma {
    const char *name;      // the instruction, also the `instruction` attribute of tk.dot
    const char *intrinsic; // LLVM's name without "llvm."; NULL: one of the next two
    enum asm_id assembly;  // where `types` is NULL too
    const char *types; // of a warpgroup's opcode (wgmma.h), whose B is in shared memory, n the unit of its N
    unsigned features; // enum feature bits that a chip must have
    bool transposed;   // given the transposes of B and A (mma_slot)
    enum mma_type a, b, acc;
    unsigned m, n, k;
    unsigned warps; // that issue it together
    struct mma_fragment fragment[MMA_OPERANDS];
};

extern const struct mma mma_table[];
extern const unsigned mma_count;

const struct mma *mma_find(const char *name, size_t length); // NULL when unknown
// The best row for a chip and a dot of an M×N×K tile computed by `warps` warps; NULL when the chip has none.
// Earlier rows are preferred among those that fit the tile and give every warp work; a row whose shape
// exceeds the tile in some dimension is taken only if no other fits (the tile is then repeated as replicas).
// With `whole_rows` each warp is to hold whole rows of the result; what is too tall for that is a second
// choice.
const struct mma *mma_select(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc,
                             int64_t m, int64_t n, int64_t k, unsigned warps, bool whole_rows);
// The warpgroup instruction for these types, if the chip has one and a tile of this size gives every warpgroup of
// the block work; NULL otherwise. mma_select leaves these out: they read B from shared memory.
const struct mma *mma_select_warpgroup(const struct target *target, enum mma_type a, enum mma_type b,
                                       enum mma_type acc, int64_t m, int64_t n, int64_t k, unsigned warps);
// Whether the chip has any row for these types.
bool mma_exists(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc);
unsigned mma_type_bits(enum mma_type type);
// The coordinates (row, column) of element `reg` of the fragment in `lane`, as the row and the documents have
// them.
void mma_fragment_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                          unsigned at[2]);
// Transposed instructions (all of AMD's) are given Bᵀ and Aᵀ, and compute Dᵀ: a thread then holds neighbours
// of a row of D, as it does of A, and D becomes the next dot's A (attention) without leaving its lane. The order of K,
// which is free as long as A and B agree, is the one in which a lane holds neighbours. mma_slot is the
// operand of the instruction that takes a dot's operand, mma_tile_element the coordinates in the dot's tile.
enum mma_operand mma_slot(const struct mma *mma, enum mma_operand operand);
void mma_tile_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                      unsigned at[2]);
// Elements of a fragment that a lane holds: a power of two.
unsigned mma_registers(const struct mma *mma, enum mma_operand operand);

// The layout of a whole operand tile (rank 2, or 3 with the batch in registers): fragments repeated in
// registers along K or N, then M, then over warps_m × warps_n warps (low warp bits along M). A warp's part of
// the tile is contiguous.
struct layout mma_layout(const struct mma *mma, enum mma_operand operand, unsigned rank,
                         const int64_t shape[], unsigned warps_m, unsigned warps_n);

#endif
