// chip: gfx942
// show: tk.smem_store tk.smem_load tk.dot tk.round_tf32
// Both operands of a product in tf32 are rounded where they are stored to shared memory, ahead of the loop and in it.
#L0 = {lane = array<i32: 4, 8, 16, 0, 0, 0>, register = array<i32: 1, 2>, warp = array<i32: 0>}
#L1 = {lane = array<i32: 0, 0, 0, 1, 2, 4>, register = array<i32: 16>, warp = array<i32: 8>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16, 0>, register = array<i32>, warp = array<i32: 0>}
#L3 = {lane = array<i32: 32, 64, 128, 256, 4, 8>, register = array<i32: 1, 2, 16>, warp = array<i32: 512>}
#L4 = {lane = array<i32: 4, 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 512>, warp = array<i32: 256>}
#L5 = {shared = array<i32: 1, 8, 4, 16, 32, 144, 68, 2, 256, 512>}
#L6 = {shared = array<i32: 512, 32, 1, 2, 4, 18, 9, 64, 128, 256>}
#L7 = {lane = array<i32: 32, 64, 128, 256, 2, 4>, register = array<i32: 1, 8, 16>, warp = array<i32: 512>}
#L8 = {lane = array<i32: 1, 2, 4, 8, 64, 128>, register = array<i32: 32, 16, 256, 512>, warp = array<i32: 0>}
module {
  func.func @kernel(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 2 : i32, tk.num_warps = 2 : i32} {
    %0 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L0>
    %1 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L1>
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L2>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L3>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %3 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %4 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %5 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L1>
    %6 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32, #L2>
    %7 = arith.muli %3, %5 : tensor<32x1xi32, #L1>
    %8 = arith.muli %4, %6 : tensor<32x1xi32, #L2>
    %9 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %10 = "tk.addptr"(%9, %7) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %11 = "tk.broadcast"(%10) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32, #L1>
    %cst_1 = arith.constant dense<32> : tensor<32x1xi32, #L2>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %13 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %14 = "tk.broadcast"(%13) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L4>
    %c32_i64 = arith.constant 32 : i64
    %15 = "tk.splat"(%c32_i64) : (i64) -> tensor<32x32xi64, #L4>
    %16 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L0>
    %17 = arith.addi %16, %0 : tensor<32xi32, #L0>
    %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<32xi32, #L0>) -> tensor<1x32xi32, #L0>
    %19 = "tk.broadcast"(%18) : (tensor<1x32xi32, #L0>) -> tensor<32x32xi32, #L4>
    %20 = "tk.addptr"(%11, %19) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %c1024_i64 = arith.constant 1024 : i64
    %21 = "tk.splat"(%c1024_i64) : (i64) -> tensor<32x32xi64, #L4>
    %22 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L1>
    %23 = "tk.splat"(%c0_i32) : (i32) -> tensor<32xi32, #L2>
    %24 = arith.addi %22, %1 : tensor<32xi32, #L1>
    %25 = arith.addi %23, %2 : tensor<32xi32, #L2>
    %26 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<32xi32, #L1>) -> tensor<32x1xi32, #L1>
    %27 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<32xi32, #L2>) -> tensor<32x1xi32, #L2>
    %28 = arith.muli %26, %cst_0 : tensor<32x1xi32, #L1>
    %29 = arith.muli %27, %cst_1 : tensor<32x1xi32, #L2>
    %30 = "tk.addptr"(%12, %28) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %31 = "tk.broadcast"(%30) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %32 = "tk.addptr"(%31, %14) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %33 = arith.extsi %c0_i32 : i32 to i64
    %34 = arith.extsi %arg3 : i32 to i64
    %35 = arith.extsi %c32_i32 : i32 to i64
    %36 = arith.subi %34, %33 : i64
    %c0_i64 = arith.constant 0 : i64
    %37 = arith.maxsi %36, %c0_i64 : i64
    %38 = arith.divsi %37, %35 : i64
    %c-2_i64 = arith.constant -2 : i64
    %39 = arith.andi %38, %c-2_i64 : i64
    %c32_i64_2 = arith.constant 32 : i64
    %c1024_i64_3 = arith.constant 1024 : i64
    %c0_i64_4 = arith.constant 0 : i64
    %true = arith.constant true
    %c0_i32_5 = arith.constant 0 : i32
    %40 = arith.muli %c0_i32_5, %arg3 : i32
    %c4_i64 = arith.constant 4 : i64
    %41 = arith.muli %c32_i64_2, %c4_i64 : i64
    %c1073741824_i64 = arith.constant 1073741824 : i64
    %42 = arith.cmpi ult, %41, %c1073741824_i64 : i64
    %43 = arith.andi %true, %42 : i1
    %c2147483488_i64 = arith.constant 2147483488 : i64
    %44 = arith.subi %c2147483488_i64, %41 : i64
    %c1_i64 = arith.constant 1 : i64
    %45 = arith.divsi %44, %c1_i64 : i64
    %46 = arith.extsi %8 : tensor<32x1xi32, #L2> to tensor<32x1xi64, #L2>
    %cst_6 = arith.constant dense<4> : tensor<32x1xi64, #L2>
    %47 = arith.muli %46, %cst_6 : tensor<32x1xi64, #L2>
    %48 = arith.addi %45, %45 : i64
    %49 = arith.extsi %40 : i32 to i64
    %c4_i64_7 = arith.constant 4 : i64
    %50 = arith.muli %49, %c4_i64_7 : i64
    %51 = arith.subi %45, %50 : i64
    %52 = "tk.splat"(%51) : (i64) -> tensor<32x1xi64, #L2>
    %53 = "tk.splat"(%48) : (i64) -> tensor<32x1xi64, #L2>
    %54 = arith.addi %47, %52 : tensor<32x1xi64, #L2>
    %55 = arith.cmpi ugt, %54, %53 : tensor<32x1xi64, #L2>
    %56 = arith.extui %55 : tensor<32x1xi1, #L2> to tensor<32x1xi32, #L2>
    %c0_i32_8 = arith.constant 0 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %57 = arith.addi %c0_i32_8, %c0_i32_9 : i32
    %c32_i32_10 = arith.constant 32 : i32
    %58 = arith.muli %57, %c32_i32_10 : i32
    %c4_i64_11 = arith.constant 4 : i64
    %59 = arith.muli %c1024_i64_3, %c4_i64_11 : i64
    %c1073741824_i64_12 = arith.constant 1073741824 : i64
    %60 = arith.cmpi ult, %59, %c1073741824_i64_12 : i64
    %61 = arith.andi %43, %60 : i1
    %c2147483488_i64_13 = arith.constant 2147483488 : i64
    %62 = arith.subi %c2147483488_i64_13, %59 : i64
    %c1_i64_14 = arith.constant 1 : i64
    %63 = arith.divsi %62, %c1_i64_14 : i64
    %64 = arith.extsi %29 : tensor<32x1xi32, #L2> to tensor<32x1xi64, #L2>
    %cst_15 = arith.constant dense<4> : tensor<32x1xi64, #L2>
    %65 = arith.muli %64, %cst_15 : tensor<32x1xi64, #L2>
    %66 = arith.addi %63, %63 : i64
    %67 = arith.extsi %58 : i32 to i64
    %c4_i64_16 = arith.constant 4 : i64
    %68 = arith.muli %67, %c4_i64_16 : i64
    %69 = arith.subi %63, %68 : i64
    %70 = "tk.splat"(%69) : (i64) -> tensor<32x1xi64, #L2>
    %71 = "tk.splat"(%66) : (i64) -> tensor<32x1xi64, #L2>
    %72 = arith.addi %65, %70 : tensor<32x1xi64, #L2>
    %73 = arith.cmpi ugt, %72, %71 : tensor<32x1xi64, #L2>
    %74 = arith.extui %73 : tensor<32x1xi1, #L2> to tensor<32x1xi32, #L2>
    %75 = "tk.reshape"(%56) {allow_reorder} : (tensor<32x1xi32, #L2>) -> tensor<32xi32, #L2>
    %76 = "tk.reshape"(%74) {allow_reorder} : (tensor<32x1xi32, #L2>) -> tensor<32xi32, #L2>
    %77 = arith.ori %75, %76 : tensor<32xi32, #L2>
    %c0_i32_17 = arith.constant 0 : i32
    %78 = "tk.reduce"(%77) ({
    ^bb0(%arg4: i32, %arg5: i32):
      %149 = arith.ori %arg4, %arg5 : i32
      "tk.yield"(%149) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32, #L2>) -> i32
    %79 = arith.cmpi eq, %78, %c0_i32_17 : i32
    %80 = arith.andi %61, %79 : i1
    %81 = arith.select %80, %39, %c0_i64_4 : i64
    %82 = arith.muli %81, %35 : i64
    %83 = arith.addi %33, %82 : i64
    %84 = arith.trunci %83 : i64 to i32
    %c32_i64_18 = arith.constant 32 : i64
    %c0_i32_19 = arith.constant 0 : i32
    %85 = arith.muli %c0_i32_19, %arg3 : i32
    %86 = "tk.addptr"(%arg0, %85) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %c0_i32_20 = arith.constant 0 : i32
    %c0_i32_21 = arith.constant 0 : i32
    %87 = arith.addi %c0_i32_20, %c0_i32_21 : i32
    %88 = "tk.addptr"(%86, %87) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %89 = "tk.ptr_to_int"(%88) : (!tk.ptr<f32>) -> i64
    %c2147483648_i64 = arith.constant 2147483648 : i64
    %90 = arith.minui %89, %c2147483648_i64 : i64
    %c-4_i64 = arith.constant -4 : i64
    %91 = arith.divsi %90, %c-4_i64 : i64
    %92 = "tk.addptr"(%88, %91) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %93 = "tk.ptr_to_int"(%92) : (!tk.ptr<f32>) -> i64
    %94 = "tk.ptr_to_int"(%20) : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xi64, #L4>
    %95 = "tk.splat"(%93) : (i64) -> tensor<32x32xi64, #L4>
    %96 = arith.subi %94, %95 : tensor<32x32xi64, #L4>
    %97 = arith.trunci %96 : tensor<32x32xi64, #L4> to tensor<32x32xi32, #L4>
    %c4_i64_22 = arith.constant 4 : i64
    %98 = arith.muli %c32_i64_18, %c4_i64_22 : i64
    %99 = arith.trunci %98 : i64 to i32
    %c1024_i64_23 = arith.constant 1024 : i64
    %c0_i32_24 = arith.constant 0 : i32
    %c0_i32_25 = arith.constant 0 : i32
    %100 = arith.addi %c0_i32_24, %c0_i32_25 : i32
    %c32_i32_26 = arith.constant 32 : i32
    %101 = arith.muli %100, %c32_i32_26 : i32
    %102 = "tk.addptr"(%arg1, %101) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %c0_i32_27 = arith.constant 0 : i32
    %103 = "tk.addptr"(%102, %c0_i32_27) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %104 = "tk.ptr_to_int"(%103) : (!tk.ptr<f32>) -> i64
    %c2147483648_i64_28 = arith.constant 2147483648 : i64
    %105 = arith.minui %104, %c2147483648_i64_28 : i64
    %c-4_i64_29 = arith.constant -4 : i64
    %106 = arith.divsi %105, %c-4_i64_29 : i64
    %107 = "tk.addptr"(%103, %106) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %108 = "tk.ptr_to_int"(%107) : (!tk.ptr<f32>) -> i64
    %109 = "tk.ptr_to_int"(%32) : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xi64, #L4>
    %110 = "tk.splat"(%108) : (i64) -> tensor<32x32xi64, #L4>
    %111 = arith.subi %109, %110 : tensor<32x32xi64, #L4>
    %112 = arith.trunci %111 : tensor<32x32xi64, #L4> to tensor<32x32xi32, #L4>
    %c4_i64_30 = arith.constant 4 : i64
    %113 = arith.muli %c1024_i64_23, %c4_i64_30 : i64
    %114 = arith.trunci %113 : i64 to i32
    %115 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<32x32xf32, #L5>
    %116 = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<32x32xf32, #L6>
    %c1_i32 = arith.constant 1 : i32
    %117 = arith.muli %c32_i32, %c1_i32 : i32
    %118 = arith.cmpi slt, %c0_i32, %84 : i32
    %119 = "tk.addptr"(%20, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %120 = "tk.addptr"(%32, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %c0_i32_31 = arith.constant 0 : i32
    %cst_32 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L4>
    %121 = "tk.splat"(%118) : (i1) -> tensor<32x32xi1, #L4>
    %122 = "tk.load"(%20, %121, %cst_32) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi1, #L4>, tensor<32x32xf32, #L4>) -> tensor<32x32xf32, #L4>
    %cst_33 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #L4>
    %123 = "tk.splat"(%118) : (i1) -> tensor<32x32xi1, #L4>
    %124 = "tk.load"(%32, %123, %cst_33) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi1, #L4>, tensor<32x32xf32, #L4>) -> tensor<32x32xf32, #L4>
    %125 = "tk.smem_slot"(%115, %c0_i32_31) : (tensor<32x32xf32, #L5>, i32) -> tensor<32x32xf32, #L5>
    "tk.smem_store"(%125, %122) : (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L4>) -> ()
    %126 = "tk.smem_slot"(%116, %c0_i32_31) : (tensor<32x32xf32, #L6>, i32) -> tensor<32x32xf32, #L6>
    "tk.smem_store"(%126, %124) : (tensor<32x32xf32, #L6>, tensor<32x32xf32, #L4>) -> ()
    %127 = arith.addi %c0_i32, %c32_i32 : i32
    %c0_i64_34 = arith.constant 0 : i64
    %128 = "tk.addptr"(%92, %c32_i64_18) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %c0_i64_35 = arith.constant 0 : i64
    %129 = "tk.addptr"(%107, %c1024_i64_23) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
    %c1_i32_36 = arith.constant 1 : i32
    %c0_i32_37 = arith.constant 0 : i32
    %130 = arith.addi %c32_i32, %c32_i32 : i32
    %131 = arith.addi %c32_i64_18, %c32_i64_18 : i64
    %132 = arith.addi %c1024_i64_23, %c1024_i64_23 : i64
    %133:7 = scf.for %arg4 = %c0_i32 to %84 step %130 iter_args(%arg5 = %cst, %arg6 = %20, %arg7 = %32, %arg8 = %128, %arg9 = %129, %arg10 = %c1_i32_36, %arg11 = %c0_i32_37) -> (tensor<32x32xf32, #L3>, tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32x!tk.ptr<f32>, #L4>, !tk.ptr<f32>, !tk.ptr<f32>, i32, i32)  : i32 {
      %c0_i32_40 = arith.constant 0 : i32
      %c1_i32_41 = arith.constant 1 : i32
      %true_42 = arith.constant true
      "tk.barrier"() : () -> ()
      %149 = arith.addi %arg4, %117 : i32
      %c32_i32_43 = arith.constant 32 : i32
      %150 = arith.subi %84, %arg4 : i32
      %151 = arith.cmpi ugt, %150, %c32_i32_43 : i32
      %152 = arith.select %true_42, %149, %arg4 : i32
      %c64_i32 = arith.constant 64 : i32
      %153 = arith.subi %84, %arg4 : i32
      %154 = arith.cmpi ugt, %153, %c64_i32 : i32
      %155 = "tk.splat"(%arg8) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %156 = "tk.addptr"(%155, %97) {narrow} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %157 = "tk.splat"(%arg9) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %158 = "tk.addptr"(%157, %112) {narrow} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %159 = "tk.addptr"(%156, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %160 = "tk.addptr"(%158, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %161 = "tk.load"(%156) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      %162 = "tk.load"(%158) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      %163 = "tk.smem_slot"(%115, %c0_i32_40) : (tensor<32x32xf32, #L5>, i32) -> tensor<32x32xf32, #L5>
      %164 = "tk.smem_slot"(%116, %c0_i32_40) : (tensor<32x32xf32, #L6>, i32) -> tensor<32x32xf32, #L6>
      %165 = "tk.smem_load"(%163) : (tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L7>
      %166 = "tk.smem_load"(%164) : (tensor<32x32xf32, #L6>) -> tensor<32x32xf32, #L8>
      %167 = "tk.dot"(%165, %166, %arg5) {instruction = "mfma.f32.16x16x8.xf32", precision = "tf32"} : (tensor<32x32xf32, #L7>, tensor<32x32xf32, #L8>, tensor<32x32xf32, #L3>) -> tensor<32x32xf32, #L3>
      %168 = "tk.addptr"(%arg6, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %169 = "tk.addptr"(%arg7, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %170 = "tk.smem_slot"(%115, %c1_i32_41) : (tensor<32x32xf32, #L5>, i32) -> tensor<32x32xf32, #L5>
      "tk.smem_store"(%170, %161) : (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L4>) -> ()
      %171 = "tk.smem_slot"(%116, %c1_i32_41) : (tensor<32x32xf32, #L6>, i32) -> tensor<32x32xf32, #L6>
      "tk.smem_store"(%171, %162) : (tensor<32x32xf32, #L6>, tensor<32x32xf32, #L4>) -> ()
      %c0_i32_44 = arith.constant 0 : i32
      %172 = arith.select %154, %99, %c0_i32_44 : i32
      %173 = "tk.addptr"(%arg8, %172) {narrow} : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c0_i32_45 = arith.constant 0 : i32
      %174 = arith.select %154, %114, %c0_i32_45 : i32
      %175 = "tk.addptr"(%arg9, %174) {narrow} : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c1_i32_46 = arith.constant 1 : i32
      %176 = arith.addi %c1_i32_41, %c1_i32_46 : i32
      %c2_i32 = arith.constant 2 : i32
      %177 = arith.cmpi slt, %176, %c2_i32 : i32
      %c0_i32_47 = arith.constant 0 : i32
      %178 = arith.select %177, %176, %c0_i32_47 : i32
      %c1_i32_48 = arith.constant 1 : i32
      %179 = arith.addi %c0_i32_40, %c1_i32_48 : i32
      %c2_i32_49 = arith.constant 2 : i32
      %180 = arith.cmpi slt, %179, %c2_i32_49 : i32
      %c0_i32_50 = arith.constant 0 : i32
      %181 = arith.select %180, %179, %c0_i32_50 : i32
      %182 = arith.addi %arg4, %c32_i32 : i32
      "tk.barrier"() : () -> ()
      %183 = arith.addi %182, %117 : i32
      %c32_i32_51 = arith.constant 32 : i32
      %184 = arith.subi %84, %182 : i32
      %185 = arith.select %154, %183, %182 : i32
      %c64_i32_52 = arith.constant 64 : i32
      %186 = arith.subi %84, %182 : i32
      %187 = "tk.splat"(%173) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %188 = "tk.addptr"(%187, %97) {narrow} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %189 = "tk.splat"(%175) : (!tk.ptr<f32>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %190 = "tk.addptr"(%189, %112) {narrow} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %191 = "tk.addptr"(%188, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %192 = "tk.addptr"(%190, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %193 = "tk.load"(%188) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      %194 = "tk.load"(%190) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      %195 = "tk.smem_slot"(%115, %c1_i32_41) : (tensor<32x32xf32, #L5>, i32) -> tensor<32x32xf32, #L5>
      %196 = "tk.smem_slot"(%116, %c1_i32_41) : (tensor<32x32xf32, #L6>, i32) -> tensor<32x32xf32, #L6>
      %197 = "tk.smem_load"(%195) : (tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L7>
      %198 = "tk.smem_load"(%196) : (tensor<32x32xf32, #L6>) -> tensor<32x32xf32, #L8>
      %199 = "tk.dot"(%197, %198, %167) {instruction = "mfma.f32.16x16x8.xf32", precision = "tf32"} : (tensor<32x32xf32, #L7>, tensor<32x32xf32, #L8>, tensor<32x32xf32, #L3>) -> tensor<32x32xf32, #L3>
      %200 = "tk.addptr"(%168, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %201 = "tk.addptr"(%169, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %202 = "tk.smem_slot"(%115, %c0_i32_40) : (tensor<32x32xf32, #L5>, i32) -> tensor<32x32xf32, #L5>
      "tk.smem_store"(%202, %193) : (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L4>) -> ()
      %203 = "tk.smem_slot"(%116, %c0_i32_40) : (tensor<32x32xf32, #L6>, i32) -> tensor<32x32xf32, #L6>
      "tk.smem_store"(%203, %194) : (tensor<32x32xf32, #L6>, tensor<32x32xf32, #L4>) -> ()
      %c0_i32_53 = arith.constant 0 : i32
      %204 = arith.select %154, %99, %c0_i32_53 : i32
      %205 = "tk.addptr"(%173, %204) {narrow} : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c0_i32_54 = arith.constant 0 : i32
      %206 = arith.select %154, %114, %c0_i32_54 : i32
      %207 = "tk.addptr"(%175, %206) {narrow} : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c1_i32_55 = arith.constant 1 : i32
      %208 = arith.addi %c0_i32_40, %c1_i32_55 : i32
      %c2_i32_56 = arith.constant 2 : i32
      %209 = arith.cmpi slt, %208, %c2_i32_56 : i32
      %c0_i32_57 = arith.constant 0 : i32
      %210 = arith.select %209, %208, %c0_i32_57 : i32
      %c1_i32_58 = arith.constant 1 : i32
      %211 = arith.addi %c1_i32_41, %c1_i32_58 : i32
      %c2_i32_59 = arith.constant 2 : i32
      %212 = arith.cmpi slt, %211, %c2_i32_59 : i32
      %c0_i32_60 = arith.constant 0 : i32
      %213 = arith.select %212, %211, %c0_i32_60 : i32
      %214 = "tk.addptr"(%arg8, %131) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
      %215 = "tk.addptr"(%arg9, %132) : (!tk.ptr<f32>, i64) -> !tk.ptr<f32>
      scf.yield %199, %200, %201, %214, %215, %c1_i32_41, %c0_i32_40 : tensor<32x32xf32, #L3>, tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32x!tk.ptr<f32>, #L4>, !tk.ptr<f32>, !tk.ptr<f32>, i32, i32
    } {tk.even, tk.near, tk.pipeline = "2 stages, through registers"}
    %c32_i64_38 = arith.constant 32 : i64
    %134 = arith.muli %c32_i64_38, %81 : i64
    %135 = "tk.splat"(%134) : (i64) -> tensor<32x32xi64, #L4>
    %136 = "tk.addptr"(%20, %135) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %c1024_i64_39 = arith.constant 1024 : i64
    %137 = arith.muli %c1024_i64_39, %81 : i64
    %138 = "tk.splat"(%137) : (i64) -> tensor<32x32xi64, #L4>
    %139 = "tk.addptr"(%32, %138) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %140 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<32x32xf32, #L5>
    %141 = "tk.smem_alloc"() {stages = 1 : i32} : () -> tensor<32x32xf32, #L6>
    %142:3 = scf.for %arg4 = %84 to %arg3 step %c32_i32 iter_args(%arg5 = %133#0, %arg6 = %136, %arg7 = %139) -> (tensor<32x32xf32, #L3>, tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32x!tk.ptr<f32>, #L4>)  : i32 {
      %149 = "tk.load"(%arg6) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      "tk.smem_store"(%140, %149) : (tensor<32x32xf32, #L5>, tensor<32x32xf32, #L4>) -> ()
      %150 = "tk.load"(%arg7) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>) -> tensor<32x32xf32, #L4>
      "tk.smem_store"(%141, %150) : (tensor<32x32xf32, #L6>, tensor<32x32xf32, #L4>) -> ()
      %151 = "tk.smem_load"(%140) : (tensor<32x32xf32, #L5>) -> tensor<32x32xf32, #L7>
      %152 = "tk.smem_load"(%141) : (tensor<32x32xf32, #L6>) -> tensor<32x32xf32, #L8>
      %153 = "tk.dot"(%151, %152, %arg5) {instruction = "mfma.f32.16x16x8.xf32", precision = "tf32"} : (tensor<32x32xf32, #L7>, tensor<32x32xf32, #L8>, tensor<32x32xf32, #L3>) -> tensor<32x32xf32, #L3>
      %154 = "tk.addptr"(%arg6, %15) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      %155 = "tk.addptr"(%arg7, %21) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi64, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
      scf.yield %153, %154, %155 : tensor<32x32xf32, #L3>, tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32x!tk.ptr<f32>, #L4>
    } {tk.num_stages = 1 : i32, tk.pipeline = "1 stage, read in its own iteration"}
    %143 = "tk.convert_layout"(%142#0) : (tensor<32x32xf32, #L3>) -> tensor<32x32xf32, #L4>
    %144 = arith.muli %3, %cst_0 : tensor<32x1xi32, #L1>
    %145 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %146 = "tk.addptr"(%145, %144) : (tensor<32x1x!tk.ptr<f32>, #L1>, tensor<32x1xi32, #L1>) -> tensor<32x1x!tk.ptr<f32>, #L1>
    %147 = "tk.broadcast"(%146) : (tensor<32x1x!tk.ptr<f32>, #L1>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    %148 = "tk.addptr"(%147, %14) : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xi32, #L4>) -> tensor<32x32x!tk.ptr<f32>, #L4>
    "tk.store"(%148, %143) {vector = 4 : i32} : (tensor<32x32x!tk.ptr<f32>, #L4>, tensor<32x32xf32, #L4>) -> ()
    return
  }
}

