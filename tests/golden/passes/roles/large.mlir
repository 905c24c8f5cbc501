// chip: sm_90a
// show: tk.load tk.dot scf.for
// Warpgroups with two instructions of 64 rows, and slots of 48 KB: four of them, not the three stages asked for.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64, 128>, warp = array<i32: 2, 4, 8>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64, 128>, warp = array<i32: 4, 8, 16>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L3 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64, 8192>, warp = array<i32: 2048, 4096, 16384>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096, 8192>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L10 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @large(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
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
    %c256_i32 = arith.constant 256 : i32
    %19 = arith.muli %18, %c256_i32 : i32
    %20 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L0>
    %21 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L1>
    %22 = "tk.splat"(%19) : (i32) -> tensor<256xi32, #L0>
    %23 = "tk.splat"(%19) : (i32) -> tensor<256xi32, #L1>
    %24 = arith.addi %22, %20 : tensor<256xi32, #L0>
    %25 = arith.addi %23, %21 : tensor<256xi32, #L1>
    %c128_i32 = arith.constant 128 : i32
    %26 = arith.muli %17, %c128_i32 : i32
    %27 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %28 = "tk.splat"(%26) : (i32) -> tensor<128xi32, #L2>
    %29 = arith.addi %28, %27 : tensor<128xi32, #L2>
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32, #L3>
    %c0_i32_0 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %30 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %31 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %32 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<256xi32, #L0>) -> tensor<256x1xi32, #L0>
    %33 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<256xi32, #L1>) -> tensor<256x1xi32, #L1>
    %34 = "tk.splat"(%arg5) : (i32) -> tensor<256x1xi32, #L1>
    %35 = arith.muli %33, %34 : tensor<256x1xi32, #L1>
    %36 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<256x1x!tk.ptr<f16>, #L1>
    %37 = "tk.addptr"(%36, %35) : (tensor<256x1x!tk.ptr<f16>, #L1>, tensor<256x1xi32, #L1>) -> tensor<256x1x!tk.ptr<f16>, #L1>
    %38 = "tk.broadcast"(%37) : (tensor<256x1x!tk.ptr<f16>, #L1>) -> tensor<256x64x!tk.ptr<f16>, #L6>
    %39 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L4>
    %40 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %41 = "tk.expand_dims"(%29) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %42 = "tk.broadcast"(%41) : (tensor<1x128xi32, #L2>) -> tensor<64x128xi32, #L7>
    %43 = scf.for %arg6 = %c0_i32_0 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<256x128xf32, #L3>)  : i32 {
      %53 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L4>
      %54 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32, #L5>
      %55 = arith.addi %53, %30 : tensor<64xi32, #L4>
      %56 = arith.addi %54, %31 : tensor<64xi32, #L5>
      %57 = "tk.expand_dims"(%56) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
      %58 = "tk.broadcast"(%57) : (tensor<1x64xi32, #L5>) -> tensor<256x64xi32, #L6>
      %59 = "tk.addptr"(%38, %58) : (tensor<256x64x!tk.ptr<f16>, #L6>, tensor<256x64xi32, #L6>) -> tensor<256x64x!tk.ptr<f16>, #L6>
      %60 = "tk.load"(%59) {vector = 8 : i32} : (tensor<256x64x!tk.ptr<f16>, #L6>) -> tensor<256x64xf16, #L6>
      %61 = "tk.convert_layout"(%60) : (tensor<256x64xf16, #L6>) -> tensor<256x64xf16, #L8>
      %62 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %63 = arith.muli %62, %39 : tensor<64x1xi32, #L4>
      %64 = "tk.addptr"(%40, %63) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
      %65 = "tk.broadcast"(%64) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %66 = "tk.addptr"(%65, %42) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %67 = "tk.load"(%66) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>) -> tensor<64x128xf16, #L7>
      %68 = "tk.convert_layout"(%67) : (tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L9>
      %69 = "tk.dot"(%61, %68, %arg7) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<256x64xf16, #L8>, tensor<64x128xf16, #L9>, tensor<256x128xf32, #L3>) -> tensor<256x128xf32, #L3>
      scf.yield %69 : tensor<256x128xf32, #L3>
    }
    %44 = "tk.splat"(%arg4) : (i32) -> tensor<256x1xi32, #L0>
    %45 = arith.muli %32, %44 : tensor<256x1xi32, #L0>
    %46 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<256x1x!tk.ptr<f16>, #L0>
    %47 = "tk.addptr"(%46, %45) : (tensor<256x1x!tk.ptr<f16>, #L0>, tensor<256x1xi32, #L0>) -> tensor<256x1x!tk.ptr<f16>, #L0>
    %48 = "tk.broadcast"(%47) : (tensor<256x1x!tk.ptr<f16>, #L0>) -> tensor<256x128x!tk.ptr<f16>, #L10>
    %49 = "tk.broadcast"(%41) : (tensor<1x128xi32, #L2>) -> tensor<256x128xi32, #L10>
    %50 = "tk.addptr"(%48, %49) : (tensor<256x128x!tk.ptr<f16>, #L10>, tensor<256x128xi32, #L10>) -> tensor<256x128x!tk.ptr<f16>, #L10>
    %51 = arith.truncf %43 : tensor<256x128xf32, #L3> to tensor<256x128xf16, #L3>
    %52 = "tk.convert_layout"(%51) : (tensor<256x128xf16, #L3>) -> tensor<256x128xf16, #L10>
    "tk.store"(%50, %52) {vector = 8 : i32} : (tensor<256x128x!tk.ptr<f16>, #L10>, tensor<256x128xf16, #L10>) -> ()
    return
  }
}

