// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.warpgroup_dot tk.dot* tk.smem_* tk.mbarrier_* tk.bulk_* tk.async_* tk.barrier tk.unwritten tk.opaque tk.convert_layout tk.store tk.load
// Two products, and a third of what is computed from both: the first is waited for where it is read, the second goes on.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>}
#L3 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L8 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L9 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0>}
module {
  func.func @slopes(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 1, 4, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 1>, element = f32, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 6, -1, 1>, swizzle = 0 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 5, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no dot of a row's tile with a column's", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64xf32, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<8192xi8, #L2>
    %3 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 3 : i32} : () -> i32
    %4 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 3 : i32} : () -> i32
    "tk.specialise"() ({
      %5 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %6 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %7 = arith.muli %arg10, %arg11 : i32
      %8 = arith.muli %7, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %9:2 = scf.for %arg13 = %5 to %8 step %6 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32_0) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg13, %arg10 : i32
        %11 = arith.remui %arg13, %arg10 : i32
        %12 = arith.remui %10, %arg11 : i32
        %13 = arith.divui %10, %arg11 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %14:2 = scf.for %arg16 = %c0_i32_1 to %arg4 step %c64_i32 iter_args(%arg17 = %arg14, %arg18 = %arg15) -> (i32, i32)  : i32 {
          %c1_i32 = arith.constant 1 : i32
          %15 = arith.xori %arg18, %c1_i32 : i32
          %c8_i32 = arith.constant 8 : i32
          %16 = arith.muli %arg17, %c8_i32 : i32
          %17 = arith.addi %4, %16 : i32
          "tk.mbarrier_wait"(%17, %15) : (i32, i32) -> ()
          %c8_i32_2 = arith.constant 8 : i32
          %18 = arith.muli %arg17, %c8_i32_2 : i32
          %19 = arith.addi %3, %18 : i32
          "tk.mbarrier_expect"(%19) {bytes = 8448 : i32} : (i32) -> ()
          %20 = "tk.smem_slot"(%0, %arg17) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %c0_i64 = arith.constant 0 : i64
          %21 = arith.trunci %c0_i64 : i64 to i32
          %c0_i64_3 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %22 = arith.extsi %arg16 : i32 to i64
          %23 = arith.muli %c1_i64, %22 : i64
          %24 = arith.addi %c0_i64_3, %23 : i64
          %25 = arith.trunci %24 : i64 to i32
          "tk.bulk_load"(%20, %arg7, %19, %21, %25) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %26 = "tk.smem_slot"(%1, %arg17) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
          %c0_i64_4 = arith.constant 0 : i64
          %c1_i64_5 = arith.constant 1 : i64
          %27 = arith.extsi %arg16 : i32 to i64
          %28 = arith.muli %c1_i64_5, %27 : i64
          %29 = arith.addi %c0_i64_4, %28 : i64
          %30 = arith.trunci %29 : i64 to i32
          %c0_i64_6 = arith.constant 0 : i64
          %c1_i64_7 = arith.constant 1 : i64
          %31 = arith.extsi %12 : i32 to i64
          %32 = arith.muli %c1_i64_7, %31 : i64
          %33 = arith.addi %c0_i64_6, %32 : i64
          %34 = arith.trunci %33 : i64 to i32
          "tk.bulk_load"(%26, %arg8, %19, %30, %34) {inner = 64 : i32} : (tensor<64xf32, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_8 = arith.constant 1 : i32
          %35 = arith.addi %arg17, %c1_i32_8 : i32
          %c3_i32 = arith.constant 3 : i32
          %36 = arith.cmpi eq, %35, %c3_i32 : i32
          %c0_i32_9 = arith.constant 0 : i32
          %37 = arith.select %36, %c0_i32_9, %35 : i32
          %c1_i32_10 = arith.constant 1 : i32
          %38 = arith.xori %arg18, %c1_i32_10 : i32
          %39 = arith.select %36, %38, %arg18 : i32
          scf.yield %37, %39 : i32, i32
        }
        scf.yield %14#0, %14#1 : i32, i32
      }
      "tk.yield"() : () -> ()
    }, {
      %5 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %6 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %7 = arith.muli %arg10, %arg11 : i32
      %8 = arith.muli %7, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %9:2 = scf.for %arg13 = %5 to %8 step %6 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32_0) -> (i32, i32)  : i32 {
        %10 = arith.divui %arg13, %arg10 : i32
        %11 = arith.remui %arg13, %arg10 : i32
        %12 = arith.remui %10, %arg11 : i32
        %13 = arith.divui %10, %arg11 : i32
        %c64_i32 = arith.constant 64 : i32
        %14 = arith.muli %11, %c64_i32 : i32
        %15 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
        %16 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %17 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
        %18 = "tk.splat"(%14) : (i32) -> tensor<64xi32, #L5>
        %19 = arith.addi %18, %17 : tensor<64xi32, #L5>
        %20 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
        %21 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L5>
        %22 = arith.muli %20, %21 : tensor<64x1xi32, #L5>
        %23 = "tk.expand_dims"(%16) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
        %24 = "tk.broadcast"(%22) : (tensor<64x1xi32, #L5>) -> tensor<64x64xi32, #L6>
        %25 = "tk.broadcast"(%23) : (tensor<1x64xi32, #L4>) -> tensor<64x64xi32, #L6>
        %26 = arith.addi %24, %25 : tensor<64x64xi32, #L6>
        %27 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %28 = "tk.addptr"(%27, %26) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %29 = "tk.load"(%28) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
        %30 = "tk.convert_layout"(%29) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L0>
        %31 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %32 = "tk.addptr"(%31, %26) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
        %33 = "tk.load"(%32) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L6>) -> tensor<64x64xf16, #L6>
        %34 = "tk.convert_layout"(%33) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L0>
        %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L7>
        %c0_i32_1 = arith.constant 0 : i32
        %35 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L5>
        %36 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32, #L5>
        %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #L6>
        %37 = arith.muli %12, %arg6 : i32
        %38 = "tk.addptr"(%arg3, %37) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %39 = "tk.splat"(%38) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L3>
        %40:3 = scf.for %arg16 = %c0_i32_1 to %arg4 step %c64_i32 iter_args(%arg17 = %cst, %arg18 = %arg14, %arg19 = %arg15) -> (tensor<64x64xf32, #L7>, i32, i32)  : i32 {
          %c8_i32 = arith.constant 8 : i32
          %48 = arith.muli %arg18, %c8_i32 : i32
          %49 = arith.addi %3, %48 : i32
          "tk.mbarrier_wait"(%49, %arg19) : (i32, i32) -> ()
          %50 = "tk.smem_slot"(%0, %arg18) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %51 = "tk.smem_slot"(%1, %arg18) : (tensor<64xf32, #L1>, i32) -> tensor<64xf32, #L1>
          %52 = "tk.splat"(%arg16) : (i32) -> tensor<64xi32, #L3>
          %53 = "tk.splat"(%arg16) : (i32) -> tensor<64xi32, #L5>
          %54 = arith.addi %52, %15 : tensor<64xi32, #L3>
          %55 = arith.addi %53, %17 : tensor<64xi32, #L5>
          %56 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L5>) -> tensor<64x1xi32, #L5>
          %57 = arith.muli %56, %21 : tensor<64x1xi32, #L5>
          %58 = "tk.addptr"(%35, %57) : (tensor<64x1x!tk.ptr<f16>, #L5>, tensor<64x1xi32, #L5>) -> tensor<64x1x!tk.ptr<f16>, #L5>
          %59 = "tk.broadcast"(%58) : (tensor<64x1x!tk.ptr<f16>, #L5>) -> tensor<64x64x!tk.ptr<f16>, #L6>
          %60 = "tk.addptr"(%59, %25) : (tensor<64x64x!tk.ptr<f16>, #L6>, tensor<64x64xi32, #L6>) -> tensor<64x64x!tk.ptr<f16>, #L6>
          %61 = arith.cmpi slt, %56, %36 : tensor<64x1xi32, #L5>
          %62 = "tk.broadcast"(%61) : (tensor<64x1xi1, #L5>) -> tensor<64x64xi1, #L6>
          %63 = "tk.smem_trans"(%50) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L0>) -> tensor<64x64xf16, #L8>
          %64 = "tk.dot"(%30, %63, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L8>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
          %65 = "tk.dot"(%34, %63, %cst) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L0>, tensor<64x64xf16, #L8>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
          %66 = "tk.addptr"(%39, %54) : (tensor<64x!tk.ptr<f32>, #L3>, tensor<64xi32, #L3>) -> tensor<64x!tk.ptr<f32>, #L3>
          %67 = "tk.smem_load"(%51) : (tensor<64xf32, #L1>) -> tensor<64xf32, #L9>
          %68 = "tk.expand_dims"(%67) {axis = 0 : i32} : (tensor<64xf32, #L9>) -> tensor<1x64xf32, #L9>
          %69 = "tk.broadcast"(%68) : (tensor<1x64xf32, #L9>) -> tensor<64x64xf32, #L7>
          %70 = arith.subf %64, %69 : tensor<64x64xf32, #L7>
          %71 = arith.mulf %70, %65 : tensor<64x64xf32, #L7>
          %72 = arith.truncf %71 : tensor<64x64xf32, #L7> to tensor<64x64xf16, #L7>
          %73 = "tk.dot"(%72, %50, %arg17) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L7>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L7>) -> tensor<64x64xf32, #L7>
          %true = arith.constant true
          %c8_i32_4 = arith.constant 8 : i32
          %74 = arith.muli %arg18, %c8_i32_4 : i32
          %75 = arith.addi %4, %74 : i32
          "tk.mbarrier_arrive"(%75, %true) {together} : (i32, i1) -> ()
          %c1_i32 = arith.constant 1 : i32
          %76 = arith.addi %arg18, %c1_i32 : i32
          %c3_i32 = arith.constant 3 : i32
          %77 = arith.cmpi eq, %76, %c3_i32 : i32
          %c0_i32_5 = arith.constant 0 : i32
          %78 = arith.select %77, %c0_i32_5, %76 : i32
          %c1_i32_6 = arith.constant 1 : i32
          %79 = arith.xori %arg19, %c1_i32_6 : i32
          %80 = arith.select %77, %79, %arg19 : i32
          scf.yield %73, %78, %80 : tensor<64x64xf32, #L7>, i32, i32
        }
        %41 = arith.truncf %40#0 : tensor<64x64xf32, #L7> to tensor<64x64xf16, #L7>
        %42 = "tk.convert_layout"(%41) : (tensor<64x64xf16, #L7>) -> tensor<64x64xf16, #L6>
        %c0_i64 = arith.constant 0 : i64
        %43 = arith.trunci %c0_i64 : i64 to i32
        %c0_i64_3 = arith.constant 0 : i64
        %c64_i64 = arith.constant 64 : i64
        %44 = arith.extsi %11 : i32 to i64
        %45 = arith.muli %c64_i64, %44 : i64
        %46 = arith.addi %c0_i64_3, %45 : i64
        %47 = arith.trunci %46 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %41, %43, %47) : (!tk.tensor_map, tensor<8192xi8, #L2>, tensor<64x64xf16, #L7>, i32, i32) -> ()
        scf.yield %40#1, %40#2 : i32, i32
      }
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

