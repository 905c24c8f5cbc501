// A product that goes from tile to tile, of sizes that the tiles divide: its store has no mask.
module {
  func.func @looped(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f16>, %arg3: i32, %arg4: i32 {tk.factors = array<i32: -3, 6>}, %arg5: i32, %arg6: i32, %arg7: !tk.ptr<f16> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = arith.addi %arg3, %c31_i32 : i32
    %4 = arith.divsi %3, %c32_i32 : i32
    %5 = arith.muli %4, %1 : i32
    %c3_i32 = arith.constant 3 : i32
    %6 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %7 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %8 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %9 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %10 = "tk.expand_dims"(%7) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %11 = "tk.broadcast"(%10) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %12 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %13 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %14 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %15 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %16 = "tk.splat"(%arg7) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    scf.for %arg8 = %2 to %5 step %c3_i32  : i32 {
      %40 = arith.divsi %arg8, %1 : i32
      %41 = arith.muli %40, %c32_i32 : i32
      %42 = "tk.splat"(%41) : (i32) -> tensor<32xi32>
      %43 = arith.addi %42, %6 : tensor<32xi32>
      %44 = arith.remsi %arg8, %1 : i32
      %45 = arith.muli %44, %c32_i32 : i32
      %46 = "tk.splat"(%45) : (i32) -> tensor<32xi32>
      %47 = arith.addi %46, %6 : tensor<32xi32>
      %48 = "tk.expand_dims"(%43) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
      %49 = arith.muli %48, %8 : tensor<32x1xi32>
      %50 = "tk.addptr"(%9, %49) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %51 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
      %52 = "tk.broadcast"(%51) : (tensor<1x32xi32>) -> tensor<16x32xi32>
      %53 = scf.for %arg9 = %c0_i32 to %arg5 step %c16_i32 iter_args(%arg10 = %cst) -> (tensor<32x32xf32>)  : i32 {
        %60 = "tk.splat"(%arg9) : (i32) -> tensor<32x1xi32>
        %61 = "tk.addptr"(%50, %60) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
        %62 = "tk.broadcast"(%61) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x16x!tk.ptr<f16>>
        %63 = "tk.addptr"(%62, %11) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f16>>
        %64 = "tk.load"(%63) : (tensor<32x16x!tk.ptr<f16>>) -> tensor<32x16xf16>
        %65 = "tk.splat"(%arg9) : (i32) -> tensor<16x1xi32>
        %66 = arith.addi %65, %12 : tensor<16x1xi32>
        %67 = arith.muli %66, %13 : tensor<16x1xi32>
        %68 = "tk.addptr"(%14, %67) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
        %69 = "tk.broadcast"(%68) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x32x!tk.ptr<f16>>
        %70 = "tk.addptr"(%69, %52) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f16>>
        %71 = "tk.load"(%70) : (tensor<16x32x!tk.ptr<f16>>) -> tensor<16x32xf16>
        %72 = "tk.dot"(%64, %71, %arg10) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
        scf.yield %72 : tensor<32x32xf32>
      }
      %54 = arith.muli %48, %15 : tensor<32x1xi32>
      %55 = "tk.addptr"(%16, %54) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %56 = "tk.broadcast"(%55) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
      %57 = "tk.broadcast"(%51) : (tensor<1x32xi32>) -> tensor<32x32xi32>
      %58 = "tk.addptr"(%56, %57) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %59 = arith.truncf %53 : tensor<32x32xf32> to tensor<32x32xf16>
      "tk.store"(%58, %59) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xf16>) -> ()
    }
    %17 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %18 = "tk.program_id"() {axis = 1 : i32, tk.step = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %19 = arith.muli %18, %c64_i32 : i32
    %20 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %21 = "tk.splat"(%19) : (i32) -> tensor<64xi32>
    %22 = arith.addi %21, %20 : tensor<64xi32>
    %c2_i32 = arith.constant 2 : i32
    %23 = arith.muli %17, %c2_i32 : i32
    %24 = arith.muli %23, %arg6 : i32
    %25 = "tk.addptr"(%arg7, %24) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %26 = "tk.addptr"(%25, %arg6) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %27 = "tk.splat"(%26) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %28 = "tk.addptr"(%27, %22) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %29 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
    %30 = arith.cmpi slt, %22, %29 : tensor<64xi32>
    %31 = "tk.load"(%28, %30) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %32 = arith.muli %17, %arg6 : i32
    %33 = "tk.addptr"(%arg2, %32) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %34 = "tk.splat"(%33) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %35 = "tk.addptr"(%34, %22) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %36 = "tk.splat"(%25) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %37 = "tk.addptr"(%36, %22) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %38 = "tk.load"(%37, %30) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %39 = arith.mulf %38, %31 : tensor<64xf16>
    "tk.store"(%35, %39, %30) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>, tensor<64xi1>) -> ()
    return
  }
}
