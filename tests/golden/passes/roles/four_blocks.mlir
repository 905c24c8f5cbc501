// chip: sm_90a
// show: func.func scf.for tk.load tk.dot
// The left operand is computed in registers, of 64 x 64 sums: beside one warp that copies a multiprocessor holds four blocks.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 16, 32, 0, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L4 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L5 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32>, warp = array<i32: 8, 16>}
#L7 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L9 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32: 1>, warp = array<i32: 64, 128>}
#L10 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
#L11 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 512, 1024>}
#L12 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L13 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024>}
#L14 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 128, 256>}
#L15 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 256, 512>}
#L16 = {lane = array<i32: 4, 8, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L17 = {lane = array<i32: 512, 1024, 1, 2, 4>, register = array<i32: 32, 64, 128, 256>, warp = array<i32: 8, 16>}
#L18 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 1024>}
#L19 = {shared = array<i32: 64, 128, 256, 512, 1024, 1, 514, 1028, 8, 16, 32>}
#L20 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 8, 512, 1024, 2048>, warp = array<i32: 16, 32>}
#L21 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @four_blocks(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %5 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %6 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = "tk.splat"(%7) : (i32) -> tensor<64xi32, #L0>
    %9 = "tk.splat"(%7) : (i32) -> tensor<64xi32, #L3>
    %10 = arith.addi %8, %0 : tensor<64xi32, #L0>
    %11 = arith.addi %9, %3 : tensor<64xi32, #L3>
    %c8_i32 = arith.constant 8 : i32
    %12 = arith.muli %6, %c8_i32 : i32
    %13 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32, #L5>
    %14 = "tk.splat"(%12) : (i32) -> tensor<8xi32, #L5>
    %15 = arith.addi %14, %13 : tensor<8xi32, #L5>
    %c32_i32 = arith.constant 32 : i32
    %16 = arith.muli %5, %c32_i32 : i32
    %17 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L6>
    %18 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L7>
    %19 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L6>
    %20 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L6>
    %21 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L7>
    %22 = "tk.splat"(%16) : (i32) -> tensor<32xi32, #L6>
    %23 = arith.addi %20, %17 : tensor<32xi32, #L6>
    %24 = arith.addi %21, %18 : tensor<32xi32, #L7>
    %25 = arith.addi %22, %19 : tensor<32xi32, #L6>
    %cst = arith.constant dense<8> : tensor<64xi32, #L2>
    %26 = arith.remsi %2, %cst : tensor<64xi32, #L2>
    %cst_0 = arith.constant dense<4> : tensor<64xi32, #L2>
    %27 = arith.muli %26, %cst_0 : tensor<64xi32, #L2>
    %28 = "tk.expand_dims"(%27) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %29 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
    %30 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L4>
    %31 = arith.muli %29, %30 : tensor<64x1xi32, #L4>
    %32 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %33 = "tk.addptr"(%32, %31) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %34 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<32xi32, #L7>) -> tensor<1x32xi32, #L7>
    %35 = "tk.broadcast"(%33) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x32x!tk.ptr<f16>, #L8>
    %36 = "tk.broadcast"(%34) : (tensor<1x32xi32, #L7>) -> tensor<64x32xi32, #L8>
    %37 = "tk.addptr"(%35, %36) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
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
    %c31_i32 = arith.constant 31 : i32
    %48 = arith.addi %arg5, %c31_i32 : i32
    %49 = arith.divsi %48, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %50 = "tk.splat"(%arg5) : (i32) -> tensor<32xi32, #L7>
    %51 = "tk.splat"(%arg5) : (i32) -> tensor<32xi32, #L6>
    %cst_1 = arith.constant dense<15> : tensor<64xi32, #L4>
    %52 = arith.cmpi slt, %4, %cst_1 : tensor<64xi32, #L4>
    %53 = "tk.expand_dims"(%52) {axis = 1 : i32} : (tensor<64xi1, #L4>) -> tensor<64x1xi1, #L4>
    %54 = "tk.broadcast"(%53) : (tensor<64x1xi1, #L4>) -> tensor<64x32xi1, #L8>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #L8>
    %cst_3 = arith.constant dense<0> : tensor<32x8xi32, #L9>
    %c2_i32 = arith.constant 2 : i32
    %55 = "tk.range"() {end = 1 : i32, start = 0 : i32} : () -> tensor<1xi32, #L10>
    %56 = "tk.splat"(%arg4) : (i32) -> tensor<1x1xi32, #L10>
    %57 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<1x1x!tk.ptr<f16>, #L10>
    %58 = "tk.expand_dims"(%10) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %59 = "tk.expand_dims"(%11) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %60 = arith.divsi %arg5, %c64_i32 : i32
    %61 = "tk.splat"(%60) : (i32) -> tensor<1xi32, #L10>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1x64xf16, #L3>
    %62 = "tk.splat"(%38) : (i32) -> tensor<1x1xi32, #L10>
    %63 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<1x1x!tk.ptr<i32>, #L10>
    %cst_5 = arith.constant dense<0> : tensor<1x8xi32, #L5>
    %64 = "tk.broadcast"(%28) : (tensor<1x64xi32, #L2>) -> tensor<32x64xi32, #L11>
    %cst_6 = arith.constant dense<32> : tensor<32xi32, #L7>
    %cst_7 = arith.constant dense<32> : tensor<64x32xi32, #L8>
    %65 = arith.muli %c32_i32, %38 : i32
    %66 = "tk.splat"(%65) : (i32) -> tensor<32x8xi32, #L9>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L12>
    %67:4 = scf.for %arg6 = %c0_i32 to %49 step %c1_i32 iter_args(%arg7 = %cst_8, %arg8 = %24, %arg9 = %37, %arg10 = %47) -> (tensor<64x64xf32, #L12>, tensor<32xi32, #L7>, tensor<64x32x!tk.ptr<f16>, #L8>, tensor<32x8x!tk.ptr<i32>, #L9>)  : i32 {
      %c32_i32_9 = arith.constant 32 : i32
      %81 = arith.muli %arg6, %c32_i32_9 : i32
      %82 = "tk.splat"(%81) : (i32) -> tensor<32xi32, #L6>
      %83 = arith.addi %25, %82 : tensor<32xi32, #L6>
      %84 = arith.cmpi slt, %arg8, %50 {constancy = array<i32: 16>} : tensor<32xi32, #L7>
      %85 = arith.cmpi slt, %83, %51 {constancy = array<i32: 16>} : tensor<32xi32, #L6>
      %86 = "tk.expand_dims"(%84) {axis = 0 : i32} : (tensor<32xi1, #L7>) -> tensor<1x32xi1, #L7>
      %87 = "tk.broadcast"(%86) : (tensor<1x32xi1, #L7>) -> tensor<64x32xi1, #L8>
      %88 = arith.andi %54, %87 : tensor<64x32xi1, #L8>
      %89 = "tk.load"(%arg9, %88, %cst_2) {vector = 8 : i32} : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi1, #L8>, tensor<64x32xf16, #L8>) -> tensor<64x32xf16, #L8>
      %90 = "tk.convert_layout"(%89) : (tensor<64x32xf16, #L8>) -> tensor<64x32xf16, #L13>
      %91 = "tk.expand_dims"(%85) {axis = 1 : i32} : (tensor<32xi1, #L6>) -> tensor<32x1xi1, #L6>
      %92 = "tk.broadcast"(%91) : (tensor<32x1xi1, #L6>) -> tensor<32x8xi1, #L9>
      %93 = "tk.load"(%arg10, %92, %cst_3) {vector = 2 : i32} : (tensor<32x8x!tk.ptr<i32>, #L9>, tensor<32x8xi1, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8xi32, #L9>
      %94 = "tk.join"(%93, %93) : (tensor<32x8xi32, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8x2xi32, #L14>
      %95 = "tk.reshape"(%94) : (tensor<32x8x2xi32, #L14>) -> tensor<32x16xi32, #L14>
      %96 = "tk.join"(%95, %95) : (tensor<32x16xi32, #L14>, tensor<32x16xi32, #L14>) -> tensor<32x16x2xi32, #L15>
      %97 = "tk.reshape"(%96) : (tensor<32x16x2xi32, #L15>) -> tensor<32x32xi32, #L15>
      %98 = "tk.join"(%97, %97) : (tensor<32x32xi32, #L15>, tensor<32x32xi32, #L15>) -> tensor<32x32x2xi32, #L11>
      %99 = "tk.reshape"(%98) : (tensor<32x32x2xi32, #L11>) -> tensor<32x64xi32, #L11>
      %100 = arith.addi %arg6, %5 : i32
      %101 = arith.divsi %100, %c2_i32 : i32
      %102 = "tk.splat"(%101) : (i32) -> tensor<1xi32, #L10>
      %103 = arith.addi %102, %55 : tensor<1xi32, #L10>
      %104 = "tk.expand_dims"(%103) {axis = 1 : i32} : (tensor<1xi32, #L10>) -> tensor<1x1xi32, #L10>
      %105 = arith.muli %56, %104 : tensor<1x1xi32, #L10>
      %106 = "tk.addptr"(%57, %105) : (tensor<1x1x!tk.ptr<f16>, #L10>, tensor<1x1xi32, #L10>) -> tensor<1x1x!tk.ptr<f16>, #L10>
      %107 = "tk.broadcast"(%106) : (tensor<1x1x!tk.ptr<f16>, #L10>) -> tensor<1x64x!tk.ptr<f16>, #L3>
      %108 = "tk.addptr"(%107, %59) : (tensor<1x64x!tk.ptr<f16>, #L3>, tensor<1x64xi32, #L3>) -> tensor<1x64x!tk.ptr<f16>, #L3>
      %109 = arith.cmpi slt, %103, %61 : tensor<1xi32, #L10>
      %110 = "tk.expand_dims"(%109) {axis = 1 : i32} : (tensor<1xi1, #L10>) -> tensor<1x1xi1, #L10>
      %111 = "tk.broadcast"(%110) : (tensor<1x1xi1, #L10>) -> tensor<1x64xi1, #L3>
      %112 = "tk.load"(%108, %111, %cst_4) {vector = 1 : i32} : (tensor<1x64x!tk.ptr<f16>, #L3>, tensor<1x64xi1, #L3>, tensor<1x64xf16, #L3>) -> tensor<1x64xf16, #L3>
      %113 = "tk.convert_layout"(%112) : (tensor<1x64xf16, #L3>) -> tensor<1x64xf16, #L2>
      %114 = arith.muli %62, %104 : tensor<1x1xi32, #L10>
      %115 = "tk.addptr"(%63, %114) : (tensor<1x1x!tk.ptr<i32>, #L10>, tensor<1x1xi32, #L10>) -> tensor<1x1x!tk.ptr<i32>, #L10>
      %116 = "tk.broadcast"(%115) : (tensor<1x1x!tk.ptr<i32>, #L10>) -> tensor<1x8x!tk.ptr<i32>, #L5>
      %117 = "tk.addptr"(%116, %44) : (tensor<1x8x!tk.ptr<i32>, #L5>, tensor<1x8xi32, #L5>) -> tensor<1x8x!tk.ptr<i32>, #L5>
      %118 = "tk.broadcast"(%110) : (tensor<1x1xi1, #L10>) -> tensor<1x8xi1, #L5>
      %119 = "tk.load"(%117, %118, %cst_5) {vector = 2 : i32} : (tensor<1x8x!tk.ptr<i32>, #L5>, tensor<1x8xi1, #L5>, tensor<1x8xi32, #L5>) -> tensor<1x8xi32, #L5>
      %120 = "tk.join"(%119, %119) : (tensor<1x8xi32, #L5>, tensor<1x8xi32, #L5>) -> tensor<1x8x2xi32, #L16>
      %121 = "tk.reshape"(%120) : (tensor<1x8x2xi32, #L16>) -> tensor<1x16xi32, #L16>
      %122 = "tk.join"(%121, %121) : (tensor<1x16xi32, #L16>, tensor<1x16xi32, #L16>) -> tensor<1x16x2xi32, #L7>
      %123 = "tk.reshape"(%122) : (tensor<1x16x2xi32, #L7>) -> tensor<1x32xi32, #L7>
      %124 = "tk.join"(%123, %123) : (tensor<1x32xi32, #L7>, tensor<1x32xi32, #L7>) -> tensor<1x32x2xi32, #L2>
      %125 = "tk.reshape"(%124) : (tensor<1x32x2xi32, #L2>) -> tensor<1x64xi32, #L2>
      %126 = arith.shrsi %99, %64 : tensor<32x64xi32, #L11>
      %127 = arith.shrsi %125, %28 : tensor<1x64xi32, #L2>
      %128 = arith.trunci %126 : tensor<32x64xi32, #L11> to tensor<32x64xi16, #L11>
      %cst_10 = arith.constant dense<15> : tensor<32x64xi16, #L11>
      %129 = arith.andi %128, %cst_10 : tensor<32x64xi16, #L11>
      %cst_11 = arith.constant dense<25600> : tensor<32x64xi16, #L11>
      %130 = arith.ori %129, %cst_11 : tensor<32x64xi16, #L11>
      %131 = arith.bitcast %130 : tensor<32x64xi16, #L11> to tensor<32x64xf16, #L11>
      %132 = arith.trunci %127 : tensor<1x64xi32, #L2> to tensor<1x64xi16, #L2>
      %cst_12 = arith.constant dense<15> : tensor<1x64xi16, #L2>
      %133 = arith.andi %132, %cst_12 : tensor<1x64xi16, #L2>
      %cst_13 = arith.constant dense<25600> : tensor<1x64xi16, #L2>
      %134 = arith.ori %133, %cst_13 : tensor<1x64xi16, #L2>
      %135 = arith.bitcast %134 : tensor<1x64xi16, #L2> to tensor<1x64xf16, #L2>
      %136 = "tk.broadcast"(%135) : (tensor<1x64xf16, #L2>) -> tensor<32x64xf16, #L11>
      %137 = arith.subf %131, %136 : tensor<32x64xf16, #L11>
      %138 = "tk.broadcast"(%113) : (tensor<1x64xf16, #L2>) -> tensor<32x64xf16, #L11>
      %139 = arith.mulf %137, %138 : tensor<32x64xf16, #L11>
      %140 = "tk.trans"(%139) {order = array<i32: 1, 0>} : (tensor<32x64xf16, #L11>) -> tensor<64x32xf16, #L17>
      %141 = "tk.convert_layout"(%140) : (tensor<64x32xf16, #L17>) -> tensor<64x32xf16, #L18>
      %142 = "tk.smem_trans"(%90) {order = array<i32: 1, 0>} : (tensor<64x32xf16, #L13>) -> tensor<32x64xf16, #L19>
      %143 = "tk.dot"(%141, %142, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x32xf16, #L18>, tensor<32x64xf16, #L19>, tensor<64x64xf32, #L12>) -> tensor<64x64xf32, #L12>
      %144 = arith.addi %arg8, %cst_6 : tensor<32xi32, #L7>
      %145 = "tk.addptr"(%arg9, %cst_7) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
      %146 = "tk.addptr"(%arg10, %66) : (tensor<32x8x!tk.ptr<i32>, #L9>, tensor<32x8xi32, #L9>) -> tensor<32x8x!tk.ptr<i32>, #L9>
      scf.yield %143, %144, %145, %146 : tensor<64x64xf32, #L12>, tensor<32xi32, #L7>, tensor<64x32x!tk.ptr<f16>, #L8>, tensor<32x8x!tk.ptr<i32>, #L9>
    }
    %68 = "tk.trans"(%67#0) {order = array<i32: 1, 0>} : (tensor<64x64xf32, #L12>) -> tensor<64x64xf32, #L20>
    %69 = "tk.convert_layout"(%68) : (tensor<64x64xf32, #L20>) -> tensor<64x64xf32, #L21>
    %70 = arith.muli %5, %c64_i32 : i32
    %71 = "tk.splat"(%70) : (i32) -> tensor<64xi32, #L1>
    %72 = arith.addi %71, %1 : tensor<64xi32, #L1>
    %73 = "tk.expand_dims"(%72) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %74 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L1>
    %75 = arith.muli %73, %74 : tensor<64x1xi32, #L1>
    %76 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %77 = "tk.addptr"(%76, %75) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %78 = "tk.broadcast"(%77) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L21>
    %79 = "tk.broadcast"(%58) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L21>
    %80 = "tk.addptr"(%78, %79) : (tensor<64x64x!tk.ptr<f32>, #L21>, tensor<64x64xi32, #L21>) -> tensor<64x64x!tk.ptr<f32>, #L21>
    "tk.store"(%80, %69) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L21>, tensor<64x64xf32, #L21>) -> ()
    return
  }
}
