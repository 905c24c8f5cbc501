// chip: sm_90a
// show: arith.divf tk.store
// Quotients by 1 + exp2(x) that end in f16, as they are, or times a sum of f16 products and beside a residual: 0 may stand for the smallest. Not one
// that is stored in f32, too, nor one times a number of any size (0 times such a number and it added up, too), nor one whose divisor may be 0.
func.func @quotients(%x: !tk.ptr<f16>, %y: !tk.ptr<f16>, %f: !tk.ptr<f32>, %n: i32) attributes {tk.num_warps = 4 : i32, tk.num_stages = 1 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %range = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %row = "tk.expand_dims"(%range) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %place = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
  %ys = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
  %fs = "tk.splat"(%f) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  %p = "tk.addptr"(%xs, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
  %q = "tk.addptr"(%ys, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
  %g = "tk.addptr"(%fs, %place) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
  %nothing = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %sum = scf.for %i = %zero to %n step %step iter_args(%c = %nothing) -> (tensor<64x64xf32>) : i32 {
    %a = "tk.load"(%p) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tk.dot"(%a, %a, %c) : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %r = "tk.load"(%p) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
  %residual = arith.extf %r : tensor<64x64xf16> to tensor<64x64xf32>
  %any = "tk.load"(%g) : (tensor<64x64x!tk.ptr<f32>>) -> tensor<64x64xf32>
  %e = math.exp2 %sum : tensor<64x64xf32>
  %divisor = arith.addf %e, %one : tensor<64x64xf32>
  %alone = arith.divf %one, %divisor : tensor<64x64xf32>
  %h0 = arith.truncf %alone : tensor<64x64xf32> to tensor<64x64xf16>
  %gelu = arith.divf %one, %divisor : tensor<64x64xf32>
  %gated = arith.mulf %gelu, %sum : tensor<64x64xf32>
  %added = arith.addf %gated, %residual : tensor<64x64xf32>
  %h1 = arith.truncf %added : tensor<64x64xf32> to tensor<64x64xf16>
  %stored = arith.divf %residual, %divisor : tensor<64x64xf32>
  %h2 = arith.truncf %stored : tensor<64x64xf32> to tensor<64x64xf16>
  %times = arith.divf %residual, %divisor : tensor<64x64xf32>
  %wide = arith.mulf %times, %any : tensor<64x64xf32>
  %h3 = arith.truncf %wide : tensor<64x64xf32> to tensor<64x64xf16>
  %by = arith.divf %residual, %e : tensor<64x64xf32>
  %h4 = arith.truncf %by : tensor<64x64xf32> to tensor<64x64xf16>
  "tk.store"(%q, %h0) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  "tk.store"(%q, %h1) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  "tk.store"(%q, %h2) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  "tk.store"(%g, %stored) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  %none = arith.mulf %any, %nothing : tensor<64x64xf32>
  %open = arith.addf %none, %any : tensor<64x64xf32>
  %some = arith.divf %residual, %divisor : tensor<64x64xf32>
  %far = arith.mulf %some, %open : tensor<64x64xf32>
  %h5 = arith.truncf %far : tensor<64x64xf32> to tensor<64x64xf16>
  "tk.store"(%q, %h5) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  "tk.store"(%q, %h3) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  "tk.store"(%q, %h4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
  return
}
