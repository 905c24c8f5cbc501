// chip: gfx942
// show: tk.smem_alloc tk.smem_load tk.dot
// Two products read the tile, one of them transposed: the slot suits the reader that comes first in the program, in whatever order the
// tile's uses are known.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16, 0>, register = array<i32>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 4, 8, 16, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2, 4>, register = array<i32>, warp = array<i32: 8, 16>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 64, 128>, register = array<i32: 1, 2>, warp = array<i32: 256, 512>}
#L4 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2, 16>, warp = array<i32: 512, 0>}
#L5 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2>, warp = array<i32: 512, 16>}
#L6 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2, 16>, warp = array<i32: 0, 512>}
#L7 = {lane = array<i32: 1, 2, 4, 8, 128, 256>, register = array<i32: 32, 64, 512>, warp = array<i32: 0, 16>}
module {
  func.func @two_readers(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 32 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %3 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %cst = arith.constant dense<32> : tensor<32x1xi32, #L0>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32, #L2>
    %4 = arith.muli %3, %cst_0 : tensor<32x1xi32, #L2>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %6 = "tk.addptr"(%5, %4) : (tensor<32x1x!tk.ptr<f16>, #L2>, tensor<32x1xi32, #L2>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %7 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %8 = "tk.broadcast"(%6) : (tensor<32x1x!tk.ptr<f16>, #L2>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %9 = "tk.broadcast"(%7) : (tensor<1x32xi32, #L1>) -> tensor<32x32xi32, #L3>
    %10 = "tk.addptr"(%8, %9) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %11 = "tk.load"(%10) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>) -> tensor<32x32xf16, #L3>
    %12 = "tk.convert_layout"(%11) : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L4>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L5>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %13 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %c1024_i64 = arith.constant 1024 : i64
    %14 = "tk.splat"(%c1024_i64) : (i64) -> tensor<32x32xi64, #L3>
    %15 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L2>
    %16 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L0>
    %17 = arith.addi %15, %2 : tensor<32xi32, #L2>
    %18 = arith.addi %16, %0 : tensor<32xi32, #L0>
    %19 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %20 = "tk.expand_dims"(%18) {axis = 1 : i32} : (tensor<32xi32, #L0>) -> tensor<32x1xi32, #L0>
    %21 = arith.muli %19, %cst_0 : tensor<32x1xi32, #L2>
    %22 = arith.muli %20, %cst : tensor<32x1xi32, #L0>
    %23 = "tk.addptr"(%13, %21) : (tensor<32x1x!tk.ptr<f16>, #L2>, tensor<32x1xi32, #L2>) -> tensor<32x1x!tk.ptr<f16>, #L2>
    %24 = "tk.broadcast"(%23) : (tensor<32x1x!tk.ptr<f16>, #L2>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %25 = "tk.addptr"(%24, %9) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %26 = arith.extsi %c0_i32 : i32 to i64
    %27 = arith.extsi %arg3 : i32 to i64
    %28 = arith.extsi %c32_i32 : i32 to i64
    %29 = arith.subi %27, %26 : i64
    %c0_i64 = arith.constant 0 : i64
    %30 = arith.maxsi %29, %c0_i64 : i64
    %31 = arith.divsi %30, %28 : i64
    %c-2_i64 = arith.constant -2 : i64
    %32 = arith.andi %31, %c-2_i64 : i64
    %c1024_i64_2 = arith.constant 1024 : i64
    %c0_i64_3 = arith.constant 0 : i64
    %true = arith.constant true
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %33 = arith.addi %c0_i32_4, %c0_i32_5 : i32
    %c32_i32_6 = arith.constant 32 : i32
    %34 = arith.muli %33, %c32_i32_6 : i32
    %c2_i64 = arith.constant 2 : i64
    %35 = arith.muli %c1024_i64_2, %c2_i64 : i64
    %c1073741824_i64 = arith.constant 1073741824 : i64
    %36 = arith.cmpi ult, %35, %c1073741824_i64 : i64
    %37 = arith.andi %true, %36 : i1
    %c2147483552_i64 = arith.constant 2147483552 : i64
    %38 = arith.subi %c2147483552_i64, %35 : i64
    %c1_i64 = arith.constant 1 : i64
    %39 = arith.divsi %38, %c1_i64 : i64
    %40 = arith.extsi %22 : tensor<32x1xi32, #L0> to tensor<32x1xi64, #L0>
    %cst_7 = arith.constant dense<2> : tensor<32x1xi64, #L0>
    %41 = arith.muli %40, %cst_7 : tensor<32x1xi64, #L0>
    %42 = arith.addi %39, %39 : i64
    %43 = arith.extsi %34 : i32 to i64
    %c2_i64_8 = arith.constant 2 : i64
    %44 = arith.muli %43, %c2_i64_8 : i64
    %45 = arith.subi %39, %44 : i64
    %46 = "tk.splat"(%45) : (i64) -> tensor<32x1xi64, #L0>
    %47 = "tk.splat"(%42) : (i64) -> tensor<32x1xi64, #L0>
    %48 = arith.addi %41, %46 : tensor<32x1xi64, #L0>
    %49 = arith.cmpi ugt, %48, %47 : tensor<32x1xi64, #L0>
    %50 = arith.extui %49 : tensor<32x1xi1, #L0> to tensor<32x1xi32, #L0>
    %51 = "tk.reshape"(%50) {allow_reorder} : (tensor<32x1xi32, #L0>) -> tensor<32xi32, #L0>
    %c0_i32_9 = arith.constant 0 : i32
    %52 = "tk.reduce"(%51) ({
    ^bb0(%arg4: i32, %arg5: i32):
      %70 = arith.ori %arg4, %arg5 : i32
      "tk.yield"(%70) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> i32
    %53 = arith.cmpi eq, %52, %c0_i32_9 : i32
    %54 = arith.andi %37, %53 : i1
    %55 = arith.select %54, %32, %c0_i64_3 : i64
    %56 = arith.muli %55, %28 : i64
    %57 = arith.addi %26, %56 : i64
    %58 = arith.trunci %57 : i64 to i32
    %59:3 = scf.for %arg4 = %c0_i32 to %58 step %c32_i32 iter_args(%arg5 = %cst_1, %arg6 = %cst_1, %arg7 = %25) -> (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L5>, tensor<32x32x!tk.ptr<f16>, #L3>)  : i32 {
      %70 = "tk.load"(%arg7) {tk.role = "copy", tk.slots = 2 : i32, tk.stage = 0 : i32, vector = 4 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>) -> tensor<32x32xf16, #L3>
      %71 = "tk.convert_layout"(%70) {tk.stage = 1 : i32} : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L6>
      %72 = "tk.convert_layout"(%70) {tk.stage = 1 : i32} : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L7>
      %73 = "tk.dot"(%12, %72, %arg5) {instruction = "mfma.f32.16x16x16f16", precision = "ieee", tk.stage = 1 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L5>
      %74 = "tk.trans"(%71) {order = array<i32: 1, 0>, tk.stage = 1 : i32} : (tensor<32x32xf16, #L6>) -> tensor<32x32xf16, #L7>
      %75 = "tk.dot"(%12, %74, %arg6) {instruction = "mfma.f32.16x16x16f16", precision = "ieee", tk.stage = 1 : i32} : (tensor<32x32xf16, #L4>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L5>
      %76 = "tk.addptr"(%arg7, %14) {tk.stage = 0 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi64, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      scf.yield {tk.stage = 1 : i32} %73, %75, %76 : tensor<32x32xf32, #L5>, tensor<32x32xf32, #L5>, tensor<32x32x!tk.ptr<f16>, #L3>
    } {tk.copies = "registers", tk.even, tk.near, tk.pipeline = "2 stages, through registers", tk.two_steps, tk.unguarded}
    %c1024_i64_10 = arith.constant 1024 : i64
    %60 = arith.muli %c1024_i64_10, %55 : i64
    %61 = "tk.splat"(%60) : (i64) -> tensor<32x32xi64, #L3>
    %62 = "tk.addptr"(%25, %61) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi64, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
    %63:3 = scf.for %arg4 = %58 to %arg3 step %c32_i32 iter_args(%arg5 = %59#0, %arg6 = %59#1, %arg7 = %62) -> (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L5>, tensor<32x32x!tk.ptr<f16>, #L3>)  : i32 {
      %70 = "tk.load"(%arg7) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f16>, #L3>) -> tensor<32x32xf16, #L3>
      %71 = "tk.convert_layout"(%70) : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L6>
      %72 = "tk.convert_layout"(%70) : (tensor<32x32xf16, #L3>) -> tensor<32x32xf16, #L7>
      %73 = "tk.dot"(%12, %72, %arg5) {instruction = "mfma.f32.16x16x16f16", precision = "ieee"} : (tensor<32x32xf16, #L4>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L5>
      %74 = "tk.trans"(%71) {order = array<i32: 1, 0>} : (tensor<32x32xf16, #L6>) -> tensor<32x32xf16, #L7>
      %75 = "tk.dot"(%12, %74, %arg6) {instruction = "mfma.f32.16x16x16f16", precision = "ieee"} : (tensor<32x32xf16, #L4>, tensor<32x32xf16, #L7>, tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L5>
      %76 = "tk.addptr"(%arg7, %14) : (tensor<32x32x!tk.ptr<f16>, #L3>, tensor<32x32xi64, #L3>) -> tensor<32x32x!tk.ptr<f16>, #L3>
      scf.yield %73, %75, %76 : tensor<32x32xf32, #L5>, tensor<32x32xf32, #L5>, tensor<32x32x!tk.ptr<f16>, #L3>
    } {tk.num_stages = 1 : i32, tk.pipeline = "left alone: a single load for dots, or more than one dot, gains nothing by buffers of their own"}
    %64 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L2>
    %65 = "tk.addptr"(%64, %4) : (tensor<32x1x!tk.ptr<f32>, #L2>, tensor<32x1xi32, #L2>) -> tensor<32x1x!tk.ptr<f32>, #L2>
    %66 = "tk.broadcast"(%65) : (tensor<32x1x!tk.ptr<f32>, #L2>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %67 = "tk.addptr"(%66, %9) : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xi32, #L3>) -> tensor<32x32x!tk.ptr<f32>, #L3>
    %68 = arith.addf %63#0, %63#1 : tensor<32x32xf32, #L5>
    %69 = "tk.convert_layout"(%68) : (tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L3>
    "tk.store"(%67, %69) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L3>, tensor<32x32xf32, #L3>) -> ()
    return
  }
}

