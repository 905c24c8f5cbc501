; chip: gfx1100
; Neighbours of f16 are added in pairs on chips that do not add two f32 at once, too.
define void @scaled(ptr %p, ptr %q, half %s) {
  %v = load <4 x half>, ptr %p, align 8
  %a = extractelement <4 x half> %v, i32 0
  %b = extractelement <4 x half> %v, i32 1
  %c = extractelement <4 x half> %v, i32 2
  %d = extractelement <4 x half> %v, i32 3
  %e = fadd half %a, 0xHE408
  %f = fadd half %b, 0xHE408
  %g = fadd half %c, 0xHE408
  %h = fadd half %d, 0xHE408
  %i = fmul half %e, %s
  %j = fmul half %f, %s
  %k = fmul half %g, %s
  %l = fmul half %h, %s
  %m = insertelement <4 x half> poison, half %i, i32 0
  %n = insertelement <4 x half> %m, half %j, i32 1
  %o = insertelement <4 x half> %n, half %k, i32 2
  %r = insertelement <4 x half> %o, half %l, i32 3
  store <4 x half> %r, ptr %q, align 8
  ret void
}
define void @floats(ptr %p, ptr %q, float %s) {
  %v = load <2 x float>, ptr %p, align 8
  %a = extractelement <2 x float> %v, i32 0
  %b = extractelement <2 x float> %v, i32 1
  %c = fmul float %a, %s
  %d = fmul float %b, %s
  %i = insertelement <2 x float> poison, float %c, i32 0
  %j = insertelement <2 x float> %i, float %d, i32 1
  store <2 x float> %j, ptr %q, align 8
  ret void
}
