// chip: gfx942
// show: tk.load tk.dot tk.convert_layout
// Numbers of rows are loaded where their rows' addresses are, by several threads each, and not moved there through shared memory.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %2 = arith.muli %1, %cst : tensor<64x1xi32>
    %3 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %4 = "tk.broadcast"(%2) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %5 = "tk.broadcast"(%3) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %6 = arith.addi %4, %5 : tensor<64x64xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %cst_1 = arith.constant dense<0> : tensor<64x1xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %c4096_i32 = arith.constant 4096 : i32
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %11 = arith.muli %arg5, %c64_i32 : i32
      %12 = "tk.addptr"(%arg3, %11) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %13 = "tk.splat"(%12) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
      %14 = "tk.addptr"(%13, %0) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
      %15 = "tk.load"(%14) : (tensor<64x!tk.ptr<i32>>) -> tensor<64xi32>
      %16 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %17 = arith.muli %16, %cst : tensor<64x1xi32>
      %18 = "tk.addptr"(%7, %17) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %20 = "tk.addptr"(%19, %5) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %21 = arith.cmpi sge, %16, %cst_1 : tensor<64x1xi32>
      %22 = "tk.broadcast"(%21) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %23 = "tk.load"(%20, %22, %cst_2) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %24 = arith.muli %arg5, %c4096_i32 : i32
      %25 = "tk.addptr"(%arg1, %24) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %26 = "tk.splat"(%25) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %6) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %29 = "tk.dot"(%23, %28, %arg6) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %29 : tensor<64x64xf32>
    }
    %9 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>>
    %10 = "tk.addptr"(%9, %6) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%10, %8) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}

