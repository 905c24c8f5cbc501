// chip: sm_90a
// show: scf.* tk.load tk.store
// The last loop that reads lets the cache have its tiles.
module {
  func.func @gradient(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.muli %0, %arg1 : i32
    %2 = "tk.addptr"(%arg0, %1) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %3 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %4 = scf.for %arg2 = %c0_i32 to %arg1 step %c256_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %6 = "tk.addptr"(%2, %arg2) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %7 = "tk.splat"(%6) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
      %8 = "tk.addptr"(%7, %3) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %9 = "tk.load"(%8) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
      %10 = "tk.reduce"(%9) ({
      ^bb0(%arg4: f32, %arg5: f32):
        %12 = arith.addf %arg4, %arg5 : f32
        "tk.yield"(%12) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
      %11 = arith.addf %arg3, %10 : f32
      scf.yield %11 : f32
    }
    %5 = "tk.splat"(%4) : (f32) -> tensor<256xf32>
    scf.for %arg2 = %c0_i32 to %arg1 step %c256_i32  : i32 {
      %6 = "tk.addptr"(%2, %arg2) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %7 = "tk.splat"(%6) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
      %8 = "tk.addptr"(%7, %3) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %9 = "tk.load"(%8) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
      %10 = arith.divf %9, %5 : tensor<256xf32>
      "tk.store"(%8, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    }
    return
  }
}

