// Elementwise functions with an op of their own, and casts. The other mathematical functions are library code
// (library/exponential.tk and its neighbours). Half-precision floats are computed in f32.
#include <string.h>

#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

// ---- one operand ----

// Reads a float argument. Floats narrower than 32 bits become f32, and *narrow receives their type for the
// result.
static bool float_argument(struct emitter *e, struct value *x, bool *is_narrow, struct dtype *narrow,
                           struct location at) {
    if (!tensor_argument(e, x, at)) {
        return false;
    }
    if (!dtype_is_float(element(*x))) {
        emit_error(e, at, "floating-point values are needed here, not %s: cast with .to(tl.float32)",
                   describe(e, *x));
        return false;
    }
    *narrow = element(*x);
    *is_narrow = dtype_bits(*narrow) < 32;
    if (*is_narrow) {
        *x = emit_cast(e, *x, DTYPE_OF(FLOAT32), at);
    }
    return !value_failed(*x);
}

static struct value float_function(struct emitter *e, enum op_kind op, struct value x, struct location at) {
    bool is_narrow;
    struct dtype narrow;
    if (!float_argument(e, &x, &is_narrow, &narrow, at)) {
        return value_error();
    }
    struct value result = emit_elementwise(e, op, element(x), x);
    return is_narrow ? emit_cast(e, result, narrow, at) : result;
}

#define FLOAT_FUNCTION(name, op)                                                                             \
    struct value builtin_##name(struct emitter *e, struct value *args, struct location at) {                 \
        return float_function(e, op, args[0], at);                                                           \
    }
FLOAT_FUNCTION(sqrt, OP_SQRT)
FLOAT_FUNCTION(rsqrt, OP_RSQRT)
FLOAT_FUNCTION(floor, OP_FLOOR)
FLOAT_FUNCTION(ceil, OP_CEIL)
FLOAT_FUNCTION(rint, OP_ROUNDEVEN)
FLOAT_FUNCTION(trunc, OP_TRUNC)
FLOAT_FUNCTION(hardware_exp2, OP_EXP2) // of an f32, for library code
FLOAT_FUNCTION(hardware_log2, OP_LOG2)
FLOAT_FUNCTION(hardware_reciprocal, OP_RECIPROCAL)
FLOAT_FUNCTION(hardware_reciprocal_root, OP_RECIPROCAL_ROOT)

static bool is_f64(struct value x) {
    return value_is_tensor(x) && is_dtype(x, DTYPE_OF(FLOAT64));
}

// 2 to the power of an f32, subnormal results kept.
static struct value kept_exp2(struct emitter *e, struct value x) {
    MlirValue value =
        VALUE(&e->builder, OP_EXP2, OPERANDS(x.tensor.value), RESULTS(mlirValueGetType(x.tensor.value)),
              ATTRS(attr_unit(&e->builder, ATTR_SUBNORMAL)));
    return tensor_like(e, value, element(x), x);
}

// exp(x) of an f32 is exp2(x log2 e) on the hardware's exp2. As in Triton, subnormal results are kept:
// log(exp(-90)) is -90. tl.exp2 flushes them unless enable_reflect_ftz=False, also as in Triton. f64 goes to the library.
struct value builtin_exp(struct emitter *e, struct value *args, struct location at) {
    struct value x = args[0];
    bool is_narrow;
    struct dtype narrow;
    if (!float_argument(e, &x, &is_narrow, &narrow, at)) {
        return value_error();
    }
    if (is_f64(x)) {
        return emit_call_library(e, "exponential", "_exp_f64", &x, 1, at);
    }
    struct value result = kept_exp2(
        e, emit_elementwise2(e, OP_MULF, element(x), x, emit_constant_like(e, x, 1.4426950408889634)));
    return is_narrow ? emit_cast(e, result, narrow, at) : result;
}

struct value builtin_exp2(struct emitter *e, struct value *args, struct location at) {
    if (is_f64(args[0])) {
        return emit_call_library(e, "exponential", "_exp2_f64", args, 1, at);
    }
    struct value x = args[0];
    bool is_narrow;
    struct dtype narrow;
    if (!e->keeps_subnormals) {
        return float_function(e, OP_EXP2, x, at);
    }
    if (!float_argument(e, &x, &is_narrow, &narrow, at)) {
        return value_error();
    }
    struct value result = kept_exp2(e, x);
    return is_narrow ? emit_cast(e, result, narrow, at) : result;
}

