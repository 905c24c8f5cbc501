// show: scf.* tk.reduce tk.partial_reduce tk.yield tk.print
// Rows' sums of what is never negative, scaled by a factor in 0 … 1 and not, a maximum, a sum of all elements and one of integers that
// a factor scales leave their loops as parts. A total that is read in the loop, or one that is scaled and does not start with zero,
// stays, as do one of 16 bits and those whose parts could be infinite or cancel where the total does not.
#row = {register = array<i32: 1, 2>, lane = array<i32: 4, 8, 16, 32, 64>, warp = array<i32: 128, 256>}
#sum = {register = array<i32>, lane = array<i32: 0, 0, 0, 1, 2>, warp = array<i32: 4, 8>}
#line = {register = array<i32: 1>, lane = array<i32: 2, 4, 8, 16, 32>, warp = array<i32: 64, 128>}
func.func @k(%p: !tk.ptr<f32>, %n: i32, %any: tensor<16x32xf32, #row>, %old: tensor<16xf32, #sum>, %y: tensor<256xi32, #line>,
             %first: tensor<16xf32, #sum>, %whole: i32) attributes {tk.num_warps = 4 : i32} {
  %x = math.absf %any : tensor<16x32xf32, #row>
  %start = math.absf %first : tensor<16xf32, #sum>
  %new = arith.maxnumf %first, %old : tensor<16xf32, #sum>
  %power = arith.subf %old, %new : tensor<16xf32, #sum>
  %f = math.exp2 %power : tensor<16xf32, #sum>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32, #sum>
  %r:6 = scf.for %i = %z to %n step %one iter_args(%a = %zero, %b = %start, %m = %first, %c = %whole, %d = %start, %e = %z)
      -> (tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>, i32) : i32 {
    %s0 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %a1 = math.fma %a, %f, %s0 : tensor<16xf32, #sum>
    %s1 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %b1 = arith.addf %b, %s1 : tensor<16xf32, #sum>
    %s2 = "tk.reduce"(%any) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maxnumf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %m1 = arith.maxnumf %m, %s2 : tensor<16xf32, #sum>
    %s3 = "tk.reduce"(%y) ({
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      "tk.yield"(%w) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<256xi32, #line>) -> i32
    %c1 = arith.addi %s3, %c : i32
    %s4 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %scaled = arith.mulf %f, %d : tensor<16xf32, #sum>
    %d1 = arith.addf %scaled, %s4 : tensor<16xf32, #sum>
    %s5 = "tk.reduce"(%y) ({
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      "tk.yield"(%w) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<256xi32, #line>) -> i32
    %e0 = arith.muli %e, %whole : i32
    %e1 = arith.addi %s5, %e0 : i32
    scf.yield %a1, %b1, %m1, %c1, %d1, %e1 : tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>, i32
  }
  %again = scf.for %i = %z to %n step %one iter_args(%a = %r#0) -> (tensor<16xf32, #sum>) : i32 {
    %s = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %a0 = arith.mulf %a, %f : tensor<16xf32, #sum>
    %a1 = arith.addf %s, %a0 : tensor<16xf32, #sum>
    scf.yield %a1 : tensor<16xf32, #sum>
  }
  "tk.print"(%again, %r#1, %r#2, %r#3, %r#4, %r#5) {prefix = ""} : (tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>, i32) -> ()
  return
}
func.func @stays(%n: i32, %any: tensor<16x32xf32, #row>, %h: tensor<16x32xf16, #row>, %old: tensor<16xf32, #sum>, %f: tensor<16xf32, #sum>) attributes {tk.num_warps = 4 : i32} {
  %x = math.absf %any : tensor<16x32xf32, #row>
  %g = math.absf %h : tensor<16x32xf16, #row>
  %infinite = math.exp2 %f : tensor<16xf32, #sum>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32, #sum>
  %negative = arith.constant dense<-2.0> : tensor<16xf32, #sum>
  %none = arith.constant dense<0.0> : tensor<16xf16, #sum>
  %r:6 = scf.for %i = %z to %n step %one iter_args(%a = %zero, %b = %none, %c = %zero, %d = %zero, %e = %old, %q = %zero)
      -> (tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>) : i32 {
    %s0 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %a1 = math.fma %a, %f, %s0 : tensor<16xf32, #sum>
    %s1 = "tk.reduce"(%g) ({
    ^bb0(%u: f16, %v: f16):
      %w = arith.addf %u, %v : f16
      "tk.yield"(%w) : (f16) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf16, #row>) -> tensor<16xf16, #sum>
    %b1 = arith.addf %b, %s1 : tensor<16xf16, #sum>
    %s2 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %c1 = math.fma %c, %negative, %s2 : tensor<16xf32, #sum>
    %s3 = "tk.reduce"(%any) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %d1 = arith.addf %d, %s3 : tensor<16xf32, #sum>
    %s4 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %e1 = arith.addf %e, %s4 : tensor<16xf32, #sum>
    %s5 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %q1 = math.fma %q, %infinite, %s5 : tensor<16xf32, #sum>
    scf.yield %a1, %b1, %c1, %d1, %e1, %q1 : tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>
  }
  "tk.print"(%r#0, %r#1, %r#2, %r#3, %r#4, %r#5) {prefix = ""} : (tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>) -> ()
  return
}
