// chip: sm_90a
// show: arith.cmpf arith.select
// 1 plus an exponential is at least 1 or NaN: neither subnormal nor zero, but it may be NaN or infinite. Nothing
// decides comparisons that hold for NaN, of a plain load, or with a bound that is met. An exact exponential has a power of two as its scale,
// by the bits of a rounded number: it is above -1 or NaN, which its comparison with a largest number says alone.
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
  %share = "tk.fma_saturated"(%v, %tiny, %one) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %steps = arith.constant dense<252.0> : tensor<64xf32>
  %far = arith.constant dense<12582913.0> : tensor<64xf32>
  %biased = math.fma %share, %steps, %far : tensor<64xf32>
  %bits = arith.bitcast %biased : tensor<64xf32> to tensor<64xi32>
  %place = arith.constant dense<23> : tensor<64xi32>
  %shifted = arith.shli %bits, %place : tensor<64xi32>
  %power = arith.bitcast %shifted : tensor<64xi32> to tensor<64xf32>
  %exact = arith.mulf %e, %power : tensor<64xf32>
  %least1 = arith.constant dense<-1.0> : tensor<64xf32>
  %is = arith.cmpf oeq, %exact, %least1 : tensor<64xf32>
  %above = arith.cmpf ogt, %exact, %least1 : tensor<64xf32>
  %finite = arith.cmpf olt, %exact, %scale : tensor<64xf32>
  %plain = arith.cmpf ogt, %v, %least1 : tensor<64xf32>
  %tame = arith.andi %above, %finite : tensor<64xi1>
  %other_two = arith.andi %plain, %finite : tensor<64xi1>
  %h = arith.select %is, %one, %g : tensor<64xi1>, tensor<64xf32>
  %i = arith.select %tame, %h, %v : tensor<64xi1>, tensor<64xf32>
  %j = arith.select %other_two, %i, %e : tensor<64xi1>, tensor<64xf32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %q = "tk.addptr"(%ys, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  "tk.store"(%q, %j) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  return
}
