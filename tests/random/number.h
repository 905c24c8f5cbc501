// An element, as far as the interpreter knows it: an integer, or the bounds of a real.
//
// Operations with one rounding give one number. Where tkc may choose the order of a sum, or to round a product
// or not (src/decisions/numerics.md), a real has bounds: the least and the largest result of any choice.
// Rounding is monotone, so the bounds of a result are the rounded results of bounds. A sum is exact in any order if
// its terms are multiples of one power of two and their sizes add up to what the format counts of it.
#ifndef TKC_TESTS_RANDOM_NUMBER_H
#define TKC_TESTS_RANDOM_NUMBER_H

#include "kernel.h"

struct number {
    int64_t i;
    double low, high;         // equal, with the sign of zero: exactly this; NaN: NaN
    double raw_low, raw_high; // of a product: before it is rounded; else as above
    double size;              // of a sum or a product of matrices: the sum of its terms' sizes
    int quantum;              // … the exponent of the power of two in all its terms
    int terms;                // … their number, else 0
    double aligned;           // of a factor or a product of two: its least size in a matrix instruction
    bool any;                 // nothing is known
};

enum truth { NO, YES, PERHAPS };

struct number number_integer(int64_t value);
struct number number_real(double value);
struct number number_any(void);
bool number_is_exact(const struct number *real);

// Of reals, in their format; `op` up to MAX.
struct number number_binary(enum element element, enum binary op, struct number a, struct number b);
struct number number_negated(struct number a);
struct number number_absolute(struct number a);
struct number number_exp2(struct number a);
enum truth number_compare(bool real, enum compare op, const struct number *a, const struct number *b);
// One of two; it is unknown, the first or the second.
struct number number_either(bool real, struct number a, struct number b);
struct number number_cast(enum element from, enum element to, struct number a);

// A sum in any order.
struct total {
    long double low, high;
    double size;
    int quantum, terms;
    bool any, nan, above, below; // infinities
    bool exact, negative_zeros;
};
struct total total_start(void);
void total_add(struct total *total, struct number term);
struct number total_result(const struct total *total, enum element element);     // of a reduction
struct number total_of_numbers(const struct total *total, enum element element); // of a scan
struct number total_of_products(const struct total *total, const char *chip);

// A factor of a matrix product as the chip takes it, and the product of two.
struct number number_factor(const char *chip, enum element element, struct number a);
struct number number_product(const struct number *a, const struct number *b);

// The expected value of an output's element.
void number_put(struct lang_run *run, unsigned argument, size_t index, enum element element,
                const struct number *value);

#endif
