// Prefix sums along both axes, and one from the end.
module {
  func.func @scan(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %3 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %4 = arith.constant dense<256> : tensor<16x1xi32>
    %5 = arith.muli %1, %4 : tensor<16x1xi32>
    %6 = "tk.broadcast"(%5) : (tensor<16x1xi32>) -> tensor<16x256xi32>
    %7 = "tk.broadcast"(%3) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %8 = arith.addi %6, %7 : tensor<16x256xi32>
    %9 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<16x256x!tk.ptr<i32>>
    %10 = "tk.addptr"(%9, %8) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> tensor<16x256x!tk.ptr<i32>>
    %11 = "tk.load"(%10) : (tensor<16x256x!tk.ptr<i32>>) -> tensor<16x256xi32>
    %12:1 = "tk.scan"(%11) ({
    ^bb0(%a13: i32, %b13: i32):
      %14 = arith.addi %a13, %b13 : i32
      "tk.yield"(%14) : (i32) -> ()
    }) {axis = 1 : i32} : (tensor<16x256xi32>) -> (tensor<16x256xi32>)
    %15 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %16 = "tk.expand_dims"(%15) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %17 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %18 = "tk.expand_dims"(%17) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %19 = arith.constant dense<256> : tensor<16x1xi32>
    %20 = arith.muli %16, %19 : tensor<16x1xi32>
    %21 = "tk.broadcast"(%20) : (tensor<16x1xi32>) -> tensor<16x256xi32>
    %22 = "tk.broadcast"(%18) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %23 = arith.addi %21, %22 : tensor<16x256xi32>
    %24 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<16x256x!tk.ptr<i32>>
    %25 = "tk.addptr"(%24, %23) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> tensor<16x256x!tk.ptr<i32>>
    "tk.store"(%25, %12#0) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> ()
    %26:1 = "tk.scan"(%11) ({
    ^bb0(%a27: i32, %b27: i32):
      %28 = arith.addi %a27, %b27 : i32
      "tk.yield"(%28) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<16x256xi32>) -> (tensor<16x256xi32>)
    %29 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %30 = "tk.expand_dims"(%29) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %31 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %32 = "tk.expand_dims"(%31) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %33 = arith.constant dense<256> : tensor<16x1xi32>
    %34 = arith.muli %30, %33 : tensor<16x1xi32>
    %35 = "tk.broadcast"(%34) : (tensor<16x1xi32>) -> tensor<16x256xi32>
    %36 = "tk.broadcast"(%32) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %37 = arith.addi %35, %36 : tensor<16x256xi32>
    %38 = arith.constant 4096 : i32
    %39 = "tk.addptr"(%out, %38) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %40 = "tk.splat"(%39) : (!tk.ptr<i32>) -> tensor<16x256x!tk.ptr<i32>>
    %41 = "tk.addptr"(%40, %37) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> tensor<16x256x!tk.ptr<i32>>
    "tk.store"(%41, %26#0) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> ()
    %42:1 = "tk.scan"(%11) ({
    ^bb0(%a43: i32, %b43: i32):
      %44 = arith.addi %a43, %b43 : i32
      "tk.yield"(%44) : (i32) -> ()
    }) {axis = 1 : i32, reverse} : (tensor<16x256xi32>) -> (tensor<16x256xi32>)
    %45 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %46 = "tk.expand_dims"(%45) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %47 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %48 = "tk.expand_dims"(%47) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %49 = arith.constant dense<256> : tensor<16x1xi32>
    %50 = arith.muli %46, %49 : tensor<16x1xi32>
    %51 = "tk.broadcast"(%50) : (tensor<16x1xi32>) -> tensor<16x256xi32>
    %52 = "tk.broadcast"(%48) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %53 = arith.addi %51, %52 : tensor<16x256xi32>
    %54 = arith.constant 8192 : i32
    %55 = "tk.addptr"(%out, %54) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %56 = "tk.splat"(%55) : (!tk.ptr<i32>) -> tensor<16x256x!tk.ptr<i32>>
    %57 = "tk.addptr"(%56, %53) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> tensor<16x256x!tk.ptr<i32>>
    "tk.store"(%57, %42#0) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> ()
    %58:1 = "tk.scan"(%11) ({
    ^bb0(%a59: i32, %b59: i32):
      %60 = arith.addi %a59, %b59 : i32
      "tk.yield"(%60) : (i32) -> ()
    }) {axis = 0 : i32, reverse} : (tensor<16x256xi32>) -> (tensor<16x256xi32>)
    %61 = "tk.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
    %62 = "tk.expand_dims"(%61) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %63 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %64 = "tk.expand_dims"(%63) {axis = 0 : i32} : (tensor<256xi32>) -> tensor<1x256xi32>
    %65 = arith.constant dense<256> : tensor<16x1xi32>
    %66 = arith.muli %62, %65 : tensor<16x1xi32>
    %67 = "tk.broadcast"(%66) : (tensor<16x1xi32>) -> tensor<16x256xi32>
    %68 = "tk.broadcast"(%64) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %69 = arith.addi %67, %68 : tensor<16x256xi32>
    %70 = arith.constant 12288 : i32
    %71 = "tk.addptr"(%out, %70) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %72 = "tk.splat"(%71) : (!tk.ptr<i32>) -> tensor<16x256x!tk.ptr<i32>>
    %73 = "tk.addptr"(%72, %69) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> tensor<16x256x!tk.ptr<i32>>
    "tk.store"(%73, %58#0) : (tensor<16x256x!tk.ptr<i32>>, tensor<16x256xi32>) -> ()
    func.return
  }
}
