// chip: sm_80
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// Both tiles of the dot run two iterations ahead through three slots; one barrier an iteration.
#L0 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 16>, warp = array<i32: 8>}
#L2 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 512>, warp = array<i32: 256>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512>}
#L5 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 16, 512>, warp = array<i32: 0>}
module {
  func.func @product(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L2>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %2 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %3 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L1>
    %4 = arith.muli %2, %3 : tensor<32x1xi32, #L1>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %6 = "tk.addptr"(%5, %4) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %7 = "tk.broadcast"(%6) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32, #L1>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %9 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %10 = "tk.broadcast"(%9) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
    %11 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x32xf16, #L4>
    %12 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x32xf16, #L4>
    %c2_i32 = arith.constant 2 : i32
    %13 = arith.muli %c32_i32, %c2_i32 : i32
    %14 = arith.cmpi slt, %c0_i32, %arg3 : i32
    %15 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L1>
    %16 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L0>
    %17 = arith.addi %15, %1 : tensor<32xi32, #L1>
    %18 = arith.addi %16, %0 : tensor<32xi32, #L0>
    %19 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %20 = "tk.broadcast"(%19) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
    %21 = "tk.addptr"(%7, %20) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %22 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %23 = arith.muli %22, %cst_0 : tensor<32x1xi32, #L1>
    %24 = "tk.addptr"(%8, %23) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %25 = "tk.broadcast"(%24) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %26 = "tk.addptr"(%25, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %c0_i32_1 = arith.constant 0 : i32
    %27 = "tk.smem_slot"(%11, %c0_i32_1) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %28 = "tk.splat"(%14) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%27, %21, %28) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    %29 = "tk.smem_slot"(%12, %c0_i32_1) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %30 = "tk.splat"(%14) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%29, %26, %30) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    "tk.async_commit"() : () -> ()
    %31 = arith.addi %c0_i32, %c32_i32 : i32
    %c32_i32_2 = arith.constant 32 : i32
    %32 = arith.addi %c0_i32, %c32_i32_2 : i32
    %33 = arith.cmpi slt, %32, %arg3 : i32
    %34 = "tk.splat"(%31) : (i32) -> tensor<32xi32, #L1>
    %35 = "tk.splat"(%31) : (i32) -> tensor<32xi32, #L0>
    %36 = arith.addi %34, %1 : tensor<32xi32, #L1>
    %37 = arith.addi %35, %0 : tensor<32xi32, #L0>
    %38 = "tk.expand_dims"(%37) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %39 = "tk.broadcast"(%38) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
    %40 = "tk.addptr"(%7, %39) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %41 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %42 = arith.muli %41, %cst_0 : tensor<32x1xi32, #L1>
    %43 = "tk.addptr"(%8, %42) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %44 = "tk.broadcast"(%43) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %45 = "tk.addptr"(%44, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %c1_i32 = arith.constant 1 : i32
    %46 = "tk.smem_slot"(%11, %c1_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %47 = "tk.splat"(%33) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%46, %40, %47) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    %48 = "tk.smem_slot"(%12, %c1_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %49 = "tk.splat"(%33) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%48, %45, %49) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    "tk.async_commit"() : () -> ()
    %50 = arith.addi %31, %c32_i32 : i32
    %c2_i32_3 = arith.constant 2 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %51:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst, %arg6 = %c2_i32_3, %arg7 = %c0_i32_4) -> (tensor<32x32xf32, #L2>, i32, i32)  : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %58 = arith.addi %arg4, %13 : i32
      %c64_i32 = arith.constant 64 : i32
      %59 = arith.subi %arg3, %arg4 : i32
      %60 = arith.cmpi ugt, %59, %c64_i32 : i32
      %61 = "tk.splat"(%58) : (i32) -> tensor<32xi32, #L1>
      %62 = "tk.splat"(%58) : (i32) -> tensor<32xi32, #L0>
      %63 = arith.addi %61, %1 : tensor<32xi32, #L1>
      %64 = arith.addi %62, %0 : tensor<32xi32, #L0>
      %65 = "tk.expand_dims"(%64) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %66 = "tk.broadcast"(%65) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %67 = "tk.addptr"(%7, %66) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %68 = "tk.expand_dims"(%63) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %69 = arith.muli %68, %cst_0 : tensor<32x1xi32, #L1>
      %70 = "tk.addptr"(%8, %69) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %71 = "tk.broadcast"(%70) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %72 = "tk.addptr"(%71, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %73 = "tk.smem_slot"(%11, %arg6) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %74 = "tk.splat"(%60) : (i1) -> tensor<32x32xi1, #L3>
      "tk.async_copy"(%73, %67, %74) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
      %75 = "tk.smem_slot"(%12, %arg6) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %76 = "tk.splat"(%60) : (i1) -> tensor<32x32xi1, #L3>
      "tk.async_copy"(%75, %72, %76) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
      "tk.async_commit"() : () -> ()
      %77 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L1>
      %78 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L0>
      %79 = arith.addi %77, %1 : tensor<32xi32, #L1>
      %80 = arith.addi %78, %0 : tensor<32xi32, #L0>
      %81 = "tk.expand_dims"(%80) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %82 = "tk.broadcast"(%81) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %83 = "tk.addptr"(%7, %82) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %84 = "tk.smem_slot"(%11, %arg7) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %85 = "tk.smem_load"(%84) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L2>
      %86 = "tk.expand_dims"(%79) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %87 = arith.muli %86, %cst_0 : tensor<32x1xi32, #L1>
      %88 = "tk.addptr"(%8, %87) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %89 = "tk.broadcast"(%88) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %90 = "tk.addptr"(%89, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %91 = "tk.smem_slot"(%12, %arg7) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %92 = "tk.smem_load"(%91) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L5>
      %93 = "tk.dot"(%85, %92, %arg5) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L2>, tensor<32x32xf16, #L5>, tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L2>
      %c1_i32_5 = arith.constant 1 : i32
      %94 = arith.addi %arg6, %c1_i32_5 : i32
      %c3_i32 = arith.constant 3 : i32
      %95 = arith.cmpi slt, %94, %c3_i32 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %96 = arith.select %95, %94, %c0_i32_6 : i32
      %c1_i32_7 = arith.constant 1 : i32
      %97 = arith.addi %arg7, %c1_i32_7 : i32
      %c3_i32_8 = arith.constant 3 : i32
      %98 = arith.cmpi slt, %97, %c3_i32_8 : i32
      %c0_i32_9 = arith.constant 0 : i32
      %99 = arith.select %98, %97, %c0_i32_9 : i32
      scf.yield %93, %96, %99 : tensor<32x32xf32, #L2>, i32, i32
    } {tk.pipeline = "3 stages"}
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %52 = "tk.convert_layout"(%51#0) : (tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L3>
    %53 = arith.muli %2, %cst_0 : tensor<32x1xi32, #L1>
    %54 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %55 = "tk.addptr"(%54, %53) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %56 = "tk.broadcast"(%55) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %57 = "tk.addptr"(%56, %10) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    "tk.store"(%57, %52) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

