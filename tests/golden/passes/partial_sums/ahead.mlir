// chip: sm_90a
// show: scf.* tk.dot tk.partial_reduce tk.reduce
// The reductions stand behind products of the rounded tile: parts of a tile of the same block are added up ahead of the product.
#tile = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#row = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#slot = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
func.func @k(%n: i32, %any: tensor<64x64xf32, #tile>, %right: tensor<64x64xf16, #slot>) attributes {tk.num_warps = 4 : i32} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32, #row>
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #tile>
  %r:2 = scf.for %i = %z to %n step %one iter_args(%c = %none, %l = %zero) -> (tensor<64x64xf32, #tile>, tensor<64xf32, #row>) : i32 {
    %x = math.absf %any : tensor<64x64xf32, #tile>
    %h = arith.truncf %x : tensor<64x64xf32, #tile> to tensor<64x64xf16, #tile>
    %d = "tk.dot"(%h, %right, %c) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #tile>, tensor<64x64xf16, #slot>, tensor<64x64xf32, #tile>) -> tensor<64x64xf32, #tile>
    %s = "tk.reduce"(%x) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32, #tile>) -> tensor<64xf32, #row>
    %l1 = arith.addf %l, %s : tensor<64xf32, #row>
    scf.yield %d, %l1 : tensor<64x64xf32, #tile>, tensor<64xf32, #row>
  }
  %y = math.absf %r#0 : tensor<64x64xf32, #tile>
  %q:2 = scf.for %i = %z to %n step %one iter_args(%c = %none, %l = %r#1) -> (tensor<64x64xf32, #tile>, tensor<64xf32, #row>) : i32 {
    %h = arith.truncf %y : tensor<64x64xf32, #tile> to tensor<64x64xf16, #tile>
    %d = "tk.dot"(%h, %right, %c) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #tile>, tensor<64x64xf16, #slot>, tensor<64x64xf32, #tile>) -> tensor<64x64xf32, #tile>
    %s = "tk.reduce"(%y) ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      "tk.yield"(%w) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x64xf32, #tile>) -> tensor<64xf32, #row>
    %l1 = arith.addf %l, %s : tensor<64xf32, #row>
    scf.yield %d, %l1 : tensor<64x64xf32, #tile>, tensor<64xf32, #row>
  }
  "tk.print"(%q#0, %q#1) {prefix = ""} : (tensor<64x64xf32, #tile>, tensor<64xf32, #row>) -> ()
  return
}
