// chip: sm_90a
// show: tk.specialise scf.while scf.condition scf.if tk.launch_* tk.mbarrier_wait tk.mbarrier_alloc
// Products of loaded lengths: the thread that copies takes a block's next program from the launch's counter.
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L3 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
module {
  func.func @egrad(%arg0: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64, 1>, element = bf16, offsets = array<i64: 0, -64, 4, -1, 1>, pointer = 0 : i32, sizes = array<i64: 0, 1, 4, -1, 1, 0, 64, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 4, -1, 1, 0, 1, 4, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64, 1>, element = bf16, offsets = array<i64: 0, -64, 5, -1, 1>, pointer = 1 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 64, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1, 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg8: i32 {tk.hidden = "grid_x"}, %arg9: i32 {tk.hidden = "grid_y"}, %arg10: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 4 : i32, tk.producer_warps = 1 : i32, tk.unlike} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xbf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xbf16, #L1>
    %2 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %3 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %4 = arith.muli %arg8, %arg9 : i32
      %5 = arith.muli %4, %arg10 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c63_i32 = arith.constant 63 : i32
      %8 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %9 = arith.divsi %8, %c64_i32 : i32
      %10 = arith.cmpi sgt, %9, %c0_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %11 = arith.maxsi %9, %c1_i32 : i32
      %12 = arith.divui %arg8, %11 : i32
      %13 = arith.muli %12, %11 : i32
      %14 = arith.cmpi eq, %13, %arg8 : i32
      %15 = arith.andi %10, %14 : i1
      %c16_i32 = arith.constant 16 : i32
      %c8_i32 = arith.constant 8 : i32
      %c0_i64 = arith.constant 0 : i64
      %c64_i64 = arith.constant 64 : i64
      %c1_i64 = arith.constant 1 : i64
      %c-1_i64 = arith.constant -1 : i64
      %c3_i32 = arith.constant 3 : i32
      %16:2 = scf.for %arg11 = %6 to %5 step %7 iter_args(%arg12 = %c0_i32, %arg13 = %c0_i32) -> (i32, i32)  : i32 {
        %17 = arith.divui %arg11, %arg8 : i32
        %18 = arith.remui %arg11, %arg8 : i32
        %19 = arith.remui %17, %arg9 : i32
        %20 = arith.divsi %18, %9 : i32
        %21 = arith.divui %20, %c16_i32 : i32
        %22 = arith.muli %21, %c16_i32 : i32
        %23 = arith.select %15, %22, %20 : i32
        %24 = arith.remui %20, %c16_i32 : i32
        %25 = arith.select %15, %24, %c0_i32 : i32
        %26 = arith.muli %25, %11 : i32
        %27 = arith.remsi %18, %9 : i32
        %28 = arith.addi %26, %27 : i32
        %29 = arith.subi %12, %23 : i32
        %30 = arith.minsi %29, %c16_i32 : i32
        %31 = arith.select %15, %30, %c1_i32 : i32
        %32 = arith.maxsi %31, %c1_i32 : i32
        %33 = arith.remui %28, %32 : i32
        %34 = arith.addi %23, %33 : i32
        %35 = arith.select %10, %34, %20 : i32
        %36 = "tk.addptr"(%arg3, %19) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %37 = "tk.addptr"(%36, %c1_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %38 = "tk.load"(%37) : (!tk.ptr<i32>) -> i32
        %39 = arith.divui %28, %32 : i32
        %40 = arith.select %10, %39, %27 : i32
        %41 = "tk.load"(%36) : (!tk.ptr<i32>) -> i32
        %42 = arith.extsi %35 : i32 to i64
        %43 = arith.muli %c64_i64, %42 : i64
        %44 = arith.addi %c0_i64, %43 : i64
        %45 = arith.trunci %44 : i64 to i32
        %46 = arith.extsi %38 : i32 to i64
        %47 = arith.muli %c1_i64, %46 : i64
        %48 = arith.addi %c0_i64, %47 : i64
        %49 = arith.extsi %40 : i32 to i64
        %50 = arith.muli %c64_i64, %49 : i64
        %51 = arith.addi %c0_i64, %50 : i64
        %52 = arith.trunci %51 : i64 to i32
        %53:2 = scf.for %arg14 = %41 to %38 step %c64_i32 iter_args(%arg15 = %arg12, %arg16 = %arg13) -> (i32, i32)  : i32 {
          %54 = arith.xori %arg16, %c1_i32 : i32
          %55 = arith.muli %arg15, %c8_i32 : i32
          %56 = arith.addi %3, %55 : i32
          "tk.mbarrier_wait"(%56, %54) : (i32, i32) -> ()
          %57 = arith.addi %2, %55 : i32
          "tk.mbarrier_expect"(%57) {bytes = 16384 : i32} : (i32) -> ()
          %58 = "tk.smem_slot"(%0, %arg15) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
          %59 = arith.extsi %arg14 : i32 to i64
          %60 = arith.muli %c-1_i64, %59 : i64
          %61 = arith.addi %48, %60 : i64
          %62 = arith.maxsi %61, %c0_i64 : i64
          %63 = arith.minsi %62, %c64_i64 : i64
          %64 = arith.subi %c64_i64, %63 : i64
          %65 = arith.trunci %64 : i64 to i32
          %66 = arith.muli %c1_i64, %59 : i64
          %67 = arith.addi %c0_i64, %66 : i64
          %68 = arith.addi %67, %63 : i64
          %69 = arith.trunci %68 : i64 to i32
          "tk.bulk_load"(%58, %arg6, %57, %45, %65, %69) {inner = 64 : i32, outside = array<i32: 2, 0, 0>} : (tensor<64x64xbf16, #L0>, !tk.tensor_map, i32, i32, i32, i32) -> ()
          %70 = "tk.smem_slot"(%1, %arg15) : (tensor<64x64xbf16, #L1>, i32) -> tensor<64x64xbf16, #L1>
          "tk.bulk_load"(%70, %arg7, %57, %52, %65, %69) {inner = 64 : i32, outside = array<i32: 2, 0, 0>} : (tensor<64x64xbf16, #L1>, !tk.tensor_map, i32, i32, i32, i32) -> ()
          %71 = arith.addi %arg15, %c1_i32 : i32
          %72 = arith.cmpi eq, %71, %c3_i32 : i32
          %73 = arith.select %72, %c0_i32, %71 : i32
          %74 = arith.select %72, %54, %arg16 : i32
          scf.yield %73, %74 : i32, i32
        } {tk.pipeline = "3 slots, filled by a warp of their own"}
        scf.yield %53#0, %53#1 : i32, i32
      } {tk.pipeline = "left alone: tk.load at 12:13: no dot reads it, and copies run ahead for dots, or for a loop with stages of its own"}
      "tk.yield"() : () -> ()
    }, {
      %4 = arith.muli %arg8, %arg9 : i32
      %5 = arith.muli %4, %arg10 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c63_i32 = arith.constant 63 : i32
      %8 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %9 = arith.divsi %8, %c64_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %10 = arith.cmpi sgt, %9, %c0_i32 : i32
      %11 = arith.maxsi %9, %c1_i32 : i32
      %12 = arith.divui %arg8, %11 : i32
      %13 = arith.muli %12, %11 : i32
      %14 = arith.cmpi eq, %13, %arg8 : i32
      %15 = arith.andi %10, %14 : i1
      %c16_i32 = arith.constant 16 : i32
      %16 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
      %17 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
      %18 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L2>
      %19 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L2>
      %20 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L3>
      %c2_i32 = arith.constant 2 : i32
      %c8_i32 = arith.constant 8 : i32
      %21:2 = scf.for %arg11 = %6 to %5 step %7 iter_args(%arg12 = %c0_i32, %arg13 = %c0_i32) -> (i32, i32)  : i32 {
        %22 = arith.divui %arg11, %arg8 : i32
        %23 = arith.remui %arg11, %arg8 : i32
        %24 = arith.remui %22, %arg9 : i32
        %25 = arith.divsi %23, %9 : i32
        %26 = arith.remsi %23, %9 : i32
        %27 = arith.divui %25, %c16_i32 : i32
        %28 = arith.muli %27, %c16_i32 : i32
        %29 = arith.select %15, %28, %25 : i32
        %30 = arith.remui %25, %c16_i32 : i32
        %31 = arith.select %15, %30, %c0_i32 : i32
        %32 = arith.subi %12, %29 : i32
        %33 = arith.minsi %32, %c16_i32 : i32
        %34 = arith.select %15, %33, %c1_i32 : i32
        %35 = arith.maxsi %34, %c1_i32 : i32
        %36 = arith.muli %31, %11 : i32
        %37 = arith.addi %36, %26 : i32
        %38 = arith.remui %37, %35 : i32
        %39 = arith.addi %29, %38 : i32
        %40 = arith.divui %37, %35 : i32
        %41 = arith.select %10, %39, %25 : i32
        %42 = arith.select %10, %40, %26 : i32
        %43 = "tk.addptr"(%arg3, %24) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %44 = "tk.load"(%43) : (!tk.ptr<i32>) -> i32
        %45 = "tk.addptr"(%43, %c1_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %46 = "tk.load"(%45) : (!tk.ptr<i32>) -> i32
        %47 = arith.muli %41, %c64_i32 : i32
        %48 = "tk.splat"(%47) : (i32) -> tensor<64xi32, #L2>
        %49 = arith.addi %48, %16 : tensor<64xi32, #L2>
        %50 = arith.muli %42, %c64_i32 : i32
        %51 = "tk.splat"(%50) : (i32) -> tensor<64xi32, #L3>
        %52 = arith.addi %51, %17 : tensor<64xi32, #L3>
        %53 = "tk.expand_dims"(%49) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
        %54 = arith.cmpi slt, %49, %18 {constancy = array<i32: 16>} : tensor<64xi32, #L2>
        %55 = "tk.expand_dims"(%54) {axis = 1 : i32} : (tensor<64xi1, #L2>) -> tensor<64x1xi1, #L2>
        %56 = "tk.broadcast"(%55) : (tensor<64x1xi1, #L2>) -> tensor<64x64xi1, #L4>
        %57 = "tk.expand_dims"(%52) {axis = 0 : i32} : (tensor<64xi32, #L3>) -> tensor<1x64xi32, #L3>
        %58 = "tk.broadcast"(%57) : (tensor<1x64xi32, #L3>) -> tensor<64x64xi32, #L4>
        %59 = arith.cmpi slt, %52, %20 {constancy = array<i32: 16>} : tensor<64xi32, #L3>
        %60 = "tk.expand_dims"(%59) {axis = 0 : i32} : (tensor<64xi1, #L3>) -> tensor<1x64xi1, #L3>
        %61 = "tk.broadcast"(%60) : (tensor<1x64xi1, #L3>) -> tensor<64x64xi1, #L4>
        %62 = arith.cmpi slt, %44, %46 : i32
        %63:3 = scf.if %62 -> (tensor<64x64xf32, #L5>, i32, i32) {
          %80 = "tk.unwritten"() : () -> tensor<64x64xf32, #L5>
          %c3_i32 = arith.constant 3 : i32
          %81:3 = scf.for %arg14 = %44 to %46 step %c64_i32 iter_args(%arg15 = %80, %arg16 = %arg12, %arg17 = %arg13) -> (tensor<64x64xf32, #L5>, i32, i32)  : i32 {
            %83 = arith.muli %arg16, %c8_i32 : i32
            %84 = arith.addi %2, %83 : i32
            "tk.mbarrier_wait"(%84, %arg17) : (i32, i32) -> ()
            %85 = "tk.smem_slot"(%0, %arg16) : (tensor<64x64xbf16, #L0>, i32) -> tensor<64x64xbf16, #L0>
            %86 = "tk.smem_slot"(%1, %arg16) : (tensor<64x64xbf16, #L1>, i32) -> tensor<64x64xbf16, #L1>
            %87 = arith.cmpi ne, %arg14, %44 : i32
            %88 = "tk.warpgroup_dot"(%85, %86, %arg15, %87) {instruction = "wgmma.bf16"} : (tensor<64x64xbf16, #L0>, tensor<64x64xbf16, #L1>, tensor<64x64xf32, #L5>, i1) -> tensor<64x64xf32, #L5>
            %89 = "tk.dot_wait"(%88) {pending = 1 : i32} : (tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
            %90 = arith.cmpi eq, %arg16, %c0_i32 : i32
            %91 = arith.subi %arg16, %c1_i32 : i32
            %92 = arith.xori %arg17, %c1_i32 : i32
            %93 = arith.select %90, %c2_i32, %91 : i32
            %94 = arith.muli %93, %c8_i32 : i32
            %95 = arith.addi %3, %94 : i32
            "tk.mbarrier_arrive"(%95, %87) : (i32, i1) -> ()
            %96 = arith.addi %arg16, %c1_i32 : i32
            %97 = arith.cmpi eq, %96, %c3_i32 : i32
            %98 = arith.select %97, %c0_i32, %96 : i32
            %99 = arith.select %97, %92, %arg17 : i32
            scf.yield %89, %98, %99 : tensor<64x64xf32, #L5>, i32, i32
          } {tk.pipeline = "3 slots, filled by a warp of their own"}
          %82 = "tk.dot_wait"(%81#0) {pending = 0 : i32} : (tensor<64x64xf32, #L5>) -> tensor<64x64xf32, #L5>
          scf.yield %82, %81#1, %81#2 : tensor<64x64xf32, #L5>, i32, i32
        } else {
          %cst = arith.constant 0.000000e+00 : f32
          %80 = "tk.opaque"(%cst) : (f32) -> f32
          %81 = "tk.splat"(%80) : (f32) -> tensor<64x64xf32, #L5>
          scf.yield %81, %arg12, %arg13 : tensor<64x64xf32, #L5>, i32, i32
        }
        %64 = arith.cmpi eq, %63#1, %c0_i32 : i32
        %65 = arith.subi %63#1, %c1_i32 : i32
        %66 = arith.select %64, %c2_i32, %65 : i32
        %67 = arith.muli %66, %c8_i32 : i32
        %68 = arith.addi %3, %67 : i32
        "tk.mbarrier_arrive"(%68, %62) : (i32, i1) -> ()
        %69 = arith.muli %24, %arg4 : i32
        %70 = arith.muli %69, %arg5 : i32
        %71 = "tk.addptr"(%arg2, %70) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
        %72 = arith.muli %53, %19 : tensor<64x1xi32, #L2>
        %73 = "tk.splat"(%71) : (!tk.ptr<bf16>) -> tensor<64x1x!tk.ptr<bf16>, #L2>
        %74 = "tk.addptr"(%73, %72) : (tensor<64x1x!tk.ptr<bf16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<bf16>, #L2>
        %75 = "tk.broadcast"(%74) : (tensor<64x1x!tk.ptr<bf16>, #L2>) -> tensor<64x64x!tk.ptr<bf16>, #L4>
        %76 = "tk.addptr"(%75, %58) : (tensor<64x64x!tk.ptr<bf16>, #L4>, tensor<64x64xi32, #L4>) -> tensor<64x64x!tk.ptr<bf16>, #L4>
        %77 = arith.truncf %63#0 : tensor<64x64xf32, #L5> to tensor<64x64xbf16, #L5>
        %78 = "tk.convert_layout"(%77) {piece = 4096 : i32} : (tensor<64x64xbf16, #L5>) -> tensor<64x64xbf16, #L4>
        %79 = arith.andi %56, %61 : tensor<64x64xi1, #L4>
        "tk.store"(%76, %78, %79) {tk.tensor_copy = "left alone: tk.store at 24:5: its tile in shared memory would keep a block from a multiprocessor", vector = 8 : i32} : (tensor<64x64x!tk.ptr<bf16>, #L4>, tensor<64x64xbf16, #L4>, tensor<64x64xi1, #L4>) -> ()
        scf.yield %63#1, %63#2 : i32, i32
      } {tk.pipeline = "left alone: tk.load at 13:11: no dot reads it, and copies run ahead for dots, or for a loop with stages of its own"}
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

