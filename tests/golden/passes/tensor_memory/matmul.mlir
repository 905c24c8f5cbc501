// chip: sm_100a
// show: scf.* tk.tensor_* tk.mbarrier_* tk.warpgroup_dot tk.dot_wait tk.barrier tk.unwritten return
// The first product of a loop overwrites what is there; the next ones start before the last is done.
#L0 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32>, warp = array<i32: 2, 4, 8>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L6 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 2048, 8, 16, 32>, warp = array<i32: 4096, 8192, 64>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %c127_i32 = arith.constant 127 : i32
    %0 = arith.addi %arg4, %c127_i32 : i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.cmpi sgt, %1, %c0_i32 : i32
    %5 = arith.maxsi %1, %c1_i32 : i32
    %6 = arith.divui %3, %5 : i32
    %7 = arith.muli %6, %5 : i32
    %8 = arith.cmpi eq, %7, %3 : i32
    %9 = arith.andi %4, %8 : i1
    %10 = arith.divsi %2, %1 : i32
    %11 = arith.remsi %2, %1 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divui %10, %c8_i32 : i32
    %13 = arith.muli %12, %c8_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remui %10, %c8_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c8_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.maxsi %19, %c1_i32_0 : i32
    %21 = arith.muli %16, %5 : i32
    %22 = arith.addi %21, %11 : i32
    %23 = arith.remui %22, %20 : i32
    %24 = arith.addi %14, %23 : i32
    %25 = arith.divui %22, %20 : i32
    %26 = arith.muli %24, %1 : i32
    %27 = arith.addi %26, %25 : i32
    %28 = arith.divsi %2, %1 : i32
    %29 = arith.select %4, %24, %28 : i32
    %30 = arith.muli %29, %c128_i32 : i32
    %31 = arith.remsi %2, %1 : i32
    %32 = arith.select %4, %25, %31 : i32
    %33 = arith.muli %32, %c128_i32 : i32
    %34 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %35 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %36 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %37 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L0>
    %38 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L2>
    %39 = arith.addi %37, %34 : tensor<128xi32, #L0>
    %40 = arith.addi %38, %36 : tensor<128xi32, #L2>
    %41 = "tk.splat"(%arg3) : (i32) -> tensor<128xi32, #L2>
    %42 = arith.remsi %40, %41 : tensor<128xi32, #L2>
    %43 = "tk.splat"(%33) : (i32) -> tensor<128xi32, #L1>
    %44 = arith.addi %43, %35 : tensor<128xi32, #L1>
    %45 = "tk.splat"(%arg4) : (i32) -> tensor<128xi32, #L1>
    %46 = arith.remsi %44, %45 : tensor<128xi32, #L1>
    %47 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
    %48 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %49 = "tk.expand_dims"(%42) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %50 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L2>
    %51 = arith.muli %49, %50 : tensor<128x1xi32, #L2>
    %52 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %53 = "tk.addptr"(%52, %51) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %54 = "tk.expand_dims"(%48) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
    %55 = "tk.broadcast"(%53) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %56 = "tk.broadcast"(%54) : (tensor<1x64xi32, #L4>) -> tensor<128x64xi32, #L5>
    %57 = "tk.addptr"(%55, %56) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %58 = "tk.expand_dims"(%47) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
    %59 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32, #L3>
    %60 = arith.muli %58, %59 : tensor<64x1xi32, #L3>
    %61 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %62 = "tk.addptr"(%61, %60) : (tensor<64x1x!tk.ptr<f16>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<f16>, #L3>
    %63 = "tk.expand_dims"(%46) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %64 = "tk.broadcast"(%62) : (tensor<64x1x!tk.ptr<f16>, #L3>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %65 = "tk.broadcast"(%63) : (tensor<1x128xi32, #L1>) -> tensor<64x128xi32, #L5>
    %66 = "tk.addptr"(%64, %65) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L6>
    %c63_i32 = arith.constant 63 : i32
    %67 = arith.addi %arg5, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %68 = arith.divsi %67, %c64_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L5>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #L5>
    %cst_6 = arith.constant dense<64> : tensor<128x64xi32, #L5>
    %69 = arith.muli %c64_i32, %arg8 : i32
    %70 = "tk.splat"(%69) : (i32) -> tensor<64x128xi32, #L5>
    %71 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x64xf16, #L7>
    %72 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x128xf16, #L8>
    %c2_i32 = arith.constant 2 : i32
    %73 = arith.muli %c1_i32_3, %c2_i32 : i32
    %74 = arith.cmpi slt, %c0_i32_2, %68 : i32
    %75 = arith.muli %c0_i32_2, %c64_i32 : i32
    %76 = arith.subi %arg5, %75 : i32
    %77 = "tk.splat"(%76) : (i32) -> tensor<1x64xi32, #L4>
    %78 = arith.cmpi slt, %54, %77 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L4>
    %79 = "tk.broadcast"(%78) : (tensor<1x64xi1, #L4>) -> tensor<128x64xi1, #L5>
    %80 = "tk.splat"(%76) : (i32) -> tensor<64x1xi32, #L3>
    %81 = arith.cmpi slt, %58, %80 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
    %82 = "tk.broadcast"(%81) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L5>
    %83 = "tk.addptr"(%57, %cst_6) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %84 = "tk.addptr"(%66, %70) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %c0_i32_7 = arith.constant 0 : i32
    %85 = "tk.smem_slot"(%71, %c0_i32_7) : (tensor<128x64xf16, #L7>, i32) -> tensor<128x64xf16, #L7>
    %86 = "tk.splat"(%74) : (i1) -> tensor<128x64xi1, #L5>
    %87 = arith.andi %86, %79 : tensor<128x64xi1, #L5>
    "tk.async_copy"(%85, %57, %87) {vector = 8 : i32} : (tensor<128x64xf16, #L7>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>) -> ()
    %88 = "tk.smem_slot"(%72, %c0_i32_7) : (tensor<64x128xf16, #L8>, i32) -> tensor<64x128xf16, #L8>
    %89 = "tk.splat"(%74) : (i1) -> tensor<64x128xi1, #L5>
    %90 = arith.andi %89, %82 : tensor<64x128xi1, #L5>
    "tk.async_copy"(%88, %66, %90) {assumes = "arguments no_wrap", vector = 8 : i32} : (tensor<64x128xf16, #L8>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi1, #L5>) -> ()
    "tk.async_commit"() : () -> ()
    %91 = arith.addi %c0_i32_2, %c1_i32_3 : i32
    %c1_i32_8 = arith.constant 1 : i32
    %92 = arith.addi %c0_i32_2, %c1_i32_8 : i32
    %93 = arith.cmpi slt, %92, %68 : i32
    %94 = arith.muli %91, %c64_i32 : i32
    %95 = arith.subi %arg5, %94 : i32
    %96 = "tk.splat"(%95) : (i32) -> tensor<1x64xi32, #L4>
    %97 = arith.cmpi slt, %54, %96 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L4>
    %98 = "tk.broadcast"(%97) : (tensor<1x64xi1, #L4>) -> tensor<128x64xi1, #L5>
    %99 = "tk.splat"(%95) : (i32) -> tensor<64x1xi32, #L3>
    %100 = arith.cmpi slt, %58, %99 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
    %101 = "tk.broadcast"(%100) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L5>
    %102 = "tk.addptr"(%83, %cst_6) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
    %103 = "tk.addptr"(%84, %70) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
    %c1_i32_9 = arith.constant 1 : i32
    %104 = "tk.smem_slot"(%71, %c1_i32_9) : (tensor<128x64xf16, #L7>, i32) -> tensor<128x64xf16, #L7>
    %105 = "tk.splat"(%93) : (i1) -> tensor<128x64xi1, #L5>
    %106 = arith.andi %105, %98 : tensor<128x64xi1, #L5>
    "tk.async_copy"(%104, %83, %106) {vector = 8 : i32} : (tensor<128x64xf16, #L7>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>) -> ()
    %107 = "tk.smem_slot"(%72, %c1_i32_9) : (tensor<64x128xf16, #L8>, i32) -> tensor<64x128xf16, #L8>
    %108 = "tk.splat"(%93) : (i1) -> tensor<64x128xi1, #L5>
    %109 = arith.andi %108, %101 : tensor<64x128xi1, #L5>
    "tk.async_copy"(%107, %84, %109) {assumes = "arguments no_wrap", vector = 8 : i32} : (tensor<64x128xf16, #L8>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi1, #L5>) -> ()
    "tk.async_commit"() : () -> ()
    %110 = arith.addi %91, %c1_i32_3 : i32
    %c2_i32_10 = arith.constant 2 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %111 = arith.cmpi slt, %c0_i32_2, %68 : i32
    %112:7 = scf.if %111 -> (tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, i32, i32) {
      %131 = "tk.unwritten"() : () -> tensor<128x128xf32, #L6>
      %132:7 = scf.for %arg12 = %c0_i32_2 to %68 step %c1_i32_3 iter_args(%arg13 = %131, %arg14 = %57, %arg15 = %66, %arg16 = %102, %arg17 = %103, %arg18 = %c2_i32_10, %arg19 = %c0_i32_11) -> (tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, i32, i32)  : i32 {
        "tk.async_wait"() {pending = 1 : i32, proxy} : () -> ()
        "tk.barrier"() : () -> ()
        %134 = arith.muli %arg12, %c64_i32 : i32
        %135 = arith.subi %arg5, %134 : i32
        %136 = "tk.splat"(%135) : (i32) -> tensor<1x64xi32, #L4>
        %137 = arith.cmpi slt, %54, %136 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L4>
        %138 = "tk.broadcast"(%137) : (tensor<1x64xi1, #L4>) -> tensor<128x64xi1, #L5>
        %139 = "tk.smem_slot"(%71, %arg19) : (tensor<128x64xf16, #L7>, i32) -> tensor<128x64xf16, #L7>
        %140 = "tk.splat"(%135) : (i32) -> tensor<64x1xi32, #L3>
        %141 = arith.cmpi slt, %58, %140 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
        %142 = "tk.broadcast"(%141) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L5>
        %143 = "tk.smem_slot"(%72, %arg19) : (tensor<64x128xf16, #L8>, i32) -> tensor<64x128xf16, #L8>
        %144 = arith.cmpi ne, %arg12, %c0_i32_2 : i32
        %145 = "tk.warpgroup_dot"(%139, %143, %arg13, %144) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L7>, tensor<64x128xf16, #L8>, tensor<128x128xf32, #L6>, i1) -> tensor<128x128xf32, #L6>
        %146 = "tk.dot_wait"(%145) {pending = 1 : i32} : (tensor<128x128xf32, #L6>) -> tensor<128x128xf32, #L6>
        "tk.barrier"() : () -> ()
        %147 = arith.addi %arg12, %73 : i32
        %c2_i32_12 = arith.constant 2 : i32
        %148 = arith.subi %68, %arg12 : i32
        %149 = arith.cmpi ugt, %148, %c2_i32_12 : i32
        %150 = arith.muli %147, %c64_i32 : i32
        %151 = arith.subi %arg5, %150 : i32
        %152 = "tk.splat"(%151) : (i32) -> tensor<1x64xi32, #L4>
        %153 = arith.cmpi slt, %54, %152 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L4>
        %154 = "tk.broadcast"(%153) : (tensor<1x64xi1, #L4>) -> tensor<128x64xi1, #L5>
        %155 = "tk.splat"(%151) : (i32) -> tensor<64x1xi32, #L3>
        %156 = arith.cmpi slt, %58, %155 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L3>
        %157 = "tk.broadcast"(%156) : (tensor<64x1xi1, #L3>) -> tensor<64x128xi1, #L5>
        %158 = "tk.addptr"(%arg16, %cst_6) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
        %159 = "tk.addptr"(%arg17, %70) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
        %160 = "tk.smem_slot"(%71, %arg18) : (tensor<128x64xf16, #L7>, i32) -> tensor<128x64xf16, #L7>
        %161 = "tk.splat"(%149) : (i1) -> tensor<128x64xi1, #L5>
        %162 = arith.andi %161, %154 : tensor<128x64xi1, #L5>
        "tk.async_copy"(%160, %arg16, %162) {vector = 8 : i32} : (tensor<128x64xf16, #L7>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi1, #L5>) -> ()
        %163 = "tk.smem_slot"(%72, %arg18) : (tensor<64x128xf16, #L8>, i32) -> tensor<64x128xf16, #L8>
        %164 = "tk.splat"(%149) : (i1) -> tensor<64x128xi1, #L5>
        %165 = arith.andi %164, %157 : tensor<64x128xi1, #L5>
        "tk.async_copy"(%163, %arg17, %165) {assumes = "arguments no_wrap", vector = 8 : i32} : (tensor<64x128xf16, #L8>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi1, #L5>) -> ()
        "tk.async_commit"() : () -> ()
        %166 = "tk.addptr"(%arg14, %cst_6) : (tensor<128x64x!tk.ptr<f16>, #L5>, tensor<128x64xi32, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L5>
        %167 = "tk.addptr"(%arg15, %70) : (tensor<64x128x!tk.ptr<f16>, #L5>, tensor<64x128xi32, #L5>) -> tensor<64x128x!tk.ptr<f16>, #L5>
        %c1_i32_13 = arith.constant 1 : i32
        %168 = arith.addi %arg18, %c1_i32_13 : i32
        %c3_i32 = arith.constant 3 : i32
        %169 = arith.cmpi slt, %168, %c3_i32 : i32
        %c0_i32_14 = arith.constant 0 : i32
        %170 = arith.select %169, %168, %c0_i32_14 : i32
        %c1_i32_15 = arith.constant 1 : i32
        %171 = arith.addi %arg19, %c1_i32_15 : i32
        %c3_i32_16 = arith.constant 3 : i32
        %172 = arith.cmpi slt, %171, %c3_i32_16 : i32
        %c0_i32_17 = arith.constant 0 : i32
        %173 = arith.select %172, %171, %c0_i32_17 : i32
        scf.yield %146, %166, %167, %158, %159, %170, %173 : tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, i32, i32
      } {tk.pipeline = "3 stages"}
      %133 = "tk.dot_wait"(%132#0) {pending = 0 : i32} : (tensor<128x128xf32, #L6>) -> tensor<128x128xf32, #L6>
      scf.yield %133, %132#1, %132#2, %132#3, %132#4, %132#5, %132#6 : tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, i32, i32
    } else {
      %cst_12 = arith.constant 0.000000e+00 : f32
      %131 = "tk.opaque"(%cst_12) : (f32) -> f32
      %132 = "tk.splat"(%131) : (f32) -> tensor<128x128xf32, #L6>
      scf.yield %132, %57, %66, %102, %103, %c2_i32_10, %c0_i32_11 : tensor<128x128xf32, #L6>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, tensor<128x64x!tk.ptr<f16>, #L5>, tensor<64x128x!tk.ptr<f16>, #L5>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %113 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %114 = "tk.splat"(%arg10) : (i32) -> tensor<128x1xi32, #L0>
    %115 = arith.muli %113, %114 : tensor<128x1xi32, #L0>
    %116 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %117 = "tk.addptr"(%116, %115) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %118 = "tk.expand_dims"(%44) {axis = 0 : i32} : (tensor<128xi32, #L1>) -> tensor<1x128xi32, #L1>
    %119 = "tk.broadcast"(%117) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %120 = "tk.broadcast"(%118) : (tensor<1x128xi32, #L1>) -> tensor<128x128xi32, #L9>
    %121 = "tk.addptr"(%119, %120) : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xi32, #L9>) -> tensor<128x128x!tk.ptr<f16>, #L9>
    %122 = arith.truncf %112#0 : tensor<128x128xf32, #L6> to tensor<128x128xf16, #L6>
    %123 = "tk.convert_layout"(%122) : (tensor<128x128xf16, #L6>) -> tensor<128x128xf16, #L9>
    %124 = "tk.splat"(%arg3) : (i32) -> tensor<128x1xi32, #L0>
    %125 = arith.cmpi slt, %113, %124 : tensor<128x1xi32, #L0>
    %126 = "tk.splat"(%arg4) : (i32) -> tensor<1x128xi32, #L1>
    %127 = arith.cmpi slt, %118, %126 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L1>
    %128 = "tk.broadcast"(%125) : (tensor<128x1xi1, #L0>) -> tensor<128x128xi1, #L9>
    %129 = "tk.broadcast"(%127) : (tensor<1x128xi1, #L1>) -> tensor<128x128xi1, #L9>
    %130 = arith.andi %128, %129 : tensor<128x128xi1, #L9>
    "tk.store"(%121, %123, %130) {vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L9>, tensor<128x128xf16, #L9>, tensor<128x128xi1, #L9>) -> ()
    return
  }
}

