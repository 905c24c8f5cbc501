; chip: sm_90a
; A block that multiplies step by step: the words of the second step are computed beside the first product.
define float @steps(i32 %x, i32 %y, float %c, i64 %d) {
  %v = mul i32 %x, 3
  %w = xor i32 %v, %y
  %t = mul i32 %y, 5
  %u = sub i32 %t, %x
  %p = call { float, float, float, float } asm sideeffect "{ .reg .pred keep; setp.ne.b32 keep, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, keep, 1, 1, 0; }", "=&f,=&f,=&f,=&f,0,1,2,3,r,r,r,r,l,~{memory}"(float %c, float %c, float %c, float %c, i32 %w, i32 %w, i32 %w, i32 %w, i64 %d)
  %p0 = extractvalue { float, float, float, float } %p, 0
  %q = call { float, float, float, float } asm sideeffect "{ .reg .pred keep; setp.ne.b32 keep, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, keep, 1, 1, 0; }", "=&f,=&f,=&f,=&f,0,1,2,3,r,r,r,r,l,~{memory}"(float %p0, float %p0, float %p0, float %p0, i32 %u, i32 %u, i32 %u, i32 %u, i64 %d)
  %q0 = extractvalue { float, float, float, float } %q, 0
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  ret float %q0
}

define float @one(i32 %x, i32 %y, float %c, i64 %d) {
  %t = mul i32 %y, 5
  %u = sub i32 %t, %x
  %p = call { float, float, float, float } asm sideeffect "{ .reg .pred keep; setp.ne.b32 keep, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, keep, 1, 1, 0; }", "=&f,=&f,=&f,=&f,0,1,2,3,r,r,r,r,l,~{memory}"(float %c, float %c, float %c, float %c, i32 %x, i32 %x, i32 %x, i32 %x, i64 %d)
  %p0 = extractvalue { float, float, float, float } %p, 0
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  %q = call { float, float, float, float } asm sideeffect "{ .reg .pred keep; setp.ne.b32 keep, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, keep, 1, 1, 0; }", "=&f,=&f,=&f,=&f,0,1,2,3,r,r,r,r,l,~{memory}"(float %p0, float %p0, float %p0, float %p0, i32 %u, i32 %u, i32 %u, i32 %u, i64 %d)
  %q0 = extractvalue { float, float, float, float } %q, 0
  ret float %q0
}
