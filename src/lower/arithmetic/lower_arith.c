// Elementwise arithmetic: element r of the result from element r of the operands. Ops that are one LLVM
// instruction or one intrinsic are rows of tables; the rest have a case.
//
// No fast-math flag is set anywhere, and FMAs come from math.fma alone, so nothing after this module changes
// a value. bf16 arithmetic is done in f32 and rounded once: the same result for +, -, *, / and sqrt.
#include "lower/lower_internal.h"

static const LLVMOpcode opcodes[OP_KIND_COUNT] = {
    [OP_ADDI] = LLVMAdd,    [OP_SUBI] = LLVMSub,  [OP_MULI] = LLVMMul,  [OP_ANDI] = LLVMAnd,
    [OP_ORI] = LLVMOr,      [OP_XORI] = LLVMXor,  [OP_SHLI] = LLVMShl,  [OP_SHRSI] = LLVMAShr,
    [OP_SHRUI] = LLVMLShr,  [OP_ADDF] = LLVMFAdd, [OP_SUBF] = LLVMFSub, [OP_MULF] = LLVMFMul,
    [OP_DIV_RN] = LLVMFDiv,
};

static const LLVMOpcode divisions[OP_KIND_COUNT] = {
    [OP_DIVSI] = LLVMSDiv, [OP_DIVUI] = LLVMUDiv, [OP_REMSI] = LLVMSRem, [OP_REMUI] = LLVMURem};

static const LLVMOpcode casts[OP_KIND_COUNT] = {
    [OP_EXTSI] = LLVMSExt,    [OP_EXTUI] = LLVMZExt,    [OP_TRUNCI] = LLVMTrunc,  [OP_SITOFP] = LLVMSIToFP,
    [OP_UITOFP] = LLVMUIToFP, [OP_FPTOSI] = LLVMFPToSI, [OP_FPTOUI] = LLVMFPToUI,
};

static const char *const intrinsics[OP_KIND_COUNT] = {
    [OP_MINSI] = "llvm.smin",     [OP_MAXSI] = "llvm.smax",  [OP_MINUI] = "llvm.umin",
    [OP_MAXUI] = "llvm.umax",     [OP_ABSF] = "llvm.fabs",   [OP_FLOOR] = "llvm.floor",
    [OP_CEIL] = "llvm.ceil",      [OP_TRUNC] = "llvm.trunc", [OP_ROUNDEVEN] = "llvm.roundeven",
    [OP_FMA] = "llvm.fma",        [OP_CTPOP] = "llvm.ctpop", [OP_MINNUMF] = "llvm.minnum",
    [OP_MAXNUMF] = "llvm.maxnum",
};

static const LLVMRealPredicate float_predicates[] = {[FLOAT_FALSE] = LLVMRealPredicateFalse,
                                                     [FLOAT_OEQ] = LLVMRealOEQ,
                                                     [FLOAT_OGT] = LLVMRealOGT,
                                                     [FLOAT_OGE] = LLVMRealOGE,
                                                     [FLOAT_OLT] = LLVMRealOLT,
                                                     [FLOAT_OLE] = LLVMRealOLE,
                                                     [FLOAT_ONE] = LLVMRealONE,
                                                     [FLOAT_ORD] = LLVMRealORD,
                                                     [FLOAT_UEQ] = LLVMRealUEQ,
                                                     [FLOAT_UGT] = LLVMRealUGT,
                                                     [FLOAT_UGE] = LLVMRealUGE,
                                                     [FLOAT_ULT] = LLVMRealULT,
                                                     [FLOAT_ULE] = LLVMRealULE,
                                                     [FLOAT_UNE] = LLVMRealUNE,
                                                     [FLOAT_UNO] = LLVMRealUNO,
                                                     [FLOAT_TRUE] = LLVMRealPredicateTrue};
