; z[i] = x[i] + y[i] for i < n; the mask is a buffer resource's size. num_programs comes from the implicit arguments.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @vector_add(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %z, i32 %n) #0 {
entry:
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %program = call i32 @llvm.amdgcn.workgroup.id.x()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %programs = load i32, ptr addrspace(4) %implicit, align 4
  %step = mul i32 %programs, 128
  %first = mul i32 %program, 128
  %start = add i32 %first, %thread
  %bytes = mul i32 %n, 4
  %rz = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p1(ptr addrspace(1) %z, i16 0, i32 %bytes, i32 159744)
  br label %loop
loop:
  %index = phi i32 [ %start, %entry ], [ %next, %body ]
  %more = icmp slt i32 %index, %n
  br i1 %more, label %body, label %done
body:
  %px = getelementptr float, ptr addrspace(1) %x, i32 %index
  %py = getelementptr float, ptr addrspace(1) %y, i32 %index
  %vx = load float, ptr addrspace(1) %px, align 4
  %vy = load float, ptr addrspace(1) %py, align 4
  %sum = fadd float %vx, %vy
  %offset = shl i32 %index, 2
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %sum, ptr addrspace(8) %rz, i32 %offset, i32 0, i32 0)
  %next = add i32 %index, %step
  br label %loop
done:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p1(ptr addrspace(1), i16, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32)
attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="128,128" }
