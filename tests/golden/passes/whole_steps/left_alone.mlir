// chip: sm_90a
// show: scf.* tk.dot arith.select
// Left alone, each for its reason: conditions that turn true in later steps, as of causal gradients; a condition that is no order of sums;
// a loop that begins at a computed step, as sources that split it themselves have it; sums that may have wrapped before their
// extension to 64 bits; a mask that no step changes, which is no reason to split and none to say so.
module {
  func.func @later(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %2 = arith.addi %1, %0 : tensor<64xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %4 = arith.muli %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%3) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %14 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.broadcast"(%14) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %cst_2 = arith.constant dense<100> : tensor<64x64xi32>
    %cst_3 = arith.constant dense<-1.000000e+00> : tensor<64x64xf32>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %21 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %22 = arith.addi %21, %0 : tensor<64xi32>
      %23 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %24 = arith.muli %23, %cst_1 : tensor<1x64xi32>
      %25 = "tk.addptr"(%12, %24) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %26 = "tk.broadcast"(%25) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %13) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %29 = "tk.broadcast"(%23) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %30 = arith.cmpi sle, %15, %29 : tensor<64x64xi32>
      %31 = arith.subi %15, %29 : tensor<64x64xi32>
      %32 = arith.cmpi slt, %31, %cst_2 : tensor<64x64xi32>
      %33 = arith.andi %30, %32 : tensor<64x64xi1>
      %34 = "tk.dot"(%11, %28, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %35 = arith.select %33, %34, %cst_3 : tensor<64x64xi1>, tensor<64x64xf32>
      %36 = arith.addf %arg6, %35 : tensor<64x64xf32>
      scf.yield %36 : tensor<64x64xf32>
    }
    %17 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %4) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %20 = "tk.addptr"(%19, %9) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%20, %16) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
  func.func @unknown(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %2 = arith.addi %1, %0 : tensor<64xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %4 = arith.muli %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%3) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %14 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.broadcast"(%14) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %cst_2 = arith.constant dense<5> : tensor<1x64xi32>
    %cst_3 = arith.constant dense<-1.000000e+00> : tensor<64x64xf32>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %21 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %22 = arith.addi %21, %0 : tensor<64xi32>
      %23 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %24 = arith.muli %23, %cst_1 : tensor<1x64xi32>
      %25 = "tk.addptr"(%12, %24) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %26 = "tk.broadcast"(%25) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %13) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %29 = "tk.broadcast"(%23) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %30 = arith.cmpi sge, %15, %29 : tensor<64x64xi32>
      %31 = arith.cmpi ne, %23, %cst_2 : tensor<1x64xi32>
      %32 = "tk.broadcast"(%31) : (tensor<1x64xi1>) -> tensor<64x64xi1>
      %33 = arith.andi %30, %32 : tensor<64x64xi1>
      %34 = "tk.dot"(%11, %28, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %35 = arith.select %33, %34, %cst_3 : tensor<64x64xi1>, tensor<64x64xf32>
      %36 = arith.addf %arg6, %35 : tensor<64x64xf32>
      scf.yield %36 : tensor<64x64xf32>
    }
    %17 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %4) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %20 = "tk.addptr"(%19, %9) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%20, %16) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
  func.func @computed_start(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %2 = arith.addi %1, %0 : tensor<64xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %4 = arith.muli %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%3) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %14 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.broadcast"(%14) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %cst_2 = arith.constant dense<-1.000000e+00> : tensor<64x64xf32>
    %16 = scf.for %arg5 = %arg3 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %21 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %22 = arith.addi %21, %0 : tensor<64xi32>
      %23 = "tk.expand_dims"(%22) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %24 = arith.muli %23, %cst_1 : tensor<1x64xi32>
      %25 = "tk.addptr"(%12, %24) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %26 = "tk.broadcast"(%25) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %27 = "tk.addptr"(%26, %13) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %28 = "tk.load"(%27) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %29 = "tk.broadcast"(%23) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %30 = arith.cmpi sge, %15, %29 : tensor<64x64xi32>
      %31 = "tk.dot"(%11, %28, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %32 = arith.select %30, %31, %cst_2 : tensor<64x64xi1>, tensor<64x64xf32>
      %33 = arith.addf %arg6, %32 : tensor<64x64xf32>
      scf.yield %33 : tensor<64x64xf32>
    }
    %17 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %18 = "tk.addptr"(%17, %4) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %19 = "tk.broadcast"(%18) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %20 = "tk.addptr"(%19, %9) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%20, %16) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
  func.func @wide(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %2 = arith.addi %1, %0 : tensor<64xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %4 = arith.muli %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%3) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %14 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = arith.extsi %14 : tensor<64x1xi32> to tensor<64x1xi64>
    %16 = "tk.broadcast"(%15) : (tensor<64x1xi64>) -> tensor<64x64xi64>
    %cst_2 = arith.constant dense<-1.000000e+00> : tensor<64x64xf32>
    %17 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %22 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %23 = arith.addi %22, %0 : tensor<64xi32>
      %24 = "tk.expand_dims"(%23) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %25 = arith.muli %24, %cst_1 : tensor<1x64xi32>
      %26 = "tk.addptr"(%12, %25) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %27 = "tk.broadcast"(%26) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %28 = "tk.addptr"(%27, %13) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %29 = "tk.load"(%28) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %30 = arith.extsi %24 : tensor<1x64xi32> to tensor<1x64xi64>
      %31 = "tk.broadcast"(%30) : (tensor<1x64xi64>) -> tensor<64x64xi64>
      %32 = arith.cmpi sge, %16, %31 : tensor<64x64xi64>
      %33 = "tk.dot"(%11, %29, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %34 = arith.select %32, %33, %cst_2 : tensor<64x64xi1>, tensor<64x64xf32>
      %35 = arith.addf %arg6, %34 : tensor<64x64xf32>
      scf.yield %35 : tensor<64x64xf32>
    }
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %19 = "tk.addptr"(%18, %4) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %20 = "tk.broadcast"(%19) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %21 = "tk.addptr"(%20, %9) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%21, %17) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
  func.func @rows_alone(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
    %2 = arith.addi %1, %0 : tensor<64xi32>
    %3 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %4 = arith.muli %3, %cst : tensor<64x1xi32>
    %5 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %7 = "tk.expand_dims"(%0) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %8 = "tk.broadcast"(%6) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %9 = "tk.broadcast"(%7) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %10 = "tk.addptr"(%8, %9) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.load"(%10) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %12 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1x64x!tk.ptr<f16>>
    %13 = "tk.broadcast"(%3) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %14 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.splat"(%arg4) : (i32) -> tensor<64x1xi32>
    %16 = arith.cmpi slt, %14, %15 : tensor<64x1xi32>
    %cst_2 = arith.constant dense<-1.000000e+00> : tensor<64x64xf32>
    %17 = "tk.broadcast"(%16) : (tensor<64x1xi1>) -> tensor<64x64xi1>
    %18 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %23 = "tk.splat"(%arg5) : (i32) -> tensor<64xi32>
      %24 = arith.addi %23, %0 : tensor<64xi32>
      %25 = "tk.expand_dims"(%24) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
      %26 = arith.muli %25, %cst_1 : tensor<1x64xi32>
      %27 = "tk.addptr"(%12, %26) : (tensor<1x64x!tk.ptr<f16>>, tensor<1x64xi32>) -> tensor<1x64x!tk.ptr<f16>>
      %28 = "tk.broadcast"(%27) : (tensor<1x64x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %29 = "tk.addptr"(%28, %13) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %30 = "tk.load"(%29) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
      %31 = "tk.dot"(%11, %30, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %32 = arith.select %17, %31, %cst_2 : tensor<64x64xi1>, tensor<64x64xf32>
      %33 = arith.addf %arg6, %32 : tensor<64x64xf32>
      scf.yield %33 : tensor<64x64xf32>
    }
    %19 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %20 = "tk.addptr"(%19, %4) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %21 = "tk.broadcast"(%20) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %9) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%22, %18) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}
