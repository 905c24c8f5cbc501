// chip: sm_80
// show: scf.* tk.load tk.convert_layout tk.expand_dims tk.broadcast
// A row of factors is converted before it is spread, so that its copy can be under way.
// after specialise
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16>, warp = array<i32: 1024, 2048, 32>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L6 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 1024, 2048>, warp = array<i32: 128, 256, 512>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 0>}
#L8 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L9 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 512, 8, 16, 1024, 2048>, warp = array<i32: 0, 0, 32>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L4>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %4 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %5 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %6 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L3>
    %7 = arith.muli %5, %6 : tensor<64x1xi32, #L3>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %9 = "tk.addptr"(%8, %7) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %10 = "tk.broadcast"(%9) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #L3>
    %11 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %12 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %13 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %14 = "tk.broadcast"(%12) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L6>
    %15 = "tk.broadcast"(%13) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L5>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #L4>)  : i32 {
      %23 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L3>
      %24 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L2>
      %25 = arith.addi %23, %3 : tensor<64xi32, #L3>
      %26 = arith.addi %24, %2 : tensor<64xi32, #L2>
      %27 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
      %28 = "tk.broadcast"(%27) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L5>
      %29 = "tk.addptr"(%10, %28) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %30 = "tk.load"(%29) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>) -> tensor<64x64xf16, #L5>
      %31 = "tk.convert_layout"(%30) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L7>
      %32 = "tk.addptr"(%arg2, %arg5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %33 = "tk.splat"(%32) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L2>
      %34 = "tk.addptr"(%33, %2) : (tensor<64x!tk.ptr<f32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<f32>, #L2>
      %35 = "tk.load"(%34) {vector = 4 : i32} : (tensor<64x!tk.ptr<f32>, #L2>) -> tensor<64xf32, #L2>
      %36 = "tk.expand_dims"(%35) {axis = 0 : i32} : (tensor<64xf32, #L2>) -> tensor<1x64xf32, #L2>
      %37 = "tk.convert_layout"(%36) : (tensor<1x64xf32, #L2>) -> tensor<1x64xf32, #L8>
      %38 = arith.extf %31 : tensor<64x64xf16, #L7> to tensor<64x64xf32, #L7>
      %39 = "tk.broadcast"(%37) : (tensor<1x64xf32, #L8>) -> tensor<64x64xf32, #L7>
      %40 = arith.mulf %38, %39 : tensor<64x64xf32, #L7>
      %41 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %42 = arith.muli %41, %cst_1 : tensor<64x1xi32, #L3>
      %43 = "tk.addptr"(%11, %42) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %44 = "tk.broadcast"(%43) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %45 = "tk.addptr"(%44, %15) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %46 = "tk.load"(%45) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>) -> tensor<64x64xf16, #L5>
      %47 = "tk.convert_layout"(%46) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L9>
      %48 = arith.truncf %40 : tensor<64x64xf32, #L7> to tensor<64x64xf16, #L7>
      %49 = "tk.dot"(%48, %47, %arg6) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L9>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
      scf.yield %49 : tensor<64x64xf32, #L4>
    }
    %17 = "tk.convert_layout"(%16) : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L6>
    %18 = arith.muli %4, %cst_0 : tensor<64x1xi32, #L1>
    %19 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %20 = "tk.addptr"(%19, %18) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %21 = "tk.broadcast"(%20) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    %22 = "tk.addptr"(%21, %14) : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    "tk.store"(%22, %17) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xf32, #L6>) -> ()
    return
  }
}

