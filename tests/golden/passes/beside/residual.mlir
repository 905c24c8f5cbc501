// chip: sm_90a
// show: tk.store
// Bias, GELU and residual follow sums of 128 x 256 that were narrowed to 16 bits: the store is marked.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 1, 2, 4>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64, 128>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64, 128>}
#L6 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64, 128>, warp = array<i32: 4, 8, 16>}
#L7 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L8 = {lane = array<i32: 2, 4, 256, 512, 1024>, register = array<i32: 1, 2048, 8, 16, 32, 64, 128>, warp = array<i32: 4096, 8192, 16384>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L10 = {lane = array<i32: 2048, 4096, 8192, 1, 2>, register = array<i32: 256, 512, 1024, 32, 64, 128>, warp = array<i32: 4, 8, 16>}
#L11 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L12 = {shared = array<i32: 256, 512, 1024, 2048, 4096, 8192, 2049, 4098, 8196, 8, 16, 32, 64, 128>}
#L13 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @kern(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %c255_i32 = arith.constant 255 : i32
    %0 = arith.addi %arg6, %c255_i32 : i32
    %c256_i32 = arith.constant 256 : i32
    %1 = arith.divsi %0, %c256_i32 : i32
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
    %26 = arith.muli %24, %1 : i32
    %27 = arith.addi %26, %25 : i32
    %28 = arith.divsi %2, %1 : i32
    %29 = arith.select %4, %24, %28 : i32
    %c128_i32 = arith.constant 128 : i32
    %30 = arith.muli %29, %c128_i32 : i32
    %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %33 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %34 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L0>
    %35 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L1>
    %36 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L2>
    %37 = arith.addi %34, %31 : tensor<128xi32, #L0>
    %38 = arith.addi %35, %32 : tensor<128xi32, #L1>
    %39 = arith.addi %36, %33 : tensor<128xi32, #L2>
    %40 = arith.remsi %2, %1 : i32
    %41 = arith.select %4, %25, %40 : i32
    %42 = arith.muli %41, %c256_i32 : i32
    %43 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L3>
    %44 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L4>
    %45 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L5>
    %46 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L6>
    %47 = "tk.splat"(%42) : (i32) -> tensor<256xi32, #L3>
    %48 = "tk.splat"(%42) : (i32) -> tensor<256xi32, #L4>
    %49 = "tk.splat"(%42) : (i32) -> tensor<256xi32, #L5>
    %50 = "tk.splat"(%42) : (i32) -> tensor<256xi32, #L6>
    %51 = arith.addi %47, %43 : tensor<256xi32, #L3>
    %52 = arith.addi %48, %44 : tensor<256xi32, #L4>
    %53 = arith.addi %49, %45 : tensor<256xi32, #L5>
    %54 = arith.addi %50, %46 : tensor<256xi32, #L6>
    %55 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L7>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #L8>
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %56 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %57 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %58 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %59 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L2>
    %60 = arith.muli %58, %59 : tensor<128x1xi32, #L2>
    %61 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %62 = "tk.addptr"(%61, %60) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %63 = "tk.expand_dims"(%55) {axis = 0 : i32} : (tensor<64xi32, #L7>) -> tensor<1x64xi32, #L7>
    %64 = "tk.broadcast"(%63) : (tensor<1x64xi32, #L7>) -> tensor<128x64xi32, #L9>
    %65 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L0>
    %66 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L1>
    %67 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L2>
    %68 = arith.cmpi slt, %56, %65 : tensor<128x1xi32, #L0>
    %69 = arith.cmpi slt, %57, %66 : tensor<128x1xi32, #L1>
    %70 = arith.cmpi slt, %58, %67 : tensor<128x1xi32, #L2>
    %71 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L7>
    %72 = "tk.broadcast"(%70) : (tensor<128x1xi1, #L2>) -> tensor<128x64xi1, #L9>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L9>
    %73 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L7>) -> tensor<64x1xi32, #L7>
    %74 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L7>
    %75 = "tk.expand_dims"(%51) {axis = 0 : i32} : (tensor<256xi32, #L3>) -> tensor<1x256xi32, #L3>
    %76 = "tk.expand_dims"(%52) {axis = 0 : i32} : (tensor<256xi32, #L4>) -> tensor<1x256xi32, #L4>
    %77 = "tk.expand_dims"(%54) {axis = 0 : i32} : (tensor<256xi32, #L6>) -> tensor<1x256xi32, #L6>
    %78 = "tk.splat"(%arg7) : (i32) -> tensor<1x256xi32, #L6>
    %79 = arith.muli %77, %78 : tensor<1x256xi32, #L6>
    %80 = "tk.broadcast"(%79) : (tensor<1x256xi32, #L6>) -> tensor<64x256xi32, #L10>
    %81 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L7>
    %82 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32, #L3>
    %83 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32, #L4>
    %84 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32, #L6>
    %85 = arith.cmpi slt, %75, %82 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L3>
    %86 = arith.cmpi slt, %76, %83 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L4>
    %87 = arith.cmpi slt, %77, %84 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L6>
    %88 = "tk.broadcast"(%87) : (tensor<1x256xi1, #L6>) -> tensor<64x256xi1, #L10>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x256xf16, #L10>
    %89 = scf.for %arg8 = %c0_i32_2 to %arg7 step %c64_i32 iter_args(%arg9 = %cst) -> (tensor<128x256xf32, #L8>)  : i32 {
      %136 = "tk.splat"(%arg8) : (i32) -> tensor<128x1xi32, #L2>
      %137 = "tk.addptr"(%62, %136) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %138 = "tk.broadcast"(%137) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L9>
      %139 = "tk.addptr"(%138, %64) : (tensor<128x64x!tk.ptr<f16>, #L9>, tensor<128x64xi32, #L9>) -> tensor<128x64x!tk.ptr<f16>, #L9>
      %140 = "tk.splat"(%arg8) : (i32) -> tensor<1x64xi32, #L7>
      %141 = arith.addi %140, %63 : tensor<1x64xi32, #L7>
      %142 = arith.cmpi slt, %141, %71 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L7>
      %143 = "tk.broadcast"(%142) : (tensor<1x64xi1, #L7>) -> tensor<128x64xi1, #L9>
      %144 = arith.andi %72, %143 : tensor<128x64xi1, #L9>
      %145 = "tk.load"(%139, %144, %cst_3) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L9>, tensor<128x64xi1, #L9>, tensor<128x64xf16, #L9>) -> tensor<128x64xf16, #L9>
      %146 = "tk.convert_layout"(%145) : (tensor<128x64xf16, #L9>) -> tensor<128x64xf16, #L11>
      %147 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32, #L7>
      %148 = arith.addi %147, %73 : tensor<64x1xi32, #L7>
      %149 = "tk.addptr"(%74, %148) : (tensor<64x1x!tk.ptr<f16>, #L7>, tensor<64x1xi32, #L7>) -> tensor<64x1x!tk.ptr<f16>, #L7>
      %150 = "tk.broadcast"(%149) : (tensor<64x1x!tk.ptr<f16>, #L7>) -> tensor<64x256x!tk.ptr<f16>, #L10>
      %151 = "tk.addptr"(%150, %80) : (tensor<64x256x!tk.ptr<f16>, #L10>, tensor<64x256xi32, #L10>) -> tensor<64x256x!tk.ptr<f16>, #L10>
      %152 = arith.cmpi slt, %148, %81 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L7>
      %153 = "tk.broadcast"(%152) : (tensor<64x1xi1, #L7>) -> tensor<64x256xi1, #L10>
      %154 = arith.andi %153, %88 : tensor<64x256xi1, #L10>
      %155 = "tk.load"(%151, %154, %cst_4) {vector = 8 : i32} : (tensor<64x256x!tk.ptr<f16>, #L10>, tensor<64x256xi1, #L10>, tensor<64x256xf16, #L10>) -> tensor<64x256xf16, #L10>
      %156 = "tk.convert_layout"(%155) : (tensor<64x256xf16, #L10>) -> tensor<64x256xf16, #L12>
      %157 = "tk.dot"(%146, %156, %arg9) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L11>, tensor<64x256xf16, #L12>, tensor<128x256xf32, #L8>) -> tensor<128x256xf32, #L8>
      scf.yield %157 : tensor<128x256xf32, #L8>
    }
    %90 = "tk.broadcast"(%68) : (tensor<128x1xi1, #L0>) -> tensor<128x256xi1, #L13>
    %91 = "tk.broadcast"(%69) : (tensor<128x1xi1, #L1>) -> tensor<128x256xi1, #L8>
    %92 = "tk.broadcast"(%85) : (tensor<1x256xi1, #L3>) -> tensor<128x256xi1, #L13>
    %93 = "tk.broadcast"(%86) : (tensor<1x256xi1, #L4>) -> tensor<128x256xi1, #L8>
    %94 = arith.andi %90, %92 : tensor<128x256xi1, #L13>
    %95 = arith.andi %91, %93 : tensor<128x256xi1, #L8>
    %96 = arith.truncf %89 : tensor<128x256xf32, #L8> to tensor<128x256xf16, #L8>
    %97 = arith.extf %96 : tensor<128x256xf16, #L8> to tensor<128x256xf32, #L8>
    %98 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>, #L5>
    %99 = "tk.addptr"(%98, %53) : (tensor<256x!tk.ptr<f16>, #L5>, tensor<256xi32, #L5>) -> tensor<256x!tk.ptr<f16>, #L5>
    %100 = "tk.splat"(%arg6) : (i32) -> tensor<256xi32, #L5>
    %101 = arith.cmpi slt, %53, %100 {constancy = array<i32: 16>} : tensor<256xi32, #L5>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<256xf16, #L5>
    %102 = "tk.load"(%99, %101, %cst_5) {vector = 1 : i32} : (tensor<256x!tk.ptr<f16>, #L5>, tensor<256xi1, #L5>, tensor<256xf16, #L5>) -> tensor<256xf16, #L5>
    %103 = arith.extf %102 : tensor<256xf16, #L5> to tensor<256xf32, #L5>
    %104 = "tk.expand_dims"(%103) {axis = 0 : i32} : (tensor<256xf32, #L5>) -> tensor<1x256xf32, #L5>
    %105 = "tk.convert_layout"(%104) : (tensor<1x256xf32, #L5>) -> tensor<1x256xf32, #L4>
    %106 = "tk.broadcast"(%105) : (tensor<1x256xf32, #L4>) -> tensor<128x256xf32, #L8>
    %107 = arith.addf %97, %106 : tensor<128x256xf32, #L8>
    %cst_6 = arith.constant dense<4.471500e-02> : tensor<128x256xf32, #L8>
    %108 = arith.mulf %cst_6, %107 : tensor<128x256xf32, #L8>
    %109 = arith.mulf %108, %107 : tensor<128x256xf32, #L8>
    %110 = math.fma %109, %107, %107 : tensor<128x256xf32, #L8>
    %cst_7 = arith.constant dense<0.797884583> : tensor<128x256xf32, #L8>
    %111 = arith.mulf %cst_7, %110 : tensor<128x256xf32, #L8>
    %cst_8 = arith.constant dense<-2.000000e+00> : tensor<128x256xf32, #L8>
    %112 = arith.mulf %cst_8, %111 : tensor<128x256xf32, #L8>
    %cst_9 = arith.constant dense<1.44269502> : tensor<128x256xf32, #L8>
    %113 = arith.mulf %112, %cst_9 : tensor<128x256xf32, #L8>
    %114 = math.exp2 %113 : tensor<128x256xf32, #L8>
    %cst_10 = arith.constant dense<1.000000e+00> : tensor<128x256xf32, #L8>
    %115 = arith.addf %cst_10, %114 : tensor<128x256xf32, #L8>
    %116 = arith.divf %107, %115 : tensor<128x256xf32, #L8>
    %117 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L0>
    %118 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L1>
    %119 = arith.muli %56, %117 : tensor<128x1xi32, #L0>
    %120 = arith.muli %57, %118 : tensor<128x1xi32, #L1>
    %121 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L1>
    %122 = "tk.addptr"(%121, %120) : (tensor<128x1x!tk.ptr<f16>, #L1>, tensor<128x1xi32, #L1>) -> tensor<128x1x!tk.ptr<f16>, #L1>
    %123 = "tk.broadcast"(%122) : (tensor<128x1x!tk.ptr<f16>, #L1>) -> tensor<128x256x!tk.ptr<f16>, #L8>
    %124 = "tk.broadcast"(%75) : (tensor<1x256xi32, #L3>) -> tensor<128x256xi32, #L13>
    %125 = "tk.broadcast"(%76) : (tensor<1x256xi32, #L4>) -> tensor<128x256xi32, #L8>
    %126 = "tk.addptr"(%123, %125) : (tensor<128x256x!tk.ptr<f16>, #L8>, tensor<128x256xi32, #L8>) -> tensor<128x256x!tk.ptr<f16>, #L8>
    %cst_11 = arith.constant dense<0.000000e+00> : tensor<128x256xf16, #L8>
    %127 = "tk.load"(%126, %95, %cst_11) {vector = 2 : i32} : (tensor<128x256x!tk.ptr<f16>, #L8>, tensor<128x256xi1, #L8>, tensor<128x256xf16, #L8>) -> tensor<128x256xf16, #L8>
    %128 = arith.extf %127 : tensor<128x256xf16, #L8> to tensor<128x256xf32, #L8>
    %129 = arith.addf %116, %128 : tensor<128x256xf32, #L8>
    %130 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %131 = "tk.addptr"(%130, %119) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %132 = "tk.broadcast"(%131) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x256x!tk.ptr<f16>, #L13>
    %133 = "tk.addptr"(%132, %124) : (tensor<128x256x!tk.ptr<f16>, #L13>, tensor<128x256xi32, #L13>) -> tensor<128x256x!tk.ptr<f16>, #L13>
    %134 = arith.truncf %129 : tensor<128x256xf32, #L8> to tensor<128x256xf16, #L8>
    %135 = "tk.convert_layout"(%134) : (tensor<128x256xf16, #L8>) -> tensor<128x256xf16, #L13>
    "tk.store"(%133, %135, %94) {vector = 8 : i32} : (tensor<128x256x!tk.ptr<f16>, #L13>, tensor<128x256xf16, #L13>, tensor<128x256xi1, #L13>) -> ()
    return
  }
}

