// f32 dot without matrix instructions.
module {
  func.func @dot_fma(%a: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %b: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %2 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %3 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %4 = arith.constant dense<16> : tensor<32x1xi32>
    %5 = arith.muli %1, %4 : tensor<32x1xi32>
    %6 = "tk.broadcast"(%5) : (tensor<32x1xi32>) -> tensor<32x16xi32>
    %7 = "tk.broadcast"(%3) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %8 = arith.addi %6, %7 : tensor<32x16xi32>
    %9 = "tk.splat"(%a) : (!tk.ptr<f32>) -> tensor<32x16x!tk.ptr<f32>>
    %10 = "tk.addptr"(%9, %8) : (tensor<32x16x!tk.ptr<f32>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f32>>
    %11 = "tk.load"(%10) : (tensor<32x16x!tk.ptr<f32>>) -> tensor<32x16xf32>
    %12 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %13 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %14 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %15 = "tk.expand_dims"(%14) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %16 = arith.constant dense<64> : tensor<16x1xi32>
    %17 = arith.muli %13, %16 : tensor<16x1xi32>
    %18 = "tk.broadcast"(%17) : (tensor<16x1xi32>) -> tensor<16x64xi32>
    %19 = "tk.broadcast"(%15) : (tensor<1x64xi32>) -> tensor<16x64xi32>
    %20 = arith.addi %18, %19 : tensor<16x64xi32>
    %21 = "tk.splat"(%b) : (!tk.ptr<f32>) -> tensor<16x64x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
    %23 = "tk.load"(%22) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
    %24 = arith.constant dense<0.0> : tensor<32x64xf32>
    %25 = "tk.dot"(%11, %23, %24) {precision = "ieee"} : (tensor<32x16xf32>, tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %26 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %27 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %28 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %29 = "tk.expand_dims"(%28) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %30 = arith.constant dense<64> : tensor<32x1xi32>
    %31 = arith.muli %27, %30 : tensor<32x1xi32>
    %32 = "tk.broadcast"(%31) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %33 = "tk.broadcast"(%29) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %34 = arith.addi %32, %33 : tensor<32x64xi32>
    %35 = "tk.splat"(%out) : (!tk.ptr<f32>) -> tensor<32x64x!tk.ptr<f32>>
    %36 = "tk.addptr"(%35, %34) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    "tk.store"(%36, %25) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xf32>) -> ()
    func.return
  }
}
