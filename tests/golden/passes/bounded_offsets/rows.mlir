// chip: gfx942
// show: tk.addptr tk.load tk.store arith.muli
// Rows and blocks of a length that divides their first number count from a scalar; a sum that may wrap, a run-time stride and an access past
// the caches do not.
#L0 = {lane = array<i32: 8, 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 2048>, warp = array<i32: 512, 1024>}
#L1 = {lane = array<i32: 1, 2, 4, 8, 16, 32>, register = array<i32: 256, 512, 1024>, warp = array<i32: 64, 128>}
module {
  func.func @rows(%arg0: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = "tk.range"() {end = 4096 : i32, start = 0 : i32} : () -> tensor<4096xi32, #L0>
    %3 = arith.extsi %arg2 : i32 to i64
    %4 = arith.muli %1, %3 : i64
    %5 = "tk.addptr"(%arg0, %4) : (!tk.ptr<bf16>, i64) -> !tk.ptr<bf16>
    %6 = "tk.splat"(%5) : (!tk.ptr<bf16>) -> tensor<4096x!tk.ptr<bf16>, #L0>
    %7 = "tk.addptr"(%6, %2) : (tensor<4096x!tk.ptr<bf16>, #L0>, tensor<4096xi32, #L0>) -> tensor<4096x!tk.ptr<bf16>, #L0>
    %8 = "tk.splat"(%arg2) : (i32) -> tensor<4096xi32, #L0>
    %9 = arith.cmpi slt, %2, %8 {constancy = array<i32: 16>} : tensor<4096xi32, #L0>
    %cst = arith.constant dense<-1.000000e+00> : tensor<4096xbf16, #L0>
    %10 = "tk.load"(%7, %9, %cst) {vector = 8 : i32} : (tensor<4096x!tk.ptr<bf16>, #L0>, tensor<4096xi1, #L0>, tensor<4096xbf16, #L0>) -> tensor<4096xbf16, #L0>
    %11 = "tk.addptr"(%arg1, %4) : (!tk.ptr<bf16>, i64) -> !tk.ptr<bf16>
    %12 = "tk.splat"(%11) : (!tk.ptr<bf16>) -> tensor<4096x!tk.ptr<bf16>, #L0>
    %13 = "tk.addptr"(%12, %2) : (tensor<4096x!tk.ptr<bf16>, #L0>, tensor<4096xi32, #L0>) -> tensor<4096x!tk.ptr<bf16>, #L0>
    "tk.store"(%13, %10, %9) {vector = 8 : i32} : (tensor<4096x!tk.ptr<bf16>, #L0>, tensor<4096xbf16, #L0>, tensor<4096xi1, #L0>) -> ()
    return
  }
  func.func @blocks(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c2048_i32 = arith.constant 2048 : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = "tk.range"() {end = 2048 : i32, start = 0 : i32} : () -> tensor<2048xi32, #L1>
    %3 = "tk.splat"(%1) : (i32) -> tensor<2048xi32, #L1>
    %4 = arith.addi %3, %2 : tensor<2048xi32, #L1>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %6 = "tk.addptr"(%5, %4) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %8 = "tk.addptr"(%7, %4) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %9 = "tk.splat"(%arg2) : (i32) -> tensor<2048xi32, #L1>
    %10 = arith.cmpi slt, %4, %9 : tensor<2048xi32, #L1>
    %11 = "tk.load"(%8, %10) {vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi1, #L1>) -> tensor<2048xf32, #L1>
    "tk.store"(%6, %11, %10) {vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xf32, #L1>, tensor<2048xi1, #L1>) -> ()
    return
  }
  func.func @wraps(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 2048 : i32, start = 0 : i32} : () -> tensor<2048xi32, #L1>
    %1 = "tk.splat"(%arg3) : (i32) -> tensor<2048xi32, #L1>
    %2 = arith.addi %1, %0 : tensor<2048xi32, #L1>
    %3 = "tk.splat"(%arg2) : (i32) -> tensor<2048xi32, #L1>
    %4 = arith.muli %0, %3 : tensor<2048xi32, #L1>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %6 = "tk.addptr"(%5, %4) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %8 = "tk.addptr"(%7, %2) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %9 = arith.cmpi slt, %2, %3 : tensor<2048xi32, #L1>
    %10 = "tk.load"(%8, %9) {vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi1, #L1>) -> tensor<2048xf32, #L1>
    "tk.store"(%6, %10, %9) {vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xf32, #L1>, tensor<2048xi1, #L1>) -> ()
    return
  }
  func.func @cached(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c2048_i32 = arith.constant 2048 : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = "tk.range"() {end = 2048 : i32, start = 0 : i32} : () -> tensor<2048xi32, #L1>
    %3 = "tk.splat"(%1) : (i32) -> tensor<2048xi32, #L1>
    %4 = arith.addi %3, %2 : tensor<2048xi32, #L1>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %6 = "tk.addptr"(%5, %4) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %7 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %8 = "tk.addptr"(%7, %4) : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi32, #L1>) -> tensor<2048x!tk.ptr<f32>, #L1>
    %9 = "tk.splat"(%arg2) : (i32) -> tensor<2048xi32, #L1>
    %10 = arith.cmpi slt, %4, %9 : tensor<2048xi32, #L1>
    %11 = "tk.load"(%8, %10) {cache = ".cg", vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xi1, #L1>) -> tensor<2048xf32, #L1>
    "tk.store"(%6, %11, %10) {cache = ".cs", vector = 1 : i32} : (tensor<2048x!tk.ptr<f32>, #L1>, tensor<2048xf32, #L1>, tensor<2048xi1, #L1>) -> ()
    return
  }
}

