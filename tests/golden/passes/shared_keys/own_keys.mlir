// chip: sm_90a
// show: tk.dot tk.program_id
// Left alone: each head has keys of its own.
module {
  func.func @heads(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32>, %arg5: i32) attributes {tk.grouped_pid = "left alone: no dot of a row's tile with a column's", tk.num_stages = 3 : i32, tk.num_warps = 16 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %2 = arith.muli %1, %c128_i32 : i32
    %3 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %4 = "tk.splat"(%2) : (i32) -> tensor<128xi32>
    %5 = arith.addi %4, %3 : tensor<128xi32>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %c64_i32 = arith.constant 64 : i32
    %7 = arith.muli %0, %c64_i32 : i32
    %8 = "tk.addptr"(%arg1, %7) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %9 = "tk.addptr"(%arg2, %7) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %10 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %cst = arith.constant dense<3> : tensor<128x1xi32>
    %11 = arith.muli %10, %cst : tensor<128x1xi32>
    %12 = "tk.splat"(%0) : (i32) -> tensor<128x1xi32>
    %13 = arith.addi %11, %12 : tensor<128x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x1xi32>
    %14 = arith.muli %13, %cst_0 : tensor<128x1xi32>
    %15 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %14) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %17 = "tk.expand_dims"(%6) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %18 = "tk.broadcast"(%16) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x64x!tk.ptr<f16>>
    %19 = "tk.broadcast"(%17) : (tensor<1x64xi32>) -> tensor<128x64xi32>
    %20 = "tk.addptr"(%18, %19) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f16>>
    %21 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %22 = arith.cmpi slt, %10, %21 : tensor<128x1xi32>
    %23 = "tk.broadcast"(%22) : (tensor<128x1xi1>) -> tensor<128x64xi1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %24 = "tk.load"(%20, %23, %cst_2) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi1>, tensor<128x64xf16>) -> tensor<128x64xf16>
    %25 = arith.addi %2, %c128_i32 : i32
    %26 = arith.minsi %arg5, %25 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<192> : tensor<1x64xi32>
    %27 = "tk.splat"(%8) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %28 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %29 = "tk.broadcast"(%28) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %30 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_5 = arith.constant dense<192> : tensor<64x1xi32>
    %31 = "tk.splat"(%9) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %32 = "tk.broadcast"(%17) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %33 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %34 = "tk.broadcast"(%10) : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<128x64xf32>
    %35 = arith.sitofp %0 : i32 to f32
    %36 = "tk.splat"(%35) : (f32) -> tensor<128x64xf32>
    %cst_7 = arith.constant dense<-1.000000e+00> : tensor<128x64xf32>
    %37 = arith.extsi %c0_i32 : i32 to i64
    %38 = arith.extsi %26 : i32 to i64
    %39 = arith.extsi %c64_i32 : i32 to i64
    %40 = arith.subi %38, %37 : i64
    %c0_i64 = arith.constant 0 : i64
    %41 = arith.maxsi %40, %c0_i64 : i64
    %42 = arith.divsi %41, %39 : i64
    %c0_i64_8 = arith.constant 0 : i64
    %c-128_i64 = arith.constant -128 : i64
    %43 = arith.extsi %1 : i32 to i64
    %44 = arith.muli %c-128_i64, %43 : i64
    %45 = arith.subi %c0_i64_8, %44 : i64
    %c-1_i64 = arith.constant -1 : i64
    %46 = arith.subi %45, %c-1_i64 : i64
    %c64_i64 = arith.constant 64 : i64
    %47 = arith.divsi %46, %c64_i64 : i64
    %c0_i64_9 = arith.constant 0 : i64
    %48 = arith.maxsi %47, %c0_i64_9 : i64
    %49 = arith.minsi %42, %48 : i64
    %c2147483520_i64 = arith.constant 2147483520 : i64
    %50 = arith.extsi %1 : i32 to i64
    %c128_i64 = arith.constant 128 : i64
    %51 = arith.muli %c128_i64, %50 : i64
    %52 = arith.subi %c2147483520_i64, %51 : i64
    %c0_i64_10 = arith.constant 0 : i64
    %53 = arith.cmpi sge, %52, %c0_i64_10 : i64
    %54 = arith.select %53, %49, %c0_i64_10 : i64
    %c33554431_i64 = arith.constant 33554431 : i64
    %55 = arith.minsi %54, %c33554431_i64 : i64
    %56 = arith.muli %55, %39 : i64
    %57 = arith.addi %37, %56 : i64
    %58 = arith.trunci %57 : i64 to i32
    %59 = scf.for %arg6 = %c0_i32 to %58 step %c64_i32 iter_args(%arg7 = %cst_1) -> (tensor<128x64xf32>)  : i32 {
      %76 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %77 = arith.addi %76, %6 : tensor<64xi32>
      %78 = "tk.expand_dims"(%77) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %79 = arith.muli %78, %cst_3 : tensor<1x64xi32>
      %80 = "tk.addptr"(%27, %79) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %81 = "tk.broadcast"(%80) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %82 = "tk.addptr"(%81, %29) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %83 = arith.cmpi slt, %78, %30 : tensor<1x64xi32>
      %84 = "tk.broadcast"(%83) : (tensor<1x64xi1>) -> tensor<64x64xi1>
      %85 = "tk.load"(%82, %84, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %86 = "tk.expand_dims"(%77) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %87 = arith.muli %86, %cst_5 : tensor<64x1xi32>
      %88 = "tk.addptr"(%31, %87) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %89 = "tk.broadcast"(%88) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %90 = "tk.addptr"(%89, %32) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %91 = arith.cmpi slt, %86, %33 : tensor<64x1xi32>
      %92 = "tk.broadcast"(%91) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %93 = "tk.load"(%90, %92, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %94 = "tk.dot"(%24, %85, %cst_1) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %95 = math.fma %94, %cst_6, %36 : tensor<128x64xf32>
      %96 = arith.truncf %95 : tensor<128x64xf32> to tensor<128x64xf16>
      %97 = "tk.dot"(%96, %93, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      scf.yield %97 : tensor<128x64xf32>
    } {tk.whole_steps = "no score is masked"}
    %60 = scf.for %arg6 = %58 to %26 step %c64_i32 iter_args(%arg7 = %59) -> (tensor<128x64xf32>)  : i32 {
      %76 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %77 = arith.addi %76, %6 : tensor<64xi32>
      %78 = "tk.expand_dims"(%77) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %79 = arith.muli %78, %cst_3 : tensor<1x64xi32>
      %80 = "tk.addptr"(%27, %79) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %81 = "tk.broadcast"(%80) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %82 = "tk.addptr"(%81, %29) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %83 = arith.cmpi slt, %78, %30 : tensor<1x64xi32>
      %84 = "tk.broadcast"(%83) : (tensor<1x64xi1>) -> tensor<64x64xi1>
      %85 = "tk.load"(%82, %84, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %86 = "tk.expand_dims"(%77) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %87 = arith.muli %86, %cst_5 : tensor<64x1xi32>
      %88 = "tk.addptr"(%31, %87) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %89 = "tk.broadcast"(%88) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %90 = "tk.addptr"(%89, %32) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %91 = arith.cmpi slt, %86, %33 : tensor<64x1xi32>
      %92 = "tk.broadcast"(%91) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %93 = "tk.load"(%90, %92, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %94 = "tk.broadcast"(%78) : (tensor<1x64xi32>) -> tensor<128x64xi32>
      %95 = arith.cmpi sge, %34, %94 : tensor<128x64xi32>
      %96 = "tk.dot"(%24, %85, %cst_1) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %97 = math.fma %96, %cst_6, %36 : tensor<128x64xf32>
      %98 = arith.select %95, %97, %cst_7 : tensor<128x64xi1>, tensor<128x64xf32>
      %99 = arith.truncf %98 : tensor<128x64xf32> to tensor<128x64xf16>
      %100 = "tk.dot"(%99, %93, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      scf.yield %100 : tensor<128x64xf32>
    }
    %61 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
    %62 = "tk.addptr"(%61, %14) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
    %63 = "tk.broadcast"(%62) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x64x!tk.ptr<f32>>
    %64 = "tk.addptr"(%63, %19) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f32>>
    %65 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %66 = arith.sitofp %65 : i32 to f32
    %67 = "tk.splat"(%66) : (f32) -> tensor<128x64xf32>
    %68 = arith.addf %60, %67 : tensor<128x64xf32>
    "tk.store"(%64, %68, %23) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xf32>, tensor<128x64xi1>) -> ()
    %69 = arith.muli %0, %arg5 : i32
    %70 = "tk.addptr"(%arg4, %69) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %71 = "tk.splat"(%70) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %72 = "tk.addptr"(%71, %5) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %73 = "tk.reduce"(%60) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %76 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%76) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<128x64xf32>) -> tensor<128xf32>
    %74 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
    %75 = arith.cmpi slt, %5, %74 : tensor<128xi32>
    "tk.store"(%72, %73, %75) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    return
  }
}

