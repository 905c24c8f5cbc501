// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// A loaded tile of f64 that a dot takes as f32 is cast before it is converted to an operand: half the shared memory. One of f16
// that becomes f32 is converted as f16.
func.func @k(%p: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %q: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %y: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %r = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tk.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %column = "tk.expand_dims"(%r) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %c32 = arith.constant dense<32> : tensor<32x1xi32>
  %scaled = arith.muli %column, %c32 : tensor<32x1xi32>
  %rows = "tk.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %columns = "tk.broadcast"(%scaled) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %o = arith.addi %columns, %rows : tensor<32x32xi32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f64>) -> tensor<32x32x!tk.ptr<f64>>
  %pa = "tk.addptr"(%ps, %o) : (tensor<32x32x!tk.ptr<f64>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f64>>
  %a = "tk.load"(%pa) : (tensor<32x32x!tk.ptr<f64>>) -> tensor<32x32xf64>
  %qs = "tk.splat"(%q) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>>
  %qa = "tk.addptr"(%qs, %o) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
  %b = "tk.load"(%qa) : (tensor<32x32x!tk.ptr<f16>>) -> tensor<32x32xf16>
  %an = arith.truncf %a : tensor<32x32xf64> to tensor<32x32xf32>
  %bn = arith.extf %b : tensor<32x32xf16> to tensor<32x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = "tk.dot"(%an, %bn, %zero) {precision = "tf32"} : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>>
  %ya = "tk.addptr"(%ys, %o) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
  "tk.store"(%ya, %d) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
  return
}
