// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// A row per warp-wide reduction: one coalesced layout throughout, no conversion.
func.func @k(%p: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %q: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %n: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %o = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ns = "tk.splat"(%n) : (i32) -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %ps = "tk.splat"(%p) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>>
  %pa = "tk.addptr"(%ps, %o) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f16>>
  %h = "tk.load"(%pa, %m) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xi1>) -> tensor<1024xf16>
  %x = arith.extf %h : tensor<1024xf16> to tensor<1024xf32>
  %s = "tk.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "tk.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32} : (tensor<1024xf32>) -> f32
  %ss = "tk.splat"(%s) : (f32) -> tensor<1024xf32>
  %d = arith.divf %x, %ss : tensor<1024xf32>
  %e = arith.truncf %d : tensor<1024xf32> to tensor<1024xf16>
  %qs = "tk.splat"(%q) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>>
  %qa = "tk.addptr"(%qs, %o) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f16>>
  "tk.store"(%qa, %e, %m) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xf16>, tensor<1024xi1>) -> ()
  return
}
