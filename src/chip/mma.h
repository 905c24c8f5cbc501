// Matrix instructions of NVIDIA and AMD: one row of mma.def each, with the fragment layouts of A, B and the
// accumulator as lists of coordinate bits. The layouts of whole tiles and the row for a dot are computed from
// the rows.
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
    MMA_E5M2_FNUZ,
    // Of dots with scales.
    MMA_SCALED_E4M3,
    MMA_SCALED_E5M2,
    MMA_SCALED_E2M1, // two in a byte, along K: K counts bytes
    MMA_NV_E2M1,     // the same with scales of e4m3
};

// A is M×K, B is K×N, C and D are M×N.
// Scales are M×G and N×G, a byte for each of G blocks of K.
enum mma_operand {
    MMA_A,
    MMA_B,
    MMA_C,
    MMA_OPERANDS,
    MMA_A_SCALE = MMA_OPERANDS,
    MMA_B_SCALE,
    MMA_WITH_SCALES
};

enum { MMA_END = 0, MMA_FRAGMENT_BITS = 8 };

// The coordinate bits of a fragment's register bits and lane bits: MMA_END-terminated lists of M(i), N(i),
// K(i), or REPLICA for a lane bit with no effect.
struct mma_fragment {
    uint8_t reg[MMA_FRAGMENT_BITS];
    uint8_t lane[MMA_FRAGMENT_BITS];
    uint8_t warp[MMA_FRAGMENT_BITS]; // of warpgroup instructions
};

struct mma {
    const char *name;      // the instruction, also the `instruction` attribute of tk.dot
    const char *intrinsic; // LLVM's name without "llvm."; NULL: one of the next two
    enum asm_id assembly;  // if `types` is NULL too
    const char *types;     // of a warpgroup opcode (wgmma.h): B in shared memory, n the unit of N
    uint64_t features;     // required of a chip: a set
    bool transposed;       // takes the transposes of B and A (mma_slot)
    bool mixed;            // the intrinsic takes the formats of A and B as operands
    enum mma_type a, b, acc;
    unsigned m, n, k;
    unsigned group; // of K with one scale; 0: without scales
    unsigned warps; // issuing it together
    struct mma_fragment fragment[MMA_WITH_SCALES];
};

extern const struct mma mma_table[];
extern const unsigned mma_count;

const struct mma *mma_find(const char *name, size_t length); // NULL when unknown
// The best row for a dot of an M×N×K tile computed by `warps` warps; NULL if the chip has none. Earlier rows
// are preferred among those that fit the tile and give every warp work; a row larger than the tile in some
// dimension is taken only if no other fits (the tile is then repeated as replicas). With `whole_rows` each
// warp should hold whole rows of the result; rows too tall for that are second choice.
const struct mma *mma_select(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc,
                             int64_t m, int64_t n, int64_t k, unsigned warps, bool whole_rows);
// The warpgroup instruction for these types, if the chip has one and a tile of this size gives every warpgroup of
// the block work; NULL otherwise. mma_select leaves these out: they read B from shared memory.
const struct mma *mma_select_warpgroup(const struct target *target, enum mma_type a, enum mma_type b,
                                       enum mma_type acc, int64_t m, int64_t n, int64_t k, unsigned warps);
// True if the chip has a row for these types, and a tile of this K is enough for it.
bool mma_fits(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc, int64_t k);
// True if the chip has a row with scales for these types, and the tile is enough for it: its K, and for tensor memory M, N, and the
// blocks of K that a copy of scales takes.
bool mma_fits_scaled(const struct target *target, enum mma_type a, enum mma_type b, int64_t m, int64_t n,
                     int64_t k);
// True if the chip has a row for these types.
bool mma_exists(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc);
unsigned mma_type_bits(enum mma_type type);
// The coordinates (row, column) of element `reg` of `lane`'s fragment, as in the row and in the vendor's
// documents.
void mma_fragment_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                          unsigned at[2]);
// Transposed instructions (all of AMD's) take Bᵀ and Aᵀ, and compute Dᵀ: a thread then holds neighbours of a
// row of D, as for A, and D becomes the next dot's A (attention) within its lane. The order of K is free if A
// and B agree; it is chosen so that a lane holds neighbours. mma_slot is the instruction's operand for a
// dot's operand, mma_tile_element gives the coordinates in the dot's tile.
enum mma_operand mma_slot(const struct mma *mma, enum mma_operand operand);
void mma_tile_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                      unsigned at[2]);
// Elements of a fragment in one lane: a power of two.
unsigned mma_registers(const struct mma *mma, enum mma_operand operand);

// The layout of a whole operand tile (rank 2, or 3 with the batch in registers): fragments repeated in
// registers along K or N, then M, then over warps_m × warps_n warps (low warp bits along M). A warp's part of
// the tile is contiguous.
struct layout mma_layout(const struct mma *mma, enum mma_operand operand, unsigned rank,
                         const int64_t shape[], unsigned warps_m, unsigned warps_n);
// How the warps of groups (wgmma, tcgen05) share the rows and columns of a result: rows first, wide parts read each row of A once.
void mma_warps_of_groups(const struct mma *mma, unsigned num_warps, int64_t rows, unsigned *warps_m,
                         unsigned *warps_n);

#endif
