// chip: sm_90a
// show: tk.load tk.reduce tk.store
// The scale goes ahead of the first sum: half of what that reads. Of the shift what registers are left for, half of it, does too; and
// what is read behind a store or a volatile load stays there.
#L0 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
module {
  func.func @rms(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %2 = "tk.addptr"(%1, %0) : (tensor<1024x!tk.ptr<f32>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %3 = "tk.load"(%2) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L0>) -> tensor<1024xf32, #L0>
    %4 = arith.mulf %3, %3 : tensor<1024xf32, #L0>
    %5 = "tk.reduce"(%4) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %26 = arith.addf %arg4, %arg5 : f32
      "tk.yield"(%26) : (f32) -> ()
    }) {axis = 0 : i32, products} : (tensor<1024xf32, #L0>) -> f32
    %cst = arith.constant 1.024000e+03 : f32
    %6 = arith.divf %5, %cst : f32
    %7 = math.rsqrt %6 : f32
    %c1024_i32 = arith.constant 1024 : i32
    %8 = "tk.addptr"(%arg1, %c1024_i32) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %9 = "tk.splat"(%8) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>, #L0>
    %10 = "tk.addptr"(%9, %0) : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f16>, #L0>
    %11 = "tk.load"(%10) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>) -> tensor<1024xf16, #L0>
    %12 = arith.extf %11 : tensor<1024xf16, #L0> to tensor<1024xf32, #L0>
    %13 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %14 = "tk.addptr"(%13, %0) : (tensor<1024x!tk.ptr<f32>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %15 = "tk.load"(%14) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L0>) -> tensor<1024xf32, #L0>
    %16 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %17 = "tk.addptr"(%16, %0) : (tensor<1024x!tk.ptr<f32>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %18 = "tk.splat"(%7) : (f32) -> tensor<1024xf32, #L0>
    %19 = arith.mulf %3, %18 : tensor<1024xf32, #L0>
    %20 = math.fma %19, %12, %15 : tensor<1024xf32, #L0>
    "tk.store"(%17, %20) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L0>, tensor<1024xf32, #L0>) -> ()
    %21 = "tk.addptr"(%arg0, %c1024_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %22 = "tk.splat"(%21) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %23 = "tk.addptr"(%22, %0) : (tensor<1024x!tk.ptr<f32>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f32>, #L0>
    %24 = "tk.load"(%23) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L0>) -> tensor<1024xf32, #L0>
    %25 = "tk.reduce"(%24) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %26 = arith.addf %arg4, %arg5 : f32
      "tk.yield"(%26) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<1024xf32, #L0>) -> f32
    %30 = "tk.load"(%arg2) {volatile} : (!tk.ptr<f32>) -> f32
    %31 = "tk.load"(%10) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>) -> tensor<1024xf16, #L0>
    "tk.store"(%10, %31) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xf16, #L0>) -> ()
    "tk.store"(%arg3, %30) : (!tk.ptr<f32>, f32) -> ()
    "tk.store"(%arg3, %25) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}

