// chip: gfx1200
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// An even number of steps: two a turn, slots by constants, pointers as a scalar and offsets, and no load where no step is.
#L0 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32>}
#L1 = {lane = array<i32: 0, 0, 4, 8, 16>, register = array<i32: 1, 2>, warp = array<i32>}
#L2 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 4, 8, 16>, warp = array<i32>}
#L4 = {lane = array<i32: 8, 16, 128, 256, 512>, register = array<i32: 1, 2, 4, 32, 64>, warp = array<i32>}
#L5 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 128, 256, 512>, warp = array<i32>}
#L6 = {lane = array<i32: 32, 64, 128, 256, 8>, register = array<i32: 1, 2, 4, 16, 512>, warp = array<i32>}
#L7 = {lane = array<i32: 1, 2, 4, 8, 256>, register = array<i32: 32, 64, 128, 16, 512>, warp = array<i32>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32) attributes {tk.grouped_pid = "off", tk.num_stages = 4 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c31_i32 = arith.constant 31 : i32
    %1 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %2 = arith.divsi %1, %c32_i32 : i32
    %3 = arith.divsi %0, %2 : i32
    %4 = arith.muli %3, %c32_i32 : i32
    %5 = arith.remsi %0, %2 : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %8 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %9 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %10 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L3>
    %11 = "tk.splat"(%4) : (i32) -> tensor<32xi32, #L1>
    %12 = "tk.splat"(%4) : (i32) -> tensor<32xi32, #L3>
    %13 = arith.addi %11, %8 : tensor<32xi32, #L1>
    %14 = arith.addi %12, %10 : tensor<32xi32, #L3>
    %15 = "tk.splat"(%arg3) : (i32) -> tensor<32xi32, #L1>
    %16 = "tk.splat"(%arg3) : (i32) -> tensor<32xi32, #L3>
    %17 = arith.remsi %13, %15 : tensor<32xi32, #L1>
    %18 = arith.remsi %14, %16 : tensor<32xi32, #L3>
    %19 = "tk.splat"(%6) : (i32) -> tensor<32xi32, #L0>
    %20 = "tk.splat"(%6) : (i32) -> tensor<32xi32, #L2>
    %21 = arith.addi %19, %7 : tensor<32xi32, #L0>
    %22 = arith.addi %20, %9 : tensor<32xi32, #L2>
    %23 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L0>
    %24 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32, #L2>
    %25 = arith.remsi %21, %23 : tensor<32xi32, #L0>
    %26 = arith.remsi %22, %24 : tensor<32xi32, #L2>
    %27 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %28 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<32xi32, #L3>) -> tensor<32x1xi32, #L3>
    %29 = "tk.splat"(%arg6) : (i32) -> tensor<32x1xi32, #L1>
    %30 = "tk.splat"(%arg6) : (i32) -> tensor<32x1xi32, #L3>
    %31 = arith.muli %27, %29 : tensor<32x1xi32, #L1>
    %32 = arith.muli %28, %30 : tensor<32x1xi32, #L3>
    %33 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %34 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %35 = "tk.addptr"(%33, %31) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %36 = "tk.addptr"(%34, %32) : (tensor<32x1x!tk.ptr<f16>, #L3>, tensor<32x1xi32, #L3>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %37 = "tk.expand_dims"(%7) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %38 = "tk.expand_dims"(%9) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %39 = "tk.broadcast"(%35) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %40 = "tk.broadcast"(%36) : (tensor<32x1x!tk.ptr<f16>, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L5>
    %41 = "tk.broadcast"(%37) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L4>
    %42 = "tk.broadcast"(%38) : (tensor<1x32xi32, #L2>) -> tensor<32x32xi32, #L5>
    %43 = "tk.addptr"(%39, %41) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %44 = "tk.addptr"(%40, %42) : (tensor<32x32x!tk.ptr<f16>, #L5>, tensor<32x32xi32, #L5>) -> tensor<32x32x!tk.ptr<f16>, #L5>
    %45 = "tk.expand_dims"(%8) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %46 = "tk.expand_dims"(%10) {axis = 1 : i32} : (tensor<32xi32, #L3>) -> tensor<32x1xi32, #L3>
    %47 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32, #L1>
    %48 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32, #L3>
    %49 = arith.muli %45, %47 : tensor<32x1xi32, #L1>
    %50 = arith.muli %46, %48 : tensor<32x1xi32, #L3>
    %51 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %52 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %53 = "tk.addptr"(%51, %49) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %54 = "tk.addptr"(%52, %50) : (tensor<32x1x!tk.ptr<f16>, #L3>, tensor<32x1xi32, #L3>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %55 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %56 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> tensor<1x32xi32, #L2>
    %57 = "tk.broadcast"(%53) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %58 = "tk.broadcast"(%54) : (tensor<32x1x!tk.ptr<f16>, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L5>
    %59 = "tk.broadcast"(%55) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L4>
    %60 = "tk.broadcast"(%56) : (tensor<1x32xi32, #L2>) -> tensor<32x32xi32, #L5>
    %61 = "tk.addptr"(%57, %59) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %62 = "tk.addptr"(%58, %60) : (tensor<32x32x!tk.ptr<f16>, #L5>, tensor<32x32xi32, #L5>) -> tensor<32x32x!tk.ptr<f16>, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L6>
    %63 = arith.addi %arg5, %c31_i32 : i32
    %64 = arith.divsi %63, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x32xf16, #L4>
    %cst_1 = arith.constant dense<32> : tensor<32x32xi32, #L4>
    %65 = arith.muli %c32_i32, %arg8 : i32
    %66 = "tk.splat"(%65) : (i32) -> tensor<32x32xi32, #L4>
    %67 = arith.extsi %c0_i32 : i32 to i64
    %68 = arith.extsi %64 : i32 to i64
    %69 = arith.extsi %c1_i32 : i32 to i64
    %70 = arith.subi %68, %67 : i64
    %c0_i64 = arith.constant 0 : i64
    %71 = arith.maxsi %70, %c0_i64 : i64
    %72 = arith.divsi %71, %69 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %73 = arith.extsi %arg5 : i32 to i64
    %74 = arith.muli %c-1_i64, %73 : i64
    %75 = arith.subi %c0_i64_2, %74 : i64
    %c32_i64 = arith.constant 32 : i64
    %76 = arith.divsi %75, %c32_i64 : i64
    %c0_i64_3 = arith.constant 0 : i64
    %77 = arith.maxsi %76, %c0_i64_3 : i64
    %78 = arith.minsi %72, %77 : i64
    %c0_i64_4 = arith.constant 0 : i64
    %c-1_i64_5 = arith.constant -1 : i64
    %79 = arith.extsi %arg5 : i32 to i64
    %80 = arith.muli %c-1_i64_5, %79 : i64
    %81 = arith.subi %c0_i64_4, %80 : i64
    %c32_i64_6 = arith.constant 32 : i64
    %82 = arith.divsi %81, %c32_i64_6 : i64
    %c0_i64_7 = arith.constant 0 : i64
    %83 = arith.maxsi %82, %c0_i64_7 : i64
    %84 = arith.minsi %78, %83 : i64
    %c-2_i64 = arith.constant -2 : i64
    %85 = arith.andi %84, %c-2_i64 : i64
    %c32_i32_8 = arith.constant 32 : i32
    %86 = "tk.ptr_to_int"(%arg0) : (!tk.ptr<f16>) -> i64
    %87 = "tk.ptr_to_int"(%44) : (tensor<32x32x!tk.ptr<f16>, #L5>) -> tensor<32x32xi64, #L5>
    %88 = "tk.splat"(%86) : (i64) -> tensor<32x32xi64, #L5>
    %89 = arith.subi %87, %88 : tensor<32x32xi64, #L5>
    %cst_9 = arith.constant dense<32> : tensor<32x32xi64, #L5>
    %90 = arith.addi %89, %cst_9 : tensor<32x32xi64, #L5>
    %91 = arith.ori %89, %90 : tensor<32x32xi64, #L5>
    %cst_10 = arith.constant dense<32> : tensor<32x32xi64, #L5>
    %92 = arith.shrui %91, %cst_10 : tensor<32x32xi64, #L5>
    %93 = arith.trunci %92 : tensor<32x32xi64, #L5> to tensor<32x32xi32, #L5>
    %c0_i32_11 = arith.constant 0 : i32
    %94 = "tk.reduce"(%93) ({
    ^bb0(%arg12: i32, %arg13: i32):
      %141 = arith.ori %arg12, %arg13 : i32
      "tk.yield"(%141) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32x32xi32, #L5>) -> tensor<32xi32, #L2>
    %95 = "tk.reduce"(%94) ({
    ^bb0(%arg12: i32, %arg13: i32):
      %141 = arith.ori %arg12, %arg13 : i32
      "tk.yield"(%141) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> i32
    %96 = arith.cmpi eq, %95, %c0_i32_11 : i32
    %c0_i64_12 = arith.constant 0 : i64
    %97 = arith.select %96, %85, %c0_i64_12 : i64
    %98 = "tk.ptr_to_int"(%arg1) : (!tk.ptr<f16>) -> i64
    %99 = "tk.ptr_to_int"(%62) : (tensor<32x32x!tk.ptr<f16>, #L5>) -> tensor<32x32xi64, #L5>
    %100 = "tk.splat"(%98) : (i64) -> tensor<32x32xi64, #L5>
    %101 = arith.subi %99, %100 : tensor<32x32xi64, #L5>
    %cst_13 = arith.constant dense<32> : tensor<32x32xi64, #L5>
    %102 = arith.addi %101, %cst_13 : tensor<32x32xi64, #L5>
    %103 = arith.ori %101, %102 : tensor<32x32xi64, #L5>
    %cst_14 = arith.constant dense<32> : tensor<32x32xi64, #L5>
    %104 = arith.shrui %103, %cst_14 : tensor<32x32xi64, #L5>
    %105 = arith.trunci %104 : tensor<32x32xi64, #L5> to tensor<32x32xi32, #L5>
    %c0_i32_15 = arith.constant 0 : i32
    %106 = "tk.reduce"(%105) ({
    ^bb0(%arg12: i32, %arg13: i32):
      %141 = arith.ori %arg12, %arg13 : i32
      "tk.yield"(%141) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32x32xi32, #L5>) -> tensor<32xi32, #L2>
    %107 = "tk.reduce"(%106) ({
    ^bb0(%arg12: i32, %arg13: i32):
      %141 = arith.ori %arg12, %arg13 : i32
      "tk.yield"(%141) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> i32
    %108 = arith.cmpi eq, %107, %c0_i32_15 : i32
    %c0_i64_16 = arith.constant 0 : i64
    %109 = arith.select %108, %97, %c0_i64_16 : i64
    %110 = arith.muli %109, %69 : i64
    %111 = arith.addi %67, %110 : i64
    %112 = arith.trunci %111 : i64 to i32
    %113:3 = scf.for %arg12 = %c0_i32 to %112 step %c1_i32 iter_args(%arg13 = %cst, %arg14 = %43, %arg15 = %61) -> (tensor<32x32xf32, #L6>, tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32x!tk.ptr<f16>, #L4>)  : i32 {
      %141 = arith.muli %arg12, %c32_i32 : i32
      %142 = arith.subi %arg5, %141 : i32
      %143 = "tk.load"(%arg14) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L4>) -> tensor<32x32xf16, #L4>
      %144 = "tk.convert_layout"(%143) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L6>
      %145 = "tk.load"(%arg15) {assumes = "no_wrap", vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L4>) -> tensor<32x32xf16, #L4>
      %146 = "tk.convert_layout"(%145) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L7>
      %147 = "tk.dot"(%144, %146, %arg13) {instruction = "wmma.f32.16x16x16.f16.gfx12", precision = "tf32"} : (tensor<32x32xf16, #L6>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L6>) -> tensor<32x32xf32, #L6>
      %148 = "tk.addptr"(%arg14, %cst_1) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
      %149 = "tk.addptr"(%arg15, %66) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
      scf.yield %147, %148, %149 : tensor<32x32xf32, #L6>, tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32x!tk.ptr<f16>, #L4>
    } {tk.even, tk.near}
    %c32_i32_17 = arith.constant 32 : i32
    %114 = arith.extsi %c32_i32_17 : i32 to i64
    %115 = arith.muli %114, %109 : i64
    %116 = "tk.splat"(%115) : (i64) -> tensor<32x32xi64, #L4>
    %117 = "tk.addptr"(%43, %116) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %118 = arith.extsi %65 : i32 to i64
    %119 = arith.muli %118, %109 : i64
    %120 = "tk.splat"(%119) : (i64) -> tensor<32x32xi64, #L4>
    %121 = "tk.addptr"(%61, %120) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %122:3 = scf.for %arg12 = %112 to %64 step %c1_i32 iter_args(%arg13 = %113#0, %arg14 = %117, %arg15 = %121) -> (tensor<32x32xf32, #L6>, tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32x!tk.ptr<f16>, #L4>)  : i32 {
      %141 = arith.muli %arg12, %c32_i32 : i32
      %142 = arith.subi %arg5, %141 : i32
      %143 = "tk.splat"(%142) : (i32) -> tensor<1x32xi32, #L0>
      %144 = arith.cmpi slt, %37, %143 : tensor<1x32xi32, #L0>
      %145 = "tk.broadcast"(%144) : (tensor<1x32xi1, #L0>) -> tensor<32x32xi1, #L4>
      %146 = "tk.load"(%arg14, %145, %cst_0) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi1, #L4>, tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L4>
      %147 = "tk.convert_layout"(%146) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L6>
      %148 = "tk.splat"(%142) : (i32) -> tensor<32x1xi32, #L1>
      %149 = arith.cmpi slt, %45, %148 : tensor<32x1xi32, #L1>
      %150 = "tk.broadcast"(%149) : (tensor<32x1xi1, #L1>) -> tensor<32x32xi1, #L4>
      %151 = "tk.load"(%arg15, %150, %cst_0) {assumes = "no_wrap", vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi1, #L4>, tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L4>
      %152 = "tk.convert_layout"(%151) : (tensor<32x32xf16, #L4>) -> tensor<32x32xf16, #L7>
      %153 = "tk.dot"(%147, %152, %arg13) {instruction = "wmma.f32.16x16x16.f16.gfx12", precision = "tf32"} : (tensor<32x32xf16, #L6>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L6>) -> tensor<32x32xf32, #L6>
      %154 = "tk.addptr"(%arg14, %cst_1) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
      %155 = "tk.addptr"(%arg15, %66) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
      scf.yield %153, %154, %155 : tensor<32x32xf32, #L6>, tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32x!tk.ptr<f16>, #L4>
    } {tk.num_stages = 1 : i32}
    %123 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %124 = "tk.splat"(%arg10) : (i32) -> tensor<32x1xi32, #L1>
    %125 = arith.muli %123, %124 : tensor<32x1xi32, #L1>
    %126 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %127 = "tk.addptr"(%126, %125) : (tensor<32x1x!tk.ptr<f16>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f16>, #L1>
    %128 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %129 = "tk.broadcast"(%127) : (tensor<32x1x!tk.ptr<f16>, #L1>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %130 = "tk.broadcast"(%128) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L4>
    %131 = "tk.addptr"(%129, %130) : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f16>, #L4>
    %132 = arith.truncf %122#0 : tensor<32x32xf32, #L6> to tensor<32x32xf16, #L6>
    %133 = "tk.convert_layout"(%132) : (tensor<32x32xf16, #L6>) -> tensor<32x32xf16, #L4>
    %134 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L1>
    %135 = arith.cmpi slt, %123, %134 : tensor<32x1xi32, #L1>
    %136 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32, #L0>
    %137 = arith.cmpi slt, %128, %136 : tensor<1x32xi32, #L0>
    %138 = "tk.broadcast"(%135) : (tensor<32x1xi1, #L1>) -> tensor<32x32xi1, #L4>
    %139 = "tk.broadcast"(%137) : (tensor<1x32xi1, #L0>) -> tensor<32x32xi1, #L4>
    %140 = arith.andi %138, %139 : tensor<32x32xi1, #L4>
    "tk.store"(%131, %133, %140) {vector = 8 : i32} : (tensor<32x32x!tk.ptr<f16>, #L4>, tensor<32x32xf16, #L4>, tensor<32x32xi1, #L4>) -> ()
    return
  }
}