static const LLVMIntPredicate int_predicates[] = {
    [INT_EQ] = LLVMIntEQ,   [INT_NE] = LLVMIntNE,   [INT_SLT] = LLVMIntSLT, [INT_SLE] = LLVMIntSLE,
    [INT_SGT] = LLVMIntSGT, [INT_SGE] = LLVMIntSGE, [INT_ULT] = LLVMIntULT, [INT_ULE] = LLVMIntULE,
    [INT_UGT] = LLVMIntUGT, [INT_UGE] = LLVMIntUGE};

// The properties of one elementwise op used for each register.
struct elementwise {
    MlirOperation op;
    enum op_kind kind;
    MlirType from, to; // element types of the first operand and the result, after bf16 became f32
    int predicate;
    bool narrow;  // of addptr
    bool by_few;  // of divf: several of a thread's elements have one divisor
    bool to_bf16; // the result, an f32, is rounded to bf16 next
};

static LLVMValueRef fast_divide(struct lowering *l, LLVMValueRef a, LLVMValueRef b, bool by_few) {
    LLVMTypeRef type = LLVMTypeOf(a);
    const struct lower_vendor *vendor = lower_vendor(l);
    if (!vendor->quotient || type == l->f64 || (LLVMIsConstant(a) && LLVMIsConstant(b))) {
        return LLVMBuildFDiv(l->b, a, b, "");
    }
    LLVMValueRef args[] = {a, b};
    if (type == l->f16) {
        args[0] = LLVMBuildFPExt(l->b, a, l->f32, "");
        args[1] = LLVMBuildFPExt(l->b, b, l->f32, "");
    }
    LLVMValueRef quotient = vendor->quotient(l, args[0], args[1], by_few);
    return type == l->f16 ? LLVMBuildFPTrunc(l->b, quotient, l->f16, "") : quotient;
}

// C's fmod, for quotients exact in f32 or f64: a - trunc(a/b)·b, with one rounding.
static LLVMValueRef remainder_of(struct lowering *l, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef quotient = INTRINSIC_OF(l, "llvm.trunc", type, LLVMBuildFDiv(l->b, a, b, ""));
    LLVMValueRef rest = INTRINSIC_OF(l, "llvm.fma", type, LLVMBuildFNeg(l->b, quotient, ""), b, a);
    LLVMValueRef infinite = LLVMBuildFCmp(l->b, LLVMRealOEQ, INTRINSIC_OF(l, "llvm.fabs", type, b),
                                          LLVMConstReal(type, __builtin_inf()), "");
    LLVMValueRef finite_a = LLVMBuildFCmp(l->b, LLVMRealONE, INTRINSIC_OF(l, "llvm.fabs", type, a),
                                          LLVMConstReal(type, __builtin_inf()), "");
    rest = LLVMBuildSelect(l->b, LLVMBuildAnd(l->b, infinite, finite_a, ""), a, rest, "");
    return INTRINSIC_OF(l, "llvm.copysign", type, rest, a);
}

// Minimum and maximum with NaN propagation.
static LLVMValueRef nan_min_max(struct lowering *l, enum op_kind kind, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    bool low = kind == OP_MINIMUMF;
    if (l->target->compute_capability >= 80 && type != l->f64) { // NVIDIA's from sm_80 on
        return INTRINSIC_OF(l, low ? "llvm.minimum" : "llvm.maximum", type, a, b);
    }
    LLVMValueRef either = INTRINSIC_OF(l, low ? "llvm.minnum" : "llvm.maxnum", type, a, b);
    LLVMValueRef is_nan = LLVMBuildFCmp(l->b, LLVMRealUNO, a, b, "");
    return LLVMBuildSelect(l->b, is_nan, LLVMBuildFAdd(l->b, a, b, ""), either, "");
}

static LLVMValueRef copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign) {
    LLVMTypeRef type = LLVMTypeOf(size);
    bool folds = LLVMIsConstant(size) && LLVMIsConstant(sign);
    return type == l->f32 && !folds ? lower_vendor(l)->copy_sign(l, size, sign)
                                    : INTRINSIC_OF(l, "llvm.copysign", type, size, sign);
}

