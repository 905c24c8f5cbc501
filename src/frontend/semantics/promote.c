// Triton's promotion: the common element type of two operands, and their conversion to it with one shape.
#include <math.h>

#include "frontend/semantics/emit.h"
#include "frontend/semantics/language.h"

struct dtype dtype_promote_integers(struct dtype a, struct dtype b) {
    unsigned a_bits = dtype_bits(a), b_bits = dtype_bits(b);
    bool a_unsigned = dtype_is_unsigned(a), b_unsigned = dtype_is_unsigned(b);
    if (a_unsigned == b_unsigned) {
        return a_bits > b_bits ? a : b;
    }
    if (a_unsigned) {
        return a_bits >= b_bits ? a : b;
    }
    return b_bits >= a_bits ? b : a;
}

// bool 0, integers 1, floats 2.
static int kind_rank(struct dtype type) {
    return dtype_is_bool(type) ? 0 : dtype_is_integer(type) ? 1 : 2;
}

bool dtype_promote(struct dtype a, bool a_is_constant, struct dtype b, bool b_is_constant, bool division,
                   struct dtype *out) {
    if (dtype_is_pointer(a) || dtype_is_pointer(b)) {
        return false;
    }
    if (a_is_constant != b_is_constant) {
        struct dtype constant = a_is_constant ? a : b, tensor = a_is_constant ? b : a;
        if (kind_rank(constant) <= kind_rank(tensor)) {
            bool half = tensor.scalar == SCALAR_FLOAT16 || tensor.scalar == SCALAR_BFLOAT16;
            *out = division && half ? DTYPE_OF(FLOAT32) : tensor;
            return true;
        }
    }
    static const uint8_t wide[] = {SCALAR_FLOAT64, SCALAR_FLOAT32};
    for (int i = 0; i < 2; i++) {
        if (a.scalar == wide[i] || b.scalar == wide[i]) {
            *out = (struct dtype){wide[i], 0, false};
            return true;
        }
    }
    if (a.scalar == SCALAR_FLOAT16 || b.scalar == SCALAR_FLOAT16) {
        *out = division ? DTYPE_OF(FLOAT32) : DTYPE_OF(FLOAT16);
        return true;
    }
    if (a.scalar == SCALAR_BFLOAT16 || b.scalar == SCALAR_BFLOAT16) {
        *out = division || a.scalar != b.scalar ? DTYPE_OF(FLOAT32) : DTYPE_OF(BFLOAT16);
        return true;
    }
    if (dtype_is_f8(a) && dtype_is_f8(b)) {
        *out = dtype_equal(a, b) ? a : DTYPE_OF(FLOAT16);
        return true;
    }
    if (!dtype_is_integer(a) || !dtype_is_integer(b) ||
        (division && dtype_is_unsigned(a) != dtype_is_unsigned(b))) {
        return false;
    }
    *out = dtype_promote_integers(a, b);
    return true;
}

static bool refuse_pair(struct emitter *e, struct value a, struct value b, const char *why,
                        struct location location) {
    emit_error(e, location, "%s: %s and %s", why, value_type_name(e->arena, a), value_type_name(e->arena, b));
    return false;
}

static bool refuse_float_offset(struct emitter *e, struct value a, struct value b, struct location location) {
    bool second = dtype_is_pointer(a.tensor.dtype);
    struct value offset = second ? b : a;
    struct location at = second ? emit_right_place(e, location) : emit_left_place(e, location);
    emit_error(e, at.source ? at : location, "a pointer moves by integers, not by %s: write %s",
               value_type_name(e->arena, offset), emit_as_integer(e, offset, at));
    return false;
}

static bool check_pointers(struct emitter *e, struct value a, struct value b, unsigned flags,
                           struct location location) {
    struct dtype x = a.tensor.dtype, y = b.tensor.dtype;
    bool x_pointer = dtype_is_pointer(x), y_pointer = dtype_is_pointer(y);
    if ((x_pointer && !(flags & PROMOTE_ALLOW_POINTER_A)) ||
        (y_pointer && !(flags & PROMOTE_ALLOW_POINTER_B))) {
        return refuse_pair(e, a, b, "an address takes + and - of integers alone (compute offsets first)",
                           location);
    }
    if (x_pointer && y_pointer && !dtype_equal(x, y)) {
        return refuse_pair(e, a, b, "pointers of different types", location);
    }
    if ((x_pointer && dtype_is_float(y)) || (y_pointer && dtype_is_float(x))) {
        return refuse_float_offset(e, a, b, location);
    }
    return true;
}

// True if the integer is in the range of `type`.
static bool integer_in_range(wide_int i, struct dtype type) {
    unsigned bits = dtype_bits(type);
    if (dtype_is_unsigned(type)) {
        return i >= 0 && i < (wide_int)1 << bits;
    }
    return i >= -((wide_int)1 << (bits - 1)) && i < (wide_int)1 << (bits - 1);
}

bool integer_holds(struct dtype type, double number) {
    return fabs(number) < 0x1p64 && integer_in_range((wide_int)trunc(number), type);
}

struct value emit_constant_in(struct emitter *e, struct value constant, struct dtype type,
                              struct location location) {
    if (dtype_is_integer(type) && !integer_in_range(value_integer(constant), type)) {
        return emit_error(e, location, "%s is out of range for %s; convert one operand explicitly",
                          value_text(e->arena, constant), dtype_name(e->arena, type));
    }
    return emit_scalar_of(e, constant, type, location);
}

