// chip: gfx942
// show: scf.* tk.load tk.dot tk.store tk.yield
// One loop over the steps of all tiles. `joined`: the sum begins with the tile's bias in the first step, a number counts on from step to
// step, and the place is advanced behind the tile. `used_before`: the place is used ahead of the branch that changes it, and the loop stays.
// `two_starts`: a carried value begins as two values in a tile's first step, and the loop stays. `number_kept`: a step reads the
// number of the step before.
module {
  func.func @joined(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f32>, %arg3: !tk.ptr<f32>, %arg4: i32, %arg5: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c4_i32 = arith.constant 4 : i32
    %2 = arith.subi %1, %c4_i32 : i32
    %3 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %4 = arith.muli %arg5, %arg4 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %5:5 = scf.for %arg6 = %c0_i32_0 to %4 step %c1_i32 iter_args(%arg7 = %c-1_i32, %arg8 = %2, %arg9 = %3, %arg10 = %cst, %arg11 = %c0_i32) -> (i32, i32, tensor<16xi32>, tensor<16x16xf32>, i32)  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %6 = arith.subi %arg4, %c1_i32_1 : i32
      %7 = arith.cmpi eq, %arg7, %6 : i32
      %c1_i32_2 = arith.constant 1 : i32
      %8 = arith.addi %arg7, %c1_i32_2 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %9 = arith.select %7, %c0_i32_3, %8 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %10 = arith.cmpi eq, %9, %c0_i32_4 : i32
      %11:3 = scf.if %10 -> (i32, tensor<16xi32>, tensor<16x16xf32>) {
        %c4_i32_10 = arith.constant 4 : i32
        %40 = arith.addi %arg8, %c4_i32_10 : i32
        %c16_i32_11 = arith.constant 16 : i32
        %41 = arith.muli %40, %c16_i32_11 : i32
        %42 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
        %43 = "tk.splat"(%41) : (i32) -> tensor<16xi32>
        %44 = arith.addi %43, %42 : tensor<16xi32>
        %cst_12 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
        %45 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
        %46 = "tk.addptr"(%45, %44) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
        %47 = "tk.load"(%46) : (tensor<16x!tk.ptr<f32>>) -> tensor<16xf32>
        %48 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<16xf32>) -> tensor<1x16xf32>
        %49 = "tk.broadcast"(%48) : (tensor<1x16xf32>) -> tensor<16x16xf32>
        %50 = arith.addf %cst_12, %49 : tensor<16x16xf32>
        scf.yield %40, %44, %50 : i32, tensor<16xi32>, tensor<16x16xf32>
      } else {
        scf.yield %arg8, %arg9, %arg10 : i32, tensor<16xi32>, tensor<16x16xf32>
      }
      %12 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %cst_5 = arith.constant dense<256> : tensor<16x1xi32>
      %13 = arith.muli %12, %cst_5 : tensor<16x1xi32>
      %14 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
      %15 = "tk.addptr"(%14, %13) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %c16_i32 = arith.constant 16 : i32
      %16 = arith.muli %arg11, %c16_i32 : i32
      %17 = "tk.splat"(%16) : (i32) -> tensor<16xi32>
      %18 = arith.addi %17, %0 : tensor<16xi32>
      %19 = "tk.expand_dims"(%18) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %20 = "tk.broadcast"(%15) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %21 = "tk.broadcast"(%19) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %22 = "tk.addptr"(%20, %21) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %23 = "tk.load"(%22) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %c16_i32_6 = arith.constant 16 : i32
      %24 = arith.muli %9, %c16_i32_6 : i32
      %25 = "tk.splat"(%24) : (i32) -> tensor<16xi32>
      %26 = arith.addi %25, %0 : tensor<16xi32>
      %27 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %cst_7 = arith.constant dense<256> : tensor<16x1xi32>
      %28 = arith.muli %27, %cst_7 : tensor<16x1xi32>
      %29 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
      %30 = "tk.addptr"(%29, %28) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %31 = "tk.expand_dims"(%11#1) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %32 = "tk.broadcast"(%30) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %33 = "tk.broadcast"(%31) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %34 = "tk.addptr"(%32, %33) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %35 = "tk.load"(%34) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %36 = "tk.dot"(%23, %35, %11#2) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %c1_i32_8 = arith.constant 1 : i32
      %37 = arith.addi %arg11, %c1_i32_8 : i32
      %c1_i32_9 = arith.constant 1 : i32
      %38 = arith.subi %arg4, %c1_i32_9 : i32
      %39 = arith.cmpi eq, %9, %38 : i32
      scf.if %39 {
        %40 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
        %cst_10 = arith.constant dense<256> : tensor<16x1xi32>
        %41 = arith.muli %40, %cst_10 : tensor<16x1xi32>
        %42 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
        %43 = "tk.addptr"(%42, %41) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
        %44 = "tk.expand_dims"(%11#1) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
        %45 = "tk.broadcast"(%43) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
        %46 = "tk.broadcast"(%44) : (tensor<1x16xi32>) -> tensor<16x16xi32>
        %47 = "tk.addptr"(%45, %46) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
        "tk.store"(%47, %36) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
      } else {
      }
      scf.yield %9, %11#0, %11#1, %36, %37 : i32, i32, tensor<16xi32>, tensor<16x16xf32>, i32
    }
    return
  }
  func.func @used_before(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f32>, %arg3: i32, %arg4: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %1 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c-1_i32 = arith.constant -1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %2 = arith.muli %arg3, %arg4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %3:3 = scf.for %arg5 = %c0_i32 to %2 step %c1_i32 iter_args(%arg6 = %c-1_i32, %arg7 = %1, %arg8 = %cst) -> (i32, i32, tensor<16x16xf32>)  : i32 {
      %c1_i32_0 = arith.constant 1 : i32
      %4 = arith.subi %arg3, %c1_i32_0 : i32
      %5 = arith.cmpi eq, %arg6, %4 : i32
      %c1_i32_1 = arith.constant 1 : i32
      %6 = arith.addi %arg6, %c1_i32_1 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %7 = arith.select %5, %c0_i32_2, %6 : i32
      %8 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %cst_3 = arith.constant dense<256> : tensor<16x1xi32>
      %9 = arith.muli %8, %cst_3 : tensor<16x1xi32>
      %10 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
      %11 = "tk.addptr"(%10, %9) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %c16_i32 = arith.constant 16 : i32
      %12 = arith.muli %arg7, %c16_i32 : i32
      %13 = "tk.splat"(%12) : (i32) -> tensor<16xi32>
      %14 = arith.addi %13, %0 : tensor<16xi32>
      %15 = "tk.expand_dims"(%14) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %16 = "tk.broadcast"(%11) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %17 = "tk.broadcast"(%15) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %18 = "tk.addptr"(%16, %17) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %19 = "tk.load"(%18) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %c0_i32_4 = arith.constant 0 : i32
      %20 = arith.cmpi eq, %7, %c0_i32_4 : i32
      %21 = scf.if %20 -> (i32) {
        %c4_i32 = arith.constant 4 : i32
        %41 = arith.addi %arg7, %c4_i32 : i32
        scf.yield %41 : i32
      } else {
        scf.yield %arg7 : i32
      }
      %c16_i32_5 = arith.constant 16 : i32
      %22 = arith.muli %7, %c16_i32_5 : i32
      %23 = "tk.splat"(%22) : (i32) -> tensor<16xi32>
      %24 = arith.addi %23, %0 : tensor<16xi32>
      %25 = "tk.expand_dims"(%24) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %cst_6 = arith.constant dense<256> : tensor<16x1xi32>
      %26 = arith.muli %25, %cst_6 : tensor<16x1xi32>
      %27 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
      %28 = "tk.addptr"(%27, %26) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %c16_i32_7 = arith.constant 16 : i32
      %29 = arith.muli %21, %c16_i32_7 : i32
      %30 = "tk.splat"(%29) : (i32) -> tensor<16xi32>
      %31 = arith.addi %30, %0 : tensor<16xi32>
      %32 = "tk.expand_dims"(%31) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %33 = "tk.broadcast"(%28) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %34 = "tk.broadcast"(%32) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %35 = "tk.addptr"(%33, %34) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %36 = "tk.load"(%35) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %37 = "tk.dot"(%19, %36, %arg8) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %c1_i32_8 = arith.constant 1 : i32
      %38 = arith.subi %arg3, %c1_i32_8 : i32
      %39 = arith.cmpi eq, %7, %38 : i32
      %40 = scf.if %39 -> (tensor<16x16xf32>) {
        %41 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
        %cst_9 = arith.constant dense<256> : tensor<16x1xi32>
        %42 = arith.muli %41, %cst_9 : tensor<16x1xi32>
        %43 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
        %44 = "tk.addptr"(%43, %42) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
        %c16_i32_10 = arith.constant 16 : i32
        %45 = arith.muli %21, %c16_i32_10 : i32
        %46 = "tk.splat"(%45) : (i32) -> tensor<16xi32>
        %47 = arith.addi %46, %0 : tensor<16xi32>
        %48 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
        %49 = "tk.broadcast"(%44) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
        %50 = "tk.broadcast"(%48) : (tensor<1x16xi32>) -> tensor<16x16xi32>
        %51 = "tk.addptr"(%49, %50) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
        "tk.store"(%51, %37) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
        %cst_11 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
        scf.yield %cst_11 : tensor<16x16xf32>
      } else {
        scf.yield %37 : tensor<16x16xf32>
      }
      scf.yield %7, %21, %40 : i32, i32, tensor<16x16xf32>
    }
    return
  }
  func.func @two_starts(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_0 = arith.constant -1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %1 = arith.muli %arg3, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %2:3 = scf.for %arg4 = %c0_i32 to %1 step %c1_i32 iter_args(%arg5 = %c-1_i32, %arg6 = %c-1_i32_0, %arg7 = %cst) -> (i32, i32, tensor<16xf32>)  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %3 = arith.subi %arg3, %c1_i32_1 : i32
      %4 = arith.cmpi eq, %arg5, %3 : i32
      %c1_i32_2 = arith.constant 1 : i32
      %5 = arith.addi %arg5, %c1_i32_2 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %6 = arith.select %4, %c0_i32_3, %5 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %7 = arith.cmpi eq, %6, %c0_i32_4 : i32
      %8:3 = scf.if %7 -> (i32, tensor<16xf32>, tensor<16xf32>) {
        %c1_i32_8 = arith.constant 1 : i32
        %22 = arith.addi %arg6, %c1_i32_8 : i32
        %cst_9 = arith.constant dense<1.000000e+02> : tensor<16xf32>
        %cst_10 = arith.constant dense<7.000000e+00> : tensor<16xf32>
        scf.yield %22, %cst_9, %cst_10 : i32, tensor<16xf32>, tensor<16xf32>
      } else {
        scf.yield %arg6, %arg7, %arg7 : i32, tensor<16xf32>, tensor<16xf32>
      }
      %9 = arith.muli %8#0, %arg3 : i32
      %10 = arith.addi %9, %6 : i32
      %c16_i32 = arith.constant 16 : i32
      %11 = arith.muli %10, %c16_i32 : i32
      %12 = "tk.addptr"(%arg0, %11) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %13 = "tk.splat"(%12) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
      %14 = "tk.addptr"(%13, %0) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
      %15 = "tk.load"(%14) : (tensor<16x!tk.ptr<f32>>) -> tensor<16xf32>
      %cst_5 = arith.constant dense<5.000000e-01> : tensor<16xf32>
      %16 = arith.mulf %8#1, %cst_5 : tensor<16xf32>
      %cst_6 = arith.constant dense<2.000000e+00> : tensor<16xf32>
      %17 = arith.mulf %8#2, %cst_6 : tensor<16xf32>
      %18 = arith.addf %16, %17 : tensor<16xf32>
      %19 = arith.addf %18, %15 : tensor<16xf32>
      %c1_i32_7 = arith.constant 1 : i32
      %20 = arith.subi %arg3, %c1_i32_7 : i32
      %21 = arith.cmpi eq, %6, %20 : i32
      scf.if %21 {
        %c16_i32_8 = arith.constant 16 : i32
        %22 = arith.muli %8#0, %c16_i32_8 : i32
        %23 = "tk.addptr"(%arg1, %22) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %24 = "tk.splat"(%23) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
        %25 = "tk.addptr"(%24, %0) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
        "tk.store"(%25, %19) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
      } else {
      }
      scf.yield %6, %8#0, %19 : i32, i32, tensor<16xf32>
    }
    return
  }
  func.func @number_kept(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_0 = arith.constant -1 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %1 = arith.muli %arg3, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %2:4 = scf.for %arg4 = %c0_i32 to %1 step %c1_i32 iter_args(%arg5 = %c-1_i32, %arg6 = %c-1_i32_0, %arg7 = %cst, %arg8 = %c5_i32) -> (i32, i32, tensor<16xf32>, i32)  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %3 = arith.subi %arg3, %c1_i32_1 : i32
      %4 = arith.cmpi eq, %arg5, %3 : i32
      %c1_i32_2 = arith.constant 1 : i32
      %5 = arith.addi %arg5, %c1_i32_2 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %6 = arith.select %4, %c0_i32_3, %5 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %7 = arith.cmpi eq, %6, %c0_i32_4 : i32
      %8 = scf.if %7 -> (i32) {
        %c1_i32_6 = arith.constant 1 : i32
        %21 = arith.addi %arg6, %c1_i32_6 : i32
        scf.yield %21 : i32
      } else {
        scf.yield %arg6 : i32
      }
      %9 = arith.muli %8, %arg3 : i32
      %10 = arith.addi %9, %6 : i32
      %11 = arith.addi %10, %arg8 : i32
      %c16_i32 = arith.constant 16 : i32
      %12 = arith.muli %11, %c16_i32 : i32
      %13 = "tk.addptr"(%arg0, %12) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
      %14 = "tk.splat"(%13) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
      %15 = "tk.addptr"(%14, %0) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
      %16 = "tk.load"(%15) : (tensor<16x!tk.ptr<f32>>) -> tensor<16xf32>
      %17 = arith.addf %arg7, %16 : tensor<16xf32>
      %c1_i32_5 = arith.constant 1 : i32
      %18 = arith.subi %arg3, %c1_i32_5 : i32
      %19 = arith.cmpi eq, %6, %18 : i32
      %20 = scf.if %19 -> (tensor<16xf32>) {
        %c16_i32_6 = arith.constant 16 : i32
        %21 = arith.muli %8, %c16_i32_6 : i32
        %22 = "tk.addptr"(%arg1, %21) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
        %23 = "tk.splat"(%22) : (!tk.ptr<f32>) -> tensor<16x!tk.ptr<f32>>
        %24 = "tk.addptr"(%23, %0) : (tensor<16x!tk.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tk.ptr<f32>>
        "tk.store"(%24, %17) : (tensor<16x!tk.ptr<f32>>, tensor<16xf32>) -> ()
        %cst_7 = arith.constant dense<0.000000e+00> : tensor<16xf32>
        scf.yield %cst_7 : tensor<16xf32>
      } else {
        scf.yield %17 : tensor<16xf32>
      }
      scf.yield %6, %8, %20, %6 : i32, i32, tensor<16xf32>, i32
    }
    return
  }
}
