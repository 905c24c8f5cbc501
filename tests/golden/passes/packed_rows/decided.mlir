// chip: sm_90a
// show: func.* tk.load tk.store
// Programs decide on their own: the accesses of the branch are masked.
module {
  func.func @decided(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c3_i32 = arith.constant 3 : i32
    %1 = arith.cmpi sgt, %0, %c3_i32 : i32
    scf.if %1 {
      %2 = "tk.addptr"(%arg1, %0) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c128_i32 = arith.constant 128 : i32
      %3 = arith.muli %0, %c128_i32 : i32
      %4 = "tk.addptr"(%arg0, %3) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %5 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
      %6 = "tk.splat"(%4) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %7 = "tk.addptr"(%6, %5) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %8 = "tk.load"(%7) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %9 = "tk.reduce"(%8) ({
      ^bb0(%arg2: f32, %arg3: f32):
        %10 = arith.addf %arg2, %arg3 : f32
        "tk.yield"(%10) : (f32) -> ()
      }) {axis = 0 : i32} : (tensor<128xf32>) -> f32
      "tk.store"(%2, %9) : (!tk.ptr<f32>, f32) -> ()
    } else {
    }
    return
  }
}

