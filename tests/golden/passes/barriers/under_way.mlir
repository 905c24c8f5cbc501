// chip: sm_80
// A copy that is under way at a barrier is not settled by it: scratch in the same bytes waits for it, then meets the
// others.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#L1 = {lane = array<i32: 32, 1, 2, 4, 8>, register = array<i32>, warp = array<i32: 16>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
module {
  func.func @k(%v: tensor<64xi32, #L0>, %p: tensor<64x!tk.ptr<i32>, #L0>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 512 : i32} {
    %buffer = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.async_copy"(%buffer, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L0>) -> ()
    "tk.async_commit"() : () -> ()
    "tk.barrier"() : () -> ()
    %elsewhere = "tk.convert_layout"(%v) {scratch = 256 : i32} : (tensor<64xi32, #L0>) -> tensor<64xi32, #L1>
    %there = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<64xi32, #L1>
    "tk.print"(%elsewhere, %there) {prefix = ""} : (tensor<64xi32, #L1>, tensor<64xi32, #L1>) -> ()
    return
  }
}
