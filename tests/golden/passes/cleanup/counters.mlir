// show: scf.* arith.* tk.store
// What is counted beside a loop's counter is the counter: from the same number, or a step behind it.
func.func @k(%p: !tk.ptr<i32>, %n: i32, %s: i32) {
  %pid = "tk.program_id"() {axis = 0 : i32} : () -> i32
  %behind = arith.subi %pid, %s : i32
  scf.for %i = %pid to %n step %s iter_args(%same = %pid, %late = %behind, %other = %s) -> (i32, i32, i32)  : i32 {
    %now = arith.addi %late, %s : i32
    %next = arith.addi %same, %s : i32
    %odd = arith.addi %other, %s : i32
    %a = "tk.addptr"(%p, %same) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%a, %now) : (!tk.ptr<i32>, i32) -> ()
    %b = "tk.addptr"(%p, %other) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%b, %next) : (!tk.ptr<i32>, i32) -> ()
    scf.yield %next, %now, %odd : i32, i32, i32
  }
  func.return
}
