// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// The argument of the loop and its result are asked for in different layouts in the same round: they get one home.
func.func @k(%p: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %s: i32, %n: i32) attributes {tk.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tk.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %column = "tk.expand_dims"(%r) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %rows = "tk.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %columns = "tk.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %st = "tk.splat"(%s) : (i32) -> tensor<32x32xi32>
  %down = arith.muli %columns, %st : tensor<32x32xi32>
  %across = arith.muli %rows, %st : tensor<32x32xi32>
  %o = arith.addi %down, %rows : tensor<32x32xi32>
  %t = arith.addi %across, %columns : tensor<32x32xi32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>>
  %po = "tk.addptr"(%ps, %o) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
  %pt = "tk.addptr"(%ps, %t) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
  %f = arith.sitofp %o : tensor<32x32xi32> to tensor<32x32xf32>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f) -> (tensor<32x32xf32>) : i32 {
    "tk.store"(%po, %x) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
    %y = arith.addf %x, %f : tensor<32x32xf32>
    scf.yield %y : tensor<32x32xf32>
  }
  "tk.store"(%pt, %e) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
  return
}
