; chip: gfx942
; Numbers of two loads would have to be moved into a pair: an instruction for one that is saved.
define void @apart(ptr %p, ptr %q, ptr %r, float %s) {
  %a = load float, ptr %p, align 4
  %b = load float, ptr %q, align 4
  %c = fmul float %a, %s
  %d = fmul float %b, %s
  %i = insertelement <2 x float> poison, float %c, i32 0
  %j = insertelement <2 x float> %i, float %d, i32 1
  store <2 x float> %j, ptr %r, align 8
  ret void
}
