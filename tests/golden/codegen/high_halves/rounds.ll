; chip: gfx942
; Rounding to bf16: NaN is chosen in the word, not in its upper half. A vector of two becomes two words; what another block computes stays.
define i16 @one(float %x) {
  %bits = bitcast float %x to i32
  %sum = add i32 %bits, 32767
  %nan = fcmp uno float %x, 0.0
  %up = lshr i32 %sum, 16
  %half = trunc nuw i32 %up to i16
  %r = select i1 %nan, i16 32704, i16 %half
  ret i16 %r
}
define <2 x i16> @two(<2 x float> %x, <2 x i32> %y) {
  %bits = bitcast <2 x float> %x to <2 x i32>
  %s = lshr <2 x i32> %bits, splat (i32 16)
  %odd = and <2 x i32> %s, splat (i32 1)
  %t = add <2 x i32> %bits, splat (i32 32767)
  %sum = add <2 x i32> %t, %odd
  %nan = fcmp uno <2 x float> %x, zeroinitializer
  %up = lshr <2 x i32> %sum, splat (i32 16)
  %half = trunc <2 x i32> %up to <2 x i16>
  %r = select <2 x i1> %nan, <2 x i16> splat (i16 32704), <2 x i16> %half
  ret <2 x i16> %r
}
define <2 x i16> @far(<2 x i32> %x, i1 %c) {
  %sum = add <2 x i32> %x, splat (i32 32767)
  br label %next
next:
  %up = lshr <2 x i32> %sum, splat (i32 16)
  %half = trunc <2 x i32> %up to <2 x i16>
  %r = select i1 %c, <2 x i16> splat (i16 32704), <2 x i16> %half
  ret <2 x i16> %r
}
