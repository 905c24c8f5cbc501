// Transposed, reshaped, joined and split tiles.
module {
  func.func @shape(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
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
    %12 = "tk.trans"(%11) {order = array<i32: 1, 0>} : (tensor<32x64xi32>) -> tensor<64x32xi32>
    %13 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %14 = "tk.expand_dims"(%13) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %15 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %16 = "tk.expand_dims"(%15) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %17 = arith.constant dense<32> : tensor<64x1xi32>
    %18 = arith.muli %14, %17 : tensor<64x1xi32>
    %19 = "tk.broadcast"(%18) : (tensor<64x1xi32>) -> tensor<64x32xi32>
    %20 = "tk.broadcast"(%16) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %21 = arith.addi %19, %20 : tensor<64x32xi32>
    %22 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<64x32x!tk.ptr<i32>>
    %23 = "tk.addptr"(%22, %21) : (tensor<64x32x!tk.ptr<i32>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<i32>>
    "tk.store"(%23, %12) : (tensor<64x32x!tk.ptr<i32>>, tensor<64x32xi32>) -> ()
    %24 = "tk.reshape"(%11) : (tensor<32x64xi32>) -> tensor<128x16xi32>
    %25 = "tk.trans"(%24) {order = array<i32: 1, 0>} : (tensor<128x16xi32>) -> tensor<16x128xi32>
    %26 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %27 = "tk.expand_dims"(%26) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %28 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %29 = "tk.expand_dims"(%28) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %30 = arith.constant dense<128> : tensor<16x1xi32>
    %31 = arith.muli %27, %30 : tensor<16x1xi32>
    %32 = "tk.broadcast"(%31) : (tensor<16x1xi32>) -> tensor<16x128xi32>
    %33 = "tk.broadcast"(%29) : (tensor<1x128xi32>) -> tensor<16x128xi32>
    %34 = arith.addi %32, %33 : tensor<16x128xi32>
    %35 = arith.constant 2048 : i32
    %36 = "tk.addptr"(%out, %35) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %37 = "tk.splat"(%36) : (!tk.ptr<i32>) -> tensor<16x128x!tk.ptr<i32>>
    %38 = "tk.addptr"(%37, %34) : (tensor<16x128x!tk.ptr<i32>>, tensor<16x128xi32>) -> tensor<16x128x!tk.ptr<i32>>
    "tk.store"(%38, %25) : (tensor<16x128x!tk.ptr<i32>>, tensor<16x128xi32>) -> ()
    %39 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %40 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %41 = "tk.addptr"(%40, %39) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    %42 = "tk.load"(%41) : (tensor<1024x!tk.ptr<i32>>) -> tensor<1024xi32>
    %43 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %44 = arith.constant 1024 : i32
    %45 = "tk.addptr"(%in, %44) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %46 = "tk.splat"(%45) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %47 = "tk.addptr"(%46, %43) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    %48 = "tk.load"(%47) : (tensor<1024x!tk.ptr<i32>>) -> tensor<1024xi32>
    %49 = "tk.join"(%42, %48) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024x2xi32>
    %50 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %51 = "tk.expand_dims"(%50) {axis = 1 : i32} : (tensor<1024xi32>) -> tensor<1024x1xi32>
    %52 = "tk.range"() {start = 0 : i32, end = 2 : i32} : () -> tensor<2xi32>
    %53 = "tk.expand_dims"(%52) {axis = 0 : i32} : (tensor<2xi32>) -> tensor<1x2xi32>
    %54 = arith.constant dense<2> : tensor<1024x1xi32>
    %55 = arith.muli %51, %54 : tensor<1024x1xi32>
    %56 = "tk.broadcast"(%55) : (tensor<1024x1xi32>) -> tensor<1024x2xi32>
    %57 = "tk.broadcast"(%53) : (tensor<1x2xi32>) -> tensor<1024x2xi32>
    %58 = arith.addi %56, %57 : tensor<1024x2xi32>
    %59 = arith.constant 4096 : i32
    %60 = "tk.addptr"(%out, %59) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %61 = "tk.splat"(%60) : (!tk.ptr<i32>) -> tensor<1024x2x!tk.ptr<i32>>
    %62 = "tk.addptr"(%61, %58) : (tensor<1024x2x!tk.ptr<i32>>, tensor<1024x2xi32>) -> tensor<1024x2x!tk.ptr<i32>>
    "tk.store"(%62, %49) : (tensor<1024x2x!tk.ptr<i32>>, tensor<1024x2xi32>) -> ()
    %63 = "tk.reshape"(%11) : (tensor<32x64xi32>) -> tensor<1024x2xi32>
    %64:2 = "tk.split"(%63) : (tensor<1024x2xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
    %65 = arith.subi %64#0, %64#1 : tensor<1024xi32>
    %66 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %67 = arith.constant 6144 : i32
    %68 = "tk.addptr"(%out, %67) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %69 = "tk.splat"(%68) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %70 = "tk.addptr"(%69, %66) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    "tk.store"(%70, %65) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
    func.return
  }
}
