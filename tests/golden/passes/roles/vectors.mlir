// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// A vector that scores are compared with comes with the operands, and is read from its slot as the scores lie.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L1 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L6 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L7 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
module {
  func.func @slopes(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot of a row's tile with a column's", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %5 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L2>
    %6 = arith.addi %5, %4 : tensor<64xi32, #L2>
    %7 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %8 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L2>
    %9 = arith.muli %7, %8 : tensor<64x1xi32, #L2>
    %10 = "tk.expand_dims"(%3) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %11 = "tk.broadcast"(%9) : (tensor<64x1xi32, #L2>) -> tensor<64x64xi32, #L3>
    %12 = "tk.broadcast"(%10) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L3>
    %13 = arith.addi %11, %12 : tensor<64x64xi32, #L3>
    %14 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %15 = "tk.addptr"(%14, %13) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %16 = "tk.load"(%15) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>) -> tensor<64x64xf16, #L3>
    %17 = "tk.convert_layout"(%16) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
    %18 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %19 = "tk.addptr"(%18, %13) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %20 = "tk.load"(%19) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>) -> tensor<64x64xf16, #L3>
    %21 = "tk.convert_layout"(%20) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %22 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %23 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L3>
    %24 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %25 = arith.muli %24, %arg6 : i32
    %26 = "tk.addptr"(%arg3, %25) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %27 = "tk.splat"(%26) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %28 = scf.for %arg7 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<64x64xf32, #L5>)  : i32 {
      %31 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L0>
      %32 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L2>
      %33 = arith.addi %31, %2 : tensor<64xi32, #L0>
      %34 = arith.addi %32, %4 : tensor<64xi32, #L2>
      %35 = "tk.expand_dims"(%34) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %36 = arith.muli %35, %8 : tensor<64x1xi32, #L2>
      %37 = "tk.addptr"(%22, %36) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %38 = "tk.broadcast"(%37) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %39 = "tk.addptr"(%38, %12) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %40 = arith.cmpi slt, %35, %23 : tensor<64x1xi32, #L2>
      %41 = "tk.broadcast"(%40) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L3>
      %42 = "tk.load"(%39, %41, %cst_0) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi1, #L3>, tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L3>
      %43 = "tk.convert_layout"(%42) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
      %44 = "tk.smem_trans"(%43) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L6>
      %45 = "tk.dot"(%17, %44, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L6>, tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
      %46 = "tk.dot"(%21, %44, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L6>, tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
      %47 = "tk.addptr"(%27, %33) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
      %48 = "tk.load"(%47) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>) -> tensor<64xf32, #L0>
      %49 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<64xf32, #L0>) -> tensor<1x64xf32, #L0>
      %50 = "tk.convert_layout"(%49) : (tensor<1x64xf32, #L0>) -> tensor<1x64xf32, #L7>
      %51 = "tk.broadcast"(%50) : (tensor<1x64xf32, #L7>) -> tensor<64x64xf32, #L5>
      %52 = arith.subf %45, %51 : tensor<64x64xf32, #L5>
      %53 = arith.mulf %52, %46 : tensor<64x64xf32, #L5>
      %54 = arith.truncf %53 : tensor<64x64xf32, #L5> to tensor<64x64xf16, #L5>
      %55 = "tk.dot"(%54, %43, %arg8) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L5>, tensor<64x64xf16, #L4>, tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
      scf.yield %55 : tensor<64x64xf32, #L5>
    }
    %29 = arith.truncf %28 : tensor<64x64xf32, #L5> to tensor<64x64xf16, #L5>
    %30 = "tk.convert_layout"(%29) : (tensor<64x64xf16, #L5>) -> tensor<64x64xf16, #L3>
    "tk.store"(%15, %30) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xf16, #L3>) -> ()
    return
  }
}

