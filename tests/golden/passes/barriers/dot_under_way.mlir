// chip: sm_90a
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// A dot that is under way at a barrier is not settled by it: the threads that store over what it reads meet once more, behind
// their waits. Scratch elsewhere needs nothing.
#L0 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L1 = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, warp = array<i32: 256, 512>}
#L2 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 0>}
#L3 = {lane = array<i32: 32, 1, 2, 4, 8>, register = array<i32>, warp = array<i32: 16, 0>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
module {
  func.func @k(%x: tensor<64x64xf16, #L1>, %sum: tensor<64x64xf32, #L0>, %v: tensor<64xi32, #L2>, %n: i32) attributes {tk.num_warps = 4 : i32, tk.shared_bytes = 16640 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %y = "tk.smem_alloc"() {offset = 8192 : i32, stages = 1 : i32} : () -> tensor<64x64xf16, #S>
    "tk.smem_store"(%y, %x) {proxy} : (tensor<64x64xf16, #S>, tensor<64x64xf16, #L1>) -> ()
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %sum) -> (tensor<64x64xf32, #L0>) : i32 {
      %buffer = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64x64xf16, #S>
      "tk.smem_store"(%buffer, %x) {proxy} : (tensor<64x64xf16, #S>, tensor<64x64xf16, #L1>) -> ()
      "tk.barrier"() : () -> ()
      %made = "tk.warpgroup_dot"(%buffer, %y, %a) {instruction = "wgmma.f16"} : (tensor<64x64xf16, #S>, tensor<64x64xf16, #S>, tensor<64x64xf32, #L0>) -> tensor<64x64xf32, #L0>
      "tk.barrier"() : () -> ()
      %elsewhere = "tk.convert_layout"(%v) {scratch = 16384 : i32} : (tensor<64xi32, #L2>) -> tensor<64xi32, #L3>
      "tk.print"(%elsewhere) {prefix = ""} : (tensor<64xi32, #L3>) -> ()
      %d = "tk.dot_wait"(%made) {pending = 0 : i32} : (tensor<64x64xf32, #L0>) -> tensor<64x64xf32, #L0>
      scf.yield %d : tensor<64x64xf32, #L0>
    }
    "tk.print"(%r) {prefix = ""} : (tensor<64x64xf32, #L0>) -> ()
    return
  }
}
