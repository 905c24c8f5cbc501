// chip: sm_80
// show: scf.* tk.warp_any tk.dot math.*
// A product by mma.sync narrower than its weights: the differences alone are in the branch. Its parts go between the exponentials behind it.
#L0 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L1 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L3 = {lane = array<i32: 2, 4, 32, 64, 128>, register = array<i32: 1, 256, 8, 16>, warp = array<i32: 512, 1024>}
#L4 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L5 = {lane = array<i32: 512, 1024, 1, 2, 4>, register = array<i32: 64, 128, 256, 32>, warp = array<i32: 8, 16>}
#L6 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L7 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
#L8 = {shared = array<i32: 64, 128, 256, 512, 1024, 1, 514, 1028, 8, 16, 32>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024>}
#L10 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 512, 8, 16, 32, 1024>, warp = array<i32: 0, 0>}
#L11 = {lane = array<i32: 64, 128, 1, 2, 4>, register = array<i32: 32, 256, 8, 16, 512, 1024>, warp = array<i32: 0, 0>}
module {
  func.func @weights(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: f32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %3 = "tk.splat"(%1) : (i32) -> tensor<64xi32, #L0>
    %4 = arith.addi %3, %2 : tensor<64xi32, #L0>
    %5 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %6 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %cst = arith.constant dense<32> : tensor<64x1xi32, #L0>
    %7 = arith.muli %6, %cst : tensor<64x1xi32, #L0>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %9 = "tk.addptr"(%8, %7) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %10 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<32xi32, #L1>) -> tensor<1x32xi32, #L1>
    %11 = "tk.broadcast"(%9) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %12 = "tk.broadcast"(%10) : (tensor<1x32xi32, #L1>) -> tensor<64x32xi32, #L2>
    %13 = "tk.addptr"(%11, %12) : (tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi32, #L2>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %14 = "tk.load"(%13) {vector = 8 : i32} : (tensor<64x32x!tk.ptr<f16>, #L2>) -> tensor<64x32xf16, #L2>
    %15 = "tk.convert_layout"(%14) : (tensor<64x32xf16, #L2>) -> tensor<64x32xf16, #L3>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32, #L4>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #L3>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<1x64xi32, #L0>
    %16 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L0>
    %17 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %18 = "tk.broadcast"(%17) : (tensor<32x1xi32, #L1>) -> tensor<32x64xi32, #L5>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L6>
    %19 = "tk.splat"(%arg5) : (f32) -> tensor<64xf32, #L4>
    %20 = "tk.splat"(%arg5) : (f32) -> tensor<64x64xf32, #L6>
    %21 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L7>
    %22 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<32x64xf16, #L8>
    %23 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x32xf16, #L9>
    %c1_i32 = arith.constant 1 : i32
    %24 = arith.muli %c64_i32, %c1_i32 : i32
    %25 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %26 = "tk.splat"(%c0_i32) : (i32) -> tensor<64xi32, #L0>
    %27 = arith.addi %26, %2 : tensor<64xi32, #L0>
    %28 = "tk.expand_dims"(%27) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
    %29 = arith.muli %28, %cst_2 : tensor<1x64xi32, #L0>
    %30 = "tk.addptr"(%16, %29) : (tensor<1x64x!tk.ptr<f16>, #L0>, tensor<1x64xi32, #L0>) -> tensor<1x64x!tk.ptr<f16>, #L0>
    %31 = "tk.broadcast"(%30) : (tensor<1x64x!tk.ptr<f16>, #L0>) -> tensor<32x64x!tk.ptr<f16>, #L5>
    %32 = "tk.addptr"(%31, %18) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
    %33 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %34 = arith.muli %33, %cst : tensor<64x1xi32, #L0>
    %35 = "tk.addptr"(%21, %34) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %36 = "tk.broadcast"(%35) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %37 = "tk.addptr"(%36, %12) : (tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi32, #L2>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %38 = "tk.smem_slot"(%22, %c0_i32) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
    %39 = "tk.splat"(%25) : (i1) -> tensor<32x64xi1, #L5>
    "tk.async_copy"(%38, %32, %39) {vector = 8 : i32} : (tensor<32x64xf16, #L8>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi1, #L5>) -> ()
    %40 = "tk.smem_slot"(%23, %c0_i32) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
    %41 = "tk.splat"(%25) : (i1) -> tensor<64x32xi1, #L2>
    "tk.async_copy"(%40, %37, %41) {vector = 8 : i32} : (tensor<64x32xf16, #L9>, tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi1, #L2>) -> ()
    "tk.async_commit"() : () -> ()
    %c2_i32 = arith.constant 2 : i32
    %42:5 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst_4, %arg8 = %cst_1, %arg9 = %cst_0, %arg10 = %c1_i32, %arg11 = %c0_i32) -> (tensor<64x4xf32, #L7>, tensor<64x32xf32, #L3>, tensor<64xf32, #L4>, i32, i32)  : i32 {
      "tk.async_wait"() {pending = 0 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %53 = arith.addi %arg6, %24 : i32
      %54 = arith.subi %arg4, %arg6 : i32
      %55 = arith.cmpi ugt, %54, %c64_i32 : i32
      %56 = "tk.splat"(%53) : (i32) -> tensor<64xi32, #L0>
      %57 = arith.addi %56, %2 : tensor<64xi32, #L0>
      %58 = "tk.expand_dims"(%57) {axis = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<1x64xi32, #L0>
      %59 = arith.muli %58, %cst_2 : tensor<1x64xi32, #L0>
      %60 = "tk.addptr"(%16, %59) : (tensor<1x64x!tk.ptr<f16>, #L0>, tensor<1x64xi32, #L0>) -> tensor<1x64x!tk.ptr<f16>, #L0>
      %61 = "tk.broadcast"(%60) : (tensor<1x64x!tk.ptr<f16>, #L0>) -> tensor<32x64x!tk.ptr<f16>, #L5>
      %62 = "tk.addptr"(%61, %18) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
      %63 = "tk.expand_dims"(%57) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
      %64 = arith.muli %63, %cst : tensor<64x1xi32, #L0>
      %65 = "tk.addptr"(%21, %64) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
      %66 = "tk.broadcast"(%65) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x32x!tk.ptr<f16>, #L2>
      %67 = "tk.addptr"(%66, %12) : (tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi32, #L2>) -> tensor<64x32x!tk.ptr<f16>, #L2>
      %68 = "tk.smem_slot"(%22, %arg10) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
      %69 = "tk.splat"(%55) : (i1) -> tensor<32x64xi1, #L5>
      "tk.async_copy"(%68, %62, %69) {vector = 8 : i32} : (tensor<32x64xf16, #L8>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi1, #L5>) -> ()
      %70 = "tk.smem_slot"(%23, %arg10) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
      %71 = "tk.splat"(%55) : (i1) -> tensor<64x32xi1, #L2>
      "tk.async_copy"(%70, %67, %71) {vector = 8 : i32} : (tensor<64x32xf16, #L9>, tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi1, #L2>) -> ()
      "tk.async_commit"() : () -> ()
      %72 = "tk.smem_slot"(%22, %arg11) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
      %73 = "tk.smem_load"(%72) : (tensor<32x64xf16, #L8>) -> tensor<32x64xf16, #L10>
      %74 = "tk.dot"(%15, %73, %cst_3) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x32xf16, #L3>, tensor<32x64xf16, #L10>, tensor<64x64xf32, #L6>) -> tensor<64x64xf32, #L6>
      %75 = "tk.reduce"(%74) ({
      ^bb0(%arg12: f32, %arg13: f32):
        %101 = arith.maxnumf %arg12, %arg13 : f32
        "tk.yield"(%101) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L6>) -> tensor<64xf32, #L4>
      %76 = arith.mulf %75, %19 : tensor<64xf32, #L4>
      %77 = arith.maxnumf %arg9, %76 : tensor<64xf32, #L4>
      %78 = arith.mulf %74, %20 : tensor<64x64xf32, #L6>
      %79 = "tk.expand_dims"(%77) {axis = 1 : i32} : (tensor<64xf32, #L4>) -> tensor<64x1xf32, #L4>
      %80 = "tk.broadcast"(%79) : (tensor<64x1xf32, #L4>) -> tensor<64x64xf32, #L6>
      %81 = arith.subf %78, %80 : tensor<64x64xf32, #L6>
      %82 = math.exp2 %81 : tensor<64x64xf32, #L6>
      %83 = arith.subf %arg9, %77 : tensor<64xf32, #L4>
      %84 = math.exp2 %83 : tensor<64xf32, #L4>
      %85 = "tk.partial_reduce"(%82) ({
      ^bb0(%arg12: f32, %arg13: f32):
        %101 = arith.addf %arg12, %arg13 : f32
        "tk.yield"(%101) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<64x64xf32, #L6>) -> tensor<64x4xf32, #L7>
      %86 = "tk.expand_dims"(%84) {axis = 1 : i32} : (tensor<64xf32, #L4>) -> tensor<64x1xf32, #L4>
      %87 = "tk.broadcast"(%86) : (tensor<64x1xf32, #L4>) -> tensor<64x4xf32, #L7>
      %88 = math.fma %arg7, %87, %85 : tensor<64x4xf32, #L7>
      %89 = arith.truncf %82 : tensor<64x64xf32, #L6> to tensor<64x64xf16, #L6>
      %90 = "tk.smem_slot"(%23, %arg11) : (tensor<64x32xf16, #L9>, i32) -> tensor<64x32xf16, #L9>
      %91 = "tk.broadcast"(%86) : (tensor<64x1xf32, #L4>) -> tensor<64x32xf32, #L3>
      %92 = arith.mulf %arg8, %91 : tensor<64x32xf32, #L3>
      %93 = "tk.smem_load"(%90) : (tensor<64x32xf16, #L9>) -> tensor<64x32xf16, #L11>
      %94 = "tk.dot"(%89, %93, %92) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<64x64xf16, #L6>, tensor<64x32xf16, #L11>, tensor<64x32xf32, #L3>) -> tensor<64x32xf32, #L3>
      %95 = arith.addi %arg10, %c1_i32 : i32
      %96 = arith.cmpi slt, %95, %c2_i32 : i32
      %97 = arith.select %96, %95, %c0_i32 : i32
      %98 = arith.addi %arg11, %c1_i32 : i32
      %99 = arith.cmpi slt, %98, %c2_i32 : i32
      %100 = arith.select %99, %98, %c0_i32 : i32
      scf.yield %88, %94, %77, %97, %100 : tensor<64x4xf32, #L7>, tensor<64x32xf32, #L3>, tensor<64xf32, #L4>, i32, i32
    } {tk.pipeline = "2 stages"}
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %43 = "tk.reduce"(%42#0) ({
    ^bb0(%arg6: f32, %arg7: f32):
      %53 = arith.addf %arg6, %arg7 : f32
      "tk.yield"(%53) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<64x4xf32, #L7>) -> tensor<64xf32, #L4>
    %44 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %45 = "tk.addptr"(%44, %7) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %46 = "tk.broadcast"(%45) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %47 = "tk.addptr"(%46, %12) : (tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xi32, #L2>) -> tensor<64x32x!tk.ptr<f16>, #L2>
    %48 = "tk.expand_dims"(%43) {axis = 1 : i32} : (tensor<64xf32, #L4>) -> tensor<64x1xf32, #L4>
    %49 = "tk.broadcast"(%48) : (tensor<64x1xf32, #L4>) -> tensor<64x32xf32, #L3>
    %50 = arith.divf %42#1, %49 : tensor<64x32xf32, #L3>
    %51 = arith.truncf %50 : tensor<64x32xf32, #L3> to tensor<64x32xf16, #L3>
    %52 = "tk.convert_layout"(%51) : (tensor<64x32xf16, #L3>) -> tensor<64x32xf16, #L2>
    "tk.store"(%47, %52) {vector = 8 : i32} : (tensor<64x32x!tk.ptr<f16>, #L2>, tensor<64x32xf16, #L2>) -> ()
    return
  }
}

