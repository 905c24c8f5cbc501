// chip: gfx950
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// Tiles are copied to LDS past the registers: in three slots, two iterations ahead.
#L0 = {lane = array<i32: 4, 8, 16, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 8, 16, 0, 16, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2, 4>, register = array<i32: 16>, warp = array<i32: 8>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4, 8>, register = array<i32: 32>, warp = array<i32: 16>}
#L4 = {lane = array<i32: 8, 16, 32, 8, 16, 32>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L5 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2, 16>, warp = array<i32: 512>}
#L6 = {lane = array<i32: 8, 16, 32, 72, 144, 288>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 512>}
#L7 = {lane = array<i32: 8, 16, 32, 80, 128, 256>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 512>}
#L8 = {lane = array<i32: 64, 128, 256, 512, 8, 16>, register = array<i32: 1, 2, 4, 32>, warp = array<i32: 1024>}
#L9 = {lane = array<i32: 1, 2, 4, 8, 256, 512>, register = array<i32: 32, 64, 128, 16, 1024>, warp = array<i32: 0>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 512>, warp = array<i32: 256>}
module {
  func.func @product(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %5 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %6 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L2>
    %7 = arith.muli %5, %6 : tensor<32x1xi32, #L2>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %9 = "tk.addptr"(%8, %7) : (tensor<32x1x!tk.ptr<f16>, #L2>, tensor<32x1xi32, #L2>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %10 = "tk.broadcast"(%9) : (tensor<32x1x!tk.ptr<f16>, #L2>) -> tensor<32x64x!tk.ptr<f16>, #L6>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32, #L3>
    %11 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %12 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %13 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %14 = "tk.broadcast"(%13) : (tensor<1x32xi32, #L1>) -> tensor<64x32xi32, #L7>
    %15 = scf.for %arg4 = %c0_i32 to %arg3 step %c64_i32 iter_args(%arg5 = %cst) -> (tensor<32x32xf32, #L5>)  : i32 {
      %23 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L3>
      %24 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L4>
      %25 = arith.addi %23, %3 : tensor<64xi32, #L3>
      %26 = arith.addi %24, %4 : tensor<64xi32, #L4>
      %27 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
      %28 = "tk.broadcast"(%27) : (tensor<1x64xi32, #L4>) -> tensor<32x64xi32, #L6>
      %29 = "tk.addptr"(%10, %28) : (tensor<32x64x!tk.ptr<f16>, #L6>, tensor<32x64xi32, #L6>) -> tensor<32x64x!tk.ptr<f16>, #L6>
      %30 = "tk.load"(%29) {vector = 8 : i32} : (tensor<32x64x!tk.ptr<f16>, #L6>) -> tensor<32x64xf16, #L6>
      %31 = "tk.convert_layout"(%30) : (tensor<32x64xf16, #L6>) -> tensor<32x64xf16, #L8>
      %32 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %33 = arith.muli %32, %cst_0 : tensor<64x1xi32, #L3>
      %34 = "tk.addptr"(%11, %33) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %35 = "tk.broadcast"(%34) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %36 = "tk.addptr"(%35, %14) : (tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi32, #L7>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %37 = "tk.load"(%36) {vector = 8 : i32} : (tensor<64x32x!tk.ptr<f16>, #L7>) -> tensor<64x32xf16, #L7>
      %38 = "tk.convert_layout"(%37) : (tensor<64x32xf16, #L7>) -> tensor<64x32xf16, #L9>
      %39 = "tk.dot"(%31, %38, %arg5) {instruction = "mfma.f32.16x16x32.f16", precision = "ieee"} : (tensor<32x64xf16, #L8>, tensor<64x32xf16, #L9>, tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L5>
      scf.yield %39 : tensor<32x32xf32, #L5>
    }
    %16 = "tk.convert_layout"(%15) : (tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L10>
    %cst_1 = arith.constant dense<32> : tensor<32x1xi32, #L2>
    %17 = arith.muli %5, %cst_1 : tensor<32x1xi32, #L2>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L2>
    %19 = "tk.addptr"(%18, %17) : (tensor<32x1x!tk.ptr<f32>, #L2>, tensor<32x1xi32, #L2>) -> tensor<32x1x!tk.ptr<f32>, #L2>
    %20 = "tk.broadcast"(%19) : (tensor<32x1x!tk.ptr<f32>, #L2>) -> tensor<32x32x!tk.ptr<f32>, #L10>
    %21 = "tk.broadcast"(%12) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L10>
    %22 = "tk.addptr"(%20, %21) : (tensor<32x32x!tk.ptr<f32>, #L10>, tensor<32x32xi32, #L10>) -> tensor<32x32x!tk.ptr<f32>, #L10>
    "tk.store"(%22, %16) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L10>, tensor<32x32xf32, #L10>) -> ()
    return
  }
}

