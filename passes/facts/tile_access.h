// A load or store of a box of a strided tensor, as a tensor map can describe it.
#ifndef TKC_PASSES_TILE_ACCESS_H
#define TKC_PASSES_TILE_ACCESS_H

#include "dialects/tk/tensor_map.h"
#include "passes/facts/affine.h"

_Static_assert((int)AFFINE_FACTORS == (int)TILE_FACTORS, "a size of a map is one of an affine sum");

enum { TILE_DIMS = 5, TILE_GUARDS = 4, TILE_OFFSETS = 4 };

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

// Of an index that may need more than 32 bits, without a bound: its low bits, along one dimension, and the others, along one whose stride is
// that of the first × 2^TILE_LOW_BITS. Strides of rows up to 2^24 bytes times that are below 2^40, as tensor copies need.
enum { TILE_LOW_BITS = 16 };
enum tile_part { TILE_WHOLE, TILE_LOW, TILE_HIGH };

struct tile_dim {
    enum tile_part part;     // of the index
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
    // The mask cuts the box at a number of elements known only at run time, not to the host (the length of a
    // sequence). `first` is the number, clamped to 0 … extent. The tensor map's dimension is as long as the
    // box, and the box begins at extent - number, so the end of the dimension cuts it off. Another dimension
    // with the same stride has the place of the box: its `cut_by` is the number of this one (else -1), its
    // index is first + number, and the address is extent × stride lower in return. No memory need be there: where
    // no element is accessed lower_bulk.c copies zeros, as the chip would read at the address.
    bool cut;
    int cut_by;
    // The mask tests the index modulo the bound: row `counted` + i of the tile is at (counted + i) % bound + first, and the mask is false
    // where that is outside of 0 … bound. The tile is copied in runs of `run` rows, a power of two: each begins at a multiple of it, as the
    // bound is one, so all its rows are in one piece of `bound` rows. Another dimension with the same stride has the place of the piece,
    // (counted + i) - (counted + i) % bound: its `run_of` is the number of this one (else -1). 0: one box, no such test.
    int64_t run;
    int run_of;
    struct tile_index counted, period; // period: the bound, as the kernel computes it
};

// Element (i, j, …) of the tile is at base + Σ offset + Σ stride · (first + the index along it, one of i, j,
// …). The first dimension has stride 1. Dimensions of extent 1 of the tile may be missing.
struct tile_access {
    MlirOperation op;
    MlirValue base; // a visible argument of the kernel
    // In elements, of either sign: scalars equal for all programs, and in no comparison with a bound.
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

// True if a masked load fills its tile with +0, as copies to shared memory do; -0 differs.
bool fills_with_zero(struct ir *ir, MlirValue other);
bool tile_access_of(struct affines *affines, MlirOperation access, struct tile_access *out);
// The same where rows may be copied in runs (`run` above).
bool tile_access_in_runs(struct affines *affines, MlirOperation access, struct tile_access *out);
// The size of a term (affine_is_size) plus a constant.
struct tile_size tile_size_of(const struct affines *affines, const struct affine_term *term,
                              int64_t constant);
bool tile_same_size(struct tile_size a, struct tile_size b);
enum { TMA_ALIGNMENT = 16 }; // bytes
// The largest power of two, up to the alignment, dividing a number.
int64_t tile_aligned_part(int64_t number);
// The largest such power known to divide a size.
int64_t tile_divisibility(struct affines *affines, struct tile_size size);
// The kernel argument with this number.
MlirValue tile_argument(const struct affines *affines, int parameter);
// A first index of 32 bits for a store beginning beyond 32 bits: a multiple of the alignment, above every
// bound of a fitting box.
enum { TILE_BEYOND = INT32_MAX / TMA_ALIGNMENT * TMA_ALIGNMENT };
// True if a tensor copy (TMA) of the hardware can move the box: alignment, sizes and rank. The caller splits
// boxes with an extent above 256.
bool tile_access_fits_tma(struct affines *affines, const struct tile_access *access);
// The same for a store. A tensor store writes whole pieces of 16 bytes: if a row ends within a piece, it also
// writes the bytes after the row's end (seen on an H200), against the mask. Loads stop at the element. A
// store may not begin below index 0 either; a load reads zeros there.
bool tile_store_fits_tma(struct affines *affines, const struct tile_access *access);

// The sides on which the box may lie wholly outside along dimension d, or one of its parts of `part` elements, where it is loaded in the
// block, by the specialised kernel's copy.
enum tile_side tile_outside(struct affines *affines, const struct tile_access *access, unsigned d,
                            int64_t part, MlirBlock block);

// Facts implied by a true mask: sums known to be below zero, each in the dimensions of the mask, and scalar
// conditions. `explained`: together they are the whole mask.
enum { TILE_CONDITIONS = 12 };
struct tile_mask {
    int count;
    struct affine below_zero[TILE_CONDITIONS];
    int guard_count;
    MlirValue guards[TILE_GUARDS];
    bool explained;
    // The comparisons behind the sums, as many as there are if `explained`: some may have equal sums.
    int comparison_count;
    MlirOperation comparisons[TILE_CONDITIONS];
};
// True if the condition bounds dimension `dim` of the access: index d of the tile, from its `start`, is below
// the bound.
bool tile_is_bounded_by(struct affines *affines, const struct tile_dim *dim, int d,
                        const struct affine *below_zero);
void tile_mask_of(struct affines *affines, MlirValue mask, struct tile_mask *out);

// ---- tile_index.c ----
struct builder;
// The integer with 64 bits.
MlirValue tile_wide(struct builder *b, MlirValue value);
// The index in 64 bits at the builder's place; `symbol` gives the value of each of its symbols there.
typedef MlirValue tile_symbol(struct builder *b, const struct affine_symbol *symbol, void *user);
MlirValue tile_index_value(struct builder *b, const struct tile_index *index, tile_symbol *symbol,
                           void *user);

#endif
