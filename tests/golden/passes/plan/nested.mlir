// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// Stages of two loops, one within the other, do not fit together: the outer one stays as it is.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 64, 128, 256, 512, 1024, 4>, register = array<i32: 1, 2, 8, 16, 32>, warp = array<i32: 2048, 4096>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 512, 1024>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 512, 1024>}
#L7 = {lane = array<i32: 128, 256, 512, 1024, 2048, 4>, register = array<i32: 1, 2, 4096, 8, 16, 32, 64>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 1, 2, 4, 8, 16, 256>, register = array<i32: 64, 128, 32, 512, 1024, 2048, 4096>, warp = array<i32: 0, 0>}
#L9 = {lane = array<i32: 128, 256, 512, 1024, 2048, 4>, register = array<i32: 1, 2, 8, 16, 32, 64>, warp = array<i32: 4096, 8192>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
module {
  func.func @operand_of_outer_loop(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L4>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %4 = "tk.expand_dims"(%3) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %cst_0 = arith.constant dense<128> : tensor<64x1xi32, #L3>
    %5 = arith.muli %4, %cst_0 : tensor<64x1xi32, #L3>
    %6 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %7 = "tk.broadcast"(%6) : (tensor<1x128xi32, #L1>) -> tensor<64x128xi32, #L5>
    %8 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %cst_1 = arith.constant dense<128> : tensor<128x1xi32, #L0>
    %9 = arith.muli %8, %cst_1 : tensor<128x1xi32, #L0>
    %10 = "tk.broadcast"(%6) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L6>
    %11 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<128x64xf32, #L4>)  : i32 {
      %20 = arith.muli %arg5, %c64_i32 : i32
      %21 = arith.muli %20, %c128_i32 : i32
      %22 = "tk.addptr"(%arg1, %21) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %23 = "tk.splat"(%22) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %24 = "tk.addptr"(%23, %5) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
      %25 = "tk.broadcast"(%24) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x128x!tk.ptr<f16>, #L5>
      %26 = "tk.addptr"(%25, %7) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
      %27 = "tk.load"(%26) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L5>) -> tensor<64x128xf16, #L5>
      %28 = "tk.convert_layout"(%27) : (tensor<64x128xf16, #L5>) -> tensor<64x128xf16, #L7>
      %29 = "tk.trans"(%28) {order = array<i32: 1, 0>} : (tensor<64x128xf16, #L7>) -> tensor<128x64xf16, #L8>
      %30 = scf.for %arg7 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg8 = %arg6) -> (tensor<128x64xf32, #L4>)  : i32 {
        %31 = arith.muli %arg7, %c128_i32 : i32
        %32 = arith.muli %31, %c128_i32 : i32
        %33 = "tk.addptr"(%arg0, %32) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
        %34 = "tk.splat"(%33) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
        %35 = "tk.addptr"(%34, %9) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
        %36 = "tk.broadcast"(%35) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x128x!tk.ptr<f16>, #L6>
        %37 = "tk.addptr"(%36, %10) : (tensor<128x128x!tk.ptr<f16>, #L6>, tensor<128x128xi32, #L6>) -> tensor<128x128x!tk.ptr<f16>, #L6>
        %38 = "tk.load"(%37) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L6>) -> tensor<128x128xf16, #L6>
        %39 = "tk.convert_layout"(%38) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L9>
        %40 = "tk.dot"(%39, %29, %arg8) {instruction = "mfma.f32.32x32x8f16", precision = "tf32"} : (tensor<128x128xf16, #L9>, tensor<128x64xf16, #L8>, tensor<128x64xf32, #L4>) -> tensor<128x64xf32, #L4>
        scf.yield %40 : tensor<128x64xf32, #L4>
      }
      scf.yield %30 : tensor<128x64xf32, #L4>
    }
    %12 = "tk.convert_layout"(%11) : (tensor<128x64xf32, #L4>) -> tensor<128x64xf32, #L10>
    %cst_2 = arith.constant dense<64> : tensor<128x1xi32, #L0>
    %13 = arith.muli %8, %cst_2 : tensor<128x1xi32, #L0>
    %14 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %15 = "tk.addptr"(%14, %13) : (tensor<128x1x!tk.ptr<f32>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f32>, #L0>
    %16 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %17 = "tk.broadcast"(%15) : (tensor<128x1x!tk.ptr<f32>, #L0>) -> tensor<128x64x!tk.ptr<f32>, #L10>
    %18 = "tk.broadcast"(%16) : (tensor<1x64xi32, #L2>) -> tensor<128x64xi32, #L10>
    %19 = "tk.addptr"(%17, %18) : (tensor<128x64x!tk.ptr<f32>, #L10>, tensor<128x64xi32, #L10>) -> tensor<128x64x!tk.ptr<f32>, #L10>
    "tk.store"(%19, %12) {vector = 4 : i32} : (tensor<128x64x!tk.ptr<f32>, #L10>, tensor<128x64xf32, #L10>) -> ()
    return
  }
}