static LLVMValueRef transcendental(struct lowering *l, const struct elementwise *e, LLVMValueRef x) {
    enum op_kind kind = e->kind;
    LLVMTypeRef type = LLVMTypeOf(x);
    if (type == l->f64) {
        if (kind == OP_SQRT || kind == OP_SQRT_RN) {
            return INTRINSIC_OF(l, "llvm.sqrt", type, x);
        }
        if (kind == OP_RSQRT) {
            return LLVMBuildFDiv(l->b, LLVMConstReal(type, 1.0), INTRINSIC_OF(l, "llvm.sqrt", type, x), "");
        }
        lower_error(l, "%s of f64 has no instruction on %s", op_table[kind].name, l->target->name);
        return x;
    }
    LLVMValueRef wide = type == l->f16 ? LLVMBuildFPExt(l->b, x, l->f32, "") : x;
    LLVMValueRef result =
        lower_vendor(l)->transcendental(l, kind, wide, op_has(e->op, ATTR_SUBNORMAL), type == l->f16);
    return type == l->f16 ? LLVMBuildFPTrunc(l->b, result, l->f16, "") : result;
}

// True for a maximum with a positive constant.
static bool is_positive(LLVMValueRef value) {
    static const char name[] = "llvm.smax";
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    if (!callee || !LLVMIsAFunction(callee) ||
        LLVMGetIntrinsicID(callee) != LLVMLookupIntrinsicID(name, sizeof name - 1)) {
        return false;
    }
    LLVMValueRef least = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(least) && LLVMConstIntGetSExtValue(least) > 0;
}

// True if all lanes have the same value: for a scalar, unless it represents an element in a combining region.
static bool is_uniform(struct lowering *l, MlirOperation op) {
    bool uniform = !lower_layout(l, mlirOperationGetResult(op, 0));
    for (op = mlirOperationGetParentOperation(op); uniform && !mlirOperationIsNull(op);
         op = mlirOperationGetParentOperation(op)) {
        enum op_kind kind = op_kind(l->ir, op);
        uniform = kind != OP_REDUCE && kind != OP_PARTIAL_REDUCE && kind != OP_SCAN;
    }
    return uniform;
}

// LLVM 19's AMDGPU back end divides numbers of few bits by floats, and counts the bits of an unsigned number
// as if it were signed: -1 as a u64, extended from 8 bits, counts as one bit, not 64. So a dividend with a
// possible highest bit is hidden from LLVM. Not needed for division by a 32-bit constant, a multiplication,
// nor for narrower types, extended first.
static LLVMValueRef unsigned_dividend(struct lowering *l, MlirOperation op, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x);
    unsigned bits = LLVMGetIntTypeWidth(type);
    bool is_safe = bits < 32 || (bits == 32 && LLVMIsAConstantInt(y));
    bool is_low = LLVMIsAZExtInst(x) || (LLVMIsAConstantInt(x) && LLVMConstIntGetSExtValue(x) >= 0);
    if (!lower_vendor(l)->miscounts_dividends || is_safe || is_low) {
        return x;
    }
    return is_uniform(l, op) ? INTRINSIC_OF(l, "llvm.amdgcn.readfirstlane", type, x)
                             : asm_call(l, ASM_AMD_UNKNOWN, type, &x, 1);
}

