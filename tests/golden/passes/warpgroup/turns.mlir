// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.warpgroup_dot tk.dot* tk.smem_* tk.mbarrier_* tk.bulk_* tk.async_* tk.barrier tk.unwritten tk.opaque tk.convert_layout tk.store tk.load
// The first warpgroup tells the second that its products of a slot are under way, which go on beside that.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L4 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32>, warp = array<i32: 4, 8, 16>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 256, 512, 1024>}
#L9 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
module {
  func.func @turns(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32, tk.slim_producer} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<16384xi8, #L1>
    %2 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L2>
    %3 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L2>
    %4 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %5 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 2 : i32} : () -> i32
    %6 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    %7 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %8 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %9 = arith.muli %arg10, %arg11 : i32
      %10 = arith.muli %9, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %11 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %12 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %13:4 = scf.for %arg13 = %11 to %10 step %12 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32, %arg17 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %14 = arith.divui %arg13, %arg10 : i32
        %15 = arith.remui %arg13, %arg10 : i32
        %16 = arith.remui %14, %arg11 : i32
        %17 = arith.divui %14, %arg11 : i32
        %c1_i32 = arith.constant 1 : i32
        %18 = arith.xori %arg17, %c1_i32 : i32
        %c8_i32 = arith.constant 8 : i32
        %19 = arith.muli %arg16, %c8_i32 : i32
        %20 = arith.addi %5, %19 : i32
        "tk.mbarrier_wait"(%20, %18) : (i32, i32) -> ()
        %c8_i32_0 = arith.constant 8 : i32
        %21 = arith.muli %arg16, %c8_i32_0 : i32
        %22 = arith.addi %4, %21 : i32
        "tk.mbarrier_expect"(%22) {bytes = 32768 : i32} : (i32) -> ()
        %23 = "tk.smem_slot"(%2, %arg16) : (tensor<128x64xf16, #L2>, i32) -> tensor<128x64xf16, #L2>
        %c0_i64 = arith.constant 0 : i64
        %24 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_1 = arith.constant 0 : i64
        %c128_i64 = arith.constant 128 : i64
        %25 = arith.extsi %15 : i32 to i64
        %26 = arith.muli %c128_i64, %25 : i64
        %27 = arith.addi %c0_i64_1, %26 : i64
        %28 = arith.trunci %27 : i64 to i32
        "tk.bulk_load"(%23, %arg7, %22, %24, %28) {inner = 64 : i32} : (tensor<128x64xf16, #L2>, !tk.tensor_map, i32, i32, i32) -> ()
        %29 = "tk.smem_slot"(%3, %arg16) : (tensor<128x64xf16, #L2>, i32) -> tensor<128x64xf16, #L2>
        %c0_i64_2 = arith.constant 0 : i64
        %30 = arith.trunci %c0_i64_2 : i64 to i32
        %c0_i64_3 = arith.constant 0 : i64
        %c128_i64_4 = arith.constant 128 : i64
        %31 = arith.extsi %15 : i32 to i64
        %32 = arith.muli %c128_i64_4, %31 : i64
        %33 = arith.addi %c0_i64_3, %32 : i64
        %34 = arith.trunci %33 : i64 to i32
        "tk.bulk_load"(%29, %arg8, %22, %30, %34) {inner = 64 : i32} : (tensor<128x64xf16, #L2>, !tk.tensor_map, i32, i32, i32) -> ()
        %c0_i32_5 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %35:2 = scf.for %arg18 = %c0_i32_5 to %arg4 step %c64_i32 iter_args(%arg19 = %arg14, %arg20 = %arg15) -> (i32, i32)  : i32 {
          %c1_i32_9 = arith.constant 1 : i32
          %40 = arith.xori %arg20, %c1_i32_9 : i32
          %c8_i32_10 = arith.constant 8 : i32
          %41 = arith.muli %arg19, %c8_i32_10 : i32
          %42 = arith.addi %8, %41 : i32
          "tk.mbarrier_wait"(%42, %40) : (i32, i32) -> ()
          %c8_i32_11 = arith.constant 8 : i32
          %43 = arith.muli %arg19, %c8_i32_11 : i32
          %44 = arith.addi %7, %43 : i32
          "tk.mbarrier_expect"(%44) {bytes = 8192 : i32} : (i32) -> ()
          %45 = "tk.smem_slot"(%0, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c0_i64_12 = arith.constant 0 : i64
          %46 = arith.trunci %c0_i64_12 : i64 to i32
          %c0_i64_13 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %47 = arith.extsi %arg18 : i32 to i64
          %48 = arith.muli %c1_i64, %47 : i64
          %49 = arith.addi %c0_i64_13, %48 : i64
          %50 = arith.trunci %49 : i64 to i32
          "tk.bulk_load"(%45, %arg6, %44, %46, %50) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_14 = arith.constant 1 : i32
          %51 = arith.addi %arg19, %c1_i32_14 : i32
          %c3_i32 = arith.constant 3 : i32
          %52 = arith.cmpi eq, %51, %c3_i32 : i32
          %c1_i32_15 = arith.constant 1 : i32
          %53 = arith.xori %arg20, %c1_i32_15 : i32
          %c0_i32_16 = arith.constant 0 : i32
          %54 = arith.select %52, %c0_i32_16, %51 : i32
          %55 = arith.select %52, %53, %arg20 : i32
          scf.yield %54, %55 : i32, i32
        }
        %c1_i32_6 = arith.constant 1 : i32
        %36 = arith.xori %arg17, %c1_i32_6 : i32
        %c0_i32_7 = arith.constant 0 : i32
        %37 = arith.cmpi ne, %arg16, %c0_i32_7 : i32
        %c1_i32_8 = arith.constant 1 : i32
        %38 = arith.xori %arg16, %c1_i32_8 : i32
        %39 = arith.select %37, %36, %arg17 : i32
        scf.yield %35#0, %35#1, %38, %39 : i32, i32, i32, i32
      }
      "tk.yield"() : () -> ()
    }, {
      %9 = "tk.warpgroup"() : () -> i32
      %c0_i32 = arith.constant 0 : i32
      %10 = arith.cmpi eq, %9, %c0_i32 : i32
      %11 = arith.select %10, %7, %6 : i32
      %12 = arith.muli %arg10, %arg11 : i32
      %13 = arith.muli %12, %arg12 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %14 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %15 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %16:4 = scf.for %arg13 = %14 to %13 step %15 iter_args(%arg14 = %c0_i32_0, %arg15 = %c0_i32_0, %arg16 = %c0_i32_0, %arg17 = %c0_i32_0) -> (i32, i32, i32, i32)  : i32 {
        %17 = arith.divui %arg13, %arg10 : i32
        %18 = arith.remui %arg13, %arg10 : i32
        %19 = arith.remui %17, %arg11 : i32
        %20 = arith.divui %17, %arg11 : i32
        %c128_i32 = arith.constant 128 : i32
        %21 = arith.muli %18, %c128_i32 : i32
        %22 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
        %23 = "tk.splat"(%21) : (i32) -> tensor<128xi32, #L3>
        %24 = arith.addi %23, %22 : tensor<128xi32, #L3>
        %25 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %26 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
        %27 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
        %28 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L3>
        %29 = arith.muli %27, %28 : tensor<128x1xi32, #L3>
        %30 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %31 = "tk.addptr"(%30, %29) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %32 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
        %33 = "tk.broadcast"(%31) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %34 = "tk.broadcast"(%32) : (tensor<1x64xi32, #L5>) -> tensor<128x64xi32, #L6>
        %35 = "tk.addptr"(%33, %34) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %36 = "tk.smem_slot"(%2, %arg16) : (tensor<128x64xf16, #L2>, i32) -> tensor<128x64xf16, #L2>
        %37 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %38 = "tk.addptr"(%37, %29) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %39 = "tk.broadcast"(%38) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %40 = "tk.addptr"(%39, %34) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %41 = "tk.smem_slot"(%3, %arg16) : (tensor<128x64xf16, #L2>, i32) -> tensor<128x64xf16, #L2>
        %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #L7>
        %c0_i32_1 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %42 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L4>
        %43 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
        %44 = "tk.broadcast"(%32) : (tensor<1x64xi32, #L5>) -> tensor<64x64xi32, #L8>
        %45 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L4>
        %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L8>
        %c8_i32 = arith.constant 8 : i32
        %46 = arith.muli %arg16, %c8_i32 : i32
        %47 = arith.addi %4, %46 : i32
        "tk.mbarrier_wait"(%47, %arg17) : (i32, i32) -> ()
        %48 = arith.cmpi slt, %c0_i32_1, %arg4 : i32
        %49:3 = scf.if %48 -> (tensor<128x64xf32, #L7>, i32, i32) {
          %c8_i32_7 = arith.constant 8 : i32
          %67 = arith.muli %arg14, %c8_i32_7 : i32
          %68 = arith.addi %11, %67 : i32
          "tk.mbarrier_wait"(%68, %arg15) : (i32, i32) -> ()
          %69 = "tk.smem_slot"(%0, %arg14) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c1_i32_8 = arith.constant 1 : i32
          %70 = arith.addi %arg14, %c1_i32_8 : i32
          %c3_i32 = arith.constant 3 : i32
          %71 = arith.cmpi eq, %70, %c3_i32 : i32
          %c1_i32_9 = arith.constant 1 : i32
          %72 = arith.xori %arg15, %c1_i32_9 : i32
          %c0_i32_10 = arith.constant 0 : i32
          %73 = arith.select %71, %c0_i32_10, %70 : i32
          %74 = arith.select %71, %72, %arg15 : i32
          %75 = "tk.splat"(%c0_i32_1) : (i32) -> tensor<64xi32, #L4>
          %76 = arith.addi %75, %25 : tensor<64xi32, #L4>
          %77 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
          %78 = arith.muli %77, %42 : tensor<64x1xi32, #L4>
          %79 = "tk.addptr"(%43, %78) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
          %80 = "tk.broadcast"(%79) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L8>
          %81 = "tk.addptr"(%80, %44) : (tensor<64x64x!tk.ptr<f16>, #L8>, tensor<64x64xi32, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L8>
          %82 = arith.cmpi slt, %77, %45 : tensor<64x1xi32, #L4>
          %83 = "tk.broadcast"(%82) : (tensor<64x1xi1, #L4>) -> tensor<64x64xi1, #L8>
          %84 = "tk.smem_trans"(%69) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L9>
          %85 = "tk.dot"(%36, %84, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L2>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
          %86 = "tk.dot"(%41, %84, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L2>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
          %c8_i32_11 = arith.constant 8 : i32
          %87 = arith.muli %arg14, %c8_i32_11 : i32
          %88 = arith.addi %6, %87 : i32
          "tk.mbarrier_arrive"(%88, %10) {beside} : (i32, i1) -> ()
          %c8_i32_12 = arith.constant 8 : i32
          %89 = arith.muli %arg14, %c8_i32_12 : i32
          %90 = arith.addi %11, %89 : i32
          "tk.mbarrier_wait"(%90, %arg15) : (i32, i32) -> ()
          %91 = arith.mulf %85, %86 : tensor<128x64xf32, #L7>
          %92 = arith.truncf %91 : tensor<128x64xf32, #L7> to tensor<128x64xf16, #L7>
          %c64_i32_13 = arith.constant 64 : i32
          %93 = arith.addi %c0_i32_1, %c64_i32_13 : i32
          %94 = arith.cmpi slt, %93, %arg4 : i32
          %95 = arith.addi %c0_i32_1, %c64_i32 : i32
          %96 = arith.select %94, %95, %arg4 : i32
          %97:4 = scf.for %arg18 = %96 to %arg4 step %c64_i32 iter_args(%arg19 = %cst, %arg20 = %73, %arg21 = %74, %arg22 = %92) -> (tensor<128x64xf32, #L7>, i32, i32, tensor<128x64xf16, #L7>)  : i32 {
            %c8_i32_19 = arith.constant 8 : i32
            %108 = arith.muli %arg20, %c8_i32_19 : i32
            %109 = arith.addi %11, %108 : i32
            "tk.mbarrier_wait"(%109, %arg21) : (i32, i32) -> ()
            %110 = "tk.smem_slot"(%0, %arg20) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %c1_i32_20 = arith.constant 1 : i32
            %111 = arith.addi %arg20, %c1_i32_20 : i32
            %c3_i32_21 = arith.constant 3 : i32
            %112 = arith.cmpi eq, %111, %c3_i32_21 : i32
            %c1_i32_22 = arith.constant 1 : i32
            %113 = arith.xori %arg21, %c1_i32_22 : i32
            %c0_i32_23 = arith.constant 0 : i32
            %114 = arith.select %112, %c0_i32_23, %111 : i32
            %115 = arith.select %112, %113, %arg21 : i32
            %116 = "tk.splat"(%arg18) : (i32) -> tensor<64xi32, #L4>
            %117 = arith.addi %116, %25 : tensor<64xi32, #L4>
            %118 = "tk.expand_dims"(%117) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
            %119 = arith.muli %118, %42 : tensor<64x1xi32, #L4>
            %120 = "tk.addptr"(%43, %119) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
            %121 = "tk.broadcast"(%120) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L8>
            %122 = "tk.addptr"(%121, %44) : (tensor<64x64x!tk.ptr<f16>, #L8>, tensor<64x64xi32, #L8>) -> tensor<64x64x!tk.ptr<f16>, #L8>
            %123 = arith.cmpi slt, %118, %45 : tensor<64x1xi32, #L4>
            %124 = "tk.broadcast"(%123) : (tensor<64x1xi1, #L4>) -> tensor<64x64xi1, #L8>
            %125 = "tk.smem_trans"(%110) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L9>
            %c0_i32_24 = arith.constant 0 : i32
            %126 = arith.cmpi eq, %arg20, %c0_i32_24 : i32
            %c1_i32_25 = arith.constant 1 : i32
            %127 = arith.subi %arg20, %c1_i32_25 : i32
            %c1_i32_26 = arith.constant 1 : i32
            %128 = arith.xori %arg21, %c1_i32_26 : i32
            %c2_i32_27 = arith.constant 2 : i32
            %129 = arith.select %126, %c2_i32_27, %127 : i32
            %130 = arith.select %126, %128, %arg21 : i32
            %131 = "tk.smem_slot"(%0, %129) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %132 = "tk.dot"(%arg22, %131, %arg19) {ahead, instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L7>, tensor<64x64xf16, #L0>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
            %133 = "tk.dot"(%36, %125, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L2>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
            %134 = "tk.dot"(%41, %125, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L2>, tensor<64x64xf16, #L9>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
            %c8_i32_28 = arith.constant 8 : i32
            %135 = arith.muli %arg20, %c8_i32_28 : i32
            %136 = arith.addi %6, %135 : i32
            "tk.mbarrier_arrive"(%136, %10) {beside} : (i32, i1) -> ()
            %c8_i32_29 = arith.constant 8 : i32
            %137 = arith.muli %arg20, %c8_i32_29 : i32
            %138 = arith.addi %11, %137 : i32
            "tk.mbarrier_wait"(%138, %arg21) : (i32, i32) -> ()
            %139 = arith.mulf %133, %134 : tensor<128x64xf32, #L7>
            %c8_i32_30 = arith.constant 8 : i32
            %140 = arith.muli %arg20, %c8_i32_30 : i32
            %141 = arith.addi %11, %140 : i32
            "tk.mbarrier_wait"(%141, %arg21) : (i32, i32) -> ()
            %142 = "tk.dot_wait"(%132) {pending = 0 : i32} : (tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
            %true_31 = arith.constant true
            %c8_i32_32 = arith.constant 8 : i32
            %143 = arith.muli %129, %c8_i32_32 : i32
            %144 = arith.addi %8, %143 : i32
            "tk.mbarrier_arrive"(%144, %true_31) : (i32, i1) -> ()
            %c8_i32_33 = arith.constant 8 : i32
            %145 = arith.muli %arg20, %c8_i32_33 : i32
            %146 = arith.addi %11, %145 : i32
            "tk.mbarrier_wait"(%146, %arg21) : (i32, i32) -> ()
            %147 = arith.truncf %139 : tensor<128x64xf32, #L7> to tensor<128x64xf16, #L7>
            scf.yield %142, %114, %115, %147 : tensor<128x64xf32, #L7>, i32, i32, tensor<128x64xf16, #L7>
          }
          %c0_i32_14 = arith.constant 0 : i32
          %98 = arith.cmpi eq, %97#1, %c0_i32_14 : i32
          %c1_i32_15 = arith.constant 1 : i32
          %99 = arith.subi %97#1, %c1_i32_15 : i32
          %c1_i32_16 = arith.constant 1 : i32
          %100 = arith.xori %97#2, %c1_i32_16 : i32
          %c2_i32 = arith.constant 2 : i32
          %101 = arith.select %98, %c2_i32, %99 : i32
          %102 = arith.select %98, %100, %97#2 : i32
          %103 = "tk.smem_slot"(%0, %101) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %104 = "tk.dot"(%97#3, %103, %97#0) {ahead, instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L7>, tensor<64x64xf16, #L0>, tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
          %105 = "tk.dot_wait"(%104) {pending = 0 : i32} : (tensor<128x64xf32, #L7>) -> tensor<128x64xf32, #L7>
          %true_17 = arith.constant true
          %c8_i32_18 = arith.constant 8 : i32
          %106 = arith.muli %101, %c8_i32_18 : i32
          %107 = arith.addi %8, %106 : i32
          "tk.mbarrier_arrive"(%107, %true_17) : (i32, i1) -> ()
          scf.yield %105, %97#1, %97#2 : tensor<128x64xf32, #L7>, i32, i32
        } else {
          scf.yield %cst, %arg14, %arg15 : tensor<128x64xf32, #L7>, i32, i32
        }
        %true = arith.constant true
        %c8_i32_3 = arith.constant 8 : i32
        %50 = arith.muli %arg16, %c8_i32_3 : i32
        %51 = arith.addi %5, %50 : i32
        "tk.mbarrier_arrive"(%51, %true) : (i32, i1) -> ()
        %52 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %53 = "tk.addptr"(%52, %29) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
        %54 = "tk.broadcast"(%53) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %55 = "tk.addptr"(%54, %34) : (tensor<128x64x!tk.ptr<f16>, #L6>, tensor<128x64xi32, #L6>) -> tensor<128x64x!tk.ptr<f16>, #L6>
        %56 = arith.truncf %49#0 : tensor<128x64xf32, #L7> to tensor<128x64xf16, #L7>
        %57 = "tk.convert_layout"(%56) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L6>
        %c0_i64 = arith.constant 0 : i64
        %58 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_4 = arith.constant 0 : i64
        %c128_i64 = arith.constant 128 : i64
        %59 = arith.extsi %18 : i32 to i64
        %60 = arith.muli %c128_i64, %59 : i64
        %61 = arith.addi %c0_i64_4, %60 : i64
        %62 = arith.trunci %61 : i64 to i32
        "tk.bulk_store"(%arg9, %1, %56, %58, %62) : (!tk.tensor_map, tensor<16384xi8, #L1>, tensor<128x64xf16, #L7>, i32, i32) -> ()
        %c1_i32 = arith.constant 1 : i32
        %63 = arith.xori %arg17, %c1_i32 : i32
        %c0_i32_5 = arith.constant 0 : i32
        %64 = arith.cmpi ne, %arg16, %c0_i32_5 : i32
        %c1_i32_6 = arith.constant 1 : i32
        %65 = arith.xori %arg16, %c1_i32_6 : i32
        %66 = arith.select %64, %63, %arg17 : i32
        scf.yield %49#1, %49#2, %65, %66 : i32, i32, i32, i32
      }
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

