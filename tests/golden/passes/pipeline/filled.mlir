// chip: sm_80
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// Copies fill with +0: beside a tile that is filled with -0 the other one goes through registers, too.
#L0 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 16>, warp = array<i32: 8>}
#L2 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 512>, warp = array<i32: 256>}
#L4 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 16, 512>, warp = array<i32: 0>}
module {
  func.func @product(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i1) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L2>
    %2 = "tk.splat"(%arg4) : (i1) -> tensor<32x32xi1, #L3>
    %cst_0 = arith.constant dense<-0.000000e+00> : tensor<32x32xf16, #L3>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x32xf16, #L3>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %3 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %4 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L1>
    %5 = arith.muli %3, %4 : tensor<32x1xi32, #L1>
    %6 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %7 = "tk.addptr"(%6, %5) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %8 = "tk.broadcast"(%7) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %cst_2 = arith.constant dense<32> : tensor<32x1xi32, #L1>
    %9 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %10 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %11 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
    %12 = scf.for %arg5 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg6 = %cst) -> (tensor<32x32xf32, #L2>)  : i32 {
      %19 = "tk.splat"(%arg5) {tk.stage = 0 : i32} : (i32) -> tensor<32xi32, #L1>
      %20 = "tk.splat"(%arg5) {tk.stage = 0 : i32} : (i32) -> tensor<32xi32, #L0>
      %21 = arith.addi %19, %1 {tk.stage = 0 : i32} : tensor<32xi32, #L1>
      %22 = arith.addi %20, %0 {tk.stage = 0 : i32} : tensor<32xi32, #L0>
      %23 = "tk.expand_dims"(%22) {axis = 0 : i32, tk.stage = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %24 = "tk.broadcast"(%23) {tk.stage = 0 : i32} : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %25 = "tk.addptr"(%8, %24) {tk.stage = 0 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %26 = "tk.load"(%25, %2, %cst_0) {tk.role = "copy", tk.slots = 2 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>, tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L3>
      %27 = "tk.convert_layout"(%26) {tk.stage = 1 : i32} : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L2>
      %28 = "tk.expand_dims"(%21) {axis = 1 : i32, tk.stage = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %29 = arith.muli %28, %cst_2 {tk.stage = 0 : i32} : tensor<32x1xi32, #L1>
      %30 = "tk.addptr"(%9, %29) {tk.stage = 0 : i32} : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %31 = "tk.broadcast"(%30) {tk.stage = 0 : i32} : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %32 = "tk.addptr"(%31, %11) {tk.stage = 0 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %33 = "tk.load"(%32, %2, %cst_1) {tk.role = "copy", tk.slots = 2 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>, tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L3>
      %34 = "tk.convert_layout"(%33) {tk.stage = 1 : i32} : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L4>
      %35 = "tk.dot"(%27, %34, %arg6) {instruction = "mma.m16n8k16.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<32x32xf16, #L2>, tensor<32x32xf16, #L4>, tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L2>
      scf.yield {tk.stage = 1 : i32} %35 : tensor<32x32xf32, #L2>
    } {tk.copies = "registers", tk.pipeline = "2 stages, through registers"}
    %13 = "tk.convert_layout"(%12) : (tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L3>
    %14 = arith.muli %3, %cst_2 : tensor<32x1xi32, #L1>
    %15 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %16 = "tk.addptr"(%15, %14) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %17 = "tk.broadcast"(%16) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %18 = "tk.addptr"(%17, %11) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    "tk.store"(%18, %13) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

