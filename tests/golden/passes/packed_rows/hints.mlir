// chip: sm_90a
// show: tk.load tk.hint
// Hints of scalars and of tiles.
module {
  func.func @promised(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f32>, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.muli %0, %arg2 : i32
    %2 = "tk.addptr"(%arg0, %1) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %3 = "tk.hint"(%2) {divisibility = array<i32: 16>} : (!tk.ptr<f32>) -> !tk.ptr<f32>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %5 = "tk.splat"(%1) : (i32) -> tensor<64xi32>
    %6 = arith.addi %5, %4 : tensor<64xi32>
    %7 = "tk.hint"(%6) {divisibility = array<i32: 16>} : (tensor<64xi32>) -> tensor<64xi32>
    %8 = "tk.addptr"(%arg1, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %9 = "tk.splat"(%3) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %10 = "tk.addptr"(%9, %4) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %11 = "tk.load"(%10) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %12 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %13 = "tk.addptr"(%12, %7) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %14 = "tk.load"(%13) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %15 = arith.addf %11, %14 : tensor<64xf32>
    %16 = "tk.reduce"(%15) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %17 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%17) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    "tk.store"(%8, %16) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