// Integer division, defined for all operands: lanes with unused results divide by arbitrary values, and
// copies of a loop's body may run for iterations that do not exist. The divisor 0 is replaced by the number
// with only the highest bit set: x / 0 is 0 and x % 0 is x for every non-negative x. The smallest number
// divided by -1 is itself. LLVM leaves both cases undefined; chips do not trap. A divisor known to be
// positive needs no guard: guards cost instructions, and LLVM time, for known-bits queries on each select.
static LLVMValueRef divide(struct lowering *l, const struct elementwise *e, LLVMValueRef x, LLVMValueRef y) {
    enum op_kind kind = e->kind;
    LLVMTypeRef type = LLVMTypeOf(x);
    unsigned bits = LLVMGetIntTypeWidth(type);
    bool is_signed = kind == OP_DIVSI || kind == OP_REMSI;
    bool constant = LLVMIsAConstantInt(y) && LLVMConstIntGetSExtValue(y) != 0 &&
                    !(is_signed && LLVMConstIntGetSExtValue(y) == -1);
    x = is_signed ? x : unsigned_dividend(l, e->op, x, y);
    if (constant || is_positive(y)) {
        return LLVMBuildBinOp(l->b, divisions[kind], x, y, "");
    }
    enum { COST = 2 }; // the guard's instructions, beside the op's own
    lower_take(l, COST);
    LLVMValueRef zero = LLVMConstInt(type, 0, 0), one = LLVMConstInt(type, 1, 0);
    LLVMValueRef highest = LLVMConstInt(type, 1ull << (bits - 1), 0), all = LLVMConstAllOnes(type);
    LLVMValueRef divisor = LLVMBuildFreeze(l->b, y, ""), negates = NULL;
    LLVMValueRef is_zero = LLVMBuildICmp(l->b, LLVMIntEQ, divisor, zero, "");
    LLVMValueRef safe = LLVMBuildSelect(l->b, is_zero, highest, divisor, "");
    if (is_signed) {
        negates = LLVMBuildICmp(l->b, LLVMIntEQ, divisor, all, "");
        safe = LLVMBuildSelect(l->b, negates, one, safe, "");
    }
    LLVMValueRef result = LLVMBuildBinOp(l->b, divisions[kind], x, safe, "");
    return kind == OP_DIVSI ? LLVMBuildSelect(l->b, negates, LLVMBuildNeg(l->b, x, ""), result, "") : result;
}

static LLVMValueRef multiply_high(struct lowering *l, LLVMValueRef a, LLVMValueRef b) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
    LLVMTypeRef wide = lower_int_type(l, 2 * bits);
    LLVMValueRef x = LLVMBuildZExt(l->b, a, wide, ""), y = LLVMBuildZExt(l->b, b, wide, "");
    LLVMValueRef product = LLVMBuildMul(l->b, x, y, "");
    return LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, product, LLVMConstInt(wide, bits, 0), ""), LLVMTypeOf(a),
                          "");
}

static LLVMValueRef add_pointer(struct lowering *l, MlirType pointer, LLVMValueRef base, LLVMValueRef index) {
    unsigned bits = lower_storage_bits(tk_ptr_pointee(l->ir, pointer));
    return LLVMBuildGEP2(l->b, lower_int_type(l, bits), base, &index, 1, "");
}

// A sum done by AMD's loads and stores themselves if the base is uniform.
static LLVMValueRef add_bytes(struct lowering *l, LLVMValueRef base, LLVMValueRef offset) {
    LLVMValueRef index = LLVMBuildZExt(l->b, offset, l->i64, "");
    return LLVMBuildGEP2(l->b, l->i8, base, &index, 1, "");
}

static LLVMValueRef float_cast(struct lowering *l, const struct elementwise *e, LLVMValueRef value) {
    return lower_float_to_float(l, value, e->from, e->to, false);
}

// The chip defines the result for a float out of the integer's range. If LLVM knew such a float, it would
// fold the result to poison.
static LLVMValueRef cast(struct lowering *l, const struct elementwise *e, LLVMValueRef value) {
    enum { SIZE_OF_WORD = 31 };
    bool to_integer = e->kind == OP_FPTOSI || e->kind == OP_FPTOUI;
    LLVMTypeRef type = lower_type(l, e->to);
    if (to_integer && lower_may_be_known(value)) {
        value = lower_hidden(l, value);
    } else if (type == l->f16) {
        value = lower_before_half(l, value);
    }
    if (e->to_bf16 && (e->kind == OP_SITOFP || e->kind == OP_UITOFP)) {
        return lower_integer_before_bf16(l, value, e->kind == OP_SITOFP);
    }
    bool of_integer = e->kind == OP_SITOFP || e->kind == OP_UITOFP;
    if (of_integer && LLVMTypeOf(value) == l->i64 &&
        lower_is_short(value, SIZE_OF_WORD, e->kind == OP_SITOFP)) {
        value = LLVMBuildTrunc(l->b, value, l->i32, ""); // of 64 bits a float takes several instructions
    }
    LLVMValueRef result = LLVMBuildCast(l->b, casts[e->kind], value, type, "");
    return LLVMIsPoison(result) ? LLVMBuildCast(l->b, casts[e->kind], lower_hidden(l, value), type, "")
                                : result;
}

