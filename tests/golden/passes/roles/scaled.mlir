// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// Each product is scaled by numbers that threads load, and added to a sum.
#L0 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L1 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L5 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @scaled(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
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
    %23 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L0>
    %24 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L2>
    %25 = arith.addi %23, %20 : tensor<64xi32, #L0>
    %26 = arith.addi %24, %22 : tensor<64xi32, #L2>
    %27 = arith.muli %17, %c64_i32 : i32
    %28 = "tk.splat"(%27) : (i32) -> tensor<64xi32, #L1>
    %29 = arith.addi %28, %21 : tensor<64xi32, #L1>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L3>
    %c0_i32_0 = arith.constant 0 : i32
    %30 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %31 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L2>
    %32 = arith.muli %30, %31 : tensor<64x1xi32, #L2>
    %33 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %34 = "tk.addptr"(%33, %32) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %35 = "tk.broadcast"(%34) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %36 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L2>
    %37 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %38 = "tk.expand_dims"(%29) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %39 = "tk.broadcast"(%38) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L4>
    %40 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L0>
    %41 = arith.muli %25, %40 : tensor<64xi32, #L0>
    %42 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L0>
    %43 = "tk.addptr"(%42, %41) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
    %44 = scf.for %arg6 = %c0_i32_0 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #L3>)  : i32 {
      %52 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L0>
      %53 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L2>
      %54 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L1>
      %55 = arith.addi %53, %22 : tensor<64xi32, #L2>
      %56 = arith.addi %54, %21 : tensor<64xi32, #L1>
      %57 = "tk.expand_dims"(%56) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
      %58 = "tk.broadcast"(%57) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L4>
      %59 = "tk.addptr"(%35, %58) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %60 = "tk.load"(%59) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>) -> tensor<64x64xf16, #L4>
      %61 = "tk.convert_layout"(%60) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L5>
      %62 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %63 = arith.muli %62, %36 : tensor<64x1xi32, #L2>
      %64 = "tk.addptr"(%37, %63) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %65 = "tk.broadcast"(%64) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %66 = "tk.addptr"(%65, %39) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %67 = "tk.load"(%66) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>) -> tensor<64x64xf16, #L4>
      %68 = "tk.convert_layout"(%67) : (tensor<64x64xf16, #L4>) -> tensor<64x64xf16, #L5>
      %69 = "tk.dot"(%61, %68, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L5>, tensor<64x64xf16, #L5>, tensor<64x64xf32, #L3>) -> tensor<64x64xf32, #L3>
      %70 = "tk.addptr"(%43, %52) : (tensor<64x!tk.ptr<f32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<f32>, #L0>
      %71 = "tk.load"(%70) {vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L0>) -> tensor<64xf32, #L0>
      %72 = "tk.expand_dims"(%71) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
      %73 = "tk.broadcast"(%72) : (tensor<64x1xf32, #L0>) -> tensor<64x64xf32, #L3>
      %74 = math.fma %69, %73, %arg7 : tensor<64x64xf32, #L3>
      scf.yield %74 : tensor<64x64xf32, #L3>
    }
    %45 = arith.muli %30, %36 : tensor<64x1xi32, #L2>
    %46 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %47 = "tk.addptr"(%46, %45) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %48 = "tk.broadcast"(%47) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %49 = "tk.addptr"(%48, %39) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
    %50 = arith.truncf %44 : tensor<64x64xf32, #L3> to tensor<64x64xf16, #L3>
    %51 = "tk.convert_layout"(%50) : (tensor<64x64xf16, #L3>) -> tensor<64x64xf16, #L4>
    "tk.store"(%49, %51) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xf16, #L4>) -> ()
    return
  }
}

