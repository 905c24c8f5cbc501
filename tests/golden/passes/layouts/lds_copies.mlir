// chip: gfx950
// show: tk.load tk.convert_layout tk.dot
// Lanes take the elements of 1,024 bytes of a slot in a row: groups of 16 bytes of a row change places by the number of the row. The
// right operand is read transposed, 32 bytes of a row at a time.
module {
  func.func @product(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %2 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %3 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %4 = arith.muli %2, %3 : tensor<32x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %7 = "tk.broadcast"(%6) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %10 = "tk.broadcast"(%9) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %11 = scf.for %arg4 = %c0_i32 to %arg3 step %c64_i32 iter_args(%arg5 = %cst) -> (tensor<32x32xf32>)  : i32 {
      %18 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32>
      %19 = arith.addi %18, %1 : tensor<64xi32>
      %20 = "tk.expand_dims"(%19) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %21 = "tk.broadcast"(%20) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %22 = "tk.addptr"(%7, %21) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %23 = "tk.load"(%22) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %24 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %25 = arith.muli %24, %cst_0 : tensor<64x1xi32>
      %26 = "tk.addptr"(%8, %25) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %27 = "tk.broadcast"(%26) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %28 = "tk.addptr"(%27, %10) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %29 = "tk.load"(%28) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %30 = "tk.dot"(%23, %29, %arg5) {precision = "ieee"} : (tensor<32x64xf16>, tensor<64x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %30 : tensor<32x32xf32>
    }
    %cst_1 = arith.constant dense<32> : tensor<32x1xi32>
    %12 = arith.muli %2, %cst_1 : tensor<32x1xi32>
    %13 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %14 = "tk.addptr"(%13, %12) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %15 = "tk.broadcast"(%14) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x32x!tk.ptr<f32>>
    %16 = "tk.broadcast"(%9) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %17 = "tk.addptr"(%15, %16) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
    "tk.store"(%17, %11) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
    return
  }
}

