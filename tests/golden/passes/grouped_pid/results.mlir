// chip: sm_90a
// show: func.func tk.program_id
// Operands of rank 16 are less than the result: programs keep their order.
module {
  func.func @results(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %3 = "tk.splat"(%1) : (i32) -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %8 = "tk.splat"(%6) : (i32) -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %11 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<16> : tensor<64x1xi32>
    %12 = arith.muli %11, %cst : tensor<64x1xi32>
    %13 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %14 = "tk.addptr"(%13, %12) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %15 = "tk.expand_dims"(%10) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %16 = "tk.broadcast"(%14) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x16x!tk.ptr<f16>>
    %17 = "tk.broadcast"(%15) : (tensor<1x16xi32>) -> tensor<64x16xi32>
    %18 = "tk.addptr"(%16, %17) : (tensor<64x16x!tk.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tk.ptr<f16>>
    %19 = "tk.load"(%18) : (tensor<64x16x!tk.ptr<f16>>) -> tensor<64x16xf16>
    %20 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %cst_0 = arith.constant dense<16> : tensor<1x128xi32>
    %21 = arith.muli %20, %cst_0 : tensor<1x128xi32>
    %22 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>>
    %23 = "tk.addptr"(%22, %21) : (tensor<1x128x!tk.ptr<f16>>, tensor<1x128xi32>) -> tensor<1x128x!tk.ptr<f16>>
    %24 = "tk.expand_dims"(%10) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %25 = "tk.broadcast"(%23) : (tensor<1x128x!tk.ptr<f16>>) -> tensor<16x128x!tk.ptr<f16>>
    %26 = "tk.broadcast"(%24) : (tensor<16x1xi32>) -> tensor<16x128xi32>
    %27 = "tk.addptr"(%25, %26) : (tensor<16x128x!tk.ptr<f16>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<f16>>
    %28 = "tk.load"(%27) : (tensor<16x128x!tk.ptr<f16>>) -> tensor<16x128xf16>
    %29 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32>
    %30 = arith.muli %11, %29 : tensor<64x1xi32>
    %31 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %32 = "tk.addptr"(%31, %30) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%32) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x128x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%20) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %35 = "tk.addptr"(%33, %34) : (tensor<64x128x!tk.ptr<f16>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<f16>>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %36 = "tk.dot"(%19, %28, %cst_1) {precision = "tf32"} : (tensor<64x16xf16>, tensor<16x128xf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
    %37 = arith.truncf %36 : tensor<64x128xf32> to tensor<64x128xf16>
    "tk.store"(%35, %37) : (tensor<64x128x!tk.ptr<f16>>, tensor<64x128xf16>) -> ()
    return
  }
}
