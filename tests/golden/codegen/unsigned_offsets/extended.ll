; chip: gfx1250
; Of the four the third cannot be negative, and the last is compared alone.
define void @extended(ptr addrspace(1) %p, i32 %x, i32 %y, i64 %w, ptr addrspace(1) %r) {
  %a = zext i32 %x to i64
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 %a
  %b = and i64 %w, 4294967295
  %sum = add i64 %b, 1000
  %p2 = getelementptr i8, ptr addrspace(1) %p1, i64 %sum
  %c = zext nneg i32 %y to i64
  %p3 = getelementptr i8, ptr addrspace(1) %p2, i64 %c
  %d = lshr i64 %w, 32
  %low = icmp ult i64 %d, 5
  %v = load i8, ptr addrspace(1) %p3, align 1
  %k = select i1 %low, i8 %v, i8 0
  store i8 %k, ptr addrspace(1) %r, align 1
  ret void
}
