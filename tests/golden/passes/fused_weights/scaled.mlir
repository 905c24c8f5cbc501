// chip: sm_90a
// show: scf.* tk.warp_any tk.warpgroup_dot tk.dot_wait tk.reduce
// Scores that are scaled before the maximum: it is taken of the scores themselves where the scale is positive.
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
module {
  func.func @weights(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: f32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
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
        %26:2 = scf.for %arg18 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg19 = %arg14, %arg20 = %arg15) -> (i32, i32)  : i32 {
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
      %14 = "tk.splat"(%arg4) : (f32) -> tensor<64x64xf32, #L4>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L5>
      %c8_i32 = arith.constant 8 : i32
      %15 = arith.cmpi slt, %c0_i32, %arg5 : i32
      %true = arith.constant true
      %c0_i64 = arith.constant 0 : i64
      %16 = arith.trunci %c0_i64 : i64 to i32
      %c64_i64 = arith.constant 64 : i64
      %c1_i32 = arith.constant 1 : i32
      %17:4 = scf.for %arg13 = %12 to %11 step %13 iter_args(%arg14 = %c0_i32, %arg15 = %c0_i32, %arg16 = %c0_i32, %arg17 = %c0_i32) -> (i32, i32, i32, i32)  : i32 {
        %18 = arith.remui %arg13, %arg10 : i32
        %19 = "tk.smem_slot"(%3, %arg16) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
        %20 = arith.muli %arg16, %c8_i32 : i32
        %21 = arith.addi %4, %20 : i32
        "tk.mbarrier_wait"(%21, %arg17) : (i32, i32) -> ()
        %22:4 = scf.if %15 -> (tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32) {
          %37 = arith.subi %arg5, %c0_i32 : i32
          %38 = arith.muli %arg14, %c8_i32 : i32
          %39 = arith.addi %6, %38 : i32
          "tk.mbarrier_wait"(%39, %arg15) : (i32, i32) -> ()
          %40 = "tk.smem_slot"(%0, %arg14) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %41 = "tk.warpgroup_dot"(%19, %40, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %42 = "tk.dot_wait"(%41) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %43 = arith.cmpi ult, %c64_i32, %37 : i32
          %44 = arith.addi %7, %38 : i32
          "tk.mbarrier_arrive"(%44, %43) : (i32, i1) -> ()
          %45 = arith.addi %arg14, %c1_i32 : i32
          %c2_i32 = arith.constant 2 : i32
          %46 = arith.cmpi eq, %45, %c2_i32 : i32
          %47 = arith.xori %arg15, %c1_i32 : i32
          %48 = arith.select %46, %c0_i32, %45 : i32
          %49 = arith.select %46, %47, %arg15 : i32
          %50 = arith.subi %37, %c64_i32 : i32
          %51 = arith.cmpi ult, %c64_i32, %50 : i32
          %52 = arith.select %43, %48, %arg14 : i32
          %53 = arith.select %43, %49, %arg15 : i32
          %54 = arith.muli %52, %c8_i32 : i32
          %55 = arith.addi %6, %54 : i32
          "tk.mbarrier_wait"(%55, %53) : (i32, i32) -> ()
          %56 = "tk.smem_slot"(%0, %52) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
          %57 = "tk.warpgroup_dot"(%19, %56, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %58 = arith.mulf %42, %14 : tensor<64x64xf32, #L4>
          %59 = "tk.reduce"(%58) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %90 = arith.maxnumf %arg18, %arg19 : f32
            "tk.yield"(%90) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64xf32, #L3>
          %60 = arith.maxnumf %cst, %59 : tensor<64xf32, #L3>
          %61 = "tk.expand_dims"(%60) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %62 = "tk.broadcast"(%61) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %63 = arith.subf %58, %62 : tensor<64x64xf32, #L4>
          %64 = math.exp2 %63 : tensor<64x64xf32, #L4>
          %65 = arith.subf %cst, %60 : tensor<64xf32, #L3>
          %66 = math.exp2 %65 : tensor<64xf32, #L3>
          %67 = "tk.partial_reduce"(%64) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %90 = arith.addf %arg18, %arg19 : f32
            "tk.yield"(%90) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
          %68 = "tk.expand_dims"(%66) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %69 = "tk.broadcast"(%68) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
          %70 = math.fma %cst_1, %69, %67 : tensor<64x4xf32, #L5>
          %71 = arith.truncf %64 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
          %72 = "tk.broadcast"(%68) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %73 = arith.addi %8, %38 : i32
          "tk.mbarrier_wait"(%73, %arg15) : (i32, i32) -> ()
          %74 = "tk.rescale"(%cst_0, %72) : (tensor<64x64xf32, #L4>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %75 = "tk.dot_wait"(%57) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %76 = arith.select %43, %51, %true : i1
          %77 = arith.addi %7, %54 : i32
          "tk.mbarrier_arrive"(%77, %76) : (i32, i1) -> ()
          %78 = arith.addi %c0_i32, %c64_i32 : i32
          %79 = arith.cmpi slt, %78, %arg5 : i32
          %80 = arith.select %79, %78, %arg5 : i32
          %81:7 = scf.for %arg18 = %80 to %arg5 step %c64_i32 iter_args(%arg19 = %70, %arg20 = %74, %arg21 = %60, %arg22 = %48, %arg23 = %49, %arg24 = %75, %arg25 = %71) -> (tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>)  : i32 {
            %90 = arith.cmpi eq, %arg22, %c0_i32 : i32
            %91 = arith.subi %arg22, %c1_i32 : i32
            %92 = arith.xori %arg23, %c1_i32 : i32
            %93 = arith.select %90, %c1_i32, %91 : i32
            %94 = "tk.smem_slot"(%1, %93) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
            %95 = "tk.warpgroup_dot"(%arg25, %94, %arg20) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %96 = arith.addi %arg22, %c1_i32 : i32
            %97 = arith.cmpi eq, %96, %c2_i32 : i32
            %98 = arith.select %97, %c0_i32, %96 : i32
            %99 = arith.select %97, %92, %arg23 : i32
            %100 = arith.subi %arg5, %arg18 : i32
            %101 = arith.cmpi ult, %c64_i32, %100 : i32
            %102 = arith.subi %100, %c64_i32 : i32
            %103 = arith.cmpi ult, %c64_i32, %102 : i32
            %104 = arith.select %101, %98, %arg22 : i32
            %105 = arith.select %101, %99, %arg23 : i32
            %106 = arith.muli %104, %c8_i32 : i32
            %107 = arith.addi %6, %106 : i32
            "tk.mbarrier_wait"(%107, %105) : (i32, i32) -> ()
            %108 = "tk.smem_slot"(%0, %104) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %109 = "tk.warpgroup_dot"(%19, %108, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %110 = arith.mulf %arg24, %14 : tensor<64x64xf32, #L4>
            %111 = "tk.reduce"(%110) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %134 = arith.maxnumf %arg26, %arg27 : f32
              "tk.yield"(%134) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64xf32, #L3>
            %112 = arith.maxnumf %arg21, %111 : tensor<64xf32, #L3>
            %113 = "tk.expand_dims"(%112) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %114 = "tk.broadcast"(%113) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %115 = arith.subf %110, %114 : tensor<64x64xf32, #L4>
            %116 = math.exp2 %115 : tensor<64x64xf32, #L4>
            %117 = arith.subf %arg21, %112 : tensor<64xf32, #L3>
            %118 = math.exp2 %117 : tensor<64xf32, #L3>
            %119 = "tk.partial_reduce"(%116) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %134 = arith.addf %arg26, %arg27 : f32
              "tk.yield"(%134) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
            %120 = "tk.expand_dims"(%118) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %121 = "tk.broadcast"(%120) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %122 = math.fma %arg19, %121, %119 : tensor<64x4xf32, #L5>
            %123 = arith.truncf %116 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
            %124 = "tk.broadcast"(%120) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %125 = arith.muli %arg22, %c8_i32 : i32
            %126 = arith.addi %8, %125 : i32
            "tk.mbarrier_wait"(%126, %arg23) : (i32, i32) -> ()
            %127 = "tk.dot_wait"(%95) {pending = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %128 = arith.muli %93, %c8_i32 : i32
            %129 = arith.addi %9, %128 : i32
            "tk.mbarrier_arrive"(%129, %true) : (i32, i1) -> ()
            %130 = "tk.rescale"(%127, %124) : (tensor<64x64xf32, #L4>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %131 = "tk.dot_wait"(%109) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %132 = arith.select %101, %103, %true : i1
            %133 = arith.addi %7, %106 : i32
            "tk.mbarrier_arrive"(%133, %132) : (i32, i1) -> ()
            scf.yield %122, %130, %112, %98, %99, %131, %123 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>
          } {tk.pipeline = "2 slots, filled by a warp of their own"}
          %82 = arith.cmpi eq, %81#3, %c0_i32 : i32
          %83 = arith.subi %81#3, %c1_i32 : i32
          %84 = arith.select %82, %c1_i32, %83 : i32
          %85 = "tk.smem_slot"(%1, %84) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %86 = "tk.warpgroup_dot"(%81#6, %85, %81#1) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %87 = "tk.dot_wait"(%86) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %88 = arith.muli %84, %c8_i32 : i32
          %89 = arith.addi %9, %88 : i32
          "tk.mbarrier_arrive"(%89, %true) : (i32, i1) -> ()
          scf.yield %81#0, %87, %81#3, %81#4 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
        } else {
          scf.yield %cst_1, %cst_0, %arg14, %arg15 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
        }
        %23 = arith.addi %5, %20 : i32
        "tk.mbarrier_arrive"(%23, %true) : (i32, i1) -> ()
        %24 = "tk.reduce"(%22#0) ({
        ^bb0(%arg18: f32, %arg19: f32):
          %37 = arith.addf %arg18, %arg19 : f32
          "tk.yield"(%37) : (f32) -> ()
        }) {axis = 1 : i32} : (tensor<64x4xf32, #L5>) -> tensor<64xf32, #L3>
        %25 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
        %26 = "tk.broadcast"(%25) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
        %27 = arith.divf %22#1, %26 : tensor<64x64xf32, #L4>
        %28 = arith.truncf %27 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
        %29 = arith.extsi %18 : i32 to i64
        %30 = arith.muli %c64_i64, %29 : i64
        %31 = arith.addi %c0_i64, %30 : i64
        %32 = arith.trunci %31 : i64 to i32
        "tk.bulk_store"(%arg9, %2, %28, %16, %32) : (!tk.tensor_map, tensor<8192xi8, #L2>, tensor<64x64xf16, #L4>, i32, i32) -> ()
        %33 = arith.xori %arg17, %c1_i32 : i32
        %34 = arith.cmpi ne, %arg16, %c0_i32 : i32
        %35 = arith.xori %arg16, %c1_i32 : i32
        %36 = arith.select %34, %33, %arg17 : i32
        scf.yield %22#2, %22#3, %35, %36 : i32, i32, i32, i32
      } {tk.pipeline = "left alone: it loads no tile that dots alone read"}
      "tk.bulk_wait"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

