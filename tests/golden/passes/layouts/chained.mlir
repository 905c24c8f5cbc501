// chip: gfx1250
// llvm: 22
// show: tk.dot tk.load tk.convert_layout
// The second product takes the first one's result as it lies in the lanes: K is in the order of its columns, for the right operand too.
module {
  func.func @chained(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %2 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %3 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %4 = arith.muli %2, %3 : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %12 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %13 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %14 = arith.muli %12, %13 : tensor<1x32xi32>
    %15 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x32x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %14) : (tensor<1x32x!tk.ptr<f16>>, tensor<1x32xi32>) -> tensor<1x32x!tk.ptr<f16>>
    %17 = "tk.broadcast"(%16) : (tensor<1x32x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %18 = "tk.broadcast"(%2) : (tensor<64x1xi32>) -> tensor<64x32xi32>
    %19 = "tk.addptr"(%17, %18) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %20 = "tk.load"(%19) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
    %21 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %22 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %23 = arith.muli %21, %22 : tensor<32x1xi32>
    %24 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %25 = "tk.addptr"(%24, %23) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %26 = "tk.broadcast"(%25) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %27 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %28 = "tk.addptr"(%26, %27) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %29 = "tk.load"(%28) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %30 = "tk.dot"(%11, %20, %cst) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<64x32xf32>
    %31 = arith.mulf %30, %cst_0 : tensor<64x32xf32>
    %32 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %33 = "tk.addptr"(%32, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%33) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %35 = "tk.addptr"(%34, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %36 = arith.truncf %31 : tensor<64x32xf32> to tensor<64x32xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %37 = "tk.dot"(%36, %29, %cst_1) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %38 = arith.truncf %37 : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%35, %38) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
}

