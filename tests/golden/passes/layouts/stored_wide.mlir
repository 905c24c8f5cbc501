// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// Bytes that become halves: a thread holds 8 of them, which it stores at once, not 16, which it would load at once.
func.func @widened(%x: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %y: !tk.ptr<f16> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %i = "tk.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<i8>) -> tensor<4096x!tk.ptr<i8>>
  %xi = "tk.addptr"(%xs, %i) : (tensor<4096x!tk.ptr<i8>>, tensor<4096xi32>) -> tensor<4096x!tk.ptr<i8>>
  %v = "tk.load"(%xi) : (tensor<4096x!tk.ptr<i8>>) -> tensor<4096xi8>
  %h = arith.sitofp %v : tensor<4096xi8> to tensor<4096xf16>
  %ys = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<4096x!tk.ptr<f16>>
  %yi = "tk.addptr"(%ys, %i) : (tensor<4096x!tk.ptr<f16>>, tensor<4096xi32>) -> tensor<4096x!tk.ptr<f16>>
  "tk.store"(%yi, %h) : (tensor<4096x!tk.ptr<f16>>, tensor<4096xf16>) -> ()
  return
}
