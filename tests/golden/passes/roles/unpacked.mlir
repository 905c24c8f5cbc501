// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// Packed weights and their scales are copied with the other operand; threads read them.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32>, warp = array<i32: 1, 2>}
#L1 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4>, warp = array<i32: 1, 2>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096>, warp = array<i32: 128, 256>}
#L9 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096, 64>, warp = array<i32: 16, 32>}
#L10 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L11 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32, 4096>, warp = array<i32: 1024, 2048>}
#L12 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L13 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8, 128, 256, 512, 64>, warp = array<i32: 16, 32>}
#L14 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8, 64>, warp = array<i32: 16, 32>}
#L15 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @unpacked(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
    %5 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L5>
    %6 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32, #L6>
    %7 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %8 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %9 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<8xi32, #L6>) -> tensor<8x1xi32, #L6>
    %10 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L0>
    %11 = "tk.splat"(%arg4) : (i32) -> tensor<8x1xi32, #L6>
    %12 = arith.muli %9, %11 : tensor<8x1xi32, #L6>
    %13 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<8x1x!tk.ptr<i32>, #L6>
    %14 = "tk.addptr"(%13, %12) : (tensor<8x1x!tk.ptr<i32>, #L6>, tensor<8x1xi32, #L6>) -> tensor<8x1x!tk.ptr<i32>, #L6>
    %15 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<128xi32, #L5>) -> tensor<1x128xi32, #L5>
    %16 = "tk.broadcast"(%14) : (tensor<8x1x!tk.ptr<i32>, #L6>) -> tensor<8x128x!tk.ptr<i32>, #L7>
    %17 = "tk.broadcast"(%15) : (tensor<1x128xi32, #L5>) -> tensor<64x128xi32, #L8>
    %18 = "tk.broadcast"(%15) : (tensor<1x128xi32, #L5>) -> tensor<8x128xi32, #L7>
    %19 = "tk.addptr"(%16, %18) : (tensor<8x128x!tk.ptr<i32>, #L7>, tensor<8x128xi32, #L7>) -> tensor<8x128x!tk.ptr<i32>, #L7>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L9>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %20 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L3>
    %21 = arith.muli %8, %20 : tensor<64x1xi32, #L3>
    %22 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %23 = "tk.addptr"(%22, %21) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %24 = "tk.broadcast"(%23) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L10>
    %cst_0 = arith.constant dense<8> : tensor<64xi32, #L1>
    %25 = arith.remsi %1, %cst_0 : tensor<64xi32, #L1>
    %cst_1 = arith.constant dense<4> : tensor<64xi32, #L1>
    %26 = arith.muli %25, %cst_1 : tensor<64xi32, #L1>
    %27 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %28 = "tk.broadcast"(%27) : (tensor<64x1xi32, #L1>) -> tensor<64x128xi32, #L9>
    %c8_i32 = arith.constant 8 : i32
    %29 = arith.muli %c8_i32, %arg4 : i32
    %30 = "tk.splat"(%29) : (i32) -> tensor<8x128xi32, #L7>
    %31 = "tk.trans"(%cst) {order = array<i32: 1, 0>} : (tensor<64x128xf32, #L9>) -> tensor<128x64xf32, #L11>
    %32:2 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %31, %arg8 = %19) -> (tensor<128x64xf32, #L11>, tensor<8x128x!tk.ptr<i32>, #L7>)  : i32 {
      %40 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L2>
      %41 = arith.addi %40, %2 : tensor<64xi32, #L2>
      %42 = "tk.expand_dims"(%41) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
      %43 = "tk.broadcast"(%42) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L10>
      %44 = "tk.addptr"(%24, %43) : (tensor<64x64x!tk.ptr<f16>, #L10>, tensor<64x64xi32, #L10>) -> tensor<64x64x!tk.ptr<f16>, #L10>
      %45 = "tk.load"(%44) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L10>) -> tensor<64x64xf16, #L10>
      %46 = "tk.convert_layout"(%45) : (tensor<64x64xf16, #L10>) -> tensor<64x64xf16, #L12>
      %47 = "tk.load"(%arg8) {vector = 4 : i32} : (tensor<8x128x!tk.ptr<i32>, #L7>) -> tensor<8x128xi32, #L7>
      %48 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<8x128xi32, #L7>) -> tensor<8x1x128xi32, #L7>
      %49 = "tk.convert_layout"(%48) : (tensor<8x1x128xi32, #L7>) -> tensor<8x1x128xi32, #L13>
      %50 = "tk.broadcast"(%49) : (tensor<8x1x128xi32, #L13>) -> tensor<8x8x128xi32, #L9>
      %51 = "tk.reshape"(%50) : (tensor<8x8x128xi32, #L9>) -> tensor<64x128xi32, #L9>
      %52 = arith.shrsi %51, %28 : tensor<64x128xi32, #L9>
      %53 = arith.trunci %52 : tensor<64x128xi32, #L9> to tensor<64x128xi16, #L9>
      %cst_2 = arith.constant dense<15> : tensor<64x128xi16, #L9>
      %54 = arith.andi %53, %cst_2 : tensor<64x128xi16, #L9>
      %cst_3 = arith.constant dense<25600> : tensor<64x128xi16, #L9>
      %55 = arith.ori %54, %cst_3 : tensor<64x128xi16, #L9>
      %56 = arith.bitcast %55 : tensor<64x128xi16, #L9> to tensor<64x128xf16, #L9>
      %cst_4 = arith.constant dense<1.032000e+03> : tensor<64x128xf16, #L9>
      %57 = arith.subf %56, %cst_4 : tensor<64x128xf16, #L9>
      %58 = arith.divsi %arg6, %c64_i32 : i32
      %59 = arith.muli %58, %arg4 : i32
      %60 = "tk.addptr"(%arg2, %59) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %61 = "tk.splat"(%60) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>, #L4>
      %62 = "tk.addptr"(%61, %4) : (tensor<128x!tk.ptr<f16>, #L4>, tensor<128xi32, #L4>) -> tensor<128x!tk.ptr<f16>, #L4>
      %63 = "tk.load"(%62) {vector = 1 : i32} : (tensor<128x!tk.ptr<f16>, #L4>) -> tensor<128xf16, #L4>
      %64 = "tk.expand_dims"(%63) {axis = 0 : i32} : (tensor<128xf16, #L4>) -> tensor<1x128xf16, #L4>
      %65 = "tk.convert_layout"(%64) : (tensor<1x128xf16, #L4>) -> tensor<1x128xf16, #L14>
      %66 = "tk.broadcast"(%65) : (tensor<1x128xf16, #L14>) -> tensor<64x128xf16, #L9>
      %67 = arith.mulf %57, %66 : tensor<64x128xf16, #L9>
      %68 = "tk.trans"(%67) {order = array<i32: 1, 0>} : (tensor<64x128xf16, #L9>) -> tensor<128x64xf16, #L11>
      %69 = "tk.smem_trans"(%46) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L12>) -> tensor<64x64xf16, #L15>
      %70 = "tk.dot"(%68, %69, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L11>, tensor<64x64xf16, #L15>, tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
      %71 = "tk.addptr"(%arg8, %30) : (tensor<8x128x!tk.ptr<i32>, #L7>, tensor<8x128xi32, #L7>) -> tensor<8x128x!tk.ptr<i32>, #L7>
      scf.yield %70, %71 : tensor<128x64xf32, #L11>, tensor<8x128x!tk.ptr<i32>, #L7>
    }
    %33 = "tk.trans"(%32#0) {order = array<i32: 1, 0>} : (tensor<128x64xf32, #L11>) -> tensor<64x128xf32, #L9>
    %34 = "tk.convert_layout"(%33) : (tensor<64x128xf32, #L9>) -> tensor<64x128xf32, #L8>
    %35 = arith.muli %7, %10 : tensor<64x1xi32, #L0>
    %36 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %37 = "tk.addptr"(%36, %35) : (tensor<64x1x!tk.ptr<f32>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %38 = "tk.broadcast"(%37) : (tensor<64x1x!tk.ptr<f32>, #L0>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    %39 = "tk.addptr"(%38, %17) : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xi32, #L8>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    "tk.store"(%39, %34) {vector = 4 : i32} : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xf32, #L8>) -> ()
    return
  }
}

