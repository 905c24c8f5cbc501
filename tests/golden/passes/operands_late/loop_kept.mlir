// chip: gfx1030
// Two products of 64 KiB of operands each: the first operand, which the loop keeps, leaves room for the second product.
// show: scf.for tk.smem_* tk.barrier tk.shared_dot tk.dot
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 64>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 4, 0>, register = array<i32: 1, 2, 64>, warp = array<i32: 8, 16, 32>}
#L4 = {lane = array<i32: 8, 16, 32, 512, 64>, register = array<i32: 1, 2, 4, 128, 256, 8192>, warp = array<i32: 1024, 2048, 4096>}
#L5 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1, 2, 4, 8, 16, 32, 64, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256, 512>}
#L6 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256, 512>}
#L8 = {lane = array<i32: 1024, 2048, 4096, 8192, 1>, register = array<i32: 128, 256, 512, 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L9 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 128, 256, 512, 1024, 2048, 4096, 8192, 1, 2>, warp = array<i32: 0, 0, 0>}
module {
  func.func @chain(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %3 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %4 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %5 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
    %cst = arith.constant dense<128> : tensor<128x1xi32, #L3>
    %6 = arith.muli %5, %cst : tensor<128x1xi32, #L3>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %8 = "tk.addptr"(%7, %6) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %9 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %10 = "tk.broadcast"(%8) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x128x!tk.ptr<f16>, #L4>
    %11 = "tk.broadcast"(%9) : (tensor<1x128xi32, #L2>) -> tensor<128x128xi32, #L4>
    %12 = "tk.addptr"(%10, %11) : (tensor<128x128x!tk.ptr<f16>, #L4>, tensor<128x128xi32, #L4>) -> tensor<128x128x!tk.ptr<f16>, #L4>
    %13 = "tk.load"(%12) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L4>) -> tensor<128x128xf16, #L4>
    %14 = "tk.convert_layout"(%13) : (tensor<128x128xf16, #L4>) -> tensor<128x128xf16, #L5>
    %15 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<128x128xf16, #L6>
    "tk.smem_store"(%15, %13) : (tensor<128x128xf16, #L6>, tensor<128x128xf16, #L4>) -> ()
    "tk.barrier"() : () -> ()
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L7>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_1 = arith.constant dense<128> : tensor<1x128xi32, #L1>
    %16 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>, #L1>
    %17 = "tk.broadcast"(%4) : (tensor<128x1xi32, #L0>) -> tensor<128x128xi32, #L8>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %19 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32 iter_args(%arg6 = %cst_0) -> (tensor<128x128xf32, #L7>)  : i32 {
      %25 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
      %26 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L1>
      %27 = arith.addi %25, %3 : tensor<128xi32, #L3>
      %28 = arith.addi %26, %1 : tensor<128xi32, #L1>
      %29 = "tk.expand_dims"(%28) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
      %30 = arith.muli %29, %cst_1 : tensor<1x128xi32, #L1>
      %31 = "tk.addptr"(%16, %30) : (tensor<1x128x!tk.ptr<f16>, #L1>, tensor<1x128xi32, #L1>) -> tensor<1x128x!tk.ptr<f16>, #L1>
      %32 = "tk.broadcast"(%31) : (tensor<1x128x!tk.ptr<f16>, #L1>) -> tensor<128x128x!tk.ptr<f16>, #L8>
      %33 = "tk.addptr"(%32, %17) : (tensor<128x128x!tk.ptr<f16>, #L8>, tensor<128x128xi32, #L8>) -> tensor<128x128x!tk.ptr<f16>, #L8>
      %34 = "tk.load"(%33) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L8>) -> tensor<128x128xf16, #L8>
      %35 = "tk.convert_layout"(%34) : (tensor<128x128xf16, #L8>) -> tensor<128x128xf16, #L9>
      %36 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
      %37 = arith.muli %36, %cst : tensor<128x1xi32, #L3>
      %38 = "tk.addptr"(%18, %37) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
      %39 = "tk.broadcast"(%38) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x128x!tk.ptr<f16>, #L4>
      %40 = "tk.addptr"(%39, %11) : (tensor<128x128x!tk.ptr<f16>, #L4>, tensor<128x128xi32, #L4>) -> tensor<128x128x!tk.ptr<f16>, #L4>
      %41 = "tk.load"(%40) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L4>) -> tensor<128x128xf16, #L4>
      %42 = "tk.convert_layout"(%41) : (tensor<128x128xf16, #L4>) -> tensor<128x128xf16, #L9>
      %43 = "tk.smem_load"(%15) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L5>
      %44 = "tk.dot"(%43, %35, %cst_0) {precision = "ieee"} : (tensor<128x128xf16, #L5>, tensor<128x128xf16, #L9>, tensor<128x128xf32, #L7>) -> tensor<128x128xf32, #L7>
      %45 = arith.truncf %44 : tensor<128x128xf32, #L7> to tensor<128x128xf16, #L7>
      %46 = "tk.convert_layout"(%45) : (tensor<128x128xf16, #L7>) -> tensor<128x128xf16, #L5>
      %47 = "tk.dot"(%46, %42, %arg6) {precision = "ieee"} : (tensor<128x128xf16, #L5>, tensor<128x128xf16, #L9>, tensor<128x128xf32, #L7>) -> tensor<128x128xf32, #L7>
      scf.yield %47 : tensor<128x128xf32, #L7>
    } {tk.pipeline = "left alone: operands are kept in shared memory for want of registers, and tiles on their way would need some"}
    %20 = "tk.convert_layout"(%19) : (tensor<128x128xf32, #L7>) -> tensor<128x128xf32, #L4>
    %21 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L3>
    %22 = "tk.addptr"(%21, %6) : (tensor<128x1x!tk.ptr<f32>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f32>, #L3>
    %23 = "tk.broadcast"(%22) : (tensor<128x1x!tk.ptr<f32>, #L3>) -> tensor<128x128x!tk.ptr<f32>, #L4>
    %24 = "tk.addptr"(%23, %11) : (tensor<128x128x!tk.ptr<f32>, #L4>, tensor<128x128xi32, #L4>) -> tensor<128x128x!tk.ptr<f32>, #L4>
    "tk.store"(%24, %20) {vector = 4 : i32} : (tensor<128x128x!tk.ptr<f32>, #L4>, tensor<128x128xf32, #L4>) -> ()
    return
  }
}

