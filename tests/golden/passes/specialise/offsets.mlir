// chip: sm_90a
// show: tk.bulk_*
// Two products of one tile, whose second operands are one argument at two offsets: a map for each, and one for the result, moved by
// rows and by an offset of its own.
#L0 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L6 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @gate_and_up(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i64 {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c134217727_i32 = arith.constant 134217727 : i32
    %4 = arith.cmpi sle, %3, %c134217727_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c16_i32 : i32
    %6 = arith.muli %5, %c16_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c16_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c16_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %c64_i32 = arith.constant 64 : i32
    %19 = arith.muli %18, %c64_i32 : i32
    %20 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %21 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %22 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %23 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %24 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L1>
    %25 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L3>
    %26 = arith.addi %24, %21 : tensor<64xi32, #L1>
    %27 = arith.addi %25, %23 : tensor<64xi32, #L3>
    %28 = arith.muli %17, %c64_i32 : i32
    %29 = "tk.splat"(%28) : (i32) -> tensor<64xi32, #L0>
    %30 = "tk.splat"(%28) : (i32) -> tensor<64xi32, #L2>
    %31 = arith.addi %29, %20 : tensor<64xi32, #L0>
    %32 = arith.addi %30, %22 : tensor<64xi32, #L2>
    %33 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %34 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %35 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L3>
    %36 = arith.muli %34, %35 : tensor<64x1xi32, #L3>
    %37 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %38 = "tk.addptr"(%37, %36) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %39 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %40 = "tk.broadcast"(%38) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %41 = "tk.broadcast"(%39) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L4>
    %42 = "tk.addptr"(%40, %41) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %43 = "tk.addptr"(%arg1, %arg3) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %44 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %45 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L1>
    %46 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L3>
    %47 = arith.muli %44, %46 : tensor<64x1xi32, #L3>
    %48 = "tk.splat"(%43) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %49 = "tk.addptr"(%48, %47) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %50 = "tk.expand_dims"(%31) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %51 = "tk.expand_dims"(%32) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
    %52 = "tk.broadcast"(%49) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %53 = "tk.broadcast"(%50) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L5>
    %54 = "tk.broadcast"(%51) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L4>
    %55 = "tk.addptr"(%52, %54) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L6>
    %c0_i32_0 = arith.constant 0 : i32
    %56 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L1>
    %57 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L3>
    %58 = arith.cmpi slt, %33, %56 : tensor<64x1xi32, #L1>
    %59 = arith.cmpi slt, %34, %57 : tensor<64x1xi32, #L3>
    %60 = "tk.broadcast"(%58) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L5>
    %61 = "tk.broadcast"(%59) : (tensor<64x1xi1, #L3>) -> tensor<64x64xi1, #L4>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L4>
    %62 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L0>
    %63 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L2>
    %64 = arith.cmpi slt, %50, %62 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L0>
    %65 = arith.cmpi slt, %51, %63 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L2>
    %66 = "tk.broadcast"(%64) : (tensor<1x64xi1, #L0>) -> tensor<64x64xi1, #L5>
    %67 = "tk.broadcast"(%65) : (tensor<1x64xi1, #L2>) -> tensor<64x64xi1, #L4>
    %68 = "tk.splat"(%arg4) : (i64) -> tensor<64x64xi64, #L4>
    %cst_2 = arith.constant dense<64> : tensor<64x64xi32, #L4>
    %69 = arith.muli %c64_i32, %arg7 : i32
    %70 = "tk.splat"(%69) : (i32) -> tensor<64x64xi32, #L4>
    %71:4 = scf.for %arg8 = %c0_i32_0 to %arg6 step %c64_i32 iter_args(%arg9 = %cst, %arg10 = %cst, %arg11 = %42, %arg12 = %55) -> (tensor<64x64xf32, #L6>, tensor<64x64xf32, #L6>, tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64x!tk.ptr<f16>, #L4>)  : i32 {
      %84 = arith.subi %arg6, %arg8 : i32
      %85 = "tk.splat"(%84) : (i32) -> tensor<1x64xi32, #L2>
      %86 = arith.cmpi slt, %39, %85 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L2>
      %87 = "tk.broadcast"(%86) : (tensor<1x64xi1, #L2>) -> tensor<64x64xi1, #L4>
      %88 = arith.andi %61, %87 : tensor<64x64xi1, #L4>
      %89 = "tk.load"(%arg11, %88, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi1, #L4>, tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L4>
      %90 = "tk.convert_layout"(%89) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L7>
      %91 = "tk.splat"(%84) : (i32) -> tensor<64x1xi32, #L3>
      %92 = arith.cmpi slt, %44, %91 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
      %93 = "tk.broadcast"(%92) : (tensor<64x1xi1, #L3>) -> tensor<64x64xi1, #L4>
      %94 = arith.andi %93, %67 : tensor<64x64xi1, #L4>
      %95 = "tk.load"(%arg12, %94, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi1, #L4>, tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L4>
      %96 = "tk.convert_layout"(%95) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L7>
      %97 = "tk.dot"(%90, %96, %arg9) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L7>, tensor<64x64xf32, #L6>) -> tensor<64x64xf32, #L6>
      %98 = "tk.addptr"(%arg12, %68) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi64, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %99 = "tk.load"(%98, %94, %cst_1) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi1, #L4>, tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L4>
      %100 = "tk.convert_layout"(%99) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L7>
      %101 = "tk.dot"(%90, %100, %arg10) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L7>, tensor<64x64xf32, #L6>) -> tensor<64x64xf32, #L6>
      %102 = "tk.addptr"(%arg11, %cst_2) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %103 = "tk.addptr"(%arg12, %70) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      scf.yield %97, %101, %102, %103 : tensor<64x64xf32, #L6>, tensor<64x64xf32, #L6>, tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64x!tk.ptr<f16>, #L4>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %c3_i32 = arith.constant 3 : i32
    %72 = arith.muli %c3_i32, %arg7 : i32
    %73 = "tk.addptr"(%arg2, %72) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %74 = arith.subi %c0_i32_0, %arg3 : i32
    %75 = "tk.addptr"(%73, %74) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %76 = arith.muli %33, %45 : tensor<64x1xi32, #L1>
    %77 = "tk.splat"(%75) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %78 = "tk.addptr"(%77, %76) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %79 = "tk.broadcast"(%78) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L5>
    %80 = "tk.addptr"(%79, %53) : (tensor<64x64x!tk.ptr<f32>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f32>, #L5>
    %81 = arith.mulf %71#0, %71#1 : tensor<64x64xf32, #L6>
    %82 = "tk.convert_layout"(%81) : (tensor<64x64xf32, #L6>) -> tensor<64x64xf32, #L5>
    %83 = arith.andi %60, %66 : tensor<64x64xi1, #L5>
    "tk.store"(%80, %82, %83) {tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L5>, tensor<64x64xf32, #L5>, tensor<64x64xi1, #L5>) -> ()
    return
  }
}

