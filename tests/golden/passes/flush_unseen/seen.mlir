// chip: sm_90a
// show: math.exp2
// Results that keep them: bf16, the weights themselves, sums that their maximum is not part of, sums with a small constant; and running
// sums whose first maximum may be above all, that are read before they are added, or that another difference scales.
module {
  func.func @seen(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<bf16>, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %2 = "tk.expand_dims"(%1) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst = arith.constant dense<64> : tensor<16x1xi32>
    %3 = arith.muli %2, %cst : tensor<16x1xi32>
    %4 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %5 = "tk.broadcast"(%3) : (tensor<16x1xi32>) -> tensor<16x64xi32>
    %6 = "tk.broadcast"(%4) : (tensor<1x64xi32>) -> tensor<16x64xi32>
    %7 = arith.addi %5, %6 : tensor<16x64xi32>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %9 = "tk.addptr"(%8, %0) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %10 = "tk.load"(%9) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %11 = "tk.reduce"(%10) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.maxnumf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %12 = "tk.splat"(%11) : (f32) -> tensor<64xf32>
    %13 = arith.subf %10, %12 : tensor<64xf32>
    %cst_0 = arith.constant dense<1.44269502> : tensor<64xf32>
    %14 = arith.mulf %13, %cst_0 : tensor<64xf32>
    %15 = math.exp2 %14 {tk.subnormal} : tensor<64xf32>
    %16 = "tk.splat"(%arg2) : (!tk.ptr<bf16>) -> tensor<64x!tk.ptr<bf16>>
    %17 = "tk.addptr"(%16, %0) : (tensor<64x!tk.ptr<bf16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<bf16>>
    %18 = "tk.reduce"(%15) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.addf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %19 = "tk.splat"(%18) : (f32) -> tensor<64xf32>
    %20 = arith.divf %15, %19 : tensor<64xf32>
    %21 = arith.truncf %20 : tensor<64xf32> to tensor<64xbf16>
    "tk.store"(%17, %21) : (tensor<64x!tk.ptr<bf16>>, tensor<64xbf16>) -> ()
    %22 = "tk.reduce"(%10) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.maxnumf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %23 = "tk.splat"(%22) : (f32) -> tensor<64xf32>
    %24 = arith.subf %10, %23 : tensor<64xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %25 = arith.addf %24, %cst_1 : tensor<64xf32>
    %26 = arith.mulf %25, %cst_0 : tensor<64xf32>
    %27 = math.exp2 %26 {tk.subnormal} : tensor<64xf32>
    "tk.store"(%9, %27) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
    %c64_i32 = arith.constant 64 : i32
    %cst_2 = arith.constant dense<64> : tensor<64xi32>
    %28 = "tk.addptr"(%9, %cst_2) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %29 = "tk.load"(%28) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %30 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %31 = arith.cmpi slt, %0, %30 : tensor<64xi32>
    %32 = "tk.reduce"(%29) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.maxnumf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %33 = "tk.splat"(%32) : (f32) -> tensor<64xf32>
    %34 = arith.subf %29, %33 : tensor<64xf32>
    %35 = arith.mulf %34, %cst_0 : tensor<64xf32>
    %36 = math.exp2 %35 {tk.subnormal} : tensor<64xf32>
    %37 = arith.select %31, %36, %cst_1 : tensor<64xi1>, tensor<64xf32>
    %38 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %39 = "tk.addptr"(%38, %0) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %40 = "tk.reduce"(%37) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.addf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %41 = "tk.splat"(%40) : (f32) -> tensor<64xf32>
    %42 = arith.divf %37, %41 : tensor<64xf32>
    %43 = arith.truncf %42 : tensor<64xf32> to tensor<64xf16>
    "tk.store"(%39, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    %44 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<16x64x!tk.ptr<f32>>
    %45 = "tk.addptr"(%44, %7) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
    %46 = "tk.load"(%45) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
    %47 = "tk.reduce"(%46) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.maxnumf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<16x64xf32>) -> tensor<64xf32>
    %48 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
    %49 = "tk.broadcast"(%48) : (tensor<1x64xf32>) -> tensor<16x64xf32>
    %50 = arith.subf %46, %49 : tensor<16x64xf32>
    %cst_3 = arith.constant dense<1.44269502> : tensor<16x64xf32>
    %51 = arith.mulf %50, %cst_3 : tensor<16x64xf32>
    %52 = math.exp2 %51 {tk.subnormal} : tensor<16x64xf32>
    %53 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x64x!tk.ptr<f16>>
    %54 = "tk.addptr"(%53, %7) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f16>>
    %55 = "tk.reduce"(%52) ({
    ^bb0(%arg4: f32, %arg5: f32):
      %69 = arith.addf %arg4, %arg5 : f32
      "tk.yield"(%69) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
    %56 = "tk.expand_dims"(%55) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
    %57 = "tk.broadcast"(%56) : (tensor<16x1xf32>) -> tensor<16x64xf32>
    %58 = arith.divf %52, %57 : tensor<16x64xf32>
    %59 = arith.truncf %58 : tensor<16x64xf32> to tensor<16x64xf16>
    "tk.store"(%54, %59) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xf16>) -> ()
    %60 = arith.subf %cst_1, %29 : tensor<64xf32>
    %61 = arith.mulf %60, %cst_0 : tensor<64xf32>
    %62 = math.exp2 %61 {tk.subnormal} : tensor<64xf32>
    %cst_4 = arith.constant dense<9.99999991E-38> : tensor<64xf32>
    %63 = arith.addf %cst_4, %62 : tensor<64xf32>
    "tk.store"(%9, %63) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst_6 = arith.constant dense<1.44269502> : tensor<16xf32>
    %64:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_5, %arg6 = %cst_5) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
      %69 = arith.muli %arg4, %c16_i32 : i32
      %70 = arith.muli %69, %c64_i32 : i32
      %71 = "tk.addptr"(%arg0, %70) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %72 = "tk.splat"(%71) : (!tk.ptr<f32>) -> tensor<16x64x!tk.ptr<f32>>
      %73 = "tk.addptr"(%72, %7) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
      %74 = "tk.load"(%73) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
      %75 = "tk.reduce"(%74) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %88 = arith.maxnumf %arg7, %arg8 : f32
        "tk.yield"(%88) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %76 = arith.maxnumf %arg6, %75 : tensor<16xf32>
      %77 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
      %78 = "tk.broadcast"(%77) : (tensor<16x1xf32>) -> tensor<16x64xf32>
      %79 = arith.subf %74, %78 : tensor<16x64xf32>
      %80 = arith.mulf %79, %cst_3 : tensor<16x64xf32>
      %81 = math.exp2 %80 {tk.subnormal} : tensor<16x64xf32>
      %82 = arith.subf %arg6, %76 : tensor<16xf32>
      %83 = arith.mulf %82, %cst_6 : tensor<16xf32>
      %84 = math.exp2 %83 {tk.subnormal} : tensor<16xf32>
      %85 = arith.mulf %arg5, %84 : tensor<16xf32>
      %86 = "tk.reduce"(%81) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %88 = arith.addf %arg7, %arg8 : f32
        "tk.yield"(%88) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %87 = arith.addf %85, %86 : tensor<16xf32>
      scf.yield %87, %76 : tensor<16xf32>, tensor<16xf32>
    }
    %65 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
    %66 = "tk.addptr"(%65, %1) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
    "tk.store"(%66, %64#0) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
    %cst_7 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %67:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_5, %arg6 = %cst_7) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
      %69 = arith.muli %arg4, %c16_i32 : i32
      %70 = arith.muli %69, %c64_i32 : i32
      %71 = "tk.addptr"(%arg0, %70) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %72 = "tk.splat"(%71) : (!tk.ptr<f32>) -> tensor<16x64x!tk.ptr<f32>>
      %73 = "tk.addptr"(%72, %7) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
      %74 = "tk.load"(%73) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
      %75 = "tk.reduce"(%74) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %91 = arith.maxnumf %arg7, %arg8 : f32
        "tk.yield"(%91) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %76 = arith.maxnumf %arg6, %75 : tensor<16xf32>
      %77 = "tk.expand_dims"(%76) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
      %78 = "tk.broadcast"(%77) : (tensor<16x1xf32>) -> tensor<16x64xf32>
      %79 = arith.subf %74, %78 : tensor<16x64xf32>
      %80 = arith.mulf %79, %cst_3 : tensor<16x64xf32>
      %81 = math.exp2 %80 {tk.subnormal} : tensor<16x64xf32>
      %82 = "tk.reduce"(%81) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %91 = arith.addf %arg7, %arg8 : f32
        "tk.yield"(%91) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %83 = arith.subf %arg6, %76 : tensor<16xf32>
      %84 = arith.mulf %83, %cst_6 : tensor<16xf32>
      %85 = math.exp2 %84 {tk.subnormal} : tensor<16xf32>
      %86 = arith.mulf %arg5, %85 : tensor<16xf32>
      %87 = arith.addf %86, %82 : tensor<16xf32>
      %88 = "tk.addptr"(%arg0, %69) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %89 = "tk.splat"(%88) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
      %90 = "tk.addptr"(%89, %1) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
      "tk.store"(%90, %82) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
      scf.yield %87, %76 : tensor<16xf32>, tensor<16xf32>
    }
    "tk.store"(%66, %67#0) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
    %68:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_5, %arg6 = %cst_7) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
      %69 = arith.muli %arg4, %c16_i32 : i32
      %70 = arith.muli %69, %c64_i32 : i32
      %71 = "tk.addptr"(%arg1, %70) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %72 = "tk.splat"(%71) : (!tk.ptr<f16>) -> tensor<16x64x!tk.ptr<f16>>
      %73 = "tk.addptr"(%72, %7) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f16>>
      %74 = "tk.load"(%73) : (tensor<16x64x!tk.ptr<f16>>) -> tensor<16x64xf16>
      %75 = arith.extf %74 : tensor<16x64xf16> to tensor<16x64xf32>
      %76 = "tk.reduce"(%75) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %89 = arith.maxnumf %arg7, %arg8 : f32
        "tk.yield"(%89) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %77 = arith.maxnumf %arg6, %76 : tensor<16xf32>
      %78 = arith.subf %77, %arg6 : tensor<16xf32>
      %79 = arith.mulf %78, %cst_6 : tensor<16xf32>
      %80 = math.exp2 %79 {tk.subnormal} : tensor<16xf32>
      %81 = arith.mulf %arg5, %80 : tensor<16xf32>
      %82 = "tk.expand_dims"(%77) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
      %83 = "tk.broadcast"(%82) : (tensor<16x1xf32>) -> tensor<16x64xf32>
      %84 = arith.subf %75, %83 : tensor<16x64xf32>
      %85 = arith.mulf %84, %cst_3 : tensor<16x64xf32>
      %86 = math.exp2 %85 {tk.subnormal} : tensor<16x64xf32>
      %87 = "tk.reduce"(%86) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %89 = arith.addf %arg7, %arg8 : f32
        "tk.yield"(%89) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %88 = arith.addf %81, %87 : tensor<16xf32>
      scf.yield %88, %77 : tensor<16xf32>, tensor<16xf32>
    }
    "tk.store"(%66, %68#0) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
    return
  }
}

