// chip: sm_90a
// show: scf.* tk.warp_any tk.partial_reduce tk.reduce tk.yield tk.store math.exp2 tk.convert_layout
// Both results of a reduction are read behind the branch.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024>, warp = array<i32: 128, 256>}
module {
  func.func @softmax_sums(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}, %arg3: f32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32, #L1>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %4 = "tk.splat"(%arg2) : (i32) -> tensor<64x1xi32, #L1>
    %5 = arith.muli %3, %4 : tensor<64x1xi32, #L1>
    %6 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %7 = "tk.addptr"(%6, %5) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %8 = "tk.broadcast"(%7) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x32x!tk.ptr<f32>, #L3>
    %9 = "tk.broadcast"(%3) : (tensor<64x1xi32, #L1>) -> tensor<64x32xi32, #L3>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64x32xf32, #L3>
    %10 = "tk.splat"(%arg3) : (f32) -> tensor<64x32xf32, #L3>
    %11:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg5 = %cst, %arg6 = %cst) -> (tensor<64xf32, #L1>, tensor<64xf32, #L1>)  : i32 {
      %19 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L2>
      %20 = arith.addi %19, %2 : tensor<32xi32, #L2>
      %21 = "tk.expand_dims"(%20) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
      %22 = "tk.broadcast"(%21) : (tensor<1x32xi32, #L2>) -> tensor<64x32xi32, #L3>
      %23 = "tk.addptr"(%8, %22) : (tensor<64x32x!tk.ptr<f32>, #L3>, tensor<64x32xi32, #L3>) -> tensor<64x32x!tk.ptr<f32>, #L3>
      %24 = "tk.load"(%23) {vector = 4 : i32} : (tensor<64x32x!tk.ptr<f32>, #L3>) -> tensor<64x32xf32, #L3>
      %25 = arith.cmpi sle, %22, %9 : tensor<64x32xi32, #L3>
      %26 = arith.select %25, %24, %cst_0 : tensor<64x32xi1, #L3>, tensor<64x32xf32, #L3>
      %27 = arith.mulf %26, %10 : tensor<64x32xf32, #L3>
      %28 = math.exp2 %27 : tensor<64x32xf32, #L3>
      %29 = arith.mulf %28, %28 : tensor<64x32xf32, #L3>
      %30:2 = "tk.reduce"(%28, %29) ({
      ^bb0(%arg7: f32, %arg8: f32, %arg9: f32, %arg10: f32):
        %32 = arith.addf %arg7, %arg9 : f32
        %33 = arith.addf %arg8, %arg10 : f32
        "tk.yield"(%32, %33) : (f32, f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x32xf32, #L3>, tensor<64x32xf32, #L3>) -> (tensor<64xf32, #L1>, tensor<64xf32, #L1>)
      %31 = arith.addf %arg6, %30#0 : tensor<64xf32, #L1>
      scf.yield %30#1, %31 : tensor<64xf32, #L1>, tensor<64xf32, #L1>
    }
    %12 = "tk.convert_layout"(%11#0) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L0>
    %13 = "tk.convert_layout"(%11#1) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L0>
    %14 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %15 = "tk.addptr"(%14, %0) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
    "tk.store"(%15, %13) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xf32, #L0>) -> ()
    %c64_i32 = arith.constant 64 : i32
    %16 = "tk.addptr"(%arg1, %c64_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %17 = "tk.splat"(%16) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %18 = "tk.addptr"(%17, %0) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
    "tk.store"(%18, %12) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xf32, #L0>) -> ()
    return
  }
}

