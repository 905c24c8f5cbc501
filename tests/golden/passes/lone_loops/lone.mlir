// chip: sm_80
// show: scf.* tk.load tk.store tk.atomic_*
// A loop of numbers is one thread's, with the loop in it and the accesses of both. A loop with a tile, one that hands a pointer on,
// one whose atomics give nothing, and one that does not watch memory stay the block's.
#L0 = {lane = array<i32: 1, 2, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
module {
  func.func @k(%arg0: !tk.ptr<i32>, %arg1: i32, %arg2: tensor<4x!tk.ptr<i32>, #L0>, %arg3: tensor<4xi32, #L0>) attributes {tk.num_warps = 4 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %0:2 = scf.while (%at = %arg1, %sum = %c0) : (i32, i32) -> (i32, i32) {
      %f = arith.cmpi sgt, %at, %c0 : i32
      scf.condition(%f) %at, %sum : i32, i32
    } do {
    ^bb0(%at: i32, %sum: i32):
      %p = "tk.addptr"(%arg0, %at) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      %w = scf.while (%v = %c0) : (i32) -> i32 {
        %g = arith.cmpi eq, %v, %c0 : i32
        scf.condition(%g) %v : i32
      } do {
      ^bb0(%v: i32):
        %l = "tk.atomic_rmw"(%p, %c0) {op = "load", scope = "gpu", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
        scf.yield %l : i32
      }
      %s = arith.addi %sum, %w : i32
      %n = arith.subi %at, %c1 : i32
      scf.yield %n, %s : i32, i32
    }
    %1 = scf.while (%a = %c0) : (i32) -> i32 {
      %l = "tk.load"(%arg0) {volatile} : (!tk.ptr<i32>) -> i32
      %f = arith.cmpi slt, %l, %arg1 : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      "tk.store"(%arg2, %arg3) : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> ()
      %n = arith.addi %a, %c1 : i32
      scf.yield %n : i32
    }
    %2 = scf.while (%p = %arg0) : (!tk.ptr<i32>) -> !tk.ptr<i32> {
      %l = "tk.atomic_cas"(%p, %c0, %c1) {scope = "gpu", sem = "acq_rel"} : (!tk.ptr<i32>, i32, i32) -> i32
      %f = arith.cmpi ne, %l, %c0 : i32
      scf.condition(%f) %p : !tk.ptr<i32>
    } do {
    ^bb0(%p: !tk.ptr<i32>):
      %n = "tk.addptr"(%p, %c1) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
      scf.yield %n : !tk.ptr<i32>
    }
    %3 = scf.while (%a = %c0) : (i32) -> i32 {
      %f = arith.cmpi slt, %a, %arg1 : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      %l = "tk.atomic_rmw"(%arg0, %c1) {op = "add", scope = "gpu", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
      %n = arith.addi %a, %c1 : i32
      scf.yield %n : i32
    }
    %4 = scf.while (%a = %c0) : (i32) -> i32 {
      %l = "tk.load"(%arg0) : (!tk.ptr<i32>) -> i32
      %f = arith.cmpi slt, %a, %l : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      %n = arith.addi %a, %c1 : i32
      scf.yield %n : i32
    }
    "tk.store"(%2, %0#1) : (!tk.ptr<i32>, i32) -> ()
    %5 = arith.addi %1, %3 : i32
    %6 = arith.addi %5, %4 : i32
    "tk.store"(%arg0, %6) : (!tk.ptr<i32>, i32) -> ()
    return
  }
}
