// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// A scan of pairs with a long combination: a thread keeps runs of four floats, as wide as the load. The stores of 64-bit
// indices are two elements wide and would leave gaps: their tile is converted. The sum's combination is short: its tile keeps runs of two.
module {
  func.func @pairs(%x: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<i64> {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %r = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32>
    %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xs, %r) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %i = arith.extsi %r : tensor<1024xi32> to tensor<1024xi64>
    %m:2 = "tk.scan"(%v, %i) ({
    ^bb0(%a: f32, %ai: i64, %b: f32, %bi: i64):
      %more = arith.cmpf ogt, %a, %b : f32
      %same = arith.cmpf oeq, %a, %b : f32
      %later = arith.cmpi sgt, %ai, %bi : i64
      %tie = arith.andi %same, %later : i1
      %take = arith.ori %more, %tie : i1
      %f = arith.select %take, %a, %b : f32
      %at = arith.select %take, %ai, %bi : i64
      "tk.yield"(%f, %at) : (f32, i64) -> ()
    }) {axis = 0 : i32} : (tensor<1024xf32>, tensor<1024xi64>) -> (tensor<1024xf32>, tensor<1024xi64>)
    %ys = "tk.splat"(%y) : (!tk.ptr<i64>) -> tensor<1024x!tk.ptr<i64>>
    %yp = "tk.addptr"(%ys, %r) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i64>>
    "tk.store"(%yp, %m#1) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi64>) -> ()
    return
  }
  func.func @sum(%x: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<i64> {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %r = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32>
    %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xs, %r) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %s = "tk.scan"(%v) ({
    ^bb0(%a: f32, %b: f32):
      %f = arith.addf %a, %b : f32
      "tk.yield"(%f) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<1024xf32>) -> tensor<1024xf32>
    %w = arith.fptosi %s : tensor<1024xf32> to tensor<1024xi64>
    %ys = "tk.splat"(%y) : (!tk.ptr<i64>) -> tensor<1024x!tk.ptr<i64>>
    %yp = "tk.addptr"(%ys, %r) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i64>>
    "tk.store"(%yp, %w) : (tensor<1024x!tk.ptr<i64>>, tensor<1024xi64>) -> ()
    return
  }
}
