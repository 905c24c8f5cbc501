// chip: sm_100a
// show: tk.specialise scf.for scf.if tk.tensor_* tk.mbarrier_* tk.bulk_* arith.minsi
// Two blocks share the right operand: each copies half of it, the even one starts the products, the odd one stores its own tiles alone.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 264, 528, 1056, 2048, 4096, 8192, 64, 128>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384>}
#L3 = {lane = array<i32: 2, 4, 256, 512, 1024>, register = array<i32: 1, 2048, 4096, 8, 16, 32, 64>, warp = array<i32: 8192, 16384, 128>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 256 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32, %arg12: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 3, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg13: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 1, 4, -1, 1, 0, 1, 5, -1, 1>, strides = array<i64: 0, 1, 8, -1, 1>, swizzle = 128 : i32}}, %arg14: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 1, 4, -1, 1, 0, 1, 3, -1, 1>, strides = array<i64: 0, 1, 10, -1, 1>, swizzle = 128 : i32}}, %arg15: i32 {tk.hidden = "grid_x"}, %arg16: i32 {tk.hidden = "grid_y"}, %arg17: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 4 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<128x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<64x256xf16, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<32768xi8, #L2>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 4 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 4 : i32} : () -> i32
    %5 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %6 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 2 : i32} : () -> i32
    %7 = "tk.tensor_alloc"() {columns = 512 : i32} : () -> i32
    "tk.specialise"() ({
      %8 = arith.muli %arg15, %arg16 : i32
      %9 = arith.muli %8, %arg17 : i32
      %c0_i32 = arith.constant 0 : i32
      %10 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %11 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c255_i32 = arith.constant 255 : i32
      %12 = arith.addi %arg4, %c255_i32 : i32
      %c256_i32 = arith.constant 256 : i32
      %13 = arith.divsi %12, %c256_i32 : i32
      %14 = arith.cmpi sgt, %13, %c0_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %15 = arith.maxsi %13, %c1_i32 : i32
      %16 = arith.divui %arg15, %15 : i32
      %17 = arith.muli %16, %15 : i32
      %18 = arith.cmpi eq, %17, %arg15 : i32
      %19 = arith.andi %14, %18 : i1
      %c8_i32 = arith.constant 8 : i32
      %c63_i32 = arith.constant 63 : i32
      %20 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %21 = arith.divsi %20, %c64_i32 : i32
      %c0_i64 = arith.constant 0 : i64
      %c64_i64 = arith.constant 64 : i64
      %c128_i64 = arith.constant 128 : i64
      %c256_i64 = arith.constant 256 : i64
      %c4_i32 = arith.constant 4 : i32
      %22:2 = scf.for %arg18 = %10 to %9 step %11 iter_args(%arg19 = %c0_i32, %arg20 = %c0_i32) -> (i32, i32)  : i32 {
        %23 = arith.remui %arg18, %arg15 : i32
        %24 = arith.divsi %23, %13 : i32
        %25 = arith.divui %24, %c8_i32 : i32
        %26 = arith.muli %25, %c8_i32 : i32
        %27 = arith.select %19, %26, %24 : i32
        %28 = arith.remui %24, %c8_i32 : i32
        %29 = arith.select %19, %28, %c0_i32 : i32
        %30 = arith.muli %29, %15 : i32
        %31 = arith.remsi %23, %13 : i32
        %32 = arith.addi %30, %31 : i32
        %33 = arith.subi %16, %27 : i32
        %34 = arith.minsi %33, %c8_i32 : i32
        %35 = arith.select %19, %34, %c1_i32 : i32
        %36 = arith.maxsi %35, %c1_i32 : i32
        %37 = arith.remui %32, %36 : i32
        %38 = arith.addi %27, %37 : i32
        %39 = arith.select %14, %38, %24 : i32
        %40 = arith.divui %32, %36 : i32
        %41 = arith.select %14, %40, %31 : i32
        %42 = arith.extsi %39 : i32 to i64
        %43 = arith.muli %c128_i64, %42 : i64
        %44 = arith.addi %c0_i64, %43 : i64
        %45 = arith.trunci %44 : i64 to i32
        %46 = arith.extsi %41 : i32 to i64
        %47 = arith.muli %c256_i64, %46 : i64
        %48 = arith.addi %c0_i64, %47 : i64
        %49 = arith.trunci %48 : i64 to i32
        %50:2 = scf.for %arg21 = %c0_i32 to %21 step %c1_i32 iter_args(%arg22 = %arg19, %arg23 = %arg20) -> (i32, i32)  : i32 {
          %51 = arith.xori %arg23, %c1_i32 : i32
          %52 = arith.muli %arg22, %c8_i32 : i32
          %53 = arith.addi %4, %52 : i32
          "tk.mbarrier_wait"(%53, %51) : (i32, i32) -> ()
          %54 = arith.addi %3, %52 : i32
          "tk.mbarrier_expect"(%54) {bytes = 49152 : i32} : (i32) -> ()
          %55 = "tk.smem_slot"(%0, %arg22) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
          %56 = arith.extsi %arg21 : i32 to i64
          %57 = arith.muli %c64_i64, %56 : i64
          %58 = arith.addi %c0_i64, %57 : i64
          %59 = arith.trunci %58 : i64 to i32
          "tk.bulk_load"(%55, %arg12, %54, %59, %45) {inner = 64 : i32} : (tensor<128x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %60 = "tk.smem_slot"(%1, %arg22) : (tensor<64x256xf16, #L1>, i32) -> tensor<64x256xf16, #L1>
          "tk.bulk_load"(%60, %arg13, %54, %49, %59) {inner = 64 : i32} : (tensor<64x256xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %61 = arith.addi %arg22, %c1_i32 : i32
          %62 = arith.cmpi eq, %61, %c4_i32 : i32
          %63 = arith.select %62, %c0_i32, %61 : i32
          %64 = arith.select %62, %51, %arg23 : i32
          scf.yield %63, %64 : i32, i32
        } {tk.pipeline = "4 slots, filled by a warp of their own"}
        scf.yield %50#0, %50#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %8 = arith.muli %arg15, %arg16 : i32
      %9 = arith.muli %8, %arg17 : i32
      %c0_i32 = arith.constant 0 : i32
      %10 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %11 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c255_i32 = arith.constant 255 : i32
      %12 = arith.addi %arg4, %c255_i32 : i32
      %c256_i32 = arith.constant 256 : i32
      %13 = arith.divsi %12, %c256_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %14 = arith.cmpi sgt, %13, %c0_i32 : i32
      %15 = arith.maxsi %13, %c1_i32 : i32
      %16 = arith.divui %arg15, %15 : i32
      %17 = arith.muli %16, %15 : i32
      %18 = arith.cmpi eq, %17, %arg15 : i32
      %19 = arith.andi %14, %18 : i1
      %c8_i32 = arith.constant 8 : i32
      %c63_i32 = arith.constant 63 : i32
      %20 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %21 = arith.divsi %20, %c64_i32 : i32
      %22 = arith.cmpi slt, %c0_i32, %21 : i32
      %c0_i64 = arith.constant 0 : i64
      %c256_i64 = arith.constant 256 : i64
      %c128_i64 = arith.constant 128 : i64
      scf.for %arg18 = %10 to %9 step %11  : i32 {
        %23 = arith.remui %arg18, %arg15 : i32
        %24 = arith.divsi %23, %13 : i32
        %25 = arith.remsi %23, %13 : i32
        %26 = arith.divui %24, %c8_i32 : i32
        %27 = arith.muli %26, %c8_i32 : i32
        %28 = arith.select %19, %27, %24 : i32
        %29 = arith.remui %24, %c8_i32 : i32
        %30 = arith.select %19, %29, %c0_i32 : i32
        %31 = arith.subi %16, %28 : i32
        %32 = arith.minsi %31, %c8_i32 : i32
        %33 = arith.select %19, %32, %c1_i32 : i32
        %34 = arith.maxsi %33, %c1_i32 : i32
        %35 = arith.muli %30, %15 : i32
        %36 = arith.addi %35, %25 : i32
        %37 = arith.remui %36, %34 : i32
        %38 = arith.addi %28, %37 : i32
        %39 = arith.divui %36, %34 : i32
        %40 = arith.select %14, %38, %24 : i32
        %41 = arith.select %14, %39, %25 : i32
        %42 = scf.if %22 -> (tensor<128x256xf32, #L3>) {
          %52 = "tk.tensor_take"(%5) {columns = 256 : i32} : (i32) -> i32
          %53 = arith.addi %7, %52 : i32
          %54 = "tk.tensor_load"(%53) {column = 0 : i32} : (i32) -> tensor<128x256xf32, #L3>
          "tk.tensor_pass"(%6) : (i32) -> ()
          scf.yield %54 : tensor<128x256xf32, #L3>
        } else {
          %cst = arith.constant 0.000000e+00 : f32
          %52 = "tk.opaque"(%cst) : (f32) -> f32
          %53 = "tk.splat"(%52) : (f32) -> tensor<128x256xf32, #L3>
          scf.yield %53 : tensor<128x256xf32, #L3>
        }
        %43 = arith.truncf %42 : tensor<128x256xf32, #L3> to tensor<128x256xf16, #L3>
        %44 = arith.extsi %41 : i32 to i64
        %45 = arith.muli %c256_i64, %44 : i64
        %46 = arith.addi %c0_i64, %45 : i64
        %47 = arith.trunci %46 : i64 to i32
        %48 = arith.extsi %40 : i32 to i64
        %49 = arith.muli %c128_i64, %48 : i64
        %50 = arith.addi %c0_i64, %49 : i64
        %51 = arith.trunci %50 : i64 to i32
        "tk.bulk_store"(%arg14, %2, %43, %47, %51) : (!tk.tensor_map, tensor<32768xi8, #L2>, tensor<128x256xf16, #L3>, i32, i32) -> ()
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.tensor_free"(%7) {columns = 512 : i32} : (i32) -> ()
      "tk.yield"() : () -> ()
    }, {
      %8 = arith.muli %arg15, %arg16 : i32
      %9 = arith.muli %8, %arg17 : i32
      %c0_i32 = arith.constant 0 : i32
      %10 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %11 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c1_i32 = arith.constant 1 : i32
      %c8_i32 = arith.constant 8 : i32
      %c63_i32 = arith.constant 63 : i32
      %12 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %13 = arith.divsi %12, %c64_i32 : i32
      %14 = arith.cmpi slt, %c0_i32, %13 : i32
      %15:2 = scf.for %arg18 = %10 to %9 step %11 iter_args(%arg19 = %c0_i32, %arg20 = %c0_i32) -> (i32, i32)  : i32 {
        %16:2 = scf.if %14 -> (i32, i32) {
          %17 = "tk.tensor_take"(%6) {ahead, columns = 256 : i32} : (i32) -> i32
          %18 = arith.addi %7, %17 : i32
          %c4_i32 = arith.constant 4 : i32
          %19:2 = scf.for %arg21 = %c0_i32 to %13 step %c1_i32 iter_args(%arg22 = %arg19, %arg23 = %arg20) -> (i32, i32)  : i32 {
            %20 = arith.muli %arg22, %c8_i32 : i32
            %21 = arith.addi %3, %20 : i32
            "tk.mbarrier_wait"(%21, %arg23) : (i32, i32) -> ()
            %22 = "tk.smem_slot"(%0, %arg22) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
            %23 = "tk.smem_slot"(%1, %arg22) : (tensor<64x256xf16, #L1>, i32) -> tensor<64x256xf16, #L1>
            %24 = arith.cmpi ne, %arg21, %c0_i32 : i32
            %25 = arith.addi %4, %20 : i32
            "tk.tensor_dot"(%22, %23, %18, %25, %24) {ahead, column = 0 : i32, instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L0>, tensor<64x256xf16, #L1>, i32, i32, i1) -> ()
            %26 = arith.addi %arg22, %c1_i32 : i32
            %27 = arith.cmpi eq, %26, %c4_i32 : i32
            %28 = arith.xori %arg23, %c1_i32 : i32
            %29 = arith.select %27, %c0_i32, %26 : i32
            %30 = arith.select %27, %28, %arg23 : i32
            scf.yield %29, %30 : i32, i32
          } {tk.pipeline = "4 slots, filled by a warp of their own"}
          "tk.tensor_pass"(%5) {ahead} : (i32) -> ()
          scf.yield %19#0, %19#1 : i32, i32
        } else {
          %cst = arith.constant 0.000000e+00 : f32
          %17 = "tk.opaque"(%cst) : (f32) -> f32
          scf.yield %arg19, %arg20 : i32, i32
        }
        scf.yield %16#0, %16#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

