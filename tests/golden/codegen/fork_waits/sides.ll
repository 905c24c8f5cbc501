; chip: gfx950
; The sides of a branch meet behind it: the product is waited for ahead of the branch. Not where one side comes back (a loop).
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half>, <8 x half>, <4 x float>, i32, i32, i32)
declare <4 x double> @llvm.amdgcn.mfma.f64.16x16x4f64(double, double, <4 x double>, i32, i32, i32)
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16(<8 x half>, <8 x half>, <16 x float>, i32, i32, i32)

define <4 x float> @past_a_loop(<8 x half> %a, i1 %none, i32 %n) {
entry:
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> %a, <8 x half> %a, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  br i1 %none, label %join, label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %join

join:
  %r = fadd <4 x float> %d, %d
  ret <4 x float> %r
}

define <16 x float> @large(<8 x half> %a, i1 %c) {
entry:
  %d = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16(<8 x half> %a, <8 x half> %a, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  br i1 %c, label %left, label %right

left:
  br label %join

right:
  br label %join

join:
  %s = phi float [ 1.0, %left ], [ 2.0, %right ]
  %r = insertelement <16 x float> %d, float %s, i32 0
  ret <16 x float> %r
}

define <4 x float> @in_a_loop(<8 x half> %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> %a, <8 x half> %a, <4 x float> %c, i32 0, i32 0, i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret <4 x float> %d
}

define <4 x double> @doubles(double %a, i1 %c) {
entry:
  %d = call <4 x double> @llvm.amdgcn.mfma.f64.16x16x4f64(double %a, double %a, <4 x double> zeroinitializer, i32 0, i32 0, i32 0)
  br i1 %c, label %side, label %join

side:
  fence syncscope("wavefront") release
  br label %join

join:
  %r = fadd <4 x double> %d, %d
  ret <4 x double> %r
}

define <4 x float> @by_a_far_and_a_near_way(<8 x half> %a, i1 %c, i1 %far) {
entry:
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> %a, <8 x half> %a, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  br i1 %c, label %left, label %join

left:
  br i1 %far, label %far0, label %near

far0:
  fence syncscope("wavefront") release
  br label %far1

far1:
  fence syncscope("wavefront") release
  br label %far2

far2:
  fence syncscope("wavefront") release
  br label %far3

far3:
  fence syncscope("wavefront") release
  br label %far4

far4:
  fence syncscope("wavefront") release
  br label %far5

far5:
  fence syncscope("wavefront") release
  br label %far6

far6:
  fence syncscope("wavefront") release
  br label %far7

far7:
  fence syncscope("wavefront") release
  br label %far8

far8:
  fence syncscope("wavefront") release
  br label %far9

far9:
  fence syncscope("wavefront") release
  br label %far10

far10:
  fence syncscope("wavefront") release
  br label %far11

far11:
  fence syncscope("wavefront") release
  br label %far12

far12:
  fence syncscope("wavefront") release
  br label %far13

far13:
  fence syncscope("wavefront") release
  br label %far14

far14:
  fence syncscope("wavefront") release
  br label %far15

far15:
  fence syncscope("wavefront") release
  br label %far16

far16:
  fence syncscope("wavefront") release
  br label %far17

far17:
  fence syncscope("wavefront") release
  br label %near

near:
  fence syncscope("wavefront") release
  br label %join

join:
  %r = fadd <4 x float> %d, %d
  ret <4 x float> %r
}
