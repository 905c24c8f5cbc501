// chip: sm_90a
// show: func.func tk.load tk.store tk.dot tk.reduce
// RMSNorm with a gain ahead of a product: its row's factor is behind the loop, its gain at the left operand.
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %0 = "tk.program_id"() {axis = 0 : i32, tk.step = -1 : i32} : () -> i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %3 = arith.extsi %arg5 : i32 to i64
    %4 = arith.muli %1, %3 : i64
    %5 = "tk.addptr"(%arg0, %4) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %6 = "tk.splat"(%5) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %7 = "tk.addptr"(%6, %2) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %8 = "tk.splat"(%arg5) : (i32) -> tensor<256xi32>
    %9 = arith.cmpi slt, %2, %8 : tensor<256xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %10 = "tk.load"(%7, %9, %cst) {tk.step = -1 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %11 = arith.extf %10 : tensor<256xf16> to tensor<256xf32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %13 = "tk.addptr"(%12, %2) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %14 = "tk.load"(%13, %9, %cst) {tk.step = -1 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xi1>, tensor<256xf16>) -> tensor<256xf16>
    %15 = arith.extf %14 : tensor<256xf16> to tensor<256xf32>
    %16 = "tk.addptr"(%arg7, %4) : (!tk.ptr<f16>, i64) -> !tk.ptr<f16>
    %17 = "tk.splat"(%16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %18 = "tk.addptr"(%17, %2) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %19 = arith.mulf %11, %11 : tensor<256xf32>
    %20 = "tk.reduce"(%19) ({
    ^bb0(%arg8: f32, %arg9: f32):
      %74 = arith.addf %arg8, %arg9 : f32
      "tk.yield"(%74) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<256xf32>) -> f32
    %21 = arith.sitofp %arg5 : i32 to f32
    %22 = arith.divf %20, %21 : f32
    %cst_0 = arith.constant 9.99999974E-6 : f32
    %23 = arith.addf %22, %cst_0 : f32
    %24 = math.rsqrt %23 : f32
    %25 = "tk.splat"(%24) : (f32) -> tensor<256xf32>
    %26 = arith.mulf %11, %25 : tensor<256xf32>
    %27 = arith.mulf %26, %15 : tensor<256xf32>
    %28 = arith.truncf %27 : tensor<256xf32> to tensor<256xf16>
    "tk.store"(%18, %28, %9) {tk.step = -1 : i32} : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> ()
    %29 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c63_i32 = arith.constant 63 : i32
    %30 = arith.addi %arg6, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %31 = arith.divsi %30, %c64_i32 : i32
    %32 = arith.divsi %29, %31 : i32
    %33 = arith.muli %32, %c64_i32 : i32
    %34 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %35 = "tk.splat"(%33) : (i32) -> tensor<64xi32>
    %36 = arith.addi %35, %34 : tensor<64xi32>
    %37 = arith.remsi %29, %31 : i32
    %38 = arith.muli %37, %c64_i32 : i32
    %39 = "tk.splat"(%38) : (i32) -> tensor<64xi32>
    %40 = arith.addi %39, %34 : tensor<64xi32>
    %41 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %42 = "tk.expand_dims"(%36) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %43 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %44 = arith.muli %42, %43 : tensor<64x1xi32>
    %45 = "tk.splat"(%arg7) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %46 = "tk.addptr"(%45, %44) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %47 = "tk.expand_dims"(%41) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %48 = "tk.broadcast"(%47) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %49 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %50 = arith.cmpi slt, %42, %49 : tensor<64x1xi32>
    %51 = "tk.splat"(%arg5) : (i32) -> tensor<1x32xi32>
    %52 = "tk.broadcast"(%50) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %53 = "tk.expand_dims"(%41) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %54 = "tk.splat"(%arg6) : (i32) -> tensor<32x1xi32>
    %55 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %56 = "tk.expand_dims"(%40) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %57 = "tk.broadcast"(%56) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %58 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %59 = "tk.splat"(%arg6) : (i32) -> tensor<1x64xi32>
    %60 = arith.cmpi slt, %56, %59 : tensor<1x64xi32>
    %61 = "tk.broadcast"(%60) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %62 = scf.for %arg8 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg9 = %cst_1) -> (tensor<64x64xf32>)  : i32 {
      %74 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32>
      %75 = "tk.addptr"(%46, %74) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %76 = "tk.broadcast"(%75) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %77 = "tk.addptr"(%76, %48) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %78 = "tk.splat"(%arg8) : (i32) -> tensor<1x32xi32>
      %79 = arith.addi %78, %47 : tensor<1x32xi32>
      %80 = arith.cmpi slt, %79, %51 : tensor<1x32xi32>
      %81 = "tk.broadcast"(%80) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %82 = arith.andi %52, %81 : tensor<64x32xi1>
      %83 = "tk.load"(%77, %82, %cst_2) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %84 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
      %85 = arith.addi %84, %53 : tensor<32x1xi32>
      %86 = arith.muli %85, %54 : tensor<32x1xi32>
      %87 = "tk.addptr"(%55, %86) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %88 = "tk.broadcast"(%87) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %89 = "tk.addptr"(%88, %57) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %90 = arith.cmpi slt, %85, %58 : tensor<32x1xi32>
      %91 = "tk.broadcast"(%90) : (tensor<32x1xi1>) -> tensor<32x64xi1>
      %92 = arith.andi %91, %61 : tensor<32x64xi1>
      %93 = "tk.load"(%89, %92, %cst_3) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %94 = "tk.dot"(%83, %93, %arg9) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %94 : tensor<64x64xf32>
    }
    %63 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32>
    %64 = arith.muli %42, %63 : tensor<64x1xi32>
    %65 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %66 = "tk.addptr"(%65, %64) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %67 = "tk.broadcast"(%66) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %68 = "tk.broadcast"(%56) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %69 = "tk.addptr"(%67, %68) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %70 = arith.truncf %62 : tensor<64x64xf32> to tensor<64x64xf16>
    %71 = "tk.broadcast"(%50) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %72 = "tk.broadcast"(%60) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %73 = arith.andi %71, %72 : tensor<64x64xi1>
    "tk.store"(%69, %70, %73) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}
