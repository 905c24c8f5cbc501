// chip: sm_100a
// show: scf.* tk.tensor_* tk.async_wait tk.smem_slot tk.warpgroup_dot tk.dot_wait tk.barrier return
// Products with scales: those are slots of shared memory, and have columns behind the sums. A product runs beside the next step.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 144, 288, 576, 1024, 2048, 4096, 8192>}
#L1 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 8192, 2049, 4098, 8196, 8, 16, 32, 64>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 4, 8, 16, 32, 64>, warp = array<i32: 1, 2>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L6 = {lane = array<i32: 16, 32, 64, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, warp = array<i32: 4, 8>}
#L8 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L9 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 2048, 8, 16, 32, 64>, warp = array<i32: 4096, 8192>}
#L10 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8, 2048, 4096, 8192>, warp = array<i32: 512, 1024>}
#L11 = {lane = array<i32: 2048, 4096, 8192, 1, 2>, register = array<i32: 128, 256, 512, 1024, 16, 32, 64>, warp = array<i32: 4, 8>}
#L12 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 128, 256>}
#L13 = {shared = array<i32: 1, 2, 128, 256, 4, 8, 16, 32, 64>}
#L14 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048, 4096, 8192>, warp = array<i32: 128, 256>}
module {
  func.func @mx(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 128 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 128, 128>, element = f8E4M3FN, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 128, 128>, element = f8E4M3FN, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 4 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<128x128xf8E4M3FN, #L0>
    %1 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<128x128xf8E4M3FN, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<32768xi8, #L2>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 4 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 4 : i32} : () -> i32
    "tk.specialise"() ({
      %5 = arith.muli %arg10, %arg11 : i32
      %6 = arith.muli %5, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %9:2 = scf.for %arg13 = %7 to %6 step %8 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg13, %arg10 : i32
        %11 = arith.remui %arg13, %arg10 : i32
        %12 = arith.remui %10, %arg11 : i32
        %13 = arith.divui %10, %arg11 : i32
        %c268435455_i32 = arith.constant 268435455 : i32
        %14 = arith.cmpi sle, %arg10, %c268435455_i32 : i32
        %c8_i32 = arith.constant 8 : i32
        %15 = arith.remui %12, %c8_i32 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %16 = arith.select %14, %15, %c0_i32_0 : i32
        %17 = arith.muli %16, %arg10 : i32
        %18 = arith.addi %17, %11 : i32
        %19 = arith.divui %12, %c8_i32 : i32
        %20 = arith.muli %19, %c8_i32 : i32
        %21 = arith.select %14, %20, %12 : i32
        %22 = arith.subi %arg11, %21 : i32
        %23 = arith.minsi %22, %c8_i32 : i32
        %c1_i32 = arith.constant 1 : i32
        %24 = arith.select %14, %23, %c1_i32 : i32
        %25 = arith.maxsi %24, %c1_i32 : i32
        %26 = arith.divui %18, %25 : i32
        %27 = arith.remui %18, %25 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %c128_i32 = arith.constant 128 : i32
        %28:2 = scf.for %arg16 = %c0_i32_1 to %arg5 step %c128_i32 iter_args(%arg17 = %arg14, %arg18 = %arg15) -> (i32, i32)  : i32 {
          %c1_i32_2 = arith.constant 1 : i32
          %29 = arith.xori %arg18, %c1_i32_2 : i32
          %c8_i32_3 = arith.constant 8 : i32
          %30 = arith.muli %arg17, %c8_i32_3 : i32
          %31 = arith.addi %4, %30 : i32
          "tk.mbarrier_wait"(%31, %29) : (i32, i32) -> ()
          %c8_i32_4 = arith.constant 8 : i32
          %32 = arith.muli %arg17, %c8_i32_4 : i32
          %33 = arith.addi %3, %32 : i32
          "tk.mbarrier_expect"(%33) {bytes = 32768 : i32} : (i32) -> ()
          %34 = "tk.smem_slot"(%0, %arg17) : (tensor<128x128xf8E4M3FN, #L0>, i32) -> tensor<128x128xf8E4M3FN, #L0>
          %c0_i64 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %35 = arith.extsi %arg16 : i32 to i64
          %36 = arith.muli %c1_i64, %35 : i64
          %37 = arith.addi %c0_i64, %36 : i64
          %38 = arith.trunci %37 : i64 to i32
          %c0_i64_5 = arith.constant 0 : i64
          %c128_i64 = arith.constant 128 : i64
          %39 = arith.extsi %26 : i32 to i64
          %40 = arith.muli %c128_i64, %39 : i64
          %41 = arith.addi %c0_i64_5, %40 : i64
          %42 = arith.trunci %41 : i64 to i32
          "tk.bulk_load"(%34, %arg7, %33, %38, %42) {inner = 128 : i32} : (tensor<128x128xf8E4M3FN, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %43 = "tk.smem_slot"(%1, %arg17) : (tensor<128x128xf8E4M3FN, #L1>, i32) -> tensor<128x128xf8E4M3FN, #L1>
          %c0_i64_6 = arith.constant 0 : i64
          %c1_i64_7 = arith.constant 1 : i64
          %44 = arith.extsi %arg16 : i32 to i64
          %45 = arith.muli %c1_i64_7, %44 : i64
          %46 = arith.addi %c0_i64_6, %45 : i64
          %47 = arith.trunci %46 : i64 to i32
          %c0_i64_8 = arith.constant 0 : i64
          %c128_i64_9 = arith.constant 128 : i64
          %48 = arith.extsi %21 : i32 to i64
          %49 = arith.muli %c128_i64_9, %48 : i64
          %50 = arith.addi %c0_i64_8, %49 : i64
          %c128_i64_10 = arith.constant 128 : i64
          %51 = arith.extsi %27 : i32 to i64
          %52 = arith.muli %c128_i64_10, %51 : i64
          %53 = arith.addi %50, %52 : i64
          %54 = arith.trunci %53 : i64 to i32
          "tk.bulk_load"(%43, %arg8, %33, %47, %54) {inner = 128 : i32} : (tensor<128x128xf8E4M3FN, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_11 = arith.constant 1 : i32
          %55 = arith.addi %arg17, %c1_i32_11 : i32
          %c4_i32 = arith.constant 4 : i32
          %56 = arith.cmpi eq, %55, %c4_i32 : i32
          %c1_i32_12 = arith.constant 1 : i32
          %57 = arith.xori %arg18, %c1_i32_12 : i32
          %c0_i32_13 = arith.constant 0 : i32
          %58 = arith.select %56, %c0_i32_13, %55 : i32
          %59 = arith.select %56, %57, %arg18 : i32
          scf.yield %58, %59 : i32, i32
        } {tk.pipeline = "4 slots, filled by a warp of their own"}
        scf.yield %28#0, %28#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %5 = arith.muli %arg10, %arg11 : i32
      %6 = arith.muli %5, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %9:2 = scf.for %arg13 = %7 to %6 step %8 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg13, %arg10 : i32
        %11 = arith.remui %arg13, %arg10 : i32
        %12 = arith.remui %10, %arg11 : i32
        %13 = arith.divui %10, %arg11 : i32
        %c268435455_i32 = arith.constant 268435455 : i32
        %14 = arith.cmpi sle, %arg10, %c268435455_i32 : i32
        %c8_i32 = arith.constant 8 : i32
        %c1_i32 = arith.constant 1 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %15 = arith.divui %12, %c8_i32 : i32
        %16 = arith.muli %15, %c8_i32 : i32
        %17 = arith.select %14, %16, %12 : i32
        %18 = arith.remui %12, %c8_i32 : i32
        %19 = arith.select %14, %18, %c0_i32_0 : i32
        %20 = arith.subi %arg11, %17 : i32
        %21 = arith.minsi %20, %c8_i32 : i32
        %22 = arith.select %14, %21, %c1_i32 : i32
        %23 = arith.maxsi %22, %c1_i32 : i32
        %24 = arith.muli %19, %arg10 : i32
        %25 = arith.addi %24, %11 : i32
        %26 = arith.remui %25, %23 : i32
        %27 = arith.addi %17, %26 : i32
        %28 = arith.divui %25, %23 : i32
        %c128_i32 = arith.constant 128 : i32
        %29 = arith.muli %28, %c128_i32 : i32
        %30 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
        %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
        %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L5>
        %33 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L6>
        %34 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L7>
        %35 = "tk.splat"(%29) : (i32) -> tensor<128xi32, #L4>
        %36 = "tk.splat"(%29) : (i32) -> tensor<128xi32, #L5>
        %37 = "tk.splat"(%29) : (i32) -> tensor<128xi32, #L7>
        %38 = arith.addi %35, %31 : tensor<128xi32, #L4>
        %39 = arith.addi %36, %32 : tensor<128xi32, #L5>
        %40 = arith.addi %37, %34 : tensor<128xi32, #L7>
        %41 = arith.muli %27, %c128_i32 : i32
        %42 = "tk.splat"(%41) : (i32) -> tensor<128xi32, #L3>
        %43 = "tk.splat"(%41) : (i32) -> tensor<128xi32, #L5>
        %44 = "tk.splat"(%41) : (i32) -> tensor<128xi32, #L7>
        %45 = arith.addi %42, %30 : tensor<128xi32, #L3>
        %46 = arith.addi %43, %32 : tensor<128xi32, #L5>
        %47 = arith.addi %44, %34 : tensor<128xi32, #L7>
        %48 = "tk.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #L8>
        %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L9>
        %c0_i32_1 = arith.constant 0 : i32
        %49 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<128xi32, #L4>) -> tensor<128x1xi32, #L4>
        %50 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<128xi32, #L5>) -> tensor<128x1xi32, #L5>
        %51 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<128xi32, #L7>) -> tensor<128x1xi32, #L7>
        %52 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L7>
        %53 = arith.muli %51, %52 : tensor<128x1xi32, #L7>
        %54 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<128x1x!tk.ptr<f8E4M3FN>, #L7>
        %55 = "tk.addptr"(%54, %53) : (tensor<128x1x!tk.ptr<f8E4M3FN>, #L7>, tensor<128x1xi32, #L7>) -> tensor<128x1x!tk.ptr<f8E4M3FN>, #L7>
        %56 = "tk.broadcast"(%55) : (tensor<128x1x!tk.ptr<f8E4M3FN>, #L7>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L10>
        %57 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<1x128xi32, #L3>
        %58 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<128xi32, #L7>) -> tensor<1x128xi32, #L7>
        %59 = "tk.splat"(%arg5) : (i32) -> tensor<1x128xi32, #L7>
        %60 = arith.muli %58, %59 : tensor<1x128xi32, #L7>
        %61 = "tk.splat"(%arg2) : (!tk.ptr<f8E4M3FN>) -> tensor<1x128x!tk.ptr<f8E4M3FN>, #L7>
        %62 = "tk.addptr"(%61, %60) : (tensor<1x128x!tk.ptr<f8E4M3FN>, #L7>, tensor<1x128xi32, #L7>) -> tensor<1x128x!tk.ptr<f8E4M3FN>, #L7>
        %63 = "tk.broadcast"(%62) : (tensor<1x128x!tk.ptr<f8E4M3FN>, #L7>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L11>
        %c32_i32 = arith.constant 32 : i32
        %64 = arith.divsi %arg5, %c32_i32 : i32
        %65 = "tk.splat"(%64) : (i32) -> tensor<128x1xi32, #L5>
        %66 = arith.muli %50, %65 : tensor<128x1xi32, #L5>
        %67 = "tk.splat"(%arg1) : (!tk.ptr<i8>) -> tensor<128x1x!tk.ptr<i8>, #L5>
        %68 = "tk.addptr"(%67, %66) : (tensor<128x1x!tk.ptr<i8>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<i8>, #L5>
        %69 = "tk.broadcast"(%68) : (tensor<128x1x!tk.ptr<i8>, #L5>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %70 = "tk.expand_dims"(%46) {axis = 1 : i32} : (tensor<128xi32, #L5>) -> tensor<128x1xi32, #L5>
        %71 = arith.muli %70, %65 : tensor<128x1xi32, #L5>
        %72 = "tk.splat"(%arg3) : (!tk.ptr<i8>) -> tensor<128x1x!tk.ptr<i8>, #L5>
        %73 = "tk.addptr"(%72, %71) : (tensor<128x1x!tk.ptr<i8>, #L5>, tensor<128x1xi32, #L5>) -> tensor<128x1x!tk.ptr<i8>, #L5>
        %74 = "tk.broadcast"(%73) : (tensor<128x1x!tk.ptr<i8>, #L5>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %75 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x4xi8, #L13>
        %76 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<128x4xi8, #L13>
        %c2_i32 = arith.constant 2 : i32
        %77 = arith.muli %c128_i32, %c2_i32 : i32
        %78 = arith.cmpi slt, %c0_i32_1, %arg5 : i32
        %79 = arith.divsi %c0_i32_1, %c32_i32 : i32
        %80 = "tk.splat"(%79) : (i32) -> tensor<4xi32, #L8>
        %81 = arith.addi %80, %48 : tensor<4xi32, #L8>
        %82 = "tk.expand_dims"(%81) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
        %83 = "tk.broadcast"(%82) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
        %84 = "tk.addptr"(%69, %83) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %85 = "tk.addptr"(%74, %83) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %c0_i32_2 = arith.constant 0 : i32
        %86 = "tk.smem_slot"(%75, %c0_i32_2) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
        %87 = "tk.splat"(%78) : (i1) -> tensor<128x4xi1, #L12>
        "tk.async_copy"(%86, %84, %87) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
        %88 = "tk.smem_slot"(%76, %c0_i32_2) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
        %89 = "tk.splat"(%78) : (i1) -> tensor<128x4xi1, #L12>
        "tk.async_copy"(%88, %85, %89) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
        "tk.async_commit"() : () -> ()
        %90 = arith.addi %c0_i32_1, %c128_i32 : i32
        %c128_i32_3 = arith.constant 128 : i32
        %91 = arith.addi %c0_i32_1, %c128_i32_3 : i32
        %92 = arith.cmpi slt, %91, %arg5 : i32
        %93 = arith.divsi %90, %c32_i32 : i32
        %94 = "tk.splat"(%93) : (i32) -> tensor<4xi32, #L8>
        %95 = arith.addi %94, %48 : tensor<4xi32, #L8>
        %96 = "tk.expand_dims"(%95) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
        %97 = "tk.broadcast"(%96) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
        %98 = "tk.addptr"(%69, %97) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %99 = "tk.addptr"(%74, %97) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
        %c1_i32_4 = arith.constant 1 : i32
        %100 = "tk.smem_slot"(%75, %c1_i32_4) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
        %101 = "tk.splat"(%92) : (i1) -> tensor<128x4xi1, #L12>
        "tk.async_copy"(%100, %98, %101) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
        %102 = "tk.smem_slot"(%76, %c1_i32_4) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
        %103 = "tk.splat"(%92) : (i1) -> tensor<128x4xi1, #L12>
        "tk.async_copy"(%102, %99, %103) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
        "tk.async_commit"() : () -> ()
        %104 = arith.addi %90, %c128_i32 : i32
        %c2_i32_5 = arith.constant 2 : i32
        %c0_i32_6 = arith.constant 0 : i32
        %105 = arith.cmpi slt, %c0_i32_1, %arg5 : i32
        %106:5 = scf.if %105 -> (tensor<128x128xf32, #L9>, i32, i32, i32, i32) {
          %134 = "tk.unwritten"() : () -> tensor<128x128xf32, #L9>
          %135:5 = scf.for %arg16 = %c0_i32_1 to %arg5 step %c128_i32 iter_args(%arg17 = %134, %arg18 = %arg14, %arg19 = %arg15, %arg20 = %c2_i32_5, %arg21 = %c0_i32_6) -> (tensor<128x128xf32, #L9>, i32, i32, i32, i32)  : i32 {
            "tk.async_wait"() {pending = 1 : i32, proxy} : () -> ()
            "tk.barrier"() : () -> ()
            %c8_i32_14 = arith.constant 8 : i32
            %137 = arith.muli %arg18, %c8_i32_14 : i32
            %138 = arith.addi %3, %137 : i32
            "tk.mbarrier_wait"(%138, %arg19) : (i32, i32) -> ()
            %139 = "tk.smem_slot"(%0, %arg18) : (tensor<128x128xf8E4M3FN, #L0>, i32) -> tensor<128x128xf8E4M3FN, #L0>
            %140 = "tk.smem_slot"(%1, %arg18) : (tensor<128x128xf8E4M3FN, #L1>, i32) -> tensor<128x128xf8E4M3FN, #L1>
            %141 = "tk.splat"(%arg16) : (i32) -> tensor<128xi32, #L6>
            %142 = arith.addi %141, %33 : tensor<128xi32, #L6>
            %143 = "tk.expand_dims"(%142) {axis = 0 : i32} : (tensor<128xi32, #L6>) -> tensor<1x128xi32, #L6>
            %144 = "tk.broadcast"(%143) : (tensor<1x128xi32, #L6>) -> tensor<128x128xi32, #L10>
            %145 = "tk.addptr"(%56, %144) : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L10>, tensor<128x128xi32, #L10>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L10>
            %146 = "tk.expand_dims"(%142) {axis = 1 : i32} : (tensor<128xi32, #L6>) -> tensor<128x1xi32, #L6>
            %147 = "tk.broadcast"(%146) : (tensor<128x1xi32, #L6>) -> tensor<128x128xi32, #L11>
            %148 = "tk.addptr"(%63, %147) : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L11>, tensor<128x128xi32, #L11>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L11>
            %149 = arith.divsi %arg16, %c32_i32 : i32
            %150 = "tk.splat"(%149) : (i32) -> tensor<4xi32, #L8>
            %151 = arith.addi %150, %48 : tensor<4xi32, #L8>
            %152 = "tk.expand_dims"(%151) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
            %153 = "tk.broadcast"(%152) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
            %154 = "tk.addptr"(%69, %153) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
            %155 = "tk.smem_slot"(%75, %arg21) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
            %156 = "tk.addptr"(%74, %153) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
            %157 = "tk.smem_slot"(%76, %arg21) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
            %true = arith.constant true
            %158 = arith.cmpi ne, %arg16, %c0_i32_1 : i32
            %159 = "tk.warpgroup_dot"(%139, %140, %arg17, %158, %155, %157) {instruction = "tcgen05.scale.e4m3"} : (tensor<128x128xf8E4M3FN, #L0>, tensor<128x128xf8E4M3FN, #L1>, tensor<128x128xf32, #L9>, i1, tensor<128x4xi8, #L13>, tensor<128x4xi8, #L13>) -> tensor<128x128xf32, #L9>
            %160 = "tk.dot_wait"(%159) {pending = 1 : i32} : (tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L9>
            "tk.barrier"() : () -> ()
            %161 = arith.addi %arg16, %77 : i32
            %c256_i32 = arith.constant 256 : i32
            %162 = arith.subi %arg5, %arg16 : i32
            %163 = arith.cmpi ugt, %162, %c256_i32 : i32
            %164 = arith.divsi %161, %c32_i32 : i32
            %165 = "tk.splat"(%164) : (i32) -> tensor<4xi32, #L8>
            %166 = arith.addi %165, %48 : tensor<4xi32, #L8>
            %167 = "tk.expand_dims"(%166) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
            %168 = "tk.broadcast"(%167) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
            %169 = "tk.addptr"(%69, %168) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
            %170 = "tk.addptr"(%74, %168) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
            %171 = "tk.smem_slot"(%75, %arg20) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
            %172 = "tk.splat"(%163) : (i1) -> tensor<128x4xi1, #L12>
            "tk.async_copy"(%171, %169, %172) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
            %173 = "tk.smem_slot"(%76, %arg20) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
            %174 = "tk.splat"(%163) : (i1) -> tensor<128x4xi1, #L12>
            "tk.async_copy"(%173, %170, %174) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
            "tk.async_commit"() : () -> ()
            %175 = arith.cmpi ne, %arg16, %c0_i32_1 : i32
            %c0_i32_15 = arith.constant 0 : i32
            %176 = arith.cmpi eq, %arg18, %c0_i32_15 : i32
            %c1_i32_16 = arith.constant 1 : i32
            %177 = arith.subi %arg18, %c1_i32_16 : i32
            %c1_i32_17 = arith.constant 1 : i32
            %178 = arith.xori %arg19, %c1_i32_17 : i32
            %c3_i32_18 = arith.constant 3 : i32
            %179 = arith.select %176, %c3_i32_18, %177 : i32
            %180 = arith.select %176, %178, %arg19 : i32
            %c8_i32_19 = arith.constant 8 : i32
            %181 = arith.muli %179, %c8_i32_19 : i32
            %182 = arith.addi %4, %181 : i32
            "tk.mbarrier_arrive"(%182, %175) : (i32, i1) -> ()
            %c1_i32_20 = arith.constant 1 : i32
            %183 = arith.addi %arg18, %c1_i32_20 : i32
            %c4_i32 = arith.constant 4 : i32
            %184 = arith.cmpi eq, %183, %c4_i32 : i32
            %c1_i32_21 = arith.constant 1 : i32
            %185 = arith.xori %arg19, %c1_i32_21 : i32
            %c0_i32_22 = arith.constant 0 : i32
            %186 = arith.select %184, %c0_i32_22, %183 : i32
            %187 = arith.select %184, %185, %arg19 : i32
            %c1_i32_23 = arith.constant 1 : i32
            %188 = arith.addi %arg20, %c1_i32_23 : i32
            %c3_i32_24 = arith.constant 3 : i32
            %189 = arith.cmpi slt, %188, %c3_i32_24 : i32
            %c0_i32_25 = arith.constant 0 : i32
            %190 = arith.select %189, %188, %c0_i32_25 : i32
            %c1_i32_26 = arith.constant 1 : i32
            %191 = arith.addi %arg21, %c1_i32_26 : i32
            %c3_i32_27 = arith.constant 3 : i32
            %192 = arith.cmpi slt, %191, %c3_i32_27 : i32
            %c0_i32_28 = arith.constant 0 : i32
            %193 = arith.select %192, %191, %c0_i32_28 : i32
            scf.yield %160, %186, %187, %190, %193 : tensor<128x128xf32, #L9>, i32, i32, i32, i32
          } {tk.pipeline = "3 stages"}
          %136 = "tk.dot_wait"(%135#0) {pending = 0 : i32} : (tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L9>
          scf.yield %136, %135#1, %135#2, %135#3, %135#4 : tensor<128x128xf32, #L9>, i32, i32, i32, i32
        } else {
          %cst_14 = arith.constant 0.000000e+00 : f32
          %134 = "tk.opaque"(%cst_14) : (f32) -> f32
          %135 = "tk.splat"(%134) : (f32) -> tensor<128x128xf32, #L9>
          scf.yield %135, %arg14, %arg15, %c2_i32_5, %c0_i32_6 : tensor<128x128xf32, #L9>, i32, i32, i32, i32
        }
        "tk.async_wait"() {pending = 0 : i32} : () -> ()
        %107 = arith.cmpi slt, %c0_i32_1, %arg5 : i32
        %c0_i32_7 = arith.constant 0 : i32
        %108 = arith.cmpi eq, %106#1, %c0_i32_7 : i32
        %c1_i32_8 = arith.constant 1 : i32
        %109 = arith.subi %106#1, %c1_i32_8 : i32
        %c1_i32_9 = arith.constant 1 : i32
        %110 = arith.xori %106#2, %c1_i32_9 : i32
        %c3_i32 = arith.constant 3 : i32
        %111 = arith.select %108, %c3_i32, %109 : i32
        %112 = arith.select %108, %110, %106#2 : i32
        %c8_i32_10 = arith.constant 8 : i32
        %113 = arith.muli %111, %c8_i32_10 : i32
        %114 = arith.addi %4, %113 : i32
        "tk.mbarrier_arrive"(%114, %107) : (i32, i1) -> ()
        %115 = "tk.convert_layout"(%106#0) : (tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L14>
        %116 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L4>
        %117 = arith.muli %49, %116 : tensor<128x1xi32, #L4>
        %118 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %119 = "tk.addptr"(%118, %117) : (tensor<128x1x!tk.ptr<f32>, #L4>, tensor<128x1xi32, #L4>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %120 = "tk.broadcast"(%119) : (tensor<128x1x!tk.ptr<f32>, #L4>) -> tensor<128x128x!tk.ptr<f32>, #L14>
        %121 = "tk.broadcast"(%57) : (tensor<1x128xi32, #L3>) -> tensor<128x128xi32, #L14>
        %122 = "tk.addptr"(%120, %121) : (tensor<128x128x!tk.ptr<f32>, #L14>, tensor<128x128xi32, #L14>) -> tensor<128x128x!tk.ptr<f32>, #L14>
        %c0_i64 = arith.constant 0 : i64
        %c128_i64 = arith.constant 128 : i64
        %123 = arith.extsi %17 : i32 to i64
        %124 = arith.muli %c128_i64, %123 : i64
        %125 = arith.addi %c0_i64, %124 : i64
        %c128_i64_11 = arith.constant 128 : i64
        %126 = arith.extsi %26 : i32 to i64
        %127 = arith.muli %c128_i64_11, %126 : i64
        %128 = arith.addi %125, %127 : i64
        %129 = arith.trunci %128 : i64 to i32
        %c0_i64_12 = arith.constant 0 : i64
        %c128_i64_13 = arith.constant 128 : i64
        %130 = arith.extsi %28 : i32 to i64
        %131 = arith.muli %c128_i64_13, %130 : i64
        %132 = arith.addi %c0_i64_12, %131 : i64
        %133 = arith.trunci %132 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %106#0, %129, %133) : (!tk.tensor_map, tensor<32768xi8, #L2>, tensor<128x128xf32, #L9>, i32, i32) -> ()
        scf.yield %106#1, %106#2 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

