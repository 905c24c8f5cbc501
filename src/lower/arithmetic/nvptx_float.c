// f32 on NVIDIA: sufficiently exact instructions that LLVM does not offer, or expands further.
#include "chip/llvm.h"
#include "lower/lower_internal.h"

// ex2.approx is exact to 2^-22 of the result; the .ftz form flushes subnormal arguments and results.
static LLVMValueRef exponential(struct lowering *l, LLVMValueRef x, bool subnormal) {
    if (LLVM_AT_LEAST(22)) {
        return INTRINSIC_OF(l, subnormal ? "llvm.nvvm.ex2.approx" : "llvm.nvvm.ex2.approx.ftz", l->f32, x);
    }
    return INTRINSIC(l, subnormal ? "llvm.nvvm.ex2.approx.f" : "llvm.nvvm.ex2.approx.ftz.f", x);
}

LLVMValueRef nvptx_transcendental(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool subnormal,
                                  bool of_half) {
    (void)of_half;
    switch (kind) {
    case OP_EXP2:
        return exponential(l, x, subnormal);
    case OP_LOG2:
        return INTRINSIC(l, "llvm.nvvm.lg2.approx.f", x);
    case OP_RSQRT:
        return INTRINSIC(l, "llvm.nvvm.rsqrt.approx.f", x);
    case OP_RECIPROCAL:
        return INTRINSIC(l, "llvm.nvvm.rcp.approx.ftz.f", x);
    case OP_RECIPROCAL_ROOT:
        return INTRINSIC(l, "llvm.nvvm.rsqrt.approx.ftz.f", x);
    case OP_SQRT:
        return INTRINSIC(l, "llvm.nvvm.sqrt.approx.f", x);
    default:
        return INTRINSIC(l, "llvm.nvvm.sqrt.rn.f", x);
    }
}

// Computes div.full bit by bit in separate steps: LLVM then shares the scale and the reciprocal of a common
// divisor.
static LLVMValueRef divide_by_parts(struct lowering *l, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef size = INTRINSIC_OF(l, "llvm.fabs", l->f32, b);
    LLVMValueRef large = LLVMBuildFCmp(l->b, LLVMRealOGT, size, LLVMConstReal(l->f32, 0x1p126), "");
    LLVMValueRef small = LLVMBuildFCmp(l->b, LLVMRealOLT, size, LLVMConstReal(l->f32, 0x1p-126), "");
    LLVMValueRef scale =
        LLVMBuildSelect(l->b, small, LLVMConstReal(l->f32, 0x1p24), LLVMConstReal(l->f32, 1), "");
    scale = LLVMBuildSelect(l->b, large, LLVMConstReal(l->f32, 0.25), scale, "");
    LLVMValueRef scaled = LLVMBuildFMul(l->b, b, scale, "");
    LLVMValueRef reciprocal = INTRINSIC(l, "llvm.nvvm.rcp.approx.ftz.f", scaled);
    return LLVMBuildFMul(l->b, LLVMBuildFMul(l->b, a, scale, ""), reciprocal, "");
}

LLVMValueRef nvptx_quotient(struct lowering *l, LLVMValueRef a, LLVMValueRef b, bool by_few) {
    return by_few ? divide_by_parts(l, a, b)
                  : asm_call(l, ASM_DIV_FULL_F32, l->f32, (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef nvptx_fma_saturated(struct lowering *l, LLVMValueRef *xyz) {
    return asm_call(l, ASM_FMA_SAT_F32, l->f32, xyz, 3);
}

// A single instruction; LLVM's intrinsic becomes three.
LLVMValueRef nvptx_copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign) {
    return asm_call(l, ASM_COPYSIGN_F32, l->f32, (LLVMValueRef[]){size, sign}, 2);
}

LLVMValueRef nvptx_half_toward_zero(struct lowering *l, LLVMValueRef value) {
    return LLVMBuildBitCast(l->b, asm_call(l, ASM_CVT_RZ_F16_F32, l->i16, &value, 1), l->f16, "");
}

// cvt.rna.tf32 is a comparison and an addition under its predicate before sm_90, and where the result is stored a third instruction clears the
// low bits. A predicate's latency is long, and there are few. Here the addend is computed without one: x * 0 - 4095 * 2^-149 has the bits
// 0x80000fff, which with 0x80000001 make half of the last bit kept; of a NaN or an infinity it is NaN, 0x7fffffff, which with
// 0x80000001 makes 0. (IEEE's sign of x * 0 does not matter: the other number is not 0. These instructions keep subnormal numbers.) LLVM's own fma would not do: it gives
// constants another NaN. A NaN whose only bits are those that the unit drops becomes an infinity, as it does without any rounding.
LLVMValueRef nvptx_tf32_operand(struct lowering *l, LLVMValueRef value) {
    if (target_has(l->target, FEATURE(SM90))) {
        return nvptx_tf32(l, value);
    }
    LLVMValueRef zero = LLVMConstReal(l->f32, 0),
                 small = LLVMBuildBitCast(l->b, lower_i32(l, (int32_t)0x80000fff), l->f32, "");
    LLVMValueRef sum = asm_call(l, ASM_FMA_F32, l->f32, (LLVMValueRef[]){value, zero, small}, 3);
    LLVMValueRef half =
        LLVMBuildAdd(l->b, LLVMBuildBitCast(l->b, sum, l->i32, ""), lower_i32(l, (int32_t)0x80000001), "");
    LLVMValueRef bits = LLVMBuildAdd(l->b, LLVMBuildBitCast(l->b, value, l->i32, ""), half, "");
    return LLVMBuildBitCast(l->b, bits, l->f32, "");
}

// Ties go away from zero before sm_90. From there on they go to even, as tensor copies round them.
LLVMValueRef nvptx_tf32(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef bits = target_has(l->target, FEATURE(SM90))
                            ? asm_call(l, ASM_CVT_RN_TF32_F32, l->i32, &value, 1)
                            : INTRINSIC(l, "llvm.nvvm.f2tf32.rna", value);
    return LLVMBuildBitCast(l->b, bits, l->f32, "");
}
