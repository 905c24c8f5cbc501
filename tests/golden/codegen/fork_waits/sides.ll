; chip: gfx950
; The sides of a branch meet behind it: the product is waited for ahead of the branch. Not where one side comes back (a loop).
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half>, <8 x half>, <4 x float>, i32, i32, i32)
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
