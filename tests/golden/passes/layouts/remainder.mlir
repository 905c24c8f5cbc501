// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// Rows whose length is an argument: of neither dimension it is known that neighbours lie side by side, but the remainder is not
// multiplied, whereas the other index is, so that lanes run along the first.
func.func @remainder(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
  %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
  %c64_i32 = arith.constant 64 : i32
  %1 = arith.muli %0, %c64_i32 : i32
  %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
  %3 = "tk.expand_dims"(%2) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %4 = "tk.splat"(%1) : (i32) -> tensor<64x1xi32>
  %5 = arith.addi %4, %3 : tensor<64x1xi32>
  %6 = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
  %7 = "tk.expand_dims"(%6) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
  %8 = "tk.splat"(%arg2) : (i32) -> tensor<64x1xi32>
  %9 = arith.remsi %5, %8 : tensor<64x1xi32>
  %10 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
  %11 = "tk.addptr"(%10, %9) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
  %12 = "tk.splat"(%arg2) : (i32) -> tensor<1x8xi32>
  %13 = arith.muli %7, %12 : tensor<1x8xi32>
  %14 = "tk.broadcast"(%11) : (tensor<64x1x!tk.ptr<f32>>) -> tensor<64x8x!tk.ptr<f32>>
  %15 = "tk.broadcast"(%13) : (tensor<1x8xi32>) -> tensor<64x8xi32>
  %16 = "tk.addptr"(%14, %15) : (tensor<64x8x!tk.ptr<f32>>, tensor<64x8xi32>) -> tensor<64x8x!tk.ptr<f32>>
  %17 = arith.divsi %5, %8 : tensor<64x1xi32>
  %18 = arith.muli %17, %8 : tensor<64x1xi32>
  %cst = arith.constant dense<8> : tensor<64x1xi32>
  %19 = arith.muli %18, %cst : tensor<64x1xi32>
  %20 = "tk.broadcast"(%19) : (tensor<64x1xi32>) -> tensor<64x8xi32>
  %21 = "tk.addptr"(%16, %20) : (tensor<64x8x!tk.ptr<f32>>, tensor<64x8xi32>) -> tensor<64x8x!tk.ptr<f32>>
  %22 = "tk.load"(%21) : (tensor<64x8x!tk.ptr<f32>>) -> tensor<64x8xf32>
  %23 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<64x1x!tk.ptr<f32>>
  %24 = "tk.addptr"(%23, %5) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f32>>
  %25 = "tk.reduce"(%22) ({
  ^bb0(%arg3: f32, %arg4: f32):
    %27 = arith.addf %arg3, %arg4 : f32
    "tk.yield"(%27) : (f32) -> ()
  }) {axis = 1 : i32} : (tensor<64x8xf32>) -> tensor<64xf32>
  %26 = "tk.expand_dims"(%25) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  "tk.store"(%24, %26) : (tensor<64x1x!tk.ptr<f32>>, tensor<64x1xf32>) -> ()
  return
}
