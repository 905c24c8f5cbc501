// chip: sm_90a
// show: scf.* tk.load tk.store arith.select arith.andi arith.cmpi
// Left alone: four masks in a thread are few; a condition that turns true in later steps; loads of 32 bits that choose what the loop carries,
// which next_step does a step ahead.
#L0 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 128, 256>}
#L1 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512>, warp = array<i32: 128, 256>}
module {
  func.func @few(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 1 : i32, tk.num_warps = 4 : i32} {
    %cst = arith.constant dense<0.000000e+00> : tensor<512xf32, #L0>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = "tk.range"() {end = 512 : i32, start = 0 : i32} : () -> tensor<512xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<512x!tk.ptr<f16>, #L0>
    %2 = "tk.splat"(%arg2) : (i32) -> tensor<512xi32, #L0>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<512xf16, #L0>
    %3 = scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32 iter_args(%arg4 = %cst) -> (tensor<512xf32, #L0>)  : i32 {
      %6 = "tk.splat"(%arg3) : (i32) -> tensor<512xi32, #L0>
      %7 = arith.addi %6, %0 : tensor<512xi32, #L0>
      %8 = "tk.addptr"(%1, %7) : (tensor<512x!tk.ptr<f16>, #L0>, tensor<512xi32, #L0>) -> tensor<512x!tk.ptr<f16>, #L0>
      %9 = arith.cmpi slt, %7, %2 : tensor<512xi32, #L0>
      %10 = "tk.load"(%8, %9, %cst_0) {vector = 1 : i32} : (tensor<512x!tk.ptr<f16>, #L0>, tensor<512xi1, #L0>, tensor<512xf16, #L0>) -> tensor<512xf16, #L0>
      %11 = arith.extf %10 : tensor<512xf16, #L0> to tensor<512xf32, #L0>
      %12 = arith.addf %arg4, %11 : tensor<512xf32, #L0>
      scf.yield %12 : tensor<512xf32, #L0>
    }
    %4 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<512x!tk.ptr<f32>, #L0>
    %5 = "tk.addptr"(%4, %0) : (tensor<512x!tk.ptr<f32>, #L0>, tensor<512xi32, #L0>) -> tensor<512x!tk.ptr<f32>, #L0>
    "tk.store"(%5, %3) {vector = 4 : i32} : (tensor<512x!tk.ptr<f32>, #L0>, tensor<512xf32, #L0>) -> ()
    return
  }
  func.func @later(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 1 : i32, tk.num_warps = 4 : i32} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #L1>
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %0 = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32, #L1>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>, #L1>
    %2 = "tk.splat"(%arg2) : (i32) -> tensor<1024xi32, #L1>
    %cst_0 = arith.constant dense<99> : tensor<1024xi32, #L1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1024xf16, #L1>
    %3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg4 = %cst) -> (tensor<1024xf32, #L1>)  : i32 {
      %6 = "tk.splat"(%arg3) : (i32) -> tensor<1024xi32, #L1>
      %7 = arith.addi %6, %0 : tensor<1024xi32, #L1>
      %8 = "tk.addptr"(%1, %7) : (tensor<1024x!tk.ptr<f16>, #L1>, tensor<1024xi32, #L1>) -> tensor<1024x!tk.ptr<f16>, #L1>
      %9 = arith.cmpi slt, %7, %2 : tensor<1024xi32, #L1>
      %10 = arith.cmpi sgt, %7, %cst_0 : tensor<1024xi32, #L1>
      %11 = arith.andi %9, %10 : tensor<1024xi1, #L1>
      %12 = "tk.load"(%8, %11, %cst_1) {vector = 1 : i32} : (tensor<1024x!tk.ptr<f16>, #L1>, tensor<1024xi1, #L1>, tensor<1024xf16, #L1>) -> tensor<1024xf16, #L1>
      %13 = arith.extf %12 : tensor<1024xf16, #L1> to tensor<1024xf32, #L1>
      %14 = arith.addf %arg4, %13 : tensor<1024xf32, #L1>
      scf.yield %14 : tensor<1024xf32, #L1>
    }
    %4 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L1>
    %5 = "tk.addptr"(%4, %0) : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xi32, #L1>) -> tensor<1024x!tk.ptr<f32>, #L1>
    "tk.store"(%5, %3) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xf32, #L1>) -> ()
    return
  }
  func.func @ahead(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 1 : i32, tk.num_warps = 4 : i32} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #L1>
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %0 = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32, #L1>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L1>
    %2 = "tk.splat"(%arg2) : (i32) -> tensor<1024xi32, #L1>
    %3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg4 = %cst) -> (tensor<1024xf32, #L1>)  : i32 {
      %6 = "tk.splat"(%arg3) : (i32) -> tensor<1024xi32, #L1>
      %7 = arith.addi %6, %0 : tensor<1024xi32, #L1>
      %8 = "tk.addptr"(%1, %7) : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xi32, #L1>) -> tensor<1024x!tk.ptr<f32>, #L1>
      %9 = arith.cmpi slt, %7, %2 : tensor<1024xi32, #L1>
      %10 = "tk.load"(%8, %9, %cst) {vector = 1 : i32} : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xi1, #L1>, tensor<1024xf32, #L1>) -> tensor<1024xf32, #L1>
      %11 = arith.addf %arg4, %10 : tensor<1024xf32, #L1>
      %12 = arith.select %9, %11, %arg4 : tensor<1024xi1, #L1>, tensor<1024xf32, #L1>
      scf.yield %12 : tensor<1024xf32, #L1>
    }
    %4 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>, #L1>
    %5 = "tk.addptr"(%4, %0) : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xi32, #L1>) -> tensor<1024x!tk.ptr<f32>, #L1>
    "tk.store"(%5, %3) {vector = 4 : i32} : (tensor<1024x!tk.ptr<f32>, #L1>, tensor<1024xf32, #L1>) -> ()
    return
  }
}
