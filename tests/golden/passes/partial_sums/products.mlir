// chip: sm_90a
// show: tk.partial_reduce tk.reduce
// The parts of a sum of products are added up as the sum is: by multiply-adds.
#L0 = {lane = array<i32: 8, 16, 32, 64, 0>, register = array<i32: 1, 2, 4, 128>, warp = array<i32: 0, 0>}
#L1 = {lane = array<i32: 0, 0, 0, 0, 1>, register = array<i32>, warp = array<i32: 2, 4>}
#L2 = {lane = array<i32: 8, 16, 32, 64, 256>, register = array<i32: 1, 2, 4, 128>, warp = array<i32: 512, 1024>}
#L3 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 1, 2, 4>}
#L4 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L5 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L6 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32>, warp = array<i32: 1, 2, 4>}
#L7 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L8 = {lane = array<i32: 2, 4, 256, 512, 1024>, register = array<i32: 1, 2048, 8, 16, 32, 64, 128>, warp = array<i32: 4096, 8192, 16384>}
#L9 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L10 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L11 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L12 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 264, 528, 1056, 2048, 4096, 8192, 64, 128>}
#L13 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024>}
#L14 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048, 4096>}
#L15 = {lane = array<i32: 2, 4, 0, 0, 0>, register = array<i32: 1, 8, 16, 32>, warp = array<i32: 0, 0, 0>}
#L16 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.chain = "merged", tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c255_i32 = arith.constant 255 : i32
    %0 = arith.addi %arg6, %c255_i32 : i32
    %c256_i32 = arith.constant 256 : i32
    %1 = arith.divsi %0, %c256_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.cmpi sgt, %1, %c0_i32 : i32
    %5 = arith.maxsi %1, %c1_i32 : i32
    %6 = arith.divui %3, %5 : i32
    %7 = arith.muli %6, %5 : i32
    %8 = arith.cmpi eq, %7, %3 : i32
    %9 = arith.andi %4, %8 : i1
    %10 = arith.divsi %2, %1 : i32
    %11 = arith.remsi %2, %1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.divui %10, %c16_i32 : i32
    %13 = arith.muli %12, %c16_i32 : i32
    %14 = arith.select %9, %13, %10 : i32
    %15 = arith.remui %10, %c16_i32 : i32
    %16 = arith.select %9, %15, %c0_i32_1 : i32
    %17 = arith.subi %6, %14 : i32
    %18 = arith.minsi %17, %c16_i32 : i32
    %19 = arith.select %9, %18, %c1_i32_0 : i32
    %20 = arith.maxsi %19, %c1_i32_0 : i32
    %21 = arith.muli %16, %5 : i32
    %22 = arith.addi %21, %11 : i32
    %23 = arith.remui %22, %20 : i32
    %24 = arith.addi %14, %23 : i32
    %25 = arith.divui %22, %20 : i32
    %26 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L5>
    %c0_i32_2 = arith.constant 0 : i32
    %27 = arith.sitofp %arg5 : i32 to f32
    %cst = arith.constant 9.99999974E-6 : f32
    %28 = arith.divsi %2, %1 : i32
    %29 = arith.select %4, %24, %28 : i32
    %c128_i32 = arith.constant 128 : i32
    %30 = arith.muli %29, %c128_i32 : i32
    %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L3>
    %32 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L4>
    %33 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L3>
    %34 = "tk.splat"(%30) : (i32) -> tensor<128xi32, #L4>
    %35 = arith.addi %33, %31 : tensor<128xi32, #L3>
    %36 = arith.addi %34, %32 : tensor<128xi32, #L4>
    %37 = arith.remsi %2, %1 : i32
    %38 = arith.select %4, %25, %37 : i32
    %39 = arith.muli %38, %c256_i32 : i32
    %40 = "tk.splat"(%39) : (i32) -> tensor<256xi32, #L5>
    %41 = arith.addi %40, %26 : tensor<256xi32, #L5>
    %42 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L6>
    %43 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L7>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #L8>
    %c64_i32 = arith.constant 64 : i32
    %44 = "tk.expand_dims"(%35) {axis = 1 : i32} : (tensor<128xi32, #L3>) -> tensor<128x1xi32, #L3>
    %45 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<128xi32, #L4>) -> tensor<128x1xi32, #L4>
    %46 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L4>
    %47 = arith.muli %45, %46 : tensor<128x1xi32, #L4>
    %48 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L4>
    %49 = "tk.addptr"(%48, %47) : (tensor<128x1x!tk.ptr<f16>, #L4>, tensor<128x1xi32, #L4>) -> tensor<128x1x!tk.ptr<f16>, #L4>
    %50 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<64xi32, #L7>) -> tensor<1x64xi32, #L7>
    %51 = "tk.broadcast"(%50) : (tensor<1x64xi32, #L7>) -> tensor<128x64xi32, #L9>
    %52 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L3>
    %53 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L4>
    %54 = arith.cmpi slt, %44, %52 : tensor<128x1xi32, #L3>
    %55 = arith.cmpi slt, %45, %53 : tensor<128x1xi32, #L4>
    %56 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32, #L7>
    %57 = "tk.broadcast"(%55) : (tensor<128x1xi1, #L4>) -> tensor<128x64xi1, #L9>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L9>
    %58 = "tk.expand_dims"(%42) {axis = 1 : i32} : (tensor<64xi32, #L6>) -> tensor<64x1xi32, #L6>
    %59 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L6>
    %60 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L6>
    %61 = "tk.expand_dims"(%41) {axis = 0 : i32} : (tensor<256xi32, #L5>) -> tensor<1x256xi32, #L5>
    %62 = "tk.broadcast"(%61) : (tensor<1x256xi32, #L5>) -> tensor<64x256xi32, #L10>
    %63 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L6>
    %64 = "tk.splat"(%arg6) : (i32) -> tensor<1x256xi32, #L5>
    %65 = arith.cmpi slt, %61, %64 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L5>
    %66 = "tk.broadcast"(%65) : (tensor<1x256xi1, #L5>) -> tensor<64x256xi1, #L10>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x256xf16, #L10>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<128xf32, #L4>
    %67 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32, #L7>
    %68 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>, #L7>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<64xf16, #L7>
    %69:2 = scf.for %arg7 = %c0_i32_2 to %arg5 step %c64_i32 iter_args(%arg8 = %cst_3, %arg9 = %cst_6) -> (tensor<128x256xf32, #L8>, tensor<128xf32, #L4>)  : i32 {
      %91 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L4>
      %92 = "tk.addptr"(%49, %91) : (tensor<128x1x!tk.ptr<f16>, #L4>, tensor<128x1xi32, #L4>) -> tensor<128x1x!tk.ptr<f16>, #L4>
      %93 = "tk.broadcast"(%92) : (tensor<128x1x!tk.ptr<f16>, #L4>) -> tensor<128x64x!tk.ptr<f16>, #L9>
      %94 = "tk.addptr"(%93, %51) : (tensor<128x64x!tk.ptr<f16>, #L9>, tensor<128x64xi32, #L9>) -> tensor<128x64x!tk.ptr<f16>, #L9>
      %95 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L7>
      %96 = arith.addi %95, %50 : tensor<1x64xi32, #L7>
      %97 = arith.cmpi slt, %96, %56 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L7>
      %98 = "tk.broadcast"(%97) : (tensor<1x64xi1, #L7>) -> tensor<128x64xi1, #L9>
      %99 = arith.andi %57, %98 : tensor<128x64xi1, #L9>
      %100 = "tk.load"(%94, %99, %cst_4) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L9>, tensor<128x64xi1, #L9>, tensor<128x64xf16, #L9>) -> tensor<128x64xf16, #L9>
      %101 = "tk.convert_layout"(%100) : (tensor<128x64xf16, #L9>) -> tensor<128x64xf16, #L14>
      %102 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32, #L7>
      %103 = arith.addi %102, %43 : tensor<64xi32, #L7>
      %104 = arith.cmpi slt, %103, %67 {constancy = array<i32: 16>} : tensor<64xi32, #L7>
      %105 = "tk.addptr"(%68, %103) : (tensor<64x!tk.ptr<f16>, #L7>, tensor<64xi32, #L7>) -> tensor<64x!tk.ptr<f16>, #L7>
      %106 = "tk.load"(%105, %104, %cst_7) {vector = 8 : i32} : (tensor<64x!tk.ptr<f16>, #L7>, tensor<64xi1, #L7>, tensor<64xf16, #L7>) -> tensor<64xf16, #L7>
      %107 = "tk.expand_dims"(%106) {axis = 0 : i32} : (tensor<64xf16, #L7>) -> tensor<1x64xf16, #L7>
      %108 = "tk.convert_layout"(%107) : (tensor<1x64xf16, #L7>) -> tensor<1x64xf16, #L15>
      %109 = "tk.broadcast"(%108) : (tensor<1x64xf16, #L15>) -> tensor<128x64xf16, #L14>
      %110 = arith.mulf %101, %109 : tensor<128x64xf16, #L14>
      %111 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L6>
      %112 = arith.addi %111, %58 : tensor<64x1xi32, #L6>
      %113 = arith.muli %112, %59 : tensor<64x1xi32, #L6>
      %114 = "tk.addptr"(%60, %113) : (tensor<64x1x!tk.ptr<f16>, #L6>, tensor<64x1xi32, #L6>) -> tensor<64x1x!tk.ptr<f16>, #L6>
      %115 = "tk.broadcast"(%114) : (tensor<64x1x!tk.ptr<f16>, #L6>) -> tensor<64x256x!tk.ptr<f16>, #L10>
      %116 = "tk.addptr"(%115, %62) : (tensor<64x256x!tk.ptr<f16>, #L10>, tensor<64x256xi32, #L10>) -> tensor<64x256x!tk.ptr<f16>, #L10>
      %117 = arith.cmpi slt, %112, %63 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L6>
      %118 = "tk.broadcast"(%117) : (tensor<64x1xi1, #L6>) -> tensor<64x256xi1, #L10>
      %119 = arith.andi %118, %66 : tensor<64x256xi1, #L10>
      %120 = "tk.load"(%116, %119, %cst_5) {vector = 8 : i32} : (tensor<64x256x!tk.ptr<f16>, #L10>, tensor<64x256xi1, #L10>, tensor<64x256xf16, #L10>) -> tensor<64x256xf16, #L10>
      %121 = "tk.convert_layout"(%120) : (tensor<64x256xf16, #L10>) -> tensor<64x256xf16, #L12>
      %122 = "tk.dot"(%110, %121, %arg8) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L14>, tensor<64x256xf16, #L12>, tensor<128x256xf32, #L8>) -> tensor<128x256xf32, #L8>
      %123 = arith.extf %100 : tensor<128x64xf16, #L9> to tensor<128x64xf32, #L9>
      %124 = arith.mulf %123, %123 : tensor<128x64xf32, #L9>
      %125 = "tk.reduce"(%124) ({
      ^bb0(%arg10: f32, %arg11: f32):
        %127 = arith.addf %arg10, %arg11 : f32
        "tk.yield"(%127) : (f32) -> ()
      }) {axis = 1 : i32, products} : (tensor<128x64xf32, #L9>) -> tensor<128xf32, #L4>
      %126 = arith.addf %arg9, %125 : tensor<128xf32, #L4>
      scf.yield %122, %126 : tensor<128x256xf32, #L8>, tensor<128xf32, #L4>
    }
    %70 = "tk.splat"(%27) : (f32) -> tensor<128xf32, #L4>
    %71 = arith.divf %69#1, %70 : tensor<128xf32, #L4>
    %72 = "tk.splat"(%cst) : (f32) -> tensor<128xf32, #L4>
    %73 = arith.addf %71, %72 : tensor<128xf32, #L4>
    %74 = math.rsqrt %73 : tensor<128xf32, #L4>
    %75 = "tk.expand_dims"(%74) {axis = 1 : i32} : (tensor<128xf32, #L4>) -> tensor<128x1xf32, #L4>
    %76 = "tk.convert_layout"(%75) : (tensor<128x1xf32, #L4>) -> tensor<128x1xf32, #L16>
    %77 = "tk.broadcast"(%76) : (tensor<128x1xf32, #L16>) -> tensor<128x256xf32, #L8>
    %78 = arith.mulf %69#0, %77 : tensor<128x256xf32, #L8>
    %79 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L3>
    %80 = arith.muli %44, %79 : tensor<128x1xi32, #L3>
    %81 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %82 = "tk.addptr"(%81, %80) : (tensor<128x1x!tk.ptr<f16>, #L3>, tensor<128x1xi32, #L3>) -> tensor<128x1x!tk.ptr<f16>, #L3>
    %83 = "tk.broadcast"(%82) : (tensor<128x1x!tk.ptr<f16>, #L3>) -> tensor<128x256x!tk.ptr<f16>, #L13>
    %84 = "tk.broadcast"(%61) : (tensor<1x256xi32, #L5>) -> tensor<128x256xi32, #L13>
    %85 = "tk.addptr"(%83, %84) : (tensor<128x256x!tk.ptr<f16>, #L13>, tensor<128x256xi32, #L13>) -> tensor<128x256x!tk.ptr<f16>, #L13>
    %86 = arith.truncf %78 : tensor<128x256xf32, #L8> to tensor<128x256xf16, #L8>
    %87 = "tk.convert_layout"(%86) : (tensor<128x256xf16, #L8>) -> tensor<128x256xf16, #L13>
    %88 = "tk.broadcast"(%54) : (tensor<128x1xi1, #L3>) -> tensor<128x256xi1, #L13>
    %89 = "tk.broadcast"(%65) : (tensor<1x256xi1, #L5>) -> tensor<128x256xi1, #L13>
    %90 = arith.andi %88, %89 : tensor<128x256xi1, #L13>
    "tk.store"(%85, %87, %90) {vector = 8 : i32} : (tensor<128x256x!tk.ptr<f16>, #L13>, tensor<128x256xf16, #L13>, tensor<128x256xi1, #L13>) -> ()
    return
  }
}
