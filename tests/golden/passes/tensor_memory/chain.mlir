// chip: sm_100a
// show: scf.* tk.tensor_* tk.mbarrier_* tk.warpgroup_dot tk.dot_wait tk.barrier tk.rescale tk.unwritten return
// A chain: scores are loaded, weights stored as a left operand, sums scaled in their place; its second product runs beside the next step.
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384>}
#L3 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 2, 4>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L6 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L8 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048, 4096>, warp = array<i32: 256, 512>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096>, warp = array<i32: 128, 256>}
#L11 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 1024, 8, 16, 32>, warp = array<i32: 2048, 4096>}
#L12 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8, 16>, warp = array<i32: 32, 64>}
#L13 = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 64, 128, 256, 16, 32>, warp = array<i32: 4, 8>}
#L14 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
module {
  func.func @chain(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg9: i32 {tk.hidden = "grid_x"}, %arg10: i32 {tk.hidden = "grid_y"}, %arg11: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<32768xi8, #L2>
    %3 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L3>
    %4 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %5 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 2 : i32} : () -> i32
    %6 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %7 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    %8 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %9 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %10 = arith.muli %arg9, %arg10 : i32
      %11 = arith.muli %10, %arg11 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %14:4 = scf.for %arg12 = %12 to %11 step %13 iter_args(%arg13 = %c0_i32, %arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %15 = arith.divui %arg12, %arg9 : i32
        %16 = arith.remui %arg12, %arg9 : i32
        %17 = arith.remui %15, %arg10 : i32
        %18 = arith.divui %15, %arg10 : i32
        %c1_i32 = arith.constant 1 : i32
        %19 = arith.xori %arg16, %c1_i32 : i32
        %c8_i32 = arith.constant 8 : i32
        %20 = arith.muli %arg15, %c8_i32 : i32
        %21 = arith.addi %5, %20 : i32
        "tk.mbarrier_wait"(%21, %19) : (i32, i32) -> ()
        %c8_i32_0 = arith.constant 8 : i32
        %22 = arith.muli %arg15, %c8_i32_0 : i32
        %23 = arith.addi %4, %22 : i32
        "tk.mbarrier_expect"(%23) {bytes = 16384 : i32} : (i32) -> ()
        %24 = "tk.smem_slot"(%3, %arg15) : (tensor<128x64xf16, #L3>, i32) -> tensor<128x64xf16, #L3>
        %c0_i64 = arith.constant 0 : i64
        %25 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_1 = arith.constant 0 : i64
        %26 = arith.trunci %c0_i64_1 : i64 to i32
        "tk.bulk_load"(%24, %arg7, %23, %25, %26) {inner = 64 : i32} : (tensor<128x64xf16, #L3>, !tk.tensor_map, i32, i32, i32) -> ()
        %c0_i32_2 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %27:2 = scf.for %arg17 = %c0_i32_2 to %arg4 step %c64_i32 iter_args(%arg18 = %arg13, %arg19 = %arg14) -> (i32, i32)  : i32 {
          %c1_i32_6 = arith.constant 1 : i32
          %32 = arith.xori %arg19, %c1_i32_6 : i32
          %c8_i32_7 = arith.constant 8 : i32
          %33 = arith.muli %arg18, %c8_i32_7 : i32
          %34 = arith.addi %7, %33 : i32
          "tk.mbarrier_wait"(%34, %32) : (i32, i32) -> ()
          %c8_i32_8 = arith.constant 8 : i32
          %35 = arith.muli %arg18, %c8_i32_8 : i32
          %36 = arith.addi %6, %35 : i32
          "tk.mbarrier_expect"(%36) {bytes = 8192 : i32} : (i32) -> ()
          %37 = "tk.smem_slot"(%0, %arg18) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c0_i64_9 = arith.constant 0 : i64
          %38 = arith.trunci %c0_i64_9 : i64 to i32
          %c0_i64_10 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %39 = arith.extsi %arg17 : i32 to i64
          %40 = arith.muli %c1_i64, %39 : i64
          %41 = arith.addi %c0_i64_10, %40 : i64
          %42 = arith.trunci %41 : i64 to i32
          "tk.bulk_load"(%37, %arg5, %36, %38, %42) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_11 = arith.constant 1 : i32
          %43 = arith.xori %arg19, %c1_i32_11 : i32
          %c8_i32_12 = arith.constant 8 : i32
          %44 = arith.muli %arg18, %c8_i32_12 : i32
          %45 = arith.addi %9, %44 : i32
          "tk.mbarrier_wait"(%45, %43) : (i32, i32) -> ()
          %c8_i32_13 = arith.constant 8 : i32
          %46 = arith.muli %arg18, %c8_i32_13 : i32
          %47 = arith.addi %8, %46 : i32
          "tk.mbarrier_expect"(%47) {bytes = 8192 : i32} : (i32) -> ()
          %48 = "tk.smem_slot"(%1, %arg18) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %c0_i64_14 = arith.constant 0 : i64
          %49 = arith.trunci %c0_i64_14 : i64 to i32
          %c0_i64_15 = arith.constant 0 : i64
          %c1_i64_16 = arith.constant 1 : i64
          %50 = arith.extsi %arg17 : i32 to i64
          %51 = arith.muli %c1_i64_16, %50 : i64
          %52 = arith.addi %c0_i64_15, %51 : i64
          %53 = arith.trunci %52 : i64 to i32
          "tk.bulk_load"(%48, %arg6, %47, %49, %53) {inner = 64 : i32} : (tensor<64x64xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_17 = arith.constant 1 : i32
          %54 = arith.addi %arg18, %c1_i32_17 : i32
          %c3_i32 = arith.constant 3 : i32
          %55 = arith.cmpi eq, %54, %c3_i32 : i32
          %c1_i32_18 = arith.constant 1 : i32
          %56 = arith.xori %arg19, %c1_i32_18 : i32
          %c0_i32_19 = arith.constant 0 : i32
          %57 = arith.select %55, %c0_i32_19, %54 : i32
          %58 = arith.select %55, %56, %arg19 : i32
          scf.yield %57, %58 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        %c1_i32_3 = arith.constant 1 : i32
        %28 = arith.xori %arg16, %c1_i32_3 : i32
        %c0_i32_4 = arith.constant 0 : i32
        %29 = arith.cmpi ne, %arg15, %c0_i32_4 : i32
        %c1_i32_5 = arith.constant 1 : i32
        %30 = arith.xori %arg15, %c1_i32_5 : i32
        %31 = arith.select %29, %28, %arg16 : i32
        scf.yield %27#0, %27#1, %30, %31 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %10 = arith.muli %arg9, %arg10 : i32
      %11 = arith.muli %10, %arg11 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %14:4 = scf.for %arg12 = %12 to %11 step %13 iter_args(%arg13 = %c0_i32, %arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %15 = arith.divui %arg12, %arg9 : i32
        %16 = arith.remui %arg12, %arg9 : i32
        %17 = arith.remui %15, %arg10 : i32
        %18 = arith.divui %15, %arg10 : i32
        %19 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
        %20 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L5>
        %21 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L6>
        %22 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L7>
        %23 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L8>
        %24 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<128xi32, #L4>) -> tensor<128x1xi32, #L4>
        %25 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<128xi32, #L5>) -> tensor<128x1xi32, #L5>
        %cst = arith.constant dense<64> : tensor<128x1xi32, #L4>
        %cst_0 = arith.constant dense<64> : tensor<128x1xi32, #L5>
        %26 = arith.muli %24, %cst : tensor<128x1xi32, #L4>
        %27 = arith.muli %25, %cst_0 : tensor<128x1xi32, #L5>
        %28 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L5>
        %29 = "tk.addptr"(%28, %27) : (tensor<128x1x!tk.ptr<f16>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<f16>, #L5>
        %30 = "tk.expand_dims"(%21) {axis = 0 : i32} : (tensor<64xi32, #L6>) -> tensor<1x64xi32, #L6>
        %31 = "tk.expand_dims"(%23) {axis = 0 : i32} : (tensor<64xi32, #L8>) -> tensor<1x64xi32, #L8>
        %32 = "tk.broadcast"(%29) : (tensor<128x1x!tk.ptr<f16>, #L5>) -> tensor<128x64x!tk.ptr<f16>, #L9>
        %33 = "tk.broadcast"(%30) : (tensor<1x64xi32, #L6>) -> tensor<128x64xi32, #L10>
        %34 = "tk.broadcast"(%31) : (tensor<1x64xi32, #L8>) -> tensor<128x64xi32, #L9>
        %35 = "tk.addptr"(%32, %34) : (tensor<128x64x!tk.ptr<f16>, #L9>, tensor<128x64xi32, #L9>) -> tensor<128x64x!tk.ptr<f16>, #L9>
        %36 = "tk.smem_slot"(%3, %arg15) : (tensor<128x64xf16, #L3>, i32) -> tensor<128x64xf16, #L3>
        %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L11>
        %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32, #L12>
        %c0_i32_3 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %cst_4 = arith.constant dense<64> : tensor<1x64xi32, #L7>
        %37 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L7>
        %38 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<64xi32, #L8>) -> tensor<64x1xi32, #L8>
        %39 = "tk.broadcast"(%38) : (tensor<64x1xi32, #L8>) -> tensor<64x64xi32, #L13>
        %40 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L7>
        %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L14>
        %cst_6 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L13>
        %cst_7 = arith.constant dense<64> : tensor<64x1xi32, #L7>
        %41 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L7>
        %42 = "tk.broadcast"(%31) : (tensor<1x64xi32, #L8>) -> tensor<64x64xi32, #L14>
        %43 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L7>
        %c8_i32 = arith.constant 8 : i32
        %44 = arith.muli %arg15, %c8_i32 : i32
        %45 = arith.addi %4, %44 : i32
        "tk.mbarrier_wait"(%45, %arg16) : (i32, i32) -> ()
        %46 = arith.cmpi slt, %c0_i32_3, %arg4 : i32
        %47:4 = scf.if %46 -> (tensor<128x64xf32, #L11>, tensor<128xf32, #L12>, i32, i32) {
          %61 = arith.subi %arg4, %c0_i32_3 : i32
          %c8_i32_12 = arith.constant 8 : i32
          %62 = arith.muli %arg13, %c8_i32_12 : i32
          %63 = arith.addi %6, %62 : i32
          "tk.mbarrier_wait"(%63, %arg14) : (i32, i32) -> ()
          %cst_13 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L11>
          %64 = "tk.smem_slot"(%0, %arg13) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %65 = "tk.warpgroup_dot"(%36, %64, %cst_13) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L3>, tensor<64x64xf16, #L0>, tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
          %66 = "tk.dot_wait"(%65) {pending = 0 : i32} : (tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
          %67 = arith.cmpi ult, %c64_i32, %61 : i32
          %c8_i32_14 = arith.constant 8 : i32
          %68 = arith.muli %arg13, %c8_i32_14 : i32
          %69 = arith.addi %7, %68 : i32
          "tk.mbarrier_arrive"(%69, %67) : (i32, i1) -> ()
          %70:5 = scf.for %arg17 = %c0_i32_3 to %arg4 step %c64_i32 iter_args(%arg18 = %cst_1, %arg19 = %cst_2, %arg20 = %arg13, %arg21 = %arg14, %arg22 = %66) -> (tensor<128x64xf32, #L11>, tensor<128xf32, #L12>, i32, i32, tensor<128x64xf32, #L11>)  : i32 {
            %71 = "tk.smem_slot"(%0, %arg20) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %72 = "tk.smem_slot"(%1, %arg20) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
            %c1_i32_15 = arith.constant 1 : i32
            %73 = arith.addi %arg20, %c1_i32_15 : i32
            %c3_i32 = arith.constant 3 : i32
            %74 = arith.cmpi eq, %73, %c3_i32 : i32
            %c1_i32_16 = arith.constant 1 : i32
            %75 = arith.xori %arg21, %c1_i32_16 : i32
            %c0_i32_17 = arith.constant 0 : i32
            %76 = arith.select %74, %c0_i32_17, %73 : i32
            %77 = arith.select %74, %75, %arg21 : i32
            %78 = arith.subi %arg4, %arg17 : i32
            %79 = arith.cmpi ult, %c64_i32, %78 : i32
            %80 = arith.subi %78, %c64_i32 : i32
            %81 = arith.cmpi ult, %c64_i32, %80 : i32
            %82 = arith.select %79, %76, %arg20 : i32
            %83 = arith.select %79, %77, %arg21 : i32
            %c8_i32_18 = arith.constant 8 : i32
            %84 = arith.muli %82, %c8_i32_18 : i32
            %85 = arith.addi %6, %84 : i32
            "tk.mbarrier_wait"(%85, %83) : (i32, i32) -> ()
            %cst_19 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L11>
            %86 = "tk.smem_slot"(%0, %82) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %87 = "tk.warpgroup_dot"(%36, %86, %cst_19) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L3>, tensor<64x64xf16, #L0>, tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
            %88 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L7>
            %89 = arith.addi %88, %22 : tensor<64xi32, #L7>
            %90 = "tk.expand_dims"(%89) {axis = 0 : i32} : (tensor<64xi32, #L7>) -> tensor<1x64xi32, #L7>
            %91 = arith.muli %90, %cst_4 : tensor<1x64xi32, #L7>
            %92 = "tk.addptr"(%37, %91) : (tensor<1x64x!tk.ptr<f16>, #L7>, tensor<1x64xi32, #L7>) -> tensor<1x64x!tk.ptr<f16>, #L7>
            %93 = "tk.broadcast"(%92) : (tensor<1x64x!tk.ptr<f16>, #L7>) -> tensor<64x64x!tk.ptr<f16>, #L13>
            %94 = "tk.addptr"(%93, %39) : (tensor<64x64x!tk.ptr<f16>, #L13>, tensor<64x64xi32, #L13>) -> tensor<64x64x!tk.ptr<f16>, #L13>
            %95 = arith.cmpi slt, %90, %40 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L7>
            %96 = "tk.broadcast"(%95) : (tensor<1x64xi1, #L7>) -> tensor<64x64xi1, #L13>
            %97 = "tk.expand_dims"(%89) {axis = 1 : i32} : (tensor<64xi32, #L7>) -> tensor<64x1xi32, #L7>
            %98 = arith.muli %97, %cst_7 : tensor<64x1xi32, #L7>
            %99 = "tk.addptr"(%41, %98) : (tensor<64x1x!tk.ptr<f16>, #L7>, tensor<64x1xi32, #L7>) -> tensor<64x1x!tk.ptr<f16>, #L7>
            %100 = "tk.broadcast"(%99) : (tensor<64x1x!tk.ptr<f16>, #L7>) -> tensor<64x64x!tk.ptr<f16>, #L14>
            %101 = "tk.addptr"(%100, %42) : (tensor<64x64x!tk.ptr<f16>, #L14>, tensor<64x64xi32, #L14>) -> tensor<64x64x!tk.ptr<f16>, #L14>
            %102 = arith.cmpi slt, %97, %43 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L7>
            %103 = "tk.broadcast"(%102) : (tensor<64x1xi1, #L7>) -> tensor<64x64xi1, #L14>
            %104 = "tk.reduce"(%arg22) ({
            ^bb0(%arg23: f32, %arg24: f32):
              %127 = arith.maxnumf %arg23, %arg24 : f32
              "tk.yield"(%127) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<128x64xf32, #L11>) -> tensor<128xf32, #L12>
            %105 = arith.maxnumf %arg19, %104 : tensor<128xf32, #L12>
            %106 = "tk.expand_dims"(%105) {axis = 1 : i32} : (tensor<128xf32, #L12>) -> tensor<128x1xf32, #L12>
            %107 = "tk.broadcast"(%106) : (tensor<128x1xf32, #L12>) -> tensor<128x64xf32, #L11>
            %108 = arith.subf %arg22, %107 : tensor<128x64xf32, #L11>
            %109 = math.exp2 %108 : tensor<128x64xf32, #L11>
            %110 = arith.truncf %109 : tensor<128x64xf32, #L11> to tensor<128x64xf16, #L11>
            %111 = arith.subf %arg19, %105 : tensor<128xf32, #L12>
            %112 = math.exp2 %111 : tensor<128xf32, #L12>
            %113 = "tk.expand_dims"(%112) {axis = 1 : i32} : (tensor<128xf32, #L12>) -> tensor<128x1xf32, #L12>
            %114 = "tk.broadcast"(%113) : (tensor<128x1xf32, #L12>) -> tensor<128x64xf32, #L11>
            %115 = "tk.rescale"(%arg18, %114) : (tensor<128x64xf32, #L11>, tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
            %116 = arith.mulf %arg18, %114 : tensor<128x64xf32, #L11>
            %c8_i32_20 = arith.constant 8 : i32
            %117 = arith.muli %arg20, %c8_i32_20 : i32
            %118 = arith.addi %8, %117 : i32
            "tk.mbarrier_wait"(%118, %arg21) : (i32, i32) -> ()
            %119 = "tk.warpgroup_dot"(%110, %72, %115) {instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L11>, tensor<64x64xf16, #L1>, tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
            %true_21 = arith.constant true
            %c8_i32_22 = arith.constant 8 : i32
            %120 = arith.muli %arg20, %c8_i32_22 : i32
            %121 = arith.addi %9, %120 : i32
            %122 = "tk.dot_wait"(%119) {pending = 0 : i32} : (tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
            "tk.mbarrier_arrive"(%121, %true_21) : (i32, i1) -> ()
            %123 = "tk.dot_wait"(%87) {pending = 0 : i32} : (tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L11>
            %true_23 = arith.constant true
            %124 = arith.select %79, %81, %true_23 : i1
            %c8_i32_24 = arith.constant 8 : i32
            %125 = arith.muli %82, %c8_i32_24 : i32
            %126 = arith.addi %7, %125 : i32
            "tk.mbarrier_arrive"(%126, %124) : (i32, i1) -> ()
            scf.yield %122, %105, %76, %77, %123 : tensor<128x64xf32, #L11>, tensor<128xf32, #L12>, i32, i32, tensor<128x64xf32, #L11>
          } {tk.pipeline = "3 slots, filled by a warp of their own"}
          scf.yield %70#0, %70#1, %70#2, %70#3 : tensor<128x64xf32, #L11>, tensor<128xf32, #L12>, i32, i32
        } else {
          scf.yield %cst_1, %cst_2, %arg13, %arg14 : tensor<128x64xf32, #L11>, tensor<128xf32, #L12>, i32, i32
        }
        %true = arith.constant true
        %c8_i32_8 = arith.constant 8 : i32
        %48 = arith.muli %arg15, %c8_i32_8 : i32
        %49 = arith.addi %5, %48 : i32
        "tk.mbarrier_arrive"(%49, %true) : (i32, i1) -> ()
        %50 = "tk.convert_layout"(%47#0) : (tensor<128x64xf32, #L11>) -> tensor<128x64xf32, #L10>
        %51 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %52 = "tk.addptr"(%51, %26) : (tensor<128x1x!tk.ptr<f32>, #L4>, tensor<128x1xi32, #L4>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %53 = "tk.broadcast"(%52) : (tensor<128x1x!tk.ptr<f32>, #L4>) -> tensor<128x64x!tk.ptr<f32>, #L10>
        %54 = "tk.addptr"(%53, %33) : (tensor<128x64x!tk.ptr<f32>, #L10>, tensor<128x64xi32, #L10>) -> tensor<128x64x!tk.ptr<f32>, #L10>
        %c0_i64 = arith.constant 0 : i64
        %55 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_9 = arith.constant 0 : i64
        %56 = arith.trunci %c0_i64_9 : i64 to i32
        "tk.bulk_store"(%arg8, %2, %47#0, %55, %56) : (!tk.tensor_map, tensor<32768xi8, #L2>, tensor<128x64xf32, #L11>, i32, i32) -> ()
        %c1_i32 = arith.constant 1 : i32
        %57 = arith.xori %arg16, %c1_i32 : i32
        %c0_i32_10 = arith.constant 0 : i32
        %58 = arith.cmpi ne, %arg15, %c0_i32_10 : i32
        %c1_i32_11 = arith.constant 1 : i32
        %59 = arith.xori %arg15, %c1_i32_11 : i32
        %60 = arith.select %58, %57, %arg16 : i32
        scf.yield %47#2, %47#3, %59, %60 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
