// show: scf.* tk.reduce tk.partial_reduce tk.yield tk.print
// Rows' sums, scaled by a factor and not, a maximum and a sum of all elements leave their loops as parts. A total that is
// read in the loop, or one that is scaled and does not start with zero, stays, as do one whose factor may be infinite and one of 16
// bits.
#row = {register = array<i32: 1, 2>, lane = array<i32: 4, 8, 16, 32, 64>, warp = array<i32: 128, 256>}
#sum = {register = array<i32>, lane = array<i32: 0, 0, 0, 1, 2>, warp = array<i32: 4, 8>}
#line = {register = array<i32: 1>, lane = array<i32: 2, 4, 8, 16, 32>, warp = array<i32: 64, 128>}
func.func @k(%p: !tk.ptr<f32>, %n: i32, %x: tensor<16x32xf32, #row>, %power: tensor<16xf32, #sum>, %y: tensor<256xi32, #line>,
             %start: tensor<16xf32, #sum>, %whole: i32) attributes {tk.num_warps = 4 : i32} {
  %f = math.exp2 %power : tensor<16xf32, #sum>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32, #sum>
  %r:5 = scf.for %i = %z to %n step %one iter_args(%a = %zero, %b = %start, %m = %start, %c = %whole, %d = %start)
      -> (tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>) : i32 {
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
    %s2 = "tk.reduce"(%x) ({
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
    scf.yield %a1, %b1, %m1, %c1, %d1 : tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>
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
  "tk.print"(%again, %r#1, %r#2, %r#3, %r#4) {prefix = ""} : (tensor<16xf32, #sum>, tensor<16xf32, #sum>, tensor<16xf32, #sum>, i32, tensor<16xf32, #sum>) -> ()
  return
}
func.func @stays(%n: i32, %x: tensor<16x32xf32, #row>, %h: tensor<16x32xf16, #row>, %f: tensor<16xf32, #sum>) attributes {tk.num_warps = 4 : i32} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32, #sum>
  %two = arith.constant dense<2.0> : tensor<16xf32, #sum>
  %none = arith.constant dense<0.0> : tensor<16xf16, #sum>
  %r:3 = scf.for %i = %z to %n step %one iter_args(%a = %zero, %b = %none, %c = %zero) -> (tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>) : i32 {
    %s0 = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x32xf32, #row>) -> tensor<16xf32, #sum>
    %a1 = math.fma %a, %f, %s0 : tensor<16xf32, #sum>
    %s1 = "tk.reduce"(%h) ({
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
    %c1 = math.fma %c, %two, %s2 : tensor<16xf32, #sum>
    scf.yield %a1, %b1, %c1 : tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>
  }
  "tk.print"(%r#0, %r#1, %r#2) {prefix = ""} : (tensor<16xf32, #sum>, tensor<16xf16, #sum>, tensor<16xf32, #sum>) -> ()
  return
}
