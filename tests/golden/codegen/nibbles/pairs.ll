; chip: sm_90a
; llvm: 22
; Two neighbouring numbers of 4 bits, where the first one begins a byte; not those of two words, nor in the middle of a byte.
define <2 x i16> @lane(i32 %q, i32 %lane) {
  %s = and i32 %lane, 24
  %t = or disjoint i32 %s, 4
  %a = lshr i32 %q, %s
  %b = lshr i32 %q, %t
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

define <2 x i16> @constant(i32 %q) {
  %a = ashr i32 %q, 8
  %b = ashr i32 %q, 12
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

define <2 x i16> @middle(i32 %q, i32 %lane) {
  %s = and i32 %lane, 28
  %t = add i32 %s, 4
  %a = lshr i32 %q, %s
  %b = lshr i32 %q, %t
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

define <2 x i16> @words(i32 %q, i32 %r, i32 %lane) {
  %s = and i32 %lane, 24
  %t = or disjoint i32 %s, 4
  %a = lshr i32 %q, %s
  %b = lshr i32 %r, %t
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

; Both numbers become f16 and nothing else does; then one that is read beside its sum.
define { half, half } @floats(i32 %q, i32 %lane) {
  %s = and i32 %lane, 24
  %t = or disjoint i32 %s, 4
  %a = lshr i32 %q, %s
  %b = lshr i32 %q, %t
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  %bits = or disjoint <2 x i16> %both, splat (i16 25600)
  %halves = bitcast <2 x i16> %bits to <2 x half>
  %x = extractelement <2 x half> %halves, i64 0
  %y = extractelement <2 x half> %halves, i64 1
  %u = fadd half %x, 0xHE408
  %v = fadd half %y, 0xHE408
  %1 = insertvalue { half, half } poison, half %u, 0
  %2 = insertvalue { half, half } %1, half %v, 1
  ret { half, half } %2
}

define { half, half } @read(i32 %q) {
  %a = lshr i32 %q, 8
  %b = lshr i32 %q, 12
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  %bits = or disjoint <2 x i16> %both, splat (i16 25600)
  %halves = bitcast <2 x i16> %bits to <2 x half>
  %x = extractelement <2 x half> %halves, i64 0
  %y = extractelement <2 x half> %halves, i64 1
  %u = fadd half %x, 0xHE408
  %1 = insertvalue { half, half } poison, half %u, 0
  %2 = insertvalue { half, half } %1, half %y, 1
  ret { half, half } %2
}

; The lowest byte, and another one: the permutations share a register with the upper bytes.
define { half, half, half, half } @places(i32 %q) {
  %a = lshr i32 %q, 4
  %low = trunc i32 %q to i16
  %high = trunc i32 %a to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  %bits = or disjoint <2 x i16> %both, splat (i16 25600)
  %halves = bitcast <2 x i16> %bits to <2 x half>
  %x = extractelement <2 x half> %halves, i64 0
  %y = extractelement <2 x half> %halves, i64 1
  %u = fadd half %x, 0xHE408
  %v = fadd half %y, 0xHE408
  %b = lshr i32 %q, 16
  %c = lshr i32 %q, 20
  %low.1 = trunc i32 %b to i16
  %high.1 = trunc i32 %c to i16
  %first.1 = insertelement <2 x i16> poison, i16 %low.1, i64 0
  %pair.1 = insertelement <2 x i16> %first.1, i16 %high.1, i64 1
  %both.1 = and <2 x i16> %pair.1, splat (i16 15)
  %bits.1 = or disjoint <2 x i16> %both.1, splat (i16 25600)
  %halves.1 = bitcast <2 x i16> %bits.1 to <2 x half>
  %x.1 = extractelement <2 x half> %halves.1, i64 0
  %y.1 = extractelement <2 x half> %halves.1, i64 1
  %u.1 = fadd half %x.1, 0xHE408
  %v.1 = fadd half %y.1, 0xHE408
  %1 = insertvalue { half, half, half, half } poison, half %u, 0
  %2 = insertvalue { half, half, half, half } %1, half %v, 1
  %3 = insertvalue { half, half, half, half } %2, half %u.1, 2
  %4 = insertvalue { half, half, half, half } %3, half %v.1, 3
  ret { half, half, half, half } %4
}

; A lane's byte as a multiple of eight.
define <2 x i16> @byte(i32 %q, i32 %lane) {
  %b = and i32 %lane, 3
  %s = shl i32 %b, 3
  %t = or disjoint i32 %s, 4
  %a = lshr i32 %q, %s
  %c = lshr i32 %q, %t
  %low = trunc i32 %a to i16
  %high = trunc i32 %c to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}
