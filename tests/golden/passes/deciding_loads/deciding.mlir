// chip: sm_80
// show: scf.* tk.load tk.store tk.atomic_* tk.reduce tk.yield
// Loads of an argument that atomics change, too: one that a branch follows from is done by one thread for all, also where it comes
// through a loop or a reduction. One that nothing follows from stays as it is, and so do one of another argument and one under a lock; behind the lock
// the next one decides again.
module {
  func.func @k(%count: !tk.ptr<i32>, %other: !tk.ptr<i32>, %out: !tk.ptr<i32>, %lock: !tk.ptr<i32>, %n: i32) attributes {tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %was = "tk.atomic_rmw"(%count, %one) {op = "add", sem = "acq_rel", scope = "gpu"} : (!tk.ptr<i32>, i32) -> i32
    %second = "tk.addptr"(%count, %one) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %a = "tk.load"(%count) : (!tk.ptr<i32>) -> i32
    %b = "tk.load"(%other) : (!tk.ptr<i32>) -> i32
    %c = "tk.load"(%second) : (!tk.ptr<i32>) -> i32
    %d = "tk.load"(%second) : (!tk.ptr<i32>) -> i32
    %last:2 = scf.for %i = %zero to %b step %one iter_args(%x = %zero, %y = %c) -> (i32, i32) : i32 {
      %next = arith.addi %x, %a : i32
      %sum = arith.addi %y, %d : i32
      scf.yield %next, %sum : i32, i32
    }
    %all = arith.cmpi eq, %last#0, %n : i32
    scf.if %all {
      "tk.store"(%out, %last#1) : (!tk.ptr<i32>, i32) -> ()
    }
    %range = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %bases = "tk.splat"(%count) : (!tk.ptr<i32>) -> tensor<32x!tk.ptr<i32>>
    %counts = "tk.addptr"(%bases, %range) : (tensor<32x!tk.ptr<i32>>, tensor<32xi32>) -> tensor<32x!tk.ptr<i32>>
    %f = "tk.load"(%counts) : (tensor<32x!tk.ptr<i32>>) -> tensor<32xi32>
    %total = "tk.reduce"(%f) ({
    ^bb0(%p: i32, %q: i32):
      %both = arith.addi %p, %q : i32
      "tk.yield"(%both) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<32xi32>) -> i32
    %rest = scf.while (%left = %total) : (i32) -> i32 {
      %more = arith.cmpi sgt, %left, %zero : i32
      scf.condition(%more) %left : i32
    } do {
    ^bb0(%left: i32):
      %less = arith.subi %left, %one : i32
      scf.yield %less : i32
    }
    "tk.store"(%out, %rest) : (!tk.ptr<i32>, i32) -> ()
    scf.while : () -> () {
      %held = "tk.atomic_cas"(%lock, %zero, %one) {sem = "acq_rel", scope = "gpu"} : (!tk.ptr<i32>, i32, i32) -> i32
      %waits = arith.cmpi eq, %held, %one : i32
      scf.condition(%waits)
    } do {
      scf.yield
    }
    %e = "tk.load"(%count) : (!tk.ptr<i32>) -> i32
    %some = arith.cmpi ne, %e, %zero : i32
    scf.if %some {
      "tk.store"(%out, %e) : (!tk.ptr<i32>, i32) -> ()
    }
    %free = "tk.atomic_rmw"(%lock, %zero) {op = "xchg", sem = "acq_rel", scope = "gpu"} : (!tk.ptr<i32>, i32) -> i32
    %g = "tk.load"(%count) : (!tk.ptr<i32>) -> i32
    %few = arith.cmpi ne, %g, %zero : i32
    scf.if %few {
      "tk.store"(%out, %g) : (!tk.ptr<i32>, i32) -> ()
    }
    return
  }
}
