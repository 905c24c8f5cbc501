// Dots with scales beyond the instructions': operands are widened, multiplied by their scales in f32, and rounded to bf16.
// The library does so for chips without such instructions (src/frontend/library/scaled.tk). On a chip whose instruction needs
// tensor memory, only the layouts pass finds out.
//
//   %d = tk.dot %a, %b, %c, %as, %bs     →     %x = truncf (extf %a · scales of %as)
//                                              %d = tk.dot %x, %y, %c
#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/layout/layouts.h"
#include "passes/layout/legal_dots.h"

static MlirValue same(struct builder *b, enum op_kind kind, MlirValue value, MlirType element) {
    return VALUE(b, kind, OPERANDS(value), RESULTS(type_with_shape_of(mlirValueGetType(value), element)),
                 NO_ATTRS);
}

static MlirValue with_constant(struct builder *b, enum op_kind kind, MlirValue value, int64_t constant) {
    return build_binary(b, kind, value, const_int(b, mlirValueGetType(value), constant));
}

static MlirValue equals(struct builder *b, MlirValue value, int64_t constant) {
    MlirType type = mlirValueGetType(value);
    return VALUE(b, OP_CMPI, OPERANDS(value, const_int(b, type, constant)),
                 RESULTS(type_with_shape_of(type, type_i1(b->ir))),
                 ATTRS(attr(b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(b->ir), INT_EQ))));
}

static MlirValue transposed(struct builder *b, MlirValue value) {
    static const int32_t order[] = {1, 0};
    MlirType type = mlirValueGetType(value);
    int64_t shape[] = {type_extent(type, 1), type_extent(type, 0)};
    return VALUE(b, OP_TRANS, OPERANDS(value),
                 RESULTS(tensor_type(2, shape, type_element(type), (MlirAttribute){NULL})),
                 ATTRS(attr_i32_array(b, ATTR_ORDER, 2, order)));
}

static MlirValue widened_f8(struct builder *b, MlirValue value) {
    return VALUE(b, OP_FP_TO_FP, OPERANDS(value),
                 RESULTS(type_with_shape_of(mlirValueGetType(value), type_f32(b->ir))),
                 ATTRS(attr_float_rounding(b, ROUNDING_RTNE)));
}

// Codes of e2m1 in the low bits of 32: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
static MlirValue widened_e2m1(struct builder *b, MlirValue code) {
    enum { BIAS = 126, FRACTION = 23, HALF = 0x3f000000 };
    MlirValue exponent = with_constant(b, OP_ANDI, with_constant(b, OP_SHRUI, code, 1), 3);
    MlirValue fraction = with_constant(b, OP_ANDI, code, 1);
    MlirValue high = with_constant(b, OP_SHLI, with_constant(b, OP_ADDI, exponent, BIAS), FRACTION);
    MlirValue normal = build_binary(b, OP_ORI, high, with_constant(b, OP_SHLI, fraction, FRACTION - 1));
    MlirValue small = with_constant(b, OP_MULI, fraction, HALF);
    MlirValue sign = with_constant(b, OP_SHLI, with_constant(b, OP_ANDI, code, 8), 28);
    MlirValue size = build_select(b, equals(b, exponent, 0), small, normal);
    return same(b, OP_BITCAST, build_binary(b, OP_ORI, size, sign), type_f32(b->ir));
}

static MlirValue reshaped(struct builder *b, MlirValue value, const int64_t shape[2]) {
    return VALUE(b, OP_RESHAPE, OPERANDS(value),
                 RESULTS(tensor_type(2, shape, type_element(mlirValueGetType(value)), (MlirAttribute){NULL})),
                 NO_ATTRS);
}

