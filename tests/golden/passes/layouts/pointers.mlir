// chip: sm_90a
// show: tk.load tk.convert_layout
// Rows of two arrays by one tile of indices: the indices are exchanged, once, not the pointers.
module {
  func.func @pointers(%arg0: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<i32>) -> tensor<32x!tk.ptr<i32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<32x!tk.ptr<i32>>, tensor<32xi32>) -> tensor<32x!tk.ptr<i32>>
    %3 = "tk.load"(%2) : (tensor<32x!tk.ptr<i32>>) -> tensor<32xi32>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %5 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %6 = arith.muli %5, %cst : tensor<32x1xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %8 = "tk.addptr"(%7, %6) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %9 = "tk.expand_dims"(%4) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %10 = "tk.broadcast"(%8) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x64x!tk.ptr<f32>>
    %11 = "tk.broadcast"(%9) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    %13 = "tk.load"(%12) : (tensor<32x64x!tk.ptr<f32>>) -> tensor<32x64xf32>
    %14 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %15 = "tk.addptr"(%14, %6) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %16 = "tk.broadcast"(%15) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x64x!tk.ptr<f32>>
    %17 = "tk.addptr"(%16, %11) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    %18 = "tk.load"(%17) : (tensor<32x64x!tk.ptr<f32>>) -> tensor<32x64xf32>
    %19 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %20 = arith.muli %19, %cst : tensor<32x1xi32>
    %21 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %23 = "tk.broadcast"(%22) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x64x!tk.ptr<f32>>
    %24 = "tk.addptr"(%23, %11) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    %25 = arith.mulf %13, %18 : tensor<32x64xf32>
    "tk.store"(%24, %25) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xf32>) -> ()
    return
  }
}
