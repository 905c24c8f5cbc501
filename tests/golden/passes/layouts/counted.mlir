// chip: sm_90a
// show: scf.* tk.load tk.convert_layout arith.cmpi
// One carried tile masks rows of one tile and columns of another: it is counted again in the second layout, and not exchanged.
module {
  func.func @counted(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %1 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32>
    %3 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_1 = arith.constant dense<4096> : tensor<16x1xi32>
    %4 = arith.muli %3, %cst_1 : tensor<16x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %7 = "tk.broadcast"(%6) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x32x!tk.ptr<f16>>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %cst_3 = arith.constant dense<16> : tensor<32x1xi32>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %10 = "tk.broadcast"(%9) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x16xf16>
    %cst_5 = arith.constant dense<64> : tensor<32xi32>
    %11:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %cst, %arg8 = %cst_0, %arg9 = %0) -> (tensor<16x32xf32>, tensor<32x16xf32>, tensor<32xi32>)  : i32 {
      %25 = arith.cmpi slt, %arg9, %2 : tensor<32xi32>
      %26 = "tk.expand_dims"(%arg9) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
      %27 = "tk.broadcast"(%26) : (tensor<1x32xi32>) -> tensor<16x32xi32>
      %28 = "tk.addptr"(%7, %27) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f16>>
      %29 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<32xi1>) -> tensor<1x32xi1>
      %30 = "tk.broadcast"(%29) : (tensor<1x32xi1>) -> tensor<16x32xi1>
      %31 = "tk.load"(%28, %30, %cst_2) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi1>, tensor<16x32xf16>) -> tensor<16x32xf16>
      %32 = arith.extf %31 : tensor<16x32xf16> to tensor<16x32xf32>
      %33 = arith.addf %arg7, %32 : tensor<16x32xf32>
      %34 = "tk.expand_dims"(%arg9) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
      %35 = arith.muli %34, %cst_3 : tensor<32x1xi32>
      %36 = "tk.addptr"(%8, %35) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %37 = "tk.broadcast"(%36) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x16x!tk.ptr<f16>>
      %38 = "tk.addptr"(%37, %10) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f16>>
      %39 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<32xi1>) -> tensor<32x1xi1>
      %40 = "tk.broadcast"(%39) : (tensor<32x1xi1>) -> tensor<32x16xi1>
      %41 = "tk.load"(%38, %40, %cst_4) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi1>, tensor<32x16xf16>) -> tensor<32x16xf16>
      %42 = arith.extf %41 : tensor<32x16xf16> to tensor<32x16xf32>
      %43 = arith.addf %arg8, %42 : tensor<32x16xf32>
      %44 = arith.addi %arg9, %cst_5 : tensor<32xi32>
      scf.yield %33, %43, %44 : tensor<16x32xf32>, tensor<32x16xf32>, tensor<32xi32>
    }
    %cst_6 = arith.constant dense<32> : tensor<16x1xi32>
    %12 = arith.muli %3, %cst_6 : tensor<16x1xi32>
    %13 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %14 = "tk.addptr"(%13, %12) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %15 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %16 = "tk.broadcast"(%14) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x32x!tk.ptr<f32>>
    %17 = "tk.broadcast"(%15) : (tensor<1x32xi32>) -> tensor<16x32xi32>
    %18 = "tk.addptr"(%16, %17) : (tensor<16x32x!tk.ptr<f32>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f32>>
    "tk.store"(%18, %11#0) : (tensor<16x32x!tk.ptr<f32>>, tensor<16x32xf32>) -> ()
    %19 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %20 = arith.muli %19, %cst_3 : tensor<32x1xi32>
    %21 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %23 = "tk.broadcast"(%22) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x16x!tk.ptr<f32>>
    %24 = "tk.addptr"(%23, %10) : (tensor<32x16x!tk.ptr<f32>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f32>>
    "tk.store"(%24, %11#1) : (tensor<32x16x!tk.ptr<f32>>, tensor<32x16xf32>) -> ()
    return
  }
}
