// chip: sm_90a
// show: func.func scf.* tk.load tk.dot
// The left operand is masked by the number of columns, not by the loop's end.
module {
  func.func @mm(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}, %arg8: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: already grouped", tk.num_stages = 4 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c63_i32 = arith.constant 63 : i32
    %1 = arith.addi %arg3, %c63_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %2 = arith.divsi %1, %c64_i32 : i32
    %3 = arith.addi %arg4, %c63_i32 : i32
    %4 = arith.divsi %3, %c64_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %5 = arith.muli %c8_i32, %4 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c64_i32 : i32
    %15 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %16 = "tk.splat"(%14) : (i32) -> tensor<64xi32>
    %17 = arith.addi %16, %15 : tensor<64xi32>
    %18 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %19 = arith.remsi %17, %18 : tensor<64xi32>
    %20 = arith.muli %13, %c64_i32 : i32
    %21 = "tk.splat"(%20) : (i32) -> tensor<64xi32>
    %22 = arith.addi %21, %15 : tensor<64xi32>
    %23 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32>
    %24 = arith.remsi %22, %23 : tensor<64xi32>
    %25 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %26 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %27 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32>
    %28 = arith.muli %26, %27 : tensor<64x1xi32>
    %29 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %30 = "tk.addptr"(%29, %28) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %31 = "tk.expand_dims"(%25) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %32 = "tk.broadcast"(%30) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%31) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %34 = "tk.addptr"(%32, %33) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
    %35 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %36 = "tk.splat"(%arg7) : (i32) -> tensor<32x1xi32>
    %37 = arith.muli %35, %36 : tensor<32x1xi32>
    %38 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %39 = "tk.addptr"(%38, %37) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %40 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %41 = "tk.broadcast"(%39) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
    %42 = "tk.broadcast"(%40) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %43 = "tk.addptr"(%41, %42) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %44 = arith.addi %arg5, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %45 = arith.divsi %44, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %46 = arith.muli %c32_i32, %arg7 : i32
    %47 = "tk.splat"(%46) : (i32) -> tensor<32x64xi32>
    %48:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %cst, %arg11 = %34, %arg12 = %43) -> (tensor<64x64xf32>, tensor<64x32x!tk.ptr<f16>>, tensor<32x64x!tk.ptr<f16>>)  : i32 {
      %66 = arith.muli %arg9, %c32_i32 : i32
      %67 = arith.subi %arg4, %66 : i32
      %68 = "tk.splat"(%67) : (i32) -> tensor<1x32xi32>
      %69 = arith.cmpi slt, %31, %68 : tensor<1x32xi32>
      %70 = "tk.broadcast"(%69) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %71 = "tk.load"(%arg11, %70, %cst_0) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
      %72 = "tk.splat"(%67) : (i32) -> tensor<32x1xi32>
      %73 = arith.cmpi slt, %35, %72 : tensor<32x1xi32>
      %74 = "tk.broadcast"(%73) : (tensor<32x1xi1>) -> tensor<32x64xi1>
      %75 = "tk.load"(%arg12, %74, %cst_1) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi1>, tensor<32x64xf16>) -> tensor<32x64xf16>
      %76 = "tk.dot"(%71, %75, %arg10) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %77 = "tk.addptr"(%arg11, %cst_2) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %78 = "tk.addptr"(%arg12, %47) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      scf.yield %76, %77, %78 : tensor<64x64xf32>, tensor<64x32x!tk.ptr<f16>>, tensor<32x64x!tk.ptr<f16>>
    }
    %49 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %50 = "tk.splat"(%arg8) : (i32) -> tensor<64x1xi32>
    %51 = arith.muli %49, %50 : tensor<64x1xi32>
    %52 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %53 = "tk.addptr"(%52, %51) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %54 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %55 = "tk.broadcast"(%53) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %56 = "tk.broadcast"(%54) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %57 = "tk.addptr"(%55, %56) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %58 = arith.truncf %48#0 : tensor<64x64xf32> to tensor<64x64xf16>
    %59 = "tk.splat"(%arg3) : (i32) -> tensor<64x1xi32>
    %60 = arith.cmpi slt, %49, %59 : tensor<64x1xi32>
    %61 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %62 = arith.cmpi slt, %54, %61 : tensor<1x64xi32>
    %63 = "tk.broadcast"(%60) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %64 = "tk.broadcast"(%62) : (tensor<1x64xi1>) -> tensor<64x64xi1>
    %65 = arith.andi %63, %64 : tensor<64x64xi1>
    "tk.store"(%57, %58, %65) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>, tensor<64x64xi1>) -> ()
    return
  }
}

