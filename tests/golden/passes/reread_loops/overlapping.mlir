// chip: sm_90a
// show: scf.* tk.load tk.store
// Tiles of two steps overlap.
module {
  func.func @overlapping(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %2 = "tk.splat"(%arg1) : (i32) -> tensor<256xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %3 = scf.for %arg2 = %c0_i32 to %arg1 step %c128_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %5 = "tk.splat"(%arg2) : (i32) -> tensor<256xi32>
      %6 = arith.addi %5, %0 : tensor<256xi32>
      %7 = "tk.addptr"(%1, %6) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %8 = arith.cmpi slt, %6, %2 : tensor<256xi32>
      %9 = "tk.load"(%7, %8, %cst_0) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>, tensor<256xf32>) -> tensor<256xf32>
      %10 = "tk.reduce"(%9) ({
      ^bb0(%arg4: f32, %arg5: f32):
        %12 = arith.addf %arg4, %arg5 : f32
        "tk.yield"(%12) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
      %11 = arith.addf %arg3, %10 : f32
      scf.yield %11 : f32
    }
    %4 = "tk.splat"(%3) : (f32) -> tensor<256xf32>
    scf.for %arg2 = %c0_i32 to %arg1 step %c128_i32  : i32 {
      %5 = "tk.splat"(%arg2) : (i32) -> tensor<256xi32>
      %6 = arith.addi %5, %0 : tensor<256xi32>
      %7 = "tk.addptr"(%1, %6) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %8 = arith.cmpi slt, %6, %2 : tensor<256xi32>
      %9 = "tk.load"(%7, %8) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
      %10 = arith.subf %9, %4 : tensor<256xf32>
      "tk.store"(%7, %10, %8) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    }
    return
  }
}

