// chip: sm_80
// show: func.func tk.load tk.store
// By one index through all rows, and by rows, on a tile of a grid of two dimensions: masks that follow from the tile's are gone.
module {
  func.func @c_steps_1_to_3(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f32>, %arg2: !tk.ptr<f32>, %arg3: !tk.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32 {tk.factors = array<i32: 4, 5>}, %arg7: !tk.ptr<f32> {tk.handed = "none"}, %arg8: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %3 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %4 = "tk.splat"(%1) : (i32) -> tensor<32x1xi32>
    %5 = arith.addi %4, %3 : tensor<32x1xi32>
    %6 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %9 = "tk.expand_dims"(%8) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %10 = "tk.splat"(%7) : (i32) -> tensor<1x64xi32>
    %11 = arith.addi %10, %9 : tensor<1x64xi32>
    %12 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %13 = arith.cmpi slt, %5, %12 : tensor<32x1xi32>
    %14 = "tk.splat"(%arg5) : (i32) -> tensor<1x64xi32>
    %15 = arith.cmpi slt, %11, %14 : tensor<1x64xi32>
    %16 = "tk.broadcast"(%13) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %17 = "tk.broadcast"(%15) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %18 = arith.andi %16, %17 : tensor<32x64xi1>
    %19 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %20 = arith.muli %5, %19 : tensor<32x1xi32>
    %21 = "tk.splat"(%arg7) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %22 = "tk.addptr"(%21, %20) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %23 = "tk.broadcast"(%22) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x64x!tk.ptr<f32>>
    %24 = "tk.broadcast"(%11) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %25 = "tk.addptr"(%23, %24) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    %26 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
    %27 = "tk.addptr"(%26, %20) : (tensor<32x1x!tk.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f32>>
    %28 = "tk.broadcast"(%27) : (tensor<32x1x!tk.ptr<f32>>) -> tensor<32x64x!tk.ptr<f32>>
    %29 = "tk.addptr"(%28, %24) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f32>>
    %30 = "tk.load"(%29, %18) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xi1>) -> tensor<32x64xf32>
    %31 = arith.negf %30 : tensor<32x64xf32>
    "tk.store"(%25, %31, %18) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xf32>, tensor<32x64xi1>) -> ()
    %32 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %c128_i32 = arith.constant 128 : i32
    %33 = arith.muli %32, %c128_i32 : i32
    %34 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %35 = "tk.splat"(%33) : (i32) -> tensor<128xi32>
    %36 = arith.addi %35, %34 : tensor<128xi32>
    %37 = "tk.splat"(%arg8) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %38 = "tk.addptr"(%37, %36) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %39 = "tk.splat"(%arg7) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %40 = "tk.addptr"(%39, %36) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %41 = "tk.splat"(%arg6) : (i32) -> tensor<128xi32>
    %42 = arith.cmpi slt, %36, %41 : tensor<128xi32>
    %43 = "tk.load"(%40, %42) {tk.step = 1 : i32} : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %44 = "tk.splat"(%arg5) : (i32) -> tensor<128xi32>
    %45 = arith.remsi %36, %44 : tensor<128xi32>
    %46 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %47 = "tk.addptr"(%46, %45) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %48 = "tk.load"(%47, %42) {tk.step = 1 : i32} : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %49 = arith.addf %43, %48 : tensor<128xf32>
    "tk.store"(%38, %49, %42) {tk.step = 1 : i32} : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    %50 = "tk.program_id"() {axis = 0 : i32, tk.step = 2 : i32} : () -> i32
    %51 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %52 = arith.muli %50, %arg5 : i32
    %53 = "tk.addptr"(%arg3, %52) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %54 = "tk.splat"(%53) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %55 = "tk.addptr"(%54, %51) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %56 = "tk.addptr"(%arg8, %52) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %57 = "tk.splat"(%56) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %58 = "tk.addptr"(%57, %51) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %59 = "tk.splat"(%arg5) : (i32) -> tensor<256xi32>
    %60 = arith.cmpi slt, %51, %59 : tensor<256xi32>
    %61 = "tk.load"(%58, %60) {tk.step = 2 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
    %62 = "tk.addptr"(%arg2, %50) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %63 = "tk.load"(%62) {tk.step = 2 : i32} : (!tk.ptr<f32>) -> f32
    %64 = "tk.splat"(%63) : (f32) -> tensor<256xf32>
    %65 = arith.mulf %61, %64 : tensor<256xf32>
    "tk.store"(%55, %65, %60) {tk.step = 2 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    return
  }
}
