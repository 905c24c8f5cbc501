// chip: sm_90a
// show: tk.load tk.convert_layout tk.dot tk.store
// All loads of a product outside of loops are ahead of the first exchange.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 1, 2, 4, 8>, register = array<i32: 64>, warp = array<i32: 16, 32>}
#L5 = {lane = array<i32: 8, 0, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 4, 8, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
#L8 = {lane = array<i32: 2, 4, 16, 32, 64>, register = array<i32: 1, 128, 8>, warp = array<i32: 256, 512>}
#L9 = {lane = array<i32: 1024, 1, 2, 4, 8>, register = array<i32: 128, 256, 512, 64>, warp = array<i32: 16, 32>}
#L10 = {shared = array<i32: 128, 256, 512, 1024, 1, 2, 1028, 8, 16, 32, 64>}
#L11 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096>}
#L12 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
module {
  func.func @adapter(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %3 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L0>
    %4 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L1>
    %5 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L2>
    %6 = arith.cmpi slt, %0, %3 : tensor<64xi32, #L0>
    %7 = arith.cmpi slt, %1, %4 : tensor<64xi32, #L1>
    %8 = arith.cmpi slt, %2, %5 : tensor<64xi32, #L2>
    %9 = "tk.splat"(%arg3) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L2>
    %10 = "tk.addptr"(%9, %2) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<i32>, #L2>
    %cst = arith.constant dense<0> : tensor<64xi32, #L2>
    %11 = "tk.load"(%10, %8, %cst) {vector = 1 : i32} : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi1, #L2>, tensor<64xi32, #L2>) -> tensor<64xi32, #L2>
    %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %13 = arith.muli %12, %c128_i32 : i32
    %14 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %15 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
    %16 = "tk.splat"(%13) : (i32) -> tensor<128xi32, #L3>
    %17 = "tk.splat"(%13) : (i32) -> tensor<128xi32, #L4>
    %18 = arith.addi %16, %14 : tensor<128xi32, #L3>
    %19 = arith.addi %17, %15 : tensor<128xi32, #L4>
    %20 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L5>
    %21 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L6>
    %22 = "tk.expand_dims"(%11) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %cst_0 = arith.constant dense<16> : tensor<64x1xi32, #L2>
    %23 = arith.muli %22, %cst_0 : tensor<64x1xi32, #L2>
    %24 = "tk.convert_layout"(%23) : (tensor<64x1xi32, #L2>) -> tensor<64x1xi32, #L1>
    %25 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %26 = "tk.addptr"(%25, %24) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %27 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<16xi32, #L6>) -> tensor<1x16xi32, #L6>
    %28 = "tk.broadcast"(%26) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x16x!tk.ptr<f32>, #L7>
    %29 = "tk.broadcast"(%27) : (tensor<1x16xi32, #L6>) -> tensor<64x16xi32, #L7>
    %30 = "tk.addptr"(%28, %29) : (tensor<64x16x!tk.ptr<f32>, #L7>, tensor<64x16xi32, #L7>) -> tensor<64x16x!tk.ptr<f32>, #L7>
    %31 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<64xi1, #L0>) -> tensor<64x1xi1, #L0>
    %32 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
    %33 = "tk.broadcast"(%32) : (tensor<64x1xi1, #L1>) -> tensor<64x16xi1, #L7>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #L7>
    %34 = "tk.load"(%30, %33, %cst_1) {vector = 4 : i32} : (tensor<64x16x!tk.ptr<f32>, #L7>, tensor<64x16xi1, #L7>, tensor<64x16xf32, #L7>) -> tensor<64x16xf32, #L7>
    %35 = "tk.convert_layout"(%34) : (tensor<64x16xf32, #L7>) -> tensor<64x16xf32, #L8>
    %36 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<1x128xi32, #L3>
    %37 = "tk.expand_dims"(%19) {axis = 0 : i32} : (tensor<128xi32, #L4>) -> tensor<1x128xi32, #L4>
    %cst_2 = arith.constant dense<16> : tensor<1x128xi32, #L4>
    %38 = arith.muli %37, %cst_2 : tensor<1x128xi32, #L4>
    %39 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>, #L4>
    %40 = "tk.addptr"(%39, %38) : (tensor<1x128x!tk.ptr<f16>, #L4>, tensor<1x128xi32, #L4>) -> tensor<1x128x!tk.ptr<f16>, #L4>
    %41 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<16xi32, #L5>) -> tensor<16x1xi32, #L5>
    %42 = "tk.broadcast"(%40) : (tensor<1x128x!tk.ptr<f16>, #L4>) -> tensor<16x128x!tk.ptr<f16>, #L9>
    %43 = "tk.broadcast"(%41) : (tensor<16x1xi32, #L5>) -> tensor<16x128xi32, #L9>
    %44 = "tk.addptr"(%42, %43) : (tensor<16x128x!tk.ptr<f16>, #L9>, tensor<16x128xi32, #L9>) -> tensor<16x128x!tk.ptr<f16>, #L9>
    %45 = "tk.load"(%44) {vector = 8 : i32} : (tensor<16x128x!tk.ptr<f16>, #L9>) -> tensor<16x128xf16, #L9>
    %46 = "tk.convert_layout"(%45) : (tensor<16x128xf16, #L9>) -> tensor<16x128xf16, #L10>
    %47 = arith.truncf %35 : tensor<64x16xf32, #L8> to tensor<64x16xf16, #L8>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L11>
    %48 = "tk.dot"(%47, %46, %cst_3) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x16xf16, #L8>, tensor<16x128xf16, #L10>, tensor<64x128xf32, #L11>) -> tensor<64x128xf32, #L11>
    %cst_4 = arith.constant dense<256> : tensor<64x1xi32, #L2>
    %49 = arith.muli %22, %cst_4 : tensor<64x1xi32, #L2>
    %50 = "tk.convert_layout"(%49) : (tensor<64x1xi32, #L2>) -> tensor<64x1xi32, #L0>
    %51 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %52 = "tk.addptr"(%51, %50) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %53 = "tk.broadcast"(%52) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x128x!tk.ptr<f16>, #L12>
    %54 = "tk.broadcast"(%36) : (tensor<1x128xi32, #L3>) -> tensor<64x128xi32, #L12>
    %55 = "tk.addptr"(%53, %54) : (tensor<64x128x!tk.ptr<f16>, #L12>, tensor<64x128xi32, #L12>) -> tensor<64x128x!tk.ptr<f16>, #L12>
    %56 = "tk.broadcast"(%31) : (tensor<64x1xi1, #L0>) -> tensor<64x128xi1, #L12>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L12>
    %57 = "tk.load"(%55, %56, %cst_5) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L12>, tensor<64x128xi1, #L12>, tensor<64x128xf16, #L12>) -> tensor<64x128xf16, #L12>
    %58 = "tk.convert_layout"(%57) : (tensor<64x128xf16, #L12>) -> tensor<64x128xf16, #L11>
    %59 = arith.truncf %48 : tensor<64x128xf32, #L11> to tensor<64x128xf16, #L11>
    %60 = arith.addf %58, %59 : tensor<64x128xf16, #L11>
    %61 = "tk.convert_layout"(%60) : (tensor<64x128xf16, #L11>) -> tensor<64x128xf16, #L12>
    "tk.store"(%55, %61, %56) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L12>, tensor<64x128xf16, #L12>, tensor<64x128xi1, #L12>) -> ()
    return
  }
}
