// chip: sm_90a
// show: func.* scf.* tk.*
// A row of a program's own, weights that all programs load, and a scalar.
module {
  func.func @scaled(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %c256_i32 = arith.constant 256 : i32
    %2 = arith.muli %0, %c256_i32 : i32
    %3 = "tk.addptr"(%arg0, %2) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %4 = "tk.splat"(%3) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %5 = "tk.addptr"(%4, %1) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %6 = "tk.load"(%5) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %8 = "tk.addptr"(%7, %1) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %9 = "tk.load"(%8) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %10 = "tk.addptr"(%arg2, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %11 = arith.mulf %6, %9 : tensor<256xf32>
    %12 = "tk.reduce"(%11) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%18) : (f32) -> ()
    }) {axis = 0 : i32, products} : (tensor<256xf32>) -> f32
    %13 = "tk.load"(%arg1) : (!tk.ptr<f32>) -> f32
    %14 = arith.addf %12, %13 : f32
    %15 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %16 = arith.sitofp %15 : i32 to f32
    %17 = arith.addf %14, %16 : f32
    "tk.store"(%10, %17) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

