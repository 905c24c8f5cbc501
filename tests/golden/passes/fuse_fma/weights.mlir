// show: arith.* math.* tk.expand_dims tk.reduce
// Exponentials of x · s - m, of which m may be what one of the products rounds to: fused with scaled rows. Another reader keeps both roundings.
func.func @k(%x: tensor<16x32xf32>, %s: f32, %p: !tk.ptr<f32>) {
  %t = "tk.splat"(%s) : (f32) -> tensor<16x32xf32>
  %r = "tk.splat"(%s) : (f32) -> tensor<16xf32>
  %peak = "tk.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    "tk.yield"(%m) : (f32) -> ()
  }) {axis = 1 : i32} : (tensor<16x32xf32>) -> tensor<16xf32>
  %rows = arith.mulf %peak, %r : tensor<16xf32>
  %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
  %all = "tk.broadcast"(%column) : (tensor<16x1xf32>) -> tensor<16x32xf32>
  %y = arith.mulf %x, %t : tensor<16x32xf32>
  %d = arith.subf %y, %all : tensor<16x32xf32>
  %w = math.exp2 %d : tensor<16x32xf32>
  %z = arith.mulf %x, %t : tensor<16x32xf32>
  %e = arith.subf %z, %all : tensor<16x32xf32>
  %q = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<16x32x!tk.ptr<f32>>
  "tk.store"(%q, %w) : (tensor<16x32x!tk.ptr<f32>>, tensor<16x32xf32>) -> ()
  "tk.store"(%q, %e) : (tensor<16x32x!tk.ptr<f32>>, tensor<16x32xf32>) -> ()
  func.return
}
