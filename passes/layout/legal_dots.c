// legal_dots: every dot gets types of the chip's multiplications.
//
//   sm_80                                                    %x = tk.fp_to_fp %a : f16
//   %d = tk.dot %a, %b, %c : f8E4M3FN, f8E5M2, f16     →     %y = tk.fp_to_fp %b : f16
//                                                            %z = arith.extf %c : f32
//                                                            %s = tk.dot %x, %y, %z : f16, f16, f32
//                                                            %d = arith.truncf %s : f16
//
// If the only use of a dot is one operand of a sum, the other operand becomes the dot's accumulator (`sums +=
// tl.dot(a, b)`). Not for f8 operands: the matrix units add their products up with fewer bits than f32
// (Triton does not fold them either). Not with --fp-contract=off.
//
// Rules, in this order; each keeps the source's values, or computes more precise ones:
//   - a and b get one type. f8 pairs with an instruction stay; else the wider of the two, f32 for f16 with bf16.
//   - f8 without an instruction becomes f16, an exact superset of f8 (bf16 or f32 if the other side has that type).
//   - f16 and bf16 accumulators become f32, truncated after the dot. Exception: f16 operands on chips that
//     accumulate in f16 (NVIDIA), as the source asked; it takes half the registers and is twice as fast on some.
//   - bf16x3 and bf16x6 on f32 become three or six bf16 dots, if the chip multiplies bf16.
// Lowering computes the remaining dots without an instruction by multiply-adds (f32 `ieee` on NVIDIA, bf16 on
// sm_75, f64 on RDNA, i8 with a short K). Integers with floats are refused.
//
// requires: a tile program without layouts
// provides: dots with an instruction for layouts_choose.c
// test:     tests/unit/test_legal_dots.c
#include "passes/layout/legal_dots.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"

// ---- questions ----

bool dot_has_scales(MlirOperation dot) {
    return mlirOperationGetNumOperands(dot) > MMA_OPERANDS;
}

bool dot_operand_type(const struct target *target, MlirOperation dot, MlirType element, enum mma_type *type) {
    if (dot_has_scales(dot)) {
        bool numbers = mlirTypeIsAFloat(type_element(mlirValueGetType(dot_a_scale(dot))));
        *type = mlirTypeIsAInteger(element)      ? (numbers ? MMA_NV_E2M1 : MMA_SCALED_E2M1)
                : mlirTypeIsAFloat8E5M2(element) ? MMA_SCALED_E5M2
                                                 : MMA_SCALED_E4M3;
    } else if (mlirTypeIsAF16(element)) {
        *type = MMA_F16;
    } else if (mlirTypeIsABF16(element)) {
        *type = MMA_BF16;
    } else if (mlirTypeIsAF32(element)) {
        bool rounded = op_dot_precision(dot) == PRECISION_TF32 || op_dot_precision(dot) == PRECISION_TF32X3;
        *type = rounded && mma_exists(target, MMA_TF32, MMA_TF32, MMA_F32) ? MMA_TF32 : MMA_F32;
    } else if (mlirTypeIsAF64(element)) {
        *type = MMA_F64;
    } else if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 8) {
        *type = MMA_I8;
    } else if (mlirTypeIsAFloat8E4M3FN(element)) {
        *type = MMA_E4M3;
    } else if (mlirTypeIsAFloat8E5M2(element)) {
        *type = MMA_E5M2;
    } else if (mlirTypeIsAFloat8E4M3FNUZ(element)) {
        *type = MMA_E4M3_FNUZ;
    } else if (mlirTypeIsAFloat8E5M2FNUZ(element)) {
        *type = MMA_E5M2_FNUZ;
    } else {
        return false;
    }
    return true;
}

// The matrix instruction's types for a dot with these elements; false if there are none.
static bool dot_types(const struct target *target, MlirOperation dot, MlirType a_element, MlirType b_element,
                      MlirType c_element, enum mma_type types[MMA_OPERANDS]) {
    bool integer = mlirTypeIsAInteger(c_element);
    types[MMA_C] = mlirTypeIsAF64(c_element)   ? MMA_F64
                   : mlirTypeIsAF16(c_element) ? MMA_F16
                   : integer                   ? MMA_I32
                                               : MMA_F32;
    return dot_operand_type(target, dot, a_element, &types[MMA_A]) &&
           dot_operand_type(target, dot, b_element, &types[MMA_B]) &&
           (types[MMA_C] != MMA_F32 || mlirTypeIsAF32(c_element)) &&
           (!integer || mlirIntegerTypeGetWidth(c_element) == 32);
}

