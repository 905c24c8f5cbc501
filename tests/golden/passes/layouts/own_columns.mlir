// chip: gfx942
// show: tk.load tk.dot tk.convert_layout
// Numbers of columns that are multiplied as they are: each thread loads those of its own columns of the product, four by four.
module {
  func.func @k(%arg0: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32) attributes {tk.grouped_pid = "grouped 8", tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %2 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %3 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %c268435455_i32 = arith.constant 268435455 : i32
    %4 = arith.cmpi sle, %3, %c268435455_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.divui %0, %c8_i32 : i32
    %6 = arith.muli %5, %c8_i32 : i32
    %7 = arith.select %4, %6, %0 : i32
    %8 = arith.remui %0, %c8_i32 : i32
    %9 = arith.select %4, %8, %c0_i32 : i32
    %10 = arith.subi %2, %7 : i32
    %11 = arith.minsi %10, %c8_i32 : i32
    %12 = arith.select %4, %11, %c1_i32 : i32
    %13 = arith.maxsi %12, %c1_i32 : i32
    %14 = arith.muli %9, %3 : i32
    %15 = arith.addi %14, %1 : i32
    %16 = arith.remui %15, %13 : i32
    %17 = arith.addi %7, %16 : i32
    %18 = arith.divui %15, %13 : i32
    %c128_i32 = arith.constant 128 : i32
    %19 = arith.muli %18, %c128_i32 : i32
    %20 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %21 = "tk.splat"(%19) : (i32) -> tensor<128xi32>
    %22 = arith.addi %21, %20 : tensor<128xi32>
    %23 = arith.muli %17, %c128_i32 : i32
    %24 = "tk.splat"(%23) : (i32) -> tensor<128xi32>
    %25 = arith.addi %24, %20 : tensor<128xi32>
    %26 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %c1_i32_0 = arith.constant 1 : i32
    %27 = arith.addi %18, %c1_i32_0 : i32
    %28 = arith.muli %27, %c128_i32 : i32
    %29 = arith.cmpi sge, %23, %28 : i32
    scf.if %29 {
    } else {
      %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
      %30 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
      %c64_i32 = arith.constant 64 : i32
      %31 = arith.muli %arg5, %c64_i32 : i32
      %32 = "tk.splat"(%31) : (i32) -> tensor<128x1xi32>
      %33 = arith.muli %30, %32 : tensor<128x1xi32>
      %34 = "tk.splat"(%arg1) : (!tk.ptr<bf16>) -> tensor<128x1x!tk.ptr<bf16>>
      %35 = "tk.addptr"(%34, %33) : (tensor<128x1x!tk.ptr<bf16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<bf16>>
      %36 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %37 = "tk.broadcast"(%35) : (tensor<128x1x!tk.ptr<bf16>>) -> tensor<128x64x!tk.ptr<bf16>>
      %38 = "tk.broadcast"(%36) : (tensor<1x64xi32>) -> tensor<128x64xi32>
      %39 = "tk.addptr"(%37, %38) : (tensor<128x64x!tk.ptr<bf16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<bf16>>
      %40 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
      %41 = "tk.splat"(%31) : (i32) -> tensor<1x128xi32>
      %42 = arith.muli %40, %41 : tensor<1x128xi32>
      %43 = "tk.splat"(%arg0) : (!tk.ptr<bf16>) -> tensor<1x128x!tk.ptr<bf16>>
      %44 = "tk.addptr"(%43, %42) : (tensor<1x128x!tk.ptr<bf16>>, tensor<1x128xi32>) -> tensor<1x128x!tk.ptr<bf16>>
      %45 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %46 = "tk.broadcast"(%44) : (tensor<1x128x!tk.ptr<bf16>>) -> tensor<64x128x!tk.ptr<bf16>>
      %47 = "tk.broadcast"(%45) : (tensor<64x1xi32>) -> tensor<64x128xi32>
      %48 = "tk.addptr"(%46, %47) : (tensor<64x128x!tk.ptr<bf16>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<bf16>>
      %49 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
      %50 = "tk.addptr"(%49, %25) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %c0_i32_1 = arith.constant 0 : i32
      %cst_2 = arith.constant dense<64> : tensor<128x64xi32>
      %cst_3 = arith.constant dense<64> : tensor<64x128xi32>
      %51 = "tk.splat"(%arg4) : (i32) -> tensor<128xi32>
      %52 = arith.extsi %c0_i32_1 : i32 to i64
      %53 = arith.extsi %arg5 : i32 to i64
      %54 = arith.extsi %c1_i32_0 : i32 to i64
      %55 = arith.subi %53, %52 : i64
      %c0_i64 = arith.constant 0 : i64
      %56 = arith.maxsi %55, %c0_i64 : i64
      %57 = arith.divsi %56, %54 : i64
      %c-2_i64 = arith.constant -2 : i64
      %58 = arith.andi %57, %c-2_i64 : i64
      %c64_i32_4 = arith.constant 64 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %59 = arith.addi %19, %c0_i32_5 : i32
      %60 = arith.muli %59, %31 : i32
      %61 = "tk.addptr"(%arg1, %60) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
      %c0_i32_6 = arith.constant 0 : i32
      %62 = "tk.addptr"(%61, %c0_i32_6) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
      %c64_i32_7 = arith.constant 64 : i32
      %c0_i32_8 = arith.constant 0 : i32
      %63 = arith.addi %23, %c0_i32_8 : i32
      %64 = arith.muli %63, %31 : i32
      %65 = "tk.addptr"(%arg0, %64) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
      %c0_i32_9 = arith.constant 0 : i32
      %66 = "tk.addptr"(%65, %c0_i32_9) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
      %c0_i32_10 = arith.constant 0 : i32
      %67 = arith.addi %23, %c0_i32_10 : i32
      %68 = "tk.addptr"(%arg2, %67) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %c0_i64_11 = arith.constant 0 : i64
      %true = arith.constant true
      %c0_i32_12 = arith.constant 0 : i32
      %69 = arith.addi %19, %c0_i32_12 : i32
      %70 = arith.muli %69, %31 : i32
      %71 = arith.extsi %c64_i32_4 : i32 to i64
      %c2_i64 = arith.constant 2 : i64
      %72 = arith.muli %71, %c2_i64 : i64
      %c1073741824_i64 = arith.constant 1073741824 : i64
      %73 = arith.cmpi ult, %72, %c1073741824_i64 : i64
      %74 = arith.andi %true, %73 : i1
      %c2147483488_i64 = arith.constant 2147483488 : i64
      %75 = arith.subi %c2147483488_i64, %72 : i64
      %c1_i64 = arith.constant 1 : i64
      %76 = arith.divsi %75, %c1_i64 : i64
      %77 = arith.extsi %33 : tensor<128x1xi32> to tensor<128x1xi64>
      %cst_13 = arith.constant dense<2> : tensor<128x1xi64>
      %78 = arith.muli %77, %cst_13 : tensor<128x1xi64>
      %79 = arith.addi %76, %76 : i64
      %80 = arith.extsi %70 : i32 to i64
      %c2_i64_14 = arith.constant 2 : i64
      %81 = arith.muli %80, %c2_i64_14 : i64
      %82 = arith.subi %76, %81 : i64
      %83 = "tk.splat"(%82) : (i64) -> tensor<128x1xi64>
      %84 = "tk.splat"(%79) : (i64) -> tensor<128x1xi64>
      %85 = arith.addi %78, %83 : tensor<128x1xi64>
      %86 = arith.cmpi ugt, %85, %84 : tensor<128x1xi64>
      %87 = arith.extui %86 : tensor<128x1xi1> to tensor<128x1xi32>
      %c0_i32_15 = arith.constant 0 : i32
      %88 = arith.addi %23, %c0_i32_15 : i32
      %89 = arith.muli %88, %31 : i32
      %90 = arith.extsi %c64_i32_7 : i32 to i64
      %c2_i64_16 = arith.constant 2 : i64
      %91 = arith.muli %90, %c2_i64_16 : i64
      %c1073741824_i64_17 = arith.constant 1073741824 : i64
      %92 = arith.cmpi ult, %91, %c1073741824_i64_17 : i64
      %93 = arith.andi %74, %92 : i1
      %c2147483488_i64_18 = arith.constant 2147483488 : i64
      %94 = arith.subi %c2147483488_i64_18, %91 : i64
      %c1_i64_19 = arith.constant 1 : i64
      %95 = arith.divsi %94, %c1_i64_19 : i64
      %96 = arith.extsi %42 : tensor<1x128xi32> to tensor<1x128xi64>
      %cst_20 = arith.constant dense<2> : tensor<1x128xi64>
      %97 = arith.muli %96, %cst_20 : tensor<1x128xi64>
      %98 = arith.addi %95, %95 : i64
      %99 = arith.extsi %89 : i32 to i64
      %c2_i64_21 = arith.constant 2 : i64
      %100 = arith.muli %99, %c2_i64_21 : i64
      %101 = arith.subi %95, %100 : i64
      %102 = "tk.splat"(%101) : (i64) -> tensor<1x128xi64>
      %103 = "tk.splat"(%98) : (i64) -> tensor<1x128xi64>
      %104 = arith.addi %97, %102 : tensor<1x128xi64>
      %105 = arith.cmpi ugt, %104, %103 : tensor<1x128xi64>
      %106 = arith.extui %105 : tensor<1x128xi1> to tensor<1x128xi32>
      %107 = arith.extsi %arg4 : i32 to i64
      %c4_i64 = arith.constant 4 : i64
      %108 = arith.muli %107, %c4_i64 : i64
      %c1073741824_i64_22 = arith.constant 1073741824 : i64
      %109 = arith.cmpi ult, %108, %c1073741824_i64_22 : i64
      %110 = arith.andi %93, %109 : i1
      %c2147483104_i64 = arith.constant 2147483104 : i64
      %111 = arith.subi %c2147483104_i64, %108 : i64
      %c1_i64_23 = arith.constant 1 : i64
      %112 = arith.divsi %111, %c1_i64_23 : i64
      %113 = "tk.reshape"(%87) {allow_reorder} : (tensor<128x1xi32>) -> tensor<128xi32>
      %114 = "tk.reshape"(%106) {allow_reorder} : (tensor<1x128xi32>) -> tensor<128xi32>
      %115 = arith.ori %113, %114 : tensor<128xi32>
      %c0_i32_24 = arith.constant 0 : i32
      %116 = "tk.reduce"(%115) ({
      ^bb0(%arg6: i32, %arg7: i32):
        %147 = arith.ori %arg6, %arg7 : i32
        "tk.yield"(%147) : (i32) -> ()
      }) {axis = 0 : i32} : (tensor<128xi32>) -> i32
      %117 = arith.cmpi eq, %116, %c0_i32_24 : i32
      %118 = arith.andi %110, %117 : i1
      %119 = arith.select %118, %58, %c0_i64_11 : i64
      %120 = arith.muli %119, %54 : i64
      %121 = arith.addi %52, %120 : i64
      %122 = arith.trunci %121 : i64 to i32
      %123:4 = scf.for %arg6 = %c0_i32_1 to %122 step %c1_i32_0 iter_args(%arg7 = %cst, %arg8 = %39, %arg9 = %48, %arg10 = %50) -> (tensor<128x128xf32>, tensor<128x64x!tk.ptr<bf16>>, tensor<64x128x!tk.ptr<bf16>>, tensor<128x!tk.ptr<f32>>)  : i32 {
        %147 = "tk.load"(%arg8) : (tensor<128x64x!tk.ptr<bf16>>) -> tensor<128x64xbf16>
        %148 = "tk.load"(%arg9) : (tensor<64x128x!tk.ptr<bf16>>) -> tensor<64x128xbf16>
        %149 = "tk.dot"(%147, %148, %cst) {precision = "ieee"} : (tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
        %150 = "tk.load"(%arg10) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
        %151 = "tk.expand_dims"(%150) {axis = 0 : i32} : (tensor<128xf32>) -> tensor<1x128xf32>
        %152 = "tk.broadcast"(%151) : (tensor<1x128xf32>) -> tensor<128x128xf32>
        %153 = math.fma %149, %152, %arg7 : tensor<128x128xf32>
        %154 = "tk.addptr"(%arg8, %cst_2) : (tensor<128x64x!tk.ptr<bf16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<bf16>>
        %155 = "tk.addptr"(%arg9, %cst_3) : (tensor<64x128x!tk.ptr<bf16>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<bf16>>
        %156 = "tk.addptr"(%arg10, %51) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
        scf.yield %153, %154, %155, %156 : tensor<128x128xf32>, tensor<128x64x!tk.ptr<bf16>>, tensor<64x128x!tk.ptr<bf16>>, tensor<128x!tk.ptr<f32>>
      } {tk.even, tk.near}
      %c64_i32_25 = arith.constant 64 : i32
      %124 = arith.extsi %c64_i32_25 : i32 to i64
      %125 = arith.muli %124, %119 : i64
      %126 = "tk.splat"(%125) : (i64) -> tensor<128x64xi64>
      %127 = "tk.addptr"(%39, %126) : (tensor<128x64x!tk.ptr<bf16>>, tensor<128x64xi64>) -> tensor<128x64x!tk.ptr<bf16>>
      %c64_i32_26 = arith.constant 64 : i32
      %128 = arith.extsi %c64_i32_26 : i32 to i64
      %129 = arith.muli %128, %119 : i64
      %130 = "tk.splat"(%129) : (i64) -> tensor<64x128xi64>
      %131 = "tk.addptr"(%48, %130) : (tensor<64x128x!tk.ptr<bf16>>, tensor<64x128xi64>) -> tensor<64x128x!tk.ptr<bf16>>
      %132 = arith.extsi %arg4 : i32 to i64
      %133 = arith.muli %132, %119 : i64
      %134 = "tk.splat"(%133) : (i64) -> tensor<128xi64>
      %135 = "tk.addptr"(%50, %134) : (tensor<128x!tk.ptr<f32>>, tensor<128xi64>) -> tensor<128x!tk.ptr<f32>>
      %136:4 = scf.for %arg6 = %122 to %arg5 step %c1_i32_0 iter_args(%arg7 = %123#0, %arg8 = %127, %arg9 = %131, %arg10 = %135) -> (tensor<128x128xf32>, tensor<128x64x!tk.ptr<bf16>>, tensor<64x128x!tk.ptr<bf16>>, tensor<128x!tk.ptr<f32>>)  : i32 {
        %147 = "tk.load"(%arg8) : (tensor<128x64x!tk.ptr<bf16>>) -> tensor<128x64xbf16>
        %148 = "tk.load"(%arg9) : (tensor<64x128x!tk.ptr<bf16>>) -> tensor<64x128xbf16>
        %149 = "tk.dot"(%147, %148, %cst) {precision = "ieee"} : (tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
        %150 = "tk.load"(%arg10) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
        %151 = "tk.expand_dims"(%150) {axis = 0 : i32} : (tensor<128xf32>) -> tensor<1x128xf32>
        %152 = "tk.broadcast"(%151) : (tensor<1x128xf32>) -> tensor<128x128xf32>
        %153 = math.fma %149, %152, %arg7 : tensor<128x128xf32>
        %154 = "tk.addptr"(%arg8, %cst_2) : (tensor<128x64x!tk.ptr<bf16>>, tensor<128x64xi32>) -> tensor<128x64x!tk.ptr<bf16>>
        %155 = "tk.addptr"(%arg9, %cst_3) : (tensor<64x128x!tk.ptr<bf16>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<bf16>>
        %156 = "tk.addptr"(%arg10, %51) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
        scf.yield %153, %154, %155, %156 : tensor<128x128xf32>, tensor<128x64x!tk.ptr<bf16>>, tensor<64x128x!tk.ptr<bf16>>, tensor<128x!tk.ptr<f32>>
      } {tk.num_stages = 1 : i32}
      %137 = "tk.broadcast"(%30) : (tensor<128x1xi32>) -> tensor<128x128xi32>
      %138 = "tk.broadcast"(%40) : (tensor<1x128xi32>) -> tensor<128x128xi32>
      %139 = arith.cmpi sge, %137, %138 : tensor<128x128xi32>
      %140 = arith.select %139, %136#0, %cst : tensor<128x128xi1>, tensor<128x128xf32>
      %141 = "tk.splat"(%arg4) : (i32) -> tensor<128x1xi32>
      %142 = arith.muli %30, %141 : tensor<128x1xi32>
      %143 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x1x!tk.ptr<f32>>
      %144 = "tk.addptr"(%143, %142) : (tensor<128x1x!tk.ptr<f32>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f32>>
      %145 = "tk.broadcast"(%144) : (tensor<128x1x!tk.ptr<f32>>) -> tensor<128x128x!tk.ptr<f32>>
      %146 = "tk.addptr"(%145, %138) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f32>>
      "tk.store"(%146, %140) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xf32>) -> ()
    }
    return
  }
}

