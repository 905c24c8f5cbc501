; z[i] = x[i] + y[i] for i < n; the mask is a branch. One element a thread.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @vector_add(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %z, i32 %n) #0 !dbg !4 {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7
  %program = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !7
  %first = mul i32 %program, 128, !dbg !7
  %index = add i32 %first, %thread, !dbg !7
  %inside = icmp slt i32 %index, %n, !dbg !8
  br i1 %inside, label %load, label %done, !dbg !8
load:
  %px = getelementptr float, ptr addrspace(1) %x, i32 %index, !dbg !8
  %py = getelementptr float, ptr addrspace(1) %y, i32 %index, !dbg !8
  %vx = load float, ptr addrspace(1) %px, align 4, !dbg !8
  %vy = load float, ptr addrspace(1) %py, align 4, !dbg !8
  %sum = fadd float %vx, %vy, !dbg !8
  %pz = getelementptr float, ptr addrspace(1) %z, i32 %index, !dbg !9
  store float %sum, ptr addrspace(1) %pz, align 4, !dbg !9
  br label %done, !dbg !9
done:
  ret void, !dbg !9
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
attributes #0 = { "target-cpu"="sm_80" "nvvm.reqntid"="128" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "tkc", isOptimized: true, emissionKind: NoDebug)
!1 = !DIFile(filename: "vector_add.tk", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "vector_add", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 4, column: 9, scope: !4)
!8 = !DILocation(line: 5, column: 13, scope: !4)
!9 = !DILocation(line: 6, column: 5, scope: !4)
