// chip: sm_90a
// show: scf.for tk.load tk.dot
// A loop of four steps: the vectors that scale the right operand are loaded a step ahead.
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L5 = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 64, 128, 256, 16, 32>, warp = array<i32: 4, 8>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L8 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 8, 512, 1024, 2048>, warp = array<i32: 16, 32>}
#L9 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
module {
  func.func @scaled_rows(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: i32 {tk.hidden = "grid_x"}, %arg8: i32 {tk.hidden = "grid_y"}, %arg9: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L1>
    %2 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %3 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %4 = arith.muli %arg7, %arg8 : i32
      %5 = arith.muli %4, %arg9 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %8:2 = scf.for %arg10 = %6 to %5 step %7 iter_args(%arg11 = %c0_i32, %arg12 = %c0_i32) -> (i32, i32)  : i32 {
        %9 = arith.divui %arg10, %arg7 : i32
        %10 = arith.remui %arg10, %arg7 : i32
        %11 = arith.remui %9, %arg8 : i32
        %12 = arith.divui %9, %arg8 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %c256_i32 = arith.constant 256 : i32
        %c64_i32 = arith.constant 64 : i32
        %13:2 = scf.for %arg13 = %c0_i32_0 to %c256_i32 step %c64_i32 iter_args(%arg14 = %arg11, %arg15 = %arg12) -> (i32, i32)  : i32 {
          %c1_i32 = arith.constant 1 : i32
          %14 = arith.xori %arg15, %c1_i32 : i32
          %c8_i32 = arith.constant 8 : i32
          %15 = arith.muli %arg14, %c8_i32 : i32
          %16 = arith.addi %3, %15 : i32
          "tk.mbarrier_wait"(%16, %14) : (i32, i32) -> ()
          %c8_i32_1 = arith.constant 8 : i32
          %17 = arith.muli %arg14, %c8_i32_1 : i32
          %18 = arith.addi %2, %17 : i32
          "tk.mbarrier_expect"(%18) {bytes = 16384 : i32} : (i32) -> ()
          %19 = "tk.smem_slot"(%0, %arg14) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c0_i64 = arith.constant 0 : i64
          %20 = arith.trunci %c0_i64 : i64 to i32
          %c0_i64_2 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %21 = arith.extsi %arg13 : i32 to i64
          %22 = arith.muli %c1_i64, %21 : i64
          %23 = arith.addi %c0_i64_2, %22 : i64
          %24 = arith.trunci %23 : i64 to i32
          "tk.bulk_load"(%19, %arg5, %18, %20, %24) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %25 = "tk.smem_slot"(%1, %arg14) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %c0_i64_3 = arith.constant 0 : i64
          %26 = arith.trunci %c0_i64_3 : i64 to i32
          %c0_i64_4 = arith.constant 0 : i64
          %c1_i64_5 = arith.constant 1 : i64
          %27 = arith.extsi %arg13 : i32 to i64
          %28 = arith.muli %c1_i64_5, %27 : i64
          %29 = arith.addi %c0_i64_4, %28 : i64
          %30 = arith.trunci %29 : i64 to i32
          "tk.bulk_load"(%25, %arg6, %18, %26, %30) {inner = 64 : i32} : (tensor<64x64xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_6 = arith.constant 1 : i32
          %31 = arith.addi %arg14, %c1_i32_6 : i32
          %c3_i32 = arith.constant 3 : i32
          %32 = arith.cmpi eq, %31, %c3_i32 : i32
          %c1_i32_7 = arith.constant 1 : i32
          %33 = arith.xori %arg15, %c1_i32_7 : i32
          %c0_i32_8 = arith.constant 0 : i32
          %34 = arith.select %32, %c0_i32_8, %31 : i32
          %35 = arith.select %32, %33, %arg15 : i32
          %c1_i32_9 = arith.constant 1 : i32
          scf.yield %34, %35 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        scf.yield %13#0, %13#1 : i32, i32
      }
      "tk.yield"() : () -> ()
    }, {
      %4 = arith.muli %arg7, %arg8 : i32
      %5 = arith.muli %4, %arg9 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %8:2 = scf.for %arg10 = %6 to %5 step %7 iter_args(%arg11 = %c0_i32, %arg12 = %c0_i32) -> (i32, i32)  : i32 {
        %9 = arith.divui %arg10, %arg7 : i32
        %10 = arith.remui %arg10, %arg7 : i32
        %11 = arith.remui %9, %arg8 : i32
        %12 = arith.divui %9, %arg8 : i32
        %13 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
        %14 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
        %15 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %c255_i32 = arith.constant 255 : i32
        %16 = "tk.addptr"(%arg2, %c255_i32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %17 = "tk.load"(%16) : (!tk.ptr<f32>) -> f32
        %c0_i32_0 = arith.constant 0 : i32
        %c256_i32 = arith.constant 256 : i32
        %c64_i32 = arith.constant 64 : i32
        %cst = arith.constant dense<64> : tensor<1x64xi32, #L4>
        %18 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>, #L4>
        %19 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
        %20 = "tk.expand_dims"(%14) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
        %21 = "tk.broadcast"(%20) : (tensor<64x1xi32, #L3>) -> tensor<64x64xi32, #L5>
        %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #L4>
        %22 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
        %23 = "tk.expand_dims"(%14) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %24 = "tk.broadcast"(%23) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L6>
        %25 = "tk.splat"(%17) : (f32) -> tensor<64xf32, #L2>
        %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L7>
        %26:3 = scf.for %arg13 = %c0_i32_0 to %c256_i32 step %c64_i32 iter_args(%arg14 = %cst_2, %arg15 = %arg11, %arg16 = %arg12) -> (tensor<64x64xf32, #L7>, i32, i32)  : i32 {
          %c8_i32 = arith.constant 8 : i32
          %34 = arith.muli %arg15, %c8_i32 : i32
          %35 = arith.addi %2, %34 : i32
          "tk.mbarrier_wait"(%35, %arg16) : (i32, i32) -> ()
          %36 = "tk.smem_slot"(%0, %arg15) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %37 = "tk.smem_slot"(%1, %arg15) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %38 = "tk.smem_load"(%37) : (tensor<64x64xf16, #L1>) -> tensor<64x64xf16, #L8>
          %39 = "tk.splat"(%arg13) : (i32) -> tensor<64xi32, #L4>
          %40 = arith.addi %39, %15 : tensor<64xi32, #L4>
          %41 = "tk.expand_dims"(%40) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
          %42 = arith.muli %41, %cst : tensor<1x64xi32, #L4>
          %43 = "tk.addptr"(%18, %42) : (tensor<1x64x!tk.ptr<f16>, #L4>, tensor<1x64xi32, #L4>) -> tensor<1x64x!tk.ptr<f16>, #L4>
          %44 = "tk.broadcast"(%43) : (tensor<1x64x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L5>
          %45 = "tk.addptr"(%44, %21) : (tensor<64x64x!tk.ptr<f16>, #L5>, tensor<64x64xi32, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L5>
          %46 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
          %47 = arith.muli %46, %cst_1 : tensor<64x1xi32, #L4>
          %48 = "tk.addptr"(%22, %47) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
          %49 = "tk.broadcast"(%48) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L6>
          %50 = "tk.addptr"(%49, %24) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
          %51 = arith.extf %38 : tensor<64x64xf16, #L8> to tensor<64x64xf32, #L8>
          %52 = "tk.addptr"(%arg2, %arg13) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
          %53 = "tk.splat"(%52) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L2>
          %54 = "tk.addptr"(%53, %13) : (tensor<64x!tk.ptr<f32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<f32>, #L2>
          %55 = "tk.load"(%54) {tk.tensor_copy = "left alone: tk.load at 201:26: it is no vector that only rows or columns of one tile are made of", vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L2>) -> tensor<64xf32, #L2>
          %56 = arith.subf %25, %55 : tensor<64xf32, #L2>
          %57 = "tk.addptr"(%arg3, %arg13) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
          %58 = "tk.splat"(%57) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L2>
          %59 = "tk.addptr"(%58, %13) : (tensor<64x!tk.ptr<f32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<f32>, #L2>
          %60 = "tk.load"(%59) {tk.tensor_copy = "left alone: tk.load at 201:48: it is no vector that only rows or columns of one tile are made of", vector = 1 : i32} : (tensor<64x!tk.ptr<f32>, #L2>) -> tensor<64xf32, #L2>
          %61 = arith.mulf %56, %60 : tensor<64xf32, #L2>
          %62 = "tk.expand_dims"(%61) {axis = 1 : i32} : (tensor<64xf32, #L2>) -> tensor<64x1xf32, #L2>
          %63 = "tk.convert_layout"(%62) : (tensor<64x1xf32, #L2>) -> tensor<64x1xf32, #L9>
          %64 = "tk.broadcast"(%63) : (tensor<64x1xf32, #L9>) -> tensor<64x64xf32, #L8>
          %65 = arith.mulf %51, %64 : tensor<64x64xf32, #L8>
          %66 = arith.truncf %65 : tensor<64x64xf32, #L8> to tensor<64x64xf16, #L8>
          %67 = "tk.trans"(%66) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L8>) -> tensor<64x64xf16, #L7>
          %68 = "tk.smem_trans"(%36) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L1>
          %69 = "tk.dot"(%67, %68, %arg14) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
          %true = arith.constant true
          %c8_i32_3 = arith.constant 8 : i32
          %70 = arith.muli %arg15, %c8_i32_3 : i32
          %71 = arith.addi %3, %70 : i32
          "tk.mbarrier_arrive"(%71, %true) {together} : (i32, i1) -> ()
          %c1_i32 = arith.constant 1 : i32
          %72 = arith.addi %arg15, %c1_i32 : i32
          %c3_i32 = arith.constant 3 : i32
          %73 = arith.cmpi eq, %72, %c3_i32 : i32
          %c1_i32_4 = arith.constant 1 : i32
          %74 = arith.xori %arg16, %c1_i32_4 : i32
          %c0_i32_5 = arith.constant 0 : i32
          %75 = arith.select %73, %c0_i32_5, %72 : i32
          %76 = arith.select %73, %74, %arg16 : i32
          scf.yield %69, %75, %76 : tensor<64x64xf32, #L7>, i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        %27 = "tk.trans"(%26#0) {order = array<i32: 1, 0>} : (tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L8>
        %28 = "tk.convert_layout"(%27) : (tensor<64x64xf32, #L8>) -> tensor<64x64xf32, #L6>
        %29 = arith.muli %19, %cst_1 : tensor<64x1xi32, #L4>
        %30 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %31 = "tk.addptr"(%30, %29) : (tensor<64x1x!tk.ptr<f32>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f32>, #L4>
        %32 = "tk.broadcast"(%31) : (tensor<64x1x!tk.ptr<f32>, #L4>) -> tensor<64x64x!tk.ptr<f32>, #L6>
        %33 = "tk.addptr"(%32, %24) : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f32>, #L6>
        "tk.store"(%33, %28) {tk.tensor_copy = "left alone: tk.store at 203:5: what it stores is not a dot's result, as 16 or 32 bits", vector = 4 : i32} : (tensor<64x64x!tk.ptr<f32>, #L6>, tensor<64x64xf32, #L6>) -> ()
        scf.yield %26#1, %26#2 : i32, i32
      }
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
