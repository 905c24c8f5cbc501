// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store
// Turns of a loop that have elements of their own do not meet: a tile read and written in place, also through the addresses of an array.
// Turns that advance by less than the tile, and a read of what lies behind the tile, do.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
module {
  func.func @k(%x: !tk.ptr<i32>, %peers: !tk.ptr<!tk.ptr<i32>>, %n: i32, %rank: i32) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 0 : i32} {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %r = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #L0>
    %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ranks = "tk.splat"(%rank) : (i32) -> tensor<64xi32, #L0>
    %ns = "tk.splat"(%n) : (i32) -> tensor<64xi32, #L0>
    scf.for %i = %c0 to %n step %c64 : i32 {
      %is = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L0>
      %at = arith.addi %is, %r : tensor<64xi32, #L0>
      %p = "tk.addptr"(%xs, %at) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %v = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%p, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    }
    "tk.barrier"() : () -> ()
    scf.for %i = %c0 to %n step %c64 : i32 {
      %is = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L0>
      %a = arith.addi %is, %r : tensor<64xi32, #L0>
      %at = arith.addi %ranks, %a : tensor<64xi32, #L0>
      %p0 = "tk.load"(%peers) {addresses} : (!tk.ptr<!tk.ptr<i32>>) -> !tk.ptr<i32>
      %p0s = "tk.splat"(%p0) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
      %q0 = "tk.addptr"(%p0s, %at) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %v = "tk.load"(%q0) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%q0, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    }
    "tk.barrier"() : () -> ()
    scf.for %i = %c0 to %n step %c32 : i32 {
      %is = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L0>
      %at = arith.addi %is, %r : tensor<64xi32, #L0>
      %p = "tk.addptr"(%xs, %at) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %v = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%p, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    }
    "tk.barrier"() : () -> ()
    scf.for %i = %c0 to %n step %c64 : i32 {
      %is = "tk.splat"(%i) : (i32) -> tensor<64xi32, #L0>
      %at = arith.addi %is, %r : tensor<64xi32, #L0>
      %behind = arith.addi %at, %ns : tensor<64xi32, #L0>
      %p = "tk.addptr"(%xs, %at) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %q = "tk.addptr"(%xs, %behind) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
      %v = "tk.load"(%q) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
      "tk.store"(%p, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    }
    return
  }
}
