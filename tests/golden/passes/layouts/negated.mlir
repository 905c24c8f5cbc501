// chip: sm_90a
// show: tk.load tk.convert_layout tk.dot
// A loaded vector, spread and negated, at which a product begins: its spread changes the layout, not what is negated.
module {
  func.func @dot_vectors(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg3: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg4: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg5: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg6: i32) attributes {tk.grouped_pid = "left alone: no 2-D space of tiles", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %3 = "tk.splat"(%1) : (i32) -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = "tk.expand_dims"(%4) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %6 = arith.muli %5, %cst : tensor<64x1xi32>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %8 = "tk.addptr"(%7, %6) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %9 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %10 = "tk.broadcast"(%8) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %11 = "tk.broadcast"(%9) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %12 = "tk.addptr"(%10, %11) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %13 = "tk.load"(%12) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %14 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %15 = "tk.addptr"(%14, %6) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
    %16 = "tk.broadcast"(%15) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %11) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %18 = "tk.load"(%17) : (tensor<64x64x!tk.ptr<f16>>) -> tensor<64x64xf16>
    %19 = "tk.splat"(%arg3) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %20 = "tk.addptr"(%19, %4) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
    %21 = "tk.load"(%20) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %22 = "tk.splat"(%arg2) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
    %23 = "tk.splat"(%arg6) : (i32) -> tensor<64x1xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %24 = "tk.splat"(%arg4) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>>
    %25 = "tk.expand_dims"(%21) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
    %26 = "tk.broadcast"(%25) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %27 = scf.for %arg7 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg8 = %cst_0) -> (tensor<64x64xf32>)  : i32 {
      %32 = "tk.splat"(%arg7) : (i32) -> tensor<64xi32>
      %33 = arith.addi %32, %2 : tensor<64xi32>
      %34 = "tk.expand_dims"(%33) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
      %35 = arith.muli %34, %cst : tensor<64x1xi32>
      %36 = "tk.addptr"(%22, %35) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %37 = "tk.broadcast"(%36) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x64x!tk.ptr<f16>>
      %38 = "tk.addptr"(%37, %11) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
      %39 = arith.cmpi slt, %34, %23 : tensor<64x1xi32>
      %40 = "tk.broadcast"(%39) : (tensor<64x1xi1>) -> tensor<64x64xi1>
      %41 = "tk.load"(%38, %40, %cst_1) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi1>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %42 = "tk.trans"(%41) {order = array<i32: 1, 0>} : (tensor<64x64xf16>) -> tensor<64x64xf16>
      %43 = "tk.dot"(%18, %42, %cst_0) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %44 = "tk.addptr"(%24, %33) : (tensor<64x!tk.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f32>>
      %45 = "tk.load"(%44) : (tensor<64x!tk.ptr<f32>>) -> tensor<64xf32>
      %46 = "tk.expand_dims"(%45) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
      %47 = arith.negf %46 : tensor<1x64xf32>
      %48 = "tk.broadcast"(%47) : (tensor<1x64xf32>) -> tensor<64x64xf32>
      %49 = "tk.dot"(%13, %42, %48) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %50 = arith.subf %43, %26 : tensor<64x64xf32>
      %51 = arith.mulf %49, %50 : tensor<64x64xf32>
      %52 = arith.truncf %51 : tensor<64x64xf32> to tensor<64x64xf16>
      %53 = "tk.dot"(%52, %41, %arg8) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %53 : tensor<64x64xf32>
    }
    %28 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
    %29 = "tk.addptr"(%28, %6) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
    %30 = "tk.broadcast"(%29) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x64x!tk.ptr<f32>>
    %31 = "tk.addptr"(%30, %11) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f32>>
    "tk.store"(%31, %27) : (tensor<64x64x!tk.ptr<f32>>, tensor<64x64xf32>) -> ()
    return
  }
}

