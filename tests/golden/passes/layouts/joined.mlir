// show: tk.load tk.join tk.convert_layout tk.dot
// A row of words, spread eight times by joins over the numbers of a right operand (AWQ's zeros): each thread loads the words of its columns,
// and nothing crosses shared memory but the operand itself. The row beside it is joined with another one: both are exchanged.
func.func @joined(%x: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %words: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %zeros: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %a: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %c: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %j = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %row = "tk.expand_dims"(%j) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %zp = "tk.splat"(%zeros) : (!tk.ptr<i32>) -> tensor<1x16x!tk.ptr<i32>>
  %zj = "tk.addptr"(%zp, %row) : (tensor<1x16x!tk.ptr<i32>>, tensor<1x16xi32>) -> tensor<1x16x!tk.ptr<i32>>
  %z = "tk.load"(%zj) : (tensor<1x16x!tk.ptr<i32>>) -> tensor<1x16xi32>
  %z1 = "tk.join"(%z, %z) : (tensor<1x16xi32>, tensor<1x16xi32>) -> tensor<1x16x2xi32>
  %z2 = "tk.reshape"(%z1) : (tensor<1x16x2xi32>) -> tensor<1x32xi32>
  %z3 = "tk.join"(%z2, %z2) : (tensor<1x32xi32>, tensor<1x32xi32>) -> tensor<1x32x2xi32>
  %z4 = "tk.reshape"(%z3) : (tensor<1x32x2xi32>) -> tensor<1x64xi32>
  %zb = "tk.broadcast"(%z4) : (tensor<1x64xi32>) -> tensor<32x64xi32>
  %xp = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<1x16x!tk.ptr<i32>>
  %xj = "tk.addptr"(%xp, %row) : (tensor<1x16x!tk.ptr<i32>>, tensor<1x16xi32>) -> tensor<1x16x!tk.ptr<i32>>
  %y = "tk.load"(%xj) : (tensor<1x16x!tk.ptr<i32>>) -> tensor<1x16xi32>
  %one = arith.constant dense<1> : tensor<1x16xi32>
  %n = arith.addi %y, %one : tensor<1x16xi32>
  %y1 = "tk.join"(%y, %n) : (tensor<1x16xi32>, tensor<1x16xi32>) -> tensor<1x16x2xi32>
  %y2 = "tk.reshape"(%y1) : (tensor<1x16x2xi32>) -> tensor<1x32xi32>
  %y3 = "tk.join"(%y2, %y2) : (tensor<1x32xi32>, tensor<1x32xi32>) -> tensor<1x32x2xi32>
  %y4 = "tk.reshape"(%y3) : (tensor<1x32x2xi32>) -> tensor<1x64xi32>
  %yb = "tk.broadcast"(%y4) : (tensor<1x64xi32>) -> tensor<32x64xi32>
  %k = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %column = "tk.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %width = arith.constant dense<16> : tensor<32x1xi32>
  %rows = arith.muli %column, %width : tensor<32x1xi32>
  %rb = "tk.broadcast"(%rows) : (tensor<32x1xi32>) -> tensor<32x16xi32>
  %jb = "tk.broadcast"(%row) : (tensor<1x16xi32>) -> tensor<32x16xi32>
  %at = arith.addi %rb, %jb : tensor<32x16xi32>
  %wp = "tk.splat"(%words) : (!tk.ptr<i32>) -> tensor<32x16x!tk.ptr<i32>>
  %wa = "tk.addptr"(%wp, %at) : (tensor<32x16x!tk.ptr<i32>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<i32>>
  %w = "tk.load"(%wa) : (tensor<32x16x!tk.ptr<i32>>) -> tensor<32x16xi32>
  %w1 = "tk.join"(%w, %w) : (tensor<32x16xi32>, tensor<32x16xi32>) -> tensor<32x16x2xi32>
  %w2 = "tk.reshape"(%w1) : (tensor<32x16x2xi32>) -> tensor<32x32xi32>
  %w3 = "tk.join"(%w2, %w2) : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32x2xi32>
  %w4 = "tk.reshape"(%w3) : (tensor<32x32x2xi32>) -> tensor<32x64xi32>
  %d = arith.subi %w4, %zb : tensor<32x64xi32>
  %e = arith.subi %d, %yb : tensor<32x64xi32>
  %b = arith.sitofp %e : tensor<32x64xi32> to tensor<32x64xf16>
  %m = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %mc = "tk.expand_dims"(%m) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %thirty = arith.constant dense<32> : tensor<64x1xi32>
  %mr = arith.muli %mc, %thirty : tensor<64x1xi32>
  %mb = "tk.broadcast"(%mr) : (tensor<64x1xi32>) -> tensor<64x32xi32>
  %kr = "tk.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %kb = "tk.broadcast"(%kr) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %mk = arith.addi %mb, %kb : tensor<64x32xi32>
  %ap = "tk.splat"(%a) : (!tk.ptr<f16>) -> tensor<64x32x!tk.ptr<f16>>
  %aa = "tk.addptr"(%ap, %mk) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
  %left = "tk.load"(%aa) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = "tk.dot"(%left, %b, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %cc = "tk.splat"(%c) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
  "tk.store"(%cc, %sum) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
