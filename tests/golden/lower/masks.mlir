// Loads with a mask and other values of every width, stores with a mask; small types.
module {
  func.func @masks(%in8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %in16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %in64: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %n: i32) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %1 = "tk.splat"(%n) : (i32) -> tensor<512xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<512xi32>
    %3 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %4 = "tk.splat"(%in8) : (!tk.ptr<i8>) -> tensor<512x!tk.ptr<i8>>
    %5 = "tk.addptr"(%4, %3) : (tensor<512x!tk.ptr<i8>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i8>>
    %6 = arith.constant dense<7> : tensor<512xi8>
    %7 = "tk.load"(%5, %2, %6) : (tensor<512x!tk.ptr<i8>>, tensor<512xi1>, tensor<512xi8>) -> tensor<512xi8>
    %8 = "arith.extui"(%7) : (tensor<512xi8>) -> tensor<512xi32>
    %9 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %10 = "tk.splat"(%in16) : (!tk.ptr<i16>) -> tensor<512x!tk.ptr<i16>>
    %11 = "tk.addptr"(%10, %9) : (tensor<512x!tk.ptr<i16>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i16>>
    %12 = arith.constant dense<7> : tensor<512xi16>
    %13 = "tk.load"(%11, %2, %12) : (tensor<512x!tk.ptr<i16>>, tensor<512xi1>, tensor<512xi16>) -> tensor<512xi16>
    %14 = "arith.extui"(%13) : (tensor<512xi16>) -> tensor<512xi32>
    %15 = arith.addi %8, %14 : tensor<512xi32>
    %16 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %17 = "tk.splat"(%in64) : (!tk.ptr<i64>) -> tensor<512x!tk.ptr<i64>>
    %18 = "tk.addptr"(%17, %16) : (tensor<512x!tk.ptr<i64>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i64>>
    %19 = arith.constant dense<7> : tensor<512xi64>
    %20 = "tk.load"(%18, %2, %19) : (tensor<512x!tk.ptr<i64>>, tensor<512xi1>, tensor<512xi64>) -> tensor<512xi64>
    %21 = "arith.trunci"(%20) : (tensor<512xi64>) -> tensor<512xi32>
    %22 = arith.addi %15, %21 : tensor<512xi32>
    %23 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %24 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %25 = "tk.addptr"(%24, %23) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    "tk.store"(%25, %22) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> ()
    %26 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %27 = arith.constant 512 : i32
    %28 = "tk.addptr"(%out, %27) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %29 = "tk.splat"(%28) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %30 = "tk.addptr"(%29, %26) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    "tk.store"(%30, %22, %2) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>, tensor<512xi1>) -> ()
    func.return
  }
}
