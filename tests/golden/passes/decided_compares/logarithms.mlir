// chip: sm_90a
// show: arith.cmpf arith.select
// 1 plus an exponential is at least 1 or NaN: neither subnormal nor zero, but it may be NaN or infinite. Nothing
// decides comparisons that hold for NaN, of a plain load, or with a bound that is met.
func.func @logarithms(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>) attributes {tk.num_warps = 1 : i32, tk.num_stages = 1 : i32} {
  %range = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %p = "tk.addptr"(%xs, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  %v = "tk.load"(%p) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %tiny = arith.constant dense<1.17549435E-38> : tensor<64xf32>
  %scale = arith.constant dense<8388608.0> : tensor<64xf32>
  %e = math.exp2 %v : tensor<64xf32>
  %s = arith.addf %one, %e : tensor<64xf32>
  %small = arith.cmpf olt, %s, %tiny : tensor<64xf32>
  %scaled = arith.mulf %s, %scale : tensor<64xf32>
  %m = arith.select %small, %scaled, %s : tensor<64xi1>, tensor<64xf32>
  %none = arith.cmpf oeq, %s, %zero : tensor<64xf32>
  %nan = arith.cmpf ult, %s, %tiny : tensor<64xf32>
  %equal = arith.cmpf oeq, %s, %one : tensor<64xf32>
  %other = arith.cmpf olt, %v, %tiny : tensor<64xf32>
  %below = arith.cmpf olt, %e, %tiny : tensor<64xf32>
  %least = arith.maxnumf %v, %zero : tensor<64xf32>
  %most = arith.maximumf %v, %one : tensor<64xf32>
  %capped = arith.cmpf ole, %most, %tiny : tensor<64xf32>
  %negative = arith.cmpf olt, %least, %zero : tensor<64xf32>
  %a = arith.select %none, %zero, %m : tensor<64xi1>, tensor<64xf32>
  %b = arith.select %nan, %one, %a : tensor<64xi1>, tensor<64xf32>
  %c = arith.select %equal, %scale, %b : tensor<64xi1>, tensor<64xf32>
  %d = arith.select %other, %v, %c : tensor<64xi1>, tensor<64xf32>
  %f = arith.select %below, %scale, %d : tensor<64xi1>, tensor<64xf32>
  %both = arith.ori %capped, %negative : tensor<64xi1>
  %g = arith.select %both, %scale, %f : tensor<64xi1>, tensor<64xf32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %q = "tk.addptr"(%ys, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  "tk.store"(%q, %g) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  return
}
