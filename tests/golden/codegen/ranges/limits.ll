; chip: sm_89
; llvm: 22
; Rows between 0 and a limit, in a loop: of an argument, and of another block. Not a limit that the loop itself makes, nor another number's.
define i1 @rows(i64 %row, i64 %rows, i32 %count) {
entry:
  %limit = sext i32 %count to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = add i64 %row, %i
  %least = icmp sgt i64 %r, -1
  %below = icmp slt i64 %r, %rows
  %inside = and i1 %least, %below
  %s = add i64 %r, 1
  %least1 = icmp sgt i64 %s, -1
  %below1 = icmp slt i64 %s, %limit
  %inside1 = and i1 %below1, %least1
  %t = add i64 %r, 2
  %least2 = icmp sgt i64 %t, -1
  %below2 = icmp slt i64 %t, %limit
  %inside2 = and i1 %least2, %below2
  %own = mul i64 %i, 3
  %below3 = icmp slt i64 %t, %own
  %inside3 = and i1 %least2, %below3
  %below4 = icmp slt i64 %r, %limit
  %inside4 = and i1 %least2, %below4
  %a = and i1 %inside, %inside1
  %b = and i1 %inside2, %inside3
  %c = and i1 %a, %b
  %on = and i1 %c, %inside4
  %next = add i64 %i, 64
  br i1 %on, label %loop, label %done

done:
  ret i1 %on
}