static const struct mma *instruction_for(const struct target *target, MlirOperation dot, MlirType a_element,
                                         MlirType b_element, MlirType c_element, unsigned warps,
                                         bool whole_rows) {
    MlirType a = mlirValueGetType(dot_a(dot));
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    enum mma_type types[MMA_OPERANDS];
    if (!dot_types(target, dot, a_element, b_element, c_element, types)) {
        return NULL;
    }
    int rank = type_rank(c);
    return mma_select(target, types[MMA_A], types[MMA_B], types[MMA_C], type_extent(c, rank - 2),
                      type_extent(c, rank - 1), type_extent(a, rank - 1), warps, whole_rows);
}

static MlirType operand_element(MlirOperation dot, intptr_t index) {
    return type_element(mlirValueGetType(mlirOperationGetOperand(dot, index)));
}

const struct mma *dot_instruction(const struct target *target, MlirOperation dot, unsigned warps,
                                  bool whole_rows) {
    return instruction_for(target, dot, operand_element(dot, 0), operand_element(dot, 1),
                           operand_element(dot, 2), warps, whole_rows);
}

// The instruction of warpgroups for the dot; `turned`: for the transposed product, right operand first.
static const struct mma *warpgroup_instruction(const struct target *target, MlirOperation dot, unsigned warps,
                                               bool turned) {
    MlirType a = mlirValueGetType(dot_a(dot));
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    enum mma_type types[MMA_OPERANDS];
    if (type_rank(c) != 2 || op_dot_precision(dot) == PRECISION_TF32X3 ||
        !dot_types(target, dot, operand_element(dot, turned), operand_element(dot, !turned),
                   operand_element(dot, 2), types)) {
        return NULL;
    }
    return mma_select_warpgroup(target, types[MMA_A], types[MMA_B], types[MMA_C], type_extent(c, turned),
                                type_extent(c, !turned), type_extent(a, 1), warps);
}

const struct mma *dot_warpgroup_instruction(const struct target *target, MlirOperation dot, unsigned warps) {
    return warpgroup_instruction(target, dot, warps, false);
}

const struct mma *dot_turned_instruction(const struct target *target, MlirOperation dot, unsigned warps) {
    return warpgroup_instruction(target, dot, warps, true);
}

// ---- casts ----

static MlirValue cast(struct builder *b, MlirValue value, MlirType element) {
    MlirType type = mlirValueGetType(value), from = type_element(type);
    if (mlirTypeEqual(from, element)) {
        return value;
    }
    MlirType result = type_with_shape_of(type, element);
    if (mlirTypeIsAInteger(element)) {
        return VALUE(b, OP_EXTSI, OPERANDS(value), RESULTS(result), NO_ATTRS);
    }
    if (type_is_f8(from) || type_is_f8(element) ||
        mlirFloatTypeGetWidth(from) == mlirFloatTypeGetWidth(element)) {
        return VALUE(b, OP_FP_TO_FP, OPERANDS(value), RESULTS(result),
                     ATTRS(attr_float_rounding(b, ROUNDING_RTNE)));
    }
    bool wider = mlirFloatTypeGetWidth(element) > mlirFloatTypeGetWidth(from);
    return VALUE(b, wider ? OP_EXTF : OP_TRUNCF, OPERANDS(value), RESULTS(result), NO_ATTRS);
}

// The type of both operands if they cannot stay as they are.
static MlirType common_type(struct ir *ir, MlirType a, MlirType b) {
    if (mlirTypeIsAInteger(a)) {
        return mlirIntegerTypeGetWidth(a) >= mlirIntegerTypeGetWidth(b) ? a : b;
    }
    if (type_is_f8(a) && type_is_f8(b)) {
        return type_f16(ir);
    }
    if (type_is_f8(a) || type_is_f8(b) || mlirTypeEqual(a, b)) {
        return type_is_f8(a) ? b : a;
    }
    unsigned wa = mlirFloatTypeGetWidth(a), wb = mlirFloatTypeGetWidth(b);
    return wa == wb ? type_f32(ir) : wa > wb ? a : b;
}

