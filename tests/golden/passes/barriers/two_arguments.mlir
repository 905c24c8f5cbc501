// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store
// Two arguments that may be one tensor: a barrier between a store and a load of the same offsets by other threads, and between a
// load by several threads of an element and its store, though the offsets are computed once for each layout. None where offsets,
// types or shapes differ, none where the threads are the same, and none from one step of a loop to the next.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#L1 = {lane = array<i32: 2, 4, 8, 16, 32>, register = array<i32>, warp = array<i32: 1>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 32>, warp = array<i32: 0>}
module {
  func.func @k(%x: !tk.ptr<i32>, %y: !tk.ptr<i32>, %z: !tk.ptr<f32>, %n: i32, %v0: tensor<64xi32, #L0>, %v2: tensor<64xi32, #L2>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 0 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %o0 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #L0>
    %o1 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #L1>
    %t1 = "tk.range"() {start = 64 : i32, end = 128 : i32} : () -> tensor<64xi32, #L1>
    %o2 = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #L2>
    %xs0 = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ys0 = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ys1 = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L1>
    %ys2 = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L2>
    %xs2 = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L2>
    %zs1 = "tk.splat"(%z) : (!tk.ptr<f32>) -> tensor<64x!tk.ptr<f32>, #L1>
    %p0 = "tk.addptr"(%xs0, %o0) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
    %p2 = "tk.addptr"(%xs2, %o2) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<i32>, #L2>
    %q0 = "tk.addptr"(%ys0, %o0) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
    %q1 = "tk.addptr"(%ys1, %o1) : (tensor<64x!tk.ptr<i32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<i32>, #L1>
    %q2 = "tk.addptr"(%ys2, %o2) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> tensor<64x!tk.ptr<i32>, #L2>
    %r1 = "tk.addptr"(%ys1, %t1) : (tensor<64x!tk.ptr<i32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<i32>, #L1>
    %s1 = "tk.addptr"(%zs1, %o1) : (tensor<64x!tk.ptr<f32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<f32>, #L1>
    // The same threads, other offsets, another type: no barrier.
    "tk.store"(%p0, %v0) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    %a = "tk.load"(%q0) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
    %b = "tk.load"(%r1) : (tensor<64x!tk.ptr<i32>, #L1>) -> tensor<64xi32, #L1>
    %c = "tk.load"(%s1) : (tensor<64x!tk.ptr<f32>, #L1>) -> tensor<64xf32, #L1>
    // Other threads: a barrier.
    %d = "tk.load"(%q1) : (tensor<64x!tk.ptr<i32>, #L1>) -> tensor<64xi32, #L1>
    // Loaded by several threads: a barrier.
    %e = "tk.load"(%q2) : (tensor<64x!tk.ptr<i32>, #L2>) -> tensor<64xi32, #L2>
    "tk.store"(%p2, %e) : (tensor<64x!tk.ptr<i32>, #L2>, tensor<64xi32, #L2>) -> ()
    "tk.barrier"() : () -> ()
    // A step's load and store by other threads: a barrier; none round the loop.
    scf.for %i = %zero to %n step %one : i32 {
      %is0 = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L0>
      %is1 = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L1>
      %m0 = "tk.addptr"(%p0, %is0) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %m1 = "tk.addptr"(%q1, %is1) : (tensor<64x!tk.ptr<i32>, #L1>, tensor<64xi32, #L1>) -> tensor<64x!tk.ptr<i32>, #L1>
      %f = "tk.load"(%m0) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%m1, %t1) : (tensor<64x!tk.ptr<i32>, #L1>, tensor<64xi32, #L1>) -> ()
      scf.yield
    }
    return
  }
}
