// chip: sm_120a
// show: tk.specialise scf.while scf.condition scf.if tk.launch_* tk.mbarrier_wait tk.mbarrier_alloc
// Two roles read an answer: the thread that copies, and the warps that multiply and store.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 64>}
#L2 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32: 16, 32, 64>, warp = array<i32: 2, 4, 8>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 2048>, warp = array<i32: 4096, 8192, 64>}
#L5 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32, 1024>, warp = array<i32: 2048, 4096, 0>}
#L6 = {lane = array<i32: 256, 512, 1, 2, 4>, register = array<i32: 128, 1024, 8, 16, 32, 2048, 4096>, warp = array<i32: 0, 0, 64>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32, %arg12: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 3, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg13: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 1, 4, -1, 1, 0, 1, 5, -1, 1>, strides = array<i64: 0, 1, 8, -1, 1>, swizzle = 128 : i32}}, %arg14: i32 {tk.hidden = "grid_x"}, %arg15: i32 {tk.hidden = "grid_y"}, %arg16: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32, tk.producer_warps = 1 : i32} {
    %0 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x128xf16, #L1>
    %2 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %3 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 2 : i32} : () -> i32
    "tk.specialise"() ({
      %4 = arith.muli %arg14, %arg15 : i32
      %5 = arith.muli %4, %arg16 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c127_i32 = arith.constant 127 : i32
      %8 = arith.addi %arg4, %c127_i32 : i32
      %c128_i32 = arith.constant 128 : i32
      %9 = arith.divsi %8, %c128_i32 : i32
      %10 = arith.cmpi sgt, %9, %c0_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %11 = arith.maxsi %9, %c1_i32 : i32
      %12 = arith.divui %arg14, %11 : i32
      %13 = arith.muli %12, %11 : i32
      %14 = arith.cmpi eq, %13, %arg14 : i32
      %15 = arith.andi %10, %14 : i1
      %c8_i32 = arith.constant 8 : i32
      %c63_i32 = arith.constant 63 : i32
      %16 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %17 = arith.divsi %16, %c64_i32 : i32
      %c0_i64 = arith.constant 0 : i64
      %c64_i64 = arith.constant 64 : i64
      %c128_i64 = arith.constant 128 : i64
      %c2_i32 = arith.constant 2 : i32
      %18:2 = scf.for %arg17 = %6 to %5 step %7 iter_args(%arg18 = %c0_i32, %arg19 = %c0_i32) -> (i32, i32)  : i32 {
        %19 = arith.remui %arg17, %arg14 : i32
        %20 = arith.divsi %19, %9 : i32
        %21 = arith.divui %20, %c8_i32 : i32
        %22 = arith.muli %21, %c8_i32 : i32
        %23 = arith.select %15, %22, %20 : i32
        %24 = arith.remui %20, %c8_i32 : i32
        %25 = arith.select %15, %24, %c0_i32 : i32
        %26 = arith.muli %25, %11 : i32
        %27 = arith.remsi %19, %9 : i32
        %28 = arith.addi %26, %27 : i32
        %29 = arith.subi %12, %23 : i32
        %30 = arith.minsi %29, %c8_i32 : i32
        %31 = arith.select %15, %30, %c1_i32 : i32
        %32 = arith.maxsi %31, %c1_i32 : i32
        %33 = arith.remui %28, %32 : i32
        %34 = arith.addi %23, %33 : i32
        %35 = arith.select %10, %34, %20 : i32
        %36 = arith.divui %28, %32 : i32
        %37 = arith.select %10, %36, %27 : i32
        %38 = arith.extsi %35 : i32 to i64
        %39 = arith.muli %c128_i64, %38 : i64
        %40 = arith.addi %c0_i64, %39 : i64
        %41 = arith.trunci %40 : i64 to i32
        %42 = arith.extsi %37 : i32 to i64
        %43 = arith.muli %c128_i64, %42 : i64
        %44 = arith.addi %c0_i64, %43 : i64
        %45 = arith.trunci %44 : i64 to i32
        %46:2 = scf.for %arg20 = %c0_i32 to %17 step %c1_i32 iter_args(%arg21 = %arg18, %arg22 = %arg19) -> (i32, i32)  : i32 {
          %47 = arith.xori %arg22, %c1_i32 : i32
          %48 = arith.muli %arg21, %c8_i32 : i32
          %49 = arith.addi %3, %48 : i32
          "tk.mbarrier_wait"(%49, %47) : (i32, i32) -> ()
          %50 = arith.addi %2, %48 : i32
          "tk.mbarrier_expect"(%50) {bytes = 32768 : i32} : (i32) -> ()
          %51 = "tk.smem_slot"(%0, %arg21) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
          %52 = arith.extsi %arg20 : i32 to i64
          %53 = arith.muli %c64_i64, %52 : i64
          %54 = arith.addi %c0_i64, %53 : i64
          %55 = arith.trunci %54 : i64 to i32
          "tk.bulk_load"(%51, %arg12, %50, %55, %41) {inner = 64 : i32} : (tensor<128x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %56 = "tk.smem_slot"(%1, %arg21) : (tensor<64x128xf16, #L1>, i32) -> tensor<64x128xf16, #L1>
          "tk.bulk_load"(%56, %arg13, %50, %45, %55) {inner = 64 : i32} : (tensor<64x128xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %57 = arith.addi %arg21, %c1_i32 : i32
          %58 = arith.cmpi eq, %57, %c2_i32 : i32
          %59 = arith.select %58, %c0_i32, %57 : i32
          %60 = arith.select %58, %47, %arg22 : i32
          scf.yield %59, %60 : i32, i32
        } {tk.pipeline = "2 slots, filled by a warp of their own"}
        scf.yield %46#0, %46#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %4 = arith.muli %arg14, %arg15 : i32
      %5 = arith.muli %4, %arg16 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c127_i32 = arith.constant 127 : i32
      %8 = arith.addi %arg4, %c127_i32 : i32
      %c128_i32 = arith.constant 128 : i32
      %9 = arith.divsi %8, %c128_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %10 = arith.cmpi sgt, %9, %c0_i32 : i32
      %11 = arith.maxsi %9, %c1_i32 : i32
      %12 = arith.divui %arg14, %11 : i32
      %13 = arith.muli %12, %11 : i32
      %14 = arith.cmpi eq, %13, %arg14 : i32
      %15 = arith.andi %10, %14 : i1
      %c8_i32 = arith.constant 8 : i32
      %16 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
      %17 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
      %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L4>
      %c63_i32 = arith.constant 63 : i32
      %18 = arith.addi %arg5, %c63_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %19 = arith.divsi %18, %c64_i32 : i32
      %c2_i32 = arith.constant 2 : i32
      %20 = arith.cmpi slt, %c0_i32, %19 : i32
      %21 = "tk.splat"(%arg10) : (i32) -> tensor<128x1xi32, #L2>
      %22 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %23 = "tk.splat"(%arg3) : (i32) -> tensor<128x1xi32, #L2>
      %24 = "tk.splat"(%arg4) : (i32) -> tensor<1x128xi32, #L3>
      %25:2 = scf.for %arg17 = %6 to %5 step %7 iter_args(%arg18 = %c0_i32, %arg19 = %c0_i32) -> (i32, i32)  : i32 {
        %26 = arith.remui %arg17, %arg14 : i32
        %27 = arith.divsi %26, %9 : i32
        %28 = arith.remsi %26, %9 : i32
        %29 = arith.divui %27, %c8_i32 : i32
        %30 = arith.muli %29, %c8_i32 : i32
        %31 = arith.select %15, %30, %27 : i32
        %32 = arith.remui %27, %c8_i32 : i32
        %33 = arith.select %15, %32, %c0_i32 : i32
        %34 = arith.subi %12, %31 : i32
        %35 = arith.minsi %34, %c8_i32 : i32
        %36 = arith.select %15, %35, %c1_i32 : i32
        %37 = arith.maxsi %36, %c1_i32 : i32
        %38 = arith.muli %33, %11 : i32
        %39 = arith.addi %38, %28 : i32
        %40 = arith.remui %39, %37 : i32
        %41 = arith.addi %31, %40 : i32
        %42 = arith.divui %39, %37 : i32
        %43 = arith.select %10, %41, %27 : i32
        %44 = arith.muli %43, %c128_i32 : i32
        %45 = arith.select %10, %42, %28 : i32
        %46 = arith.muli %45, %c128_i32 : i32
        %47 = "tk.splat"(%44) : (i32) -> tensor<128xi32, #L2>
        %48 = arith.addi %47, %16 : tensor<128xi32, #L2>
        %49 = "tk.splat"(%46) : (i32) -> tensor<128xi32, #L3>
        %50 = arith.addi %49, %17 : tensor<128xi32, #L3>
        %51:3 = scf.for %arg20 = %c0_i32 to %19 step %c1_i32 iter_args(%arg21 = %cst, %arg22 = %arg18, %arg23 = %arg19) -> (tensor<128x128xf32, #L4>, i32, i32)  : i32 {
          %71 = arith.muli %arg22, %c8_i32 : i32
          %72 = arith.addi %2, %71 : i32
          "tk.mbarrier_wait"(%72, %arg23) : (i32, i32) -> ()
          %73 = arith.cmpi ne, %arg20, %c0_i32 : i32
          %74 = arith.cmpi eq, %arg22, %c0_i32 : i32
          %75 = arith.subi %arg22, %c1_i32 : i32
          %76 = arith.xori %arg23, %c1_i32 : i32
          %77 = arith.select %74, %c1_i32, %75 : i32
          %78 = arith.muli %77, %c8_i32 : i32
          %79 = arith.addi %3, %78 : i32
          "tk.mbarrier_arrive"(%79, %73) {together} : (i32, i1) -> ()
          %80 = "tk.smem_slot"(%0, %arg22) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
          %81 = "tk.smem_slot"(%1, %arg22) : (tensor<64x128xf16, #L1>, i32) -> tensor<64x128xf16, #L1>
          %82 = "tk.smem_load"(%80) : (tensor<128x64xf16, #L0>) -> tensor<128x64xf16, #L5>
          %83 = "tk.smem_load"(%81) : (tensor<64x128xf16, #L1>) -> tensor<64x128xf16, #L6>
          %84 = "tk.dot"(%82, %83, %arg21) {instruction = "mma.m16n8k16.f16", precision = "tf32"} : (tensor<128x64xf16, #L5>, tensor<64x128xf16, #L6>, tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
          %85 = arith.addi %arg22, %c1_i32 : i32
          %86 = arith.cmpi eq, %85, %c2_i32 : i32
          %87 = arith.select %86, %c0_i32, %85 : i32
          %88 = arith.select %86, %76, %arg23 : i32
          scf.yield %84, %87, %88 : tensor<128x128xf32, #L4>, i32, i32
        } {tk.pipeline = "2 slots, filled by a warp of their own"}
        %52 = arith.cmpi eq, %51#1, %c0_i32 : i32
        %53 = arith.subi %51#1, %c1_i32 : i32
        %54 = arith.select %52, %c1_i32, %53 : i32
        %55 = arith.muli %54, %c8_i32 : i32
        %56 = arith.addi %3, %55 : i32
        "tk.mbarrier_arrive"(%56, %20) {together} : (i32, i1) -> ()
        %57 = "tk.expand_dims"(%48) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
        %58 = arith.muli %57, %21 : tensor<128x1xi32, #L2>
        %59 = "tk.addptr"(%22, %58) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
        %60 = "tk.expand_dims"(%50) {axis = 0 : i32} : (tensor<128xi32, #L3>) -> tensor<1x128xi32, #L3>
        %61 = "tk.broadcast"(%59) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x128x!tk.ptr<f16>, #L7>
        %62 = "tk.broadcast"(%60) : (tensor<1x128xi32, #L3>) -> tensor<128x128xi32, #L7>
        %63 = "tk.addptr"(%61, %62) : (tensor<128x128x!tk.ptr<f16>, #L7>, tensor<128x128xi32, #L7>) -> tensor<128x128x!tk.ptr<f16>, #L7>
        %64 = arith.truncf %51#0 : tensor<128x128xf32, #L4> to tensor<128x128xf16, #L4>
        %65 = "tk.convert_layout"(%64) {piece = 16384 : i32} : (tensor<128x128xf16, #L4>) -> tensor<128x128xf16, #L7>
        %66 = arith.cmpi slt, %57, %23 : tensor<128x1xi32, #L2>
        %67 = arith.cmpi slt, %60, %24 {constancy = array<i32: 1, 16>} : tensor<1x128xi32, #L3>
        %68 = "tk.broadcast"(%66) : (tensor<128x1xi1, #L2>) -> tensor<128x128xi1, #L7>
        %69 = "tk.broadcast"(%67) : (tensor<1x128xi1, #L3>) -> tensor<128x128xi1, #L7>
        %70 = arith.andi %68, %69 : tensor<128x128xi1, #L7>
        "tk.store"(%63, %65, %70) {tk.tensor_copy = "left alone: tk.store at 69:5: what it stores is not a dot's result, as 16 or 32 bits", vector = 8 : i32} : (tensor<128x128x!tk.ptr<f16>, #L7>, tensor<128x128xf16, #L7>, tensor<128x128xi1, #L7>) -> ()
        scf.yield %51#1, %51#2 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
