// chip: sm_90a
// show: tk.load tk.convert_layout tk.dot tk.reduce
// A tile that a dot's operand and a sum are computed of is converted for the dot; the spread of the vector is, not the vector.
module {
  func.func @both_steps_1_to_2(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg4: i32, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: !tk.ptr<f16> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.grouped_pid = "grouped 16", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.pack_rows = 0 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c63_i32 = arith.constant 63 : i32
    %0 = arith.addi %arg6, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.divsi %0, %c64_i32 : i32
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
    %26 = arith.muli %24, %1 : i32
    %27 = arith.addi %26, %25 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %28 = arith.sitofp %arg5 : i32 to f32
    %cst = arith.constant 9.99999974E-6 : f32
    %29 = arith.divsi %2, %1 : i32
    %30 = arith.select %4, %24, %29 : i32
    %31 = arith.muli %30, %c64_i32 : i32
    %32 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %33 = "tk.splat"(%31) : (i32) -> tensor<64xi32>
    %34 = arith.addi %33, %32 : tensor<64xi32>
    %35 = arith.remsi %2, %1 : i32
    %36 = arith.select %4, %25, %35 : i32
    %37 = arith.muli %36, %c64_i32 : i32
    %38 = "tk.splat"(%37) : (i32) -> tensor<64xi32>
    %39 = arith.addi %38, %32 : tensor<64xi32>
    %40 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %41 = "tk.expand_dims"(%34) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %42 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %43 = arith.muli %41, %42 : tensor<64x1xi32>
    %44 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %45 = "tk.addptr"(%44, %43) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %46 = "tk.expand_dims"(%40) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %47 = "tk.broadcast"(%46) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %48 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %49 = arith.cmpi slt, %41, %48 : tensor<64x1xi32>
    %50 = "tk.splat"(%arg5) : (i32) -> tensor<1x32xi32>
    %51 = "tk.broadcast"(%49) : (tensor<64x1xi1>) -> tensor<64x32xi1>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %52 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %53 = "tk.splat"(%arg6) : (i32) -> tensor<32x1xi32>
    %54 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %55 = "tk.expand_dims"(%39) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %56 = "tk.broadcast"(%55) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %57 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %58 = "tk.splat"(%arg6) : (i32) -> tensor<1x64xi32>
    %59 = arith.cmpi slt, %55, %58 : tensor<1x64xi32>
    %60 = "tk.broadcast"(%59) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %61 = "tk.splat"(%arg5) : (i32) -> tensor<32xi32>
    %62 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x!tk.ptr<f16>>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<32xf16>
    %63:2 = scf.for %arg8 = %c0_i32_2 to %arg5 step %c32_i32 iter_args(%arg9 = %cst_3, %arg10 = %cst_6) -> (tensor<64x64xf32>, tensor<64xf32>)  : i32 {
      %83 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32>
      %84 = "tk.addptr"(%45, %83) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %85 = "tk.broadcast"(%84) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %86 = "tk.addptr"(%85, %47) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %87 = "tk.splat"(%arg8) : (i32) -> tensor<1x32xi32>
      %88 = arith.addi %87, %46 : tensor<1x32xi32>
      %89 = arith.cmpi slt, %88, %50 : tensor<1x32xi32>
      %90 = "tk.broadcast"(%89) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %91 = arith.andi %51, %90 : tensor<64x32xi1>
      %92 = "tk.load"(%86, %91, %cst_4) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %93 = "tk.splat"(%arg8) : (i32) -> tensor<32xi32>
      %94 = arith.addi %93, %40 : tensor<32xi32>
      %95 = arith.cmpi slt, %94, %61 : tensor<32xi32>
      %96 = "tk.addptr"(%62, %94) : (tensor<32x!tk.ptr<f16>>, tensor<32xi32>) -> tensor<32x!tk.ptr<f16>>
      %97 = "tk.load"(%96, %95, %cst_7) : (tensor<32x!tk.ptr<f16>>, tensor<32xi1>, tensor<32xf16>) -> tensor<32xf16>
      %98 = "tk.expand_dims"(%97) {axis = 0 : i32} : (tensor<32xf16>) -> tensor<1x32xf16>
      %99 = "tk.broadcast"(%98) : (tensor<1x32xf16>) -> tensor<64x32xf16>
      %100 = arith.mulf %92, %99 : tensor<64x32xf16>
      %101 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
      %102 = arith.addi %101, %52 : tensor<32x1xi32>
      %103 = arith.muli %102, %53 : tensor<32x1xi32>
      %104 = "tk.addptr"(%54, %103) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %105 = "tk.broadcast"(%104) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %106 = "tk.addptr"(%105, %56) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %107 = arith.cmpi slt, %102, %57 : tensor<32x1xi32>
      %108 = "tk.broadcast"(%107) : (tensor<32x1xi1>) -> tensor<32x64xi1>
      %109 = arith.andi %108, %60 : tensor<32x64xi1>
      %110 = "tk.load"(%106, %109, %cst_5) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %111 = "tk.dot"(%100, %110, %arg9) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %112 = arith.extf %92 : tensor<64x32xf16> to tensor<64x32xf32>
      %113 = arith.mulf %112, %112 : tensor<64x32xf32>
      %114 = "tk.reduce"(%113) ({
      ^bb0(%arg11: f32, %arg12: f32):
        %116 = arith.addf %arg11, %arg12 : f32
        "tk.yield"(%116) : (f32) -> ()
      }) {axis = 1 : i32, products} : (tensor<64x32xf32>) -> tensor<64xf32>
      %115 = arith.addf %arg10, %114 : tensor<64xf32>
      scf.yield %111, %115 : tensor<64x64xf32>, tensor<64xf32>
    }
    %64 = "tk.splat"(%28) : (f32) -> tensor<64xf32>
    %65 = arith.divf %63#1, %64 : tensor<64xf32>
    %66 = "tk.splat"(%cst) : (f32) -> tensor<64xf32>
    %67 = arith.addf %65, %66 : tensor<64xf32>
    %68 = math.rsqrt %67 : tensor<64xf32>
    %69 = "tk.expand_dims"(%68) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %70 = "tk.broadcast"(%69) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %71 = arith.mulf %63#0, %70 : tensor<64x64xf32>
    %72 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32>
    %73 = arith.muli %41, %72 : tensor<64x1xi32>
    %74 = "tk.splat"(%arg3) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %75 = "tk.addptr"(%74, %73) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %76 = "tk.broadcast"(%75) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %77 = "tk.broadcast"(%55) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %78 = "tk.addptr"(%76, %77) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %79 = arith.truncf %71 : tensor<64x64xf32> to tensor<64x64xf16>
    %80 = "tk.broadcast"(%49) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %81 = "tk.broadcast"(%59) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %82 = arith.andi %80, %81 : tensor<64x64xi1>
    "tk.store"(%78, %79, %82) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}