// ---- rewriting ----

struct rewrite {
    struct ir *ir;
    const struct target *target;
    struct builder builder;
    MlirOperation dot;
};

// A dot with the attributes of the original one.
static MlirValue make_dot(struct rewrite *r, MlirValue a, MlirValue b, MlirValue c) {
    MlirNamedAttribute attributes[8];
    intptr_t count = mlirOperationGetNumAttributes(r->dot);
    if (count > (intptr_t)(sizeof attributes / sizeof *attributes)) {
        bug("a dot with %d attributes", (int)count);
    }
    for (intptr_t i = 0; i < count; i++) {
        attributes[i] = mlirOperationGetAttribute(r->dot, i);
    }
    return VALUE(&r->builder, OP_DOT, OPERANDS(a, b, c), RESULTS(mlirValueGetType(c)),
                 ((struct attrs){count, attributes}));
}

// value = parts[0] + parts[1] + …, each part the bf16 nearest to the remainder.
static void split_bf16(struct rewrite *r, MlirValue value, unsigned count, MlirValue *parts) {
    struct builder *b = &r->builder;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = cast(b, value, type_bf16(r->ir));
        if (i + 1 < count) {
            MlirValue taken = cast(b, parts[i], type_f32(r->ir));
            value = VALUE(b, OP_SUBF, OPERANDS(value, taken), RESULTS(mlirValueGetType(value)), NO_ATTRS);
        }
    }
}

// +0, the start of a dot's sum.
static bool is_zero(struct ir *ir, MlirValue value) {
    int64_t integer;
    MlirAttribute constant = value_constant(ir, value);
    if (mlirAttributeIsNull(constant)) {
        return false;
    }
    bool is_float = mlirTypeIsAFloat(type_element(mlirValueGetType(value)));
    if (is_float) {
        double number = mlirFloatAttrGetValueDouble(constant);
        return number == 0 && !signbit(number);
    }
    return value_is_constant_int(ir, value, &integer) && integer == 0;
}

// Zeros for NaNs.
static MlirValue without_nans(struct builder *b, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    MlirAttribute unordered = mlirIntegerAttrGet(type_i64(b->ir), FLOAT_UNO);
    MlirValue is_nan =
        VALUE(b, OP_CMPF, OPERANDS(value, value), RESULTS(type_with_shape_of(type, type_i1(b->ir))),
              ATTRS(attr(b, ATTR_PREDICATE, unordered)));
    return build_select(b, is_nan, const_float(b, type, 0), value);
}

// Small products first: then the large one's rounding does not lose their sum. The remainder of an
// infinity is a NaN, and so are its products with other remainders: if the small products add up to a NaN,
// only the large one counts, as in Triton.
static MlirValue bf16_products(struct rewrite *r, MlirValue a, MlirValue b, MlirValue c, bool six) {
    static const unsigned char order[6][2] = {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};
    MlirType type = mlirValueGetType(c);
    MlirValue left[3], right[3], sum = const_float(&r->builder, type, 0);
    split_bf16(r, a, six ? 3 : 2, left);
    split_bf16(r, b, six ? 3 : 2, right);
    for (unsigned i = six ? 0 : 3; i < 6; i++) {
        sum = i == 5 ? without_nans(&r->builder, sum) : sum;
        sum = make_dot(r, left[order[i][0]], right[order[i][1]], sum);
        op_set_word(&r->builder, value_op(sum), WORDS_PRECISION, PRECISION_IEEE);
    }
    return is_zero(r->ir, c) ? sum : build_binary(&r->builder, OP_ADDF, c, sum);
}

static const char *type_name(MlirType element) {
    return mlirTypeIsAInteger(element) ? "integers" : "floating-point numbers";
}

