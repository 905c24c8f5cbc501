// Tensors from constants and back: arith.constant of scalars and splats, and Triton's choice of type for a
// number.
#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"
#include "frontend/semantics/emit.h"
#include "frontend/semantics/language.h"

MlirType tensor_mlir_type(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape) {
    int64_t padded[TILE_MAX_RANK + 1];
    for (int i = 0; i < rank; i++) {
        padded[i] = padded_extent(shape[i]);
    }
    return tensor_type(rank, padded, dtype_mlir(e->ir, dtype), mlirAttributeGetNull());
}

struct value tensor_from(struct emitter *e, MlirValue value, struct dtype dtype, int rank,
                         const int64_t *shape) {
    struct value result = {.kind = VALUE_TENSOR, .tensor = {.value = value, .dtype = dtype, .rank = rank}};
    if (rank) {
        int64_t *copy = ARENA_ARRAY(e->arena, int64_t, rank);
        for (int i = 0; i < rank; i++) {
            copy[i] = shape[i];
        }
        result.tensor.shape = copy;
    }
    return result;
}

struct value tensor_like(struct emitter *e, MlirValue value, struct dtype dtype, struct value like) {
    (void)e;
    like.kind = VALUE_TENSOR;
    like.tensor.value = value;
    like.tensor.dtype = dtype;
    return like;
}

struct value emit_int(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape, wide_int value) {
    if (dtype_is_pointer(dtype)) {
        struct value address = emit_int(e, DTYPE_OF(INT64), rank, shape, value);
        MlirType type = tensor_mlir_type(e, dtype, rank, shape);
        return tensor_from(
            e, VALUE(&e->builder, OP_INT_TO_PTR, OPERANDS(address.tensor.value), RESULTS(type), NO_ATTRS),
            dtype, rank, shape);
    }
    if (dtype_is_float(dtype)) {
        return emit_float(e, dtype, rank, shape, (double)value);
    }
    unsigned bits = dtype_bits(dtype);
    int64_t truncated = (int64_t)value;
    if (bits < 64) {
        truncated = (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
    }
    MlirType type = tensor_mlir_type(e, dtype, rank, shape);
    return tensor_from(e, const_int(&e->builder, type, truncated), dtype, rank, shape);
}

struct value emit_float(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape, double value) {
    if (dtype_is_f8(dtype) && (value != 0 || signbit(value))) { // rounded as at run time
        struct location nowhere = {0};
        return emit_cast(e, emit_float(e, DTYPE_OF(FLOAT32), rank, shape, value), dtype, nowhere);
    }
    MlirType type = tensor_mlir_type(e, dtype, rank, shape);
    return tensor_from(e, const_float(&e->builder, type, value), dtype, rank, shape);
}

static bool fits(wide_int i, int low_bits, int high_bits) {
    return i >= -((wide_int)1 << low_bits) && i < (wide_int)1 << high_bits;
}

// What a program's number is in a tensor: what is to have fewer bits than f32 is an f32 before, as Triton's builder takes it.
static double number_in(struct dtype dtype, double number) {
    return dtype_bits(dtype) < 64 ? (double)(float)number : number;
}

struct value emit_full(struct emitter *e, struct value constant, struct dtype dtype, int rank,
                       const int64_t *shape, struct location location) {
    if (!value_is_number(constant)) {
        return value_failed(constant) ? constant
                                      : emit_error(e, location, "a number is needed here, not %s",
                                                   value_type_name(e->arena, constant));
    }
    bool is_float = constant.kind == VALUE_FLOAT, ok;
    if (dtype_is_float(dtype)) {
        double number = value_number(constant);
        number = number == 0 && !language_has(e, LANGUAGE_NEGATIVE_ZERO) ? 0.0 : number;
        return emit_float(e, dtype, rank, shape, number_in(dtype, number));
    }
    if (dtype_is_bool(dtype)) {
        return emit_int(e, dtype, rank, shape, value_truth(constant, &ok));
    }
    if (is_float && !integer_holds(dtype, constant.number)) {
        return emit_error(e, location, "%s cannot be converted to %s, which does not hold it",
                          value_text(e->arena, constant), dtype_name(e->arena, dtype));
    }
    wide_int i = is_float ? (wide_int)trunc(constant.number) : value_integer(constant);
    if (!fits(i, 63, 64)) {
        return emit_error(e, location, "integer %s does not fit 64 bits", value_text(e->arena, constant));
    }
    return emit_int(e, dtype, rank, shape, i);
}

struct value emit_scalar_of(struct emitter *e, struct value constant, struct dtype dtype,
                            struct location location) {
    return emit_full(e, constant, dtype, 0, NULL, location);
}

static bool float_fits_f32(double d) {
    double magnitude = fabs(d);
    return isnan(d) || isinf(d) || d == 0 || (magnitude >= 0x1p-126 && magnitude <= 0x1.fffffep127);
}

struct value emit_to_tensor(struct emitter *e, struct value v, struct location location) {
    switch (v.kind) {
    case VALUE_ERROR:
    case VALUE_TENSOR:
        return v;
    case VALUE_BOOL:
        return emit_int(e, DTYPE_OF(INT1), 0, NULL, v.boolean);
    case VALUE_INT:
        if (fits(v.integer, 31, 31)) {
            return emit_int(e, DTYPE_OF(INT32), 0, NULL, v.integer);
        }
        if (v.integer > 0 && fits(v.integer, 0, 32)) {
            return emit_int(e, DTYPE_OF(UINT32), 0, NULL, v.integer);
        }
        if (fits(v.integer, 63, 63)) {
            return emit_int(e, DTYPE_OF(INT64), 0, NULL, v.integer);
        }
        if (v.integer > 0 && fits(v.integer, 0, 64)) {
            return emit_int(e, DTYPE_OF(UINT64), 0, NULL, v.integer);
        }
        return emit_error(e, location, "integer %s does not fit 64 bits", value_text(e->arena, v));
    case VALUE_FLOAT:
        return emit_scalar_of(e, v, float_fits_f32(v.number) ? DTYPE_OF(FLOAT32) : DTYPE_OF(FLOAT64),
                              location);
    case VALUE_HOST:
        return emit_error(e, location, "%s cannot be used in a kernel", v.host);
    default:
        return emit_error(e, location, "a tensor or a number is needed here, not %s",
                          value_type_name(e->arena, v));
    }
}

// The scalar operand of a tk.splat, else the value itself.
static MlirValue behind_splat(struct emitter *e, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && op_kind(e->ir, op) == OP_SPLAT) {
        return unary_source(op);
    }
    return value;
}

