// chip: gfx1030
// Tiles of f8, widened to f16 for the product: shared memory holds them as f8, and the loop over k widens them.
// show: tk.smem_* tk.barrier tk.fp_to_fp tk.shared_dot tk.dot
#L0 = {lane = array<i32: 16, 32, 64, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L2 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8, 4096, 8192>, warp = array<i32: 512, 1024, 2048>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1, 2, 4, 8, 16, 32, 64, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256, 512>}
#L4 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 128, 256, 512, 1024, 2048, 4096, 8192, 1, 2>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256, 512>}
module {
  func.func @product(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E5M2> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %2 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %cst = arith.constant dense<128> : tensor<128x1xi32, #L1>
    %3 = arith.muli %2, %cst : tensor<128x1xi32, #L1>
    %4 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
    %5 = "tk.broadcast"(%3) : (tensor<128x1xi32, #L1>) -> tensor<128x128xi32, #L2>
    %6 = "tk.broadcast"(%4) : (tensor<1x128xi32, #L0>) -> tensor<128x128xi32, #L2>
    %7 = arith.addi %5, %6 : tensor<128x128xi32, #L2>
    %8 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<128x128x!tk.ptr<f32>, #L2>
    %9 = "tk.addptr"(%8, %7) : (tensor<128x128x!tk.ptr<f32>, #L2>, tensor<128x128xi32, #L2>) -> tensor<128x128x!tk.ptr<f32>, #L2>
    %10 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L2>
    %11 = "tk.addptr"(%10, %7) : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L2>, tensor<128x128xi32, #L2>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L2>
    %12 = "tk.load"(%11) {vector = 16 : i32} : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L2>) -> tensor<128x128xf8E4M3FN, #L2>
    %13 = "tk.convert_layout"(%12) : (tensor<128x128xf8E4M3FN, #L2>) -> tensor<128x128xf8E4M3FN, #L3>
    %14 = "tk.splat"(%arg1) : (!tk.ptr<f8E5M2>) -> tensor<128x128x!tk.ptr<f8E5M2>, #L2>
    %15 = "tk.addptr"(%14, %7) : (tensor<128x128x!tk.ptr<f8E5M2>, #L2>, tensor<128x128xi32, #L2>) -> tensor<128x128x!tk.ptr<f8E5M2>, #L2>
    %16 = "tk.load"(%15) {vector = 16 : i32} : (tensor<128x128x!tk.ptr<f8E5M2>, #L2>) -> tensor<128x128xf8E5M2, #L2>
    %17 = "tk.convert_layout"(%16) : (tensor<128x128xf8E5M2, #L2>) -> tensor<128x128xf8E5M2, #L4>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L5>
    %18 = "tk.fp_to_fp"(%13) {rounding = "rtne"} : (tensor<128x128xf8E4M3FN, #L3>) -> tensor<128x128xf16, #L3>
    %19 = "tk.fp_to_fp"(%17) {rounding = "rtne"} : (tensor<128x128xf8E5M2, #L4>) -> tensor<128x128xf16, #L4>
    %20 = "tk.dot"(%18, %19, %cst_0) {precision = "ieee"} : (tensor<128x128xf16, #L3>, tensor<128x128xf16, #L4>, tensor<128x128xf32, #L5>) -> tensor<128x128xf32, #L5>
    %21 = "tk.convert_layout"(%20) : (tensor<128x128xf32, #L5>) -> tensor<128x128xf32, #L2>
    "tk.store"(%9, %21) {vector = 4 : i32} : (tensor<128x128x!tk.ptr<f32>, #L2>, tensor<128x128xf32, #L2>) -> ()
    return
  }
}

