// chip: sm_90
// show: scf.* tk.load tk.dot tk.store
// Transposed views are read from the slots as they are needed: two blocks of threads with 168 registers have room for the rest, nearly.
#L0 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8>, warp = array<i32: 0, 16>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16>, warp = array<i32: 2, 4>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L5 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32>, warp = array<i32: 2048, 64>}
#L6 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 0>}
#L7 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8>, warp = array<i32: 512, 16>}
#L8 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 1024, 8, 16, 32, 2048>, warp = array<i32: 0, 64>}
#L9 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 8, 1024, 16, 32, 64>, warp = array<i32: 0, 2048>}
#L10 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 512, 1024, 2048>, warp = array<i32: 0, 16>}
#L11 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 0>}
module {
  func.func @attention_backward_queries(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg7: f32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32 {tk.divisibility = 16 : i32}, %arg12: i64 {tk.divisibility = 16 : i32}, %arg13: i64 {tk.divisibility = 16 : i32}, %arg14: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %3 = arith.divsi %2, %arg9 : i32
    %4 = arith.extsi %3 : i32 to i64
    %5 = arith.muli %4, %arg12 : i64
    %6 = arith.remsi %2, %arg9 : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = arith.muli %7, %arg13 : i64
    %9 = arith.addi %5, %8 : i64
    %10 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %11 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %12 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %13 = "tk.splat"(%1) : (i32) -> tensor<32xi32, #L1>
    %14 = "tk.splat"(%1) : (i32) -> tensor<32xi32, #L2>
    %15 = arith.addi %13, %11 : tensor<32xi32, #L1>
    %16 = arith.addi %14, %12 : tensor<32xi32, #L2>
    %17 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %18 = "tk.splat"(%arg14) : (i32) -> tensor<32x1xi32, #L2>
    %19 = arith.muli %17, %18 : tensor<32x1xi32, #L2>
    %20 = arith.extsi %19 : tensor<32x1xi32, #L2> to tensor<32x1xi64, #L2>
    %21 = "tk.splat"(%9) : (i64) -> tensor<32x1xi64, #L2>
    %22 = arith.addi %21, %20 : tensor<32x1xi64, #L2>
    %23 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %24 = "tk.expand_dims"(%23) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<1x128xi32, #L3>
    %25 = arith.extsi %24 : tensor<1x128xi32, #L3> to tensor<1x128xi64, #L3>
    %26 = "tk.broadcast"(%22) : (tensor<32x1xi64, #L2>) -> tensor<32x128xi64, #L4>
    %27 = "tk.broadcast"(%25) : (tensor<1x128xi64, #L3>) -> tensor<32x128xi64, #L4>
    %28 = arith.addi %26, %27 : tensor<32x128xi64, #L4>
    %29 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %30 = "tk.addptr"(%29, %28) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi64, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %31 = "tk.splat"(%arg10) : (i32) -> tensor<32x1xi32, #L2>
    %32 = arith.cmpi slt, %17, %31 : tensor<32x1xi32, #L2>
    %33 = "tk.broadcast"(%32) : (tensor<32x1xi1, #L2>) -> tensor<32x128xi1, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #L5>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf16, #L4>
    %34 = "tk.load"(%30, %33, %cst_0) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi1, #L4>, tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L4>
    %35 = "tk.convert_layout"(%34) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L6>
    %36 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %37 = "tk.addptr"(%36, %28) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi64, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %38 = "tk.load"(%37, %33, %cst_0) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi1, #L4>, tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L4>
    %39 = "tk.convert_layout"(%38) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L6>
    %40 = arith.extsi %2 : i32 to i64
    %41 = arith.extsi %arg11 : i32 to i64
    %42 = arith.muli %40, %41 : i64
    %43 = "tk.addptr"(%arg5, %42) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %44 = "tk.splat"(%43) : (!tk.ptr<f32>) -> tensor<32x!tk.ptr<f32>, #L1>
    %45 = "tk.addptr"(%44, %15) : (tensor<32x!tk.ptr<f32>, #L1>, tensor<32xi32, #L1>) -> tensor<32x!tk.ptr<f32>, #L1>
    %46 = "tk.load"(%45) {vector = 1 : i32} : (tensor<32x!tk.ptr<f32>, #L1>) -> tensor<32xf32, #L1>
    %47 = "tk.addptr"(%arg6, %42) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %48 = "tk.splat"(%47) : (!tk.ptr<f32>) -> tensor<32x!tk.ptr<f32>, #L1>
    %49 = "tk.addptr"(%48, %15) : (tensor<32x!tk.ptr<f32>, #L1>, tensor<32xi32, #L1>) -> tensor<32x!tk.ptr<f32>, #L1>
    %50 = "tk.load"(%49) {vector = 1 : i32} : (tensor<32x!tk.ptr<f32>, #L1>) -> tensor<32xf32, #L1>
    %51 = arith.divsi %arg10, %c32_i32 : i32
    %52 = arith.muli %51, %c32_i32 : i32
    %53 = "tk.addptr"(%arg1, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %54 = "tk.addptr"(%arg2, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %cst_1 = arith.constant 1.44269502 : f32
    %55 = arith.mulf %arg7, %cst_1 : f32
    %c0_i32 = arith.constant 0 : i32
    %56 = "tk.broadcast"(%24) : (tensor<1x128xi32, #L3>) -> tensor<32x128xi32, #L4>
    %57 = "tk.splat"(%53) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %58 = "tk.splat"(%54) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L7>
    %59 = "tk.splat"(%55) : (f32) -> tensor<32x32xf32, #L7>
    %60 = "tk.expand_dims"(%46) {axis = 1 : i32} : (tensor<32xf32, #L1>) -> tensor<32x1xf32, #L1>
    %61 = "tk.broadcast"(%60) : (tensor<32x1xf32, #L1>) -> tensor<32x32xf32, #L7>
    %62 = "tk.expand_dims"(%50) {axis = 1 : i32} : (tensor<32xf32, #L1>) -> tensor<32x1xf32, #L1>
    %63 = "tk.broadcast"(%62) : (tensor<32x1xf32, #L1>) -> tensor<32x32xf32, #L7>
    %64 = scf.for %arg15 = %c0_i32 to %52 step %c32_i32 iter_args(%arg16 = %cst) -> (tensor<32x128xf32, #L5>)  : i32 {
      %73 = "tk.splat"(%arg15) : (i32) -> tensor<32xi32, #L2>
      %74 = arith.addi %73, %12 : tensor<32xi32, #L2>
      %75 = "tk.expand_dims"(%74) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
      %76 = arith.muli %75, %18 : tensor<32x1xi32, #L2>
      %77 = "tk.broadcast"(%76) : (tensor<32x1xi32, #L2>) -> tensor<32x128xi32, #L4>
      %78 = arith.addi %77, %56 : tensor<32x128xi32, #L4>
      %79 = "tk.addptr"(%57, %78) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi32, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
      %80 = "tk.load"(%79) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>) -> tensor<32x128xf16, #L4>
      %81 = "tk.convert_layout"(%80) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L8>
      %82 = "tk.convert_layout"(%80) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L9>
      %83 = "tk.addptr"(%58, %78) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi32, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
      %84 = "tk.load"(%83) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>) -> tensor<32x128xf16, #L4>
      %85 = "tk.convert_layout"(%84) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L9>
      %86 = "tk.trans"(%82) {order = array<i32: 1, 0>} : (tensor<32x128xf16, #L9>) -> tensor<128x32xf16, #L10>
      %87 = "tk.dot"(%35, %86, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x128xf16, #L6>, tensor<128x32xf16, #L10>, tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L7>
      %88 = "tk.trans"(%85) {order = array<i32: 1, 0>} : (tensor<32x128xf16, #L9>) -> tensor<128x32xf16, #L10>
      %89 = "tk.dot"(%39, %88, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x128xf16, #L6>, tensor<128x32xf16, #L10>, tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L7>
      %90 = arith.negf %61 : tensor<32x32xf32, #L7>
      %91 = math.fma %87, %59, %90 : tensor<32x32xf32, #L7>
      %92 = math.exp2 %91 : tensor<32x32xf32, #L7>
      %93 = arith.subf %89, %63 : tensor<32x32xf32, #L7>
      %94 = arith.mulf %92, %93 : tensor<32x32xf32, #L7>
      %95 = arith.truncf %94 : tensor<32x32xf32, #L7> to tensor<32x32xf16, #L7>
      %96 = "tk.convert_layout"(%95) : (tensor<32x32xf16, #L7>) -> tensor<32x32xf16, #L11>
      %97 = "tk.dot"(%96, %81, %arg16) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L11>, tensor<32x128xf16, #L8>, tensor<32x128xf32, #L5>) -> tensor<32x128xf32, #L5>
      scf.yield %97 : tensor<32x128xf32, #L5>
    }
    %65 = "tk.splat"(%arg10) : (i32) -> tensor<1x32xi32, #L0>
    %66 = scf.for %arg15 = %52 to %arg10 step %c32_i32 iter_args(%arg16 = %64) -> (tensor<32x128xf32, #L5>)  : i32 {
      %73 = "tk.splat"(%arg15) : (i32) -> tensor<32xi32, #L0>
      %74 = "tk.splat"(%arg15) : (i32) -> tensor<32xi32, #L2>
      %75 = arith.addi %73, %10 : tensor<32xi32, #L0>
      %76 = arith.addi %74, %12 : tensor<32xi32, #L2>
      %77 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
      %78 = arith.muli %77, %18 : tensor<32x1xi32, #L2>
      %79 = "tk.broadcast"(%78) : (tensor<32x1xi32, #L2>) -> tensor<32x128xi32, #L4>
      %80 = arith.addi %79, %56 : tensor<32x128xi32, #L4>
      %81 = "tk.addptr"(%57, %80) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi32, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
      %82 = arith.cmpi slt, %77, %31 : tensor<32x1xi32, #L2>
      %83 = "tk.broadcast"(%82) : (tensor<32x1xi1, #L2>) -> tensor<32x128xi1, #L4>
      %84 = "tk.load"(%81, %83, %cst_0) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi1, #L4>, tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L4>
      %85 = "tk.convert_layout"(%84) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L8>
      %86 = "tk.convert_layout"(%84) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L9>
      %87 = "tk.addptr"(%58, %80) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi32, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
      %88 = "tk.load"(%87, %83, %cst_0) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi1, #L4>, tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L4>
      %89 = "tk.convert_layout"(%88) : (tensor<32x128xf16, #L4>) -> tensor<32x128xf16, #L9>
      %90 = "tk.trans"(%86) {order = array<i32: 1, 0>} : (tensor<32x128xf16, #L9>) -> tensor<128x32xf16, #L10>
      %91 = "tk.dot"(%35, %90, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x128xf16, #L6>, tensor<128x32xf16, #L10>, tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L7>
      %92 = "tk.trans"(%89) {order = array<i32: 1, 0>} : (tensor<32x128xf16, #L9>) -> tensor<128x32xf16, #L10>
      %93 = "tk.dot"(%39, %92, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x128xf16, #L6>, tensor<128x32xf16, #L10>, tensor<32x32xf32, #L7>) -> tensor<32x32xf32, #L7>
      %94 = arith.negf %61 : tensor<32x32xf32, #L7>
      %95 = math.fma %91, %59, %94 : tensor<32x32xf32, #L7>
      %96 = math.exp2 %95 : tensor<32x32xf32, #L7>
      %97 = "tk.expand_dims"(%75) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
      %98 = arith.cmpi slt, %97, %65 : tensor<1x32xi32, #L0>
      %99 = "tk.broadcast"(%98) : (tensor<1x32xi1, #L0>) -> tensor<32x32xi1, #L7>
      %100 = arith.select %99, %96, %cst_2 : tensor<32x32xi1, #L7>, tensor<32x32xf32, #L7>
      %101 = arith.subf %93, %63 : tensor<32x32xf32, #L7>
      %102 = arith.mulf %100, %101 : tensor<32x32xf32, #L7>
      %103 = arith.truncf %102 : tensor<32x32xf32, #L7> to tensor<32x32xf16, #L7>
      %104 = "tk.convert_layout"(%103) : (tensor<32x32xf16, #L7>) -> tensor<32x32xf16, #L11>
      %105 = "tk.dot"(%104, %85, %arg16) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<32x32xf16, #L11>, tensor<32x128xf16, #L8>, tensor<32x128xf32, #L5>) -> tensor<32x128xf32, #L5>
      scf.yield %105 : tensor<32x128xf32, #L5>
    }
    %67 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %68 = "tk.addptr"(%67, %28) : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xi64, #L4>) -> tensor<32x128x!tk.ptr<f16>, #L4>
    %69 = "tk.splat"(%arg7) : (f32) -> tensor<32x128xf32, #L5>
    %70 = arith.mulf %66, %69 : tensor<32x128xf32, #L5>
    %71 = arith.truncf %70 : tensor<32x128xf32, #L5> to tensor<32x128xf16, #L5>
    %72 = "tk.convert_layout"(%71) : (tensor<32x128xf16, #L5>) -> tensor<32x128xf16, #L4>
    "tk.store"(%68, %72, %33) {vector = 8 : i32} : (tensor<32x128x!tk.ptr<f16>, #L4>, tensor<32x128xf16, #L4>, tensor<32x128xi1, #L4>) -> ()
    return
  }
}

