// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// The rows of the sum are added up: it stays whole.
module {
  func.func @sums(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %3 = "tk.splat"(%1) : (i32) -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %6 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32_0 = arith.constant 128 : i32
    %7 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32_0 iter_args(%arg6 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %11 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
      %12 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32>
      %13 = arith.muli %11, %12 : tensor<128x1xi32>
      %14 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
      %15 = "tk.addptr"(%14, %13) : (tensor<128x1x!tk.ptr<f8E4M3FN>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
      %16 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
      %17 = arith.addi %16, %6 : tensor<128xi32>
      %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
      %19 = "tk.broadcast"(%15) : (tensor<128x1x!tk.ptr<f8E4M3FN>>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
      %20 = "tk.broadcast"(%18) : (tensor<1x128xi32>) -> tensor<128x128xi32>
      %21 = "tk.addptr"(%19, %20) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
      %22 = "tk.load"(%21) : (tensor<128x128x!tk.ptr<f8E4M3FN>>) -> tensor<128x128xf8E4M3FN>
      %23 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
      %24 = "tk.splat"(%arg4) : (i32) -> tensor<1x256xi32>
      %25 = arith.muli %23, %24 : tensor<1x256xi32>
      %26 = "tk.splat"(%arg1) : (!tk.ptr<f8E4M3FN>) -> tensor<1x256x!tk.ptr<f8E4M3FN>>
      %27 = "tk.addptr"(%26, %25) : (tensor<1x256x!tk.ptr<f8E4M3FN>>, tensor<1x256xi32>) -> tensor<1x256x!tk.ptr<f8E4M3FN>>
      %28 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
      %29 = arith.addi %28, %6 : tensor<128xi32>
      %30 = "tk.expand_dims"(%29) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
      %31 = "tk.broadcast"(%27) : (tensor<1x256x!tk.ptr<f8E4M3FN>>) -> tensor<128x256x!tk.ptr<f8E4M3FN>>
      %32 = "tk.broadcast"(%30) : (tensor<128x1xi32>) -> tensor<128x256xi32>
      %33 = "tk.addptr"(%31, %32) : (tensor<128x256x!tk.ptr<f8E4M3FN>>, tensor<128x256xi32>) -> tensor<128x256x!tk.ptr<f8E4M3FN>>
      %34 = "tk.load"(%33) : (tensor<128x256x!tk.ptr<f8E4M3FN>>) -> tensor<128x256xf8E4M3FN>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
      %35 = "tk.dot"(%22, %34, %cst_1) {precision = "tf32"} : (tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN>, tensor<128x256xf32>) -> tensor<128x256xf32>
      %36 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %37 = "tk.addptr"(%36, %4) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %38 = "tk.load"(%37) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %39 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<128xf32>) -> tensor<128x1xf32>
      %40 = "tk.broadcast"(%39) : (tensor<128x1xf32>) -> tensor<128x256xf32>
      %41 = arith.mulf %35, %40 : tensor<128x256xf32>
      %42 = arith.addf %arg6, %41 : tensor<128x256xf32>
      scf.yield %42 : tensor<128x256xf32>
    }
    %8 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %9 = "tk.addptr"(%8, %4) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %10 = "tk.reduce"(%7) ({
    ^bb0(%arg5: f32, %arg6: f32):
      %11 = arith.addf %arg5, %arg6 : f32
      "tk.yield"(%11) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<128x256xf32>) -> tensor<128xf32>
    "tk.store"(%9, %10) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
}

