// chip: sm_90a
// show: func.func tk.dot tk.program_id
// The kernel stays; a second form of it has the rows of two programs, on 16 warps.
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
    %c2_i32 = arith.constant 2 : i32
    %7 = arith.divsi %0, %c2_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = "tk.addptr"(%arg1, %8) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %10 = "tk.addptr"(%arg2, %8) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %11 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %cst = arith.constant dense<3> : tensor<128x1xi32>
    %12 = arith.muli %11, %cst : tensor<128x1xi32>
    %13 = "tk.splat"(%0) : (i32) -> tensor<128x1xi32>
    %14 = arith.addi %12, %13 : tensor<128x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x1xi32>
    %15 = arith.muli %14, %cst_0 : tensor<128x1xi32>
    %16 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %15) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %18 = "tk.expand_dims"(%6) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %19 = "tk.broadcast"(%17) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x64x!tk.ptr<f16>>
    %20 = "tk.broadcast"(%18) : (tensor<1x64xi32>) -> tensor<128x64xi32>
    %21 = "tk.addptr"(%19, %20) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f16>>
    %22 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %23 = arith.cmpi slt, %11, %22 : tensor<128x1xi32>
    %24 = "tk.broadcast"(%23) : (tensor<128x1xi1>) -> tensor<128x64xi1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %25 = "tk.load"(%21, %24, %cst_2) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi1>, tensor<128x64xf16>) -> tensor<128x64xf16>
    %26 = arith.addi %2, %c128_i32 : i32
    %27 = arith.minsi %arg5, %26 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<128> : tensor<1x64xi32>
    %28 = "tk.splat"(%9) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %29 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %30 = "tk.broadcast"(%29) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %31 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_5 = arith.constant dense<128> : tensor<64x1xi32>
    %32 = "tk.splat"(%10) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%18) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %34 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %35 = "tk.broadcast"(%11) : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<128x64xf32>
    %36 = arith.sitofp %0 : i32 to f32
    %37 = "tk.splat"(%36) : (f32) -> tensor<128x64xf32>
    %cst_7 = arith.constant dense<-1.000000e+00> : tensor<128x64xf32>
    %38 = arith.extsi %c0_i32 : i32 to i64
    %39 = arith.extsi %27 : i32 to i64
    %40 = arith.extsi %c64_i32 : i32 to i64
    %41 = arith.subi %39, %38 : i64
    %c0_i64 = arith.constant 0 : i64
    %42 = arith.maxsi %41, %c0_i64 : i64
    %43 = arith.divsi %42, %40 : i64
    %c0_i64_8 = arith.constant 0 : i64
    %c-128_i64 = arith.constant -128 : i64
    %44 = arith.extsi %1 : i32 to i64
    %45 = arith.muli %c-128_i64, %44 : i64
    %46 = arith.subi %c0_i64_8, %45 : i64
    %c-1_i64 = arith.constant -1 : i64
    %47 = arith.subi %46, %c-1_i64 : i64
    %c64_i64 = arith.constant 64 : i64
    %48 = arith.divsi %47, %c64_i64 : i64
    %c0_i64_9 = arith.constant 0 : i64
    %49 = arith.maxsi %48, %c0_i64_9 : i64
    %50 = arith.minsi %43, %49 : i64
    %c2147483520_i64 = arith.constant 2147483520 : i64
    %51 = arith.extsi %1 : i32 to i64
    %c128_i64 = arith.constant 128 : i64
    %52 = arith.muli %c128_i64, %51 : i64
    %53 = arith.subi %c2147483520_i64, %52 : i64
    %c0_i64_10 = arith.constant 0 : i64
    %54 = arith.cmpi sge, %53, %c0_i64_10 : i64
    %55 = arith.select %54, %50, %c0_i64_10 : i64
    %c33554431_i64 = arith.constant 33554431 : i64
    %56 = arith.minsi %55, %c33554431_i64 : i64
    %57 = arith.muli %56, %40 : i64
    %58 = arith.addi %38, %57 : i64
    %59 = arith.trunci %58 : i64 to i32
    %60 = scf.for %arg6 = %c0_i32 to %59 step %c64_i32 iter_args(%arg7 = %cst_1) -> (tensor<128x64xf32>)  : i32 {
      %77 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %78 = arith.addi %77, %6 : tensor<64xi32>
      %79 = "tk.expand_dims"(%78) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %80 = arith.muli %79, %cst_3 : tensor<1x64xi32>
      %81 = "tk.addptr"(%28, %80) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %82 = "tk.broadcast"(%81) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %83 = "tk.addptr"(%82, %30) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %84 = arith.cmpi slt, %79, %31 : tensor<1x64xi32>
      %85 = "tk.broadcast"(%84) : (tensor<1x64xi1>) -> tensor<64x64xi1>
      %86 = "tk.load"(%83, %85, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %87 = "tk.expand_dims"(%78) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %88 = arith.muli %87, %cst_5 : tensor<64x1xi32>
      %89 = "tk.addptr"(%32, %88) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %90 = "tk.broadcast"(%89) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %91 = "tk.addptr"(%90, %33) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %92 = arith.cmpi slt, %87, %34 : tensor<64x1xi32>
      %93 = "tk.broadcast"(%92) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %94 = "tk.load"(%91, %93, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %95 = "tk.dot"(%25, %86, %cst_1) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %96 = math.fma %95, %cst_6, %37 : tensor<128x64xf32>
      %97 = arith.truncf %96 : tensor<128x64xf32> to tensor<128x64xf16>
      %98 = "tk.dot"(%97, %94, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      scf.yield %98 : tensor<128x64xf32>
    } {tk.whole_steps = "no score is masked"}
    %61 = scf.for %arg6 = %59 to %27 step %c64_i32 iter_args(%arg7 = %60) -> (tensor<128x64xf32>)  : i32 {
      %77 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %78 = arith.addi %77, %6 : tensor<64xi32>
      %79 = "tk.expand_dims"(%78) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %80 = arith.muli %79, %cst_3 : tensor<1x64xi32>
      %81 = "tk.addptr"(%28, %80) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %82 = "tk.broadcast"(%81) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %83 = "tk.addptr"(%82, %30) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %84 = arith.cmpi slt, %79, %31 : tensor<1x64xi32>
      %85 = "tk.broadcast"(%84) : (tensor<1x64xi1>) -> tensor<64x64xi1>
      %86 = "tk.load"(%83, %85, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %87 = "tk.expand_dims"(%78) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %88 = arith.muli %87, %cst_5 : tensor<64x1xi32>
      %89 = "tk.addptr"(%32, %88) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %90 = "tk.broadcast"(%89) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %91 = "tk.addptr"(%90, %33) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %92 = arith.cmpi slt, %87, %34 : tensor<64x1xi32>
      %93 = "tk.broadcast"(%92) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %94 = "tk.load"(%91, %93, %cst_4) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %95 = "tk.broadcast"(%79) : (tensor<1x64xi32>) -> tensor<128x64xi32>
      %96 = arith.cmpi sge, %35, %95 : tensor<128x64xi32>
      %97 = "tk.dot"(%25, %86, %cst_1) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %98 = math.fma %97, %cst_6, %37 : tensor<128x64xf32>
      %99 = arith.select %96, %98, %cst_7 : tensor<128x64xi1>, tensor<128x64xf32>
      %100 = arith.truncf %99 : tensor<128x64xf32> to tensor<128x64xf16>
      %101 = "tk.dot"(%100, %94, %arg7) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
      scf.yield %101 : tensor<128x64xf32>
    }
    %62 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
    %63 = "tk.addptr"(%62, %15) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
    %64 = "tk.broadcast"(%63) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x64x!tk.ptr<f32>>
    %65 = "tk.addptr"(%64, %20) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f32>>
    %66 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %67 = arith.sitofp %66 : i32 to f32
    %68 = "tk.splat"(%67) : (f32) -> tensor<128x64xf32>
    %69 = arith.addf %61, %68 : tensor<128x64xf32>
    "tk.store"(%65, %69, %24) : (tensor<128x64x!tk.ptr<f32>>, tensor<128x64xf32>, tensor<128x64xi1>) -> ()
    %70 = arith.muli %0, %arg5 : i32
    %71 = "tk.addptr"(%arg4, %70) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %72 = "tk.splat"(%71) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %73 = "tk.addptr"(%72, %5) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %74 = "tk.reduce"(%61) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %77 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%77) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<128x64xf32>) -> tensor<128xf32>
    %75 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
    %76 = arith.cmpi slt, %5, %75 : tensor<128xi32>
    "tk.store"(%73, %74, %76) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    return
  }
}

