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

; Numbers in both halves of a word: as integers, of which the second is the word's 16-bit element, and as f16, in the lower and the upper half of a byte.
define <2 x i16> @far(<4 x i32> %v) {
  %q = extractelement <4 x i32> %v, i64 1
  %low = trunc i32 %q to i16
  %h = bitcast <4 x i32> %v to <8 x i16>
  %high = extractelement <8 x i16> %h, i64 3
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

; The 16-bit element of another word.
define <2 x i16> @other(<4 x i32> %v) {
  %q = extractelement <4 x i32> %v, i64 1
  %low = trunc i32 %q to i16
  %h = bitcast <4 x i32> %v to <8 x i16>
  %high = extractelement <8 x i16> %h, i64 5
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

; The third byte of a loaded word, whose first number LLVM reads as a 16-bit element.
define <2 x i16> @element(<4 x i32> %v) {
  %q = extractelement <4 x i32> %v, i64 1
  %h = bitcast <4 x i32> %v to <8 x i16>
  %low = extractelement <8 x i16> %h, i64 3
  %b = ashr i32 %q, 20
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  ret <2 x i16> %both
}

define { half, half } @far_lower(i32 %q) {
  %a = lshr i32 %q, 8
  %b = ashr i32 %q, 24
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

define { half, half } @far_upper(i32 %q) {
  %a = lshr i32 %q, 4
  %b = lshr i32 %q, 20
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

; Numbers in both halves that become bf16: the constant is in a register, so that one instruction masks and joins.
define { bfloat, bfloat } @far_bf16(i32 %q) {
  %a = lshr i32 %q, 12
  %b = ashr i32 %q, 28
  %low = trunc i32 %a to i16
  %high = trunc i32 %b to i16
  %first = insertelement <2 x i16> poison, i16 %low, i64 0
  %pair = insertelement <2 x i16> %first, i16 %high, i64 1
  %both = and <2 x i16> %pair, splat (i16 15)
  %bits = or disjoint <2 x i16> %both, splat (i16 17152)
  %numbers = bitcast <2 x i16> %bits to <2 x bfloat>
  %x = extractelement <2 x bfloat> %numbers, i64 0
  %y = extractelement <2 x bfloat> %numbers, i64 1
  %1 = insertvalue { bfloat, bfloat } poison, bfloat %x, 0
  %2 = insertvalue { bfloat, bfloat } %1, bfloat %y, 1
  ret { bfloat, bfloat } %2
}
