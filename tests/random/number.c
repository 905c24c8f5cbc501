#include "number.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NO_QUANTUM = 4096 }; // of zero

struct number number_integer(int64_t value) {
    return (struct number){.i = value};
}

static struct number between(double low, double high) {
    return (struct number){.low = low, .high = high, .raw_low = low, .raw_high = high};
}

struct number number_real(double value) {
    return between(value, value);
}

struct number number_any(void) {
    return (struct number){.any = true};
}

static bool same_bits(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

bool number_is_exact(const struct number *real) {
    return !real->any && same_bits(real->low, real->high);
}

// GCC 12 at -O2 loses the rounding to float of two values side by side (vectors of doubles): through memory.
static double rounded(enum element element, double value) {
    volatile float narrow = (float)value;
    return element == F32 ? narrow : float_round(element, value);
}

// The real value is within an ulp of float64 of each bound.
static struct number rounded_between(enum element element, double low, double high) {
    return between(rounded(element, nextafter(low, -INFINITY)), rounded(element, nextafter(high, INFINITY)));
}

static double largest_of(enum element element) {
    return element == F16 ? 65504 : element == BF16 ? 0x1.fep127 : FLT_MAX;
}

static int digits_of(enum element element) {
    return element == F16 ? 11 : element == BF16 ? 8 : 24;
}

static double element_unit(enum element element) {
    return ldexp(1, -digits_of(element));
}

// The exponent of the lowest set bit.
static int quantum_of(double value) {
    enum { FRACTION = DBL_MANT_DIG - 1, BIAS = 1023 };
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> FRACTION & 0x7ff);
    uint64_t digits = (bits & ((UINT64_C(1) << FRACTION) - 1)) | (uint64_t)(exponent != 0) << FRACTION;
    return digits ? (exponent ? exponent : 1) - BIAS - FRACTION + __builtin_ctzll(digits) : NO_QUANTUM;
}

static double size_of(struct number a) {
    return fmax(fabs(a.low), fabs(a.high));
}

static bool holds_zero(struct number a) {
    return a.low <= 0 && a.high >= 0;
}

static bool holds_infinity(struct number a) {
    return isinf(a.low) || isinf(a.high);
}

// ---- one operation ----

static struct number add(enum element element, struct number a, struct number b) {
    bool exact = number_is_exact(&a) && number_is_exact(&b);
    double low = a.low + b.low, high = a.high + b.high;
    bool opposite = (a.high == INFINITY && b.low == -INFINITY) || (a.low == -INFINITY && b.high == INFINITY);
    if (opposite && !exact) {
        return number_any();
    }
    return between(rounded(element, low), rounded(element, high));
}

