// chip: sm_90a
// show: tk.warpgroup_dot tk.smem_load
// after: roles specialise plan pipeline warpgroup finish
// Nothing is only added to memory, so no product is turned.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 0>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 1024, 2048>, warp = array<i32: 128, 256, 512>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L9 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16>, warp = array<i32: 1024, 2048, 32>}
#L10 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L11 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16>, warp = array<i32: 0, 0, 32>}
#L12 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 0>}
module {
  func.func @dot_vectors(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg6: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %5 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %7 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %8 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L1>
    %9 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L2>
    %10 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L5>
    %11 = arith.addi %8, %3 : tensor<64xi32, #L1>
    %12 = arith.addi %9, %4 : tensor<64xi32, #L2>
    %13 = arith.addi %10, %7 : tensor<64xi32, #L5>
    %14 = "tk.expand_dims"(%11) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %15 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
    %cst = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L5>
    %16 = arith.muli %14, %cst : tensor<64x1xi32, #L1>
    %17 = arith.muli %15, %cst_0 : tensor<64x1xi32, #L5>
    %18 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
    %19 = "tk.addptr"(%18, %17) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
    %20 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %21 = "tk.expand_dims"(%6) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %22 = "tk.broadcast"(%19) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
    %23 = "tk.broadcast"(%20) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L7>
    %24 = "tk.broadcast"(%21) : (tensor<1x64xi32, #L4>) -> tensor<64x64xi32, #L6>
    %25 = "tk.addptr"(%22, %24) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
    %26 = "tk.load"(%25) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
    %27 = "tk.convert_layout"(%26) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L8>
    %28 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
    %29 = "tk.addptr"(%28, %17) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
    %30 = "tk.broadcast"(%29) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
    %31 = "tk.addptr"(%30, %24) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
    %32 = "tk.load"(%31) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
    %33 = "tk.convert_layout"(%32) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L8>
    %34 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L2>
    %35 = "tk.addptr"(%34, %12) : (tensor<64x!tk.ptr<f32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<f32>, #L2>
    %36 = "tk.load"(%35) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L2>) -> tensor<64xf32, #L2>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L9>
    %c0_i32 = arith.constant 0 : i32
    %37 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
    %38 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L5>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L6>
    %39 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L3>
    %40 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<64xf32, #L2>) -> tensor<64x1xf32, #L2>
    %41 = "tk.broadcast"(%40) : (tensor<64x1xf32, #L2>) -> tensor<64x64xf32, #L9>
    %42 = scf.for %arg7 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg8 = %cst_1) -> (tensor<64x64xf32, #L9>)  : i32 {
      %48 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L3>
      %49 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L5>
      %50 = arith.addi %48, %5 : tensor<64xi32, #L3>
      %51 = arith.addi %49, %7 : tensor<64xi32, #L5>
      %52 = "tk.expand_dims"(%51) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
      %53 = arith.muli %52, %cst_0 : tensor<64x1xi32, #L5>
      %54 = "tk.addptr"(%37, %53) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
      %55 = "tk.broadcast"(%54) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %56 = "tk.addptr"(%55, %24) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %57 = arith.cmpi slt, %52, %38 : tensor<64x1xi32, #L5>
      %58 = "tk.broadcast"(%57) : (tensor<64x1xi1, #L5>) -> tensor<64x64xi1, #L6>
      %59 = "tk.load"(%56, %58, %cst_2) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi1, #L6>, tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L6>
      %60 = "tk.convert_layout"(%59) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L8>
      %61 = "tk.smem_trans"(%60) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L8>) -> tensor<64x64xf16, #L10>
      %62 = "tk.dot"(%27, %61, %cst_1) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L10>, tensor<64x64xf32, #L9>) -> tensor<64x64xf32, #L9>
      %63 = "tk.addptr"(%39, %50) : (tensor<64x!tk.ptr<f32>, #L3>, tensor<64xi32, #L3>) -> tensor<64x!tk.ptr<f32>, #L3>
      %64 = "tk.load"(%63) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L3>) -> tensor<64xf32, #L3>
      %65 = "tk.expand_dims"(%64) {axis = 0 : i32} : (tensor<64xf32, #L3>) -> tensor<1x64xf32, #L3>
      %66 = "tk.convert_layout"(%65) : (tensor<1x64xf32, #L3>) -> tensor<1x64xf32, #L11>
      %67 = "tk.broadcast"(%66) : (tensor<1x64xf32, #L11>) -> tensor<64x64xf32, #L9>
      %68 = arith.subf %62, %67 : tensor<64x64xf32, #L9>
      %69 = "tk.dot"(%33, %61, %cst_1) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L10>, tensor<64x64xf32, #L9>) -> tensor<64x64xf32, #L9>
      %70 = arith.subf %69, %41 : tensor<64x64xf32, #L9>
      %71 = arith.mulf %68, %70 : tensor<64x64xf32, #L9>
      %72 = arith.truncf %71 : tensor<64x64xf32, #L9> to tensor<64x64xf16, #L9>
      %73 = "tk.convert_layout"(%72) : (tensor<64x64xf16, #L9>) -> tensor<64x64xf16, #L12>
      %74 = "tk.dot"(%73, %60, %arg8) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L12>, tensor<64x64xf16, #L8>, tensor<64x64xf32, #L9>) -> tensor<64x64xf32, #L9>
      scf.yield %74 : tensor<64x64xf32, #L9>
    }
    %43 = "tk.convert_layout"(%42) : (tensor<64x64xf32, #L9>) -> tensor<64x64xf32, #L7>
    %44 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %45 = "tk.addptr"(%44, %16) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %46 = "tk.broadcast"(%45) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L7>
    %47 = "tk.addptr"(%46, %23) : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f32>, #L7>
    "tk.store"(%47, %43) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xf32, #L7>) -> ()
    return
  }
}