struct value builtin_sqrt_rn(struct emitter *e, struct value *args, struct location at) {
    return float_function(e, is_f64(args[0]) ? OP_SQRT : OP_SQRT_RN, args[0], at);
}

struct value builtin_abs(struct emitter *e, struct value *args, struct location at) {
    struct value x = args[0];
    if (!tensor_argument(e, &x, at)) {
        return value_error();
    }
    struct dtype type = element(x);
    if (dtype_is_float(type)) {
        return emit_elementwise(e, OP_ABSF, type, x);
    }
    if (!dtype_is_integer(type)) {
        return emit_error(e, at, "tl.abs needs numbers, not %s", describe(e, x));
    }
    return dtype_is_signed(type) ? emit_elementwise(e, OP_ABSI, type, x) : x;
}

static struct value integer_function(struct emitter *e, enum op_kind op, struct value x, struct location at) {
    if (!tensor_argument(e, &x, at)) {
        return value_error();
    }
    if (!dtype_is_integer(element(x))) {
        return emit_error(e, at, "integers are needed here, not %s", describe(e, x));
    }
    return emit_elementwise(e, op, element(x), x);
}

struct value builtin_clz(struct emitter *e, struct value *args, struct location at) {
    return integer_function(e, OP_CTLZ, args[0], at);
}
struct value builtin_popc(struct emitter *e, struct value *args, struct location at) {
    return integer_function(e, OP_CTPOP, args[0], at);
}

// True if the sign bit is set, zeros and NaNs included.
struct value builtin_signbit(struct emitter *e, struct value *args, struct location at) {
    struct value x = args[0];
    if (!tensor_argument(e, &x, at)) {
        return value_error();
    }
    if (!dtype_is_float(element(x))) {
        return emit_error(e, at, "floating-point values are needed here, not %s", describe(e, x));
    }
    struct value bits = emit_bitcast(e, x, dtype_integer(dtype_bits(element(x)), true), at);
    return emit_compare(e, COMPARE_LT, bits, value_int(0), at);
}

// ---- two operands ----

// Promotes both operands to tensors of one type and shape.
static bool pair(struct emitter *e, struct value *x, struct value *y, struct location at) {
    return emit_promote_pair(e, x, y, 0, at) && tensor_argument(e, x, at) && tensor_argument(e, y, at);
}

// Before Triton 3.9 a number became a tensor of its own type, i32 or f32, before operands were promoted.
static bool own_types(struct emitter *e, struct value *operands, int count, struct location at) {
    bool ok = true;
    for (int i = 0; i < count && ok && !language_has(e, LANGUAGE_NUMBERS_TAKE_TYPE); i++) {
        ok = tensor_argument(e, &operands[i], at);
    }
    return ok;
}

static bool float_pair(struct emitter *e, struct value *x, struct value *y, struct location at) {
    if (!pair(e, x, y, at)) {
        return false;
    }
    if (!dtype_is_float(element(*x))) {
        emit_error(e, at, "floating-point values are needed here, not %s", describe(e, *x));
        return false;
    }
    return true;
}

struct value builtin_copysign(struct emitter *e, struct value *args, struct location at) {
    struct value x = args[0], y = args[1];
    return float_pair(e, &x, &y, at) ? emit_elementwise2(e, OP_COPYSIGN, element(x), x, y) : value_error();
}

enum { EXTREME_X, EXTREME_Y, EXTREME_NAN };

// propagate_nan: tl.PropagateNan.NONE (0: a number wins over NaN) or ALL.
static bool nan_option(struct emitter *e, struct value v, struct location at, enum min_max *mode) {
    int64_t number = 0;
    if (!int_option(e, v, "propagate_nan", at, &number)) {
        return false;
    }
    *mode = number ? MIN_MAX_PROPAGATE_NAN : MIN_MAX_IGNORE_NAN;
    return true;
}

static struct value extreme(struct emitter *e, bool is_max, struct value *args, struct location at) {
    enum min_max mode;
    if (!nan_option(e, args[EXTREME_NAN], at, &mode)) {
        return value_error();
    }
    return emit_min_max(e, is_max, args[EXTREME_X], args[EXTREME_Y], mode, at);
}