bool tensor_constant(struct emitter *e, struct value tensor, struct value *out) {
    if (tensor.kind != VALUE_TENSOR) {
        return false;
    }
    MlirOperation op = value_op(behind_splat(e, tensor.tensor.value));
    if (mlirOperationIsNull(op) || op_kind(e->ir, op) != OP_CONSTANT) {
        return false;
    }
    MlirAttribute value = op_attribute(op, ATTR_VALUE);
    if (mlirAttributeIsADenseElements(value)) {
        if (!mlirDenseElementsAttrIsSplat(value)) {
            return false;
        }
        value = mlirDenseElementsAttrGetSplatValue(value);
    }
    struct dtype dtype = tensor.tensor.dtype;
    if (mlirAttributeIsAFloat(value)) {
        *out = value_float(mlirFloatAttrGetValueDouble(value));
        return true;
    }
    if (!mlirAttributeIsAInteger(value)) {
        return false;
    }
    int64_t i = mlirIntegerAttrGetValueInt(value);
    unsigned bits = dtype_bits(dtype);
    if (dtype_is_bool(dtype)) {
        *out = value_bool(i & 1);
    } else if (dtype_is_unsigned(dtype)) {
        *out = value_int((wide_int)(bits < 64 ? (uint64_t)i & (((uint64_t)1 << bits) - 1) : (uint64_t)i));
    } else {
        *out = value_int(i);
    }
    return true;
}
