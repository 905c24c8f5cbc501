// chip: sm_80
// show: scf.* tk.load tk.convert_layout tk.expand_dims tk.broadcast
// The packed words are converted before they are spread; tiles of addresses and the operand x are left alone.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32>, warp = array<i32: 4, 8>}
#L1 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32>, warp = array<i32: 1, 2>}
#L4 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256>, warp = array<i32: 8, 16>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 128, 256>}
#L6 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L7 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 512>, warp = array<i32: 8, 16>}
#L9 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 0, 0>}
#L10 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32, 64>, warp = array<i32: 8, 16>}
module {
  func.func @words(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #L3>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x32xf32, #L4>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %4 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32, #L0>) -> tensor<16x1xi32, #L0>
    %5 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32, #L0>
    %6 = arith.muli %4, %5 : tensor<16x1xi32, #L0>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>, #L0>
    %8 = "tk.addptr"(%7, %6) : (tensor<16x1x!tk.ptr<f16>, #L0>, tensor<16x1xi32, #L0>) -> tensor<16x1x!tk.ptr<f16>, #L0>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %10 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %11 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L2>) -> tensor<16x32xi32, #L5>
    %c8_i32 = arith.constant 8 : i32
    %12 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<4xi32, #L3>) -> tensor<4x1xi32, #L3>
    %13 = "tk.splat"(%arg3) : (i32) -> tensor<4x1xi32, #L3>
    %14 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<4x1x!tk.ptr<i32>, #L3>
    %15 = "tk.broadcast"(%9) : (tensor<1x32xi32, #L1>) -> tensor<4x32xi32, #L6>
    %16 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32, #L7>
    %cst_0 = arith.constant dense<4> : tensor<8xi32, #L7>
    %17 = arith.muli %16, %cst_0 : tensor<8xi32, #L7>
    %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<8xi32, #L7>) -> tensor<1x8xi32, #L7>
    %19 = "tk.expand_dims"(%18) {axis = 2 : i32} : (tensor<1x8xi32, #L7>) -> tensor<1x8x1xi32, #L7>
    %20 = "tk.broadcast"(%19) : (tensor<1x8x1xi32, #L7>) -> tensor<4x8x32xi32, #L8>
    %21 = scf.for %arg5 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg6 = %cst) -> (tensor<16x32xf32, #L4>)  : i32 {
      %29 = "tk.splat"(%arg5) : (i32) -> tensor<16x1xi32, #L0>
      %30 = "tk.addptr"(%8, %29) : (tensor<16x1x!tk.ptr<f16>, #L0>, tensor<16x1xi32, #L0>) -> tensor<16x1x!tk.ptr<f16>, #L0>
      %31 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f16>, #L0>) -> tensor<16x32x!tk.ptr<f16>, #L5>
      %32 = "tk.addptr"(%31, %11) : (tensor<16x32x!tk.ptr<f16>, #L5>, tensor<16x32xi32, #L5>) -> tensor<16x32x!tk.ptr<f16>, #L5>
      %33 = "tk.load"(%32) {vector = 4 : i32} : (tensor<16x32x!tk.ptr<f16>, #L5>) -> tensor<16x32xf16, #L5>
      %34 = "tk.convert_layout"(%33) : (tensor<16x32xf16, #L5>) -> tensor<16x32xf16, #L9>
      %35 = arith.divsi %arg5, %c8_i32 : i32
      %36 = "tk.splat"(%35) : (i32) -> tensor<4x1xi32, #L3>
      %37 = arith.addi %36, %12 : tensor<4x1xi32, #L3>
      %38 = arith.muli %37, %13 : tensor<4x1xi32, #L3>
      %39 = "tk.addptr"(%14, %38) : (tensor<4x1x!tk.ptr<i32>, #L3>, tensor<4x1xi32, #L3>) -> tensor<4x1x!tk.ptr<i32>, #L3>
      %40 = "tk.broadcast"(%39) : (tensor<4x1x!tk.ptr<i32>, #L3>) -> tensor<4x32x!tk.ptr<i32>, #L6>
      %41 = "tk.addptr"(%40, %15) : (tensor<4x32x!tk.ptr<i32>, #L6>, tensor<4x32xi32, #L6>) -> tensor<4x32x!tk.ptr<i32>, #L6>
      %42 = "tk.load"(%41) {vector = 1 : i32} : (tensor<4x32x!tk.ptr<i32>, #L6>) -> tensor<4x32xi32, #L6>
      %43 = "tk.expand_dims"(%42) {axis = 1 : i32} : (tensor<4x32xi32, #L6>) -> tensor<4x1x32xi32, #L6>
      %44 = "tk.convert_layout"(%43) : (tensor<4x1x32xi32, #L6>) -> tensor<4x1x32xi32, #L10>
      %45 = "tk.broadcast"(%44) : (tensor<4x1x32xi32, #L10>) -> tensor<4x8x32xi32, #L8>
      %46 = arith.shrsi %45, %20 : tensor<4x8x32xi32, #L8>
      %47 = arith.trunci %46 : tensor<4x8x32xi32, #L8> to tensor<4x8x32xi16, #L8>
      %cst_1 = arith.constant dense<15> : tensor<4x8x32xi16, #L8>
      %48 = arith.andi %47, %cst_1 : tensor<4x8x32xi16, #L8>
      %cst_2 = arith.constant dense<25600> : tensor<4x8x32xi16, #L8>
      %49 = arith.ori %48, %cst_2 : tensor<4x8x32xi16, #L8>
      %50 = arith.bitcast %49 : tensor<4x8x32xi16, #L8> to tensor<4x8x32xf16, #L8>
      %51 = "tk.reshape"(%50) : (tensor<4x8x32xf16, #L8>) -> tensor<32x32xf16, #L8>
      %cst_3 = arith.constant dense<1.024000e+03> : tensor<32x32xf16, #L8>
      %52 = arith.subf %51, %cst_3 : tensor<32x32xf16, #L8>
      %53 = "tk.dot"(%34, %52, %arg6) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<16x32xf16, #L9>, tensor<32x32xf16, #L8>, tensor<16x32xf32, #L4>) -> tensor<16x32xf32, #L4>
      scf.yield %53 : tensor<16x32xf32, #L4>
    }
    %22 = "tk.convert_layout"(%21) : (tensor<16x32xf32, #L4>) -> tensor<16x32xf32, #L5>
    %23 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32, #L0>
    %24 = arith.muli %4, %23 : tensor<16x1xi32, #L0>
    %25 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>, #L0>
    %26 = "tk.addptr"(%25, %24) : (tensor<16x1x!tk.ptr<f32>, #L0>, tensor<16x1xi32, #L0>) -> tensor<16x1x!tk.ptr<f32>, #L0>
    %27 = "tk.broadcast"(%26) : (tensor<16x1x!tk.ptr<f32>, #L0>) -> tensor<16x32x!tk.ptr<f32>, #L5>
    %28 = "tk.addptr"(%27, %11) : (tensor<16x32x!tk.ptr<f32>, #L5>, tensor<16x32xi32, #L5>) -> tensor<16x32x!tk.ptr<f32>, #L5>
    "tk.store"(%28, %22) {vector = 4 : i32} : (tensor<16x32x!tk.ptr<f32>, #L5>, tensor<16x32xf32, #L5>) -> ()
    return
  }
}

