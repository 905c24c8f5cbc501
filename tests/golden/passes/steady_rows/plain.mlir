// chip: sm_90a
// show: scf.* tk.warp_any tk.partial_reduce tk.reduce tk.yield tk.convert_layout tk.store
// Left alone: the maximum follows at once.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024>, warp = array<i32: 128, 256>}
#L4 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 128, 256>, warp = array<i32: 32, 64>}
module {
  func.func @plain(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %cst = arith.constant dense<0xFF800000> : tensor<64xf32, #L1>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %2 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %3 = "tk.splat"(%arg2) : (i32) -> tensor<64x1xi32, #L1>
    %4 = arith.muli %2, %3 : tensor<64x1xi32, #L1>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %7 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x32x!tk.ptr<f32>, #L3>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<64xf32, #L1>
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<64x32xf32, #L3>
    %cst_2 = arith.constant dense<1.44269502> : tensor<64x32xf32, #L3>
    %cst_3 = arith.constant dense<1.44269502> : tensor<64xf32, #L1>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x8xf32, #L4>
    %9:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg4 = %cst_4, %arg5 = %cst) -> (tensor<64x8xf32, #L4>, tensor<64xf32, #L1>)  : i32 {
      %18 = "tk.splat"(%arg3) : (i32) -> tensor<32xi32, #L2>
      %19 = arith.addi %18, %7 : tensor<32xi32, #L2>
      %20 = "tk.expand_dims"(%19) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
      %21 = "tk.broadcast"(%20) : (tensor<1x32xi32, #L2>) -> tensor<64x32xi32, #L3>
      %22 = "tk.addptr"(%8, %21) : (tensor<64x32x!tk.ptr<f32>, #L3>, tensor<64x32xi32, #L3>) -> tensor<64x32x!tk.ptr<f32>, #L3>
      %23 = "tk.load"(%22) {vector = 4 : i32} : (tensor<64x32x!tk.ptr<f32>, #L3>) -> tensor<64x32xf32, #L3>
      %24 = "tk.reduce"(%23) ({
      ^bb0(%arg6: f32, %arg7: f32):
        %40 = arith.maxnumf %arg6, %arg7 : f32
        "tk.yield"(%40) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x32xf32, #L3>) -> tensor<64xf32, #L1>
      %25 = arith.mulf %24, %cst_0 : tensor<64xf32, #L1>
      %26 = arith.maxnumf %arg5, %25 : tensor<64xf32, #L1>
      %27 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xf32, #L1>) -> tensor<64x1xf32, #L1>
      %28 = "tk.broadcast"(%27) : (tensor<64x1xf32, #L1>) -> tensor<64x32xf32, #L3>
      %29 = arith.negf %28 : tensor<64x32xf32, #L3>
      %30 = math.fma %23, %cst_1, %29 : tensor<64x32xf32, #L3>
      %31 = arith.mulf %30, %cst_2 : tensor<64x32xf32, #L3>
      %32 = math.exp2 %31 : tensor<64x32xf32, #L3>
      %33 = arith.subf %arg5, %26 : tensor<64xf32, #L1>
      %34 = arith.mulf %33, %cst_3 : tensor<64xf32, #L1>
      %35 = math.exp2 %34 : tensor<64xf32, #L1>
      %36 = "tk.partial_reduce"(%32) ({
      ^bb0(%arg6: f32, %arg7: f32):
        %40 = arith.addf %arg6, %arg7 : f32
        "tk.yield"(%40) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x32xf32, #L3>) -> tensor<64x8xf32, #L4>
      %37 = "tk.expand_dims"(%35) {axis = 1 : i32} : (tensor<64xf32, #L1>) -> tensor<64x1xf32, #L1>
      %38 = "tk.broadcast"(%37) : (tensor<64x1xf32, #L1>) -> tensor<64x8xf32, #L4>
      %39 = math.fma %arg4, %38, %36 : tensor<64x8xf32, #L4>
      scf.yield %39, %26 : tensor<64x8xf32, #L4>, tensor<64xf32, #L1>
    }
    %10 = "tk.reduce"(%9#0) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%18) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x8xf32, #L4>) -> tensor<64xf32, #L1>
    %11 = "tk.convert_layout"(%9#1) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L0>
    %12 = "tk.convert_layout"(%10) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L0>
    %13 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %14 = "tk.addptr"(%13, %0) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
    "tk.store"(%14, %12) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xf32, #L0>) -> ()
    %c64_i32 = arith.constant 64 : i32
    %15 = "tk.addptr"(%arg1, %c64_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %16 = "tk.splat"(%15) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %17 = "tk.addptr"(%16, %0) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
    "tk.store"(%17, %11) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xf32, #L0>) -> ()
    return
  }
}

