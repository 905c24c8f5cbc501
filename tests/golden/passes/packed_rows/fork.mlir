// chip: sm_90a
// show: func.* scf.* tk.*
// The way with a loop keeps a block a row; the other one is packed, and what it yields, too.
module {
  func.func @forked(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.cmpi sle, %arg2, %c128_i32 : i32
    %2 = scf.if %1 -> (f32) {
      %4 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
      %5 = arith.muli %0, %arg2 : i32
      %6 = "tk.addptr"(%arg0, %5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %7 = "tk.splat"(%6) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %8 = "tk.addptr"(%7, %4) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %9 = "tk.splat"(%arg2) : (i32) -> tensor<128xi32>
      %10 = arith.cmpi slt, %4, %9 : tensor<128xi32>
      %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
      %11 = "tk.load"(%8, %10, %cst) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
      %12 = "tk.reduce"(%11) ({
      ^bb0(%arg3: f32, %arg4: f32):
        %13 = arith.addf %arg3, %arg4 : f32
        "tk.yield"(%13) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<128xf32>) -> f32
      scf.yield %12 : f32
    } else {
      %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
      %c0_i32 = arith.constant 0 : i32
      %4 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
      %5 = arith.muli %0, %arg2 : i32
      %6 = "tk.addptr"(%arg0, %5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %7 = "tk.splat"(%6) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %8 = "tk.splat"(%arg2) : (i32) -> tensor<128xi32>
      %9 = scf.for %arg3 = %c0_i32 to %arg2 step %c128_i32 iter_args(%arg4 = %cst) -> (tensor<128xf32>)  : i32 {
        %11 = "tk.splat"(%arg3) : (i32) -> tensor<128xi32>
        %12 = arith.addi %11, %4 : tensor<128xi32>
        %13 = "tk.addptr"(%7, %12) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
        %14 = arith.cmpi slt, %12, %8 : tensor<128xi32>
        %15 = "tk.load"(%13, %14, %cst) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
        %16 = arith.addf %arg4, %15 : tensor<128xf32>
        scf.yield %16 : tensor<128xf32>
      }
      %10 = "tk.reduce"(%9) ({
      ^bb0(%arg3: f32, %arg4: f32):
        %11 = arith.addf %arg3, %arg4 : f32
        "tk.yield"(%11) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<128xf32>) -> f32
      scf.yield %10 : f32
    }
    %3 = "tk.addptr"(%arg1, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    "tk.store"(%3, %2) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

