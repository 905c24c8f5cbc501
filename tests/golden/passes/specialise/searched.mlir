// chip: sm_90a
// show: scf.* tk.program_id tk.num_programs tk.mbarrier_wait tk.bulk_load tk.dot
// A search and a load decide how many steps a program takes: each block runs one, and the grid is launched as it is.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L6 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @searched(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: reads memory in a while loop", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %5:2 = scf.while (%arg7 = %c0_i32, %arg8 = %arg5) : (i32, i32) -> (i32, i32) {
      %32 = arith.cmpi slt, %arg7, %arg8 : i32
      scf.condition(%32) %arg7, %arg8 : i32, i32
    } do {
    ^bb0(%arg7: i32, %arg8: i32):
      %32 = arith.addi %arg7, %arg8 : i32
      %33 = arith.divsi %32, %c2_i32 : i32
      %34 = "tk.addptr"(%arg3, %33) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %35 = "tk.load"(%34) : (!tk.ptr<i32>) -> i32
      %36 = arith.cmpi sle, %35, %4 : i32
      %37:2 = scf.if %36 -> (i32, i32) {
        %c1_i32 = arith.constant 1 : i32
        %38 = arith.addi %33, %c1_i32 : i32
        scf.yield %38, %arg8 : i32, i32
      } else {
        scf.yield %arg7, %33 : i32, i32
      }
      scf.yield %37#0, %37#1 : i32, i32
    } attributes {tk.counted = "left alone: scf.while at 11:5: its bound may change in the loop"}
    %6 = "tk.addptr"(%arg4, %5#0) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %7 = "tk.load"(%6) : (!tk.ptr<i32>) -> i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L4>
    %c64_i32 = arith.constant 64 : i32
    %8 = arith.muli %4, %c64_i32 : i32
    %9 = "tk.splat"(%8) : (i32) -> tensor<64xi32, #L1>
    %10 = "tk.splat"(%8) : (i32) -> tensor<64xi32, #L3>
    %11 = arith.addi %9, %1 : tensor<64xi32, #L1>
    %12 = arith.addi %10, %3 : tensor<64xi32, #L3>
    %13 = "tk.expand_dims"(%11) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %14 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %15 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L3>
    %16 = arith.muli %14, %15 : tensor<64x1xi32, #L3>
    %17 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %18 = "tk.addptr"(%17, %16) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L5>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #L3>
    %20 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %21 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %22 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %23 = "tk.broadcast"(%21) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L6>
    %24 = "tk.broadcast"(%22) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L5>
    %25 = scf.for %arg7 = %c0_i32 to %7 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<64x64xf32, #L4>)  : i32 {
      %32 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L3>
      %33 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L2>
      %34 = arith.addi %32, %3 : tensor<64xi32, #L3>
      %35 = arith.addi %33, %2 : tensor<64xi32, #L2>
      %36 = "tk.expand_dims"(%35) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
      %37 = "tk.broadcast"(%36) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L5>
      %38 = "tk.addptr"(%19, %37) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %39 = "tk.load"(%38) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>) -> tensor<64x64xf16, #L5>
      %40 = "tk.convert_layout"(%39) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L7>
      %41 = "tk.expand_dims"(%34) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %42 = arith.muli %41, %cst_1 : tensor<64x1xi32, #L3>
      %43 = "tk.addptr"(%20, %42) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %44 = "tk.broadcast"(%43) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %45 = "tk.addptr"(%44, %24) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
      %46 = "tk.load"(%45) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L5>) -> tensor<64x64xf16, #L5>
      %47 = "tk.convert_layout"(%46) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L7>
      %48 = "tk.dot"(%40, %47, %arg8) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L7>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
      scf.yield %48 : tensor<64x64xf32, #L4>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %26 = "tk.convert_layout"(%25) : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L6>
    %27 = arith.muli %13, %cst_0 : tensor<64x1xi32, #L1>
    %28 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %29 = "tk.addptr"(%28, %27) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %30 = "tk.broadcast"(%29) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    %31 = "tk.addptr"(%30, %23) : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f32>, #L6>
    "tk.store"(%31, %26) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xf32, #L6>) -> ()
    return
  }
}

