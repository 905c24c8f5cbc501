// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// A load behind an atomic of its argument has a barrier where other threads do it: where each thread holds every element, at other
// addresses, of a number. None where the pointers and threads are the same, where the atomic's result is handed over, nor between
// what the first thread does for all.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#L1 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 0>}
module {
  func.func @k(%x: !tk.ptr<i32>, %y: !tk.ptr<i32>, %z: !tk.ptr<i32>, %o: tensor<64xi32, #L0>, %o1: tensor<32xi32, #L1>, %n: i32) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 16 : i32} {
    %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ys = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<32x!tk.ptr<i32>, #L1>
    %p = "tk.addptr"(%xs, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
    %q = "tk.addptr"(%p, %o) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64x!tk.ptr<i32>, #L0>
    %r = "tk.addptr"(%ys, %o1) : (tensor<32x!tk.ptr<i32>, #L1>, tensor<32xi32, #L1>) -> tensor<32x!tk.ptr<i32>, #L1>
    %a = "tk.atomic_rmw"(%p, %o) {op = "add", sem = "relaxed", scope = "gpu"} : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> tensor<64xi32, #L0>
    %b = "tk.load"(%p) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
    %c = "tk.load"(%q) : (tensor<64x!tk.ptr<i32>, #L0>) -> tensor<64xi32, #L0>
    %d = "tk.atomic_rmw"(%r, %o1) {op = "add", sem = "relaxed", scope = "gpu"} : (tensor<32x!tk.ptr<i32>, #L1>, tensor<32xi32, #L1>) -> tensor<32xi32, #L1>
    %e = "tk.load"(%r) : (tensor<32x!tk.ptr<i32>, #L1>) -> tensor<32xi32, #L1>
    %f = "tk.atomic_rmw"(%z, %n) {op = "add", sem = "relaxed", scope = "gpu"} : (!tk.ptr<i32>, i32) -> i32
    %g = "tk.load"(%z) {volatile} : (!tk.ptr<i32>) -> i32
    %h = "tk.load"(%z) : (!tk.ptr<i32>) -> i32
    %i = "tk.atomic_rmw"(%z, %h) {op = "add", scratch = 0 : i32, sem = "relaxed", scope = "gpu"} : (!tk.ptr<i32>, i32) -> i32
    %j = "tk.load"(%z) : (!tk.ptr<i32>) -> i32
    "tk.print"(%b, %c, %e, %i, %j) {prefix = ""} : (tensor<64xi32, #L0>, tensor<64xi32, #L0>, tensor<32xi32, #L1>, i32, i32) -> ()
    return
  }
}