// The types of the operands and of the accumulator; false after an error.
static bool decide(struct rewrite *r, struct diag *diag, MlirType *ab, MlirType *c) {
    MlirType a = operand_element(r->dot, 0), b = operand_element(r->dot, 1);
    *c = operand_element(r->dot, 2);
    bool integer = mlirTypeIsAInteger(a);
    if (integer != mlirTypeIsAInteger(b) || (integer ? 1 : 0) != (mlirTypeIsAInteger(*c) ? 1 : 0)) {
        diag_error(diag, ir_op_location(r->ir, r->dot),
                   "dot: %s cannot multiply %s by %s into %s; cast the operands to one kind", r->target->name,
                   type_name(a), type_name(b), type_name(*c));
        return false;
    }
    bool half = mlirTypeIsAF16(a) && mlirTypeIsAF16(b) && mlirTypeIsAF16(*c) &&
                instruction_for(r->target, r->dot, a, b, *c, 1, false);
    if (!integer && mlirFloatTypeGetWidth(*c) < 32 && !half) {
        *c = type_f32(r->ir);
    }
    *ab = common_type(r->ir, a, b);
    if (!integer && mlirFloatTypeGetWidth(*ab) > mlirFloatTypeGetWidth(*c)) {
        *c = *ab;
    }
    if (mlirTypeIsAF64(*c)) {
        *ab = *c;
    }
    return true;
}

static void rewrite_dot(struct rewrite *r, struct diag *diag) {
    MlirType ab, c_element;
    if (!decide(r, diag, &ab, &c_element)) {
        return;
    }
    MlirValue a = dot_a(r->dot), b = dot_b(r->dot);
    MlirValue c = dot_c(r->dot), result = mlirOperationGetResult(r->dot, 0);
    MlirType original = type_element(mlirValueGetType(result));
    struct builder *builder = &r->builder;
    // A pair of types with an instruction stays as it is (also e4m3 with e5m2).
    if (!instruction_for(r->target, r->dot, operand_element(r->dot, 0), operand_element(r->dot, 1), c_element,
                         1, false)) {
        a = cast(builder, a, ab);
        b = cast(builder, b, ab);
    }
    MlirValue sum = cast(builder, c, c_element);
    bool six = op_dot_precision(r->dot) == PRECISION_BF16X6;
    bool split = (six || op_dot_precision(r->dot) == PRECISION_BF16X3) && mlirTypeIsAF32(ab) &&
                 mma_exists(r->target, MMA_BF16, MMA_BF16, MMA_F32);
    if (!split && value_is(a, dot_a(r->dot)) && value_is(b, dot_b(r->dot)) && value_is(sum, c)) {
        return;
    }
    sum = split ? bf16_products(r, a, b, sum, six) : make_dot(r, a, b, sum);
    mlirValueReplaceAllUsesOfWith(result, cast(builder, sum, original));
    mlirOperationDestroy(r->dot);
}

// ---- sums ----

// The dot defining operand `index` of `sum`, if it may accumulate onto the other operand; null otherwise.
static MlirOperation dot_at(struct ir *ir, MlirOperation sum, intptr_t index) {
    MlirValue value = mlirOperationGetOperand(sum, index);
    MlirOperation dot = value_op(value), none = {NULL};
    if (mlirOperationIsNull(dot) || op_kind(ir, dot) != OP_DOT || !value_has_one_use(value) ||
        !mlirBlockEqual(mlirOperationGetBlock(dot), mlirOperationGetBlock(sum)) || !is_zero(ir, dot_c(dot))) {
        return none;
    }
    for (intptr_t i = 0; i < 2; i++) {
        MlirType element = type_element(mlirValueGetType(mlirOperationGetOperand(dot, i)));
        if (mlirTypeIsAFloat(element) && type_bits(element) < 16) {
            return none;
        }
    }
    return dot;
}

static void fold_sum(struct ir *ir, MlirOperation sum) {
    for (intptr_t index = 0; index < 2; index++) {
        MlirOperation dot = dot_at(ir, sum, index);
        if (!mlirOperationIsNull(dot)) {
            set_dot_c(dot, mlirOperationGetOperand(sum, 1 - index));
            mlirOperationMoveBefore(dot, sum);
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sum, 0), mlirOperationGetResult(dot, 0));
            mlirOperationDestroy(sum);
            return;
        }
    }
}

static void fold_sums(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; context->fp_contract && i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_ADDF || kind == OP_ADDI) {
            fold_sum(context->ir, ops[i]);
        }
    }
}

void pass_legal_dots(struct pass_context *context, MlirModule module) {
    fold_sums(context, module);
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_DOT && !dot_has_scales(ops[i])) { // made for an instruction
            struct rewrite r = {context->ir, context->target, builder_before(context->ir, ops[i]), ops[i]};
            rewrite_dot(&r, context->diag);
        }
    }
}
