// chip: sm_90a
// show: scf.* tk.load tk.convert_layout tk.dot tk.join
// Words that the left operand is unpacked from are copied as the other operand is, though registers would hold them a step ahead.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32>, warp = array<i32: 4, 8>}
#L2 = {lane = array<i32: 16, 32, 0, 0, 0>, register = array<i32: 1, 2, 4, 8>, warp = array<i32: 0, 0>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L4 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}
#L6 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 256, 512>}
#L7 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32: 1, 256>, warp = array<i32: 64, 128>}
#L8 = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8, 2048>, warp = array<i32: 512, 1024>}
#L9 = {lane = array<i32: 2, 4, 16, 32, 64>, register = array<i32: 1, 128, 8>, warp = array<i32: 256, 512>}
#L10 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
#L11 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L12 = {lane = array<i32: 1024, 2048, 1, 2, 4>, register = array<i32: 64, 128, 256, 512, 32>, warp = array<i32: 8, 16>}
#L13 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L14 = {shared = array<i32: 16, 32, 64, 128, 256, 512, 129, 258, 516, 8>}
#L15 = {lane = array<i32: 128, 256, 1, 2, 4>, register = array<i32: 64, 8, 512>, warp = array<i32: 16, 32>}
module {
  func.func @words(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 16>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 1, 4, -1, 1>, swizzle = 128 : i32}}, %arg6: i32 {tk.hidden = "grid_x"}, %arg7: i32 {tk.hidden = "grid_y"}, %arg8: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.persistent = 4 : i32, tk.producer_warps = 1 : i32} {
    %0 = "tk.smem_alloc"() {stages = 10 : i32} : () -> tensor<16x64xf16, #L0>
    %1 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 10 : i32} : () -> i32
    %2 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 10 : i32} : () -> i32
    "tk.specialise"() ({
      %3 = arith.muli %arg6, %arg7 : i32
      %4 = arith.muli %3, %arg8 : i32
      %c0_i32 = arith.constant 0 : i32
      %5 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %6 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %7:2 = scf.for %arg9 = %5 to %4 step %6 iter_args(%arg10 = %c0_i32, %arg11 = %c0_i32) -> (i32, i32)  : i32 {
        %8 = arith.divui %arg9, %arg6 : i32
        %9 = arith.remui %arg9, %arg6 : i32
        %10 = arith.remui %8, %arg7 : i32
        %11 = arith.divui %8, %arg7 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %c64_i32 = arith.constant 64 : i32
        %12:2 = scf.for %arg12 = %c0_i32_0 to %arg4 step %c64_i32 iter_args(%arg13 = %arg10, %arg14 = %arg11) -> (i32, i32)  : i32 {
          %c1_i32 = arith.constant 1 : i32
          %13 = arith.xori %arg14, %c1_i32 : i32
          %c8_i32 = arith.constant 8 : i32
          %14 = arith.muli %arg13, %c8_i32 : i32
          %15 = arith.addi %2, %14 : i32
          "tk.mbarrier_wait"(%15, %13) : (i32, i32) -> ()
          %c8_i32_1 = arith.constant 8 : i32
          %16 = arith.muli %arg13, %c8_i32_1 : i32
          %17 = arith.addi %1, %16 : i32
          "tk.mbarrier_expect"(%17) {bytes = 2048 : i32} : (i32) -> ()
          %18 = "tk.smem_slot"(%0, %arg13) : (tensor<16x64xf16, #L0>, i32) -> tensor<16x64xf16, #L0>
          %c0_i64 = arith.constant 0 : i64
          %c1_i64 = arith.constant 1 : i64
          %19 = arith.extsi %arg12 : i32 to i64
          %20 = arith.muli %c1_i64, %19 : i64
          %21 = arith.addi %c0_i64, %20 : i64
          %22 = arith.trunci %21 : i64 to i32
          %c0_i64_2 = arith.constant 0 : i64
          %23 = arith.trunci %c0_i64_2 : i64 to i32
          "tk.bulk_load"(%18, %arg5, %17, %22, %23) {inner = 64 : i32} : (tensor<16x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %c1_i32_3 = arith.constant 1 : i32
          %24 = arith.addi %arg13, %c1_i32_3 : i32
          %c10_i32 = arith.constant 10 : i32
          %25 = arith.cmpi eq, %24, %c10_i32 : i32
          %c1_i32_4 = arith.constant 1 : i32
          %26 = arith.xori %arg14, %c1_i32_4 : i32
          %c0_i32_5 = arith.constant 0 : i32
          %27 = arith.select %25, %c0_i32_5, %24 : i32
          %28 = arith.select %25, %26, %arg14 : i32
          %c1_i32_6 = arith.constant 1 : i32
          scf.yield %27, %28 : i32, i32
        } {tk.pipeline = "10 slots, filled by a warp of their own"}
        scf.yield %12#0, %12#1 : i32, i32
      }
      "tk.yield"() : () -> ()
    }, {
      %3 = arith.muli %arg6, %arg7 : i32
      %4 = arith.muli %3, %arg8 : i32
      %c0_i32 = arith.constant 0 : i32
      %5 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %6 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %7:2 = scf.for %arg9 = %5 to %4 step %6 iter_args(%arg10 = %c0_i32, %arg11 = %c0_i32) -> (i32, i32)  : i32 {
        %8 = arith.divui %arg9, %arg6 : i32
        %9 = arith.remui %arg9, %arg6 : i32
        %10 = arith.remui %8, %arg7 : i32
        %11 = arith.divui %8, %arg7 : i32
        %12 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32, #L1>
        %c64_i32 = arith.constant 64 : i32
        %13 = arith.muli %9, %c64_i32 : i32
        %14 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
        %15 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L3>
        %16 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
        %17 = "tk.splat"(%13) : (i32) -> tensor<64xi32, #L4>
        %18 = arith.addi %17, %16 : tensor<64xi32, #L4>
        %c8_i32 = arith.constant 8 : i32
        %19 = arith.muli %9, %c8_i32 : i32
        %20 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32, #L5>
        %21 = "tk.splat"(%19) : (i32) -> tensor<8xi32, #L5>
        %22 = arith.addi %21, %20 : tensor<8xi32, #L5>
        %cst = arith.constant dense<8> : tensor<64xi32, #L2>
        %23 = arith.remsi %14, %cst : tensor<64xi32, #L2>
        %cst_0 = arith.constant dense<4> : tensor<64xi32, #L2>
        %24 = arith.muli %23, %cst_0 : tensor<64xi32, #L2>
        %25 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<64xi32, #L2>) -> tensor<1x64xi32, #L2>
        %c0_i32_1 = arith.constant 0 : i32
        %26 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<16xi32, #L1>) -> tensor<16x1xi32, #L1>
        %27 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32, #L1>
        %28 = arith.muli %26, %27 : tensor<16x1xi32, #L1>
        %29 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>, #L1>
        %30 = "tk.addptr"(%29, %28) : (tensor<16x1x!tk.ptr<f16>, #L1>, tensor<16x1xi32, #L1>) -> tensor<16x1x!tk.ptr<f16>, #L1>
        %31 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f16>, #L1>) -> tensor<16x64x!tk.ptr<f16>, #L6>
        %32 = arith.divsi %arg3, %c8_i32 : i32
        %33 = "tk.splat"(%32) : (i32) -> tensor<64x1xi32, #L3>
        %34 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<64x1x!tk.ptr<i32>, #L3>
        %35 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<8xi32, #L5>) -> tensor<1x8xi32, #L5>
        %36 = "tk.broadcast"(%35) : (tensor<1x8xi32, #L5>) -> tensor<64x8xi32, #L7>
        %37 = "tk.broadcast"(%25) : (tensor<1x64xi32, #L2>) -> tensor<64x64xi32, #L8>
        %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #L9>
        %38:3 = scf.for %arg12 = %c0_i32_1 to %arg4 step %c64_i32 iter_args(%arg13 = %cst_2, %arg14 = %arg10, %arg15 = %arg11) -> (tensor<64x16xf32, #L9>, i32, i32)  : i32 {
          %c8_i32_3 = arith.constant 8 : i32
          %50 = arith.muli %arg14, %c8_i32_3 : i32
          %51 = arith.addi %1, %50 : i32
          "tk.mbarrier_wait"(%51, %arg15) : (i32, i32) -> ()
          %52 = "tk.smem_slot"(%0, %arg14) : (tensor<16x64xf16, #L0>, i32) -> tensor<16x64xf16, #L0>
          %53 = "tk.splat"(%arg12) : (i32) -> tensor<64xi32, #L3>
          %54 = "tk.splat"(%arg12) : (i32) -> tensor<64xi32, #L4>
          %55 = arith.addi %53, %15 : tensor<64xi32, #L3>
          %56 = arith.addi %54, %16 : tensor<64xi32, #L4>
          %57 = "tk.expand_dims"(%56) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
          %58 = "tk.broadcast"(%57) : (tensor<1x64xi32, #L4>) -> tensor<16x64xi32, #L6>
          %59 = "tk.addptr"(%31, %58) : (tensor<16x64x!tk.ptr<f16>, #L6>, tensor<16x64xi32, #L6>) -> tensor<16x64x!tk.ptr<f16>, #L6>
          %60 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<64xi32, #L3>) -> tensor<64x1xi32, #L3>
          %61 = arith.muli %60, %33 : tensor<64x1xi32, #L3>
          %62 = "tk.addptr"(%34, %61) : (tensor<64x1x!tk.ptr<i32>, #L3>, tensor<64x1xi32, #L3>) -> tensor<64x1x!tk.ptr<i32>, #L3>
          %63 = "tk.broadcast"(%62) : (tensor<64x1x!tk.ptr<i32>, #L3>) -> tensor<64x8x!tk.ptr<i32>, #L7>
          %64 = "tk.addptr"(%63, %36) : (tensor<64x8x!tk.ptr<i32>, #L7>, tensor<64x8xi32, #L7>) -> tensor<64x8x!tk.ptr<i32>, #L7>
          %65 = "tk.load"(%64) {tk.tensor_copy = "left alone: tk.load at 35:13: a stride is not known to be a multiple of 16 bytes", vector = 2 : i32} : (tensor<64x8x!tk.ptr<i32>, #L7>) -> tensor<64x8xi32, #L7>
          %66 = "tk.join"(%65, %65) : (tensor<64x8xi32, #L7>, tensor<64x8xi32, #L7>) -> tensor<64x8x2xi32, #L10>
          %67 = "tk.reshape"(%66) : (tensor<64x8x2xi32, #L10>) -> tensor<64x16xi32, #L10>
          %68 = "tk.join"(%67, %67) : (tensor<64x16xi32, #L10>, tensor<64x16xi32, #L10>) -> tensor<64x16x2xi32, #L11>
          %69 = "tk.reshape"(%68) : (tensor<64x16x2xi32, #L11>) -> tensor<64x32xi32, #L11>
          %70 = "tk.join"(%69, %69) : (tensor<64x32xi32, #L11>, tensor<64x32xi32, #L11>) -> tensor<64x32x2xi32, #L8>
          %71 = "tk.reshape"(%70) : (tensor<64x32x2xi32, #L8>) -> tensor<64x64xi32, #L8>
          %72 = arith.shrsi %71, %37 : tensor<64x64xi32, #L8>
          %73 = arith.trunci %72 : tensor<64x64xi32, #L8> to tensor<64x64xi16, #L8>
          %cst_4 = arith.constant dense<15> : tensor<64x64xi16, #L8>
          %74 = arith.andi %73, %cst_4 : tensor<64x64xi16, #L8>
          %cst_5 = arith.constant dense<25600> : tensor<64x64xi16, #L8>
          %75 = arith.ori %74, %cst_5 : tensor<64x64xi16, #L8>
          %76 = arith.bitcast %75 : tensor<64x64xi16, #L8> to tensor<64x64xf16, #L8>
          %cst_6 = arith.constant dense<1.024000e+03> : tensor<64x64xf16, #L8>
          %77 = arith.subf %76, %cst_6 : tensor<64x64xf16, #L8>
          %78 = "tk.trans"(%77) {order = array<i32: 1, 0>} : (tensor<64x64xf16, #L8>) -> tensor<64x64xf16, #L12>
          %79 = "tk.convert_layout"(%78) : (tensor<64x64xf16, #L12>) -> tensor<64x64xf16, #L13>
          %80 = "tk.smem_trans"(%52) {order = array<i32: 1, 0>} : (tensor<16x64xf16, #L0>) -> tensor<64x16xf16, #L14>
          %81 = "tk.dot"(%79, %80, %arg13) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L13>, tensor<64x16xf16, #L14>, tensor<64x16xf32, #L9>) -> tensor<64x16xf32, #L9>
          %true = arith.constant true
          %c8_i32_7 = arith.constant 8 : i32
          %82 = arith.muli %arg14, %c8_i32_7 : i32
          %83 = arith.addi %2, %82 : i32
          "tk.mbarrier_arrive"(%83, %true) : (i32, i1) -> ()
          %c1_i32 = arith.constant 1 : i32
          %84 = arith.addi %arg14, %c1_i32 : i32
          %c10_i32 = arith.constant 10 : i32
          %85 = arith.cmpi eq, %84, %c10_i32 : i32
          %c1_i32_8 = arith.constant 1 : i32
          %86 = arith.xori %arg15, %c1_i32_8 : i32
          %c0_i32_9 = arith.constant 0 : i32
          %87 = arith.select %85, %c0_i32_9, %84 : i32
          %88 = arith.select %85, %86, %arg15 : i32
          scf.yield %81, %87, %88 : tensor<64x16xf32, #L9>, i32, i32
        } {tk.pipeline = "10 slots, filled by a warp of their own"}
        %39 = "tk.trans"(%38#0) {order = array<i32: 1, 0>} : (tensor<64x16xf32, #L9>) -> tensor<16x64xf32, #L15>
        %40 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32, #L1>
        %41 = arith.muli %26, %40 : tensor<16x1xi32, #L1>
        %42 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>, #L1>
        %43 = "tk.addptr"(%42, %41) : (tensor<16x1x!tk.ptr<f16>, #L1>, tensor<16x1xi32, #L1>) -> tensor<16x1x!tk.ptr<f16>, #L1>
        %44 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<64xi32, #L4>) -> tensor<1x64xi32, #L4>
        %45 = "tk.broadcast"(%43) : (tensor<16x1x!tk.ptr<f16>, #L1>) -> tensor<16x64x!tk.ptr<f16>, #L6>
        %46 = "tk.broadcast"(%44) : (tensor<1x64xi32, #L4>) -> tensor<16x64xi32, #L6>
        %47 = "tk.addptr"(%45, %46) : (tensor<16x64x!tk.ptr<f16>, #L6>, tensor<16x64xi32, #L6>) -> tensor<16x64x!tk.ptr<f16>, #L6>
        %48 = arith.truncf %39 : tensor<16x64xf32, #L15> to tensor<16x64xf16, #L15>
        %49 = "tk.convert_layout"(%48) : (tensor<16x64xf16, #L15>) -> tensor<16x64xf16, #L6>
        "tk.store"(%47, %49) {tk.tensor_copy = "left alone: tk.store at 40:5: what it stores is not a dot's result, as 16 or 32 bits", vector = 8 : i32} : (tensor<16x64x!tk.ptr<f16>, #L6>, tensor<16x64xf16, #L6>) -> ()
        scf.yield %38#1, %38#2 : i32, i32
      }
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

