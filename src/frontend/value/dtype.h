// Element types: a scalar type of dtypes.def behind zero or more pointers. Small enough to pass by value, and
// equal types are equal bits.
#ifndef TKC_FRONTEND_VALUE_DTYPE_H
#define TKC_FRONTEND_VALUE_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <mlir-c/IR.h>

#include "ir/context.h"

enum scalar {
#define DTYPE(id, ...) SCALAR_##id,
#include "frontend/value/dtypes.def"
#undef DTYPE
    SCALAR_VOID, // tl.void; also the pointee of a pointer without a type
    SCALAR_COUNT
};

enum dtype_kind { KIND_BOOL, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT };

struct dtype {
    uint8_t scalar;   // enum scalar
    uint8_t pointers; // 0: the scalar itself; 1: a pointer to it; 2: a pointer to a pointer to it
    bool is_const;    // of a pointer: stores through it are errors (tl.const)
};

#define DTYPE_OF(id) ((struct dtype){SCALAR_##id, 0, false})

struct dtype_row {
    const char *name;      // "float16"
    const char *signature; // "fp16"
    enum dtype_kind kind;
    uint8_t bits;
    uint8_t mantissa; // bits after the leading one
    uint16_t bias;
    const char *mlir;
};

extern const struct dtype_row dtype_table[SCALAR_COUNT];

bool dtype_equal(struct dtype a, struct dtype b);
bool dtype_is_pointer(struct dtype type);
bool dtype_is_float(struct dtype type); // false for pointers, as are the next ones
bool dtype_is_f8(struct dtype type);
bool dtype_is_integer(struct dtype type);  // bool included
bool dtype_is_signed(struct dtype type);   // signed integers; as in Triton int1 is not one
bool dtype_is_unsigned(struct dtype type); // unsigned integers and int1
bool dtype_is_bool(struct dtype type);
unsigned dtype_bits(struct dtype type); // as a value: int1 1, pointers 64
struct dtype dtype_pointer_to(struct dtype type);
struct dtype dtype_const(struct dtype pointer, bool is_const);
struct dtype dtype_pointee(struct dtype pointer);
struct dtype dtype_integer(unsigned bits, bool is_signed); // bits 1, 8, 16, 32 or 64

// Parses either name of the row, with leading '*' for pointers: "float16", "fp16", "*fp16"; "*kfp16" is a
// pointer to constant data. False for any other text.
bool dtype_parse(const char *text, struct dtype *out);
const char *dtype_name(struct arena *arena, struct dtype type);      // "float16", "pointer<float16>"
const char *dtype_signature(struct arena *arena, struct dtype type); // "fp16", "*fp16"
// Triton's str(), which mixes both spellings: "fp16", "int32", "pointer<fp16>"; and its repr():
// "triton.language.float16".
const char *dtype_str(struct arena *arena, struct dtype type);
const char *dtype_repr(struct arena *arena, struct dtype type);

MlirType dtype_mlir(struct ir *ir, struct dtype type);

#endif
