// chip: sm_90a
// A dot adds to what its result alone is added to, whatever stands between, on either side, integers too. Not where the result is
// used again, where the dot has a sum of its own, nor of f8, whose products are added up with fewer bits.
module {
  func.func @k(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: tensor<64x32xf8E4M3FN>, %y: tensor<32x64xf8E4M3FN>, %i: tensor<64x32xi8>, %j: tensor<32x64xi8>, %p: tensor<64x64x!tk.ptr<f32>>, %q: tensor<64x64x!tk.ptr<i32>>, %s: tensor<64x64xf32>, %t: tensor<64x64xi32>) attributes {tk.num_warps = 4 : i32} {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %none = arith.constant dense<0> : tensor<64x64xi32>
    %half = arith.constant dense<0.5> : tensor<64x64xf32>
    %d0 = "tk.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %scaled = arith.mulf %s, %half : tensor<64x64xf32>
    %r0 = arith.addf %scaled, %d0 : tensor<64x64xf32>
    %d1 = "tk.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r1 = arith.addf %d1, %r0 : tensor<64x64xf32>
    "tk.store"(%p, %r1) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    %d2 = "tk.dot"(%i, %j, %none) {precision = "tf32"} : (tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>) -> tensor<64x64xi32>
    %r2 = arith.addi %d2, %t : tensor<64x64xi32>
    "tk.store"(%q, %r2) : (tensor<64x64x!tk.ptr<i32>>, tensor<64x64xi32>) -> ()
    %d3 = "tk.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r3 = arith.addf %s, %d3 : tensor<64x64xf32>
    "tk.store"(%p, %d3) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    "tk.store"(%p, %r3) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    %d4 = "tk.dot"(%a, %b, %half) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r4 = arith.addf %s, %d4 : tensor<64x64xf32>
    "tk.store"(%p, %r4) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    %d5 = "tk.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r5 = arith.addf %s, %d5 : tensor<64x64xf32>
    "tk.store"(%p, %r5) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}
