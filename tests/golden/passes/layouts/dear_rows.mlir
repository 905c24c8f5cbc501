// chip: sm_80
// show: tk.dot
// Each element of the left operand takes an exponential: each warp has rows of its own, so that none repeats another's work.
module {
  func.func @dear_rows(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %2 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %3 = "tk.addptr"(%2, %0) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %4 = "tk.load"(%3) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %5 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %6 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32>
    %7 = arith.muli %5, %6 : tensor<128x1xi32>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %9 = "tk.addptr"(%8, %7) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %10 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %11 = "tk.broadcast"(%10) : (tensor<1x64xi32>) -> tensor<128x64xi32>
    %12 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xf32>) -> tensor<128x1xf32>
    %13 = "tk.broadcast"(%12) : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32>
    %14 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %15 = "tk.broadcast"(%10) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %22 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
      %23 = "tk.addptr"(%9, %22) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
      %24 = "tk.broadcast"(%23) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x64x!tk.ptr<f16>>
      %25 = "tk.addptr"(%24, %11) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f16>>
      %26 = "tk.load"(%25) : (tensor<128x64x!tk.ptr<f16>>) -> tensor<128x64xf16>
      %27 = arith.extf %26 : tensor<128x64xf16> to tensor<128x64xf32>
      %28 = "tk.addptr"(%arg1, %arg5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %29 = "tk.splat"(%28) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
      %30 = "tk.addptr"(%29, %1) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
      %31 = "tk.load"(%30) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
      %32 = "tk.expand_dims"(%31) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
      %33 = "tk.broadcast"(%32) : (tensor<1x64xf32>) -> tensor<128x64xf32>
      %34 = arith.subf %13, %33 : tensor<128x64xf32>
      %35 = math.exp2 %34 : tensor<128x64xf32>
      %36 = arith.mulf %27, %35 : tensor<128x64xf32>
      %37 = arith.truncf %36 : tensor<128x64xf32> to tensor<128x64xf16>
      %38 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %39 = arith.addi %38, %1 : tensor<64xi32>
      %40 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %41 = arith.muli %40, %cst_0 : tensor<64x1xi32>
      %42 = "tk.addptr"(%14, %41) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %43 = "tk.broadcast"(%42) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %44 = "tk.addptr"(%43, %15) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %45 = "tk.load"(%44) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %46 = "tk.dot"(%37, %45, %arg6) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      scf.yield %46 : tensor<128x64xf32>
    }
    %cst_1 = arith.constant dense<64> : tensor<128x1xi32>
    %17 = arith.muli %5, %cst_1 : tensor<128x1xi32>
    %18 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
    %19 = "tk.addptr"(%18, %17) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
    %20 = "tk.broadcast"(%19) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x64x!tk.ptr<f32>>
    %21 = "tk.addptr"(%20, %11) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f32>>
    "tk.store"(%21, %16) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xf32>) -> ()
    return
  }
}

