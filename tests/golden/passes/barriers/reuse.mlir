// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// The last conversion writes where slower warps may still read a slot: a barrier before it.
#L0 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 16>, warp = array<i32: 8>}
#L2 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 512>, warp = array<i32: 256>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512>}
#L5 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 16, 512>, warp = array<i32: 0>}
module {
  func.func @product(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32, tk.shared_bytes = 12288 : i32} {
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
    %11 = "tk.smem_alloc"() {offset = 0 : i32, stages = 3 : i32} : () -> tensor<32x32xf16, #L4>
    %12 = "tk.smem_alloc"() {offset = 6144 : i32, stages = 3 : i32} : () -> tensor<32x32xf16, #L4>
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
    %27 = "tk.smem_slot"(%11, %c0_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %28 = "tk.splat"(%14) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%27, %21, %28) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    %29 = "tk.smem_slot"(%12, %c0_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    "tk.async_copy"(%29, %26, %28) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    "tk.async_commit"() : () -> ()
    %30 = arith.addi %c0_i32, %c32_i32 : i32
    %31 = arith.cmpi slt, %30, %arg3 : i32
    %32 = "tk.splat"(%30) : (i32) -> tensor<32xi32, #L1>
    %33 = "tk.splat"(%30) : (i32) -> tensor<32xi32, #L0>
    %34 = arith.addi %32, %1 : tensor<32xi32, #L1>
    %35 = arith.addi %33, %0 : tensor<32xi32, #L0>
    %36 = "tk.expand_dims"(%35) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %37 = "tk.broadcast"(%36) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
    %38 = "tk.addptr"(%7, %37) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %39 = "tk.expand_dims"(%34) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %40 = arith.muli %39, %cst_0 : tensor<32x1xi32, #L1>
    %41 = "tk.addptr"(%8, %40) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %42 = "tk.broadcast"(%41) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %43 = "tk.addptr"(%42, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %c1_i32 = arith.constant 1 : i32
    %44 = "tk.smem_slot"(%11, %c1_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    %45 = "tk.splat"(%31) : (i1) -> tensor<32x32xi1, #L3>
    "tk.async_copy"(%44, %38, %45) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    %46 = "tk.smem_slot"(%12, %c1_i32) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
    "tk.async_copy"(%46, %43, %45) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
    "tk.async_commit"() : () -> ()
    %c3_i32 = arith.constant 3 : i32
    %47:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst, %arg6 = %c2_i32, %arg7 = %c0_i32) -> (tensor<32x32xf32, #L2>, i32, i32)  : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %54 = arith.addi %arg4, %13 : i32
      %55 = arith.cmpi slt, %54, %arg3 : i32
      %56 = "tk.splat"(%54) : (i32) -> tensor<32xi32, #L1>
      %57 = "tk.splat"(%54) : (i32) -> tensor<32xi32, #L0>
      %58 = arith.addi %56, %1 : tensor<32xi32, #L1>
      %59 = arith.addi %57, %0 : tensor<32xi32, #L0>
      %60 = "tk.expand_dims"(%59) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %61 = "tk.broadcast"(%60) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %62 = "tk.addptr"(%7, %61) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %63 = "tk.expand_dims"(%58) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %64 = arith.muli %63, %cst_0 : tensor<32x1xi32, #L1>
      %65 = "tk.addptr"(%8, %64) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %66 = "tk.broadcast"(%65) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %67 = "tk.addptr"(%66, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %68 = "tk.smem_slot"(%11, %arg6) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %69 = "tk.splat"(%55) : (i1) -> tensor<32x32xi1, #L3>
      "tk.async_copy"(%68, %62, %69) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
      %70 = "tk.smem_slot"(%12, %arg6) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      "tk.async_copy"(%70, %67, %69) {vector = 8 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>) -> ()
      "tk.async_commit"() : () -> ()
      %71 = "tk.smem_slot"(%11, %arg7) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %72 = "tk.smem_slot"(%12, %arg7) : (tensor<32x32xf16, #L4>, i32) -> tensor<32x32xf16, #L4>
      %73 = "tk.smem_load"(%71) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L2>
      %74 = "tk.smem_load"(%72) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L5>
      %75 = "tk.dot"(%73, %74, %arg5) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L2>, tensor<32x32xf16, #L5>, tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L2>
      %76 = arith.addi %arg6, %c1_i32 : i32
      %77 = arith.cmpi slt, %76, %c3_i32 : i32
      %78 = arith.select %77, %76, %c0_i32 : i32
      %79 = arith.addi %arg7, %c1_i32 : i32
      %80 = arith.cmpi slt, %79, %c3_i32 : i32
      %81 = arith.select %80, %79, %c0_i32 : i32
      scf.yield %75, %78, %81 : tensor<32x32xf32, #L2>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %48 = "tk.convert_layout"(%47#0) {scratch = 0 : i32} : (tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L3>
    %49 = arith.muli %2, %cst_0 : tensor<32x1xi32, #L1>
    %50 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %51 = "tk.addptr"(%50, %49) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %52 = "tk.broadcast"(%51) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %53 = "tk.addptr"(%52, %10) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    "tk.store"(%53, %48) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

