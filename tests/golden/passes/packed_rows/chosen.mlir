// chip: sm_90a
// show: func.*
// A branch that programs take on their own yields a value.
module {
  func.func @chosen(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c3_i32 = arith.constant 3 : i32
    %1 = arith.cmpi sgt, %0, %c3_i32 : i32
    %2 = scf.if %1 -> (f32) {
      %c128_i32 = arith.constant 128 : i32
      %4 = arith.muli %0, %c128_i32 : i32
      %5 = "tk.addptr"(%arg0, %4) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %6 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
      %7 = "tk.splat"(%5) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %8 = "tk.addptr"(%7, %6) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %9 = "tk.load"(%8) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %10 = "tk.reduce"(%9) ({
      ^bb0(%arg2: f32, %arg3: f32):
        %11 = arith.addf %arg2, %arg3 : f32
        "tk.yield"(%11) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<128xf32>) -> f32
      scf.yield %10 : f32
    } else {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    }
    %3 = "tk.addptr"(%arg1, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    "tk.store"(%3, %2) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