static struct number product_between(struct number a, struct number b) {
    double corners[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    double low = corners[0], high = corners[0];
    for (int i = 1; i < 4; i++) {
        bool less = corners[i] < low || (corners[i] == low && signbit(corners[i]));
        bool more = corners[i] > high || (corners[i] == high && !signbit(corners[i]));
        low = less ? corners[i] : low;
        high = more ? corners[i] : high;
    }
    return between(low, high);
}

static struct number multiply(enum element element, struct number a, struct number b) {
    bool exact = number_is_exact(&a) && number_is_exact(&b);
    if (!exact && ((holds_zero(a) && holds_infinity(b)) || (holds_zero(b) && holds_infinity(a)))) {
        return number_any();
    }
    struct number raw = product_between(a, b),
                  result = between(rounded(element, raw.low), rounded(element, raw.high));
    result.raw_low = raw.low;
    result.raw_high = raw.high;
    return result;
}

struct number number_either(bool real, struct number a, struct number b) {
    if (a.any || b.any) {
        return number_any();
    }
    if (!real) {
        return a.i == b.i ? a : number_any();
    }
    if (isnan(a.low) || isnan(b.low)) {
        return isnan(a.low) && isnan(b.low) ? a : number_any();
    }
    bool less = b.low < a.low || (b.low == a.low && signbit(b.low));
    bool more = b.high > a.high || (b.high == a.high && !signbit(b.high));
    return between(less ? b.low : a.low, more ? b.high : a.high);
}

// The sum with a product, perhaps fused with it.
static struct number add_fused(enum element element, struct number sum, struct number product,
                               struct number other) {
    if (same_bits(product.raw_low, product.low) && same_bits(product.raw_high, product.high)) {
        return sum;
    }
    if (holds_infinity(other)) {
        return number_any();
    }
    return number_either(
        true, sum, rounded_between(element, product.raw_low + other.low, product.raw_high + other.high));
}

// The sum with a sum whose terms may be added to the other number one by one: a product of matrices whose accumulator it
// is, or a loop's running sum.
static struct number add_accumulated(enum element element, struct number sum, struct number product,
                                     struct number other) {
    double size = product.size + size_of(other);
    int quantum = product.quantum < quantum_of(other.low) ? product.quantum : quantum_of(other.low);
    bool exact = number_is_exact(&product) && number_is_exact(&other) &&
                 size <= ldexp(1, digits_of(element) + quantum);
    if (!product.terms || exact || sum.any) {
        return sum;
    }
    if (!(size < largest_of(element) / 2)) {
        return number_any();
    }
    double error = (product.terms + 8) * 2 * element_unit(element) * size;
    return between(rounded(element, sum.low - error), rounded(element, sum.high + error));
}

static struct number sum_of(enum element element, struct number a, struct number b) {
    struct number sum = add(element, a, b);
    bool numbers = !isnan(a.low) && !isnan(b.low), finite = !isnan(sum.low);
    // Infinities of both signs: a product that only its rounding makes infinite is finite where it is fused.
    sum = numbers && !sum.any ? add_fused(element, sum, a, b) : sum;
    sum = numbers && !sum.any ? add_fused(element, sum, b, a) : sum;
    sum = finite && !sum.any ? add_accumulated(element, sum, a, b) : sum;
    return finite && !sum.any ? add_accumulated(element, sum, b, a) : sum;
}

// A number wins over NaN; of two zeros either one.
static struct number extreme(bool largest, struct number a, struct number b) {
    if (isnan(a.low) || isnan(b.low)) {
        return isnan(a.low) ? b : a;
    }
    double (*choose)(double, double) = largest ? fmax : fmin;
    struct number result = between(choose(a.low, b.low), choose(a.high, b.high));
    if (result.low == 0 && a.low == b.low) {
        result.low = result.raw_low = signbit(a.low) || signbit(b.low) ? -0.0 : 0.0;
    }
    if (result.high == 0 && a.high == b.high) {
        result.high = result.raw_high = signbit(a.high) && signbit(b.high) ? -0.0 : 0.0;
    }
    return result;
}

struct number number_negated(struct number a) {
    if (a.any) {
        return a;
    }
    struct number result = between(-a.high, -a.low);
    result.raw_low = -a.raw_high;
    result.raw_high = -a.raw_low;
    result.size = a.size;
    result.quantum = a.quantum;
    result.terms = a.terms;
    return result;
}

struct number number_binary(enum element element, enum binary op, struct number a, struct number b) {
    if (a.any || b.any) {
        return number_any();
    }
    switch (op) {
    case ADD:
        return sum_of(element, a, b);
    case SUB:
        return sum_of(element, a, number_negated(b));
    case MUL:
        return multiply(element, a, b);
    default:
        return extreme(op == MAX, a, b);
    }
}

struct number number_absolute(struct number a) {
    if (a.any || isnan(a.low)) {
        return a;
    }
    bool sides = a.low < 0 && a.high > 0;
    double low = fmin(fabs(a.low), fabs(a.high));
    return between(sides ? 0.0 : low, size_of(a));
}

// 2 to the power of a whole number is exact, of others within 2^-21; subnormal results may be 0.
struct number number_exp2(struct number a) {
    if (a.any || isnan(a.low)) {
        return a;
    }
    double low = exp2(a.low), high = exp2(a.high);
    if (number_is_exact(&a) && a.low == rint(a.low) && fabs(a.low) < 126) {
        return number_real(low);
    }
    low = low < 0x1p-125 ? 0 : low * (1 - 0x1p-21);
    return between((float)low, (float)(high * (1 + 0x1p-21)));
}

static enum truth not(enum truth truth) { return truth == PERHAPS ? PERHAPS : truth == NO; }

static enum truth less(const struct number *a, const struct number *b) {
    return a->high < b->low ? YES : a->low >= b->high ? NO : PERHAPS;
}

static enum truth compare_reals(enum compare op, const struct number *a, const struct number *b) {
    if (isnan(a->low) || isnan(b->low)) {
        return op == NE ? YES : NO;
    }
    bool apart = a->high < b->low || b->high < a->low, one = a->low == a->high && b->low == b->high;
    enum truth equal = apart ? NO : one ? YES : PERHAPS;
    switch (op) {
    case EQ:
        return equal;
    case NE:
        return not(equal);
    case LT:
        return less(a, b);
    case LE:
        return not(less(b, a));
    case GT:
        return less(b, a);
    default:
        return not(less(a, b));
    }
}

enum truth number_compare(bool real, enum compare op, const struct number *a, const struct number *b) {
    if (a->any || b->any) {
        return PERHAPS;
    }
    if (real) {
        return compare_reals(op, a, b);
    }
    const bool holds[COMPARES] = {a->i == b->i, a->i != b->i, a->i<b->i, a->i <= b->i, a->i> b->i,
                                  a->i >= b->i};
    return holds[op] ? YES : NO;
}

struct number number_cast(enum element from, enum element to, struct number a) {
    if (a.any) {
        return a;
    }
    bool from_real = element_is_real(from), to_real = element_is_real(to);
    if (from_real && to_real) {
        return between(rounded(to, a.low), rounded(to, a.high));
    }
    if (to_real) {
        return number_real(to == F32 ? (float)a.i : rounded(to, (double)a.i));
    }
    if (!from_real) {
        return a;
    }
    // Integers of reals beyond their type differ from chip to chip.
    double low = trunc(a.low), high = trunc(a.high);
    bool held = low == high && low >= (double)element_low(to) && low <= (double)element_high(to) &&
                fabs(low) < 0x1p63;
    return held ? number_integer((int64_t)low) : number_any();
}

// ---- sums ----

struct total total_start(void) {
    return (struct total){.quantum = NO_QUANTUM, .exact = true, .negative_zeros = true};
}

void total_add(struct total *total, struct number term) {
    total->terms++;
    if (term.any) {
        total->any = true;
        return;
    }
    bool infinite = holds_infinity(term), one = number_is_exact(&term);
    total->nan |= isnan(term.low);
    total->above |= term.low == INFINITY;
    total->below |= term.high == -INFINITY;
    total->any |= infinite && !one;
    if (isnan(term.low) || infinite) {
        return;
    }
    double low = fmin(term.low, term.raw_low), high = fmax(term.high, term.raw_high);
    total->low += low;
    total->high += high;
    total->size += fmax(fmax(fabs(low), fabs(high)), term.aligned);
    total->exact &= low == high;
    int quantum = quantum_of(term.low);
    total->quantum = quantum < total->quantum ? quantum : total->quantum;
    total->negative_zeros &= term.low == 0 && signbit(term.low);
}

static int least_exponent(enum element element) {
    return element == F16 ? -24 : element == BF16 ? -133 : -149;
}

// `least`: the absolute error of a term too small for the format.
static struct number result_of(const struct total *total, enum element element, double unit, double least) {
    if (total->nan || (total->above && total->below && !total->any)) {
        return number_real(NAN);
    }
    double size = total->size, largest = largest_of(element);
    bool fits = size < largest * (1 - 0x1p-7); // else a part may overflow, or the total alone
    if (total->any || !fits) {
        return number_any();
    }
    if (total->above || total->below) {
        return number_real(total->above ? INFINITY : -INFINITY);
    }
    if (total->exact && total->quantum >= least_exponent(element) && ldexp(1, total->quantum) >= least &&
        size <= ldexp(1, digits_of(element) + total->quantum)) {
        return total->negative_zeros ? between(-0.0, 0.0) : number_real((double)total->low + 0.0);
    }
    double error = (total->terms + 8) * unit * size * (1 + total->terms * unit) + total->terms * least;
    return rounded_between(element, (double)total->low - error, (double)total->high + error);
}

static struct number with_terms(struct number result, const struct total *total) {
    result.size = total->size;
    result.quantum = total->quantum;
    result.terms = total->terms;
    return result;
}

// A loop's running sum of such sums may be kept in parts.
struct number total_result(const struct total *total, enum element element) {
    return with_terms(result_of(total, element, element_unit(element), 0), total);
}

struct number total_of_numbers(const struct total *total, enum element element) {
    return result_of(total, element, element_unit(element), 0);
}

// Matrix instructions add with an error of 2^-23; some flush subnormal values.
struct number total_of_products(const struct total *total, const char *chip) {
    return with_terms(result_of(total, F32, 0x1p-23, !strcmp(chip, "gfx90a") ? 0x1p-126 : 0x1p-149), total);
}

// Operands of f32 have 10 bits behind the point on NVIDIA, and subnormal operands of f16 count as 0 on gfx90a. Subnormal
// products may be 0. NVIDIA's matrix units do not normalise subnormal operands of f16: a term is aligned, and what is far below the
// largest of a step cut off, as if they were 2^-14 (seen on an H200).
struct number number_factor(const char *chip, enum element element, struct number a) {
    if (a.any || isnan(a.low) || holds_infinity(a)) {
        return a;
    }
    if (element == F32 && !strncmp(chip, "sm_", 3)) {
        int quantum = quantum_of(a.low);
        bool held =
            number_is_exact(&a) && (a.low == 0 || (fabs(a.low) <= ldexp(1, 11 + quantum) && quantum >= -136));
        double error = fmax(size_of(a) * 0x1p-11, 0x1p-136);
        return held                            ? a
               : size_of(a) + error >= FLT_MAX ? number_any()
                                               : between(a.low - error, a.high + error);
    }
    bool small = (element == F16 && size_of(a) < 0x1p-14) || size_of(a) < 0x1p-126;
    if (small && !strcmp(chip, "gfx90a") && element != F32) {
        return between(fmin(a.low, 0), fmax(a.high, 0));
    }
    a.aligned = element == F16 && !strncmp(chip, "sm_", 3) && size_of(a) > 0 ? 0x1p-14 : 0;
    return a;
}

static struct number factors_product(const struct number *a, const struct number *b) {
    bool exact = number_is_exact(a) && number_is_exact(b);
    if (exact) {
        return number_real(a->low * b->low);
    }
    bool undefined = (holds_zero(*a) && holds_infinity(*b)) || (holds_zero(*b) && holds_infinity(*a));
    return a->any || b->any || undefined ? number_any() : product_between(*a, *b);
}

struct number number_product(const struct number *a, const struct number *b) {
    struct number product = factors_product(a, b);
    product.aligned = fmax(size_of(*a), a->aligned) * fmax(size_of(*b), b->aligned);
    return product;
}

void number_put(struct lang_run *run, unsigned argument, size_t index, enum element element,
                const struct number *value) {
    if (value->any) {
        put_any(run, argument, index);
    } else if (!element_is_real(element)) {
        put_bits(run, argument, index, (uint64_t)value->i);
    } else if (number_is_exact(value)) {
        put_real(run, argument, index, value->low);
    } else {
        put_between(run, argument, index, value->low, value->high);
    }
}
