// chip: gfx942
// show: scf.* tk.load tk.dot tk.store tk.yield
// Rows by loaded numbers: their distances from row 0 are tested, and what their mask does not compute in the loop stays.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.splat"(%arg2) : (!tk.ptr<i32>) -> tensor<16x!tk.ptr<i32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<16x!tk.ptr<i32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<i32>>
    %3 = "tk.load"(%2) : (tensor<16x!tk.ptr<i32>>) -> tensor<16xi32>
    %4 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %5 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %6 = arith.muli %4, %5 : tensor<16x1xi32>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %8 = "tk.addptr"(%7, %6) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %10 = "tk.broadcast"(%8) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
    %11 = "tk.broadcast"(%9) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst_0 = arith.constant dense<0> : tensor<16x1xi32>
    %13 = arith.cmpi sge, %4, %cst_0 : tensor<16x1xi32>
    %14 = "tk.broadcast"(%13) : (tensor<16x1xi1>) -> tensor<16x16xi1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<16x16xf16>
    %cst_2 = arith.constant dense<16> : tensor<16x16xi32>
    %15:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg5 = %cst, %arg6 = %12) -> (tensor<16x16xf32>, tensor<16x16x!tk.ptr<f16>>)  : i32 {
      %22 = arith.subi %arg3, %arg4 : i32
      %23 = "tk.splat"(%22) : (i32) -> tensor<1x16xi32>
      %24 = arith.cmpi slt, %9, %23 : tensor<1x16xi32>
      %25 = "tk.broadcast"(%24) : (tensor<1x16xi1>) -> tensor<16x16xi1>
      %26 = arith.andi %14, %25 : tensor<16x16xi1>
      %27 = "tk.load"(%arg6, %26, %cst_1) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi1>, tensor<16x16xf16>) -> tensor<16x16xf16>
      %28 = "tk.dot"(%27, %27, %arg5) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %29 = "tk.addptr"(%arg6, %cst_2) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      scf.yield %28, %29 : tensor<16x16xf32>, tensor<16x16x!tk.ptr<f16>>
    }
    %16 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_3 = arith.constant dense<16> : tensor<16x1xi32>
    %17 = arith.muli %16, %cst_3 : tensor<16x1xi32>
    %18 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %19 = "tk.addptr"(%18, %17) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %20 = "tk.broadcast"(%19) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %21 = "tk.addptr"(%20, %11) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%21, %15#0) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

