// chip: sm_80
// show: func.func tk.load tk.store tk.grid_wait tk.grid_trigger scf.if
// No chip before sm_90 has dependent launches: nothing waits, and the attributes go.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
module {
  func.func @weights(%x: !tk.ptr<f32> {tk.late}, %w: !tk.ptr<f32>, %y: !tk.ptr<f32>) attributes {tk.triggers, tk.waits, tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %xt = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    %wt = "tk.splat"(%w) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %wp = "tk.addptr"(%wt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %u = "tk.load"(%wp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    %p = arith.mulf %v, %u : tensor<128xf32, #L0>
    %yt = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%yp, %p) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    %again = "tk.load"(%wp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    "tk.store"(%yp, %again) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    return
  }
  func.func @condition(%x: !tk.ptr<f32> {tk.late}, %w: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32) attributes {tk.waits, tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %some = arith.cmpi slt, %p, %n : i32
    %u = "tk.load"(%w) : (!tk.ptr<f32>) -> f32
    scf.if %some {
      %v = "tk.load"(%x) : (!tk.ptr<f32>) -> f32
      %s = arith.addf %u, %v : f32
      "tk.store"(%y, %s) : (!tk.ptr<f32>, f32) -> ()
    }
    return
  }
  func.func @only_first(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>) attributes {tk.triggers, tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %v = "tk.load"(%x) : (!tk.ptr<f32>) -> f32
    "tk.store"(%y, %v) : (!tk.ptr<f32>, f32) -> ()
    return
  }
  func.func @nothing(%x: !tk.ptr<f32> {tk.late}) attributes {tk.waits, tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    return
  }
}
