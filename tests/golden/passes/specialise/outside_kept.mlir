// chip: sm_90a
// show: tk.bulk_load
// Rows cut at a loaded number, perhaps none, and of two parts of a box the second may begin behind K: both are tested.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L5 = {lane = array<i32: 512, 1024, 2048, 4096, 1>, register = array<i32: 64, 128, 256, 8, 16, 32>, warp = array<i32: 2, 4>}
#L6 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L7 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32, 4096>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @cut(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 8 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 2 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = "tk.addptr"(%arg3, %0) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %2 = "tk.load"(%1) : (!tk.ptr<i32>) -> i32
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %5 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L3>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %6 = arith.muli %0, %c64_i32 : i32
    %7 = "tk.splat"(%6) : (i32) -> tensor<64xi32, #L1>
    %8 = arith.addi %7, %4 : tensor<64xi32, #L1>
    %9 = "tk.expand_dims"(%8) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %10 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L1>
    %11 = arith.muli %9, %10 : tensor<64x1xi32, #L1>
    %12 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %13 = "tk.addptr"(%12, %11) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %14 = "tk.broadcast"(%13) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x128x!tk.ptr<f16>, #L4>
    %15 = "tk.splat"(%2) : (i32) -> tensor<64xi32, #L1>
    %16 = arith.cmpi slt, %4, %15 : tensor<64xi32, #L1>
    %17 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
    %18 = "tk.splat"(%arg4) : (i32) -> tensor<128xi32, #L2>
    %19 = "tk.broadcast"(%17) : (tensor<64x1xi1, #L1>) -> tensor<64x128xi1, #L4>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L4>
    %20 = "tk.expand_dims"(%3) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %21 = "tk.expand_dims"(%4) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %22 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L1>
    %23 = arith.muli %21, %22 : tensor<1x64xi32, #L1>
    %24 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L1>
    %25 = "tk.addptr"(%24, %23) : (tensor<1x64x!tk.ptr<f16>, #L1>, tensor<1x64xi32, #L1>) -> tensor<1x64x!tk.ptr<f16>, #L1>
    %26 = "tk.broadcast"(%25) : (tensor<1x64x!tk.ptr<f16>, #L1>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L5>
    %27 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #L3>)  : i32 {
      %35 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L2>
      %36 = arith.addi %35, %5 : tensor<128xi32, #L2>
      %37 = "tk.expand_dims"(%36) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
      %38 = "tk.broadcast"(%37) : (tensor<1x128xi32, #L2>) -> tensor<64x128xi32, #L4>
      %39 = "tk.addptr"(%14, %38) : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi32, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L4>
      %40 = arith.cmpi slt, %36, %18 {constancy = array<i32: 8>} : tensor<128xi32, #L2>
      %41 = "tk.expand_dims"(%40) {axis = 0 : i32} : (tensor<128xi1, #L2>) -> tensor<1x128xi1, #L2>
      %42 = "tk.broadcast"(%41) : (tensor<1x128xi1, #L2>) -> tensor<64x128xi1, #L4>
      %43 = arith.andi %19, %42 : tensor<64x128xi1, #L4>
      %44 = "tk.load"(%39, %43, %cst_0) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi1, #L4>, tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L4>
      %45 = "tk.convert_layout"(%44) : (tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L6>
      %46 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
      %47 = "tk.broadcast"(%46) : (tensor<128x1xi32, #L2>) -> tensor<128x64xi32, #L5>
      %48 = "tk.addptr"(%26, %47) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
      %49 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<128xi1, #L2>) -> tensor<128x1xi1, #L2>
      %50 = "tk.broadcast"(%49) : (tensor<128x1xi1, #L2>) -> tensor<128x64xi1, #L5>
      %51 = "tk.load"(%48, %50, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>, tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L5>
      %52 = "tk.convert_layout"(%51) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L7>
      %53 = "tk.dot"(%45, %52, %arg6) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x128xf16, #L6>, tensor<128x64xf16, #L7>, tensor<64x64xf32, #L3>) -> tensor<64x64xf32, #L3>
      scf.yield %53 : tensor<64x64xf32, #L3>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %28 = "tk.convert_layout"(%27) : (tensor<64x64xf32, #L3>) -> tensor<64x64xf32, #L8>
    %cst_2 = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %29 = arith.muli %9, %cst_2 : tensor<64x1xi32, #L1>
    %30 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %31 = "tk.addptr"(%30, %29) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %32 = "tk.broadcast"(%31) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L8>
    %33 = "tk.broadcast"(%20) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L8>
    %34 = "tk.addptr"(%32, %33) : (tensor<64x64x!tk.ptr<f32>, #L8>, tensor<64x64xi32, #L8>) -> tensor<64x64x!tk.ptr<f32>, #L8>
    "tk.store"(%34, %28) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L8>, tensor<64x64xf32, #L8>) -> ()
    return
  }
}

