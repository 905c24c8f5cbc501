// chip: sm_89
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.yield
// The slot of keys is filled again behind the second barrier, where all threads have read it; so each step waits twice.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32>, warp = array<i32: 1, 2>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L4 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096>, warp = array<i32: 128, 256>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 136, 272, 544, 1024, 2048, 4096>}
#L10 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L11 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096>}
#L12 = {lane = array<i32: 1024, 2048, 4096, 8192, 1>, register = array<i32: 128, 256, 512, 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L13 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096, 8192>, warp = array<i32: 256, 512>}
#L14 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
#L15 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 1024, 8, 16, 32, 64, 2048, 4096, 8192>, warp = array<i32: 0, 0>}
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
    %26 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<64x128xf16, #L9>
    "tk.smem_store"(%26, %25) : (tensor<64x128xf16, #L9>, tensor<64x128xf16, #L7>) -> ()
    "tk.barrier"() : () -> ()
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #L10>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L11>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %27 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
    %28 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L4>
    %29 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L5>
    %cst_3 = arith.constant dense<128> : tensor<1x128xi32, #L5>
    %30 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x128x!tk.ptr<f16>, #L5>
    %31 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<128xi32, #L6>) -> tensor<128x1xi32, #L6>
    %32 = "tk.broadcast"(%31) : (tensor<128x1xi32, #L6>) -> tensor<128x128xi32, #L12>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #L13>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #L12>
    %33 = "tk.splat"(%arg6) : (f32) -> tensor<64x128xf32, #L11>
    %cst_6 = arith.constant dense<0> : tensor<128xi32, #L3>
    %cst_7 = arith.constant dense<128> : tensor<128x1xi32, #L3>
    %34 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L5>
    %35 = "tk.broadcast"(%20) : (tensor<1x128xi32, #L6>) -> tensor<128x128xi32, #L13>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L14>
    %36:2 = scf.for %arg7 = %c0_i32 to %arg5 step %c128_i32 iter_args(%arg8 = %cst_8, %arg9 = %cst_2) -> (tensor<64x4xf32, #L14>, tensor<64x128xf32, #L11>)  : i32 {
      %46 = "tk.splat"(%arg7) {tk.stage = 0 : i32} : (i32) -> tensor<128xi32, #L3>
      %47 = "tk.splat"(%arg7) {tk.stage = 1 : i32} : (i32) -> tensor<128xi32, #L4>
      %48 = "tk.splat"(%arg7) {tk.stage = 0 : i32} : (i32) -> tensor<128xi32, #L5>
      %49 = arith.addi %46, %9 {tk.stage = 0 : i32} : tensor<128xi32, #L3>
      %50 = arith.addi %47, %10 {tk.stage = 1 : i32} : tensor<128xi32, #L4>
      %51 = arith.addi %48, %11 {tk.stage = 0 : i32} : tensor<128xi32, #L5>
      %52 = arith.cmpi slt, %49, %27 {tk.stage = 0 : i32} : tensor<128xi32, #L3>
      %53 = arith.cmpi slt, %50, %28 {tk.stage = 1 : i32} : tensor<128xi32, #L4>
      %54 = arith.cmpi slt, %51, %29 {tk.stage = 0 : i32} : tensor<128xi32, #L5>
      %55 = "tk.expand_dims"(%51) {axis = 0 : i32, tk.stage = 0 : i32} : (tensor<128xi32, #L5>) -> tensor<1x128xi32, #L5>
      %56 = arith.muli %55, %cst_3 {tk.stage = 0 : i32} : tensor<1x128xi32, #L5>
      %57 = "tk.addptr"(%30, %56) {tk.stage = 0 : i32} : (tensor<1x128x!tk.ptr<f16>, #L5>, tensor<1x128xi32, #L5>) -> tensor<1x128x!tk.ptr<f16>, #L5>
      %58 = "tk.broadcast"(%57) {tk.stage = 0 : i32} : (tensor<1x128x!tk.ptr<f16>, #L5>) -> tensor<128x128x!tk.ptr<f16>, #L12>
      %59 = "tk.addptr"(%58, %32) {tk.stage = 0 : i32} : (tensor<128x128x!tk.ptr<f16>, #L12>, tensor<128x128xi32, #L12>) -> tensor<128x128x!tk.ptr<f16>, #L12>
      %60 = "tk.expand_dims"(%53) {axis = 0 : i32, tk.stage = 1 : i32} : (tensor<128xi1, #L4>) -> tensor<1x128xi1, #L4>
      %61 = "tk.expand_dims"(%54) {axis = 0 : i32, tk.stage = 0 : i32} : (tensor<128xi1, #L5>) -> tensor<1x128xi1, #L5>
      %62 = "tk.broadcast"(%61) {tk.stage = 0 : i32} : (tensor<1x128xi1, #L5>) -> tensor<128x128xi1, #L12>
      %63 = "tk.load"(%59, %62, %cst_5) {tk.role = "copy", tk.slots = 1 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L12>, tensor<128x128xi1, #L12>, tensor<128x128xf16, #L12>) -> tensor<128x128xf16, #L12>
      %64 = "tk.convert_layout"(%63) {tk.stage = 1 : i32} : (tensor<128x128xf16, #L12>) -> tensor<128x128xf16, #L15>
      %65 = "tk.smem_load"(%26) {tk.stage = 1 : i32} : (tensor<64x128xf16, #L9>) -> tensor<64x128xf16, #L11>
      %66 = "tk.dot"(%65, %64, %cst_2) {instruction = "mma.m16n8k16.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x128xf16, #L11>, tensor<128x128xf16, #L15>, tensor<64x128xf32, #L11>) -> tensor<64x128xf32, #L11>
      %67 = arith.mulf %66, %33 {tk.stage = 1 : i32} : tensor<64x128xf32, #L11>
      %68 = math.exp2 %67 {tk.stage = 1 : i32} : tensor<64x128xf32, #L11>
      %69 = "tk.broadcast"(%60) {tk.stage = 1 : i32} : (tensor<1x128xi1, #L4>) -> tensor<64x128xi1, #L11>
      %70 = arith.select %69, %68, %cst_2 {tk.stage = 1 : i32} : tensor<64x128xi1, #L11>, tensor<64x128xf32, #L11>
      %71 = "tk.partial_reduce"(%70) ({
      ^bb0(%arg10: f32, %arg11: f32):
        %89 = arith.addf %arg10, %arg11 : f32
        "tk.yield"(%89) : (f32) -> ()
      }) {axis = 1 : i32, tk.stage = 1 : i32} : (tensor<64x128xf32, #L11>) -> tensor<64x4xf32, #L14>
      %72 = arith.addf %arg8, %71 {tk.stage = 1 : i32} : tensor<64x4xf32, #L14>
      %73 = "tk.addptr"(%arg4, %arg7) {tk.stage = 0 : i32} : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %74 = "tk.splat"(%73) {tk.stage = 0 : i32} : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L3>
      %75 = "tk.addptr"(%74, %9) {tk.stage = 0 : i32} : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<i32>, #L3>
      %76 = "tk.load"(%75, %52, %cst_6) {tk.stage = 0 : i32, vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L3>, tensor<128xi1, #L3>, tensor<128xi32, #L3>) -> tensor<128xi32, #L3>
      %77 = arith.truncf %70 {tk.stage = 1 : i32} : tensor<64x128xf32, #L11> to tensor<64x128xf16, #L11>
      %78 = "tk.expand_dims"(%76) {axis = 1 : i32, tk.stage = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
      %79 = arith.muli %78, %cst_7 {tk.stage = 0 : i32} : tensor<128x1xi32, #L3>
      %80 = "tk.convert_layout"(%79) {tk.stage = 0 : i32} : (tensor<128x1xi32, #L3>) -> tensor<128x1xi32, #L5>
      %81 = "tk.addptr"(%34, %80) {tk.stage = 0 : i32} : (tensor<128x1x!tk.ptr<f16>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<f16>, #L5>
      %82 = "tk.broadcast"(%81) {tk.stage = 0 : i32} : (tensor<128x1x!tk.ptr<f16>, #L5>) -> tensor<128x128x!tk.ptr<f16>, #L13>
      %83 = "tk.addptr"(%82, %35) {tk.stage = 0 : i32} : (tensor<128x128x!tk.ptr<f16>, #L13>, tensor<128x128xi32, #L13>) -> tensor<128x128x!tk.ptr<f16>, #L13>
      %84 = "tk.expand_dims"(%54) {axis = 1 : i32, tk.stage = 0 : i32} : (tensor<128xi1, #L5>) -> tensor<128x1xi1, #L5>
      %85 = "tk.broadcast"(%84) {tk.stage = 0 : i32} : (tensor<128x1xi1, #L5>) -> tensor<128x128xi1, #L13>
      %86 = "tk.load"(%83, %85, %cst_4) {tk.role = "copy", tk.slots = 1 : i32, tk.stage = 1 : i32, vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L13>, tensor<128x128xi1, #L13>, tensor<128x128xf16, #L13>) -> tensor<128x128xf16, #L13>
      %87 = "tk.convert_layout"(%86) {tk.stage = 1 : i32} : (tensor<128x128xf16, #L13>) -> tensor<128x128xf16, #L15>
      %88 = "tk.dot"(%77, %87, %arg9) {instruction = "mma.m16n8k16.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x128xf16, #L11>, tensor<128x128xf16, #L15>, tensor<64x128xf32, #L11>) -> tensor<64x128xf32, #L11>
      scf.yield {tk.stage = 1 : i32} %72, %88 : tensor<64x4xf32, #L14>, tensor<64x128xf32, #L11>
    } {tk.copies = "async", tk.pipeline = "1 stage, filled again behind its readers"}
    %37 = "tk.reduce"(%36#0) ({
    ^bb0(%arg7: f32, %arg8: f32):
      %46 = arith.addf %arg7, %arg8 : f32
      "tk.yield"(%46) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x4xf32, #L14>) -> tensor<64xf32, #L10>
    %38 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %39 = "tk.addptr"(%38, %15) : (tensor<64x1x!tk.ptr<f32>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f32>, #L0>
    %40 = "tk.broadcast"(%39) : (tensor<64x1x!tk.ptr<f32>, #L0>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    %41 = "tk.addptr"(%40, %22) : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xi32, #L8>) -> tensor<64x128x!tk.ptr<f32>, #L8>
    %42 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<64xf32, #L10>) -> tensor<64x1xf32, #L10>
    %43 = "tk.broadcast"(%42) : (tensor<64x1xf32, #L10>) -> tensor<64x128xf32, #L11>
    %44 = arith.divf %36#1, %43 : tensor<64x128xf32, #L11>
    %45 = "tk.convert_layout"(%44) : (tensor<64x128xf32, #L11>) -> tensor<64x128xf32, #L8>
    "tk.store"(%41, %45) {vector = 4 : i32} : (tensor<64x128x!tk.ptr<f32>, #L8>, tensor<64x128xf32, #L8>) -> ()
    return
  }
}