struct value builtin_maximum(struct emitter *e, struct value *args, struct location at) {
    return extreme(e, true, args, at);
}
struct value builtin_minimum(struct emitter *e, struct value *args, struct location at) {
    return extreme(e, false, args, at);
}

enum { CLAMP_X, CLAMP_MIN, CLAMP_MAX, CLAMP_NAN };

struct value builtin_clamp(struct emitter *e, struct value *args, struct location at) {
    enum min_max mode;
    struct value x = args[CLAMP_X];
    if (!nan_option(e, args[CLAMP_NAN], at, &mode)) {
        return value_error();
    }
    struct value limits[3] = {x, args[CLAMP_MIN], args[CLAMP_MAX]};
    if (language_has(e, LANGUAGE_NUMBERS_TAKE_TYPE) && !emit_promote_three(e, limits, at)) {
        return value_error();
    }
    x = emit_min_max(e, true, limits[0], limits[1], mode, at);
    if (value_is_tensor(x) && !dtype_is_float(element(x)) &&
        !language_takes(e, LANGUAGE_CLAMPED_INTEGERS, at)) {
        return value_error();
    }
    return emit_min_max(e, false, x, limits[2], mode, at);
}

struct value builtin_umulhi(struct emitter *e, struct value *args, struct location at) {
    struct value x, y;
    if (!own_types(e, args, 2, at)) {
        return value_error();
    }
    x = args[0], y = args[1];
    if (!pair(e, &x, &y, at)) {
        return value_error();
    }
    if (!dtype_is_integer(element(x)) || dtype_bits(element(x)) < 32) {
        return emit_error(e, at, "umulhi needs integers of 32 or 64 bits, not %s", describe(e, x));
    }
    return emit_elementwise2(e, OP_MULHI, element(x), x, y);
}

// As float_pair, with both operands f32 or f64.
static bool wide_pair(struct emitter *e, struct value *x, struct value *y, struct location at) {
    if (!float_pair(e, x, y, at)) {
        return false;
    }
    if (dtype_bits(element(*x)) < 32) {
        *x = emit_cast(e, *x, DTYPE_OF(FLOAT32), at);
        *y = emit_cast(e, *y, DTYPE_OF(FLOAT32), at);
    }
    return !value_failed(*x) && !value_failed(*y);
}

struct value builtin_div_rn(struct emitter *e, struct value *args, struct location at) {
    struct value x, y;
    if (!own_types(e, args, 2, at)) {
        return value_error();
    }
    x = args[0], y = args[1];
    if (!wide_pair(e, &x, &y, at)) {
        return value_error();
    }
    return emit_elementwise2(e, is_f64(x) ? OP_DIVF : OP_DIV_RN, element(x), x, y);
}

enum { FDIV_X, FDIV_Y, FDIV_IEEE, FDIV_APPROX };

// The operands of tl.fdiv in one type: since Triton 3.9 that of x / y. Before it both were floats of one type.
static bool quotient_pair(struct emitter *e, struct value *x, struct value *y, struct location at) {
    bool floats = dtype_is_float(value_is_tensor(*x) ? element(*x) : DTYPE_OF(FLOAT32)) &&
                  dtype_is_float(value_is_tensor(*y) ? element(*y) : DTYPE_OF(FLOAT32));
    if (!floats && !language_takes(e, LANGUAGE_DIVIDED_NUMBERS, at)) {
        return false;
    }
    unsigned flags = language_has(e, LANGUAGE_QUOTIENTS_OF_F8) ? PROMOTE_DIVISION : 0;
    return emit_promote_pair(e, x, y, flags, at) && float_pair(e, x, y, at);
}

// 1 / y by the hardware, which leaves out subnormal results: the quotient may be wrong where |y| is above 2^126.
static struct value approximate_quotient(struct emitter *e, struct value x, struct value y, bool ieee,
                                         struct location at) {
    if (ieee) {
        return emit_error(e, at, "tl.fdiv: approx and ieee_rounding exclude each other");
    }
    if (!is_dtype(x, DTYPE_OF(FLOAT32))) {
        return emit_error(e, at, "tl.fdiv: approx=True is for float32, not %s", describe(e, x));
    }
    return emit_binary(e, BINARY_MUL, x, emit_elementwise(e, OP_RECIPROCAL, element(y), y), at);
}

