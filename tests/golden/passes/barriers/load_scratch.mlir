// chip: sm_80
// A volatile load is one thread's, which tells the others through scratch: two of them in a row have a barrier between.
module {
  func.func @k(%x: !tk.ptr<i32>, %y: !tk.ptr<i32>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 16 : i32} {
    %a = "tk.load"(%x) {volatile, scratch = 0 : i32} : (!tk.ptr<i32>) -> i32
    %b = "tk.load"(%x) {volatile, scratch = 0 : i32} : (!tk.ptr<i32>) -> i32
    %c = arith.addi %a, %b : i32
    "tk.store"(%y, %c) : (!tk.ptr<i32>, i32) -> ()
    return
  }
}
