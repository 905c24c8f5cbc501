// chip: sm_90a
// show: scf.* tk.warp_any tk.partial_reduce math.exp2
// Base e: the scale and the maxima are multiplied by log2(e), not the differences; near 0 is below 4096 / log2(e).
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
module {
  func.func @far_natural(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: f32, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
    %0 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L0>
    %1 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L1>
    %2 = "tk.smem_alloc"() {alignment = 1024 : i32, stages = 1 : i32} : () -> tensor<8192xi8, #L2>
    %3 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L1>
    %4 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %5 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 2 : i32} : () -> i32
    %6 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %7 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 2 : i32} : () -> i32
    %8 = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    %9 = "tk.mbarrier_alloc"() {arrivals = 4 : i32, count = 2 : i32} : () -> i32
    "tk.specialise"() ({
      %10 = arith.muli %arg10, %arg11 : i32
      %11 = arith.muli %10, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c1_i32 = arith.constant 1 : i32
      %c8_i32 = arith.constant 8 : i32
      %c0_i64 = arith.constant 0 : i64
      %14 = arith.trunci %c0_i64 : i64 to i32
      %c64_i64 = arith.constant 64 : i64
      %c64_i32 = arith.constant 64 : i32
      %c1_i64 = arith.constant 1 : i64
      %c2_i32 = arith.constant 2 : i32
      %15:4 = scf.for %arg13 = %12 to %11 step %13 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32, %arg17 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %16 = arith.remui %arg13, %arg10 : i32
        %17 = arith.xori %arg17, %c1_i32 : i32
        %18 = arith.muli %arg16, %c8_i32 : i32
        %19 = arith.addi %5, %18 : i32
        "tk.mbarrier_wait"(%19, %17) : (i32, i32) -> ()
        %20 = arith.addi %4, %18 : i32
        "tk.mbarrier_expect"(%20) {bytes = 8192 : i32} : (i32) -> ()
        %21 = "tk.smem_slot"(%3, %arg16) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
        %22 = arith.extsi %16 : i32 to i64
        %23 = arith.muli %c64_i64, %22 : i64
        %24 = arith.addi %c0_i64, %23 : i64
        %25 = arith.trunci %24 : i64 to i32
        "tk.bulk_load"(%21, %arg8, %20, %14, %25) {inner = 64 : i32} : (tensor<64x64xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
        %26:2 = scf.for %arg18 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg19 = %arg14, %arg20 = %arg15) -> (i32, i32)  : i32 {
          %30 = arith.xori %arg20, %c1_i32 : i32
          %31 = arith.muli %arg19, %c8_i32 : i32
          %32 = arith.addi %7, %31 : i32
          "tk.mbarrier_wait"(%32, %30) : (i32, i32) -> ()
          %33 = arith.addi %6, %31 : i32
          "tk.mbarrier_expect"(%33) {bytes = 8192 : i32} : (i32) -> ()
          %34 = "tk.smem_slot"(%0, %arg19) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %35 = arith.extsi %arg18 : i32 to i64
          %36 = arith.muli %c1_i64, %35 : i64
          %37 = arith.addi %c0_i64, %36 : i64
          %38 = arith.trunci %37 : i64 to i32
          "tk.bulk_load"(%34, %arg6, %33, %14, %38) {inner = 64 : i32} : (tensor<64x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
          %39 = arith.addi %9, %31 : i32
          "tk.mbarrier_wait"(%39, %30) : (i32, i32) -> ()
          %40 = arith.addi %8, %31 : i32
          "tk.mbarrier_expect"(%40) {bytes = 8192 : i32} : (i32) -> ()
          %41 = "tk.smem_slot"(%1, %arg19) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          "tk.bulk_load"(%41, %arg7, %40, %14, %38) {inner = 64 : i32} : (tensor<64x64xf16, #L1>, !tk.tensor_map, i32, i32, i32) -> ()
          %42 = arith.addi %arg19, %c1_i32 : i32
          %43 = arith.cmpi eq, %42, %c2_i32 : i32
          %44 = arith.select %43, %c0_i32, %42 : i32
          %45 = arith.select %43, %30, %arg20 : i32
          scf.yield %44, %45 : i32, i32
        } {tk.pipeline = "2 slots, filled by a warp of their own"}
        %27 = arith.cmpi ne, %arg16, %c0_i32 : i32
        %28 = arith.xori %arg16, %c1_i32 : i32
        %29 = arith.select %27, %17, %arg17 : i32
        scf.yield %26#0, %26#1, %28, %29 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.yield"() : () -> ()
    }, {
      %10 = arith.muli %arg10, %arg11 : i32
      %11 = arith.muli %10, %arg12 : i32
      %c0_i32 = arith.constant 0 : i32
      %12 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %13 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %c64_i32 = arith.constant 64 : i32
      %cst = arith.constant dense<0xFF800000> : tensor<64xf32, #L3>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L4>
      %cst_1 = arith.constant 0.693147182 : f32
      %14 = arith.mulf %arg5, %cst_1 : f32
      %15 = "tk.splat"(%14) : (f32) -> tensor<64x64xf32, #L4>
      %cst_2 = arith.constant dense<1.44269502> : tensor<64x64xf32, #L4>
      %cst_3 = arith.constant dense<1.44269502> : tensor<64xf32, #L3>
      %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L5>
      %c8_i32 = arith.constant 8 : i32
      %16 = arith.cmpi slt, %c0_i32, %arg4 : i32
      %true = arith.constant true
      %c0_i64 = arith.constant 0 : i64
      %17 = arith.trunci %c0_i64 : i64 to i32
      %c64_i64 = arith.constant 64 : i64
      %c1_i32 = arith.constant 1 : i32
      %18:4 = scf.for %arg13 = %12 to %11 step %13 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32, %arg17 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %19 = arith.remui %arg13, %arg10 : i32
        %20 = "tk.smem_slot"(%3, %arg16) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
        %21 = arith.muli %arg16, %c8_i32 : i32
        %22 = arith.addi %4, %21 : i32
        "tk.mbarrier_wait"(%22, %arg17) : (i32, i32) -> ()
        %23:4 = scf.if %16 -> (tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32) {
          %38 = arith.subi %arg4, %c0_i32 : i32
          %39 = arith.muli %arg14, %c8_i32 : i32
          %40 = arith.addi %6, %39 : i32
          "tk.mbarrier_wait"(%40, %arg15) : (i32, i32) -> ()
          %41 = "tk.smem_slot"(%0, %arg14) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %42 = "tk.warpgroup_dot"(%20, %41, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %43 = "tk.dot_wait"(%42) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %44 = arith.cmpi ult, %c64_i32, %38 : i32
          %45 = arith.addi %7, %39 : i32
          "tk.mbarrier_arrive"(%45, %44) : (i32, i1) -> ()
          %46 = arith.addi %arg14, %c1_i32 : i32
          %c2_i32 = arith.constant 2 : i32
          %47 = arith.cmpi eq, %46, %c2_i32 : i32
          %48 = arith.xori %arg15, %c1_i32 : i32
          %49 = arith.select %47, %c0_i32, %46 : i32
          %50 = arith.select %47, %48, %arg15 : i32
          %51 = arith.subi %38, %c64_i32 : i32
          %52 = arith.cmpi ult, %c64_i32, %51 : i32
          %53 = arith.select %44, %49, %arg14 : i32
          %54 = arith.select %44, %50, %arg15 : i32
          %55 = arith.muli %53, %c8_i32 : i32
          %56 = arith.addi %6, %55 : i32
          "tk.mbarrier_wait"(%56, %54) : (i32, i32) -> ()
          %57 = "tk.smem_slot"(%0, %53) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %58 = "tk.warpgroup_dot"(%20, %57, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %59 = arith.mulf %43, %15 : tensor<64x64xf32, #L4>
          %60 = "tk.reduce"(%59) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %96 = arith.maxnumf %arg18, %arg19 : f32
            "tk.yield"(%96) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64xf32, #L3>
          %61 = arith.maxnumf %cst, %60 : tensor<64xf32, #L3>
          %62 = arith.subf %61, %cst : tensor<64xf32, #L3>
          %cst_5 = arith.constant dense<5.54517746> : tensor<64xf32, #L3>
          %63 = arith.cmpf ogt, %62, %cst_5 : tensor<64xf32, #L3>
          %64 = arith.select %63, %61, %cst : tensor<64xi1, #L3>, tensor<64xf32, #L3>
          %65 = "tk.expand_dims"(%64) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %66 = "tk.broadcast"(%65) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %67 = arith.subf %59, %66 : tensor<64x64xf32, #L4>
          %68 = arith.mulf %67, %cst_2 : tensor<64x64xf32, #L4>
          %69 = math.exp2 %68 : tensor<64x64xf32, #L4>
          %70 = arith.subf %cst, %64 : tensor<64xf32, #L3>
          %71 = arith.mulf %70, %cst_3 : tensor<64xf32, #L3>
          %72 = math.exp2 %71 {tk.subnormal} : tensor<64xf32, #L3>
          %73 = "tk.partial_reduce"(%69) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %96 = arith.addf %arg18, %arg19 : f32
            "tk.yield"(%96) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
          %74 = "tk.expand_dims"(%72) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %75 = "tk.broadcast"(%74) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
          %76 = math.fma %cst_4, %75, %73 : tensor<64x4xf32, #L5>
          %77 = arith.truncf %69 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
          %78 = "tk.broadcast"(%74) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %79 = arith.addi %8, %39 : i32
          "tk.mbarrier_wait"(%79, %arg15) : (i32, i32) -> ()
          %80 = "tk.rescale"(%cst_0, %78) : (tensor<64x64xf32, #L4>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %81 = "tk.dot_wait"(%58) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %82 = arith.select %44, %52, %true : i1
          %83 = arith.addi %7, %55 : i32
          "tk.mbarrier_arrive"(%83, %82) : (i32, i1) -> ()
          %84 = arith.addi %c0_i32, %c64_i32 : i32
          %85 = arith.cmpi slt, %84, %arg4 : i32
          %86 = arith.select %85, %84, %arg4 : i32
          %87:7 = scf.for %arg18 = %86 to %arg4 step %c64_i32 iter_args(%arg19 = %76, %arg20 = %80, %arg21 = %64, %arg22 = %49, %arg23 = %50, %arg24 = %81, %arg25 = %77) -> (tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>)  : i32 {
            %96 = arith.cmpi eq, %arg22, %c0_i32 : i32
            %97 = arith.subi %arg22, %c1_i32 : i32
            %98 = arith.xori %arg23, %c1_i32 : i32
            %99 = arith.select %96, %c1_i32, %97 : i32
            %100 = "tk.smem_slot"(%1, %99) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
            %101 = arith.mulf %arg24, %15 : tensor<64x64xf32, #L4>
            %102 = "tk.partial_reduce"(%101) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %147 = arith.maxnumf %arg26, %arg27 : f32
              "tk.yield"(%147) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
            %103 = "tk.expand_dims"(%arg21) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %104 = "tk.broadcast"(%103) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %105 = arith.maxnumf %104, %102 : tensor<64x4xf32, #L5>
            %106 = "tk.expand_dims"(%arg21) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %107 = "tk.broadcast"(%106) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %108 = arith.subf %105, %107 : tensor<64x4xf32, #L5>
            %cst_6 = arith.constant dense<5.54517746> : tensor<64x4xf32, #L5>
            %109 = arith.cmpf ugt, %108, %cst_6 : tensor<64x4xf32, #L5>
            %110 = "tk.warp_any"(%109) : (tensor<64x4xi1, #L5>) -> i1
            %111:2 = scf.if %110 -> (tensor<64xf32, #L3>, tensor<64xf32, #L3>) {
              %147 = "tk.reduce"(%102) ({
              ^bb0(%arg26: f32, %arg27: f32):
                %155 = arith.maxnumf %arg26, %arg27 : f32
                "tk.yield"(%155) : (f32) -> ()
              }) {axis = 1 : i32} : (tensor<64x4xf32, #L5>) -> tensor<64xf32, #L3>
              %148 = arith.maxnumf %arg21, %147 : tensor<64xf32, #L3>
              %149 = arith.subf %148, %arg21 : tensor<64xf32, #L3>
              %150 = arith.cmpf ogt, %149, %cst_5 : tensor<64xf32, #L3>
              %151 = arith.select %150, %148, %arg21 : tensor<64xi1, #L3>, tensor<64xf32, #L3>
              %152 = arith.subf %arg21, %151 : tensor<64xf32, #L3>
              %153 = arith.mulf %152, %cst_3 : tensor<64xf32, #L3>
              %154 = math.exp2 %153 {tk.subnormal} : tensor<64xf32, #L3>
              scf.yield %151, %154 : tensor<64xf32, #L3>, tensor<64xf32, #L3>
            } else {
              %cst_7 = arith.constant dense<1.000000e+00> : tensor<64xf32, #L3>
              scf.yield %arg21, %cst_7 : tensor<64xf32, #L3>, tensor<64xf32, #L3>
            }
            %112 = "tk.warpgroup_dot"(%arg25, %100, %arg20) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %113 = arith.addi %arg22, %c1_i32 : i32
            %114 = arith.cmpi eq, %113, %c2_i32 : i32
            %115 = arith.select %114, %c0_i32, %113 : i32
            %116 = arith.select %114, %98, %arg23 : i32
            %117 = arith.subi %arg4, %arg18 : i32
            %118 = arith.cmpi ult, %c64_i32, %117 : i32
            %119 = arith.subi %117, %c64_i32 : i32
            %120 = arith.cmpi ult, %c64_i32, %119 : i32
            %121 = arith.select %118, %115, %arg22 : i32
            %122 = arith.select %118, %116, %arg23 : i32
            %123 = arith.muli %121, %c8_i32 : i32
            %124 = arith.addi %6, %123 : i32
            "tk.mbarrier_wait"(%124, %122) : (i32, i32) -> ()
            %125 = "tk.smem_slot"(%0, %121) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %126 = "tk.warpgroup_dot"(%20, %125, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %127 = "tk.expand_dims"(%111#0) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %128 = "tk.broadcast"(%127) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %129 = arith.subf %101, %128 : tensor<64x64xf32, #L4>
            %130 = arith.mulf %129, %cst_2 : tensor<64x64xf32, #L4>
            %131 = math.exp2 %130 : tensor<64x64xf32, #L4>
            %132 = "tk.partial_reduce"(%131) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %147 = arith.addf %arg26, %arg27 : f32
              "tk.yield"(%147) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
            %133 = "tk.expand_dims"(%111#1) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %134 = "tk.broadcast"(%133) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %135 = math.fma %arg19, %134, %132 : tensor<64x4xf32, #L5>
            %136 = arith.truncf %131 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
            %137 = "tk.broadcast"(%133) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %138 = arith.muli %arg22, %c8_i32 : i32
            %139 = arith.addi %8, %138 : i32
            "tk.mbarrier_wait"(%139, %arg23) : (i32, i32) -> ()
            %140 = "tk.dot_wait"(%112) {pending = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %141 = arith.muli %99, %c8_i32 : i32
            %142 = arith.addi %9, %141 : i32
            "tk.mbarrier_arrive"(%142, %true) : (i32, i1) -> ()
            %143 = scf.if %110 -> (tensor<64x64xf32, #L4>) {
              %147 = arith.mulf %140, %137 : tensor<64x64xf32, #L4>
              scf.yield %147 : tensor<64x64xf32, #L4>
            } else {
              scf.yield %140 : tensor<64x64xf32, #L4>
            }
            %144 = "tk.dot_wait"(%126) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %145 = arith.select %118, %120, %true : i1
            %146 = arith.addi %7, %123 : i32
            "tk.mbarrier_arrive"(%146, %145) : (i32, i1) -> ()
            scf.yield %135, %143, %111#0, %115, %116, %144, %136 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>
          } {tk.pipeline = "2 slots, filled by a warp of their own"}
          %88 = arith.cmpi eq, %87#3, %c0_i32 : i32
          %89 = arith.subi %87#3, %c1_i32 : i32
          %90 = arith.select %88, %c1_i32, %89 : i32
          %91 = "tk.smem_slot"(%1, %90) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %92 = "tk.warpgroup_dot"(%87#6, %91, %87#1) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %93 = "tk.dot_wait"(%92) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %94 = arith.muli %90, %c8_i32 : i32
          %95 = arith.addi %9, %94 : i32
          "tk.mbarrier_arrive"(%95, %true) : (i32, i1) -> ()
          scf.yield %87#0, %93, %87#3, %87#4 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
        } else {
          scf.yield %cst_4, %cst_0, %arg14, %arg15 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
        }
        %24 = arith.addi %5, %21 : i32
        "tk.mbarrier_arrive"(%24, %true) : (i32, i1) -> ()
        %25 = "tk.reduce"(%23#0) ({
        ^bb0(%arg18: f32, %arg19: f32):
          %38 = arith.addf %arg18, %arg19 : f32
          "tk.yield"(%38) : (f32) -> ()
        }) {axis = 1 : i32} : (tensor<64x4xf32, #L5>) -> tensor<64xf32, #L3>
        %26 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
        %27 = "tk.broadcast"(%26) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
        %28 = arith.divf %23#1, %27 : tensor<64x64xf32, #L4>
        %29 = arith.truncf %28 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
        %30 = arith.extsi %19 : i32 to i64
        %31 = arith.muli %c64_i64, %30 : i64
        %32 = arith.addi %c0_i64, %31 : i64
        %33 = arith.trunci %32 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %29, %17, %33) : (!tk.tensor_map, tensor<8192xi8, #L2>, tensor<64x64xf16, #L4>, i32, i32) -> ()
        %34 = arith.xori %arg17, %c1_i32 : i32
        %35 = arith.cmpi ne, %arg16, %c0_i32 : i32
        %36 = arith.xori %arg16, %c1_i32 : i32
        %37 = arith.select %35, %34, %arg17 : i32
        scf.yield %23#2, %23#3, %36, %37 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

