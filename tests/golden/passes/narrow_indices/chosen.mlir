// show: arith.extsi arith.trunci arith.cmpi arith.select tk.scan tk.reduce
// Indices of 64 bits that are compared and chosen go through scans and reductions in 32. One that is added to, and one
// that was never 32 bits wide, stay.
module {
  func.func @chosen(%x: !tk.ptr<f32>, %n: !tk.ptr<i64>, %y: !tk.ptr<i64>) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %r = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32>
    %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xs, %r) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %ns = "tk.splat"(%n) : (!tk.ptr<i64>) -> tensor<1024x!tk.ptr<i64>>
    %np = "tk.addptr"(%ns, %r) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i64>>
    %l = "tk.load"(%np) : (tensor<1024x!tk.ptr<i64>>) -> tensor<1024xi64>
    %i = arith.extsi %r : tensor<1024xi32> to tensor<1024xi64>
    %m:2 = "tk.scan"(%v, %i) ({
    ^bb0(%a: f32, %ai: i64, %b: f32, %bi: i64):
      %more = arith.cmpf ogt, %a, %b : f32
      %later = arith.cmpi sgt, %ai, %bi : i64
      %take = arith.ori %more, %later : i1
      %f = arith.select %take, %a, %b : f32
      %at = arith.select %take, %ai, %bi : i64
      "tk.yield"(%f, %at) : (f32, i64) -> ()
    }) {axis = 0 : i32} : (tensor<1024xf32>, tensor<1024xi64>) -> (tensor<1024xf32>, tensor<1024xi64>)
    %e = "tk.expand_dims"(%i) {axis = 0 : i32} : (tensor<1024xi64>) -> tensor<1x1024xi64>
    %w = "tk.broadcast"(%e) : (tensor<1x1024xi64>) -> tensor<2x1024xi64>
    %top = "tk.reduce"(%w) ({
    ^bb0(%ai: i64, %bi: i64):
      %later = arith.cmpi ugt, %ai, %bi : i64
      %at = arith.select %later, %ai, %bi : i64
      "tk.yield"(%at) : (i64) -> ()
    }) {axis = 1 : i32} : (tensor<2x1024xi64>) -> tensor<2xi64>
    %sum = "tk.reduce"(%i) ({
    ^bb0(%ai: i64, %bi: i64):
      %s = arith.addi %ai, %bi : i64
      "tk.yield"(%s) : (i64) -> ()
    }) {axis = 0 : i32} : (tensor<1024xi64>) -> i64
    %most = "tk.reduce"(%l) ({
    ^bb0(%ai: i64, %bi: i64):
      %later = arith.cmpi sgt, %ai, %bi : i64
      %at = arith.select %later, %ai, %bi : i64
      "tk.yield"(%at) : (i64) -> ()
    }) {axis = 0 : i32} : (tensor<1024xi64>) -> i64
    %all = arith.addi %sum, %most : i64
    %ys = "tk.splat"(%y) : (!tk.ptr<i64>) -> tensor<1024x!tk.ptr<i64>>
    %yp = "tk.addptr"(%ys, %r) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i64>>
    "tk.store"(%yp, %m#1) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi64>) -> ()
    "tk.store"(%y, %all) : (!tk.ptr<i64>, i64) -> ()
    %two = "tk.range"() {end = 2 : i32, start = 0 : i32} : () -> tensor<2xi32>
    %zs = "tk.splat"(%y) : (!tk.ptr<i64>) -> tensor<2x!tk.ptr<i64>>
    %zp = "tk.addptr"(%zs, %two) : (tensor<2x!tk.ptr<i64>>, tensor<2xi32>) -> tensor<2x!tk.ptr<i64>>
    "tk.store"(%zp, %top) : (tensor<2x!tk.ptr<i64>>, tensor<2xi64>) -> ()
    return
  }
}
