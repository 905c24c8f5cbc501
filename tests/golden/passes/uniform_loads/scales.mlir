// chip: sm_90a
// show: tk.load tk.store
// One scale for all columns, but for those beyond the end, which are not stored: it is loaded once.
module {
  func.func @fp8_block(%arg0: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f8E4M3FN> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}, %arg6: i32 {tk.divisibility = 16 : i32}, %arg7: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c127_i32 = arith.constant 127 : i32
    %1 = arith.addi %arg5, %c127_i32 : i32
    %c128_i32 = arith.constant 128 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg6, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
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
    %14 = arith.muli %12, %c128_i32 : i32
    %15 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %16 = "tk.splat"(%14) : (i32) -> tensor<128xi32>
    %17 = arith.addi %16, %15 : tensor<128xi32>
    %18 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
    %19 = arith.remsi %17, %18 : tensor<128xi32>
    %20 = arith.muli %13, %c128_i32 : i32
    %21 = "tk.splat"(%20) : (i32) -> tensor<128xi32>
    %22 = arith.addi %21, %15 : tensor<128xi32>
    %23 = "tk.splat"(%arg6) : (i32) -> tensor<128xi32>
    %24 = arith.remsi %22, %23 : tensor<128xi32>
    %25 = "tk.expand_dims"(%19) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %26 = "tk.splat"(%arg7) : (i32) -> tensor<128x1xi32>
    %27 = arith.muli %25, %26 : tensor<128x1xi32>
    %28 = "tk.splat"(%arg0) : (!tk.ptr<f8E4M3FN>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
    %29 = "tk.addptr"(%28, %27) : (tensor<128x1x!tk.ptr<f8E4M3FN>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<f8E4M3FN>>
    %30 = "tk.expand_dims"(%15) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %31 = "tk.broadcast"(%29) : (tensor<128x1x!tk.ptr<f8E4M3FN>>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %32 = "tk.broadcast"(%30) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %33 = "tk.addptr"(%31, %32) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %34 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %35 = "tk.splat"(%arg7) : (i32) -> tensor<1x128xi32>
    %36 = arith.muli %34, %35 : tensor<1x128xi32>
    %37 = "tk.splat"(%arg1) : (!tk.ptr<f8E4M3FN>) -> tensor<1x128x!tk.ptr<f8E4M3FN>>
    %38 = "tk.addptr"(%37, %36) : (tensor<1x128x!tk.ptr<f8E4M3FN>>, tensor<1x128xi32>) -> tensor<1x128x!tk.ptr<f8E4M3FN>>
    %39 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %40 = "tk.broadcast"(%38) : (tensor<1x128x!tk.ptr<f8E4M3FN>>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %41 = "tk.broadcast"(%39) : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %42 = "tk.addptr"(%40, %41) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
    %43 = arith.divsi %arg7, %c128_i32 : i32
    %44 = "tk.splat"(%43) : (i32) -> tensor<128xi32>
    %45 = arith.muli %19, %44 : tensor<128xi32>
    %46 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %47 = "tk.addptr"(%46, %45) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %cst = arith.constant dense<128> : tensor<128xi32>
    %48 = arith.divsi %24, %cst : tensor<128xi32>
    %49 = arith.muli %48, %44 : tensor<128xi32>
    %50 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %51 = "tk.addptr"(%50, %49) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant dense<128> : tensor<128x128xi32>
    %52:3 = scf.for %arg8 = %c0_i32 to %43 step %c1_i32 iter_args(%arg9 = %cst_0, %arg10 = %33, %arg11 = %42) -> (tensor<128x128xf32>, tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128x!tk.ptr<f8E4M3FN>>)  : i32 {
      %70 = "tk.load"(%arg10) : (tensor<128x128x!tk.ptr<f8E4M3FN>>) -> tensor<128x128xf8E4M3FN>
      %71 = "tk.load"(%arg11) : (tensor<128x128x!tk.ptr<f8E4M3FN>>) -> tensor<128x128xf8E4M3FN>
      %72 = arith.muli %arg8, %c128_i32 : i32
      %73 = arith.divsi %72, %c128_i32 : i32
      %74 = "tk.splat"(%73) : (i32) -> tensor<128xi32>
      %75 = "tk.addptr"(%47, %74) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %76 = "tk.load"(%75) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %77 = "tk.addptr"(%51, %74) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
      %78 = "tk.load"(%77) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
      %79 = "tk.dot"(%70, %71, %cst_0) {precision = "tf32"} : (tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %80 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<128xf32>) -> tensor<128x1xf32>
      %81 = "tk.broadcast"(%80) : (tensor<128x1xf32>) -> tensor<128x128xf32>
      %82 = arith.mulf %79, %81 : tensor<128x128xf32>
      %83 = "tk.expand_dims"(%78) {axis = 0 : i32} : (tensor<128xf32>) -> tensor<1x128xf32>
      %84 = "tk.broadcast"(%83) : (tensor<1x128xf32>) -> tensor<128x128xf32>
      %85 = arith.mulf %82, %84 : tensor<128x128xf32>
      %86 = arith.addf %arg9, %85 : tensor<128x128xf32>
      %87 = "tk.addptr"(%arg10, %cst_1) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
      %88 = "tk.addptr"(%arg11, %cst_1) : (tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f8E4M3FN>>
      scf.yield %86, %87, %88 : tensor<128x128xf32>, tensor<128x128x!tk.ptr<f8E4M3FN>>, tensor<128x128x!tk.ptr<f8E4M3FN>>
    }
    %53 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %54 = "tk.splat"(%arg6) : (i32) -> tensor<128x1xi32>
    %55 = arith.muli %53, %54 : tensor<128x1xi32>
    %56 = "tk.splat"(%arg2) : (!tk.ptr<bf16>) -> tensor<128x1x!tk.ptr<bf16>>
    %57 = "tk.addptr"(%56, %55) : (tensor<128x1x!tk.ptr<bf16>>, tensor<128x1xi32>) -> tensor<128x1x!tk.ptr<bf16>>
    %58 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %59 = "tk.broadcast"(%57) : (tensor<128x1x!tk.ptr<bf16>>) -> tensor<128x128x!tk.ptr<bf16>>
    %60 = "tk.broadcast"(%58) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %61 = "tk.addptr"(%59, %60) : (tensor<128x128x!tk.ptr<bf16>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<bf16>>
    %62 = arith.truncf %52#0 : tensor<128x128xf32> to tensor<128x128xbf16>
    %63 = "tk.splat"(%arg5) : (i32) -> tensor<128x1xi32>
    %64 = arith.cmpi slt, %53, %63 : tensor<128x1xi32>
    %65 = "tk.splat"(%arg6) : (i32) -> tensor<1x128xi32>
    %66 = arith.cmpi slt, %58, %65 : tensor<1x128xi32>
    %67 = "tk.broadcast"(%64) : (tensor<128x1xi1>) -> tensor<128x128xi1>
    %68 = "tk.broadcast"(%66) : (tensor<1x128xi1>) -> tensor<128x128xi1>
    %69 = arith.andi %67, %68 : tensor<128x128xi1>
    "tk.store"(%61, %62, %69) : (tensor<128x128x!tk.ptr<bf16>>, tensor<128x128xbf16>, tensor<128x128xi1>) -> ()
    return
  }
}

