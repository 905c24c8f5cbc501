// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// A copy that is under way still reads global memory: a store through the same argument waits for it, one through another does not.
// Once it has been waited for, a store by the threads that read has nothing to wait for.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
module {
  func.func @k(%x: !tk.ptr<i32>, %y: !tk.ptr<i32>, %v: tensor<64xi32, #L0>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 256 : i32} {
    %buffer = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    %ys = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<64x!tk.ptr<i32>, #L0>
    "tk.async_copy"(%buffer, %xs) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L0>) -> ()
    "tk.async_commit"() : () -> ()
    "tk.store"(%ys, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    "tk.store"(%xs, %v) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    %a = "tk.smem_load"(%buffer) : (tensor<64xi32, #S>) -> tensor<64xi32, #L0>
    "tk.async_copy"(%buffer, %xs) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L0>) -> ()
    "tk.async_commit"() : () -> ()
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.store"(%xs, %a) : (tensor<64x!tk.ptr<i32>, #L0>, tensor<64xi32, #L0>) -> ()
    return
  }
}
