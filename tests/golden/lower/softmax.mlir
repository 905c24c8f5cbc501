// One row of a softmax in f16.
module {
  func.func @softmax(%x: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %y: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %n: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 8 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.muli %0, %n : i32
    %2 = "tk.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32>
    %3 = "tk.splat"(%n) : (i32) -> tensor<8192xi32>
    %4 = arith.cmpi slt, %2, %3 : tensor<8192xi32>
    %5 = "tk.addptr"(%x, %1) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %6 = "tk.addptr"(%y, %1) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %7 = "tk.splat"(%5) : (!tk.ptr<f16>) -> tensor<8192x!tk.ptr<f16>>
    %8 = "tk.addptr"(%7, %2) : (tensor<8192x!tk.ptr<f16>>, tensor<8192xi32>) -> tensor<8192x!tk.ptr<f16>>
    %9 = arith.constant dense<0xFC00> : tensor<8192xf16>
    %10 = "tk.load"(%8, %4, %9) : (tensor<8192x!tk.ptr<f16>>, tensor<8192xi1>, tensor<8192xf16>) -> tensor<8192xf16>
    %11 = arith.extf %10 : tensor<8192xf16> to tensor<8192xf32>
    %12:1 = "tk.reduce"(%11) ({
    ^bb0(%a13: f32, %b13: f32):
      %14 = arith.maxnumf %a13, %b13 : f32
      "tk.yield"(%14) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<8192xf32>) -> (f32)
    %15 = "tk.splat"(%12#0) : (f32) -> tensor<8192xf32>
    %16 = arith.subf %11, %15 : tensor<8192xf32>
    %17 = arith.constant dense<1.44269504> : tensor<8192xf32>
    %18 = arith.mulf %16, %17 : tensor<8192xf32>
    %19 = "math.exp2"(%18) : (tensor<8192xf32>) -> tensor<8192xf32>
    %20:1 = "tk.reduce"(%19) ({
    ^bb0(%a21: f32, %b21: f32):
      %22 = arith.addf %a21, %b21 : f32
      "tk.yield"(%22) : (f32) -> ()
    }) {axis = 0 : i32} : (tensor<8192xf32>) -> (f32)
    %23 = "tk.splat"(%20#0) : (f32) -> tensor<8192xf32>
    %24 = arith.divf %19, %23 : tensor<8192xf32>
    %25 = arith.truncf %24 : tensor<8192xf32> to tensor<8192xf16>
    %26 = "tk.splat"(%6) : (!tk.ptr<f16>) -> tensor<8192x!tk.ptr<f16>>
    %27 = "tk.addptr"(%26, %2) : (tensor<8192x!tk.ptr<f16>>, tensor<8192xi32>) -> tensor<8192x!tk.ptr<f16>>
    "tk.store"(%27, %25, %4) : (tensor<8192x!tk.ptr<f16>>, tensor<8192xf16>, tensor<8192xi1>) -> ()
    func.return
  }
}
