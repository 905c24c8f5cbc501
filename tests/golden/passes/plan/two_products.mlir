// chip: gfx1100
// show: scf.for tk.load tk.dot
// after: peel layouts
// Two products of one tile, neither of the other's result, have registers for two steps a turn.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %3 = arith.muli %1, %2 : tensor<16x1xi32>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %3) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %6 = "tk.broadcast"(%5) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
    %cst_0 = arith.constant dense<32> : tensor<16x1xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %8 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %9 = "tk.broadcast"(%8) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %cst_1 = arith.constant dense<16> : tensor<16x1xi32>
    %10:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg5 = %cst, %arg6 = %cst) -> (tensor<16x16xf32>, tensor<16x16xf32>)  : i32 {
      %17 = "tk.splat"(%arg4) : (i32) -> tensor<16xi32>
      %18 = arith.addi %17, %0 : tensor<16xi32>
      %19 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %20 = "tk.broadcast"(%19) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %21 = "tk.addptr"(%6, %20) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %22 = "tk.load"(%21) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %23 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %24 = arith.muli %23, %cst_0 : tensor<16x1xi32>
      %25 = "tk.addptr"(%7, %24) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %26 = "tk.broadcast"(%25) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %9) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %29 = "tk.dot"(%22, %28, %arg5) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %30 = "tk.addptr"(%25, %cst_1) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %31 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %32 = "tk.addptr"(%31, %9) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %33 = "tk.load"(%32) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %34 = "tk.dot"(%22, %33, %arg6) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %29, %34 : tensor<16x16xf32>, tensor<16x16xf32>
    }
    %11 = arith.muli %1, %cst_1 : tensor<16x1xi32>
    %12 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %13 = "tk.addptr"(%12, %11) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %14 = "tk.broadcast"(%13) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %15 = "tk.addptr"(%14, %9) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    %16 = arith.mulf %10#0, %10#1 : tensor<16x16xf32>
    "tk.store"(%15, %16) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

