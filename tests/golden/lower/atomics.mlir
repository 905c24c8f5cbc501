// A tile of atomic additions with few addresses, old values, a scalar counter and compare-and-swap.
module {
  func.func @atomics(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %1 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %3 = "tk.load"(%2) : (tensor<512x!tk.ptr<i32>>) -> tensor<512xi32>
    %4 = arith.constant dense<15> : tensor<512xi32>
    %5 = arith.andi %3, %4 : tensor<512xi32>
    %6 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %7 = "tk.addptr"(%6, %5) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %8 = "tk.atomic_rmw"(%7, %3) {op = "add", sem = "relaxed", scope = "gpu"} : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512xi32>
    %9 = arith.constant 1 : i32
    %10 = arith.constant 16 : i32
    %11 = "tk.addptr"(%out, %10) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %12 = "tk.atomic_rmw"(%11, %9) {op = "add", sem = "acq_rel", scope = "gpu"} : (!tk.ptr<i32>, i32) -> i32
    %13 = "tk.splat"(%12) : (i32) -> tensor<64xi32>
    %14 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %15 = arith.constant 64 : i32
    %16 = "tk.addptr"(%out, %15) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %17 = "tk.splat"(%16) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %18 = "tk.addptr"(%17, %14) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%18, %13) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    %19 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %20 = arith.constant 128 : i32
    %21 = "tk.addptr"(%out, %20) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %22 = "tk.splat"(%21) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %23 = "tk.addptr"(%22, %19) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    %24 = arith.constant dense<0> : tensor<64xi32>
    %25 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %26 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %27 = "tk.addptr"(%26, %25) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    %28 = "tk.load"(%27) : (tensor<64x!tk.ptr<i32>>) -> tensor<64xi32>
    %29 = "tk.atomic_cas"(%23, %24, %28) {sem = "acq_rel", scope = "gpu"} : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %30 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %31 = arith.constant 256 : i32
    %32 = "tk.addptr"(%out, %31) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %33 = "tk.splat"(%32) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %34 = "tk.addptr"(%33, %30) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%34, %29) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    %35 = arith.constant 320 : i32
    %36 = "tk.addptr"(%out, %35) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %37 = "tk.splat"(%36) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %38 = "tk.addptr"(%37, %19) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    %39 = "tk.atomic_rmw"(%38, %28) {op = "max", sem = "relaxed", scope = "gpu"} : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
    %40 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %41 = arith.constant 384 : i32
    %42 = "tk.addptr"(%out, %41) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %43 = "tk.splat"(%42) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>>
    %44 = "tk.addptr"(%43, %40) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tk.ptr<i32>>
    "tk.store"(%44, %39) : (tensor<64x!tk.ptr<i32>>, tensor<64xi32>) -> ()
    func.return
  }
}
