// show: arith.* tk.store
// Quotients of an id in 64 bits are formed in 32; those of other numbers stay.
func.func @k(%p: !tk.ptr<i64>, %n: i32, %m: i32) {
  %pid = "tk.program_id"() {axis = 0 : i32} : () -> i32
  %c8 = arith.constant 8 : i64
  %id = arith.extsi %pid : i32 to i64
  %tiles = arith.extsi %n : i32 to i64
  %other = arith.extsi %m : i32 to i64
  %row = arith.divsi %id, %tiles : i64
  %column = arith.remsi %id, %tiles : i64
  %group = arith.divsi %column, %c8 : i64
  %odd = arith.divsi %other, %tiles : i64
  "tk.store"(%p, %row) : (!tk.ptr<i64>, i64) -> ()
  "tk.store"(%p, %group) : (!tk.ptr<i64>, i64) -> ()
  "tk.store"(%p, %odd) : (!tk.ptr<i64>, i64) -> ()
  func.return
}
