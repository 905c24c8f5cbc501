// What a load or store touches, when it is a box of a strided tensor: what a tensor map can describe.
#ifndef TKC_PASSES_TILE_ACCESS_H
#define TKC_PASSES_TILE_ACCESS_H

#include "passes/facts/affine.h"

enum { TILE_DIMS = 5, TILE_GUARDS = 4, TILE_OFFSETS = 4 };

// constant + factor × visible arguments of the kernel. A parameter of -1 is none; of a plain number the constant is 0.
struct tile_size {
    int64_t constant, factor;
    int parameters[AFFINE_FACTORS]; // those that there are come first
};

// factor × the product of the symbols, which are scalars at the access or numbers of a loop's iterations.
struct tile_term {
    int64_t factor;
    int symbol_count;
    struct affine_symbol symbols[AFFINE_SYMBOLS];
};

// A sum of scalars, to be computed right before the access.
struct tile_index {
    int64_t constant;
    int term_count;
    struct tile_term terms[AFFINE_TERMS];
    // Not known to fit in 32 bits: form it in 64, and where it does not fit take one beyond the bound. Else 32-bit
    // arithmetic will do, on the low halves of 64-bit scalars.
    bool wide;
};

struct tile_dim {
    struct tile_size stride; // in elements
    int tile_dimension;      // of the tile, which runs along this one; -1: none does
    int64_t extent;          // of the box: the tile's, or 1
    struct tile_index first; // where the box begins: not negative, unless `tests_first`
    // Where the box reaches from `bound` on, the access is masked off. Without one all of the box is accessed.
    bool bounded;
    struct tile_size bound;
    bool tests_first; // indices below zero are masked off too
    // Beyond the bound the access is not masked off but touches other elements, as `rows % M` does: the box
    // stands for it where rows_beyond_are_dead.
    bool wrapped;
    struct affine start; // `first` as the analysis has it
};

// Element (i, j, …) of the tile is at base + Σ offset + Σ stride · (first + the one of i, j, … that runs along). The
// first dimension has stride 1. Dimensions of the tile of extent 1 need not run along any.
struct tile_access {
    MlirOperation op;
    MlirValue base; // a visible argument of the kernel
    // In elements, of either sign: what is the same for all programs, and nothing that a bound is compared with.
    int offset_count;
    struct tile_size offsets[TILE_OFFSETS];
    MlirType element;
    unsigned rank;
    struct tile_dim dim[TILE_DIMS]; // innermost first: the tile's, last to first, then those of scalars
    unsigned assumes;               // enum axis_assumption
    // Scalar conditions: nothing is accessed unless all hold.
    int guard_count;
    MlirValue guards[TILE_GUARDS];
};

// False when the tk.load or tk.store is anything else; masked-off elements of a load are zero or unspecified.
// What a masked load fills its tile with is known to be +0, as copies to shared memory do; -0 is another number.
bool fills_with_zero(struct ir *ir, MlirValue other);
bool tile_access_of(struct affines *affines, MlirOperation access, struct tile_access *out);
enum { TMA_ALIGNMENT = 16 }; // bytes
// The largest power of two, up to the alignment, that divides a number.
int64_t tile_aligned_part(int64_t number);
// The largest one that is sure to divide a size.
int64_t tile_divisibility(struct affines *affines, struct tile_size size);
// The argument of the kernel with that number.
MlirValue tile_argument(const struct affines *affines, int parameter);
// A first index of 32 bits for a store that begins beyond them: a multiple of the alignment, above every bound of a box that fits.
enum { TILE_BEYOND = INT32_MAX / TMA_ALIGNMENT * TMA_ALIGNMENT };
// Whether the hardware's tensor copies (TMA) can move it: alignment, sizes and rank. The caller splits boxes
// whose extent is above 256.
bool tile_access_fits_tma(struct affines *affines, const struct tile_access *access);
// The same of a store. It writes pieces of 16 bytes: where a row ends within one, what lies behind its end is written
// too (seen on an H200), which no mask allows. Loads end at the element.
// Nor may it begin below index 0, where a load reads zeros.
bool tile_store_fits_tma(struct affines *affines, const struct tile_access *access);

// What is known of a mask: conditions that all hold where it is true, each on a sum that is below zero, in the
// dimensions of the mask, and scalar ones. Explained when there is nothing else to it.
enum { TILE_CONDITIONS = 12 };
struct tile_mask {
    int count;
    struct affine below_zero[TILE_CONDITIONS];
    int guard_count;
    MlirValue guards[TILE_GUARDS];
    bool explained;
};
// Whether the condition says of a tile, whose dimension d runs along `dim` from its `start`, that it is below
// the bound there.
bool tile_is_bounded_by(struct affines *affines, const struct tile_dim *dim, int d,
                        const struct affine *below_zero);
void tile_mask_of(struct affines *affines, MlirValue mask, struct tile_mask *out);

#endif
