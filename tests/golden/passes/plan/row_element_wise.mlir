// chip: sm_80
// show: scf.for tk.load
// A row without 4 bytes side by side stays in registers; the tiles are copied asynchronously.
// after whole_rows
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0, 0>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16>, warp = array<i32: 1024, 2048, 32>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 1024, 2048>, warp = array<i32: 128, 256, 512>}
#L8 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 0>}
#L9 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L10 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 512, 8, 16, 1024, 2048>, warp = array<i32: 0, 0, 32>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16>, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %5 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %6 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
    %7 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L4>
    %8 = arith.muli %6, %7 : tensor<64x1xi32, #L4>
    %9 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %10 = "tk.addptr"(%9, %8) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %11 = "tk.broadcast"(%10) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L6>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #L4>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %13 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %14 = "tk.expand_dims"(%3) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %15 = "tk.broadcast"(%13) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L7>
    %16 = "tk.broadcast"(%14) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L6>
    %17 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #L5>)  : i32 {
      %24 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L4>
      %25 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L3>
      %26 = arith.addi %24, %4 : tensor<64xi32, #L4>
      %27 = arith.addi %25, %3 : tensor<64xi32, #L3>
      %28 = "tk.expand_dims"(%27) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
      %29 = "tk.broadcast"(%28) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L6>
      %30 = "tk.addptr"(%11, %29) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %31 = "tk.load"(%30) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
      %32 = "tk.convert_layout"(%31) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L8>
      %33 = "tk.addptr"(%arg2, %arg5) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %34 = "tk.splat"(%33) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>, #L2>
      %35 = "tk.addptr"(%34, %2) : (tensor<64x!tk.ptr<f16>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<f16>, #L2>
      %36 = "tk.load"(%35) {vector = 1 : i32} : (tensor<64x!tk.ptr<f16>, #L2>) -> tensor<64xf16, #L2>
      %37 = "tk.convert_layout"(%36) : (tensor<64xf16, #L2>) -> tensor<64xf16, #L9>
      %38 = "tk.expand_dims"(%37) {axis = 0 : i32} : (tensor<64xf16, #L9>) -> tensor<1x64xf16, #L9>
      %39 = "tk.broadcast"(%38) : (tensor<1x64xf16, #L9>) -> tensor<64x64xf16, #L8>
      %40 = arith.mulf %32, %39 : tensor<64x64xf16, #L8>
      %41 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %42 = arith.muli %41, %cst_1 : tensor<64x1xi32, #L4>
      %43 = "tk.addptr"(%12, %42) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
      %44 = "tk.broadcast"(%43) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %45 = "tk.addptr"(%44, %16) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %46 = "tk.load"(%45) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
      %47 = "tk.convert_layout"(%46) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L10>
      %48 = "tk.dot"(%40, %47, %arg6) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L10>, tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
      scf.yield %48 : tensor<64x64xf32, #L5>
    }
    %18 = "tk.convert_layout"(%17) : (tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L7>
    %19 = arith.muli %5, %cst_0 : tensor<64x1xi32, #L1>
    %20 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %21 = "tk.addptr"(%20, %19) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %22 = "tk.broadcast"(%21) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L7>
    %23 = "tk.addptr"(%22, %15) : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f32>, #L7>
    "tk.store"(%23, %18) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xf32, #L7>) -> ()
    return
  }
}

