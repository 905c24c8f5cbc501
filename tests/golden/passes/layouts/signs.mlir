// chip: gfx1100
// show: tk.convert_layout arith.negf math.absf tk.dot
// Signs of tiles that dots multiply without them, too: each tile changes its layout once, and threads change the signs of what they have then.
module {
  func.func @signs(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %2 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %3 = arith.muli %1, %2 : tensor<32x1xi32>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %3) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %6 = "tk.broadcast"(%5) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %8 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %9 = "tk.broadcast"(%8) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %c0_i64 = arith.constant 0 : i64
    %c32_i64 = arith.constant 32 : i64
    %10 = "tk.splat"(%c32_i64) : (i64) -> tensor<32x32xi64>
    %11 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32>
    %12 = arith.addi %11, %0 : tensor<32xi32>
    %13 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %14 = "tk.broadcast"(%13) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %15 = "tk.addptr"(%6, %14) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %c0_i64_1 = arith.constant 0 : i64
    %c1024_i64 = arith.constant 1024 : i64
    %16 = "tk.splat"(%c1024_i64) : (i64) -> tensor<32x32xi64>
    %17 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32>
    %18 = arith.addi %17, %0 : tensor<32xi32>
    %19 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %20 = arith.muli %19, %cst_0 : tensor<32x1xi32>
    %21 = "tk.addptr"(%7, %20) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %22 = "tk.broadcast"(%21) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %23 = "tk.addptr"(%22, %9) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %24 = arith.extsi %c0_i32 : i32 to i64
    %25 = arith.extsi %arg3 : i32 to i64
    %26 = arith.extsi %c32_i32 : i32 to i64
    %27 = arith.subi %25, %24 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %28 = arith.maxsi %27, %c0_i64_2 : i64
    %29 = arith.divsi %28, %26 : i64
    %c-2_i64 = arith.constant -2 : i64
    %30 = arith.andi %29, %c-2_i64 : i64
    %c32_i64_3 = arith.constant 32 : i64
    %c0_i32_4 = arith.constant 0 : i32
    %31 = arith.muli %c0_i32_4, %arg3 : i32
    %32 = "tk.addptr"(%arg0, %31) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %c0_i32_5 = arith.constant 0 : i32
    %33 = arith.addi %c0_i32_5, %c0_i32_4 : i32
    %34 = "tk.addptr"(%32, %33) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %c1024_i64_6 = arith.constant 1024 : i64
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %35 = arith.addi %c0_i32_7, %c0_i32_8 : i32
    %c32_i32_9 = arith.constant 32 : i32
    %36 = arith.muli %35, %c32_i32_9 : i32
    %37 = "tk.addptr"(%arg1, %36) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %38 = "tk.addptr"(%37, %c0_i32_8) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %c0_i64_10 = arith.constant 0 : i64
    %true = arith.constant true
    %c0_i32_11 = arith.constant 0 : i32
    %c0_i32_12 = arith.constant 0 : i32
    %39 = arith.muli %c0_i32_12, %arg3 : i32
    %c2_i64 = arith.constant 2 : i64
    %40 = arith.muli %c32_i64_3, %c2_i64 : i64
    %c1073741824_i64 = arith.constant 1073741824 : i64
    %41 = arith.cmpi ult, %40, %c1073741824_i64 : i64
    %42 = arith.andi %true, %41 : i1
    %c2147483552_i64 = arith.constant 2147483552 : i64
    %43 = arith.subi %c2147483552_i64, %40 : i64
    %c1_i64 = arith.constant 1 : i64
    %44 = arith.divsi %43, %c1_i64 : i64
    %45 = arith.extsi %3 : tensor<32x1xi32> to tensor<32x1xi64>
    %cst_13 = arith.constant dense<2> : tensor<32x1xi64>
    %46 = arith.muli %45, %cst_13 : tensor<32x1xi64>
    %47 = arith.addi %44, %44 : i64
    %48 = arith.extsi %39 : i32 to i64
    %c2_i64_14 = arith.constant 2 : i64
    %49 = arith.muli %48, %c2_i64_14 : i64
    %50 = arith.subi %44, %49 : i64
    %51 = "tk.splat"(%50) : (i64) -> tensor<32x1xi64>
    %52 = "tk.splat"(%47) : (i64) -> tensor<32x1xi64>
    %53 = arith.addi %46, %51 : tensor<32x1xi64>
    %54 = arith.cmpi ugt, %53, %52 : tensor<32x1xi64>
    %55 = arith.extui %54 : tensor<32x1xi1> to tensor<32x1xi32>
    %c0_i32_15 = arith.constant 0 : i32
    %c0_i32_16 = arith.constant 0 : i32
    %56 = arith.addi %c0_i32_15, %c0_i32_16 : i32
    %c32_i32_17 = arith.constant 32 : i32
    %57 = arith.muli %56, %c32_i32_17 : i32
    %c2_i64_18 = arith.constant 2 : i64
    %58 = arith.muli %c1024_i64_6, %c2_i64_18 : i64
    %c1073741824_i64_19 = arith.constant 1073741824 : i64
    %59 = arith.cmpi ult, %58, %c1073741824_i64_19 : i64
    %60 = arith.andi %42, %59 : i1
    %c2147483552_i64_20 = arith.constant 2147483552 : i64
    %61 = arith.subi %c2147483552_i64_20, %58 : i64
    %c1_i64_21 = arith.constant 1 : i64
    %62 = arith.divsi %61, %c1_i64_21 : i64
    %63 = arith.extsi %20 : tensor<32x1xi32> to tensor<32x1xi64>
    %cst_22 = arith.constant dense<2> : tensor<32x1xi64>
    %64 = arith.muli %63, %cst_22 : tensor<32x1xi64>
    %65 = arith.addi %62, %62 : i64
    %66 = arith.extsi %57 : i32 to i64
    %c2_i64_23 = arith.constant 2 : i64
    %67 = arith.muli %66, %c2_i64_23 : i64
    %68 = arith.subi %62, %67 : i64
    %69 = "tk.splat"(%68) : (i64) -> tensor<32x1xi64>
    %70 = "tk.splat"(%65) : (i64) -> tensor<32x1xi64>
    %71 = arith.addi %64, %69 : tensor<32x1xi64>
    %72 = arith.cmpi ugt, %71, %70 : tensor<32x1xi64>
    %73 = arith.extui %72 : tensor<32x1xi1> to tensor<32x1xi32>
    %74 = "tk.reshape"(%55) {allow_reorder} : (tensor<32x1xi32>) -> tensor<32xi32>
    %75 = "tk.reshape"(%73) {allow_reorder} : (tensor<32x1xi32>) -> tensor<32xi32>
    %76 = arith.ori %74, %75 : tensor<32xi32>
    %c0_i32_24 = arith.constant 0 : i32
    %77 = "tk.reduce"(%76) ({
    ^bb0(%arg4: i32, %arg5: i32):
      %102 = arith.ori %arg4, %arg5 : i32
      "tk.yield"(%102) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32>) -> i32
    %78 = arith.cmpi eq, %77, %c0_i32_24 : i32
    %79 = arith.andi %60, %78 : i1
    %80 = arith.select %79, %30, %c0_i64_10 : i64
    %81 = arith.muli %80, %26 : i64
    %82 = arith.addi %24, %81 : i64
    %83 = arith.trunci %82 : i64 to i32
    %84:4 = scf.for %arg4 = %c0_i32 to %83 step %c32_i32 iter_args(%arg5 = %cst, %arg6 = %cst, %arg7 = %15, %arg8 = %23) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>)  : i32 {
      %102 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32>
      %103 = arith.addi %102, %0 : tensor<32xi32>
      %104 = "tk.expand_dims"(%103) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
      %105 = "tk.broadcast"(%104) : (tensor<1x32xi32>) -> tensor<32x32xi32>
      %106 = "tk.addptr"(%6, %105) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %107 = "tk.load"(%arg7) : (tensor<32x32x!tk.ptr<f16>>) -> tensor<32x32xf16>
      %108 = "tk.expand_dims"(%103) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
      %109 = arith.muli %108, %cst_0 : tensor<32x1xi32>
      %110 = "tk.addptr"(%7, %109) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %111 = "tk.broadcast"(%110) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
      %112 = "tk.addptr"(%111, %9) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %113 = "tk.load"(%arg8) : (tensor<32x32x!tk.ptr<f16>>) -> tensor<32x32xf16>
      %114 = arith.negf %107 : tensor<32x32xf16>
      %115 = "tk.dot"(%114, %113, %arg5) {precision = "ieee"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %116 = math.absf %113 : tensor<32x32xf16>
      %117 = "tk.dot"(%107, %116, %arg6) {precision = "ieee"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %118 = "tk.addptr"(%arg7, %10) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
      %119 = "tk.addptr"(%arg8, %16) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
      scf.yield %115, %117, %118, %119 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>
    } {tk.even, tk.near}
    %c32_i64_25 = arith.constant 32 : i64
    %85 = arith.muli %c32_i64_25, %80 : i64
    %86 = "tk.splat"(%85) : (i64) -> tensor<32x32xi64>
    %87 = "tk.addptr"(%15, %86) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
    %c1024_i64_26 = arith.constant 1024 : i64
    %88 = arith.muli %c1024_i64_26, %80 : i64
    %89 = "tk.splat"(%88) : (i64) -> tensor<32x32xi64>
    %90 = "tk.addptr"(%23, %89) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
    %91:4 = scf.for %arg4 = %83 to %arg3 step %c32_i32 iter_args(%arg5 = %84#0, %arg6 = %84#1, %arg7 = %87, %arg8 = %90) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>)  : i32 {
      %102 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32>
      %103 = arith.addi %102, %0 : tensor<32xi32>
      %104 = "tk.expand_dims"(%103) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
      %105 = "tk.broadcast"(%104) : (tensor<1x32xi32>) -> tensor<32x32xi32>
      %106 = "tk.addptr"(%6, %105) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %107 = "tk.load"(%arg7) : (tensor<32x32x!tk.ptr<f16>>) -> tensor<32x32xf16>
      %108 = "tk.expand_dims"(%103) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
      %109 = arith.muli %108, %cst_0 : tensor<32x1xi32>
      %110 = "tk.addptr"(%7, %109) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %111 = "tk.broadcast"(%110) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
      %112 = "tk.addptr"(%111, %9) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %113 = "tk.load"(%arg8) : (tensor<32x32x!tk.ptr<f16>>) -> tensor<32x32xf16>
      %114 = arith.negf %107 : tensor<32x32xf16>
      %115 = "tk.dot"(%114, %113, %arg5) {precision = "ieee"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %116 = math.absf %113 : tensor<32x32xf16>
      %117 = "tk.dot"(%107, %116, %arg6) {precision = "ieee"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %118 = "tk.addptr"(%arg7, %10) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
      %119 = "tk.addptr"(%arg8, %16) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi64>) -> tensor<32x32x!tk.ptr<f16>>
      scf.yield %115, %117, %118, %119 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>
    } {tk.num_stages = 1 : i32}
    %92 = arith.muli %1, %cst_0 : tensor<32x1xi32>
    %93 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %94 = "tk.addptr"(%93, %92) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %95 = "tk.broadcast"(%94) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x32x!tk.ptr<f32>>
    %96 = "tk.addptr"(%95, %9) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
    "tk.store"(%96, %91#0) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
    %c1024_i32 = arith.constant 1024 : i32
    %97 = "tk.addptr"(%arg2, %c1024_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %98 = "tk.splat"(%97) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %99 = "tk.addptr"(%98, %92) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %100 = "tk.broadcast"(%99) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x32x!tk.ptr<f32>>
    %101 = "tk.addptr"(%100, %9) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f32>>
    "tk.store"(%101, %91#1) : (tensor<32x32x!tk.ptr<f32>>, tensor<32x32xf32>) -> ()
    return
  }
}

