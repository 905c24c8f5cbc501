// Conversions between element types, by Triton's rules: integers by their own signedness, bool by comparison
// with zero, f8 only through tk.fp_to_fp, f16 and bf16 to anything but f32 by way of f32.
#include <float.h>
#include <math.h>
#include <string.h>

#include "dialects/tk/tk.h"
#include "dialects/tk/words.h"
#include "frontend/semantics/emit.h"

static struct value convert(struct emitter *e, enum op_kind op, struct value v, struct dtype dtype) {
    MlirType type = tensor_mlir_type(e, dtype, v.tensor.rank, v.tensor.shape);
    return tensor_like(e, VALUE(&e->builder, op, OPERANDS(v.tensor.value), RESULTS(type), NO_ATTRS), dtype,
                       v);
}

static struct value convert_rounding(struct emitter *e, struct value v, struct dtype dtype,
                                     enum float_rounding rounding) {
    MlirType type = tensor_mlir_type(e, dtype, v.tensor.rank, v.tensor.shape);
    MlirValue result = VALUE(&e->builder, OP_FP_TO_FP, OPERANDS(v.tensor.value), RESULTS(type),
                             ATTRS(attr_float_rounding(&e->builder, rounding)));
    return tensor_like(e, result, dtype, v);
}

static struct value not_zero(struct emitter *e, struct value v, struct location location) {
    struct value zero = emit_int(e, v.tensor.dtype, v.tensor.rank, v.tensor.shape, 0);
    return emit_compare(e, COMPARE_NE, v, zero, location);
}

static struct value float_to_float(struct emitter *e, struct value v, struct dtype to,
                                   enum float_rounding rounding, struct location location);

// e5m2 is f16 without its lower byte: cutting it off rounds toward zero. A NaN stays a NaN.
static struct value cut_to_e5m2(struct emitter *e, struct value v, struct location location) {
    struct dtype half = DTYPE_OF(FLOAT16), word = DTYPE_OF(UINT16);
    if (v.tensor.dtype.scalar == SCALAR_BFLOAT16) {
        v = convert(e, OP_EXTF, v, DTYPE_OF(FLOAT32));
    }
    if (!dtype_equal(v.tensor.dtype, half)) {
        v = float_to_float(e, v, half, ROUNDING_RTZ, location);
    }
    struct value upper =
        emit_binary(e, BINARY_SHR, emit_bitcast(e, v, word, location), value_int(8), location);
    struct value nan = emit_binary(e, BINARY_OR, upper, value_int(0x7F), location);
    struct value bits = emit_where(e, emit_compare(e, COMPARE_NE, v, v, location), nan, upper, location);
    return emit_bitcast(e, emit_cast(e, bits, DTYPE_OF(UINT8), location), DTYPE_OF(FLOAT8E5), location);
}

static struct value float_to_float(struct emitter *e, struct value v, struct dtype to,
                                   enum float_rounding rounding, struct location location) {
    struct dtype from = v.tensor.dtype;
    unsigned from_bits = dtype_bits(from), to_bits = dtype_bits(to);
    bool narrows = to_bits < from_bits;
    if (rounding != ROUNDING_NONE && !narrows) {
        return emit_error(e, location, "a rounding mode is for narrowing conversions only, not %s to %s",
                          dtype_name(e->arena, from), dtype_name(e->arena, to));
    }
    bool special = rounding == ROUNDING_RTZ;
    if (special && to.scalar == SCALAR_FLOAT8E5) {
        return cut_to_e5m2(e, v, location);
    }
    if (dtype_is_f8(from) || dtype_is_f8(to) || special) {
        return convert_rounding(e, v, to, special ? ROUNDING_RTZ : ROUNDING_RTNE);
    }
    if (from_bits == 16 && to.scalar != SCALAR_FLOAT32) {
        return float_to_float(e, convert(e, OP_EXTF, v, DTYPE_OF(FLOAT32)), to, ROUNDING_NONE, location);
    }
    return convert(e, narrows ? OP_TRUNCF : OP_EXTF, v, to);
}

static struct value integer_to_integer(struct emitter *e, struct value v, struct dtype to,
                                       struct location location) {
    struct dtype from = v.tensor.dtype;
    if (dtype_is_bool(to)) {
        return not_zero(e, v, location);
    }
    unsigned from_bits = dtype_bits(from), to_bits = dtype_bits(to);
    if (from_bits == to_bits) {
        return tensor_like(e, v.tensor.value, to, v);
    }
    if (to_bits < from_bits) {
        return convert(e, OP_TRUNCI, v, to);
    }
    return convert(e, dtype_is_signed(from) ? OP_EXTSI : OP_EXTUI, v, to);
}

static struct value pointer_cast(struct emitter *e, struct value v, struct dtype to,
                                 struct location location) {
    struct dtype from = v.tensor.dtype;
    if (dtype_is_pointer(from) && dtype_is_pointer(to)) {
        if (dtype_equal(dtype_const(from, to.is_const), to)) {
            return tensor_like(e, v.tensor.value, to, v);
        }
        return convert(e, OP_PTR_CAST, v, to);
    }
    if (dtype_is_pointer(from) && dtype_is_integer(to) && dtype_bits(to) == 64) {
        return convert(e, OP_PTR_TO_INT, v, to);
    }
    if (dtype_is_pointer(from) && dtype_is_bool(to)) {
        return not_zero(e, convert(e, OP_PTR_TO_INT, v, DTYPE_OF(INT64)), location);
    }
    if (dtype_is_integer(from) && dtype_is_pointer(to)) {
        return convert(e, OP_INT_TO_PTR, emit_cast(e, v, DTYPE_OF(INT64), location), to);
    }
    return emit_error(e, location, "%s cannot be converted to %s", value_type_name(e->arena, v),
                      dtype_name(e->arena, to));
}

