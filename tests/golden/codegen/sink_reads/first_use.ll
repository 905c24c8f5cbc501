; chip: sm_80
; A read of shared memory moves down to its first use, and not past a barrier.
declare void @llvm.nvvm.bar.warp.sync(i32)

define float @sunk(ptr addrspace(3) %s, float %x) {
  %r = load float, ptr addrspace(3) %s
  %a = fmul float %x, %x
  %b = fmul float %a, %a
  %c = fadd float %b, %r
  ret float %c
}

define float @stays(ptr addrspace(3) %s, float %x) {
  %r = load float, ptr addrspace(3) %s
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %a = fmul float %x, %x
  %c = fadd float %a, %r
  ret float %c
}
