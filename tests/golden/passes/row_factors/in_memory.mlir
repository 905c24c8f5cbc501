// chip: sm_90a
// show: func.func tk.load tk.store tk.dot tk.reduce tk.ptr_cast
// A residual and RMSNorm with a gain in one step ahead of a product: its kernel writes the factors of rows where it had written the rows, and the
// product's kernel reads them.
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.late}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "factors", tk.late}, %arg5: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32 {tk.divisibility = 16 : i32}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>, tk.waits} {
    %0 = "tk.program_id"() {axis = 0 : i32, tk.step = -3 : i32} : () -> i32
    %1 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %2 = arith.muli %0, %arg8 : i32
    %3 = "tk.addptr"(%arg0, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %4 = "tk.splat"(%3) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %6 = "tk.splat"(%arg8) : (i32) -> tensor<256xi32>
    %7 = arith.cmpi slt, %1, %6 : tensor<256xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %8 = "tk.load"(%5, %7, %cst) {tk.step = -3 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %9 = "tk.addptr"(%arg1, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %10 = "tk.splat"(%9) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %11 = "tk.addptr"(%10, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %12 = "tk.load"(%11, %7, %cst) {tk.step = -3 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %13 = arith.addf %8, %12 : tensor<256xf16>
    %14 = "tk.addptr"(%arg3, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %15 = "tk.splat"(%14) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%16, %13, %7) {tk.step = -3 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> ()
    %17 = arith.extf %13 : tensor<256xf16> to tensor<256xf32>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %19 = "tk.addptr"(%18, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %20 = "tk.load"(%19, %7, %cst) {tk.step = -3 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %21 = arith.extf %20 : tensor<256xf16> to tensor<256xf32>
    %22 = "tk.addptr"(%arg4, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %23 = "tk.splat"(%22) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %24 = "tk.addptr"(%23, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %25 = arith.mulf %17, %17 : tensor<256xf32>
    %26 = "tk.reduce"(%25) ({
    ^bb0(%arg10: f32, %arg11: f32):
      %80 = arith.addf %arg10, %arg11 : f32
      "tk.yield"(%80) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
    %27 = arith.sitofp %arg8 : i32 to f32
    %28 = arith.divf %26, %27 : f32
    %cst_0 = arith.constant 9.99999974E-6 : f32
    %29 = arith.addf %28, %cst_0 : f32
    %30 = math.sqrt %29 : f32
    %31 = "tk.splat"(%30) : (f32) -> tensor<256xf32>
    %32 = arith.divf %17, %31 : tensor<256xf32>
    %33 = arith.mulf %32, %21 : tensor<256xf32>
    %34 = arith.truncf %33 : tensor<256xf32> to tensor<256xf16>
    "tk.store"(%24, %34, %7) {tk.step = -3 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> ()
    %c127_i32 = arith.constant 127 : i32
    %35 = arith.addi %arg9, %c127_i32 : i32
    %c128_i32 = arith.constant 128 : i32
    %36 = arith.divsi %35, %c128_i32 : i32
    %37 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %38 = arith.divsi %37, %36 : i32
    %39 = arith.muli %38, %c128_i32 : i32
    %40 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %41 = "tk.splat"(%39) : (i32) -> tensor<128xi32>
    %42 = arith.addi %41, %40 : tensor<128xi32>
    %43 = arith.remsi %37, %36 : i32
    %44 = arith.muli %43, %c128_i32 : i32
    %45 = "tk.splat"(%44) : (i32) -> tensor<128xi32>
    %46 = arith.addi %45, %40 : tensor<128xi32>
    %47 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c64_i32 = arith.constant 64 : i32
    %48 = "tk.expand_dims"(%42) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %49 = "tk.splat"(%arg8) : (i32) -> tensor<128x1xi32>
    %50 = arith.muli %48, %49 : tensor<128x1xi32>
    %51 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %52 = "tk.addptr"(%51, %50) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %53 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %54 = "tk.broadcast"(%53) : (tensor<1x64xi32>) -> tensor<128x64xi32>
    %55 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32>
    %56 = arith.cmpi slt, %48, %55 : tensor<128x1xi32>
    %57 = "tk.splat"(%arg8) : (i32) -> tensor<1x64xi32>
    %58 = "tk.broadcast"(%56) : (tensor<128x1xi1>) -> tensor<128x64xi1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %59 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %60 = "tk.splat"(%arg9) : (i32) -> tensor<64x1xi32>
    %61 = "tk.splat"(%arg5) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %62 = "tk.expand_dims"(%46) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %63 = "tk.broadcast"(%62) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %64 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32>
    %65 = "tk.splat"(%arg9) : (i32) -> tensor<1x128xi32>
    %66 = arith.cmpi slt, %62, %65 : tensor<1x128xi32>
    %67 = "tk.broadcast"(%66) : (tensor<1x128xi1>) -> tensor<64x128xi1>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %68 = scf.for %arg10 = %c0_i32 to %arg8 step %c64_i32 iter_args(%arg11 = %cst_1) -> (tensor<128x128xf32>)  : i32 {
      %80 = "tk.splat"(%arg10) : (i32) -> tensor<128x1xi32>
      %81 = "tk.addptr"(%52, %80) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
      %82 = "tk.broadcast"(%81) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x64x!tk.ptr<f16>>
      %83 = "tk.addptr"(%82, %54) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f16>>
      %84 = "tk.splat"(%arg10) : (i32) -> tensor<1x64xi32>
      %85 = arith.addi %84, %53 : tensor<1x64xi32>
      %86 = arith.cmpi slt, %85, %57 : tensor<1x64xi32>
      %87 = "tk.broadcast"(%86) : (tensor<1x64xi1>) -> tensor<128x64xi1>
      %88 = arith.andi %58, %87 : tensor<128x64xi1>
      %89 = "tk.load"(%83, %88, %cst_2) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi1>, tensor<128x64xf16>) -> tensor<128x64xf16>
      %90 = "tk.splat"(%arg10) : (i32) -> tensor<64x1xi32>
      %91 = arith.addi %90, %59 : tensor<64x1xi32>
      %92 = arith.muli %91, %60 : tensor<64x1xi32>
      %93 = "tk.addptr"(%61, %92) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %94 = "tk.broadcast"(%93) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x128x!tk.ptr<f16>>
      %95 = "tk.addptr"(%94, %63) : (tensor<64x128x!tk.ptr<f16>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<f16>>
      %96 = arith.cmpi slt, %91, %64 : tensor<64x1xi32>
      %97 = "tk.broadcast"(%96) : (tensor<64x1xi1>) -> tensor<64x128xi1>
      %98 = arith.andi %97, %67 : tensor<64x128xi1>
      %99 = "tk.load"(%95, %98, %cst_3) : (tensor<64x128x!tk.ptr<f16>>, tensor<64x128xi1>, tensor<64x128xf16>) -> tensor<64x128xf16>
      %100 = "tk.dot"(%89, %99, %arg11) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %100 : tensor<128x128xf32>
    }
    %69 = "tk.splat"(%arg9) : (i32) -> tensor<128x1xi32>
    %70 = arith.muli %48, %69 : tensor<128x1xi32>
    %71 = "tk.splat"(%arg6) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %72 = "tk.addptr"(%71, %70) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %73 = "tk.broadcast"(%72) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x128x!tk.ptr<f16>>
    %74 = "tk.broadcast"(%62) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %75 = "tk.addptr"(%73, %74) : (tensor<128x128x!tk.ptr<f16>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f16>>
    %76 = arith.truncf %68 : tensor<128x128xf32> to tensor<128x128xf16>
    %77 = "tk.broadcast"(%56) : (tensor<128x1xi1>) -> tensor<128x128xi1>
    %78 = "tk.broadcast"(%66) : (tensor<1x128xi1>) -> tensor<128x128xi1>
    %79 = arith.andi %77, %78 : tensor<128x128xi1>
    "tk.store"(%75, %76, %79) : (tensor<128x128x!tk.ptr<f16>>, tensor<128x128xf16>, tensor<128x128xi1>) -> ()
    return
  }
  func.func @both_steps_1_to_1_factors(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "factors"}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: 5, -1, -1>, tk.triggers} {
    %0 = "tk.program_id"() {axis = 0 : i32, tk.step = -4 : i32} : () -> i32
    %1 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %2 = arith.muli %0, %arg6 : i32
    %3 = "tk.addptr"(%arg0, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %4 = "tk.splat"(%3) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %6 = "tk.splat"(%arg6) : (i32) -> tensor<256xi32>
    %7 = arith.cmpi slt, %1, %6 : tensor<256xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %8 = "tk.load"(%5, %7, %cst) {tk.step = -4 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %9 = "tk.addptr"(%arg1, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %10 = "tk.splat"(%9) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %11 = "tk.addptr"(%10, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %12 = "tk.load"(%11, %7, %cst) {tk.step = -4 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %13 = arith.addf %8, %12 : tensor<256xf16>
    %14 = "tk.addptr"(%arg3, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %15 = "tk.splat"(%14) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%16, %13, %7) {tk.step = -4 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> ()
    %17 = arith.extf %13 : tensor<256xf16> to tensor<256xf32>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %19 = "tk.addptr"(%18, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %20 = "tk.load"(%19, %7, %cst) {tk.step = -4 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %21 = arith.extf %20 : tensor<256xf16> to tensor<256xf32>
    %22 = "tk.addptr"(%arg4, %2) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %23 = "tk.splat"(%22) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %24 = "tk.addptr"(%23, %1) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %25 = arith.mulf %17, %17 : tensor<256xf32>
    %26 = "tk.reduce"(%25) ({
    ^bb0(%arg7: f32, %arg8: f32):
      %35 = arith.addf %arg7, %arg8 : f32
      "tk.yield"(%35) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
    %27 = arith.sitofp %arg6 : i32 to f32
    %28 = arith.divf %26, %27 : f32
    %cst_0 = arith.constant 9.99999974E-6 : f32
    %29 = arith.addf %28, %cst_0 : f32
    %30 = math.sqrt %29 : f32
    %31 = "tk.splat"(%30) : (f32) -> tensor<256xf32>
    %32 = arith.divf %17, %31 : tensor<256xf32>
    %33 = arith.mulf %32, %21 : tensor<256xf32>
    %34 = arith.truncf %33 : tensor<256xf32> to tensor<256xf16>
    "tk.store"(%24, %34, %7) {tk.step = -4 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> ()
    return
  }
}
