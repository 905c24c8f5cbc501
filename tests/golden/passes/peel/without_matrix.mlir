// chip: gfx1030
// show: scf.* tk.load tk.dot tk.store tk.reduce tk.yield
// A chip without matrix instructions multiplies one by one: its loops stay whole.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %2 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %3 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %4 = "tk.broadcast"(%3) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %12 = "tk.splat"(%arg4) : (i32) -> tensor<16xi32>
      %13 = arith.addi %12, %0 : tensor<16xi32>
      %14 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %15 = arith.muli %14, %1 : tensor<16x1xi32>
      %16 = "tk.addptr"(%2, %15) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %17 = "tk.broadcast"(%16) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %18 = "tk.addptr"(%17, %4) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %19 = "tk.load"(%18) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %20 = "tk.dot"(%19, %19, %arg5) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %20 : tensor<16x16xf32>
    }
    %6 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_0 = arith.constant dense<16> : tensor<16x1xi32>
    %7 = arith.muli %6, %cst_0 : tensor<16x1xi32>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %9 = "tk.addptr"(%8, %7) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %10 = "tk.broadcast"(%9) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %11 = "tk.addptr"(%10, %4) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%11, %5) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

