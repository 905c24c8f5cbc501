// chip: sm_90a
// show: scf.* tk.program_id tk.num_programs tk.mbarrier_wait tk.bulk_load tk.dot
// Programs above the diagonal leave: the function is marked, and blocks take programs from a counter of the launch (launch_control).
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L6 = {lane = array<i32: 1024, 2048, 4096, 1, 2>, register = array<i32: 128, 256, 512, 32, 64>, warp = array<i32: 4, 8, 16>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L8 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 1025, 2050, 4100, 8, 16, 32, 64>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @triangle(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.apart = array<i32: 0, 1>, tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32} {
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
    %19 = arith.cmpi slt, %18, %17 : i32
    scf.if %19 {
    } else {
      %c128_i32 = arith.constant 128 : i32
      %20 = arith.muli %18, %c128_i32 : i32
      %21 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
      %22 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
      %23 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
      %24 = "tk.splat"(%20) : (i32) -> tensor<128xi32, #L1>
      %25 = "tk.splat"(%20) : (i32) -> tensor<128xi32, #L2>
      %26 = arith.addi %24, %22 : tensor<128xi32, #L1>
      %27 = arith.addi %25, %23 : tensor<128xi32, #L2>
      %28 = arith.muli %17, %c128_i32 : i32
      %29 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L0>
      %30 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L2>
      %31 = arith.addi %29, %21 : tensor<128xi32, #L0>
      %32 = arith.addi %30, %23 : tensor<128xi32, #L2>
      %33 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
      %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L4>
      %c0_i32_0 = arith.constant 0 : i32
      %c64_i32 = arith.constant 64 : i32
      %34 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
      %35 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
      %36 = "tk.splat"(%arg3) : (i32) -> tensor<128x1xi32, #L2>
      %37 = arith.muli %35, %36 : tensor<128x1xi32, #L2>
      %38 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %39 = "tk.addptr"(%38, %37) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %40 = "tk.broadcast"(%39) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L5>
      %41 = "tk.expand_dims"(%31) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
      %42 = "tk.expand_dims"(%32) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
      %43 = "tk.splat"(%arg3) : (i32) -> tensor<1x128xi32, #L2>
      %44 = arith.muli %42, %43 : tensor<1x128xi32, #L2>
      %45 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>, #L2>
      %46 = "tk.addptr"(%45, %44) : (tensor<1x128x!tk.ptr<f16>, #L2>, tensor<1x128xi32, #L2>) -> tensor<1x128x!tk.ptr<f16>, #L2>
      %47 = "tk.broadcast"(%46) : (tensor<1x128x!tk.ptr<f16>, #L2>) -> tensor<64x128x!tk.ptr<f16>, #L6>
      %48 = scf.for %arg4 = %c0_i32_0 to %arg3 step %c64_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #L4>)  : i32 {
        %58 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L3>
        %59 = arith.addi %58, %33 : tensor<64xi32, #L3>
        %60 = "tk.expand_dims"(%59) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %61 = "tk.broadcast"(%60) : (tensor<1x64xi32, #L3>) -> tensor<128x64xi32, #L5>
        %62 = "tk.addptr"(%40, %61) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
        %63 = "tk.load"(%62) {tk.role = "copy", tk.slots = 4 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L5>) -> tensor<128x64xf16, #L5>
        %64 = "tk.convert_layout"(%63) : (tensor<128x64xf16, #L5>) -> tensor<128x64xf16, #L7>
        %65 = "tk.expand_dims"(%59) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
        %66 = "tk.broadcast"(%65) : (tensor<64x1xi32, #L3>) -> tensor<64x128xi32, #L6>
        %67 = "tk.addptr"(%47, %66) : (tensor<64x128x!tk.ptr<f16>, #L6>, tensor<64x128xi32, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L6>
        %68 = "tk.load"(%67) {tk.role = "copy", tk.slots = 4 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L6>) -> tensor<64x128xf16, #L6>
        %69 = "tk.convert_layout"(%68) : (tensor<64x128xf16, #L6>) -> tensor<64x128xf16, #L8>
        %70 = "tk.dot"(%64, %69, %arg5) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<128x64xf16, #L7>, tensor<64x128xf16, #L8>, tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
        scf.yield %70 : tensor<128x128xf32, #L4>
      } {tk.copies = "warp", tk.pipeline = "4 slots, filled by a warp of their own"}
      %49 = "tk.splat"(%arg2) : (i32) -> tensor<128x1xi32, #L1>
      %50 = arith.muli %34, %49 : tensor<128x1xi32, #L1>
      %51 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L1>
      %52 = "tk.addptr"(%51, %50) : (tensor<128x1x!tk.ptr<f16>, #L1>, tensor<128x1xi32, #L1>) -> tensor<128x1x!tk.ptr<f16>, #L1>
      %53 = "tk.broadcast"(%52) : (tensor<128x1x!tk.ptr<f16>, #L1>) -> tensor<128x128x!tk.ptr<f16>, #L9>
      %54 = "tk.broadcast"(%41) : (tensor<1x128xi32, #L0>) -> tensor<128x128xi32, #L9>
      %55 = "tk.addptr"(%53, %54) : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi32, #L9>) -> tensor<128x128x!tk.ptr<f16>, #L9>
      %56 = arith.truncf %48 : tensor<128x128xf32, #L4> to tensor<128x128xf16, #L4>
      %57 = "tk.convert_layout"(%56) : (tensor<128x128xf16, #L4>) -> tensor<128x128xf16, #L9>
      "tk.store"(%55, %57) {tk.role = "copy", vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xf16, #L9>) -> ()
    }
    return
  }
}
