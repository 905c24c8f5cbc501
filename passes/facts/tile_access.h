// A load or store that touches a box of a strided tensor, so that a tensor map can describe it.
#ifndef TKC_PASSES_TILE_ACCESS_H
#define TKC_PASSES_TILE_ACCESS_H

#include "passes/facts/affine.h"

enum { TILE_DIMS = 5, TILE_GUARDS = 4, TILE_OFFSETS = 4 };

// constant + factor × visible arguments of the kernel, the first of which may be divided: parameters[0] / over. The quotient
// truncates. A parameter of -1 is none; of a plain number the constant is 0.
struct tile_size {
    int64_t constant, factor;
    int parameters[AFFINE_FACTORS]; // those that there are come first
    int64_t over;                   // 1: not divided
};

// factor × the product of the symbols: scalars at the access, or iteration numbers of loops.
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
    // The sum may not fit in 32 bits: compute it in 64 and clamp it to a value beyond the bound. If false,
    // 32-bit arithmetic on the low halves of 64-bit scalars is enough.
    bool wide;
};

struct tile_dim {
    struct tile_size stride; // in elements
    int tile_dimension;      // the tile's dimension along this one; -1: none
    int64_t extent;          // of the box: the tile's, or 1
    struct tile_index first; // first element of the box: not negative, unless `tests_first`
    // If bounded, elements of the box from `bound` on are masked off. If not, the whole box is accessed.
    bool bounded;
    struct tile_size bound;
    bool tests_first; // indices below zero are masked off too
    // Elements beyond the bound are not masked off but wrap around to others, as with `rows % M`. The box may
    // replace the access if rows_beyond_are_dead.
    bool wrapped;
    struct affine start; // `first` as the analysis has it
    // How many elements of the box the mask leaves is known when the program runs, not to the host (the length of a sequence).
    // `first` is their number, from 0 to the extent when it is clamped to that. The tensor map's dimension is as long as the box,
    // which begins at extent - number: its end cuts the box off. Another dimension of the same stride has the place of the box,
    // and `cut_by` names this one there, else it is -1: its index is first + number. The address is extent × stride lower for it.
    bool cut;
    int cut_by;
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

// True if a masked load fills its tile with +0, as copies to shared memory do; -0 is another number.
bool fills_with_zero(struct ir *ir, MlirValue other);
bool tile_access_of(struct affines *affines, MlirOperation access, struct tile_access *out);
// The size of a term (affine_is_size) plus a constant.
struct tile_size tile_size_of(const struct affines *affines, const struct affine_term *term,
                              int64_t constant);
bool tile_same_size(struct tile_size a, struct tile_size b);
enum { TMA_ALIGNMENT = 16 }; // bytes
// The largest power of two, up to the alignment, that divides a number.
int64_t tile_aligned_part(int64_t number);
// The largest one that is sure to divide a size.
int64_t tile_divisibility(struct affines *affines, struct tile_size size);
// The argument of the kernel with that number.
MlirValue tile_argument(const struct affines *affines, int parameter);
// A first index of 32 bits for a store that begins beyond them: a multiple of the alignment, above every bound of a box that fits.
enum { TILE_BEYOND = INT32_MAX / TMA_ALIGNMENT * TMA_ALIGNMENT };
// True if a tensor copy (TMA) of the hardware can move the box: alignment, sizes and rank. The caller splits
// boxes with an extent above 256.
bool tile_access_fits_tma(struct affines *affines, const struct tile_access *access);
// The same for a store. A tensor store writes whole pieces of 16 bytes: if a row ends within a piece, it also
// writes the bytes behind the row's end (seen on an H200), and no mask allows those. Loads stop at the
// element. A store may not begin below index 0 either; a load reads zeros there.
bool tile_store_fits_tma(struct affines *affines, const struct tile_access *access);

// Facts implied by a true mask: sums known to be below zero, each in the dimensions of the mask, and scalar
// conditions. `explained`: together they are the whole mask.
enum { TILE_CONDITIONS = 12 };
struct tile_mask {
    int count;
    struct affine below_zero[TILE_CONDITIONS];
    int guard_count;
    MlirValue guards[TILE_GUARDS];
    bool explained;
};
// True if the condition bounds dimension `dim` of the access: index d of the tile, from its `start`, is below
// the bound.
bool tile_is_bounded_by(struct affines *affines, const struct tile_dim *dim, int d,
                        const struct affine *below_zero);
void tile_mask_of(struct affines *affines, MlirValue mask, struct tile_mask *out);

#endif
