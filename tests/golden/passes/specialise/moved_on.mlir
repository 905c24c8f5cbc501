// chip: sm_90a
// show: scf.* tk.specialise tk.program_id tk.num_programs
// Sequences of loaded lengths: of rows of few places a block takes other ones in each turn.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L3 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L8 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L9 = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 64, 128, 256, 16, 32>, warp = array<i32: 4, 8>}
#L10 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L11 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
#L12 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @sequences(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg5: i32) attributes {tk.apart = array<i32: 0, 2, 1, 2, 3, 2, 4, 2>, tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = arith.divsi %0, %arg5 : i32
    %2 = arith.remsi %0, %arg5 : i32
    %3 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %4 = arith.muli %3, %c64_i32 : i32
    %5 = "tk.addptr"(%arg4, %1) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %6 = "tk.load"(%5) : (!tk.ptr<i32>) -> i32
    %7 = arith.cmpi sge, %4, %6 : i32
    scf.if %7 {
    } else {
      %8 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
      %9 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
      %10 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
      %11 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
      %12 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
      %13 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
      %14 = "tk.splat"(%4) : (i32) -> tensor<64xi32, #L1>
      %15 = "tk.splat"(%4) : (i32) -> tensor<64xi32, #L2>
      %16 = "tk.splat"(%4) : (i32) -> tensor<64xi32, #L5>
      %17 = arith.addi %14, %9 : tensor<64xi32, #L1>
      %18 = arith.addi %15, %10 : tensor<64xi32, #L2>
      %19 = arith.addi %16, %13 : tensor<64xi32, #L5>
      %c256_i32 = arith.constant 256 : i32
      %20 = arith.muli %1, %c256_i32 : i32
      %21 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
      %22 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %23 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
      %24 = "tk.splat"(%20) : (i32) -> tensor<64x1xi32, #L1>
      %25 = "tk.splat"(%20) : (i32) -> tensor<64x1xi32, #L5>
      %26 = arith.addi %24, %21 : tensor<64x1xi32, #L1>
      %27 = arith.addi %25, %23 : tensor<64x1xi32, #L5>
      %28 = arith.muli %c64_i32, %arg5 : i32
      %29 = "tk.splat"(%28) : (i32) -> tensor<64x1xi32, #L1>
      %30 = "tk.splat"(%28) : (i32) -> tensor<64x1xi32, #L5>
      %31 = arith.muli %26, %29 : tensor<64x1xi32, #L1>
      %32 = arith.muli %27, %30 : tensor<64x1xi32, #L5>
      %33 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
      %34 = "tk.addptr"(%33, %32) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
      %35 = arith.muli %2, %c64_i32 : i32
      %36 = "tk.splat"(%35) : (i32) -> tensor<64x1xi32, #L1>
      %37 = "tk.splat"(%35) : (i32) -> tensor<64x1xi32, #L5>
      %38 = "tk.addptr"(%34, %37) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
      %39 = "tk.expand_dims"(%8) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
      %40 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
      %41 = "tk.broadcast"(%38) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %42 = "tk.broadcast"(%39) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L7>
      %43 = "tk.broadcast"(%40) : (tensor<1x64xi32, #L4>) -> tensor<64x64xi32, #L6>
      %44 = "tk.addptr"(%41, %43) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
      %45 = "tk.splat"(%6) : (i32) -> tensor<64xi32, #L1>
      %46 = "tk.splat"(%6) : (i32) -> tensor<64xi32, #L3>
      %47 = "tk.splat"(%6) : (i32) -> tensor<64xi32, #L5>
      %48 = arith.cmpi slt, %17, %45 : tensor<64xi32, #L1>
      %49 = arith.cmpi slt, %19, %47 : tensor<64xi32, #L5>
      %50 = "tk.expand_dims"(%48) {axis = 1 : i32} : (tensor<64xi1, #L1>) -> tensor<64x1xi1, #L1>
      %51 = "tk.expand_dims"(%49) {axis = 1 : i32} : (tensor<64xi1, #L5>) -> tensor<64x1xi1, #L5>
      %52 = "tk.broadcast"(%50) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L7>
      %53 = "tk.broadcast"(%51) : (tensor<64x1xi1, #L5>) -> tensor<64x64xi1, #L6>
      %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L8>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L9>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L6>
      %54 = "tk.load"(%44, %53, %cst_1) {tk.role = "copy", tk.slots = 1 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi1, #L6>, tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L6>
      %55 = "tk.convert_layout"(%54) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L10>
      %cst_2 = arith.constant dense<0.000000e+00> : tensor<64xf32, #L2>
      %c0_i32 = arith.constant 0 : i32
      %56 = "tk.splat"(%20) : (i32) -> tensor<1x64xi32, #L5>
      %57 = "tk.splat"(%28) : (i32) -> tensor<1x64xi32, #L5>
      %58 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L5>
      %59 = "tk.splat"(%35) : (i32) -> tensor<1x64xi32, #L5>
      %60 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %61 = "tk.broadcast"(%60) : (tensor<64x1xi32, #L4>) -> tensor<64x64xi32, #L9>
      %62 = "tk.broadcast"(%22) : (tensor<64x1xi32, #L2>) -> tensor<64x64xi32, #L8>
      %cst_3 = arith.constant dense<true> : tensor<64x64xi1, #L8>
      %cst_4 = arith.constant dense<1.250000e-01> : tensor<64x64xf32, #L8>
      %63 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
      %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L11>
      %64:2 = scf.for %arg6 = %c0_i32 to %6 step %c64_i32 iter_args(%arg7 = %cst_5, %arg8 = %cst) -> (tensor<64x4xf32, #L11>, tensor<64x64xf32, #L8>)  : i32 {
        %75 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L3>
        %76 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L5>
        %77 = arith.addi %75, %11 : tensor<64xi32, #L3>
        %78 = arith.addi %76, %13 : tensor<64xi32, #L5>
        %79 = "tk.expand_dims"(%77) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %80 = "tk.expand_dims"(%78) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
        %81 = arith.addi %56, %80 : tensor<1x64xi32, #L5>
        %82 = arith.muli %81, %57 : tensor<1x64xi32, #L5>
        %83 = "tk.addptr"(%58, %82) : (tensor<1x64x!tk.ptr<f16>, #L5>, tensor<1x64xi32, #L5>) -> tensor<1x64x!tk.ptr<f16>, #L5>
        %84 = "tk.addptr"(%83, %59) : (tensor<1x64x!tk.ptr<f16>, #L5>, tensor<1x64xi32, #L5>) -> tensor<1x64x!tk.ptr<f16>, #L5>
        %85 = "tk.broadcast"(%84) : (tensor<1x64x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %86 = "tk.addptr"(%85, %61) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %87 = arith.cmpi slt, %77, %46 : tensor<64xi32, #L3>
        %88 = arith.cmpi slt, %78, %47 : tensor<64xi32, #L5>
        %89 = "tk.expand_dims"(%87) {axis = 0 : i32} : (tensor<64xi1, #L3>) -> tensor<1x64xi1, #L3>
        %90 = "tk.expand_dims"(%88) {axis = 0 : i32} : (tensor<64xi1, #L5>) -> tensor<1x64xi1, #L5>
        %91 = "tk.broadcast"(%89) : (tensor<1x64xi1, #L3>) -> tensor<64x64xi1, #L8>
        %92 = "tk.broadcast"(%90) : (tensor<1x64xi1, #L5>) -> tensor<64x64xi1, #L9>
        %93 = "tk.load"(%86, %92, %cst_0) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi1, #L9>, tensor<64x64xf16, #L9>) -> tensor<64x64xf16, #L9>
        %94 = "tk.convert_layout"(%93) : (tensor<64x64xf16, #L9>) -> tensor<64x64xf16, #L12>
        %95 = "tk.broadcast"(%79) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L8>
        %96 = arith.cmpi sle, %95, %62 : tensor<64x64xi32, #L8>
        %97 = arith.ori %96, %cst_3 : tensor<64x64xi1, #L8>
        %98 = arith.andi %91, %97 : tensor<64x64xi1, #L8>
        %99 = "tk.dot"(%55, %94, %cst) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 0 : i32} : (tensor<64x64xf16, #L10>, tensor<64x64xf16, #L12>, tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L8>
        %100 = arith.mulf %99, %cst_4 : tensor<64x64xf32, #L8>
        %101 = math.exp2 %100 : tensor<64x64xf32, #L8>
        %102 = arith.select %98, %101, %cst : tensor<64x64xi1, #L8>, tensor<64x64xf32, #L8>
        %103 = "tk.partial_reduce"(%102) ({
        ^bb0(%arg9: f32, %arg10: f32):
          %118 = arith.addf %arg9, %arg10 : f32
          "tk.yield"(%118) : (f32) -> ()
        }) {axis = 1 : i32} : (tensor<64x64xf32, #L8>) -> tensor<64x4xf32, #L11>
        %104 = arith.addf %arg7, %103 : tensor<64x4xf32, #L11>
        %105 = "tk.expand_dims"(%78) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
        %106 = arith.addi %25, %105 : tensor<64x1xi32, #L5>
        %107 = arith.muli %106, %30 : tensor<64x1xi32, #L5>
        %108 = "tk.addptr"(%63, %107) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
        %109 = "tk.addptr"(%108, %37) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
        %110 = "tk.broadcast"(%109) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %111 = "tk.addptr"(%110, %43) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %112 = "tk.expand_dims"(%88) {axis = 1 : i32} : (tensor<64xi1, #L5>) -> tensor<64x1xi1, #L5>
        %113 = "tk.broadcast"(%112) : (tensor<64x1xi1, #L5>) -> tensor<64x64xi1, #L6>
        %114 = "tk.load"(%111, %113, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi1, #L6>, tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L6>
        %115 = "tk.convert_layout"(%114) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L10>
        %116 = arith.truncf %102 : tensor<64x64xf32, #L8> to tensor<64x64xf16, #L8>
        %117 = "tk.dot"(%116, %115, %arg8) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L8>, tensor<64x64xf16, #L10>, tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L8>
        scf.yield %104, %117 : tensor<64x4xf32, #L11>, tensor<64x64xf32, #L8>
      } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own", tk.whole_steps = "left alone: arith.select at 176:13: its condition is more than comparisons of indices, arguments and counters, so it may hold in any step"}
      %65 = "tk.reduce"(%64#0) ({
      ^bb0(%arg6: f32, %arg7: f32):
        %75 = arith.addf %arg6, %arg7 : f32
        "tk.yield"(%75) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x4xf32, #L11>) -> tensor<64xf32, #L2>
      %66 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
      %67 = "tk.addptr"(%66, %31) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
      %68 = "tk.addptr"(%67, %36) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
      %69 = "tk.broadcast"(%68) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L7>
      %70 = "tk.addptr"(%69, %42) : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xi32, #L7>) -> tensor<64x64x!tk.ptr<f32>, #L7>
      %71 = "tk.expand_dims"(%65) {axis = 1 : i32} : (tensor<64xf32, #L2>) -> tensor<64x1xf32, #L2>
      %72 = "tk.broadcast"(%71) : (tensor<64x1xf32, #L2>) -> tensor<64x64xf32, #L8>
      %73 = arith.divf %64#1, %72 : tensor<64x64xf32, #L8>
      %74 = "tk.convert_layout"(%73) : (tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L7>
      "tk.store"(%70, %74, %52) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L7>, tensor<64x64xf32, #L7>, tensor<64x64xi1, #L7>) -> ()
    }
    return
  }
}

