// chip: sm_90a
// What a bulk store writes, other threads have loaded before: a barrier between. None where each thread has loaded what it
// stores, nor for another argument.
#L0 = {shared = array<i32: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>}
#L1 = {lane = array<i32: 2, 4, 64, 128, 256>, register = array<i32: 1, 512, 8, 16, 32>, warp = array<i32: 1024, 2048>}
#L2 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2, 512, 1024, 2048>, warp = array<i32: 128, 256>}
module {
  func.func @k(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %z: !tk.ptr<f32>, %t: tensor<64x64xf32, #L1>, %n: i32, %at1: tensor<64x64xi32, #L1>, %at2: tensor<64x64xi32, #L2>, %to_x: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 64, -1, -1, 1, 0, 64, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}, %to_y: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {box = array<i32: 32, 64>, element = f32, offsets = array<i64>, pointer = 1 : i32, sizes = array<i64: 0, 64, -1, -1, 1, 0, 64, -1, -1, 1>, strides = array<i64: 0, 64, -1, -1, 1>, swizzle = 128 : i32}}) attributes {tk.num_warps = 4 : i32, tk.shared_bytes = 16384 : i32} {
    %buffer = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32, alignment = 1024 : i32} : () -> tensor<16384xi8, #L0>
    %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %p = "tk.addptr"(%xs, %at2) : (tensor<64x64x!tk.ptr<f32>, #L2>, tensor<64x64xi32, #L2>) -> tensor<64x64x!tk.ptr<f32>, #L2>
    %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<64x64x!tk.ptr<f32>, #L1>
    %q = "tk.addptr"(%ys, %at1) : (tensor<64x64x!tk.ptr<f32>, #L1>, tensor<64x64xi32, #L1>) -> tensor<64x64x!tk.ptr<f32>, #L1>
    %a = "tk.load"(%p) : (tensor<64x64x!tk.ptr<f32>, #L2>) -> tensor<64x64xf32, #L2>
    %b = "tk.load"(%q) : (tensor<64x64x!tk.ptr<f32>, #L1>) -> tensor<64x64xf32, #L1>
    "tk.print"(%a) {prefix = ""} : (tensor<64x64xf32, #L2>) -> ()
    "tk.print"(%b) {prefix = ""} : (tensor<64x64xf32, #L1>) -> ()
    "tk.bulk_store"(%to_y, %buffer, %t, %n, %n) : (!tk.tensor_map, tensor<16384xi8, #L0>, tensor<64x64xf32, #L1>, i32, i32) -> ()
    "tk.bulk_store"(%to_x, %buffer, %t, %n, %n) {behind} : (!tk.tensor_map, tensor<16384xi8, #L0>, tensor<64x64xf32, #L1>, i32, i32) -> ()
    "tk.bulk_wait"() : () -> ()
    return
  }
}
