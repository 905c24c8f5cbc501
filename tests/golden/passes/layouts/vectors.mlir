// chip: sm_90a
// show: tk.load tk.convert_layout scf.*
// No dot: a vector of the program is loaded by each thread for its own columns, one in a loop is exchanged.
module {
  func.func @vectors(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %2 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %3 = "tk.addptr"(%2, %1) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %4 = "tk.load"(%3) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %5 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %6 = arith.muli %5, %cst : tensor<32x1xi32>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %8 = "tk.addptr"(%7, %6) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %10 = "tk.broadcast"(%8) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %11 = "tk.broadcast"(%9) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %13 = "tk.load"(%12) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %14 = arith.extf %13 : tensor<32x64xf16> to tensor<32x64xf32>
    %15 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<32x64xf32>)  : i32 {
      %24 = arith.muli %arg4, %c64_i32 : i32
      %25 = "tk.addptr"(%arg1, %24) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %26 = "tk.splat"(%25) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
      %27 = "tk.addptr"(%26, %1) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
      %28 = "tk.load"(%27) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
      %29 = "tk.expand_dims"(%28) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
      %30 = "tk.broadcast"(%29) : (tensor<1x64xf32>) -> tensor<32x64xf32>
      %31 = math.fma %14, %30, %arg5 : tensor<32x64xf32>
      scf.yield %31 : tensor<32x64xf32>
    }
    %16 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %6) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %18 = "tk.broadcast"(%17) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %19 = "tk.addptr"(%18, %11) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %20 = "tk.expand_dims"(%4) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
    %21 = "tk.broadcast"(%20) : (tensor<1x64xf32>) -> tensor<32x64xf32>
    %22 = arith.mulf %15, %21 : tensor<32x64xf32>
    %23 = arith.truncf %22 : tensor<32x64xf32> to tensor<32x64xf16>
    "tk.store"(%19, %23) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xf16>) -> ()
    return
  }
}
