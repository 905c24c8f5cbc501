// chip: gfx942
// show: scf.* tk.load tk.dot tk.store tk.yield
// Rows modulo their number, in 64 bits: the pointers advance with the columns.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c16_i32 = arith.constant 16 : i32
    %2 = arith.muli %1, %c16_i32 : i32
    %3 = "tk.splat"(%2) : (i32) -> tensor<16xi32>
    %4 = arith.addi %3, %0 : tensor<16xi32>
    %5 = "tk.splat"(%arg2) : (i32) -> tensor<16xi32>
    %6 = arith.remsi %4, %5 : tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %7 = arith.extsi %6 : tensor<16xi32> to tensor<16xi64>
    %8 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<16xi64>) -> tensor<16x1xi64>
    %9 = arith.extsi %arg3 : i32 to i64
    %10 = "tk.splat"(%9) : (i64) -> tensor<16x1xi64>
    %11 = arith.muli %8, %10 : tensor<16x1xi64>
    %12 = "tk.broadcast"(%11) : (tensor<16x1xi64>) -> tensor<16x16xi64>
    %13 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x16x!tk.ptr<f16>>
    %14 = scf.for %arg4 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %23 = "tk.splat"(%arg4) : (i32) -> tensor<16xi32>
      %24 = arith.addi %23, %0 : tensor<16xi32>
      %25 = arith.extsi %24 : tensor<16xi32> to tensor<16xi64>
      %26 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<16xi64>) -> tensor<1x16xi64>
      %27 = "tk.broadcast"(%26) : (tensor<1x16xi64>) -> tensor<16x16xi64>
      %28 = arith.addi %12, %27 : tensor<16x16xi64>
      %29 = "tk.addptr"(%13, %28) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi64>) -> tensor<16x16x!tk.ptr<f16>>
      %30 = "tk.load"(%29) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %31 = "tk.dot"(%30, %30, %arg5) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %31 : tensor<16x16xf32>
    }
    %15 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_0 = arith.constant dense<16> : tensor<16x1xi32>
    %16 = arith.muli %15, %cst_0 : tensor<16x1xi32>
    %17 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %16) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %19 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %20 = "tk.broadcast"(%18) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %21 = "tk.broadcast"(%19) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %22 = "tk.addptr"(%20, %21) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%22, %14) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

