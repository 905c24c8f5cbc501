// chip: sm_90a
// show: func.func tk.dot
// So do columns whose slots are too large for two of each warp.
module {
  func.func @words_repeated(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 4", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c536870911_i32 = arith.constant 536870911 : i32
    %4 = arith.cmpi sle, %3, %c536870911_i32 : i32
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c4_i32 : i32
    %6 = arith.muli %5, %c4_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c4_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c4_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %c16_i32 = arith.constant 16 : i32
    %19 = arith.muli %18, %c16_i32 : i32
    %20 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %21 = "tk.splat"(%19) : (i32) -> tensor<16xi32>
    %22 = arith.addi %21, %20 : tensor<16xi32>
    %c128_i32 = arith.constant 128 : i32
    %23 = arith.muli %17, %c128_i32 : i32
    %24 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %25 = "tk.splat"(%23) : (i32) -> tensor<128xi32>
    %26 = arith.addi %25, %24 : tensor<128xi32>
    %27 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %28 = "tk.splat"(%arg5) : (i32) -> tensor<16x1xi32>
    %29 = arith.muli %27, %28 : tensor<16x1xi32>
    %30 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<16x1x!tk.ptr<i32>>
    %31 = "tk.addptr"(%30, %29) : (tensor<16x1x!tk.ptr<i32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<i32>>
    %32 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %33 = "tk.broadcast"(%31) : (tensor<16x1x!tk.ptr<i32>>) -> tensor<16x128x!tk.ptr<i32>>
    %34 = "tk.broadcast"(%32) : (tensor<1x128xi32>) -> tensor<16x128xi32>
    %35 = "tk.addptr"(%33, %34) : (tensor<16x128x!tk.ptr<i32>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<i32>>
    %cst = arith.constant dense<8> : tensor<128xi32>
    %36 = arith.remsi %24, %cst : tensor<128xi32>
    %cst_0 = arith.constant dense<4> : tensor<128xi32>
    %37 = arith.muli %36, %cst_0 : tensor<128xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<16x128xf32>
    %c0_i32_2 = arith.constant 0 : i32
    %38 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %39 = "tk.splat"(%arg6) : (i32) -> tensor<16x1xi32>
    %40 = arith.muli %38, %39 : tensor<16x1xi32>
    %41 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %42 = "tk.addptr"(%41, %40) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %43 = "tk.broadcast"(%42) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x128x!tk.ptr<f16>>
    %44 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %45 = arith.cmpi slt, %38, %44 : tensor<16x1xi32>
    %46 = "tk.broadcast"(%45) : (tensor<16x1xi1>) -> tensor<16x128xi1>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<16x128xf16>
    %c64_i32 = arith.constant 64 : i32
    %47 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %48 = "tk.broadcast"(%47) : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %cst_4 = arith.constant dense<15> : tensor<128x128xi32>
    %cst_5 = arith.constant dense<8> : tensor<128x128xi32>
    %49 = arith.muli %c16_i32, %arg5 : i32
    %50 = "tk.splat"(%49) : (i32) -> tensor<16x128xi32>
    %51:2 = scf.for %arg7 = %c0_i32_2 to %arg6 step %c128_i32 iter_args(%arg8 = %cst_1, %arg9 = %35) -> (tensor<16x128xf32>, tensor<16x128x!tk.ptr<i32>>)  : i32 {
      %57 = "tk.splat"(%arg7) : (i32) -> tensor<128xi32>
      %58 = arith.addi %57, %24 : tensor<128xi32>
      %59 = "tk.expand_dims"(%58) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
      %60 = "tk.broadcast"(%59) : (tensor<1x128xi32>) -> tensor<16x128xi32>
      %61 = "tk.addptr"(%43, %60) : (tensor<16x128x!tk.ptr<f16>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<f16>>
      %62 = "tk.load"(%61, %46, %cst_3) : (tensor<16x128x!tk.ptr<f16>>, tensor<16x128xi1>, tensor<16x128xf16>) -> tensor<16x128xf16>
      %63 = "tk.load"(%arg9) : (tensor<16x128x!tk.ptr<i32>>) -> tensor<16x128xi32>
      %64 = "tk.expand_dims"(%63) {axis = 1 : i32} : (tensor<16x128xi32>) -> tensor<16x1x128xi32>
      %65 = "tk.broadcast"(%64) : (tensor<16x1x128xi32>) -> tensor<16x8x128xi32>
      %66 = "tk.reshape"(%65) : (tensor<16x8x128xi32>) -> tensor<128x128xi32>
      %67 = arith.divsi %arg7, %c64_i32 : i32
      %68 = arith.muli %67, %arg5 : i32
      %69 = "tk.addptr"(%arg2, %68) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %70 = "tk.splat"(%69) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>>
      %71 = "tk.addptr"(%70, %26) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f16>>
      %72 = "tk.load"(%71) : (tensor<128x!tk.ptr<f16>>) -> tensor<128xf16>
      %73 = arith.shrsi %66, %48 : tensor<128x128xi32>
      %74 = arith.andi %73, %cst_4 : tensor<128x128xi32>
      %75 = arith.subi %74, %cst_5 : tensor<128x128xi32>
      %76 = arith.trunci %73 : tensor<128x128xi32> to tensor<128x128xi16>
      %cst_6 = arith.constant dense<15> : tensor<128x128xi16>
      %77 = arith.andi %76, %cst_6 : tensor<128x128xi16>
      %cst_7 = arith.constant dense<25600> : tensor<128x128xi16>
      %78 = arith.ori %77, %cst_7 : tensor<128x128xi16>
      %79 = arith.bitcast %78 : tensor<128x128xi16> to tensor<128x128xf16>
      %cst_8 = arith.constant dense<1.032000e+03> : tensor<128x128xf16>
      %80 = arith.subf %79, %cst_8 : tensor<128x128xf16>
      %81 = arith.sitofp %75 : tensor<128x128xi32> to tensor<128x128xf16>
      %82 = "tk.expand_dims"(%72) {axis = 0 : i32} : (tensor<128xf16>) -> tensor<1x128xf16>
      %83 = "tk.broadcast"(%82) : (tensor<1x128xf16>) -> tensor<128x128xf16>
      %84 = arith.mulf %80, %83 : tensor<128x128xf16>
      %85 = "tk.dot"(%62, %84, %arg8) {precision = "tf32"} : (tensor<16x128xf16>, tensor<128x128xf16>, tensor<16x128xf32>) -> tensor<16x128xf32>
      %86 = "tk.addptr"(%arg9, %50) : (tensor<16x128x!tk.ptr<i32>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<i32>>
      scf.yield %85, %86 : tensor<16x128xf32>, tensor<16x128x!tk.ptr<i32>>
    }
    %52 = arith.muli %38, %28 : tensor<16x1xi32>
    %53 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %54 = "tk.addptr"(%53, %52) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %55 = "tk.broadcast"(%54) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x128x!tk.ptr<f32>>
    %56 = "tk.addptr"(%55, %34) : (tensor<16x128x!tk.ptr<f32>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<f32>>
    "tk.store"(%56, %51#0, %46) : (tensor<16x128x!tk.ptr<f32>>, tensor<16x128xf32>, tensor<16x128xi1>) -> ()
    return
  }
}

