// chip: sm_90a
// show: arith.mulf math.exp2 tk.store
// A product with -2 and one with 1.4427 are one. A first product that is rounded stays, and so does one with a constant below 1, which may
// make the second finite again; one whose other reader wants it stays beside the joined one. Constants whose product overflows stay. A first
// product that is rounded is joined where exponentials alone read the second: not one that is stored, too, nor of a constant beyond 2^32.
func.func @exponent(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>) attributes {tk.num_warps = 1 : i32, tk.num_stages = 1 : i32} {
  %range = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %p = "tk.addptr"(%xs, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  %v = "tk.load"(%p) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
  %minus_two = arith.constant dense<-2.0> : tensor<64xf32>
  %four = arith.constant dense<4.0> : tensor<64xf32>
  %three = arith.constant dense<3.0> : tensor<64xf32>
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %log2e = arith.constant dense<1.44269502> : tensor<64xf32>
  %huge = arith.constant dense<2.0E+38> : tensor<64xf32>
  %a = arith.mulf %minus_two, %v : tensor<64xf32>
  %b = arith.mulf %a, %log2e : tensor<64xf32>
  %joined = math.exp2 %b : tensor<64xf32>
  %c = arith.mulf %v, %three : tensor<64xf32>
  %rounded = arith.mulf %c, %log2e : tensor<64xf32>
  %d = arith.mulf %v, %four : tensor<64xf32>
  %small = arith.mulf %d, %half : tensor<64xf32>
  %read = arith.mulf %log2e, %d : tensor<64xf32>
  %over = arith.mulf %d, %huge : tensor<64xf32>
  %e = arith.mulf %v, %three : tensor<64xf32>
  %scaled = arith.mulf %e, %log2e : tensor<64xf32>
  %exponential = math.exp2 %scaled : tensor<64xf32>
  %f = arith.mulf %v, %three : tensor<64xf32>
  %stored = arith.mulf %f, %log2e : tensor<64xf32>
  %both = math.exp2 %stored : tensor<64xf32>
  %g = arith.mulf %v, %huge : tensor<64xf32>
  %tiny = arith.constant dense<1.0E-38> : tensor<64xf32>
  %far = arith.mulf %g, %tiny : tensor<64xf32>
  %finite = math.exp2 %far : tensor<64xf32>
  %h = arith.mulf %v, %three : tensor<64xf32>
  %minus = arith.negf %h : tensor<64xf32>
  %negated = arith.mulf %minus, %log2e : tensor<64xf32>
  %falling = math.exp2 %negated : tensor<64xf32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
  %q = "tk.addptr"(%ys, %range) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
  "tk.store"(%q, %joined) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %rounded) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %small) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %read) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %over) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %exponential) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %stored) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %both) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %finite) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  "tk.store"(%q, %falling) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
  return
}
