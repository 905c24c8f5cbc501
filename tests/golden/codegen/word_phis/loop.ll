; chip: sm_90a
; Halves of one word go through a loop as one; also from a constant, but not those of two words, nor with one half from elsewhere.
define float @product(<2 x half> %first, ptr %p, i1 %more) {
entry:
  %f0 = extractelement <2 x half> %first, i64 0
  %f1 = extractelement <2 x half> %first, i64 1
  br label %loop

loop:
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %high = phi half [ %f1, %entry ], [ %n1, %loop ]
  %low = phi half [ %f0, %entry ], [ %n0, %loop ]
  %word = load <2 x half>, ptr %p
  %n0 = extractelement <2 x half> %word, i64 0
  %n1 = extractelement <2 x half> %word, i64 1
  %both = fmul half %low, %high
  %wide = fpext half %both to float
  %next = fadd float %sum, %wide
  br i1 %more, label %loop, label %end

end:
  ret float %next
}

define bfloat @zeros(<2 x bfloat> %v, i1 %c) {
entry:
  %v0 = extractelement <2 x bfloat> %v, i64 0
  %v1 = extractelement <2 x bfloat> %v, i64 1
  br i1 %c, label %left, label %end

left:
  br label %end

end:
  %low = phi bfloat [ %v0, %entry ], [ 0.0, %left ]
  %high = phi bfloat [ %v1, %entry ], [ 1.0, %left ]
  %s = fadd bfloat %low, %high
  ret bfloat %s
}

define half @apart(<2 x half> %v, <2 x half> %w, half %x, i1 %c) {
entry:
  %v0 = extractelement <2 x half> %v, i64 0
  %v1 = extractelement <2 x half> %v, i64 1
  %w0 = extractelement <2 x half> %w, i64 0
  %w1 = extractelement <2 x half> %w, i64 1
  br i1 %c, label %left, label %end

left:
  br label %end

end:
  %low = phi half [ %v0, %entry ], [ %w0, %left ]
  %high = phi half [ %w1, %entry ], [ %v1, %left ]
  %other = phi half [ %v1, %entry ], [ %x, %left ]
  %s = fadd half %low, %high
  %t = fadd half %s, %other
  ret half %t
}
