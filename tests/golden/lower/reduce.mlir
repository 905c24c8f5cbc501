// Sums and maxima along both axes, a total over everything, and an argmax of two operands.
module {
  func.func @reduce(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %1 = "tk.expand_dims"(%0) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %2 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %3 = "tk.expand_dims"(%2) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %4 = arith.constant dense<128> : tensor<64x1xi32>
    %5 = arith.muli %1, %4 : tensor<64x1xi32>
    %6 = "tk.broadcast"(%5) : (tensor<64x1xi32>) -> tensor<64x128xi32>
    %7 = "tk.broadcast"(%3) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %8 = arith.addi %6, %7 : tensor<64x128xi32>
    %9 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<64x128x!tk.ptr<i32>>
    %10 = "tk.addptr"(%9, %8) : (tensor<64x128x!tk.ptr<i32>>, tensor<64x128xi32>) -> tensor<64x128x!tk.ptr<i32>>
    %11 = "tk.load"(%10) : (tensor<64x128x!tk.ptr<i32>>) -> tensor<64x128xi32>
    %12:1 = "tk.reduce"(%11) ({
    ^bb0(%a13: i32, %b13: i32):
      %14 = arith.addi %a13, %b13 : i32
      "tk.yield"(%14) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<64x128xi32>) -> (tensor<128xi32>)
    %15 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %16 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>>
    %17 = "tk.addptr"(%16, %15) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<i32>>
    "tk.store"(%17, %12#0) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> ()
    %18:1 = "tk.reduce"(%11) ({
    ^bb0(%a19: i32, %b19: i32):
      %20 = arith.addi %a19, %b19 : i32
      "tk.yield"(%20) : (i32) -> ()
    }) {axis = 1 : i32} : (tensor<64x128xi32>) -> (tensor<64xi32>)
    %21 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %22 = arith.constant 128 : i32
    %23 = "tk.addptr"(%out, %22) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %24 = "tk.splat"(%23) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %25 = "tk.addptr"(%24, %21) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%25, %18#0) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    %26:1 = "tk.reduce"(%18#0) ({
    ^bb0(%a27: i32, %b27: i32):
      %28 = arith.addi %a27, %b27 : i32
      "tk.yield"(%28) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<64xi32>) -> (i32)
    %29 = arith.constant 192 : i32
    %30 = "tk.addptr"(%out, %29) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%30, %26#0) : (!tk.ptr<i32>, i32) -> ()
    %31:1 = "tk.reduce"(%11) ({
    ^bb0(%a32: i32, %b32: i32):
      %33 = arith.maxsi %a32, %b32 : i32
      "tk.yield"(%33) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<64x128xi32>) -> (tensor<128xi32>)
    %34 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %35 = arith.constant 256 : i32
    %36 = "tk.addptr"(%out, %35) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %37 = "tk.splat"(%36) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>>
    %38 = "tk.addptr"(%37, %34) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<i32>>
    "tk.store"(%38, %31#0) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> ()
    %39 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %40 = "tk.expand_dims"(%39) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %41 = "tk.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %42 = "tk.expand_dims"(%41) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %43 = arith.constant dense<128> : tensor<64x1xi32>
    %44 = arith.muli %40, %43 : tensor<64x1xi32>
    %45 = "tk.broadcast"(%44) : (tensor<64x1xi32>) -> tensor<64x128xi32>
    %46 = "tk.broadcast"(%42) : (tensor<1x128xi32>) -> tensor<64x128xi32>
    %47 = arith.addi %45, %46 : tensor<64x128xi32>
    %48:2 = "tk.reduce"(%11, %47) ({
    ^bb0(%a49: i32, %b49: i32, %c49: i32, %d49: i32):
      %50 = arith.cmpi sgt, %a49, %c49 : i32
      %51 = arith.cmpi eq, %a49, %c49 : i32
      %52 = arith.cmpi slt, %b49, %d49 : i32
      %53 = arith.andi %51, %52 : i1
      %54 = arith.ori %50, %53 : i1
      %55 = arith.select %54, %a49, %c49 : i32
      %56 = arith.select %54, %b49, %d49 : i32
      "tk.yield"(%55, %56) : (i32, i32) -> ()
    }) {axis = 1 : i32} : (tensor<64x128xi32>, tensor<64x128xi32>) -> (tensor<64xi32>, tensor<64xi32>)
    %57 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %58 = arith.constant 384 : i32
    %59 = "tk.addptr"(%out, %58) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %60 = "tk.splat"(%59) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %61 = "tk.addptr"(%60, %57) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%61, %48#1) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    func.return
  }
}
