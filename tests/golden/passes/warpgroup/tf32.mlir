// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup_dot tk.dot* tk.smem_* tk.bulk_* tk.barrier tk.round_tf32
// f32 operands of warpgroups, which these would cut to tf32: the maps of what tensor copies bring are of that type.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 36, 72, 144, 256, 512, 1024>}
#L1 = {shared = array<i32: 64, 128, 256, 512, 1024, 257, 514, 1028, 8, 16, 32>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>}
#L3 = {lane = array<i32: 4, 8, 16, 32, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 8, 16, 32>, warp = array<i32: 2, 4>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L6 = {lane = array<i32: 4, 8, 16, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L8 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024>, warp = array<i32: 128, 256>}
#L9 = {lane = array<i32: 256, 512, 1024, 1, 2>, register = array<i32: 64, 128, 16, 32>, warp = array<i32: 4, 8>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @k(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 3, -1, 1>, swizzle = 128 : i32}}, %arg5: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 3, -1, 1>, swizzle = 128 : i32}}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: i32 {tk.hidden = "grid_x"}, %arg8: i32 {tk.hidden = "grid_y"}, %arg9: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x32xf32, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x64xf32, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<16384xi8, #L2>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %5 = arith.muli %arg7, %arg8 : i32
      %6 = arith.muli %5, %arg9 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %9:2 = scf.for %arg10 = %7 to %6 step %8 iter_args(%arg11 = %c0_i32, %arg12 = %c0_i32) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg10, %arg7 : i32
        %11 = arith.remui %arg10, %arg7 : i32
        %12 = arith.remui %10, %arg8 : i32
        %13 = arith.divui %10, %arg8 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %c32_i32 = arith.constant 32 : i32
        %14:2 = scf.for %arg13 = %c0_i32_0 to %arg3 step %c32_i32 iter_args(%arg14 = %arg11, %arg15 = %arg12) -> (i32, i32)  : i32 {
          %c1_i32 = arith.constant 1 : i32
          %15 = arith.xori %arg15, %c1_i32 : i32
          %c8_i32 = arith.constant 8 : i32
          %16 = arith.muli %arg14, %c8_i32 : i32
          %17 = arith.addi %4, %16 : i32
          "tk.mbarrier_wait"(%17, %15) : (i32, i32) -> ()
          %c8_i32_1 = arith.constant 8 : i32
          %18 = arith.muli %arg14, %c8_i32_1 : i32
          %19 = arith.addi %3, %18 : i32
          "tk.mbarrier_expect"(%19) {bytes = 16384 : i32} : (i32) -> ()
          %20 = "tk.smem_slot"(%0, %arg14) : (tensor<64x32xf32, #L0>, i32) -> tensor<64x32xf32, #L0>
          %c0_i64 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %21 = arith.extsi %arg13 : i32 to i64
          %22 = arith.muli %c1_i64, %21 : i64
          %23 = arith.addi %c0_i64, %22 : i64
          %24 = arith.trunci %23 : i64 to i32
          %c0_i64_2 = arith.constant 0 : i64
          %25 = arith.trunci %c0_i64_2 : i64 to i32
          "tk.bulk_load"(%20, %arg4, %19, %24, %25) {inner = 32 : i32} : (tensor<64x32xf32, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %26 = "tk.smem_slot"(%1, %arg14) : (tensor<32x64xf32, #L1>, i32) -> tensor<32x64xf32, #L1>
          %c0_i64_3 = arith.constant 0 : i64
          %c1_i64_4 = arith.constant 1 : i64
          %27 = arith.extsi %arg13 : i32 to i64
          %28 = arith.muli %c1_i64_4, %27 : i64
          %29 = arith.addi %c0_i64_3, %28 : i64
          %30 = arith.trunci %29 : i64 to i32
          %c0_i64_5 = arith.constant 0 : i64
          %31 = arith.trunci %c0_i64_5 : i64 to i32
          "tk.bulk_load"(%26, %arg5, %19, %30, %31) {inner = 32 : i32} : (tensor<32x64xf32, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_6 = arith.constant 1 : i32
          %32 = arith.addi %arg14, %c1_i32_6 : i32
          %c3_i32 = arith.constant 3 : i32
          %33 = arith.cmpi eq, %32, %c3_i32 : i32
          %c1_i32_7 = arith.constant 1 : i32
          %34 = arith.xori %arg15, %c1_i32_7 : i32
          %c0_i32_8 = arith.constant 0 : i32
          %35 = arith.select %33, %c0_i32_8, %32 : i32
          %36 = arith.select %33, %34, %arg15 : i32
          scf.yield %35, %36 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        scf.yield %14#0, %14#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %5 = arith.muli %arg7, %arg8 : i32
      %6 = arith.muli %5, %arg9 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %9:2 = scf.for %arg10 = %7 to %6 step %8 iter_args(%arg11 = %c0_i32, %arg12 = %c0_i32) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg10, %arg7 : i32
        %11 = arith.remui %arg10, %arg7 : i32
        %12 = arith.remui %10, %arg8 : i32
        %13 = arith.divui %10, %arg8 : i32
        %14 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
        %15 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %16 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
        %17 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L6>
        %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L7>
        %c0_i32_0 = arith.constant 0 : i32
        %c32_i32 = arith.constant 32 : i32
        %18 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
        %19 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
        %20 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L5>
        %21 = arith.muli %19, %20 : tensor<64x1xi32, #L5>
        %22 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L5>
        %23 = "tk.addptr"(%22, %21) : (tensor<64x1x!tk.ptr<f32>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f32>, #L5>
        %24 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<32xi32, #L6>) -> tensor<1x32xi32, #L6>
        %25 = "tk.broadcast"(%24) : (tensor<1x32xi32, #L6>) -> tensor<64x32xi32, #L8>
        %26 = "tk.expand_dims"(%14) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %27 = "tk.expand_dims"(%16) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
        %28 = "tk.splat"(%arg3) : (i32) -> tensor<1x64xi32, #L5>
        %29 = arith.muli %27, %28 : tensor<1x64xi32, #L5>
        %30 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<1x64x!tk.ptr<f32>, #L5>
        %31 = "tk.addptr"(%30, %29) : (tensor<1x64x!tk.ptr<f32>, #L5>, tensor<1x64xi32, #L5>) -> tensor<1x64x!tk.ptr<f32>, #L5>
        %32 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<32xi32, #L6>) -> tensor<32x1xi32, #L6>
        %33 = "tk.broadcast"(%32) : (tensor<32x1xi32, #L6>) -> tensor<32x64xi32, #L9>
        %34:3 = scf.for %arg13 = %c0_i32_0 to %arg3 step %c32_i32 iter_args(%arg14 = %cst, %arg15 = %arg11, %arg16 = %arg12) -> (tensor<64x64xf32, #L7>, i32, i32)  : i32 {
          %c8_i32_5 = arith.constant 8 : i32
          %52 = arith.muli %arg15, %c8_i32_5 : i32
          %53 = arith.addi %3, %52 : i32
          "tk.mbarrier_wait"(%53, %arg16) : (i32, i32) -> ()
          %54 = "tk.smem_slot"(%0, %arg15) : (tensor<64x32xf32, #L0>, i32) -> tensor<64x32xf32, #L0>
          %55 = "tk.smem_slot"(%1, %arg15) : (tensor<32x64xf32, #L1>, i32) -> tensor<32x64xf32, #L1>
          %56 = "tk.splat"(%arg13) : (i32) -> tensor<64x1xi32, #L5>
          %57 = "tk.addptr"(%23, %56) : (tensor<64x1x!tk.ptr<f32>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f32>, #L5>
          %58 = "tk.broadcast"(%57) : (tensor<64x1x!tk.ptr<f32>, #L5>) -> tensor<64x32x!tk.ptr<f32>, #L8>
          %59 = "tk.addptr"(%58, %25) : (tensor<64x32x!tk.ptr<f32>, #L8>, tensor<64x32xi32, #L8>) -> tensor<64x32x!tk.ptr<f32>, #L8>
          %60 = "tk.splat"(%arg13) : (i32) -> tensor<1x64xi32, #L5>
          %61 = "tk.addptr"(%31, %60) : (tensor<1x64x!tk.ptr<f32>, #L5>, tensor<1x64xi32, #L5>) -> tensor<1x64x!tk.ptr<f32>, #L5>
          %62 = "tk.broadcast"(%61) : (tensor<1x64x!tk.ptr<f32>, #L5>) -> tensor<32x64x!tk.ptr<f32>, #L9>
          %63 = "tk.addptr"(%62, %33) : (tensor<32x64x!tk.ptr<f32>, #L9>, tensor<32x64xi32, #L9>) -> tensor<32x64x!tk.ptr<f32>, #L9>
          %64 = "tk.dot"(%54, %55, %arg14) {in_flight = 1 : i32, instruction = "wgmma.tf32", precision = "tf32"} : (tensor<64x32xf32, #L0>, tensor<32x64xf32, #L1>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
          %65 = arith.cmpi ne, %arg13, %c0_i32_0 : i32
          %c0_i32_6 = arith.constant 0 : i32
          %66 = arith.cmpi eq, %arg15, %c0_i32_6 : i32
          %c1_i32_7 = arith.constant 1 : i32
          %67 = arith.subi %arg15, %c1_i32_7 : i32
          %c1_i32_8 = arith.constant 1 : i32
          %68 = arith.xori %arg16, %c1_i32_8 : i32
          %c2_i32_9 = arith.constant 2 : i32
          %69 = arith.select %66, %c2_i32_9, %67 : i32
          %70 = arith.select %66, %68, %arg16 : i32
          %c8_i32_10 = arith.constant 8 : i32
          %71 = arith.muli %69, %c8_i32_10 : i32
          %72 = arith.addi %4, %71 : i32
          "tk.mbarrier_arrive"(%72, %65) : (i32, i1) -> ()
          %c1_i32_11 = arith.constant 1 : i32
          %73 = arith.addi %arg15, %c1_i32_11 : i32
          %c3_i32 = arith.constant 3 : i32
          %74 = arith.cmpi eq, %73, %c3_i32 : i32
          %c1_i32_12 = arith.constant 1 : i32
          %75 = arith.xori %arg16, %c1_i32_12 : i32
          %c0_i32_13 = arith.constant 0 : i32
          %76 = arith.select %74, %c0_i32_13, %73 : i32
          %77 = arith.select %74, %75, %arg16 : i32
          scf.yield %64, %76, %77 : tensor<64x64xf32, #L7>, i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        %35 = arith.cmpi slt, %c0_i32_0, %arg3 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %36 = arith.cmpi eq, %34#1, %c0_i32_1 : i32
        %c1_i32 = arith.constant 1 : i32
        %37 = arith.subi %34#1, %c1_i32 : i32
        %c1_i32_2 = arith.constant 1 : i32
        %38 = arith.xori %34#2, %c1_i32_2 : i32
        %c2_i32 = arith.constant 2 : i32
        %39 = arith.select %36, %c2_i32, %37 : i32
        %40 = arith.select %36, %38, %34#2 : i32
        %c8_i32 = arith.constant 8 : i32
        %41 = arith.muli %39, %c8_i32 : i32
        %42 = arith.addi %4, %41 : i32
        "tk.mbarrier_arrive"(%42, %35) : (i32, i1) -> ()
        %43 = "tk.convert_layout"(%34#0) : (tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L10>
        %cst_3 = arith.constant dense<64> : tensor<64x1xi32, #L4>
        %44 = arith.muli %18, %cst_3 : tensor<64x1xi32, #L4>
        %45 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %46 = "tk.addptr"(%45, %44) : (tensor<64x1x!tk.ptr<f32>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %47 = "tk.broadcast"(%46) : (tensor<64x1x!tk.ptr<f32>, #L4>) -> tensor<64x64x!tk.ptr<f32>, #L10>
        %48 = "tk.broadcast"(%26) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L10>
        %49 = "tk.addptr"(%47, %48) : (tensor<64x64x!tk.ptr<f32>, #L10>, tensor<64x64xi32, #L10>) -> tensor<64x64x!tk.ptr<f32>, #L10>
        %c0_i64 = arith.constant 0 : i64
        %50 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_4 = arith.constant 0 : i64
        %51 = arith.trunci %c0_i64_4 : i64 to i32
        "tk.bulk_store"(%arg6, %2, %34#0, %50, %51) : (!tk.tensor_map, tensor<16384xi8, #L2>, tensor<64x64xf32, #L7>, i32, i32) -> ()
        scf.yield %34#1, %34#2 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

