; chip: gfx942
; Left alone: another shift, a half that is chosen first, and two halves.
define i16 @shift(i32 %x, i1 %c) {
  %up = lshr i32 %x, 15
  %half = trunc i32 %up to i16
  %r = select i1 %c, i16 32704, i16 %half
  ret i16 %r
}
define i16 @first(i32 %x, i1 %c) {
  %up = lshr i32 %x, 16
  %half = trunc i32 %up to i16
  %r = select i1 %c, i16 %half, i16 32704
  ret i16 %r
}
define i16 @both(i32 %x, i16 %y, i1 %c) {
  %up = lshr i32 %x, 16
  %half = trunc i32 %up to i16
  %r = select i1 %c, i16 %y, i16 %half
  ret i16 %r
}
