// chip: sm_90a
// show: scf.* tk.dot tk.load
// Of two products that a loop carries, the one that nobody reads goes, and the load of its operand.
func.func @k(%a: !tk.ptr<f16>, %b: !tk.ptr<f16>, %p: !tk.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %as = "tk.splat"(%a) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
  %bs = "tk.splat"(%b) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %x = "tk.load"(%as) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %y = "tk.load"(%bs) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %u = "tk.dot"(%x, %x, %s) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = "tk.dot"(%x, %y, %t) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %u, %v : tensor<64x64xf32>, tensor<64x64xf32>
  }
  "tk.store"(%ps, %r#0) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
