// chip: sm_90a
// show: scf.* tk.load tk.store
// Back, and forth again; stores to another argument stay.
module {
  func.func @centred(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.muli %0, %arg2 : i32
    %2 = "tk.addptr"(%arg0, %1) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %3 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %4 = "tk.splat"(%2) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %5 = "tk.splat"(%arg2) : (i32) -> tensor<256xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %6 = scf.for %arg3 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
      %9 = "tk.splat"(%arg3) : (i32) -> tensor<256xi32>
      %10 = arith.addi %9, %3 : tensor<256xi32>
      %11 = "tk.addptr"(%4, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %12 = arith.cmpi slt, %10, %5 : tensor<256xi32>
      %13 = "tk.load"(%11, %12, %cst_0) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>, tensor<256xf32>) -> tensor<256xf32>
      %14 = "tk.reduce"(%13) ({
      ^bb0(%arg5: f32, %arg6: f32):
        %16 = arith.addf %arg5, %arg6 : f32
        "tk.yield"(%16) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
      %15 = arith.addf %arg4, %14 : f32
      scf.yield %15 : f32
    }
    %7 = "tk.splat"(%6) : (f32) -> tensor<256xf32>
    scf.for %arg3 = %c0_i32 to %arg2 step %c256_i32  : i32 {
      %9 = "tk.splat"(%arg3) : (i32) -> tensor<256xi32>
      %10 = arith.addi %9, %3 : tensor<256xi32>
      %11 = "tk.addptr"(%4, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %12 = arith.cmpi slt, %10, %5 : tensor<256xi32>
      %13 = "tk.load"(%11, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
      %14 = arith.subf %13, %7 : tensor<256xf32>
      "tk.store"(%11, %14, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    }
    scf.for %arg3 = %c0_i32 to %arg2 step %c256_i32  : i32 {
      %9 = "tk.splat"(%arg3) : (i32) -> tensor<256xi32>
      %10 = arith.addi %9, %3 : tensor<256xi32>
      %11 = "tk.addptr"(%4, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %12 = arith.cmpi slt, %10, %5 : tensor<256xi32>
      %13 = "tk.load"(%11, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
      %14 = arith.mulf %13, %7 : tensor<256xf32>
      "tk.store"(%11, %14, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    }
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    scf.for %arg3 = %c0_i32 to %arg2 step %c256_i32  : i32 {
      %9 = "tk.splat"(%arg3) : (i32) -> tensor<256xi32>
      %10 = arith.addi %9, %3 : tensor<256xi32>
      %11 = "tk.addptr"(%4, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %12 = arith.cmpi slt, %10, %5 : tensor<256xi32>
      %13 = "tk.load"(%11, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
      %14 = "tk.addptr"(%8, %10) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %15 = arith.mulf %13, %7 : tensor<256xf32>
      "tk.store"(%14, %15, %12) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    }
    return
  }
}

