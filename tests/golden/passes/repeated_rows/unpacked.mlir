// chip: sm_90a
// show: scf.* tk.load tk.reshape tk.dot
// A word of eight weights is addressed once for each of them: its tile is loaded once, and spread. Carried addresses get a smaller twin.
module {
  func.func @unpacked(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %3 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<8> : tensor<64x1xi32>
    %4 = arith.divsi %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %6 = arith.muli %4, %5 : tensor<64x1xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<64x1x!tk.ptr<i32>>
    %8 = "tk.addptr"(%7, %6) : (tensor<64x1x!tk.ptr<i32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<i32>>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %10 = "tk.broadcast"(%8) : (tensor<64x1x!tk.ptr<i32>>) -> tensor<64x128x!tk.ptr<i32>>
    %11 = "tk.broadcast"(%9) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<64x128x!tk.ptr<i32>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<i32>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %13:2 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst_0, %arg8 = %12) -> (tensor<64x128xf32>, tensor<64x128x!tk.ptr<i32>>)  : i32 {
      %23 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %24 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
      %25 = arith.muli %23, %24 : tensor<64x1xi32>
      %26 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %25) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %28 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %29 = arith.addi %28, %2 : tensor<64xi32>
      %30 = "tk.expand_dims"(%29) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %31 = "tk.broadcast"(%27) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %32 = "tk.broadcast"(%30) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %33 = "tk.addptr"(%31, %32) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %34 = "tk.load"(%33) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %35 = "tk.load"(%arg8) : (tensor<64x128x!tk.ptr<i32>>) -> tensor<64x128xi32>
      %cst_1 = arith.constant dense<8> : tensor<64xi32>
      %36 = arith.remsi %2, %cst_1 : tensor<64xi32>
      %cst_2 = arith.constant dense<4> : tensor<64xi32>
      %37 = arith.muli %36, %cst_2 : tensor<64xi32>
      %38 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %39 = "tk.broadcast"(%38) : (tensor<64x1xi32>) -> tensor<64x128xi32>
      %40 = arith.shrsi %35, %39 : tensor<64x128xi32>
      %cst_3 = arith.constant dense<15> : tensor<64x128xi32>
      %41 = arith.andi %40, %cst_3 : tensor<64x128xi32>
      %cst_4 = arith.constant dense<8> : tensor<64x128xi32>
      %42 = arith.subi %41, %cst_4 : tensor<64x128xi32>
      %43 = arith.sitofp %42 : tensor<64x128xi32> to tensor<64x128xf16>
      %c64_i32_5 = arith.constant 64 : i32
      %44 = arith.divsi %arg6, %c64_i32_5 : i32
      %45 = arith.muli %44, %arg4 : i32
      %46 = "tk.addptr"(%arg2, %45) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %47 = "tk.splat"(%46) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>>
      %48 = "tk.addptr"(%47, %1) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f16>>
      %49 = "tk.load"(%48) : (tensor<128x!tk.ptr<f16>>) -> tensor<128xf16>
      %50 = "tk.expand_dims"(%49) {axis = 0 : i32} : (tensor<128xf16>) -> tensor<1x128xf16>
      %51 = "tk.broadcast"(%50) : (tensor<1x128xf16>) -> tensor<64x128xf16>
      %52 = arith.mulf %43, %51 : tensor<64x128xf16>
      %53 = "tk.dot"(%34, %52, %arg7) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
      %c8_i32 = arith.constant 8 : i32
      %54 = arith.muli %c8_i32, %arg4 : i32
      %55 = "tk.splat"(%54) : (i32) -> tensor<64x128xi32>
      %56 = "tk.addptr"(%arg8, %55) : (tensor<64x128x!tk.ptr<i32>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<i32>>
      scf.yield %53, %56 : tensor<64x128xf32>, tensor<64x128x!tk.ptr<i32>>
    }
    %14 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %16 = arith.muli %14, %15 : tensor<64x1xi32>
    %17 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %16) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %19 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %20 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x128x!tk.ptr<f32>>
    %21 = "tk.broadcast"(%19) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %22 = "tk.addptr"(%20, %21) : (tensor<64x128x!tk.ptr<f32>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<f32>>
    "tk.store"(%22, %13#0) : (tensor<64x128x!tk.ptr<f32>>, tensor<64x128xf32>) -> ()
    return
  }
}

