// chip: sm_90a
// show: scf.* tk.bulk_* tk.mbarrier_* arith.*u*
// Blocks take all parts of a product whose K is cut: the producer one by one, the consumers in one loop, whose sums are added once.
#L0 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @split_sums(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32} {
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
    %22 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L1>
    %23 = arith.addi %22, %21 : tensor<64xi32, #L1>
    %24 = arith.muli %17, %c64_i32 : i32
    %25 = "tk.splat"(%24) : (i32) -> tensor<64xi32, #L0>
    %26 = arith.addi %25, %20 : tensor<64xi32, #L0>
    %27 = "tk.program_id"() {axis = 2 : i32} : () -> i32
    %28 = arith.muli %27, %arg6 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L2>
    %29 = arith.addi %28, %arg6 : i32
    %30 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %31 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L1>
    %32 = arith.muli %30, %31 : tensor<64x1xi32, #L1>
    %33 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %34 = "tk.addptr"(%33, %32) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %35 = "tk.broadcast"(%34) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L3>
    %36 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L1>
    %37 = arith.cmpi slt, %30, %36 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L1>
    %38 = "tk.broadcast"(%37) : (tensor<64x1xi1, #L1>) -> tensor<64x64xi1, #L3>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L3>
    %39 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L1>
    %40 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %41 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %42 = "tk.broadcast"(%41) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L3>
    %43 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L0>
    %44 = arith.cmpi slt, %41, %43 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L0>
    %45 = "tk.broadcast"(%44) : (tensor<1x64xi1, #L0>) -> tensor<64x64xi1, #L3>
    %46 = scf.for %arg7 = %28 to %29 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<64x64xf32, #L2>)  : i32 {
      %55 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L1>
      %56 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L0>
      %57 = arith.addi %55, %21 : tensor<64xi32, #L1>
      %58 = arith.addi %56, %20 : tensor<64xi32, #L0>
      %59 = "tk.expand_dims"(%58) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
      %60 = "tk.broadcast"(%59) : (tensor<1x64xi32, #L0>) -> tensor<64x64xi32, #L3>
      %61 = "tk.addptr"(%35, %60) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %62 = "tk.load"(%61, %38, %cst_0) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi1, #L3>, tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L3>
      %63 = "tk.convert_layout"(%62) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
      %64 = "tk.expand_dims"(%57) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
      %65 = arith.muli %64, %39 : tensor<64x1xi32, #L1>
      %66 = "tk.addptr"(%40, %65) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
      %67 = "tk.broadcast"(%66) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %68 = "tk.addptr"(%67, %42) : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f16>, #L3>
      %69 = "tk.load"(%68, %45, %cst_0) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L3>, tensor<64x64xi1, #L3>, tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L3>
      %70 = "tk.convert_layout"(%69) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
      %71 = "tk.dot"(%63, %70, %arg8) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L4>, tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L2>
      scf.yield %71 : tensor<64x64xf32, #L2>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %47 = "tk.convert_layout"(%46) : (tensor<64x64xf32, #L2>) -> tensor<64x64xf32, #L3>
    %48 = arith.muli %30, %39 : tensor<64x1xi32, #L1>
    %49 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %50 = "tk.addptr"(%49, %48) : (tensor<64x1x!tk.ptr<f32>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f32>, #L1>
    %51 = "tk.broadcast"(%50) : (tensor<64x1x!tk.ptr<f32>, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L3>
    %52 = "tk.addptr"(%51, %42) : (tensor<64x64x!tk.ptr<f32>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<f32>, #L3>
    %53 = arith.andi %38, %45 : tensor<64x64xi1, #L3>
    %54 = "tk.atomic_rmw"(%52, %47, %53) {op = "fadd", scope = "gpu", sem = "acq_rel", tk.role = "copy", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L3>, tensor<64x64xf32, #L3>, tensor<64x64xi1, #L3>) -> tensor<64x64xf32, #L3>
    return
  }
}

