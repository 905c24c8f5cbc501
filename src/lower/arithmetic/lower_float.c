// Conversions between float types.
//
// bf16 is the upper half of f32: widening is a shift everywhere. f8 conversions use the chip's instructions
// for the format, or else integer arithmetic on the f32: narrowing rounds to nearest even and saturates to
// the largest finite value (as cvt.satfinite does), NaN stays NaN. fp8e4b15 (MLIR has no such type;
// f8E4M3B11FNUZ represents it) is f16 without its first exponent bit and last seven fraction bits: bias 15,
// no codes for NaN or infinity, values from 1.75 on are 1.75, ties round away from zero, as in Triton.
#include "lower/lower_internal.h"

struct f8_format {
    unsigned mantissa; // bits
    int bias;
    uint32_t max_bits; // largest finite value, as f32
    uint8_t nan;       // without sign if `fnuz` is false
    bool fnuz;         // one NaN, 0x80, and no negative zero
    bool has_infinity;
};

static bool f8_format(MlirType type, struct f8_format *out) {
    if (mlirTypeIsAFloat8E4M3FN(type)) {
        *out = (struct f8_format){3, 7, 0x43E00000, 0x7f, false, false};
    } else if (mlirTypeIsAFloat8E5M2(type)) {
        *out = (struct f8_format){2, 15, 0x47600000, 0x7f, false, true};
    } else if (mlirTypeIsAFloat8E4M3FNUZ(type)) {
        *out = (struct f8_format){3, 8, 0x43700000, 0x80, true, false};
    } else if (mlirTypeIsAFloat8E5M2FNUZ(type)) {
        *out = (struct f8_format){2, 16, 0x47600000, 0x80, true, false};
    } else {
        return false;
    }
    return true;
}

static LLVMValueRef as_float(struct lowering *l, LLVMValueRef bits) {
    return LLVMBuildBitCast(l->b, bits, l->f32, "");
}

static LLVMValueRef as_bits(struct lowering *l, LLVMValueRef value) {
    return LLVMBuildBitCast(l->b, value, l->i32, "");
}

static LLVMValueRef power_of_two(struct lowering *l, int exponent) {
    return as_float(l, lower_i32(l, (uint32_t)(exponent + 127) << 23));
}

static LLVMValueRef f32_to_f8(struct lowering *l, LLVMValueRef value, const struct f8_format *format) {
    unsigned drop = 23 - format->mantissa;
    LLVMValueRef bits = as_bits(l, value);
    LLVMValueRef magnitude = LLVMBuildAnd(l->b, bits, lower_i32(l, 0x7fffffff), "");
    LLVMValueRef is_nan = LLVMBuildICmp(l->b, LLVMIntUGT, magnitude, lower_i32(l, 0x7f800000), "");
    LLVMValueRef clamped = INTRINSIC_OF(l, "llvm.umin", l->i32, magnitude, lower_i32(l, format->max_bits));
    // Normal results: add half an ulp less the tie bit, drop the low bits, change the bias.
    LLVMValueRef odd =
        LLVMBuildAnd(l->b, LLVMBuildLShr(l->b, clamped, lower_i32(l, drop), ""), lower_i32(l, 1), "");
    LLVMValueRef rounded =
        LLVMBuildAdd(l->b, LLVMBuildAdd(l->b, clamped, lower_i32(l, (1u << (drop - 1)) - 1), ""), odd, "");
    LLVMValueRef normal = LLVMBuildSub(l->b, LLVMBuildLShr(l->b, rounded, lower_i32(l, drop), ""),
                                       lower_i32(l, (uint32_t)(127 - format->bias) << format->mantissa), "");
    // Subnormal results: adding a power of two with the same ulp leaves them, rounded, in the low bits.
    LLVMValueRef magic = power_of_two(l, 24 - format->bias - (int)format->mantissa);
    LLVMValueRef shifted = as_bits(l, LLVMBuildFAdd(l->b, as_float(l, clamped), magic, ""));
    LLVMValueRef subnormal = LLVMBuildSub(l->b, shifted, as_bits(l, magic), "");
    LLVMValueRef is_small =
        LLVMBuildICmp(l->b, LLVMIntULT, clamped, lower_i32(l, (uint32_t)(128 - format->bias) << 23), "");
    LLVMValueRef result = LLVMBuildSelect(l->b, is_small, subnormal, normal, "");
    LLVMValueRef sign =
        LLVMBuildAnd(l->b, LLVMBuildLShr(l->b, bits, lower_i32(l, 24), ""), lower_i32(l, 0x80), "");
    if (format->fnuz) {
        LLVMValueRef is_zero = LLVMBuildICmp(l->b, LLVMIntEQ, result, lower_i32(l, 0), "");
        sign = LLVMBuildSelect(l->b, is_zero, lower_i32(l, 0), sign, "");
        result = LLVMBuildOr(l->b, result, sign, "");
        result = LLVMBuildSelect(l->b, is_nan, lower_i32(l, format->nan), result, "");
    } else {
        result = LLVMBuildSelect(l->b, is_nan, lower_i32(l, format->nan), result, "");
        result = LLVMBuildOr(l->b, result, sign, "");
    }
    return LLVMBuildTrunc(l->b, result, l->i8, "");
}