static LLVMValueRef compute(struct lowering *l, const struct elementwise *e, LLVMValueRef *a,
                            unsigned count) {
    if (opcodes[e->kind]) {
        return LLVMBuildBinOp(l->b, opcodes[e->kind], a[0], a[1], "");
    }
    if (divisions[e->kind]) {
        return divide(l, e, a[0], a[1]);
    }
    if (casts[e->kind]) {
        return cast(l, e, a[0]);
    }
    if (intrinsics[e->kind]) {
        LLVMTypeRef type = LLVMTypeOf(a[0]);
        return lower_intrinsic(l, intrinsics[e->kind], &type, 1, a, count);
    }
    switch (e->kind) {
    case OP_ADDPTR:
        return e->narrow ? add_bytes(l, a[0], a[1]) : add_pointer(l, e->from, a[0], a[1]);
    case OP_PTR_CAST:
        return a[0];
    case OP_PTR_TO_INT:
        return LLVMBuildPtrToInt(l->b, a[0], l->i64, "");
    case OP_INT_TO_PTR:
        return LLVMBuildIntToPtr(l->b, a[0], l->global_ptr, "");
    case OP_MULHI:
        return multiply_high(l, a[0], a[1]);
    case OP_CMPI:
        return LLVMBuildICmp(l->b, int_predicates[e->predicate], a[0], a[1], "");
    case OP_CMPF:
        return LLVMBuildFCmp(l->b, float_predicates[e->predicate], a[0], a[1], "");
    case OP_SELECT:
        return LLVMBuildSelect(l->b, a[0], a[1], a[2], "");
    case OP_DIVF:
        return fast_divide(l, a[0], a[1], e->by_few);
    case OP_REMF:
        return remainder_of(l, a[0], a[1]);
    case OP_NEGF:
        return LLVMBuildFNeg(l->b, a[0], "");
    case OP_MINIMUMF:
    case OP_MAXIMUMF:
        return nan_min_max(l, e->kind, a[0], a[1]);
    case OP_FMA_SATURATED:
        return lower_vendor(l)->fma_saturated(l, a);
    case OP_COPYSIGN:
        return copy_sign(l, a[0], a[1]);
    case OP_EXTF:
    case OP_TRUNCF:
        return float_cast(l, e, a[0]);
    case OP_BITCAST:
        return lower_from_bits(l, lower_to_bits(l, a[0]), lower_type(l, e->to));
    case OP_ABSI:
        return INTRINSIC_OF(l, "llvm.abs", LLVMTypeOf(a[0]), a[0], LLVMConstInt(l->i1, 0, 0));
    case OP_CTLZ:
        return INTRINSIC_OF(l, "llvm.ctlz", LLVMTypeOf(a[0]), a[0], LLVMConstInt(l->i1, 0, 0));
    case OP_ROUND_TF32:
        return lower_vendor(l)->tf32(l, a[0]);
    case OP_EXP2:
    case OP_LOG2:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_RECIPROCAL:
    case OP_RECIPROCAL_ROOT:
    case OP_SQRT_RN:
        return transcendental(l, e, a[0]);
    default:
        lower_error(l, "%s is not supported on %s", op_table[e->kind].name, l->target->name);
        return LLVMGetPoison(lower_type(l, e->to));
    }
}

// Ops that only move or compare bits, or convert themselves, take bf16 as it is. An integer that f32 may not hold becomes bf16 by an
// instruction from sm_90 on.
static bool keeps_bf16(struct lowering *l, const struct elementwise *e) {
    enum op_kind kind = e->kind;
    bool of_integer = kind == OP_SITOFP || kind == OP_UITOFP;
    return kind == OP_SELECT || kind == OP_BITCAST || kind == OP_EXTF || kind == OP_TRUNCF ||
           kind == OP_NEGF || kind == OP_ABSF ||
           (of_integer && type_bits(e->from) > 16 && target_has(l->target, FEATURE(SM90)));
}

