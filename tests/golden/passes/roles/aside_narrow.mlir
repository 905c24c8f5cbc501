// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store tk.atomic_rmw
// The same with heads of 64, in the order in which the products are best.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L1 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L6 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L8 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16>, warp = array<i32: 1024, 2048, 32>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L10 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L11 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L12 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096>, warp = array<i32: 16, 32, 64>}
#L13 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 1025, 2050, 4100, 8, 16, 32, 64>}
module {
  func.func @attention_atomic_keys(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg7: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg8: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg9: f32, %arg10: i32, %arg11: i32, %arg12: i32, %arg13: i32 {tk.divisibility = 16 : i32}, %arg14: i64 {tk.divisibility = 16 : i32}, %arg15: i64 {tk.divisibility = 16 : i32}, %arg16: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %3 = arith.divsi %2, %arg11 : i32
    %4 = arith.extsi %3 : i32 to i64
    %5 = arith.muli %4, %arg14 : i64
    %6 = arith.remsi %2, %arg11 : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = arith.muli %7, %arg15 : i64
    %9 = arith.addi %5, %8 : i64
    %10 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %11 = "tk.splat"(%1) : (i32) -> tensor<128xi32, #L0>
    %12 = arith.addi %11, %10 : tensor<128xi32, #L0>
    %13 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %14 = "tk.splat"(%arg16) : (i32) -> tensor<128x1xi32, #L0>
    %15 = arith.muli %13, %14 : tensor<128x1xi32, #L0>
    %16 = arith.extsi %15 : tensor<128x1xi32, #L0> to tensor<128x1xi64, #L0>
    %17 = "tk.splat"(%9) : (i64) -> tensor<128x1xi64, #L0>
    %18 = arith.addi %17, %16 : tensor<128x1xi64, #L0>
    %19 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %20 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %21 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %22 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
    %23 = arith.extsi %22 : tensor<1x64xi32, #L3> to tensor<1x64xi64, #L3>
    %24 = "tk.broadcast"(%18) : (tensor<128x1xi64, #L0>) -> tensor<128x64xi64, #L4>
    %25 = "tk.broadcast"(%23) : (tensor<1x64xi64, #L3>) -> tensor<128x64xi64, #L4>
    %26 = arith.addi %24, %25 : tensor<128x64xi64, #L4>
    %27 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %28 = "tk.addptr"(%27, %26) : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi64, #L4>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %29 = "tk.splat"(%arg12) : (i32) -> tensor<128x1xi32, #L0>
    %30 = arith.cmpi slt, %13, %29 : tensor<128x1xi32, #L0>
    %31 = "tk.broadcast"(%30) : (tensor<128x1xi1, #L0>) -> tensor<128x64xi1, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L5>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L4>
    %32 = "tk.load"(%28, %31, %cst_0) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi1, #L4>, tensor<128x64xf16, #L4>) -> tensor<128x64xf16, #L4>
    %33 = "tk.convert_layout"(%32) : (tensor<128x64xf16, #L4>) -> tensor<128x64xf16, #L6>
    %34 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %35 = "tk.addptr"(%34, %26) : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi64, #L4>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %36 = "tk.load"(%35, %31, %cst_0) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi1, #L4>, tensor<128x64xf16, #L4>) -> tensor<128x64xf16, #L4>
    %37 = "tk.convert_layout"(%36) : (tensor<128x64xf16, #L4>) -> tensor<128x64xf16, #L6>
    %38 = arith.extsi %2 : i32 to i64
    %39 = arith.extsi %arg13 : i32 to i64
    %40 = arith.muli %38, %39 : i64
    %41 = "tk.addptr"(%arg6, %40) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %42 = "tk.addptr"(%arg7, %40) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %43 = arith.extsi %arg12 : i32 to i64
    %44 = arith.muli %38, %43 : i64
    %c64_i64 = arith.constant 64 : i64
    %45 = arith.muli %44, %c64_i64 : i64
    %46 = "tk.addptr"(%arg8, %45) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %c0_i32 = arith.constant 0 : i32
    %47 = "tk.addptr"(%arg0, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %48 = "tk.addptr"(%arg3, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %cst_1 = arith.constant 1.44269502 : f32
    %49 = arith.mulf %arg9, %cst_1 : f32
    %c64_i32 = arith.constant 64 : i32
    %50 = "tk.splat"(%arg12) : (i32) -> tensor<64x1xi32, #L2>
    %51 = "tk.splat"(%arg16) : (i32) -> tensor<64x1xi32, #L2>
    %52 = "tk.splat"(%47) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %53 = "tk.broadcast"(%22) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L7>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L8>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L7>
    %54 = "tk.splat"(%48) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %55 = "tk.splat"(%49) : (f32) -> tensor<128x64xf32, #L5>
    %56 = "tk.splat"(%41) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L1>
    %57 = "tk.splat"(%42) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L1>
    %cst_4 = arith.constant dense<64> : tensor<64x1xi32, #L2>
    %58 = "tk.splat"(%46) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L2>
    %59:2 = scf.for %arg17 = %c0_i32 to %arg12 step %c64_i32 iter_args(%arg18 = %cst, %arg19 = %cst) -> (tensor<128x64xf32, #L5>, tensor<128x64xf32, #L5>)  : i32 {
      %70 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L1>
      %71 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L2>
      %72 = arith.addi %70, %19 : tensor<64xi32, #L1>
      %73 = arith.addi %71, %20 : tensor<64xi32, #L2>
      %74 = "tk.expand_dims"(%73) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %75 = arith.cmpi slt, %74, %50 : tensor<64x1xi32, #L2>
      %76 = arith.muli %74, %51 : tensor<64x1xi32, #L2>
      %77 = "tk.addptr"(%52, %76) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %78 = "tk.broadcast"(%77) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L7>
      %79 = "tk.addptr"(%78, %53) : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f16>, #L7>
      %80 = "tk.broadcast"(%75) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L7>
      %81 = "tk.load"(%79, %80, %cst_3) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi1, #L7>, tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L7>
      %82 = "tk.convert_layout"(%81) : (tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L9>
      %83 = "tk.addptr"(%54, %76) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %84 = "tk.broadcast"(%83) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L7>
      %85 = "tk.addptr"(%84, %53) : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f16>, #L7>
      %86 = "tk.load"(%85, %80, %cst_3) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L7>, tensor<64x64xi1, #L7>, tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L7>
      %87 = "tk.convert_layout"(%86) : (tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L9>
      %88 = "tk.smem_trans"(%82) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L9>) -> tensor<64x64xf16, #L10>
      %89 = "tk.dot"(%33, %88, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L6>, tensor<64x64xf16, #L10>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      %90 = "tk.smem_trans"(%87) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L9>) -> tensor<64x64xf16, #L10>
      %91 = "tk.dot"(%37, %90, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L6>, tensor<64x64xf16, #L10>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      %92 = "tk.addptr"(%56, %72) : (tensor<64x!tk.ptr<f32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<f32>, #L1>
      %93 = "tk.load"(%92) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L1>) -> tensor<64xf32, #L1>
      %94 = "tk.expand_dims"(%93) {axis = 0 : i32} : (tensor<64xf32, #L1>) -> tensor<1x64xf32, #L1>
      %95 = "tk.convert_layout"(%94) : (tensor<1x64xf32, #L1>) -> tensor<1x64xf32, #L11>
      %96 = "tk.broadcast"(%95) : (tensor<1x64xf32, #L11>) -> tensor<128x64xf32, #L5>
      %97 = arith.negf %96 : tensor<128x64xf32, #L5>
      %98 = math.fma %89, %55, %97 : tensor<128x64xf32, #L5>
      %99 = math.exp2 %98 : tensor<128x64xf32, #L5>
      %100 = "tk.addptr"(%57, %72) : (tensor<64x!tk.ptr<f32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<f32>, #L1>
      %101 = "tk.load"(%100) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L1>) -> tensor<64xf32, #L1>
      %102 = "tk.expand_dims"(%101) {axis = 0 : i32} : (tensor<64xf32, #L1>) -> tensor<1x64xf32, #L1>
      %103 = "tk.convert_layout"(%102) : (tensor<1x64xf32, #L1>) -> tensor<1x64xf32, #L11>
      %104 = "tk.broadcast"(%103) : (tensor<1x64xf32, #L11>) -> tensor<128x64xf32, #L5>
      %105 = arith.subf %91, %104 : tensor<128x64xf32, #L5>
      %106 = arith.mulf %99, %105 : tensor<128x64xf32, #L5>
      %107 = arith.truncf %106 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
      %108 = arith.truncf %99 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
      %109 = "tk.dot"(%108, %87, %arg18) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L5>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      %110 = "tk.trans"(%107) {order = array<i32: 1, 0>} : (tensor<128x64xf16, #L5>) -> tensor<64x128xf16, #L12>
      %111 = "tk.convert_layout"(%110) : (tensor<64x128xf16, #L12>) -> tensor<64x128xf16, #L13>
      %112 = "tk.dot"(%111, %33, %cst_2) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x128xf16, #L13>, tensor<128x64xf16, #L6>, tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L8>
      %113 = "tk.convert_layout"(%112) : (tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L7>
      %114 = arith.muli %74, %cst_4 : tensor<64x1xi32, #L2>
      %115 = "tk.addptr"(%58, %114) : (tensor<64x1x!tk.ptr<f32>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f32>, #L2>
      %116 = "tk.broadcast"(%115) : (tensor<64x1x!tk.ptr<f32>, #L2>) -> tensor<64x64x!tk.ptr<f32>, #L7>
      %117 = "tk.addptr"(%116, %53) : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f32>, #L7>
      %118 = "tk.atomic_rmw"(%117, %113, %80) {op = "fadd", scope = "gpu", sem = "relaxed", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xf32, #L7>, tensor<64x64xi1, #L7>) -> tensor<64x64xf32, #L7>
      %119 = "tk.dot"(%107, %82, %arg19) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L5>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L5>) -> tensor<128x64xf32, #L5>
      scf.yield %109, %119 : tensor<128x64xf32, #L5>, tensor<128x64xf32, #L5>
    }
    %60 = "tk.splat"(%arg5) : (!tk.ptr<f16>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %61 = "tk.addptr"(%60, %26) : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi64, #L4>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %62 = arith.truncf %59#0 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
    %63 = "tk.convert_layout"(%62) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L4>
    "tk.store"(%61, %63, %31) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xf16, #L4>, tensor<128x64xi1, #L4>) -> ()
    %64 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %65 = "tk.addptr"(%64, %26) : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xi64, #L4>) -> tensor<128x64x!tk.ptr<f16>, #L4>
    %66 = "tk.splat"(%arg9) : (f32) -> tensor<128x64xf32, #L5>
    %67 = arith.mulf %59#1, %66 : tensor<128x64xf32, #L5>
    %68 = arith.truncf %67 : tensor<128x64xf32, #L5> to tensor<128x64xf16, #L5>
    %69 = "tk.convert_layout"(%68) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L4>
    "tk.store"(%65, %69, %31) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L4>, tensor<128x64xf16, #L4>, tensor<128x64xi1, #L4>) -> ()
    return
  }
}

