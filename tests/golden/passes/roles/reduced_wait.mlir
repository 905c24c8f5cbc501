// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store tk.reduce
// A wait for another GPU that compares with a reduction: a single thread would have to compute it, so there are no roles.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L6 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L10 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<!tk.ptr<i32>> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}, %arg8: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: reads memory in a while loop", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %3 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %4 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %5 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %6 = "tk.splat"(%arg4) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L3>
    %7 = "tk.addptr"(%6, %5) : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<i32>, #L3>
    %8 = "tk.load"(%7) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L3>) -> tensor<128xi32, #L3>
    %9 = "tk.reduce"(%8) ({
    ^bb0(%arg9: i32, %arg10: i32):
      %45 = arith.maxsi %arg9, %arg10 : i32
      "tk.yield"(%45) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> i32
    %10 = "tk.addptr"(%arg3, %arg5) : (!tk.ptr<!tk.ptr<i32>>, i32) -> !tk.ptr<!tk.ptr<i32>>
    %11 = "tk.load"(%10) {addresses} : (!tk.ptr<!tk.ptr<i32>>) -> !tk.ptr<i32>
    %c512_i32 = arith.constant 512 : i32
    %12 = arith.divsi %1, %c512_i32 : i32
    %13 = "tk.addptr"(%11, %12) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %c0_i32 = arith.constant 0 : i32
    scf.while : () -> () {
      %45 = "tk.atomic_rmw"(%13, %c0_i32) {op = "load", scope = "sys", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
      %46 = arith.subi %45, %9 : i32
      %47 = arith.cmpi slt, %46, %c0_i32 : i32
      scf.condition(%47)
    } do {
      scf.yield
    } attributes {tk.counted = "left alone: scf.while at 10:5: its condition is more than the comparison of one carried number with a bound"}
    %14 = "tk.splat"(%1) : (i32) -> tensor<128xi32, #L0>
    %15 = "tk.splat"(%1) : (i32) -> tensor<128xi32, #L2>
    %16 = arith.addi %14, %2 : tensor<128xi32, #L0>
    %17 = arith.addi %15, %4 : tensor<128xi32, #L2>
    %18 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %19 = arith.muli %18, %c128_i32 : i32
    %20 = "tk.splat"(%19) : (i32) -> tensor<128xi32, #L1>
    %21 = arith.addi %20, %3 : tensor<128xi32, #L1>
    %22 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %23 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L6>
    %c64_i32 = arith.constant 64 : i32
    %24 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %25 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %26 = "tk.splat"(%arg8) : (i32) -> tensor<128x1xi32, #L2>
    %27 = arith.muli %25, %26 : tensor<128x1xi32, #L2>
    %28 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %29 = "tk.addptr"(%28, %27) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %30 = "tk.broadcast"(%29) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L7>
    %31 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L4>
    %32 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %33 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %34 = "tk.broadcast"(%33) : (tensor<1x128xi32, #L1>) -> tensor<64x128xi32, #L7>
    %35 = scf.for %arg9 = %c0_i32 to %arg8 step %c64_i32 iter_args(%arg10 = %cst) -> (tensor<128x128xf32, #L6>)  : i32 {
      %45 = "tk.splat"(%arg9) : (i32) -> tensor<64xi32, #L4>
      %46 = "tk.splat"(%arg9) : (i32) -> tensor<64xi32, #L5>
      %47 = arith.addi %45, %22 : tensor<64xi32, #L4>
      %48 = arith.addi %46, %23 : tensor<64xi32, #L5>
      %49 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
      %50 = "tk.broadcast"(%49) : (tensor<1x64xi32, #L5>) -> tensor<128x64xi32, #L7>
      %51 = "tk.addptr"(%30, %50) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %52 = "tk.load"(%51) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L7>) -> tensor<128x64xf16, #L7>
      %53 = "tk.convert_layout"(%52) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L8>
      %54 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
      %55 = arith.muli %54, %31 : tensor<64x1xi32, #L4>
      %56 = "tk.addptr"(%32, %55) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
      %57 = "tk.broadcast"(%56) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %58 = "tk.addptr"(%57, %34) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %59 = "tk.load"(%58) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>) -> tensor<64x128xf16, #L7>
      %60 = "tk.convert_layout"(%59) : (tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L9>
      %61 = "tk.dot"(%53, %60, %arg10) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L8>, tensor<64x128xf16, #L9>, tensor<128x128xf32, #L6>) -> tensor<128x128xf32, #L6>
      scf.yield %61 : tensor<128x128xf32, #L6>
    }
    %36 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L0>
    %37 = arith.muli %24, %36 : tensor<128x1xi32, #L0>
    %38 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %39 = "tk.addptr"(%38, %37) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %40 = "tk.broadcast"(%39) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x128x!tk.ptr<f16>, #L10>
    %41 = "tk.broadcast"(%33) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L10>
    %42 = "tk.addptr"(%40, %41) : (tensor<128x128x!tk.ptr<f16>, #L10>, tensor<128x128xi32, #L10>) -> tensor<128x128x!tk.ptr<f16>, #L10>
    %43 = arith.truncf %35 : tensor<128x128xf32, #L6> to tensor<128x128xf16, #L6>
    %44 = "tk.convert_layout"(%43) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L10>
    "tk.store"(%42, %44) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L10>, tensor<128x128xf16, #L10>) -> ()
    return
  }
}

