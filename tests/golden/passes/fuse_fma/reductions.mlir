// chip: sm_80
// A reduction that adds up products of its own block says so; one that multiplies, or whose products somebody else reads, does not.
func.func @k(%p: !tk.ptr<f32>, %t: tensor<64xf32>, %u: tensor<64xf32>) {
  %products = arith.mulf %t, %u : tensor<64xf32>
  %a = "tk.reduce"(%products) ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    "tk.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
  %squares = arith.mulf %t, %t : tensor<64xf32>
  %b = "tk.reduce"(%squares) ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    "tk.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
  %read = arith.mulf %u, %u : tensor<64xf32>
  %c = "tk.reduce"(%read) ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    "tk.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
  "tk.print"(%a, %b, %c, %read) {prefix = ""} : (f32, f32, f32, tensor<64xf32>) -> ()
  return
}