static LLVMValueRef f8_to_f32(struct lowering *l, LLVMValueRef value, const struct f8_format *format) {
    LLVMValueRef wide = LLVMBuildZExt(l->b, value, l->i32, "");
    LLVMValueRef magnitude = LLVMBuildAnd(l->b, wide, lower_i32(l, 0x7f), "");
    LLVMValueRef sign =
        LLVMBuildShl(l->b, LLVMBuildAnd(l->b, wide, lower_i32(l, 0x80), ""), lower_i32(l, 24), "");
    // The exponent field lands in f32's; the product mends the bias and normalises subnormals.
    LLVMValueRef moved = LLVMBuildShl(l->b, magnitude, lower_i32(l, 23 - format->mantissa), "");
    LLVMValueRef scale = power_of_two(l, 127 - format->bias);
    LLVMValueRef result = as_bits(l, LLVMBuildFMul(l->b, as_float(l, moved), scale, ""));
    if (format->has_infinity) {
        LLVMValueRef special = LLVMBuildICmp(l->b, LLVMIntUGE, magnitude, lower_i32(l, 0x7c), "");
        LLVMValueRef as_special = LLVMBuildOr(l->b, moved, lower_i32(l, 0x7f800000), "");
        result = LLVMBuildSelect(l->b, special, as_special, result, "");
    }
    result = LLVMBuildOr(l->b, result, sign, "");
    if (!format->has_infinity) {
        LLVMValueRef code = format->fnuz ? wide : magnitude;
        LLVMValueRef is_nan = LLVMBuildICmp(l->b, LLVMIntEQ, code, lower_i32(l, format->nan), "");
        result = LLVMBuildSelect(l->b, is_nan, lower_i32(l, 0x7fc00000), result, "");
    }
    return as_float(l, result);
}

static bool is_e4b15(MlirType type) {
    return mlirTypeIsAFloat8E4M3B11FNUZ(type);
}

static LLVMValueRef f32_to_e4b15(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef half = LLVMBuildFPTrunc(l->b, value, l->f16, "");
    LLVMValueRef bits = LLVMBuildZExt(l->b, lower_to_bits(l, half), l->i32, "");
    LLVMValueRef magnitude = LLVMBuildAnd(l->b, bits, lower_i32(l, 0x7fff), "");
    LLVMValueRef clamped = INTRINSIC_OF(l, "llvm.umin", l->i32, magnitude, lower_i32(l, 0x3f00));
    LLVMValueRef code =
        LLVMBuildLShr(l->b, LLVMBuildAdd(l->b, clamped, lower_i32(l, 0x40), ""), lower_i32(l, 7), "");
    LLVMValueRef sign =
        LLVMBuildAnd(l->b, LLVMBuildLShr(l->b, bits, lower_i32(l, 8), ""), lower_i32(l, 0x80), "");
    return LLVMBuildTrunc(l->b, LLVMBuildOr(l->b, code, sign, ""), l->i8, "");
}

static LLVMValueRef e4b15_to_f32(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef wide = LLVMBuildZExt(l->b, value, l->i16, "");
    LLVMValueRef sign = LLVMBuildAnd(l->b, wide, LLVMConstInt(l->i16, 0x80, 0), "");
    LLVMValueRef magnitude = LLVMBuildAnd(l->b, wide, LLVMConstInt(l->i16, 0x7f, 0), "");
    sign = LLVMBuildShl(l->b, sign, LLVMConstInt(l->i16, 8, 0), "");
    magnitude = LLVMBuildShl(l->b, magnitude, LLVMConstInt(l->i16, 7, 0), "");
    LLVMValueRef bits = LLVMBuildOr(l->b, sign, magnitude, "");
    return LLVMBuildFPExt(l->b, LLVMBuildBitCast(l->b, bits, l->f16, ""), l->f32, "");
}

