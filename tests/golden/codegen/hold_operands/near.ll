; chip: gfx942
; Sums that stay near are held in the near half of the registers.
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)

define <16 x float> @first(<4 x half> %a, <4 x half> %b) "amdgpu-waves-per-eu"="2" {
  %s = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a, <4 x half> %b, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  ret <16 x float> %s
}
