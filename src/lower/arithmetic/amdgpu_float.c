// f32 on AMD. Its instructions flush subnormals: arguments are scaled into range first, and results scaled
// back.
#include "lower/lower_internal.h"

// log2(x).
static LLVMValueRef logarithm(struct lowering *l, LLVMValueRef x) {
    LLVMValueRef small = LLVMBuildFCmp(l->b, LLVMRealOLT, x, LLVMConstReal(l->f32, 0x1p-126), "");
    LLVMValueRef scale =
        LLVMBuildSelect(l->b, small, LLVMConstReal(l->f32, 0x1p32), LLVMConstReal(l->f32, 1.0), "");
    LLVMValueRef result = INTRINSIC_OF(l, "llvm.amdgcn.log", l->f32, LLVMBuildFMul(l->b, x, scale, ""));
    LLVMValueRef offset =
        LLVMBuildSelect(l->b, small, LLVMConstReal(l->f32, 32.0), LLVMConstReal(l->f32, 0.0), "");
    return LLVMBuildFSub(l->b, result, offset, "");
}

// sqrt(x) or 1 / sqrt(x).
static LLVMValueRef root_of(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool is_half) {
    bool square = kind == OP_SQRT;
    const char *name = square ? "llvm.amdgcn.sqrt" : "llvm.amdgcn.rsq";
    if (is_half) { // a subnormal half is normal in f32
        return INTRINSIC_OF(l, name, l->f32, x);
    }
    LLVMValueRef small = LLVMBuildFCmp(l->b, LLVMRealOLT, x, LLVMConstReal(l->f32, 0x1p-96), "");
    LLVMValueRef larger = LLVMBuildFMul(l->b, x, LLVMConstReal(l->f32, 0x1p32), "");
    LLVMValueRef root = INTRINSIC_OF(l, name, l->f32, LLVMBuildSelect(l->b, small, larger, x, ""));
    LLVMValueRef back = LLVMConstReal(l->f32, square ? 0x1p-16 : 0x1p16);
    return LLVMBuildSelect(l->b, small, LLVMBuildFMul(l->b, root, back, ""), root, "");
}

// Below -126: adds 64 to the exponent and scales the result by 2^-64.
static LLVMValueRef exponential(struct lowering *l, LLVMValueRef x, bool subnormal) {
    if (!subnormal) {
        return INTRINSIC_OF(l, "llvm.amdgcn.exp2", l->f32, x);
    }
    LLVMValueRef low = LLVMBuildFCmp(l->b, LLVMRealOLT, x, LLVMConstReal(l->f32, -126), "");
    LLVMValueRef zero = LLVMConstReal(l->f32, 0), one = LLVMConstReal(l->f32, 1);
    LLVMValueRef raise = LLVMBuildSelect(l->b, low, LLVMConstReal(l->f32, 64), zero, "");
    LLVMValueRef scale = LLVMBuildSelect(l->b, low, LLVMConstReal(l->f32, 0x1p-64), one, "");
    LLVMValueRef raised = LLVMBuildFAdd(l->b, x, raise, "");
    return LLVMBuildFMul(l->b, INTRINSIC_OF(l, "llvm.amdgcn.exp2", l->f32, raised), scale, "");
}

LLVMValueRef amdgpu_transcendental(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool subnormal,
                                   bool of_half) {
    switch (kind) {
    case OP_EXP2:
        return exponential(l, x, subnormal);
    case OP_LOG2:
        return logarithm(l, x);
    case OP_RSQRT:
    case OP_SQRT:
        return root_of(l, kind, x, of_half);
    case OP_RECIPROCAL:
        return INTRINSIC_OF(l, "llvm.amdgcn.rcp", l->f32, x);
    case OP_RECIPROCAL_ROOT:
        return INTRINSIC_OF(l, "llvm.amdgcn.rsq", l->f32, x);
    default:
        return INTRINSIC_OF(l, "llvm.sqrt", l->f32, x);
    }
}

LLVMValueRef amdgpu_fma_saturated(struct lowering *l, LLVMValueRef *xyz) {
    LLVMValueRef sum = INTRINSIC_OF(l, "llvm.fma", l->f32, xyz[0], xyz[1], xyz[2]);
    sum = INTRINSIC_OF(l, "llvm.maxnum", l->f32, sum, LLVMConstReal(l->f32, 0.0));
    return INTRINSIC_OF(l, "llvm.minnum", l->f32, sum, LLVMConstReal(l->f32, 1.0));
}

LLVMValueRef amdgpu_copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign) {
    return INTRINSIC_OF(l, "llvm.copysign", l->f32, size, sign);
}

LLVMValueRef amdgpu_half_toward_zero(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef pair = INTRINSIC(l, "llvm.amdgcn.cvt.pkrtz", value, value);
    return LLVMBuildExtractElement(l->b, pair, lower_i32(l, 0), "");
}

// To nearest, ties away from zero: half a unit of the last bit that stays is added, a part of the number's power of two, and the other bits are
// dropped. A NaN stays one. Of subnormal numbers the other bits are dropped alone.
LLVMValueRef amdgpu_tf32(struct lowering *l, LLVMValueRef value) {
    LLVMValueRef bits = LLVMBuildBitCast(l->b, value, l->i32, "");
    LLVMValueRef power =
        LLVMBuildBitCast(l->b, LLVMBuildAnd(l->b, bits, lower_i32(l, 0xff800000u), ""), l->f32, "");
    LLVMValueRef sum = INTRINSIC_OF(l, "llvm.fma", l->f32, power, LLVMConstReal(l->f32, 0x1p-11), value);
    LLVMValueRef kept =
        LLVMBuildAnd(l->b, LLVMBuildBitCast(l->b, sum, l->i32, ""), lower_i32(l, 0xffffe000u), "");
    return LLVMBuildBitCast(l->b, kept, l->f32, "");
}