// Rounds to f32, and a second rounding to fewer bits then gives the result of a single one: an inexact
// result has its last bit set ("round to odd", Boldo and Melquiond 2008).
static LLVMValueRef f64_to_f32_odd(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef near = LLVMBuildFPTrunc(l->b, value, l->f32, ""),
                 back = LLVMBuildFPExt(l->b, near, l->f64, "");
    LLVMValueRef bits = as_bits(l, near);
    LLVMValueRef size_back = INTRINSIC_OF(l, "llvm.fabs", l->f64, back),
                 size = INTRINSIC_OF(l, "llvm.fabs", l->f64, value);
    LLVMValueRef too_large = LLVMBuildFCmp(l->b, LLVMRealOGT, size_back, size, "");
    LLVMValueRef toward_zero =
        LLVMBuildSelect(l->b, too_large, LLVMBuildSub(l->b, bits, lower_i32(l, 1), ""), bits, "");
    LLVMValueRef inexact = LLVMBuildFCmp(l->b, LLVMRealONE, back, value, "");
    LLVMValueRef odd = LLVMBuildOr(l->b, toward_zero, lower_i32(l, 1), "");
    return as_float(l, LLVMBuildSelect(l->b, inexact, odd, bits, ""));
}

// 32 bits to f32, rounded to odd: f32 holds at least 24 bits of a large number, and the bits below are gathered into the last of these.
// The sum of a negative number's two's complement and the gathered bit is odd as well.
static LLVMValueRef word_to_f32_odd(struct lowering *l, LLVMValueRef word, bool is_signed) {
    LLVMValueRef low = LLVMBuildAnd(l->b, word, lower_i32(l, 0xff), "");
    LLVMValueRef inexact = LLVMBuildICmp(l->b, LLVMIntNE, low, lower_i32(l, 0), "");
    LLVMValueRef last = LLVMBuildSelect(l->b, inexact, lower_i32(l, 0x100), lower_i32(l, 0), "");
    LLVMValueRef high = LLVMBuildAnd(l->b, word, lower_i32(l, 0xffffff00u), "");
    LLVMValueRef odd = LLVMBuildOr(l->b, high, last, "");
    LLVMValueRef from_least = is_signed ? LLVMBuildAdd(l->b, word, lower_i32(l, 1u << 24), "") : word;
    LLVMValueRef exact =
        LLVMBuildICmp(l->b, LLVMIntULE, from_least, lower_i32(l, is_signed ? 1u << 25 : 1u << 24), "");
    LLVMValueRef number = LLVMBuildSelect(l->b, exact, word, odd, "");
    return is_signed ? LLVMBuildSIToFP(l->b, number, l->f32, "") : LLVMBuildUIToFP(l->b, number, l->f32, "");
}

// 64 bits: the magnitude is shifted up by 32 bits, or by fewer if it is too long, and its upper word taken. The lower word is gathered in
// the upper one's last bit.
static LLVMValueRef long_to_f32_odd(struct lowering *l, LLVMValueRef value, bool is_signed) {
    LLVMValueRef no = LLVMConstInt(l->i1, 0, 0), word = LLVMConstInt(l->i64, 32, 0);
    LLVMValueRef size = is_signed ? INTRINSIC_OF(l, "llvm.abs", l->i64, value, no) : value;
    LLVMValueRef free = INTRINSIC_OF(l, "llvm.ctlz", l->i64, size, no);
    LLVMValueRef shift = INTRINSIC_OF(l, "llvm.umin", l->i64, free, word);
    LLVMValueRef moved = LLVMBuildShl(l->b, size, shift, "");
    LLVMValueRef upper = LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, moved, word, ""), l->i32, "");
    LLVMValueRef lower = LLVMBuildTrunc(l->b, moved, l->i32, "");
    LLVMValueRef lost = LLVMBuildICmp(l->b, LLVMIntNE, lower, lower_i32(l, 0), "");
    upper = LLVMBuildOr(l->b, upper, LLVMBuildZExt(l->b, lost, l->i32, ""), "");
    LLVMValueRef exponent =
        LLVMBuildSub(l->b, lower_i32(l, 127 + 32), LLVMBuildTrunc(l->b, shift, l->i32, ""), "");
    LLVMValueRef scale = as_float(l, LLVMBuildShl(l->b, exponent, lower_i32(l, 23), ""));
    LLVMValueRef result = LLVMBuildFMul(l->b, word_to_f32_odd(l, upper, false), scale, "");
    LLVMValueRef negative = LLVMBuildICmp(l->b, LLVMIntSLT, value, LLVMConstInt(l->i64, 0, 0), "");
    return is_signed ? LLVMBuildSelect(l->b, negative, LLVMBuildFNeg(l->b, result, ""), result, "") : result;
}