// As dtype_promote. Quotients of 8-bit floats, with anything but f64, are f32.
static bool common_type(struct emitter *e, struct dtype a, bool a_is_constant, struct dtype b,
                        bool b_is_constant, bool division, struct dtype *out) {
    bool narrow = (dtype_is_f8(a) && !dtype_is_pointer(b)) || (dtype_is_f8(b) && !dtype_is_pointer(a));
    if (division && narrow && language_has(e, LANGUAGE_QUOTIENTS_OF_F8)) {
        bool wide = a.scalar == SCALAR_FLOAT64 || b.scalar == SCALAR_FLOAT64;
        *out = wide && !a_is_constant && !b_is_constant ? DTYPE_OF(FLOAT64) : DTYPE_OF(FLOAT32);
        return true;
    }
    return dtype_promote(a, a_is_constant, b, b_is_constant, division, out);
}

static struct value promoted(struct emitter *e, struct value v, struct value constant, bool is_constant,
                             struct dtype common, struct location location) {
    if (dtype_equal(v.tensor.dtype, common)) {
        return v;
    }
    return is_constant ? emit_constant_in(e, constant, common, location) : emit_cast(e, v, common, location);
}

// Converts a constant directly to the tensor's element type and shape if promotion leaves the tensor's type
// unchanged.
static struct value constant_as_tensor(struct emitter *e, struct value constant, struct value tensor,
                                       bool division, struct location location) {
    struct dtype type = tensor.tensor.dtype;
    bool half = type.scalar == SCALAR_FLOAT16 || type.scalar == SCALAR_BFLOAT16;
    half = half || (dtype_is_f8(type) && language_has(e, LANGUAGE_QUOTIENTS_OF_F8));
    bool fits = dtype_is_float(type) ? !(division && half)
                                     : dtype_is_integer(type) && constant.kind != VALUE_FLOAT &&
                                           (constant.kind == VALUE_BOOL || !dtype_is_bool(type));
    if (!fits || dtype_is_pointer(type) ||
        (dtype_is_integer(type) && !integer_in_range(value_integer(constant), type))) {
        return constant;
    }
    return emit_full(e, constant, type, tensor.tensor.rank, tensor.tensor.shape, location);
}

bool emit_promote_pair(struct emitter *e, struct value *a, struct value *b, unsigned flags,
                       struct location location) {
    struct value a_constant = *a, b_constant = *b;
    bool a_is_constant = value_is_number(*a), b_is_constant = value_is_number(*b);
    if (a_is_constant && b->kind == VALUE_TENSOR && !(flags & PROMOTE_NO_ARITHMETIC)) {
        *a = constant_as_tensor(e, *a, *b, flags & PROMOTE_DIVISION, location);
    } else if (b_is_constant && a->kind == VALUE_TENSOR && !(flags & PROMOTE_NO_ARITHMETIC)) {
        *b = constant_as_tensor(e, *b, *a, flags & PROMOTE_DIVISION, location);
    }
    *a = emit_to_tensor(e, *a, location);
    *b = emit_to_tensor(e, *b, location);
    if (value_failed(*a) || value_failed(*b) || !check_pointers(e, *a, *b, flags, location)) {
        return false;
    }
    struct dtype x = a->tensor.dtype, y = b->tensor.dtype, common;
    if (!(flags & PROMOTE_NO_ARITHMETIC) && !dtype_is_pointer(x) && !dtype_is_pointer(y)) {
        if (!common_type(e, x, a_is_constant, y, b_is_constant, flags & PROMOTE_DIVISION, &common)) {
            bool signs = dtype_is_integer(x) && dtype_is_integer(y);
            return refuse_pair(e, *a, *b,
                               signs ? "division of integers of different signedness; convert one of them"
                                     : "operands have no common type",
                               location);
        }
        *a = promoted(e, *a, a_constant, a_is_constant, common, location);
        *b = promoted(e, *b, b_constant, b_is_constant, common, location);
    }
    return emit_broadcast_pair(e, a, b, location);
}

bool emit_promote_three(struct emitter *e, struct value v[3], struct location location) {
    struct dtype types[2] = {{0}}, common; // of the tensors and of the numbers
    bool has[2] = {false, false};
    for (int i = 0; i < 3; i++) {
        bool number = value_is_number(v[i]);
        struct value tensor = emit_to_tensor(e, v[i], location);
        if (value_failed(tensor)) {
            return false;
        }
        types[number] = has[number] ? types[number] : tensor.tensor.dtype;
        if (!dtype_promote(types[number], number, tensor.tensor.dtype, number, false, &types[number])) {
            return refuse_pair(e, v[0], v[i], "operands have no common type", location);
        }
        has[number] = true;
    }
    common = types[!has[0]];
    if (has[0] && has[1] && !dtype_promote(types[0], false, types[1], true, false, &common)) {
        return refuse_pair(e, v[0], v[1], "operands have no common type", location);
    }
    for (int i = 0; i < 3; i++) {
        v[i] = value_is_number(v[i]) ? emit_constant_in(e, v[i], common, location)
                                     : emit_cast(e, v[i], common, location);
        if (value_failed(v[i])) {
            return false;
        }
    }
    return emit_broadcast_pair(e, &v[0], &v[1], location) && emit_broadcast_pair(e, &v[0], &v[2], location) &&
           emit_broadcast_pair(e, &v[0], &v[1], location);
}

struct value emit_widen_bf16(struct emitter *e, struct value tensor, struct location location) {
    bool keeps = language_has(e, LANGUAGE_BF16_KEPT);
    bool is_bf16 = tensor.tensor.dtype.scalar == SCALAR_BFLOAT16 && !dtype_is_pointer(tensor.tensor.dtype);
    return is_bf16 && !keeps ? emit_cast(e, tensor, DTYPE_OF(FLOAT32), location) : tensor;
}
