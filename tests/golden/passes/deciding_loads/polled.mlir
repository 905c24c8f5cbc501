// chip: sm_80
// show: scf.* tk.load tk.store tk.atomic_* tk.reduce tk.yield
// A load that the loop waits by is done in each turn, and what else is decided by what lies there sees what all threads see: what the
// loop begins with, also by an address of its own, and the branch around it. So is one whose pointers change places, one of other
// addresses in each turn where the program writes there, and one in a loop that orders memory itself. One of other addresses in each turn
// of what is only read, and one that the end does not depend on, stay as they are.
module {
  func.func @k(%flag: !tk.ptr<i32>, %other: !tk.ptr<i32>, %out: !tk.ptr<i32>, %flags: !tk.ptr<i32>, %kept: !tk.ptr<i32>, %number: i32) attributes {tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = "tk.load"(%flag) : (!tk.ptr<i32>) -> i32
    %seen:2 = scf.while (%v = %first, %n = %zero) : (i32, i32) -> (i32, i32) {
      %waits = arith.cmpi eq, %v, %zero : i32
      scf.condition(%waits) %v, %n : i32, i32
    } do {
    ^bb0(%v: i32, %n: i32):
      %next = "tk.load"(%flag) : (!tk.ptr<i32>) -> i32
      %step = "tk.load"(%other) : (!tk.ptr<i32>) -> i32
      %more = arith.addi %n, %step : i32
      scf.yield %next, %more : i32, i32
    }
    %end = scf.while (%at = %zero) : (i32) -> i32 {
      %p = "tk.addptr"(%other, %at) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %x = "tk.load"(%p) : (!tk.ptr<i32>) -> i32
      %goes = arith.cmpi ne, %x, %zero : i32
      scf.condition(%goes) %at : i32
    } do {
    ^bb0(%at: i32):
      %then = arith.addi %at, %one : i32
      scf.yield %then : i32
    }
    %here = "tk.addptr"(%flags, %number) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %there = "tk.addptr"(%flags, %number) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %look = "tk.load"(%here) : (!tk.ptr<i32>) -> i32
    %unset = arith.cmpi eq, %look, %zero : i32
    scf.if %unset {
      scf.while : () -> () {
        %v = "tk.load"(%there) : (!tk.ptr<i32>) -> i32
        %waits = arith.cmpi eq, %v, %zero : i32
        scf.condition(%waits)
      } do {
        "tk.store"(%out, %zero) : (!tk.ptr<i32>, i32) -> ()
        scf.yield
      }
    }
    %found = scf.while (%at = %zero) : (i32) -> i32 {
      %p = "tk.addptr"(%kept, %at) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %x = "tk.load"(%p) : (!tk.ptr<i32>) -> i32
      %goes = arith.cmpi ne, %x, %zero : i32
      scf.condition(%goes) %at : i32
    } do {
    ^bb0(%at: i32):
      %then = arith.addi %at, %one : i32
      scf.yield %then : i32
    }
    "tk.store"(%kept, %found) : (!tk.ptr<i32>, i32) -> ()
    "tk.store"(%out, %seen#0) : (!tk.ptr<i32>, i32) -> ()
    "tk.store"(%out, %seen#1) : (!tk.ptr<i32>, i32) -> ()
    "tk.store"(%out, %end) : (!tk.ptr<i32>, i32) -> ()
    return
  }
  func.func @moves(%two: !tk.ptr<i32>) attributes {tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %next_one = "tk.addptr"(%two, %one) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %which:2 = scf.while (%p = %two, %q = %next_one) : (!tk.ptr<i32>, !tk.ptr<i32>) -> (!tk.ptr<i32>, !tk.ptr<i32>) {
      %v = "tk.load"(%p) : (!tk.ptr<i32>) -> i32
      %waits = arith.cmpi eq, %v, %zero : i32
      scf.condition(%waits) %p, %q : !tk.ptr<i32>, !tk.ptr<i32>
    } do {
    ^bb0(%p: !tk.ptr<i32>, %q: !tk.ptr<i32>):
      scf.yield %q, %p : !tk.ptr<i32>, !tk.ptr<i32>
    }
    return
  }
}
