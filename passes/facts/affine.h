// Integers and addresses as sums: a tile's elements in terms of block-uniform scalars and the element's own
// index.
#ifndef TKC_PASSES_AFFINE_H
#define TKC_PASSES_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/facts/axis.h"

enum { AFFINE_SYMBOLS = 4, AFFINE_TERMS = 16, AFFINE_FACTORS = 2 };

// An atom of the sums: a scalar not decomposed further, or the iteration number of a loop.
struct affine_symbol {
    MlirValue value;    // null when a loop is given
    MlirOperation loop; // scf.for: (induction variable - lower bound) / step
    // The largest factor by which the symbol may be multiplied in a signed 32-bit number; 0: none.
    int32_t fits;
};

// factor × symbols × the element's index along `dim`. With a wrap, the index is the wrapped one.
struct affine_term {
    int64_t factor;
    int16_t dim; // -1: a scalar
    int16_t symbol_count;
    int wrap;                    // number of the wrap, -1: none
    int symbols[AFFINE_SYMBOLS]; // numbers of symbols, ascending; a square has its symbol twice
    // The largest factor such that factor × the symbols marked in `narrow` (bit n: symbols[n]) certainly fits
    // in a signed 32-bit number; 0: none. Symbols without a mark may be a stride, and an index divided by it.
    int32_t fits;
    uint32_t narrow;
    // The number of a 32-bit sum with this term, for factors up to `within`; 0: none.
    int whole;
    int64_t within;
};

// A constant is a term without symbols.
struct affine {
    MlirValue base;   // of pointers: the kernel argument they count from; else null
    unsigned assumes; // of the sum itself (enum axis_assumption)
    int count;
    struct affine_term terms[AFFINE_TERMS];
};

// `(first + index) % size`: first + index, never negative, if it is below the size, and another number
// otherwise.
struct affine_wrap {
    struct affine first;
    struct affine size; // one term, a size (affine_is_size)
    unsigned assumes;   // assumptions for a non-negative `first`
};

struct affines {
    struct pass_context *context;
    MlirOperation function;
    struct axis axis;
    struct map sums;    // value → const struct affine *
    struct map numbers; // value or loop → number of its symbol, plus 1
    struct map signs;   // scalar → true if it is not negative, with the assumptions
    struct affine_symbol *symbols;
    int symbol_count;
    size_t symbol_capacity;
    struct affine_wrap *wraps;
    int wrap_count;
    size_t wrap_capacity;
    int whole_count; // of 32-bit sums
    int depth;       // of the sums in progress
    bool may_differ; // some scalar of the function may differ between threads
};

// Caches facts about the function until it is closed: the function must not change.
void affines_open(struct affines *affines, struct pass_context *context, MlirOperation function);
void affines_close(struct affines *affines);

// NULL if the value is no such sum. An integer scalar always is: by default a symbol of its own.
const struct affine *affine_of(struct affines *affines, MlirValue value);
// The new position of each dimension of an op moving dimensions; false if it mixes them. For a reshape that
// only adds and drops dimensions of extent 1: of the other dimensions.
bool affine_dims_moved(struct affines *affines, MlirOperation op, int *to);
// The sum, negative exactly if the comparison holds; false for other comparisons.
bool affine_below_zero(struct affines *affines, MlirOperation comparison, struct affine *out);

bool affine_add_term(struct affine *sum, struct affine_term term);
bool affine_add(struct affine *sum, const struct affine *other, int64_t factor);
bool affine_multiply(const struct affines *affines, const struct affine *x, const struct affine *y,
                     struct affine *out);
struct affine affine_constant(int64_t value);
bool affine_equal(const struct affine *a, const struct affine *b);

// The symbol of a scalar, and of a loop's iteration number.
int affine_symbol_of(struct affines *affines, MlirValue scalar);
int affine_symbol_of_loop(struct affines *affines, MlirOperation loop);
// The number of a visible argument of the kernel, or -1.
int affine_visible_argument(const struct affines *affines, MlirValue value);
// The number of the visible kernel argument behind the symbol, or -1.
int affine_argument(const struct affines *affines, int symbol);
// For a symbol equal to argument / over, with a positive constant `over`: sets `over` (1 for the argument
// itself) and returns the number of the visible argument. -1 for any other symbol.
int affine_parameter(const struct affines *affines, int symbol, int64_t *over);
// True for a constant × at most AFFINE_FACTORS arguments of the kernel, one of them optionally divided by a
// constant: the same for all programs, and computable by a launcher.
bool affine_is_size(const struct affines *affines, const struct affine_term *term);
// The factor known to fit with all of the term's symbols: `fits`, or 0.
int32_t affine_fits(const struct affine_term *term);
// True if the scalar is equal in all threads, for any results of inline assembly and volatile scalar loads.
bool affine_is_uniform(const struct affines *affines, MlirValue scalar);
bool affine_symbol_varies_in(const struct affines *affines, int symbol, MlirOperation loop);
// True for a sum of scalars, not negative under the assumptions added to `assumes` (enum
// axis_assumption). An argument of the kernel is trusted as a factor, divisor or dividend, but not as an
// offset.
bool affine_is_non_negative(struct affines *affines, const struct affine *sum, unsigned *assumes);

#endif
