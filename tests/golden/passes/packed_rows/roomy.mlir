// chip: sm_90a
// show: func.*
// Enough bytes under way.
module {
  func.func @roomy(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = "tk.addptr"(%arg1, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %c1024_i32 = arith.constant 1024 : i32
    %2 = arith.muli %0, %c1024_i32 : i32
    %3 = "tk.addptr"(%arg0, %2) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %4 = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32>
    %5 = "tk.splat"(%3) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %6 = "tk.addptr"(%5, %4) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %7 = "tk.load"(%6) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %8 = "tk.reduce"(%7) ({
    ^bb0(%arg2: f32, %arg3: f32):
      %9 = arith.addf %arg2, %arg3 : f32
      "tk.yield"(%9) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<1024xf32>) -> f32
    "tk.store"(%1, %8) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

