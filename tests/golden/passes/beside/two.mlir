// chip: sm_90a
// show: tk.store
// Sums of two products of one loop, 128 x 128 each, become one result: its store is marked.
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L6 = {lane = array<i32: 1024, 2048, 4096, 1, 2>, register = array<i32: 128, 256, 512, 32, 64>, warp = array<i32: 4, 8, 16>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L8 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 1025, 2050, 4100, 8, 16, 32, 64>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @hand(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %c127_i32 = arith.constant 127 : i32
    %0 = arith.addi %arg5, %c127_i32 : i32
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
    %34 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L1>
    %35 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L2>
    %36 = arith.addi %34, %32 : tensor<128xi32, #L1>
    %37 = arith.addi %35, %33 : tensor<128xi32, #L2>
    %38 = arith.remsi %2, %1 : i32
    %39 = arith.select %4, %25, %38 : i32
    %40 = arith.muli %39, %c128_i32 : i32
    %41 = "tk.splat"(%40) : (i32) -> tensor<128xi32, #L0>
    %42 = "tk.splat"(%40) : (i32) -> tensor<128xi32, #L2>
    %43 = arith.addi %41, %31 : tensor<128xi32, #L0>
    %44 = arith.addi %42, %33 : tensor<128xi32, #L2>
    %45 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L4>
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %46 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %47 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %48 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L2>
    %49 = arith.muli %47, %48 : tensor<128x1xi32, #L2>
    %50 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %51 = "tk.addptr"(%50, %49) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %52 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %53 = "tk.broadcast"(%52) : (tensor<1x64xi32, #L3>) -> tensor<128x64xi32, #L5>
    %54 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L1>
    %55 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L2>
    %56 = arith.cmpi slt, %46, %54 : tensor<128x1xi32, #L1>
    %57 = arith.cmpi slt, %47, %55 : tensor<128x1xi32, #L2>
    %58 = "tk.splat"(%arg6) : (i32) -> tensor<1x64xi32, #L3>
    %59 = "tk.broadcast"(%57) : (tensor<128x1xi1, #L2>) -> tensor<128x64xi1, #L5>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L5>
    %60 = "tk.expand_dims"(%45) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %61 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %62 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
    %63 = "tk.expand_dims"(%44) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %64 = "tk.splat"(%arg6) : (i32) -> tensor<1x128xi32, #L2>
    %65 = arith.muli %63, %64 : tensor<1x128xi32, #L2>
    %66 = "tk.broadcast"(%65) : (tensor<1x128xi32, #L2>) -> tensor<64x128xi32, #L6>
    %67 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L3>
    %68 = "tk.splat"(%arg5) : (i32) -> tensor<1x128xi32, #L0>
    %69 = "tk.splat"(%arg5) : (i32) -> tensor<1x128xi32, #L2>
    %70 = arith.cmpi slt, %62, %68 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L0>
    %71 = arith.cmpi slt, %63, %69 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L2>
    %72 = "tk.broadcast"(%71) : (tensor<1x128xi1, #L2>) -> tensor<64x128xi1, #L6>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L6>
    %73 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %74:2 = scf.for %arg7 = %c0_i32_2 to %arg6 step %c64_i32 iter_args(%arg8 = %cst, %arg9 = %cst) -> (tensor<128x128xf32, #L4>, tensor<128x128xf32, #L4>)  : i32 {
      %98 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L2>
      %99 = "tk.addptr"(%51, %98) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %100 = "tk.broadcast"(%99) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L5>
      %101 = "tk.addptr"(%100, %53) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
      %102 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L3>
      %103 = arith.addi %102, %52 : tensor<1x64xi32, #L3>
      %104 = arith.cmpi slt, %103, %58 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L3>
      %105 = "tk.broadcast"(%104) : (tensor<1x64xi1, #L3>) -> tensor<128x64xi1, #L5>
      %106 = arith.andi %59, %105 : tensor<128x64xi1, #L5>
      %107 = "tk.load"(%101, %106, %cst_3) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>, tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L5>
      %108 = "tk.convert_layout"(%107) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L7>
      %109 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L3>
      %110 = arith.addi %109, %60 : tensor<64x1xi32, #L3>
      %111 = "tk.addptr"(%61, %110) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %112 = "tk.broadcast"(%111) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x128x!tk.ptr<f16>, #L6>
      %113 = "tk.addptr"(%112, %66) : (tensor<64x128x!tk.ptr<f16>, #L6>, tensor<64x128xi32, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L6>
      %114 = arith.cmpi slt, %110, %67 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
      %115 = "tk.broadcast"(%114) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L6>
      %116 = arith.andi %115, %72 : tensor<64x128xi1, #L6>
      %117 = "tk.load"(%113, %116, %cst_4) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L6>, tensor<64x128xi1, #L6>, tensor<64x128xf16, #L6>) -> tensor<64x128xf16, #L6>
      %118 = "tk.convert_layout"(%117) : (tensor<64x128xf16, #L6>) -> tensor<64x128xf16, #L8>
      %119 = "tk.addptr"(%73, %110) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %120 = "tk.broadcast"(%119) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x128x!tk.ptr<f16>, #L6>
      %121 = "tk.addptr"(%120, %66) : (tensor<64x128x!tk.ptr<f16>, #L6>, tensor<64x128xi32, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L6>
      %122 = "tk.load"(%121, %116, %cst_4) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L6>, tensor<64x128xi1, #L6>, tensor<64x128xf16, #L6>) -> tensor<64x128xf16, #L6>
      %123 = "tk.convert_layout"(%122) : (tensor<64x128xf16, #L6>) -> tensor<64x128xf16, #L8>
      %124 = "tk.dot"(%108, %118, %arg8) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L7>, tensor<64x128xf16, #L8>, tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
      %125 = "tk.dot"(%108, %123, %arg9) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L7>, tensor<64x128xf16, #L8>, tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
      scf.yield %124, %125 : tensor<128x128xf32, #L4>, tensor<128x128xf32, #L4>
    }
    %75 = arith.truncf %74#0 : tensor<128x128xf32, #L4> to tensor<128x128xf16, #L4>
    %76 = arith.extf %75 : tensor<128x128xf16, #L4> to tensor<128x128xf32, #L4>
    %77 = arith.negf %76 : tensor<128x128xf32, #L4>
    %cst_5 = arith.constant dense<1.44269502> : tensor<128x128xf32, #L4>
    %78 = arith.mulf %77, %cst_5 : tensor<128x128xf32, #L4>
    %79 = math.exp2 %78 : tensor<128x128xf32, #L4>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<128x128xf32, #L4>
    %80 = arith.addf %cst_6, %79 : tensor<128x128xf32, #L4>
    %81 = arith.divf %cst_6, %80 : tensor<128x128xf32, #L4>
    %82 = arith.mulf %76, %81 : tensor<128x128xf32, #L4>
    %83 = arith.truncf %74#1 : tensor<128x128xf32, #L4> to tensor<128x128xf16, #L4>
    %84 = arith.extf %83 : tensor<128x128xf16, #L4> to tensor<128x128xf32, #L4>
    %85 = arith.mulf %82, %84 : tensor<128x128xf32, #L4>
    %86 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L1>
    %87 = arith.muli %46, %86 : tensor<128x1xi32, #L1>
    %88 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L1>
    %89 = "tk.addptr"(%88, %87) : (tensor<128x1x!tk.ptr<f16>, #L1>, tensor<128x1xi32, #L1>) -> tensor<128x1x!tk.ptr<f16>, #L1>
    %90 = "tk.broadcast"(%89) : (tensor<128x1x!tk.ptr<f16>, #L1>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %91 = "tk.broadcast"(%62) : (tensor<1x128xi32, #L0>) -> tensor<128x128xi32, #L9>
    %92 = "tk.addptr"(%90, %91) : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi32, #L9>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %93 = arith.truncf %85 : tensor<128x128xf32, #L4> to tensor<128x128xf16, #L4>
    %94 = "tk.convert_layout"(%93) : (tensor<128x128xf16, #L4>) -> tensor<128x128xf16, #L9>
    %95 = "tk.broadcast"(%56) : (tensor<128x1xi1, #L1>) -> tensor<128x128xi1, #L9>
    %96 = "tk.broadcast"(%70) : (tensor<1x128xi1, #L0>) -> tensor<128x128xi1, #L9>
    %97 = arith.andi %95, %96 : tensor<128x128xi1, #L9>
    "tk.store"(%92, %94, %97) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xf16, #L9>, tensor<128x128xi1, #L9>) -> ()
    return
  }
}

