// chip: gfx1100
// 4,096 products of a thread: a loop over k, its operands in shared memory.
// show: scf.for tk.smem_* tk.barrier tk.shared_dot tk.dot
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 4, 8, 16, 32>, warp = array<i32: 2>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 256, 512, 1024, 2048>, warp = array<i32: 128>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 64>, register = array<i32: 1, 2, 4, 8, 16, 32, 256, 512, 1024, 2048>, warp = array<i32: 128>}
#L4 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 64, 128, 256, 512, 1024, 2048, 1, 2>, warp = array<i32: 0>}
module {
  func.func @product(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %2 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %cst = arith.constant dense<64> : tensor<64x1xi32, #L1>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #L1>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %5 = "tk.addptr"(%4, %3) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %6 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %7 = "tk.broadcast"(%5) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %8 = "tk.broadcast"(%6) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L2>
    %9 = "tk.addptr"(%7, %8) : (tensor<64x64x!tk.ptr<f32>, #L2>, tensor<64x64xi32, #L2>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %10 = "tk.load"(%9) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L2>) -> tensor<64x64xf32, #L2>
    %11 = "tk.convert_layout"(%10) : (tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L3>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %13 = "tk.addptr"(%12, %3) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %14 = "tk.broadcast"(%13) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %15 = "tk.addptr"(%14, %8) : (tensor<64x64x!tk.ptr<f32>, #L2>, tensor<64x64xi32, #L2>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %16 = "tk.load"(%15) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L2>) -> tensor<64x64xf32, #L2>
    %17 = "tk.convert_layout"(%16) : (tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L4>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %19 = "tk.addptr"(%18, %3) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %20 = "tk.broadcast"(%19) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %21 = "tk.addptr"(%20, %8) : (tensor<64x64x!tk.ptr<f32>, #L2>, tensor<64x64xi32, #L2>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L2>
    %22 = "tk.dot"(%11, %17, %cst_0) {precision = "ieee"} : (tensor<64x64xf32, #L3>, tensor<64x64xf32, #L4>, tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L2>
    "tk.store"(%21, %22) {vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L2>, tensor<64x64xf32, #L2>) -> ()
    return
  }
}

