// chip: sm_100a
// show: scf.* tk.tensor_* tk.mbarrier_* tk.warpgroup_dot tk.dot_wait tk.barrier tk.unwritten return
// A product that each step reads: the next step's overwrites it once all threads have met.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L1 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 512, 8, 16>, warp = array<i32: 1024, 2048>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @steps(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32>, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %4 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %5 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %6 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L0>
    %7 = arith.muli %5, %6 : tensor<128x1xi32, #L0>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %9 = "tk.addptr"(%8, %7) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %10 = "tk.broadcast"(%9) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x64x!tk.ptr<f16>, #L6>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32, #L3>
    %11 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %12 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %13 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %14 = "tk.broadcast"(%13) : (tensor<1x32xi32, #L2>) -> tensor<64x32xi32, #L7>
    %15 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x64xf16, #L8>
    %16 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x32xf16, #L9>
    %c2_i32 = arith.constant 2 : i32
    %17 = arith.muli %c64_i32, %c2_i32 : i32
    %18 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %19 = "tk.splat"(%c0_i32) : (i32) -> tensor<64xi32, #L3>
    %20 = "tk.splat"(%c0_i32) : (i32) -> tensor<64xi32, #L4>
    %21 = arith.addi %19, %3 : tensor<64xi32, #L3>
    %22 = arith.addi %20, %4 : tensor<64xi32, #L4>
    %23 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %24 = "tk.broadcast"(%23) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L6>
    %25 = "tk.addptr"(%10, %24) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
    %26 = "tk.expand_dims"(%21) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %27 = arith.muli %26, %cst_0 : tensor<64x1xi32, #L3>
    %28 = "tk.addptr"(%11, %27) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %29 = "tk.broadcast"(%28) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L7>
    %30 = "tk.addptr"(%29, %14) : (tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi32, #L7>) -> tensor<64x32x!tk.ptr<f16>, #L7>
    %c0_i32_1 = arith.constant 0 : i32
    %31 = "tk.smem_slot"(%15, %c0_i32_1) : (tensor<128x64xf16, #L8>, i32) -> tensor<128x64xf16, #L8>
    %32 = "tk.splat"(%18) : (i1) -> tensor<128x64xi1, #L6>
    "tk.async_copy"(%31, %25, %32) {vector = 8 : i32} : (tensor<128x64xf16, #L8>, tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi1, #L6>) -> ()
    %33 = "tk.smem_slot"(%16, %c0_i32_1) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
    %34 = "tk.splat"(%18) : (i1) -> tensor<64x32xi1, #L7>
    "tk.async_copy"(%33, %30, %34) {vector = 8 : i32} : (tensor<64x32xf16, #L9>, tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi1, #L7>) -> ()
    "tk.async_commit"() : () -> ()
    %35 = arith.addi %c0_i32, %c64_i32 : i32
    %c64_i32_2 = arith.constant 64 : i32
    %36 = arith.addi %c0_i32, %c64_i32_2 : i32
    %37 = arith.cmpi slt, %36, %arg4 : i32
    %38 = "tk.splat"(%35) : (i32) -> tensor<64xi32, #L3>
    %39 = "tk.splat"(%35) : (i32) -> tensor<64xi32, #L4>
    %40 = arith.addi %38, %3 : tensor<64xi32, #L3>
    %41 = arith.addi %39, %4 : tensor<64xi32, #L4>
    %42 = "tk.expand_dims"(%41) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %43 = "tk.broadcast"(%42) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L6>
    %44 = "tk.addptr"(%10, %43) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
    %45 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %46 = arith.muli %45, %cst_0 : tensor<64x1xi32, #L3>
    %47 = "tk.addptr"(%11, %46) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %48 = "tk.broadcast"(%47) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L7>
    %49 = "tk.addptr"(%48, %14) : (tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi32, #L7>) -> tensor<64x32x!tk.ptr<f16>, #L7>
    %c1_i32 = arith.constant 1 : i32
    %50 = "tk.smem_slot"(%15, %c1_i32) : (tensor<128x64xf16, #L8>, i32) -> tensor<128x64xf16, #L8>
    %51 = "tk.splat"(%37) : (i1) -> tensor<128x64xi1, #L6>
    "tk.async_copy"(%50, %44, %51) {vector = 8 : i32} : (tensor<128x64xf16, #L8>, tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi1, #L6>) -> ()
    %52 = "tk.smem_slot"(%16, %c1_i32) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
    %53 = "tk.splat"(%37) : (i1) -> tensor<64x32xi1, #L7>
    "tk.async_copy"(%52, %49, %53) {vector = 8 : i32} : (tensor<64x32xf16, #L9>, tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi1, #L7>) -> ()
    "tk.async_commit"() : () -> ()
    %54 = arith.addi %35, %c64_i32 : i32
    %c2_i32_3 = arith.constant 2 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %55 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %56 = "tk.addptr"(%arg2, %c0_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %57 = "tk.load"(%56, %55) : (!tk.ptr<f32>, i1) -> f32
    %58:4 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst, %arg7 = %c2_i32_3, %arg8 = %c0_i32_4, %arg9 = %57) -> (tensor<128x32xf32, #L5>, i32, i32, f32)  : i32 {
      %66 = arith.addi %arg5, %c64_i32 : i32
      %c64_i32_6 = arith.constant 64 : i32
      %67 = arith.subi %arg4, %arg5 : i32
      %68 = arith.cmpi ugt, %67, %c64_i32_6 : i32
      %69 = "tk.addptr"(%arg2, %66) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %70 = "tk.load"(%69, %68) : (!tk.ptr<f32>, i1) -> f32
      "tk.async_wait"() {pending = 1 : i32, proxy} : () -> ()
      "tk.barrier"() : () -> ()
      %71 = arith.addi %arg5, %17 : i32
      %c128_i32 = arith.constant 128 : i32
      %72 = arith.subi %arg4, %arg5 : i32
      %73 = arith.cmpi ugt, %72, %c128_i32 : i32
      %74 = "tk.splat"(%71) : (i32) -> tensor<64xi32, #L3>
      %75 = "tk.splat"(%71) : (i32) -> tensor<64xi32, #L4>
      %76 = arith.addi %74, %3 : tensor<64xi32, #L3>
      %77 = arith.addi %75, %4 : tensor<64xi32, #L4>
      %78 = "tk.expand_dims"(%77) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
      %79 = "tk.broadcast"(%78) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L6>
      %80 = "tk.addptr"(%10, %79) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
      %81 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %82 = arith.muli %81, %cst_0 : tensor<64x1xi32, #L3>
      %83 = "tk.addptr"(%11, %82) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %84 = "tk.broadcast"(%83) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %85 = "tk.addptr"(%84, %14) : (tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi32, #L7>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %86 = "tk.smem_slot"(%15, %arg7) : (tensor<128x64xf16, #L8>, i32) -> tensor<128x64xf16, #L8>
      %87 = "tk.splat"(%73) : (i1) -> tensor<128x64xi1, #L6>
      "tk.async_copy"(%86, %80, %87) {vector = 8 : i32} : (tensor<128x64xf16, #L8>, tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi1, #L6>) -> ()
      %88 = "tk.smem_slot"(%16, %arg7) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
      %89 = "tk.splat"(%73) : (i1) -> tensor<64x32xi1, #L7>
      "tk.async_copy"(%88, %85, %89) {vector = 8 : i32} : (tensor<64x32xf16, #L9>, tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi1, #L7>) -> ()
      "tk.async_commit"() : () -> ()
      %90 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L3>
      %91 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L4>
      %92 = arith.addi %90, %3 : tensor<64xi32, #L3>
      %93 = arith.addi %91, %4 : tensor<64xi32, #L4>
      %94 = "tk.expand_dims"(%93) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
      %95 = "tk.broadcast"(%94) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L6>
      %96 = "tk.addptr"(%10, %95) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
      %97 = "tk.smem_slot"(%15, %arg8) : (tensor<128x64xf16, #L8>, i32) -> tensor<128x64xf16, #L8>
      %98 = "tk.expand_dims"(%92) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
      %99 = arith.muli %98, %cst_0 : tensor<64x1xi32, #L3>
      %100 = "tk.addptr"(%11, %99) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %101 = "tk.broadcast"(%100) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %102 = "tk.addptr"(%101, %14) : (tensor<64x32x!tk.ptr<f16>, #L7>, tensor<64x32xi32, #L7>) -> tensor<64x32x!tk.ptr<f16>, #L7>
      %103 = "tk.smem_slot"(%16, %arg8) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
      %104 = "tk.warpgroup_dot"(%97, %103, %cst) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L8>, tensor<64x32xf16, #L9>, tensor<128x32xf32, #L5>) -> tensor<128x32xf32, #L5>
      %105 = "tk.addptr"(%arg2, %arg5) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %106 = "tk.splat"(%arg9) : (f32) -> tensor<128x32xf32, #L5>
      %107 = "tk.dot_wait"(%104) {pending = 0 : i32} : (tensor<128x32xf32, #L5>) -> tensor<128x32xf32, #L5>
      %108 = math.fma %107, %106, %arg6 : tensor<128x32xf32, #L5>
      %c1_i32_7 = arith.constant 1 : i32
      %109 = arith.addi %arg7, %c1_i32_7 : i32
      %c3_i32 = arith.constant 3 : i32
      %110 = arith.cmpi slt, %109, %c3_i32 : i32
      %c0_i32_8 = arith.constant 0 : i32
      %111 = arith.select %110, %109, %c0_i32_8 : i32
      %c1_i32_9 = arith.constant 1 : i32
      %112 = arith.addi %arg8, %c1_i32_9 : i32
      %c3_i32_10 = arith.constant 3 : i32
      %113 = arith.cmpi slt, %112, %c3_i32_10 : i32
      %c0_i32_11 = arith.constant 0 : i32
      %114 = arith.select %113, %112, %c0_i32_11 : i32
      scf.yield %108, %111, %114, %70 : tensor<128x32xf32, #L5>, i32, i32, f32
    } {tk.pipeline = "3 stages"}
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %59 = "tk.convert_layout"(%58#0) : (tensor<128x32xf32, #L5>) -> tensor<128x32xf32, #L10>
    %cst_5 = arith.constant dense<32> : tensor<128x1xi32, #L0>
    %60 = arith.muli %5, %cst_5 : tensor<128x1xi32, #L0>
    %61 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %62 = "tk.addptr"(%61, %60) : (tensor<128x1x!tk.ptr<f32>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %63 = "tk.broadcast"(%62) : (tensor<128x1x!tk.ptr<f32>, #L0>) -> tensor<128x32x!tk.ptr<f32>, #L10>
    %64 = "tk.broadcast"(%12) : (tensor<1x32xi32, #L1>) -> tensor<128x32xi32, #L10>
    %65 = "tk.addptr"(%63, %64) : (tensor<128x32x!tk.ptr<f32>, #L10>, tensor<128x32xi32, #L10>) -> tensor<128x32x!tk.ptr<f32>, #L10>
    "tk.store"(%65, %59) {vector = 4 : i32} : (tensor<128x32x!tk.ptr<f32>, #L10>, tensor<128x32xf32, #L10>) -> ()
    return
  }
}

