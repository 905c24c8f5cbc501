// chip: sm_90a
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// Rows that no hint aligns are loaded element by element, which cp.async cannot: the next step's tiles wait in registers while
// the warpgroup multiplies.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32>, warp = array<i32: 1, 2>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8>, warp = array<i32: 1, 2>}
#L4 = {lane = array<i32: 1, 2, 4, 8, 0>, register = array<i32>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 128, 256, 512>, warp = array<i32: 32, 64>}
#L6 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 128, 256>, warp = array<i32: 32, 64>}
#L7 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 1024>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 128, 256, 512>}
#L9 = {shared = array<i32: 32, 64, 128, 256, 1, 2, 260, 8, 16>}
#L10 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 128, 256, 512, 1024>, warp = array<i32: 32, 64>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.cmpi sgt, %1, %c0_i32 : i32
    %5 = arith.maxsi %1, %c1_i32 : i32
    %6 = arith.divsi %3, %5 : i32
    %7 = arith.muli %6, %5 : i32
    %8 = arith.cmpi eq, %7, %3 : i32
    %9 = arith.andi %4, %8 : i1
    %10 = arith.divsi %2, %5 : i32
    %11 = arith.remsi %2, %5 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divsi %10, %c8_i32 : i32
    %13 = arith.muli %12, %c8_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remsi %10, %c8_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c8_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.muli %16, %5 : i32
    %21 = arith.addi %20, %11 : i32
    %22 = arith.remsi %21, %19 : i32
    %23 = arith.addi %14, %22 : i32
    %24 = arith.divsi %21, %19 : i32
    %25 = arith.muli %23, %5 : i32
    %26 = arith.addi %25, %24 : i32
    %27 = arith.divsi %2, %1 : i32
    %28 = arith.select %4, %23, %27 : i32
    %c64_i32 = arith.constant 64 : i32
    %29 = arith.muli %28, %c64_i32 : i32
    %30 = arith.remsi %2, %1 : i32
    %31 = arith.select %4, %24, %30 : i32
    %32 = arith.muli %31, %c32_i32 : i32
    %33 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %34 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %35 = "tk.splat"(%29) : (i32) -> tensor<64xi32, #L0>
    %36 = "tk.splat"(%29) : (i32) -> tensor<64xi32, #L1>
    %37 = arith.addi %35, %33 : tensor<64xi32, #L0>
    %38 = arith.addi %36, %34 : tensor<64xi32, #L1>
    %39 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32, #L1>
    %40 = arith.remsi %38, %39 : tensor<64xi32, #L1>
    %41 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %42 = "tk.splat"(%32) : (i32) -> tensor<32xi32, #L2>
    %43 = arith.addi %42, %41 : tensor<32xi32, #L2>
    %44 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L2>
    %45 = arith.remsi %43, %44 : tensor<32xi32, #L2>
    %46 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L3>
    %47 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L4>
    %48 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %49 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L1>
    %50 = arith.muli %48, %49 : tensor<64x1xi32, #L1>
    %51 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %52 = "tk.addptr"(%51, %50) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %53 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<16xi32, #L4>) -> tensor<1x16xi32, #L4>
    %54 = "tk.broadcast"(%52) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x16x!tk.ptr<f16>, #L5>
    %55 = "tk.broadcast"(%53) : (tensor<1x16xi32, #L4>) -> tensor<64x16xi32, #L5>
    %56 = "tk.addptr"(%54, %55) : (tensor<64x16x!tk.ptr<f16>, #L5>, tensor<64x16xi32, #L5>) -> tensor<64x16x!tk.ptr<f16>, #L5>
    %57 = "tk.expand_dims"(%46) {axis = 1 : i32} : (tensor<16xi32, #L3>) -> tensor<16x1xi32, #L3>
    %58 = "tk.splat"(%arg8) : (i32) -> tensor<16x1xi32, #L3>
    %59 = arith.muli %57, %58 : tensor<16x1xi32, #L3>
    %60 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>, #L3>
    %61 = "tk.addptr"(%60, %59) : (tensor<16x1x!tk.ptr<f16>, #L3>, tensor<16x1xi32, #L3>) -> tensor<16x1x!tk.ptr<f16>, #L3>
    %62 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %63 = "tk.broadcast"(%61) : (tensor<16x1x!tk.ptr<f16>, #L3>) -> tensor<16x32x!tk.ptr<f16>, #L6>
    %64 = "tk.broadcast"(%62) : (tensor<1x32xi32, #L2>) -> tensor<16x32xi32, #L6>
    %65 = "tk.addptr"(%63, %64) : (tensor<16x32x!tk.ptr<f16>, #L6>, tensor<16x32xi32, #L6>) -> tensor<16x32x!tk.ptr<f16>, #L6>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #L7>
    %c15_i32 = arith.constant 15 : i32
    %66 = arith.addi %arg5, %c15_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %67 = arith.divsi %66, %c16_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x16xf16, #L5>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<16x32xf16, #L6>
    %cst_6 = arith.constant dense<16> : tensor<64x16xi32, #L5>
    %68 = arith.muli %c16_i32, %arg8 : i32
    %69 = "tk.splat"(%68) : (i32) -> tensor<16x32xi32, #L6>
    %70:3 = scf.for %arg12 = %c0_i32_2 to %67 step %c1_i32_3 iter_args(%arg13 = %cst, %arg14 = %56, %arg15 = %65) -> (tensor<64x32xf32, #L7>, tensor<64x16x!tk.ptr<f16>, #L5>, tensor<16x32x!tk.ptr<f16>, #L6>)  : i32 {
      %89 = arith.muli %arg12, %c16_i32 : i32
      %90 = arith.subi %arg5, %89 : i32
      %91 = "tk.splat"(%90) : (i32) -> tensor<1x16xi32, #L4>
      %92 = arith.cmpi slt, %53, %91 : tensor<1x16xi32, #L4>
      %93 = "tk.broadcast"(%92) : (tensor<1x16xi1, #L4>) -> tensor<64x16xi1, #L5>
      %94 = "tk.load"(%arg14, %93, %cst_4) {vector = 1 : i32} : (tensor<64x16x!tk.ptr<f16>, #L5>, tensor<64x16xi1, #L5>, tensor<64x16xf16, #L5>) -> tensor<64x16xf16, #L5>
      %95 = "tk.convert_layout"(%94) : (tensor<64x16xf16, #L5>) -> tensor<64x16xf16, #L8>
      %96 = "tk.splat"(%90) : (i32) -> tensor<16x1xi32, #L3>
      %97 = arith.cmpi slt, %57, %96 : tensor<16x1xi32, #L3>
      %98 = "tk.broadcast"(%97) : (tensor<16x1xi1, #L3>) -> tensor<16x32xi1, #L6>
      %99 = "tk.load"(%arg15, %98, %cst_5) {vector = 1 : i32} : (tensor<16x32x!tk.ptr<f16>, #L6>, tensor<16x32xi1, #L6>, tensor<16x32xf16, #L6>) -> tensor<16x32xf16, #L6>
      %100 = "tk.convert_layout"(%99) : (tensor<16x32xf16, #L6>) -> tensor<16x32xf16, #L9>
      %101 = "tk.dot"(%95, %100, %arg13) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x16xf16, #L8>, tensor<16x32xf16, #L9>, tensor<64x32xf32, #L7>) -> tensor<64x32xf32, #L7>
      %102 = "tk.addptr"(%arg14, %cst_6) : (tensor<64x16x!tk.ptr<f16>, #L5>, tensor<64x16xi32, #L5>) -> tensor<64x16x!tk.ptr<f16>, #L5>
      %103 = "tk.addptr"(%arg15, %69) : (tensor<16x32x!tk.ptr<f16>, #L6>, tensor<16x32xi32, #L6>) -> tensor<16x32x!tk.ptr<f16>, #L6>
      scf.yield %101, %102, %103 : tensor<64x32xf32, #L7>, tensor<64x16x!tk.ptr<f16>, #L5>, tensor<16x32x!tk.ptr<f16>, #L6>
    }
    %71 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %72 = "tk.splat"(%arg10) : (i32) -> tensor<64x1xi32, #L0>
    %73 = arith.muli %71, %72 : tensor<64x1xi32, #L0>
    %74 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %75 = "tk.addptr"(%74, %73) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %76 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %77 = "tk.broadcast"(%75) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x32x!tk.ptr<f16>, #L10>
    %78 = "tk.broadcast"(%76) : (tensor<1x32xi32, #L2>) -> tensor<64x32xi32, #L10>
    %79 = "tk.addptr"(%77, %78) : (tensor<64x32x!tk.ptr<f16>, #L10>, tensor<64x32xi32, #L10>) -> tensor<64x32x!tk.ptr<f16>, #L10>
    %80 = arith.truncf %70#0 : tensor<64x32xf32, #L7> to tensor<64x32xf16, #L7>
    %81 = "tk.convert_layout"(%80) : (tensor<64x32xf16, #L7>) -> tensor<64x32xf16, #L10>
    %82 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L0>
    %83 = arith.cmpi slt, %71, %82 : tensor<64x1xi32, #L0>
    %84 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32, #L2>
    %85 = arith.cmpi slt, %76, %84 : tensor<1x32xi32, #L2>
    %86 = "tk.broadcast"(%83) : (tensor<64x1xi1, #L0>) -> tensor<64x32xi1, #L10>
    %87 = "tk.broadcast"(%85) : (tensor<1x32xi1, #L2>) -> tensor<64x32xi1, #L10>
    %88 = arith.andi %86, %87 : tensor<64x32xi1, #L10>
    "tk.store"(%79, %81, %88) {vector = 1 : i32} : (tensor<64x32x!tk.ptr<f16>, #L10>, tensor<64x32xf16, #L10>, tensor<64x32xi1, #L10>) -> ()
    return
  }
}
