// chip: sm_80
// show: scf.* tk.dot tk.trans tk.store
// Without instructions of warpgroups: the right operand is unpacked from words, of which lanes take all numbers on the left.
module {
  func.func @unpacked(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}, %arg5: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %2 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %4 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
    %5 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %6 = "tk.splat"(%arg4) : (i32) -> tensor<8x1xi32>
    %7 = arith.muli %4, %6 : tensor<8x1xi32>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<8x1x!tk.ptr<i32>>
    %9 = "tk.addptr"(%8, %7) : (tensor<8x1x!tk.ptr<i32>>, tensor<8x1xi32>) -> tensor<8x1x!tk.ptr<i32>>
    %10 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %11 = "tk.broadcast"(%9) : (tensor<8x1x!tk.ptr<i32>>) -> tensor<8x128x!tk.ptr<i32>>
    %12 = "tk.broadcast"(%10) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %13 = "tk.broadcast"(%10) : (tensor<1x128xi32>) -> tensor<8x128xi32>
    %14 = "tk.addptr"(%11, %13) : (tensor<8x128x!tk.ptr<i32>>, tensor<8x128xi32>) -> tensor<8x128x!tk.ptr<i32>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %15 = "tk.splat"(%arg5) : (i32) -> tensor<64x1xi32>
    %16 = arith.muli %3, %15 : tensor<64x1xi32>
    %17 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %18 = "tk.addptr"(%17, %16) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %cst_0 = arith.constant dense<8> : tensor<64xi32>
    %20 = arith.remsi %0, %cst_0 : tensor<64xi32>
    %cst_1 = arith.constant dense<4> : tensor<64xi32>
    %21 = arith.muli %20, %cst_1 : tensor<64xi32>
    %22 = "tk.expand_dims"(%21) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %23 = "tk.broadcast"(%22) : (tensor<64x1xi32>) -> tensor<64x128xi32>
    %cst_2 = arith.constant dense<15> : tensor<64x128xi32>
    %cst_3 = arith.constant dense<8> : tensor<64x128xi32>
    %c8_i32 = arith.constant 8 : i32
    %24 = arith.muli %c8_i32, %arg4 : i32
    %25 = "tk.splat"(%24) : (i32) -> tensor<8x128xi32>
    %26:2 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst, %arg8 = %14) -> (tensor<64x128xf32>, tensor<8x128x!tk.ptr<i32>>)  : i32 {
      %32 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
      %33 = arith.addi %32, %0 : tensor<64xi32>
      %34 = "tk.expand_dims"(%33) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %35 = "tk.broadcast"(%34) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %36 = "tk.addptr"(%19, %35) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %37 = "tk.load"(%36) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %38 = "tk.load"(%arg8) : (tensor<8x128x!tk.ptr<i32>>) -> tensor<8x128xi32>
      %39 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<8x128xi32>) -> tensor<8x1x128xi32>
      %40 = "tk.broadcast"(%39) : (tensor<8x1x128xi32>) -> tensor<8x8x128xi32>
      %41 = "tk.reshape"(%40) : (tensor<8x8x128xi32>) -> tensor<64x128xi32>
      %42 = arith.shrsi %41, %23 : tensor<64x128xi32>
      %43 = arith.andi %42, %cst_2 : tensor<64x128xi32>
      %44 = arith.subi %43, %cst_3 : tensor<64x128xi32>
      %45 = arith.trunci %42 : tensor<64x128xi32> to tensor<64x128xi16>
      %cst_4 = arith.constant dense<15> : tensor<64x128xi16>
      %46 = arith.andi %45, %cst_4 : tensor<64x128xi16>
      %cst_5 = arith.constant dense<25600> : tensor<64x128xi16>
      %47 = arith.ori %46, %cst_5 : tensor<64x128xi16>
      %48 = arith.bitcast %47 : tensor<64x128xi16> to tensor<64x128xf16>
      %cst_6 = arith.constant dense<1.032000e+03> : tensor<64x128xf16>
      %49 = arith.subf %48, %cst_6 : tensor<64x128xf16>
      %50 = arith.sitofp %44 : tensor<64x128xi32> to tensor<64x128xf16>
      %51 = arith.divsi %arg6, %c64_i32 : i32
      %52 = arith.muli %51, %arg4 : i32
      %53 = "tk.addptr"(%arg2, %52) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %54 = "tk.splat"(%53) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>>
      %55 = "tk.addptr"(%54, %1) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f16>>
      %56 = "tk.load"(%55) : (tensor<128x!tk.ptr<f16>>) -> tensor<128xf16>
      %57 = "tk.expand_dims"(%56) {axis = 0 : i32} : (tensor<128xf16>) -> tensor<1x128xf16>
      %58 = "tk.broadcast"(%57) : (tensor<1x128xf16>) -> tensor<64x128xf16>
      %59 = arith.mulf %49, %58 : tensor<64x128xf16>
      %60 = "tk.dot"(%37, %59, %arg7) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
      %61 = "tk.addptr"(%arg8, %25) : (tensor<8x128x!tk.ptr<i32>>, tensor<8x128xi32>) -> tensor<8x128x!tk.ptr<i32>>
      scf.yield %60, %61 : tensor<64x128xf32>, tensor<8x128x!tk.ptr<i32>>
    }
    %27 = arith.muli %3, %5 : tensor<64x1xi32>
    %28 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %29 = "tk.addptr"(%28, %27) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %30 = "tk.broadcast"(%29) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x128x!tk.ptr<f32>>
    %31 = "tk.addptr"(%30, %12) : (tensor<64x128x!tk.ptr<f32>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<f32>>
    "tk.store"(%31, %26#0) : (tensor<64x128x!tk.ptr<f32>>, tensor<64x128xf32>) -> ()
    return
  }
}

