// chip: sm_90a
// show: scf.for tk.warpgroup_dot tk.dot* tk.smem_load tk.opaque
// Two products, the second of which begins at a negated vector: it is computed ahead of both, and of the late product.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L5 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L6 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L7 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L8 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
#L11 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L12 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
#L13 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @dot_vectors(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg6: i32, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 6, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64>, element = f32, offsets = array<i64>, pointer = 4 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1>, strides = array<i64>, swizzle = 0 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg10: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg11: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64>, element = f32, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1>, strides = array<i64>, swizzle = 0 : i32}}, %arg12: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 5 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg13: i32 {tk.hidden = "grid_x"}, %arg14: i32 {tk.hidden = "grid_y"}, %arg15: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32, tk.slim_producer} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64xf32, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<16384xi8, #L2>
    %3 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L0>
    %4 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L0>
    %5 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64xf32, #L1>
    %6 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %7 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 2 : i32} : () -> i32
    %8 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %9 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %10 = arith.muli %arg13, %arg14 : i32
      %11 = arith.muli %10, %arg15 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %14:4 = scf.for %arg16 = %12 to %11 step %13 iter_args(%arg17 = %c0_i32, %arg18 = %c0_i32, %arg19 = %c0_i32, %arg20 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %15 = arith.divui %arg16, %arg13 : i32
        %16 = arith.remui %arg16, %arg13 : i32
        %17 = arith.remui %15, %arg14 : i32
        %18 = arith.divui %15, %arg14 : i32
        %c1_i32 = arith.constant 1 : i32
        %19 = arith.xori %arg20, %c1_i32 : i32
        %c8_i32 = arith.constant 8 : i32
        %20 = arith.muli %arg19, %c8_i32 : i32
        %21 = arith.addi %7, %20 : i32
        "tk.mbarrier_wait"(%21, %19) : (i32, i32) -> ()
        %c8_i32_0 = arith.constant 8 : i32
        %22 = arith.muli %arg19, %c8_i32_0 : i32
        %23 = arith.addi %6, %22 : i32
        "tk.mbarrier_expect"(%23) {bytes = 16640 : i32} : (i32) -> ()
        %24 = "tk.smem_slot"(%3, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
        %c0_i64 = arith.constant 0 : i64
        %25 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_1 = arith.constant 0 : i64
        %c64_i64 = arith.constant 64 : i64
        %26 = arith.extsi %16 : i32 to i64
        %27 = arith.muli %c64_i64, %26 : i64
        %28 = arith.addi %c0_i64_1, %27 : i64
        %29 = arith.trunci %28 : i64 to i32
        "tk.bulk_load"(%24, %arg9, %23, %25, %29) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
        %30 = "tk.smem_slot"(%4, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
        %c0_i64_2 = arith.constant 0 : i64
        %31 = arith.trunci %c0_i64_2 : i64 to i32
        %c0_i64_3 = arith.constant 0 : i64
        %c64_i64_4 = arith.constant 64 : i64
        %32 = arith.extsi %16 : i32 to i64
        %33 = arith.muli %c64_i64_4, %32 : i64
        %34 = arith.addi %c0_i64_3, %33 : i64
        %35 = arith.trunci %34 : i64 to i32
        "tk.bulk_load"(%30, %arg10, %23, %31, %35) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
        %36 = "tk.smem_slot"(%5, %arg19) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
        %c0_i64_5 = arith.constant 0 : i64
        %c64_i64_6 = arith.constant 64 : i64
        %37 = arith.extsi %16 : i32 to i64
        %38 = arith.muli %c64_i64_6, %37 : i64
        %39 = arith.addi %c0_i64_5, %38 : i64
        %40 = arith.trunci %39 : i64 to i32
        "tk.bulk_load"(%36, %arg11, %23, %40) {inner = 64 : i32} : (tensor<64xf32, #L1>, !tk.tensor_map, i32, i32) -> ()
        %c0_i32_7 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %41:2 = scf.for %arg21 = %c0_i32_7 to %arg6 step %c64_i32 iter_args(%arg22 = %arg17, %arg23 = %arg18) -> (i32, i32)  : i32 {
          %c1_i32_11 = arith.constant 1 : i32
          %46 = arith.xori %arg23, %c1_i32_11 : i32
          %c8_i32_12 = arith.constant 8 : i32
          %47 = arith.muli %arg22, %c8_i32_12 : i32
          %48 = arith.addi %9, %47 : i32
          "tk.mbarrier_wait"(%48, %46) : (i32, i32) -> ()
          %c8_i32_13 = arith.constant 8 : i32
          %49 = arith.muli %arg22, %c8_i32_13 : i32
          %50 = arith.addi %8, %49 : i32
          "tk.mbarrier_expect"(%50) {bytes = 8448 : i32} : (i32) -> ()
          %51 = "tk.smem_slot"(%0, %arg22) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c0_i64_14 = arith.constant 0 : i64
          %52 = arith.trunci %c0_i64_14 : i64 to i32
          %c0_i64_15 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %53 = arith.extsi %arg21 : i32 to i64
          %54 = arith.muli %c1_i64, %53 : i64
          %55 = arith.addi %c0_i64_15, %54 : i64
          %56 = arith.trunci %55 : i64 to i32
          "tk.bulk_load"(%51, %arg7, %50, %52, %56) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %57 = "tk.smem_slot"(%1, %arg22) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
          %c0_i64_16 = arith.constant 0 : i64
          %c1_i64_17 = arith.constant 1 : i64
          %58 = arith.extsi %arg21 : i32 to i64
          %59 = arith.muli %c1_i64_17, %58 : i64
          %60 = arith.addi %c0_i64_16, %59 : i64
          %61 = arith.trunci %60 : i64 to i32
          "tk.bulk_load"(%57, %arg8, %50, %61) {inner = 64 : i32} : (tensor<64xf32, #L1>, !tk.tensor_map, i32, i32) -> ()
          %c1_i32_18 = arith.constant 1 : i32
          %62 = arith.addi %arg22, %c1_i32_18 : i32
          %c3_i32 = arith.constant 3 : i32
          %63 = arith.cmpi eq, %62, %c3_i32 : i32
          %c1_i32_19 = arith.constant 1 : i32
          %64 = arith.xori %arg23, %c1_i32_19 : i32
          %c0_i32_20 = arith.constant 0 : i32
          %65 = arith.select %63, %c0_i32_20, %62 : i32
          %66 = arith.select %63, %64, %arg23 : i32
          %c1_i32_21 = arith.constant 1 : i32
          scf.yield %65, %66 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        %c1_i32_8 = arith.constant 1 : i32
        %42 = arith.xori %arg20, %c1_i32_8 : i32
        %c0_i32_9 = arith.constant 0 : i32
        %43 = arith.cmpi ne, %arg19, %c0_i32_9 : i32
        %c1_i32_10 = arith.constant 1 : i32
        %44 = arith.xori %arg19, %c1_i32_10 : i32
        %45 = arith.select %43, %42, %arg20 : i32
        scf.yield %41#0, %41#1, %44, %45 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %10 = arith.muli %arg13, %arg14 : i32
      %11 = arith.muli %10, %arg15 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %14:4 = scf.for %arg16 = %12 to %11 step %13 iter_args(%arg17 = %c0_i32, %arg18 = %c0_i32, %arg19 = %c0_i32, %arg20 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %15 = arith.divui %arg16, %arg13 : i32
        %16 = arith.remui %arg16, %arg13 : i32
        %17 = arith.remui %15, %arg14 : i32
        %18 = arith.divui %15, %arg14 : i32
        %c64_i32 = arith.constant 64 : i32
        %19 = arith.muli %16, %c64_i32 : i32
        %20 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
        %21 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %22 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
        %23 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L6>
        %24 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L7>
        %25 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L8>
        %26 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L4>
        %27 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L5>
        %28 = "tk.splat"(%19) : (i32) -> tensor<64xi32, #L8>
        %29 = arith.addi %26, %21 : tensor<64xi32, #L4>
        %30 = arith.addi %27, %22 : tensor<64xi32, #L5>
        %31 = arith.addi %28, %25 : tensor<64xi32, #L8>
        %32 = "tk.expand_dims"(%29) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
        %33 = "tk.expand_dims"(%31) {axis = 1 : i32} : (tensor<64xi32, #L8>) -> tensor<64x1xi32, #L8>
        %cst = arith.constant dense<64> : tensor<64x1xi32, #L4>
        %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #L8>
        %34 = arith.muli %32, %cst : tensor<64x1xi32, #L4>
        %35 = arith.muli %33, %cst_0 : tensor<64x1xi32, #L8>
        %36 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L8>
        %37 = "tk.addptr"(%36, %35) : (tensor<64x1x!tk.ptr<f16>, #L8>, tensor<64x1xi32, #L8>) -> tensor<64x1x!tk.ptr<f16>, #L8>
        %38 = "tk.expand_dims"(%20) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %39 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<64xi32, #L7>) -> tensor<1x64xi32, #L7>
        %40 = "tk.broadcast"(%37) : (tensor<64x1x!tk.ptr<f16>, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %41 = "tk.broadcast"(%38) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L10>
        %42 = "tk.broadcast"(%39) : (tensor<1x64xi32, #L7>) -> tensor<64x64xi32, #L9>
        %43 = "tk.addptr"(%40, %42) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %44 = "tk.smem_slot"(%4, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
        %45 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L8>
        %46 = "tk.addptr"(%45, %35) : (tensor<64x1x!tk.ptr<f16>, #L8>, tensor<64x1xi32, #L8>) -> tensor<64x1x!tk.ptr<f16>, #L8>
        %47 = "tk.broadcast"(%46) : (tensor<64x1x!tk.ptr<f16>, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %48 = "tk.addptr"(%47, %42) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
        %49 = "tk.smem_slot"(%3, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
        %50 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L5>
        %51 = "tk.addptr"(%50, %30) : (tensor<64x!tk.ptr<f32>, #L5>, tensor<64xi32, #L5>) -> tensor<64x!tk.ptr<f32>, #L5>
        %52 = "tk.smem_slot"(%5, %arg19) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
        %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L11>
        %c0_i32_2 = arith.constant 0 : i32
        %53 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L8>
        %54 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L8>
        %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L9>
        %55 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L6>
        %c8_i32 = arith.constant 8 : i32
        %56 = arith.muli %arg19, %c8_i32 : i32
        %57 = arith.addi %6, %56 : i32
        "tk.mbarrier_wait"(%57, %arg20) : (i32, i32) -> ()
        %58 = "tk.smem_load"(%52) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L5>
        %59 = "tk.expand_dims"(%58) {axis = 1 : i32} : (tensor<64xf32, #L5>) -> tensor<64x1xf32, #L5>
        %60 = "tk.broadcast"(%59) : (tensor<64x1xf32, #L5>) -> tensor<64x64xf32, #L11>
        %61 = arith.cmpi slt, %c0_i32_2, %arg6 : i32
        %62:3 = scf.if %61 -> (tensor<64x64xf32, #L11>, i32, i32) {
          %c8_i32_8 = arith.constant 8 : i32
          %79 = arith.muli %arg17, %c8_i32_8 : i32
          %80 = arith.addi %8, %79 : i32
          "tk.mbarrier_wait"(%80, %arg18) : (i32, i32) -> ()
          %81 = "tk.smem_slot"(%0, %arg17) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %82 = "tk.smem_slot"(%1, %arg17) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
          %83 = "tk.smem_load"(%82) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L12>
          %c1_i32_9 = arith.constant 1 : i32
          %84 = arith.addi %arg17, %c1_i32_9 : i32
          %c3_i32 = arith.constant 3 : i32
          %85 = arith.cmpi eq, %84, %c3_i32 : i32
          %c1_i32_10 = arith.constant 1 : i32
          %86 = arith.xori %arg18, %c1_i32_10 : i32
          %c0_i32_11 = arith.constant 0 : i32
          %87 = arith.select %85, %c0_i32_11, %84 : i32
          %88 = arith.select %85, %86, %arg18 : i32
          %89 = "tk.splat"(%c0_i32_2) : (i32) -> tensor<64xi32, #L6>
          %90 = "tk.splat"(%c0_i32_2) : (i32) -> tensor<64xi32, #L8>
          %91 = arith.addi %89, %23 : tensor<64xi32, #L6>
          %92 = arith.addi %90, %25 : tensor<64xi32, #L8>
          %93 = "tk.expand_dims"(%92) {axis = 1 : i32} : (tensor<64xi32, #L8>) -> tensor<64x1xi32, #L8>
          %94 = arith.muli %93, %cst_0 : tensor<64x1xi32, #L8>
          %95 = "tk.addptr"(%53, %94) : (tensor<64x1x!tk.ptr<f16>, #L8>, tensor<64x1xi32, #L8>) -> tensor<64x1x!tk.ptr<f16>, #L8>
          %96 = "tk.broadcast"(%95) : (tensor<64x1x!tk.ptr<f16>, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L9>
          %97 = "tk.addptr"(%96, %42) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
          %98 = arith.cmpi slt, %93, %54 : tensor<64x1xi32, #L8>
          %99 = "tk.broadcast"(%98) : (tensor<64x1xi1, #L8>) -> tensor<64x64xi1, #L9>
          %100 = "tk.smem_trans"(%81) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L13>
          %101 = "tk.dot"(%49, %100, %cst_1) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L13>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
          %102 = "tk.addptr"(%55, %91) : (tensor<64x!tk.ptr<f32>, #L6>, tensor<64xi32, #L6>) -> tensor<64x!tk.ptr<f32>, #L6>
          %103 = "tk.expand_dims"(%83) {axis = 0 : i32} : (tensor<64xf32, #L12>) -> tensor<1x64xf32, #L12>
          %104 = arith.negf %103 : tensor<1x64xf32, #L12>
          %105 = "tk.broadcast"(%104) : (tensor<1x64xf32, #L12>) -> tensor<64x64xf32, #L11>
          %106 = "tk.dot"(%44, %100, %105) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L13>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
          %107 = arith.subf %101, %60 : tensor<64x64xf32, #L11>
          %c8_i32_12 = arith.constant 8 : i32
          %108 = arith.muli %arg17, %c8_i32_12 : i32
          %109 = arith.addi %8, %108 : i32
          "tk.mbarrier_wait"(%109, %arg18) : (i32, i32) -> ()
          %110 = arith.mulf %106, %107 : tensor<64x64xf32, #L11>
          %111 = arith.truncf %110 : tensor<64x64xf32, #L11> to tensor<64x64xf16, #L11>
          %c64_i32_13 = arith.constant 64 : i32
          %112 = arith.addi %c0_i32_2, %c64_i32_13 : i32
          %113 = arith.cmpi slt, %112, %arg6 : i32
          %114 = arith.addi %c0_i32_2, %c64_i32 : i32
          %115 = arith.select %113, %114, %arg6 : i32
          %116:4 = scf.for %arg21 = %115 to %arg6 step %c64_i32 iter_args(%arg22 = %cst_1, %arg23 = %87, %arg24 = %88, %arg25 = %111) -> (tensor<64x64xf32, #L11>, i32, i32, tensor<64x64xf16, #L11>)  : i32 {
            %c8_i32_19 = arith.constant 8 : i32
            %127 = arith.muli %arg23, %c8_i32_19 : i32
            %128 = arith.addi %8, %127 : i32
            "tk.mbarrier_wait"(%128, %arg24) : (i32, i32) -> ()
            %129 = "tk.smem_slot"(%0, %arg23) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %130 = "tk.smem_slot"(%1, %arg23) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
            %131 = "tk.smem_load"(%130) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L12>
            %c1_i32_20 = arith.constant 1 : i32
            %132 = arith.addi %arg23, %c1_i32_20 : i32
            %c3_i32_21 = arith.constant 3 : i32
            %133 = arith.cmpi eq, %132, %c3_i32_21 : i32
            %c1_i32_22 = arith.constant 1 : i32
            %134 = arith.xori %arg24, %c1_i32_22 : i32
            %c0_i32_23 = arith.constant 0 : i32
            %135 = arith.select %133, %c0_i32_23, %132 : i32
            %136 = arith.select %133, %134, %arg24 : i32
            %137 = "tk.splat"(%arg21) : (i32) -> tensor<64xi32, #L6>
            %138 = "tk.splat"(%arg21) : (i32) -> tensor<64xi32, #L8>
            %139 = arith.addi %137, %23 : tensor<64xi32, #L6>
            %140 = arith.addi %138, %25 : tensor<64xi32, #L8>
            %141 = "tk.expand_dims"(%140) {axis = 1 : i32} : (tensor<64xi32, #L8>) -> tensor<64x1xi32, #L8>
            %142 = arith.muli %141, %cst_0 : tensor<64x1xi32, #L8>
            %143 = "tk.addptr"(%53, %142) : (tensor<64x1x!tk.ptr<f16>, #L8>, tensor<64x1xi32, #L8>) -> tensor<64x1x!tk.ptr<f16>, #L8>
            %144 = "tk.broadcast"(%143) : (tensor<64x1x!tk.ptr<f16>, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L9>
            %145 = "tk.addptr"(%144, %42) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
            %146 = arith.cmpi slt, %141, %54 : tensor<64x1xi32, #L8>
            %147 = "tk.broadcast"(%146) : (tensor<64x1xi1, #L8>) -> tensor<64x64xi1, #L9>
            %148 = "tk.smem_trans"(%129) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L13>
            %c0_i32_24 = arith.constant 0 : i32
            %149 = arith.cmpi eq, %arg23, %c0_i32_24 : i32
            %c1_i32_25 = arith.constant 1 : i32
            %150 = arith.subi %arg23, %c1_i32_25 : i32
            %c1_i32_26 = arith.constant 1 : i32
            %151 = arith.xori %arg24, %c1_i32_26 : i32
            %c2_i32_27 = arith.constant 2 : i32
            %152 = arith.select %149, %c2_i32_27, %150 : i32
            %153 = arith.select %149, %151, %arg24 : i32
            %154 = "tk.smem_slot"(%0, %152) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %155 = "tk.dot"(%arg25, %154, %arg22) {ahead, instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L11>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
            %156 = "tk.dot"(%49, %148, %cst_1) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L13>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
            %157 = "tk.addptr"(%55, %139) : (tensor<64x!tk.ptr<f32>, #L6>, tensor<64xi32, #L6>) -> tensor<64x!tk.ptr<f32>, #L6>
            %158 = "tk.expand_dims"(%131) {axis = 0 : i32} : (tensor<64xf32, #L12>) -> tensor<1x64xf32, #L12>
            %159 = arith.negf %158 : tensor<1x64xf32, #L12>
            %160 = "tk.broadcast"(%159) : (tensor<1x64xf32, #L12>) -> tensor<64x64xf32, #L11>
            %161 = "tk.dot"(%44, %148, %160) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L13>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
            %162 = arith.subf %156, %60 : tensor<64x64xf32, #L11>
            %c8_i32_28 = arith.constant 8 : i32
            %163 = arith.muli %arg23, %c8_i32_28 : i32
            %164 = arith.addi %8, %163 : i32
            "tk.mbarrier_wait"(%164, %arg24) : (i32, i32) -> ()
            %165 = arith.mulf %161, %162 : tensor<64x64xf32, #L11>
            %c8_i32_29 = arith.constant 8 : i32
            %166 = arith.muli %arg23, %c8_i32_29 : i32
            %167 = arith.addi %8, %166 : i32
            "tk.mbarrier_wait"(%167, %arg24) : (i32, i32) -> ()
            %168 = "tk.dot_wait"(%155) {pending = 0 : i32} : (tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
            %true_30 = arith.constant true
            %c8_i32_31 = arith.constant 8 : i32
            %169 = arith.muli %152, %c8_i32_31 : i32
            %170 = arith.addi %9, %169 : i32
            "tk.mbarrier_arrive"(%170, %true_30) {together} : (i32, i1) -> ()
            %c8_i32_32 = arith.constant 8 : i32
            %171 = arith.muli %arg23, %c8_i32_32 : i32
            %172 = arith.addi %8, %171 : i32
            "tk.mbarrier_wait"(%172, %arg24) : (i32, i32) -> ()
            %173 = arith.truncf %165 : tensor<64x64xf32, #L11> to tensor<64x64xf16, #L11>
            scf.yield %168, %135, %136, %173 : tensor<64x64xf32, #L11>, i32, i32, tensor<64x64xf16, #L11>
          } {tk.pipeline = "3 slots, filled by a warp of their own"}
          %c0_i32_14 = arith.constant 0 : i32
          %117 = arith.cmpi eq, %116#1, %c0_i32_14 : i32
          %c1_i32_15 = arith.constant 1 : i32
          %118 = arith.subi %116#1, %c1_i32_15 : i32
          %c1_i32_16 = arith.constant 1 : i32
          %119 = arith.xori %116#2, %c1_i32_16 : i32
          %c2_i32 = arith.constant 2 : i32
          %120 = arith.select %117, %c2_i32, %118 : i32
          %121 = arith.select %117, %119, %116#2 : i32
          %122 = "tk.smem_slot"(%0, %120) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %123 = "tk.dot"(%116#3, %122, %116#0) {ahead, instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L11>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
          %124 = "tk.dot_wait"(%123) {pending = 0 : i32} : (tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L11>
          %true_17 = arith.constant true
          %c8_i32_18 = arith.constant 8 : i32
          %125 = arith.muli %120, %c8_i32_18 : i32
          %126 = arith.addi %9, %125 : i32
          "tk.mbarrier_arrive"(%126, %true_17) {together} : (i32, i1) -> ()
          scf.yield %124, %116#1, %116#2 : tensor<64x64xf32, #L11>, i32, i32
        } else {
          scf.yield %cst_1, %arg17, %arg18 : tensor<64x64xf32, #L11>, i32, i32
        }
        %true = arith.constant true
        %c8_i32_4 = arith.constant 8 : i32
        %63 = arith.muli %arg19, %c8_i32_4 : i32
        %64 = arith.addi %7, %63 : i32
        "tk.mbarrier_arrive"(%64, %true) {together} : (i32, i1) -> ()
        %65 = "tk.convert_layout"(%62#0) : (tensor<64x64xf32, #L11>) -> tensor<64x64xf32, #L10>
        %66 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %67 = "tk.addptr"(%66, %34) : (tensor<64x1x!tk.ptr<f32>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %68 = "tk.broadcast"(%67) : (tensor<64x1x!tk.ptr<f32>, #L4>) -> tensor<64x64x!tk.ptr<f32>, #L10>
        %69 = "tk.addptr"(%68, %41) : (tensor<64x64x!tk.ptr<f32>, #L10>, tensor<64x64xi32, #L10>) -> tensor<64x64x!tk.ptr<f32>, #L10>
        %c0_i64 = arith.constant 0 : i64
        %70 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_5 = arith.constant 0 : i64
        %c64_i64 = arith.constant 64 : i64
        %71 = arith.extsi %16 : i32 to i64
        %72 = arith.muli %c64_i64, %71 : i64
        %73 = arith.addi %c0_i64_5, %72 : i64
        %74 = arith.trunci %73 : i64 to i32
        "tk.bulk_store"(%arg12, %2, %62#0, %70, %74) : (!tk.tensor_map, tensor<16384xi8, #L2>, tensor<64x64xf32, #L11>, i32, i32) -> ()
        %c1_i32 = arith.constant 1 : i32
        %75 = arith.xori %arg20, %c1_i32 : i32
        %c0_i32_6 = arith.constant 0 : i32
        %76 = arith.cmpi ne, %arg19, %c0_i32_6 : i32
        %c1_i32_7 = arith.constant 1 : i32
        %77 = arith.xori %arg19, %c1_i32_7 : i32
        %78 = arith.select %76, %75, %arg20 : i32
        scf.yield %62#1, %62#2, %77, %78 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

