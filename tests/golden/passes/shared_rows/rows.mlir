// chip: sm_90a
// show: tk.load tk.smem_alloc tk.smem_store tk.smem_load tk.reduce math.exp2 tk.store
// The exponentials are computed again from the row, behind each reduction. Beside a scale the row stays in registers.
#L0 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024, 2048>}
module {
  func.func @softmax(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 16 : i32} {
    %0 = "tk.range"() {end = 32768 : i32, start = 0 : i32} : () -> tensor<32768xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %2 = "tk.addptr"(%1, %0) : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi32, #L0>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %3 = "tk.splat"(%arg2) : (i32) -> tensor<32768xi32, #L0>
    %4 = arith.cmpi slt, %0, %3 {constancy = array<i32: 16>} : tensor<32768xi32, #L0>
    %cst = arith.constant dense<0xFC00> : tensor<32768xf16, #L0>
    %5 = "tk.load"(%2, %4, %cst) {vector = 8 : i32} : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi1, #L0>, tensor<32768xf16, #L0>) -> tensor<32768xf16, #L0>
    %6 = arith.extf %5 : tensor<32768xf16, #L0> to tensor<32768xf32, #L0>
    %7 = "tk.reduce"(%6) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.maxnumf %arg3, %arg4 : f32
      "tk.yield"(%18) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<32768xf32, #L0>) -> f32
    %8 = "tk.splat"(%7) : (f32) -> tensor<32768xf32, #L0>
    %9 = arith.subf %6, %8 : tensor<32768xf32, #L0>
    %cst_0 = arith.constant dense<1.44269502> : tensor<32768xf32, #L0>
    %10 = arith.mulf %9, %cst_0 : tensor<32768xf32, #L0>
    %11 = math.exp2 %10 : tensor<32768xf32, #L0>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %13 = "tk.addptr"(%12, %0) : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi32, #L0>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %14 = "tk.reduce"(%11) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%18) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<32768xf32, #L0>) -> f32
    %15 = "tk.splat"(%14) : (f32) -> tensor<32768xf32, #L0>
    %16 = arith.divf %11, %15 : tensor<32768xf32, #L0>
    %17 = arith.truncf %16 : tensor<32768xf32, #L0> to tensor<32768xf16, #L0>
    "tk.store"(%13, %17, %4) {vector = 8 : i32} : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xf16, #L0>, tensor<32768xi1, #L0>) -> ()
    return
  }
  func.func @scaled(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 16 : i32} {
    %0 = "tk.range"() {end = 32768 : i32, start = 0 : i32} : () -> tensor<32768xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %2 = "tk.addptr"(%1, %0) : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi32, #L0>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %3 = "tk.load"(%2) {vector = 8 : i32} : (tensor<32768x!tk.ptr<f16>, #L0>) -> tensor<32768xf16, #L0>
    %4 = arith.extf %3 : tensor<32768xf16, #L0> to tensor<32768xf32, #L0>
    %5 = "tk.reduce"(%4) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %22 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%22) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<32768xf32, #L0>) -> f32
    %cst = arith.constant 3.276800e+04 : f32
    %6 = arith.divf %5, %cst : f32
    %7 = "tk.splat"(%6) : (f32) -> tensor<32768xf32, #L0>
    %8 = arith.subf %4, %7 : tensor<32768xf32, #L0>
    %9 = arith.mulf %8, %8 : tensor<32768xf32, #L0>
    %10 = "tk.reduce"(%9) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %22 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%22) : (f32) -> ()
    }) {axis = 0 : i32, products} : (tensor<32768xf32, #L0>) -> f32
    %11 = math.rsqrt %10 : f32
    %12 = "tk.splat"(%11) : (f32) -> tensor<32768xf32, #L0>
    %13 = arith.mulf %8, %12 : tensor<32768xf32, #L0>
    %14 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %15 = "tk.addptr"(%14, %0) : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi32, #L0>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %16 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %17 = "tk.addptr"(%16, %0) : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xi32, #L0>) -> tensor<32768x!tk.ptr<f16>, #L0>
    %18 = "tk.load"(%17) {vector = 8 : i32} : (tensor<32768x!tk.ptr<f16>, #L0>) -> tensor<32768xf16, #L0>
    %19 = arith.extf %18 : tensor<32768xf16, #L0> to tensor<32768xf32, #L0>
    %20 = arith.mulf %13, %19 : tensor<32768xf32, #L0>
    %21 = arith.truncf %20 : tensor<32768xf32, #L0> to tensor<32768xf16, #L0>
    "tk.store"(%15, %21) {vector = 8 : i32} : (tensor<32768x!tk.ptr<f16>, #L0>, tensor<32768xf16, #L0>) -> ()
    return
  }
}

