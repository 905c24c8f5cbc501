// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// A store through a pointer that may be of either array: no load of addresses is marked.
module {
  func.func @renewed_address(%arg0: !tk.ptr<i64>, %arg1: !tk.ptr<i64>, %arg2: !tk.ptr<i32>, %arg3: !tk.ptr<i32>, %arg4: i32, %arg5: !tk.ptr<i32>) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %2 = arith.select %1, %arg0, %arg1 : !tk.ptr<i64>
    %3 = "tk.ptr_to_int"(%arg2) : (!tk.ptr<i32>) -> i64
    "tk.store"(%2, %3) : (!tk.ptr<i64>, i64) -> ()
    "tk.barrier"() {scope = "gpu"} : () -> ()
    %4 = "tk.load"(%arg0) : (!tk.ptr<i64>) -> i64
    %5 = "tk.int_to_ptr"(%4) : (i64) -> !tk.ptr<i32>
    %6 = "tk.splat"(%5) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>>
    %7 = "tk.addptr"(%6, %0) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<i32>>
    %8 = "tk.load"(%7) : (tensor<128x!tk.ptr<i32>>) -> tensor<128xi32>
    "tk.barrier"() {scope = "gpu"} : () -> ()
    %9 = "tk.ptr_to_int"(%arg3) : (!tk.ptr<i32>) -> i64
    "tk.store"(%2, %9) : (!tk.ptr<i64>, i64) -> ()
    "tk.barrier"() {scope = "gpu"} : () -> ()
    %10 = "tk.splat"(%arg5) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>>
    %11 = "tk.addptr"(%10, %0) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<i32>>
    %cst = arith.constant dense<1000> : tensor<128xi32>
    %12 = arith.muli %8, %cst : tensor<128xi32>
    %13 = "tk.load"(%arg0) : (!tk.ptr<i64>) -> i64
    %14 = "tk.int_to_ptr"(%13) : (i64) -> !tk.ptr<i32>
    %15 = "tk.splat"(%14) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>>
    %16 = "tk.addptr"(%15, %0) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<i32>>
    %17 = "tk.load"(%16) : (tensor<128x!tk.ptr<i32>>) -> tensor<128xi32>
    %18 = arith.addi %12, %17 : tensor<128xi32>
    "tk.store"(%11, %18) : (tensor<128x!tk.ptr<i32>>, tensor<128xi32>) -> ()
    return
  }
}

