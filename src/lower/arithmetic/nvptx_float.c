// f32 on NVIDIA: instructions that are exact enough, where LLVM has none or makes more of its intrinsics.
#include "chip/llvm.h"
#include "lower/lower_internal.h"

// The instruction flushes subnormal arguments and results, and is good to 2^-22 of the result elsewhere; it has a form that does not.
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

// What div.full computes, bit by bit, in parts: LLVM finds the scale and the reciprocal of one divisor once.
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

// LLVM makes three instructions of its intrinsic.
LLVMValueRef nvptx_copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign) {
    return asm_call(l, ASM_COPYSIGN_F32, l->f32, (LLVMValueRef[]){size, sign}, 2);
}

LLVMValueRef nvptx_half_toward_zero(struct lowering *l, LLVMValueRef value) {
    return LLVMBuildBitCast(l->b, asm_call(l, ASM_CVT_RZ_F16_F32, l->i16, &value, 1), l->f16, "");
}

// Ties go away from zero before sm_90. From there on they go to even, as tensor copies round them.
LLVMValueRef nvptx_tf32(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef bits = target_has(l->target, FEATURE_SM90)
                            ? asm_call(l, ASM_CVT_RN_TF32_F32, l->i32, &value, 1)
                            : INTRINSIC(l, "llvm.nvvm.f2tf32.rna", value);
    return LLVMBuildBitCast(l->b, bits, l->f32, "");
}
