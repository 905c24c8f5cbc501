// chip: sm_100a
// show: scf.for tk.specialise tk.tensor_* tk.smem_load tk.mbarrier_wait tk.barrier
// The left operand of a loop's products is put into tensor memory behind the wait for its copy; the one that a step copies is not.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096>}
#L1 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048>}
#L2 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 1024, 8, 16, 32>, warp = array<i32: 2048, 4096>}
module {
  func.func @queries(%arg0: i32, %arg1: i32, %map: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 64, 128>, element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 2147483647, -1, -1, 1, 0, 2147483647, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}) attributes {tk.num_warps = 4 : i32, tk.num_stages = 2 : i32, tk.producer_warps = 4 : i32, tk.persistent = 1 : i32} {
    %q = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L0>
    %p = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<128x64xf16, #L0>
    %k = "tk.smem_alloc"() {stages = 2 : i32} : () -> tensor<64x64xf16, #L1>
    %ends = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 8 : i32} : () -> i32
    %full = "tk.mbarrier_alloc"() {arrivals = 1 : i32, count = 2 : i32} : () -> i32
    "tk.specialise"() ({
      %z = arith.constant 0 : i32
      %into = "tk.smem_slot"(%q, %z) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
      "tk.bulk_load"(%into, %map, %full, %z, %z) {inner = 64 : i32} : (tensor<128x64xf16, #L0>, !tk.tensor_map, i32, i32, i32) -> ()
      "tk.yield"() : () -> ()
    }, {
      %m = "tk.tensor_alloc"() {columns = 64 : i32} : () -> i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %false = arith.constant false
      scf.for %tile = %c0 to %arg1 step %c1  : i32 {
        %slot = "tk.smem_slot"(%q, %c0) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
        "tk.mbarrier_wait"(%full, %c0) : (i32, i32) -> ()
        scf.for %step = %c0 to %arg0 step %c1  : i32 {
          %other = "tk.smem_slot"(%p, %c1) : (tensor<128x64xf16, #L0>, i32) -> tensor<128x64xf16, #L0>
          %right = "tk.smem_slot"(%k, %c1) : (tensor<64x64xf16, #L1>, i32) -> tensor<64x64xf16, #L1>
          "tk.mbarrier_wait"(%full, %c1) : (i32, i32) -> ()
          "tk.tensor_dot"(%slot, %right, %m, %ends, %false) {column = 0 : i32, instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L0>, tensor<64x64xf16, #L1>, i32, i32, i1) -> ()
          "tk.tensor_dot"(%other, %right, %m, %ends) {column = 0 : i32, instruction = "tcgen05.f16"} : (tensor<128x64xf16, #L0>, tensor<64x64xf16, #L1>, i32, i32) -> ()
          "tk.tensor_wait"(%ends) {pending = 0 : i32} : (i32) -> ()
          %sums = "tk.tensor_load"(%m) {column = 0 : i32} : (i32) -> tensor<128x64xf32, #L2>
          "tk.barrier"() : () -> ()
        }
      }
      "tk.tensor_free"(%m) {columns = 64 : i32} : (i32) -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
