; chip: gfx942
; The sign of 0 - x is seen in a reciprocal, and not in an exponent.
declare float @llvm.amdgcn.exp2.f32(float)

define void @reciprocal(ptr %p, float %x) {
  %d = fsub float 0.0, %x
  %r = fdiv float 1.0, %d
  store float %r, ptr %p
  ret void
}

define void @exponent(ptr %p, float %x) {
  %d = fsub float 0.0, %x
  %r = call float @llvm.amdgcn.exp2.f32(float %d)
  store float %r, ptr %p
  ret void
}