// Whether only the sign of 16 or 8 bits changes: there is no instruction for bf16 and f8, and LLVM takes f16 through f32 for its
// absolute value.
static bool is_of_sign(struct lowering *l, const struct elementwise *e) {
    MlirType type = lower_element(leading_operand(e->op));
    return ((mlirTypeIsABF16(type) || type_is_f8(type)) && (e->kind == OP_NEGF || e->kind == OP_ABSF)) ||
           (mlirTypeIsAF16(type) && e->kind == OP_ABSF && lower_vendor(l)->takes_f16_apart);
}

// Where a format has one zero and one NaN, their codes are 0 and the sign bit: both stay as they are.
static LLVMValueRef sign_bit(struct lowering *l, const struct elementwise *e, LLVMValueRef value) {
    LLVMValueRef bits = lower_to_bits(l, value);
    LLVMTypeRef type = LLVMTypeOf(bits);
    uint64_t sign = 1ull << (LLVMGetIntTypeWidth(type) - 1);
    LLVMValueRef size = LLVMBuildAnd(l->b, bits, LLVMConstInt(type, sign - 1, 0), "");
    LLVMValueRef result =
        e->kind == OP_NEGF ? LLVMBuildXor(l->b, bits, LLVMConstInt(type, sign, 0), "") : size;
    if (mlirTypeIsAFloat8E4M3FNUZ(e->from) || mlirTypeIsAFloat8E5M2FNUZ(e->from)) {
        LLVMValueRef stays = LLVMBuildICmp(l->b, LLVMIntEQ, size, LLVMConstInt(type, 0, 0), "");
        result = LLVMBuildSelect(l->b, stays, bits, result, "");
    }
    return lower_from_bits(l, result, LLVMTypeOf(value));
}

uint32_t lower_alike(struct lowering *l, MlirOperation op) {
    const struct layout *layout = lower_layout(l, mlirOperationGetResult(op, 0));
    const int32_t *constancy;
    if (!layout || op_i32_array(op, ATTR_CONSTANCY, &constancy, l->arena) != (intptr_t)layout->rank) {
        return 0;
    }
    return layout_alike(layout, constancy);
}

static bool is_rounded(const struct values *operand) {
    return LLVMIsAInstruction(operand->at[0]) && LLVMGetInstructionOpcode(operand->at[0]) == LLVMFPTrunc;
}

// True for a mask or set bits of a 16-bit integer that is only read as a float.
static bool makes_half(struct lowering *l, MlirOperation op) {
    bool bits = false;
    enum op_kind kind = op_kind(l->ir, op);
    for (; kind == OP_ANDI || kind == OP_ORI; kind = op_kind(l->ir, op)) {
        MlirValue result = mlirOperationGetResult(op, 0);
        if (type_bits(lower_element(result)) != 16 || !value_has_one_use(result)) {
            return false;
        }
        op = mlirOpOperandGetOwner(mlirValueGetFirstUse(result));
        bits = true;
    }
    return bits && kind == OP_BITCAST;
}

// True for a sign of a 16-bit float, changed or cleared without arithmetic behind: instructions of arithmetic negate operands for nothing.
static bool is_sign_of_words(const struct lowering *l, const struct elementwise *e) {
    MlirValue result = mlirOperationGetResult(e->op, 0);
    bool words =
        (e->kind == OP_NEGF || e->kind == OP_ABSF) && (mlirTypeIsAF16(e->from) || mlirTypeIsABF16(e->from));
    for (MlirOpOperand use = mlirValueGetFirstUse(result); words && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        words = !(op_traits(op_kind(l->ir, mlirOpOperandGetOwner(use))) & ELEMENTWISE);
    }
    return words;
}

