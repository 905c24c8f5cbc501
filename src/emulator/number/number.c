// The 8-bit floating-point formats: decoded by the definition, encoded by rounding the magnitude to a
// multiple of the target's unit in the last place.
#include "emulator/number/number.h"

struct float8_traits {
    int mantissa, bias;
    bool fnuz, infinity;
};

static const struct float8_traits float8_traits[] = {
    [FLOAT8_E4M3] = {3, 7, false, false},
    [FLOAT8_E5M2] = {2, 15, false, true},
    [FLOAT8_E4M3_FNUZ] = {3, 8, true, false},
    [FLOAT8_E5M2_FNUZ] = {2, 16, true, false},
};

float float8_to_float(uint8_t value, enum float8_format format) {
    const struct float8_traits *traits = &float8_traits[format];
    int exponent = (value & 0x7f) >> traits->mantissa, fraction = value & ((1 << traits->mantissa) - 1);
    float sign = value & 0x80 ? -1.0f : 1.0f;
    if (traits->fnuz && value == 0x80) {
        return NAN;
    }
    if (format == FLOAT8_E4M3 && (value & 0x7f) == 0x7f) {
        return sign * NAN;
    }
    if (traits->infinity && exponent == 31) {
        return fraction ? NAN : sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexpf((float)fraction, 1 - traits->bias - traits->mantissa);
    }
    return sign *
           ldexpf((float)(fraction + (1 << traits->mantissa)), exponent - traits->bias - traits->mantissa);
}

static uint8_t largest_finite(enum float8_format format) {
    switch (format) {
    case FLOAT8_E4M3:
        return 0x7e;
    case FLOAT8_E5M2:
        return 0x7b;
    default:
        return 0x7f;
    }
}

static uint8_t encode(float value, enum float8_format format, bool saturate, bool stochastic,
                      uint32_t noise) {
    const struct float8_traits *traits = &float8_traits[format];
    uint8_t sign = signbit(value) ? 0x80 : 0, largest = largest_finite(format);
    uint8_t not_a_number = traits->fnuz ? 0x80 : (uint8_t)(sign | 0x7f);
    if (isnan(value)) {
        return not_a_number;
    }
    uint8_t overflow = traits->fnuz       ? 0x80
                       : traits->infinity ? (uint8_t)(sign | 0x7c)
                                          : (uint8_t)(sign | 0x7f);
    if (isinf(value)) {
        return saturate && !traits->infinity && !traits->fnuz ? (uint8_t)(sign | largest)
               : saturate && traits->fnuz                     ? (uint8_t)(sign | largest)
               : saturate                                     ? (uint8_t)(sign | largest)
                                                              : overflow;
    }
    float magnitude = fabsf(value);
    int exponent;
    frexpf(magnitude, &exponent); // magnitude = m × 2^exponent, m in [0.5, 1)
    int scale = exponent - 1;
    if (magnitude == 0 || scale < 1 - traits->bias) {
        scale = 1 - traits->bias;
    }
    float steps = ldexpf(magnitude, traits->mantissa - scale); // < 2^(mantissa + 1), exact
    float whole = floorf(steps), rest = steps - whole;
    bool up = stochastic ? rest * 0x1p32f + (float)noise >= 0x1p32f
                         : rest > 0.5f || (rest == 0.5f && ((int)whole & 1));
    int count = (int)whole + (up ? 1 : 0);
    // A carry into the exponent works out by itself: the encoding is monotonic.
    int code = count + ((scale + traits->bias - 1) << traits->mantissa);
    if (code > largest) {
        return saturate ? (uint8_t)(sign | largest) : overflow;
    }
    return traits->fnuz && code == 0 ? 0 : (uint8_t)(sign | code);
}

uint8_t float8_from_float(float value, enum float8_format format, bool saturate) {
    return encode(value, format, saturate, false, 0);
}

uint8_t float8_from_float_stochastic(float value, enum float8_format format, bool saturate, uint32_t noise) {
    return encode(value, format, saturate, true, noise);
}
