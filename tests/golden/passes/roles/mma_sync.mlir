// chip: sm_120a
// show: scf.* tk.load tk.dot tk.store
// Every warp multiplies, from registers: both operands of the dot are boxes, which one thread of one more warp copies.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L6 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 2048>, warp = array<i32: 4096, 8192, 64>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32, 1024>, warp = array<i32: 2048, 4096, 0>}
#L8 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 1024, 8, 16, 32, 2048, 4096>, warp = array<i32: 0, 0, 64>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %c127_i32 = arith.constant 127 : i32
    %0 = arith.addi %arg4, %c127_i32 : i32
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
    %c8_i32 = arith.constant 8 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divui %10, %c8_i32 : i32
    %13 = arith.muli %12, %c8_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remui %10, %c8_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c8_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.maxsi %19, %c1_i32_0 : i32
    %21 = arith.muli %16, %5 : i32
    %22 = arith.addi %21, %11 : i32
    %23 = arith.remui %22, %20 : i32
    %24 = arith.addi %14, %23 : i32
    %25 = arith.divui %22, %20 : i32
    %26 = arith.divsi %2, %1 : i32
    %27 = arith.select %4, %24, %26 : i32
    %28 = arith.muli %27, %c128_i32 : i32
    %29 = arith.remsi %2, %1 : i32
    %30 = arith.select %4, %25, %29 : i32
    %31 = arith.muli %30, %c128_i32 : i32
    %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %33 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %34 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %35 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L0>
    %36 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L2>
    %37 = arith.addi %35, %32 : tensor<128xi32, #L0>
    %38 = arith.addi %36, %34 : tensor<128xi32, #L2>
    %39 = "tk.splat"(%arg3) : (i32) -> tensor<128xi32, #L2>
    %40 = arith.remsi %38, %39 : tensor<128xi32, #L2>
    %41 = "tk.splat"(%31) : (i32) -> tensor<128xi32, #L1>
    %42 = arith.addi %41, %33 : tensor<128xi32, #L1>
    %43 = "tk.splat"(%arg4) : (i32) -> tensor<128xi32, #L1>
    %44 = arith.remsi %42, %43 : tensor<128xi32, #L1>
    %45 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %46 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %47 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %48 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L2>
    %49 = arith.muli %47, %48 : tensor<128x1xi32, #L2>
    %50 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %51 = "tk.addptr"(%50, %49) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %52 = "tk.expand_dims"(%46) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %53 = "tk.broadcast"(%51) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %54 = "tk.broadcast"(%52) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L5>
    %55 = "tk.addptr"(%53, %54) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %56 = "tk.expand_dims"(%45) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %57 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32, #L3>
    %58 = arith.muli %56, %57 : tensor<64x1xi32, #L3>
    %59 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %60 = "tk.addptr"(%59, %58) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %61 = "tk.expand_dims"(%44) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %62 = "tk.broadcast"(%60) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %63 = "tk.broadcast"(%61) : (tensor<1x128xi32, #L1>) -> tensor<64x128xi32, #L5>
    %64 = "tk.addptr"(%62, %63) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L6>
    %c63_i32 = arith.constant 63 : i32
    %65 = arith.addi %arg5, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %66 = arith.divsi %65, %c64_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L5>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L5>
    %cst_6 = arith.constant dense<64> : tensor<128x64xi32, #L5>
    %67 = arith.muli %c64_i32, %arg8 : i32
    %68 = "tk.splat"(%67) : (i32) -> tensor<64x128xi32, #L5>
    %69:3 = scf.for %arg12 = %c0_i32_2 to %66 step %c1_i32_3 iter_args(%arg13 = %cst, %arg14 = %55, %arg15 = %64) -> (tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>)  : i32 {
      %88 = arith.muli %arg12, %c64_i32 : i32
      %89 = arith.subi %arg5, %88 : i32
      %90 = "tk.splat"(%89) : (i32) -> tensor<1x64xi32, #L4>
      %91 = arith.cmpi slt, %52, %90 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L4>
      %92 = "tk.broadcast"(%91) : (tensor<1x64xi1, #L4>) -> tensor<128x64xi1, #L5>
      %93 = "tk.load"(%arg14, %92, %cst_4) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>, tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L5>
      %94 = "tk.convert_layout"(%93) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L7>
      %95 = "tk.splat"(%89) : (i32) -> tensor<64x1xi32, #L3>
      %96 = arith.cmpi slt, %56, %95 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
      %97 = "tk.broadcast"(%96) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L5>
      %98 = "tk.load"(%arg15, %97, %cst_5) {assumes = "arguments no_wrap", vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi1, #L5>, tensor<64x128xf16, #L5>) -> tensor<64x128xf16, #L5>
      %99 = "tk.convert_layout"(%98) : (tensor<64x128xf16, #L5>) -> tensor<64x128xf16, #L8>
      %100 = "tk.dot"(%94, %99, %arg13) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<128x64xf16, #L7>, tensor<64x128xf16, #L8>, tensor<128x128xf32, #L6>) -> tensor<128x128xf32, #L6>
      %101 = "tk.addptr"(%arg14, %cst_6) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
      %102 = "tk.addptr"(%arg15, %68) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
      scf.yield %100, %101, %102 : tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>
    }
    %70 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %71 = "tk.splat"(%arg10) : (i32) -> tensor<128x1xi32, #L0>
    %72 = arith.muli %70, %71 : tensor<128x1xi32, #L0>
    %73 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %74 = "tk.addptr"(%73, %72) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %75 = "tk.expand_dims"(%42) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %76 = "tk.broadcast"(%74) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %77 = "tk.broadcast"(%75) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L9>
    %78 = "tk.addptr"(%76, %77) : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi32, #L9>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %79 = arith.truncf %69#0 : tensor<128x128xf32, #L6> to tensor<128x128xf16, #L6>
    %80 = "tk.convert_layout"(%79) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L9>
    %81 = "tk.splat"(%arg3) : (i32) -> tensor<128x1xi32, #L0>
    %82 = arith.cmpi slt, %70, %81 : tensor<128x1xi32, #L0>
    %83 = "tk.splat"(%arg4) : (i32) -> tensor<1x128xi32, #L1>
    %84 = arith.cmpi slt, %75, %83 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L1>
    %85 = "tk.broadcast"(%82) : (tensor<128x1xi1, #L0>) -> tensor<128x128xi1, #L9>
    %86 = "tk.broadcast"(%84) : (tensor<1x128xi1, #L1>) -> tensor<128x128xi1, #L9>
    %87 = arith.andi %85, %86 : tensor<128x128xi1, #L9>
    "tk.store"(%78, %80, %87) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xf16, #L9>, tensor<128x128xi1, #L9>) -> ()
    return
  }
}
