// chip: sm_90a
// show: tk.mbarrier_alloc tk.mbarrier_wait tk.mbarrier_arrive tk.bulk_* tk.smem_*
// after: roles
// residual_wide with five slots: they leave room for one buffer of the residual.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L1 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64>, warp = array<i32: 0, 0, 0>}
#L2 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L7 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L9 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L10 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L11 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L12 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 5 : i32, tk.num_warps = 8 : i32} {
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
    %26 = arith.muli %24, %1 : i32
    %27 = arith.addi %26, %25 : i32
    %28 = arith.divsi %2, %1 : i32
    %29 = arith.select %4, %24, %28 : i32
    %30 = arith.muli %29, %c128_i32 : i32
    %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %33 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %34 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %35 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
    %36 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L5>
    %37 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L0>
    %38 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L2>
    %39 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L5>
    %40 = arith.addi %37, %31 : tensor<128xi32, #L0>
    %41 = arith.addi %38, %33 : tensor<128xi32, #L2>
    %42 = arith.addi %39, %36 : tensor<128xi32, #L5>
    %43 = arith.remsi %2, %1 : i32
    %44 = arith.select %4, %25, %43 : i32
    %45 = arith.muli %44, %c128_i32 : i32
    %46 = "tk.splat"(%45) : (i32) -> tensor<128xi32, #L1>
    %47 = "tk.splat"(%45) : (i32) -> tensor<128xi32, #L3>
    %48 = "tk.splat"(%45) : (i32) -> tensor<128xi32, #L4>
    %49 = arith.addi %46, %32 : tensor<128xi32, #L1>
    %50 = arith.addi %47, %34 : tensor<128xi32, #L3>
    %51 = arith.addi %48, %35 : tensor<128xi32, #L4>
    %52 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L6>
    %53 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L7>
    %54 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %55 = "tk.expand_dims"(%41) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %56 = "tk.expand_dims"(%42) {axis = 1 : i32} : (tensor<128xi32, #L5>) -> tensor<128x1xi32, #L5>
    %57 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L0>
    %58 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L2>
    %59 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L5>
    %60 = arith.cmpi slt, %54, %57 : tensor<128x1xi32, #L0>
    %61 = arith.cmpi slt, %55, %58 : tensor<128x1xi32, #L2>
    %62 = arith.cmpi slt, %56, %59 : tensor<128x1xi32, #L5>
    %63 = "tk.expand_dims"(%49) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %64 = "tk.expand_dims"(%51) {axis = 0 : i32} : (tensor<128xi32, #L4>) -> tensor<1x128xi32, #L4>
    %65 = "tk.splat"(%arg6) : (i32) -> tensor<1x128xi32, #L1>
    %66 = "tk.splat"(%arg6) : (i32) -> tensor<1x128xi32, #L4>
    %67 = arith.cmpi slt, %63, %65 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L1>
    %68 = arith.cmpi slt, %64, %66 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L4>
    %69 = "tk.broadcast"(%60) : (tensor<128x1xi1, #L0>) -> tensor<128x128xi1, #L8>
    %70 = "tk.broadcast"(%61) : (tensor<128x1xi1, #L2>) -> tensor<128x128xi1, #L9>
    %71 = "tk.broadcast"(%68) : (tensor<1x128xi1, #L4>) -> tensor<128x128xi1, #L8>
    %72 = "tk.broadcast"(%67) : (tensor<1x128xi1, #L1>) -> tensor<128x128xi1, #L9>
    %73 = arith.andi %69, %71 : tensor<128x128xi1, #L8>
    %74 = arith.andi %70, %72 : tensor<128x128xi1, #L9>
    %75 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L0>
    %76 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L2>
    %77 = arith.muli %54, %75 : tensor<128x1xi32, #L0>
    %78 = arith.muli %55, %76 : tensor<128x1xi32, #L2>
    %79 = "tk.broadcast"(%77) : (tensor<128x1xi32, #L0>) -> tensor<128x128xi32, #L8>
    %80 = "tk.broadcast"(%78) : (tensor<128x1xi32, #L2>) -> tensor<128x128xi32, #L9>
    %81 = "tk.broadcast"(%64) : (tensor<1x128xi32, #L4>) -> tensor<128x128xi32, #L8>
    %82 = "tk.broadcast"(%63) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L9>
    %83 = arith.addi %79, %81 : tensor<128x128xi32, #L8>
    %84 = arith.addi %80, %82 : tensor<128x128xi32, #L9>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L9>
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %85 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L5>
    %86 = arith.muli %56, %85 : tensor<128x1xi32, #L5>
    %87 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L5>
    %88 = "tk.addptr"(%87, %86) : (tensor<128x1x!tk.ptr<f16>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<f16>, #L5>
    %89 = "tk.expand_dims"(%53) {axis = 0 : i32} : (tensor<64xi32, #L7>) -> tensor<1x64xi32, #L7>
    %90 = "tk.broadcast"(%89) : (tensor<1x64xi32, #L7>) -> tensor<128x64xi32, #L10>
    %91 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L7>
    %92 = "tk.broadcast"(%62) : (tensor<128x1xi1, #L5>) -> tensor<128x64xi1, #L10>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L10>
    %93 = "tk.expand_dims"(%52) {axis = 1 : i32} : (tensor<64xi32, #L6>) -> tensor<64x1xi32, #L6>
    %94 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L6>
    %95 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L6>
    %96 = "tk.broadcast"(%64) : (tensor<1x128xi32, #L4>) -> tensor<64x128xi32, #L10>
    %97 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L6>
    %98 = "tk.broadcast"(%68) : (tensor<1x128xi1, #L4>) -> tensor<64x128xi1, #L10>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L10>
    %99 = scf.for %arg8 = %c0_i32_2 to %arg7 step %c64_i32 iter_args(%arg9 = %cst) -> (tensor<128x128xf32, #L9>)  : i32 {
      %126 = "tk.splat"(%arg8) : (i32) -> tensor<128x1xi32, #L5>
      %127 = "tk.addptr"(%88, %126) : (tensor<128x1x!tk.ptr<f16>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<f16>, #L5>
      %128 = "tk.broadcast"(%127) : (tensor<128x1x!tk.ptr<f16>, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L10>
      %129 = "tk.addptr"(%128, %90) : (tensor<128x64x!tk.ptr<f16>, #L10>, tensor<128x64xi32, #L10>) -> tensor<128x64x!tk.ptr<f16>, #L10>
      %130 = "tk.splat"(%arg8) : (i32) -> tensor<1x64xi32, #L7>
      %131 = arith.addi %130, %89 : tensor<1x64xi32, #L7>
      %132 = arith.cmpi slt, %131, %91 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L7>
      %133 = "tk.broadcast"(%132) : (tensor<1x64xi1, #L7>) -> tensor<128x64xi1, #L10>
      %134 = arith.andi %92, %133 : tensor<128x64xi1, #L10>
      %135 = "tk.load"(%129, %134, %cst_3) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L10>, tensor<128x64xi1, #L10>, tensor<128x64xf16, #L10>) -> tensor<128x64xf16, #L10>
      %136 = "tk.convert_layout"(%135) : (tensor<128x64xf16, #L10>) -> tensor<128x64xf16, #L11>
      %137 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32, #L6>
      %138 = arith.addi %137, %93 : tensor<64x1xi32, #L6>
      %139 = arith.muli %138, %94 : tensor<64x1xi32, #L6>
      %140 = "tk.addptr"(%95, %139) : (tensor<64x1x!tk.ptr<f16>, #L6>, tensor<64x1xi32, #L6>) -> tensor<64x1x!tk.ptr<f16>, #L6>
      %141 = "tk.broadcast"(%140) : (tensor<64x1x!tk.ptr<f16>, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L10>
      %142 = "tk.addptr"(%141, %96) : (tensor<64x128x!tk.ptr<f16>, #L10>, tensor<64x128xi32, #L10>) -> tensor<64x128x!tk.ptr<f16>, #L10>
      %143 = arith.cmpi slt, %138, %97 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L6>
      %144 = "tk.broadcast"(%143) : (tensor<64x1xi1, #L6>) -> tensor<64x128xi1, #L10>
      %145 = arith.andi %144, %98 : tensor<64x128xi1, #L10>
      %146 = "tk.load"(%142, %145, %cst_4) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L10>, tensor<64x128xi1, #L10>, tensor<64x128xf16, #L10>) -> tensor<64x128xf16, #L10>
      %147 = "tk.convert_layout"(%146) : (tensor<64x128xf16, #L10>) -> tensor<64x128xf16, #L12>
      %148 = "tk.dot"(%136, %147, %arg9) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L11>, tensor<64x128xf16, #L12>, tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L9>
      scf.yield %148 : tensor<128x128xf32, #L9>
    }
    %100 = arith.truncf %99 : tensor<128x128xf32, #L9> to tensor<128x128xf16, #L9>
    %101 = arith.extf %100 : tensor<128x128xf16, #L9> to tensor<128x128xf32, #L9>
    %102 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>, #L3>
    %103 = "tk.addptr"(%102, %50) : (tensor<128x!tk.ptr<f16>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<f16>, #L3>
    %104 = "tk.splat"(%arg6) : (i32) -> tensor<128xi32, #L3>
    %105 = arith.cmpi slt, %50, %104 {constancy = array<i32: 16>} : tensor<128xi32, #L3>
    %106 = "tk.load"(%103, %105) {vector = 1 : i32} : (tensor<128x!tk.ptr<f16>, #L3>, tensor<128xi1, #L3>) -> tensor<128xf16, #L3>
    %107 = "tk.expand_dims"(%106) {axis = 0 : i32} : (tensor<128xf16, #L3>) -> tensor<1x128xf16, #L3>
    %108 = "tk.convert_layout"(%107) : (tensor<1x128xf16, #L3>) -> tensor<1x128xf16, #L1>
    %109 = arith.extf %108 : tensor<1x128xf16, #L1> to tensor<1x128xf32, #L1>
    %110 = "tk.broadcast"(%109) : (tensor<1x128xf32, #L1>) -> tensor<128x128xf32, #L9>
    %111 = arith.addf %99, %110 : tensor<128x128xf32, #L9>
    %112 = arith.negf %111 : tensor<128x128xf32, #L9>
    %cst_5 = arith.constant dense<1.44269502> : tensor<128x128xf32, #L9>
    %113 = arith.mulf %112, %cst_5 : tensor<128x128xf32, #L9>
    %114 = math.exp2 %113 : tensor<128x128xf32, #L9>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<128x128xf32, #L9>
    %115 = arith.addf %cst_6, %114 : tensor<128x128xf32, #L9>
    %116 = arith.divf %cst_6, %115 : tensor<128x128xf32, #L9>
    %117 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %118 = "tk.addptr"(%117, %84) : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi32, #L9>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %119 = "tk.load"(%118, %74) {vector = 2 : i32} : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi1, #L9>) -> tensor<128x128xf16, #L9>
    %120 = arith.extf %119 : tensor<128x128xf16, #L9> to tensor<128x128xf32, #L9>
    %121 = math.fma %111, %116, %120 : tensor<128x128xf32, #L9>
    %122 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L8>
    %123 = "tk.addptr"(%122, %83) : (tensor<128x128x!tk.ptr<f16>, #L8>, tensor<128x128xi32, #L8>) -> tensor<128x128x!tk.ptr<f16>, #L8>
    %124 = arith.truncf %121 : tensor<128x128xf32, #L9> to tensor<128x128xf16, #L9>
    %125 = "tk.convert_layout"(%124) : (tensor<128x128xf16, #L9>) -> tensor<128x128xf16, #L8>
    "tk.store"(%123, %125, %73) {beside, vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L8>, tensor<128x128xf16, #L8>, tensor<128x128xi1, #L8>) -> ()
    return
  }
}

