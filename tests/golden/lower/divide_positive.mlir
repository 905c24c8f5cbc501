// A divisor that is seen to be positive.
module {
  func.func @divide_positive(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %n: i32) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %1 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %3 = "tk.load"(%2) : (tensor<512x!tk.ptr<i32>>) -> tensor<512xi32>
    %4 = arith.constant 1 : i32
    %5 = arith.maxsi %n, %4 : i32
    %6 = "tk.splat"(%5) : (i32) -> tensor<512xi32>
    %7 = arith.divsi %3, %6 : tensor<512xi32>
    %8 = arith.remsi %3, %6 : tensor<512xi32>
    %9 = arith.constant 1000 : i32
    %10 = "tk.splat"(%9) : (i32) -> tensor<512xi32>
    %11 = arith.muli %7, %10 : tensor<512xi32>
    %12 = arith.addi %11, %8 : tensor<512xi32>
    %13 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %14 = "tk.addptr"(%13, %0) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    "tk.store"(%14, %12) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> ()
    func.return
  }
}
