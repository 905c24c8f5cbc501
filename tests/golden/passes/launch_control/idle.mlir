// chip: sm_90a
// show: tk.specialise scf.while scf.condition scf.if tk.launch_* tk.mbarrier_wait tk.mbarrier_alloc tk.load arith.cmpi
// Most programs have nothing to do where experts have few rows: the producer passes them by, and tells of the others.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L1 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
module {
  func.func @experts(%arg0: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64, 1, 1>, element = bf16, offsets = array<i64: 0, -64, 6, -1, 1>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 64, -1, -1, 1, 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1, 0, 1, 6, -1, 1, 0, 1, 4, 6, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64, 1>, element = bf16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1, 0, 1, 5, 6, 1>, swizzle = 128 : i32}}, %arg9: i32 {tk.hidden = "grid_x"}, %arg10: i32 {tk.hidden = "grid_y"}, %arg11: i32 {tk.hidden = "grid_z"}) attributes {tk.apart = array<i32: 0, 2, 1, 2, 3, 2>, tk.grouped_pid = "left alone: no dot of a row's tile with a column's", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 4 : i32, tk.producer_warps = 1 : i32, tk.unlike} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xbf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xbf16, #L0>
    %2 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %3 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %4 = arith.muli %arg9, %arg10 : i32
      %5 = arith.muli %4, %arg11 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c64_i32 = arith.constant 64 : i32
      %8:2 = scf.for %arg12 = %6 to %5 step %7 iter_args(%arg13 = %c0_i32, %arg14 = %c0_i32) -> (i32, i32)  : i32 {
        %9 = arith.divui %arg12, %arg9 : i32
        %10 = arith.remui %arg12, %arg9 : i32
        %11 = arith.remui %9, %arg10 : i32
        %12 = arith.muli %10, %c64_i32 : i32
        %13 = "tk.addptr"(%arg3, %11) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %14 = "tk.load"(%13) : (!tk.ptr<i32>) -> i32
        %15 = arith.cmpi sge, %12, %14 : i32
        %16:2 = scf.if %15 -> (i32, i32) {
          scf.yield %arg13, %arg14 : i32, i32
        } else {
          %c1_i32 = arith.constant 1 : i32
          %c8_i32 = arith.constant 8 : i32
          %c0_i64 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %c64_i64 = arith.constant 64 : i64
          %c-64_i64 = arith.constant -64 : i64
          %17 = arith.extsi %10 : i32 to i64
          %18 = arith.muli %c-64_i64, %17 : i64
          %19 = arith.addi %c0_i64, %18 : i64
          %20 = arith.extsi %14 : i32 to i64
          %21 = arith.muli %c1_i64, %20 : i64
          %22 = arith.addi %19, %21 : i64
          %23 = arith.maxsi %22, %c0_i64 : i64
          %24 = arith.minsi %23, %c64_i64 : i64
          %25 = arith.subi %c64_i64, %24 : i64
          %26 = arith.trunci %25 : i64 to i32
          %27 = arith.muli %c64_i64, %17 : i64
          %28 = arith.addi %c0_i64, %27 : i64
          %29 = arith.addi %28, %24 : i64
          %30 = arith.trunci %29 : i64 to i32
          %31 = arith.extsi %11 : i32 to i64
          %32 = arith.muli %c1_i64, %31 : i64
          %33 = arith.addi %c0_i64, %32 : i64
          %34 = arith.trunci %33 : i64 to i32
          %35 = arith.trunci %c0_i64 : i64 to i32
          %c3_i32 = arith.constant 3 : i32
          %36:2 = scf.for %arg15 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg16 = %arg13, %arg17 = %arg14) -> (i32, i32)  : i32 {
            %37 = arith.xori %arg17, %c1_i32 : i32
            %38 = arith.muli %arg16, %c8_i32 : i32
            %39 = arith.addi %3, %38 : i32
            "tk.mbarrier_wait"(%39, %37) : (i32, i32) -> ()
            %40 = arith.addi %2, %38 : i32
            "tk.mbarrier_expect"(%40) {bytes = 16384 : i32} : (i32) -> ()
            %41 = "tk.smem_slot"(%0, %arg16) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
            %42 = arith.extsi %arg15 : i32 to i64
            %43 = arith.muli %c1_i64, %42 : i64
            %44 = arith.addi %c0_i64, %43 : i64
            %45 = arith.trunci %44 : i64 to i32
            "tk.bulk_load"(%41, %arg7, %40, %45, %26, %30, %34) {inner = 64 : i32, outside = array<i32: 0, 0, 0, 0>} : (tensor<64x64xbf16, #L0>, !tk.tensor_map, i32, i32, i32, i32, i32) -> ()
            %46 = "tk.smem_slot"(%1, %arg16) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
            "tk.bulk_load"(%46, %arg8, %40, %35, %45, %34) {inner = 64 : i32} : (tensor<64x64xbf16, #L0>, !tk.tensor_map, i32, i32, i32, i32) -> ()
            %47 = arith.addi %arg16, %c1_i32 : i32
            %48 = arith.cmpi eq, %47, %c3_i32 : i32
            %49 = arith.select %48, %c0_i32, %47 : i32
            %50 = arith.select %48, %37, %arg17 : i32
            scf.yield %49, %50 : i32, i32
          } {tk.pipeline = "3 slots, filled by a warp of their own"}
          scf.yield %36#0, %36#1 : i32, i32
        }
        scf.yield %16#0, %16#1 : i32, i32
      } {tk.pipeline = "left alone: tk.load at 9:13: no dot reads it, and copies run ahead for dots, or for a loop with stages of its own"}
      "tk.yield"() : () -> ()
    }, {
      %4 = arith.muli %arg9, %arg10 : i32
      %5 = arith.muli %4, %arg11 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c64_i32 = arith.constant 64 : i32
      %8:2 = scf.for %arg12 = %6 to %5 step %7 iter_args(%arg13 = %c0_i32, %arg14 = %c0_i32) -> (i32, i32)  : i32 {
        %9 = arith.divui %arg12, %arg9 : i32
        %10 = arith.remui %arg12, %arg9 : i32
        %11 = arith.remui %9, %arg10 : i32
        %12 = arith.muli %10, %c64_i32 : i32
        %13 = "tk.addptr"(%arg3, %11) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %14 = "tk.load"(%13) : (!tk.ptr<i32>) -> i32
        %15 = arith.cmpi sge, %12, %14 : i32
        %16:2 = scf.if %15 -> (i32, i32) {
          scf.yield %arg13, %arg14 : i32, i32
        } else {
          %17 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
          %18 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
          %19 = "tk.splat"(%12) : (i32) -> tensor<64xi32, #L2>
          %20 = arith.addi %19, %18 : tensor<64xi32, #L2>
          %21 = arith.extsi %11 : i32 to i64
          %22 = arith.extsi %arg4 : i32 to i64
          %23 = arith.muli %21, %22 : i64
          %24 = "tk.expand_dims"(%20) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
          %25 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
          %26 = "tk.broadcast"(%25) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L3>
          %27 = arith.extsi %arg5 : i32 to i64
          %28 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L2>
          %29 = "tk.splat"(%14) : (i32) -> tensor<64xi32, #L2>
          %30 = arith.cmpi slt, %20, %29 : tensor<64xi32, #L2>
          %31 = "tk.expand_dims"(%30) {axis = 1 : i32} : (tensor<64xi1, #L2>) -> tensor<64x1xi1, #L2>
          %32 = "tk.broadcast"(%31) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L3>
          %33 = arith.cmpi slt, %c0_i32, %arg6 : i32
          %34:3 = scf.if %33 -> (tensor<64x64xf32, #L4>, i32, i32) {
            %49 = "tk.unwritten"() : () -> tensor<64x64xf32, #L4>
            %c8_i32_0 = arith.constant 8 : i32
            %c1_i32_1 = arith.constant 1 : i32
            %c2_i32_2 = arith.constant 2 : i32
            %c3_i32 = arith.constant 3 : i32
            %50:3 = scf.for %arg15 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg16 = %49, %arg17 = %arg13, %arg18 = %arg14) -> (tensor<64x64xf32, #L4>, i32, i32)  : i32 {
              %52 = arith.muli %arg17, %c8_i32_0 : i32
              %53 = arith.addi %2, %52 : i32
              "tk.mbarrier_wait"(%53, %arg18) : (i32, i32) -> ()
              %54 = "tk.smem_slot"(%0, %arg17) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
              %55 = "tk.smem_slot"(%1, %arg17) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
              %56 = arith.cmpi ne, %arg15, %c0_i32 : i32
              %57 = "tk.warpgroup_dot"(%54, %55, %arg16, %56) {instruction = "wgmma.bf16"} : (tensor<64x64xbf16, #L0>, tensor<64x64xbf16, #L0>, tensor<64x64xf32, #L4>, i1) -> tensor<64x64xf32, #L4>
              %58 = "tk.dot_wait"(%57) {pending = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
              %59 = arith.cmpi eq, %arg17, %c0_i32 : i32
              %60 = arith.subi %arg17, %c1_i32_1 : i32
              %61 = arith.xori %arg18, %c1_i32_1 : i32
              %62 = arith.select %59, %c2_i32_2, %60 : i32
              %63 = arith.muli %62, %c8_i32_0 : i32
              %64 = arith.addi %3, %63 : i32
              "tk.mbarrier_arrive"(%64, %56) : (i32, i1) -> ()
              %65 = arith.addi %arg17, %c1_i32_1 : i32
              %66 = arith.cmpi eq, %65, %c3_i32 : i32
              %67 = arith.select %66, %c0_i32, %65 : i32
              %68 = arith.select %66, %61, %arg18 : i32
              scf.yield %58, %67, %68 : tensor<64x64xf32, #L4>, i32, i32
            } {tk.pipeline = "3 slots, filled by a warp of their own"}
            %51 = "tk.dot_wait"(%50#0) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            scf.yield %51, %50#1, %50#2 : tensor<64x64xf32, #L4>, i32, i32
          } else {
            %cst = arith.constant 0.000000e+00 : f32
            %49 = "tk.opaque"(%cst) : (f32) -> f32
            %50 = "tk.splat"(%49) : (f32) -> tensor<64x64xf32, #L4>
            scf.yield %50, %arg13, %arg14 : tensor<64x64xf32, #L4>, i32, i32
          }
          %35 = arith.cmpi eq, %34#1, %c0_i32 : i32
          %c1_i32 = arith.constant 1 : i32
          %36 = arith.subi %34#1, %c1_i32 : i32
          %c2_i32 = arith.constant 2 : i32
          %37 = arith.select %35, %c2_i32, %36 : i32
          %c8_i32 = arith.constant 8 : i32
          %38 = arith.muli %37, %c8_i32 : i32
          %39 = arith.addi %3, %38 : i32
          "tk.mbarrier_arrive"(%39, %33) : (i32, i1) -> ()
          %40 = arith.muli %23, %27 : i64
          %41 = "tk.addptr"(%arg2, %40) : (!tk.ptr<bf16>, i64) -> !tk.ptr<bf16>
          %42 = arith.muli %24, %28 : tensor<64x1xi32, #L2>
          %43 = "tk.splat"(%41) : (!tk.ptr<bf16>) -> tensor<64x1x!tk.ptr<bf16>, #L2>
          %44 = "tk.addptr"(%43, %42) : (tensor<64x1x!tk.ptr<bf16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<bf16>, #L2>
          %45 = "tk.broadcast"(%44) : (tensor<64x1x!tk.ptr<bf16>, #L2>) -> tensor<64x64x!tk.ptr<bf16>, #L3>
          %46 = "tk.addptr"(%45, %26) : (tensor<64x64x!tk.ptr<bf16>, #L3>, tensor<64x64xi32, #L3>) -> tensor<64x64x!tk.ptr<bf16>, #L3>
          %47 = arith.truncf %34#0 : tensor<64x64xf32, #L4> to tensor<64x64xbf16, #L4>
          %48 = "tk.convert_layout"(%47) {piece = 4096 : i32} : (tensor<64x64xbf16, #L4>) -> tensor<64x64xbf16, #L3>
          "tk.store"(%46, %48, %32) {tk.tensor_copy = "left alone: tk.store at 24:5: its tile in shared memory would keep a block from a multiprocessor", vector = 8 : i32} : (tensor<64x64x!tk.ptr<bf16>, #L3>, tensor<64x64xbf16, #L3>, tensor<64x64xi1, #L3>) -> ()
          scf.yield %34#1, %34#2 : i32, i32
        }
        scf.yield %16#0, %16#1 : i32, i32
      } {tk.pipeline = "left alone: tk.load at 9:13: no dot reads it, and copies run ahead for dots, or for a loop with stages of its own"}
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

