; chip: gfx942
; A and B live until the result is there where C is a constant and the result has more than four registers.
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)

define <16 x float> @first(<4 x half> %a, <4 x half> %b) {
  %s = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a, <4 x half> %b, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  ret <16 x float> %s
}

define <16 x float> @added(<4 x half> %a, <4 x half> %b, <16 x float> %c) {
  %s = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a, <4 x half> %b, <16 x float> %c, i32 0, i32 0, i32 0)
  ret <16 x float> %s
}

define <4 x float> @short(<4 x half> %a, <4 x half> %b) {
  %s = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  ret <4 x float> %s
}
