; chip: sm_90a
; llvm: 22
; Results that leave in two pieces: the second piece is computed behind the first one's store. Addresses stay, and so does the result of
; a block with one store.
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)

define void @pieces(float %x, float %y, i32 %at) {
  %next = add i32 %at, 64
  %a = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  %b = call float @llvm.nvvm.ex2.approx.ftz.f32(float %y)
  %c = call float asm "div.full.f32 $0, $1, $2;", "=f,f,f"(float %x, float %a)
  %d = call float asm "div.full.f32 $0, $1, $2;", "=f,f,f"(float %y, float %b)
  call void asm sideeffect "bar.sync $0, $1;", "r,n,~{memory}"(i32 2, i32 128)
  call void asm sideeffect "st.shared.f32 [$0], $1;", "r,f,~{memory}"(i32 %at, float %c)
  call void asm sideeffect "cp.async.bulk.commit_group;", "~{memory}"()
  call void asm sideeffect "st.shared.f32 [$0], $1;", "r,f,~{memory}"(i32 %next, float %d)
  call void asm sideeffect "cp.async.bulk.commit_group;", "~{memory}"()
  ret void
}

define void @one(float %x, i32 %at) {
  %a = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  call void asm sideeffect "bar.sync $0, $1;", "r,n,~{memory}"(i32 2, i32 128)
  call void asm sideeffect "st.shared.f32 [$0], $1;", "r,f,~{memory}"(i32 %at, float %a)
  call void asm sideeffect "cp.async.bulk.commit_group;", "~{memory}"()
  ret void
}
