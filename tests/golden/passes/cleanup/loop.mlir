// show: *
// Equal ops are one, invariant ones leave the loop, the carried value that nobody reads goes with what started it.
func.func @k(%p: !tk.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant dense<0.0> : tensor<128xf32>
  %a = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %b = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
  %pa = "tk.addptr"(%ps, %a) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
  %start = "tk.load"(%pa) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f0, %t = %start) -> (tensor<128xf32>, tensor<128xf32>) : i32 {
    %ns = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %b, %ns : tensor<128xi32>
    %x = "tk.load"(%pa, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %s2 = arith.addf %s, %x : tensor<128xf32>
    %t2 = arith.mulf %t, %x : tensor<128xf32>
    scf.yield %s2, %t2 : tensor<128xf32>, tensor<128xf32>
  }
  "tk.store"(%pa, %r#0) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
  return
}
