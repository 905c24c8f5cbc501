// chip: sm_90a
// show: func.func scf.for tk.load tk.dot tk.store
// The tile of the result in shared memory would leave room for three blocks: threads store it, through scratch in pieces.
#L0 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @store_tile(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
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
    %c64_i32 = arith.constant 64 : i32
    %19 = arith.muli %18, %c64_i32 : i32
    %20 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %21 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %22 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L1>
    %23 = arith.addi %22, %21 : tensor<64xi32, #L1>
    %24 = arith.muli %17, %c64_i32 : i32
    %25 = "tk.splat"(%24) : (i32) -> tensor<64xi32, #L0>
    %26 = arith.addi %25, %20 : tensor<64xi32, #L0>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L2>
    %c0_i32_0 = arith.constant 0 : i32
    %27 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %28 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L1>
    %29 = arith.muli %27, %28 : tensor<64x1xi32, #L1>
    %30 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %31 = "tk.addptr"(%30, %29) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %32 = "tk.broadcast"(%31) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %33 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32, #L1>
    %34 = arith.cmpi slt, %23, %33 : tensor<64xi32, #L1>
    %35 = "tk.expand_dims"(%34) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
    %36 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L1>
    %37 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L0>
    %38 = "tk.broadcast"(%35) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L3>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L3>
    %39 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L1>
    %40 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %41 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %42 = "tk.broadcast"(%41) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L3>
    %43 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L0>
    %44 = arith.cmpi slt, %26, %43 {constancy = array<i32: 16>} : tensor<64xi32, #L0>
    %45 = "tk.expand_dims"(%44) {axis = 0 : i32} : (tensor<64xi1, #L0>) -> tensor<1x64xi1, #L0>
    %46 = "tk.broadcast"(%45) : (tensor<1x64xi1, #L0>) -> tensor<64x64xi1, #L3>
    %47 = scf.for %arg6 = %c0_i32_0 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #L2>)  : i32 {
      %56 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L1>
      %57 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L0>
      %58 = arith.addi %56, %21 : tensor<64xi32, #L1>
      %59 = arith.addi %57, %20 : tensor<64xi32, #L0>
      %60 = "tk.expand_dims"(%59) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
      %61 = "tk.broadcast"(%60) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L3>
      %62 = "tk.addptr"(%32, %61) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %63 = arith.cmpi slt, %58, %36 {constancy = array<i32: 16>} : tensor<64xi32, #L1>
      %64 = arith.cmpi slt, %59, %37 {constancy = array<i32: 16>} : tensor<64xi32, #L0>
      %65 = "tk.expand_dims"(%64) {axis = 0 : i32} : (tensor<64xi1, #L0>) -> tensor<1x64xi1, #L0>
      %66 = "tk.broadcast"(%65) : (tensor<1x64xi1, #L0>) -> tensor<64x64xi1, #L3>
      %67 = arith.andi %38, %66 : tensor<64x64xi1, #L3>
      %68 = "tk.load"(%62, %67, %cst_1) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi1, #L3>, tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L3>
      %69 = "tk.convert_layout"(%68) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
      %70 = "tk.expand_dims"(%58) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
      %71 = arith.muli %70, %39 : tensor<64x1xi32, #L1>
      %72 = "tk.addptr"(%40, %71) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
      %73 = "tk.broadcast"(%72) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %74 = "tk.addptr"(%73, %42) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %75 = "tk.expand_dims"(%63) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
      %76 = "tk.broadcast"(%75) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L3>
      %77 = arith.andi %46, %76 : tensor<64x64xi1, #L3>
      %78 = "tk.load"(%74, %77, %cst_1) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi1, #L3>, tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L3>
      %79 = "tk.convert_layout"(%78) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
      %80 = "tk.dot"(%69, %79, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L4>, tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L2>
      scf.yield %80 : tensor<64x64xf32, #L2>
    }
    %48 = arith.muli %27, %39 : tensor<64x1xi32, #L1>
    %49 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %50 = "tk.addptr"(%49, %48) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %51 = "tk.broadcast"(%50) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %52 = "tk.addptr"(%51, %42) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %53 = arith.truncf %47 : tensor<64x64xf32, #L2> to tensor<64x64xf16, #L2>
    %54 = "tk.convert_layout"(%53) : (tensor<64x64xf16, #L2>) -> tensor<64x64xf16, #L3>
    %55 = arith.andi %38, %46 : tensor<64x64xi1, #L3>
    "tk.store"(%52, %54, %55) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xf16, #L3>, tensor<64x64xi1, #L3>) -> ()
    return
  }
}

