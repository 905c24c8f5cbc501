// Atomic additions of floats.
module {
  func.func @atomic_float(%xf16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %xbf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %xf32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %xf64: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %of16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %obf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %of32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %of64: !tk.ptr<f64> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %1 = "tk.splat"(%xf16) : (!tk.ptr<f16>) -> tensor<512x!tk.ptr<f16>>
    %2 = "tk.addptr"(%1, %0) : (tensor<512x!tk.ptr<f16>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f16>>
    %3 = "tk.load"(%2) : (tensor<512x!tk.ptr<f16>>) -> tensor<512xf16>
    %4 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %5 = "tk.splat"(%of16) : (!tk.ptr<f16>) -> tensor<512x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<512x!tk.ptr<f16>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f16>>
    %7 = "tk.atomic_rmw"(%6, %3) {op = "fadd", sem = "relaxed", scope = "gpu"} : (tensor<512x!tk.ptr<f16>>, tensor<512xf16>) -> tensor<512xf16>
    %8 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %9 = "tk.splat"(%xbf16) : (!tk.ptr<bf16>) -> tensor<512x!tk.ptr<bf16>>
    %10 = "tk.addptr"(%9, %8) : (tensor<512x!tk.ptr<bf16>>, tensor<512xi32>) -> tensor<512x!tk.ptr<bf16>>
    %11 = "tk.load"(%10) : (tensor<512x!tk.ptr<bf16>>) -> tensor<512xbf16>
    %12 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %13 = "tk.splat"(%obf16) : (!tk.ptr<bf16>) -> tensor<512x!tk.ptr<bf16>>
    %14 = "tk.addptr"(%13, %12) : (tensor<512x!tk.ptr<bf16>>, tensor<512xi32>) -> tensor<512x!tk.ptr<bf16>>
    %15 = "tk.atomic_rmw"(%14, %11) {op = "fadd", sem = "relaxed", scope = "gpu"} : (tensor<512x!tk.ptr<bf16>>, tensor<512xbf16>) -> tensor<512xbf16>
    %16 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %17 = "tk.splat"(%xf32) : (!tk.ptr<f32>) -> tensor<512x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %16) : (tensor<512x!tk.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f32>>
    %19 = "tk.load"(%18) : (tensor<512x!tk.ptr<f32>>) -> tensor<512xf32>
    %20 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %21 = "tk.splat"(%of32) : (!tk.ptr<f32>) -> tensor<512x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<512x!tk.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f32>>
    %23 = "tk.atomic_rmw"(%22, %19) {op = "fadd", sem = "relaxed", scope = "gpu"} : (tensor<512x!tk.ptr<f32>>, tensor<512xf32>) -> tensor<512xf32>
    %24 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %25 = "tk.splat"(%xf64) : (!tk.ptr<f64>) -> tensor<512x!tk.ptr<f64>>
    %26 = "tk.addptr"(%25, %24) : (tensor<512x!tk.ptr<f64>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f64>>
    %27 = "tk.load"(%26) : (tensor<512x!tk.ptr<f64>>) -> tensor<512xf64>
    %28 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %29 = "tk.splat"(%of64) : (!tk.ptr<f64>) -> tensor<512x!tk.ptr<f64>>
    %30 = "tk.addptr"(%29, %28) : (tensor<512x!tk.ptr<f64>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f64>>
    %31 = "tk.atomic_rmw"(%30, %27) {op = "fadd", sem = "relaxed", scope = "gpu"} : (tensor<512x!tk.ptr<f64>>, tensor<512xf64>) -> tensor<512xf64>
    func.return
  }
}
