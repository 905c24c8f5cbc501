// chip: sm_90a
// show: func.func scf.* tk.load tk.dot
// Descriptors, the right operand turned; the number of columns is known to be a multiple.
module {
  func.func @desc(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.implied = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.implied = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.implied = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32, tk.implied = 8 : i32}, %arg5: i32 {tk.divisibility = 16 : i32, tk.implied = 8 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 4 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c134217727_i32 = arith.constant 134217727 : i32
    %4 = arith.cmpi sle, %3, %c134217727_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c16_i32 : i32
    %6 = arith.muli %5, %c16_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c16_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c16_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %19 = "tk.hint"(%arg0) {divisibility = array<i32: 16>} : (!tk.ptr<f16>) -> !tk.ptr<f16>
    %20 = "tk.hint"(%arg5) {divisibility = array<i32: 8>} : (i32) -> i32
    %21 = arith.extsi %20 : i32 to i64
    %c0_i32_0 = arith.constant 0 : i32
    %22 = "tk.hint"(%arg1) {divisibility = array<i32: 16>} : (!tk.ptr<f16>) -> !tk.ptr<f16>
    %23 = "tk.hint"(%20) {divisibility = array<i32: 8>} : (i32) -> i32
    %24 = arith.extsi %23 : i32 to i64
    %25 = "tk.hint"(%arg2) {divisibility = array<i32: 16>} : (!tk.ptr<f16>) -> !tk.ptr<f16>
    %26 = "tk.hint"(%arg4) {divisibility = array<i32: 8>} : (i32) -> i32
    %27 = arith.extsi %26 : i32 to i64
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %28 = arith.addi %23, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %29 = arith.divsi %28, %c32_i32 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %30 = arith.muli %18, %c64_i32 : i32
    %31 = arith.extsi %30 : i32 to i64
    %32 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %33 = arith.extsi %32 : tensor<64xi32> to tensor<64xi64>
    %34 = arith.muli %31, %21 : i64
    %35 = "tk.addptr"(%19, %34) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %36 = "tk.splat"(%21) : (i64) -> tensor<64xi64>
    %37 = arith.muli %33, %36 : tensor<64xi64>
    %38 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xi64>) -> tensor<64x1xi64>
    %39 = "tk.splat"(%31) : (i64) -> tensor<64xi64>
    %40 = arith.addi %33, %39 : tensor<64xi64>
    %41 = arith.extsi %arg3 : i32 to i64
    %cst_2 = arith.constant dense<0> : tensor<64xi64>
    %42 = arith.cmpi sge, %40, %cst_2 : tensor<64xi64>
    %43 = "tk.splat"(%41) : (i64) -> tensor<64xi64>
    %44 = arith.cmpi slt, %40, %43 : tensor<64xi64>
    %45 = arith.andi %42, %44 : tensor<64xi1>
    %46 = "tk.expand_dims"(%45) {axis = 1 : i32} : (tensor<64xi1>) -> tensor<64x1xi1>
    %47 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %48 = arith.extsi %47 : tensor<32xi32> to tensor<32xi64>
    %49 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<32xi64>) -> tensor<1x32xi64>
    %50 = "tk.broadcast"(%38) : (tensor<64x1xi64>) -> tensor<64x32xi64>
    %51 = "tk.broadcast"(%49) : (tensor<1x32xi64>) -> tensor<64x32xi64>
    %52 = arith.addi %50, %51 : tensor<64x32xi64>
    %cst_3 = arith.constant dense<0> : tensor<32xi64>
    %53 = "tk.splat"(%24) : (i64) -> tensor<32xi64>
    %54 = "tk.broadcast"(%46) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %55 = arith.muli %17, %c64_i32 : i32
    %56 = arith.extsi %55 : i32 to i64
    %57 = arith.muli %56, %24 : i64
    %58 = "tk.addptr"(%22, %57) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %59 = "tk.splat"(%24) : (i64) -> tensor<64xi64>
    %60 = arith.muli %33, %59 : tensor<64xi64>
    %61 = "tk.expand_dims"(%60) {axis = 1 : i32} : (tensor<64xi64>) -> tensor<64x1xi64>
    %62 = "tk.splat"(%56) : (i64) -> tensor<64xi64>
    %63 = arith.addi %33, %62 : tensor<64xi64>
    %64 = arith.cmpi sge, %63, %cst_2 : tensor<64xi64>
    %65 = "tk.splat"(%27) : (i64) -> tensor<64xi64>
    %66 = arith.cmpi slt, %63, %65 : tensor<64xi64>
    %67 = arith.andi %64, %66 : tensor<64xi1>
    %68 = "tk.expand_dims"(%67) {axis = 1 : i32} : (tensor<64xi1>) -> tensor<64x1xi1>
    %69 = "tk.broadcast"(%61) : (tensor<64x1xi64>) -> tensor<64x32xi64>
    %70 = arith.addi %69, %51 : tensor<64x32xi64>
    %71 = "tk.broadcast"(%68) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %72 = scf.for %arg6 = %c0_i32_0 to %29 step %c1_i32_1 iter_args(%arg7 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %89 = arith.muli %arg6, %c32_i32 : i32
      %90 = arith.extsi %89 : i32 to i64
      %91 = "tk.addptr"(%35, %90) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
      %92 = "tk.splat"(%90) : (i64) -> tensor<32xi64>
      %93 = arith.addi %48, %92 : tensor<32xi64>
      %94 = arith.cmpi sge, %93, %cst_3 : tensor<32xi64>
      %95 = arith.cmpi slt, %93, %53 : tensor<32xi64>
      %96 = arith.andi %94, %95 : tensor<32xi1>
      %97 = "tk.expand_dims"(%96) {axis = 0 : i32} : (tensor<32xi1>) -> tensor<1x32xi1>
      %98 = "tk.broadcast"(%97) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %99 = arith.andi %54, %98 : tensor<64x32xi1>
      %100 = "tk.splat"(%91) : (!tk.ptr<f16>) -> tensor<64x32x!tk.ptr<f16>>
      %101 = "tk.addptr"(%100, %52) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi64>) -> tensor<64x32x!tk.ptr<f16>>
      %102 = "tk.load"(%101, %99, %cst_4) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %103 = "tk.addptr"(%58, %90) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
      %104 = arith.andi %71, %98 : tensor<64x32xi1>
      %105 = "tk.splat"(%103) : (!tk.ptr<f16>) -> tensor<64x32x!tk.ptr<f16>>
      %106 = "tk.addptr"(%105, %70) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi64>) -> tensor<64x32x!tk.ptr<f16>>
      %107 = "tk.load"(%106, %104, %cst_4) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %108 = "tk.trans"(%107) {order = array<i32: 1, 0>} : (tensor<64x32xf16>) -> tensor<32x64xf16>
      %109 = "tk.dot"(%102, %108, %arg7) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %109 : tensor<64x64xf32>
    }
    %73 = arith.truncf %72 : tensor<64x64xf32> to tensor<64x64xf16>
    %74 = arith.muli %31, %27 : i64
    %75 = "tk.addptr"(%25, %74) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %76 = arith.muli %33, %65 : tensor<64xi64>
    %77 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<64xi64>) -> tensor<64x1xi64>
    %78 = "tk.addptr"(%75, %56) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %79 = "tk.expand_dims"(%33) {axis = 0 : i32} : (tensor<64xi64>) -> tensor<1x64xi64>
    %80 = "tk.broadcast"(%77) : (tensor<64x1xi64>) -> tensor<64x64xi64>
    %81 = "tk.broadcast"(%79) : (tensor<1x64xi64>) -> tensor<64x64xi64>
    %82 = arith.addi %80, %81 : tensor<64x64xi64>
    %83 = "tk.expand_dims"(%67) {axis = 0 : i32} : (tensor<64xi1>) -> tensor<1x64xi1>
    %84 = "tk.broadcast"(%46) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %85 = "tk.broadcast"(%83) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %86 = arith.andi %84, %85 : tensor<64x64xi1>
    %87 = "tk.splat"(%78) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %88 = "tk.addptr"(%87, %82) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi64>) -> tensor<64x64x!tk.ptr<f16>>
    "tk.store"(%88, %73, %86) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}

