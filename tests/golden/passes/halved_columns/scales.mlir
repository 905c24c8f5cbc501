// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// Products of 256 columns with scales: two products of 128, one behind the other, each with loads, a sum and a store of its own.
module {
  func.func @halves(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %3 = "tk.splat"(%1) : (i32) -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %c256_i32 = arith.constant 256 : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %8 = "tk.splat"(%6) : (i32) -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %11 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %12 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32>
    %13 = arith.muli %11, %12 : tensor<128x1xi32>
    %14 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
    %15 = "tk.addptr"(%14, %13) : (tensor<128x1x!tk.ptr<f8E4M3FN>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
    %16 = "tk.expand_dims"(%10) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %17 = "tk.broadcast"(%15) : (tensor<128x1x!tk.ptr<f8E4M3FN>>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %18 = "tk.broadcast"(%16) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %19 = "tk.addptr"(%17, %18) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %20 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %21 = "tk.splat"(%arg7) : (i32) -> tensor<1x256xi32>
    %22 = arith.muli %20, %21 : tensor<1x256xi32>
    %23 = "tk.splat"(%arg1) : (!tk.ptr<f8E4M3FN>) -> tensor<1x256x!tk.ptr<f8E4M3FN>>
    %24 = "tk.addptr"(%23, %22) : (tensor<1x256x!tk.ptr<f8E4M3FN>>, tensor<1x256xi32>) -> tensor<1x256x!tk.ptr<f8E4M3FN>>
    %25 = "tk.expand_dims"(%10) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %26 = "tk.broadcast"(%24) : (tensor<1x256x!tk.ptr<f8E4M3FN>>) -> tensor<128x256x!tk.ptr<f8E4M3FN>>
    %27 = "tk.broadcast"(%25) : (tensor<128x1xi32>) -> tensor<128x256xi32>
    %28 = "tk.addptr"(%26, %27) : (tensor<128x256x!tk.ptr<f8E4M3FN>>, tensor<128x256xi32>) -> tensor<128x256x!tk.ptr<f8E4M3FN>>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c128_i32_0 = arith.constant 128 : i32
    %29 = arith.divsi %arg7, %c128_i32_0 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %30:3 = scf.for %arg8 = %c0_i32 to %29 step %c1_i32 iter_args(%arg9 = %cst, %arg10 = %19, %arg11 = %28) -> (tensor<128x256xf32>, tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x256x!tk.ptr<f8E4M3FN>>)  : i32 {
      %50 = "tk.load"(%arg10) : (tensor<128x128x!tk.ptr<f8E4M3FN>>) -> tensor<128x128xf8E4M3FN>
      %51 = "tk.load"(%arg11) : (tensor<128x256x!tk.ptr<f8E4M3FN>>) -> tensor<128x256xf8E4M3FN>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
      %52 = "tk.dot"(%50, %51, %cst_1) {precision = "tf32"} : (tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN>, tensor<128x256xf32>) -> tensor<128x256xf32>
      %c128_i32_2 = arith.constant 128 : i32
      %53 = arith.divsi %arg7, %c128_i32_2 : i32
      %54 = "tk.splat"(%53) : (i32) -> tensor<128xi32>
      %55 = arith.muli %4, %54 : tensor<128xi32>
      %56 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %57 = "tk.addptr"(%56, %55) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %58 = "tk.splat"(%arg8) : (i32) -> tensor<128xi32>
      %59 = "tk.addptr"(%57, %58) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %60 = "tk.load"(%59) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %61 = "tk.expand_dims"(%60) {axis = 1 : i32} : (tensor<128xf32>) -> tensor<128x1xf32>
      %62 = "tk.broadcast"(%61) : (tensor<128x1xf32>) -> tensor<128x256xf32>
      %63 = arith.mulf %52, %62 : tensor<128x256xf32>
      %cst_3 = arith.constant dense<128> : tensor<256xi32>
      %64 = arith.divsi %9, %cst_3 : tensor<256xi32>
      %c128_i32_4 = arith.constant 128 : i32
      %65 = arith.divsi %arg7, %c128_i32_4 : i32
      %66 = "tk.splat"(%65) : (i32) -> tensor<256xi32>
      %67 = arith.muli %64, %66 : tensor<256xi32>
      %68 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
      %69 = "tk.addptr"(%68, %67) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %70 = "tk.splat"(%arg8) : (i32) -> tensor<256xi32>
      %71 = "tk.addptr"(%69, %70) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
      %72 = "tk.load"(%71) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
      %73 = "tk.expand_dims"(%72) {axis = 0 : i32} : (tensor<256xf32>) -> tensor<1x256xf32>
      %74 = "tk.broadcast"(%73) : (tensor<1x256xf32>) -> tensor<128x256xf32>
      %75 = arith.mulf %63, %74 : tensor<128x256xf32>
      %76 = arith.addf %arg9, %75 : tensor<128x256xf32>
      %c128_i32_5 = arith.constant 128 : i32
      %cst_6 = arith.constant dense<128> : tensor<128x128xi32>
      %77 = "tk.addptr"(%arg10, %cst_6) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
      %c128_i32_7 = arith.constant 128 : i32
      %cst_8 = arith.constant dense<128> : tensor<128x256xi32>
      %78 = "tk.addptr"(%arg11, %cst_8) : (tensor<128x256x!tk.ptr<f8E4M3FN>>, tensor<128x256xi32>) -> tensor<128x256x!tk.ptr<f8E4M3FN>>
      scf.yield %76, %77, %78 : tensor<128x256xf32>, tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x256x!tk.ptr<f8E4M3FN>>
    }
    %31 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %32 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32>
    %33 = arith.muli %31, %32 : tensor<128x1xi32>
    %34 = "tk.splat"(%arg2) : (!tk.ptr<bf16>) -> tensor<128x1x!tk.ptr<bf16>>
    %35 = "tk.addptr"(%34, %33) : (tensor<128x1x!tk.ptr<bf16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<bf16>>
    %36 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %37 = "tk.broadcast"(%35) : (tensor<128x1x!tk.ptr<bf16>>) -> tensor<128x256x!tk.ptr<bf16>>
    %38 = "tk.broadcast"(%36) : (tensor<1x256xi32>) -> tensor<128x256xi32>
    %39 = "tk.addptr"(%37, %38) : (tensor<128x256x!tk.ptr<bf16>>, tensor<128x256xi32>) -> tensor<128x256x!tk.ptr<bf16>>
    %40 = arith.truncf %30#0 : tensor<128x256xf32> to tensor<128x256xbf16>
    %41 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %42 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %43 = arith.cmpi slt, %41, %42 : tensor<128x1xi32>
    %44 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %45 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32>
    %46 = arith.cmpi slt, %44, %45 : tensor<1x256xi32>
    %47 = "tk.broadcast"(%43) : (tensor<128x1xi1>) -> tensor<128x256xi1>
    %48 = "tk.broadcast"(%46) : (tensor<1x256xi1>) -> tensor<128x256xi1>
    %49 = arith.andi %47, %48 : tensor<128x256xi1>
    "tk.store"(%39, %40, %49) : (tensor<128x256x!tk.ptr<bf16>>, tensor<128x256xbf16>, tensor<128x256xi1>) -> ()
    return
  }
}

