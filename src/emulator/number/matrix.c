#include "emulator/number/matrix.h"

#include "emulator/number/number.h"

unsigned matrix_bits(enum matrix_type type) {
    switch (type) {
    case MATRIX_F64:
        return 64;
    case MATRIX_TF32:
    case MATRIX_F32:
    case MATRIX_S32:
        return 32;
    case MATRIX_F16:
    case MATRIX_BF16:
        return 16;
    case MATRIX_E2M1:
        return 4;
    default:
        return 8;
    }
}

// OCP Microscaling Formats 1.0, section 5.3.3: a sign, two bits of exponent with bias 1, one of fraction.
static double e2m1_number(unsigned code) {
    static const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return code & 8 ? -sizes[code & 7] : sizes[code & 7];
}

double matrix_number(enum matrix_type type, uint64_t bits) {
    switch (type) {
    case MATRIX_F16:
        return half_to_float((uint16_t)bits);
    case MATRIX_BF16:
        return bfloat_to_float((uint16_t)bits);
    case MATRIX_TF32:
        return tf32_truncate(float_from_bits((uint32_t)bits));
    case MATRIX_F32:
        return float_from_bits((uint32_t)bits);
    case MATRIX_F64:
        return double_from_bits(bits);
    case MATRIX_S8:
        return (int8_t)bits;
    case MATRIX_U8:
        return (uint8_t)bits;
    case MATRIX_E4M3:
        return float8_to_float((uint8_t)bits, FLOAT8_E4M3);
    case MATRIX_E5M2:
        return float8_to_float((uint8_t)bits, FLOAT8_E5M2);
    case MATRIX_E4M3_FNUZ:
        return float8_to_float((uint8_t)bits, FLOAT8_E4M3_FNUZ);
    case MATRIX_E5M2_FNUZ:
        return float8_to_float((uint8_t)bits, FLOAT8_E5M2_FNUZ);
    case MATRIX_E2M1:
        return e2m1_number((unsigned)bits);
    default:
        return (int32_t)bits;
    }
}

void matrix_numbers(enum matrix_type type, const uint64_t *bits, unsigned count, double *numbers) {
    switch (type) { // the common ones without a choice for each
    case MATRIX_F16:
        for (unsigned i = 0; i < count; i++) {
            numbers[i] = half_to_float((uint16_t)bits[i]);
        }
        return;
    case MATRIX_BF16:
        for (unsigned i = 0; i < count; i++) {
            numbers[i] = bfloat_to_float((uint16_t)bits[i]);
        }
        return;
    case MATRIX_F32:
        for (unsigned i = 0; i < count; i++) {
            numbers[i] = float_from_bits((uint32_t)bits[i]);
        }
        return;
    default:
        for (unsigned i = 0; i < count; i++) {
            numbers[i] = matrix_number(type, bits[i]);
        }
    }
}
