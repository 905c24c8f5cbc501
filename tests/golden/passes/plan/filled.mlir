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
    %inside = "tk.splat"(%arg4) : (i1) -> tensor<32x32xi1, #L3>
    %minus = arith.constant dense<-0.000000e+00> : tensor<32x32xf16, #L3>
    %plus = arith.constant dense<0.000000e+00> : tensor<32x32xf16, #L3>
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
    %11 = scf.for %k = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst) -> (tensor<32x32xf32, #L2>)  : i32 {
      %18 = "tk.splat"(%k) : (i32) -> tensor<32xi32, #L1>
      %19 = "tk.splat"(%k) : (i32) -> tensor<32xi32, #L0>
      %20 = arith.addi %18, %1 : tensor<32xi32, #L1>
      %21 = arith.addi %19, %0 : tensor<32xi32, #L0>
      %22 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %23 = "tk.broadcast"(%22) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L3>
      %24 = "tk.addptr"(%7, %23) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %25 = "tk.load"(%24, %inside, %minus) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>, tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L3>
      %26 = "tk.convert_layout"(%25) : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L2>
      %27 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
      %28 = arith.muli %27, %cst_0 : tensor<32x1xi32, #L1>
      %29 = "tk.addptr"(%8, %28) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
      %30 = "tk.broadcast"(%29) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %31 = "tk.addptr"(%30, %10) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      %32 = "tk.load"(%31, %inside, %plus) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi1, #L3>, tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L3>
      %33 = "tk.convert_layout"(%32) : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L4>
      %34 = "tk.dot"(%26, %33, %arg5) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L2>, tensor<32x32xf16, #L4>, tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L2>
      scf.yield %34 : tensor<32x32xf32, #L2>
    }
    %12 = "tk.convert_layout"(%11) : (tensor<32x32xf32, #L2>) -> tensor<32x32xf32, #L3>
    %13 = arith.muli %2, %cst_0 : tensor<32x1xi32, #L1>
    %14 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %15 = "tk.addptr"(%14, %13) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %16 = "tk.broadcast"(%15) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %17 = "tk.addptr"(%16, %10) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    "tk.store"(%17, %12) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

