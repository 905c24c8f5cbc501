// chip: sm_90a
// show: tk.load tk.convert_layout tk.dot
// A factor of rows in an operand that is computed behind its exchange: the factor is exchanged once, to the operand's layout.
module {
  func.func @scaled_rows(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %c255_i32 = arith.constant 255 : i32
    %1 = "tk.addptr"(%arg2, %c255_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %2 = "tk.load"(%1) : (!tk.ptr<f32>) -> f32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<64> : tensor<1x64xi32>
    %3 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %4 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %5 = "tk.broadcast"(%4) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32>
    %6 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %9 = "tk.splat"(%2) : (f32) -> tensor<64xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %10 = scf.for %arg5 = %c0_i32 to %c256_i32 step %c64_i32 iter_args(%arg6 = %cst_2) -> (tensor<64x64xf32>)  : i32 {
      %17 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %18 = arith.addi %17, %0 : tensor<64xi32>
      %19 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %20 = arith.muli %19, %cst_0 : tensor<1x64xi32>
      %21 = "tk.addptr"(%3, %20) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %22 = "tk.broadcast"(%21) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %23 = "tk.addptr"(%22, %5) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %24 = "tk.load"(%23) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %25 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %26 = arith.muli %25, %cst_1 : tensor<64x1xi32>
      %27 = "tk.addptr"(%6, %26) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %28 = "tk.broadcast"(%27) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %29 = "tk.addptr"(%28, %8) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %30 = "tk.load"(%29) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %31 = arith.extf %30 : tensor<64x64xf16> to tensor<64x64xf32>
      %32 = "tk.addptr"(%arg2, %arg5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %33 = "tk.splat"(%32) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
      %34 = "tk.addptr"(%33, %0) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
      %35 = "tk.load"(%34) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
      %36 = arith.subf %9, %35 : tensor<64xf32>
      %37 = "tk.addptr"(%arg3, %arg5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %38 = "tk.splat"(%37) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
      %39 = "tk.addptr"(%38, %0) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
      %40 = "tk.load"(%39) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
      %41 = arith.mulf %36, %40 : tensor<64xf32>
      %42 = "tk.expand_dims"(%41) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
      %43 = "tk.broadcast"(%42) : (tensor<64x1xf32>) -> tensor<64x64xf32>
      %44 = arith.mulf %31, %43 : tensor<64x64xf32>
      %45 = arith.truncf %44 : tensor<64x64xf32> to tensor<64x64xf16>
      %46 = "tk.trans"(%45) {order = array<i32: 1, 0>} : (tensor<64x64xf16>) -> tensor<64x64xf16>
      %47 = "tk.trans"(%24) {order = array<i32: 1, 0>} : (tensor<64x64xf16>) -> tensor<64x64xf16>
      %48 = "tk.dot"(%46, %47, %arg6) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %48 : tensor<64x64xf32>
    }
    %11 = "tk.trans"(%10) {order = array<i32: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %12 = arith.muli %4, %cst_1 : tensor<64x1xi32>
    %13 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %14 = "tk.addptr"(%13, %12) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %15 = "tk.broadcast"(%14) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %16 = "tk.addptr"(%15, %8) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%16, %11) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}
