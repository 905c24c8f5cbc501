// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// A loop of one stage: its tiles are stored and read by the same step, each in a buffer of its own.
#L0 = {lane = array<i32: 8, 16, 0, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4, 8>, register = array<i32>, warp = array<i32: 16>}
#L2 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2, 16>, warp = array<i32: 512>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4>, warp = array<i32: 512>}
#L4 = {shared = array<i32: 1, 2, 16, 8, 32, 64, 136, 4, 256, 512>}
#L5 = {shared = array<i32: 32, 64, 16, 1, 2, 4, 130, 9, 256, 512>}
#L6 = {lane = array<i32: 1, 2, 4, 8, 128, 256>, register = array<i32: 32, 64, 16, 512>, warp = array<i32: 0>}
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
    %11 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<32x32xf16, #L4>
    %12 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<32x32xf16, #L5>
    %13 = scf.for %arg4 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst) -> (tensor<32x32xf32, #L2>)  : i32 {
      %20 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L1>
      %21 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L0>
      %22 = arith.addi %20, %1 : tensor<32xi32, #L1>
      %23 = arith.addi %21, %0 : tensor<32xi32, #L0>
      %24 = "tk.expand_dims"(%23) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %25 = "tk.broadcast"(%24) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %26 = "tk.addptr"(%7, %25) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %27 = "tk.load"(%26) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>) -> tensor<32x32xf16, #L3>
      "tk.smem_store"(%11, %27) : (tensor<32x32xf16, #L4>, tensor<32x32xf16, #L3>) -> ()
      %28 = "tk.smem_load"(%11) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L2>
      %29 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %30 = arith.muli %29, %cst_0 : tensor<32x1xi32, #L1>
      %31 = "tk.addptr"(%8, %30) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %32 = "tk.broadcast"(%31) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %33 = "tk.addptr"(%32, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %34 = "tk.load"(%33) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>) -> tensor<32x32xf16, #L3>
      "tk.smem_store"(%12, %34) : (tensor<32x32xf16, #L5>, tensor<32x32xf16, #L3>) -> ()
      %35 = "tk.smem_load"(%12) : (tensor<32x32xf16, #L5>) -> tensor<32x32xf16, #L6>
      %36 = "tk.dot"(%28, %35, %arg5) {instruction = "mfma.f32.16x16x16f16", precision = "tf32"} : (tensor<32x32xf16, #L2>, tensor<32x32xf16, #L6>, tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L2>
      scf.yield %36 : tensor<32x32xf32, #L2>
    } {tk.num_stages = 1 : i32, tk.pipeline = "1 stage, read in its own iteration"}
    %14 = "tk.convert_layout"(%13) : (tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L3>
    %15 = arith.muli %2, %cst_0 : tensor<32x1xi32, #L1>
    %16 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %17 = "tk.addptr"(%16, %15) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %18 = "tk.broadcast"(%17) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %19 = "tk.addptr"(%18, %10) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    "tk.store"(%19, %14) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

