// Elements of matrix operands: their width in bits and their values.
#ifndef TKC_EMULATOR_NUMBER_MATRIX_H
#define TKC_EMULATOR_NUMBER_MATRIX_H

#include <stdint.h>

enum matrix_type {
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F32,
    MATRIX_F64,
    MATRIX_S8,
    MATRIX_U8,
    MATRIX_E4M3,
    MATRIX_E5M2,
    MATRIX_E4M3_FNUZ,
    MATRIX_E5M2_FNUZ,
    MATRIX_E2M1,
    MATRIX_S32
};

double matrix_number(enum matrix_type type, uint64_t bits);
void matrix_numbers(enum matrix_type type, const uint64_t *bits, unsigned count, double *numbers);
unsigned matrix_bits(enum matrix_type type);

#endif
