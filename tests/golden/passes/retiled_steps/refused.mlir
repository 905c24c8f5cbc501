// chip: sm_80
// show: func.func tk.store
// Steps that stay as they are, and why.
module {
  func.func @no_bound_of_columns(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f32>, %arg2: !tk.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
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
    %12 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %13 = arith.cmpi slt, %5, %12 : tensor<32x1xi32>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %15 = arith.cmpi slt, %11, %14 : tensor<1x64xi32>
    %16 = "tk.broadcast"(%13) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %17 = "tk.broadcast"(%15) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %18 = arith.andi %16, %17 : tensor<32x64xi1>
    %19 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %20 = arith.muli %5, %19 : tensor<32x1xi32>
    %21 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
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
    %33 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %34 = arith.muli %32, %arg4 : i32
    %35 = "tk.addptr"(%arg2, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %36 = "tk.splat"(%35) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %37 = "tk.addptr"(%36, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %38 = "tk.addptr"(%arg5, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %39 = "tk.splat"(%38) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %40 = "tk.addptr"(%39, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %41 = "tk.splat"(%arg4) : (i32) -> tensor<256xi32>
    %42 = arith.cmpi slt, %33, %41 : tensor<256xi32>
    %43 = "tk.load"(%40) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %44 = "tk.addptr"(%arg1, %32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %45 = "tk.load"(%44) {tk.step = 1 : i32} : (!tk.ptr<f32>) -> f32
    %46 = "tk.splat"(%45) : (f32) -> tensor<256xf32>
    %47 = arith.mulf %43, %46 : tensor<256xf32>
    "tk.store"(%37, %47, %42) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    return
  }
  func.func @number_as_value(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f32>, %arg2: !tk.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
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
    %12 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %13 = arith.cmpi slt, %5, %12 : tensor<32x1xi32>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %15 = arith.cmpi slt, %11, %14 : tensor<1x64xi32>
    %16 = "tk.broadcast"(%13) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %17 = "tk.broadcast"(%15) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %18 = arith.andi %16, %17 : tensor<32x64xi1>
    %19 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %20 = arith.muli %5, %19 : tensor<32x1xi32>
    %21 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
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
    %33 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %34 = arith.muli %32, %arg4 : i32
    %35 = "tk.addptr"(%arg2, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %36 = "tk.splat"(%35) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %37 = "tk.addptr"(%36, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %38 = "tk.addptr"(%arg5, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %39 = "tk.splat"(%38) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %40 = "tk.addptr"(%39, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %41 = "tk.splat"(%arg4) : (i32) -> tensor<256xi32>
    %42 = arith.cmpi slt, %33, %41 : tensor<256xi32>
    %43 = "tk.load"(%40, %42) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
    %44 = "tk.addptr"(%arg1, %32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %45 = "tk.load"(%44) {tk.step = 1 : i32} : (!tk.ptr<f32>) -> f32
    %46 = "tk.splat"(%45) : (f32) -> tensor<256xf32>
    %id = arith.sitofp %32 : i32 to f32
    %ids = "tk.splat"(%id) : (f32) -> tensor<256xf32>
    %47 = arith.mulf %43, %ids : tensor<256xf32>
    "tk.store"(%37, %47, %42) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    return
  }
  func.func @stored_twice(%arg0: !tk.ptr<f32>, %arg1: !tk.ptr<f32>, %arg2: !tk.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
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
    %12 = "tk.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %13 = arith.cmpi slt, %5, %12 : tensor<32x1xi32>
    %14 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %15 = arith.cmpi slt, %11, %14 : tensor<1x64xi32>
    %16 = "tk.broadcast"(%13) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %17 = "tk.broadcast"(%15) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %18 = arith.andi %16, %17 : tensor<32x64xi1>
    %19 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %20 = arith.muli %5, %19 : tensor<32x1xi32>
    %21 = "tk.splat"(%arg5) : (!tk.ptr<f32>) -> tensor<32x1x!tk.ptr<f32>>
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
    "tk.store"(%25, %30, %18) : (tensor<32x64x!tk.ptr<f32>>, tensor<32x64xf32>, tensor<32x64xi1>) -> ()
    %32 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %33 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %34 = arith.muli %32, %arg4 : i32
    %35 = "tk.addptr"(%arg2, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %36 = "tk.splat"(%35) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %37 = "tk.addptr"(%36, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %38 = "tk.addptr"(%arg5, %34) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %39 = "tk.splat"(%38) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %40 = "tk.addptr"(%39, %33) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %41 = "tk.splat"(%arg4) : (i32) -> tensor<256xi32>
    %42 = arith.cmpi slt, %33, %41 : tensor<256xi32>
    %43 = "tk.load"(%40, %42) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
    %44 = "tk.addptr"(%arg1, %32) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %45 = "tk.load"(%44) {tk.step = 1 : i32} : (!tk.ptr<f32>) -> f32
    %46 = "tk.splat"(%45) : (f32) -> tensor<256xf32>
    %47 = arith.mulf %43, %46 : tensor<256xf32>
    "tk.store"(%37, %47, %42) {tk.step = 1 : i32} : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
    return
  }
}
