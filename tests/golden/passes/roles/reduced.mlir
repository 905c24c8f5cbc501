// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store tk.reduce
// A vector whose place follows from a reduction stays with the threads, where nothing is gathered: the operands are copied all the same.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64, 8192>, warp = array<i32: 2048, 4096>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L10 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64>, warp = array<i32: 0, 0>}
#L11 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096, 8192>, warp = array<i32: 256, 512>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c134217727_i32 = arith.constant 134217727 : i32
    %4 = arith.cmpi sle, %3, %c134217727_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c16_i32 : i32
    %6 = arith.muli %5, %c16_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c16_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c16_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %c128_i32 = arith.constant 128 : i32
    %19 = arith.muli %18, %c128_i32 : i32
    %20 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %21 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %22 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %23 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %24 = "tk.splat"(%19) : (i32) -> tensor<128xi32, #L0>
    %25 = "tk.splat"(%19) : (i32) -> tensor<128xi32, #L2>
    %26 = "tk.splat"(%19) : (i32) -> tensor<128xi32, #L3>
    %27 = arith.addi %24, %20 : tensor<128xi32, #L0>
    %28 = arith.addi %25, %22 : tensor<128xi32, #L2>
    %29 = arith.addi %26, %23 : tensor<128xi32, #L3>
    %30 = arith.muli %17, %c128_i32 : i32
    %31 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L3>
    %32 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L1>
    %33 = arith.addi %31, %23 : tensor<128xi32, #L3>
    %34 = arith.addi %32, %21 : tensor<128xi32, #L1>
    %35 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %36 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %37 = "tk.splat"(%arg3) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L3>
    %38 = "tk.addptr"(%37, %29) : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<i32>, #L3>
    %39 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
    %40 = arith.cmpi slt, %29, %39 : tensor<128xi32, #L3>
    %c0_i32_0 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<128xi32, #L3>
    %41 = "tk.load"(%38, %40, %cst) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi1, #L3>, tensor<128xi32, #L3>) -> tensor<128xi32, #L3>
    %42 = "tk.reduce"(%41) ({
    ^bb0(%arg8: i32, %arg9: i32):
      %72 = arith.minsi %arg8, %arg9 : i32
      "tk.yield"(%72) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L6>
    %c64_i32 = arith.constant 64 : i32
    %43 = arith.divsi %arg7, %c64_i32 : i32
    %c1_i32_2 = arith.constant 1 : i32
    %44 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %45 = "tk.expand_dims"(%28) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %46 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L2>
    %47 = arith.muli %45, %46 : tensor<128x1xi32, #L2>
    %48 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %49 = "tk.addptr"(%48, %47) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %50 = "tk.broadcast"(%49) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L7>
    %51 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L0>
    %52 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L2>
    %53 = arith.cmpi slt, %44, %51 : tensor<128x1xi32, #L0>
    %54 = arith.cmpi slt, %45, %52 : tensor<128x1xi32, #L2>
    %55 = "tk.broadcast"(%54) : (tensor<128x1xi1, #L2>) -> tensor<128x64xi1, #L7>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L7>
    %56 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L4>
    %57 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %58 = "tk.expand_dims"(%34) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %59 = "tk.broadcast"(%58) : (tensor<1x128xi32, #L1>) -> tensor<64x128xi32, #L7>
    %60 = arith.muli %42, %c64_i32 : i32
    %61 = scf.for %arg8 = %c0_i32_0 to %43 step %c1_i32_2 iter_args(%arg9 = %cst_1) -> (tensor<128x128xf32, #L6>)  : i32 {
      %72 = arith.muli %arg8, %c64_i32 : i32
      %73 = "tk.splat"(%72) : (i32) -> tensor<64xi32, #L4>
      %74 = "tk.splat"(%72) : (i32) -> tensor<64xi32, #L5>
      %75 = arith.addi %73, %35 : tensor<64xi32, #L4>
      %76 = arith.addi %74, %36 : tensor<64xi32, #L5>
      %77 = "tk.expand_dims"(%76) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
      %78 = "tk.broadcast"(%77) : (tensor<1x64xi32, #L5>) -> tensor<128x64xi32, #L7>
      %79 = "tk.addptr"(%50, %78) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %80 = "tk.load"(%79, %55, %cst_3) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>, tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L7>
      %81 = "tk.convert_layout"(%80) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L8>
      %82 = "tk.expand_dims"(%75) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %83 = arith.muli %82, %56 : tensor<64x1xi32, #L4>
      %84 = "tk.addptr"(%57, %83) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
      %85 = "tk.broadcast"(%84) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %86 = "tk.addptr"(%85, %59) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %87 = "tk.load"(%86) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>) -> tensor<64x128xf16, #L7>
      %88 = "tk.convert_layout"(%87) : (tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L9>
      %89 = arith.addi %60, %arg8 : i32
      %90 = arith.muli %89, %arg6 : i32
      %91 = "tk.addptr"(%arg2, %90) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %92 = "tk.splat"(%91) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L3>
      %93 = "tk.addptr"(%92, %33) : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<f32>, #L3>
      %94 = "tk.load"(%93) {vector = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L3>) -> tensor<128xf32, #L3>
      %95 = "tk.dot"(%81, %88, %cst_1) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L8>, tensor<64x128xf16, #L9>, tensor<128x128xf32, #L6>) -> tensor<128x128xf32, #L6>
      %96 = "tk.expand_dims"(%94) {axis = 0 : i32} : (tensor<128xf32, #L3>) -> tensor<1x128xf32, #L3>
      %97 = "tk.convert_layout"(%96) : (tensor<1x128xf32, #L3>) -> tensor<1x128xf32, #L10>
      %98 = "tk.broadcast"(%97) : (tensor<1x128xf32, #L10>) -> tensor<128x128xf32, #L6>
      %99 = math.fma %95, %98, %arg9 : tensor<128x128xf32, #L6>
      scf.yield %99 : tensor<128x128xf32, #L6>
    }
    %62 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L0>
    %63 = arith.muli %44, %62 : tensor<128x1xi32, #L0>
    %64 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %65 = "tk.addptr"(%64, %63) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %66 = "tk.broadcast"(%65) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x128x!tk.ptr<f16>, #L11>
    %67 = "tk.broadcast"(%58) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L11>
    %68 = "tk.addptr"(%66, %67) : (tensor<128x128x!tk.ptr<f16>, #L11>, tensor<128x128xi32, #L11>) -> tensor<128x128x!tk.ptr<f16>, #L11>
    %69 = arith.truncf %61 : tensor<128x128xf32, #L6> to tensor<128x128xf16, #L6>
    %70 = "tk.convert_layout"(%69) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L11>
    %71 = "tk.broadcast"(%53) : (tensor<128x1xi1, #L0>) -> tensor<128x128xi1, #L11>
    "tk.store"(%68, %70, %71) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L11>, tensor<128x128xf16, #L11>, tensor<128x128xi1, #L11>) -> ()
    return
  }
}

