// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// A bias that is loaded behind the product's loop comes with the tile, too.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L1 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L5 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L6 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
module {
  func.func @bias(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
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
    %22 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %23 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L2>
    %24 = arith.addi %23, %22 : tensor<64xi32, #L2>
    %25 = arith.muli %17, %c64_i32 : i32
    %26 = "tk.splat"(%25) : (i32) -> tensor<64xi32, #L0>
    %27 = "tk.splat"(%25) : (i32) -> tensor<64xi32, #L1>
    %28 = arith.addi %26, %20 : tensor<64xi32, #L0>
    %29 = arith.addi %27, %21 : tensor<64xi32, #L1>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L3>
    %c0_i32_0 = arith.constant 0 : i32
    %30 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %31 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L2>
    %32 = arith.muli %30, %31 : tensor<64x1xi32, #L2>
    %33 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %34 = "tk.addptr"(%33, %32) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %35 = "tk.broadcast"(%34) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %36 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L2>
    %37 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %38 = "tk.expand_dims"(%29) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %39 = "tk.broadcast"(%38) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L4>
    %40 = scf.for %arg6 = %c0_i32_0 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #L3>)  : i32 {
      %56 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L2>
      %57 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L1>
      %58 = arith.addi %56, %22 : tensor<64xi32, #L2>
      %59 = arith.addi %57, %21 : tensor<64xi32, #L1>
      %60 = "tk.expand_dims"(%59) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
      %61 = "tk.broadcast"(%60) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L4>
      %62 = "tk.addptr"(%35, %61) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %63 = "tk.load"(%62) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>) -> tensor<64x64xf16, #L4>
      %64 = "tk.convert_layout"(%63) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L5>
      %65 = "tk.expand_dims"(%58) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %66 = arith.muli %65, %36 : tensor<64x1xi32, #L2>
      %67 = "tk.addptr"(%37, %66) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %68 = "tk.broadcast"(%67) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %69 = "tk.addptr"(%68, %39) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %70 = "tk.load"(%69) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>) -> tensor<64x64xf16, #L4>
      %71 = "tk.convert_layout"(%70) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L5>
      %72 = "tk.dot"(%64, %71, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L5>, tensor<64x64xf16, #L5>, tensor<64x64xf32, #L3>) -> tensor<64x64xf32, #L3>
      scf.yield %72 : tensor<64x64xf32, #L3>
    }
    %41 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>, #L0>
    %42 = "tk.addptr"(%41, %28) : (tensor<64x!tk.ptr<f16>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f16>, #L0>
    %43 = "tk.load"(%42) {vector = 1 : i32} : (tensor<64x!tk.ptr<f16>, #L0>) -> tensor<64xf16, #L0>
    %44 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<64xf16, #L0>) -> tensor<1x64xf16, #L0>
    %45 = "tk.convert_layout"(%44) : (tensor<1x64xf16, #L0>) -> tensor<1x64xf16, #L6>
    %46 = arith.extf %45 : tensor<1x64xf16, #L6> to tensor<1x64xf32, #L6>
    %47 = "tk.broadcast"(%46) : (tensor<1x64xf32, #L6>) -> tensor<64x64xf32, #L3>
    %48 = arith.addf %40, %47 : tensor<64x64xf32, #L3>
    %49 = arith.muli %30, %36 : tensor<64x1xi32, #L2>
    %50 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %51 = "tk.addptr"(%50, %49) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %52 = "tk.broadcast"(%51) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %53 = "tk.addptr"(%52, %39) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %54 = arith.truncf %48 : tensor<64x64xf32, #L3> to tensor<64x64xf16, #L3>
    %55 = "tk.convert_layout"(%54) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
    "tk.store"(%53, %55) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xf16, #L4>) -> ()
    return
  }
}

