// chip: sm_90a
// show: scf.* tk.load tk.broadcast tk.dot
// A step's scales are those of one group of K: each column's is loaded once, and spread behind the arithmetic of columns.
module {
  func.func @groups(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 64 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %3 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %13 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %14 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32>
      %15 = arith.addi %13, %14 : tensor<64x1xi32>
      %cst_0 = arith.constant dense<64> : tensor<64x1xi32>
      %16 = arith.divsi %15, %cst_0 : tensor<64x1xi32>
      %17 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %c64_i32_1 = arith.constant 64 : i32
      %18 = arith.divsi %arg5, %c64_i32_1 : i32
      %19 = "tk.splat"(%18) : (i32) -> tensor<1x64xi32>
      %20 = arith.muli %17, %19 : tensor<1x64xi32>
      %21 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
      %22 = "tk.addptr"(%21, %20) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %23 = "tk.broadcast"(%22) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %24 = "tk.broadcast"(%16) : (tensor<64x1xi32>) -> tensor<64x64xi32>
      %25 = "tk.addptr"(%23, %24) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %26 = "tk.load"(%25) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %27 = arith.extf %26 : tensor<64x64xf16> to tensor<64x64xf32>
      %cst_2 = arith.constant dense<5.000000e-01> : tensor<64x64xf32>
      %28 = arith.mulf %27, %cst_2 : tensor<64x64xf32>
      %29 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %30 = arith.addi %2, %29 : tensor<64xi32>
      %31 = "tk.expand_dims"(%30) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %32 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
      %33 = arith.muli %31, %32 : tensor<64x1xi32>
      %34 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %35 = "tk.addptr"(%34, %33) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %36 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %37 = "tk.broadcast"(%35) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %38 = "tk.broadcast"(%36) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %39 = "tk.addptr"(%37, %38) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %40 = "tk.load"(%39) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %41 = arith.extf %40 : tensor<64x64xf16> to tensor<64x64xf32>
      %42 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %43 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
      %44 = arith.muli %42, %43 : tensor<64x1xi32>
      %45 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %46 = "tk.addptr"(%45, %44) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %47 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %48 = arith.addi %2, %47 : tensor<64xi32>
      %49 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %50 = "tk.broadcast"(%46) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %51 = "tk.broadcast"(%49) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %52 = "tk.addptr"(%50, %51) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %53 = "tk.load"(%52) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %54 = arith.mulf %41, %28 : tensor<64x64xf32>
      %55 = arith.truncf %54 : tensor<64x64xf32> to tensor<64x64xf16>
      %56 = "tk.dot"(%53, %55, %arg7) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %56 : tensor<64x64xf32>
    }
    %4 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %5 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %6 = arith.muli %4, %5 : tensor<64x1xi32>
    %7 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %8 = "tk.addptr"(%7, %6) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %10 = "tk.broadcast"(%8) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %11 = "tk.broadcast"(%9) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%12, %3) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}

