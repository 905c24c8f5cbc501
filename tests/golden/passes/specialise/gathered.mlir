// chip: sm_90a
// show: scf.* tk.gather_load tk.bulk_load tk.async_* tk.mbarrier_* tk.load
// Gathered rows: all threads of the producer copy them, and signal a slot behind the start of the next one's copies.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L6 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @gathered(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %5 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %7 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L1>
    %8 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L2>
    %9 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L4>
    %10 = arith.addi %7, %3 : tensor<64xi32, #L1>
    %11 = arith.addi %8, %4 : tensor<64xi32, #L2>
    %12 = arith.addi %9, %6 : tensor<64xi32, #L4>
    %13 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L2>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L4>
    %15 = arith.cmpi slt, %11, %13 : tensor<64xi32, #L2>
    %16 = arith.cmpi slt, %12, %14 : tensor<64xi32, #L4>
    %17 = "tk.splat"(%arg3) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L4>
    %18 = "tk.addptr"(%17, %12) : (tensor<64x!tk.ptr<i32>, #L4>, tensor<64xi32, #L4>) -> tensor<64x!tk.ptr<i32>, #L4>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<64xi32, #L4>
    %19 = "tk.load"(%18, %16, %cst) {vector = 1 : i32} : (tensor<64x!tk.ptr<i32>, #L4>, tensor<64xi1, #L4>, tensor<64xi32, #L4>) -> tensor<64xi32, #L4>
    %20 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
    %21 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L4>
    %22 = arith.muli %20, %21 : tensor<64x1xi32, #L4>
    %23 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %24 = "tk.addptr"(%23, %22) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %25 = "tk.convert_layout"(%24) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %26 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %27 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %28 = "tk.broadcast"(%25) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %29 = "tk.broadcast"(%26) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L6>
    %30 = "tk.broadcast"(%27) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L5>
    %31 = "tk.addptr"(%28, %30) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %32 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #L2>
    %33 = arith.muli %32, %cst_1 : tensor<64x1xi32, #L2>
    %34 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %35 = "tk.addptr"(%34, %33) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %36 = "tk.broadcast"(%35) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %37 = "tk.addptr"(%36, %30) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L7>
    %38 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<64xi1, #L2>) -> tensor<64x1xi1, #L2>
    %39 = "tk.broadcast"(%38) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L5>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L5>
    %cst_4 = arith.constant dense<64> : tensor<64x64xi32, #L5>
    %cst_5 = arith.constant dense<4096> : tensor<64x64xi32, #L5>
    %40:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst_2, %arg8 = %31, %arg9 = %37) -> (tensor<64x64xf32, #L7>, tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64x!tk.ptr<f16>, #L5>)  : i32 {
      %48 = "tk.load"(%arg8, %39, %cst_3) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi1, #L5>, tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L5>
      %49 = "tk.convert_layout"(%48) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L8>
      %50 = "tk.load"(%arg9) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>) -> tensor<64x64xf16, #L5>
      %51 = "tk.convert_layout"(%50) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L8>
      %52 = "tk.dot"(%49, %51, %arg7) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L8>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
      %53 = "tk.addptr"(%arg8, %cst_4) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %54 = "tk.addptr"(%arg9, %cst_5) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      scf.yield %52, %53, %54 : tensor<64x64xf32, #L7>, tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64x!tk.ptr<f16>, #L5>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %41 = "tk.convert_layout"(%40#0) : (tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L6>
    %42 = "tk.expand_dims"(%10) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %43 = arith.muli %42, %cst_0 : tensor<64x1xi32, #L1>
    %44 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %45 = "tk.addptr"(%44, %43) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %46 = "tk.broadcast"(%45) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    %47 = "tk.addptr"(%46, %29) : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    "tk.store"(%47, %41) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xf32, #L6>) -> ()
    return
  }
}

