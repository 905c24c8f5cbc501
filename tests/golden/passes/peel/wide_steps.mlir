// chip: gfx942
// show: scf.* tk.load tk.dot tk.store tk.yield
// A loop that counts in 64 bits: it is split if the scalars of its masks fit in 32.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i64 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = arith.extsi %1 : tensor<16x1xi32> to tensor<16x1xi64>
    %3 = "tk.splat"(%arg2) : (i64) -> tensor<16x1xi64>
    %4 = arith.muli %2, %3 : tensor<16x1xi64>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi64>) -> tensor<16x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %8 = "tk.broadcast"(%6) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c15_i64 = arith.constant 15 : i64
    %11 = arith.addi %arg2, %c15_i64 : i64
    %c16_i64 = arith.constant 16 : i64
    %12 = arith.divsi %11, %c16_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %13 = arith.extsi %7 : tensor<1x16xi32> to tensor<1x16xi64>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf16>
    %cst_1 = arith.constant dense<16> : tensor<16x16xi32>
    %14:2 = scf.for %arg3 = %c0_i64 to %12 step %c1_i64 iter_args(%arg4 = %cst, %arg5 = %10) -> (tensor<16x16xf32>, tensor<16x16x!tk.ptr<f16>>)  : i64 {
      %20 = arith.muli %arg3, %c16_i64 : i64
      %21 = arith.subi %arg2, %20 : i64
      %22 = "tk.splat"(%21) : (i64) -> tensor<1x16xi64>
      %23 = arith.cmpi slt, %13, %22 : tensor<1x16xi64>
      %24 = "tk.broadcast"(%23) : (tensor<1x16xi1>) -> tensor<16x16xi1>
      %25 = "tk.load"(%arg5, %24, %cst_0) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi1>, tensor<16x16xf16>) -> tensor<16x16xf16>
      %26 = "tk.dot"(%25, %25, %arg4) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %27 = "tk.addptr"(%arg5, %cst_1) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      scf.yield %26, %27 : tensor<16x16xf32>, tensor<16x16x!tk.ptr<f16>>
    }
    %cst_2 = arith.constant dense<16> : tensor<16x1xi32>
    %15 = arith.muli %1, %cst_2 : tensor<16x1xi32>
    %16 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %17 = "tk.addptr"(%16, %15) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %18 = "tk.broadcast"(%17) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %19 = "tk.addptr"(%18, %9) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%19, %14#0) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