LLVMValueRef lower_integer_before_bf16(struct lowering *l, LLVMValueRef value, bool is_signed) {
    enum { EXACT = 24 };
    if (lower_is_short(value, EXACT, is_signed)) {
        return is_signed ? LLVMBuildSIToFP(l->b, value, l->f32, "")
                         : LLVMBuildUIToFP(l->b, value, l->f32, "");
    }
    return LLVMTypeOf(value) == l->i64 ? long_to_f32_odd(l, value, is_signed)
                                       : word_to_f32_odd(l, value, is_signed);
}

// Where the value has just been rounded, NVIDIA's conversion of two into one word leaves it as an f32 at once: one of the pair is the
// word's upper half, the other zero. The conversion of a single one takes four times as long, and a shift behind it.
static LLVMValueRef bf16_to_f32(struct lowering *l, LLVMValueRef value) {
    bool rounded = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFPTrunc &&
                   LLVMTypeOf(LLVMGetOperand(value, 0)) == l->f32;
    if (rounded && lower_vendor(l)->takes_f16_apart) {
        LLVMValueRef args[] = {LLVMGetOperand(value, 0), LLVMConstReal(l->f32, 0)};
        return as_float(l, asm_call(l, ASM_CVT_BF16X2_F32, l->i32, args, 2));
    }
    LLVMValueRef bits = LLVMBuildZExt(l->b, lower_to_bits(l, value), l->i32, "");
    return as_float(l, LLVMBuildShl(l->b, bits, lower_i32(l, 16), ""));
}

static LLVMValueRef f32_to_bf16(struct lowering *l, LLVMValueRef value, bool toward_zero) {
    if (!toward_zero && target_rounds_to_bf16(l->target)) {
        return LLVMBuildFPTrunc(l->b, value, l->bf16, "");
    }
    LLVMValueRef bits = as_bits(l, value), kept = bits;
    if (!toward_zero) {
        LLVMValueRef odd =
            LLVMBuildAnd(l->b, LLVMBuildLShr(l->b, bits, lower_i32(l, 16), ""), lower_i32(l, 1), "");
        kept = LLVMBuildAdd(l->b, LLVMBuildAdd(l->b, bits, lower_i32(l, 0x7fff), ""), odd, "");
    }
    LLVMValueRef is_nan = LLVMBuildFCmp(l->b, LLVMRealUNO, value, value, "");
    kept = LLVMBuildSelect(l->b, is_nan, lower_i32(l, 0x7fc00000), kept, "");
    LLVMValueRef half = LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, kept, lower_i32(l, 16), ""), l->i16, "");
    return LLVMBuildBitCast(l->b, half, l->bf16, "");
}

static LLVMValueRef f32_to_f16(struct lowering *l, LLVMValueRef value, bool toward_zero) {
    if (!toward_zero) {
        return LLVMBuildFPTrunc(l->b, lower_before_half(l, value), l->f16, "");
    }
    return lower_vendor(l)->half_toward_zero(l, value);
}

static LLVMValueRef to_f32(struct lowering *l, LLVMValueRef value, MlirType from) {
    struct f8_format format;
    if (f8_format(from, &format)) {
        return f8_to_f32(l, value, &format);
    }
    if (is_e4b15(from)) {
        return e4b15_to_f32(l, value);
    }
    if (mlirTypeIsABF16(from)) {
        return bf16_to_f32(l, value);
    }
    if (mlirTypeIsAF64(from)) {
        return LLVMBuildFPTrunc(l->b, value, l->f32, "");
    }
    return mlirTypeIsAF16(from) ? LLVMBuildFPExt(l->b, value, l->f32, "") : value;
}

// An f32 with the same rounding to bf16 or f8 as the value itself.
static LLVMValueRef before_narrowing(struct lowering *l, LLVMValueRef value, MlirType from) {
    return mlirTypeIsAF64(from) ? f64_to_f32_odd(l, value) : to_f32(l, value, from);
}

