// show: tk.program_id tk.num_programs scf.* arith.*
// A persistent loop over tiles: its counter is permuted where it goes on by the number of programs.
module {
  func.func @k(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c15_i32 = arith.constant 15 : i32
    %0 = arith.addi %arg4, %c15_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.divsi %0, %c16_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = arith.addi %arg3, %c15_i32 : i32
    %4 = arith.divsi %3, %c16_i32 : i32
    %5 = arith.muli %4, %1 : i32
    %6 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %7 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %8 = "tk.splat"(%arg5) : (i32) -> tensor<16x1xi32>
    %9 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %10 = "tk.expand_dims"(%7) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %11 = "tk.broadcast"(%10) : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %12 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %13 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %14 = arith.muli %12, %13 : tensor<16x1xi32>
    %15 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %16 = "tk.addptr"(%15, %14) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
    %17 = "tk.broadcast"(%16) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<f32>) -> tensor<16x1x!tk.ptr<f32>>
    scf.for %arg6 = %2 to %5 step %6  : i32 {
      %19 = arith.divsi %arg6, %1 : i32
      %20 = arith.muli %19, %c16_i32 : i32
      %21 = "tk.splat"(%20) : (i32) -> tensor<16xi32>
      %22 = arith.addi %21, %7 : tensor<16xi32>
      %23 = arith.remsi %arg6, %1 : i32
      %24 = arith.muli %23, %c16_i32 : i32
      %25 = "tk.splat"(%24) : (i32) -> tensor<16xi32>
      %26 = arith.addi %25, %7 : tensor<16xi32>
      %27 = "tk.expand_dims"(%22) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
      %28 = arith.muli %27, %8 : tensor<16x1xi32>
      %29 = "tk.addptr"(%9, %28) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %30 = "tk.broadcast"(%29) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x16x!tk.ptr<f16>>
      %31 = "tk.addptr"(%30, %11) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %32 = "tk.load"(%31) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %33 = "tk.expand_dims"(%26) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
      %34 = "tk.broadcast"(%33) : (tensor<1x16xi32>) -> tensor<16x16xi32>
      %35 = "tk.addptr"(%17, %34) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f16>>
      %36 = "tk.load"(%35) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
      %37 = "tk.dot"(%32, %36, %cst) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %38 = arith.muli %27, %13 : tensor<16x1xi32>
      %39 = "tk.addptr"(%18, %38) : (tensor<16x1x!tk.ptr<f32>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f32>>
      %40 = "tk.broadcast"(%39) : (tensor<16x1x!tk.ptr<f32>>) -> tensor<16x16x!tk.ptr<f32>>
      %41 = "tk.addptr"(%40, %34) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tk.ptr<f32>>
      "tk.store"(%41, %37) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
    }
    return
  }
}

