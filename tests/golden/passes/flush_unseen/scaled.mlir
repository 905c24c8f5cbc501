// chip: sm_90a
// show: scf.* math.exp2 arith.truncf tk.dot
// The maximum of scaled scores as that of scores, scaled alike: weights of f16 flush; of bf16 they are marked where dots alone read
// them. With another scale, or stored, they stay.
func.func @in_bf16(%p: !tk.ptr<f32>, %q: tensor<64x64xbf16>, %k: tensor<64x64xbf16>, %v: tensor<64x64xbf16>, %c: f32, %n: i32) attributes {tk.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = "tk.splat"(%c) : (f32) -> tensor<64xf32>
  %scales = "tk.splat"(%c) : (f32) -> tensor<64x64xf32>
  %r:3 = scf.for %ir = %c0 to %n step %c1 iter_args(%sumsr = %zero, %totalr = %zeros, %largestr = %none) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) : i32 {
    %s = "tk.dot"(%q, %k, %zeros) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "tk.reduce"(%s) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %high = arith.mulf %m, %scale : tensor<64xf32>
    %now = arith.maxnumf %largestr, %high : tensor<64xf32>
    %scaled = arith.mulf %s, %scales : tensor<64x64xf32>
    %e = "tk.expand_dims"(%now) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %b = "tk.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %d = arith.subf %scaled, %b : tensor<64x64xf32>
    %g = arith.subf %largestr, %now : tensor<64xf32>
    %log2e = arith.constant dense<1.44269504> : tensor<64x64xf32>
    %log2e_row = arith.constant dense<1.44269504> : tensor<64xf32>
    %d2 = arith.mulf %d, %log2e : tensor<64x64xf32>
    %g2 = arith.mulf %g, %log2e_row : tensor<64xf32>
    %w = math.exp2 %d2 {tk.subnormal} : tensor<64x64xf32>
    %a = math.exp2 %g2 {tk.subnormal} : tensor<64xf32>
    %row = "tk.reduce"(%w) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %kept = arith.mulf %sumsr, %a : tensor<64xf32>
    %next = arith.addf %kept, %row : tensor<64xf32>
    %ae = "tk.expand_dims"(%a) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %ab = "tk.broadcast"(%ae) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %shrunk = arith.mulf %totalr, %ab : tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %sum = "tk.dot"(%h, %v, %shrunk) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next, %sum, %now : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
  }
  %se = "tk.expand_dims"(%r#0) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %sb = "tk.broadcast"(%se) : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %o = arith.divf %r#1, %sb : tensor<64x64xf32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  "tk.store"(%ps, %o) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
func.func @in_f16(%p: !tk.ptr<f32>, %q: tensor<64x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x64xf16>, %c: f32, %n: i32) attributes {tk.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = "tk.splat"(%c) : (f32) -> tensor<64xf32>
  %scales = "tk.splat"(%c) : (f32) -> tensor<64x64xf32>
  %r:3 = scf.for %ir = %c0 to %n step %c1 iter_args(%sumsr = %zero, %totalr = %zeros, %largestr = %none) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) : i32 {
    %s = "tk.dot"(%q, %k, %zeros) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "tk.reduce"(%s) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %high = arith.mulf %m, %scale : tensor<64xf32>
    %now = arith.maxnumf %largestr, %high : tensor<64xf32>
    %scaled = arith.mulf %s, %scales : tensor<64x64xf32>
    %e = "tk.expand_dims"(%now) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %b = "tk.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %d = arith.subf %scaled, %b : tensor<64x64xf32>
    %g = arith.subf %largestr, %now : tensor<64xf32>
    %log2e = arith.constant dense<1.44269504> : tensor<64x64xf32>
    %log2e_row = arith.constant dense<1.44269504> : tensor<64xf32>
    %d2 = arith.mulf %d, %log2e : tensor<64x64xf32>
    %g2 = arith.mulf %g, %log2e_row : tensor<64xf32>
    %w = math.exp2 %d2 {tk.subnormal} : tensor<64x64xf32>
    %a = math.exp2 %g2 {tk.subnormal} : tensor<64xf32>
    %row = "tk.reduce"(%w) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %kept = arith.mulf %sumsr, %a : tensor<64xf32>
    %next = arith.addf %kept, %row : tensor<64xf32>
    %ae = "tk.expand_dims"(%a) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %ab = "tk.broadcast"(%ae) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %shrunk = arith.mulf %totalr, %ab : tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    %sum = "tk.dot"(%h, %v, %shrunk) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next, %sum, %now : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
  }
  %se = "tk.expand_dims"(%r#0) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %sb = "tk.broadcast"(%se) : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %o = arith.divf %r#1, %sb : tensor<64x64xf32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  "tk.store"(%ps, %o) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
func.func @other_scale(%p: !tk.ptr<f32>, %q: tensor<64x64xbf16>, %k: tensor<64x64xbf16>, %v: tensor<64x64xbf16>, %c: f32, %c2: f32, %n: i32) attributes {tk.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = "tk.splat"(%c2) : (f32) -> tensor<64xf32>
  %scales = "tk.splat"(%c) : (f32) -> tensor<64x64xf32>
  %r:3 = scf.for %ir = %c0 to %n step %c1 iter_args(%sumsr = %zero, %totalr = %zeros, %largestr = %none) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) : i32 {
    %s = "tk.dot"(%q, %k, %zeros) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "tk.reduce"(%s) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %high = arith.mulf %m, %scale : tensor<64xf32>
    %now = arith.maxnumf %largestr, %high : tensor<64xf32>
    %scaled = arith.mulf %s, %scales : tensor<64x64xf32>
    %e = "tk.expand_dims"(%now) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %b = "tk.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %d = arith.subf %scaled, %b : tensor<64x64xf32>
    %g = arith.subf %largestr, %now : tensor<64xf32>
    %log2e = arith.constant dense<1.44269504> : tensor<64x64xf32>
    %log2e_row = arith.constant dense<1.44269504> : tensor<64xf32>
    %d2 = arith.mulf %d, %log2e : tensor<64x64xf32>
    %g2 = arith.mulf %g, %log2e_row : tensor<64xf32>
    %w = math.exp2 %d2 {tk.subnormal} : tensor<64x64xf32>
    %a = math.exp2 %g2 {tk.subnormal} : tensor<64xf32>
    %row = "tk.reduce"(%w) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %kept = arith.mulf %sumsr, %a : tensor<64xf32>
    %next = arith.addf %kept, %row : tensor<64xf32>
    %ae = "tk.expand_dims"(%a) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %ab = "tk.broadcast"(%ae) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %shrunk = arith.mulf %totalr, %ab : tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %sum = "tk.dot"(%h, %v, %shrunk) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next, %sum, %now : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
  }
  %se = "tk.expand_dims"(%r#0) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %sb = "tk.broadcast"(%se) : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %o = arith.divf %r#1, %sb : tensor<64x64xf32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  "tk.store"(%ps, %o) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
func.func @stored_too(%p: !tk.ptr<f32>, %q: tensor<64x64xbf16>, %k: tensor<64x64xbf16>, %v: tensor<64x64xbf16>, %c: f32, %b16: !tk.ptr<bf16>, %n: i32) attributes {tk.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = "tk.splat"(%c) : (f32) -> tensor<64xf32>
  %scales = "tk.splat"(%c) : (f32) -> tensor<64x64xf32>
  %r:3 = scf.for %ir = %c0 to %n step %c1 iter_args(%sumsr = %zero, %totalr = %zeros, %largestr = %none) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) : i32 {
    %s = "tk.dot"(%q, %k, %zeros) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "tk.reduce"(%s) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %high = arith.mulf %m, %scale : tensor<64xf32>
    %now = arith.maxnumf %largestr, %high : tensor<64xf32>
    %scaled = arith.mulf %s, %scales : tensor<64x64xf32>
    %e = "tk.expand_dims"(%now) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %b = "tk.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %d = arith.subf %scaled, %b : tensor<64x64xf32>
    %g = arith.subf %largestr, %now : tensor<64xf32>
    %log2e = arith.constant dense<1.44269504> : tensor<64x64xf32>
    %log2e_row = arith.constant dense<1.44269504> : tensor<64xf32>
    %d2 = arith.mulf %d, %log2e : tensor<64x64xf32>
    %g2 = arith.mulf %g, %log2e_row : tensor<64xf32>
    %w = math.exp2 %d2 {tk.subnormal} : tensor<64x64xf32>
    %a = math.exp2 %g2 {tk.subnormal} : tensor<64xf32>
    %row = "tk.reduce"(%w) ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      "tk.yield"(%z) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32>) -> tensor<64xf32>
    %kept = arith.mulf %sumsr, %a : tensor<64xf32>
    %next = arith.addf %kept, %row : tensor<64xf32>
    %ae = "tk.expand_dims"(%a) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %ab = "tk.broadcast"(%ae) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %shrunk = arith.mulf %totalr, %ab : tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %pw = "tk.splat"(%b16) : (!tk.ptr<bf16>) -> tensor<64x64x!tk.ptr<bf16>>
    "tk.store"(%pw, %h) : (tensor<64x64x!tk.ptr<bf16>>, tensor<64x64xbf16>) -> ()
    %sum = "tk.dot"(%h, %v, %shrunk) {precision = "tf32"} : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next, %sum, %now : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
  }
  %se = "tk.expand_dims"(%r#0) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %sb = "tk.broadcast"(%se) : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %o = arith.divf %r#1, %sb : tensor<64x64xf32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  "tk.store"(%ps, %o) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
