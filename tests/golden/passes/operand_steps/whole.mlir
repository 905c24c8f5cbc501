// chip: sm_90a
// show: func.func tk.load tk.store tk.dot arith.select
// Steps are whole by the hint of K, and rows behind the last one are not stored: no element of the operand is masked.
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 64 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>} {
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
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %52 = arith.addi %arg4, %c31_i32 : i32
    %53 = arith.divsi %52, %c32_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %54 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %55 = arith.muli %54, %19 : tensor<64x1xi32>
    %56 = "tk.addptr"(%30, %55) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %57 = "tk.broadcast"(%9) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %58 = arith.cmpi slt, %54, %12 : tensor<64x1xi32>
    %59 = "tk.broadcast"(%58) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %60 = "tk.expand_dims"(%51) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %61 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %62 = arith.muli %60, %61 : tensor<1x64xi32>
    %63 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %64 = "tk.addptr"(%63, %62) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
    %65 = "tk.expand_dims"(%8) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %66 = "tk.broadcast"(%65) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %67 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %68 = arith.cmpi slt, %60, %67 : tensor<1x64xi32>
    %69 = "tk.broadcast"(%68) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %70 = scf.for %arg7 = %c0_i32 to %53 step %c1_i32 iter_args(%arg8 = %cst_3) -> (tensor<64x64xf32>)  : i32 {
      %82 = arith.muli %arg7, %c32_i32 : i32
      %83 = "tk.splat"(%82) : (i32) -> tensor<64x1xi32>
      %84 = "tk.addptr"(%56, %83) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %85 = "tk.broadcast"(%84) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %86 = "tk.addptr"(%85, %57) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %87 = "tk.splat"(%82) : (i32) -> tensor<1x32xi32>
      %88 = arith.addi %87, %9 : tensor<1x32xi32>
      %89 = arith.cmpi slt, %88, %14 : tensor<1x32xi32>
      %90 = "tk.broadcast"(%89) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %91 = arith.andi %59, %90 : tensor<64x32xi1>
      %92 = "tk.load"(%86, %91, %cst) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %93 = "tk.splat"(%82) : (i32) -> tensor<1x64xi32>
      %94 = "tk.addptr"(%64, %93) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %95 = "tk.broadcast"(%94) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %96 = "tk.addptr"(%95, %66) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %97 = "tk.load"(%96, %69, %cst_4) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %98 = "tk.dot"(%92, %97, %arg8) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %98 : tensor<64x64xf32>
    }
    %71 = "tk.broadcast"(%58) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %72 = "tk.broadcast"(%68) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %73 = arith.andi %71, %72 : tensor<64x64xi1>
    %74 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %75 = arith.muli %54, %74 : tensor<64x1xi32>
    %76 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %77 = "tk.addptr"(%76, %75) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %78 = "tk.broadcast"(%77) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %79 = "tk.broadcast"(%60) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %80 = "tk.addptr"(%78, %79) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %81 = arith.truncf %70 : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%80, %81, %73) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}
