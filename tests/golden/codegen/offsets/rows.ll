; chip: sm_90a
; Elements of a row that is accessed where its number is below 1,024: one address, and constants. Not where nothing bounds the row, where the mask lets the
; sum pass 2^31, or where one of the accesses has no mask. The same of two rows whose parts have no bits in common, without any mask; not if they may have.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define void @masked(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %low = icmp slt i32 %row, 1024
  %part = or disjoint i32 %tid, 31744
  %inside = icmp ult i32 %part, 32000
  %both = and i1 %inside, %low
  %start = mul i32 %row, 32000
  %s0 = add i32 %tid, %start
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr i16, ptr addrspace(1) %p, i64 %i0
  %next = or disjoint i32 %tid, 1024
  %s1 = add i32 %next, %start
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr i16, ptr addrspace(1) %p, i64 %i1
  %s2 = add i32 %start, %part
  %i2 = sext i32 %s2 to i64
  %a2 = getelementptr i16, ptr addrspace(1) %p, i64 %i2
  %x = call i16 asm sideeffect "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0,~{memory}"(ptr addrspace(1) %a0, i1 %low, i16 0)
  %y = call i16 asm sideeffect "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0,~{memory}"(ptr addrspace(1) %a1, i1 %low, i16 0)
  call void asm sideeffect "@$2 st.global.b16 [$0], $1;", "l,h,b,~{memory}"(ptr addrspace(1) %a2, i16 %y, i1 %both)
  store i16 %x, ptr addrspace(1) %q
  ret void
}

define void @unbounded(ptr addrspace(1) %p, i32 %row, i1 %low) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %row, 32000
  %s0 = add i32 %tid, %start
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr i16, ptr addrspace(1) %p, i64 %i0
  %next = or disjoint i32 %tid, 1024
  %s1 = add i32 %next, %start
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr i16, ptr addrspace(1) %p, i64 %i1
  %x = call i16 asm sideeffect "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0,~{memory}"(ptr addrspace(1) %a0, i1 %low, i16 0)
  call void asm sideeffect "@$2 st.global.b16 [$0], $1;", "l,h,b,~{memory}"(ptr addrspace(1) %a1, i16 %x, i1 %low)
  ret void
}

define void @far(ptr addrspace(1) %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %low = icmp ult i32 %row, 67110
  %start = mul i32 %row, 32000
  %s0 = add i32 %tid, %start
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr i16, ptr addrspace(1) %p, i64 %i0
  %next = or disjoint i32 %tid, 1024
  %s1 = add i32 %next, %start
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr i16, ptr addrspace(1) %p, i64 %i1
  %x = call i16 asm sideeffect "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0,~{memory}"(ptr addrspace(1) %a0, i1 %low, i16 0)
  call void asm sideeffect "@$2 st.global.b16 [$0], $1;", "l,h,b,~{memory}"(ptr addrspace(1) %a1, i16 %x, i1 %low)
  ret void
}

define void @unmasked(ptr addrspace(1) %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %low = icmp ult i32 %row, 1024
  %start = mul i32 %row, 32000
  %s0 = add i32 %tid, %start
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr i16, ptr addrspace(1) %p, i64 %i0
  %next = or disjoint i32 %tid, 1024
  %s1 = add i32 %next, %start
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr i16, ptr addrspace(1) %p, i64 %i1
  %x = call i16 asm sideeffect "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0,~{memory}"(ptr addrspace(1) %a0, i1 %low, i16 0)
  store i16 %x, ptr addrspace(1) %a1
  ret void
}

define void @rows(ptr addrspace(1) %p, i32 %pid, i32 %tid) {
  %column = and i32 %tid, 511
  %some = lshr i32 %tid, 9
  %first = shl i32 %pid, 3
  %row0 = or disjoint i32 %first, %some
  %start0 = shl i32 %row0, 9
  %s0 = or disjoint i32 %column, %start0
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 %i0
  %other = or disjoint i32 %some, 2
  %row1 = or disjoint i32 %first, %other
  %start1 = shl i32 %row1, 9
  %s1 = or disjoint i32 %column, %start1
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 %i1
  %x = load float, ptr addrspace(1) %a0
  store float %x, ptr addrspace(1) %a1
  ret void
}

define void @common(ptr addrspace(1) %p, i32 %row, i32 %column) {
  %start0 = shl i32 %row, 9
  %s0 = add i32 %column, %start0
  %i0 = sext i32 %s0 to i64
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 %i0
  %next = or i32 %row, 2
  %start1 = shl i32 %next, 9
  %s1 = add i32 %column, %start1
  %i1 = sext i32 %s1 to i64
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 %i1
  %x = load float, ptr addrspace(1) %a0
  store float %x, ptr addrspace(1) %a1
  ret void
}
