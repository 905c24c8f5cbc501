// Integers and addresses as sums: what a tile's elements are in terms of block-uniform scalars and of the
// element's own index.
#ifndef TKC_PASSES_AFFINE_H
#define TKC_PASSES_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/facts/axis.h"

enum { AFFINE_SYMBOLS = 4, AFFINE_TERMS = 16, AFFINE_FACTORS = 2 };

// What a sum is made of: a scalar that is not taken further apart, or how often a loop's body has run before.
struct affine_symbol {
    MlirValue value;    // null when a loop is given
    MlirOperation loop; // scf.for: (induction variable - lower bound) / step
    // The largest factor for which factor × the symbol is sure to fit in 32 bits with a sign; 0: none is.
    int32_t fits;
};

// factor × symbols × the element's index along `dim`. With a wrap, the index is that of the wrap.
struct affine_term {
    int64_t factor;
    int16_t dim; // -1: a scalar
    int16_t symbol_count;
    int wrap;                    // number of the wrap, -1: none
    int symbols[AFFINE_SYMBOLS]; // numbers of symbols, ascending; a square is there twice
    // The largest factor for which factor × some of the symbols is sure to fit in 32 bits with a sign; 0: none is. Bit n of
    // `narrow` says that symbols[n] is one of them. The others may be a stride, by which an index is divided.
    int32_t fits;
    uint32_t narrow;
    // The 32-bit sum that it is a term of with a factor up to `within`, by number; 0: none.
    int whole;
    int64_t within;
};

// A constant is a term without symbols.
struct affine {
    MlirValue base; // of pointers: the argument of the kernel that they count from; else null
    int count;
    struct affine_term terms[AFFINE_TERMS];
};

// first + index, which is not negative, where that is below the size, and something else where it is not:
// `(first + index) % size`.
struct affine_wrap {
    struct affine first;
    struct affine size; // one term: a constant, or a constant × arguments of the kernel
    unsigned assumes;   // that `first` is not negative rests on it
};

struct affines {
    struct pass_context *context;
    MlirOperation function;
    struct axis axis;
    struct map sums;    // value → const struct affine *
    struct map numbers; // value or loop → number of its symbol, plus 1
    struct map signs;   // scalar → whether it is not negative, and what that assumes
    struct affine_symbol *symbols;
    int symbol_count;
    size_t symbol_capacity;
    struct affine_wrap *wraps;
    int wrap_count;
    size_t wrap_capacity;
    int whole_count; // of 32-bit sums
    int depth;       // of the sums that are under way
    bool may_differ; // a scalar somewhere in the function may be another one in each thread
};

// Keeps what it finds about the function until it is closed: the function must not change.
void affines_open(struct affines *affines, struct pass_context *context, MlirOperation function);
void affines_close(struct affines *affines);

// NULL when the value is no such sum. Integer scalars always are: of themselves, if nothing better is known.
const struct affine *affine_of(struct affines *affines, MlirValue value);
// Where an op that moves dimensions puts those of its operand; false when it mixes them. Of a reshape that
// only adds and drops dimensions of extent 1, the others count.
bool affine_dims_moved(struct affines *affines, MlirOperation op, int *to);
// The sum that is negative exactly where the comparison holds; false for other comparisons.
bool affine_below_zero(struct affines *affines, MlirOperation comparison, struct affine *out);

bool affine_add_term(struct affine *sum, struct affine_term term);
bool affine_add(struct affine *sum, const struct affine *other, int64_t factor);
bool affine_multiply(const struct affines *affines, const struct affine *x, const struct affine *y,
                     struct affine *out);
struct affine affine_constant(int64_t value);
bool affine_equal(const struct affine *a, const struct affine *b);

// The number of a scalar's symbol, and of how often a loop's body has run before.
int affine_symbol_of(struct affines *affines, MlirValue scalar);
int affine_symbol_of_loop(struct affines *affines, MlirOperation loop);
// The number of a visible argument of the kernel, or -1.
int affine_visible_argument(const struct affines *affines, MlirValue value);
// The kernel's visible argument that the symbol is, or -1.
int affine_argument(const struct affines *affines, int symbol);
// Whether the term is a constant × arguments of the kernel, at most AFFINE_FACTORS of them: the same for all programs.
bool affine_is_size(const struct affines *affines, const struct affine_term *term);
// What is known to fit of all its symbols: `fits`, or 0.
int32_t affine_fits(const struct affine_term *term);
// The same for all threads, whatever inline assembly and volatile loads of scalars give.
bool affine_is_uniform(const struct affines *affines, MlirValue scalar);
bool affine_symbol_varies_in(const struct affines *affines, int symbol, MlirOperation loop);
// A sum of scalars that is sure not to be negative, if what goes into `assumes` (enum axis_assumption) holds. An
// argument of the kernel is trusted where it is multiplied, divides or is divided, and not as an offset.
bool affine_is_non_negative(struct affines *affines, const struct affine *sum, unsigned *assumes);

#endif