struct value builtin_fdiv(struct emitter *e, struct value *args, struct location at) {
    struct value x, y;
    bool ieee = false, approx = false;
    if (!bool_option(e, args[FDIV_IEEE], "ieee_rounding", at, &ieee) ||
        !bool_option(e, args[FDIV_APPROX], "approx", at, &approx) || !own_types(e, args, 2, at)) {
        return value_error();
    }
    x = args[FDIV_X], y = args[FDIV_Y];
    if (!quotient_pair(e, &x, &y, at)) {
        return value_error();
    }
    struct dtype type = element(x); // of the quotient
    if (approx) {
        return approximate_quotient(e, x, y, ieee, at);
    }
    if (!wide_pair(e, &x, &y, at)) {
        return value_error();
    }
    struct value quotient = emit_elementwise2(e, ieee && !is_f64(x) ? OP_DIV_RN : OP_DIVF, element(x), x, y);
    return emit_cast(e, quotient, type, at);
}

// ---- fused multiply-add ----

static struct value fused(struct emitter *e, enum op_kind op, struct value *xyz, struct location at) {
    struct dtype type = element(xyz[0]);
    if (!dtype_is_float(type)) {
        return emit_error(e, at, "tl.fma needs floating-point values, not %s", describe(e, xyz[0]));
    }
    if (dtype_is_f8(type)) {
        return emit_error(e, at, "tl.fma of 8-bit floats is not supported: cast to float16");
    }
    MlirValue value =
        VALUE(&e->builder, op, OPERANDS(xyz[0].tensor.value, xyz[1].tensor.value, xyz[2].tensor.value),
              RESULTS(mlirValueGetType(xyz[0].tensor.value)), NO_ATTRS);
    return tensor_like(e, value, type, xyz[0]);
}

struct value builtin_fma(struct emitter *e, struct value *args, struct location at) {
    struct value xyz[3] = {args[0], args[1], args[2]};
    if (language_has(e, LANGUAGE_NUMBERS_TAKE_TYPE)) {
        return emit_promote_three(e, xyz, at) ? fused(e, OP_FMA, xyz, at) : value_error();
    }
    if (!own_types(e, xyz, 3, at)) {
        return value_error();
    }
    if (!pair(e, &xyz[0], &xyz[1], at) || !pair(e, &xyz[2], &xyz[0], at) || !pair(e, &xyz[2], &xyz[1], at) ||
        !pair(e, &xyz[0], &xyz[1], at)) {
        return value_error();
    }
    return fused(e, OP_FMA, xyz, at);
}

// _fma: numbers take the type of the tensor operands, which must agree.
static struct value fma_like(struct emitter *e, enum op_kind op, struct value *args, struct location at) {
    struct value xyz[3] = {args[0], args[1], args[2]}, like = value_none();
    for (int i = 0; i < 3; i++) {
        like = value_is_tensor(xyz[i]) && !given(like) ? xyz[i] : like;
    }
    for (int i = 0; i < 3; i++) {
        if (value_is_tensor(xyz[i])) {
            continue;
        }
        if (!given(like) || !value_is_number(xyz[i])) {
            return emit_error(e, at, "_fma needs tiles and numbers");
        }
        xyz[i] = emit_float(e, element(like), 0, NULL, value_number(xyz[i]));
    }
    if (!emit_broadcast_pair(e, &xyz[0], &xyz[1], at) || !emit_broadcast_pair(e, &xyz[0], &xyz[2], at) ||
        !emit_broadcast_pair(e, &xyz[0], &xyz[1], at)) {
        return value_error();
    }
    return fused(e, op, xyz, at);
}

struct value builtin_fma_like(struct emitter *e, struct value *args, struct location at) {
    return fma_like(e, OP_FMA, args, at);
}

struct value builtin_fma_saturated(struct emitter *e, struct value *args, struct location at) {
    return fma_like(e, OP_FMA_SATURATED, args, at);
}

// ---- choices ----

enum { RARELY_CONDITION, RARELY_RARE, RARELY_USUAL, RARELY_ALWAYS, RARELY_LOGARITHM, MOST_CHOICES = 4 };

