// chip: sm_90a
// show: scf.* tk.warp_any tk.warpgroup_dot tk.dot_wait
// The scales of rows and of the block are multiplied beside the product.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 144, 288, 576, 1024, 2048, 4096, 8192>}
#L1 = {shared = array<i32: 128, 256, 512, 1024, 2048, 4096, 8192, 2049, 4098, 8196, 8, 16, 32, 64>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
#L4 = {lane = array<i32: 2, 4, 128, 256, 512>, register = array<i32: 1, 1024, 8, 16, 32, 64>, warp = array<i32: 2048, 4096, 8192>}
#L5 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32, 64>, warp = array<i32: 0, 0, 0>}
module {
  func.func @fp8_block(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 128, 128>, element = f8E4M3FN, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 5, -1, 1>, strides = array<i64: 0, 1, 7, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 128, 128>, element = f8E4M3FN, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 6, -1, 1>, strides = array<i64: 0, 1, 7, -1, 1>, swizzle = 128 : i32}}, %arg10: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = bf16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 1, 6, -1, 1, 0, 1, 5, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 128 : i32}}, %arg11: i32 {tk.hidden = "grid_x"}, %arg12: i32 {tk.hidden = "grid_y"}, %arg13: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: already grouped", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<128x128xf8E4M3FN, #L0>
    %1 = "tk.smem_alloc"() {stages = 4 : i32} : () -> tensor<128x128xf8E4M3FN, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<32768xi8, #L2>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 4 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 8 : i32, count = 4 : i32} : () -> i32
    "tk.specialise"() ({
      %5 = arith.muli %arg11, %arg12 : i32
      %6 = arith.muli %5, %arg13 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c8_i32 = arith.constant 8 : i32
      %c127_i32 = arith.constant 127 : i32
      %9 = arith.addi %arg6, %c127_i32 : i32
      %c128_i32 = arith.constant 128 : i32
      %10 = arith.divsi %9, %c128_i32 : i32
      %11 = arith.muli %c8_i32, %10 : i32
      %12 = arith.addi %arg5, %c127_i32 : i32
      %13 = arith.divsi %12, %c128_i32 : i32
      %14 = arith.divsi %arg7, %c128_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %c0_i64 = arith.constant 0 : i64
      %c128_i64 = arith.constant 128 : i64
      %c1024_i64 = arith.constant 1024 : i64
      %c4_i32 = arith.constant 4 : i32
      %15:2 = scf.for %arg14 = %7 to %6 step %8 iter_args(%arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32)  : i32 {
        %16 = arith.remui %arg14, %arg11 : i32
        %17 = arith.divsi %16, %11 : i32
        %18 = arith.remsi %16, %11 : i32
        %19 = arith.muli %17, %c8_i32 : i32
        %20 = arith.subi %13, %19 : i32
        %21 = arith.minsi %20, %c8_i32 : i32
        %22 = arith.remsi %18, %21 : i32
        %23 = arith.divsi %18, %21 : i32
        %24 = arith.extsi %17 : i32 to i64
        %25 = arith.muli %c1024_i64, %24 : i64
        %26 = arith.addi %c0_i64, %25 : i64
        %27 = arith.extsi %22 : i32 to i64
        %28 = arith.muli %c128_i64, %27 : i64
        %29 = arith.addi %26, %28 : i64
        %30 = arith.trunci %29 : i64 to i32
        %31 = arith.extsi %23 : i32 to i64
        %32 = arith.muli %c128_i64, %31 : i64
        %33 = arith.addi %c0_i64, %32 : i64
        %34 = arith.trunci %33 : i64 to i32
        %35:2 = scf.for %arg17 = %c0_i32 to %14 step %c1_i32 iter_args(%arg18 = %arg15, %arg19 = %arg16) -> (i32, i32)  : i32 {
          %36 = arith.xori %arg19, %c1_i32 : i32
          %37 = arith.muli %arg18, %c8_i32 : i32
          %38 = arith.addi %4, %37 : i32
          "tk.mbarrier_wait"(%38, %36) : (i32, i32) -> ()
          %39 = arith.addi %3, %37 : i32
          "tk.mbarrier_expect"(%39) {bytes = 32768 : i32} : (i32) -> ()
          %40 = "tk.smem_slot"(%0, %arg18) : (tensor<128x128xf8E4M3FN, #L0>, i32) -> tensor<128x128xf8E4M3FN, #L0>
          %41 = arith.extsi %arg17 : i32 to i64
          %42 = arith.muli %c128_i64, %41 : i64
          %43 = arith.addi %c0_i64, %42 : i64
          %44 = arith.trunci %43 : i64 to i32
          "tk.bulk_load"(%40, %arg8, %39, %44, %30) {inner = 128 : i32} : (tensor<128x128xf8E4M3FN, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %45 = "tk.smem_slot"(%1, %arg18) : (tensor<128x128xf8E4M3FN, #L1>, i32) -> tensor<128x128xf8E4M3FN, #L1>
          "tk.bulk_load"(%45, %arg9, %39, %44, %34) {inner = 128 : i32} : (tensor<128x128xf8E4M3FN, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %46 = arith.addi %arg18, %c1_i32 : i32
          %47 = arith.cmpi eq, %46, %c4_i32 : i32
          %48 = arith.select %47, %c0_i32, %46 : i32
          %49 = arith.select %47, %36, %arg19 : i32
          scf.yield %48, %49 : i32, i32
        } {tk.pipeline = "4 slots, filled by a warp of their own"}
        scf.yield %35#0, %35#1 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %5 = arith.muli %arg11, %arg12 : i32
      %6 = arith.muli %5, %arg13 : i32
      %c0_i32 = arith.constant 0 : i32
      %7 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %8 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c127_i32 = arith.constant 127 : i32
      %9 = arith.addi %arg5, %c127_i32 : i32
      %c128_i32 = arith.constant 128 : i32
      %10 = arith.divsi %9, %c128_i32 : i32
      %11 = arith.addi %arg6, %c127_i32 : i32
      %12 = arith.divsi %11, %c128_i32 : i32
      %c8_i32 = arith.constant 8 : i32
      %13 = arith.muli %c8_i32, %12 : i32
      %14 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
      %15 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32, #L3>
      %16 = arith.divsi %arg7, %c128_i32 : i32
      %17 = "tk.splat"(%16) : (i32) -> tensor<128xi32, #L3>
      %18 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L3>
      %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #L4>
      %c1_i32 = arith.constant 1 : i32
      %19 = arith.cmpi slt, %c0_i32, %16 : i32
      %20 = arith.muli %c0_i32, %c128_i32 : i32
      %21 = arith.divsi %20, %c128_i32 : i32
      %22 = "tk.splat"(%21) : (i32) -> tensor<128xi32, #L3>
      %23 = "tk.splat"(%19) : (i1) -> tensor<128xi1, #L3>
      %true = arith.constant true
      %c4_i32 = arith.constant 4 : i32
      %c0_i64 = arith.constant 0 : i64
      %c128_i64 = arith.constant 128 : i64
      %c1024_i64 = arith.constant 1024 : i64
      %24:2 = scf.for %arg14 = %7 to %6 step %8 iter_args(%arg15 = %c0_i32, %arg16 = %c0_i32) -> (i32, i32)  : i32 {
        %25 = arith.remui %arg14, %arg11 : i32
        %26 = arith.divsi %25, %13 : i32
        %27 = arith.muli %26, %c8_i32 : i32
        %28 = arith.subi %10, %27 : i32
        %29 = arith.minsi %28, %c8_i32 : i32
        %30 = arith.remsi %25, %13 : i32
        %31 = arith.remsi %30, %29 : i32
        %32 = arith.addi %27, %31 : i32
        %33 = arith.divsi %30, %29 : i32
        %34 = arith.muli %32, %c128_i32 : i32
        %35 = "tk.splat"(%34) : (i32) -> tensor<128xi32, #L3>
        %36 = arith.addi %35, %14 : tensor<128xi32, #L3>
        %37 = arith.remsi %36, %15 : tensor<128xi32, #L3>
        %38 = arith.muli %33, %c128_i32 : i32
        %39 = arith.addi %38, %c0_i32 : i32
        %40 = arith.remsi %39, %arg6 : i32
        %41 = arith.muli %37, %17 : tensor<128xi32, #L3>
        %42 = "tk.addptr"(%18, %41) : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<f32>, #L3>
        %43 = arith.divsi %40, %c128_i32 : i32
        %44 = arith.muli %43, %16 : i32
        %45 = "tk.addptr"(%arg4, %44) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %46 = "tk.addptr"(%42, %22) : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<f32>, #L3>
        %47 = "tk.addptr"(%45, %21) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %48 = "tk.load"(%46, %23) {tk.tensor_copy = "left alone: tk.load at 102:14: no dimension of the tile is contiguous in memory", vector = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi1, #L3>) -> tensor<128xf32, #L3>
        %49 = "tk.load"(%47, %19) {assumes = "no_wrap divisors"} : (!tk.ptr<f32>, i1) -> f32
        %50:5 = scf.for %arg17 = %c0_i32 to %16 step %c1_i32 iter_args(%arg18 = %cst, %arg19 = %arg15, %arg20 = %arg16, %arg21 = %48, %arg22 = %49) -> (tensor<128x128xf32, #L4>, i32, i32, tensor<128xf32, #L3>, f32)  : i32 {
          %63 = arith.addi %arg17, %c1_i32 : i32
          %64 = arith.cmpi slt, %63, %16 : i32
          %65 = arith.muli %63, %c128_i32 : i32
          %66 = arith.divsi %65, %c128_i32 : i32
          %67 = "tk.splat"(%66) : (i32) -> tensor<128xi32, #L3>
          %68 = "tk.addptr"(%42, %67) : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi32, #L3>) -> tensor<128x!tk.ptr<f32>, #L3>
          %69 = "tk.addptr"(%45, %66) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
          %70 = "tk.splat"(%64) : (i1) -> tensor<128xi1, #L3>
          %71 = "tk.load"(%68, %70) {tk.tensor_copy = "left alone: tk.load at 102:14: no dimension of the tile is contiguous in memory", vector = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L3>, tensor<128xi1, #L3>) -> tensor<128xf32, #L3>
          %72 = "tk.load"(%69, %64) {assumes = "no_wrap divisors"} : (!tk.ptr<f32>, i1) -> f32
          %73 = arith.muli %arg19, %c8_i32 : i32
          %74 = arith.addi %3, %73 : i32
          "tk.mbarrier_wait"(%74, %arg20) : (i32, i32) -> ()
          %75 = "tk.smem_slot"(%0, %arg19) : (tensor<128x128xf8E4M3FN, #L0>, i32) -> tensor<128x128xf8E4M3FN, #L0>
          %76 = "tk.smem_slot"(%1, %arg19) : (tensor<128x128xf8E4M3FN, #L1>, i32) -> tensor<128x128xf8E4M3FN, #L1>
          %77 = "tk.splat"(%arg22) : (f32) -> tensor<128xf32, #L5>
          %78 = "tk.warpgroup_dot"(%75, %76, %cst) {instruction = "wgmma.e4m3"} : (tensor<128x128xf8E4M3FN, #L0>, tensor<128x128xf8E4M3FN, #L1>, tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
          %79 = "tk.expand_dims"(%arg21) {axis = 1 : i32} : (tensor<128xf32, #L3>) -> tensor<128x1xf32, #L3>
          %80 = "tk.broadcast"(%79) : (tensor<128x1xf32, #L3>) -> tensor<128x128xf32, #L4>
          %81 = "tk.dot_wait"(%78) {pending = 0 : i32} : (tensor<128x128xf32, #L4>) -> tensor<128x128xf32, #L4>
          %82 = arith.mulf %81, %80 : tensor<128x128xf32, #L4>
          %83 = "tk.expand_dims"(%77) {axis = 0 : i32} : (tensor<128xf32, #L5>) -> tensor<1x128xf32, #L5>
          %84 = "tk.broadcast"(%83) : (tensor<1x128xf32, #L5>) -> tensor<128x128xf32, #L4>
          %85 = math.fma %82, %84, %arg18 : tensor<128x128xf32, #L4>
          %86 = arith.addi %4, %73 : i32
          "tk.mbarrier_arrive"(%86, %true) : (i32, i1) -> ()
          %87 = arith.addi %arg19, %c1_i32 : i32
          %88 = arith.cmpi eq, %87, %c4_i32 : i32
          %89 = arith.xori %arg20, %c1_i32 : i32
          %90 = arith.select %88, %c0_i32, %87 : i32
          %91 = arith.select %88, %89, %arg20 : i32
          scf.yield %85, %90, %91, %71, %72 : tensor<128x128xf32, #L4>, i32, i32, tensor<128xf32, #L3>, f32
        } {tk.pipeline = "4 slots, filled by a warp of their own"}
        %51 = arith.truncf %50#0 : tensor<128x128xf32, #L4> to tensor<128x128xbf16, #L4>
        %52 = arith.extsi %33 : i32 to i64
        %53 = arith.muli %c128_i64, %52 : i64
        %54 = arith.addi %c0_i64, %53 : i64
        %55 = arith.trunci %54 : i64 to i32
        %56 = arith.extsi %26 : i32 to i64
        %57 = arith.muli %c1024_i64, %56 : i64
        %58 = arith.addi %c0_i64, %57 : i64
        %59 = arith.extsi %31 : i32 to i64
        %60 = arith.muli %c128_i64, %59 : i64
        %61 = arith.addi %58, %60 : i64
        %62 = arith.trunci %61 : i64 to i32
        "tk.bulk_store"(%arg10, %2, %51, %55, %62) : (!tk.tensor_map, tensor<32768xi8, #L2>, tensor<128x128xbf16, #L4>, i32, i32) -> ()
        scf.yield %50#1, %50#2 : i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

