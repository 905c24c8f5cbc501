; Instructions and conversions one by one, 65536 inputs each: out[65536 n + i] is instruction n of x[i], y[i].
; Results must agree with the emulator bit for bit; see snippets.sh.
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @snippets_exact(ptr addrspace(1) %xs, ptr addrspace(1) %ys, ptr addrspace(1) %out) #0 {
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
; 0: cvt.rz.f16
%v_0 = call i16 asm "cvt.rz.f16.f32 $0, $1;", "=h,f"(float %x)
%r_0 = zext i16 %v_0 to i32
%o_0 = add i32 %gid, 0
%po_0 = getelementptr i32, ptr addrspace(1) %out, i32 %o_0
store i32 %r_0, ptr addrspace(1) %po_0
; 1: e4m3x2.f32
%v_1 = call i16 asm "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", "=h,f,f"(float %x, float %y)
%r_1 = zext i16 %v_1 to i32
%o_1 = add i32 %gid, 65536
%po_1 = getelementptr i32, ptr addrspace(1) %out, i32 %o_1
store i32 %r_1, ptr addrspace(1) %po_1
; 2: e5m2x2.f32
%v_2 = call i16 asm "cvt.rn.satfinite.e5m2x2.f32 $0, $2, $1;", "=h,f,f"(float %x, float %y)
%r_2 = zext i16 %v_2 to i32
%o_2 = add i32 %gid, 131072
%po_2 = getelementptr i32, ptr addrspace(1) %out, i32 %o_2
store i32 %r_2, ptr addrspace(1) %po_2
; 3: f16x2.e4m3x2
%h_3 = trunc i32 %bx to i16
%r_3 = call i32 asm "cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h"(i16 %h_3)
%o_3 = add i32 %gid, 196608
%po_3 = getelementptr i32, ptr addrspace(1) %out, i32 %o_3
store i32 %r_3, ptr addrspace(1) %po_3
; 4: f16x2.e5m2x2
%h_4 = trunc i32 %bx to i16
%r_4 = call i32 asm "cvt.rn.f16x2.e5m2x2 $0, $1;", "=r,h"(i16 %h_4)
%o_4 = add i32 %gid, 262144
%po_4 = getelementptr i32, ptr addrspace(1) %out, i32 %o_4
store i32 %r_4, ptr addrspace(1) %po_4
; 5: fptrunc half
%v_5 = fptrunc float %x to half
%h_5 = bitcast half %v_5 to i16
%r_5 = zext i16 %h_5 to i32
%o_5 = add i32 %gid, 327680
%po_5 = getelementptr i32, ptr addrspace(1) %out, i32 %o_5
store i32 %r_5, ptr addrspace(1) %po_5
; 6: fptrunc bfloat
%v_6 = fptrunc float %x to bfloat
%h_6 = bitcast bfloat %v_6 to i16
%r_6 = zext i16 %h_6 to i32
%o_6 = add i32 %gid, 393216
%po_6 = getelementptr i32, ptr addrspace(1) %out, i32 %o_6
store i32 %r_6, ptr addrspace(1) %po_6
; 7: fma half
%h_7 = trunc i32 %bx to i16
%i_7 = lshr i32 %bx, 16
%j_7 = trunc i32 %i_7 to i16
%g_7 = trunc i32 %by to i16
%a_7 = bitcast i16 %h_7 to half
%b_7 = bitcast i16 %j_7 to half
%c_7 = bitcast i16 %g_7 to half
%v_7 = call half @llvm.fma.f16(half %a_7, half %b_7, half %c_7)
%w_7 = bitcast half %v_7 to i16
%r_7 = zext i16 %w_7 to i32
%o_7 = add i32 %gid, 458752
%po_7 = getelementptr i32, ptr addrspace(1) %out, i32 %o_7
store i32 %r_7, ptr addrspace(1) %po_7
; 8: fma bfloat
%h_8 = trunc i32 %bx to i16
%i_8 = lshr i32 %bx, 16
%j_8 = trunc i32 %i_8 to i16
%g_8 = trunc i32 %by to i16
%a_8 = bitcast i16 %h_8 to bfloat
%b_8 = bitcast i16 %j_8 to bfloat
%c_8 = bitcast i16 %g_8 to bfloat
%v_8 = call bfloat @llvm.fma.bf16(bfloat %a_8, bfloat %b_8, bfloat %c_8)
%w_8 = bitcast bfloat %v_8 to i16
%r_8 = zext i16 %w_8 to i32
%o_8 = add i32 %gid, 524288
%po_8 = getelementptr i32, ptr addrspace(1) %out, i32 %o_8
store i32 %r_8, ptr addrspace(1) %po_8
; 9: add half
%h_9 = trunc i32 %bx to i16
%g_9 = trunc i32 %by to i16
%a_9 = bitcast i16 %h_9 to half
%c_9 = bitcast i16 %g_9 to half
%v_9 = fadd half %a_9, %c_9
%w_9 = bitcast half %v_9 to i16
%r_9 = zext i16 %w_9 to i32
%o_9 = add i32 %gid, 589824
%po_9 = getelementptr i32, ptr addrspace(1) %out, i32 %o_9
store i32 %r_9, ptr addrspace(1) %po_9
; 10: mul half
%h_10 = trunc i32 %bx to i16
%g_10 = trunc i32 %by to i16
%a_10 = bitcast i16 %h_10 to half
%c_10 = bitcast i16 %g_10 to half
%v_10 = fmul half %a_10, %c_10
%w_10 = bitcast half %v_10 to i16
%r_10 = zext i16 %w_10 to i32
%o_10 = add i32 %gid, 655360
%po_10 = getelementptr i32, ptr addrspace(1) %out, i32 %o_10
store i32 %r_10, ptr addrspace(1) %po_10
; 11: fma f32
%v_11 = call float @llvm.fma.f32(float %x, float %y, float %x)
%r_11 = bitcast float %v_11 to i32
%o_11 = add i32 %gid, 720896
%po_11 = getelementptr i32, ptr addrspace(1) %out, i32 %o_11
store i32 %r_11, ptr addrspace(1) %po_11
; 12: fadd
%v_12 = fadd float %x, %y
%r_12 = bitcast float %v_12 to i32
%o_12 = add i32 %gid, 786432
%po_12 = getelementptr i32, ptr addrspace(1) %out, i32 %o_12
store i32 %r_12, ptr addrspace(1) %po_12
; 13: fmul
%v_13 = fmul float %x, %y
%r_13 = bitcast float %v_13 to i32
%o_13 = add i32 %gid, 851968
%po_13 = getelementptr i32, ptr addrspace(1) %out, i32 %o_13
store i32 %r_13, ptr addrspace(1) %po_13
; 14: fdiv
%v_14 = fdiv float %x, %y
%r_14 = bitcast float %v_14 to i32
%o_14 = add i32 %gid, 917504
%po_14 = getelementptr i32, ptr addrspace(1) %out, i32 %o_14
store i32 %r_14, ptr addrspace(1) %po_14
; 15: sqrt
%v_15 = call float @llvm.sqrt.f32(float %x)
%r_15 = bitcast float %v_15 to i32
%o_15 = add i32 %gid, 983040
%po_15 = getelementptr i32, ptr addrspace(1) %out, i32 %o_15
store i32 %r_15, ptr addrspace(1) %po_15
; 16: fptosi
%r_16 = fptosi float %x to i32
%o_16 = add i32 %gid, 1048576
%po_16 = getelementptr i32, ptr addrspace(1) %out, i32 %o_16
store i32 %r_16, ptr addrspace(1) %po_16
; 17: fptoui
%r_17 = fptoui float %x to i32
%o_17 = add i32 %gid, 1114112
%po_17 = getelementptr i32, ptr addrspace(1) %out, i32 %o_17
store i32 %r_17, ptr addrspace(1) %po_17
; 18: sitofp
%v_18 = sitofp i32 %bx to float
%r_18 = bitcast float %v_18 to i32
%o_18 = add i32 %gid, 1179648
%po_18 = getelementptr i32, ptr addrspace(1) %out, i32 %o_18
store i32 %r_18, ptr addrspace(1) %po_18
; 19: sitofp half
%v_19 = sitofp i32 %bx to half
%w_19 = bitcast half %v_19 to i16
%r_19 = zext i16 %w_19 to i32
%o_19 = add i32 %gid, 1245184
%po_19 = getelementptr i32, ptr addrspace(1) %out, i32 %o_19
store i32 %r_19, ptr addrspace(1) %po_19
; 20: minnum
%v_20 = call float @llvm.minnum.f32(float %x, float %y)
%r_20 = bitcast float %v_20 to i32
%o_20 = add i32 %gid, 1310720
%po_20 = getelementptr i32, ptr addrspace(1) %out, i32 %o_20
store i32 %r_20, ptr addrspace(1) %po_20
; 21: maximum
%v_21 = call float @llvm.maximum.f32(float %x, float %y)
%r_21 = bitcast float %v_21 to i32
%o_21 = add i32 %gid, 1376256
%po_21 = getelementptr i32, ptr addrspace(1) %out, i32 %o_21
store i32 %r_21, ptr addrspace(1) %po_21
; 22: floor
%v_22 = call float @llvm.floor.f32(float %x)
%r_22 = bitcast float %v_22 to i32
%o_22 = add i32 %gid, 1441792
%po_22 = getelementptr i32, ptr addrspace(1) %out, i32 %o_22
store i32 %r_22, ptr addrspace(1) %po_22
; 23: rint
%v_23 = call float @llvm.rint.f32(float %x)
%r_23 = bitcast float %v_23 to i32
%o_23 = add i32 %gid, 1507328
%po_23 = getelementptr i32, ptr addrspace(1) %out, i32 %o_23
store i32 %r_23, ptr addrspace(1) %po_23
; 24: tf32
%v_24 = call i32 asm "cvt.rna.tf32.f32 $0, $1;", "=r,f"(float %x)
%r_24 = add i32 %v_24, 0
%o_24 = add i32 %gid, 1572864
%po_24 = getelementptr i32, ptr addrspace(1) %out, i32 %o_24
store i32 %r_24, ptr addrspace(1) %po_24
; 25: bf16x2
%r_25 = call i32 asm "cvt.rn.bf16x2.f32 $0, $2, $1;", "=r,f,f"(float %x, float %y)
%o_25 = add i32 %gid, 1638400
%po_25 = getelementptr i32, ptr addrspace(1) %out, i32 %o_25
store i32 %r_25, ptr addrspace(1) %po_25
; 26: f16x2
%r_26 = call i32 asm "cvt.rn.f16x2.f32 $0, $2, $1;", "=r,f,f"(float %x, float %y)
%o_26 = add i32 %gid, 1703936
%po_26 = getelementptr i32, ptr addrspace(1) %out, i32 %o_26
store i32 %r_26, ptr addrspace(1) %po_26
; 27: ctlz
%r_27 = call i32 @llvm.ctlz.i32(i32 %bx, i1 false)
%o_27 = add i32 %gid, 1769472
%po_27 = getelementptr i32, ptr addrspace(1) %out, i32 %o_27
store i32 %r_27, ptr addrspace(1) %po_27
; 28: fshl
%r_28 = call i32 @llvm.fshl.i32(i32 %bx, i32 %by, i32 %by)
%o_28 = add i32 %gid, 1835008
%po_28 = getelementptr i32, ptr addrspace(1) %out, i32 %o_28
store i32 %r_28, ptr addrspace(1) %po_28
; 29: umulhi
%p_29 = zext i32 %bx to i64
%q_29 = zext i32 %by to i64
%m_29 = mul i64 %p_29, %q_29
%h_29 = lshr i64 %m_29, 32
%r_29 = trunc i64 %h_29 to i32
%o_29 = add i32 %gid, 1900544
%po_29 = getelementptr i32, ptr addrspace(1) %out, i32 %o_29
store i32 %r_29, ptr addrspace(1) %po_29
; 30: fpext half
%h_30 = trunc i32 %bx to i16
%a_30 = bitcast i16 %h_30 to half
%v_30 = fpext half %a_30 to float
%r_30 = bitcast float %v_30 to i32
%o_30 = add i32 %gid, 1966080
%po_30 = getelementptr i32, ptr addrspace(1) %out, i32 %o_30
store i32 %r_30, ptr addrspace(1) %po_30
; 31: double
%p_31 = fpext float %x to double
%q_31 = fpext float %y to double
%m_31 = fdiv double %p_31, %q_31
%v_31 = fptrunc double %m_31 to float
%r_31 = bitcast float %v_31 to i32
%o_31 = add i32 %gid, 2031616
%po_31 = getelementptr i32, ptr addrspace(1) %out, i32 %o_31
store i32 %r_31, ptr addrspace(1) %po_31
; 32: d2h
%p_32 = fpext float %x to double
%q_32 = fpext float %y to double
%m_32 = fadd double %p_32, %q_32
%v_32 = fptrunc double %m_32 to half
%w_32 = bitcast half %v_32 to i16
%r_32 = zext i16 %w_32 to i32
%o_32 = add i32 %gid, 2097152
%po_32 = getelementptr i32, ptr addrspace(1) %out, i32 %o_32
store i32 %r_32, ptr addrspace(1) %po_32
ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare float @llvm.floor.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.rint.f32(float)
declare float @llvm.sqrt.f32(float)
declare half @llvm.fma.f16(half, half, half)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
attributes #0 = { "target-cpu"="sm_90a" "nvvm.reqntid"="256" }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @snippets_exact, !"kernel", i32 1}
!1 = !{ptr @snippets_exact, !"reqntidx", i32 256}
