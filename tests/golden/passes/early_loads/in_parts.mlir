// chip: sm_90a
// show: tk.load tk.reduce tk.store
// Half of the second vector goes ahead of each sum with the first: 16 registers are left before a block less fits.
#L0 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096>, warp = array<i32: 128, 256>}
module {
  func.func @behind_sums(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 8192 : i32, start = 0 : i32} : () -> tensor<8192xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %2 = "tk.addptr"(%1, %0) : (tensor<8192x!tk.ptr<f16>, #L0>, tensor<8192xi32, #L0>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %3 = "tk.load"(%2) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f16>, #L0>) -> tensor<8192xf16, #L0>
    %4 = arith.extf %3 : tensor<8192xf16, #L0> to tensor<8192xf32, #L0>
    %5 = "tk.reduce"(%4) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %32 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%32) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<8192xf32, #L0>) -> f32
    %6 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %7 = "tk.addptr"(%6, %0) : (tensor<8192x!tk.ptr<f16>, #L0>, tensor<8192xi32, #L0>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %8 = "tk.load"(%7) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f16>, #L0>) -> tensor<8192xf16, #L0>
    %9 = arith.extf %8 : tensor<8192xf16, #L0> to tensor<8192xf32, #L0>
    %10 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %11 = "tk.addptr"(%10, %0) : (tensor<8192x!tk.ptr<f16>, #L0>, tensor<8192xi32, #L0>) -> tensor<8192x!tk.ptr<f16>, #L0>
    %12 = "tk.load"(%11) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f16>, #L0>) -> tensor<8192xf16, #L0>
    %13 = arith.extf %12 : tensor<8192xf16, #L0> to tensor<8192xf32, #L0>
    %14 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<8192x!tk.ptr<f32>, #L0>
    %15 = "tk.addptr"(%14, %0) : (tensor<8192x!tk.ptr<f32>, #L0>, tensor<8192xi32, #L0>) -> tensor<8192x!tk.ptr<f32>, #L0>
    %16 = math.fma %4, %9, %13 : tensor<8192xf32, #L0>
    %17 = "tk.splat"(%5) : (f32) -> tensor<8192xf32, #L0>
    %18 = arith.addf %16, %17 : tensor<8192xf32, #L0>
    "tk.store"(%15, %18) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f32>, #L0>, tensor<8192xf32, #L0>) -> ()
    %19 = arith.mulf %4, %4 : tensor<8192xf32, #L0>
    %20 = "tk.reduce"(%19) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %32 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%32) : (f32) -> ()
    }) {axis = 0 : i32, products} : (tensor<8192xf32, #L0>) -> f32
    %21 = "tk.splat"(%arg5) : (i32) -> tensor<8192xi32, #L0>
    %22 = arith.cmpi slt, %0, %21 {constancy = array<i32: 16>} : tensor<8192xi32, #L0>
    %cst = arith.constant dense<2.000000e+00> : tensor<8192xf16, #L0>
    %23 = "tk.load"(%7, %22, %cst) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f16>, #L0>, tensor<8192xi1, #L0>, tensor<8192xf16, #L0>) -> tensor<8192xf16, #L0>
    %24 = arith.extf %23 : tensor<8192xf16, #L0> to tensor<8192xf32, #L0>
    %cst_0 = arith.constant dense<3.000000e+00> : tensor<8192xf16, #L0>
    %25 = "tk.load"(%11, %22, %cst_0) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f16>, #L0>, tensor<8192xi1, #L0>, tensor<8192xf16, #L0>) -> tensor<8192xf16, #L0>
    %26 = arith.extf %25 : tensor<8192xf16, #L0> to tensor<8192xf32, #L0>
    %27 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<8192x!tk.ptr<f32>, #L0>
    %28 = "tk.addptr"(%27, %0) : (tensor<8192x!tk.ptr<f32>, #L0>, tensor<8192xi32, #L0>) -> tensor<8192x!tk.ptr<f32>, #L0>
    %29 = math.fma %4, %24, %26 : tensor<8192xf32, #L0>
    %30 = "tk.splat"(%20) : (f32) -> tensor<8192xf32, #L0>
    %31 = arith.addf %29, %30 : tensor<8192xf32, #L0>
    "tk.store"(%28, %31) {vector = 4 : i32} : (tensor<8192x!tk.ptr<f32>, #L0>, tensor<8192xf32, #L0>) -> ()
    return
  }
}

