// chip: sm_90a
// show: tk.specialise tk.bulk_store tk.mbarrier_arrive
// Gradients whose slopes begin at -delta: the adder starts the stores of dk and dv, too.
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L3 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 8192, 64>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0, 0>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L8 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32>, warp = array<i32: 2048, 4096, 64>}
#L9 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L10 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L11 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32, 4096>}
#L12 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L13 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 8, 1024, 2048, 4096>, warp = array<i32: 16, 32, 64>}
#L14 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 1025, 2050, 4100, 8, 16, 32, 64>}
module {
  func.func @attention_atomic_keys(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg6: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg7: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg8: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg9: f32, %arg10: i32, %arg11: i32, %arg12: i32, %arg13: i32 {tk.divisibility = 16 : i32}, %arg14: i64 {tk.divisibility = 16 : i32}, %arg15: i64 {tk.divisibility = 16 : i32}, %arg16: i32 {tk.divisibility = 16 : i32}) attributes {tk.apart = array<i32: 1, 8, 2, 8, 0, 8, 3, 8, 7, 8, 6, 8>, tk.grouped_pid = "left alone: the id is divided into more than a row and a column", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %3 = arith.divsi %2, %arg11 : i32
    %4 = arith.extsi %3 : i32 to i64
    %5 = arith.muli %4, %arg14 : i64
    %6 = arith.remsi %2, %arg11 : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = arith.muli %7, %arg15 : i64
    %9 = arith.addi %5, %8 : i64
    %10 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %11 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %12 = "tk.splat"(%1) : (i32) -> tensor<128xi32, #L1>
    %13 = arith.addi %12, %11 : tensor<128xi32, #L1>
    %14 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<128xi32, #L1>) -> tensor<128x1xi32, #L1>
    %15 = "tk.splat"(%arg16) : (i32) -> tensor<128x1xi32, #L1>
    %16 = arith.muli %14, %15 : tensor<128x1xi32, #L1>
    %17 = arith.extsi %16 : tensor<128x1xi32, #L1> to tensor<128x1xi64, #L1>
    %18 = "tk.splat"(%9) : (i64) -> tensor<128x1xi64, #L1>
    %19 = arith.addi %18, %17 : tensor<128x1xi64, #L1>
    %20 = "tk.expand_dims"(%10) {axis = 0 : i32} : (tensor<128xi32, #L0>) -> tensor<1x128xi32, #L0>
    %21 = arith.extsi %20 : tensor<1x128xi32, #L0> to tensor<1x128xi64, #L0>
    %22 = "tk.broadcast"(%19) : (tensor<128x1xi64, #L1>) -> tensor<128x128xi64, #L2>
    %23 = "tk.broadcast"(%21) : (tensor<1x128xi64, #L0>) -> tensor<128x128xi64, #L2>
    %24 = arith.addi %22, %23 : tensor<128x128xi64, #L2>
    %25 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %26 = "tk.addptr"(%25, %24) : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi64, #L2>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %27 = "tk.splat"(%arg12) : (i32) -> tensor<128x1xi32, #L1>
    %28 = arith.cmpi slt, %14, %27 : tensor<128x1xi32, #L1>
    %29 = "tk.broadcast"(%28) : (tensor<128x1xi1, #L1>) -> tensor<128x128xi1, #L2>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L3>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #L2>
    %30 = "tk.load"(%26, %29, %cst_0) {tk.role = "copy", tk.slots = 1 : i32, vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi1, #L2>, tensor<128x128xf16, #L2>) -> tensor<128x128xf16, #L2>
    %31 = "tk.convert_layout"(%30) : (tensor<128x128xf16, #L2>) -> tensor<128x128xf16, #L4>
    %32 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %33 = "tk.addptr"(%32, %24) : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi64, #L2>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %34 = "tk.load"(%33, %29, %cst_0) {tk.role = "copy", tk.slots = 1 : i32, vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi1, #L2>, tensor<128x128xf16, #L2>) -> tensor<128x128xf16, #L2>
    %35 = "tk.convert_layout"(%34) : (tensor<128x128xf16, #L2>) -> tensor<128x128xf16, #L4>
    %36 = arith.extsi %2 : i32 to i64
    %37 = arith.extsi %arg13 : i32 to i64
    %38 = arith.muli %36, %37 : i64
    %39 = "tk.addptr"(%arg6, %38) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %40 = "tk.addptr"(%arg7, %38) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %41 = arith.extsi %arg12 : i32 to i64
    %42 = arith.muli %36, %41 : i64
    %c128_i64 = arith.constant 128 : i64
    %43 = arith.muli %42, %c128_i64 : i64
    %44 = "tk.addptr"(%arg8, %43) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %c0_i32 = arith.constant 0 : i32
    %45 = "tk.addptr"(%arg0, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %46 = "tk.addptr"(%arg3, %9) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %cst_1 = arith.constant 1.44269502 : f32
    %47 = arith.mulf %arg9, %cst_1 : f32
    %c64_i32 = arith.constant 64 : i32
    %48 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %49 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L6>
    %50 = "tk.splat"(%arg12) : (i32) -> tensor<64x1xi32, #L6>
    %51 = "tk.splat"(%arg16) : (i32) -> tensor<64x1xi32, #L6>
    %52 = "tk.splat"(%45) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L6>
    %53 = "tk.broadcast"(%20) : (tensor<1x128xi32, #L0>) -> tensor<64x128xi32, #L7>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #L8>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L7>
    %54 = "tk.splat"(%46) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L6>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L9>
    %55 = "tk.splat"(%40) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L5>
    %56 = "tk.splat"(%47) : (f32) -> tensor<128x64xf32, #L9>
    %57 = "tk.splat"(%39) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L5>
    %cst_5 = arith.constant dense<128> : tensor<64x1xi32, #L6>
    %58 = "tk.splat"(%44) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L6>
    %59:2 = scf.for %arg17 = %c0_i32 to %arg12 step %c64_i32 iter_args(%arg18 = %cst, %arg19 = %cst) -> (tensor<128x128xf32, #L3>, tensor<128x128xf32, #L3>)  : i32 {
      %70 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L5>
      %71 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L6>
      %72 = arith.addi %70, %48 : tensor<64xi32, #L5>
      %73 = arith.addi %71, %49 : tensor<64xi32, #L6>
      %74 = "tk.expand_dims"(%73) {axis = 1 : i32} : (tensor<64xi32, #L6>) -> tensor<64x1xi32, #L6>
      %75 = arith.cmpi slt, %74, %50 : tensor<64x1xi32, #L6>
      %76 = arith.muli %74, %51 : tensor<64x1xi32, #L6>
      %77 = "tk.addptr"(%52, %76) : (tensor<64x1x!tk.ptr<f16>, #L6>, tensor<64x1xi32, #L6>) -> tensor<64x1x!tk.ptr<f16>, #L6>
      %78 = "tk.broadcast"(%77) : (tensor<64x1x!tk.ptr<f16>, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %79 = "tk.addptr"(%78, %53) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %80 = "tk.broadcast"(%75) : (tensor<64x1xi1, #L6>) -> tensor<64x128xi1, #L7>
      %81 = "tk.load"(%79, %80, %cst_3) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi1, #L7>, tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L7>
      %82 = "tk.convert_layout"(%81) : (tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L10>
      %83 = "tk.addptr"(%54, %76) : (tensor<64x1x!tk.ptr<f16>, #L6>, tensor<64x1xi32, #L6>) -> tensor<64x1x!tk.ptr<f16>, #L6>
      %84 = "tk.broadcast"(%83) : (tensor<64x1x!tk.ptr<f16>, #L6>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %85 = "tk.addptr"(%84, %53) : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f16>, #L7>
      %86 = "tk.load"(%85, %80, %cst_3) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 8 : i32} : (tensor<64x128x!tk.ptr<f16>, #L7>, tensor<64x128xi1, #L7>, tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L7>
      %87 = "tk.convert_layout"(%86) : (tensor<64x128xf16, #L7>) -> tensor<64x128xf16, #L10>
      %88 = "tk.smem_trans"(%82) {order = array<i32: 1, 0>} : (tensor<64x128xf16, #L10>) -> tensor<128x64xf16, #L11>
      %89 = "tk.dot"(%31, %88, %cst_4) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<128x128xf16, #L4>, tensor<128x64xf16, #L11>, tensor<128x64xf32, #L9>) -> tensor<128x64xf32, #L9>
      %90 = "tk.addptr"(%55, %72) : (tensor<64x!tk.ptr<f32>, #L5>, tensor<64xi32, #L5>) -> tensor<64x!tk.ptr<f32>, #L5>
      %91 = "tk.load"(%90) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L5>) -> tensor<64xf32, #L5>
      %92 = "tk.expand_dims"(%91) {axis = 0 : i32} : (tensor<64xf32, #L5>) -> tensor<1x64xf32, #L5>
      %93 = "tk.convert_layout"(%92) : (tensor<1x64xf32, #L5>) -> tensor<1x64xf32, #L12>
      %94 = arith.negf %93 : tensor<1x64xf32, #L12>
      %95 = "tk.broadcast"(%94) : (tensor<1x64xf32, #L12>) -> tensor<128x64xf32, #L9>
      %96 = "tk.smem_trans"(%87) {order = array<i32: 1, 0>} : (tensor<64x128xf16, #L10>) -> tensor<128x64xf16, #L11>
      %97 = "tk.dot"(%35, %96, %95) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<128x128xf16, #L4>, tensor<128x64xf16, #L11>, tensor<128x64xf32, #L9>) -> tensor<128x64xf32, #L9>
      %98 = "tk.addptr"(%57, %72) : (tensor<64x!tk.ptr<f32>, #L5>, tensor<64xi32, #L5>) -> tensor<64x!tk.ptr<f32>, #L5>
      %99 = "tk.load"(%98) {tk.role = "copy", tk.slots = 3 : i32, tk.stage = 0 : i32, vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L5>) -> tensor<64xf32, #L5>
      %100 = "tk.expand_dims"(%99) {axis = 0 : i32} : (tensor<64xf32, #L5>) -> tensor<1x64xf32, #L5>
      %101 = "tk.convert_layout"(%100) : (tensor<1x64xf32, #L5>) -> tensor<1x64xf32, #L12>
      %102 = "tk.broadcast"(%101) : (tensor<1x64xf32, #L12>) -> tensor<128x64xf32, #L9>
      %103 = arith.negf %102 : tensor<128x64xf32, #L9>
      %104 = math.fma %89, %56, %103 : tensor<128x64xf32, #L9>
      %105 = math.exp2 %104 : tensor<128x64xf32, #L9>
      %106 = arith.mulf %105, %97 : tensor<128x64xf32, #L9>
      %107 = arith.truncf %106 : tensor<128x64xf32, #L9> to tensor<128x64xf16, #L9>
      %108 = arith.truncf %105 : tensor<128x64xf32, #L9> to tensor<128x64xf16, #L9>
      %109 = "tk.dot"(%108, %87, %arg18) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<128x64xf16, #L9>, tensor<64x128xf16, #L10>, tensor<128x128xf32, #L3>) -> tensor<128x128xf32, #L3>
      %110 = "tk.trans"(%107) {order = array<i32: 1, 0>} : (tensor<128x64xf16, #L9>) -> tensor<64x128xf16, #L13>
      %111 = "tk.convert_layout"(%110) : (tensor<64x128xf16, #L13>) -> tensor<64x128xf16, #L14>
      %112 = "tk.dot"(%111, %31, %cst_2) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<64x128xf16, #L14>, tensor<128x128xf16, #L4>, tensor<64x128xf32, #L8>) -> tensor<64x128xf32, #L8>
      %113 = "tk.convert_layout"(%112) : (tensor<64x128xf32, #L8>) -> tensor<64x128xf32, #L7>
      %114 = arith.muli %74, %cst_5 : tensor<64x1xi32, #L6>
      %115 = "tk.addptr"(%58, %114) : (tensor<64x1x!tk.ptr<f32>, #L6>, tensor<64x1xi32, #L6>) -> tensor<64x1x!tk.ptr<f32>, #L6>
      %116 = "tk.broadcast"(%115) : (tensor<64x1x!tk.ptr<f32>, #L6>) -> tensor<64x128x!tk.ptr<f32>, #L7>
      %117 = "tk.addptr"(%116, %53) : (tensor<64x128x!tk.ptr<f32>, #L7>, tensor<64x128xi32, #L7>) -> tensor<64x128x!tk.ptr<f32>, #L7>
      %118 = "tk.atomic_rmw"(%117, %113, %80) {op = "fadd", scope = "gpu", sem = "relaxed", tk.role = "copy", vector = 4 : i32} : (tensor<64x128x!tk.ptr<f32>, #L7>, tensor<64x128xf32, #L7>, tensor<64x128xi1, #L7>) -> tensor<64x128xf32, #L7>
      %119 = "tk.dot"(%107, %82, %arg19) {instruction = "wgmma.f16", precision = "tf32", tk.stage = 1 : i32} : (tensor<128x64xf16, #L9>, tensor<64x128xf16, #L10>, tensor<128x128xf32, #L3>) -> tensor<128x128xf32, #L3>
      scf.yield %109, %119 : tensor<128x128xf32, #L3>, tensor<128x128xf32, #L3>
    } {tk.copies = "warp", tk.pipeline = "3 slots, filled by a warp of their own"}
    %60 = "tk.splat"(%arg5) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %61 = "tk.addptr"(%60, %24) : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi64, #L2>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %62 = arith.truncf %59#0 : tensor<128x128xf32, #L3> to tensor<128x128xf16, #L3>
    %63 = "tk.convert_layout"(%62) : (tensor<128x128xf16, #L3>) -> tensor<128x128xf16, #L2>
    "tk.store"(%61, %63, %29) {tk.role = "copy", vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xf16, #L2>, tensor<128x128xi1, #L2>) -> ()
    %64 = "tk.splat"(%arg4) : (!tk.ptr<f16>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %65 = "tk.addptr"(%64, %24) : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xi64, #L2>) -> tensor<128x128x!tk.ptr<f16>, #L2>
    %66 = "tk.splat"(%arg9) : (f32) -> tensor<128x128xf32, #L3>
    %67 = arith.mulf %59#1, %66 : tensor<128x128xf32, #L3>
    %68 = arith.truncf %67 : tensor<128x128xf32, #L3> to tensor<128x128xf16, #L3>
    %69 = "tk.convert_layout"(%68) : (tensor<128x128xf16, #L3>) -> tensor<128x128xf16, #L2>
    "tk.store"(%65, %69, %29) {tk.role = "copy", vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L2>, tensor<128x128xf16, #L2>, tensor<128x128xi1, #L2>) -> ()
    return
  }
}

