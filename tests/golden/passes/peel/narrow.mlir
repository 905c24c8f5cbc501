// chip: gfx1200
// show: scf.* tk.load tk.dot tk.store tk.reduce tk.yield
// Where an address takes two additions, the first loop runs no step unless all pointers are within 32 bits of their base.
module {
  func.func @matmul(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tk.divisibility = 16 : i32}, %arg9: i32, %arg10: i32 {tk.divisibility = 16 : i32}, %arg11: i32) attributes {tk.grouped_pid = "off", tk.num_stages = 4 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c31_i32 = arith.constant 31 : i32
    %1 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %2 = arith.divsi %1, %c32_i32 : i32
    %3 = arith.divsi %0, %2 : i32
    %4 = arith.muli %3, %c32_i32 : i32
    %5 = arith.remsi %0, %2 : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %8 = "tk.splat"(%4) : (i32) -> tensor<32xi32>
    %9 = arith.addi %8, %7 : tensor<32xi32>
    %10 = "tk.splat"(%arg3) : (i32) -> tensor<32xi32>
    %11 = arith.remsi %9, %10 : tensor<32xi32>
    %12 = "tk.splat"(%6) : (i32) -> tensor<32xi32>
    %13 = arith.addi %12, %7 : tensor<32xi32>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<32xi32>
    %15 = arith.remsi %13, %14 : tensor<32xi32>
    %16 = "tk.expand_dims"(%11) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %17 = "tk.splat"(%arg6) : (i32) -> tensor<32x1xi32>
    %18 = arith.muli %16, %17 : tensor<32x1xi32>
    %19 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %20 = "tk.addptr"(%19, %18) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %21 = "tk.expand_dims"(%7) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %22 = "tk.broadcast"(%20) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %23 = "tk.broadcast"(%21) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %24 = "tk.addptr"(%22, %23) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %25 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %26 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
    %27 = arith.muli %25, %26 : tensor<32x1xi32>
    %28 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %29 = "tk.addptr"(%28, %27) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %30 = "tk.expand_dims"(%15) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %31 = "tk.broadcast"(%29) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %32 = "tk.broadcast"(%30) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %33 = "tk.addptr"(%31, %32) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %34 = arith.addi %arg5, %c31_i32 : i32
    %35 = arith.divsi %34, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %cst_1 = arith.constant dense<32> : tensor<32x32xi32>
    %36 = arith.muli %c32_i32, %arg8 : i32
    %37 = "tk.splat"(%36) : (i32) -> tensor<32x32xi32>
    %38:3 = scf.for %arg12 = %c0_i32 to %35 step %c1_i32 iter_args(%arg13 = %cst, %arg14 = %24, %arg15 = %33) -> (tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>)  : i32 {
      %56 = arith.muli %arg12, %c32_i32 : i32
      %57 = arith.subi %arg5, %56 : i32
      %58 = "tk.splat"(%57) : (i32) -> tensor<1x32xi32>
      %59 = arith.cmpi slt, %21, %58 : tensor<1x32xi32>
      %60 = "tk.broadcast"(%59) : (tensor<1x32xi1>) -> tensor<32x32xi1>
      %61 = "tk.load"(%arg14, %60, %cst_0) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi1>, tensor<32x32xf16>) -> tensor<32x32xf16>
      %62 = "tk.splat"(%57) : (i32) -> tensor<32x1xi32>
      %63 = arith.cmpi slt, %25, %62 : tensor<32x1xi32>
      %64 = "tk.broadcast"(%63) : (tensor<32x1xi1>) -> tensor<32x32xi1>
      %65 = "tk.load"(%arg15, %64, %cst_0) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi1>, tensor<32x32xf16>) -> tensor<32x32xf16>
      %66 = "tk.dot"(%61, %65, %arg13) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %67 = "tk.addptr"(%arg14, %cst_1) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      %68 = "tk.addptr"(%arg15, %37) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
      scf.yield %66, %67, %68 : tensor<32x32xf32>, tensor<32x32x!tk.ptr<f16>>, tensor<32x32x!tk.ptr<f16>>
    }
    %39 = "tk.expand_dims"(%9) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %40 = "tk.splat"(%arg10) : (i32) -> tensor<32x1xi32>
    %41 = arith.muli %39, %40 : tensor<32x1xi32>
    %42 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %43 = "tk.addptr"(%42, %41) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %44 = "tk.expand_dims"(%13) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %45 = "tk.broadcast"(%43) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %46 = "tk.broadcast"(%44) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %47 = "tk.addptr"(%45, %46) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %48 = arith.truncf %38#0 : tensor<32x32xf32> to tensor<32x32xf16>
    %49 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %50 = arith.cmpi slt, %39, %49 : tensor<32x1xi32>
    %51 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %52 = arith.cmpi slt, %44, %51 : tensor<1x32xi32>
    %53 = "tk.broadcast"(%50) : (tensor<32x1xi1>) -> tensor<32x32xi1>
    %54 = "tk.broadcast"(%52) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    %55 = arith.andi %53, %54 : tensor<32x32xi1>
    "tk.store"(%47, %48, %55) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xf16>, tensor<32x32xi1>) -> ()
    return
  }
}

