// chip: gfx1100
// show: scf.* tk.barrier tk.convert_layout tk.print
// Conversions from #A to #B stay in their warps: their lanes meet, once an iteration and where the same bytes are used again. The last one
// leaves its warps, and its bytes are others': the block meets ahead of it.
#A = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 64, 128, 256, 512, 1024>, warp = array<i32: 32>}
#B = {lane = array<i32: 64, 128, 256, 512, 1024>, register = array<i32: 1, 2, 4, 8, 16>, warp = array<i32: 32>}
#C = {lane = array<i32: 32, 128, 256, 512, 1024>, register = array<i32: 1, 2, 4, 8, 16>, warp = array<i32: 64>}
module {
  func.func @turns(%v: tensor<2048xi16, #A>, %n: i32) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 8192 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
      "tk.print"(%x) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    }
    %y = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    %z = "tk.convert_layout"(%v) {scratch = 4096 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    %w = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    %u = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #C>
    "tk.print"(%y) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%z) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%w) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%u) {prefix = ""} : (tensor<2048xi16, #C>) -> ()
    return
  }
}
