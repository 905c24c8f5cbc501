; chip: gfx942
; Both operands of the word's sum end in one value: once the word is chosen element by element, that value is erased once.
define <2 x i16> @shared(<2 x i32> %a, <2 x i1> %c) {
  %y = lshr <2 x i32> %a, splat (i32 1)
  %x = and <2 x i32> %y, splat (i32 1)
  %word = add <2 x i32> %x, %y
  %up = lshr <2 x i32> %word, splat (i32 16)
  %half = trunc <2 x i32> %up to <2 x i16>
  %r = select <2 x i1> %c, <2 x i16> splat (i16 32704), <2 x i16> %half
  ret <2 x i16> %r
}
