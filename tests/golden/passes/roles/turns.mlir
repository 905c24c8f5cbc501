// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// Two warpgroups and a dot that is done an iteration late: the second waits for what the first has started.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L8 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @turns(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %3 = "tk.splat"(%1) : (i32) -> tensor<128xi32, #L0>
    %4 = arith.addi %3, %2 : tensor<128xi32, #L0>
    %5 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %7 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %8 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L0>
    %9 = arith.muli %7, %8 : tensor<128x1xi32, #L0>
    %10 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %11 = "tk.addptr"(%10, %9) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %12 = "tk.expand_dims"(%6) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %13 = "tk.broadcast"(%11) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %14 = "tk.broadcast"(%12) : (tensor<1x64xi32, #L2>) -> tensor<128x64xi32, #L3>
    %15 = "tk.addptr"(%13, %14) : (tensor<128x64x!tk.ptr<f16>, #L3>, tensor<128x64xi32, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %16 = "tk.load"(%15) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L3>) -> tensor<128x64xf16, #L3>
    %17 = "tk.convert_layout"(%16) : (tensor<128x64xf16, #L3>) -> tensor<128x64xf16, #L4>
    %18 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %19 = "tk.addptr"(%18, %9) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %20 = "tk.broadcast"(%19) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %21 = "tk.addptr"(%20, %14) : (tensor<128x64x!tk.ptr<f16>, #L3>, tensor<128x64xi32, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %22 = "tk.load"(%21) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L3>) -> tensor<128x64xf16, #L3>
    %23 = "tk.convert_layout"(%22) : (tensor<128x64xf16, #L3>) -> tensor<128x64xf16, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %24 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L1>
    %25 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %26 = "tk.broadcast"(%12) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L6>
    %27 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L6>
    %28 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<128x64xf32, #L5>)  : i32 {
      %35 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L1>
      %36 = arith.addi %35, %5 : tensor<64xi32, #L1>
      %37 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
      %38 = arith.muli %37, %24 : tensor<64x1xi32, #L1>
      %39 = "tk.addptr"(%25, %38) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
      %40 = "tk.broadcast"(%39) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %41 = "tk.addptr"(%40, %26) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %42 = arith.cmpi slt, %37, %27 : tensor<64x1xi32, #L1>
      %43 = "tk.broadcast"(%42) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L6>
      %44 = "tk.load"(%41, %43, %cst_0) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi1, #L6>, tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L6>
      %45 = "tk.convert_layout"(%44) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L7>
      %46 = "tk.smem_trans"(%45) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L8>
      %47 = "tk.dot"(%17, %46, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L4>, tensor<64x64xf16, #L8>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      %48 = "tk.dot"(%23, %46, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L4>, tensor<64x64xf16, #L8>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      %49 = arith.mulf %47, %48 : tensor<128x64xf32, #L5>
      %50 = arith.truncf %49 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
      %51 = "tk.dot"(%50, %45, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L5>, tensor<64x64xf16, #L7>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      scf.yield %51 : tensor<128x64xf32, #L5>
    }
    %29 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %30 = "tk.addptr"(%29, %9) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %31 = "tk.broadcast"(%30) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %32 = "tk.addptr"(%31, %14) : (tensor<128x64x!tk.ptr<f16>, #L3>, tensor<128x64xi32, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L3>
    %33 = arith.truncf %28 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
    %34 = "tk.convert_layout"(%33) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L3>
    "tk.store"(%32, %34) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L3>, tensor<128x64xf16, #L3>) -> ()
    return
  }
}

