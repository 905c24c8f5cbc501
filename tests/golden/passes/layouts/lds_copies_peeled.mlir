// chip: gfx950
// show: scf.* tk.load
// peel has split the loop: the load behind it goes on from the pointers of the first loop, and has their layout.
module {
  func.func @odd(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 64 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %2 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32>
    %3 = arith.muli %1, %2 : tensor<64x1xi32>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %3) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %7 = "tk.broadcast"(%5) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %8 = "tk.broadcast"(%6) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %9 = "tk.addptr"(%7, %8) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32>
    %10 = arith.muli %1, %cst_0 : tensor<64x1xi32>
    %11 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %12 = "tk.addptr"(%11, %10) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%12) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %14 = "tk.addptr"(%13, %8) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<64x64xi32>
    %cst_2 = arith.constant dense<4096> : tensor<64x64xi32>
    %15 = arith.extsi %c0_i32 : i32 to i64
    %16 = arith.extsi %arg3 : i32 to i64
    %17 = arith.extsi %c64_i32 : i32 to i64
    %18 = arith.subi %16, %15 : i64
    %c0_i64 = arith.constant 0 : i64
    %19 = arith.maxsi %18, %c0_i64 : i64
    %20 = arith.divsi %19, %17 : i64
    %c-2_i64 = arith.constant -2 : i64
    %21 = arith.andi %20, %c-2_i64 : i64
    %c64_i32_3 = arith.constant 64 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %22 = arith.muli %c0_i32_4, %arg3 : i32
    %23 = "tk.addptr"(%arg0, %22) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %24 = "tk.addptr"(%23, %c0_i32_4) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %c4096_i32 = arith.constant 4096 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c64_i32_6 = arith.constant 64 : i32
    %25 = arith.muli %c0_i32_5, %c64_i32_6 : i32
    %26 = "tk.addptr"(%arg1, %25) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %27 = "tk.addptr"(%26, %c0_i32_5) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %c0_i64_7 = arith.constant 0 : i64
    %true = arith.constant true
    %c0_i32_8 = arith.constant 0 : i32
    %28 = arith.muli %c0_i32_8, %arg3 : i32
    %29 = arith.extsi %c64_i32_3 : i32 to i64
    %c2_i64 = arith.constant 2 : i64
    %30 = arith.muli %29, %c2_i64 : i64
    %c1073741824_i64 = arith.constant 1073741824 : i64
    %31 = arith.cmpi ult, %30, %c1073741824_i64 : i64
    %32 = arith.andi %true, %31 : i1
    %c2147483488_i64 = arith.constant 2147483488 : i64
    %33 = arith.subi %c2147483488_i64, %30 : i64
    %c1_i64 = arith.constant 1 : i64
    %34 = arith.divsi %33, %c1_i64 : i64
    %35 = arith.extsi %3 : tensor<64x1xi32> to tensor<64x1xi64>
    %cst_9 = arith.constant dense<2> : tensor<64x1xi64>
    %36 = arith.muli %35, %cst_9 : tensor<64x1xi64>
    %37 = arith.addi %34, %34 : i64
    %38 = arith.extsi %28 : i32 to i64
    %c2_i64_10 = arith.constant 2 : i64
    %39 = arith.muli %38, %c2_i64_10 : i64
    %40 = arith.subi %34, %39 : i64
    %41 = "tk.splat"(%40) : (i64) -> tensor<64x1xi64>
    %42 = "tk.splat"(%37) : (i64) -> tensor<64x1xi64>
    %43 = arith.addi %36, %41 : tensor<64x1xi64>
    %44 = arith.cmpi ugt, %43, %42 : tensor<64x1xi64>
    %45 = arith.extui %44 : tensor<64x1xi1> to tensor<64x1xi32>
    %c0_i32_11 = arith.constant 0 : i32
    %c64_i32_12 = arith.constant 64 : i32
    %46 = arith.muli %c0_i32_11, %c64_i32_12 : i32
    %47 = arith.extsi %c4096_i32 : i32 to i64
    %c2_i64_13 = arith.constant 2 : i64
    %48 = arith.muli %47, %c2_i64_13 : i64
    %c1073741824_i64_14 = arith.constant 1073741824 : i64
    %49 = arith.cmpi ult, %48, %c1073741824_i64_14 : i64
    %50 = arith.andi %32, %49 : i1
    %c2147483488_i64_15 = arith.constant 2147483488 : i64
    %51 = arith.subi %c2147483488_i64_15, %48 : i64
    %c1_i64_16 = arith.constant 1 : i64
    %52 = arith.divsi %51, %c1_i64_16 : i64
    %53 = arith.extsi %10 : tensor<64x1xi32> to tensor<64x1xi64>
    %cst_17 = arith.constant dense<2> : tensor<64x1xi64>
    %54 = arith.muli %53, %cst_17 : tensor<64x1xi64>
    %55 = arith.addi %52, %52 : i64
    %56 = arith.extsi %46 : i32 to i64
    %c2_i64_18 = arith.constant 2 : i64
    %57 = arith.muli %56, %c2_i64_18 : i64
    %58 = arith.subi %52, %57 : i64
    %59 = "tk.splat"(%58) : (i64) -> tensor<64x1xi64>
    %60 = "tk.splat"(%55) : (i64) -> tensor<64x1xi64>
    %61 = arith.addi %54, %59 : tensor<64x1xi64>
    %62 = arith.cmpi ugt, %61, %60 : tensor<64x1xi64>
    %63 = arith.extui %62 : tensor<64x1xi1> to tensor<64x1xi32>
    %64 = "tk.reshape"(%45) {allow_reorder} : (tensor<64x1xi32>) -> tensor<64xi32>
    %65 = "tk.reshape"(%63) {allow_reorder} : (tensor<64x1xi32>) -> tensor<64xi32>
    %66 = arith.ori %64, %65 : tensor<64xi32>
    %c0_i32_19 = arith.constant 0 : i32
    %67 = "tk.reduce"(%66) ({
    ^bb0(%arg4: i32, %arg5: i32):
      %88 = arith.ori %arg4, %arg5 : i32
      "tk.yield"(%88) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<64xi32>) -> i32
    %68 = arith.cmpi eq, %67, %c0_i32_19 : i32
    %69 = arith.andi %50, %68 : i1
    %70 = arith.select %69, %21, %c0_i64_7 : i64
    %71 = arith.muli %70, %17 : i64
    %72 = arith.addi %15, %71 : i64
    %73 = arith.trunci %72 : i64 to i32
    %74:3 = scf.for %arg4 = %c0_i32 to %73 step %c64_i32 iter_args(%arg5 = %cst, %arg6 = %9, %arg7 = %14) -> (tensor<64x64xf32>, tensor<64x64x!tk.ptr<f16>>, tensor<64x64x!tk.ptr<f16>>)  : i32 {
      %88 = "tk.load"(%arg6) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %89 = "tk.load"(%arg7) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %90 = "tk.dot"(%88, %89, %arg5) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %91 = "tk.addptr"(%arg6, %cst_1) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %92 = "tk.addptr"(%arg7, %cst_2) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      scf.yield %90, %91, %92 : tensor<64x64xf32>, tensor<64x64x!tk.ptr<f16>>, tensor<64x64x!tk.ptr<f16>>
    } {tk.even, tk.near}
    %c64_i32_20 = arith.constant 64 : i32
    %75 = arith.extsi %c64_i32_20 : i32 to i64
    %76 = arith.muli %75, %70 : i64
    %77 = "tk.splat"(%76) : (i64) -> tensor<64x64xi64>
    %78 = "tk.addptr"(%9, %77) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi64>) -> tensor<64x64x!tk.ptr<f16>>
    %c4096_i32_21 = arith.constant 4096 : i32
    %79 = arith.extsi %c4096_i32_21 : i32 to i64
    %80 = arith.muli %79, %70 : i64
    %81 = "tk.splat"(%80) : (i64) -> tensor<64x64xi64>
    %82 = "tk.addptr"(%14, %81) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi64>) -> tensor<64x64x!tk.ptr<f16>>
    %83:3 = scf.for %arg4 = %73 to %arg3 step %c64_i32 iter_args(%arg5 = %74#0, %arg6 = %78, %arg7 = %82) -> (tensor<64x64xf32>, tensor<64x64x!tk.ptr<f16>>, tensor<64x64x!tk.ptr<f16>>)  : i32 {
      %88 = "tk.load"(%arg6) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %89 = "tk.load"(%arg7) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %90 = "tk.dot"(%88, %89, %arg5) {precision = "ieee"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %91 = "tk.addptr"(%arg6, %cst_1) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %92 = "tk.addptr"(%arg7, %cst_2) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      scf.yield %90, %91, %92 : tensor<64x64xf32>, tensor<64x64x!tk.ptr<f16>>, tensor<64x64x!tk.ptr<f16>>
    } {tk.num_stages = 1 : i32}
    %84 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %85 = "tk.addptr"(%84, %10) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %86 = "tk.broadcast"(%85) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %87 = "tk.addptr"(%86, %8) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%87, %83#0) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}

