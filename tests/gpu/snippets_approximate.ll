; Instructions and conversions one by one, 65536 inputs each: out[65536 n + i] is instruction n of x[i], y[i].
; Approximate instructions: the emulator rounds correctly; see snippets.sh.
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @snippets_approximate(ptr addrspace(1) %xs, ptr addrspace(1) %ys, ptr addrspace(1) %out) #0 {
%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
%c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
%s = mul i32 %c, 256
%gid = add i32 %s, %t
%px = getelementptr i32, ptr addrspace(1) %xs, i32 %gid
%py = getelementptr i32, ptr addrspace(1) %ys, i32 %gid
%bx = load i32, ptr addrspace(1) %px
%by = load i32, ptr addrspace(1) %py
%x = bitcast i32 %bx to float
%y = bitcast i32 %by to float
; 0: div.full
%v_0 = call float asm "div.full.f32 $0, $1, $2;", "=f,f,f"(float %x, float %y)
%r_0 = bitcast float %v_0 to i32
%o_0 = add i32 %gid, 0
%po_0 = getelementptr i32, ptr addrspace(1) %out, i32 %o_0
store i32 %r_0, ptr addrspace(1) %po_0
; 1: ex2.approx.f
%v_1 = call float @llvm.nvvm.ex2.approx.f(float %x)
%r_1 = bitcast float %v_1 to i32
%o_1 = add i32 %gid, 65536
%po_1 = getelementptr i32, ptr addrspace(1) %out, i32 %o_1
store i32 %r_1, ptr addrspace(1) %po_1
; 2: ex2.approx.ftz.f
%v_2 = call float @llvm.nvvm.ex2.approx.ftz.f(float %x)
%r_2 = bitcast float %v_2 to i32
%o_2 = add i32 %gid, 131072
%po_2 = getelementptr i32, ptr addrspace(1) %out, i32 %o_2
store i32 %r_2, ptr addrspace(1) %po_2
; 3: lg2.approx.f
%v_3 = call float @llvm.nvvm.lg2.approx.f(float %x)
%r_3 = bitcast float %v_3 to i32
%o_3 = add i32 %gid, 196608
%po_3 = getelementptr i32, ptr addrspace(1) %out, i32 %o_3
store i32 %r_3, ptr addrspace(1) %po_3
; 4: sin.approx.f
%v_4 = call float @llvm.nvvm.sin.approx.f(float %x)
%r_4 = bitcast float %v_4 to i32
%o_4 = add i32 %gid, 262144
%po_4 = getelementptr i32, ptr addrspace(1) %out, i32 %o_4
store i32 %r_4, ptr addrspace(1) %po_4
; 5: cos.approx.f
%v_5 = call float @llvm.nvvm.cos.approx.f(float %x)
%r_5 = bitcast float %v_5 to i32
%o_5 = add i32 %gid, 327680
%po_5 = getelementptr i32, ptr addrspace(1) %out, i32 %o_5
store i32 %r_5, ptr addrspace(1) %po_5
; 6: rsqrt.approx.f
%v_6 = call float @llvm.nvvm.rsqrt.approx.f(float %x)
%r_6 = bitcast float %v_6 to i32
%o_6 = add i32 %gid, 393216
%po_6 = getelementptr i32, ptr addrspace(1) %out, i32 %o_6
store i32 %r_6, ptr addrspace(1) %po_6
; 7: rcp.approx.ftz.f
%v_7 = call float @llvm.nvvm.rcp.approx.ftz.f(float %x)
%r_7 = bitcast float %v_7 to i32
%o_7 = add i32 %gid, 458752
%po_7 = getelementptr i32, ptr addrspace(1) %out, i32 %o_7
store i32 %r_7, ptr addrspace(1) %po_7
; 8: sqrt.approx.f
%v_8 = call float @llvm.nvvm.sqrt.approx.f(float %x)
%r_8 = bitcast float %v_8 to i32
%o_8 = add i32 %gid, 524288
%po_8 = getelementptr i32, ptr addrspace(1) %out, i32 %o_8
store i32 %r_8, ptr addrspace(1) %po_8
; 9: tanh
%v_9 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %x)
%r_9 = bitcast float %v_9 to i32
%o_9 = add i32 %gid, 589824
%po_9 = getelementptr i32, ptr addrspace(1) %out, i32 %o_9
store i32 %r_9, ptr addrspace(1) %po_9
ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare float @llvm.nvvm.cos.approx.f(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
attributes #0 = { "target-cpu"="sm_90a" "nvvm.reqntid"="256" }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @snippets_approximate, !"kernel", i32 1}
!1 = !{ptr @snippets_approximate, !"reqntidx", i32 256}
