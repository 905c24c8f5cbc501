// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// What a program stored to global memory and another thread reads back: a barrier between, also round a loop. None where
// pointers and threads are the same, nor for other offsets of another argument; but where each thread holds every element there is one, also
// between its load and a store, and where a loop's pointers are others in its next step. A tile that is stored in other threads
// than it was loaded or stored in before has one, too.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#L1 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32>, warp = array<i32: 1>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 0>}
module {
  func.func @k(%x: !tk.ptr<i32>, %y: !tk.ptr<i32>, %o: tensor<64xi32, #L0>, %o1: tensor<64xi32, #L1>, %o2: tensor<64xi32, #L2>, %n: i32) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 0 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %xs1 = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L1>
    %ys = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ys2 = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L2>
    %q = "tk.addptr"(%xs1, %o1) : (tensor<64x!tk.ptr<i32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<i32>, #L1>
    %r = "tk.addptr"(%ys, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
    %s = "tk.addptr"(%ys2, %o2) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<i32>, #L2>
    %end = scf.for %i = %zero to %n step %one iter_args(%p = %xs) -> (tensor<64x!tk.ptr<i32>, #L0>) : i32 {
      %a = "tk.load"(%q) : (tensor<64x!tk.ptr<i32>, #L1>) -> tensor<64xi32, #L1>
      %b = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      %c = "tk.load"(%r) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%p, %b) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
      "tk.print"(%a) {prefix = ""} : (tensor<64xi32, #L1>) -> ()
      "tk.print"(%c) {prefix = ""} : (tensor<64xi32, #L0>) -> ()
      %next = "tk.addptr"(%p, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      scf.yield %next : tensor<64x!tk.ptr<i32>, #L0>
    }
    %over = scf.for %i = %zero to %n step %one iter_args(%p = %ys) -> (tensor<64x!tk.ptr<i32>, #L0>) : i32 {
      %f = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%p, %f) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
      %g = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.print"(%g) {prefix = ""} : (tensor<64xi32, #L0>) -> ()
      %next = "tk.addptr"(%p, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      scf.yield %next : tensor<64x!tk.ptr<i32>, #L0>
    }
    %d = "tk.load"(%s) : (tensor<64x!tk.ptr<i32>, #L2>) -> tensor<64xi32, #L2>
    "tk.store"(%s, %d) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> ()
    %e = "tk.load"(%s) : (tensor<64x!tk.ptr<i32>, #L2>) -> tensor<64xi32, #L2>
    "tk.print"(%e) {prefix = ""} : (tensor<64xi32, #L2>) -> ()
    "tk.store"(%r, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    "tk.store"(%r, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    "tk.store"(%s, %d) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> ()
    return
  }
}
