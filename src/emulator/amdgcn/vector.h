// Rows of isa_vector.def, and the arguments of their functions.
#ifndef TKC_EMULATOR_AMDGCN_VECTOR_H
#define TKC_EMULATOR_AMDGCN_VECTOR_H

#include "emulator/amdgcn/amdgcn.h"

enum type {
    TYPE_NONE,
    TYPE_U32,
    TYPE_I32,
    TYPE_F32,
    TYPE_U16,
    TYPE_I16,
    TYPE_F16,
    TYPE_PAIR, // of halves
    TYPE_U64,
    TYPE_I64,
    TYPE_F64,
    TYPE_MASK
};

// All lanes, whether active or not.
struct lanes {
    unsigned count;
    const struct gcn *gcn;
    const uint32_t *narrow[3]; // an operand of at most 32 bits
    const uint64_t *wide[3];   // of 64
    lane_mask mask[3];
    lane_mask vcc;
    uint32_t *result;
    uint64_t *wide_result;
    lane_mask carry; // a result of type MASK too
};
struct vector_row {
    const char *name;
    void (*run)(struct lanes *x);
    uint8_t result, operands[3]; // enum type
    bool carry;
};

// arithmetic.c: NULL: no row
const struct vector_row *vector_find(const char *name);

// A row is given a TYPE_PAIR as a register's 32 bits.
static inline bool type_is_wide(unsigned type) {
    return type >= TYPE_U64 && type <= TYPE_F64;
}
static inline bool type_is_half(unsigned type) {
    return type >= TYPE_U16 && type <= TYPE_F16;
}
static inline bool type_is_float(unsigned type) {
    return type == TYPE_F32 || type == TYPE_F16 || type == TYPE_F64;
}
// The bits of a number in an instruction, for an operand of that type.
uint64_t number_bits(const struct gcn_operand *operand, unsigned type);

#endif
