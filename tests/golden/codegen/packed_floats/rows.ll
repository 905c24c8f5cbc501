; chip: gfx942
; Neighbours of a vector times a factor of their row: two products are one. Each is rounded as it was.
define void @scaled(ptr %p, ptr %q, float %s) {
  %v = load <4 x float>, ptr %p, align 16
  %a = extractelement <4 x float> %v, i32 0
  %b = extractelement <4 x float> %v, i32 1
  %c = extractelement <4 x float> %v, i32 2
  %d = extractelement <4 x float> %v, i32 3
  %e = fmul float %a, %s
  %f = fmul float %b, %s
  %g = fmul float %c, %s
  %h = fmul float %d, %s
  %i = insertelement <4 x float> poison, float %e, i32 0
  %j = insertelement <4 x float> %i, float %f, i32 1
  %k = insertelement <4 x float> %j, float %g, i32 2
  %l = insertelement <4 x float> %k, float %h, i32 3
  store <4 x float> %l, ptr %q, align 16
  ret void
}
