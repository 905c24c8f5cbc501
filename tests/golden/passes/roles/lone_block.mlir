// chip: sm_90a
// show: func.func scf.for tk.load tk.dot
// Of a block's 128 x 128 sums one warpgroup leaves no registers for another block beside warps that copy; without them two blocks unpack the
// weights that threads load: no roles.
#L0 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32, 64>, warp = array<i32: 1, 2>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32, 64>, warp = array<i32: 8, 16>}
#L4 = {lane = array<i32: 2, 4, 8, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8, 2048>, warp = array<i32: 512, 1024>}
#L9 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16>, warp = array<i32: 4, 8>}
#L10 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L11 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L12 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32: 1, 256>, warp = array<i32: 64, 128>}
#L13 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
#L14 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64, 8192>, warp = array<i32: 2048, 4096>}
#L15 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024, 2048>}
#L16 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
#L17 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L18 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L19 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L20 = {lane = array<i32: 16, 32, 64, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L21 = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 32, 64, 128, 256, 16>, warp = array<i32: 4, 8>}
#L22 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16, 2048>, warp = array<i32: 512, 1024>}
#L23 = {shared = array<i32: 128, 256, 512, 1024, 2048, 1, 1026, 2052, 8, 16, 32, 64>}
#L24 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096, 8192, 64>, warp = array<i32: 16, 32>}
#L25 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256>}
module {
  func.func @lone_block(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}, %arg8: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c127_i32 = arith.constant 127 : i32
    %0 = arith.addi %arg6, %c127_i32 : i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.cmpi sgt, %1, %c0_i32 : i32
    %5 = arith.maxsi %1, %c1_i32 : i32
    %6 = arith.divui %3, %5 : i32
    %7 = arith.muli %6, %5 : i32
    %8 = arith.cmpi eq, %7, %3 : i32
    %9 = arith.andi %4, %8 : i1
    %10 = arith.divsi %2, %1 : i32
    %11 = arith.remsi %2, %1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divui %10, %c16_i32 : i32
    %13 = arith.muli %12, %c16_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remui %10, %c16_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c16_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.maxsi %19, %c1_i32_0 : i32
    %21 = arith.muli %16, %5 : i32
    %22 = arith.addi %21, %11 : i32
    %23 = arith.remui %22, %20 : i32
    %24 = arith.addi %14, %23 : i32
    %25 = arith.divui %22, %20 : i32
    %26 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %27 = arith.divsi %2, %1 : i32
    %28 = arith.select %4, %24, %27 : i32
    %29 = arith.muli %28, %c128_i32 : i32
    %30 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %33 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %34 = "tk.splat"(%29) : (i32) -> tensor<128xi32, #L1>
    %35 = "tk.splat"(%29) : (i32) -> tensor<128xi32, #L3>
    %36 = arith.addi %34, %31 : tensor<128xi32, #L1>
    %37 = arith.addi %35, %33 : tensor<128xi32, #L3>
    %38 = arith.remsi %2, %1 : i32
    %39 = arith.select %4, %25, %38 : i32
    %c16_i32_2 = arith.constant 16 : i32
    %40 = arith.muli %39, %c16_i32_2 : i32
    %41 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L4>
    %42 = "tk.splat"(%40) : (i32) -> tensor<16xi32, #L4>
    %43 = arith.addi %42, %41 : tensor<16xi32, #L4>
    %44 = arith.muli %39, %c128_i32 : i32
    %45 = "tk.splat"(%44) : (i32) -> tensor<128xi32, #L0>
    %46 = "tk.splat"(%44) : (i32) -> tensor<128xi32, #L2>
    %47 = arith.addi %45, %30 : tensor<128xi32, #L0>
    %48 = arith.addi %46, %32 : tensor<128xi32, #L2>
    %49 = "tk.range"() {end = 2 : i32, start = 0 : i32} : () -> tensor<2xi32, #L5>
    %cst = arith.constant dense<4> : tensor<2xi32, #L5>
    %50 = arith.muli %49, %cst : tensor<2xi32, #L5>
    %51 = "tk.expand_dims"(%50) {axis = 0 : i32} : (tensor<2xi32, #L5>) -> tensor<1x2xi32, #L5>
    %52 = "tk.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #L6>
    %53 = "tk.expand_dims"(%52) {axis = 1 : i32} : (tensor<4xi32, #L6>) -> tensor<4x1xi32, #L6>
    %54 = "tk.broadcast"(%51) : (tensor<1x2xi32, #L5>) -> tensor<4x2xi32, #L7>
    %55 = "tk.broadcast"(%53) : (tensor<4x1xi32, #L6>) -> tensor<4x2xi32, #L7>
    %56 = arith.addi %54, %55 : tensor<4x2xi32, #L7>
    %57 = "tk.reshape"(%56) : (tensor<4x2xi32, #L7>) -> tensor<8xi32, #L7>
    %cst_3 = arith.constant dense<4> : tensor<8xi32, #L7>
    %58 = arith.muli %57, %cst_3 : tensor<8xi32, #L7>
    %59 = "tk.expand_dims"(%58) {axis = 0 : i32} : (tensor<8xi32, #L7>) -> tensor<1x8xi32, #L7>
    %60 = "tk.broadcast"(%59) : (tensor<1x8xi32, #L7>) -> tensor<512x8xi32, #L8>
    %61 = "tk.reshape"(%60) : (tensor<512x8xi32, #L8>) -> tensor<32x128xi32, #L8>
    %c32_i32 = arith.constant 32 : i32
    %62 = arith.muli %26, %c32_i32 : i32
    %63 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L9>
    %64 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L10>
    %65 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L9>
    %66 = "tk.splat"(%62) : (i32) -> tensor<32xi32, #L9>
    %67 = "tk.splat"(%62) : (i32) -> tensor<32xi32, #L10>
    %68 = "tk.splat"(%62) : (i32) -> tensor<32xi32, #L9>
    %69 = arith.addi %66, %63 : tensor<32xi32, #L9>
    %70 = arith.addi %67, %64 : tensor<32xi32, #L10>
    %71 = arith.addi %68, %65 : tensor<32xi32, #L9>
    %72 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %73 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
    %74 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L3>
    %75 = arith.muli %74, %73 : tensor<128x1xi32, #L3>
    %76 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %77 = "tk.addptr"(%76, %75) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %78 = "tk.expand_dims"(%70) {axis = 0 : i32} : (tensor<32xi32, #L10>) -> tensor<1x32xi32, #L10>
    %79 = "tk.broadcast"(%77) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x32x!tk.ptr<f16>, #L11>
    %80 = "tk.broadcast"(%78) : (tensor<1x32xi32, #L10>) -> tensor<128x32xi32, #L11>
    %81 = "tk.addptr"(%79, %80) : (tensor<128x32x!tk.ptr<f16>, #L11>, tensor<128x32xi32, #L11>) -> tensor<128x32x!tk.ptr<f16>, #L11>
    %c8_i32 = arith.constant 8 : i32
    %82 = arith.divsi %arg6, %c8_i32 : i32
    %83 = "tk.expand_dims"(%69) {axis = 1 : i32} : (tensor<32xi32, #L9>) -> tensor<32x1xi32, #L9>
    %84 = "tk.splat"(%82) : (i32) -> tensor<32x1xi32, #L9>
    %85 = arith.muli %84, %83 : tensor<32x1xi32, #L9>
    %86 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<32x1x!tk.ptr<i32>, #L9>
    %87 = "tk.addptr"(%86, %85) : (tensor<32x1x!tk.ptr<i32>, #L9>, tensor<32x1xi32, #L9>) -> tensor<32x1x!tk.ptr<i32>, #L9>
    %88 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<16xi32, #L4>) -> tensor<1x16xi32, #L4>
    %89 = "tk.broadcast"(%87) : (tensor<32x1x!tk.ptr<i32>, #L9>) -> tensor<32x16x!tk.ptr<i32>, #L12>
    %90 = "tk.broadcast"(%88) : (tensor<1x16xi32, #L4>) -> tensor<32x16xi32, #L12>
    %91 = "tk.addptr"(%89, %90) : (tensor<32x16x!tk.ptr<i32>, #L12>, tensor<32x16xi32, #L12>) -> tensor<32x16x!tk.ptr<i32>, #L12>
    %c31_i32 = arith.constant 31 : i32
    %92 = arith.addi %arg7, %c31_i32 : i32
    %93 = arith.divsi %92, %c32_i32 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c1_i32_5 = arith.constant 1 : i32
    %94 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L1>
    %95 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
    %96 = arith.cmpi slt, %36, %94 {constancy = array<i32: 16>} : tensor<128xi32, #L1>
    %97 = arith.cmpi slt, %37, %95 {constancy = array<i32: 16>} : tensor<128xi32, #L3>
    %98 = "tk.expand_dims"(%96) {axis = 1 : i32} : (tensor<128xi1, #L1>) -> tensor<128x1xi1, #L1>
    %99 = "tk.expand_dims"(%97) {axis = 1 : i32} : (tensor<128xi1, #L3>) -> tensor<128x1xi1, #L3>
    %100 = "tk.splat"(%arg7) : (i32) -> tensor<32xi32, #L10>
    %101 = "tk.splat"(%arg7) : (i32) -> tensor<32xi32, #L9>
    %102 = "tk.broadcast"(%99) : (tensor<128x1xi1, #L3>) -> tensor<128x32xi1, #L11>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<128x32xf16, #L11>
    %cst_7 = arith.constant dense<0> : tensor<32x16xi32, #L12>
    %103 = "tk.range"() {end = 1 : i32, start = 0 : i32} : () -> tensor<1xi32, #L13>
    %104 = "tk.splat"(%82) : (i32) -> tensor<1x1xi32, #L13>
    %105 = "tk.splat"(%arg3) : (!tk.ptr<i32>) -> tensor<1x1x!tk.ptr<i32>, #L13>
    %106 = arith.divsi %arg7, %arg8 : i32
    %107 = "tk.splat"(%106) : (i32) -> tensor<1xi32, #L13>
    %cst_8 = arith.constant dense<0> : tensor<1x16xi32, #L4>
    %108 = "tk.splat"(%arg6) : (i32) -> tensor<1x1xi32, #L13>
    %109 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<1x1x!tk.ptr<f16>, #L13>
    %110 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
    %111 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<1x128xf16, #L2>
    %cst_10 = arith.constant dense<32> : tensor<32xi32, #L10>
    %cst_11 = arith.constant dense<32> : tensor<128x32xi32, #L11>
    %112 = arith.muli %c32_i32, %82 : i32
    %113 = "tk.splat"(%112) : (i32) -> tensor<32x16xi32, #L12>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L14>
    %114:4 = scf.for %arg9 = %c0_i32_4 to %93 step %c1_i32_5 iter_args(%arg10 = %cst_12, %arg11 = %70, %arg12 = %81, %arg13 = %91) -> (tensor<128x128xf32, #L14>, tensor<32xi32, #L10>, tensor<128x32x!tk.ptr<f16>, #L11>, tensor<32x16x!tk.ptr<i32>, #L12>)  : i32 {
      %c32_i32_13 = arith.constant 32 : i32
      %128 = arith.muli %arg9, %c32_i32_13 : i32
      %129 = "tk.splat"(%128) : (i32) -> tensor<32xi32, #L9>
      %130 = arith.addi %71, %129 : tensor<32xi32, #L9>
      %131 = arith.cmpi slt, %arg11, %100 {constancy = array<i32: 16>} : tensor<32xi32, #L10>
      %132 = arith.cmpi slt, %130, %101 {constancy = array<i32: 16>} : tensor<32xi32, #L9>
      %133 = "tk.expand_dims"(%131) {axis = 0 : i32} : (tensor<32xi1, #L10>) -> tensor<1x32xi1, #L10>
      %134 = "tk.broadcast"(%133) : (tensor<1x32xi1, #L10>) -> tensor<128x32xi1, #L11>
      %135 = arith.andi %102, %134 : tensor<128x32xi1, #L11>
      %136 = "tk.load"(%arg12, %135, %cst_6) {vector = 8 : i32} : (tensor<128x32x!tk.ptr<f16>, #L11>, tensor<128x32xi1, #L11>, tensor<128x32xf16, #L11>) -> tensor<128x32xf16, #L11>
      %137 = "tk.convert_layout"(%136) : (tensor<128x32xf16, #L11>) -> tensor<128x32xf16, #L15>
      %138 = "tk.expand_dims"(%132) {axis = 1 : i32} : (tensor<32xi1, #L9>) -> tensor<32x1xi1, #L9>
      %139 = "tk.broadcast"(%138) : (tensor<32x1xi1, #L9>) -> tensor<32x16xi1, #L12>
      %140 = "tk.load"(%arg13, %139, %cst_7) {vector = 2 : i32} : (tensor<32x16x!tk.ptr<i32>, #L12>, tensor<32x16xi1, #L12>, tensor<32x16xi32, #L12>) -> tensor<32x16xi32, #L12>
      %141 = "tk.join"(%140, %140) : (tensor<32x16xi32, #L12>, tensor<32x16xi32, #L12>) -> tensor<32x16x2xi32, #L16>
      %142 = "tk.reshape"(%141) : (tensor<32x16x2xi32, #L16>) -> tensor<32x32xi32, #L16>
      %143 = "tk.join"(%142, %142) : (tensor<32x32xi32, #L16>, tensor<32x32xi32, #L16>) -> tensor<32x32x2xi32, #L17>
      %144 = "tk.reshape"(%143) : (tensor<32x32x2xi32, #L17>) -> tensor<32x64xi32, #L17>
      %145 = "tk.join"(%144, %144) : (tensor<32x64xi32, #L17>, tensor<32x64xi32, #L17>) -> tensor<32x64x2xi32, #L8>
      %146 = "tk.reshape"(%145) : (tensor<32x64x2xi32, #L8>) -> tensor<32x128xi32, #L8>
      %147 = arith.muli %c32_i32, %arg9 : i32
      %148 = arith.addi %147, %62 : i32
      %149 = arith.divsi %148, %arg8 : i32
      %150 = "tk.splat"(%149) : (i32) -> tensor<1xi32, #L13>
      %151 = arith.addi %150, %103 : tensor<1xi32, #L13>
      %152 = "tk.expand_dims"(%151) {axis = 1 : i32} : (tensor<1xi32, #L13>) -> tensor<1x1xi32, #L13>
      %153 = arith.muli %104, %152 : tensor<1x1xi32, #L13>
      %154 = "tk.addptr"(%105, %153) : (tensor<1x1x!tk.ptr<i32>, #L13>, tensor<1x1xi32, #L13>) -> tensor<1x1x!tk.ptr<i32>, #L13>
      %155 = "tk.broadcast"(%154) : (tensor<1x1x!tk.ptr<i32>, #L13>) -> tensor<1x16x!tk.ptr<i32>, #L4>
      %156 = "tk.addptr"(%155, %88) : (tensor<1x16x!tk.ptr<i32>, #L4>, tensor<1x16xi32, #L4>) -> tensor<1x16x!tk.ptr<i32>, #L4>
      %157 = arith.cmpi slt, %151, %107 : tensor<1xi32, #L13>
      %158 = "tk.expand_dims"(%157) {axis = 1 : i32} : (tensor<1xi1, #L13>) -> tensor<1x1xi1, #L13>
      %159 = "tk.broadcast"(%158) : (tensor<1x1xi1, #L13>) -> tensor<1x16xi1, #L4>
      %160 = "tk.load"(%156, %159, %cst_8) {vector = 2 : i32} : (tensor<1x16x!tk.ptr<i32>, #L4>, tensor<1x16xi1, #L4>, tensor<1x16xi32, #L4>) -> tensor<1x16xi32, #L4>
      %161 = "tk.join"(%160, %160) : (tensor<1x16xi32, #L4>, tensor<1x16xi32, #L4>) -> tensor<1x16x2xi32, #L18>
      %162 = "tk.reshape"(%161) : (tensor<1x16x2xi32, #L18>) -> tensor<1x32xi32, #L18>
      %163 = "tk.join"(%162, %162) : (tensor<1x32xi32, #L18>, tensor<1x32xi32, #L18>) -> tensor<1x32x2xi32, #L19>
      %164 = "tk.reshape"(%163) : (tensor<1x32x2xi32, #L19>) -> tensor<1x64xi32, #L19>
      %165 = "tk.join"(%164, %164) : (tensor<1x64xi32, #L19>, tensor<1x64xi32, #L19>) -> tensor<1x64x2xi32, #L20>
      %166 = "tk.reshape"(%165) : (tensor<1x64x2xi32, #L20>) -> tensor<1x128xi32, #L20>
      %167 = "tk.broadcast"(%166) : (tensor<1x128xi32, #L20>) -> tensor<32x128xi32, #L8>
      %168 = arith.muli %108, %152 : tensor<1x1xi32, #L13>
      %169 = "tk.addptr"(%109, %168) : (tensor<1x1x!tk.ptr<f16>, #L13>, tensor<1x1xi32, #L13>) -> tensor<1x1x!tk.ptr<f16>, #L13>
      %170 = "tk.broadcast"(%169) : (tensor<1x1x!tk.ptr<f16>, #L13>) -> tensor<1x128x!tk.ptr<f16>, #L2>
      %171 = "tk.addptr"(%170, %111) : (tensor<1x128x!tk.ptr<f16>, #L2>, tensor<1x128xi32, #L2>) -> tensor<1x128x!tk.ptr<f16>, #L2>
      %172 = "tk.broadcast"(%158) : (tensor<1x1xi1, #L13>) -> tensor<1x128xi1, #L2>
      %173 = "tk.load"(%171, %172, %cst_9) {vector = 1 : i32} : (tensor<1x128x!tk.ptr<f16>, #L2>, tensor<1x128xi1, #L2>, tensor<1x128xf16, #L2>) -> tensor<1x128xf16, #L2>
      %174 = "tk.convert_layout"(%173) : (tensor<1x128xf16, #L2>) -> tensor<1x128xf16, #L20>
      %175 = arith.shrsi %146, %61 : tensor<32x128xi32, #L8>
      %176 = arith.shrsi %167, %61 : tensor<32x128xi32, #L8>
      %177 = "tk.broadcast"(%174) : (tensor<1x128xf16, #L20>) -> tensor<32x128xf16, #L8>
      %178 = arith.trunci %175 : tensor<32x128xi32, #L8> to tensor<32x128xi16, #L8>
      %cst_14 = arith.constant dense<15> : tensor<32x128xi16, #L8>
      %179 = arith.andi %178, %cst_14 : tensor<32x128xi16, #L8>
      %cst_15 = arith.constant dense<25600> : tensor<32x128xi16, #L8>
      %180 = arith.ori %179, %cst_15 : tensor<32x128xi16, #L8>
      %181 = arith.bitcast %180 : tensor<32x128xi16, #L8> to tensor<32x128xf16, #L8>
      %182 = arith.trunci %176 : tensor<32x128xi32, #L8> to tensor<32x128xi16, #L8>
      %cst_16 = arith.constant dense<15> : tensor<32x128xi16, #L8>
      %183 = arith.andi %182, %cst_16 : tensor<32x128xi16, #L8>
      %cst_17 = arith.constant dense<25600> : tensor<32x128xi16, #L8>
      %184 = arith.ori %183, %cst_17 : tensor<32x128xi16, #L8>
      %185 = arith.bitcast %184 : tensor<32x128xi16, #L8> to tensor<32x128xf16, #L8>
      %186 = arith.subf %181, %185 : tensor<32x128xf16, #L8>
      %187 = arith.mulf %186, %177 : tensor<32x128xf16, #L8>
      %188 = "tk.trans"(%187) {order = array<i32: 1, 0>} : (tensor<32x128xf16, #L8>) -> tensor<128x32xf16, #L21>
      %189 = "tk.convert_layout"(%188) : (tensor<128x32xf16, #L21>) -> tensor<128x32xf16, #L22>
      %190 = "tk.smem_trans"(%137) {order = array<i32: 1, 0>} : (tensor<128x32xf16, #L15>) -> tensor<32x128xf16, #L23>
      %191 = "tk.dot"(%189, %190, %arg10) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x32xf16, #L22>, tensor<32x128xf16, #L23>, tensor<128x128xf32, #L14>) -> tensor<128x128xf32, #L14>
      %192 = arith.addi %arg11, %cst_10 : tensor<32xi32, #L10>
      %193 = "tk.addptr"(%arg12, %cst_11) : (tensor<128x32x!tk.ptr<f16>, #L11>, tensor<128x32xi32, #L11>) -> tensor<128x32x!tk.ptr<f16>, #L11>
      %194 = "tk.addptr"(%arg13, %113) : (tensor<32x16x!tk.ptr<i32>, #L12>, tensor<32x16xi32, #L12>) -> tensor<32x16x!tk.ptr<i32>, #L12>
      scf.yield %191, %192, %193, %194 : tensor<128x128xf32, #L14>, tensor<32xi32, #L10>, tensor<128x32x!tk.ptr<f16>, #L11>, tensor<32x16x!tk.ptr<i32>, #L12>
    }
    %115 = "tk.trans"(%114#0) {order = array<i32: 1, 0>} : (tensor<128x128xf32, #L14>) -> tensor<128x128xf32, #L24>
    %116 = "tk.convert_layout"(%115) : (tensor<128x128xf32, #L24>) -> tensor<128x128xf32, #L25>
    %117 = arith.muli %26, %arg6 : i32
    %118 = arith.muli %117, %arg5 : i32
    %119 = "tk.addptr"(%arg2, %118) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %120 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L1>
    %121 = arith.muli %120, %72 : tensor<128x1xi32, #L1>
    %122 = "tk.splat"(%119) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L1>
    %123 = "tk.addptr"(%122, %121) : (tensor<128x1x!tk.ptr<f32>, #L1>, tensor<128x1xi32, #L1>) -> tensor<128x1x!tk.ptr<f32>, #L1>
    %124 = "tk.broadcast"(%123) : (tensor<128x1x!tk.ptr<f32>, #L1>) -> tensor<128x128x!tk.ptr<f32>, #L25>
    %125 = "tk.broadcast"(%110) : (tensor<1x128xi32, #L0>) -> tensor<128x128xi32, #L25>
    %126 = "tk.addptr"(%124, %125) : (tensor<128x128x!tk.ptr<f32>, #L25>, tensor<128x128xi32, #L25>) -> tensor<128x128x!tk.ptr<f32>, #L25>
    %127 = "tk.broadcast"(%98) : (tensor<128x1xi1, #L1>) -> tensor<128x128xi1, #L25>
    "tk.store"(%126, %116, %127) {vector = 4 : i32} : (tensor<128x128x!tk.ptr<f32>, #L25>, tensor<128x128xf32, #L25>, tensor<128x128xi1, #L25>) -> ()
    return
  }
}
