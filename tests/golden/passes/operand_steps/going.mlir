// chip: sm_90a
// show: func.func scf.for tk.addptr tk.load tk.store tk.dot arith.select scf.yield
// Carried pointers become pointers of the other array.
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %0 = "tk.program_id"() {axis = 0 : i32, tk.step = -2 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %3 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %4 = "tk.splat"(%1) : (i32) -> tensor<64x1xi32>
    %5 = arith.addi %4, %3 : tensor<64x1xi32>
    %6 = "tk.program_id"() {axis = 1 : i32, tk.step = -2 : i32} : () -> i32
    %c32_i32 = arith.constant 32 : i32
    %7 = arith.muli %6, %c32_i32 : i32
    %8 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %9 = "tk.expand_dims"(%8) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %10 = "tk.splat"(%7) : (i32) -> tensor<1x32xi32>
    %11 = arith.addi %10, %9 : tensor<1x32xi32>
    %12 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32>
    %13 = arith.cmpi slt, %5, %12 : tensor<64x1xi32>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %15 = arith.cmpi slt, %11, %14 : tensor<1x32xi32>
    %16 = "tk.broadcast"(%13) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %17 = "tk.broadcast"(%15) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %18 = arith.andi %16, %17 : tensor<64x32xi1>
    %19 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %20 = arith.muli %5, %19 : tensor<64x1xi32>
    %21 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %22 = "tk.addptr"(%21, %20) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %23 = "tk.broadcast"(%22) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %24 = "tk.broadcast"(%11) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %25 = "tk.addptr"(%23, %24) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %26 = "tk.load"(%25, %18, %cst) {tk.step = -2 : i32} : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
    %27 = arith.extf %26 : tensor<64x32xf16> to tensor<64x32xf32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x32xf32>
    %28 = arith.mulf %27, %cst_0 : tensor<64x32xf32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<64x32xf32>
    %29 = arith.addf %28, %cst_1 : tensor<64x32xf32>
    %30 = "tk.splat"(%arg6) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %31 = "tk.addptr"(%30, %20) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %32 = "tk.broadcast"(%31) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %33 = "tk.addptr"(%32, %24) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %34 = arith.negf %29 : tensor<64x32xf32>
    %cst_2 = arith.constant dense<1.44269502> : tensor<64x32xf32>
    %35 = arith.mulf %34, %cst_2 : tensor<64x32xf32>
    %36 = math.exp2 %35 {tk.subnormal} : tensor<64x32xf32>
    %37 = arith.addf %cst_1, %36 : tensor<64x32xf32>
    %38 = arith.divf %cst_1, %37 : tensor<64x32xf32>
    %39 = arith.mulf %29, %38 : tensor<64x32xf32>
    %40 = arith.truncf %39 : tensor<64x32xf32> to tensor<64x32xf16>
    "tk.store"(%33, %40, %18) {tk.step = -2 : i32} : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xf16>, tensor<64x32xi1>) -> ()
    %c63_i32 = arith.constant 63 : i32
    %41 = arith.addi %arg5, %c63_i32 : i32
    %42 = arith.divsi %41, %c64_i32 : i32
    %43 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %44 = arith.divsi %43, %42 : i32
    %45 = arith.muli %44, %c64_i32 : i32
    %46 = "tk.splat"(%45) : (i32) -> tensor<64xi32>
    %47 = arith.addi %46, %2 : tensor<64xi32>
    %48 = arith.remsi %43, %42 : i32
    %49 = arith.muli %48, %c64_i32 : i32
    %50 = "tk.splat"(%49) : (i32) -> tensor<64xi32>
    %51 = arith.addi %50, %2 : tensor<64xi32>
    %52 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %53 = arith.remsi %47, %52 : tensor<64xi32>
    %54 = "tk.expand_dims"(%53) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %55 = arith.muli %54, %19 : tensor<64x1xi32>
    %56 = "tk.addptr"(%30, %55) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %57 = "tk.broadcast"(%56) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %58 = "tk.broadcast"(%9) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %59 = "tk.addptr"(%57, %58) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %60 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
    %61 = arith.remsi %51, %60 : tensor<64xi32>
    %62 = "tk.expand_dims"(%61) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %63 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %64 = arith.muli %62, %63 : tensor<1x64xi32>
    %65 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %66 = "tk.addptr"(%65, %64) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
    %67 = "tk.expand_dims"(%8) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %68 = "tk.broadcast"(%66) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %69 = "tk.broadcast"(%67) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %70 = "tk.addptr"(%68, %69) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %71 = arith.addi %arg4, %c31_i32 : i32
    %72 = arith.divsi %71, %c32_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_5 = arith.constant dense<32> : tensor<64x32xi32>
    %cst_6 = arith.constant dense<32> : tensor<32x64xi32>
    %73:3 = scf.for %arg7 = %c0_i32 to %72 step %c1_i32 iter_args(%arg8 = %cst_3, %arg9 = %59, %arg10 = %70) -> (tensor<64x64xf32>, tensor<64x32x!tk.ptr<f16>>, tensor<32x64x!tk.ptr<f16>>)  : i32 {
      %90 = arith.muli %arg7, %c32_i32 : i32
      %91 = arith.subi %arg4, %90 : i32
      %92 = "tk.splat"(%91) : (i32) -> tensor<1x32xi32>
      %93 = arith.cmpi slt, %9, %92 : tensor<1x32xi32>
      %94 = "tk.broadcast"(%93) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %95 = "tk.load"(%arg9, %94, %cst) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %96 = "tk.splat"(%91) : (i32) -> tensor<32x1xi32>
      %97 = arith.cmpi slt, %67, %96 : tensor<32x1xi32>
      %98 = "tk.broadcast"(%97) : (tensor<32x1xi1>) -> tensor<32x64xi1>
      %99 = "tk.load"(%arg10, %98, %cst_4) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %100 = "tk.dot"(%95, %99, %arg8) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %101 = "tk.addptr"(%arg9, %cst_5) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %102 = "tk.addptr"(%arg10, %cst_6) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      scf.yield %100, %101, %102 : tensor<64x64xf32>, tensor<64x32x!tk.ptr<f16>>, tensor<32x64x!tk.ptr<f16>>
    }
    %74 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %75 = arith.cmpi slt, %74, %12 : tensor<64x1xi32>
    %76 = "tk.expand_dims"(%51) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %77 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %78 = arith.cmpi slt, %76, %77 : tensor<1x64xi32>
    %79 = "tk.broadcast"(%75) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %80 = "tk.broadcast"(%78) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %81 = arith.andi %79, %80 : tensor<64x64xi1>
    %82 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %83 = arith.muli %74, %82 : tensor<64x1xi32>
    %84 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %85 = "tk.addptr"(%84, %83) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %86 = "tk.broadcast"(%85) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %87 = "tk.broadcast"(%76) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %88 = "tk.addptr"(%86, %87) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %89 = arith.truncf %73#0 : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%88, %89, %81) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}
