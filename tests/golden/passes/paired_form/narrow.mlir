// chip: sm_90a
// show: func.func tk.dot tk.program_id
// Left alone: heads of 32 are no faster on 16 warps.
module {
  func.func @heads(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32>, %arg5: i32) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %2 = arith.muli %1, %c128_i32 : i32
    %3 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %4 = "tk.splat"(%2) : (i32) -> tensor<128xi32>
    %5 = arith.addi %4, %3 : tensor<128xi32>
    %6 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %7 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %c2_i32 = arith.constant 2 : i32
    %8 = arith.divsi %0, %c2_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = "tk.addptr"(%arg1, %9) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %11 = "tk.addptr"(%arg2, %9) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %12 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %cst = arith.constant dense<3> : tensor<128x1xi32>
    %13 = arith.muli %12, %cst : tensor<128x1xi32>
    %14 = "tk.splat"(%0) : (i32) -> tensor<128x1xi32>
    %15 = arith.addi %13, %14 : tensor<128x1xi32>
    %cst_0 = arith.constant dense<32> : tensor<128x1xi32>
    %16 = arith.muli %15, %cst_0 : tensor<128x1xi32>
    %17 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %18 = "tk.addptr"(%17, %16) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %19 = "tk.expand_dims"(%7) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %20 = "tk.broadcast"(%18) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x32x!tk.ptr<f16>>
    %21 = "tk.broadcast"(%19) : (tensor<1x32xi32>) -> tensor<128x32xi32>
    %22 = "tk.addptr"(%20, %21) : (tensor<128x32x!tk.ptr<f16>>, tensor<128x32xi32>) -> tensor<128x32x!tk.ptr<f16>>
    %23 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %24 = arith.cmpi slt, %12, %23 : tensor<128x1xi32>
    %25 = "tk.broadcast"(%24) : (tensor<128x1xi1>) -> tensor<128x32xi1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x32xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x32xf16>
    %26 = "tk.load"(%22, %25, %cst_2) : (tensor<128x32x!tk.ptr<f16>>, tensor<128x32xi1>, tensor<128x32xf16>) -> tensor<128x32xf16>
    %27 = arith.addi %2, %c128_i32 : i32
    %28 = arith.minsi %arg5, %27 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_3 = arith.constant dense<64> : tensor<1x64xi32>
    %29 = "tk.splat"(%10) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %30 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %31 = "tk.broadcast"(%30) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %32 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_5 = arith.constant dense<64> : tensor<64x1xi32>
    %33 = "tk.splat"(%11) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%19) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %35 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %36 = "tk.broadcast"(%12) : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_8 = arith.constant dense<2.000000e+00> : tensor<128x64xf32>
    %37 = arith.sitofp %0 : i32 to f32
    %38 = "tk.splat"(%37) : (f32) -> tensor<128x64xf32>
    %cst_9 = arith.constant dense<-1.000000e+00> : tensor<128x64xf32>
    %39 = arith.extsi %c0_i32 : i32 to i64
    %40 = arith.extsi %28 : i32 to i64
    %41 = arith.extsi %c64_i32 : i32 to i64
    %42 = arith.subi %40, %39 : i64
    %c0_i64 = arith.constant 0 : i64
    %43 = arith.maxsi %42, %c0_i64 : i64
    %44 = arith.divsi %43, %41 : i64
    %c0_i64_10 = arith.constant 0 : i64
    %c-128_i64 = arith.constant -128 : i64
    %45 = arith.extsi %1 : i32 to i64
    %46 = arith.muli %c-128_i64, %45 : i64
    %47 = arith.subi %c0_i64_10, %46 : i64
    %c-1_i64 = arith.constant -1 : i64
    %48 = arith.subi %47, %c-1_i64 : i64
    %c64_i64 = arith.constant 64 : i64
    %49 = arith.divsi %48, %c64_i64 : i64
    %c0_i64_11 = arith.constant 0 : i64
    %50 = arith.maxsi %49, %c0_i64_11 : i64
    %51 = arith.minsi %44, %50 : i64
    %c2147483520_i64 = arith.constant 2147483520 : i64
    %52 = arith.extsi %1 : i32 to i64
    %c128_i64 = arith.constant 128 : i64
    %53 = arith.muli %c128_i64, %52 : i64
    %54 = arith.subi %c2147483520_i64, %53 : i64
    %c0_i64_12 = arith.constant 0 : i64
    %55 = arith.cmpi sge, %54, %c0_i64_12 : i64
    %56 = arith.select %55, %51, %c0_i64_12 : i64
    %c33554431_i64 = arith.constant 33554431 : i64
    %57 = arith.minsi %56, %c33554431_i64 : i64
    %58 = arith.muli %57, %41 : i64
    %59 = arith.addi %39, %58 : i64
    %60 = arith.trunci %59 : i64 to i32
    %61 = scf.for %arg6 = %c0_i32 to %60 step %c64_i32 iter_args(%arg7 = %cst_1) -> (tensor<128x32xf32>)  : i32 {
      %78 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %79 = arith.addi %78, %6 : tensor<64xi32>
      %80 = "tk.expand_dims"(%79) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %81 = arith.muli %80, %cst_3 : tensor<1x64xi32>
      %82 = "tk.addptr"(%29, %81) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %83 = "tk.broadcast"(%82) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %84 = "tk.addptr"(%83, %31) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %85 = arith.cmpi slt, %80, %32 : tensor<1x64xi32>
      %86 = "tk.broadcast"(%85) : (tensor<1x64xi1>) -> tensor<32x64xi1>
      %87 = "tk.load"(%84, %86, %cst_4) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %88 = "tk.expand_dims"(%79) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %89 = arith.muli %88, %cst_5 : tensor<64x1xi32>
      %90 = "tk.addptr"(%33, %89) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %91 = "tk.broadcast"(%90) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %92 = "tk.addptr"(%91, %34) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %93 = arith.cmpi slt, %88, %35 : tensor<64x1xi32>
      %94 = "tk.broadcast"(%93) : (tensor<64x1xi1>) -> tensor<64x32xi1>
      %95 = "tk.load"(%92, %94, %cst_6) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %96 = "tk.dot"(%26, %87, %cst_7) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %97 = math.fma %96, %cst_8, %38 : tensor<128x64xf32>
      %98 = arith.truncf %97 : tensor<128x64xf32> to tensor<128x64xf16>
      %99 = "tk.dot"(%98, %95, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x32xf16>, tensor<128x32xf32>) -> tensor<128x32xf32>
      scf.yield %99 : tensor<128x32xf32>
    } {tk.whole_steps = "no score is masked"}
    %62 = scf.for %arg6 = %60 to %28 step %c64_i32 iter_args(%arg7 = %61) -> (tensor<128x32xf32>)  : i32 {
      %78 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %79 = arith.addi %78, %6 : tensor<64xi32>
      %80 = "tk.expand_dims"(%79) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %81 = arith.muli %80, %cst_3 : tensor<1x64xi32>
      %82 = "tk.addptr"(%29, %81) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %83 = "tk.broadcast"(%82) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %84 = "tk.addptr"(%83, %31) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %85 = arith.cmpi slt, %80, %32 : tensor<1x64xi32>
      %86 = "tk.broadcast"(%85) : (tensor<1x64xi1>) -> tensor<32x64xi1>
      %87 = "tk.load"(%84, %86, %cst_4) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %88 = "tk.expand_dims"(%79) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %89 = arith.muli %88, %cst_5 : tensor<64x1xi32>
      %90 = "tk.addptr"(%33, %89) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %91 = "tk.broadcast"(%90) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %92 = "tk.addptr"(%91, %34) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %93 = arith.cmpi slt, %88, %35 : tensor<64x1xi32>
      %94 = "tk.broadcast"(%93) : (tensor<64x1xi1>) -> tensor<64x32xi1>
      %95 = "tk.load"(%92, %94, %cst_6) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %96 = "tk.broadcast"(%80) : (tensor<1x64xi32>) -> tensor<128x64xi32>
      %97 = arith.cmpi sge, %36, %96 : tensor<128x64xi32>
      %98 = "tk.dot"(%26, %87, %cst_7) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %99 = math.fma %98, %cst_8, %38 : tensor<128x64xf32>
      %100 = arith.select %97, %99, %cst_9 : tensor<128x64xi1>, tensor<128x64xf32>
      %101 = arith.truncf %100 : tensor<128x64xf32> to tensor<128x64xf16>
      %102 = "tk.dot"(%101, %95, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x32xf16>, tensor<128x32xf32>) -> tensor<128x32xf32>
      scf.yield %102 : tensor<128x32xf32>
    }
    %63 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
    %64 = "tk.addptr"(%63, %16) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
    %65 = "tk.broadcast"(%64) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x32x!tk.ptr<f32>>
    %66 = "tk.addptr"(%65, %21) : (tensor<128x32x!tk.ptr<f32>>, tensor<128x32xi32>) -> tensor<128x32x!tk.ptr<f32>>
    %67 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %68 = arith.sitofp %67 : i32 to f32
    %69 = "tk.splat"(%68) : (f32) -> tensor<128x32xf32>
    %70 = arith.addf %62, %69 : tensor<128x32xf32>
    "tk.store"(%66, %70, %25) : (tensor<128x32x!tk.ptr<f32>>, tensor<128x32xf32>, tensor<128x32xi1>) -> ()
    %71 = arith.muli %0, %arg5 : i32
    %72 = "tk.addptr"(%arg4, %71) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %73 = "tk.splat"(%72) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %74 = "tk.addptr"(%73, %5) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %75 = "tk.reduce"(%62) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %78 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%78) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<128x32xf32>) -> tensor<128xf32>
    %76 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
    %77 = arith.cmpi slt, %5, %76 : tensor<128xi32>
    "tk.store"(%74, %75, %77) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    return
  }
}

