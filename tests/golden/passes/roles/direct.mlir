// chip: sm_90a
// show: func.func scf.for tk.load tk.dot
// Threads load more of the weights than copies would bring of the left operand: no roles.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8>, warp = array<i32: 2, 4>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 16, 32, 0, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L5 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32>, warp = array<i32: 8, 16>}
#L7 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 128, 256>}
#L9 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32: 1>, warp = array<i32: 64, 128>}
#L10 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
#L11 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 512, 1024>}
#L12 = {lane = array<i32: 2, 4, 16, 32, 64>, register = array<i32: 1, 128, 8>, warp = array<i32: 256, 512>}
#L13 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256>}
#L14 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 256, 512>}
#L15 = {lane = array<i32: 512, 1024, 1, 2, 4>, register = array<i32: 32, 64, 128, 256>, warp = array<i32: 8, 16>}
#L16 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 1024>}
#L17 = {shared = array<i32: 16, 32, 64, 128, 256, 1, 130, 260, 8>}
#L18 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 8, 512>, warp = array<i32: 16, 32>}
#L19 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
module {
  func.func @words_spread(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L0>
    %1 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L1>
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %4 = arith.muli %3, %c64_i32 : i32
    %5 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %7 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %8 = "tk.splat"(%4) : (i32) -> tensor<64xi32, #L2>
    %9 = "tk.splat"(%4) : (i32) -> tensor<64xi32, #L4>
    %10 = arith.addi %8, %5 : tensor<64xi32, #L2>
    %11 = arith.addi %9, %7 : tensor<64xi32, #L4>
    %c8_i32 = arith.constant 8 : i32
    %12 = arith.muli %3, %c8_i32 : i32
    %13 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32, #L5>
    %14 = "tk.splat"(%12) : (i32) -> tensor<8xi32, #L5>
    %15 = arith.addi %14, %13 : tensor<8xi32, #L5>
    %c32_i32 = arith.constant 32 : i32
    %16 = arith.muli %2, %c32_i32 : i32
    %17 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L6>
    %18 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L7>
    %19 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L6>
    %20 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L6>
    %21 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L7>
    %22 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L6>
    %23 = arith.addi %20, %17 : tensor<32xi32, #L6>
    %24 = arith.addi %21, %18 : tensor<32xi32, #L7>
    %25 = arith.addi %22, %19 : tensor<32xi32, #L6>
    %cst = arith.constant dense<8> : tensor<64xi32, #L3>
    %26 = arith.remsi %6, %cst : tensor<64xi32, #L3>
    %cst_0 = arith.constant dense<4> : tensor<64xi32, #L3>
    %27 = arith.muli %26, %cst_0 : tensor<64xi32, #L3>
    %28 = "tk.expand_dims"(%27) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %29 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<16xi32, #L1>) -> tensor<16x1xi32, #L1>
    %30 = "tk.splat"(%arg5) : (i32) -> tensor<16x1xi32, #L1>
    %31 = arith.muli %29, %30 : tensor<16x1xi32, #L1>
    %32 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>, #L1>
    %33 = "tk.addptr"(%32, %31) : (tensor<16x1x!tk.ptr<f16>, #L1>, tensor<16x1xi32, #L1>) -> tensor<16x1x!tk.ptr<f16>, #L1>
    %34 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<32xi32, #L7>) -> tensor<1x32xi32, #L7>
    %35 = "tk.broadcast"(%33) : (tensor<16x1x!tk.ptr<f16>, #L1>) -> tensor<16x32x!tk.ptr<f16>, #L8>
    %36 = "tk.broadcast"(%34) : (tensor<1x32xi32, #L7>) -> tensor<16x32xi32, #L8>
    %37 = "tk.addptr"(%35, %36) : (tensor<16x32x!tk.ptr<f16>, #L8>, tensor<16x32xi32, #L8>) -> tensor<16x32x!tk.ptr<f16>, #L8>
    %38 = arith.divsi %arg4, %c8_i32 : i32
    %39 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<32xi32, #L6>) -> tensor<32x1xi32, #L6>
    %40 = "tk.splat"(%38) : (i32) -> tensor<32x1xi32, #L6>
    %41 = arith.muli %40, %39 : tensor<32x1xi32, #L6>
    %42 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<32x1x!tk.ptr<i32>, #L6>
    %43 = "tk.addptr"(%42, %41) : (tensor<32x1x!tk.ptr<i32>, #L6>, tensor<32x1xi32, #L6>) -> tensor<32x1x!tk.ptr<i32>, #L6>
    %44 = "tk.expand_dims"(%15) {axis = 0 : i32} : (tensor<8xi32, #L5>) -> tensor<1x8xi32, #L5>
    %45 = "tk.broadcast"(%43) : (tensor<32x1x!tk.ptr<i32>, #L6>) -> tensor<32x8x!tk.ptr<i32>, #L9>
    %46 = "tk.broadcast"(%44) : (tensor<1x8xi32, #L5>) -> tensor<32x8xi32, #L9>
    %47 = "tk.addptr"(%45, %46) : (tensor<32x8x!tk.ptr<i32>, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8x!tk.ptr<i32>, #L9>
    %c63_i32 = arith.constant 63 : i32
    %48 = arith.addi %arg5, %c63_i32 : i32
    %49 = arith.divsi %48, %c64_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %50 = "tk.splat"(%arg5) : (i32) -> tensor<32xi32, #L7>
    %51 = "tk.splat"(%arg5) : (i32) -> tensor<32xi32, #L6>
    %cst_1 = arith.constant dense<15> : tensor<16xi32, #L1>
    %52 = arith.cmpi slt, %1, %cst_1 : tensor<16xi32, #L1>
    %53 = "tk.expand_dims"(%52) {axis = 1 : i32} : (tensor<16xi1, #L1>) -> tensor<16x1xi1, #L1>
    %54 = "tk.broadcast"(%53) : (tensor<16x1xi1, #L1>) -> tensor<16x32xi1, #L8>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<16x32xf16, #L8>
    %cst_3 = arith.constant dense<0> : tensor<32x8xi32, #L9>
    %c2_i32 = arith.constant 2 : i32
    %55 = "tk.range"() {end = 1 : i32, start = 0 : i32} : () -> tensor<1xi32, #L10>
    %56 = "tk.splat"(%arg4) : (i32) -> tensor<1x1xi32, #L10>
    %57 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<1x1x!tk.ptr<f16>, #L10>
    %58 = "tk.expand_dims"(%10) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %59 = "tk.expand_dims"(%11) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %60 = arith.divsi %arg5, %c64_i32 : i32
    %61 = "tk.splat"(%60) : (i32) -> tensor<1xi32, #L10>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1x64xf16, #L4>
    %62 = "tk.broadcast"(%28) : (tensor<1x64xi32, #L3>) -> tensor<32x64xi32, #L11>
    %cst_5 = arith.constant dense<64> : tensor<32xi32, #L7>
    %cst_6 = arith.constant dense<64> : tensor<16x32xi32, #L8>
    %63 = arith.muli %c64_i32, %38 : i32
    %64 = "tk.splat"(%63) : (i32) -> tensor<32x8xi32, #L9>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #L12>
    %65:4 = scf.for %arg6 = %c0_i32 to %49 step %c1_i32 iter_args(%arg7 = %cst_7, %arg8 = %24, %arg9 = %37, %arg10 = %47) -> (tensor<64x16xf32, #L12>, tensor<32xi32, #L7>, tensor<16x32x!tk.ptr<f16>, #L8>, tensor<32x8x!tk.ptr<i32>, #L9>)  : i32 {
      %c64_i32_8 = arith.constant 64 : i32
      %79 = arith.muli %arg6, %c64_i32_8 : i32
      %80 = "tk.splat"(%79) : (i32) -> tensor<32xi32, #L6>
      %81 = arith.addi %25, %80 : tensor<32xi32, #L6>
      %82 = arith.cmpi slt, %arg8, %50 {constancy = array<i32: 16>} : tensor<32xi32, #L7>
      %83 = arith.cmpi slt, %81, %51 {constancy = array<i32: 16>} : tensor<32xi32, #L6>
      %84 = "tk.expand_dims"(%82) {axis = 0 : i32} : (tensor<32xi1, #L7>) -> tensor<1x32xi1, #L7>
      %85 = "tk.broadcast"(%84) : (tensor<1x32xi1, #L7>) -> tensor<16x32xi1, #L8>
      %86 = arith.andi %54, %85 : tensor<16x32xi1, #L8>
      %87 = "tk.load"(%arg9, %86, %cst_2) {vector = 4 : i32} : (tensor<16x32x!tk.ptr<f16>, #L8>, tensor<16x32xi1, #L8>, tensor<16x32xf16, #L8>) -> tensor<16x32xf16, #L8>
      %88 = "tk.convert_layout"(%87) : (tensor<16x32xf16, #L8>) -> tensor<16x32xf16, #L13>
      %89 = "tk.expand_dims"(%83) {axis = 1 : i32} : (tensor<32xi1, #L6>) -> tensor<32x1xi1, #L6>
      %90 = "tk.broadcast"(%89) : (tensor<32x1xi1, #L6>) -> tensor<32x8xi1, #L9>
      %91 = "tk.load"(%arg10, %90, %cst_3) {vector = 2 : i32} : (tensor<32x8x!tk.ptr<i32>, #L9>, tensor<32x8xi1, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8xi32, #L9>
      %92 = "tk.join"(%91, %91) : (tensor<32x8xi32, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8x2xi32, #L8>
      %93 = "tk.reshape"(%92) : (tensor<32x8x2xi32, #L8>) -> tensor<32x16xi32, #L8>
      %94 = "tk.join"(%93, %93) : (tensor<32x16xi32, #L8>, tensor<32x16xi32, #L8>) -> tensor<32x16x2xi32, #L14>
      %95 = "tk.reshape"(%94) : (tensor<32x16x2xi32, #L14>) -> tensor<32x32xi32, #L14>
      %96 = "tk.join"(%95, %95) : (tensor<32x32xi32, #L14>, tensor<32x32xi32, #L14>) -> tensor<32x32x2xi32, #L11>
      %97 = "tk.reshape"(%96) : (tensor<32x32x2xi32, #L11>) -> tensor<32x64xi32, #L11>
      %98 = arith.muli %arg6, %c2_i32 : i32
      %99 = arith.addi %98, %2 : i32
      %100 = arith.divsi %99, %c2_i32 : i32
      %101 = "tk.splat"(%100) : (i32) -> tensor<1xi32, #L10>
      %102 = arith.addi %101, %55 : tensor<1xi32, #L10>
      %103 = "tk.expand_dims"(%102) {axis = 1 : i32} : (tensor<1xi32, #L10>) -> tensor<1x1xi32, #L10>
      %104 = arith.muli %56, %103 : tensor<1x1xi32, #L10>
      %105 = "tk.addptr"(%57, %104) : (tensor<1x1x!tk.ptr<f16>, #L10>, tensor<1x1xi32, #L10>) -> tensor<1x1x!tk.ptr<f16>, #L10>
      %106 = "tk.broadcast"(%105) : (tensor<1x1x!tk.ptr<f16>, #L10>) -> tensor<1x64x!tk.ptr<f16>, #L4>
      %107 = "tk.addptr"(%106, %59) : (tensor<1x64x!tk.ptr<f16>, #L4>, tensor<1x64xi32, #L4>) -> tensor<1x64x!tk.ptr<f16>, #L4>
      %108 = arith.cmpi slt, %102, %61 : tensor<1xi32, #L10>
      %109 = "tk.expand_dims"(%108) {axis = 1 : i32} : (tensor<1xi1, #L10>) -> tensor<1x1xi1, #L10>
      %110 = "tk.broadcast"(%109) : (tensor<1x1xi1, #L10>) -> tensor<1x64xi1, #L4>
      %111 = "tk.load"(%107, %110, %cst_4) {vector = 1 : i32} : (tensor<1x64x!tk.ptr<f16>, #L4>, tensor<1x64xi1, #L4>, tensor<1x64xf16, #L4>) -> tensor<1x64xf16, #L4>
      %112 = "tk.convert_layout"(%111) : (tensor<1x64xf16, #L4>) -> tensor<1x64xf16, #L3>
      %113 = arith.shrsi %97, %62 : tensor<32x64xi32, #L11>
      %114 = arith.trunci %113 : tensor<32x64xi32, #L11> to tensor<32x64xi16, #L11>
      %cst_9 = arith.constant dense<15> : tensor<32x64xi16, #L11>
      %115 = arith.andi %114, %cst_9 : tensor<32x64xi16, #L11>
      %cst_10 = arith.constant dense<25600> : tensor<32x64xi16, #L11>
      %116 = arith.ori %115, %cst_10 : tensor<32x64xi16, #L11>
      %117 = arith.bitcast %116 : tensor<32x64xi16, #L11> to tensor<32x64xf16, #L11>
      %cst_11 = arith.constant dense<1.032000e+03> : tensor<32x64xf16, #L11>
      %118 = arith.subf %117, %cst_11 : tensor<32x64xf16, #L11>
      %119 = "tk.broadcast"(%112) : (tensor<1x64xf16, #L3>) -> tensor<32x64xf16, #L11>
      %120 = arith.mulf %118, %119 : tensor<32x64xf16, #L11>
      %121 = "tk.trans"(%120) {order = array<i32: 1, 0>} : (tensor<32x64xf16, #L11>) -> tensor<64x32xf16, #L15>
      %122 = "tk.convert_layout"(%121) : (tensor<64x32xf16, #L15>) -> tensor<64x32xf16, #L16>
      %123 = "tk.smem_trans"(%88) {order = array<i32: 1, 0>} : (tensor<16x32xf16, #L13>) -> tensor<32x16xf16, #L17>
      %124 = "tk.dot"(%122, %123, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x32xf16, #L16>, tensor<32x16xf16, #L17>, tensor<64x16xf32, #L12>) -> tensor<64x16xf32, #L12>
      %125 = arith.addi %arg8, %cst_5 : tensor<32xi32, #L7>
      %126 = "tk.addptr"(%arg9, %cst_6) : (tensor<16x32x!tk.ptr<f16>, #L8>, tensor<16x32xi32, #L8>) -> tensor<16x32x!tk.ptr<f16>, #L8>
      %127 = "tk.addptr"(%arg10, %64) : (tensor<32x8x!tk.ptr<i32>, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8x!tk.ptr<i32>, #L9>
      scf.yield %124, %125, %126, %127 : tensor<64x16xf32, #L12>, tensor<32xi32, #L7>, tensor<16x32x!tk.ptr<f16>, #L8>, tensor<32x8x!tk.ptr<i32>, #L9>
    }
    %66 = "tk.trans"(%65#0) {order = array<i32: 1, 0>} : (tensor<64x16xf32, #L12>) -> tensor<16x64xf32, #L18>
    %67 = "tk.convert_layout"(%66) : (tensor<16x64xf32, #L18>) -> tensor<16x64xf32, #L19>
    %c16_i32 = arith.constant 16 : i32
    %68 = arith.muli %2, %c16_i32 : i32
    %69 = "tk.splat"(%68) : (i32) -> tensor<16xi32, #L0>
    %70 = arith.addi %69, %0 : tensor<16xi32, #L0>
    %71 = "tk.expand_dims"(%70) {axis = 1 : i32} : (tensor<16xi32, #L0>) -> tensor<16x1xi32, #L0>
    %72 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32, #L0>
    %73 = arith.muli %71, %72 : tensor<16x1xi32, #L0>
    %74 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>, #L0>
    %75 = "tk.addptr"(%74, %73) : (tensor<16x1x!tk.ptr<f32>, #L0>, tensor<16x1xi32, #L0>) -> tensor<16x1x!tk.ptr<f32>, #L0>
    %76 = "tk.broadcast"(%75) : (tensor<16x1x!tk.ptr<f32>, #L0>) -> tensor<16x64x!tk.ptr<f32>, #L19>
    %77 = "tk.broadcast"(%58) : (tensor<1x64xi32, #L2>) -> tensor<16x64xi32, #L19>
    %78 = "tk.addptr"(%76, %77) : (tensor<16x64x!tk.ptr<f32>, #L19>, tensor<16x64xi32, #L19>) -> tensor<16x64x!tk.ptr<f32>, #L19>
    "tk.store"(%78, %67) {vector = 4 : i32} : (tensor<16x64x!tk.ptr<f32>, #L19>, tensor<16x64xf32, #L19>) -> ()
    return
  }
}
