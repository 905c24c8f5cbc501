// chip: gfx1100
// show: tk.dot tk.convert_layout
// Warps that multiply other rows share the columns, and both halves of a wave have all of them: each number is unpacked once, by the thread that
// loaded its word, and the unpacked tile is converted.
module {
  func.func @dequantised(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c268435455_i32 = arith.constant 268435455 : i32
    %4 = arith.cmpi sle, %3, %c268435455_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c8_i32 : i32
    %6 = arith.muli %5, %c8_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c8_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c8_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %c128_i32 = arith.constant 128 : i32
    %19 = arith.muli %18, %c128_i32 : i32
    %20 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %21 = "tk.splat"(%19) : (i32) -> tensor<128xi32>
    %22 = arith.addi %21, %20 : tensor<128xi32>
    %23 = arith.muli %17, %c128_i32 : i32
    %24 = "tk.splat"(%23) : (i32) -> tensor<128xi32>
    %25 = arith.addi %24, %20 : tensor<128xi32>
    %26 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %27 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
    %28 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
    %29 = "tk.splat"(%arg5) : (i32) -> tensor<8x1xi32>
    %30 = arith.muli %28, %29 : tensor<8x1xi32>
    %31 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<8x1x!tk.ptr<i32>>
    %32 = "tk.addptr"(%31, %30) : (tensor<8x1x!tk.ptr<i32>>, tensor<8x1xi32>) -> tensor<8x1x!tk.ptr<i32>>
    %33 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %34 = "tk.broadcast"(%32) : (tensor<8x1x!tk.ptr<i32>>) -> tensor<8x128x!tk.ptr<i32>>
    %35 = "tk.broadcast"(%33) : (tensor<1x128xi32>) -> tensor<8x128xi32>
    %36 = "tk.addptr"(%34, %35) : (tensor<8x128x!tk.ptr<i32>>, tensor<8x128xi32>) -> tensor<8x128x!tk.ptr<i32>>
    %cst = arith.constant dense<8> : tensor<64xi32>
    %37 = arith.remsi %26, %cst : tensor<64xi32>
    %cst_0 = arith.constant dense<4> : tensor<64xi32>
    %38 = arith.muli %37, %cst_0 : tensor<64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %39 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %40 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32>
    %41 = arith.muli %39, %40 : tensor<128x1xi32>
    %42 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>>
    %43 = "tk.addptr"(%42, %41) : (tensor<128x1x!tk.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f16>>
    %44 = "tk.broadcast"(%43) : (tensor<128x1x!tk.ptr<f16>>) -> tensor<128x64x!tk.ptr<f16>>
    %45 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32>
    %46 = arith.cmpi slt, %39, %45 : tensor<128x1xi32>
    %47 = "tk.broadcast"(%46) : (tensor<128x1xi1>) -> tensor<128x64xi1>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %48 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %49 = "tk.broadcast"(%48) : (tensor<64x1xi32>) -> tensor<64x128xi32>
    %cst_4 = arith.constant dense<15> : tensor<64x128xi32>
    %cst_5 = arith.constant dense<8> : tensor<64x128xi32>
    %c8_i32_6 = arith.constant 8 : i32
    %50 = arith.muli %c8_i32_6, %arg5 : i32
    %51 = "tk.splat"(%50) : (i32) -> tensor<8x128xi32>
    %52:2 = scf.for %arg7 = %c0_i32_2 to %arg6 step %c64_i32 iter_args(%arg8 = %cst_1, %arg9 = %36) -> (tensor<128x128xf32>, tensor<8x128x!tk.ptr<i32>>)  : i32 {
      %61 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32>
      %62 = arith.addi %61, %26 : tensor<64xi32>
      %63 = "tk.expand_dims"(%62) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %64 = "tk.broadcast"(%63) : (tensor<1x64xi32>) -> tensor<128x64xi32>
      %65 = "tk.addptr"(%44, %64) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<f16>>
      %66 = "tk.load"(%65, %47, %cst_3) : (tensor<128x64x!tk.ptr<f16>>, tensor<128x64xi1>, tensor<128x64xf16>) -> tensor<128x64xf16>
      %67 = "tk.load"(%arg9) : (tensor<8x128x!tk.ptr<i32>>) -> tensor<8x128xi32>
      %68 = "tk.expand_dims"(%67) {axis = 1 : i32} : (tensor<8x128xi32>) -> tensor<8x1x128xi32>
      %69 = "tk.broadcast"(%68) : (tensor<8x1x128xi32>) -> tensor<8x8x128xi32>
      %70 = "tk.reshape"(%69) : (tensor<8x8x128xi32>) -> tensor<64x128xi32>
      %71 = arith.divsi %arg7, %c64_i32 : i32
      %72 = arith.muli %71, %arg5 : i32
      %73 = "tk.addptr"(%arg2, %72) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %74 = "tk.splat"(%73) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>>
      %75 = "tk.addptr"(%74, %25) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f16>>
      %76 = "tk.load"(%75) : (tensor<128x!tk.ptr<f16>>) -> tensor<128xf16>
      %77 = arith.shrsi %70, %49 : tensor<64x128xi32>
      %78 = arith.andi %77, %cst_4 : tensor<64x128xi32>
      %79 = arith.subi %78, %cst_5 : tensor<64x128xi32>
      %80 = arith.trunci %77 : tensor<64x128xi32> to tensor<64x128xi16>
      %cst_7 = arith.constant dense<15> : tensor<64x128xi16>
      %81 = arith.andi %80, %cst_7 : tensor<64x128xi16>
      %cst_8 = arith.constant dense<25600> : tensor<64x128xi16>
      %82 = arith.ori %81, %cst_8 : tensor<64x128xi16>
      %83 = arith.bitcast %82 : tensor<64x128xi16> to tensor<64x128xf16>
      %cst_9 = arith.constant dense<1.032000e+03> : tensor<64x128xf16>
      %84 = arith.subf %83, %cst_9 : tensor<64x128xf16>
      %85 = arith.sitofp %79 : tensor<64x128xi32> to tensor<64x128xf16>
      %86 = "tk.expand_dims"(%76) {axis = 0 : i32} : (tensor<128xf16>) -> tensor<1x128xf16>
      %87 = "tk.broadcast"(%86) : (tensor<1x128xf16>) -> tensor<64x128xf16>
      %88 = arith.mulf %84, %87 : tensor<64x128xf16>
      %89 = "tk.dot"(%66, %88, %arg8) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %90 = "tk.addptr"(%arg9, %51) : (tensor<8x128x!tk.ptr<i32>>, tensor<8x128xi32>) -> tensor<8x128x!tk.ptr<i32>>
      scf.yield %89, %90 : tensor<128x128xf32>, tensor<8x128x!tk.ptr<i32>>
    }
    %53 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %54 = arith.muli %39, %53 : tensor<128x1xi32>
    %55 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
    %56 = "tk.addptr"(%55, %54) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
    %57 = "tk.broadcast"(%56) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x128x!tk.ptr<f32>>
    %58 = "tk.broadcast"(%33) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %59 = "tk.addptr"(%57, %58) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f32>>
    %60 = "tk.broadcast"(%46) : (tensor<128x1xi1>) -> tensor<128x128xi1>
    "tk.store"(%59, %52#0, %60) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xf32>, tensor<128x128xi1>) -> ()
    return
  }
}

