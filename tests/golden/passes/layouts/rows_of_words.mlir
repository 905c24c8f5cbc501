// chip: sm_90a
// show: tk.dot tk.load tk.convert_layout
// The left operand of a product of warpgroups is unpacked from words: neighbouring rows are in one thread, which reads their words at once.
module {
  func.func @words(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %2 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %3 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %4 = arith.muli %2, %3 : tensor<16x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %7 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %8 = "tk.broadcast"(%6) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x128x!tk.ptr<f16>>
    %c8_i32 = arith.constant 8 : i32
    %9 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %10 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<16x1x!tk.ptr<i32>>
    %11 = "tk.expand_dims"(%1) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %12 = "tk.broadcast"(%11) : (tensor<1x64xi32>) -> tensor<16x64xi32>
    %13 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
    %cst_0 = arith.constant dense<4> : tensor<8xi32>
    %14 = arith.muli %13, %cst_0 : tensor<8xi32>
    %15 = "tk.expand_dims"(%14) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
    %16 = "tk.expand_dims"(%15) {axis = 2 : i32} : (tensor<1x8xi32>) -> tensor<1x8x1xi32>
    %17 = "tk.broadcast"(%16) : (tensor<1x8x1xi32>) -> tensor<16x8x64xi32>
    %cst_1 = arith.constant dense<15> : tensor<16x8x64xi32>
    %cst_2 = arith.constant dense<8> : tensor<128x64xi32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %18 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32 iter_args(%arg6 = %cst_3) -> (tensor<64x16xf32>)  : i32 {
      %25 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
      %26 = arith.addi %25, %7 : tensor<128xi32>
      %27 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
      %28 = "tk.broadcast"(%27) : (tensor<1x128xi32>) -> tensor<16x128xi32>
      %29 = "tk.addptr"(%8, %28) : (tensor<16x128x!tk.ptr<f16>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<f16>>
      %30 = "tk.load"(%29) : (tensor<16x128x!tk.ptr<f16>>) -> tensor<16x128xf16>
      %31 = arith.divsi %arg5, %c8_i32 : i32
      %32 = "tk.splat"(%31) : (i32) -> tensor<16xi32>
      %33 = arith.addi %32, %0 : tensor<16xi32>
      %34 = "tk.expand_dims"(%33) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %35 = arith.muli %34, %9 : tensor<16x1xi32>
      %36 = "tk.addptr"(%10, %35) : (tensor<16x1x!tk.ptr<i32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<i32>>
      %37 = "tk.broadcast"(%36) : (tensor<16x1x!tk.ptr<i32>>) -> tensor<16x64x!tk.ptr<i32>>
      %38 = "tk.addptr"(%37, %12) : (tensor<16x64x!tk.ptr<i32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<i32>>
      %39 = "tk.load"(%38) : (tensor<16x64x!tk.ptr<i32>>) -> tensor<16x64xi32>
      %40 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<16x64xi32>) -> tensor<16x1x64xi32>
      %41 = "tk.broadcast"(%40) : (tensor<16x1x64xi32>) -> tensor<16x8x64xi32>
      %42 = arith.shrsi %41, %17 : tensor<16x8x64xi32>
      %43 = arith.andi %42, %cst_1 : tensor<16x8x64xi32>
      %44 = "tk.reshape"(%43) : (tensor<16x8x64xi32>) -> tensor<128x64xi32>
      %45 = arith.subi %44, %cst_2 : tensor<128x64xi32>
      %46 = arith.trunci %42 : tensor<16x8x64xi32> to tensor<16x8x64xi16>
      %cst_4 = arith.constant dense<15> : tensor<16x8x64xi16>
      %47 = arith.andi %46, %cst_4 : tensor<16x8x64xi16>
      %cst_5 = arith.constant dense<25600> : tensor<16x8x64xi16>
      %48 = arith.ori %47, %cst_5 : tensor<16x8x64xi16>
      %49 = arith.bitcast %48 : tensor<16x8x64xi16> to tensor<16x8x64xf16>
      %50 = "tk.reshape"(%49) : (tensor<16x8x64xf16>) -> tensor<128x64xf16>
      %cst_6 = arith.constant dense<1.032000e+03> : tensor<128x64xf16>
      %51 = arith.subf %50, %cst_6 : tensor<128x64xf16>
      %52 = arith.sitofp %45 : tensor<128x64xi32> to tensor<128x64xf16>
      %53 = "tk.trans"(%51) {order = array<i32: 1, 0>} : (tensor<128x64xf16>) -> tensor<64x128xf16>
      %54 = "tk.trans"(%30) {order = array<i32: 1, 0>} : (tensor<16x128xf16>) -> tensor<128x16xf16>
      %55 = "tk.dot"(%53, %54, %arg6) {precision = "tf32"} : (tensor<64x128xf16>, tensor<128x16xf16>, tensor<64x16xf32>) -> tensor<64x16xf32>
      scf.yield %55 : tensor<64x16xf32>
    }
    %19 = "tk.trans"(%18) {order = array<i32: 1, 0>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %20 = arith.muli %2, %9 : tensor<16x1xi32>
    %21 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %23 = "tk.broadcast"(%22) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x64x!tk.ptr<f32>>
    %24 = "tk.addptr"(%23, %12) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f32>>
    "tk.store"(%24, %19) : (tensor<16x64x!tk.ptr<f32>>, tensor<16x64xf32>) -> ()
    return
  }
}

