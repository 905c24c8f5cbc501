// chip: sm_100a
// show: scf.* tk.tensor_* tk.async_wait tk.smem_slot tk.warpgroup_dot tk.dot_wait tk.barrier return
// Products with scales: those are slots of shared memory, and have columns behind the sums.
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
        %105:5 = scf.for %arg16 = %c0_i32_1 to %arg5 step %c128_i32 iter_args(%arg17 = %cst, %arg18 = %arg14, %arg19 = %arg15, %arg20 = %c2_i32_5, %arg21 = %c0_i32_6) -> (tensor<128x128xf32, #L9>, i32, i32, i32, i32)  : i32 {
          "tk.async_wait"() {pending = 1 : i32, proxy} : () -> ()
          "tk.barrier"() : () -> ()
          %125 = arith.addi %arg16, %77 : i32
          %c256_i32 = arith.constant 256 : i32
          %126 = arith.subi %arg5, %arg16 : i32
          %127 = arith.cmpi ugt, %126, %c256_i32 : i32
          %128 = arith.divsi %125, %c32_i32 : i32
          %129 = "tk.splat"(%128) : (i32) -> tensor<4xi32, #L8>
          %130 = arith.addi %129, %48 : tensor<4xi32, #L8>
          %131 = "tk.expand_dims"(%130) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
          %132 = "tk.broadcast"(%131) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
          %133 = "tk.addptr"(%69, %132) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
          %134 = "tk.addptr"(%74, %132) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
          %135 = "tk.smem_slot"(%75, %arg20) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
          %136 = "tk.splat"(%127) : (i1) -> tensor<128x4xi1, #L12>
          "tk.async_copy"(%135, %133, %136) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
          %137 = "tk.smem_slot"(%76, %arg20) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
          %138 = "tk.splat"(%127) : (i1) -> tensor<128x4xi1, #L12>
          "tk.async_copy"(%137, %134, %138) {vector = 4 : i32} : (tensor<128x4xi8, #L13>, tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi1, #L12>) -> ()
          "tk.async_commit"() : () -> ()
          %c8_i32_10 = arith.constant 8 : i32
          %139 = arith.muli %arg18, %c8_i32_10 : i32
          %140 = arith.addi %3, %139 : i32
          "tk.mbarrier_wait"(%140, %arg19) : (i32, i32) -> ()
          %141 = "tk.smem_slot"(%0, %arg18) : (tensor<128x128xf8E4M3FN, #L0>, i32) -> tensor<128x128xf8E4M3FN, #L0>
          %142 = "tk.smem_slot"(%1, %arg18) : (tensor<128x128xf8E4M3FN, #L1>, i32) -> tensor<128x128xf8E4M3FN, #L1>
          %143 = "tk.splat"(%arg16) : (i32) -> tensor<128xi32, #L6>
          %144 = arith.addi %143, %33 : tensor<128xi32, #L6>
          %145 = "tk.expand_dims"(%144) {axis = 0 : i32} : (tensor<128xi32, #L6>) -> tensor<1x128xi32, #L6>
          %146 = "tk.broadcast"(%145) : (tensor<1x128xi32, #L6>) -> tensor<128x128xi32, #L10>
          %147 = "tk.addptr"(%56, %146) : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L10>, tensor<128x128xi32, #L10>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L10>
          %148 = "tk.expand_dims"(%144) {axis = 1 : i32} : (tensor<128xi32, #L6>) -> tensor<128x1xi32, #L6>
          %149 = "tk.broadcast"(%148) : (tensor<128x1xi32, #L6>) -> tensor<128x128xi32, #L11>
          %150 = "tk.addptr"(%63, %149) : (tensor<128x128x!tk.ptr<f8E4M3FN>, #L11>, tensor<128x128xi32, #L11>) -> tensor<128x128x!tk.ptr<f8E4M3FN>, #L11>
          %151 = arith.divsi %arg16, %c32_i32 : i32
          %152 = "tk.splat"(%151) : (i32) -> tensor<4xi32, #L8>
          %153 = arith.addi %152, %48 : tensor<4xi32, #L8>
          %154 = "tk.expand_dims"(%153) {axis = 0 : i32} : (tensor<4xi32, #L8>) -> tensor<1x4xi32, #L8>
          %155 = "tk.broadcast"(%154) : (tensor<1x4xi32, #L8>) -> tensor<128x4xi32, #L12>
          %156 = "tk.addptr"(%69, %155) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
          %157 = "tk.smem_slot"(%75, %arg21) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
          %158 = "tk.addptr"(%74, %155) : (tensor<128x4x!tk.ptr<i8>, #L12>, tensor<128x4xi32, #L12>) -> tensor<128x4x!tk.ptr<i8>, #L12>
          %159 = "tk.smem_slot"(%76, %arg21) : (tensor<128x4xi8, #L13>, i32) -> tensor<128x4xi8, #L13>
          %true = arith.constant true
          %160 = "tk.warpgroup_dot"(%141, %142, %arg17, %true, %157, %159) {instruction = "tcgen05.scale.e4m3"} : (tensor<128x128xf8E4M3FN, #L0>, tensor<128x128xf8E4M3FN, #L1>, tensor<128x128xf32, #L9>, i1, tensor<128x4xi8, #L13>, tensor<128x4xi8, #L13>) -> tensor<128x128xf32, #L9>
          %true_11 = arith.constant true
          %c8_i32_12 = arith.constant 8 : i32
          %161 = arith.muli %arg18, %c8_i32_12 : i32
          %162 = arith.addi %4, %161 : i32
          %163 = "tk.dot_wait"(%160) {pending = 0 : i32} : (tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L9>
          "tk.mbarrier_arrive"(%162, %true_11) : (i32, i1) -> ()
          %c1_i32_13 = arith.constant 1 : i32
          %164 = arith.addi %arg18, %c1_i32_13 : i32
          %c4_i32 = arith.constant 4 : i32
          %165 = arith.cmpi eq, %164, %c4_i32 : i32
          %c1_i32_14 = arith.constant 1 : i32
          %166 = arith.xori %arg19, %c1_i32_14 : i32
          %c0_i32_15 = arith.constant 0 : i32
          %167 = arith.select %165, %c0_i32_15, %164 : i32
          %168 = arith.select %165, %166, %arg19 : i32
          %c1_i32_16 = arith.constant 1 : i32
          %169 = arith.addi %arg20, %c1_i32_16 : i32
          %c3_i32 = arith.constant 3 : i32
          %170 = arith.cmpi slt, %169, %c3_i32 : i32
          %c0_i32_17 = arith.constant 0 : i32
          %171 = arith.select %170, %169, %c0_i32_17 : i32
          %c1_i32_18 = arith.constant 1 : i32
          %172 = arith.addi %arg21, %c1_i32_18 : i32
          %c3_i32_19 = arith.constant 3 : i32
          %173 = arith.cmpi slt, %172, %c3_i32_19 : i32
          %c0_i32_20 = arith.constant 0 : i32
          %174 = arith.select %173, %172, %c0_i32_20 : i32
          scf.yield %163, %167, %168, %171, %174 : tensor<128x128xf32, #L9>, i32, i32, i32, i32
        } {tk.pipeline = "3 stages"}
        "tk.async_wait"() {pending = 0 : i32} : () -> ()
        %106 = "tk.convert_layout"(%105#0) : (tensor<128x128xf32, #L9>) -> tensor<128x128xf32, #L14>
        %107 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L4>
        %108 = arith.muli %49, %107 : tensor<128x1xi32, #L4>
        %109 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %110 = "tk.addptr"(%109, %108) : (tensor<128x1x!tk.ptr<f32>, #L4>, tensor<128x1xi32, #L4>) -> tensor<128x1x!tk.ptr<f32>, #L4>
        %111 = "tk.broadcast"(%110) : (tensor<128x1x!tk.ptr<f32>, #L4>) -> tensor<128x128x!tk.ptr<f32>, #L14>
        %112 = "tk.broadcast"(%57) : (tensor<1x128xi32, #L3>) -> tensor<128x128xi32, #L14>
        %113 = "tk.addptr"(%111, %112) : (tensor<128x128x!tk.ptr<f32>, #L14>, tensor<128x128xi32, #L14>) -> tensor<128x128x!tk.ptr<f32>, #L14>
        %c0_i64 = arith.constant 0 : i64
        %c128_i64 = arith.constant 128 : i64
        %114 = arith.extsi %17 : i32 to i64
        %115 = arith.muli %c128_i64, %114 : i64
        %116 = arith.addi %c0_i64, %115 : i64
        %c128_i64_7 = arith.constant 128 : i64
        %117 = arith.extsi %26 : i32 to i64
        %118 = arith.muli %c128_i64_7, %117 : i64
        %119 = arith.addi %116, %118 : i64
        %120 = arith.trunci %119 : i64 to i32
        %c0_i64_8 = arith.constant 0 : i64
        %c128_i64_9 = arith.constant 128 : i64
        %121 = arith.extsi %28 : i32 to i64
        %122 = arith.muli %c128_i64_9, %121 : i64
        %123 = arith.addi %c0_i64_8, %122 : i64
        %124 = arith.trunci %123 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %105#0, %120, %124) : (!tk.tensor_map, tensor<32768xi8, #L2>, tensor<128x128xf32, #L9>, i32, i32) -> ()
        scf.yield %105#1, %105#2 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

