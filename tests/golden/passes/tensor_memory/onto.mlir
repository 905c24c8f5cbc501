// chip: sm_100a
// show: scf.* tk.tensor_* tk.mbarrier_* tk.warpgroup_dot tk.dot_wait tk.barrier tk.unwritten return
// Products added to a tile that is stored ahead of the loop, and read behind it.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L1 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L6 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 512, 8, 16>, warp = array<i32: 1024, 2048>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L10 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024>}
module {
  func.func @onto(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32>, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %5 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %cst = arith.constant dense<32> : tensor<128x1xi32, #L0>
    %6 = arith.muli %5, %cst : tensor<128x1xi32, #L0>
    %7 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %8 = "tk.addptr"(%7, %6) : (tensor<128x1x!tk.ptr<f32>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %9 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %10 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %11 = "tk.broadcast"(%8) : (tensor<128x1x!tk.ptr<f32>, #L0>) -> tensor<128x32x!tk.ptr<f32>, #L5>
    %12 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L2>) -> tensor<128x32xi32, #L5>
    %13 = "tk.addptr"(%11, %12) : (tensor<128x32x!tk.ptr<f32>, #L5>, tensor<128x32xi32, #L5>) -> tensor<128x32x!tk.ptr<f32>, #L5>
    %14 = "tk.load"(%13) {vector = 4 : i32} : (tensor<128x32x!tk.ptr<f32>, #L5>) -> tensor<128x32xf32, #L5>
    %15 = "tk.convert_layout"(%14) : (tensor<128x32xf32, #L5>) -> tensor<128x32xf32, #L6>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %16 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L0>
    %17 = arith.muli %5, %16 : tensor<128x1xi32, #L0>
    %18 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %19 = "tk.addptr"(%18, %17) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %20 = "tk.broadcast"(%19) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x64x!tk.ptr<f16>, #L7>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32, #L3>
    %21 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %22 = "tk.broadcast"(%9) : (tensor<1x32xi32, #L1>) -> tensor<64x32xi32, #L8>
    %23 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x64xf16, #L9>
    %24 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x32xf16, #L10>
    %c2_i32 = arith.constant 2 : i32
    %25 = arith.muli %c64_i32, %c2_i32 : i32
    %26 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %27 = "tk.splat"(%c0_i32) : (i32) -> tensor<64xi32, #L3>
    %28 = "tk.splat"(%c0_i32) : (i32) -> tensor<64xi32, #L4>
    %29 = arith.addi %27, %3 : tensor<64xi32, #L3>
    %30 = arith.addi %28, %4 : tensor<64xi32, #L4>
    %31 = "tk.expand_dims"(%30) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %32 = "tk.broadcast"(%31) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L7>
    %33 = "tk.addptr"(%20, %32) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
    %34 = "tk.expand_dims"(%29) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %35 = arith.muli %34, %cst_0 : tensor<64x1xi32, #L3>
    %36 = "tk.addptr"(%21, %35) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %37 = "tk.broadcast"(%36) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L8>
    %38 = "tk.addptr"(%37, %22) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
    %c0_i32_1 = arith.constant 0 : i32
    %39 = "tk.smem_slot"(%23, %c0_i32_1) : (tensor<128x64xf16, #L9>, i32) -> tensor<128x64xf16, #L9>
    %40 = "tk.splat"(%26) : (i1) -> tensor<128x64xi1, #L7>
    "tk.async_copy"(%39, %33, %40) {vector = 8 : i32} : (tensor<128x64xf16, #L9>, tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>) -> ()
    %41 = "tk.smem_slot"(%24, %c0_i32_1) : (tensor<64x32xf16, #L10>, i32) -> tensor<64x32xf16, #L10>
    %42 = "tk.splat"(%26) : (i1) -> tensor<64x32xi1, #L8>
    "tk.async_copy"(%41, %38, %42) {vector = 8 : i32} : (tensor<64x32xf16, #L10>, tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi1, #L8>) -> ()
    "tk.async_commit"() : () -> ()
    %43 = arith.addi %c0_i32, %c64_i32 : i32
    %c64_i32_2 = arith.constant 64 : i32
    %44 = arith.addi %c0_i32, %c64_i32_2 : i32
    %45 = arith.cmpi slt, %44, %arg4 : i32
    %46 = "tk.splat"(%43) : (i32) -> tensor<64xi32, #L3>
    %47 = "tk.splat"(%43) : (i32) -> tensor<64xi32, #L4>
    %48 = arith.addi %46, %3 : tensor<64xi32, #L3>
    %49 = arith.addi %47, %4 : tensor<64xi32, #L4>
    %50 = "tk.expand_dims"(%49) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %51 = "tk.broadcast"(%50) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L7>
    %52 = "tk.addptr"(%20, %51) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
    %53 = "tk.expand_dims"(%48) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %54 = arith.muli %53, %cst_0 : tensor<64x1xi32, #L3>
    %55 = "tk.addptr"(%21, %54) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %56 = "tk.broadcast"(%55) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L8>
    %57 = "tk.addptr"(%56, %22) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
    %c1_i32 = arith.constant 1 : i32
    %58 = "tk.smem_slot"(%23, %c1_i32) : (tensor<128x64xf16, #L9>, i32) -> tensor<128x64xf16, #L9>
    %59 = "tk.splat"(%45) : (i1) -> tensor<128x64xi1, #L7>
    "tk.async_copy"(%58, %52, %59) {vector = 8 : i32} : (tensor<128x64xf16, #L9>, tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>) -> ()
    %60 = "tk.smem_slot"(%24, %c1_i32) : (tensor<64x32xf16, #L10>, i32) -> tensor<64x32xf16, #L10>
    %61 = "tk.splat"(%45) : (i1) -> tensor<64x32xi1, #L8>
    "tk.async_copy"(%60, %57, %61) {vector = 8 : i32} : (tensor<64x32xf16, #L10>, tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi1, #L8>) -> ()
    "tk.async_commit"() : () -> ()
    %62 = arith.addi %43, %c64_i32 : i32
    %c2_i32_3 = arith.constant 2 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %63 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %64:3 = scf.if %63 -> (tensor<128x32xf32, #L6>, i32, i32) {
      %66:3 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %15, %arg7 = %c2_i32_3, %arg8 = %c0_i32_4) -> (tensor<128x32xf32, #L6>, i32, i32)  : i32 {
        "tk.async_wait"() {pending = 1 : i32, proxy} : () -> ()
        "tk.barrier"() : () -> ()
        %68 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L3>
        %69 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L4>
        %70 = arith.addi %68, %3 : tensor<64xi32, #L3>
        %71 = arith.addi %69, %4 : tensor<64xi32, #L4>
        %72 = "tk.expand_dims"(%71) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
        %73 = "tk.broadcast"(%72) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L7>
        %74 = "tk.addptr"(%20, %73) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
        %75 = "tk.smem_slot"(%23, %arg8) : (tensor<128x64xf16, #L9>, i32) -> tensor<128x64xf16, #L9>
        %76 = "tk.expand_dims"(%70) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
        %77 = arith.muli %76, %cst_0 : tensor<64x1xi32, #L3>
        %78 = "tk.addptr"(%21, %77) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
        %79 = "tk.broadcast"(%78) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L8>
        %80 = "tk.addptr"(%79, %22) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
        %81 = "tk.smem_slot"(%24, %arg8) : (tensor<64x32xf16, #L10>, i32) -> tensor<64x32xf16, #L10>
        %82 = "tk.warpgroup_dot"(%75, %81, %arg6) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L9>, tensor<64x32xf16, #L10>, tensor<128x32xf32, #L6>) -> tensor<128x32xf32, #L6>
        %83 = "tk.dot_wait"(%82) {pending = 1 : i32} : (tensor<128x32xf32, #L6>) -> tensor<128x32xf32, #L6>
        "tk.barrier"() : () -> ()
        %84 = arith.addi %arg5, %25 : i32
        %c128_i32 = arith.constant 128 : i32
        %85 = arith.subi %arg4, %arg5 : i32
        %86 = arith.cmpi ugt, %85, %c128_i32 : i32
        %87 = "tk.splat"(%84) : (i32) -> tensor<64xi32, #L3>
        %88 = "tk.splat"(%84) : (i32) -> tensor<64xi32, #L4>
        %89 = arith.addi %87, %3 : tensor<64xi32, #L3>
        %90 = arith.addi %88, %4 : tensor<64xi32, #L4>
        %91 = "tk.expand_dims"(%90) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
        %92 = "tk.broadcast"(%91) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L7>
        %93 = "tk.addptr"(%20, %92) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
        %94 = "tk.expand_dims"(%89) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
        %95 = arith.muli %94, %cst_0 : tensor<64x1xi32, #L3>
        %96 = "tk.addptr"(%21, %95) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
        %97 = "tk.broadcast"(%96) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L8>
        %98 = "tk.addptr"(%97, %22) : (tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f16>, #L8>
        %99 = "tk.smem_slot"(%23, %arg7) : (tensor<128x64xf16, #L9>, i32) -> tensor<128x64xf16, #L9>
        %100 = "tk.splat"(%86) : (i1) -> tensor<128x64xi1, #L7>
        "tk.async_copy"(%99, %93, %100) {vector = 8 : i32} : (tensor<128x64xf16, #L9>, tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>) -> ()
        %101 = "tk.smem_slot"(%24, %arg7) : (tensor<64x32xf16, #L10>, i32) -> tensor<64x32xf16, #L10>
        %102 = "tk.splat"(%86) : (i1) -> tensor<64x32xi1, #L8>
        "tk.async_copy"(%101, %98, %102) {vector = 8 : i32} : (tensor<64x32xf16, #L10>, tensor<64x32x!tk.ptr<f16>, #L8>, tensor<64x32xi1, #L8>) -> ()
        "tk.async_commit"() : () -> ()
        %c1_i32_5 = arith.constant 1 : i32
        %103 = arith.addi %arg7, %c1_i32_5 : i32
        %c3_i32 = arith.constant 3 : i32
        %104 = arith.cmpi slt, %103, %c3_i32 : i32
        %c0_i32_6 = arith.constant 0 : i32
        %105 = arith.select %104, %103, %c0_i32_6 : i32
        %c1_i32_7 = arith.constant 1 : i32
        %106 = arith.addi %arg8, %c1_i32_7 : i32
        %c3_i32_8 = arith.constant 3 : i32
        %107 = arith.cmpi slt, %106, %c3_i32_8 : i32
        %c0_i32_9 = arith.constant 0 : i32
        %108 = arith.select %107, %106, %c0_i32_9 : i32
        scf.yield %83, %105, %108 : tensor<128x32xf32, #L6>, i32, i32
      } {tk.pipeline = "3 stages"}
      %67 = "tk.dot_wait"(%66#0) {pending = 0 : i32} : (tensor<128x32xf32, #L6>) -> tensor<128x32xf32, #L6>
      scf.yield %67, %66#1, %66#2 : tensor<128x32xf32, #L6>, i32, i32
    } else {
      scf.yield %15, %c2_i32_3, %c0_i32_4 : tensor<128x32xf32, #L6>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %65 = "tk.convert_layout"(%64#0) : (tensor<128x32xf32, #L6>) -> tensor<128x32xf32, #L5>
    "tk.store"(%13, %65) {vector = 4 : i32} : (tensor<128x32x!tk.ptr<f32>, #L5>, tensor<128x32xf32, #L5>) -> ()
    return
  }
}

