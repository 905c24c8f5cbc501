// chip: gfx1100
// show: scf.for tk.load tk.dot
// after: peel layouts
// A chip that converts bytes to halves by arithmetic takes one step a turn.
module {
  func.func @kernel(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %3 = arith.muli %1, %2 : tensor<16x1xi32>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<16x1x!tk.ptr<f8E4M3FN>>
    %5 = "tk.addptr"(%4, %3) : (tensor<16x1x!tk.ptr<f8E4M3FN>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f8E4M3FN>>
    %6 = "tk.broadcast"(%5) : (tensor<16x1x!tk.ptr<f8E4M3FN>>) -> tensor<16x16x!tk.ptr<f8E4M3FN>>
    %cst_0 = arith.constant dense<16> : tensor<16x1xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f8E4M3FN>) -> tensor<16x1x!tk.ptr<f8E4M3FN>>
    %8 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %9 = "tk.broadcast"(%8) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %10 = scf.for %arg4 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %16 = "tk.splat"(%arg4) : (i32) -> tensor<16xi32>
      %17 = arith.addi %16, %0 : tensor<16xi32>
      %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %19 = "tk.broadcast"(%18) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %20 = "tk.addptr"(%6, %19) : (tensor<16x16x!tk.ptr<f8E4M3FN>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f8E4M3FN>>
      %21 = "tk.load"(%20) : (tensor<16x16x!tk.ptr<f8E4M3FN>>) -> tensor<16x16xf8E4M3FN>
      %22 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %23 = arith.muli %22, %cst_0 : tensor<16x1xi32>
      %24 = "tk.addptr"(%7, %23) : (tensor<16x1x!tk.ptr<f8E4M3FN>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f8E4M3FN>>
      %25 = "tk.broadcast"(%24) : (tensor<16x1x!tk.ptr<f8E4M3FN>>) -> tensor<16x16x!tk.ptr<f8E4M3FN>>
      %26 = "tk.addptr"(%25, %9) : (tensor<16x16x!tk.ptr<f8E4M3FN>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f8E4M3FN>>
      %27 = "tk.load"(%26) : (tensor<16x16x!tk.ptr<f8E4M3FN>>) -> tensor<16x16xf8E4M3FN>
      %28 = "tk.fp_to_fp"(%21) {rounding = "rtne"} : (tensor<16x16xf8E4M3FN>) -> tensor<16x16xf16>
      %29 = "tk.fp_to_fp"(%27) {rounding = "rtne"} : (tensor<16x16xf8E4M3FN>) -> tensor<16x16xf16>
      %30 = "tk.dot"(%28, %29, %arg5) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %30 : tensor<16x16xf32>
    }
    %11 = arith.muli %1, %cst_0 : tensor<16x1xi32>
    %12 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %13 = "tk.addptr"(%12, %11) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %14 = "tk.broadcast"(%13) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %15 = "tk.addptr"(%14, %9) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%15, %10) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

