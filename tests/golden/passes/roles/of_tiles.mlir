// chip: sm_90a
// show: func.func scf.for tk.load tk.dot
// A lone warpgroup converts bytes that copies bring, and the loop loads nothing else: two blocks that copy for themselves, no roles.
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 16, 32, 64, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8, 2048, 4096>, warp = array<i32: 512, 1024>}
#L8 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64, 8192>, warp = array<i32: 2048, 4096>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L10 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096, 64>, warp = array<i32: 16, 32>}
#L11 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32, 4096>, warp = array<i32: 1024, 2048>}
#L12 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 1025, 2050, 4100, 8, 16, 32, 64>}
#L13 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096, 8192, 64>, warp = array<i32: 16, 32>}
#L14 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096, 8192>, warp = array<i32: 256, 512>}
module {
  func.func @bytes_alone(%arg0: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %3 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %4 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %5 = arith.muli %4, %c128_i32 : i32
    %6 = "tk.splat"(%5) : (i32) -> tensor<128xi32, #L0>
    %7 = "tk.splat"(%5) : (i32) -> tensor<128xi32, #L2>
    %8 = arith.addi %6, %0 : tensor<128xi32, #L0>
    %9 = arith.addi %7, %2 : tensor<128xi32, #L2>
    %10 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %11 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %12 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %13 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L3>
    %15 = arith.muli %13, %14 : tensor<128x1xi32, #L3>
    %16 = "tk.splat"(%arg0) : (!tk.ptr<bf16>) -> tensor<128x1x!tk.ptr<bf16>, #L3>
    %17 = "tk.addptr"(%16, %15) : (tensor<128x1x!tk.ptr<bf16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<bf16>, #L3>
    %18 = "tk.broadcast"(%17) : (tensor<128x1x!tk.ptr<bf16>, #L3>) -> tensor<128x64x!tk.ptr<bf16>, #L6>
    %19 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L4>
    %20 = "tk.splat"(%arg1) : (!tk.ptr<i8>) -> tensor<64x1x!tk.ptr<i8>, #L4>
    %21 = "tk.expand_dims"(%8) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
    %22 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %23 = "tk.broadcast"(%22) : (tensor<1x128xi32, #L2>) -> tensor<64x128xi32, #L7>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L8>
    %24 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<128x128xf32, #L8>)  : i32 {
      %35 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L4>
      %36 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L5>
      %37 = arith.addi %35, %10 : tensor<64xi32, #L4>
      %38 = arith.addi %36, %11 : tensor<64xi32, #L5>
      %39 = "tk.expand_dims"(%38) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
      %40 = "tk.broadcast"(%39) : (tensor<1x64xi32, #L5>) -> tensor<128x64xi32, #L6>
      %41 = "tk.addptr"(%18, %40) : (tensor<128x64x!tk.ptr<bf16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<bf16>, #L6>
      %42 = "tk.load"(%41) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<bf16>, #L6>) -> tensor<128x64xbf16, #L6>
      %43 = "tk.convert_layout"(%42) : (tensor<128x64xbf16, #L6>) -> tensor<128x64xbf16, #L9>
      %44 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %45 = arith.muli %44, %19 : tensor<64x1xi32, #L4>
      %46 = "tk.addptr"(%20, %45) : (tensor<64x1x!tk.ptr<i8>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<i8>, #L4>
      %47 = "tk.broadcast"(%46) : (tensor<64x1x!tk.ptr<i8>, #L4>) -> tensor<64x128x!tk.ptr<i8>, #L7>
      %48 = "tk.addptr"(%47, %23) : (tensor<64x128x!tk.ptr<i8>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<i8>, #L7>
      %49 = "tk.load"(%48) {vector = 16 : i32} : (tensor<64x128x!tk.ptr<i8>, #L7>) -> tensor<64x128xi8, #L7>
      %50 = "tk.convert_layout"(%49) : (tensor<64x128xi8, #L7>) -> tensor<64x128xi8, #L10>
      %51 = arith.sitofp %50 : tensor<64x128xi8, #L10> to tensor<64x128xbf16, #L10>
      %52 = "tk.trans"(%51) {order = array<i32: 1, 0>} : (tensor<64x128xbf16, #L10>) -> tensor<128x64xbf16, #L11>
      %53 = "tk.smem_trans"(%43) {order = array<i32: 1, 0>} : (tensor<128x64xbf16, #L9>) -> tensor<64x128xbf16, #L12>
      %54 = "tk.dot"(%52, %53, %arg6) {instruction = "wgmma.bf16", precision = "tf32"} : (tensor<128x64xbf16, #L11>, tensor<64x128xbf16, #L12>, tensor<128x128xf32, #L8>) -> tensor<128x128xf32, #L8>
      scf.yield %54 : tensor<128x128xf32, #L8>
    }
    %25 = "tk.trans"(%24) {order = array<i32: 1, 0>} : (tensor<128x128xf32, #L8>) -> tensor<128x128xf32, #L13>
    %26 = "tk.splat"(%arg3) : (i32) -> tensor<128x1xi32, #L1>
    %27 = arith.muli %12, %26 : tensor<128x1xi32, #L1>
    %28 = "tk.splat"(%arg2) : (!tk.ptr<bf16>) -> tensor<128x1x!tk.ptr<bf16>, #L1>
    %29 = "tk.addptr"(%28, %27) : (tensor<128x1x!tk.ptr<bf16>, #L1>, tensor<128x1xi32, #L1>) -> tensor<128x1x!tk.ptr<bf16>, #L1>
    %30 = "tk.broadcast"(%29) : (tensor<128x1x!tk.ptr<bf16>, #L1>) -> tensor<128x128x!tk.ptr<bf16>, #L14>
    %31 = "tk.broadcast"(%21) : (tensor<1x128xi32, #L0>) -> tensor<128x128xi32, #L14>
    %32 = "tk.addptr"(%30, %31) : (tensor<128x128x!tk.ptr<bf16>, #L14>, tensor<128x128xi32, #L14>) -> tensor<128x128x!tk.ptr<bf16>, #L14>
    %33 = arith.truncf %25 : tensor<128x128xf32, #L13> to tensor<128x128xbf16, #L13>
    %34 = "tk.convert_layout"(%33) : (tensor<128x128xbf16, #L13>) -> tensor<128x128xbf16, #L14>
    "tk.store"(%32, %34) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<bf16>, #L14>, tensor<128x128xbf16, #L14>) -> ()
    return
  }
}

