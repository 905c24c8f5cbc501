// Conversions between the small floating-point formats and float, by bit arithmetic: the same on every host.
#ifndef TKC_EMULATOR_NUMBER_H
#define TKC_EMULATOR_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double double_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Exact. A multiplication by 2^112 renormalises subnormals; infinities and NaNs get their exponent by the
// second branch.
static inline float half_to_float(uint16_t half) {
    uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
    uint32_t bits = float_bits(float_from_bits(magnitude) * 0x1p112f);
    bits |= magnitude >= 0x0f800000 ? 0x7f800000 : 0;
    return float_from_bits(bits | (uint32_t)(half & 0x8000) << 16);
}

// Round to nearest even.
static inline uint16_t half_from_float(float value) {
    uint32_t bits = float_bits(value);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    // Below 2^-14: adding 0.5 leaves the rounded subnormal in the low bits of the sum.
    uint32_t small = float_bits(float_from_bits(magnitude) + 0.5f) - 0x3f000000;
    uint32_t result = magnitude < 0x38800000 ? small : normal;
    result = magnitude >= 0x477ff000 ? 0x7c00 : result;
    result = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x1ff) : result;
    return (uint16_t)(sign | result);
}

static inline float bfloat_to_float(uint16_t value) {
    return float_from_bits((uint32_t)value << 16);
}
static inline uint16_t bfloat_from_float(float value) {
    uint32_t bits = float_bits(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16) | 0x40 : rounded);
}

// A float with its low bit set if bits were lost: a second rounding to at most 22 bits gives the same result
// as a single rounding of the double (Boldo and Melquiond, rounding to odd).
static inline float float_to_odd(double value) {
    float nearest = (float)value;
    if (isnan(value) || (double)nearest == value || isinf(nearest)) {
        return isinf(nearest) && !isinf(value)
                   ? float_from_bits((float_bits(nearest) & 0x80000000u) | 0x7f7fffffu)
                   : nearest;
    }
    uint32_t bits = float_bits(nearest);
    bool away = fabs((double)nearest) > fabs(value);
    if (!(bits & 1)) {
        bits = away ? bits - 1 : bits | 1;
    }
    return float_from_bits(bits);
}
// a × b + c of operands with at most 24 bits, as a float ready to be rounded once more.
static inline float fused_to_odd(double a, double b, double c) {
    double product = a * b, sum = product + c;
    if (isfinite(sum)) {
        double back = sum - product;
        double lost = (product - (sum - back)) + (c - back);
        if (lost != 0 && !(double_bits(sum) & 1)) {
            uint64_t bits = double_bits(sum);
            sum = double_from_bits((lost > 0) == (sum > 0) ? bits | 1 : bits - 1);
        }
    }
    return float_to_odd(sum);
}

// 8-bit formats. OCP: E5M2 has infinities, E4M3FN none (S.1111.111 is NaN). FNUZ: the bias is one more,
// negative zero is NaN, no infinities. (OCP 8-bit Floating Point Specification 1.0; AMD CDNA3 ISA, "FP8 and
// BF8 formats".)
enum float8_format { FLOAT8_E4M3, FLOAT8_E5M2, FLOAT8_E4M3_FNUZ, FLOAT8_E5M2_FNUZ };

float float8_to_float(uint8_t value, enum float8_format format);
// Round to nearest even; `saturate`: values beyond the largest finite one become it, else NaN or infinity.
uint8_t float8_from_float(float value, enum float8_format format, bool saturate);
// As above, `noise` (32 bits) decides the rounding (stochastic rounding of AMD's cvt.sr).
uint8_t float8_from_float_stochastic(float value, enum float8_format format, bool saturate, uint32_t noise);

// TF32: the low 13 bits are dropped by the matrix unit.
static inline float tf32_truncate(float value) {
    return float_from_bits(float_bits(value) & ~0x1fffu);
}
// cvt.rna.tf32.f32: to nearest, ties away from zero.
static inline float tf32_round(float value) {
    uint32_t bits = float_bits(value);
    return (bits & 0x7f800000) == 0x7f800000 ? value : float_from_bits((bits + 0x1000) & ~0x1fffu);
}
// cvt.rn.tf32.f32 and tensor copies of type TFLOAT32: to nearest, ties to even; every NaN becomes one.
static inline float tf32_round_even(float value) {
    uint32_t bits = float_bits(value);
    bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
    return float_from_bits(is_nan ? 0x7fffe000 : (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
}

#endif
