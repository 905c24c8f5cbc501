// chip: sm_90a
// show: scf.* tk.load tk.store arith.select arith.andi arith.cmpi
// Whole steps have no masks, and accesses as wide as their addresses allow. What a mask restricts, it restricts in the other steps alone.
#L0 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4>, warp = array<i32: 256, 512>}
module {
  func.func @row(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 1 : i32, tk.num_warps = 4 : i32} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #L0>
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %0 = "tk.range"() {end = 1024 : i32, start = 0 : i32} : () -> tensor<1024xi32, #L0>
    %1 = "tk.splat"(%arg2) : (i32) -> tensor<1024xi32, #L0>
    %2 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %3 = "tk.splat"(%2) : (i1) -> tensor<1024xi1, #L0>
    %4 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>, #L0>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<1024xf16, #L0>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>, #L0>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1024xf16, #L0>
    %6 = scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #L0>)  : i32 {
      %9 = "tk.splat"(%arg4) : (i32) -> tensor<1024xi32, #L0>
      %10 = arith.addi %9, %0 : tensor<1024xi32, #L0>
      %11 = arith.cmpi slt, %10, %1 : tensor<1024xi32, #L0>
      %12 = arith.andi %11, %3 : tensor<1024xi1, #L0>
      %13 = "tk.addptr"(%4, %10) : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f16>, #L0>
      %14 = "tk.load"(%13, %12, %cst_0) {vector = 1 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xi1, #L0>, tensor<1024xf16, #L0>) -> tensor<1024xf16, #L0>
      %15 = arith.extf %14 : tensor<1024xf16, #L0> to tensor<1024xf32, #L0>
      %16 = arith.addf %arg5, %15 : tensor<1024xf32, #L0>
      %17 = arith.select %12, %16, %arg5 : tensor<1024xi1, #L0>, tensor<1024xf32, #L0>
      %18 = "tk.addptr"(%5, %10) : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f16>, #L0>
      %19 = arith.cmpf ogt, %14, %cst_1 : tensor<1024xf16, #L0>
      %20 = arith.andi %12, %19 : tensor<1024xi1, #L0>
      %21 = arith.truncf %17 : tensor<1024xf32, #L0> to tensor<1024xf16, #L0>
      %22 = arith.select %20, %14, %21 : tensor<1024xi1, #L0>, tensor<1024xf16, #L0>
      "tk.store"(%18, %22, %12) {vector = 1 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xf16, #L0>, tensor<1024xi1, #L0>) -> ()
      scf.yield %17 : tensor<1024xf32, #L0>
    }
    %7 = "tk.addptr"(%5, %0) : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xi32, #L0>) -> tensor<1024x!tk.ptr<f16>, #L0>
    %8 = arith.truncf %6 : tensor<1024xf32, #L0> to tensor<1024xf16, #L0>
    "tk.store"(%7, %8) {vector = 8 : i32} : (tensor<1024x!tk.ptr<f16>, #L0>, tensor<1024xf16, #L0>) -> ()
    return
  }
}
