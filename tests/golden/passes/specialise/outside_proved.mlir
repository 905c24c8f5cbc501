// chip: sm_90a
// show: tk.bulk_load scf.if
// Rows cut at a loaded number: a branch around the loop says that there is one, the loop's end that a box begins below K.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L6 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L7 = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 64, 128, 256, 16, 32>, warp = array<i32: 4, 8>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L9 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @grouped(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.apart = array<i32: 0, 2, 1, 2, 3, 2>, tk.grouped_pid = "left alone: no dot of a row's tile with a column's", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.addptr"(%arg3, %0) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %2 = "tk.load"(%1) : (!tk.ptr<i32>) -> i32
    %c1_i32 = arith.constant 1 : i32
    %3 = "tk.addptr"(%1, %c1_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %4 = "tk.load"(%3) : (!tk.ptr<i32>) -> i32
    %5 = arith.subi %4, %2 : i32
    %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = arith.cmpi sge, %7, %5 : i32
    scf.if %8 {
    } else {
      %9 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
      %10 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
      %11 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
      %12 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
      %13 = "tk.splat"(%7) : (i32) -> tensor<64xi32, #L1>
      %14 = "tk.splat"(%7) : (i32) -> tensor<64xi32, #L3>
      %15 = arith.addi %13, %10 : tensor<64xi32, #L1>
      %16 = arith.addi %14, %12 : tensor<64xi32, #L3>
      %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L4>
      %c0_i32 = arith.constant 0 : i32
      %17 = "tk.splat"(%2) : (i32) -> tensor<64xi32, #L1>
      %18 = "tk.splat"(%2) : (i32) -> tensor<64xi32, #L3>
      %19 = arith.addi %17, %15 : tensor<64xi32, #L1>
      %20 = arith.addi %18, %16 : tensor<64xi32, #L3>
      %21 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
      %22 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %23 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L3>
      %24 = arith.muli %22, %23 : tensor<64x1xi32, #L3>
      %25 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %26 = "tk.addptr"(%25, %24) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %27 = "tk.broadcast"(%26) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %28 = "tk.splat"(%5) : (i32) -> tensor<64xi32, #L1>
      %29 = "tk.splat"(%5) : (i32) -> tensor<64xi32, #L3>
      %30 = arith.cmpi slt, %15, %28 : tensor<64xi32, #L1>
      %31 = arith.cmpi slt, %16, %29 : tensor<64xi32, #L3>
      %32 = "tk.expand_dims"(%30) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
      %33 = "tk.expand_dims"(%31) {axis = 1 : i32} : (tensor<64xi1, #L3>) -> tensor<64x1xi1, #L3>
      %34 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L2>
      %35 = "tk.broadcast"(%32) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L6>
      %36 = "tk.broadcast"(%33) : (tensor<64x1xi1, #L3>) -> tensor<64x64xi1, #L5>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L7>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L5>
      %37 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
      %38 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
      %39 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L3>
      %40 = arith.muli %38, %39 : tensor<1x64xi32, #L3>
      %41 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L3>
      %42 = "tk.addptr"(%41, %40) : (tensor<1x64x!tk.ptr<f16>, #L3>, tensor<1x64xi32, #L3>) -> tensor<1x64x!tk.ptr<f16>, #L3>
      %43 = "tk.broadcast"(%42) : (tensor<1x64x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L7>
      %44 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #L4>)  : i32 {
        %52 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L2>
        %53 = arith.addi %52, %11 : tensor<64xi32, #L2>
        %54 = "tk.expand_dims"(%53) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
        %55 = "tk.broadcast"(%54) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L5>
        %56 = "tk.addptr"(%27, %55) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
        %57 = arith.cmpi slt, %53, %34 {constancy = array<i32: 16>} : tensor<64xi32, #L2>
        %58 = "tk.expand_dims"(%57) {axis = 0 : i32} : (tensor<64xi1, #L2>) -> tensor<1x64xi1, #L2>
        %59 = "tk.broadcast"(%58) : (tensor<1x64xi1, #L2>) -> tensor<64x64xi1, #L5>
        %60 = arith.andi %36, %59 : tensor<64x64xi1, #L5>
        %61 = "tk.load"(%56, %60, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi1, #L5>, tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L5>
        %62 = "tk.convert_layout"(%61) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L8>
        %63 = "tk.expand_dims"(%53) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
        %64 = "tk.broadcast"(%63) : (tensor<64x1xi32, #L2>) -> tensor<64x64xi32, #L7>
        %65 = "tk.addptr"(%43, %64) : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f16>, #L7>
        %66 = "tk.expand_dims"(%57) {axis = 1 : i32} : (tensor<64xi1, #L2>) -> tensor<64x1xi1, #L2>
        %67 = "tk.broadcast"(%66) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L7>
        %68 = "tk.load"(%65, %67, %cst_0) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi1, #L7>, tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L7>
        %69 = "tk.convert_layout"(%68) : (tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L9>
        %70 = "tk.dot"(%62, %69, %arg6) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L9>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
        scf.yield %70 : tensor<64x64xf32, #L4>
      } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
      %45 = "tk.convert_layout"(%44) : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L6>
      %cst_2 = arith.constant dense<64> : tensor<64x1xi32, #L1>
      %46 = arith.muli %21, %cst_2 : tensor<64x1xi32, #L1>
      %47 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
      %48 = "tk.addptr"(%47, %46) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
      %49 = "tk.broadcast"(%48) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L6>
      %50 = "tk.broadcast"(%37) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L6>
      %51 = "tk.addptr"(%49, %50) : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f32>, #L6>
      "tk.store"(%51, %45, %35) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xf32, #L6>, tensor<64x64xi1, #L6>) -> ()
    }
    return
  }
}

