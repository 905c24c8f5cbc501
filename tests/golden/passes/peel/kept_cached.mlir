// chip: gfx1100
// show: scf.* tk.load tk.dot tk.store tk.reduce tk.yield
// A load past the caches keeps a part of its mask by a branch, in either loop.
module {
  func.func @kernel(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32 {tk.divisibility = 16 : i32}, %arg4: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = "tk.splat"(%arg4) : (i32) -> tensor<16xi32>
    %c16_i32 = arith.constant 16 : i32
    %2 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %3 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %4 = "tk.splat"(%arg3) : (i32) -> tensor<1x16xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf16>
    %cst_1 = arith.constant dense<16> : tensor<16x1xi32>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %6 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %7 = "tk.broadcast"(%6) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %cst_2 = arith.constant dense<0> : tensor<16x1xi32>
    %8 = scf.for %arg5 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %15 = "tk.splat"(%arg5) : (i32) -> tensor<16xi32>
      %16 = arith.addi %0, %15 : tensor<16xi32>
      %17 = arith.cmpi slt, %16, %1 : tensor<16xi32>
      %18 = "tk.expand_dims"(%17) {axis = 1 : i32} : (tensor<16xi1>) -> tensor<16x1xi1>
      %19 = "tk.expand_dims"(%16) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %20 = arith.muli %19, %2 : tensor<16x1xi32>
      %21 = "tk.addptr"(%3, %20) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %22 = "tk.broadcast"(%21) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %23 = "tk.broadcast"(%18) : (tensor<16x1xi1>) -> tensor<16x16xi1>
      %24 = scf.for %arg7 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg8 = %arg6) -> (tensor<16x16xf32>)  : i32 {
        %25 = "tk.splat"(%arg7) : (i32) -> tensor<16xi32>
        %26 = arith.addi %25, %0 : tensor<16xi32>
        %27 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
        %28 = "tk.broadcast"(%27) : (tensor<1x16xi32>) -> tensor<16x16xi32>
        %29 = "tk.addptr"(%22, %28) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
        %30 = arith.cmpi slt, %27, %4 : tensor<1x16xi32>
        %31 = "tk.broadcast"(%30) : (tensor<1x16xi1>) -> tensor<16x16xi1>
        %32 = arith.andi %23, %31 : tensor<16x16xi1>
        %33 = "tk.load"(%29, %32, %cst_0) {cache = ".cg"} : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi1>, tensor<16x16xf16>) -> tensor<16x16xf16>
        %34 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
        %35 = arith.muli %34, %cst_1 : tensor<16x1xi32>
        %36 = "tk.addptr"(%5, %35) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
        %37 = "tk.broadcast"(%36) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
        %38 = "tk.addptr"(%37, %7) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
        %39 = arith.cmpi sge, %34, %cst_2 : tensor<16x1xi32>
        %40 = arith.cmpi slt, %34, %2 : tensor<16x1xi32>
        %41 = arith.andi %39, %40 : tensor<16x1xi1>
        %42 = "tk.broadcast"(%41) : (tensor<16x1xi1>) -> tensor<16x16xi1>
        %43 = "tk.load"(%38, %42, %cst_0) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi1>, tensor<16x16xf16>) -> tensor<16x16xf16>
        %44 = "tk.dot"(%33, %43, %arg8) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
        scf.yield %44 : tensor<16x16xf32>
      }
      scf.yield %24 : tensor<16x16xf32>
    }
    %9 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %10 = arith.muli %9, %cst_1 : tensor<16x1xi32>
    %11 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %12 = "tk.addptr"(%11, %10) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
    %13 = "tk.broadcast"(%12) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
    %14 = "tk.addptr"(%13, %7) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
    "tk.store"(%14, %8) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    return
  }
}

