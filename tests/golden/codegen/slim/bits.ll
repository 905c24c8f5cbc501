; chip: sm_90a
; In a loop with a product of warpgroups a mask and set bits are one instruction.
define void @bits(ptr addrspace(3) %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr addrspace(3) %p
  %kept = and i32 %x, 983055
  %pair = bitcast i32 %kept to <2 x i16>
  %set = or disjoint <2 x i16> %pair, splat (i16 25600)
  %word = bitcast <2 x i16> %set to i32
  %product = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "product", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r"(i32 %word)
  %first = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %product, 0
  store float %first, ptr addrspace(3) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  %y = load i32, ptr addrspace(3) %p
  %alone = and i32 %y, 983055
  %outside = or i32 %alone, 1677747200
  store i32 %outside, ptr addrspace(3) %p
  ret void
}
