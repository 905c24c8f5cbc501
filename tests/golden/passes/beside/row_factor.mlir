// chip: sm_90a
// show: tk.store
// Sums times a factor of each row, narrowed, wait in shared memory as sums alone do: the store is marked.
#L0 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32, 64>, warp = array<i32: 1, 2, 4>}
#L1 = {lane = array<i32: 0, 0, 1, 2, 4>, register = array<i32: 8>, warp = array<i32: 16, 32, 64>}
#L2 = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 32, 64>, warp = array<i32: 4, 8, 16>}
#L3 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L4 = {lane = array<i32: 0, 0, 0, 0, 0>, register = array<i32: 8, 16, 32>, warp = array<i32: 1, 2, 4>}
#L5 = {lane = array<i32: 8, 16, 32, 0, 0>, register = array<i32: 1, 2, 4>, warp = array<i32: 0, 0, 0>}
#L6 = {lane = array<i32: 2, 4, 256, 512, 1024>, register = array<i32: 1, 2048, 8, 16, 32, 64, 128>, warp = array<i32: 4096, 8192, 16384>}
#L7 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096>, warp = array<i32: 256, 512, 1024>}
#L8 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192>, warp = array<i32: 256, 512, 1024>}
#L9 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L10 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 264, 528, 1056, 2048, 4096, 8192, 64, 128>}
#L11 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 2048, 4096, 8192, 16384>, warp = array<i32: 256, 512, 1024>}
module {
  func.func @k(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %c255_i32 = arith.constant 255 : i32
    %0 = arith.addi %arg5, %c255_i32 : i32
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
    %26 = arith.divsi %2, %1 : i32
    %27 = arith.select %4, %24, %26 : i32
    %c128_i32 = arith.constant 128 : i32
    %28 = arith.muli %27, %c128_i32 : i32
    %29 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %30 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %31 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L2>
    %32 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L0>
    %33 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L1>
    %34 = "tk.splat"(%28) : (i32) -> tensor<128xi32, #L2>
    %35 = arith.addi %32, %29 : tensor<128xi32, #L0>
    %36 = arith.addi %33, %30 : tensor<128xi32, #L1>
    %37 = arith.addi %34, %31 : tensor<128xi32, #L2>
    %38 = arith.remsi %2, %1 : i32
    %39 = arith.select %4, %25, %38 : i32
    %40 = arith.muli %39, %c256_i32 : i32
    %41 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32, #L3>
    %42 = "tk.splat"(%40) : (i32) -> tensor<256xi32, #L3>
    %43 = arith.addi %42, %41 : tensor<256xi32, #L3>
    %44 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L4>
    %45 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32, #L5>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #L6>
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %46 = "tk.expand_dims"(%35) {axis = 1 : i32} : (tensor<128xi32, #L0>) -> tensor<128x1xi32, #L0>
    %47 = "tk.expand_dims"(%37) {axis = 1 : i32} : (tensor<128xi32, #L2>) -> tensor<128x1xi32, #L2>
    %48 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32, #L2>
    %49 = arith.muli %47, %48 : tensor<128x1xi32, #L2>
    %50 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %51 = "tk.addptr"(%50, %49) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
    %52 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<64xi32, #L5>) -> tensor<1x64xi32, #L5>
    %53 = "tk.broadcast"(%52) : (tensor<1x64xi32, #L5>) -> tensor<128x64xi32, #L7>
    %54 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L0>
    %55 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32, #L2>
    %56 = arith.cmpi slt, %46, %54 : tensor<128x1xi32, #L0>
    %57 = arith.cmpi slt, %47, %55 : tensor<128x1xi32, #L2>
    %58 = "tk.splat"(%arg6) : (i32) -> tensor<1x64xi32, #L5>
    %59 = "tk.broadcast"(%57) : (tensor<128x1xi1, #L2>) -> tensor<128x64xi1, #L7>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #L7>
    %60 = "tk.expand_dims"(%44) {axis = 1 : i32} : (tensor<64xi32, #L4>) -> tensor<64x1xi32, #L4>
    %61 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32, #L4>
    %62 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>, #L4>
    %63 = "tk.expand_dims"(%43) {axis = 0 : i32} : (tensor<256xi32, #L3>) -> tensor<1x256xi32, #L3>
    %64 = "tk.broadcast"(%63) : (tensor<1x256xi32, #L3>) -> tensor<64x256xi32, #L8>
    %65 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32, #L4>
    %66 = "tk.splat"(%arg5) : (i32) -> tensor<1x256xi32, #L3>
    %67 = arith.cmpi slt, %63, %66 {constancy = array<i32: 1, 16>} : tensor<1x256xi32, #L3>
    %68 = "tk.broadcast"(%67) : (tensor<1x256xi1, #L3>) -> tensor<64x256xi1, #L8>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x256xf16, #L8>
    %69 = scf.for %arg7 = %c0_i32_2 to %arg6 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<128x256xf32, #L6>)  : i32 {
      %99 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32, #L2>
      %100 = "tk.addptr"(%51, %99) : (tensor<128x1x!tk.ptr<f16>, #L2>, tensor<128x1xi32, #L2>) -> tensor<128x1x!tk.ptr<f16>, #L2>
      %101 = "tk.broadcast"(%100) : (tensor<128x1x!tk.ptr<f16>, #L2>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %102 = "tk.addptr"(%101, %53) : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi32, #L7>) -> tensor<128x64x!tk.ptr<f16>, #L7>
      %103 = "tk.splat"(%arg7) : (i32) -> tensor<1x64xi32, #L5>
      %104 = arith.addi %103, %52 : tensor<1x64xi32, #L5>
      %105 = arith.cmpi slt, %104, %58 {constancy = array<i32: 1, 16>} : tensor<1x64xi32, #L5>
      %106 = "tk.broadcast"(%105) : (tensor<1x64xi1, #L5>) -> tensor<128x64xi1, #L7>
      %107 = arith.andi %59, %106 : tensor<128x64xi1, #L7>
      %108 = "tk.load"(%102, %107, %cst_3) {vector = 8 : i32} : (tensor<128x64x!tk.ptr<f16>, #L7>, tensor<128x64xi1, #L7>, tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L7>
      %109 = "tk.convert_layout"(%108) : (tensor<128x64xf16, #L7>) -> tensor<128x64xf16, #L9>
      %110 = "tk.splat"(%arg7) : (i32) -> tensor<64x1xi32, #L4>
      %111 = arith.addi %110, %60 : tensor<64x1xi32, #L4>
      %112 = arith.muli %111, %61 : tensor<64x1xi32, #L4>
      %113 = "tk.addptr"(%62, %112) : (tensor<64x1x!tk.ptr<f16>, #L4>, tensor<64x1xi32, #L4>) -> tensor<64x1x!tk.ptr<f16>, #L4>
      %114 = "tk.broadcast"(%113) : (tensor<64x1x!tk.ptr<f16>, #L4>) -> tensor<64x256x!tk.ptr<f16>, #L8>
      %115 = "tk.addptr"(%114, %64) : (tensor<64x256x!tk.ptr<f16>, #L8>, tensor<64x256xi32, #L8>) -> tensor<64x256x!tk.ptr<f16>, #L8>
      %116 = arith.cmpi slt, %111, %65 {constancy = array<i32: 16, 1>} : tensor<64x1xi32, #L4>
      %117 = "tk.broadcast"(%116) : (tensor<64x1xi1, #L4>) -> tensor<64x256xi1, #L8>
      %118 = arith.andi %117, %68 : tensor<64x256xi1, #L8>
      %119 = "tk.load"(%115, %118, %cst_4) {vector = 8 : i32} : (tensor<64x256x!tk.ptr<f16>, #L8>, tensor<64x256xi1, #L8>, tensor<64x256xf16, #L8>) -> tensor<64x256xf16, #L8>
      %120 = "tk.convert_layout"(%119) : (tensor<64x256xf16, #L8>) -> tensor<64x256xf16, #L10>
      %121 = "tk.dot"(%109, %120, %arg8) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<128x64xf16, #L9>, tensor<64x256xf16, #L10>, tensor<128x256xf32, #L6>) -> tensor<128x256xf32, #L6>
      scf.yield %121 : tensor<128x256xf32, #L6>
    }
    %70 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L1>
    %71 = "tk.addptr"(%70, %36) : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xi32, #L1>) -> tensor<128x!tk.ptr<f32>, #L1>
    %72 = "tk.splat"(%arg4) : (i32) -> tensor<128xi32, #L1>
    %73 = arith.cmpi slt, %36, %72 : tensor<128xi32, #L1>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128xf32, #L1>
    %74 = "tk.load"(%71, %73, %cst_5) {vector = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xi1, #L1>, tensor<128xf32, #L1>) -> tensor<128xf32, #L1>
    %75 = "tk.expand_dims"(%74) {axis = 1 : i32} : (tensor<128xf32, #L1>) -> tensor<128x1xf32, #L1>
    %76 = "tk.broadcast"(%75) : (tensor<128x1xf32, #L1>) -> tensor<128x256xf32, #L6>
    %77 = arith.mulf %69, %76 : tensor<128x256xf32, #L6>
    %78 = arith.truncf %77 : tensor<128x256xf32, #L6> to tensor<128x256xf16, #L6>
    %79 = arith.extf %78 : tensor<128x256xf16, #L6> to tensor<128x256xf32, #L6>
    %80 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32, #L0>
    %81 = arith.muli %46, %80 : tensor<128x1xi32, #L0>
    %82 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %83 = "tk.addptr"(%82, %81) : (tensor<128x1x!tk.ptr<f16>, #L0>, tensor<128x1xi32, #L0>) -> tensor<128x1x!tk.ptr<f16>, #L0>
    %84 = "tk.broadcast"(%83) : (tensor<128x1x!tk.ptr<f16>, #L0>) -> tensor<128x256x!tk.ptr<f16>, #L11>
    %85 = "tk.broadcast"(%63) : (tensor<1x256xi32, #L3>) -> tensor<128x256xi32, #L11>
    %86 = "tk.addptr"(%84, %85) : (tensor<128x256x!tk.ptr<f16>, #L11>, tensor<128x256xi32, #L11>) -> tensor<128x256x!tk.ptr<f16>, #L11>
    %cst_6 = arith.constant dense<1.702000e+00> : tensor<128x256xf32, #L6>
    %87 = arith.mulf %cst_6, %79 : tensor<128x256xf32, #L6>
    %88 = arith.negf %87 : tensor<128x256xf32, #L6>
    %cst_7 = arith.constant dense<1.44269502> : tensor<128x256xf32, #L6>
    %89 = arith.mulf %88, %cst_7 : tensor<128x256xf32, #L6>
    %90 = math.exp2 %89 : tensor<128x256xf32, #L6>
    %cst_8 = arith.constant dense<1.000000e+00> : tensor<128x256xf32, #L6>
    %91 = arith.addf %cst_8, %90 : tensor<128x256xf32, #L6>
    %92 = arith.divf %cst_8, %91 : tensor<128x256xf32, #L6>
    %93 = arith.mulf %79, %92 : tensor<128x256xf32, #L6>
    %94 = arith.truncf %93 : tensor<128x256xf32, #L6> to tensor<128x256xf16, #L6>
    %95 = "tk.convert_layout"(%94) : (tensor<128x256xf16, #L6>) -> tensor<128x256xf16, #L11>
    %96 = "tk.broadcast"(%56) : (tensor<128x1xi1, #L0>) -> tensor<128x256xi1, #L11>
    %97 = "tk.broadcast"(%67) : (tensor<1x256xi1, #L3>) -> tensor<128x256xi1, #L11>
    %98 = arith.andi %96, %97 : tensor<128x256xi1, #L11>
    "tk.store"(%86, %95, %98) {vector = 8 : i32} : (tensor<128x256x!tk.ptr<f16>, #L11>, tensor<128x256xf16, #L11>, tensor<128x256xi1, #L11>) -> ()
    return
  }
}

