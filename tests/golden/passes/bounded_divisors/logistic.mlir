// chip: sm_90a
// show: arith.divf arith.addf arith.mulf math.fma tk.reciprocal
// A sum of 1 and an exponential is at least 1, and so is a maximum with 1. Nothing is known of a plain load or of an exponential, the sum
// with a subnormal constant may be small, and a small dividend cannot be scaled exactly. One that is loaded is scaled where the divisor is
// scaled by the way. A constant of 2^127 may carry
// the sum to infinity, which a quarter of each would miss: the sum itself is scaled. Nothing is where nobody sees the smallest quotients.
func.func @logistic(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>) attributes {tk.num_warps = 1 : i32, tk.num_stages = 1 : i32} {
  %range = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %p = "tk.addptr"(%xs, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  %v = "tk.load"(%p) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %three = arith.constant dense<-3.0> : tensor<64xf32>
  %tiny = arith.constant dense<1.17549435E-38> : tensor<64xf32>
  %small = arith.constant dense<1.0E-40> : tensor<64xf32>
  %e = math.exp2 %v : tensor<64xf32>
  %s = arith.addf %one, %e : tensor<64xf32>
  %logistic = arith.divf %one, %s : tensor<64xf32>
  %t = arith.addf %e, %one : tensor<64xf32>
  %scaled = arith.divf %three, %t : tensor<64xf32>
  %again = arith.mulf %t, %scaled : tensor<64xf32>
  %f = arith.addf %one, %e : tensor<64xf32>
  %flushed = arith.divf %one, %f {tk.flushes} : tensor<64xf32>
  %silu = arith.divf %v, %f {tk.flushes} : tensor<64xf32>
  %most = arith.maximumf %v, %one : tensor<64xf32>
  %bounded = arith.divf %one, %most : tensor<64xf32>
  %near = arith.addf %e, %small : tensor<64xf32>
  %large = arith.constant dense<1.70141183E+38> : tensor<64xf32>
  %far = arith.addf %e, %large : tensor<64xf32>
  %carries = arith.divf %one, %far : tensor<64xf32>
  %no_bound = arith.divf %one, %v : tensor<64xf32>
  %no_sum = arith.divf %one, %e : tensor<64xf32>
  %too_near = arith.divf %one, %near : tensor<64xf32>
  %loaded = arith.divf %v, %most : tensor<64xf32>
  %u = arith.addf %e, %one : tensor<64xf32>
  %swish = arith.divf %v, %u : tensor<64xf32>
  %subnormal = arith.divf %tiny, %most : tensor<64xf32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %q = "tk.addptr"(%ys, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  "tk.store"(%q, %logistic) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %again) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %bounded) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %carries) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %no_bound) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %no_sum) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %too_near) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %loaded) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %swish) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %subnormal) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  return
}
