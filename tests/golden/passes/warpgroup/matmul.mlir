// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.warpgroup_dot tk.dot* tk.smem_* tk.mbarrier_* tk.bulk_* tk.async_* tk.barrier tk.unwritten tk.opaque tk.convert_layout tk.store tk.load
// A dot whose operands are in slots: it goes on while the next one starts, and is waited for where the loop is left.
#L0 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32>, warp = array<i32: 4, 8>}
#L1 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L2 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 32>, warp = array<i32: 8, 16>}
#L3 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16>, warp = array<i32: 4, 8>}
#L4 = {lane = array<i32: 8, 16, 0, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024>, warp = array<i32: 256, 512>}
#L6 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L7 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 256, 512, 1024>}
#L8 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c63_i32 = arith.constant 63 : i32
    %0 = arith.addi %arg4, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.divsi %0, %c64_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.cmpi sgt, %1, %c0_i32 : i32
    %5 = arith.maxsi %1, %c1_i32 : i32
    %6 = arith.divsi %3, %5 : i32
    %7 = arith.muli %6, %5 : i32
    %8 = arith.cmpi eq, %7, %3 : i32
    %9 = arith.andi %4, %8 : i1
    %10 = arith.divsi %2, %5 : i32
    %11 = arith.remsi %2, %5 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divsi %10, %c8_i32 : i32
    %13 = arith.muli %12, %c8_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remsi %10, %c8_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c8_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.muli %16, %5 : i32
    %21 = arith.addi %20, %11 : i32
    %22 = arith.remsi %21, %19 : i32
    %23 = arith.addi %14, %22 : i32
    %24 = arith.divsi %21, %19 : i32
    %25 = arith.muli %23, %5 : i32
    %26 = arith.addi %25, %24 : i32
    %27 = arith.divsi %2, %1 : i32
    %28 = arith.select %4, %23, %27 : i32
    %29 = arith.muli %28, %c64_i32 : i32
    %30 = arith.remsi %2, %1 : i32
    %31 = arith.select %4, %24, %30 : i32
    %32 = arith.muli %31, %c64_i32 : i32
    %33 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L0>
    %34 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L1>
    %35 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L2>
    %36 = "tk.splat"(%29) : (i32) -> tensor<64xi32, #L0>
    %37 = "tk.splat"(%29) : (i32) -> tensor<64xi32, #L2>
    %38 = arith.addi %36, %33 : tensor<64xi32, #L0>
    %39 = arith.addi %37, %35 : tensor<64xi32, #L2>
    %40 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32, #L2>
    %41 = arith.remsi %39, %40 : tensor<64xi32, #L2>
    %42 = "tk.splat"(%32) : (i32) -> tensor<64xi32, #L1>
    %43 = arith.addi %42, %34 : tensor<64xi32, #L1>
    %44 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32, #L1>
    %45 = arith.remsi %43, %44 : tensor<64xi32, #L1>
    %46 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L3>
    %47 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32, #L4>
    %48 = "tk.expand_dims"(%41) {axis = 1 : i32} : (tensor<64xi32, #L2>) -> tensor<64x1xi32, #L2>
    %49 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L2>
    %50 = arith.muli %48, %49 : tensor<64x1xi32, #L2>
    %51 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %52 = "tk.addptr"(%51, %50) : (tensor<64x1x!tk.ptr<f16>, #L2>, tensor<64x1xi32, #L2>) -> tensor<64x1x!tk.ptr<f16>, #L2>
    %53 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<32xi32, #L4>) -> tensor<1x32xi32, #L4>
    %54 = "tk.broadcast"(%52) : (tensor<64x1x!tk.ptr<f16>, #L2>) -> tensor<64x32x!tk.ptr<f16>, #L5>
    %55 = "tk.broadcast"(%53) : (tensor<1x32xi32, #L4>) -> tensor<64x32xi32, #L5>
    %56 = "tk.addptr"(%54, %55) : (tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi32, #L5>) -> tensor<64x32x!tk.ptr<f16>, #L5>
    %57 = "tk.expand_dims"(%46) {axis = 1 : i32} : (tensor<32xi32, #L3>) -> tensor<32x1xi32, #L3>
    %58 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32, #L3>
    %59 = arith.muli %57, %58 : tensor<32x1xi32, #L3>
    %60 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %61 = "tk.addptr"(%60, %59) : (tensor<32x1x!tk.ptr<f16>, #L3>, tensor<32x1xi32, #L3>) -> tensor<32x1x!tk.ptr<f16>, #L3>
    %62 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %63 = "tk.broadcast"(%61) : (tensor<32x1x!tk.ptr<f16>, #L3>) -> tensor<32x64x!tk.ptr<f16>, #L5>
    %64 = "tk.broadcast"(%62) : (tensor<1x64xi32, #L1>) -> tensor<32x64xi32, #L5>
    %65 = "tk.addptr"(%63, %64) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #L6>
    %c31_i32 = arith.constant 31 : i32
    %66 = arith.addi %arg5, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %67 = arith.divsi %66, %c32_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #L5>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #L5>
    %cst_6 = arith.constant dense<32> : tensor<64x32xi32, #L5>
    %68 = arith.muli %c32_i32, %arg8 : i32
    %69 = "tk.splat"(%68) : (i32) -> tensor<32x64xi32, #L5>
    %70 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<64x32xf16, #L7>
    %71 = "tk.smem_alloc"() {stages = 3 : i32} : () -> tensor<32x64xf16, #L8>
    %c1_i32_7 = arith.constant 1 : i32
    %72 = arith.muli %c1_i32_3, %c1_i32_7 : i32
    %73 = arith.cmpi slt, %c0_i32_2, %67 : i32
    %74 = arith.muli %c0_i32_2, %c32_i32 : i32
    %75 = arith.subi %arg5, %74 : i32
    %76 = "tk.splat"(%75) : (i32) -> tensor<1x32xi32, #L4>
    %77 = arith.cmpi slt, %53, %76 : tensor<1x32xi32, #L4>
    %78 = "tk.broadcast"(%77) : (tensor<1x32xi1, #L4>) -> tensor<64x32xi1, #L5>
    %79 = "tk.splat"(%75) : (i32) -> tensor<32x1xi32, #L3>
    %80 = arith.cmpi slt, %57, %79 : tensor<32x1xi32, #L3>
    %81 = "tk.broadcast"(%80) : (tensor<32x1xi1, #L3>) -> tensor<32x64xi1, #L5>
    %82 = "tk.addptr"(%56, %cst_6) : (tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi32, #L5>) -> tensor<64x32x!tk.ptr<f16>, #L5>
    %83 = "tk.addptr"(%65, %69) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
    %c0_i32_8 = arith.constant 0 : i32
    %84 = "tk.smem_slot"(%70, %c0_i32_8) : (tensor<64x32xf16, #L7>, i32) -> tensor<64x32xf16, #L7>
    %85 = "tk.splat"(%73) : (i1) -> tensor<64x32xi1, #L5>
    %86 = arith.andi %85, %78 : tensor<64x32xi1, #L5>
    "tk.async_copy"(%84, %56, %86) {vector = 8 : i32} : (tensor<64x32xf16, #L7>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi1, #L5>) -> ()
    %87 = "tk.smem_slot"(%71, %c0_i32_8) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
    %88 = "tk.splat"(%73) : (i1) -> tensor<32x64xi1, #L5>
    %89 = arith.andi %88, %81 : tensor<32x64xi1, #L5>
    "tk.async_copy"(%87, %65, %89) {assumes = "arguments no_wrap divisors", vector = 8 : i32} : (tensor<32x64xf16, #L8>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi1, #L5>) -> ()
    "tk.async_commit"() : () -> ()
    %90 = arith.addi %c0_i32_2, %c1_i32_3 : i32
    %c1_i32_9 = arith.constant 1 : i32
    %c0_i32_10 = arith.constant 0 : i32
    %91:7 = scf.for %arg12 = %c0_i32_2 to %67 step %c1_i32_3 iter_args(%arg13 = %cst, %arg14 = %56, %arg15 = %65, %arg16 = %82, %arg17 = %83, %arg18 = %c1_i32_9, %arg19 = %c0_i32_10) -> (tensor<64x64xf32, #L6>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<32x64x!tk.ptr<f16>, #L5>, i32, i32)  : i32 {
      "tk.async_wait"() {pending = 0 : i32, proxy} : () -> ()
      "tk.barrier"() : () -> ()
      %110 = arith.addi %arg12, %72 : i32
      %111 = arith.cmpi slt, %110, %67 : i32
      %112 = arith.muli %110, %c32_i32 : i32
      %113 = arith.subi %arg5, %112 : i32
      %114 = "tk.splat"(%113) : (i32) -> tensor<1x32xi32, #L4>
      %115 = arith.cmpi slt, %53, %114 : tensor<1x32xi32, #L4>
      %116 = "tk.broadcast"(%115) : (tensor<1x32xi1, #L4>) -> tensor<64x32xi1, #L5>
      %117 = "tk.splat"(%113) : (i32) -> tensor<32x1xi32, #L3>
      %118 = arith.cmpi slt, %57, %117 : tensor<32x1xi32, #L3>
      %119 = "tk.broadcast"(%118) : (tensor<32x1xi1, #L3>) -> tensor<32x64xi1, #L5>
      %120 = "tk.addptr"(%arg16, %cst_6) : (tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi32, #L5>) -> tensor<64x32x!tk.ptr<f16>, #L5>
      %121 = "tk.addptr"(%arg17, %69) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
      %122 = "tk.smem_slot"(%70, %arg18) : (tensor<64x32xf16, #L7>, i32) -> tensor<64x32xf16, #L7>
      %123 = "tk.splat"(%111) : (i1) -> tensor<64x32xi1, #L5>
      %124 = arith.andi %123, %116 : tensor<64x32xi1, #L5>
      "tk.async_copy"(%122, %arg16, %124) {vector = 8 : i32} : (tensor<64x32xf16, #L7>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi1, #L5>) -> ()
      %125 = "tk.smem_slot"(%71, %arg18) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
      %126 = "tk.splat"(%111) : (i1) -> tensor<32x64xi1, #L5>
      %127 = arith.andi %126, %119 : tensor<32x64xi1, #L5>
      "tk.async_copy"(%125, %arg17, %127) {assumes = "arguments no_wrap divisors", vector = 8 : i32} : (tensor<32x64xf16, #L8>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi1, #L5>) -> ()
      "tk.async_commit"() : () -> ()
      %128 = arith.muli %arg12, %c32_i32 : i32
      %129 = arith.subi %arg5, %128 : i32
      %130 = "tk.splat"(%129) : (i32) -> tensor<1x32xi32, #L4>
      %131 = arith.cmpi slt, %53, %130 : tensor<1x32xi32, #L4>
      %132 = "tk.broadcast"(%131) : (tensor<1x32xi1, #L4>) -> tensor<64x32xi1, #L5>
      %133 = "tk.smem_slot"(%70, %arg19) : (tensor<64x32xf16, #L7>, i32) -> tensor<64x32xf16, #L7>
      %134 = "tk.splat"(%129) : (i32) -> tensor<32x1xi32, #L3>
      %135 = arith.cmpi slt, %57, %134 : tensor<32x1xi32, #L3>
      %136 = "tk.broadcast"(%135) : (tensor<32x1xi1, #L3>) -> tensor<32x64xi1, #L5>
      %137 = "tk.smem_slot"(%71, %arg19) : (tensor<32x64xf16, #L8>, i32) -> tensor<32x64xf16, #L8>
      %138 = "tk.dot"(%133, %137, %arg13) {in_flight = 1 : i32, instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x32xf16, #L7>, tensor<32x64xf16, #L8>, tensor<64x64xf32, #L6>) -> tensor<64x64xf32, #L6>
      %139 = "tk.addptr"(%arg14, %cst_6) : (tensor<64x32x!tk.ptr<f16>, #L5>, tensor<64x32xi32, #L5>) -> tensor<64x32x!tk.ptr<f16>, #L5>
      %140 = "tk.addptr"(%arg15, %69) : (tensor<32x64x!tk.ptr<f16>, #L5>, tensor<32x64xi32, #L5>) -> tensor<32x64x!tk.ptr<f16>, #L5>
      %c1_i32_11 = arith.constant 1 : i32
      %141 = arith.addi %arg18, %c1_i32_11 : i32
      %c3_i32 = arith.constant 3 : i32
      %142 = arith.cmpi slt, %141, %c3_i32 : i32
      %c0_i32_12 = arith.constant 0 : i32
      %143 = arith.select %142, %141, %c0_i32_12 : i32
      %c1_i32_13 = arith.constant 1 : i32
      %144 = arith.addi %arg19, %c1_i32_13 : i32
      %c3_i32_14 = arith.constant 3 : i32
      %145 = arith.cmpi slt, %144, %c3_i32_14 : i32
      %c0_i32_15 = arith.constant 0 : i32
      %146 = arith.select %145, %144, %c0_i32_15 : i32
      scf.yield %138, %139, %140, %120, %121, %143, %146 : tensor<64x64xf32, #L6>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<32x64x!tk.ptr<f16>, #L5>, tensor<64x32x!tk.ptr<f16>, #L5>, tensor<32x64x!tk.ptr<f16>, #L5>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %92 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<64xi32, #L0>) -> tensor<64x1xi32, #L0>
    %93 = "tk.splat"(%arg10) : (i32) -> tensor<64x1xi32, #L0>
    %94 = arith.muli %92, %93 : tensor<64x1xi32, #L0>
    %95 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %96 = "tk.addptr"(%95, %94) : (tensor<64x1x!tk.ptr<f16>, #L0>, tensor<64x1xi32, #L0>) -> tensor<64x1x!tk.ptr<f16>, #L0>
    %97 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<64xi32, #L1>) -> tensor<1x64xi32, #L1>
    %98 = "tk.broadcast"(%96) : (tensor<64x1x!tk.ptr<f16>, #L0>) -> tensor<64x64x!tk.ptr<f16>, #L9>
    %99 = "tk.broadcast"(%97) : (tensor<1x64xi32, #L1>) -> tensor<64x64xi32, #L9>
    %100 = "tk.addptr"(%98, %99) : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xi32, #L9>) -> tensor<64x64x!tk.ptr<f16>, #L9>
    %101 = arith.truncf %91#0 : tensor<64x64xf32, #L6> to tensor<64x64xf16, #L6>
    %102 = "tk.convert_layout"(%101) : (tensor<64x64xf16, #L6>) -> tensor<64x64xf16, #L9>
    %103 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32, #L0>
    %104 = arith.cmpi slt, %92, %103 : tensor<64x1xi32, #L0>
    %105 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32, #L1>
    %106 = arith.cmpi slt, %97, %105 : tensor<1x64xi32, #L1>
    %107 = "tk.broadcast"(%104) : (tensor<64x1xi1, #L0>) -> tensor<64x64xi1, #L9>
    %108 = "tk.broadcast"(%106) : (tensor<1x64xi1, #L1>) -> tensor<64x64xi1, #L9>
    %109 = arith.andi %107, %108 : tensor<64x64xi1, #L9>
    "tk.store"(%100, %102, %109) {vector = 8 : i32} : (tensor<64x64x!tk.ptr<f16>, #L9>, tensor<64x64xf16, #L9>, tensor<64x64xi1, #L9>) -> ()
    return
  }
}

