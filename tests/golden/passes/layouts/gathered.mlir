// chip: sm_90a
// show: tk.load tk.dot
// Neighbours of a pixel's row are loaded one by one, lanes along the row: a thread holds eight steps of K of it, which it writes at once.
module {
  func.func @gathered(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %3 = "tk.splat"(%1) : (i32) -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %6 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32>
    %7 = arith.remsi %4, %6 : tensor<64xi32>
    %8 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %9 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %10 = "tk.addptr"(%9, %8) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %11 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %12 = "tk.splat"(%arg5) : (i32) -> tensor<1x32xi32>
    %13 = arith.muli %11, %12 : tensor<1x32xi32>
    %14 = "tk.broadcast"(%10) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %15 = "tk.broadcast"(%13) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %16 = "tk.addptr"(%14, %15) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %17 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %18 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32>
    %19 = arith.cmpi slt, %17, %18 : tensor<64x1xi32>
    %20 = "tk.broadcast"(%19) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %21 = "tk.load"(%16, %20, %cst) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
    %22 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %cst_0 = arith.constant dense<32> : tensor<1x64xi32>
    %23 = arith.muli %22, %cst_0 : tensor<1x64xi32>
    %24 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %25 = "tk.addptr"(%24, %23) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
    %26 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %27 = "tk.broadcast"(%25) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %28 = "tk.broadcast"(%26) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %29 = "tk.addptr"(%27, %28) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %30 = "tk.load"(%29) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32>
    %31 = arith.muli %17, %cst_1 : tensor<64x1xi32>
    %32 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %33 = "tk.addptr"(%32, %31) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %34 = "tk.broadcast"(%33) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %35 = "tk.broadcast"(%22) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %36 = "tk.addptr"(%34, %35) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %37 = "tk.dot"(%21, %30, %cst_2) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %38 = "tk.broadcast"(%19) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    "tk.store"(%36, %37, %38) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>, tensor<64x64xi1>) -> ()
    return
  }
}

