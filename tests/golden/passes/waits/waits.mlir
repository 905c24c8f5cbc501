// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// A loop that only waits is each warp's own, with the load ahead of it. A loop that counts its turns for the code behind it, one that
// stores, and one whose load decides a branch elsewhere stay the block's.
#L0 = {lane = array<i32: 1, 2, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
module {
  func.func @k(%arg0: !tk.ptr<i32>, %arg1: i32, %arg2: tensor<4x!tk.ptr<i32>, #L0>, %arg3: tensor<4xi32, #L0>) attributes {tk.num_warps = 4 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %0 = "tk.atomic_rmw"(%arg2, %arg3) {op = "load", scope = "sys", sem = "acquire"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
    %1 = "tk.reduce"(%0) ({
    ^bb0(%a: i32, %b: i32):
      %x = arith.minsi %a, %b : i32
      "tk.yield"(%x) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<4xi32, #L0>) -> i32
    %2 = scf.while (%a = %1) : (i32) -> i32 {
      %f = arith.cmpi slt, %a, %arg1 : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      %l = "tk.atomic_rmw"(%arg2, %arg3) {op = "load", scope = "sys", sem = "acquire"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
      %m = "tk.reduce"(%l) ({
      ^bb0(%c: i32, %d: i32):
        %x = arith.minsi %c, %d : i32
        "tk.yield"(%x) : (i32) -> ()
      }) {axis = 0 : i32} : (tensor<4xi32, #L0>) -> i32
      scf.yield %m : i32
    }
    scf.while : () -> () {
      %l = "tk.load"(%arg0) {volatile} : (!tk.ptr<i32>) -> i32
      %f = arith.cmpi slt, %l, %arg1 : i32
      scf.condition(%f)
    } do {
      scf.yield
    }
    %3 = scf.while (%a = %c0) : (i32) -> i32 {
      %l = "tk.load"(%arg0) {volatile} : (!tk.ptr<i32>) -> i32
      %f = arith.cmpi slt, %l, %arg1 : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      %n = arith.addi %a, %c1 : i32
      scf.yield %n : i32
    }
    scf.while : () -> () {
      %l = "tk.atomic_rmw"(%arg0, %c0) {op = "load", scope = "sys", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
      %f = arith.cmpi slt, %l, %arg1 : i32
      scf.condition(%f)
    } do {
      "tk.store"(%arg0, %3) : (!tk.ptr<i32>, i32) -> ()
      scf.yield
    }
    %4 = "tk.atomic_rmw"(%arg0, %c0) {op = "load", scope = "sys", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
    %5 = scf.while (%a = %4) : (i32) -> i32 {
      %l = "tk.atomic_rmw"(%arg0, %c0) {op = "load", scope = "sys", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
      %f = arith.cmpi slt, %l, %a : i32
      scf.condition(%f) %a : i32
    } do {
    ^bb0(%a: i32):
      scf.yield %a : i32
    }
    "tk.store"(%arg0, %4) : (!tk.ptr<i32>, i32) -> ()
    return
  }
}