// From sm_90 on one instruction adds or multiplies two bf16 in a word, with the result of f32 rounded once; from sm_80 on a multiply-add
// does both, with a factor of 1 or with -0 added, which changes no sum's sign.
// In f32 they are unpacked, computed one by one, and packed again: four times as many instructions. For f16,
// with scalar instructions, ptxas makes pairs itself (explicit pairs took up to a twentieth longer), but not
// of values just rounded, which come in pairs. Masks and bits that make floats of 16-bit integers (small_floats)
// are set for both elements of a word at once, and so are signs.
static bool takes_pairs(struct lowering *l, const struct elementwise *e, struct values *const operands[],
                        unsigned registers, uint32_t repeated) {
    bool bits = makes_half(l, e->op);
    bool signs = is_sign_of_words(l, e);
    bool has = bits || signs || e->kind == OP_ADDF || e->kind == OP_SUBF || e->kind == OP_MULF;
    if (!has || registers < 2 || repeated & 1 || !(signs || lower_vendor(l)->takes_f16_apart)) {
        return false;
    }
    return bits || signs ? true
           : mlirTypeIsABF16(e->from)
               ? target_has(l->target, FEATURE(BF16))
               : mlirTypeIsAF16(e->from) && (is_rounded(operands[0]) || is_rounded(operands[1]));
}

static LLVMValueRef pair_of(struct lowering *l, const struct values *of, unsigned r) {
    LLVMValueRef pair = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(of->at[0]), 2));
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef value = of->at[of->count == 1 ? 0 : r + i];
        pair = LLVMBuildInsertElement(l->b, pair, value, lower_i32(l, (int)i), "");
    }
    return pair;
}

// x + y, x - y or x * y of bf16 as a multiply-add.
static LLVMValueRef multiply_add(struct lowering *l, enum op_kind kind, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x);
    double constant = kind == OP_MULF ? -0.0 : kind == OP_ADDF ? 1 : -1;
    LLVMValueRef one = LLVMConstReal(l->bf16, constant), two[] = {one, one}, both = LLVMConstVector(two, 2);
    LLVMValueRef args[] = {kind == OP_SUBF ? y : x, kind == OP_MULF ? y : both,
                           kind == OP_MULF   ? both
                           : kind == OP_ADDF ? y
                                             : x};
    return lower_intrinsic(l, "llvm.fma", &type, 1, args, 3);
}

// Both signs of a word: the other ones, or cleared.
static LLVMValueRef signs_of_pair(struct lowering *l, enum op_kind kind, LLVMValueRef pair) {
    LLVMValueRef word = LLVMBuildBitCast(l->b, pair, l->i32, "");
    word = kind == OP_NEGF ? LLVMBuildXor(l->b, word, lower_i32(l, 0x80008000u), "")
                           : LLVMBuildAnd(l->b, word, lower_i32(l, 0x7fff7fffu), "");
    return LLVMBuildBitCast(l->b, word, LLVMTypeOf(pair), "");
}

static LLVMValueRef lower_pair(struct lowering *l, enum op_kind kind, LLVMValueRef x, LLVMValueRef y) {
    LLVMOpcode opcode = kind == OP_ADDF   ? LLVMFAdd
                        : kind == OP_SUBF ? LLVMFSub
                        : kind == OP_ANDI ? LLVMAnd
                        : kind == OP_ORI  ? LLVMOr
                                          : LLVMFMul;
    bool adds_only = LLVMTypeOf(x) == LLVMVectorType(l->bf16, 2) && !target_has(l->target, FEATURE(SM90));
    return adds_only ? multiply_add(l, kind, x, y) : LLVMBuildBinOp(l->b, opcode, x, y, "");
}

static void lower_pairs(struct lowering *l, enum op_kind kind, struct values *const operands[],
                        uint32_t repeated, struct values *out) {
    bool signs = kind == OP_NEGF || kind == OP_ABSF;
    for (unsigned r = 0; r < out->count; r += 2) {
        if (r & repeated) {
            out->at[r] = out->at[r & ~repeated];
            out->at[r + 1] = out->at[(r + 1) & ~repeated];
            continue;
        }
        LLVMValueRef x = pair_of(l, operands[0], r);
        LLVMValueRef pair =
            signs ? signs_of_pair(l, kind, x) : lower_pair(l, kind, x, pair_of(l, operands[1], r));
        for (unsigned i = 0; i < 2; i++) {
            out->at[r + i] = LLVMBuildExtractElement(l->b, pair, lower_i32(l, (int)i), "");
        }
    }
}

