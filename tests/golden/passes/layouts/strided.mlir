// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// Two dimensions of which neither is known to be contiguous: along the one that is multiplied by a stride divisible by 16 neighbours
// are far apart, so that lanes run along the other, in a tile and in its transpose.
func.func @strided(%arg0: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %arg2: i32 {tk.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
  %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
  %c64_i32 = arith.constant 64 : i32
  %1 = arith.muli %0, %c64_i32 : i32
  %2 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
  %3 = "tk.splat"(%1) : (i32) -> tensor<64xi32>
  %4 = arith.addi %3, %2 : tensor<64xi32>
  %5 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
  %6 = "tk.splat"(%arg4) : (i32) -> tensor<64xi32>
  %7 = arith.divsi %4, %6 : tensor<64xi32>
  %8 = "tk.splat"(%arg3) : (i32) -> tensor<64xi32>
  %9 = arith.muli %7, %8 : tensor<64xi32>
  %10 = "tk.expand_dims"(%9) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %11 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
  %12 = "tk.addptr"(%11, %10) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
  %13 = arith.remsi %4, %6 : tensor<64xi32>
  %14 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %15 = "tk.addptr"(%12, %14) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
  %16 = "tk.splat"(%arg2) : (i32) -> tensor<16xi32>
  %17 = arith.muli %5, %16 : tensor<16xi32>
  %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %19 = "tk.broadcast"(%15) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x16x!tk.ptr<f16>>
  %20 = "tk.broadcast"(%18) : (tensor<1x16xi32>) -> tensor<64x16xi32>
  %21 = "tk.addptr"(%19, %20) : (tensor<64x16x!tk.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tk.ptr<f16>>
  %22 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %23 = "tk.splat"(%arg2) : (i32) -> tensor<16x1xi32>
  %24 = arith.muli %22, %23 : tensor<16x1xi32>
  %25 = "tk.expand_dims"(%4) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %26 = "tk.splat"(%arg4) : (i32) -> tensor<1x64xi32>
  %27 = arith.divsi %25, %26 : tensor<1x64xi32>
  %28 = "tk.splat"(%arg3) : (i32) -> tensor<1x64xi32>
  %29 = arith.muli %27, %28 : tensor<1x64xi32>
  %30 = "tk.broadcast"(%24) : (tensor<16x1xi32>) -> tensor<16x64xi32>
  %31 = "tk.broadcast"(%29) : (tensor<1x64xi32>) -> tensor<16x64xi32>
  %32 = arith.addi %30, %31 : tensor<16x64xi32>
  %33 = arith.remsi %25, %26 : tensor<1x64xi32>
  %34 = "tk.broadcast"(%33) : (tensor<1x64xi32>) -> tensor<16x64xi32>
  %35 = arith.addi %32, %34 : tensor<16x64xi32>
  %36 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x64x!tk.ptr<f16>>
  %37 = "tk.addptr"(%36, %35) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tk.ptr<f16>>
  %38 = "tk.load"(%21) : (tensor<64x16x!tk.ptr<f16>>) -> tensor<64x16xf16>
  %39 = "tk.trans"(%38) {order = array<i32: 1, 0>} : (tensor<64x16xf16>) -> tensor<16x64xf16>
  "tk.store"(%37, %39) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xf16>) -> ()
  return
}