LLVMValueRef lower_float_to_float(struct lowering *l, LLVMValueRef value, MlirType from, MlirType to,
                                  bool toward_zero) {
    struct f8_format format;
    if (mlirTypeEqual(from, to)) {
        return value;
    }
    if (mlirTypeIsAF64(from) && mlirTypeIsAF16(to) && !toward_zero) {
        return LLVMBuildFPTrunc(l->b, lower_before_half(l, value), l->f16, "");
    }
    bool narrow = mlirTypeIsABF16(to) || type_is_f8(to);
    LLVMValueRef middle = narrow ? before_narrowing(l, value, from) : to_f32(l, value, from);
    if (mlirTypeIsAF32(to)) {
        return middle;
    }
    if (mlirTypeIsAF64(to)) {
        return LLVMBuildFPExt(l->b, middle, l->f64, "");
    }
    if (mlirTypeIsAF16(to)) {
        return f32_to_f16(l, middle, toward_zero);
    }
    if (mlirTypeIsABF16(to)) {
        return f32_to_bf16(l, middle, toward_zero);
    }
    if (is_e4b15(to)) {
        return f32_to_e4b15(l, middle);
    }
    if (!f8_format(to, &format)) {
        bug("an unknown float type");
    }
    return f32_to_f8(l, middle, &format);
}

LLVMValueRef lower_constant_float(struct lowering *l, MlirType element, double value) {
    if (type_is_f8(element)) {
        struct f8_format format;
        LLVMValueRef single = LLVMConstReal(l->f32, value);
        return f8_format(element, &format) ? f32_to_f8(l, single, &format) : f32_to_e4b15(l, single);
    }
    return LLVMConstReal(lower_type(l, element), value);
}

// sm_89 and later convert two elements at a time.
static bool has_pair_conversion(struct lowering *l, MlirType f8) {
    return target_has(l->target, FEATURE(CVT_FP8)) &&
           (mlirTypeIsAFloat8E4M3FN(f8) || mlirTypeIsAFloat8E5M2(f8));
}

static void narrow_pairs(struct lowering *l, const struct values *from, MlirType element, MlirType to,
                         struct values *out) {
    enum asm_id id = mlirTypeIsAFloat8E4M3FN(to) ? ASM_CVT_E4M3X2_F32 : ASM_CVT_E5M2X2_F32;
    for (unsigned r = 0; r < from->count; r += 2) {
        unsigned second = r + 1 < from->count ? r + 1 : r;
        LLVMValueRef args[] = {before_narrowing(l, from->at[r], element),
                               before_narrowing(l, from->at[second], element)};
        LLVMValueRef pair = asm_call(l, id, l->i16, args, 2);
        out->at[r] = LLVMBuildTrunc(l->b, pair, l->i8, "");
        if (second != r) {
            out->at[second] =
                LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, pair, LLVMConstInt(l->i16, 8, 0), ""), l->i8, "");
        }
    }
}

static void widen_pairs(struct lowering *l, const struct values *from, MlirType element, MlirType to,
                        struct values *out) {
    enum asm_id id = mlirTypeIsAFloat8E4M3FN(element) ? ASM_CVT_F16X2_E4M3X2 : ASM_CVT_F16X2_E5M2X2;
    MlirType half = mlirF16TypeGet(l->ir->context);
    for (unsigned r = 0; r < from->count; r += 2) {
        unsigned second = r + 1 < from->count ? r + 1 : r;
        LLVMValueRef low = LLVMBuildZExt(l->b, from->at[r], l->i16, "");
        LLVMValueRef high = LLVMBuildZExt(l->b, from->at[second], l->i16, "");
        LLVMValueRef pair =
            LLVMBuildOr(l->b, low, LLVMBuildShl(l->b, high, LLVMConstInt(l->i16, 8, 0), ""), "");
        LLVMValueRef words = asm_call(l, id, l->i32, &pair, 1), halves[2];
        lower_unpack(l, &words, l->f16, 2, halves);
        out->at[r] = lower_float_to_float(l, halves[0], half, to, false);
        if (second != r) {
            out->at[second] = lower_float_to_float(l, halves[1], half, to, false);
        }
    }
}

void lower_fp_to_fp(struct lowering *l, MlirOperation op) {
    struct values *from = lower_values(l, unary_source(op)), *out = lower_result(l, op, 0);
    MlirType element = lower_element(unary_source(op)), to = lower_element(mlirOperationGetResult(op, 0));
    bool toward_zero = op_float_rounding(op) == ROUNDING_RTZ;
    if (toward_zero && (type_is_f8(to) || mlirTypeIsAF64(element))) {
        lower_error(l, "rounding toward zero is supported from f32 and narrower to f16 and bf16 only");
        return;
    }
    if (type_is_f8(to) && !type_is_f8(element) && has_pair_conversion(l, to)) {
        narrow_pairs(l, from, element, to, out);
        return;
    }
    if (type_is_f8(element) && !type_is_f8(to) && has_pair_conversion(l, element)) {
        widen_pairs(l, from, element, to, out);
        return;
    }
    for (unsigned r = 0; r < from->count; r++) {
        out->at[r] = lower_float_to_float(l, from->at[r], element, to, toward_zero);
    }
}
