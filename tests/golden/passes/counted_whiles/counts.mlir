// chip: sm_80
// show: scf.* arith.* tk.store
// Loops whose condition compares one counter with a bound that stays: rising and falling, with the counter on either side, with the
// bound or the step computed in the loop, steps in two parts, and a counter that is read behind the loop.
module {
  func.func @k(%p: !tk.ptr<i32>, %a: i32, %n: i32, %m: i64) attributes {tk.num_warps = 2 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %less:2 = scf.while (%x = %a, %k = %zero) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi slt, %k, %n : i32
      scf.condition(%c) %x, %k : i32, i32
    } do {
    ^bb0(%x: i32, %k: i32):
      %next = arith.addi %k, %four : i32
      %y = arith.xori %x, %k : i32
      scf.yield %y, %next : i32, i32
    }
    "tk.store"(%p, %less#0) : (!tk.ptr<i32>, i32) -> ()
    %at_most:2 = scf.while (%k = %a, %x = %a) : (i32, i32) -> (i32, i32) {
      %bound = arith.subi %n, %four : i32
      %c = arith.cmpi sge, %bound, %k : i32
      scf.condition(%c) %k, %x : i32, i32
    } do {
    ^bb0(%k: i32, %x: i32):
      %half = arith.addi %one, %k : i32
      %y = arith.xori %x, %half : i32
      %next = arith.addi %half, %four : i32
      scf.yield %next, %y : i32, i32
    }
    "tk.store"(%p, %at_most#0) : (!tk.ptr<i32>, i32) -> ()
    "tk.store"(%p, %at_most#1) : (!tk.ptr<i32>, i32) -> ()
    %down:2 = scf.while (%k = %n, %x = %a) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi sge, %k, %zero : i32
      scf.condition(%c) %k, %x : i32, i32
    } do {
    ^bb0(%k: i32, %x: i32):
      %programs = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      %y = arith.xori %x, %k : i32
      %next = arith.subi %k, %programs : i32
      scf.yield %next, %y : i32, i32
    }
    "tk.store"(%p, %down#1) : (!tk.ptr<i32>, i32) -> ()
    %unequal:2 = scf.while (%k = %four, %x = %a) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi ne, %k, %zero : i32
      scf.condition(%c) %k, %x : i32, i32
    } do {
    ^bb0(%k: i32, %x: i32):
      %minus = arith.constant -1 : i32
      %next = arith.addi %k, %minus : i32
      %y = arith.xori %x, %k : i32
      scf.yield %next, %y : i32, i32
    }
    "tk.store"(%p, %unequal#1) : (!tk.ptr<i32>, i32) -> ()
    %nested:2 = scf.while (%k = %m, %x = %a) : (i64, i32) -> (i64, i32) {
      %end = arith.constant 3 : i64
      %c = arith.cmpi sgt, %k, %end : i64
      scf.condition(%c) %k, %x : i64, i32
    } do {
    ^bb0(%k: i64, %x: i32):
      %inner:2 = scf.while (%i = %zero, %z = %x) : (i32, i32) -> (i32, i32) {
        %c = arith.cmpi slt, %i, %x : i32
        scf.condition(%c) %i, %z : i32, i32
      } do {
      ^bb0(%i: i32, %z: i32):
        %w = arith.xori %z, %i : i32
        %next = arith.addi %i, %one : i32
        scf.yield %next, %w : i32, i32
      }
      %two = arith.constant 2 : i64
      %next = arith.subi %k, %two : i64
      scf.yield %next, %inner#1 : i64, i32
    }
    "tk.store"(%p, %nested#1) : (!tk.ptr<i32>, i32) -> ()
    %ahead:2 = scf.while (%k = %zero, %x = %a) : (i32, i32) -> (i32, i32) {
      %last = arith.addi %four, %k : i32
      %c = arith.cmpi sle, %last, %n : i32
      scf.condition(%c) %k, %x : i32, i32
    } do {
    ^bb0(%k: i32, %x: i32):
      %next = arith.addi %k, %four : i32
      %y = arith.xori %x, %k : i32
      scf.yield %next, %y : i32, i32
    }
    "tk.store"(%p, %ahead#1) : (!tk.ptr<i32>, i32) -> ()
    func.return
  }
}
