// chip: sm_90a
// show: scf.* tk.load tk.store
// A counter in memory: the number that says which is loaded a step ahead of the stores.
module {
  func.func @queues(%arg0: !tk.ptr<i32>, %arg1: !tk.ptr<i32>, %arg2: !tk.ptr<i32>, %arg3: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %0 = "tk.addptr"(%arg0, %arg4) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %1 = "tk.load"(%0) : (!tk.ptr<i32>) -> i32
      %2 = "tk.addptr"(%arg1, %1) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %3 = "tk.load"(%2) : (!tk.ptr<i32>) -> i32
      %4 = "tk.addptr"(%arg2, %3) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      "tk.store"(%4, %arg4) : (!tk.ptr<i32>, i32) -> ()
      %5 = arith.addi %3, %c1_i32 : i32
      "tk.store"(%2, %5) : (!tk.ptr<i32>, i32) -> ()
    }
    return
  }
}
