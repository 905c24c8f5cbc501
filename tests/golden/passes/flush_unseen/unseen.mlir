// chip: sm_90a
// show: math.exp2
// Softmax of a row and of rows, a sigmoid, and sums that two loops carry: what is below 2^-126 is nothing in all of these.
module {
  func.func @unseen(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f16>, %arg2: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %3 = "tk.load"(%2) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %4 = "tk.reduce"(%3) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %54 = arith.maxnumf %arg3, %arg4 : f32
      "tk.yield"(%54) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %5 = "tk.splat"(%4) : (f32) -> tensor<64xf32>
    %6 = arith.subf %3, %5 : tensor<64xf32>
    %cst = arith.constant dense<1.44269502> : tensor<64xf32>
    %7 = arith.mulf %6, %cst : tensor<64xf32>
    %8 = math.exp2 %7 {tk.subnormal} : tensor<64xf32>
    %9 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %10 = "tk.addptr"(%9, %0) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %11 = "tk.reduce"(%8) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %54 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%54) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
    %12 = "tk.splat"(%11) : (f32) -> tensor<64xf32>
    %13 = arith.divf %8, %12 : tensor<64xf32>
    %14 = arith.truncf %13 : tensor<64xf32> to tensor<64xf16>
    "tk.store"(%10, %14) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    %15 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %16 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<16x1xi32>
    %17 = arith.muli %16, %cst_0 : tensor<16x1xi32>
    %18 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %19 = "tk.addptr"(%18, %17) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %20 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %21 = "tk.broadcast"(%19) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x64x!tk.ptr<f32>>
    %22 = "tk.broadcast"(%20) : (tensor<1x64xi32>) -> tensor<16x64xi32>
    %23 = "tk.addptr"(%21, %22) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
    %24 = "tk.load"(%23) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
    %25 = "tk.reduce"(%24) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %54 = arith.maxnumf %arg3, %arg4 : f32
      "tk.yield"(%54) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
    %26 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
    %27 = "tk.broadcast"(%26) : (tensor<16x1xf32>) -> tensor<16x64xf32>
    %28 = arith.subf %24, %27 : tensor<16x64xf32>
    %cst_1 = arith.constant dense<1.44269502> : tensor<16x64xf32>
    %29 = arith.mulf %28, %cst_1 : tensor<16x64xf32>
    %30 = math.exp2 %29 {tk.subnormal} : tensor<16x64xf32>
    %31 = "tk.reduce"(%30) ({
    ^bb0(%arg3: f32, %arg4: f32):
      %54 = arith.addf %arg3, %arg4 : f32
      "tk.yield"(%54) : (f32) -> ()
    }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
    %32 = "tk.expand_dims"(%31) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
    %33 = "tk.broadcast"(%32) : (tensor<16x1xf32>) -> tensor<16x64xf32>
    %34 = arith.divf %30, %33 : tensor<16x64xf32>
    %35 = "tk.splat"(%arg2) : (i32) -> tensor<1x64xi32>
    %36 = arith.cmpi slt, %20, %35 : tensor<1x64xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %37 = "tk.broadcast"(%36) : (tensor<1x64xi1>) -> tensor<16x64xi1>
    %38 = arith.select %37, %34, %cst_2 : tensor<16x64xi1>, tensor<16x64xf32>
    %39 = "tk.fp_to_fp"(%38) {rounding = "rtne"} : (tensor<16x64xf32>) -> tensor<16x64xf8E5M2>
    %40 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %41 = "tk.addptr"(%40, %17) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %42 = "tk.broadcast"(%41) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x64x!tk.ptr<f16>>
    %43 = "tk.addptr"(%42, %22) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f16>>
    %44 = "tk.fp_to_fp"(%39) {rounding = "rtne"} : (tensor<16x64xf8E5M2>) -> tensor<16x64xf16>
    "tk.store"(%43, %44) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xf16>) -> ()
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %45 = arith.subf %cst_3, %3 : tensor<64xf32>
    %46 = arith.mulf %45, %cst : tensor<64xf32>
    %47 = math.exp2 %46 {tk.subnormal} : tensor<64xf32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %48 = arith.addf %cst_4, %47 : tensor<64xf32>
    %49 = arith.divf %cst_4, %48 : tensor<64xf32>
    "tk.store"(%2, %49) : (tensor<64x!tk.ptr<f32>>, tensor<64xf32>) -> ()
    %cst_5 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_8 = arith.constant dense<1.44269502> : tensor<16xf32>
    %50:3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_6, %arg5 = %cst_7, %arg6 = %cst_5) -> (tensor<16xf32>, tensor<16x64xf16>, tensor<16xf32>)  : i32 {
      %54 = arith.muli %arg3, %c16_i32 : i32
      %55 = arith.muli %54, %c64_i32 : i32
      %56 = "tk.addptr"(%arg0, %55) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %57 = "tk.splat"(%56) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
      %58 = "tk.addptr"(%57, %17) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
      %59 = "tk.broadcast"(%58) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x64x!tk.ptr<f32>>
      %60 = "tk.addptr"(%59, %22) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
      %61 = "tk.load"(%60) : (tensor<16x64x!tk.ptr<f32>>) -> tensor<16x64xf32>
      %62 = "tk.reduce"(%61) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %77 = arith.maxnumf %arg7, %arg8 : f32
        "tk.yield"(%77) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %63 = arith.maxnumf %arg6, %62 : tensor<16xf32>
      %64 = "tk.expand_dims"(%63) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
      %65 = "tk.broadcast"(%64) : (tensor<16x1xf32>) -> tensor<16x64xf32>
      %66 = arith.subf %61, %65 : tensor<16x64xf32>
      %67 = arith.mulf %66, %cst_1 : tensor<16x64xf32>
      %68 = math.exp2 %67 {tk.subnormal} : tensor<16x64xf32>
      %69 = arith.subf %arg6, %63 : tensor<16xf32>
      %70 = arith.mulf %69, %cst_8 : tensor<16xf32>
      %71 = math.exp2 %70 {tk.subnormal} : tensor<16xf32>
      %72 = arith.mulf %arg4, %71 : tensor<16xf32>
      %73 = "tk.reduce"(%68) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %77 = arith.addf %arg7, %arg8 : f32
        "tk.yield"(%77) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %74 = arith.addf %72, %73 : tensor<16xf32>
      %75 = arith.truncf %68 : tensor<16x64xf32> to tensor<16x64xf16>
      %76 = arith.addf %arg5, %75 : tensor<16x64xf16>
      scf.yield %74, %76, %63 : tensor<16xf32>, tensor<16x64xf16>, tensor<16xf32>
    }
    %51:3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %50#0, %arg5 = %50#1, %arg6 = %50#2) -> (tensor<16xf32>, tensor<16x64xf16>, tensor<16xf32>)  : i32 {
      %54 = arith.muli %arg3, %c16_i32 : i32
      %55 = arith.muli %54, %c64_i32 : i32
      %56 = "tk.addptr"(%arg1, %55) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %57 = "tk.splat"(%56) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
      %58 = "tk.addptr"(%57, %17) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %59 = "tk.broadcast"(%58) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x64x!tk.ptr<f16>>
      %60 = "tk.addptr"(%59, %22) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f16>>
      %61 = "tk.load"(%60) : (tensor<16x64x!tk.ptr<f16>>) -> tensor<16x64xf16>
      %62 = arith.extf %61 : tensor<16x64xf16> to tensor<16x64xf32>
      %63 = "tk.reduce"(%62) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %78 = arith.maxnumf %arg7, %arg8 : f32
        "tk.yield"(%78) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %64 = arith.maxnumf %63, %arg6 : tensor<16xf32>
      %65 = "tk.expand_dims"(%64) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
      %66 = "tk.broadcast"(%65) : (tensor<16x1xf32>) -> tensor<16x64xf32>
      %67 = arith.subf %62, %66 : tensor<16x64xf32>
      %68 = arith.mulf %67, %cst_1 : tensor<16x64xf32>
      %69 = math.exp2 %68 {tk.subnormal} : tensor<16x64xf32>
      %70 = "tk.reduce"(%69) ({
      ^bb0(%arg7: f32, %arg8: f32):
        %78 = arith.addf %arg7, %arg8 : f32
        "tk.yield"(%78) : (f32) -> ()
      }) {axis = 1 : i32} : (tensor<16x64xf32>) -> tensor<16xf32>
      %71 = arith.subf %arg6, %64 : tensor<16xf32>
      %72 = arith.mulf %71, %cst_8 : tensor<16xf32>
      %73 = math.exp2 %72 {tk.subnormal} : tensor<16xf32>
      %74 = arith.mulf %73, %arg4 : tensor<16xf32>
      %75 = arith.addf %70, %74 : tensor<16xf32>
      %76 = arith.truncf %69 : tensor<16x64xf32> to tensor<16x64xf16>
      %77 = arith.addf %arg5, %76 : tensor<16x64xf16>
      scf.yield %75, %77, %64 : tensor<16xf32>, tensor<16x64xf16>, tensor<16xf32>
    }
    %52 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
    %53 = "tk.addptr"(%52, %15) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
    "tk.store"(%53, %51#0) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
    "tk.store"(%43, %51#1) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xf16>) -> ()
    return
  }
}

