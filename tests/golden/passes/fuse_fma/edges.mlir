// Products that stay rounded: subtracted from the largest of those with the same factor, or added up before a root or a logarithm. Fused
// all the same: sums that cannot cancel, those that a maximum guards, and differences of other factors.
func.func @k(%p: !tk.ptr<f32>, %t: tensor<64xf32>, %u: tensor<64xf32>, %s: f32, %top: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %scale = "tk.splat"(%s) : (f32) -> tensor<64xf32>
  %far = scf.for %i = %c0 to %n step %c1 iter_args(%peak = %top) -> (f32) : i32 {
    %highest = "tk.reduce"(%t) ({
    ^bb0(%x: f32, %y: f32):
      %m = arith.maxnumf %x, %y : f32
      "tk.yield"(%m) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %rounded = arith.mulf %highest, %s : f32
    %higher = arith.maxnumf %peak, %rounded : f32
    %spread = "tk.splat"(%higher) : (f32) -> tensor<64xf32>
    %stays = arith.mulf %t, %scale : tensor<64xf32>
    %difference = arith.subf %stays, %spread : tensor<64xf32>
    %before = "tk.splat"(%peak) : (f32) -> tensor<64xf32>
    %carried = arith.mulf %u, %scale : tensor<64xf32>
    %older = arith.subf %carried, %before : tensor<64xf32>
    "tk.print"(%difference, %older) {prefix = ""} : (tensor<64xf32>, tensor<64xf32>) -> ()
    scf.yield %higher : f32
  }
  %other = "tk.splat"(%far) : (f32) -> tensor<64xf32>
  %fused = arith.mulf %t, %u : tensor<64xf32>
  %0 = arith.subf %fused, %other : tensor<64xf32>
  %cut = arith.mulf %t, %u : tensor<64xf32>
  %minus = arith.mulf %u, %u : tensor<64xf32>
  %1 = arith.subf %scale, %minus : tensor<64xf32>
  %more = arith.addf %1, %scale : tensor<64xf32>
  %root = math.sqrt %more : tensor<64xf32>
  %squares = arith.mulf %t, %t : tensor<64xf32>
  %size = math.absf %u : tensor<64xf32>
  %2 = arith.addf %squares, %size : tensor<64xf32>
  %reciprocal = math.rsqrt %2 : tensor<64xf32>
  %guarded = arith.mulf %u, %scale : tensor<64xf32>
  %3 = arith.subf %scale, %guarded : tensor<64xf32>
  %inside = arith.maxnumf %3, %zero : tensor<64xf32>
  %log = math.log2 %inside : tensor<64xf32>
  "tk.print"(%0, %root, %reciprocal, %log, %cut) {prefix = ""} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> ()
  return
}
