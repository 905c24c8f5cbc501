// chip: sm_89
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.yield
// Beside the queries, which stay in shared memory, the chip's 99 KB have no room for two slots of keys either: theirs is filled again behind
// the barrier ahead of the second product.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32>, warp = array<i32: 1, 2>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L4 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096>, warp = array<i32: 128, 256>}
#L9 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096>}
#L10 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L11 = {lane = array<i32: 1024, 2048, 4096, 8192, 1>, register = array<i32: 128, 256, 512, 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L12 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096, 8192>, warp = array<i32: 256, 512>}
#L13 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
#L14 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 1024, 8, 16, 32, 64, 2048, 4096, 8192>, warp = array<i32: 0, 0>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 136, 272, 544, 1024, 2048, 4096>}
module {
  func.func @refilled_keys(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg5: i32, %arg6: f32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %3 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %4 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L0>
    %5 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L1>
    %6 = arith.addi %4, %2 : tensor<64xi32, #L0>
    %7 = arith.addi %5, %3 : tensor<64xi32, #L1>
    %8 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %9 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %10 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
    %11 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L5>
    %12 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L6>
    %13 = "tk.expand_dims"(%6) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %14 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<64xi32, #L1>) -> tensor<64x1xi32, #L1>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #L0>
    %cst_0 = arith.constant dense<128> : tensor<64x1xi32, #L1>
    %15 = arith.muli %13, %cst : tensor<64x1xi32, #L0>
    %16 = arith.muli %14, %cst_0 : tensor<64x1xi32, #L1>
    %17 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %18 = "tk.addptr"(%17, %16) : (tensor<64x1x!tk.ptr<f16>, #L1>, tensor<64x1xi32, #L1>) -> tensor<64x1x!tk.ptr<f16>, #L1>
    %19 = "tk.expand_dims"(%8) {axis = 0 : i32} : (tensor<128xi32, #L2>) -> tensor<1x128xi32, #L2>
    %20 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<128xi32, #L6>) -> tensor<1x128xi32, #L6>
    %21 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f16>, #L1>) -> tensor<64x128x!tk.ptr<f16>, #L7>
    %22 = "tk.broadcast"(%19) : (tensor<1x128xi32, #L2>) -> tensor<64x128xi32, #L8>
    %23 = "tk.broadcast"(%20) : (tensor<1x128xi32, #L6>) -> tensor<64x128xi32, #L7>
    %24 = "tk.addptr"(%21, %23) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
    %25 = "tk.load"(%24) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>) -> tensor<64x128xf16, #L7>
    %queries = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<64x128xf16, #S>
    "tk.smem_store"(%queries, %25) : (tensor<64x128xf16, #S>, tensor<64x128xf16, #L7>) -> ()
    "tk.barrier"() : () -> ()
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #L10>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L9>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %27 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
    %28 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L4>
    %29 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L5>
    %cst_3 = arith.constant dense<128> : tensor<1x128xi32, #L5>
    %30 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>, #L5>
    %31 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<128xi32, #L6>) -> tensor<128x1xi32, #L6>
    %32 = "tk.broadcast"(%31) : (tensor<128x1xi32, #L6>) -> tensor<128x128xi32, #L11>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #L12>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #L11>
    %33 = "tk.splat"(%arg6) : (f32) -> tensor<64x128xf32, #L9>
    %cst_6 = arith.constant dense<0> : tensor<128xi32, #L3>
    %cst_7 = arith.constant dense<128> : tensor<128x1xi32, #L3>
    %34 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L5>
    %35 = "tk.broadcast"(%20) : (tensor<1x128xi32, #L6>) -> tensor<128x128xi32, #L12>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L13>
    %36:2 = scf.for %arg7 = %c0_i32 to %arg5 step %c128_i32 iter_args(%arg8 = %cst_8, %arg9 = %cst_2) -> (tensor<64x4xf32, #L13>, tensor<64x128xf32, #L9>)  : i32 {
      %46 = "tk.splat"(%arg7) : (i32) -> tensor<128xi32, #L3>
      %47 = "tk.splat"(%arg7) : (i32) -> tensor<128xi32, #L4>
      %48 = "tk.splat"(%arg7) : (i32) -> tensor<128xi32, #L5>
      %49 = arith.addi %46, %9 : tensor<128xi32, #L3>
      %50 = arith.addi %47, %10 : tensor<128xi32, #L4>
      %51 = arith.addi %48, %11 : tensor<128xi32, #L5>
      %52 = arith.cmpi slt, %49, %27 : tensor<128xi32, #L3>
      %53 = arith.cmpi slt, %50, %28 : tensor<128xi32, #L4>
      %54 = arith.cmpi slt, %51, %29 : tensor<128xi32, #L5>
      %55 = "tk.expand_dims"(%51) {axis = 0 : i32} : (tensor<128xi32, #L5>) -> tensor<1x128xi32, #L5>
      %56 = arith.muli %55, %cst_3 : tensor<1x128xi32, #L5>
      %57 = "tk.addptr"(%30, %56) : (tensor<1x128x!tk.ptr<f16>, #L5>, tensor<1x128xi32, #L5>) -> tensor<1x128x!tk.ptr<f16>, #L5>
      %58 = "tk.broadcast"(%57) : (tensor<1x128x!tk.ptr<f16>, #L5>) -> tensor<128x128x!tk.ptr<f16>, #L11>
      %59 = "tk.addptr"(%58, %32) : (tensor<128x128x!tk.ptr<f16>, #L11>, tensor<128x128xi32, #L11>) -> tensor<128x128x!tk.ptr<f16>, #L11>
      %60 = "tk.expand_dims"(%53) {axis = 0 : i32} : (tensor<128xi1, #L4>) -> tensor<1x128xi1, #L4>
      %61 = "tk.expand_dims"(%54) {axis = 0 : i32} : (tensor<128xi1, #L5>) -> tensor<1x128xi1, #L5>
      %62 = "tk.broadcast"(%61) : (tensor<1x128xi1, #L5>) -> tensor<128x128xi1, #L11>
      %63 = "tk.load"(%59, %62, %cst_5) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L11>, tensor<128x128xi1, #L11>, tensor<128x128xf16, #L11>) -> tensor<128x128xf16, #L11>
      %64 = "tk.convert_layout"(%63) : (tensor<128x128xf16, #L11>) -> tensor<128x128xf16, #L14>
      %26 = "tk.smem_load"(%queries) : (tensor<64x128xf16, #S>) -> tensor<64x128xf16, #L9>
      %65 = "tk.dot"(%26, %64, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x128xf16, #L9>, tensor<128x128xf16, #L14>, tensor<64x128xf32, #L9>) -> tensor<64x128xf32, #L9>
      %66 = arith.mulf %65, %33 : tensor<64x128xf32, #L9>
      %67 = math.exp2 %66 : tensor<64x128xf32, #L9>
      %68 = "tk.broadcast"(%60) : (tensor<1x128xi1, #L4>) -> tensor<64x128xi1, #L9>
      %69 = arith.select %68, %67, %cst_2 : tensor<64x128xi1, #L9>, tensor<64x128xf32, #L9>
      %70 = "tk.partial_reduce"(%69) ({
      ^bb0(%arg10: f32, %arg11: f32):
        %88 = arith.addf %arg10, %arg11 : f32
        "tk.yield"(%88) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x128xf32, #L9>) -> tensor<64x4xf32, #L13>
      %71 = arith.addf %arg8, %70 : tensor<64x4xf32, #L13>
      %72 = "tk.addptr"(%arg4, %arg7) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %73 = "tk.splat"(%72) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L3>
      %74 = "tk.addptr"(%73, %9) : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<i32>, #L3>
      %75 = "tk.load"(%74, %52, %cst_6) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi1, #L3>, tensor<128xi32, #L3>) -> tensor<128xi32, #L3>
      %76 = arith.truncf %69 : tensor<64x128xf32, #L9> to tensor<64x128xf16, #L9>
      %77 = "tk.expand_dims"(%75) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
      %78 = arith.muli %77, %cst_7 : tensor<128x1xi32, #L3>
      %79 = "tk.convert_layout"(%78) : (tensor<128x1xi32, #L3>) -> tensor<128x1xi32, #L5>
      %80 = "tk.addptr"(%34, %79) : (tensor<128x1x!tk.ptr<f16>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<f16>, #L5>
      %81 = "tk.broadcast"(%80) : (tensor<128x1x!tk.ptr<f16>, #L5>) -> tensor<128x128x!tk.ptr<f16>, #L12>
      %82 = "tk.addptr"(%81, %35) : (tensor<128x128x!tk.ptr<f16>, #L12>, tensor<128x128xi32, #L12>) -> tensor<128x128x!tk.ptr<f16>, #L12>
      %83 = "tk.expand_dims"(%54) {axis = 1 : i32} : (tensor<128xi1, #L5>) -> tensor<128x1xi1, #L5>
      %84 = "tk.broadcast"(%83) : (tensor<128x1xi1, #L5>) -> tensor<128x128xi1, #L12>
      %85 = "tk.load"(%82, %84, %cst_4) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L12>, tensor<128x128xi1, #L12>, tensor<128x128xf16, #L12>) -> tensor<128x128xf16, #L12>
      %86 = "tk.convert_layout"(%85) : (tensor<128x128xf16, #L12>) -> tensor<128x128xf16, #L14>
      %87 = "tk.dot"(%76, %86, %arg9) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x128xf16, #L9>, tensor<128x128xf16, #L14>, tensor<64x128xf32, #L9>) -> tensor<64x128xf32, #L9>
      scf.yield %71, %87 : tensor<64x4xf32, #L13>, tensor<64x128xf32, #L9>
    }
    %37 = "tk.reduce"(%36#0) ({
    ^bb0(%arg7: f32, %arg8: f32):
      %46 = arith.addf %arg7, %arg8 : f32
      "tk.yield"(%46) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x4xf32, #L13>) -> tensor<64xf32, #L10>
    %38 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %39 = "tk.addptr"(%38, %15) : (tensor<64x1x!tk.ptr<f32>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %40 = "tk.broadcast"(%39) : (tensor<64x1x!tk.ptr<f32>, #L0>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    %41 = "tk.addptr"(%40, %22) : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xi32, #L8>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    %42 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xf32, #L10>) -> tensor<64x1xf32, #L10>
    %43 = "tk.broadcast"(%42) : (tensor<64x1xf32, #L10>) -> tensor<64x128xf32, #L9>
    %44 = arith.divf %36#1, %43 : tensor<64x128xf32, #L9>
    %45 = "tk.convert_layout"(%44) : (tensor<64x128xf32, #L9>) -> tensor<64x128xf32, #L8>
    "tk.store"(%41, %45) {vector = 4 : i32} : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xf32, #L8>) -> ()
    return
  }
}

