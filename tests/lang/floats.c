// Floating-point formats for the references: encode and decode, written from the formats' definitions.
#include "lang.h"

#include <math.h>
#include <string.h>

struct format {
    int exponent_bits, fraction_bits, bias;
    enum { IEEE, FINITE_ONE_NAN, UNSIGNED_ZERO, NO_NAN } kind; // codes without a number
};

static struct format format_of(enum element element) {
    switch (element) {
    case F16:
        return (struct format){5, 10, 15, IEEE};
    case BF16:
        return (struct format){8, 7, 127, IEEE};
    case F32:
        return (struct format){8, 23, 127, IEEE};
    case E5M2:
        return (struct format){5, 2, 15, IEEE};
    case E4M3:
        return (struct format){4, 3, 7, FINITE_ONE_NAN};
    case E5M2Z:
        return (struct format){5, 2, 16, UNSIGNED_ZERO};
    case E4M3Z:
        return (struct format){4, 3, 8, UNSIGNED_ZERO};
    case E4B15:
        return (struct format){4, 3, 15, NO_NAN};
    default:
        return (struct format){11, 52, 1023, IEEE};
    }
}

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_TOP = 2047 };

// A normal double of its sign, exponent and fraction.
static double double_of(bool negative, int64_t exponent, uint64_t fraction) {
    uint64_t bits =
        (uint64_t)negative << 63 | (uint64_t)(exponent + DOUBLE_BIAS) << DOUBLE_FRACTION | fraction;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double float_decode(enum element element, uint64_t code) {
    if (element == F64) {
        double value;
        memcpy(&value, &code, sizeof value);
        return value;
    }
    struct format f = format_of(element);
    int64_t exponent = (int64_t)(code >> f.fraction_bits & ((1u << f.exponent_bits) - 1));
    int64_t fraction = (int64_t)(code & ((1u << f.fraction_bits) - 1));
    bool negative = code >> (f.exponent_bits + f.fraction_bits) & 1;
    int64_t top = (1 << f.exponent_bits) - 1;
    if (f.kind == IEEE && exponent == top) {
        return fraction ? NAN : negative ? -INFINITY : INFINITY;
    }
    if (f.kind == FINITE_ONE_NAN && exponent == top && fraction == (1 << f.fraction_bits) - 1) {
        return NAN;
    }
    if (f.kind == UNSIGNED_ZERO && negative && !exponent && !fraction) {
        return NAN;
    }
    if (exponent) {
        return double_of(negative, exponent - f.bias,
                         (uint64_t)fraction << (DOUBLE_FRACTION - f.fraction_bits));
    }
    double value = ldexp((double)fraction, 1 - f.bias - f.fraction_bits);
    return negative ? -value : value;
}

// The largest finite code without its sign.
static uint64_t largest(struct format f) {
    uint64_t all = (1u << (f.exponent_bits + f.fraction_bits)) - 1;
    switch (f.kind) {
    case IEEE:
        return all - (1u << f.fraction_bits);
    case UNSIGNED_ZERO:
        return all;
    default:
        return all - 1; // beside NaN; without one Triton's largest is 1.75
    }
}

// The code, without its sign, of the nearest normal number, of two the even one; false: the value is not within the normal numbers.
static bool encode_normal(struct format f, double value, uint64_t *code) {
    uint64_t bits, unit = UINT64_C(1) << (DOUBLE_FRACTION - f.fraction_bits);
    memcpy(&bits, &value, sizeof bits);
    int64_t exponent = (int64_t)(bits >> DOUBLE_FRACTION & DOUBLE_TOP) - DOUBLE_BIAS + f.bias;
    if (exponent < 1 || exponent >= 1 << f.exponent_bits) {
        return false;
    }
    uint64_t size = (uint64_t)exponent << DOUBLE_FRACTION | (bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1));
    *code = (size + (unit / 2 - 1) + (size / unit & 1)) / unit;
    return *code <= largest(f);
}

// Codes of one sign are ordered as their values are, so rounding is choosing between two neighbouring codes.
// Beyond the largest value: infinity in IEEE formats; saturation in the 8-bit formats, as Triton's
// conversions do.
uint64_t float_encode(enum element element, double value, bool toward_zero) {
    if (element == F64) {
        uint64_t code;
        memcpy(&code, &value, sizeof code);
        return code;
    }
    struct format f = format_of(element);
    int width = f.exponent_bits + f.fraction_bits;
    uint64_t sign = (uint64_t)(signbit(value) != 0) << width;
    if (isnan(value)) {
        return f.kind == UNSIGNED_ZERO ? UINT64_C(1) << width
               : f.kind == IEEE
                   ? (((1u << f.exponent_bits) - 1) << f.fraction_bits) | 1u << (f.fraction_bits - 1)
                   : (1u << width) - 1;
    }
    uint64_t top = largest(f), code;
    if (!toward_zero && f.kind != NO_NAN && encode_normal(f, value, &code)) {
        return code | sign;
    }
    double size = fabs(value), limit = float_decode(element, top);
    if (isinf(size)) {
        code = f.kind == IEEE ? top + 1 : top;
    } else {
        int exponent = 0;
        frexp(size, &exponent); // size = m * 2^exponent, m in [0.5, 1)
        int unit = exponent - 1 - f.fraction_bits, least = 1 - f.bias - f.fraction_bits;
        if (size == 0 || unit < least) {
            unit = least;
        }
        double scaled = ldexp(size, -unit);
        double rounded = toward_zero ? floor(scaled) : f.kind == NO_NAN ? round(scaled) : nearbyint(scaled);
        double result = ldexp(rounded, unit);
        if (result > limit) {
            bool infinite = f.kind == IEEE && !toward_zero &&
                            (element == F16 || element == BF16 || element == F32 || element == E5M2);
            code = infinite ? top + 1 : top;
        } else if (result == 0) {
            code = 0;
        } else {
            frexp(result, &exponent);
            unit = exponent - 1 - f.fraction_bits;
            if (unit < least) { // subnormal
                code = (uint64_t)ldexp(result, -least);
            } else {
                code = ((uint64_t)(exponent - 1 + f.bias) << f.fraction_bits) +
                       ((uint64_t)ldexp(result, -unit) - (UINT64_C(1) << f.fraction_bits));
            }
        }
    }
    if (f.kind == UNSIGNED_ZERO && code == 0) {
        sign = 0;
    }
    return code | sign;
}
