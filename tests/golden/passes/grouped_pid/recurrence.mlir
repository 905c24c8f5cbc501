// show: func.func
// Loops over tiles: of layers, whose tiles read those of the layer before, the order stays; sums in place are a tile's own.
module {
  func.func @recurrence(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c15_i32 = arith.constant 15 : i32
    %2 = arith.addi %arg3, %c15_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %3 = arith.divsi %2, %c16_i32 : i32
    %4 = arith.muli %arg2, %3 : i32
    %5 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %6 = "tk.splat"(%arg3) : (i32) -> tensor<16x1xi32>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %8 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<3> : tensor<16x16xi32>
    %cst_1 = arith.constant dense<1> : tensor<16x16xi32>
    scf.for %arg4 = %1 to %4 step %5  : i32 {
      %9 = arith.divsi %arg4, %3 : i32
      %10 = arith.remsi %arg4, %3 : i32
      %11 = arith.muli %9, %c16_i32 : i32
      %12 = "tk.splat"(%11) : (i32) -> tensor<16xi32>
      %13 = arith.addi %12, %0 : tensor<16xi32>
      %14 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %15 = arith.muli %14, %6 : tensor<16x1xi32>
      %16 = "tk.addptr"(%7, %15) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %17 = "tk.broadcast"(%16) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %18 = arith.muli %10, %c16_i32 : i32
      %19 = "tk.splat"(%18) : (i32) -> tensor<16xi32>
      %20 = arith.addi %19, %0 : tensor<16xi32>
      %21 = "tk.expand_dims"(%20) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %22 = "tk.broadcast"(%21) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %23 = scf.for %arg5 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg6 = %cst) -> (tensor<16x16xf32>)  : i32 {
        %37 = "tk.splat"(%arg5) : (i32) -> tensor<16xi32>
        %38 = arith.addi %37, %0 : tensor<16xi32>
        %39 = "tk.expand_dims"(%38) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
        %40 = "tk.broadcast"(%39) : (tensor<1x16xi32>) -> tensor<16x16xi32>
        %41 = "tk.addptr"(%17, %40) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
        %42 = "tk.load"(%41) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
        %43 = "tk.expand_dims"(%38) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
        %44 = arith.muli %43, %6 : tensor<16x1xi32>
        %45 = "tk.addptr"(%8, %44) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
        %46 = "tk.broadcast"(%45) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
        %47 = "tk.addptr"(%46, %22) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
        %48 = "tk.load"(%47) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
        %49 = "tk.dot"(%42, %48, %arg6) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
        scf.yield %49 : tensor<16x16xf32>
      }
      %24 = arith.addi %9, %c1_i32 : i32
      %25 = arith.muli %24, %c16_i32 : i32
      %26 = "tk.splat"(%25) : (i32) -> tensor<16xi32>
      %27 = arith.addi %26, %0 : tensor<16xi32>
      %28 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %29 = arith.muli %28, %6 : tensor<16x1xi32>
      %30 = "tk.addptr"(%7, %29) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %31 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %32 = "tk.addptr"(%31, %22) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %33 = arith.fptosi %23 : tensor<16x16xf32> to tensor<16x16xi32>
      %34 = arith.andi %33, %cst_0 : tensor<16x16xi32>
      %35 = arith.subi %34, %cst_1 : tensor<16x16xi32>
      %36 = arith.sitofp %35 : tensor<16x16xi32> to tensor<16x16xf16>
      "tk.store"(%32, %36) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xf16>) -> ()
      "tk.barrier"() {scope = "gpu"} : () -> ()
    }
    return
  }
  func.func @in_place(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c15_i32 = arith.constant 15 : i32
    %2 = arith.addi %arg3, %c15_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %3 = arith.divsi %2, %c16_i32 : i32
    %4 = arith.addi %arg4, %c15_i32 : i32
    %5 = arith.divsi %4, %c16_i32 : i32
    %6 = arith.muli %3, %5 : i32
    %7 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %cst = arith.constant dense<16> : tensor<16x1xi32>
    %8 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %10 = "tk.broadcast"(%9) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %11 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %12 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    %13 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %14 = arith.muli %13, %11 : tensor<16x1xi32>
    %15 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %14) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %17 = "tk.broadcast"(%16) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
    scf.for %arg5 = %1 to %6 step %7  : i32 {
      %18 = arith.divsi %arg5, %5 : i32
      %19 = arith.remsi %arg5, %5 : i32
      %20 = arith.muli %18, %c16_i32 : i32
      %21 = "tk.splat"(%20) : (i32) -> tensor<16xi32>
      %22 = arith.addi %21, %0 : tensor<16xi32>
      %23 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %24 = arith.muli %23, %cst : tensor<16x1xi32>
      %25 = "tk.addptr"(%8, %24) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %26 = "tk.broadcast"(%25) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %10) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %29 = arith.muli %23, %11 : tensor<16x1xi32>
      %30 = "tk.addptr"(%12, %29) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
      %31 = arith.muli %19, %c16_i32 : i32
      %32 = "tk.splat"(%31) : (i32) -> tensor<16xi32>
      %33 = arith.addi %32, %0 : tensor<16xi32>
      %34 = "tk.expand_dims"(%33) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %35 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
      %36 = "tk.broadcast"(%34) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %37 = "tk.addptr"(%35, %36) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
      %38 = "tk.addptr"(%17, %36) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %39 = "tk.load"(%38) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %40 = "tk.load"(%37) : (tensor<16x16x!tk.ptr<f32>>) -> tensor<16x16xf32>
      %41 = "tk.dot"(%28, %39, %40) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      "tk.store"(%37, %41) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    }
    return
  }
}

