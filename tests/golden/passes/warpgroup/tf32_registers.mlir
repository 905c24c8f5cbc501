// chip: sm_90a
// show: scf.* tk.warpgroup_dot tk.dot* tk.smem_* tk.load tk.barrier tk.round_tf32
// f32 operands of warpgroups, which these would cut to tf32: what comes from registers is rounded there.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024>, warp = array<i32: 128, 256>}
#L6 = {lane = array<i32: 256, 512, 1024, 1, 2>, register = array<i32: 64, 128, 16, 32>, warp = array<i32: 4, 8>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 36, 72, 144, 256, 512, 1024>}
#L8 = {shared = array<i32: 64, 128, 256, 512, 1024, 257, 514, 1028, 8, 16, 32>}
#L9 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @k(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 1 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L3>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L4>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %4 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %5 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %6 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L2>
    %7 = arith.muli %5, %6 : tensor<64x1xi32, #L2>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L2>
    %9 = "tk.addptr"(%8, %7) : (tensor<64x1x!tk.ptr<f32>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f32>, #L2>
    %10 = "tk.expand_dims"(%3) {axis = 0 : i32} : (tensor<32xi32, #L3>) -> tensor<1x32xi32, #L3>
    %11 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L3>) -> tensor<64x32xi32, #L5>
    %12 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %13 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %14 = "tk.splat"(%arg3) : (i32) -> tensor<1x64xi32, #L2>
    %15 = arith.muli %13, %14 : tensor<1x64xi32, #L2>
    %16 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<1x64x!tk.ptr<f32>, #L2>
    %17 = "tk.addptr"(%16, %15) : (tensor<1x64x!tk.ptr<f32>, #L2>, tensor<1x64xi32, #L2>) -> tensor<1x64x!tk.ptr<f32>, #L2>
    %18 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<32xi32, #L3>) -> tensor<32x1xi32, #L3>
    %19 = "tk.broadcast"(%18) : (tensor<32x1xi32, #L3>) -> tensor<32x64xi32, #L6>
    %20 = scf.for %arg4 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #L4>)  : i32 {
      %28 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L2>
      %29 = "tk.addptr"(%9, %28) : (tensor<64x1x!tk.ptr<f32>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f32>, #L2>
      %30 = "tk.broadcast"(%29) : (tensor<64x1x!tk.ptr<f32>, #L2>) -> tensor<64x32x!tk.ptr<f32>, #L5>
      %31 = "tk.addptr"(%30, %11) : (tensor<64x32x!tk.ptr<f32>, #L5>, tensor<64x32xi32, #L5>) -> tensor<64x32x!tk.ptr<f32>, #L5>
      %32 = "tk.load"(%31) {vector = 4 : i32} : (tensor<64x32x!tk.ptr<f32>, #L5>) -> tensor<64x32xf32, #L5>
      %33 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L2>
      %34 = "tk.addptr"(%17, %33) : (tensor<1x64x!tk.ptr<f32>, #L2>, tensor<1x64xi32, #L2>) -> tensor<1x64x!tk.ptr<f32>, #L2>
      %35 = "tk.broadcast"(%34) : (tensor<1x64x!tk.ptr<f32>, #L2>) -> tensor<32x64x!tk.ptr<f32>, #L6>
      %36 = "tk.addptr"(%35, %19) : (tensor<32x64x!tk.ptr<f32>, #L6>, tensor<32x64xi32, #L6>) -> tensor<32x64x!tk.ptr<f32>, #L6>
      %37 = "tk.load"(%36) {vector = 4 : i32} : (tensor<32x64x!tk.ptr<f32>, #L6>) -> tensor<32x64xf32, #L6>
      %38 = "tk.convert_layout"(%32) : (tensor<64x32xf32, #L5>) -> tensor<64x32xf32, #L7>
      %39 = "tk.convert_layout"(%37) : (tensor<32x64xf32, #L6>) -> tensor<32x64xf32, #L8>
      %40 = "tk.dot"(%38, %39, %arg5) {instruction = "wgmma.tf32", precision = "tf32"} : (tensor<64x32xf32, #L7>, tensor<32x64xf32, #L8>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
      scf.yield %40 : tensor<64x64xf32, #L4>
    } {tk.pipeline = "left alone: num_stages is 1"}
    %21 = "tk.convert_layout"(%20) : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L9>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %22 = arith.muli %4, %cst_0 : tensor<64x1xi32, #L1>
    %23 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %24 = "tk.addptr"(%23, %22) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %25 = "tk.broadcast"(%24) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L9>
    %26 = "tk.broadcast"(%12) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L9>
    %27 = "tk.addptr"(%25, %26) : (tensor<64x64x!tk.ptr<f32>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f32>, #L9>
    "tk.store"(%27, %21) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L9>, tensor<64x64xf32, #L9>) -> ()
    return
  }
}

