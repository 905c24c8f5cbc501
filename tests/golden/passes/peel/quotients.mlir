// chip: gfx942
// show: scf.* tk.load tk.dot tk.store tk.yield arith.divsi arith.remsi
// Quotient and remainder of the step's number are numbers that the loop counts on, whatever the divisor's sign.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst = arith.constant dense<16> : tensor<16x1xi32>
    %2 = arith.muli %1, %cst : tensor<16x1xi32>
    %3 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %4 = "tk.broadcast"(%2) : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %5 = "tk.broadcast"(%3) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %6 = arith.addi %4, %5 : tensor<16x16xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c256_i32 = arith.constant 256 : i32
    %7 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<16x16xf32>)  : i32 {
      %10 = arith.divsi %arg4, %arg3 : i32
      %11 = arith.muli %10, %c1024_i32 : i32
      %12 = arith.remsi %arg4, %arg3 : i32
      %13 = arith.muli %12, %c256_i32 : i32
      %14 = arith.addi %11, %13 : i32
      %15 = "tk.addptr"(%arg0, %14) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %16 = "tk.splat"(%15) : (!tk.ptr<f16>) -> tensor<16x16x!tk.ptr<f16>>
      %17 = "tk.addptr"(%16, %6) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %18 = "tk.load"(%17) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %19 = "tk.dot"(%18, %18, %arg5) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %19 : tensor<16x16xf32>
    }
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<16x16x!tk.ptr<f32>>
    %9 = "tk.addptr"(%8, %6) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%9, %7) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

