// chip: sm_90a
// show: tk.smem_load tk.warpgroup_dot tk.partial_reduce tk.dot_wait
// What is summed of the left operand's slot is read behind the product, and ahead of its wait.
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4, 128>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 256>, register = array<i32: 1, 2, 4, 128>, warp = array<i32: 512, 1024>}
#L3 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L4 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 264, 528, 1056, 2048, 4096, 8192, 64, 128>}
#L5 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 1, 2, 4>}
#L7 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L9 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32>, warp = array<i32: 1, 2, 4>}
#L10 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L11 = {lane = array<i32: 2, 4, 256, 512, 1024>, register = array<i32: 1, 2048, 8, 16, 32, 64, 128>, warp = array<i32: 4096, 8192, 16384>}
#L12 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L13 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L14 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024>}
#L15 = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
#L16 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 256, 512>, warp = array<i32: 32, 64, 128>}
#L17 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L18 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L19 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 1, 6, -1, 1, 0, 1, 5, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 1, 5, -1, 1>, strides = array<i64>, swizzle = 0 : i32}}, %arg10: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 1, 6, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg11: i32 {tk.hidden = "grid_x"}, %arg12: i32 {tk.hidden = "grid_y"}, %arg13: i32 {tk.hidden = "grid_z"}) attributes {tk.chain = "merged", tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.pack_rows = 0 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x256xf16, #L4>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x64xf16, #L3>
    %2 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64xf16, #L15>
    %3 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<32768xi8, #L5>
    %4 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %5 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %6 = arith.muli %arg11, %arg12 : i32
      %7 = arith.muli %6, %arg13 : i32
      %c0_i32 = arith.constant 0 : i32
      %8 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %9 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %10:2 = scf.for %arg14 = %8 to %7 step %9 iter_args(%arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32)  : i32 {
        %11 = arith.divui %arg14, %arg11 : i32
        %12 = arith.remui %arg14, %arg11 : i32
        %13 = arith.remui %11, %arg12 : i32
        %14 = arith.divui %11, %arg12 : i32
        %c255_i32 = arith.constant 255 : i32
        %15 = arith.addi %arg6, %c255_i32 : i32
        %c256_i32 = arith.constant 256 : i32
        %16 = arith.divsi %15, %c256_i32 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %17 = arith.cmpi sgt, %16, %c0_i32_0 : i32
        %c1_i32 = arith.constant 1 : i32
        %18 = arith.maxsi %16, %c1_i32 : i32
        %19 = arith.divui %arg11, %18 : i32
        %20 = arith.muli %19, %18 : i32
        %21 = arith.cmpi eq, %20, %arg11 : i32
        %22 = arith.andi %17, %21 : i1
        %23 = arith.divsi %12, %16 : i32
        %c16_i32 = arith.constant 16 : i32
        %24 = arith.remui %23, %c16_i32 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %25 = arith.select %22, %24, %c0_i32_1 : i32
        %26 = arith.muli %25, %18 : i32
        %27 = arith.remsi %12, %16 : i32
        %28 = arith.addi %26, %27 : i32
        %29 = arith.divui %23, %c16_i32 : i32
        %30 = arith.muli %29, %c16_i32 : i32
        %31 = arith.select %22, %30, %23 : i32
        %32 = arith.subi %19, %31 : i32
        %33 = arith.minsi %32, %c16_i32 : i32
        %c1_i32_2 = arith.constant 1 : i32
        %34 = arith.select %22, %33, %c1_i32_2 : i32
        %35 = arith.maxsi %34, %c1_i32_2 : i32
        %36 = arith.divui %28, %35 : i32
        %37 = arith.remsi %12, %16 : i32
        %38 = arith.select %17, %36, %37 : i32
        %39 = arith.remui %28, %35 : i32
        %40 = arith.addi %31, %39 : i32
        %41 = arith.divsi %12, %16 : i32
        %42 = arith.select %17, %40, %41 : i32
        %c0_i32_3 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %43:2 = scf.for %arg17 = %c0_i32_3 to %arg5 step %c64_i32 iter_args(%arg18 = %arg15, %arg19 = %arg16) -> (i32, i32)  : i32 {
          %c1_i32_4 = arith.constant 1 : i32
          %44 = arith.xori %arg19, %c1_i32_4 : i32
          %c8_i32 = arith.constant 8 : i32
          %45 = arith.muli %arg18, %c8_i32 : i32
          %46 = arith.addi %5, %45 : i32
          "tk.mbarrier_wait"(%46, %44) : (i32, i32) -> ()
          %c8_i32_5 = arith.constant 8 : i32
          %47 = arith.muli %arg18, %c8_i32_5 : i32
          %48 = arith.addi %4, %47 : i32
          "tk.mbarrier_expect"(%48) {bytes = 49280 : i32} : (i32) -> ()
          %49 = "tk.smem_slot"(%0, %arg18) : (tensor<64x256xf16, #L4>, i32) -> tensor<64x256xf16, #L4>
          %c0_i64 = arith.constant 0 : i64
          %c256_i64 = arith.constant 256 : i64
          %50 = arith.extsi %38 : i32 to i64
          %51 = arith.muli %c256_i64, %50 : i64
          %52 = arith.addi %c0_i64, %51 : i64
          %53 = arith.trunci %52 : i64 to i32
          %c0_i64_6 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %54 = arith.extsi %arg17 : i32 to i64
          %55 = arith.muli %c1_i64, %54 : i64
          %56 = arith.addi %c0_i64_6, %55 : i64
          %57 = arith.trunci %56 : i64 to i32
          "tk.bulk_load"(%49, %arg7, %48, %53, %57) {inner = 64 : i32} : (tensor<64x256xf16, #L4>, !tk.tensor_map, i32, i32, i32) -> ()
          %58 = "tk.smem_slot"(%1, %arg18) : (tensor<128x64xf16, #L3>, i32) -> tensor<128x64xf16, #L3>
          %c0_i64_7 = arith.constant 0 : i64
          %c1_i64_8 = arith.constant 1 : i64
          %59 = arith.extsi %arg17 : i32 to i64
          %60 = arith.muli %c1_i64_8, %59 : i64
          %61 = arith.addi %c0_i64_7, %60 : i64
          %62 = arith.trunci %61 : i64 to i32
          %c0_i64_9 = arith.constant 0 : i64
          %c128_i64 = arith.constant 128 : i64
          %63 = arith.extsi %42 : i32 to i64
          %64 = arith.muli %c128_i64, %63 : i64
          %65 = arith.addi %c0_i64_9, %64 : i64
          %66 = arith.trunci %65 : i64 to i32
          "tk.bulk_load"(%58, %arg8, %48, %62, %66) {inner = 64 : i32} : (tensor<128x64xf16, #L3>, !tk.tensor_map, i32, i32, i32) -> ()
          %67 = "tk.smem_slot"(%2, %arg18) : (tensor<64xf16, #L15>, i32) -> tensor<64xf16, #L15>
          %c0_i64_10 = arith.constant 0 : i64
          %c1_i64_11 = arith.constant 1 : i64
          %68 = arith.extsi %arg17 : i32 to i64
          %69 = arith.muli %c1_i64_11, %68 : i64
          %70 = arith.addi %c0_i64_10, %69 : i64
          %71 = arith.trunci %70 : i64 to i32
          "tk.bulk_load"(%67, %arg9, %48, %71) {inner = 64 : i32} : (tensor<64xf16, #L15>, !tk.tensor_map, i32, i32) -> ()
          %c1_i32_12 = arith.constant 1 : i32
          %72 = arith.addi %arg18, %c1_i32_12 : i32
          %c3_i32 = arith.constant 3 : i32
          %73 = arith.cmpi eq, %72, %c3_i32 : i32
          %c1_i32_13 = arith.constant 1 : i32
          %74 = arith.xori %arg19, %c1_i32_13 : i32
          %c0_i32_14 = arith.constant 0 : i32
          %75 = arith.select %73, %c0_i32_14, %72 : i32
          %76 = arith.select %73, %74, %arg19 : i32
          %c1_i32_15 = arith.constant 1 : i32
          scf.yield %75, %76 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        scf.yield %43#0, %43#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %6 = arith.muli %arg11, %arg12 : i32
      %7 = arith.muli %6, %arg13 : i32
      %c0_i32 = arith.constant 0 : i32
      %8 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %9 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %10:2 = scf.for %arg14 = %8 to %7 step %9 iter_args(%arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32)  : i32 {
        %11 = arith.divui %arg14, %arg11 : i32
        %12 = arith.remui %arg14, %arg11 : i32
        %13 = arith.remui %11, %arg12 : i32
        %14 = arith.divui %11, %arg12 : i32
        %c255_i32 = arith.constant 255 : i32
        %15 = arith.addi %arg6, %c255_i32 : i32
        %c256_i32 = arith.constant 256 : i32
        %16 = arith.divsi %15, %c256_i32 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %c1_i32 = arith.constant 1 : i32
        %17 = arith.cmpi sgt, %16, %c0_i32_0 : i32
        %18 = arith.maxsi %16, %c1_i32 : i32
        %19 = arith.divui %arg11, %18 : i32
        %20 = arith.muli %19, %18 : i32
        %21 = arith.cmpi eq, %20, %arg11 : i32
        %22 = arith.andi %17, %21 : i1
        %23 = arith.divsi %12, %16 : i32
        %24 = arith.remsi %12, %16 : i32
        %c16_i32 = arith.constant 16 : i32
        %c1_i32_1 = arith.constant 1 : i32
        %c0_i32_2 = arith.constant 0 : i32
        %25 = arith.divui %23, %c16_i32 : i32
        %26 = arith.muli %25, %c16_i32 : i32
        %27 = arith.select %22, %26, %23 : i32
        %28 = arith.remui %23, %c16_i32 : i32
        %29 = arith.select %22, %28, %c0_i32_2 : i32
        %30 = arith.subi %19, %27 : i32
        %31 = arith.minsi %30, %c16_i32 : i32
        %32 = arith.select %22, %31, %c1_i32_1 : i32
        %33 = arith.maxsi %32, %c1_i32_1 : i32
        %34 = arith.muli %29, %18 : i32
        %35 = arith.addi %34, %24 : i32
        %36 = arith.remui %35, %33 : i32
        %37 = arith.addi %27, %36 : i32
        %38 = arith.divui %35, %33 : i32
        %39 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L8>
        %c0_i32_3 = arith.constant 0 : i32
        %40 = arith.sitofp %arg5 : i32 to f32
        %cst = arith.constant 9.99999974E-6 : f32
        %41 = arith.divsi %12, %16 : i32
        %42 = arith.select %17, %37, %41 : i32
        %c128_i32 = arith.constant 128 : i32
        %43 = arith.muli %42, %c128_i32 : i32
        %44 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L6>
        %45 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L7>
        %46 = "tk.splat"(%43) : (i32) -> tensor<128xi32, #L6>
        %47 = "tk.splat"(%43) : (i32) -> tensor<128xi32, #L7>
        %48 = arith.addi %46, %44 : tensor<128xi32, #L6>
        %49 = arith.addi %47, %45 : tensor<128xi32, #L7>
        %50 = arith.remsi %12, %16 : i32
        %51 = arith.select %17, %38, %50 : i32
        %52 = arith.muli %51, %c256_i32 : i32
        %53 = "tk.splat"(%52) : (i32) -> tensor<256xi32, #L8>
        %54 = arith.addi %53, %39 : tensor<256xi32, #L8>
        %55 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L9>
        %56 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L10>
        %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #L11>
        %c64_i32 = arith.constant 64 : i32
        %57 = "tk.expand_dims"(%48) {axis = 1 : i32} : (tensor<128xi32, #L6>) -> tensor<128x1xi32, #L6>
        %58 = "tk.expand_dims"(%49) {axis = 1 : i32} : (tensor<128xi32, #L7>) -> tensor<128x1xi32, #L7>
        %59 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L7>
        %60 = arith.muli %58, %59 : tensor<128x1xi32, #L7>
        %61 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L7>
        %62 = "tk.addptr"(%61, %60) : (tensor<128x1x!tk.ptr<f16>, #L7>, tensor<128x1xi32, #L7>) -> tensor<128x1x!tk.ptr<f16>, #L7>
        %63 = "tk.expand_dims"(%56) {axis = 0 : i32} : (tensor<64xi32, #L10>) -> tensor<1x64xi32, #L10>
        %64 = "tk.broadcast"(%63) : (tensor<1x64xi32, #L10>) -> tensor<128x64xi32, #L12>
        %65 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L6>
        %66 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L7>
        %67 = arith.cmpi slt, %57, %65 : tensor<128x1xi32, #L6>
        %68 = arith.cmpi slt, %58, %66 : tensor<128x1xi32, #L7>
        %69 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32, #L10>
        %70 = "tk.broadcast"(%68) : (tensor<128x1xi1, #L7>) -> tensor<128x64xi1, #L12>
        %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L12>
        %71 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L9>) -> tensor<64x1xi32, #L9>
        %72 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L9>
        %73 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L9>
        %74 = "tk.expand_dims"(%54) {axis = 0 : i32} : (tensor<256xi32, #L8>) -> tensor<1x256xi32, #L8>
        %75 = "tk.broadcast"(%74) : (tensor<1x256xi32, #L8>) -> tensor<64x256xi32, #L13>
        %76 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L9>
        %77 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32, #L8>
        %78 = arith.cmpi slt, %74, %77 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L8>
        %79 = "tk.broadcast"(%78) : (tensor<1x256xi1, #L8>) -> tensor<64x256xi1, #L13>
        %cst_6 = arith.constant dense<0.000000e+00> : tensor<64x256xf16, #L13>
        %cst_7 = arith.constant dense<0.000000e+00> : tensor<128xf32, #L7>
        %80 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L10>
        %81 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>, #L10>
        %cst_8 = arith.constant dense<0.000000e+00> : tensor<64xf16, #L10>
        %cst_9 = arith.constant dense<0.000000e+00> : tensor<128x8xf32, #L16>
        %82:4 = scf.for %arg17 = %c0_i32_3 to %arg5 step %c64_i32 iter_args(%arg18 = %cst_4, %arg19 = %cst_9, %arg20 = %arg15, %arg21 = %arg16) -> (tensor<128x256xf32, #L11>, tensor<128x8xf32, #L16>, i32, i32)  : i32 {
          %c8_i32 = arith.constant 8 : i32
          %113 = arith.muli %arg20, %c8_i32 : i32
          %114 = arith.addi %4, %113 : i32
          "tk.mbarrier_wait"(%114, %arg21) : (i32, i32) -> ()
          %115 = "tk.smem_slot"(%0, %arg20) : (tensor<64x256xf16, #L4>, i32) -> tensor<64x256xf16, #L4>
          %116 = "tk.smem_slot"(%1, %arg20) : (tensor<128x64xf16, #L3>, i32) -> tensor<128x64xf16, #L3>
          %117 = "tk.smem_load"(%116) : (tensor<128x64xf16, #L3>) -> tensor<128x64xf16, #L12>
          %118 = "tk.smem_load"(%116) : (tensor<128x64xf16, #L3>) -> tensor<128x64xf16, #L17>
          %119 = "tk.smem_slot"(%2, %arg20) : (tensor<64xf16, #L15>, i32) -> tensor<64xf16, #L15>
          %120 = "tk.smem_load"(%119) : (tensor<64xf16, #L15>) -> tensor<64xf16, #L18>
          %121 = "tk.splat"(%arg17) : (i32) -> tensor<128x1xi32, #L7>
          %122 = "tk.addptr"(%62, %121) : (tensor<128x1x!tk.ptr<f16>, #L7>, tensor<128x1xi32, #L7>) -> tensor<128x1x!tk.ptr<f16>, #L7>
          %123 = "tk.broadcast"(%122) : (tensor<128x1x!tk.ptr<f16>, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L12>
          %124 = "tk.addptr"(%123, %64) : (tensor<128x64x!tk.ptr<f16>, #L12>, tensor<128x64xi32, #L12>) -> tensor<128x64x!tk.ptr<f16>, #L12>
          %125 = "tk.splat"(%arg17) : (i32) -> tensor<1x64xi32, #L10>
          %126 = arith.addi %125, %63 : tensor<1x64xi32, #L10>
          %127 = arith.cmpi slt, %126, %69 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L10>
          %128 = "tk.broadcast"(%127) : (tensor<1x64xi1, #L10>) -> tensor<128x64xi1, #L12>
          %129 = arith.andi %70, %128 : tensor<128x64xi1, #L12>
          %130 = "tk.splat"(%arg17) : (i32) -> tensor<64xi32, #L10>
          %131 = arith.addi %130, %56 : tensor<64xi32, #L10>
          %132 = arith.cmpi slt, %131, %80 {constancy = array<i32: 16>} : tensor<64xi32, #L10>
          %133 = "tk.addptr"(%81, %131) : (tensor<64x!tk.ptr<f16>, #L10>, tensor<64xi32, #L10>) -> tensor<64x!tk.ptr<f16>, #L10>
          %134 = "tk.expand_dims"(%120) {axis = 0 : i32} : (tensor<64xf16, #L18>) -> tensor<1x64xf16, #L18>
          %135 = "tk.broadcast"(%134) : (tensor<1x64xf16, #L18>) -> tensor<128x64xf16, #L17>
          %136 = arith.mulf %118, %135 : tensor<128x64xf16, #L17>
          %137 = "tk.splat"(%arg17) : (i32) -> tensor<64x1xi32, #L9>
          %138 = arith.addi %137, %71 : tensor<64x1xi32, #L9>
          %139 = arith.muli %138, %72 : tensor<64x1xi32, #L9>
          %140 = "tk.addptr"(%73, %139) : (tensor<64x1x!tk.ptr<f16>, #L9>, tensor<64x1xi32, #L9>) -> tensor<64x1x!tk.ptr<f16>, #L9>
          %141 = "tk.broadcast"(%140) : (tensor<64x1x!tk.ptr<f16>, #L9>) -> tensor<64x256x!tk.ptr<f16>, #L13>
          %142 = "tk.addptr"(%141, %75) : (tensor<64x256x!tk.ptr<f16>, #L13>, tensor<64x256xi32, #L13>) -> tensor<64x256x!tk.ptr<f16>, #L13>
          %143 = arith.cmpi slt, %138, %76 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L9>
          %144 = "tk.broadcast"(%143) : (tensor<64x1xi1, #L9>) -> tensor<64x256xi1, #L13>
          %145 = arith.andi %144, %79 : tensor<64x256xi1, #L13>
          %146 = "tk.dot"(%136, %115, %arg18) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L17>, tensor<64x256xf16, #L4>, tensor<128x256xf32, #L11>) -> tensor<128x256xf32, #L11>
          %147 = arith.extf %117 : tensor<128x64xf16, #L12> to tensor<128x64xf32, #L12>
          %148 = arith.mulf %147, %147 : tensor<128x64xf32, #L12>
          %149 = "tk.partial_reduce"(%148) ({
          ^bb0(%arg22: f32, %arg23: f32):
            %158 = arith.addf %arg22, %arg23 : f32
            "tk.yield"(%158) : (f32) -> ()
          }) {axis = 1 : i32, products} : (tensor<128x64xf32, #L12>) -> tensor<128x8xf32, #L16>
          %150 = arith.addf %arg19, %149 : tensor<128x8xf32, #L16>
          %true = arith.constant true
          %c8_i32_11 = arith.constant 8 : i32
          %151 = arith.muli %arg20, %c8_i32_11 : i32
          %152 = arith.addi %5, %151 : i32
          "tk.mbarrier_arrive"(%152, %true) {together} : (i32, i1) -> ()
          %c1_i32_12 = arith.constant 1 : i32
          %153 = arith.addi %arg20, %c1_i32_12 : i32
          %c3_i32 = arith.constant 3 : i32
          %154 = arith.cmpi eq, %153, %c3_i32 : i32
          %c1_i32_13 = arith.constant 1 : i32
          %155 = arith.xori %arg21, %c1_i32_13 : i32
          %c0_i32_14 = arith.constant 0 : i32
          %156 = arith.select %154, %c0_i32_14, %153 : i32
          %157 = arith.select %154, %155, %arg21 : i32
          scf.yield %146, %150, %156, %157 : tensor<128x256xf32, #L11>, tensor<128x8xf32, #L16>, i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        %83 = "tk.reduce"(%82#1) ({
        ^bb0(%arg17: f32, %arg18: f32):
          %113 = arith.addf %arg17, %arg18 : f32
          "tk.yield"(%113) : (f32) -> ()
        }) {axis = 1 : i32, products} : (tensor<128x8xf32, #L16>) -> tensor<128xf32, #L7>
        %84 = "tk.splat"(%40) : (f32) -> tensor<128xf32, #L7>
        %85 = arith.divf %83, %84 : tensor<128xf32, #L7>
        %86 = "tk.splat"(%cst) : (f32) -> tensor<128xf32, #L7>
        %87 = arith.addf %85, %86 : tensor<128xf32, #L7>
        %88 = math.rsqrt %87 : tensor<128xf32, #L7>
        %89 = "tk.expand_dims"(%88) {axis = 1 : i32} : (tensor<128xf32, #L7>) -> tensor<128x1xf32, #L7>
        %90 = "tk.convert_layout"(%89) : (tensor<128x1xf32, #L7>) -> tensor<128x1xf32, #L19>
        %91 = "tk.broadcast"(%90) : (tensor<128x1xf32, #L19>) -> tensor<128x256xf32, #L11>
        %92 = arith.mulf %82#0, %91 : tensor<128x256xf32, #L11>
        %93 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L6>
        %94 = arith.muli %57, %93 : tensor<128x1xi32, #L6>
        %95 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L6>
        %96 = "tk.addptr"(%95, %94) : (tensor<128x1x!tk.ptr<f16>, #L6>, tensor<128x1xi32, #L6>) -> tensor<128x1x!tk.ptr<f16>, #L6>
        %97 = "tk.broadcast"(%96) : (tensor<128x1x!tk.ptr<f16>, #L6>) -> tensor<128x256x!tk.ptr<f16>, #L14>
        %98 = "tk.broadcast"(%74) : (tensor<1x256xi32, #L8>) -> tensor<128x256xi32, #L14>
        %99 = "tk.addptr"(%97, %98) : (tensor<128x256x!tk.ptr<f16>, #L14>, tensor<128x256xi32, #L14>) -> tensor<128x256x!tk.ptr<f16>, #L14>
        %100 = arith.truncf %92 : tensor<128x256xf32, #L11> to tensor<128x256xf16, #L11>
        %101 = "tk.convert_layout"(%100) : (tensor<128x256xf16, #L11>) -> tensor<128x256xf16, #L14>
        %102 = "tk.broadcast"(%67) : (tensor<128x1xi1, #L6>) -> tensor<128x256xi1, #L14>
        %103 = "tk.broadcast"(%78) : (tensor<1x256xi1, #L8>) -> tensor<128x256xi1, #L14>
        %104 = arith.andi %102, %103 : tensor<128x256xi1, #L14>
        %c0_i64 = arith.constant 0 : i64
        %c256_i64 = arith.constant 256 : i64
        %105 = arith.extsi %51 : i32 to i64
        %106 = arith.muli %c256_i64, %105 : i64
        %107 = arith.addi %c0_i64, %106 : i64
        %108 = arith.trunci %107 : i64 to i32
        %c0_i64_10 = arith.constant 0 : i64
        %c128_i64 = arith.constant 128 : i64
        %109 = arith.extsi %42 : i32 to i64
        %110 = arith.muli %c128_i64, %109 : i64
        %111 = arith.addi %c0_i64_10, %110 : i64
        %112 = arith.trunci %111 : i64 to i32
        "tk.bulk_store"(%arg10, %3, %100, %108, %112) : (!tk.tensor_map, tensor<32768xi8, #L5>, tensor<128x256xf16, #L11>, i32, i32) -> ()
        scf.yield %82#2, %82#3 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