// The integer as a double that rounds to any narrower type like the integer itself. An integer wider than the
// double's mantissa is rounded to odd: the last bit kept is set if a lost bit was set, so that no false tie
// appears.
static double rounds_alike(wide_int i) {
    __extension__ unsigned __int128 rest = i < 0 ? -(unsigned __int128)i : (unsigned __int128)i, lost = 0;
    int exponent = 0;
    for (; rest >> DBL_MANT_DIG; rest >>= 1, exponent++) {
        lost |= rest & 1;
    }
    double magnitude = ldexp((double)(uint64_t)(rest | lost), exponent);
    return i < 0 ? -magnitude : magnitude;
}

// Folds the cast of a constant number, splat or scalar. Floats out of the integer type's range are left to
// the chip (lower_arith.c).
static bool fold_cast(struct emitter *e, struct value v, struct dtype to, struct value *out) {
    struct value constant;
    if (dtype_is_pointer(to) || dtype_is_f8(v.tensor.dtype) || !tensor_constant(e, v, &constant)) {
        return false;
    }
    // tk.fp_to_fp does the rounding to f8; only +0, the usual value of masked elements, is folded here.
    if (dtype_is_f8(to) && (value_number(constant) != 0 || signbit(value_number(constant)))) {
        return false;
    }
    int rank = v.tensor.rank;
    const int64_t *shape = v.tensor.shape;
    if (dtype_is_float(to)) {
        bool narrow = value_is_integral(constant) && dtype_bits(to) < 64;
        *out = emit_float(e, to, rank, shape,
                          narrow ? rounds_alike(value_integer(constant)) : value_number(constant));
        return true;
    }
    if (constant.kind == VALUE_FLOAT) {
        if (dtype_is_bool(to) || !integer_holds(to, constant.number)) {
            return false;
        }
        *out = emit_int(e, to, rank, shape, (wide_int)trunc(constant.number));
        return true;
    }
    wide_int i = value_integer(constant);
    *out = emit_int(e, to, rank, shape, dtype_is_bool(to) ? i != 0 : i);
    return true;
}

struct value emit_cast_rounding(struct emitter *e, struct value v, struct dtype to,
                                enum float_rounding rounding, struct location location) {
    if (v.kind != VALUE_TENSOR) {
        return emit_scalar_of(e, v, to, location);
    }
    struct dtype from = v.tensor.dtype;
    if (dtype_equal(from, to)) {
        return v;
    }
    struct value folded;
    if (rounding == ROUNDING_NONE && fold_cast(e, v, to, &folded)) {
        return folded;
    }
    if (to.scalar == SCALAR_VOID && !to.pointers) {
        return emit_error(e, location, "nothing can be converted to void");
    }
    if (dtype_is_pointer(from) || dtype_is_pointer(to)) {
        return pointer_cast(e, v, to, location);
    }
    if (dtype_is_float(from) && dtype_is_float(to)) {
        return float_to_float(e, v, to, rounding, location);
    }
    if (rounding != ROUNDING_NONE) {
        return emit_error(e, location, "a rounding mode is for narrowing conversions of floats only");
    }
    if (dtype_is_integer(from) && dtype_is_integer(to)) {
        return integer_to_integer(e, v, to, location);
    }
    // Between integers and floats; f8 goes through f32.
    if (dtype_is_float(from)) {
        struct value wide = dtype_is_f8(from) ? convert_rounding(e, v, DTYPE_OF(FLOAT32), ROUNDING_RTNE) : v;
        if (dtype_is_bool(to)) {
            return not_zero(e, wide, location);
        }
        return convert(e, dtype_is_signed(to) ? OP_FPTOSI : OP_FPTOUI, wide, to);
    }
    enum op_kind op = dtype_is_signed(from) ? OP_SITOFP : OP_UITOFP;
    if (dtype_is_f8(to)) {
        return convert_rounding(e, convert(e, op, v, DTYPE_OF(FLOAT32)), to, ROUNDING_RTNE);
    }
    return convert(e, op, v, to);
}

struct value emit_cast(struct emitter *e, struct value v, struct dtype to, struct location location) {
    return emit_cast_rounding(e, v, to, ROUNDING_NONE, location);
}

struct value emit_bitcast(struct emitter *e, struct value v, struct dtype to, struct location location) {
    v = emit_to_tensor(e, v, location);
    if (value_failed(v) || dtype_equal(v.tensor.dtype, to)) {
        return v;
    }
    struct dtype from = v.tensor.dtype;
    if (dtype_is_pointer(from) || dtype_is_pointer(to)) {
        return pointer_cast(e, v, to, location);
    }
    if (dtype_bits(from) != dtype_bits(to)) {
        return emit_error(e, location, "a bitcast from %s (%u bits) to %s (%u bits)",
                          dtype_name(e->arena, from), dtype_bits(from), dtype_name(e->arena, to),
                          dtype_bits(to));
    }
    if (mlirTypeEqual(dtype_mlir(e->ir, from), dtype_mlir(e->ir, to))) {
        return tensor_like(e, v.tensor.value, to, v);
    }
    return convert(e, OP_BITCAST, v, to);
}

struct value emit_to_bool(struct emitter *e, struct value v, struct location location) {
    v = emit_to_tensor(e, v, location);
    if (value_failed(v)) {
        return v;
    }
    if (dtype_is_pointer(v.tensor.dtype)) {
        return pointer_cast(e, v, DTYPE_OF(INT1), location);
    }
    return emit_cast(e, v, DTYPE_OF(INT1), location);
}