// _rarely: tl.where on values or tuples, for a condition that is almost always false. `always`: the rare
// value equals the usual one if the condition is false, so computing it for all elements is correct. `logarithm`: the base, 1
// for e, where the choice is between logarithms.
struct value builtin_rarely(struct emitter *e, struct value *args, struct location at) {
    struct value condition = args[RARELY_CONDITION], rare = args[RARELY_RARE], usual = args[RARELY_USUAL];
    bool always = false;
    int64_t base = 0;
    if (!bool_option(e, args[RARELY_ALWAYS], "always", at, &always) ||
        !int_option(e, args[RARELY_LOGARITHM], "logarithm", at, &base)) {
        return value_error();
    }
    if (rare.kind != VALUE_TUPLE) {
        struct value choice = emit_rarely(e, condition, rare, usual, always, at);
        MlirOperation op = value_is_tensor(choice) ? value_op(choice.tensor.value) : (MlirOperation){NULL};
        if (base && !mlirOperationIsNull(op) && op_kind(e->builder.ir, op) == OP_RARELY) {
            op_set_int(e->builder.ir, op, ATTR_LOGARITHM, (int32_t)base);
        }
        return choice;
    }
    struct value chosen[MOST_CHOICES];
    if (usual.kind != VALUE_TUPLE || rare.list.count != usual.list.count || rare.list.count > MOST_CHOICES) {
        return emit_error(e, at, "_rarely chooses between tuples of one length, up to %d", MOST_CHOICES);
    }
    for (size_t i = 0; i < rare.list.count; i++) {
        chosen[i] = emit_rarely(e, condition, rare.list.items[i], usual.list.items[i], always, at);
    }
    return value_tuple(e->arena, chosen, rare.list.count);
}

// ---- casts ----

enum { CAST_INPUT, CAST_DTYPE, CAST_ROUNDING, CAST_BITCAST };

struct value builtin_cast(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[CAST_INPUT];
    struct dtype dtype;
    int rounding;
    bool bitcast = false;
    if (!value_to_dtype(e, args[CAST_DTYPE], "the dtype of a cast", emit_place_of(e, "dtype", at), &dtype) ||
        !bool_option(e, args[CAST_BITCAST], "bitcast", at, &bitcast) ||
        !word_argument(e, args[CAST_ROUNDING], WORDS_ROUNDING, ANY_WORD, ROUNDING_NONE, at, &rounding) ||
        !tensor_argument(e, &input, at)) {
        return value_error();
    }
    if (bitcast) {
        return emit_bitcast(e, input, dtype, at);
    }
    if (rounding == ROUNDING_NONE) {
        return emit_cast(e, input, dtype, at);
    }
    if (!dtype_is_float(element(input)) || !dtype_is_float(dtype) ||
        (dtype_bits(dtype) >= dtype_bits(element(input)) && !dtype_equal(dtype, element(input)))) {
        return emit_error(e, at, "fp_downcast_rounding is for casts to a smaller float, not from %s to %s",
                          describe_dtype(e, element(input)), describe_dtype(e, dtype));
    }
    return emit_cast_rounding(e, input, dtype, (enum float_rounding)rounding, at);
}

struct value builtin_to_tensor(struct emitter *e, struct value *args, struct location at) {
    return emit_to_tensor(e, args[0], at);
}

// ---- the operators as functions ----

struct value builtin_add(struct emitter *e, struct value *args, struct location at) {
    return emit_binary(e, BINARY_ADD, args[0], args[1], at);
}
struct value builtin_sub(struct emitter *e, struct value *args, struct location at) {
    return emit_binary(e, BINARY_SUB, args[0], args[1], at);
}
struct value builtin_mul(struct emitter *e, struct value *args, struct location at) {
    return emit_binary(e, BINARY_MUL, args[0], args[1], at);
}
struct value builtin_shift_left(struct emitter *e, struct value *args, struct location at) {
    return emit_binary(e, BINARY_SHL, args[0], args[1], at);
}
struct value builtin_shift_right(struct emitter *e, struct value *args, struct location at) {
    return emit_binary(e, BINARY_SHR, args[0], args[1], at);
}

static struct value logical(struct emitter *e, enum binary_op op, struct value *args, struct location at) {
    struct value a = emit_to_bool(e, args[0], at), b = emit_to_bool(e, args[1], at);
    return emit_binary(e, op, a, b, at);
}

struct value builtin_logical_and(struct emitter *e, struct value *args, struct location at) {
    return logical(e, BINARY_AND, args, at);
}
struct value builtin_logical_or(struct emitter *e, struct value *args, struct location at) {
    return logical(e, BINARY_OR, args, at);
}
