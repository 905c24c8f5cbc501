// chip: sm_90a
// show: scf.* tk.warp_any tk.warpgroup_dot tk.dot_wait tk.partial_reduce math.exp2
// Behind a branch of steady rows: the loop carries whether the maximum is near 0, and asks again where it grows.
#L0 = {shared = array<i32: 64, 128, 256, 512, 1024, 2048, 513, 1026, 2052, 8, 16, 32>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>}
#L3 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32>}
#L4 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L5 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 64, 128>}
module {
  func.func @far_weights(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: f32, %arg6: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg7: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 3 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg8: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg9: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 64>, element = f16, offsets = array<i64>, pointer = 2 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %arg10: i32 {tk.hidden = "grid_x"}, %arg11: i32 {tk.hidden = "grid_y"}, %arg12: i32 {tk.hidden = "grid_z"}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 4 : i32, tk.persistent = 1 : i32, tk.producer_warps = 4 : i32} {
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
      %14 = "tk.splat"(%arg5) : (f32) -> tensor<64xf32, #L3>
      %15 = "tk.splat"(%arg5) : (f32) -> tensor<64x64xf32, #L4>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #L5>
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
          %59 = "tk.reduce"(%43) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %95 = arith.maxnumf %arg18, %arg19 : f32
            "tk.yield"(%95) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64xf32, #L3>
          %60 = arith.mulf %59, %14 : tensor<64xf32, #L3>
          %61 = arith.maxnumf %cst, %60 : tensor<64xf32, #L3>
          %62 = arith.subf %61, %cst : tensor<64xf32, #L3>
          %cst_2 = arith.constant dense<8.000000e+00> : tensor<64xf32, #L3>
          %63 = arith.cmpf ogt, %62, %cst_2 : tensor<64xf32, #L3>
          %64 = arith.select %63, %61, %cst : tensor<64xi1, #L3>, tensor<64xf32, #L3>
          %65 = arith.mulf %43, %15 : tensor<64x64xf32, #L4>
          %66 = "tk.expand_dims"(%64) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %67 = "tk.broadcast"(%66) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %68 = arith.subf %65, %67 : tensor<64x64xf32, #L4>
          %69 = math.exp2 %68 : tensor<64x64xf32, #L4>
          %70 = arith.subf %cst, %64 : tensor<64xf32, #L3>
          %71 = math.exp2 %70 : tensor<64xf32, #L3>
          %72 = "tk.partial_reduce"(%69) ({
          ^bb0(%arg18: f32, %arg19: f32):
            %95 = arith.addf %arg18, %arg19 : f32
            "tk.yield"(%95) : (f32) -> ()
          }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
          %73 = "tk.expand_dims"(%71) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
          %74 = "tk.broadcast"(%73) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
          %75 = math.fma %cst_1, %74, %72 : tensor<64x4xf32, #L5>
          %76 = arith.truncf %69 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
          %77 = "tk.broadcast"(%73) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
          %78 = arith.addi %8, %39 : i32
          "tk.mbarrier_wait"(%78, %arg15) : (i32, i32) -> ()
          %79 = "tk.rescale"(%cst_0, %77) : (tensor<64x64xf32, #L4>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %80 = "tk.dot_wait"(%58) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %81 = arith.select %44, %52, %true : i1
          %82 = arith.addi %7, %55 : i32
          "tk.mbarrier_arrive"(%82, %81) : (i32, i1) -> ()
          %83 = arith.addi %c0_i32, %c64_i32 : i32
          %84 = arith.cmpi slt, %83, %arg4 : i32
          %85 = arith.select %84, %83, %arg4 : i32
          %86:7 = scf.for %arg18 = %85 to %arg4 step %c64_i32 iter_args(%arg19 = %75, %arg20 = %79, %arg21 = %64, %arg22 = %49, %arg23 = %50, %arg24 = %80, %arg25 = %76) -> (tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>)  : i32 {
            %95 = arith.cmpi eq, %arg22, %c0_i32 : i32
            %96 = arith.subi %arg22, %c1_i32 : i32
            %97 = arith.xori %arg23, %c1_i32 : i32
            %98 = arith.select %95, %c1_i32, %96 : i32
            %99 = "tk.smem_slot"(%1, %98) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
            %100 = "tk.partial_reduce"(%arg24) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %148 = arith.maxnumf %arg26, %arg27 : f32
              "tk.yield"(%148) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
            %101 = "tk.expand_dims"(%14) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %102 = "tk.broadcast"(%101) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %103 = arith.mulf %100, %102 : tensor<64x4xf32, #L5>
            %104 = "tk.expand_dims"(%arg21) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %105 = "tk.broadcast"(%104) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %106 = arith.maxnumf %105, %103 : tensor<64x4xf32, #L5>
            %107 = "tk.expand_dims"(%arg21) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %108 = "tk.broadcast"(%107) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %109 = arith.subf %106, %108 : tensor<64x4xf32, #L5>
            %cst_3 = arith.constant dense<8.000000e+00> : tensor<64x4xf32, #L5>
            %110 = arith.cmpf ugt, %109, %cst_3 : tensor<64x4xf32, #L5>
            %111 = "tk.warp_any"(%110) : (tensor<64x4xi1, #L5>) -> i1
            %112:2 = scf.if %111 -> (tensor<64xf32, #L3>, tensor<64xf32, #L3>) {
              %148 = "tk.reduce"(%100) ({
              ^bb0(%arg26: f32, %arg27: f32):
                %156 = arith.maxnumf %arg26, %arg27 : f32
                "tk.yield"(%156) : (f32) -> ()
              }) {axis = 1 : i32} : (tensor<64x4xf32, #L5>) -> tensor<64xf32, #L3>
              %149 = arith.mulf %148, %14 : tensor<64xf32, #L3>
              %150 = arith.maxnumf %arg21, %149 : tensor<64xf32, #L3>
              %151 = arith.subf %150, %arg21 : tensor<64xf32, #L3>
              %152 = arith.cmpf ogt, %151, %cst_2 : tensor<64xf32, #L3>
              %153 = arith.select %152, %150, %arg21 : tensor<64xi1, #L3>, tensor<64xf32, #L3>
              %154 = arith.subf %arg21, %153 : tensor<64xf32, #L3>
              %155 = math.exp2 %154 : tensor<64xf32, #L3>
              scf.yield %153, %155 : tensor<64xf32, #L3>, tensor<64xf32, #L3>
            } else {
              %cst_4 = arith.constant dense<1.000000e+00> : tensor<64xf32, #L3>
              scf.yield %arg21, %cst_4 : tensor<64xf32, #L3>, tensor<64xf32, #L3>
            }
            %113 = "tk.warpgroup_dot"(%arg25, %99, %arg20) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %114 = arith.addi %arg22, %c1_i32 : i32
            %115 = arith.cmpi eq, %114, %c2_i32 : i32
            %116 = arith.select %115, %c0_i32, %114 : i32
            %117 = arith.select %115, %97, %arg23 : i32
            %118 = arith.subi %arg4, %arg18 : i32
            %119 = arith.cmpi ult, %c64_i32, %118 : i32
            %120 = arith.subi %118, %c64_i32 : i32
            %121 = arith.cmpi ult, %c64_i32, %120 : i32
            %122 = arith.select %119, %116, %arg22 : i32
            %123 = arith.select %119, %117, %arg23 : i32
            %124 = arith.muli %122, %c8_i32 : i32
            %125 = arith.addi %6, %124 : i32
            "tk.mbarrier_wait"(%125, %123) : (i32, i32) -> ()
            %126 = "tk.smem_slot"(%0, %122) : (tensor<64x64xf16, #L0>, i32) -> tensor<64x64xf16, #L0>
            %127 = "tk.warpgroup_dot"(%20, %126, %cst_0) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L1>, tensor<64x64xf16, #L0>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %128 = arith.mulf %arg24, %15 : tensor<64x64xf32, #L4>
            %129 = "tk.expand_dims"(%112#0) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %130 = "tk.broadcast"(%129) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %131 = arith.subf %128, %130 : tensor<64x64xf32, #L4>
            %132 = math.exp2 %131 : tensor<64x64xf32, #L4>
            %133 = "tk.partial_reduce"(%132) ({
            ^bb0(%arg26: f32, %arg27: f32):
              %148 = arith.addf %arg26, %arg27 : f32
              "tk.yield"(%148) : (f32) -> ()
            }) {axis = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x4xf32, #L5>
            %134 = "tk.expand_dims"(%112#1) {axis = 1 : i32} : (tensor<64xf32, #L3>) -> tensor<64x1xf32, #L3>
            %135 = "tk.broadcast"(%134) : (tensor<64x1xf32, #L3>) -> tensor<64x4xf32, #L5>
            %136 = math.fma %arg19, %135, %133 : tensor<64x4xf32, #L5>
            %137 = arith.truncf %132 : tensor<64x64xf32, #L4> to tensor<64x64xf16, #L4>
            %138 = "tk.broadcast"(%134) : (tensor<64x1xf32, #L3>) -> tensor<64x64xf32, #L4>
            %139 = arith.muli %arg22, %c8_i32 : i32
            %140 = arith.addi %8, %139 : i32
            "tk.mbarrier_wait"(%140, %arg23) : (i32, i32) -> ()
            %141 = "tk.dot_wait"(%113) {pending = 1 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %142 = arith.muli %98, %c8_i32 : i32
            %143 = arith.addi %9, %142 : i32
            "tk.mbarrier_arrive"(%143, %true) : (i32, i1) -> ()
            %144 = scf.if %111 -> (tensor<64x64xf32, #L4>) {
              %148 = arith.mulf %141, %138 : tensor<64x64xf32, #L4>
              scf.yield %148 : tensor<64x64xf32, #L4>
            } else {
              scf.yield %141 : tensor<64x64xf32, #L4>
            }
            %145 = "tk.dot_wait"(%127) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
            %146 = arith.select %119, %121, %true : i1
            %147 = arith.addi %7, %124 : i32
            "tk.mbarrier_arrive"(%147, %146) : (i32, i1) -> ()
            scf.yield %136, %144, %112#0, %116, %117, %145, %137 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, tensor<64xf32, #L3>, i32, i32, tensor<64x64xf32, #L4>, tensor<64x64xf16, #L4>
          } {tk.pipeline = "2 slots, filled by a warp of their own"}
          %87 = arith.cmpi eq, %86#3, %c0_i32 : i32
          %88 = arith.subi %86#3, %c1_i32 : i32
          %89 = arith.select %87, %c1_i32, %88 : i32
          %90 = "tk.smem_slot"(%1, %89) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          %91 = "tk.warpgroup_dot"(%86#6, %90, %86#1) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #L4>, tensor<64x64xf16, #L1>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %92 = "tk.dot_wait"(%91) {pending = 0 : i32} : (tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4>
          %93 = arith.muli %89, %c8_i32 : i32
          %94 = arith.addi %9, %93 : i32
          "tk.mbarrier_arrive"(%94, %true) : (i32, i1) -> ()
          scf.yield %86#0, %92, %86#3, %86#4 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
        } else {
          scf.yield %cst_1, %cst_0, %arg14, %arg15 : tensor<64x4xf32, #L5>, tensor<64x64xf32, #L4>, i32, i32
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

