// chip: sm_90a
// show: func.func scf.for scf.if tk.load tk.warpgroup_dot tk.bulk_store
// The residual of a product is loaded ahead of its loop.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>}
#L2 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
module {
  func.func @residual(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 1, 6, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 6, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "off", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 3 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<8192xi8, #L1>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %5 = arith.muli %arg10, %arg11 : i32
      %6 = arith.muli %5, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c63_i32 = arith.constant 63 : i32
      %9 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %10 = arith.divsi %9, %c64_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %c8_i32 = arith.constant 8 : i32
      %c0_i64 = arith.constant 0 : i64
      %c1_i64 = arith.constant 1 : i64
      %c64_i64 = arith.constant 64 : i64
      %c3_i32 = arith.constant 3 : i32
      %11:2 = scf.for %arg13 = %7 to %6 step %8 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32) -> (i32, i32)  : i32 {
        %12 = arith.remui %arg13, %arg10 : i32
        %13 = arith.divsi %12, %10 : i32
        %14 = arith.remsi %12, %10 : i32
        %15 = arith.extsi %13 : i32 to i64
        %16 = arith.muli %c64_i64, %15 : i64
        %17 = arith.addi %c0_i64, %16 : i64
        %18 = arith.trunci %17 : i64 to i32
        %19 = arith.extsi %14 : i32 to i64
        %20 = arith.muli %c64_i64, %19 : i64
        %21 = arith.addi %c0_i64, %20 : i64
        %22 = arith.trunci %21 : i64 to i32
        %23:2 = scf.for %arg16 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg17 = %arg14, %arg18 = %arg15) -> (i32, i32)  : i32 {
          %24 = arith.xori %arg18, %c1_i32 : i32
          %25 = arith.muli %arg17, %c8_i32 : i32
          %26 = arith.addi %4, %25 : i32
          "tk.mbarrier_wait"(%26, %24) : (i32, i32) -> ()
          %27 = arith.addi %3, %25 : i32
          "tk.mbarrier_expect"(%27) {bytes = 16384 : i32} : (i32) -> ()
          %28 = "tk.smem_slot"(%0, %arg17) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %29 = arith.extsi %arg16 : i32 to i64
          %30 = arith.muli %c1_i64, %29 : i64
          %31 = arith.addi %c0_i64, %30 : i64
          %32 = arith.trunci %31 : i64 to i32
          "tk.bulk_load"(%28, %arg7, %27, %32, %18) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %33 = "tk.smem_slot"(%1, %arg17) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          "tk.bulk_load"(%33, %arg8, %27, %22, %32) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %34 = arith.addi %arg17, %c1_i32 : i32
          %35 = arith.cmpi eq, %34, %c3_i32 : i32
          %36 = arith.select %35, %c0_i32, %34 : i32
          %37 = arith.select %35, %24, %arg18 : i32
          scf.yield %36, %37 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        scf.yield %23#0, %23#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %5 = arith.muli %arg10, %arg11 : i32
      %6 = arith.muli %5, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c63_i32 = arith.constant 63 : i32
      %9 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %10 = arith.divsi %9, %c64_i32 : i32
      %11 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
      %12 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
      %13 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L3>
      %14 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L3>
      %15 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32, #L2>
      %16 = arith.cmpi slt, %c0_i32, %arg6 : i32
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c8_i32 = arith.constant 8 : i32
      %17 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>, #L4>
      %c0_i64 = arith.constant 0 : i64
      %c64_i64 = arith.constant 64 : i64
      %18:2 = scf.for %arg13 = %7 to %6 step %8 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32) -> (i32, i32)  : i32 {
        %19 = arith.remui %arg13, %arg10 : i32
        %20 = arith.divsi %19, %10 : i32
        %21 = arith.muli %20, %c64_i32 : i32
        %22 = "tk.splat"(%21) : (i32) -> tensor<64xi32, #L3>
        %23 = arith.addi %22, %12 : tensor<64xi32, #L3>
        %24 = arith.remsi %19, %10 : i32
        %25 = arith.muli %24, %c64_i32 : i32
        %26 = "tk.splat"(%25) : (i32) -> tensor<64xi32, #L2>
        %27 = arith.addi %26, %11 : tensor<64xi32, #L2>
        %28 = "tk.expand_dims"(%23) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
        %29 = arith.cmpi slt, %28, %13 : tensor<64x1xi32, #L3>
        %30 = "tk.broadcast"(%29) : (tensor<64x1xi1, #L3>) -> tensor<64x64xi1, #L4>
        %31 = "tk.expand_dims"(%27) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
        %32 = "tk.broadcast"(%31) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L4>
        %33 = arith.cmpi slt, %31, %15 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L2>
        %34 = "tk.broadcast"(%33) : (tensor<1x64xi1, #L2>) -> tensor<64x64xi1, #L4>
        %35:3 = scf.if %16 -> (tensor<64x64xf32, #L4>, i32, i32) {
          %58 = "tk.unwritten"() : () -> tensor<64x64xf32, #L4>
          %c3_i32 = arith.constant 3 : i32
          %59:3 = scf.for %arg16 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg17 = %58, %arg18 = %arg14, %arg19 = %arg15) -> (tensor<64x64xf32, #L4>, i32, i32)  : i32 {
            %61 = arith.muli %arg18, %c8_i32 : i32
            %62 = arith.addi %3, %61 : i32
            "tk.mbarrier_wait"(%62, %arg19) : (i32, i32) -> ()
            %63 = "tk.smem_slot"(%0, %arg18) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %64 = "tk.smem_slot"(%1, %arg18) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %65 = arith.cmpi ne, %arg16, %c0_i32 : i32
            %66 = "tk.warpgroup_dot"(%63, %64, %arg17, %65) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>, i1) -> tensor<64x64xf32, #L4>
            %67 = "tk.dot_wait"(%66) {pending = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %68 = arith.cmpi eq, %arg18, %c0_i32 : i32
            %69 = arith.subi %arg18, %c1_i32 : i32
            %70 = arith.xori %arg19, %c1_i32 : i32
            %71 = arith.select %68, %c2_i32, %69 : i32
            %72 = arith.muli %71, %c8_i32 : i32
            %73 = arith.addi %4, %72 : i32
            "tk.mbarrier_arrive"(%73, %65) : (i32, i1) -> ()
            %74 = arith.addi %arg18, %c1_i32 : i32
            %75 = arith.cmpi eq, %74, %c3_i32 : i32
            %76 = arith.select %75, %c0_i32, %74 : i32
            %77 = arith.select %75, %70, %arg19 : i32
            scf.yield %67, %76, %77 : tensor<64x64xf32, #L4>, i32, i32
          } {tk.pipeline = "3 slots, filled by a warp of their own"}
          %60 = "tk.dot_wait"(%59#0) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          scf.yield %60, %59#1, %59#2 : tensor<64x64xf32, #L4>, i32, i32
        } else {
          %cst = arith.constant 0.000000e+00 : f32
          %58 = "tk.opaque"(%cst) : (f32) -> f32
          %59 = "tk.splat"(%58) : (f32) -> tensor<64x64xf32, #L4>
          scf.yield %59, %arg14, %arg15 : tensor<64x64xf32, #L4>, i32, i32
        }
        %36 = arith.cmpi eq, %35#1, %c0_i32 : i32
        %37 = arith.subi %35#1, %c1_i32 : i32
        %38 = arith.select %36, %c2_i32, %37 : i32
        %39 = arith.muli %38, %c8_i32 : i32
        %40 = arith.addi %4, %39 : i32
        "tk.mbarrier_arrive"(%40, %16) : (i32, i1) -> ()
        %41 = arith.andi %30, %34 : tensor<64x64xi1, #L4>
        %42 = arith.muli %28, %14 : tensor<64x1xi32, #L3>
        %43 = "tk.broadcast"(%42) : (tensor<64x1xi32, #L3>) -> tensor<64x64xi32, #L4>
        %44 = arith.addi %43, %32 : tensor<64x64xi32, #L4>
        %45 = "tk.addptr"(%17, %44) : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<f16>, #L4>
        %46 = "tk.load"(%45, %41) {vector = 2 : i32} : (tensor<64x64x!tk.ptr<f16>, #L4>, tensor<64x64xi1, #L4>) -> tensor<64x64xf16, #L4>
        %47 = arith.extf %46 : tensor<64x64xf16, #L4> to tensor<64x64xf32, #L4>
        %48 = arith.addf %35#0, %47 : tensor<64x64xf32, #L4>
        %49 = arith.truncf %48 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
        %50 = arith.extsi %24 : i32 to i64
        %51 = arith.muli %c64_i64, %50 : i64
        %52 = arith.addi %c0_i64, %51 : i64
        %53 = arith.trunci %52 : i64 to i32
        %54 = arith.extsi %20 : i32 to i64
        %55 = arith.muli %c64_i64, %54 : i64
        %56 = arith.addi %c0_i64, %55 : i64
        %57 = arith.trunci %56 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %49, %53, %57) : (!tk.tensor_map, tensor<8192xi8, #L1>, tensor<64x64xf16, #L4>, i32, i32) -> ()
        scf.yield %35#1, %35#2 : i32, i32
      } {tk.pipeline = "left alone: arith.extf at 20:23: it reads the tile, and is no conversion to a dot's operand in the loop"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