void lower_elementwise(struct lowering *l, MlirOperation op) {
    struct elementwise e = {.op = op, .kind = op_kind(l->ir, op)};
    unsigned count = (unsigned)mlirOperationGetNumOperands(op);
    MlirType f32 = mlirF32TypeGet(l->ir->context);
    e.from = lower_element(leading_operand(op));
    e.to = lower_element(mlirOperationGetResult(op, 0));
    e.predicate = (int)op_int(op, ATTR_PREDICATE);
    e.narrow = op_has(op, ATTR_NARROW);
    struct values *operands[3], *out = lower_result(l, op, 0);
    bool of_sign = is_of_sign(l, &e), wide = !keeps_bf16(l, &e), widened[3] = {false};
    for (unsigned i = 0; i < count && i < 3; i++) {
        operands[i] = lower_operand(l, op, i);
        widened[i] = wide && mlirTypeIsABF16(lower_element(mlirOperationGetOperand(op, i)));
    }
    uint32_t repeated = lower_alike(l, op);
    if (takes_pairs(l, &e, operands, out->count, repeated)) {
        lower_pairs(l, e.kind, operands, repeated, out);
        return;
    }
    bool bf16_in = mlirTypeIsABF16(e.from), bf16_out = mlirTypeIsABF16(e.to);
    MlirType bf16 = mlirBF16TypeGet(l->ir->context);
    e.from = bf16_in && wide ? f32 : e.from;
    e.to_bf16 = bf16_out && wide;
    e.to = e.to_bf16 ? f32 : e.to;
    for (unsigned r = 1; e.kind == OP_DIVF && r < out->count; r++) {
        const struct values *by = operands[1];
        e.by_few |= !(r & repeated) && by->at[0] == by->at[by->count == 1 ? 0 : r];
    }
    for (unsigned r = 0; r < out->count; r++) {
        LLVMValueRef a[3];
        if (lower_exponential_is_polynomial(l, op, r, repeated, out->count)) {
            lower_exponential_pair(l, pair_of(l, operands[0], r), &out->at[r]);
            r++;
            continue;
        }
        if (r & repeated) {
            out->at[r] = out->at[r & ~repeated];
            continue;
        }
        for (unsigned i = 0; i < count; i++) {
            // A scalar condition may select between tiles.
            a[i] = operands[i]->at[operands[i]->count == 1 ? 0 : r];
            if (widened[i]) {
                a[i] = lower_float_to_float(l, a[i], bf16, f32, false);
            }
        }
        if (of_sign) {
            out->at[r] = sign_bit(l, &e, a[0]);
            continue;
        }
        LLVMValueRef result = compute(l, &e, a, count);
        out->at[r] = e.to_bf16 ? lower_float_to_float(l, result, f32, bf16, false) : result;
    }
}

void lower_constant(struct lowering *l, MlirOperation op) {
    MlirAttribute value = op_attribute(op, ATTR_VALUE);
    MlirType element = lower_element(mlirOperationGetResult(op, 0));
    if (mlirAttributeIsADenseElements(value)) {
        if (!mlirDenseElementsAttrIsSplat(value)) {
            bug("a constant tile whose elements differ");
        }
        value = mlirDenseElementsAttrGetSplatValue(value);
    }
    LLVMValueRef constant;
    if (mlirAttributeIsAFloat(value)) {
        constant = lower_constant_float(l, element, mlirFloatAttrGetValueDouble(value));
    } else {
        unsigned bits = type_bits(element);
        uint64_t number = (uint64_t)mlirIntegerAttrGetValueInt(value);
        LLVMTypeRef type = lower_type(l, element);
        constant = LLVMConstInt(type, bits < 64 ? number & ((1ull << bits) - 1) : number, 0);
    }
    struct values *out = lower_result(l, op, 0);
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = constant;
    }
}
