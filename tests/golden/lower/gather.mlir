// Elements picked by index along both axes, and a histogram of 64 bins.
module {
  func.func @gather(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %2 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %3 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %4 = arith.constant dense<64> : tensor<32x1xi32>
    %5 = arith.muli %1, %4 : tensor<32x1xi32>
    %6 = "tk.broadcast"(%5) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %7 = "tk.broadcast"(%3) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %8 = arith.addi %6, %7 : tensor<32x64xi32>
    %9 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<32x64x!tk.ptr<i32>>
    %10 = "tk.addptr"(%9, %8) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i32>>
    %11 = "tk.load"(%10) : (tensor<32x64x!tk.ptr<i32>>) -> tensor<32x64xi32>
    %12 = arith.constant dense<31> : tensor<32x64xi32>
    %13 = arith.andi %11, %12 : tensor<32x64xi32>
    %14 = "tk.gather"(%11, %13) {axis = 0 : i32} : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi32>
    %15 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %16 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %17 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %19 = arith.constant dense<64> : tensor<32x1xi32>
    %20 = arith.muli %16, %19 : tensor<32x1xi32>
    %21 = "tk.broadcast"(%20) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %22 = "tk.broadcast"(%18) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %23 = arith.addi %21, %22 : tensor<32x64xi32>
    %24 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<32x64x!tk.ptr<i32>>
    %25 = "tk.addptr"(%24, %23) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i32>>
    "tk.store"(%25, %14) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> ()
    %26 = "tk.gather"(%11, %13) {axis = 1 : i32} : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi32>
    %27 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %28 = "tk.expand_dims"(%27) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %29 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %30 = "tk.expand_dims"(%29) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %31 = arith.constant dense<64> : tensor<32x1xi32>
    %32 = arith.muli %28, %31 : tensor<32x1xi32>
    %33 = "tk.broadcast"(%32) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %34 = "tk.broadcast"(%30) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %35 = arith.addi %33, %34 : tensor<32x64xi32>
    %36 = arith.constant 2048 : i32
    %37 = "tk.addptr"(%out, %36) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %38 = "tk.splat"(%37) : (!tk.ptr<i32>) -> tensor<32x64x!tk.ptr<i32>>
    %39 = "tk.addptr"(%38, %35) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i32>>
    "tk.store"(%39, %26) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> ()
    %40 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %41 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %42 = "tk.addptr"(%41, %40) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    %43 = "tk.load"(%42) : (tensor<1024x!tk.ptr<i32>>) -> tensor<1024xi32>
    %44 = arith.constant dense<63> : tensor<1024xi32>
    %45 = arith.andi %43, %44 : tensor<1024xi32>
    %46 = "tk.histogram"(%45) : (tensor<1024xi32>) -> tensor<64xi32>
    %47 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %48 = arith.constant 4096 : i32
    %49 = "tk.addptr"(%out, %48) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %50 = "tk.splat"(%49) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %51 = "tk.addptr"(%50, %47) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%51, %46) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    func.return
  }
}