// Two values in each byte, along the last dimension.
static MlirValue unpacked(struct builder *b, MlirValue bytes) {
    MlirValue word = same(b, OP_EXTUI, bytes, type_i32(b->ir));
    MlirValue low = widened_e2m1(b, with_constant(b, OP_ANDI, word, 15));
    MlirValue high = widened_e2m1(b, with_constant(b, OP_SHRUI, word, 4));
    MlirType type = mlirValueGetType(low);
    int64_t shape[] = {type_extent(type, 0), type_extent(type, 1), 2}, joined[] = {shape[0], 2 * shape[1]};
    MlirValue both =
        VALUE(b, OP_JOIN, OPERANDS(low, high),
              RESULTS(tensor_type(3, shape, type_element(type), (MlirAttribute){NULL})), NO_ATTRS);
    return reshaped(b, both, joined);
}

// Scales as f32: powers of two, 255 for NaN, or numbers of e4m3.
static MlirValue factors(struct builder *b, MlirValue scales) {
    enum { NO_NUMBER = 255, FRACTION = 23, LEAST = 0x400000 };
    if (mlirTypeIsAFloat(type_element(mlirValueGetType(scales)))) {
        return widened_f8(b, scales);
    }
    MlirValue bits = same(b, OP_EXTUI, scales, type_i32(b->ir));
    MlirType type = mlirValueGetType(bits);
    MlirValue least = const_int(b, type, LEAST), power = with_constant(b, OP_SHLI, bits, FRACTION);
    MlirValue is_least = equals(b, bits, 0), is_none = equals(b, bits, NO_NUMBER);
    MlirValue number = same(b, OP_BITCAST, build_select(b, is_least, least, power), type_f32(b->ir));
    MlirValue none = const_float(b, mlirValueGetType(number), NAN);
    return build_select(b, is_none, none, number);
}

// x [rows, K] times its scales [rows, G], as bf16.
static MlirValue scaled(struct builder *b, MlirValue x, MlirValue scales) {
    MlirValue factor = factors(b, scales);
    MlirType type = mlirValueGetType(x), element = type_element(type);
    int64_t rows = type_extent(type, 0), groups = type_extent(mlirValueGetType(factor), 1);
    int64_t one[] = {rows, groups, 1}, all[] = {rows, groups, type_extent(type, 1) / groups},
            flat[] = {rows, type_extent(type, 1)};
    MlirValue deep =
        VALUE(b, OP_EXPAND_DIMS, OPERANDS(factor),
              RESULTS(tensor_type(3, one, element, (MlirAttribute){NULL})), ATTRS(attr_i32(b, ATTR_AXIS, 2)));
    MlirValue wide = VALUE(b, OP_BROADCAST, OPERANDS(deep),
                           RESULTS(tensor_type(3, all, element, (MlirAttribute){NULL})), NO_ATTRS);
    return same(b, OP_TRUNCF, build_binary(b, OP_MULF, x, reshaped(b, wide, flat)), type_bf16(b->ir));
}

// An operand with K along its last dimension.
static MlirValue operand(struct builder *b, MlirValue x, MlirValue scales) {
    bool packed = mlirTypeIsAInteger(type_element(mlirValueGetType(x)));
    return scaled(b, packed ? unpacked(b, x) : widened_f8(b, x), scales);
}

static void widen(struct layouts *l, MlirOperation dot) {
    struct builder b = builder_before(l->ir, dot);
    MlirValue left = operand(&b, dot_a(dot), dot_a_scale(dot));
    MlirValue right = transposed(&b, operand(&b, transposed(&b, dot_b(dot)), dot_b_scale(dot)));
    MlirValue made =
        VALUE(&b, OP_DOT, OPERANDS(left, right, dot_c(dot)), RESULTS(mlirValueGetType(dot_c(dot))),
              ATTRS(attr_dot_precision(&b, PRECISION_IEEE)));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(dot, 0), made);
    mlirOperationDestroy(dot);
}

bool layouts_widen_scaled(struct layouts *l) {
    bool any = false;
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) != OP_DOT || !dot_has_scales(l->ops[i])) {
            continue;
        }
        const struct dot_choice *choice = map_get(&l->dots, l->ops[i].ptr);
        if (!choice->mma) {
            remark(l->context, REMARK_MATRIX, l->ops[i],
                   "its operands are multiplied by their scales in f32, and rounded to bf16");
            widen(l, l->ops[i]);
            any = true;
        }
    }
    return any;
}
