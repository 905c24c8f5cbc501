// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// Heads of 128, causal: products take longer than exponentials, so that the second dot stays in its iteration; programs are dealt back and forth.
#L0 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L1 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L5 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096>}
#L6 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L7 = {lane = array<i32: 512, 1024, 2048, 4096, 1>, register = array<i32: 64, 128, 256, 8, 16, 32>, warp = array<i32: 2, 4>}
#L8 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L9 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32, 4096>}
module {
  func.func @attention(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: f32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i64 {tk.divisibility = 16 : i32}, %arg9: i64 {tk.divisibility = 16 : i32}, %arg10: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %3 = arith.divsi %2, %arg6 : i32
    %4 = arith.extsi %3 : i32 to i64
    %5 = arith.muli %4, %arg8 : i64
    %6 = arith.remsi %2, %arg6 : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = arith.muli %7, %arg9 : i64
    %9 = arith.addi %5, %8 : i64
    %10 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %11 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %12 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %13 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L0>
    %14 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L2>
    %15 = arith.addi %13, %10 : tensor<64xi32, #L0>
    %16 = arith.addi %14, %12 : tensor<64xi32, #L2>
    %17 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %18 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %19 = "tk.splat"(%arg10) : (i32) -> tensor<64x1xi32, #L2>
    %20 = arith.muli %18, %19 : tensor<64x1xi32, #L2>
    %21 = arith.extsi %20 : tensor<64x1xi32, #L2> to tensor<64x1xi64, #L2>
    %22 = "tk.splat"(%9) : (i64) -> tensor<64x1xi64, #L2>
    %23 = arith.addi %22, %21 : tensor<64x1xi64, #L2>
    %24 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %25 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<1x128xi32, #L3>
    %26 = arith.extsi %25 : tensor<1x128xi32, #L3> to tensor<1x128xi64, #L3>
    %27 = "tk.broadcast"(%23) : (tensor<64x1xi64, #L2>) -> tensor<64x128xi64, #L4>
    %28 = "tk.broadcast"(%26) : (tensor<1x128xi64, #L3>) -> tensor<64x128xi64, #L4>
    %29 = arith.addi %27, %28 : tensor<64x128xi64, #L4>
    %30 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x128x!tk.ptr<f16>, #L4>
    %31 = "tk.addptr"(%30, %29) : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi64, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L4>
    %32 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L2>
    %33 = arith.cmpi slt, %18, %32 : tensor<64x1xi32, #L2>
    %34 = "tk.broadcast"(%33) : (tensor<64x1xi1, #L2>) -> tensor<64x128xi1, #L4>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L5>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L4>
    %35 = "tk.load"(%31, %34, %cst_0) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi1, #L4>, tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L4>
    %36 = "tk.convert_layout"(%35) : (tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L6>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #L0>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #L0>
    %cst_3 = arith.constant 1.44269502 : f32
    %37 = arith.mulf %arg4, %cst_3 : f32
    %38 = arith.addi %1, %c64_i32 : i32
    %39 = arith.minsi %38, %arg7 : i32
    %40 = arith.minsi %1, %arg7 : i32
    %41 = arith.divsi %40, %c64_i32 : i32
    %42 = arith.muli %41, %c64_i32 : i32
    %43 = "tk.addptr"(%arg1, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %44 = "tk.addptr"(%arg2, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %c0_i32 = arith.constant 0 : i32
    %45 = "tk.splat"(%arg10) : (i32) -> tensor<1x64xi32, #L2>
    %46 = "tk.splat"(%43) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L2>
    %47 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
    %48 = "tk.broadcast"(%47) : (tensor<128x1xi32, #L3>) -> tensor<128x64xi32, #L7>
    %49 = "tk.splat"(%44) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %50 = "tk.broadcast"(%25) : (tensor<1x128xi32, #L3>) -> tensor<64x128xi32, #L4>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L8>
    %51 = "tk.splat"(%37) : (f32) -> tensor<64xf32, #L0>
    %52 = "tk.splat"(%37) : (f32) -> tensor<64x64xf32, #L8>
    %53:3 = scf.for %arg11 = %c0_i32 to %42 step %c64_i32 iter_args(%arg12 = %cst_1, %arg13 = %cst, %arg14 = %cst_2) -> (tensor<64xf32, #L0>, tensor<64x128xf32, #L5>, tensor<64xf32, #L0>)  : i32 {
      %65 = "tk.splat"(%arg11) : (i32) -> tensor<64xi32, #L2>
      %66 = arith.addi %65, %12 : tensor<64xi32, #L2>
      %67 = "tk.expand_dims"(%66) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
      %68 = arith.muli %67, %45 : tensor<1x64xi32, #L2>
      %69 = "tk.addptr"(%46, %68) : (tensor<1x64x!tk.ptr<f16>, #L2>, tensor<1x64xi32, #L2>) -> tensor<1x64x!tk.ptr<f16>, #L2>
      %70 = "tk.broadcast"(%69) : (tensor<1x64x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %71 = "tk.addptr"(%70, %48) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %72 = "tk.expand_dims"(%66) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %73 = arith.muli %72, %19 : tensor<64x1xi32, #L2>
      %74 = "tk.addptr"(%49, %73) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %75 = "tk.broadcast"(%74) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x128x!tk.ptr<f16>, #L4>
      %76 = "tk.addptr"(%75, %50) : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi32, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L4>
      %77 = "tk.load"(%71) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L7>) -> tensor<128x64xf16, #L7>
      %78 = "tk.convert_layout"(%77) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L9>
      %79 = "tk.dot"(%36, %78, %cst_4) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x128xf16, #L6>, tensor<128x64xf16, #L9>, tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L8>
      %80 = "tk.reduce"(%79) ({
      ^bb0(%arg15: f32, %arg16: f32):
        %99 = arith.maxnumf %arg15, %arg16 : f32
        "tk.yield"(%99) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L8>) -> tensor<64xf32, #L0>
      %81 = arith.mulf %80, %51 : tensor<64xf32, #L0>
      %82 = arith.maxnumf %arg14, %81 : tensor<64xf32, #L0>
      %83 = "tk.expand_dims"(%82) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
      %84 = "tk.broadcast"(%83) : (tensor<64x1xf32, #L0>) -> tensor<64x64xf32, #L8>
      %85 = arith.negf %84 : tensor<64x64xf32, #L8>
      %86 = math.fma %79, %52, %85 : tensor<64x64xf32, #L8>
      %87 = math.exp2 %86 : tensor<64x64xf32, #L8>
      %88 = arith.subf %arg14, %82 : tensor<64xf32, #L0>
      %89 = math.exp2 %88 : tensor<64xf32, #L0>
      %90 = "tk.reduce"(%87) ({
      ^bb0(%arg15: f32, %arg16: f32):
        %99 = arith.addf %arg15, %arg16 : f32
        "tk.yield"(%99) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L8>) -> tensor<64xf32, #L0>
      %91 = math.fma %arg12, %89, %90 : tensor<64xf32, #L0>
      %92 = "tk.expand_dims"(%89) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
      %93 = "tk.broadcast"(%92) : (tensor<64x1xf32, #L0>) -> tensor<64x128xf32, #L5>
      %94 = arith.mulf %arg13, %93 : tensor<64x128xf32, #L5>
      %95 = "tk.load"(%76) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L4>) -> tensor<64x128xf16, #L4>
      %96 = "tk.convert_layout"(%95) : (tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L6>
      %97 = arith.truncf %87 : tensor<64x64xf32, #L8> to tensor<64x64xf16, #L8>
      %98 = "tk.dot"(%97, %96, %94) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L8>, tensor<64x128xf16, #L6>, tensor<64x128xf32, #L5>) -> tensor<64x128xf32, #L5>
      scf.yield %91, %98, %82 : tensor<64xf32, #L0>, tensor<64x128xf32, #L5>, tensor<64xf32, #L0>
    }
    %54 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L1>
    %55 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L2>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L7>
    %56 = "tk.broadcast"(%17) : (tensor<64x1xi32, #L0>) -> tensor<64x64xi32, #L8>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<64x64xf32, #L8>
    %57:3 = scf.for %arg11 = %42 to %39 step %c64_i32 iter_args(%arg12 = %53#0, %arg13 = %53#1, %arg14 = %53#2) -> (tensor<64xf32, #L0>, tensor<64x128xf32, #L5>, tensor<64xf32, #L0>)  : i32 {
      %65 = "tk.splat"(%arg11) : (i32) -> tensor<64xi32, #L1>
      %66 = "tk.splat"(%arg11) : (i32) -> tensor<64xi32, #L2>
      %67 = arith.addi %65, %11 : tensor<64xi32, #L1>
      %68 = arith.addi %66, %12 : tensor<64xi32, #L2>
      %69 = "tk.expand_dims"(%67) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
      %70 = "tk.expand_dims"(%68) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
      %71 = arith.muli %70, %45 : tensor<1x64xi32, #L2>
      %72 = "tk.addptr"(%46, %71) : (tensor<1x64x!tk.ptr<f16>, #L2>, tensor<1x64xi32, #L2>) -> tensor<1x64x!tk.ptr<f16>, #L2>
      %73 = "tk.broadcast"(%72) : (tensor<1x64x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %74 = "tk.addptr"(%73, %48) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %75 = "tk.expand_dims"(%68) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
      %76 = arith.muli %75, %19 : tensor<64x1xi32, #L2>
      %77 = "tk.addptr"(%49, %76) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
      %78 = "tk.broadcast"(%77) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x128x!tk.ptr<f16>, #L4>
      %79 = "tk.addptr"(%78, %50) : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi32, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L4>
      %80 = arith.cmpi slt, %69, %54 : tensor<1x64xi32, #L1>
      %81 = arith.cmpi slt, %70, %55 : tensor<1x64xi32, #L2>
      %82 = "tk.broadcast"(%81) : (tensor<1x64xi1, #L2>) -> tensor<128x64xi1, #L7>
      %83 = "tk.load"(%74, %82, %cst_5) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>, tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L7>
      %84 = "tk.convert_layout"(%83) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L9>
      %85 = "tk.dot"(%36, %84, %cst_4) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x128xf16, #L6>, tensor<128x64xf16, #L9>, tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L8>
      %86 = "tk.broadcast"(%69) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L8>
      %87 = arith.cmpi sle, %86, %56 : tensor<64x64xi32, #L8>
      %88 = "tk.broadcast"(%80) : (tensor<1x64xi1, #L1>) -> tensor<64x64xi1, #L8>
      %89 = arith.andi %88, %87 : tensor<64x64xi1, #L8>
      %90 = arith.select %89, %85, %cst_6 : tensor<64x64xi1, #L8>, tensor<64x64xf32, #L8>
      %91 = "tk.reduce"(%90) ({
      ^bb0(%arg15: f32, %arg16: f32):
        %112 = arith.maxnumf %arg15, %arg16 : f32
        "tk.yield"(%112) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L8>) -> tensor<64xf32, #L0>
      %92 = arith.mulf %91, %51 : tensor<64xf32, #L0>
      %93 = arith.maxnumf %arg14, %92 : tensor<64xf32, #L0>
      %94 = "tk.expand_dims"(%93) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
      %95 = "tk.broadcast"(%94) : (tensor<64x1xf32, #L0>) -> tensor<64x64xf32, #L8>
      %96 = arith.negf %95 : tensor<64x64xf32, #L8>
      %97 = math.fma %90, %52, %96 : tensor<64x64xf32, #L8>
      %98 = math.exp2 %97 : tensor<64x64xf32, #L8>
      %99 = arith.subf %arg14, %93 : tensor<64xf32, #L0>
      %100 = math.exp2 %99 : tensor<64xf32, #L0>
      %101 = "tk.reduce"(%98) ({
      ^bb0(%arg15: f32, %arg16: f32):
        %112 = arith.addf %arg15, %arg16 : f32
        "tk.yield"(%112) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L8>) -> tensor<64xf32, #L0>
      %102 = math.fma %arg12, %100, %101 : tensor<64xf32, #L0>
      %103 = "tk.expand_dims"(%100) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
      %104 = "tk.broadcast"(%103) : (tensor<64x1xf32, #L0>) -> tensor<64x128xf32, #L5>
      %105 = arith.mulf %arg13, %104 : tensor<64x128xf32, #L5>
      %106 = arith.cmpi slt, %75, %32 : tensor<64x1xi32, #L2>
      %107 = "tk.broadcast"(%106) : (tensor<64x1xi1, #L2>) -> tensor<64x128xi1, #L4>
      %108 = "tk.load"(%79, %107, %cst_0) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi1, #L4>, tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L4>
      %109 = "tk.convert_layout"(%108) : (tensor<64x128xf16, #L4>) -> tensor<64x128xf16, #L6>
      %110 = arith.truncf %98 : tensor<64x64xf32, #L8> to tensor<64x64xf16, #L8>
      %111 = "tk.dot"(%110, %109, %105) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L8>, tensor<64x128xf16, #L6>, tensor<64x128xf32, #L5>) -> tensor<64x128xf32, #L5>
      scf.yield %102, %111, %93 : tensor<64xf32, #L0>, tensor<64x128xf32, #L5>, tensor<64xf32, #L0>
    }
    %58 = "tk.expand_dims"(%57#0) {axis = 1 : i32} : (tensor<64xf32, #L0>) -> tensor<64x1xf32, #L0>
    %59 = "tk.broadcast"(%58) : (tensor<64x1xf32, #L0>) -> tensor<64x128xf32, #L5>
    %60 = arith.divf %57#1, %59 : tensor<64x128xf32, #L5>
    %61 = arith.truncf %60 : tensor<64x128xf32, #L5> to tensor<64x128xf16, #L5>
    %62 = "tk.convert_layout"(%61) : (tensor<64x128xf16, #L5>) -> tensor<64x128xf16, #L4>
    %63 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x128x!tk.ptr<f16>, #L4>
    %64 = "tk.addptr"(%63, %29) : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xi64, #L4>) -> tensor<64x128x!tk.ptr<f16>, #L4>
    "tk.store"(%64, %62, %34) {vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L4>, tensor<64x128xf16, #L4>, tensor<64x128xi1, #L4>) -> ()
    return
  }
}

