// chip: sm_80
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// The gate stays in registers and is loaded a step ahead; operands of the dot are copied.
#L0 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 0>}
#L3 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32>, warp = array<i32: 8, 16>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8>, warp = array<i32: 512, 16>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512>}
#L9 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 0>}
#L10 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 512>, warp = array<i32: 0, 16>}
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L3>
    %4 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L4>
    %5 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %6 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<32xi32, #L4>) -> tensor<32x1xi32, #L4>
    %cst = arith.constant dense<32> : tensor<32x1xi32, #L1>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32, #L4>
    %7 = arith.muli %5, %cst : tensor<32x1xi32, #L1>
    %8 = arith.muli %6, %cst_0 : tensor<32x1xi32, #L4>
    %9 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %10 = "tk.expand_dims"(%3) {axis = 0 : i32} : (tensor<32xi32, #L3>) -> tensor<1x32xi32, #L3>
    %11 = "tk.broadcast"(%7) : (tensor<32x1xi32, #L1>) -> tensor<32x32xi32, #L5>
    %12 = "tk.broadcast"(%8) : (tensor<32x1xi32, #L4>) -> tensor<32x32xi32, #L6>
    %13 = "tk.broadcast"(%9) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L5>
    %14 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L3>) -> tensor<32x32xi32, #L6>
    %15 = arith.addi %11, %13 : tensor<32x32xi32, #L5>
    %16 = arith.addi %12, %14 : tensor<32x32xi32, #L6>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L7>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %17 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %18 = "tk.addptr"(%17, %16) : (tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi32, #L6>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %c1024_i32 = arith.constant 1024 : i32
    %c32_i32 = arith.constant 32 : i32
    %19 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x32xf16, #L8>
    %20 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x32xf16, #L8>
    %c2_i32 = arith.constant 2 : i32
    %21 = arith.muli %c1_i32, %c2_i32 : i32
    %22 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %23 = arith.muli %c0_i32, %c1024_i32 : i32
    %24 = "tk.addptr"(%arg1, %23) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %25 = "tk.splat"(%24) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %26 = "tk.addptr"(%25, %16) : (tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi32, #L6>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %c0_i32_2 = arith.constant 0 : i32
    %27 = "tk.smem_slot"(%19, %c0_i32_2) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
    %28 = "tk.splat"(%22) : (i1) -> tensor<32x32xi1, #L6>
    "tk.async_copy"(%27, %18, %28) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
    %29 = "tk.smem_slot"(%20, %c0_i32_2) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
    %30 = "tk.splat"(%22) : (i1) -> tensor<32x32xi1, #L6>
    "tk.async_copy"(%29, %26, %30) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
    "tk.async_commit"() : () -> ()
    %31 = arith.addi %c0_i32, %c1_i32 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %32 = arith.addi %c0_i32, %c1_i32_3 : i32
    %33 = arith.cmpi slt, %32, %arg4 : i32
    %34 = arith.muli %31, %c1024_i32 : i32
    %35 = "tk.addptr"(%arg1, %34) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %36 = "tk.splat"(%35) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %37 = "tk.addptr"(%36, %16) : (tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi32, #L6>) -> tensor<32x32x!tk.ptr<f16>, #L6>
    %c1_i32_4 = arith.constant 1 : i32
    %38 = "tk.smem_slot"(%19, %c1_i32_4) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
    %39 = "tk.splat"(%33) : (i1) -> tensor<32x32xi1, #L6>
    "tk.async_copy"(%38, %18, %39) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
    %40 = "tk.smem_slot"(%20, %c1_i32_4) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
    %41 = "tk.splat"(%33) : (i1) -> tensor<32x32xi1, #L6>
    "tk.async_copy"(%40, %37, %41) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
    "tk.async_commit"() : () -> ()
    %42 = arith.addi %31, %c1_i32 : i32
    %c2_i32_5 = arith.constant 2 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %43:4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %arg2, %arg8 = %c2_i32_5, %arg9 = %c0_i32_6) -> (tensor<32x32xf32, #L7>, !tk.ptr<f32>, i32, i32)  : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %47 = arith.addi %arg5, %21 : i32
      %c2_i32_7 = arith.constant 2 : i32
      %48 = arith.subi %arg4, %arg5 : i32
      %49 = arith.cmpi ugt, %48, %c2_i32_7 : i32
      %50 = arith.muli %47, %c1024_i32 : i32
      %51 = "tk.addptr"(%arg1, %50) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %52 = "tk.splat"(%51) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>, #L6>
      %53 = "tk.addptr"(%52, %16) : (tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi32, #L6>) -> tensor<32x32x!tk.ptr<f16>, #L6>
      %54 = "tk.smem_slot"(%19, %arg8) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
      %55 = "tk.splat"(%49) : (i1) -> tensor<32x32xi1, #L6>
      "tk.async_copy"(%54, %18, %55) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
      %56 = "tk.smem_slot"(%20, %arg8) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
      %57 = "tk.splat"(%49) : (i1) -> tensor<32x32xi1, #L6>
      "tk.async_copy"(%56, %53, %57) {vector = 8 : i32} : (tensor<32x32xf16, #L8>, tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi1, #L6>) -> ()
      "tk.async_commit"() : () -> ()
      %58 = "tk.splat"(%arg7) : (!tk.ptr<f32>) -> tensor<32x!tk.ptr<f32>, #L2>
      %59 = "tk.addptr"(%58, %2) : (tensor<32x!tk.ptr<f32>, #L2>, tensor<32xi32, #L2>) -> tensor<32x!tk.ptr<f32>, #L2>
      %60 = "tk.load"(%59) {tk.role = "load_ahead", vector = 1 : i32} : (tensor<32x!tk.ptr<f32>, #L2>) -> tensor<32xf32, #L2>
      %61 = "tk.smem_slot"(%19, %arg9) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
      %62 = "tk.smem_load"(%61) : (tensor<32x32xf16, #L8>) -> tensor<32x32xf16, #L9>
      %63 = arith.muli %arg5, %c1024_i32 : i32
      %64 = "tk.addptr"(%arg1, %63) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %65 = "tk.splat"(%64) : (!tk.ptr<f16>) -> tensor<32x32x!tk.ptr<f16>, #L6>
      %66 = "tk.addptr"(%65, %16) : (tensor<32x32x!tk.ptr<f16>, #L6>, tensor<32x32xi32, #L6>) -> tensor<32x32x!tk.ptr<f16>, #L6>
      %67 = "tk.smem_slot"(%20, %arg9) : (tensor<32x32xf16, #L8>, i32) -> tensor<32x32xf16, #L8>
      %68 = "tk.smem_load"(%67) : (tensor<32x32xf16, #L8>) -> tensor<32x32xf16, #L10>
      %69 = "tk.expand_dims"(%60) {axis = 1 : i32} : (tensor<32xf32, #L2>) -> tensor<32x1xf32, #L2>
      %70 = "tk.broadcast"(%69) : (tensor<32x1xf32, #L2>) -> tensor<32x32xf32, #L7>
      %71 = arith.mulf %arg6, %70 : tensor<32x32xf32, #L7>
      %72 = "tk.dot"(%62, %68, %71) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L9>, tensor<32x32xf16, #L10>, tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L7>
      %73 = "tk.addptr"(%arg7, %c32_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c1_i32_8 = arith.constant 1 : i32
      %74 = arith.addi %arg8, %c1_i32_8 : i32
      %c3_i32 = arith.constant 3 : i32
      %75 = arith.cmpi slt, %74, %c3_i32 : i32
      %c0_i32_9 = arith.constant 0 : i32
      %76 = arith.select %75, %74, %c0_i32_9 : i32
      %c1_i32_10 = arith.constant 1 : i32
      %77 = arith.addi %arg9, %c1_i32_10 : i32
      %c3_i32_11 = arith.constant 3 : i32
      %78 = arith.cmpi slt, %77, %c3_i32_11 : i32
      %c0_i32_12 = arith.constant 0 : i32
      %79 = arith.select %78, %77, %c0_i32_12 : i32
      scf.yield %72, %73, %76, %79 : tensor<32x32xf32, #L7>, !tk.ptr<f32>, i32, i32
    } {tk.pipeline = "3 stages"}
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %44 = "tk.convert_layout"(%43#0) : (tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L5>
    %45 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>, #L5>
    %46 = "tk.addptr"(%45, %15) : (tensor<32x32x!tk.ptr<f32>, #L5>, tensor<32x32xi32, #L5>) -> tensor<32x32x!tk.ptr<f32>, #L5>
    "tk.store"(%46, %44) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L5>, tensor<32x32xf32, #L5>) -> ()
    return
  }
}

