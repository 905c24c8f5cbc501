// A loop of masked loads and an f16 dot on matrix instructions.
module {
  func.func @matmul_f16(%a: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %b: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %c: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %k: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %2 = "tk.splat"(%k) : (i32) -> tensor<128x1xi32>
    %3 = arith.muli %1, %2 : tensor<128x1xi32>
    %4 = "tk.broadcast"(%3) : (tensor<128x1xi32>) -> tensor<128x32xi32>
    %5 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %6 = "tk.expand_dims"(%5) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %7 = "tk.broadcast"(%6) : (tensor<1x32xi32>) -> tensor<128x32xi32>
    %8 = arith.addi %4, %7 : tensor<128x32xi32>
    %9 = "tk.splat"(%a) : (!tk.ptr<f16>) -> tensor<128x32x!tk.ptr<f16>>
    %10 = "tk.addptr"(%9, %8) : (tensor<128x32x!tk.ptr<f16>>, tensor<128x32xi32>) -> tensor<128x32x!tk.ptr<f16>>
    %11 = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %12 = "tk.expand_dims"(%11) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %13 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %14 = "tk.expand_dims"(%13) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %15 = arith.constant dense<128> : tensor<32x1xi32>
    %16 = arith.muli %12, %15 : tensor<32x1xi32>
    %17 = "tk.broadcast"(%16) : (tensor<32x1xi32>) -> tensor<32x128xi32>
    %18 = "tk.broadcast"(%14) : (tensor<1x128xi32>) -> tensor<32x128xi32>
    %19 = arith.addi %17, %18 : tensor<32x128xi32>
    %20 = "tk.splat"(%b) : (!tk.ptr<f16>) -> tensor<32x128x!tk.ptr<f16>>
    %21 = "tk.addptr"(%20, %19) : (tensor<32x128x!tk.ptr<f16>>, tensor<32x128xi32>) -> tensor<32x128x!tk.ptr<f16>>
    %22 = "tk.expand_dims"(%5) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %c0 = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %23 = arith.constant dense<0.0> : tensor<128x128xf32>
    %r:3 = scf.for %i = %c0 to %k step %step iter_args(%acc = %23, %pa = %10, %pb = %21) -> (tensor<128x128xf32>, tensor<128x32x!tk.ptr<f16>>, tensor<32x128x!tk.ptr<f16>>) : i32 {
      %24 = arith.subi %k, %i : i32
      %25 = "tk.splat"(%24) : (i32) -> tensor<1x32xi32>
      %26 = arith.cmpi slt, %6, %25 : tensor<1x32xi32>
      %27 = "tk.splat"(%24) : (i32) -> tensor<32x1xi32>
      %28 = arith.cmpi slt, %22, %27 : tensor<32x1xi32>
      %29 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<128x32xi1>
      %30 = "tk.broadcast"(%28) : (tensor<32x1xi1>) -> tensor<32x128xi1>
      %31 = arith.constant dense<0.0> : tensor<128x32xf16>
      %32 = arith.constant dense<0.0> : tensor<32x128xf16>
      %33 = "tk.load"(%pa, %29, %31) : (tensor<128x32x!tk.ptr<f16>>, tensor<128x32xi1>, tensor<128x32xf16>) -> tensor<128x32xf16>
      %34 = "tk.load"(%pb, %30, %32) : (tensor<32x128x!tk.ptr<f16>>, tensor<32x128xi1>, tensor<32x128xf16>) -> tensor<32x128xf16>
      %35 = "tk.dot"(%33, %34, %acc) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %36 = arith.constant dense<32> : tensor<128x32xi32>
      %37 = "tk.addptr"(%pa, %36) : (tensor<128x32x!tk.ptr<f16>>, tensor<128x32xi32>) -> tensor<128x32x!tk.ptr<f16>>
      %38 = arith.constant dense<4096> : tensor<32x128xi32>
      %39 = "tk.addptr"(%pb, %38) : (tensor<32x128x!tk.ptr<f16>>, tensor<32x128xi32>) -> tensor<32x128x!tk.ptr<f16>>
      scf.yield %35, %37, %39 : tensor<128x128xf32>, tensor<128x32x!tk.ptr<f16>>, tensor<32x128x!tk.ptr<f16>>
    }
    %40 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %41 = "tk.expand_dims"(%40) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %42 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %43 = "tk.expand_dims"(%42) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %44 = arith.constant dense<128> : tensor<128x1xi32>
    %45 = arith.muli %41, %44 : tensor<128x1xi32>
    %46 = "tk.broadcast"(%45) : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %47 = "tk.broadcast"(%43) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %48 = arith.addi %46, %47 : tensor<128x128xi32>
    %49 = "tk.splat"(%c) : (!tk.ptr<f32>) -> tensor<128x128x!tk.ptr<f32>>
    %50 = "tk.addptr"(%49, %48) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f32>>
    "tk.store"(%50, %r#0) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xf32>) -> ()
    func.return
  }
}
